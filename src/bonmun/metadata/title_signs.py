"""What speaks for and against each candidate for the title: signs by name, which the weights are fitted to.

A candidate is compared by its key, which is its text folded (see `fold_text`), and so is what it is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bonmun.metadata.reading import WORD, fold_text
from bonmun.metadata.title_pieces import TITLE_CHARS, has_break

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.reading import Reading

__all__ = ["TitleContext", "describe_heading_place", "describe_titles"]

BLOCKS_BEFORE_TEXT, BLOCKS_AFTER_START = 12, 3  # a headline stands so near the text's first block
START_BLOCKS, START_CHARS = 4, 800  # of the text that a title is compared with
USUAL_CHARS, USUAL_WORDS, MOST_TIMES = 60, 10, 2.0  # sizes are given in these, up to so many times as much
TINY_CHARS, SHORT_CHARS, LONG_CHARS = 4, 8, 120
SITE_IN_TITLE_CHARS = 4  # a site's name of fewer characters is found in too many titles
PART_CHARS = 6  # and so is a heading of fewer


@dataclass(slots=True)
class TitleContext:
    """What the titles of a page are compared with."""

    head_title: str  # what <title> says
    og_title: str
    host: str
    home: float  # 1 for a home page, else 0
    slug: set[str]  # words of the URL
    start: str  # of the text, in lower case
    h1_keys: list[str]  # titles that stand in an <h1>
    part_keys: list[str]  # those of them that are long enough to be looked for within a title
    lower_keys: list[str]  # titles that stand in an <h2> or <h3>
    own_h1_count: int  # titles that stand in an <h1> that is no link
    site_names: set[str]  # what the site is called
    long_site_names: list[str]  # names that are long enough to be looked for within a title
    page_kinds: dict[str, float]  # how likely each kind of page is

    @classmethod
    def find(cls, titles: Candidates[str], reading: Reading, head_title: str, og_title: str) -> TitleContext:
        """Find what a page has to compare its titles with."""
        host, home, slug = _read_url(reading.page.url)
        h1_keys = [key for key, title in titles.items() if "at h1" in title.signs]
        return cls(
            head_title=head_title,
            og_title=og_title,
            host=host,
            home=home,
            slug=slug,
            start=_read_start(reading),
            h1_keys=h1_keys,
            part_keys=[key for key in h1_keys if len(key) >= PART_CHARS],
            lower_keys=[key for key, title in titles.items() if "at h2" in title.signs or "at h3" in title.signs],
            own_h1_count=sum("h1" in titles[key].signs for key in h1_keys),
            site_names=reading.site_names,
            long_site_names=[name for name in reading.site_names if len(name) >= SITE_IN_TITLE_CHARS],
            page_kinds=reading.page_kinds,
        )


def describe_titles(titles: Candidates[str], words: Mapping[str, set[str]], context: TitleContext) -> None:
    """Add to each title what speaks for and against it; `words` has the words of each by its key."""
    for key, title in titles.items():
        signs = title.signs
        signs.update(_describe_agreement(key, context))
        signs.update(_describe_words(words[key], context))
        signs.update(_describe_shape(title.value, len(key), len(words[key])))
        signs.update(_describe_site(key, context))
        signs.update(_describe_headings(key, "h1" in signs, context))
        signs.update(context.page_kinds)


def describe_heading_place(row: int, first: int | None) -> dict[str, float]:
    """Where a heading stands, if it is known where the text starts."""
    if first is None:
        return {}
    return {
        "just before text": 0 <= first - row <= BLOCKS_BEFORE_TEXT,
        "after text": row > first + BLOCKS_AFTER_START,
    }


def _read_url(url: str | None) -> tuple[str, float, set[str]]:
    """The host, folded; 1 if it is a home page; and the words of the last part of the path that has several."""
    host, _, path = (url or "").partition("//")[2].partition("?")[0].partition("/")
    slug: set[str] = set()
    steps = [step for step in unquote(path[:TITLE_CHARS]).casefold().split("/") if step]
    for step in reversed(steps):
        words = {word for word in WORD.findall(step.partition(".")[0]) if len(word) > 1 and not word.isdigit()}
        slug = slug or words
        if len(words) > 1:
            slug = words
            break
    return fold_text(host.removeprefix("www.")), float(bool(url) and not steps), slug


def _read_start(reading: Reading) -> str:
    """What the text starts with."""
    if reading.first is None:
        return ""
    texts = reading.page.block_texts[reading.first : reading.first + START_BLOCKS]
    return " ".join(texts)[:START_CHARS].casefold()


def _describe_agreement(key: str, context: TitleContext) -> dict[str, float]:
    """Whether `<title>` and og:title say it, too, and how much of them it is."""
    signs: dict[str, float] = {}
    if key in context.head_title:
        signs["in title"] = 1.0
        signs["starts title"] = context.head_title.startswith(key)
        signs["share of title"] = len(key) / len(context.head_title)
    if key in context.og_title:
        signs["in og"] = 1.0
        signs["share of og"] = len(key) / len(context.og_title)
    return signs


def _describe_words(words: set[str], context: TitleContext) -> dict[str, float]:
    """How many of its words the URL and the start of the text have."""
    shared = len(words & context.slug)
    return {
        "in slug": shared / len(words),
        "slug in it": shared / len(context.slug) if context.slug else 0.0,
        "in text": sum([word in context.start for word in words]) / len(words),
    }


def _describe_shape(value: str, size: int, word_count: int) -> dict[str, float]:
    """What it looks like; `size` is the number of its letters and digits."""
    return {
        "size": min(size / USUAL_CHARS, MOST_TIMES),
        "words": min(word_count / USUAL_WORDS, MOST_TIMES),
        "one word": word_count == 1,
        "short": size < SHORT_CHARS,
        "tiny": size < TINY_CHARS,
        "long": size > LONG_CHARS,
        "capitals": value.isupper(),
        "comma": "," in value,
        "sentence": value.endswith((".", "!", "?")),
        "cut": value.endswith(("…", "...")),
        "holds break": has_break(value),
    }


def _describe_site(key: str, context: TitleContext) -> dict[str, float]:
    """Whether it is the site's name or holds it, and whether the page is the site's home page."""
    return {
        "home": context.home,
        "site": key in context.site_names or (len(key) >= SITE_IN_TITLE_CHARS and key in context.host),
        "has site": any(name in key and name != key for name in context.long_site_names),
    }


def _describe_headings(key: str, is_h1: bool, context: TitleContext) -> dict[str, float]:
    """Whether it is the only `<h1>`, and whether headings say the same with more or less around it."""
    signs: dict[str, float] = {
        "no h1": not context.own_h1_count,
        "longer one shown": any(key in other and key != other for other in context.h1_keys),
        "shorter one shown": any(other in key and key != other for other in context.part_keys),
        "in a lower heading": any(key in other and key != other for other in context.lower_keys),
    }
    if is_h1:
        signs["only h1"] = context.own_h1_count == 1
        signs["several h1"] = context.own_h1_count > 2
    return signs
