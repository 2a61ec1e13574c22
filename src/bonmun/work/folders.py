"""A folder with one file per result."""

from __future__ import annotations

from pathlib import Path

from bonmun.work.files import write_bytes

__all__ = ["ResultFolder"]


class ResultFolder:
    """A folder with one file per result; files with the same name are numbered: `page.txt`, `page-2.txt`."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.used: set[Path] = set()
        self.numbers: dict[Path, int] = {}  # last number given to each name

    def create(self) -> None:
        """Create the folder if it does not exist."""
        self.path.mkdir(parents=True, exist_ok=True)

    def choose_path(self, stem: Path, suffix: str) -> Path:
        """Return the path of the next file with a name; `stem` is its path in the folder, without the suffix."""
        name, number = stem, self.numbers.get(stem, 1)
        while name in self.used:
            number += 1
            name = stem.with_name(f"{stem.name}-{number}")
        self.used.add(name)
        self.numbers[stem] = number
        return self.path / name.with_name(name.name + suffix)

    def write(self, stem: Path, suffix: str, data: bytes) -> Path:
        """Write a file and return its path."""
        path = self.choose_path(stem, suffix)
        self.write_file(path, data)
        return path

    def write_file(self, path: Path, data: bytes) -> None:
        """Write a file to a path that `choose_path` returned."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
