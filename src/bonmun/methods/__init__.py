"""The methods by name. Each is a module with a class that has `label(page) -> Labels`; loaded on first use."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["METHODS", "Method", "MethodInfo", "get", "methods"]


class Method(Protocol):
    """Anything that labels a page; it changes nothing."""

    def label(self, page: Page) -> Labels:
        """Say for each leaf or block whether it is main text, and why."""


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A row of the table of methods."""

    name: str
    where: str  # module:class
    needs: str
    says: str  # one line


METHODS = {
    info.name: info
    for info in (
        MethodInfo("auto", "bonmun.methods.auto:Auto", "one page", "the default: text and link density over blocks"),
        MethodInfo("all", "bonmun.methods.everything:Everything", "one page", "every block that is shown"),
    )
}


def methods() -> tuple[MethodInfo, ...]:
    """All methods: their names, what each needs, and one line on each."""
    return tuple(METHODS.values())


def get(name: str) -> Method:
    """Make the named method."""
    info = METHODS.get(name)
    if info is None:
        near = difflib.get_close_matches(name, METHODS, n=3) or list(METHODS)
        raise BadConfig(f"Unknown method {name!r}: did you mean {' or '.join(near)}? `bonmun methods` lists all.")
    module, _, attribute = info.where.partition(":")
    method: Method = getattr(import_module(module), attribute)()
    return method
