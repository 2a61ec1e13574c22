"""What the kernel is made of: its source files, and one number for all that they say.

setup.py runs this file by itself, so it imports nothing of bonmun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["digest_sources", "find_sources"]

ENDINGS = (".h", ".pxd", ".pxi", ".pyx")


def find_sources(folder: Path) -> list[Path]:
    """The source files in a folder, by name; none where bonmun was installed from a wheel."""
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)


def digest_sources(folder: Path) -> str:
    """A digest of their names and contents; empty if there are none."""
    sources = find_sources(folder)
    if not sources:
        return ""
    import hashlib  # takes milliseconds, and users never need it

    digest = hashlib.sha256()
    for path in sources:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()
