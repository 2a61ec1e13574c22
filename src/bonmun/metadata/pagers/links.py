"""Collect the links of a page that may belong to a pager, and what speaks for and against each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.metadata.pagers.words import NO_SIGNS, OTHER_TEXT, TextSigns, read_signs
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["PagerLink", "list_head_links", "list_pager_links"]

MAX_LINKS = 5_000  # that may belong to a pager; pages have a few dozen
MAX_LEVELS = 6  # from a link up to the container of its pager
MAX_NAME_CHARS = 200  # of class and id
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Words that class names and ids start with; those before `(?![a-z])` are whole words.
SIGN = re.compile(
    r"(?<![a-z])(?:"
    r"(?P<next>next|nxt|siguiente|suivant|weiter)"
    r"|(?P<previous>prev|anterior|zurueck|back(?![a-z]))"
    r"|(?P<pager>pag)"
    r"|(?P<comments>comment|reply|replies)"
    r"|(?P<calendar>calendar|kalender|month(?![a-z]))"
    r"|(?P<slides>carousel|slider|slideshow|swiper|lightbox|fancybox|(?:slick|owl)(?![a-z]))"
    r"|(?P<current>current|active|selected|(?:cur|on)(?![a-z]))"
    r")"
)


@dataclass(slots=True)
class PagerLink:
    """A link, and what its text and its markup say."""

    row: int  # -1 in the head
    href: str
    text: TextSigns = NO_SIGNS
    rel: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()  # signs in class and id of the link and of its parent
    around: frozenset[str] = frozenset()  # and of the elements around them
    url: str = field(default="")


def list_head_links(page: Page) -> list[PagerLink]:
    """Return the `<link rel=next>` and `<link rel=prev>` elements."""
    found = []
    for node in page.select("link[rel][href]")[:MAX_LINKS]:
        rel = frozenset((node.attr("rel") or "").lower().split())
        if rel & {"next", "prev", "previous"}:
            found.append(PagerLink(-1, node.attr("href") or "", rel=rel))
    return found


def list_pager_links(page: Page) -> list[PagerLink]:
    """Return the links whose text, class, title or image says something about pages, in document order."""
    nodes, parents = page.markup, page.parents
    found: list[PagerLink] = []
    for row, tag in enumerate(page.tags):
        if tag != "a":
            continue
        node = nodes[row]
        href = (node.attr("href") or "").strip()
        if not href or href.startswith("#"):
            continue
        if len(found) == MAX_LINKS:
            break
        text = read_signs(node.text)
        rel = frozenset((node.attr("rel") or "").lower().split())
        if text == OTHER_TEXT and "next" not in rel:
            continue
        if text == NO_SIGNS:
            text = _read_label(page, row)
        names = _read_names(_list_names(page, row))
        if parents[row] >= 0:
            names |= _read_names(_list_names(page, parents[row]))
        if names >= {"next", "previous"}:  # a container of both
            names -= {"next", "previous"}
        if text == NO_SIGNS and not names and not rel:  # an icon
            found.append(PagerLink(row, href))
            continue
        around = frozenset[str]().union(
            *(_read_names(_list_names(page, above)) for above in list_around(parents, row, MAX_LEVELS)[1:])
        )
        found.append(PagerLink(row, href, text, rel, names, around))
    return found


def _list_names(page: Page, row: int) -> str:
    node = page.markup[row]
    return f"{(node.attr('class') or '')[:MAX_NAME_CHARS]} {(node.attr('id') or '')[:MAX_NAME_CHARS]}"


@lru_cache(maxsize=4096)
def _read_names(names: str) -> frozenset[str]:
    """Return the signs in a class and id: `nav-next` and `nextPage` say next."""
    found = (sign.lastgroup for sign in SIGN.finditer(CAMEL.sub(" ", names).lower()))
    return frozenset(filter(None, found))


def _read_label(page: Page, row: int) -> TextSigns:
    """Return what the label, the title or the image of a link without text says."""
    node = page.markup[row]
    for label in (node.attr("aria-label"), node.attr("title"), page.find_inner_attr(row, "img", "alt")):
        if label and (signs := read_signs(label)) != OTHER_TEXT:
            return signs
    return NO_SIGNS
