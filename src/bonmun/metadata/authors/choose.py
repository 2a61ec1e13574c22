"""Collect the candidates for the author: declared, marked up, or in a byline near the headline, in many languages.

lines.py collects those in visible lines; signs.py adds the features.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.metadata.authors.bylines import COPYRIGHT
from bonmun.metadata.authors.candidates import Authors
from bonmun.metadata.authors.lines import collect_shown
from bonmun.metadata.authors.signs import describe_authors, is_organization
from bonmun.metadata.declared import PEOPLE_METAS, clean_value, read_names
from bonmun.metadata.page_reading import LINE_CHARS
from bonmun.metadata.post_signs import find_authors
from bonmun.metadata.scans import fold_text
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate
    from bonmun.page import Page

__all__ = ["find_author_candidates"]

AUTHOR_METAS = (
    "author article:author dc.creator dc.author dcterms.creator parsely-author sailthru.author byl citation_author "
    "article:author_name cxenseparse:author og:author authors article.author dable:author dc:creator twitter:creator "
    "shareaholic:article_author_name"
).split()
HANDLE_META = "twitter:creator"
NOT_PEOPLE = ("http:", "https:", "www.", "@", "/")  # starts of meta contents that are addresses of people, not names
SELECTORS = [  # source and CSS selector of elements that are marked up as authors
    ("rel", "a[rel~=author]"),
    ("itemprop", "a[itemprop~=author]"),
    ("itemprop", "span[itemprop~=author]"),
    *(("class", f"{tag}[class*=author i]") for tag in ("a", "span", "p")),
]
EAST_ASIAN_SELECTORS = [("class", f"span[class*={name} i]") for name in ("writer", "nick")]
NAMING_KINDS = ("article", "forum", "documentation")  # kinds of pages that name their authors
MIN_NAMING_PROBABILITY = 0.2  # of these kinds together; less likely pages are not searched for bylines
MAX_SELECTED = 8  # elements per selector
SELECTED_CHARS = 300  # characters of an element that are read, before white space is collapsed
COPYRIGHT_BLOCKS = 12  # blocks at the end of the page that are searched for a copyright notice
DECLARED_FEATURES = frozenset({"ld main", "meta"})
MAX_POSTERS = 12  # names of a thread
URL_CHARS = 300  # characters of the URL of the page that are read
ARTICLES = frozenset("the el la los las le les il lo der die das de het".split())  # first words of names of newspapers
DIGIT = compile_later(r"\d")
# A typical name, which can be trusted: "Ann B. Lee", "홍길동", "홍길동 기자".
PERSON = compile_later(r"[A-ZÀ-Þ][^\W\d_]+(?: [A-ZÀ-Þ][^\W\d_]*\.?)? [A-ZÀ-Þ][\w'’-]+|[가-힣]{2,4}(?: ?기자)?")
# Features of names that readers see, not only programs. Only then can the author be the site itself.
READER_FEATURES = frozenset(
    {"byline", "byline within", "marked rel", "marked itemprop", "bare name", "name in a line", "marked author"}
)


def find_author_candidates(reading: PageReading) -> list[Candidate]:
    """Return the candidates for the author, with their features."""
    authors, site_names = Authors(), reading.site_names
    _collect_json_ld(authors, reading.declared, site_names)
    _collect_metas(authors, reading.declared)
    authors.drop([key for key, author in authors.items() if _is_host(author.value, reading.page.likely_url)])
    if not any(_is_sure(author, site_names) for author in authors.values()):
        _collect_marked(authors, reading.page)
        is_agreed = not authors.groups and any(_is_agreed(author) for author in authors.values())
        is_later = reading.is_later_thread_page
        if is_later:  # those that readers see wrote later posts
            authors.drop([key for key, author in authors.items() if DECLARED_FEATURES.isdisjoint(author.features)])
        elif not is_agreed and _may_name_author(reading):
            collect_shown(authors, reading)
            _collect_copyright(authors, reading.page)
        if reading.is_thread and not is_later:
            _collect_posters(authors, reading)
    # the name of the site is not an author, unless readers see it as one
    authors.drop(
        key
        for key, author in authors.items()
        if not READER_FEATURES & author.features.keys()
        and (fold_text(author.value) in site_names or _is_host(author.value, reading.page.likely_url))
    )
    describe_authors(authors, reading, authors.groups)
    reading.author_groups = authors.groups
    return list(authors.values())


def _is_host(name: str, url: str | None) -> bool:
    """Whether a name is a label of the host: the site, unless people may have named the site after themselves."""
    host = (url or "")[:URL_CHARS].partition("//")[2].partition("/")[0]
    if not name.isascii() or fold_text(name) not in host.casefold().replace("-", "").split("."):
        return False
    first = name.partition(" ")[0]
    return " " not in name or first.lower() in ARTICLES or is_organization(name)


def _is_sure(author: Candidate, site_names: set[str]) -> bool:
    """Whether the page declares this person as its author, so that the text need not be searched."""
    name = author.value
    return (
        "ld main" in author.features
        and PERSON.fullmatch(name) is not None
        and fold_text(name) not in site_names
        and not is_organization(name)
    )


def _may_name_author(reading: PageReading) -> bool:
    """Whether the page is of a kind that names its authors; listings, products and services rarely do."""
    return sum(reading.page_kinds.get(kind, 0.0) for kind in NAMING_KINDS) >= MIN_NAMING_PROBABILITY


def _is_agreed(author: Candidate) -> bool:
    """Whether the declared author is a person who is also the first that is marked up for readers."""
    features = author.features
    return (
        "marked first" in features
        and ("meta" in features or "ld main" in features)
        and PERSON.fullmatch(author.value) is not None
    )


def _collect_json_ld(authors: Authors, declared: Declared, site_names: set[str]) -> None:
    """Add the authors of all things, and things that are persons."""
    for thing, kind in zip(declared.things, declared.types, strict=True):
        if "author" in thing or "creator" in thing:
            names = read_names(thing.get("author") or thing.get("creator"), declared)
            names = [name for name in names if fold_text(name) not in site_names] or names
            if len(names) > 1:
                authors.add_group(names, "JSON-LD", f"ld {declared.find_role(thing)}")
                authors.add_name(names[0], "JSON-LD", "ld one of several")
            else:
                authors.add_name(", ".join(names), "JSON-LD", f"ld {_find_role(thing, kind, declared)}")
        elif kind == "person":
            authors.add_name(clean_value(thing.get("name")), "JSON-LD", "ld person")


def _find_role(thing: dict[str, Any], kind: str, declared: Declared) -> str:
    """Return the role of a thing with an author: "main", "article", "page" or "other"."""
    role = declared.find_role(thing)
    return "page" if role == "other" and kind.endswith("page") else role


def _collect_metas(authors: Authors, declared: Declared) -> None:
    """Add the names in metas: each alone, and those of repeated metas together."""
    for name in AUTHOR_METAS:
        if name in declared.metas and not (value := declared.meta(name)).startswith(NOT_PEOPLE):
            if name == HANDLE_META and value.isascii() and " " not in value:
                continue  # the account of the site, without its "@"
            authors.add_name(value, f"meta {name}", "meta", f"meta {name}")
    # Yoast and others: the first label of a card is "Written by", in the language of the page
    card = declared.meta("twitter:data1")
    if card and declared.meta("twitter:label1") and not DIGIT.search(card) and not card.startswith(NOT_PEOPLE):
        authors.add_name(card, "meta twitter:data1", "meta", "meta card")
    for name, values in declared.repeated.items():
        if name not in PEOPLE_METAS:
            continue
        names = list(dict.fromkeys(value for value in values if not value.startswith(NOT_PEOPLE)))
        if len(names) > 1:
            authors.add_group(names, f"meta {name}", "metas")


def _collect_marked(authors: Authors, page: Page) -> None:
    """Add the elements that are marked up as authors, anywhere on the page."""
    is_english = (page.attr(0, "lang") or "").startswith("en")
    for mark, selector in SELECTORS if is_english else SELECTORS + EAST_ASIAN_SELECTORS:
        for number, node in enumerate(page.select(selector)[:MAX_SELECTED]):
            text = make_readable(node.text[:SELECTED_CHARS])
            if text and len(text) <= LINE_CHARS:
                authors.add_name(text, mark, f"marked {mark}", "marked", *(() if number else ("marked first",)))


def _collect_copyright(authors: Authors, page: Page) -> None:
    """Add the copyright holder that the last lines of the page name."""
    for text in page.block_texts[-COPYRIGHT_BLOCKS:]:
        if len(text) <= LINE_CHARS and ("©" in text or "opyright" in text) and (match := COPYRIGHT.search(text)):
            authors.add_name(match["name"], "text", "copyright")


def _collect_posters(authors: Authors, reading: PageReading) -> None:
    """Add the authors of the first posts of a thread."""
    page = reading.page
    start = page.owners[reading.headline] if reading.headline is not None else 0
    inside = [element >= start for element in range(len(page.tags))]
    seen: set[int] = set()
    for number, poster in enumerate(islice(find_authors(page, inside), MAX_POSTERS)):
        first = () if poster.strength in seen else (f"poster {poster.strength} first",)
        seen.add(poster.strength)
        authors.add_name(
            poster.value, "class", f"poster {poster.strength}", *first, *(() if number else ("poster first",))
        )
    for element, tag in enumerate(page.tags):
        if "-post" in tag and (name := page.attr(element, "author")):
            authors.add_name(name[:SELECTED_CHARS], "attribute", "poster item")
            break
        if tag == "meta" and page.attr(element, "itemprop") == "name":
            around = list_around(page.parents, page.parents[element], 2)
            if any("author" in (page.attr(row, "itemprop") or "") for row in around):
                authors.add_name((page.attr(element, "content") or "")[:SELECTED_CHARS], "itemprop", "poster item")
                break
