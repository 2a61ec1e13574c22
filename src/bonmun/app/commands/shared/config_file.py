"""`bonmun.toml`, or `[tool.bonmun]` in pyproject.toml: where it is looked for, and what is in it.

In the folder that bonmun is started in, and in those above it: up to the root of the repository, outside of one up to
the home folder, and elsewhere no further. The nearest file counts, alone.
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
OWN_TABLE = b"tool.bonmun"  # stands in each pyproject.toml that says something to us
MAX_BYTES = 100_000  # no file that people write is larger
MAX_LINE_BYTES = 2_000  # nor has longer lines; the time that tomllib takes for a key grows with the square of its dots


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a file says, by name; a table is a dict."""

    path: Path
    values: dict[str, Any]


def find_config_file(start: Path) -> ConfigFile | None:
    """The file that counts for a folder, read; raises BadConfig if it cannot be."""
    for folder in _list_folders(start):
        own, shared = folder / OWN_NAME, folder / SHARED_NAME
        if _is_file(own):
            return ConfigFile(own, _parse(own, _read(own)))
        if _is_file(shared) and (found := _read_shared(shared)) is not None:
            return found
    return None


def _list_folders(start: Path) -> Iterator[Path]:
    """The folder itself and those above it that belong to the same work, the nearest first."""
    folders = [start, *start.parents]
    last = next((folder for folder in folders if _exists(folder / ".git")), None) or _find_home(folders) or start
    yield from folders[: folders.index(last) + 1]


def _find_home(folders: list[Path]) -> Path | None:
    """The home folder, if it is one of these."""
    try:
        home = Path.home().resolve()
    except (OSError, RuntimeError):  # nobody's
        return None
    return home if home in folders else None


def _read_shared(path: Path) -> ConfigFile | None:
    """Our table in a pyproject.toml; None if it has none. What else is wrong with the file is others' business."""
    try:
        data = _read(path)
    except BadConfig:
        return None
    if OWN_TABLE not in data:
        return None
    table = _parse(path, data).get("tool", {}).get("bonmun")
    if table is None:  # only a comment or a text has the words
        return None
    if not isinstance(table, dict):
        raise BadConfig(f"{path}: tool.bonmun is a table: [tool.bonmun].")
    return ConfigFile(path, table)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror or problem}.") from None
    if len(data) > MAX_BYTES:
        raise BadConfig(f"{path}: this is larger than {MAX_BYTES:,} bytes, so it is no config file.")
    if any(len(line) > MAX_LINE_BYTES for line in data.split(b"\n")):
        raise BadConfig(f"{path}: a line is longer than {MAX_LINE_BYTES:,} bytes, so this is no config file.")
    return data


def _parse(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as problem:  # also text that is no UTF-8
        raise BadConfig(f"{path}: cannot be read as TOML: {problem}.") from None
    except RecursionError:
        raise BadConfig(f"{path}: cannot be read as TOML: too many brackets in brackets.") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder that may not be looked into
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
