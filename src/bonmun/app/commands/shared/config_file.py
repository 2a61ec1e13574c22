"""Find and read `bonmun.toml`, or `[tool.bonmun]` in pyproject.toml.

The nearest file counts, in the working directory or above it: up to the root of the repository, outside of a repository
up to the home folder, and elsewhere in the working directory only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ConfigFile", "find_config_file"]

OWN_NAME, SHARED_NAME = "bonmun.toml", "pyproject.toml"
OWN_TABLE = b"tool.bonmun"  # in every pyproject.toml that has our table
MAX_BYTES = 100_000
MAX_LINE_BYTES = 2_000  # tomllib takes quadratic time for a key with many dots


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """The settings of a file by name; a table is a dict."""

    path: Path
    values: dict[str, Any]


def find_config_file(start: Path) -> ConfigFile | None:
    """Return the config file for a folder; raise BadConfig if it cannot be read."""
    for folder in _list_folders(start):
        own, shared = folder / OWN_NAME, folder / SHARED_NAME
        if _is_file(own):
            return ConfigFile(own, _parse(own, _read(own)))
        if _is_file(shared) and (found := _read_shared(shared)) is not None:
            return found
    return None


def _list_folders(start: Path) -> Iterator[Path]:
    """Yield the folders in which a config file may be, nearest first."""
    folders = [start, *start.parents]
    last = next((folder for folder in folders if _exists(folder / ".git")), None) or _find_home(folders) or start
    yield from folders[: folders.index(last) + 1]


def _find_home(folders: list[Path]) -> Path | None:
    """Return the home folder if it is one of these."""
    try:
        home = Path.home().resolve()
    except (OSError, RuntimeError):  # the user has none
        return None
    return home if home in folders else None


def _read_shared(path: Path) -> ConfigFile | None:
    """Return our table of a pyproject.toml, or None; other errors in the file are ignored."""
    try:
        data = _read(path)
    except BadConfig:
        return None
    if OWN_TABLE not in data:
        return None
    table = _parse(path, data).get("tool", {}).get("bonmun")
    if table is None:  # the words are in a comment or a string
        return None
    if not isinstance(table, dict):
        raise BadConfig(f"{path}: tool.bonmun must be a table: [tool.bonmun].")
    return ConfigFile(path, table)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror or problem}.") from None
    if len(data) > MAX_BYTES:
        raise BadConfig(f"{path}: not a config file, since it has more than {MAX_BYTES:,} bytes.")
    if any(len(line) > MAX_LINE_BYTES for line in data.split(b"\n")):
        raise BadConfig(f"{path}: not a config file, since a line has more than {MAX_LINE_BYTES:,} bytes.")
    return data


def _parse(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as problem:  # also for text that is not UTF-8
        raise BadConfig(f"{path}: cannot be read as TOML: {problem}.") from None
    except RecursionError:
        raise BadConfig(f"{path}: cannot be read as TOML: brackets are nested too deeply.") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no permission
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
