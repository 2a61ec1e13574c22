"""What speaks for and against each candidate for the title: features by name, which the weights are fitted to.

A candidate is compared by its key, which is its text folded (see `fold_text`), and so is what it is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bonmun.metadata.declared import clean_value, read_type
from bonmun.metadata.page_reading import SITE_NAME_CHARS
from bonmun.metadata.scans import find_words, fold_text
from bonmun.metadata.titles.pieces import TITLE_CHARS, cut_known_site, has_break

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.page_reading import PageReading

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
    headline: str  # what JSON-LD says
    head_words: set[str]  # of <title>
    host: str
    home: float  # 1 for a home page, else 0
    slug: set[str]  # words of the URL
    start: str  # of the text, in lower case
    said: dict[str, bool]  # whether that holds a word
    site_names: set[str]  # what the site is called
    long_site_names: list[str]  # names that are long enough to be looked for within a title
    page_kinds: dict[str, float]  # how likely each kind of page is
    news: float  # 1 if it says that it is news, else 0
    h1_keys: list[str] = field(default_factory=list)  # titles that stand in an <h1>
    part_keys: list[str] = field(default_factory=list)  # those that are long enough to be looked for within a title
    lower_keys: list[str] = field(default_factory=list)  # titles that stand in an <h2> or <h3>
    site_pieces: dict[str, bool] = field(default_factory=dict)  # whether a piece of a title is the site's name
    own_h1_count: int = 0  # titles that stand in an <h1> that is no link

    @classmethod
    def find(cls, reading: PageReading, head_title: str, og_title: str, head_words: set[str]) -> TitleContext:
        """Find what a page has to compare its titles with."""
        host, home, slug = _read_url(reading.page.url)
        labels = (reading.page.url or "").partition("//")[2].partition("/")[0].split(".")[:-1]
        site_names = reading.site_names | {fold_text(label) for label in labels if len(label) >= SITE_IN_TITLE_CHARS}
        return cls(
            head_title=head_title,
            og_title=og_title,
            headline=fold_text(clean_value(reading.declared.main.get("headline"))),
            head_words=head_words,
            host=host,
            home=home,
            slug=slug,
            start=_read_start(reading),
            said={},
            site_names=site_names,
            long_site_names=[name for name in site_names if len(name) >= SITE_IN_TITLE_CHARS],
            page_kinds=reading.page_kinds,
            news=float("news" in read_type(reading.declared.main)),
        )

    def compare_headings(self, titles: Candidates[str]) -> None:
        """Remember which of the titles are headings, too."""
        self.h1_keys = [key for key, title in titles.items() if "at h1" in title.features]
        self.part_keys = [key for key in self.h1_keys if len(key) >= PART_CHARS]
        self.lower_keys = [
            key for key, title in titles.items() if "at h2" in title.features or "at h3" in title.features
        ]
        self.own_h1_count = sum("h1" in titles[key].features for key in self.h1_keys)

    def is_site(self, key: str) -> bool:
        """Whether this is what the site is called."""
        return key in self.site_names or (len(key) >= SITE_IN_TITLE_CHARS and key in self.host)

    def find_rest(self, key: str) -> str:
        """What stands beside a title in `<title>`: all but it; nothing if it stands at no end of it."""
        head = self.head_title
        rest = head.removeprefix(key) if head.startswith(key) else head.removesuffix(key)
        return "" if rest == head else rest

    def is_beside_declared(self, key: str) -> bool:
        """Whether the rest of `<title>` is what the page declares as its title, and not the site's name."""
        rest = self.find_rest(key)
        return bool(rest) and rest in (self.og_title, self.headline) and not self.is_site(rest)

    def cut_site(self, title: str) -> str:
        """What is left of a title without the site's name at one of its ends; nothing if there is none."""
        rest = cut_known_site(title, self._is_site_piece)
        return rest if rest != title else ""

    def _is_site_piece(self, piece: str) -> bool:
        known = self.site_pieces.get(piece)
        if known is None:
            known = len(piece) <= SITE_NAME_CHARS and self.is_site(fold_text(piece))
            self.site_pieces[piece] = known
        return known


def describe_titles(titles: Candidates[str], words: Mapping[str, set[str]], context: TitleContext) -> None:
    """Add to each title what speaks for and against it; `words` has the words of each by its key."""
    for key, title in titles.items():
        features = title.features
        _describe_agreement(features, key, context)
        _describe_words(features, words[key], context)
        _describe_shape(features, title.value, len(key), len(words[key]))
        _describe_site(features, key, title.value, context)
        _describe_headings(features, key, context)
        features.update(context.page_kinds)


def describe_heading_place(features: dict[str, float], row: int, first: int | None) -> None:
    """Where a heading stands, if it is known where the text starts."""
    if first is not None:
        features["just before text"] = 0 <= first - row <= BLOCKS_BEFORE_TEXT
        features["after text"] = row > first + BLOCKS_AFTER_START


def _read_url(url: str | None) -> tuple[str, float, set[str]]:
    """The host, folded; 1 if it is a home page; and the words of the last part of the path that has several."""
    host, _, path = (url or "").partition("//")[2].partition("?")[0].partition("/")
    slug: set[str] = set()
    steps = [step for step in unquote(path[:TITLE_CHARS]).casefold().split("/") if step]
    for step in reversed(steps):
        words = {word for word in find_words(step.partition(".")[0]) if len(word) > 1 and not word.isdigit()}
        slug = slug or words
        if len(words) > 1:
            slug = words
            break
    return fold_text(host.removeprefix("www.")), float(bool(url) and not steps), slug


def _read_start(reading: PageReading) -> str:
    """What the text starts with."""
    if reading.first is None:
        return ""
    texts = reading.page.block_texts[reading.first : reading.first + START_BLOCKS]
    return " ".join(texts)[:START_CHARS].casefold()


def _describe_agreement(features: dict[str, float], key: str, context: TitleContext) -> None:
    """Whether `<title>` and og:title say it, too, and how much of them it is."""
    head, og_title = context.head_title, context.og_title
    if key in head:
        features["in title"] = 1.0
        features["share of title"] = len(key) / len(head)
        if head.startswith(key):
            features["starts title"] = 1.0
        if head.endswith(key):
            features["ends title"] = 1.0
        if rest := context.find_rest(key):
            _describe_rest(features, rest, context)
    if key in og_title:
        features["in og"] = 1.0
        features["share of og"] = len(key) / len(og_title)
    elif og_title:
        if key.endswith(og_title):
            features["ends with og"] = 1.0
        if key.startswith(og_title):
            features["starts with og"] = 1.0


def _describe_rest(features: dict[str, float], rest: str, context: TitleContext) -> None:
    """What stands beside it in `<title>`: the site's name, or a heading."""
    if context.is_site(rest):
        features["beside site"] = 1.0
    if rest in context.h1_keys:
        features["beside h1"] = 1.0
    if rest in context.lower_keys:
        features["beside lower heading"] = 1.0


def _describe_words(features: dict[str, float], words: set[str], context: TitleContext) -> None:
    """How many of its words the URL and the start of the text have."""
    count, start, said = len(words), context.start, context.said
    for word in words:
        if word not in said:
            said[word] = word in start
    if shared := len(words & context.slug):
        features["in slug"] = shared / count
        features["slug in it"] = shared / len(context.slug)
    features["shared with title"] = len(words & context.head_words) / count
    features["in text"] = sum([said[word] for word in words]) / count


def _describe_shape(features: dict[str, float], value: str, size: int, word_count: int) -> None:
    """What it looks like; `size` is the number of its letters and digits."""
    features["size"] = min(size / USUAL_CHARS, MOST_TIMES)
    features["words"] = min(word_count / USUAL_WORDS, MOST_TIMES)
    if word_count == 1:
        features["one word"] = 1.0
    if size < SHORT_CHARS:
        features["short"] = 1.0
        if size < TINY_CHARS:
            features["tiny"] = 1.0
    elif size > LONG_CHARS:
        features["long"] = 1.0
    if value.isupper():
        features["capitals"] = 1.0
    if "," in value:
        features["comma"] = 1.0
    if value.endswith((".", "!", "?")):
        features["sentence"] = 1.0
    if value.endswith(("…", "...")):
        features["cut"] = 1.0
    if has_break(value):
        features["holds break"] = 1.0
    if "|" in value or "｜" in value:
        features["holds bar"] = 1.0


def _describe_site(features: dict[str, float], key: str, value: str, context: TitleContext) -> None:
    """Whether it is the site's name or holds it, and whether the page is the site's home page."""
    features["home"] = context.home
    features["news"] = context.news
    if context.is_site(key):
        features["site"] = 1.0
    if context.cut_site(value):
        features["site at an end"] = 1.0
    for name in context.long_site_names:
        if name in key and name != key:
            features["has site"] = 1.0
            break


def _describe_headings(features: dict[str, float], key: str, context: TitleContext) -> None:
    """Whether it is the only `<h1>`, and whether headings say the same with more or less around it."""
    if not context.own_h1_count:
        features["no h1"] = 1.0
    elif "h1" in features:
        features["only h1"] = context.own_h1_count == 1
        features["several h1"] = context.own_h1_count > 2
    for other in context.h1_keys:
        if key in other and key != other:
            features["longer one shown"] = 1.0
    for other in context.part_keys:
        if other in key and key != other:
            features["shorter one shown"] = 1.0
    for other in context.lower_keys:
        if key in other and key != other:
            features["in a lower heading"] = 1.0
