"""Find elements by parts of their class and id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bonmun.page import Page

__all__ = ["find_named_rows", "has_class_part"]

NAME_CHARS = 1_000  # of a class attribute or id that are read


def has_class_part(page: Page, part: str) -> bool:
    """Whether a class attribute of the page contains some text, in lower case."""
    return part in "\n".join(page.class_values).lower()


def find_named_rows(page: Page, parts: Sequence[str], chars: int = NAME_CHARS) -> list[int]:
    """Return the elements whose class or id contains one of some texts in its first `chars`, in document order."""
    ids = page.attrs(range(len(page.tags)), "id")
    rows: set[int] = set()
    for values, known in ((page.classes, page.class_values), (ids, frozenset(filter(None, ids)))):
        telling = _find_telling(known, parts, chars)
        if telling:  # on few pages
            rows.update(row for row, value in enumerate(values) if value in telling)
    return sorted(rows)


def _find_telling(values: Collection[str], parts: Sequence[str], chars: int) -> set[str]:
    joined = "\n".join(values).lower()
    found = [part for part in parts if part in joined]
    return {value for value in values if any(part in value[:chars].lower() for part in found)} if found else set()
