"""Features of the candidates for the date. The shipped weights are trained on these feature names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.metadata.page_reading import LINE_CHARS
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.dates.url_dates import UrlDay
    from bonmun.metadata.page_reading import PageReading
    from bonmun.page import Page

__all__ = [
    "DATE_LINE_CHARS",
    "describe_dates",
    "describe_element",
    "describe_shown",
    "describe_time",
    "says_published",
    "says_updated",
]

BLOCKS_RIGHT_AFTER = 5  # after the headline, or after the text
CLASS_CHARS = 200  # characters of a class attribute that are read
BLOCKS_BEFORE_HEADLINE, BLOCKS_NEAR = 6, 14  # "near" is up to 14 blocks after the headline, or before the text
DATE_LINE_CHARS = 60  # longer lines contain more than a date
CHARS_BEFORE = 40  # of the block before, which may name the kind of date
MANY_DAYS = 6  # pages with more dates are mostly listings
WAYS = frozenset({"ld", "meta", "time", "shown", "url"})  # first words of the features that name a source
CLASS_CACHE_SIZE = 1_000  # class attributes
LEVELS = 6  # ancestors that are searched for teasers and sidebars, the element included
SIDE_TAGS = {"aside": "at the side", "nav": "at the side", "footer": "at the side", "li": "in a list", "a": "in a link"}
# Class names of elements about other pages.
TEASER = compile_later(
    r"relat|teaser|card|recommend|sidebar|widget|comment|popular|latest|trending|more-|similar|carousel"
)
INTERACTION_KINDS = ("article", "forum", "documentation")  # kinds of pages that change the weight of other features
# Words for "updated" and for "published" in a dozen languages.
says_updated = WordFinder(
    ("updat", "modif", "edit", "aktualisier", "mis à jour", "actualiz", "обнов", "수정", "更新", "최종")
).holds
says_published = WordFinder(
    tuple("publi post veröffentl erstellt опублик 입력 등록 작성 게시 发布 發布 公開 掲載 投稿 duyệt đăng نشر".split())
).holds
# Words for the day on which a text first appeared, beside that of a change.
says_first = WordFinder(
    (
        *("originally", "first published", "erstmals", "ursprünglich", "initialement", "originalmente"),
        *("최초", "初出", "首发", "首發"),
    )
).holds
# Words for the day on which a member joined, and labels of dates.
says_joined = WordFinder(
    (
        *("joined", "registriert", "registered", "member since", "mitglied seit", "dabei seit", "inscrit"),
        *("miembro desde", "가입", "注册", "註冊", "登録日", "регистрация"),
    )
).holds
DATE_LABEL = compile_later(
    r"\W*(?:date|datum|fecha|data|дата|날짜|작성일|등록일|게시일|日期|日付|時間|时间|公開日|掲載日|投稿日|التاريخ|stand)\W*",
    re.I,
)
LABEL_CHARS = 12  # maximum length of a label
# A time of day: "14:05", "14시 05".
CLOCK = compile_later(r"(?<![\d:])[012]?\d\s?[:시時点h]\s?[0-5]\d(?!\d)")
# Class names of dates.
names_date = WordFinder(("date", "time", "publish", "posted", "byline", "meta", "info", "when", "stamp")).holds


def describe_time(names: str, *, has_pubdate: bool) -> list[str]:
    """Return features of a `<time>` element, given its class and itemprop in lower case."""
    features = []
    if "publish" in names or "pubdate" in names or has_pubdate:
        features.append("time published")
    if "modif" in names or "updat" in names:
        features.append("time modified")
    return features


def describe_element(reading: PageReading, element: int, row: int, way: str) -> list[str]:
    """Return the place of an element as features: near the headline, in the text, in a sidebar, in a teaser.

    `row` is the block after the element, and `way` the first word of the features.
    """
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
    around = list_around(page.parents, element, LEVELS)
    for each, names in zip(around, page.attrs(around, "class"), strict=True):
        if side := SIDE_TAGS.get(page.tags[each]):
            features.append(f"{way} {side}")
        if names and _is_teaser(names[:CLASS_CHARS]):
            features.append(f"{way} in a teaser")
    return features


@lru_cache(CLASS_CACHE_SIZE)
def _is_teaser(names: str) -> bool:
    """Whether a class attribute is that of a teaser of another page."""
    return TEASER.search(names.lower()) is not None


def describe_shown(reading: PageReading, row: int, text: str, words: str, *, is_first: bool) -> list[str]:
    """Return features of a visible date: the words around it, and the class names of its elements."""
    page = reading.page
    if is_first and row:
        words = f"{page.block_texts[row - 1][-CHARS_BEFORE:]} {words}"
    names = _read_names(page, row)
    features = {
        "shown": True,
        "shown after another": not is_first,
        "shown in a line": len(text) > DATE_LINE_CHARS,
        "shown in a paragraph": len(text) > LINE_CHARS,
        "shown with a time": CLOCK.search(text),
        "says published": says_published(words),
        "says updated": says_updated(words),
        "says first": says_first(words),
        "named date": bool(names) and names_date(names),
        "named published": "publish" in names or "pubdate" in names or "regdate" in names,
        "named updated": "updat" in names or "modif" in names,
        "says joined": says_joined(words),
        "labelled date": _is_labelled(page, row),
        "in the headline": row == reading.headline,
    }
    return [feature for feature, is_present in features.items() if is_present]


def _is_labelled(page: Page, row: int) -> bool:
    """Whether the block before is a label such as "Date:"."""
    before = page.block_texts[row - 1] if row else ""
    return len(before) <= LABEL_CHARS and DATE_LABEL.fullmatch(before) is not None


def _read_names(page: Page, row: int) -> str:
    """Return the classes and itemprops of a block, and of the elements of its leaves with a year, in small letters."""
    elements = {page.owners[row]}
    elements.update(
        page.leaf_elements[leaf] for leaf in range(page.starts[row], page.stops[row]) if "20" in page.texts[leaf]
    )
    found = page.attrs(elements, "class") + page.attrs(elements, "itemprop")
    return " ".join(filter(None, found)).lower()


def describe_dates(dates: Candidates[date], reading: PageReading, url: UrlDay) -> None:
    """Add the features of every candidate."""
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
        features["published and changed"] = is_published and ("ld modified" in features or "meta modified" in features)
        features["another is published"] = len(declared) > 1 and features["published and changed"]
        features["in the URL and shown"] = "url" in features and "shown near title" in features
        features["a day after another"] = day.toordinal() - 1 in numbers
        features["a day before another"] = day.toordinal() + 1 in numbers
        features.update(_describe_order(day, days))
        features.update(_describe_ways(features))
        features.update(_describe_page_kind(features, reading))


def _describe_order(day: date, days: list[date]) -> dict[str, float]:
    """Return the rank of a day among all candidates, as features."""
    return {
        "earliest": day == days[0],
        "latest": day == days[-1],
        "alone": len(days) == 1,
        "many": len(days) > MANY_DAYS,
    }


def _describe_ways(features: Mapping[str, float]) -> dict[str, float]:
    """Return in how many ways a day was found and whether readers see it, as features."""
    count = len(WAYS & {feature.partition(" ")[0] for feature in features})
    return {
        "two ways": count == 2,
        "three ways": count > 2,
        "declared only": "shown" not in features and "time" not in features,
    }


def _describe_page_kind(features: Mapping[str, float], reading: PageReading) -> dict[str, float]:
    """Return the kind of page, and its interactions with other features."""
    page_kinds = reading.page_kinds
    more: dict[str, float] = {}
    is_shown, is_declared = "shown" in features, "ld main" in features or "meta" in features
    for kind in INTERACTION_KINDS:
        if is_shown:
            more[f"shown, {kind}"] = page_kinds.get(kind, 0.0)
        if "says updated" in features:
            more[f"updated, {kind}"] = page_kinds.get(kind, 0.0)
        if is_declared:
            more[f"declared, {kind}"] = page_kinds.get(kind, 0.0)
    if reading.is_thread:
        more["first of a thread"] = "shown first" in features
        more["earliest of a thread"] = features["earliest"]
    more.update(page_kinds)
    return more
