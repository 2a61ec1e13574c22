"""Title, author, date and the like, from what the page declares about itself.

A short cascade for each: JSON-LD, Open Graph, `<meta>`, then the page's own headings and `<title>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from html import unescape
from typing import TYPE_CHECKING, Any

from turbohtml.detect import LanguageDetection, detect_language

from bonmun.walk import readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["Metadata", "page_title", "read_metadata"]

# ISO 639-3 codes that detection gives, and the two-letter ones that everybody writes.
TWO_LETTERS_TABLE = """
afr:af amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en epo:eo
est:et fas:fa fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn
kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:no ori:or
pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te
tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
TWO_LETTERS = {code[:3]: code[4:] for code in TWO_LETTERS_TABLE.split()}
KINDS = {
    "article": "article newsarticle blogposting reportagenewsarticle scholarlyarticle techarticle recipe",
    "forum": "discussionforumposting qapage",
    "product": "product productgroup book",
    "listing": "itemlist searchresultspage",
    "collection": "collectionpage",
}
KIND_OF_TYPE = {name: kind for kind, names in KINDS.items() for name in names.split()}
TITLE_BREAK = re.compile(r"\s+[|\-–—·•:»«]\s+|\s*[|｜]\s*|\s*::\s*")
LONG_TITLE = 2000  # characters of a <title> that are read
LONG_HEADING = 200  # characters; a longer <h1> is a paragraph
MANY = 100  # headings, and objects of JSON-LD, that are looked at
DATE = re.compile(r"((?:19|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})")
AUTHOR_KEYS = ("author", "article:author", "dc.creator", "dc.author", "parsely-author", "sailthru.author")
DATE_KEYS = (
    "article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "pubdate", "publish_date",
    "parsely-pub-date", "sailthru.date", "og:published_time", "article_date_original", "citation_publication_date",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; None where it does not."""

    title: str | None = None
    author: str | None = None
    date: str | None = None  # YYYY-MM-DD
    site_name: str | None = None
    language: str | None = None
    description: str | None = None
    kind: str | None = None


def read_metadata(page: Page, text: str) -> Metadata:
    """Read the page's facts; `text` is its main text, for the language."""
    metas = _metas(page)
    things = list(_linked_data(page))
    main = next((thing for thing in things if _kind(thing) and ("headline" in thing or "name" in thing)), {})
    return Metadata(
        title=page_title(page, metas, main),
        author=_first(_names(main.get("author")), *(metas.get(key, "") for key in AUTHOR_KEYS)),
        date=_date(_words(main.get("datePublished")), *(metas.get(key, "") for key in DATE_KEYS)),
        site_name=_first(
            metas.get("og:site_name", ""),
            _names(main.get("publisher")),
            *(_names(thing) for thing in things if _type(thing) == "website"),
            metas.get("application-name", ""),
        ),
        language=_language(page, text),
        description=_first(
            metas.get("og:description", ""), metas.get("description", ""), _words(main.get("description"))
        ),
        kind=next(filter(None, map(_kind, things)), None) or KIND_OF_TYPE.get(metas.get("og:type", "").lower()),
    )


def page_title(page: Page, metas: dict[str, str] | None = None, main: dict[str, Any] | None = None) -> str | None:
    """The headline: declared, else the only `<h1>`, else `<title>` without the site's name."""
    metas = _metas(page) if metas is None else metas
    main = main or {}
    node = page.tree.find("title")
    whole = readable(node.text[:LONG_TITLE]) if node is not None else ""
    declared = _first(_words(main.get("headline")), metas.get("og:title", ""), metas.get("twitter:title", ""))
    rows = [row for row, owner in enumerate(page.owners) if page.tags[owner] == "h1"][:MANY]
    headings = [page.blocks[row].shown_text.replace("\n", " ") for row in rows]
    # an <h1> that <title> or og:title repeats is the headline as readers see it, unless it is a link (to the home page)
    for least, linked in ((0.5, True), (0.0, False)):
        for row, heading in zip(rows, headings, strict=True):
            found = any(
                heading in title and len(heading) > max(3, least * len(title)) for title in (whole, declared or "")
            )
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
    parts = TITLE_BREAK.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |-–—·•:»«｜")
    longest = max(parts, key=len)
    return longest if len(longest) * 2 > len(title) else title


def _metas(page: Page) -> dict[str, str]:
    """The `<meta>` values by name, the first of each."""
    metas: dict[str, str] = {}
    for node in page.tree.select("meta[content]"):
        name = node.attr("property") or node.attr("name") or node.attr("itemprop")
        value = _words(node.attr("content"))
        if name and value:
            metas.setdefault(name.strip().lower(), value)
    return metas


def _linked_data(page: Page) -> Iterator[dict[str, Any]]:
    """The objects of the page's JSON-LD, graphs opened."""
    queue: list[Any] = list(page.tree.json_ld())[:MANY]
    queue.reverse()
    seen = 0
    while queue and seen < MANY:
        thing = queue.pop()
        seen += 1
        if isinstance(thing, list):
            queue.extend(reversed(thing[:MANY]))
        elif isinstance(thing, dict):
            yield thing
            if isinstance(thing.get("@graph"), list):
                queue.extend(reversed(thing["@graph"][:MANY]))


def _type(thing: dict[str, Any]) -> str:
    kind = thing.get("@type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    return kind.lower() if isinstance(kind, str) else ""


def _kind(thing: dict[str, Any]) -> str | None:
    return KIND_OF_TYPE.get(_type(thing))


def _words(value: object) -> str:
    # sites escape twice: "won&#8217;t"
    return readable(unescape(value) if "&" in value else value) if isinstance(value, str) else ""


def _names(value: object) -> str:
    """The name or names in a JSON-LD value: a string, an object with a name, or a list of those."""
    if isinstance(value, list):
        return ", ".join(
            dict.fromkeys(filter(None, (_names(each) for each in value[:20] if not isinstance(each, list))))
        )
    if isinstance(value, dict):
        return _words(value.get("name"))
    return _words(value)


def _first(*values: str) -> str | None:
    """The first value that says something; addresses are no names."""
    return next((value for value in values if value and not value.startswith(("http:", "https:"))), None)


def _date(*values: str) -> str | None:
    for value in values:
        if found := DATE.search(value):
            try:
                return date(*map(int, found.groups())).isoformat()
            except ValueError:
                continue
    return None


def _language(page: Page, text: str) -> str | None:
    """The language of the text where there is enough to tell, else what `<html lang>` says."""
    declared = re.match("[a-z]{2,3}", (page.nodes[0].attr("lang") or "").strip().lower())
    sample = text[:2000]
    if len(sample) >= 40:
        found = detect_language(sample, LANGUAGES)
        if found.language and found.confidence > (0.9 if declared else 0.2):
            return TWO_LETTERS.get(found.language, found.language)
    return declared[0] if declared else None


LANGUAGES = LanguageDetection()
