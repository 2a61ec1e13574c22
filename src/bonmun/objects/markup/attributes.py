"""Items of microdata and of RDFa Lite."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bonmun.objects.markup.elements import MAX_MARKED, MarkedElement, collect_items
from bonmun.objects.markup.items import Item, fold_type

if TYPE_CHECKING:
    from bonmun.objects.markup.elements import ElementTexts
    from bonmun.page import Page

__all__ = ["list_types", "read_microdata", "read_rdfa", "read_value"]

MAX_NAMES = 10  # properties or types of one element
MAX_REFERENCES = 500  # of all `itemref` together
# Properties whose value is an address, even on a link with a text.
URL_NAMES = frozenset(
    "url image sameAs contentUrl embedUrl thumbnailUrl thumbnail logo photo availability itemCondition item "
    "mainEntityOfPage @id downloadUrl encoding license".split()
)


def read_microdata(page: Page) -> list[Item]:
    """Return the items of microdata, in document order."""
    if page.select_first("[itemscope]") is None:
        return []
    marked: dict[int, MarkedElement] = {}
    references: dict[int, list[str]] = {}  # ids in the itemref of an item
    left = MAX_REFERENCES
    for row in sorted({*page.select_rows("[itemscope]"), *page.select_rows("[itemprop]")})[:MAX_MARKED]:
        node = page.markup[row]
        types = None
        if node.attr("itemscope") is not None:
            types = _read_types(node.attr("itemtype"))
            if found := (node.attr("itemref") or "").split()[: min(left, MAX_NAMES)]:
                references[row] = found
                left -= len(found)
        names = _split_names(node.attr("itemprop"))
        marked[row] = MarkedElement(names, types, partial(read_value, row=row, names=names))
    return collect_items(page, marked, "microdata", _find_references(page, references))


def _find_references(page: Page, references: dict[int, list[str]]) -> dict[int, int]:
    """Return the elements that an item refers to by `itemref`, with the item that refers to each first."""
    if not references:
        return {}
    rows = page.select_rows("[id]")
    by_id = dict(zip(reversed(page.attrs(rows, "id")), reversed(rows), strict=True))
    moved: dict[int, int] = {}
    for item, names in references.items():
        for name in names:
            if (row := by_id.get(name)) is not None and row != item:
                moved.setdefault(row, item)
    return moved


def read_rdfa(page: Page) -> list[Item]:
    """Return the items of RDFa Lite, in document order."""
    if page.select_first("[typeof]") is None:
        return []
    marked: dict[int, MarkedElement] = {}
    for row in sorted({*page.select_rows("[typeof]"), *page.select_rows("[property]")})[:MAX_MARKED]:
        node = page.markup[row]
        types = node.attr("typeof")
        names = _split_names(node.attr("property"))
        read = partial(read_value, row=row, names=names)
        marked[row] = MarkedElement(names, None if types is None else _read_types(types), read)
    return collect_items(page, marked, "RDFa")


def list_types(page: Page) -> tuple[set[str], set[str]]:
    """Return the types in `itemtype` and in `typeof` of all elements."""
    nodes = page.select("[itemtype],[typeof]")
    microdata, rdfa = ({node.attr(name) for node in nodes} for name in ("itemtype", "typeof"))
    return _list_types(microdata), _list_types(rdfa)


def _list_types(values: set[str | None]) -> set[str]:
    return {type_ for value in values for type_ in _read_types(value)}


def _read_types(value: str | None) -> frozenset[str]:
    return frozenset(fold_type(name) for name in (value or "").split()[:MAX_NAMES])


def _split_names(value: str | None) -> list[str]:
    """Return the names of an attribute without their namespaces: "schema:name" and full URLs are used, too."""
    names = (value or "").split()[:MAX_NAMES]
    return [name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2] for name in names]


def read_value(texts: ElementTexts, row: int, names: list[str]) -> str:
    """Return the value of an element that is no item: an attribute, else its text."""
    page = texts.page
    node, tag = page.markup[row], page.tags[row]
    content = node.attr("content")
    if content is not None or tag == "meta":
        return (content or "").strip()
    if tag in ("img", "audio", "video", "source", "iframe", "embed", "track"):
        return (node.attr("src") or node.attr("data-src") or "").strip()
    if tag == "link":
        return (node.attr("href") or node.attr("resource") or "").strip()
    if tag in ("data", "meter") and (value := node.attr("value")):
        return value.strip()
    if tag == "time" and (value := node.attr("datetime")):
        return value.strip()
    if (value := node.attr("href") or node.attr("resource")) and not URL_NAMES.isdisjoint(names):
        return value.strip()
    return texts.read(row) or (value or "").strip()
