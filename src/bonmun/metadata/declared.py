"""Read what a page declares about itself in `<meta>`, `<link>` and JSON-LD, including JSON-LD with syntax errors.

"Thing" is schema.org's word for an object of JSON-LD.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.metadata.scans import find_elements, find_things, fold_text
from bonmun.page.parse.ancestors import climb
from bonmun.text.leftover_tags import drop_tags
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

IGNORED_RELS = frozenset({"stylesheet", "preload", "modulepreload", "preconnect", "dns-prefetch"})
READ_RELS = frozenset({"alternate", "apple-touch-icon", "canonical", "icon", "license"})  # of <link>
MAX_LINKS, MAX_METAS = 200, 1000  # elements that are read
MAX_META_NAMES = 200
PEOPLE_METAS = frozenset({"author", "citation_author", "dc.creator", "article:author"})
REPEATED_METAS = PEOPLE_METAS | {"article:tag", "article:section"}  # all elements with these names are read …
MAX_REPEATED = 30  # … up to this number for each name
ITEM_LEVELS = 8  # ancestors of a `<meta itemprop>` that are searched for a review or comment
# Things that readers write: their authors and dates are not those of the page.
READER_TYPES = ("review", "comment", "rating")  # ends of an itemtype
READER_ITEMS = frozenset({"review", "reviews", "comment", "comments", "reviewrating"})  # itemprops
MAX_AUTHORS = 20  # in one JSON-LD value
TYPE_CHARS = 200  # characters of an @type that are read
TYPE_CACHE_SIZE = 500
MAX_SCRIPTS = 40  # of JSON-LD
MAX_SCRIPT_CHARS = 500_000  # of all scripts together
MAX_THINGS = 200  # things that are kept, and members of a list that are read
MAX_JSON_VALUES = 1000  # objects and lists of a script that are read
MAX_JSON_DEPTH = 8  # nested objects
TITLE_CHARS = 500  # characters of `<title>` that headlines are searched in
MIN_NAME_CHARS = 6  # a shorter headline is part of too many titles
TYPES_OF_PAGE_KIND = {
    "article": "article newsarticle blogposting reportagenewsarticle scholarlyarticle techarticle socialmediaposting "
    "recipe opinionnewsarticle analysisnewsarticle liveblogposting medicalscholarlyarticle report",
    "forum": "discussionforumposting qapage question",
    "product": "product productgroup book",
    "listing": "itemlist searchresultspage collectionpage",
}
PAGE_KIND_OF_TYPE = {name: kind for kind, names in TYPES_OF_PAGE_KIND.items() for name in names.split()}
MEDIA_TYPES = frozenset("audioobject podcastepisode videoobject musicrecording episode tvepisode radioepisode".split())
TEXT_KINDS = ("article", "forum")  # kinds of pages with an author
# Comments in and around JSON, other than /* … */: <!-- … -->, CDATA marks, lines that start with //.
COMMENT = compile_later(r"^[^\S\n]*+(?:<!(?:--|\[CDATA\[)|//[^\n]*$)|(?:--|\]\])>\s*$", re.M)
# A comma before a closing bracket.
TRAILING_COMMA = compile_later(r",(?=\s*[}\]])")
# An escape in a string, and those that JSON knows.
ESCAPE = compile_later(r"\\(.)", re.S)
JSON_ESCAPES = frozenset('"\\/bfnrtu')
# The start of a JSON text after other characters.
DOCUMENT = compile_later(r"[{\[]")
MAX_DOCUMENTS = 20  # JSON texts in one script
DECODER = json.JSONDecoder(strict=False)  # accepts line breaks in strings


@dataclass(slots=True)
class Declared:
    """What a page declares about itself."""

    metas: dict[str, str] = field(default_factory=dict)  # raw content by lower-case name; the first of each name
    repeated: dict[str, list[str]] = field(default_factory=dict)  # all contents of `REPEATED_METAS`, by name
    links: dict[str, str] = field(default_factory=dict)  # by rel
    alternates: list[tuple[str, str]] = field(default_factory=list)  # type and URL of `<link rel=alternate>`
    things: list[dict[str, Any]] = field(default_factory=list)  # objects of JSON-LD at any depth
    types: list[str] = field(default_factory=list)  # @type of each thing
    by_id: dict[str, dict[str, Any]] | None = None  # things by @id; filled on first use
    main: dict[str, Any] = field(default_factory=dict)  # the thing that is the page itself: an article, a product …
    cleaned: dict[str, str] = field(default_factory=dict)  # cache of `meta`

    def meta(self, name: str) -> str:
        """Return the readable content of a <meta>, or "" if there is none."""
        if name not in self.metas:
            return ""
        value = self.cleaned.get(name)
        if value is None:
            value = self.cleaned[name] = clean_value(self.metas[name])
        return value

    def find_things(self, types: Container[str]) -> list[dict[str, Any]]:
        """Return the things of the given types."""
        return [thing for thing, each in zip(self.things, self.types, strict=True) if each in types]

    def resolve_id(self, value: object) -> object:
        """Return the thing that a bare `@id` reference refers to; any other value as it is."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str) and "name" not in value:
            return self._find_named().get(value["@id"], value)
        return value

    def _find_named(self) -> dict[str, dict[str, Any]]:
        """Return the things by their @id; of several with the same @id, the one with most members."""
        if self.by_id is None:
            self.by_id = {}
            for thing in self.things:
                name = thing.get("@id")
                if isinstance(name, str) and len(thing) > len(self.by_id.get(name, ())):
                    self.by_id[name] = thing
        return self.by_id

    def find_role(self, thing: dict[str, Any]) -> str:
        """Return "main" for the page itself, "article" for another text, or "other"."""
        if thing is self.main:
            return "main"
        return "article" if find_page_kind(thing) in TEXT_KINDS else "other"


def read_declared(page: Page) -> Declared:
    """Read the `<meta>`, `<link>` and JSON-LD of a page."""
    declared = Declared()
    _read_links(page, declared)
    _read_metas(page, declared)
    for text in _find_scripts(page):
        _add_things(_load_json(text), declared)
    declared.main = _choose_main(page, declared) or _choose_media(page, declared)
    return declared


def _read_links(page: Page, declared: Declared) -> None:
    for node in page.select("link")[:MAX_LINKS]:
        rel = node.attr("rel")
        if not rel or rel in IGNORED_RELS:  # most links
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
    """Read the metas with a name, then those of microdata."""
    has_items = False
    for node in page.select("meta")[:MAX_METAS]:
        if name := node.attr("property") or node.attr("name"):
            _add_meta(declared, name, node.attr("content"))
        elif node.attr("itemprop"):
            has_items = True
    if has_items:
        _read_items(page, declared)


def _read_items(page: Page, declared: Declared) -> None:
    """Read `<meta itemprop>` in the head, and in the body except for those of reviews and comments."""
    for node in page.select("head > meta[itemprop]")[:MAX_METAS]:
        if not (node.attr("property") or node.attr("name")):
            _add_meta(declared, node.attr("itemprop") or "", node.attr("content"))
    for row in find_elements(page.tags, ("meta",), MAX_METAS):
        name = page.attr(row, "itemprop")
        if name and not (page.attr(row, "property") or page.attr(row, "name") or _is_by_reader(page, row)):
            _add_meta(declared, name, page.attr(row, "content"))


def _add_meta(declared: Declared, name: str, value: str | None) -> None:
    if not value or value.isspace():
        return
    metas, repeated = declared.metas, declared.repeated
    name = name.strip().lower()
    if name and len(metas) < MAX_META_NAMES:
        metas.setdefault(name, value)
        if name in REPEATED_METAS and len(values := repeated.setdefault(name, [])) < MAX_REPEATED:
            values.append(clean_value(value))


def _is_by_reader(page: Page, row: int) -> bool:
    """Whether an element is part of a review or comment in microdata."""
    return any(
        (page.attr(around, "itemtype") or "").lower().endswith(READER_TYPES)
        or (page.attr(around, "itemprop") or "").lower() in READER_ITEMS
        for around in islice(climb(page.parents, row), ITEM_LEVELS)
    )


def _find_scripts(page: Page) -> Iterator[str]:
    """Yield the texts of the first JSON-LD scripts; those that exceed `MAX_SCRIPT_CHARS` are skipped."""
    left = MAX_SCRIPT_CHARS
    for node in page.select("script[type*='ld+json' i]")[:MAX_SCRIPTS]:
        text = node.text
        if len(text) <= left:
            left -= len(text)
            yield text


def _load_json(text: str) -> object:
    """Return the value of a JSON text, after repairing common syntax errors; None if that fails."""
    for repair in (
        str,
        lambda text: TRAILING_COMMA.sub("", COMMENT.sub("", _drop_comments(text))),
        lambda text: TRAILING_COMMA.sub("", unescape(text)),
        lambda text: ESCAPE.sub(_repair_escape, text),
    ):
        try:
            return DECODER.decode(repair(text))
        except (ValueError, RecursionError):
            continue
    return _load_documents(text) or None


def _repair_escape(match: re.Match[str]) -> str:
    """Return an escape that JSON knows, else the character alone, as for the apostrophe that some sites escape."""
    return match[0] if match[1] in JSON_ESCAPES else match[1]


def _load_documents(text: str) -> list[object]:
    """Return the values of several JSON texts in one script, or of one with something after it."""
    found: list[object] = []
    at = 0
    while len(found) < MAX_DOCUMENTS and (start := DOCUMENT.search(text, at)):
        try:
            value, at = DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found


def _drop_comments(text: str) -> str:
    """Return a text without its /* … */ comments."""
    kept: list[str] = []
    at, last = 0, max(text.rfind("*/"), 0)
    while (start := text.find("/*", at, last)) >= 0:
        kept.append(text[at:start])
        at = text.index("*/", start + 2) + 2
    return "".join(kept) + text[at:]


def _add_things(value: object, declared: Declared) -> None:
    """Add the things of a script."""
    for each in value[:MAX_THINGS] if isinstance(value, list) else [value]:
        if isinstance(each, dict) and "@type" not in each and "headline" in each:
            each["@type"] = "Article"  # some sites forget it
    left = MAX_THINGS - len(declared.things)
    things = find_things(value, MAX_JSON_VALUES, MAX_JSON_DEPTH, MAX_THINGS)[:left]
    declared.things += things
    declared.types += map(read_type, things)


def _choose_main(page: Page, declared: Declared) -> dict[str, Any]:
    """Return the thing that is the page itself: an article or thread, else the first product or list.

    Of several articles, as of related ones, it is the first whose headline is the title of the page, else the first.
    """
    known = [thing for thing in declared.find_things(PAGE_KIND_OF_TYPE) if "headline" in thing or "name" in thing]
    texts = [thing for thing in known if find_page_kind(thing) in TEXT_KINDS]
    if len(texts) > 1:
        title = fold_text(page.head_title[:TITLE_CHARS]) + " " + fold_text(declared.meta("og:title"))
        names = (fold_text(clean_value(thing.get("headline") or thing.get("name"))) for thing in texts)
        titled = (
            thing for thing, name in zip(texts, names, strict=True) if len(name) >= MIN_NAME_CHARS and name in title
        )
        return next(titled, texts[0])
    return texts[0] if texts else known[0] if known else {}


def _choose_media(page: Page, declared: Declared) -> dict[str, Any]:
    """Return the first recording that has the title of the page: it is the page itself, not part of an article."""
    recordings = declared.find_things(MEDIA_TYPES)
    title = clean_value(page.head_title) + declared.meta("og:title") if recordings else ""
    return next((thing for thing in recordings if (name := clean_value(thing.get("name"))) and name in title), {})


def read_type(thing: dict[str, Any]) -> str:
    """Return the @type of a thing, without its namespace, in lower case."""
    name = thing.get("@type")
    name = name[0] if isinstance(name, list) and name else name
    return _fold_type(name[:TYPE_CHARS]) if isinstance(name, str) else ""


@lru_cache(TYPE_CACHE_SIZE)
def _fold_type(name: str) -> str:
    return name.rpartition("/")[2].lower()


def find_page_kind(thing: dict[str, Any]) -> str | None:
    """Return the kind of page whose main thing is of this type, or None."""
    return PAGE_KIND_OF_TYPE.get(read_type(thing))


def clean_value(value: object) -> str:
    """Return a value as readable text. Some sites escape twice ("won&#8217;t"), or leave tags."""
    if not value or not isinstance(value, str):
        return ""
    value = cut_text(value, MAX_METADATA_CHARS)
    return make_readable(drop_tags(unescape(value) if "&" in value else value))


def clean_url(value: object) -> str:
    """Return a URL as readable text, or "" if it is too long: a truncated URL is useless."""
    return clean_value(value) if isinstance(value, str) and len(value) <= MAX_METADATA_CHARS else ""


def read_names(value: object, declared: Declared) -> list[str]:
    """Return the names in a JSON-LD value: a string, a thing with a name, or a list of those."""
    values = value[:MAX_AUTHORS] if isinstance(value, list) else [value]
    names = []
    left = MAX_METADATA_CHARS  # for all names together
    for each in values:
        thing = declared.resolve_id(each)
        given = thing.get("name") if isinstance(thing, dict) else thing
        name = clean_value(given) if left > 0 else ""
        left -= len(given) if isinstance(given, str) else 0
        if name and not name.startswith(("http:", "https:")):
            names.append(name)
    return list(dict.fromkeys(names))
