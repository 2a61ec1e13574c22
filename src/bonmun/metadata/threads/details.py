"""Read what else a post shows: its own URL, its score, and whether it is the accepted answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.post_signs import CLASS_CHARS
from bonmun.text.patterns import compile_later
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["PostDetails", "read_details"]

SCORE_WORD = compile_later(r"score|vote|point|upvote|like|karma|recom|추천|voted", re.I)
NOT_SCORE_WORD = compile_later(r"dislike|down|blame|reply|view", re.I)
SCORE = compile_later(r"([+−-]?[0-9]{1,3}(?:,?[0-9]{3}){0,3})(?:\s(?:points?|votes?|likes?|upvotes?))?", re.I)
POINTS = compile_later(r"([+−-]?[0-9]{1,7})\s(?:points?|votes?|upvotes?)", re.I)
ACCEPTED_WORD = compile_later(
    r"accepted[-_]?answer|answer[-_]?accepted|is[-_]accepted|best[-_]answer|solution[-_]post", re.I
)
SCORE_CHARS = 30  # maximum length of a text with a score
ID_CHARS = 200  # maximum length of an id in a URL


class PostDetails(NamedTuple):
    """What a post shows besides author, time and text."""

    url: str | None
    score: int | None
    is_accepted: bool


def read_details(page: Page, row: int, leaves: Sequence[int], moment: int) -> PostDetails:
    """Return the details of a post, given its leaves and the leaf that names its time (-1: none)."""
    return PostDetails(_find_url(page, row, moment), _find_score(page, leaves), _is_accepted(page, row))


def _find_url(page: Page, row: int, moment: int) -> str | None:
    """Return the URL that the time of a post links to, or that of the page with the id of the post."""
    if moment >= 0:
        link = page.links[page.leaf_elements[moment]]
        href = page.attr(link, "href") if link >= 0 else None
        if (
            href
            and not href.lower().startswith("javascript:")
            and href != "#"
            and (url := read_url(href, page.base_url))
        ):
            return url
    id_ = page.attr(row, "id")
    if page.url and id_ and len(id_) <= ID_CHARS and not any(map(str.isspace, id_)):
        return read_url(f"#{id_}", page.url)
    return None


def _find_score(page: Page, leaves: Sequence[int]) -> int | None:
    """Return the first number of a post that is marked up as a score or called points or votes."""
    for leaf in leaves:
        text = page.texts[leaf]
        if len(text) > SCORE_CHARS or not any(map(str.isdecimal, text)):
            continue
        match = POINTS.fullmatch(text.strip())
        if match is None and (match := SCORE.fullmatch(text.strip())):
            element = page.leaf_elements[leaf]
            above = page.parents[element]
            names = " ".join(
                f"{page.attr(each, 'class') or ''} {page.attr(each, 'itemprop') or ''}"[:CLASS_CHARS]
                for each in (element, above)
                if each >= 0
            )
            if not SCORE_WORD.search(names) or NOT_SCORE_WORD.search(names):
                continue
        if match:
            return int(match[1].replace(",", "").replace("−", "-"))
    return None


def _is_accepted(page: Page, row: int) -> bool:
    """Whether the markup says that a post is the accepted answer."""
    names = (page.attr(row, "class") or "")[:CLASS_CHARS]
    return ACCEPTED_WORD.search(names) is not None or page.attr(row, "itemprop") == "acceptedAnswer"
