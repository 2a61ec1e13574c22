"""The links of a page, with the texts that lead there: what a crawl follows, and what it learns of a page before.

`noindex` is a wish to search engines; a page that says so is followed and kept like any other. `nofollow` is honoured:
such links are found, and marked. `rel=ugc` and `rel=sponsored` say who wrote a link, and change nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.sites.domains import find_host
from bonmun.text.readable import cut_text, make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = [
    "ANCHOR_CHARS",
    "Link",
    "LinkKind",
    "PlacedLink",
    "find_canonical",
    "find_links",
    "find_placed_links",
    "is_followed",
]

LinkKind = Literal["page", "sitemap", "feed", "next", "redirect"]

ANCHOR_CHARS = 500
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
LINKING_TAGS = frozenset({"a", "area", "iframe", "frame"})
FRAMES = frozenset({"iframe", "frame"})
OUT_OF_PAGE = -1  # the row of a link that stands where the columns of a page do not reach, such as its head
NO_TEXT, NAMED, TEXT = range(3)  # what an anchor is: nothing, a name for those who see no text, or a text


@dataclass(frozen=True, slots=True)
class Link:
    """Where a page leads, in its one spelling, and with which words.

    "next" is another page of the same list or text, "redirect" where the page sends its readers by itself.
    """

    url: str
    anchor: str
    kind: LinkKind
    follow: bool
    lastmod: str | None = None


class PlacedLink(NamedTuple):
    """A link with the element that it is; `rank` says what its anchor is made of."""

    row: int
    link: Link
    rank: int


def find_links(page: Page, url: str) -> list[Link]:
    """Where a page leads, in document order, each address once: with the first text that leads there.

    `url` is the page's own address, after redirects. An anchor is the text of a link, else its title or label, else
    what stands for an image in it; a text is better than a name. Links of a page to itself are left out.
    """
    found: dict[str, PlacedLink] = {}
    for placed in find_placed_links(page, url):
        before = found.get(placed.link.url)
        found[placed.link.url] = _join(before, placed) if before else placed
    return [placed.link for placed in found.values()]


def _join(first: PlacedLink, second: PlacedLink) -> PlacedLink:
    """Two links to one page as one, at the place of the first."""
    better = second if second.rank > first.rank else first
    kind = first.link.kind if first.link.kind != "page" else second.link.kind
    follow = first.link.follow or second.link.follow
    return PlacedLink(first.row, replace(first.link, anchor=better.link.anchor, kind=kind, follow=follow), better.rank)


def find_placed_links(page: Page, url: str) -> list[PlacedLink]:
    """All links of a page, with their places: those of its head first."""
    base = _find_base(page, url)
    here = normalise_url(url)
    encoding = page.encoding or "utf-8"
    follows = is_followed(page)
    known: dict[str, str | None] = {}
    placed = []
    for row, address, anchor, kind, follow, rank in (*_list_head(page), *_list_body(page), *_list_noscript(page)):
        if address not in known:
            known[address] = normalise_url(address, base, encoding)
        target = known[address]
        is_foreign_frame = row >= 0 and page.tags[row] in FRAMES and find_host(target) != find_host(here)
        if target and target != here and not is_foreign_frame:
            placed.append(PlacedLink(row, Link(target, anchor, kind, follow and follows), rank))
    return placed


class _Found(NamedTuple):
    """A link as it is written."""

    row: int
    address: str
    anchor: str
    kind: LinkKind
    follow: bool
    rank: int


def _list_head(page: Page) -> Iterator[_Found]:
    """What `<meta>` and `<link>` say, wherever they stand; but not where a page sends readers without scripts."""
    for meta in page.select("meta[http-equiv][content]:not(noscript meta)"):
        if (meta.attr("http-equiv") or "").strip().lower() == "refresh":
            address = _read_refresh(meta.attr("content") or "")
            yield _Found(OUT_OF_PAGE, address, "", "redirect", True, NO_TEXT)
    for node in page.select("link[rel][href]"):
        rel = (node.attr("rel") or "").lower().split()
        kind = _find_kind(rel, node.attr("type"), node.attr("hreflang"))
        if kind:
            anchor = _tidy(node.attr("title"))
            yield _Found(OUT_OF_PAGE, node.attr("href") or "", anchor, kind, True, NAMED if anchor else NO_TEXT)


def _find_kind(rel: list[str], type_: str | None, language: str | None) -> LinkKind | None:
    """What a `<link>` leads to; None for what is no page, such as style sheets."""
    if "next" in rel or "prev" in rel:
        return "next"
    if "sitemap" in rel:
        return "sitemap"
    if "alternate" in rel and "stylesheet" not in rel:
        if (type_ or "").partition(";")[0].strip().lower() in FEED_TYPES:
            return "feed"
        if language:
            return "page"
    return "page" if "canonical" in rel else None


def _list_body(page: Page) -> Iterator[_Found]:
    """The links that readers see, and frames."""
    texts, names = _find_texts(page), _find_image_names(page)
    for row, tag in enumerate(page.tags):
        if tag not in LINKING_TAGS:
            continue
        address = page.attr(row, "src" if tag in FRAMES else "href")
        if address is None:
            continue
        rel = (page.attr(row, "rel") or "").lower().split()
        anchor = texts.get(row, "")
        rank = TEXT if anchor else NAMED
        if not anchor:
            names_of = (page.attr(row, "title"), page.attr(row, "aria-label"), page.attr(row, "alt"), names.get(row))
            anchor = next((name for each in names_of if (name := _tidy(each))), "")
        is_feed = (page.attr(row, "type") or "").strip().lower() in FEED_TYPES
        kind: LinkKind = "next" if "next" in rel or "prev" in rel else "feed" if is_feed else "page"
        yield _Found(row, address, anchor, kind, "nofollow" not in rel, rank if anchor else NO_TEXT)


def _list_noscript(page: Page) -> Iterator[_Found]:
    """The links for readers without scripts, whose texts are no leaves of the page."""
    room = page.size  # characters: where links stand in links, each text holds all those in it
    for node in page.select("noscript a[href]"):
        text = node.text if room > 0 else ""
        room -= len(text)
        anchor = _tidy(text[: 10 * ANCHOR_CHARS])
        follow = "nofollow" not in (node.attr("rel") or "").lower().split()
        yield _Found(OUT_OF_PAGE, node.attr("href") or "", anchor, "page", follow, TEXT if anchor else NO_TEXT)


def _find_texts(page: Page) -> dict[int, str]:
    """The text of each `<a>`: what readers see of it, else what is hidden in it."""
    pieces: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    hidden = page.visibility.hidden_leaves
    for leaf, element in enumerate(page.leaf_elements):
        link = page.links[element]
        if link >= 0:
            parts = pieces[hidden[leaf]].setdefault(link, [])
            parts.append(" " if page.joints[leaf] is None else page.joints[leaf] or "")
            parts.append(page.texts[leaf])
    return {row: _tidy("".join(parts)) for each in reversed(pieces) for row, parts in each.items()}


def _find_image_names(page: Page) -> dict[int, str]:
    """What stands for the first image of each `<a>` that has such a text."""
    names: dict[int, str] = {}
    for row, tag in enumerate(page.tags):
        if tag == "img" and (link := page.links[row]) >= 0 and link not in names and (alt := page.attr(row, "alt")):
            names[link] = alt
    return names


def _tidy(text: str | None) -> str:
    return cut_text(make_readable(text), ANCHOR_CHARS) if text else ""


def _read_refresh(content: str) -> str:
    """The address in `5; url=…`; empty where the page is only loaded again."""
    rest = content.lstrip().lstrip("0123456789.").lstrip()
    if rest[:1] not in (";", ","):
        return ""
    rest = rest[1:].strip()
    if rest[:3].lower() == "url" and rest[3:].lstrip().startswith("="):
        rest = rest[3:].lstrip()[1:].strip()
    if rest[:1] in ("'", '"'):
        rest = rest[1:].partition(rest[0])[0]
    return rest


def _find_base(page: Page, url: str) -> str:
    """What the links of a page are relative to: its first `<base>`, if that is a web address."""
    for node in page.select("base[href]")[:1]:
        return normalise_url(node.attr("href") or "", url) or url
    return url


def find_canonical(page: Page, url: str) -> str | None:
    """The address that a page says is its own; None if it names none, or several that differ."""
    base = _find_base(page, url)
    named = {
        normalise_url(node.attr("href") or "", base)
        for node in page.select("link[rel][href]")
        if "canonical" in (node.attr("rel") or "").lower().split()
    }
    return named.pop() if len(named) == 1 else None


def is_followed(page: Page) -> bool:
    """Whether a page lets robots follow its links."""
    for meta in page.select("meta[name][content]"):
        if (meta.attr("name") or "").strip().lower() in ("robots", "bonmun"):
            words = (meta.attr("content") or "").lower().replace(",", " ").split()
            if "nofollow" in words or "none" in words:
                return False
    return True
