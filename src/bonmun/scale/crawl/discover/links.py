"""Find the links of a page and their anchor texts.

`noindex` is meant for search engines and is ignored. `nofollow` is honoured: such links are returned with
`follow=False`. `rel=ugc` and `rel=sponsored` are ignored.
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
    "FEED_TYPES",
    "MAX_ANCHOR_CHARS",
    "LinkKind",
    "PageLink",
    "PlacedLink",
    "allows_following",
    "find_canonical",
    "find_links",
    "find_placed_links",
]

LinkKind = Literal["page", "sitemap", "feed", "next", "redirect"]

MAX_ANCHOR_CHARS = 500
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
LINKING_TAGS = frozenset({"a", "area", "iframe", "frame"})
FRAME_TAGS = frozenset({"iframe", "frame"})
NO_ROW = -1  # the row of a link that is not among the elements of the page, such as one in its head
NO_ANCHOR, LABEL, TEXT = range(3)  # source of an anchor: nothing, a title or alternative text, or the link's text


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link: a normalised URL and its anchor text.

    Kind "next" is another page of the same list or article, "redirect" the target of a `<meta>` refresh.
    """

    url: str
    anchor: str
    kind: LinkKind
    follow: bool
    lastmod: str | None = None


class PlacedLink(NamedTuple):
    """A link and its element."""

    row: int
    link: PageLink
    rank: int  # the source of the anchor: NO_ANCHOR, LABEL or TEXT


def find_links(page: Page, url: str) -> list[PageLink]:
    """Return the links of a page in document order, each URL once with its first anchor text.

    `url` is the URL of the page after redirects. An anchor is the text of the link, else its title or label, else the
    alternative text of its image. Links of the page to itself are omitted.
    """
    found: dict[str, PlacedLink] = {}
    for placed in find_placed_links(page, url):
        first = found.get(placed.link.url)
        found[placed.link.url] = _merge(first, placed) if first else placed
    return [placed.link for placed in found.values()]


def _merge(first: PlacedLink, second: PlacedLink) -> PlacedLink:
    """Merge two links to one URL, at the position of the first."""
    better = second if second.rank > first.rank else first
    kind = first.link.kind if first.link.kind != "page" else second.link.kind
    follow = first.link.follow or second.link.follow
    return PlacedLink(first.row, replace(first.link, anchor=better.link.anchor, kind=kind, follow=follow), better.rank)


def find_placed_links(page: Page, url: str) -> list[PlacedLink]:
    """Return all links of a page with their elements, those in its head first."""
    base = _find_base(page, url)
    page_url = normalise_url(url)
    encoding = page.encoding or "utf-8"
    may_follow = allows_following(page)
    normalised: dict[str, str | None] = {}
    placed = []
    for row, href, anchor, kind, follow, rank in (*_list_head(page), *_list_body(page), *_list_noscript(page)):
        if href not in normalised:
            normalised[href] = normalise_url(href, base, encoding)
        target = normalised[href]
        is_foreign_frame = row >= 0 and page.tags[row] in FRAME_TAGS and find_host(target) != find_host(page_url)
        if target and target != page_url and not is_foreign_frame:
            placed.append(PlacedLink(row, PageLink(target, anchor, kind, follow and may_follow), rank))
    return placed


class _RawLink(NamedTuple):
    """A link as written in the page."""

    row: int
    href: str
    anchor: str
    kind: LinkKind
    follow: bool
    rank: int


def _list_head(page: Page) -> Iterator[_RawLink]:
    """Yield the targets of `<meta>` and `<link>` anywhere in the page, except refreshes in `<noscript>`."""
    for meta in page.select("meta[http-equiv][content]:not(noscript meta)"):
        if (meta.attr("http-equiv") or "").strip().lower() == "refresh":
            yield _RawLink(NO_ROW, _read_refresh(meta.attr("content") or ""), "", "redirect", True, NO_ANCHOR)
    for node in page.select("link[rel][href]"):
        rel = (node.attr("rel") or "").lower().split()
        kind = _find_kind(rel, node.attr("type"), node.attr("hreflang"))
        if kind:
            anchor = _clean(node.attr("title"))
            yield _RawLink(NO_ROW, node.attr("href") or "", anchor, kind, True, LABEL if anchor else NO_ANCHOR)


def _find_kind(rel: list[str], type_: str | None, language: str | None) -> LinkKind | None:
    """Return the kind of a `<link>`; None if it is not a page, such as a style sheet."""
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


def _list_body(page: Page) -> Iterator[_RawLink]:
    """Yield the links in the body, and frames."""
    texts, image_labels = _find_texts(page), _find_image_labels(page)
    for row, tag in enumerate(page.tags):
        if tag not in LINKING_TAGS:
            continue
        href = page.attr(row, "src" if tag in FRAME_TAGS else "href")
        if href is None:
            continue
        rel = (page.attr(row, "rel") or "").lower().split()
        anchor = texts.get(row, "")
        rank = TEXT if anchor else LABEL
        if not anchor:
            labels = (*(page.attr(row, name) for name in ("title", "aria-label", "alt")), image_labels.get(row))
            anchor = next((label for each in labels if (label := _clean(each))), "")
        is_feed = (page.attr(row, "type") or "").strip().lower() in FEED_TYPES
        kind: LinkKind = "next" if "next" in rel or "prev" in rel else "feed" if is_feed else "page"
        yield _RawLink(row, href, anchor, kind, "nofollow" not in rel, rank if anchor else NO_ANCHOR)


def _list_noscript(page: Page) -> Iterator[_RawLink]:
    """Yield the links in `<noscript>`, whose texts are not leaves of the page."""
    chars_left = page.size  # bounds the work: the text of a link repeats the texts of all links nested in it
    for node in page.select("noscript a[href]"):
        text = node.text if chars_left > 0 else ""
        chars_left -= len(text)
        anchor = _clean(text[: 10 * MAX_ANCHOR_CHARS])
        follow = "nofollow" not in (node.attr("rel") or "").lower().split()
        yield _RawLink(NO_ROW, node.attr("href") or "", anchor, "page", follow, TEXT if anchor else NO_ANCHOR)


def _find_texts(page: Page) -> dict[int, str]:
    """Return the text of each `<a>`: its visible text, else its hidden text."""
    pieces: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    hidden = page.visibility.hidden_leaves
    for leaf, element in enumerate(page.leaf_elements):
        link = page.links[element]
        if link >= 0:
            parts = pieces[hidden[leaf]].setdefault(link, [])
            parts.append(" " if page.joints[leaf] is None else page.joints[leaf] or "")
            parts.append(page.texts[leaf])
    return {row: _clean("".join(parts)) for each in reversed(pieces) for row, parts in each.items()}


def _find_image_labels(page: Page) -> dict[int, str]:
    """Return the first alternative text of an image in each `<a>`."""
    labels: dict[int, str] = {}
    for row, tag in enumerate(page.tags):
        if tag == "img" and (link := page.links[row]) >= 0 and link not in labels and (alt := page.attr(row, "alt")):
            labels[link] = alt
    return labels


def _clean(text: str | None) -> str:
    return cut_text(make_readable(text), MAX_ANCHOR_CHARS) if text else ""


def _read_refresh(content: str) -> str:
    """Return the URL in `5; url=…`; empty if the page only reloads itself."""
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
    """Return the base URL of a page: its first `<base>` if that is a web URL, else `url`."""
    for node in page.select("base[href]")[:1]:
        return normalise_url(node.attr("href") or "", url) or url
    return url


def find_canonical(page: Page, url: str) -> str | None:
    """Return the canonical URL that a page declares; None if there is none, or several that differ."""
    base = _find_base(page, url)
    named = {
        normalise_url(node.attr("href") or "", base)
        for node in page.select("link[rel][href]")
        if "canonical" in (node.attr("rel") or "").lower().split()
    }
    return named.pop() if len(named) == 1 else None


def allows_following(page: Page) -> bool:
    """Return whether the page allows robots to follow its links."""
    for meta in page.select("meta[name][content]"):
        if (meta.attr("name") or "").strip().lower() in ("robots", "bonmun"):
            words = (meta.attr("content") or "").lower().replace(",", " ").split()
            if "nofollow" in words or "none" in words:
                return False
    return True
