"""Where npm packages are: in NODE_PATH, beside the current folder, or in the user's cache folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

__all__ = ["find_package", "list_node_folders", "locate_node_folder", "read_package_version"]


def locate_node_folder() -> Path:
    """Say where npm packages are looked for, beside the current folder and NODE_PATH."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bonmun" / "node"


def list_node_folders() -> list[Path]:
    """List the folders that packages are looked for in."""
    given = os.environ.get("NODE_PATH", "").split(os.pathsep)
    return [*(Path(folder) for folder in given if folder), Path("node_modules"), locate_node_folder() / "node_modules"]


def find_package(name: str) -> Path | None:
    """The folder of a package; None if it is not installed."""
    folders = (folder / name for folder in list_node_folders())
    return next((folder for folder in folders if (folder / "package.json").is_file()), None)


def read_package_version(folder: Path) -> str:
    """The version of a package."""
    version: str = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    return version
