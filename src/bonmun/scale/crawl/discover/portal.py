"""From the result pages of a portal to the articles, with the texts of the links as their headlines.

This is how the authors of the fourth paper came to their pages (see algorithms/sentence.py): a portal is searched, and
what its result pages link to is fetched, on whatever host; the link's text is the title that `sentence:M4` looks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.links import TEXT, find_placed_links
from bonmun.scale.crawl.discover.pagers import is_further_page, is_same_search
from bonmun.scale.crawl.discover.regions import find_apart, find_headings, find_holder, name_places
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bonmun.page import Page
    from bonmun.scale.crawl.discover.links import Link, PlacedLink

__all__ = ["Portal"]

HEADLINE_CHARS = 14  # at least, where a syllable of Korean or a Chinese character counts for two
LISTED_CHARS = 8  # the same, of a link that stands where the headlines of the list stand
LONGEST_CHARS = 200  # what is longer is a piece of the text
WIDE = re.compile(f"[{COUNTED_SINGLY}{HANGUL}]")
HEADLINES_SHARE = 0.8  # of the links at one place in a list, so that they are all headlines


@dataclass(frozen=True)
class Portal:
    """How to tell the links of a portal's result pages apart; works without patterns on an ordinary portal.

    `results` and `articles` are patterns of addresses, in which `*` stands for anything, as in `*/news/article/*`.
    Where `articles` is given, those links are articles, and no others.
    """

    results: str | None = None
    articles: str | None = None

    def sort_links(self, page: Page, url: str, elsewhere: Collection[str] = ()) -> tuple[list[Link], list[Link]]:
        """The links of a result page at `url` to further result pages, and those to articles, each address once.

        Whatever else there is (menus, most-read lists, other searches) is neither. `elsewhere` are addresses that
        other result pages link to, if they are known: they are no articles of this one.
        """
        url = normalise_url(url) or url
        further: dict[str, Link] = {}
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
            return list(further.values()), _list_once(_name_by_headings(page, articles))
        listed = [placed for placed in others if not is_same_search(placed.link, url)]
        return list(further.values()), _list_once(_find_articles(page, _name_by_headings(page, listed)))

    def _is_result(self, link: Link, url: str) -> bool:
        if self.results is not None:
            return fnmatchcase(link.url, self.results)
        return is_further_page(link, url)


def _find_articles(page: Page, links: list[PlacedLink]) -> list[PlacedLink]:
    """The links of the main list: those with a text like a headline that stand where most such text stands."""
    headlines = [placed for placed in links if _is_headline(placed, HEADLINE_CHARS)]
    apart = find_apart(page, [placed.row for placed in headlines])
    headlines = [placed for placed in headlines if not apart[placed.row]]
    if not headlines:
        return []
    places = name_places(page, [placed.row for placed in links])
    sizes: dict[object, int] = {}
    rank = max(placed.rank for placed in headlines)  # an image's name may say more than the headline beside it
    for placed in (each for each in headlines if each.rank == rank):
        sizes[places[placed.row]] = sizes.get(places[placed.row], 0) + len(placed.link.anchor)
    main = max(sizes, key=lambda place: sizes[place])
    at_main = [placed.row for placed in headlines if places[placed.row] == main]
    if len(at_main) < 2:
        return headlines
    inside = page.mark_descendants(find_holder(page, at_main))
    beside = [placed for placed in links if places[placed.row] == main and inside[placed.row]]
    least = LISTED_CHARS if len(at_main) >= HEADLINES_SHARE * len(beside) else HEADLINE_CHARS
    kept = {placed.row for placed in headlines if inside[placed.row]}
    kept |= {placed.row for placed in beside if _is_headline(placed, least)}
    return [placed for placed in links if placed.row in kept]


def _is_headline(placed: PlacedLink, least: int) -> bool:
    """Whether the text of a link is as long as headlines are, and leads to more than the front page of a site."""
    anchor = placed.link.anchor
    is_front = placed.link.url.endswith("/") and placed.link.url.count("/") == 3
    if is_front or not least <= 2 * len(anchor) <= 2 * LONGEST_CHARS:
        return False
    return sum(map(str.isalpha, anchor)) + len(WIDE.findall(anchor)) >= least


def _name_by_headings(page: Page, links: list[PlacedLink]) -> list[PlacedLink]:
    """The same links; one around a whole item of a list is named by the heading in it, not by all of its text."""
    headings = find_headings(page)
    return [
        placed._replace(link=replace(placed.link, anchor=headings[placed.row])) if placed.row in headings else placed
        for placed in links
    ]


def _list_once(links: Iterable[PlacedLink]) -> list[Link]:
    """Each address once: a text is a better anchor than what stands for an image; of two texts the first."""
    found: dict[str, PlacedLink] = {}
    for placed in links:
        before = found.get(placed.link.url)
        if before is None:
            found[placed.link.url] = placed
        elif placed.rank == TEXT > before.rank:
            found[placed.link.url] = before._replace(link=placed.link, rank=TEXT)
    return [placed.link for placed in found.values()]
