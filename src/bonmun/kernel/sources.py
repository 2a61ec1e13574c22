"""The source files of the kernel, and a digest of their content.

setup.py runs this file on its own, so it must not import anything from bonmun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["digest_sources", "find_sources"]

SUFFIXES = (".h", ".pxd", ".pxi", ".pyx")


def find_sources(folder: Path) -> list[Path]:
    """Return the source files in a folder, sorted by name; none if bonmun was installed from a wheel."""
    return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)


def digest_sources(folder: Path) -> str:
    """Return a digest of the names and contents of the sources; empty if there are none."""
    sources = find_sources(folder)
    if not sources:
        return ""
    import hashlib  # takes milliseconds, and users never need it

    digest = hashlib.sha256()
    for path in sources:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()
