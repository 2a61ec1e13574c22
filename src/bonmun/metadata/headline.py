"""A page's headline by a short cascade: for methods that need one before the main text is known, and quickly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.declared import said
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["page_title"]

BREAK = re.compile(r"\s+[|\-–—·•:»«]\s+|\s*[|｜]\s*|\s*::\s*")
LONG_TITLE = 2000  # characters of a <title> that are read
LONG_HEADING = 200  # characters; a longer <h1> is a paragraph
MANY = 100  # headings that are looked at


def page_title(page: Page) -> str | None:
    """The headline: an `<h1>` that `<title>` or og:title repeats; else og:title, the only `<h1>`, `<title>`."""
    metas: dict[str, str] = {}
    for meta in page.select("meta"):
        name = (meta.attr("property") or meta.attr("name") or "").strip().lower()
        if name in ("og:title", "twitter:title", "og:site_name") and (value := said(meta.attr("content"))):
            metas.setdefault(name, value)
    whole = make_readable(page.head_title[:LONG_TITLE])
    declared = metas.get("og:title") or metas.get("twitter:title") or ""
    rows = [row for row, owner in enumerate(page.owners) if page.tags[owner] == "h1"][:MANY]
    headings = [page.blocks[row].shown_text.replace("\n", " ") for row in rows]
    # an <h1> that <title> or og:title repeats is the headline as readers see it, unless it is a link (to the home page)
    for least, linked in ((0.5, True), (0.0, False)):
        for row, heading in zip(rows, headings, strict=True):
            found = any(heading in title and len(heading) > max(3, least * len(title)) for title in (whole, declared))
            if found and (linked or page.blocks[row].link_share < 1):
                return heading
    if declared:
        return _without_site(declared, metas.get("og:site_name", ""))
    plain = len(headings) == 1 and page.blocks[rows[0]].link_share < 1
    if plain and len(headings[0]) <= max(LONG_HEADING, len(whole)):
        return headings[0]
    return _without_site(whole, metas.get("og:site_name", "")) or None


def _without_site(title: str, site: str) -> str:
    """Cut the site's name, or the shorter end, off a title such as `Story - Site`."""
    parts = BREAK.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |-–—·•:»«｜")
    longest = max(parts, key=len)
    return longest if len(longest) * 2 > len(title) else title
