"""Regular expressions that are compiled on first use: compiling all of them takes longer than extracting a page."""

from __future__ import annotations

import re
from typing import Any, cast

__all__ = ["LazyPattern", "compile_later"]

METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


class LazyPattern:
    """A pattern that is compiled when one of its methods is first used."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern and set all its methods, so that this is called once."""
        if name not in METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in METHODS})
        return vars(self)[name]


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern like that of `re.compile`, but compile it on first use.

    >>> compile_later("[0-9]+").findall("1, 22")
    ['1', '22']
    """
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
