"""Choose the selectors of title, authors and date: those whose value is what the method finds on nearly all pages."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.learn.studied import list_candidates, read_selector
from bonmun.metadata.authors.names import split_names
from bonmun.metadata.rule_values import read_rule_day
from bonmun.page.parse.ancestors import list_around
from bonmun.rules.find import list_values
from bonmun.rules.suggest import SPEAKING_TAGS
from bonmun.text.readable import tidy_metadata
from bonmun.text.words import is_same_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bonmun.learn.studied import StudiedPage

__all__ = ["VALUE_FIELDS", "LearnedValue", "choose_value"]

MIN_AGREEMENT = 0.9  # share of the pages with a value on which the selector finds the same
MIN_PAGES = 3
MIN_CONFIDENCE = 0.5  # of a value that has a vote; titles of methods have no confidence
MAX_CANDIDATES = 40
MAX_ELEMENTS = 12  # of a page that have the value
MAX_ABOVE = 2  # elements around the text of a value that are tried
MAX_BYLINE_CHARS = 30  # beside the name
MAX_DATE_CHARS = 60
CHARS_STEP = 8  # values whose lengths differ by less are equally good
META = "meta[{}='{}']@content"
DECLARED = {
    "title": (META.format("property", "og:title"),),
    "authors": (META.format("name", "author"), META.format("property", "article:author")),
    "date": (
        META.format("property", "article:published_time"),
        META.format("itemprop", "datePublished"),
        META.format("name", "date"),
        META.format("name", "pubdate"),
    ),
}
VALUE_FIELDS = tuple(DECLARED)


class LearnedValue(NamedTuple):
    """A selector of a field, and on how many of the pages that have a value it finds the same one."""

    selector: str | None
    right: int
    pages: int
    chars: int = 0  # length of what it finds on the first page, in steps: of a byline, the name and not the date


def choose_value(pages: Sequence[StudiedPage], field: str) -> LearnedValue | None:
    """Return the best selector of a field, or one without a selector if none agrees; None if few pages have a value."""
    read, is_same, find = FIELDS[field]
    values = [value for page in pages if (value := read(page))]
    having = [(page, value) for page in pages if (value := read(page))]
    if len(having) < MIN_PAGES:
        return None
    if field != "title" and len(having) < MIN_AGREEMENT * len(pages) / 2:
        return LearnedValue(None, 0, len(having))
    if len(set(values)) == 1 and field != "authors":  # the name of the site, or the day of the crawl
        return LearnedValue(None, 0, len(having))
    votes: Counter[str] = Counter()
    for page, value in having:
        votes.update(
            {text for row in islice(find(page, value), MAX_ELEMENTS) for text in _list_texts(page, row, field)}
        )
    voted = sorted((text for text in votes if votes[text] > 1), key=lambda text: (-votes[text], len(text), text))
    if field == "title":  # the element of the headline is no part of the text
        voted = [text for text in voted if not any(page.kept[page.mark(text)].any() for page, _ in having)]
    texts = [*voted[:MAX_CANDIDATES], *DECLARED[field]]
    found = [_measure(text, pages, having, is_same) for text in texts]
    best = min(found, key=lambda each: (-each.right, each.chars, _rank(each.selector or "")))
    return best if best.right >= MIN_AGREEMENT * len(having) else LearnedValue(None, best.right, len(having))


def _measure(
    text: str,
    pages: Sequence[StudiedPage],
    having: Sequence[tuple[StudiedPage, str]],
    is_same: Callable[[list[str], str], bool],
) -> LearnedValue:
    """Count the pages on which a selector finds the value; values where the method finds none count against it."""
    selector = read_selector(text)
    if selector is None:
        return LearnedValue(text, 0, len(having))
    right = sum(is_same(found, value) for page, value in having if (found := list_values(page.page, selector)))
    known = {id(page) for page, _ in having}
    extra = sum(bool(list_values(page.page, selector)) for page in pages if id(page) not in known)
    if extra > (1 - MIN_AGREEMENT) * len(pages):
        right = 0
    first = sum(map(len, list_values(having[0][0].page, selector)))
    is_attribute = text.endswith("@datetime")
    return LearnedValue(text, right, len(having), 0 if is_attribute else 1 + first // CHARS_STEP)


def _rank(text: str) -> tuple[bool, int, int, str]:
    """Return the order of selectors that are equally good: visible ones, few steps, few characters."""
    return text.startswith("meta["), len(text.split()), len(text), text


def _list_texts(page: StudiedPage, row: int, field: str) -> Iterator[str]:
    """Yield selectors of an element, with the attribute that holds a date."""
    ending = "@datetime" if field == "date" and page.page.attr(row, "datetime") else ""
    for text in list_candidates(page.page, row):
        yield f"{text}{ending}"


# --- title -------------------------------------------------------------------------------------------------------


def _read_title(page: StudiedPage) -> str | None:
    return page.doc.title


def _is_title(found: list[str], value: str) -> bool:
    return is_same_title(tidy_metadata(found[0]), value)


def _find_title(page: StudiedPage, value: str) -> Iterator[int]:
    for block in page.find_blocks(value):
        yield from _list_around(page, page.page.owners[block])


# --- authors -----------------------------------------------------------------------------------------------------


def _read_authors(page: StudiedPage) -> str | None:
    return "; ".join(page.doc.authors) if _is_confident(page, "author") else None


def _is_authors(found: list[str], value: str) -> bool:
    return {name for each in found for name in split_names(tidy_metadata(each), (), ())} == set(value.split("; "))


def _find_authors(page: StudiedPage, value: str) -> Iterator[int]:
    names = value.split("; ")
    for leaf, text in enumerate(page.page.texts):
        if any(name in text and len(text) <= len(name) + MAX_BYLINE_CHARS for name in names):
            yield from _list_around(page, page.page.leaf_elements[leaf])


# --- date --------------------------------------------------------------------------------------------------------


def _read_date(page: StudiedPage) -> str | None:
    return page.doc.date if _is_confident(page, "date") else None


def _is_date(found: list[str], value: str) -> bool:
    return next((str(day) for each in found if (day := read_rule_day(each, None))), "") == value


def _find_date(page: StudiedPage, value: str) -> Iterator[int]:
    for row in page.select("[datetime]"):
        if _is_date([page.page.attr(row, "datetime") or ""], value):
            yield row
    year = value[:4]
    for leaf, text in enumerate(page.page.texts):
        if len(text) <= MAX_DATE_CHARS and (year in text or year[2:] in text) and _is_date([text], value):
            yield from _list_around(page, page.page.leaf_elements[leaf])


def _is_confident(page: StudiedPage, name: str) -> bool:
    field = page.doc.metadata.fields.get(name)
    return field is not None and field.confidence >= MIN_CONFIDENCE


def _list_around(page: StudiedPage, row: int) -> Iterator[int]:
    """Yield an element and those around it that may have its name."""
    yield row
    for above in list_around(page.page.parents, row, MAX_ABOVE + 1)[1:]:
        if page.page.tags[above] not in SPEAKING_TAGS or page.page.tags[above] in ("h1", "time", "address"):
            yield above


FIELDS: dict[
    str,
    tuple[
        Callable[[StudiedPage], str | None],
        Callable[[list[str], str], bool],
        Callable[[StudiedPage, str], Iterator[int]],
    ],
] = {
    "title": (_read_title, _is_title, _find_title),
    "authors": (_read_authors, _is_authors, _find_authors),
    "date": (_read_date, _is_date, _find_date),
}
