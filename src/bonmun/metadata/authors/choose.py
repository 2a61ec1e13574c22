"""Who wrote a page: declared, marked up, or in a byline near its headline, in many languages.

Who may have written it is collected here and in `author_lines`; `author_signs` describes it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.authors.bylines import COPYRIGHT
from bonmun.metadata.authors.candidates import Authors
from bonmun.metadata.authors.lines import collect_shown
from bonmun.metadata.authors.signs import describe_authors
from bonmun.metadata.declared import PEOPLE_METAS, clean_value, read_names
from bonmun.metadata.page_reading import LINE_CHARS
from bonmun.metadata.post_signs import find_authors
from bonmun.metadata.scans import fold_text
from bonmun.page.parse.ancestors import climb
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
    "article:author_name cxenseparse:author og:author authors article.author dable:author"
).split()
SELECTORS = [  # what marks an author up, and how it is found
    ("rel", "a[rel~=author]"),
    ("itemprop", "a[itemprop~=author]"),
    ("itemprop", "span[itemprop~=author]"),
    *(("class", f"{tag}[class*=author i]") for tag in ("a", "span", "p")),
]
EAST_ASIAN_SELECTORS = [("class", f"span[class*={name} i]") for name in ("writer", "nick")]
NAMING_KINDS = ("article", "forum", "documentation")
LEAST_LIKELY = 0.2  # how likely a page must be one of these for its text to be searched
MOST_SELECTED = 8  # elements of each selector that are looked at
SELECTED_CHARS = 300  # of an element, before its white space is folded
RIGHTS_BLOCKS = 12  # the last of a page, which may say who has the rights to it
MOST_POSTERS = 12  # names of a thread that are looked at
ADDRESS_CHARS = 300  # of the page's
# A name as most are, which may be believed: "Ann B. Lee", "홍길동", "홍길동 기자".
PERSON = compile_later(r"[A-ZÀ-Þ][^\W\d_]+(?: [A-ZÀ-Þ][^\W\d_]*\.?)? [A-ZÀ-Þ][\w'’-]+|[가-힣]{2,4}(?: ?기자)?")
# Signs that the page tells its readers, not programs alone, who wrote it: then it may be the site.
READER_FEATURES = frozenset(
    {"byline", "byline within", "marked rel", "marked itemprop", "bare name", "name in a line", "marked author"}
)


def find_author_candidates(reading: PageReading) -> list[Candidate]:
    """Everyone who may have written the page, with what speaks for and against them."""
    authors, site_names = Authors(), reading.site_names
    _collect_json_ld(authors, reading.declared, site_names)
    _collect_metas(authors, reading.declared)
    if not any(_is_sure(author, site_names) for author in authors.values()):
        _collect_marked(authors, reading.page)
        is_agreed = not authors.several and any(_is_agreed(author) for author in authors.values())
        if not is_agreed and _may_name_author(reading):
            collect_shown(authors, reading)
            _collect_rights(authors, reading.page)
        if reading.is_thread:
            _collect_posters(authors, reading)
    # a site's name is nobody's, unless the page tells its readers that it wrote the page
    authors.drop(
        key
        for key, author in authors.items()
        if not READER_FEATURES & author.features.keys()
        and (fold_text(author.value) in site_names or _is_host(author.value, reading.page.url))
    )
    describe_authors(authors, reading, authors.several)
    return list(authors.values())


def _is_host(name: str, url: str | None) -> bool:
    """Whether a name of one word is that of the host: the site, not a person."""
    host = (url or "")[:ADDRESS_CHARS].partition("//")[2].partition("/")[0]
    return name.isascii() and " " not in name and fold_text(name) in host.casefold().split(".")


def _is_sure(author: Candidate, site_names: set[str]) -> bool:
    """Whether the page declares for programs that a person wrote it, so that the text need not be searched."""
    name = author.value
    return "ld main" in author.features and PERSON.fullmatch(name) is not None and fold_text(name) not in site_names


def _may_name_author(reading: PageReading) -> bool:
    """Whether the page is of a kind that names its authors; listings, products and services rarely do."""
    return sum(reading.page_kinds.get(kind, 0.0) for kind in NAMING_KINDS) >= LEAST_LIKELY


def _is_agreed(author: Candidate) -> bool:
    """Whether what the page declares for programs is a person whom it also marks first for readers."""
    features = author.features
    return (
        "marked first" in features
        and ("meta" in features or "ld main" in features)
        and PERSON.fullmatch(author.value) is not None
    )


def _collect_json_ld(authors: Authors, declared: Declared, site_names: set[str]) -> None:
    """Add the authors of all objects, and objects that are persons."""
    for thing, kind in zip(declared.things, declared.types, strict=True):
        if "author" in thing or "creator" in thing:
            names = read_names(thing.get("author") or thing.get("creator"), declared)
            names = [name for name in names if fold_text(name) not in site_names] or names
            if len(names) > 1:
                authors.add_several(names, "JSON-LD", f"ld {declared.find_role(thing)}")
                authors.add_name(names[0], "JSON-LD", "ld one of several")
            else:
                authors.add_name(", ".join(names), "JSON-LD", f"ld {declared.find_role(thing)}")
        elif kind == "person":
            authors.add_name(clean_value(thing.get("name")), "JSON-LD", "ld person")


def _collect_metas(authors: Authors, declared: Declared) -> None:
    """Add whom metas name, each alone and those that say `author` together."""
    for name in AUTHOR_METAS:
        if name in declared.metas and not (value := declared.meta(name)).startswith(("http:", "https:", "www.", "@")):
            authors.add_name(value, f"meta {name}", "meta", f"meta {name}")
    for name, values in declared.several.items():
        if name not in PEOPLE_METAS:
            continue
        names = list(dict.fromkeys(value for value in values if not value.startswith(("http:", "https:", "www.", "@"))))
        if len(names) > 1:
            authors.add_several(names, f"meta {name}", "metas")


def _collect_marked(authors: Authors, page: Page) -> None:
    """Add what is marked up as an author, anywhere on the page."""
    is_english = (page.attr(0, "lang") or "").startswith("en")
    for mark, selector in SELECTORS if is_english else SELECTORS + EAST_ASIAN_SELECTORS:
        for number, node in enumerate(page.select(selector)[:MOST_SELECTED]):
            text = make_readable(node.text[:SELECTED_CHARS])
            if text and len(text) <= LINE_CHARS:
                authors.add_name(text, mark, f"marked {mark}", "marked", *(() if number else ("marked first",)))


def _collect_rights(authors: Authors, page: Page) -> None:
    """Add the person who has the rights to the page, as its last lines say."""
    for text in page.block_texts[-RIGHTS_BLOCKS:]:
        if len(text) <= LINE_CHARS and ("©" in text or "opyright" in text) and (match := COPYRIGHT.search(text)):
            authors.add_name(match["name"], "text", "copyright")


def _collect_posters(authors: Authors, reading: PageReading) -> None:
    """Add who wrote the first posts of a thread, as the names and links of elements say."""
    page = reading.page
    start = page.owners[reading.headline] if reading.headline is not None else 0
    inside = [element >= start for element in range(len(page.tags))]
    seen: set[int] = set()
    for number, feature in enumerate(islice(find_authors(page, inside), MOST_POSTERS)):
        first = () if feature.strength in seen else (f"poster {feature.strength} first",)
        seen.add(feature.strength)
        authors.add_name(
            feature.value, "class", f"poster {feature.strength}", *first, *(() if number else ("poster first",))
        )
    for element, tag in enumerate(page.tags):
        if "-post" in tag and (name := page.attr(element, "author")):
            authors.add_name(name[:SELECTED_CHARS], "attribute", "poster item")
            break
        if tag == "meta" and page.attr(element, "itemprop") == "name":
            around = islice(climb(page.parents, page.parents[element]), 2)
            if any("author" in (page.attr(row, "itemprop") or "") for row in around):
                authors.add_name((page.attr(element, "content") or "")[:SELECTED_CHARS], "itemprop", "poster item")
                break
