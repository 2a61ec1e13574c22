"""Features of the candidates for the author. The shipped weights are trained on these feature names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.authors.common_names import may_be_person
from bonmun.metadata.scans import find_letters, fold_text
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate

__all__ = [
    "AROUND_HEADLINE",
    "AROUND_TEXT_END",
    "AROUND_TEXT_START",
    "LABEL_WORDS",
    "RIGHT_AFTER",
    "describe_authors",
    "describe_place",
    "is_organization",
]

AROUND_HEADLINE, AROUND_TEXT_START, AROUND_TEXT_END = (-3, 12), (-8, 4), (-4, 6)  # blocks: first, and after the last
RIGHT_AFTER = 3  # blocks after the headline
MIN_SITE_NAME_CHARS = 5  # a shorter site name is part of too many names
MANY_WORDS = 6  # names with more words are mostly sentences
SOURCE_GROUPS = {"rel": "marked", "itemprop": "marked", "class": "marked"}  # others: the first four letters of a source
INTERACTIONS = [  # features whose weight depends on the kind of page
    (feature, f"{feature}, article", f"{feature}, forum")
    for feature in ("meta", "ld main", "marked", "marked user", "byline")
]
SHOWN = frozenset(
    {
        "byline",
        "byline within",
        "bare name",
        "name in a line",
        "marked",
        "marked leaf",
        "byline leaf",
        "last line",
        "user name",
        "listed",
    }
)
TITLE_CHARS = 500  # characters of a title or a URL that are read
SAMPLE_BLOCKS, SAMPLE_CHARS = 20, 3000
# Words of menus and headings, which are rare in names.
LABEL_WORDS = frozenset(
    "read more contact us about sign up in out share your our my get started free learn policy privacy related news "
    "best top guide how to the for and with of what why all view see home blog buy shop now new latest popular "
    "recent posts post articles article page pages video videos photo photos image images credit source update "
    "updated published posted subscribe newsletter follow copy link email print save comment comments menu search "
    "log login register account cart services service products product solutions resources support help center "
    "company careers press events event category categories tags topics table contents content overview summary "
    "introduction conclusion features pricing demo try today download app terms use cookies skip main close open "
    "next previous back watch listen podcast business technology health science politics sports culture travel food "
    "world local national opinion review reviews data digital marketing management software design development "
    "security cloud online media social web site website january february march april may june july august "
    "september october november december monday tuesday wednesday thursday friday saturday sunday north south east "
    "west america united states york google facebook twitter instagram linkedin youtube whatsapp mehr lesen weitere "
    "informationen startseite artikel teilen drucken voir plus lire partager accueil ver más leer inicio compartir "
    "artículos di leggi condividi".split()
)
DIGIT = compile_later(r"\d")
PLACES = frozenset({"near title", "before text", "after text"})
# Words in names of newspapers, agencies, companies and accounts of an editorial office, and ends of such names.
ORGANIZATION_WORDS = frozenset(
    "team staff admin editor editors editorial redaktion redaction rédaction redacción redazione redação redactie news "
    "newsroom times post herald tribune gazette daily magazine journal press agency agentur agence zeitung nachrichten "
    "blatt group inc inc. ltd ltd. llc gmbh ag corp corp. company institute university department ministry association "
    "foundation society редакция новости".split()
)
ORGANIZATION_ENDS = (
    *"신문 뉴스 일보 방송 재단 협회 편집부".split(),
    *"编辑部 編集部 編輯部 株式会社 公司 研究所 协会 協会 日报 日報 新闻 新聞 网 網 通讯社".split(),
)
TITLE_BREAK = compile_later(r"[|_–—｜:：]|-(?=\s)")


def is_organization(name: str) -> bool:
    """Whether a name is that of a newspaper, a company or an editorial office."""
    return not ORGANIZATION_WORDS.isdisjoint(name.lower().split()) or name.endswith(ORGANIZATION_ENDS)


def describe_place(row: int, reading: PageReading) -> list[str]:
    """Return the place of a block, as features: near the headline, before or after the text."""
    headline, first, last = reading.headline, reading.first, reading.last
    features = []
    if headline is not None and AROUND_HEADLINE[0] <= row - headline < AROUND_HEADLINE[1]:
        features.append("near title")
        if 0 < row - headline <= RIGHT_AFTER:
            features.append("right after title")
    if first is not None and AROUND_TEXT_START[0] <= row - first <= 0:
        features.append("before text")
    elif last is not None and row >= last + AROUND_TEXT_END[0]:
        features.append("after text")
        if row > last:
            features.append("outside text")
    return features


def describe_authors(authors: Candidates[str], reading: PageReading, groups: Sequence[Sequence[str]]) -> None:
    """Add the features of every candidate; `groups` are names that the page lists together."""
    padded_keys = [f" {key} " for key in authors]
    long_site_names = [name for name in reading.site_names if len(name) >= MIN_SITE_NAME_CHARS]
    pieces = TITLE_BREAK.split(reading.page.head_title[:TITLE_CHARS])
    title_end = fold_text(pieces[-1]) if len(pieces) > 1 else ""
    host = fold_text((reading.page.likely_url or "")[:TITLE_CHARS].partition("//")[2].partition("/")[0])
    sample = ""
    headline = "" if reading.headline is None else fold_text(reading.page.block_texts[reading.headline][:TITLE_CHARS])
    on_articles, on_threads = (reading.page_kinds.get(kind, 0.0) for kind in ("article", "forum"))
    has_byline = any("byline" in author.features for author in authors.values())
    grouped = {fold_text(name) for names in groups for name in names}
    for padded_key, author in zip(padded_keys, authors.values(), strict=True):
        features, folded, words = author.features, fold_text(author.value), find_letters(author.value)
        features["site"] = folded in reading.site_names
        features["named in site"] = any(map(folded.__contains__, long_site_names))
        features["in another"] = sum([padded_key in other for other in padded_keys]) > 1
        features["ends the title"] = bool(folded) and folded in title_end
        features["person"] = may_be_person(author.value)
        features["in the host"] = len(folded) >= MIN_SITE_NAME_CHARS and folded in host
        features["one of several"] = folded in grouped
        features["another is bylined"] = has_byline and "byline" not in features
        features["not shown"] = SHOWN.isdisjoint(features)
        features["marked elsewhere"] = "marked" in features and PLACES.isdisjoint(features)
        features["organization"] = is_organization(author.value)
        features["in the headline"] = len(folded) >= MIN_SITE_NAME_CHARS and folded in headline
        if "bare name" in features or "name in a line" in features:
            sample = sample or _read_sample(reading)
            _describe_words(features, words, sample)
        _describe_shape(features, author.value, words)
        _describe_agreement(author)
        for feature, on_article, on_thread in INTERACTIONS:
            if feature in features:
                features[on_article] = on_articles
                features[on_thread] = on_threads
        features.update(reading.page_kinds)
    for names in groups:
        _describe_group(authors, names)


def _describe_group(authors: Candidates[str], names: Sequence[str]) -> None:
    """Add to the candidate of a group whether readers see all of its names, or more than one."""
    folded = [fold_text(name) for name in names]
    seen = {fold_text(author.value) for author in authors.values() if not author.features["not shown"]}
    whole = "".join(folded)
    for author in authors.values():
        if fold_text(author.value) == whole:
            author.features["all are shown"] = seen.issuperset(folded)
            author.features["some are shown"] = len(seen.intersection(folded)) > 1


def _read_sample(reading: PageReading) -> str:
    """Return the start of the text, which shows the words that are written in lower case."""
    first = reading.first or 0
    return " ".join(reading.page.block_texts[first : first + SAMPLE_BLOCKS])[:SAMPLE_CHARS]


def _describe_words(features: dict[str, float], words: list[str], sample: str) -> None:
    """Add whether the words of a line are common words rather than names."""
    words = [word for word in words if len(word) > 1]
    features["label words"] = any(word.casefold() in LABEL_WORDS for word in words)
    features["lower in text"] = sum([f" {word.lower()}" in sample for word in words]) / max(len(words), 1)


def _describe_shape(features: dict[str, float], name: str, words: list[str]) -> None:
    """Add number of words, case and punctuation."""
    count = len(words)
    if count == 1:
        features["one word"] = name.isascii()
    elif 2 <= count <= 3:
        features["two or three words"] = 1.0
    elif count > MANY_WORDS:
        features["many words"] = 1.0
    if all(word[0].isupper() or not word.isascii() for word in words):
        features["capitals"] = 1.0
    if "," in name:
        features["comma"] = 1.0
    if DIGIT.search(name):
        features["digits"] = 1.0
    if ":" in name or name.endswith((".", "?", "!", "…")):
        features["sentence"] = 1.0


def _describe_agreement(author: Candidate) -> None:
    """Add in how many ways the author was found; the text does not count."""
    if len(author.sources) > 1:
        ways = {SOURCE_GROUPS.get(source, source[:4]) for source in author.sources}
        count = len(ways - {"text"})
        author.features["two ways"] = count == 2
        author.features["three ways"] = count > 2
