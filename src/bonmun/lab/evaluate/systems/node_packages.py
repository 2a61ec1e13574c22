"""Find installed npm packages: in NODE_PATH, or in the user's cache folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

__all__ = ["find_package", "list_node_folders", "locate_node_folder", "read_package_version"]


def locate_node_folder() -> Path:
    """Return the folder for npm packages in the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bonmun" / "node"


def list_node_folders() -> list[Path]:
    """List the folders that are searched for packages."""
    given = (Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep))
    return [*(folder for folder in given if folder.is_absolute()), locate_node_folder() / "node_modules"]


def find_package(name: str) -> Path | None:
    """Return the folder of a package; None if it is not installed."""
    folders = (folder / name for folder in list_node_folders())
    return next((folder for folder in folders if (folder / "package.json").is_file()), None)


def read_package_version(folder: Path) -> str:
    """Return the version of a package."""
    version: str = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    return version
