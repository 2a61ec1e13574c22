"""Print the requirements of bonmun and some of its extras for pip: `python -m scripts.list_extra test > needs.txt`.

`pip install 'bonmun[test]'` would look for bonmun at the package index, and `pip install '.[test]'` would build it
again. Neither would notice a changed pyproject.toml in time.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["list_needs"]

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
OWN_EXTRAS = re.compile(r"bonmun\[([\w,]+)\]")  # extras that another extra includes


def list_needs(project: dict[str, Any], extras: Sequence[str]) -> Iterator[str]:
    """Return all requirements of a project and of some of its extras, without duplicates."""
    known, met = project["optional-dependencies"], set(extras)
    waiting = [*project["dependencies"], *(need for extra in extras for need in known[extra])]
    seen: set[str] = set()
    for need in waiting:  # the list grows in the loop
        if taken_in := OWN_EXTRAS.fullmatch(need):
            waiting += (more for extra in taken_in[1].split(",") if extra not in met for more in known[extra])
            met.update(taken_in[1].split(","))
        elif need not in seen:
            seen.add(need)
            yield need


if __name__ == "__main__":
    print(*list_needs(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"], sys.argv[1:]), sep="\n")
