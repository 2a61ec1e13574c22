"""What a page declares about itself: `<meta>` and `<link>` elements, and JSON-LD, also where that is broken JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["Declared", "declared_by", "names_in", "said"]

MANY = 200  # metas, and objects of JSON-LD, that are looked at
SCRIPTS = 40  # JSON-LD scripts
LONG_SCRIPT = 500_000  # characters of all of them together
LONG = 2000  # characters of a value
DEEP = 8  # objects within objects
ARTICLES = "article newsarticle blogposting reportagenewsarticle scholarlyarticle techarticle socialmediaposting recipe"
KINDS = {
    "article": ARTICLES + " opinionnewsarticle analysisnewsarticle liveblogposting medicalscholarlyarticle report",
    "forum": "discussionforumposting qapage question",
    "product": "product productgroup book",
    "listing": "itemlist searchresultspage",
    "collection": "collectionpage",
}
KIND_OF_TYPE = {name: kind for kind, names in KINDS.items() for name in names.split()}
# Broken JSON: comments, commas before a bracket, line breaks within strings (which json takes when it is not strict).
COMMENT = re.compile(r"^\s*<!(?:--|\[CDATA\[)|(?:--|\]\])>\s*$|^\s*//[^\n]*$|/\*.*?\*/", re.M | re.S)
DECODER = json.JSONDecoder(strict=False)
TRAILING = re.compile(r",(?=\s*[}\]])")


@dataclass(slots=True)
class Declared:
    """Everything that was found."""

    metas: dict[str, str] = field(default_factory=dict)  # as written, by name in lower case; the first of each
    authors: list[str] = field(default_factory=list)  # all of <meta name=author>
    links: dict[str, str] = field(default_factory=dict)  # by rel
    things: list[dict[str, Any]] = field(default_factory=list)  # objects of JSON-LD, whatever they are nested in
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    main: dict[str, Any] = field(default_factory=dict)  # the page's own: the first article, thread, product, …

    def meta(self, name: str) -> str:
        """What a <meta> says, or nothing."""
        return said(self.metas.get(name))

    def resolved(self, value: object) -> object:
        """What an object that only says `@id` stands for."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str) and "name" not in value:
            return self.by_id.get(value["@id"], value)
        return value


def declared_by(page: Page) -> Declared:
    """Read `<meta>`, `<link>` and JSON-LD."""
    found = Declared()
    for node in page.select("link")[:MANY]:
        href = node.attr("href")
        for rel in (node.attr("rel") or "").lower().split():
            if href and len(href) <= LONG:
                found.links.setdefault(rel, href.strip())
    for node in page.select("meta")[: 5 * MANY]:
        name = (node.attr("property") or node.attr("name") or node.attr("itemprop") or "").strip().lower()
        value = node.attr("content")
        if name and value and not value.isspace() and len(found.metas) < MANY:
            found.metas.setdefault(name, value)
            if name == "author" and len(found.authors) < 20:
                found.authors.append(said(value))
    left = LONG_SCRIPT
    scripts = (node for node in page.select("script") if "ld+json" in (node.attr("type") or "").lower())
    for node in islice(scripts, SCRIPTS):
        text = node.text
        if len(text) > left:
            continue
        left -= len(text)
        for thing in _things(_read(text)):
            if len(found.things) < MANY:
                found.things.append(thing)
                if isinstance(thing.get("@id"), str):
                    known = found.by_id.get(thing["@id"], {})
                    if len(thing) > len(known):
                        found.by_id[thing["@id"]] = thing
    kinds = [(kind_of(thing), thing) for thing in found.things if "headline" in thing or "name" in thing]
    own = [(kind, thing) for kind, thing in kinds if kind]
    found.main = next((thing for kind, thing in own if kind in ("article", "forum")), own[0][1] if own else {})
    return found


def _read(text: str) -> object:
    for change in (
        str,
        lambda text: TRAILING.sub("", COMMENT.sub("", text)),
        lambda text: TRAILING.sub("", unescape(text)),
    ):
        try:
            return DECODER.decode(change(text))
        except (ValueError, RecursionError):
            continue
    return None


def _things(value: object) -> Iterator[dict[str, Any]]:
    """All objects in a value that say what they are, from the outside in."""
    queue = [(value, 0)]
    seen = 0
    while queue and seen < 5 * MANY:
        thing, depth = queue.pop(0)
        seen += 1
        if isinstance(thing, dict):
            if "@type" in thing or "@id" in thing:
                yield thing
            if depth < DEEP:
                queue.extend((each, depth + 1) for each in thing.values() if isinstance(each, (dict, list)))
        elif isinstance(thing, list):
            queue.extend((each, depth) for each in thing[:MANY] if isinstance(each, (dict, list)))


def type_of(thing: dict[str, Any]) -> str:
    """What an object says it is, in lower case."""
    kind = thing.get("@type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    return kind.rpartition("/")[2].lower() if isinstance(kind, str) else ""


def kind_of(thing: dict[str, Any]) -> str | None:
    """The kind of page that an object is the subject of."""
    return KIND_OF_TYPE.get(type_of(thing))


def said(value: object) -> str:
    """A value as a reader would see it; sites escape twice: "won&#8217;t"."""
    if not value or not isinstance(value, str):
        return ""
    value = value[:LONG]
    return make_readable(unescape(value) if "&" in value else value)


def names_in(value: object, declared: Declared) -> list[str]:
    """The name or names in a JSON-LD value: a string, an object with a name, or a list of those."""
    values = value[:20] if isinstance(value, list) else [value]
    names = []
    for each in values:
        thing = declared.resolved(each)
        name = said(thing.get("name")) if isinstance(thing, dict) else said(thing)
        if name and not name.startswith(("http:", "https:")):
            names.append(name)
    return list(dict.fromkeys(names))
