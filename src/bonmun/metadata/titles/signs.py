"""Features of the candidates for the title. The shipped weights are trained on these feature names.

Candidates and what they are compared with are folded (see `fold_text`); a candidate's folded text is its key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bonmun.metadata.declared import clean_value, read_type
from bonmun.metadata.page_reading import SITE_NAME_CHARS
from bonmun.metadata.scans import find_words, fold_text
from bonmun.metadata.titles.pieces import TITLE_CHARS, cut_known_site, has_separator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.page_reading import PageReading

__all__ = ["TitleContext", "describe_heading_place", "describe_titles"]

BLOCKS_BEFORE_TEXT, BLOCKS_AFTER_START = 12, 3  # maximum distance of a headline from the first block of the text
START_BLOCKS, START_CHARS = 4, 800  # of the text, that a title is compared with
TYPICAL_CHARS, TYPICAL_WORDS = 60, 10  # sizes of titles are relative to these …
MAX_SIZE_RATIO = 2.0  # … up to this ratio
TINY_CHARS, SHORT_CHARS, LONG_CHARS = 4, 8, 120
MIN_SITE_NAME_CHARS = 4  # a shorter site name is part of too many titles
MIN_HEADING_CHARS = 6  # and so is a shorter heading


@dataclass(slots=True)
class TitleContext:
    """What the candidates for the title are compared with."""

    head_title: str  # <title>
    og_title: str
    headline: str  # of JSON-LD
    head_words: set[str]  # words of <title>
    host: str
    home: float  # 1 for a home page, else 0
    slug: set[str]  # words of the URL
    start: str  # start of the main text, case-folded
    site_names: set[str]
    long_site_names: list[str]  # site names that are long enough to be searched for in a title
    page_kinds: dict[str, float]  # probability of each kind of page
    news: float  # 1 if the page declares to be news, else 0
    h1_keys: list[str] = field(default_factory=list)  # candidates in an <h1>
    long_h1_keys: list[str] = field(default_factory=list)  # those that are long enough to be searched for in a title
    lower_keys: list[str] = field(default_factory=list)  # candidates in an <h2> or <h3>
    site_pieces: dict[str, bool] = field(default_factory=dict)  # cache: whether a part of a title is a site name
    own_h1_count: int = 0  # candidates in an <h1> that is not a link

    @classmethod
    def find(cls, reading: PageReading, head_title: str, og_title: str, head_words: set[str]) -> TitleContext:
        """Collect the context from a page; the titles are keys."""
        host, home, slug = _read_url(reading.page.likely_url)
        labels = (reading.page.likely_url or "").partition("//")[2].partition("/")[0].split(".")[:-1]
        site_names = reading.site_names | {fold_text(label) for label in labels if len(label) >= MIN_SITE_NAME_CHARS}
        return cls(
            head_title=head_title,
            og_title=og_title,
            headline=fold_text(clean_value(reading.declared.main.get("headline"))),
            head_words=head_words,
            host=host,
            home=home,
            slug=slug,
            start=_read_start(reading),
            site_names=site_names,
            long_site_names=[name for name in site_names if len(name) >= MIN_SITE_NAME_CHARS],
            page_kinds=reading.page_kinds,
            news=float("news" in read_type(reading.declared.main)),
        )

    def compare_headings(self, titles: Candidates[str]) -> None:
        """Set the keys of the candidates that are headings."""
        self.h1_keys = [key for key, title in titles.items() if "at h1" in title.features]
        self.long_h1_keys = [key for key in self.h1_keys if len(key) >= MIN_HEADING_CHARS]
        self.lower_keys = [
            key for key, title in titles.items() if "at h2" in title.features or "at h3" in title.features
        ]
        self.own_h1_count = sum("h1" in titles[key].features for key in self.h1_keys)

    def is_site(self, key: str) -> bool:
        """Whether a key is a name of the site."""
        return key in self.site_names or (len(key) >= MIN_SITE_NAME_CHARS and key in self.host)

    def find_rest(self, key: str) -> str:
        """Return the rest of `<title>` if it starts or ends with the key, else ""."""
        head = self.head_title
        rest = head.removeprefix(key) if head.startswith(key) else head.removesuffix(key)
        return "" if rest == head else rest

    def is_beside_declared(self, key: str) -> bool:
        """Whether the rest of `<title>` is the title that the page declares, and not the name of the site."""
        rest = self.find_rest(key)
        return bool(rest) and rest in (self.og_title, self.headline) and not self.is_site(rest)

    def cut_site(self, title: str) -> str:
        """Return a title without the name of the site at its ends, or "" if there is none to cut."""
        rest = cut_known_site(title, self._is_site_piece)
        return rest if rest != title else ""

    def _is_site_piece(self, piece: str) -> bool:
        known = self.site_pieces.get(piece)
        if known is None:
            known = len(piece) <= SITE_NAME_CHARS and self.is_site(fold_text(piece))
            self.site_pieces[piece] = known
        return known


def describe_titles(titles: Candidates[str], words: Mapping[str, set[str]], context: TitleContext) -> None:
    """Add the features of every candidate; `words` are the words of each by its key."""
    known = {word for key in titles for word in words[key]}
    in_start = {word for word in known if word in context.start}
    for key, title in titles.items():
        features = title.features
        _describe_agreement(features, key, context)
        _describe_words(features, words[key], in_start, context)
        _describe_shape(features, title.value, len(key), len(words[key]))
        _describe_site(features, key, title.value, context)
        _describe_headings(features, key, context)
        features.update(context.page_kinds)


def describe_heading_place(features: dict[str, float], row: int, first: int | None) -> None:
    """Add the position of a heading relative to the start of the text, if that is known."""
    if first is not None:
        features["just before text"] = 0 <= first - row <= BLOCKS_BEFORE_TEXT
        features["after text"] = row > first + BLOCKS_AFTER_START


def _read_url(url: str | None) -> tuple[str, float, set[str]]:
    """Return the folded host, 1.0 for a home page, and the words of the last path segment with several words."""
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
    """Return the start of the main text, case-folded."""
    if reading.first is None:
        return ""
    texts = reading.page.block_texts[reading.first : reading.first + START_BLOCKS]
    return " ".join(texts)[:START_CHARS].casefold()


def _describe_agreement(features: dict[str, float], key: str, context: TitleContext) -> None:
    """Add whether `<title>` and og:title contain the candidate, and how much of them it is."""
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
    """Add whether the rest of `<title>` is the name of the site or a heading."""
    if context.is_site(rest):
        features["beside site"] = 1.0
    if rest in context.h1_keys:
        features["beside h1"] = 1.0
    if rest in context.lower_keys:
        features["beside lower heading"] = 1.0


def _describe_words(features: dict[str, float], words: set[str], in_start: set[str], context: TitleContext) -> None:
    """Add how many of its words are in the URL, in `<title>` and at the start of the text."""
    count = len(words)
    if shared := len(words & context.slug):
        features["in slug"] = shared / count
        features["slug in it"] = shared / len(context.slug)
    features["shared with title"] = len(words & context.head_words) / count
    features["in text"] = len(words & in_start) / count


def _describe_shape(features: dict[str, float], value: str, size: int, word_count: int) -> None:
    """Add length, case and punctuation; `size` is the number of letters and digits."""
    features["size"] = min(size / TYPICAL_CHARS, MAX_SIZE_RATIO)
    features["words"] = min(word_count / TYPICAL_WORDS, MAX_SIZE_RATIO)
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
    if has_separator(value):
        features["holds break"] = 1.0
    if "|" in value or "｜" in value:
        features["holds bar"] = 1.0


def _describe_site(features: dict[str, float], key: str, value: str, context: TitleContext) -> None:
    """Add whether the candidate is or contains the name of the site, and whether the page is a home page or news."""
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
    """Add whether it is the only `<h1>`, and whether other headings contain it or are contained in it."""
    if not context.own_h1_count:
        features["no h1"] = 1.0
    elif "h1" in features:
        features["only h1"] = context.own_h1_count == 1
        features["several h1"] = context.own_h1_count > 2
    for other in context.h1_keys:
        if key in other and key != other:
            features["longer one shown"] = 1.0
    for other in context.long_h1_keys:
        if other in key and key != other:
            features["shorter one shown"] = 1.0
    for other in context.lower_keys:
        if key in other and key != other:
            features["in a lower heading"] = 1.0
