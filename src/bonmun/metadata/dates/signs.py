"""What speaks for and against each candidate for the date: features by name, which the weights are fitted to."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.page_reading import LINE_CHARS
from bonmun.page.parse.ancestors import climb
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.dates.url_dates import UrlDay
    from bonmun.metadata.page_reading import PageReading
    from bonmun.page import Page

__all__ = ["DATE_LINE_CHARS", "describe_dates", "describe_element", "describe_shown", "describe_time"]

BLOCKS_RIGHT_AFTER = 5  # the headline, or the text
NAMES_CHARS = 200  # of a class
BLOCKS_BEFORE_HEADLINE, BLOCKS_NEAR = 6, 14  # the second after the headline, or before the text
DATE_LINE_CHARS = 60  # a line of more says more than the date
CHARS_BEFORE = 40  # of the block before, which may say what kind of date it is
MANY_DAYS = 6  # a page with more is mostly a listing
WAYS = frozenset(
    {"ld", "meta", "time", "shown", "url"}
)  # the first words of the features that say where a day was found
CLASSES_KEPT = 1_000  # class attributes of which it is known what they say
LEVELS = 6  # from an element up, that say whether it stands in a teaser or at the side
SIDE_TAGS = {"aside": "at the side", "nav": "at the side", "footer": "at the side", "li": "in a list", "a": "in a link"}
# Names of elements that lead to other pages.
TEASER = compile_later(
    r"relat|teaser|card|recommend|sidebar|widget|comment|popular|latest|trending|more-|similar|carousel"
)
CROSSED_KINDS = ("article", "forum", "documentation")  # of pages, on which places say more or less
# Words for changing a page, and for publishing one, in a dozen languages.
UPDATED_WORDS = "updat|modif|edit|aktualisier|mis à jour|actualiz|обнов|수정|更新|최종".split("|")
PUBLISHED_WORDS = (
    "publi|post|veröffentl|erstellt|опублик|입력|등록|작성|게시|发布|發布|公開|掲載|投稿|duyệt|đăng|نشر".split("|")
)
# A time of day: "14:05", "14시 05".
CLOCK = compile_later(r"(?<![\d:])[012]?\d\s?[:시時点h]\s?[0-5]\d(?!\d)")
DATE_NAMES = ("date", "time", "publish", "posted", "byline", "meta", "info", "when", "stamp")  # in classes


def describe_time(names: str, *, has_pubdate: bool) -> list[str]:
    """What the class and itemprop of a `<time>`, in lower case, say of its day."""
    features = []
    if "publish" in names or "pubdate" in names or has_pubdate:
        features.append("time published")
    if "modif" in names or "updat" in names:
        features.append("time modified")
    return features


def describe_element(reading: PageReading, element: int, row: int, way: str) -> list[str]:
    """Where an element stands, before the block of a row: near the headline, in the text, at the side, in a teaser."""
    first, last, headline = reading.first, reading.last, reading.headline
    features = []
    if headline is not None and -BLOCKS_BEFORE_HEADLINE <= row - headline <= BLOCKS_NEAR:
        features.append(f"{way} near title")
        if 0 <= row - headline <= BLOCKS_RIGHT_AFTER:
            features.append(f"{way} right after title")
    if first is not None and last is not None:
        if -BLOCKS_NEAR <= row - first <= 1:
            features.append(f"{way} before text")
        elif row > last:
            features.append(f"{way} after text" if row - last <= BLOCKS_RIGHT_AFTER else f"{way} far after text")
        elif row > first:
            features.append(f"{way} in text")
    page = reading.page
    tags = page.tags
    for around in islice(climb(page.parents, element), LEVELS):
        if side := SIDE_TAGS.get(tags[around]):
            features.append(f"{way} {side}")
        if (names := page.attr(around, "class")) and _says_teaser(names[:NAMES_CHARS]):
            features.append(f"{way} in a teaser")
    return features


@lru_cache(CLASSES_KEPT)
def _says_teaser(names: str) -> bool:
    """Whether a class says that an element leads to other pages."""
    return TEASER.search(names.lower()) is not None


def describe_shown(reading: PageReading, row: int, text: str, words: str, *, is_first: bool) -> list[str]:
    """What speaks for a day that readers see in a block: the words around it, and the names of elements."""
    page = reading.page
    if is_first and row:
        words = f"{page.block_texts[row - 1][-CHARS_BEFORE:]} {words}"
    words = words.lower()
    names = " ".join(_find_names(page, row)).lower()
    features = {
        "shown": True,
        "shown after another": not is_first,
        "shown in a line": len(text) > DATE_LINE_CHARS,
        "shown in a paragraph": len(text) > LINE_CHARS,
        "shown with a time": CLOCK.search(text),
        "says published": any(word in words for word in PUBLISHED_WORDS),
        "says updated": any(word in words for word in UPDATED_WORDS),
        "named date": any(name in names for name in DATE_NAMES),
        "named published": "publish" in names or "pubdate" in names or "regdate" in names,
        "named updated": "updat" in names or "modif" in names,
    }
    return [feature for feature, there in features.items() if there]


def _find_names(page: Page, row: int) -> Iterator[str]:
    """The class and itemprop of a block, and of what in it has a year."""
    elements = {page.owners[row]}
    elements.update(
        page.leaf_elements[leaf] for leaf in range(page.starts[row], page.stops[row]) if "20" in page.texts[leaf]
    )
    for element in sorted(elements):
        yield page.attr(element, "class") or ""
        yield page.attr(element, "itemprop") or ""


def describe_dates(dates: Candidates[date], reading: PageReading, url: UrlDay) -> None:
    """Add to each day what speaks for and against it."""
    is_updated = any("says updated" in candidate.features for candidate in dates.values())
    declared = {
        day for day, candidate in dates.items() if "ld main" in candidate.features or "meta" in candidate.features
    }
    days = sorted(dates)
    numbers = {day.toordinal() for day in days}
    count_near = sum("shown near title" in candidate.features for candidate in dates.values())
    for day, candidate in dates.items():
        features = candidate.features
        features["alone near title"] = count_near == 1 and "shown near title" in features
        features["another is updated"] = is_updated and "says updated" not in features
        features["month of the URL"] = (day.year, day.month) == url.month
        features["another is declared"] = bool(declared) and day not in declared
        is_published = "ld main" in features or "meta" in features
        is_modified = not is_published and ("ld modified" in features or "meta modified" in features)
        features["changed and shown"] = is_modified and (
            "shown near title" in features or "time near title" in features
        )
        features["in the URL and shown"] = "url" in features and "shown near title" in features
        features["a day after another"] = day.toordinal() - 1 in numbers
        features["a day before another"] = day.toordinal() + 1 in numbers
        features.update(_describe_order(day, days))
        features.update(_describe_ways(features))
        features.update(_describe_page_kind(features, reading))


def _describe_order(day: date, days: list[date]) -> dict[str, float]:
    """Where a day stands among all that were found, the earliest first."""
    return {
        "earliest": day == days[0],
        "latest": day == days[-1],
        "alone": len(days) == 1,
        "many": len(days) > MANY_DAYS,
    }


def _describe_ways(features: Mapping[str, float]) -> dict[str, float]:
    """In how many ways a day was found, and whether readers see it."""
    count = len(WAYS & {feature.partition(" ")[0] for feature in features})
    return {
        "two ways": count == 2,
        "three ways": count > 2,
        "declared only": "shown" not in features and "time" not in features,
    }


def _describe_page_kind(features: Mapping[str, float], reading: PageReading) -> dict[str, float]:
    """What kind of page it is, and what that means for where the day was found."""
    page_kinds = reading.page_kinds
    more: dict[str, float] = {}
    is_shown, is_declared = "shown" in features, "ld main" in features or "meta" in features
    for kind in CROSSED_KINDS:
        if is_shown:
            more[f"shown, {kind}"] = page_kinds.get(kind, 0.0)
        if is_declared:
            more[f"declared, {kind}"] = page_kinds.get(kind, 0.0)
    if reading.is_thread:
        more["first of a thread"] = "shown first" in features
        more["earliest of a thread"] = features["earliest"]
    more.update(page_kinds)
    return more
