"""Guess the headline of a page with a few fast rules, for methods that need it before the main text is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.declared import clean_value
from bonmun.metadata.titles.pieces import cut_site, read_head_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["guess_title"]

TITLE_METAS = ("og:title", "twitter:title", "og:site_name")
H1_CHARS = 200  # a longer <h1> is a paragraph, unless <title> is as long
MAX_HEADINGS = 100
TINY_H1_CHARS = 3  # a heading this short is part of too many titles
# An <h1> is the headline if it is more than this share of <title> or og:title; and whether it may be a link. A link
# that is only a small part of the title leads to the home page.
REPEATED_SHARES = ((0.5, True), (0.0, False))


def guess_title(page: Page) -> str | None:
    """Return an `<h1>` that `<title>` or og:title repeats, else og:title, the only `<h1>`, or `<title>`."""
    metas = _read_metas(page)
    head_title = read_head_title(page)
    declared = metas.get("og:title") or metas.get("twitter:title") or ""
    rows = [row for row, owner in enumerate(page.owners) if page.tags[owner] == "h1"][:MAX_HEADINGS]
    headings = [page.blocks[row].shown_text.replace("\n", " ") for row in rows]
    repeated = _find_repeated(page, rows, headings, (head_title, declared))
    if repeated is not None:
        return repeated
    if declared:
        return cut_site(declared, metas.get("og:site_name", ""))
    if len(headings) == 1 and _has_own_text(page, rows[0]) and len(headings[0]) <= max(H1_CHARS, len(head_title)):
        return headings[0]
    return cut_site(head_title, metas.get("og:site_name", "")) or None


def _read_metas(page: Page) -> dict[str, str]:
    """Return the content of the metas in `TITLE_METAS`."""
    metas: dict[str, str] = {}
    for meta in page.select("meta"):
        name = (meta.attr("property") or meta.attr("name") or "").strip().lower()
        if name in TITLE_METAS and (value := clean_value(meta.attr("content"))):
            metas.setdefault(name, value)
    return metas


def _find_repeated(page: Page, rows: Sequence[int], headings: Sequence[str], titles: Sequence[str]) -> str | None:
    """Return the heading that is most of a title, or part of one and not a link."""
    for share, may_be_link in REPEATED_SHARES:
        for row, heading in zip(rows, headings, strict=True):
            repeated = any(
                heading in title and len(heading) > max(TINY_H1_CHARS, share * len(title)) for title in titles
            )
            if repeated and (may_be_link or _has_own_text(page, row)):
                return heading
    return None


def _has_own_text(page: Page, row: int) -> bool:
    """Whether a block has text outside links."""
    return page.blocks[row].link_share < 1
