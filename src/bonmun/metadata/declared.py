"""What a page declares about itself: `<meta>` and `<link>` elements, and JSON-LD, also where that is broken JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.metadata.scans import find_things
from bonmun.text.patterns import compile_later
from bonmun.text.readable import cut_text, make_readable

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from bonmun.page import Page

__all__ = [
    "PAGE_KIND_OF_TYPE",
    "PEOPLE_METAS",
    "Declared",
    "clean_url",
    "clean_value",
    "find_page_kind",
    "read_declared",
    "read_names",
    "read_type",
]

PLAIN_RELS = frozenset({"stylesheet", "preload", "modulepreload", "preconnect", "dns-prefetch"})
READ_RELS = frozenset({"alternate", "apple-touch-icon", "canonical", "icon", "license"})  # of <link>
MOST_LINKS, MOST_METAS, MOST_NAMED_METAS = 200, 1000, 200  # elements that are looked at, and names that are kept
PEOPLE_METAS = frozenset({"author", "citation_author", "dc.creator", "article:author"})
SEVERAL_METAS = PEOPLE_METAS | {"article:tag", "article:section"}  # of which all that stand on a page count …
MOST_SEVERAL = 30  # … but no more than so many of each
MOST_AUTHORS = 20  # in one JSON-LD value
TYPE_CHARS, TYPES_KEPT = 200, 500  # of a type, and of types whose short form is known
MOST_SCRIPTS = 40  # of JSON-LD
SCRIPTS_CHARS = 500_000  # of all of them together
MOST_THINGS = 200  # objects of JSON-LD that are kept, and members of a list that are looked at
MOST_VALUES = 1000  # objects and lists of a script that are looked at
MOST_LEVELS = 8  # objects within objects
TYPES_OF_PAGE_KIND = {
    "article": "article newsarticle blogposting reportagenewsarticle scholarlyarticle techarticle socialmediaposting "
    "recipe opinionnewsarticle analysisnewsarticle liveblogposting medicalscholarlyarticle report",
    "forum": "discussionforumposting qapage question",
    "product": "product productgroup book",
    "listing": "itemlist searchresultspage",
    "collection": "collectionpage",
}
PAGE_KIND_OF_TYPE = {name: kind for kind, names in TYPES_OF_PAGE_KIND.items() for name in names.split()}
TEXT_KINDS = ("article", "forum")  # of pages that are texts of somebody
# Comments in and around JSON, beside /* … */: <!-- … -->, CDATA marks, lines that start with //.
COMMENT = compile_later(r"^[^\S\n]*+(?:<!(?:--|\[CDATA\[)|//[^\n]*$)|(?:--|\]\])>\s*$", re.M)
# A comma before a closing bracket.
TRAILING_COMMA = compile_later(r",(?=\s*[}\]])")
DECODER = json.JSONDecoder(strict=False)  # takes line breaks within strings


@dataclass(slots=True)
class Declared:
    """Everything that was found."""

    metas: dict[str, str] = field(default_factory=dict)  # as written, by name in lower case; the first of each
    several: dict[str, list[str]] = field(default_factory=dict)  # all that metas of one name say: people, tags …
    links: dict[str, str] = field(default_factory=dict)  # by rel
    alternates: list[tuple[str, str]] = field(default_factory=list)  # other forms of the page: their types, and where
    things: list[dict[str, Any]] = field(default_factory=list)  # objects of JSON-LD, whatever they are nested in
    types: list[str] = field(default_factory=list)  # what each of them says it is
    by_id: dict[str, dict[str, Any]] | None = None  # once one was asked for
    main: dict[str, Any] = field(default_factory=dict)  # the page's own: the first article, thread, product, …
    cleaned: dict[str, str] = field(default_factory=dict)  # what metas say that were asked for, as readers would see it

    def meta(self, name: str) -> str:
        """What a <meta> says, or nothing."""
        if name not in self.metas:
            return ""
        value = self.cleaned.get(name)
        if value is None:
            value = self.cleaned[name] = clean_value(self.metas[name])
        return value

    def find_things(self, types: Container[str]) -> list[dict[str, Any]]:
        """The objects of some types."""
        return [thing for thing, each in zip(self.things, self.types, strict=True) if each in types]

    def resolve_id(self, value: object) -> object:
        """What an object that only says `@id` stands for."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str) and "name" not in value:
            return self._find_named().get(value["@id"], value)
        return value

    def _find_named(self) -> dict[str, dict[str, Any]]:
        """The objects that have an id, by it: of several with one id, the one that says most. Few pages ask."""
        if self.by_id is None:
            self.by_id = {}
            for thing in self.things:
                name = thing.get("@id")
                if isinstance(name, str) and len(thing) > len(self.by_id.get(name, ())):
                    self.by_id[name] = thing
        return self.by_id

    def find_role(self, thing: dict[str, Any]) -> str:
        """Whether an object is the page's own ("main"), another text ("article") or something else ("other")."""
        if thing is self.main:
            return "main"
        return "article" if find_page_kind(thing) in TEXT_KINDS else "other"


def read_declared(page: Page) -> Declared:
    """Read `<meta>`, `<link>` and JSON-LD."""
    declared = Declared()
    _read_links(page, declared)
    _read_metas(page, declared)
    for text in _find_scripts(page):
        _add_things(_load_json(text), declared)
    declared.main = _choose_main(declared)
    return declared


def _read_links(page: Page, declared: Declared) -> None:
    for node in page.select("link")[:MOST_LINKS]:
        rel = node.attr("rel")
        if not rel or rel in PLAIN_RELS:  # as most are
            continue
        rels = rel.lower().split()
        if READ_RELS.isdisjoint(rels):
            continue
        href = node.attr("href")
        if not href or len(href) > MAX_METADATA_CHARS:
            continue
        for rel in rels:
            declared.links.setdefault(rel, href.strip())
            if rel == "alternate":
                declared.alternates.append(((node.attr("type") or "").strip().lower(), href.strip()))


def _read_metas(page: Page, declared: Declared) -> None:
    metas, several = declared.metas, declared.several
    for node in page.select("meta")[:MOST_METAS]:
        value = node.attr("content")
        if not value or value.isspace():
            continue
        name = (node.attr("property") or node.attr("name") or node.attr("itemprop") or "").strip().lower()
        if name and len(metas) < MOST_NAMED_METAS:
            metas.setdefault(name, value)
            if name in SEVERAL_METAS and len(values := several.setdefault(name, [])) < MOST_SEVERAL:
                values.append(clean_value(value))


def _find_scripts(page: Page) -> Iterator[str]:
    """What stands in the page's first scripts of JSON-LD; one that is too long is left out."""
    left = SCRIPTS_CHARS
    for node in page.select("script[type*='ld+json' i]")[:MOST_SCRIPTS]:
        text = node.text
        if len(text) <= left:
            left -= len(text)
            yield text


def _load_json(text: str) -> object:
    """What JSON says, mended where it is broken in one of the usual ways; None where it cannot be read."""
    for mend in (
        str,
        lambda text: TRAILING_COMMA.sub("", COMMENT.sub("", _drop_comments(text))),
        lambda text: TRAILING_COMMA.sub("", unescape(text)),
    ):
        try:
            return DECODER.decode(mend(text))
        except (ValueError, RecursionError):
            continue
    return None


def _drop_comments(text: str) -> str:
    """A text without what stands between /* and */."""
    kept: list[str] = []
    at, last = 0, max(text.rfind("*/"), 0)
    while (start := text.find("/*", at, last)) >= 0:
        kept.append(text[at:start])
        at = text.index("*/", start + 2) + 2
    return "".join(kept) + text[at:]


def _add_things(value: object, declared: Declared) -> None:
    """Add the objects of a script."""
    left = MOST_THINGS - len(declared.things)
    things = find_things(value, MOST_VALUES, MOST_LEVELS, MOST_THINGS)[:left]
    declared.things += things
    declared.types += map(read_type, things)


def _choose_main(declared: Declared) -> dict[str, Any]:
    """The object that is the page's own: the first named article or thread, else the first product or the like."""
    known = [thing for thing in declared.find_things(PAGE_KIND_OF_TYPE) if "headline" in thing or "name" in thing]
    texts = (thing for thing in known if find_page_kind(thing) in TEXT_KINDS)
    return next(texts, known[0] if known else {})


def read_type(thing: dict[str, Any]) -> str:
    """What an object says it is, in lower case."""
    name = thing.get("@type")
    name = name[0] if isinstance(name, list) and name else name
    return _fold_type(name[:TYPE_CHARS]) if isinstance(name, str) else ""


@lru_cache(TYPES_KEPT)
def _fold_type(name: str) -> str:
    """A type without its address, in lower case; pages have few, and ask for them often."""
    return name.rpartition("/")[2].lower()


def find_page_kind(thing: dict[str, Any]) -> str | None:
    """The kind of page that an object is the subject of."""
    return PAGE_KIND_OF_TYPE.get(read_type(thing))


def clean_value(value: object) -> str:
    """A value as a reader would see it; sites escape twice: "won&#8217;t"."""
    if not value or not isinstance(value, str):
        return ""
    value = cut_text(value, MAX_METADATA_CHARS)
    return make_readable(unescape(value) if "&" in value else value)


def clean_url(value: object) -> str:
    """An address as a reader would see it; nothing if it is longer than any fact is: half an address leads nowhere."""
    return clean_value(value) if isinstance(value, str) and len(value) <= MAX_METADATA_CHARS else ""


def read_names(value: object, declared: Declared) -> list[str]:
    """The name or names in a JSON-LD value: a string, an object with a name, or a list of those."""
    values = value[:MOST_AUTHORS] if isinstance(value, list) else [value]
    names = []
    left = MAX_METADATA_CHARS  # of all of them
    for each in values:
        thing = declared.resolve_id(each)
        given = thing.get("name") if isinstance(thing, dict) else thing
        name = clean_value(given) if left > 0 else ""
        left -= len(given) if isinstance(given, str) else 0
        if name and not name.startswith(("http:", "https:")):
            names.append(name)
    return list(dict.fromkeys(names))
