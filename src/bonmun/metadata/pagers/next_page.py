"""Find the next page of a page."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from bonmun.metadata.pagers.addresses import Address, PageStep, compare_addresses, split_address
from bonmun.metadata.pagers.links import PagerLink, list_head_links, list_pager_links
from bonmun.metadata.pagers.numbers import find_next_number
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page

__all__ = ["find_next_page"]

MIN_SCORE = 5
MAX_MEASURED = 4  # links to the next page whose distance from the text is measured: above and below it
MAX_DISTANCE_CHARS = 2_000  # from the text of an article to its pager
STEP_SCORES: dict[PageStep, int] = {
    "forward": 3,
    "start": 3,
    "paged": 1,
    "other": -99,
    "back": -4,
    "same": -99,
    "away": -99,
}


def find_next_page(page: Page, text_rows: Sequence[int] | None = None) -> str | None:
    """Return the address of the next page, or None if the page links to none.

    Args:
        page: The page.
        text_rows: The blocks of the text, if the page is an article. A pager that has only numbers and a
            `<link rel=next>` without a visible link count on articles, but not a pager far from the text, which is
            that of a list of other articles.
    """
    base = page.base_url
    own = split_address(page.likely_url or base)
    if own is None:
        return None
    links = list_pager_links(page)
    targets: dict[Address, list[PagerLink]] = {}
    for link in [*list_head_links(page), *links]:
        link.url = read_url(link.href, base) or ""
        address = split_address(link.url)
        if address is not None:
            targets.setdefault(address, []).append(link)
    following = find_next_number(page, links, own)
    best, best_score = None, MIN_SCORE - 1
    for address, group in targets.items():
        step = compare_addresses(own, address)
        if step == "paged" and all(link.row < 0 or page.visibility.hides(link.row) for link in group):
            continue  # a hidden list of the pages of a list above this page
        score = _score(group, step, following, is_article=text_rows is not None)
        if score > best_score:
            best, best_score = group, score
    if best is None:
        return None
    best = _find_near(best, targets.values(), following)
    rows = [link.row for link in best if link.row >= 0][:MAX_MEASURED]
    if text_rows and rows and min(_measure_distance(page, row, text_rows) for row in rows) > MAX_DISTANCE_CHARS:
        return None
    return next((link.url for link in best if link.row >= 0), best[0].url)


def _measure_distance(page: Page, row: int, text_rows: Sequence[int]) -> int:
    """Return the number of characters between an element and the nearest block of the text."""
    block = bisect_left(page.opened, row)
    after = bisect_left(text_rows, block)
    before = range(text_rows[after - 1] + 1, block) if after else None
    behind = range(block, text_rows[after]) if after < len(text_rows) else None
    return min(sum(len(page.block_texts[each]) for each in rows) for rows in (before, behind) if rows is not None)


def _find_near(
    best: list[PagerLink], targets: Iterable[list[PagerLink]], following: dict[int, bool]
) -> list[PagerLink]:
    """Return the links to the page after this one if the best links lead further: to the next ten pages."""
    address = split_address(best[0].url)
    for group in targets:
        if group is not best and any(following.get(link.row) for link in group):
            near = split_address(group[0].url)
            if address is not None and near is not None and compare_addresses(near, address) == "forward":
                return group
    return best


def _score(group: list[PagerLink], step: PageStep, following: dict[int, bool], *, is_article: bool) -> int:
    """Return how much speaks for a target: the sum over all links that lead to it."""
    rel = {name for link in group for name in link.rel}
    named = {name for link in group for name in link.names}
    around = {name for link in group for name in link.around}
    texts = [link.text for link in group]
    says_next = any(text.next for text in texts)
    points_right = any(text.right for text in texts)
    follows = [following[link.row] for link in group if link.row in following]
    is_following = any(follows)
    is_newer = "next" in named and any(text.newer for text in texts)
    has_icon = is_following and any(link.row >= 0 and link.text.bare for link in group)
    is_explicit = says_next or points_right or "next" in named or has_icon
    if not is_article and not is_explicit and ("next" not in rel or all(link.row < 0 for link in group)):
        return 0
    if "calendar" in named | around:
        return 0
    is_of_comments = "comments" in named | around or any("comment" in link.url.partition("#")[2] for link in group)
    if is_article and (step == "paged" or is_of_comments):
        return 0
    score = 0 if is_newer and step == "back" else STEP_SCORES[step]
    score += 3 * ("next" in rel) + 3 * says_next + 2 * ("next" in named) + 2 * (points_right or has_icon)
    score += 1 * ("pager" in named | around) + 2 * is_following + 2 * any(text.older for text in texts) + 3 * is_newer
    score -= 4 * any(text.previous for text in texts) + 4 * ("previous" in named) + 3 * any(text.left for text in texts)
    score -= 3 * (bool(rel & {"prev", "previous"}) and not is_newer)
    score -= 3 * (bool(follows) and not is_following and not says_next and "next" not in rel)
    score -= 5 * any(text.item for text in texts)
    score -= 3 * ("slides" in named | around)
    return score
