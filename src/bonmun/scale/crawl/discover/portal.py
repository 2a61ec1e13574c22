"""Find the articles that a portal's result pages link to, with the link texts as headlines.

This is how the authors of the fourth paper collected their pages (see algorithms/sentence.py): they searched a portal
and fetched what its result pages link to, on any host. The link text is the title that `sentence:M4` compares with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.links import TEXT, find_placed_links
from bonmun.scale.crawl.discover.pagers import is_pager_link, is_same_search
from bonmun.scale.crawl.discover.regions import find_boilerplate, find_common_ancestor, find_headings, find_signatures
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bonmun.page import Page
    from bonmun.scale.crawl.discover.links import PageLink, PlacedLink

__all__ = ["Portal"]

MIN_HEADLINE_CHARS = 14  # a Korean syllable or a Chinese character counts as two
MIN_LISTED_CHARS = 8  # the same, for a link at the same position in a list as the headlines
MAX_HEADLINE_CHARS = 200  # a longer text is an excerpt of the article
WIDE = re.compile(f"[{COUNTED_SINGLY}{HANGUL}]")
MIN_HEADLINE_SHARE = 0.8  # of the links at one position in a list; then MIN_LISTED_CHARS applies to the others


@dataclass(frozen=True)
class Portal:
    """Sorts the links of a portal's result pages into further result pages, articles and others.

    Most portals need no patterns. `results` and `articles` are URL patterns in which `*` matches anything, such as
    `*/news/article/*`. If `articles` is given, exactly the links that match it are articles.
    """

    results: str | None = None
    articles: str | None = None

    def sort_links(
        self, page: Page, url: str, elsewhere: Collection[str] = ()
    ) -> tuple[list[PageLink], list[PageLink]]:
        """Return the further result pages and the articles that the result page at `url` links to, each URL once.

        Other links (menus, most-read lists, other searches) are neither. `elsewhere` are URLs that other result pages
        link to, if known: they are not articles of this page.
        """
        url = normalise_url(url) or url
        further: dict[str, PageLink] = {}
        others: list[PlacedLink] = []
        for placed in find_placed_links(page, url):
            link = placed.link
            if self._is_result(link, url):
                further.setdefault(link.url, link)
            elif link.kind == "page" and placed.row >= 0 and link.url not in elsewhere:
                others.append(placed)
        if self.articles is not None:
            pattern = self.articles
            articles = [placed for placed in others if fnmatchcase(placed.link.url, pattern)]
            return list(further.values()), _dedupe(_anchor_by_headings(page, articles))
        listed = [placed for placed in others if not is_same_search(placed.link, url)]
        return list(further.values()), _dedupe(_find_articles(page, _anchor_by_headings(page, listed)))

    def _is_result(self, link: PageLink, url: str) -> bool:
        if self.results is not None:
            return fnmatchcase(link.url, self.results)
        return is_pager_link(link, url)


def _find_articles(page: Page, links: list[PlacedLink]) -> list[PlacedLink]:
    """Return the links of the main list, which is the one with the most headline text."""
    headlines = [placed for placed in links if _is_headline(placed, MIN_HEADLINE_CHARS)]
    is_boilerplate = find_boilerplate(page, [placed.row for placed in headlines])
    headlines = [placed for placed in headlines if not is_boilerplate[placed.row]]
    if not headlines:
        return []
    signatures = find_signatures(page, [placed.row for placed in links])
    sizes: dict[object, int] = {}
    rank = max(placed.rank for placed in headlines)  # the label of an image may be longer than the headline beside it
    for placed in (each for each in headlines if each.rank == rank):
        sizes[signatures[placed.row]] = sizes.get(signatures[placed.row], 0) + len(placed.link.anchor)
    main = max(sizes, key=lambda signature: sizes[signature])
    in_main = [placed.row for placed in headlines if signatures[placed.row] == main]
    if len(in_main) < 2:
        return headlines
    inside = page.mark_descendants(find_common_ancestor(page, in_main))
    listed = [placed for placed in links if signatures[placed.row] == main and inside[placed.row]]
    min_chars = MIN_LISTED_CHARS if len(in_main) >= MIN_HEADLINE_SHARE * len(listed) else MIN_HEADLINE_CHARS
    kept = {placed.row for placed in headlines if inside[placed.row]}
    kept |= {placed.row for placed in listed if _is_headline(placed, min_chars)}
    return [placed for placed in links if placed.row in kept]


def _is_headline(placed: PlacedLink, min_chars: int) -> bool:
    """Return whether the text of a link has the length of a headline, and its URL is not the front page of a site."""
    anchor = placed.link.anchor
    is_front = placed.link.url.endswith("/") and placed.link.url.count("/") == 3
    if is_front or not min_chars <= 2 * len(anchor) <= 2 * MAX_HEADLINE_CHARS:
        return False
    return sum(map(str.isalpha, anchor)) + len(WIDE.findall(anchor)) >= min_chars


def _anchor_by_headings(page: Page, links: list[PlacedLink]) -> list[PlacedLink]:
    """Return the links with the heading inside the link, if there is one, as anchor instead of the whole text."""
    headings = find_headings(page)
    return [
        placed._replace(link=replace(placed.link, anchor=headings[placed.row])) if placed.row in headings else placed
        for placed in links
    ]


def _dedupe(links: Iterable[PlacedLink]) -> list[PageLink]:
    """Return each URL once, with its first text as anchor, else its first label."""
    found: dict[str, PlacedLink] = {}
    for placed in links:
        first = found.get(placed.link.url)
        if first is None:
            found[placed.link.url] = placed
        elif placed.rank == TEXT > first.rank:
            found[placed.link.url] = first._replace(link=placed.link, rank=TEXT)
    return [placed.link for placed in found.values()]
