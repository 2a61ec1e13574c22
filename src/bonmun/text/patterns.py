"""Regular expressions that are compiled when they are first used: to compile all of them takes longer than a page."""

from __future__ import annotations

import re
from typing import Any, cast

__all__ = ["LazyPattern", "compile_later"]

METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


class LazyPattern:
    """Stands for a pattern, of which it has all methods once one of them was asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """What is not known yet: from then on, every method is, so that this is asked once."""
        if name not in METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in METHODS})
        return vars(self)[name]


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, but that the work is done on first use.

    >>> compile_later("[0-9]+").findall("1, 22")
    ['1', '22']
    """
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
