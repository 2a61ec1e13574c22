"""A folder that gets a file for each result."""

from __future__ import annotations

from pathlib import Path

from bonmun.work.files import write_bytes

__all__ = ["ResultFolder"]


class ResultFolder:
    """Results by name; two of one name are numbered, so that neither is lost: `page.txt`, `page-2.txt`."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.used: set[Path] = set()
        self.numbers: dict[Path, int] = {}  # the last one that a name was given

    def make(self) -> None:
        """Make the folder, if it is not there."""
        self.path.mkdir(parents=True, exist_ok=True)

    def place(self, stem: Path, ending: str) -> Path:
        """Where the next file of a name goes; `stem` is its place in the folder, without the ending of its name."""
        name, number = stem, self.numbers.get(stem, 1)
        while name in self.used:
            number += 1
            name = stem.with_name(f"{stem.name}-{number}")
        self.used.add(name)
        self.numbers[stem] = number
        return self.path / name.with_name(name.name + ending)

    def write(self, stem: Path, ending: str, data: bytes) -> Path:
        """Write a file."""
        path = self.place(stem, ending)
        self.fill(path, data)
        return path

    def fill(self, path: Path, data: bytes) -> None:
        """Write the file of a place."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
