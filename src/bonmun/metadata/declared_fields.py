"""Fields that are read as the page declares them, without ranking, such as description, image, licence and feeds.

Each is taken from the first source that has a value. The licence may also be a link in the body: `<a rel=license>` or a
link to Creative Commons.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.metadata.declared import PAGE_KIND_OF_TYPE, clean_url, clean_value, read_names, read_type
from bonmun.metadata.page_kind import find_generator_kind, find_type_kind
from bonmun.metadata.ranking import DECLARED_CONFIDENCE, MetadataField
from bonmun.text.patterns import compile_later
from bonmun.text.readable import cut_text
from bonmun.text.urls import find_scheme, read_url

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.page_reading import PageReading
    from bonmun.page import Page

__all__ = ["DeclaredValue", "read_text_fields", "read_typed_fields"]

PUBLISHER_METAS = ("citation_publisher", "dc.publisher", "dcterms.publisher", "publisher")
PRICE_METAS = ("product:price:amount", "og:price:amount")
INGREDIENTS = ("li[itemprop~=recipeIngredient]", "li[itemprop~=ingredients]")
MIN_INGREDIENTS = 3  # of a recipe
ITEMS = ("body[itemtype]", "main[itemtype]", "article[itemtype]", "section[itemtype]", "div[itemtype]")  # of microdata
MAX_ITEMS = 60  # for each of them
TYPE_CHARS = 200  # characters of an itemtype that are read
MAX_TAGS = 30
KEYWORD_METAS = frozenset({"news_keywords", "keywords", "article:tag"})
COMMA = compile_later("[,،，、;；|]")  # separators of keywords in many languages
MAX_FEEDS = 10
MAX_LICENCE_LINKS = 2000  # links that are searched for a licence, from the end of the page, where licences are
SCRIPT_SCHEMES = frozenset({"javascript", "vbscript", "livescript", "data"})  # browsers run them, even after a space
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
CREATIVE_COMMONS = ("creativecommons.org/licenses/", "creativecommons.org/publicdomain/")
LICENCE_LINKS = ("a[rel~=license]", "a[href*='creativecommons.org/']")  # two selectors are faster than one with a comma
# An ISO 8601 duration of JSON-LD, such as PT1H5M.
DURATION = compile_later(r"P(?:T(?=[0-9]))?(?:([0-9]{1,2})H)?(?:([0-9]{1,3})M)?(?:([0-9]{1,5})S)?", re.I)
# Minutes as people write them, and the label beside them.
MINUTES = compile_later(r"(?<![0-9.,:])([0-9]{1,3}) ?(?:m\b|min|분|分|мин|دق|นาที)", re.I)
READING_LABEL = compile_later(r"read|lese|lect|lett|leit|leest|lees|läs|читан|읽|読了|阅读|閱讀|قراءة", re.I)
MAX_READING_MINUTES = 600
# Whether a page is free to read, by the value of isAccessibleForFree and of Facebook's content tier.
FREE = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
FREE_TIERS = {"free": True, "metered": False, "locked": False}
SWITCH_CHARS = 40  # characters of such a value that are read


class DeclaredValue(NamedTuple):
    """A declared value that is not a text, with its source."""

    value: tuple[str, ...] | bool | int
    source: str

    def to_field(self) -> MetadataField:
        """Return the value as text, with source and confidence."""
        text = ", ".join(self.value) if isinstance(self.value, tuple) else str(self.value).lower()
        return MetadataField(cut_text(text, MAX_METADATA_CHARS), self.source, DECLARED_CONFIDENCE)


def read_text_fields(reading: PageReading) -> dict[str, MetadataField | None]:
    """Return the fields with one text value."""
    page, declared = reading.page, reading.declared
    metas, links, main = declared.metas, declared.links, declared.main
    publisher = _make_field("JSON-LD", ", ".join(read_names(main.get("publisher"), declared)[:1]))
    return {
        "site_name": _take_meta(declared, "og:site_name") or publisher or _find_site_name(declared),
        "publisher": publisher or _take_meta(declared, *PUBLISHER_METAS),
        "description": _take_meta(declared, "og:description", "description")
        or _make_field("JSON-LD", clean_value(main.get("description"))),
        "image": _make_link(page, "og:image", clean_url(metas.get("og:image")))
        or _make_link(page, "twitter:image", clean_url(metas.get("twitter:image")))
        or _make_link(page, "JSON-LD", _read_image(main.get("image"))),
        "canonical": _make_link(page, "canonical", links.get("canonical"))
        or _make_link(page, "og:url", clean_url(metas.get("og:url"))),
        "favicon": _make_link(page, "icon", links.get("icon"))
        or _make_link(page, "apple-touch-icon", links.get("apple-touch-icon")),
        "licence": _make_link(page, "license", links.get("license"))
        or _make_field("JSON-LD", _read_licence(page, main.get("license")))
        or _make_field("dc.rights", _read_licence(page, metas.get("dc.rights")))
        or _make_field("dcterms.license", _read_licence(page, metas.get("dcterms.license")))
        or _find_linked_licence(page, reading),
        "kind": _find_kind(reading),
    }


def _find_kind(reading: PageReading) -> MetadataField | None:
    """Return the kind of page that is declared: by the program that wrote it, by schema.org, by a price, by og:type."""
    declared = reading.declared
    kind = next((kind for each in declared.types if (kind := PAGE_KIND_OF_TYPE.get(each))), "")
    sure = find_generator_kind(declared.meta("generator"))
    if sure:
        return _make_field("generator", sure)
    sure = find_type_kind(declared.types) or ("article" if read_type(declared.main) == "audioobject" else "")
    if not sure and kind in ("", "product"):  # microdata is searched only if JSON-LD does not tell
        items = _find_item_types(reading.page)
        sure = find_type_kind(items) or ("article" if _is_recipe(reading.page) else "")
        if not sure and ("product" in items or any(name in declared.metas for name in PRICE_METAS)):
            return _make_field("price", "product")
    return (
        _make_field("schema.org", sure)
        or _make_field("JSON-LD", kind)
        or _make_field("og:type", PAGE_KIND_OF_TYPE.get(declared.meta("og:type").lower(), ""))
    )


def _find_item_types(page: Page) -> list[str]:
    """Return the types of the first microdata items, without their namespaces, in lower case."""
    nodes = [node for selector in ITEMS for node in page.select(selector)[:MAX_ITEMS]]
    return [(node.attr("itemtype") or "")[:TYPE_CHARS].strip().rpartition("/")[2].lower() for node in nodes]


def _is_recipe(page: Page) -> bool:
    """Whether ingredients are marked up, even if the recipe itself is not."""
    return any(len(page.select(selector)) >= MIN_INGREDIENTS for selector in INGREDIENTS)


def read_typed_fields(reading: PageReading) -> dict[str, DeclaredValue]:
    """Return the fields that are lists, numbers or booleans and that the page declares."""
    declared = reading.declared
    found = {
        "tags": _read_tags(declared),
        "categories": _read_categories(declared),
        "feeds": _read_feeds(reading.page, declared),
        "paywall": _read_paywall(declared),
        "reading_minutes": _read_minutes(declared),
    }
    return {name: value for name, value in found.items() if value}


def _read_tags(declared: Declared) -> DeclaredValue | None:
    if not (KEYWORD_METAS.intersection(declared.metas) or "keywords" in declared.main):
        return None
    name = "news_keywords" if declared.meta("news_keywords") else "keywords"
    return _join_lists(
        ("JSON-LD", _split_list(declared.main.get("keywords"))),
        (name, COMMA.split(declared.meta(name))),
        ("article:tag", declared.repeated.get("article:tag", [])),
    )


def _read_categories(declared: Declared) -> DeclaredValue | None:
    if "article:section" not in declared.metas and "articleSection" not in declared.main:
        return None
    return _join_lists(
        ("JSON-LD", _split_list(declared.main.get("articleSection"))),
        ("article:section", declared.repeated.get("article:section", [])),
    )


def _read_feeds(page: Page, declared: Declared) -> DeclaredValue | None:
    found = (_read_url(page, href) for kind, href in declared.alternates if kind in FEED_TYPES)
    feeds = tuple(dict.fromkeys(url for url in found if url))[:MAX_FEEDS]
    return DeclaredValue(feeds, "alternate") if feeds else None


def _read_paywall(declared: Declared) -> DeclaredValue | None:
    is_free = str(declared.main.get("isAccessibleForFree", ""))[:SWITCH_CHARS].strip().lower().rpartition("/")[2]
    if is_free in FREE:
        return DeclaredValue(not FREE[is_free], "JSON-LD")
    tier = declared.meta("article:content_tier").lower()
    return DeclaredValue(not FREE_TIERS[tier], "article:content_tier") if tier in FREE_TIERS else None


def _read_minutes(declared: Declared) -> DeclaredValue | None:
    duration = clean_value(declared.main.get("timeRequired"))
    found = DURATION.fullmatch(duration) if duration else None
    if found and any(found.groups()):
        hours, minutes, seconds = (int(group or 0) for group in found.groups())
        return _check_minutes(60 * hours + minutes + round(seconds / 60), "JSON-LD")
    for number in ("1", "2"):
        label = declared.meta(f"twitter:label{number}")
        if not label or not READING_LABEL.search(label):
            continue
        if written := MINUTES.search(declared.meta(f"twitter:data{number}")):
            return _check_minutes(int(written[1]), f"twitter:data{number}")
    return None


def _check_minutes(minutes: int, source: str) -> DeclaredValue | None:
    return DeclaredValue(minutes, source) if 0 < minutes <= MAX_READING_MINUTES else None


def _find_site_name(declared: Declared) -> MetadataField | None:
    """Return the name of the first WebSite of JSON-LD that has one, else the application name."""
    names = (clean_value(thing.get("name")) for thing in declared.find_things(("website",)))
    return _make_field("JSON-LD", next(filter(None, names), "")) or _take_meta(declared, "application-name")


def _find_linked_licence(page: Page, reading: PageReading) -> MetadataField | None:
    """Return the licence that links of the page lead to, unless they lead to several.

    Links with rel=license come first, then links to Creative Commons before and after the main text. Within the text,
    such a link is mostly about an image.
    """
    if not any(map(page.select, LICENCE_LINKS)):
        return None
    marked, linked = set(), set()
    first, last = (None if row is None else page.owners[row] for row in (reading.first, reading.last))
    for row in [row for row, tag in enumerate(page.tags) if tag == "a"][-MAX_LICENCE_LINKS:]:
        href = page.attr(row, "href") or ""
        if "license" in (page.attr(row, "rel") or "").lower().split():
            marked.add(_read_url(page, href))
        elif any(place in href for place in CREATIVE_COMMONS) and not (first and last and first <= row <= last):
            linked.add(_read_url(page, href))
    for source, urls in (("rel=license", marked - {""}), ("Creative Commons", linked - {""})):
        if urls:
            return MetadataField(urls.pop(), source, DECLARED_CONFIDENCE) if len(urls) == 1 else None
    return None


def _split_list(value: object) -> list[str]:
    """Return the members of a JSON-LD value: a list, or a text with commas."""
    if isinstance(value, list):
        return [clean_value(each) for each in value[:MAX_TAGS]]
    return COMMA.split(clean_value(value))


def _join_lists(*lists: tuple[str, list[str]]) -> DeclaredValue | None:
    """Return the values of several lists, each once and without URLs, with the source of the first value."""
    sources = {value.strip(): source for source, values in reversed(lists) for value in reversed(values)}
    values = list(dict.fromkeys(value.strip() for _, values in lists for value in values))
    words = tuple(value for value in values if value and not value.startswith(("http:", "https:")))[:MAX_TAGS]
    return DeclaredValue(words, sources[words[0]]) if words else None


def _make_field(source: str, value: str) -> MetadataField | None:
    """Return a field, or None if the value is empty."""
    return MetadataField(value, source, DECLARED_CONFIDENCE) if value else None


def _make_link(page: Page, source: str, value: str | None) -> MetadataField | None:
    """Return a field with an absolute URL, or None if there is no safe URL."""
    return _make_field(source, _read_url(page, value)) if value else None


def _take_meta(declared: Declared, *names: str) -> MetadataField | None:
    """Return the content of the first of these <meta> elements that has any."""
    for name in names:
        if name in declared.metas and (value := declared.meta(name)):
            return MetadataField(value, name, DECLARED_CONFIDENCE)
    return None


def _read_url(page: Page, value: str) -> str:
    """Return an absolute URL, or "" if it is unsafe or too long."""
    url = read_url(value, page.url or "") or ""
    return url if len(url) <= MAX_METADATA_CHARS else ""


def _read_licence(page: Page, value: object) -> str:
    """Return a licence as a URL or as words, which may contain a colon: "Licence: CC BY"."""
    words = clean_value(value)
    scheme = find_scheme(words)
    if scheme is None or (scheme not in SCRIPT_SCHEMES and words.startswith(": ", len(scheme))):
        return words
    return _read_url(page, clean_url(value))


def _read_image(value: object) -> str:
    """Return the URL of a JSON-LD image: a string, an object with a URL, or the first of a list of those."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return clean_url(value.get("url") if isinstance(value, dict) else value)
