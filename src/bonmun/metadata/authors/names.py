"""Split a byline into the names of its authors, without ranks and labels.

"Lars Fischer und Ann Lee" are two people, "Department of Trade and Industry" is one office: a byline is split where all
of its parts look like names of people.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.authors.bylines import OCCUPATION, RANK_AT_END, clean_name, cut_after_comma
from bonmun.metadata.scans import fold_text
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

__all__ = ["find_listed_names", "is_person", "split_names"]

MAX_NAMES = 100
MAX_NAME_WORDS = 5
# What separates the names of a byline: marks always, words if names of people are on both sides. Spaces are single.
MARKS = compile_later(" ?[;；、] ?")
WORDS = compile_later(",? (?:and|und|et|y|e|och|og|en|i|и|&) | ?[,，&/／|] ?| [-–] ", re.I)
# Korean and Chinese names beside each other: "홍길동·김철수", "张三 李四".
BESIDE = compile_later(" ?[·ㆍ・,，/／] ?| ")
BESIDE_MARKS = compile_later(" ?[·ㆍ・,，/／] ?")
EAST_ASIAN_NAME = compile_later(r"[가-힣]{2,4}|[\u3400-\u9fff]{2,4}|[\u3400-\u9fff]{1,3} [\u3400-\u9fff]{1,3}")
# A Latin, Greek or Cyrillic name: words with capitals, particles, initials.
NAME_WORD = r"(?:d[aeiou]s?|del|della|van|von|der|den|ter|la|le|el|al|bin|ibn|zu|af|av|y|[^\W\d_a-zß-ÿ][\w.'’-]*)"
PERSON = compile_later(rf"{NAME_WORD}(?: {NAME_WORD}){{1,5}}")
# "Lee, Ann" and "Lee, A. B.": a family name before a given name.
FAMILY_FIRST = compile_later(r"(?P<family>[^\W\d_][\w'’-]+), (?P<given>[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*)?)")
# A newspaper before a Korean reporter: "머니S한아름 기자".
LATIN_BEFORE = compile_later(r"^[가-힣]{0,8}[A-Za-z]+(?=[가-힣]{2,4}$)")
# A newspaper between a Korean name and the rank: "홍길동 MK스포츠 기자".
PAPER_AFTER = compile_later(r"^([가-힣]{2,4}) [가-힣]{0,8}[A-Za-z][A-Za-z가-힣]{0,12}$")
# Between the names of a list, and marks of footnotes after a name.
LIST_BREAK = compile_later(r"[,;]|\b(?:and|und|et)\b|&")
FOOTNOTE_MARKS = "0123456789*†‡§¶∗. "
# What a person does, beside the name: "Ann Lee, Head of Marketing", "Ann Lee Senior Staff Writer".
POSITION = compile_later(r" ?(?:head|chief|vice|vp|senior|lead|chair\w{0,5}|owner|partner|co-founder)\b", re.I)
WRITER_AFTER = compile_later(
    r"^(?P<name>\S+ \S+(?: \S+)?) (?:senior|staff|chief|contributing|associate|managing|deputy|guest|special) "
    r"(?:\S+ ){0,3}(?:reporter|writer|editor|correspondent|columnist|contributor|producer|analyst)$",
    re.I,
)
LABELS = ("사용자 ", "작성자 ", "글쓴이 ", "記者 ", "记者 ")  # before a name
RANKS = ("記者", "记者")  # after a name


def split_names(
    byline: str, groups: Sequence[Sequence[str]], site_names: Container[str], language: str | None = None
) -> tuple[str, ...]:
    """Return the names in a byline.

    Args:
        byline: The chosen byline, cleaned.
        groups: Lists of names that the page declares. If the byline is one of them, its names are known.
        site_names: Names of the site, folded. They are dropped before and beside the names of people.
        language: Language of the page. In Japanese, a space is between the family name and the given name.
    """
    parts = _find_group(byline, groups) or _split(byline, BESIDE_MARKS if language == "ja" else BESIDE)
    names = [_clean_part(part, site_names) for part in parts]
    people = [name for name in names if fold_text(name) not in site_names and not OCCUPATION.search(name)]
    has_person = any(map(is_person, people))
    return tuple(dict.fromkeys(people if has_person else filter(None, names)))[:MAX_NAMES]


def find_listed_names(line: str) -> list[str]:
    """Return the names of a line that lists people, such as "Ann Lee1, Bo Kim2 and Cy Roe*"; else an empty list."""
    first = LIST_BREAK.search(line)
    if first and (name := line[: first.start()].rstrip(FOOTNOTE_MARKS).strip()) and not PERSON.fullmatch(name):
        return []  # most lines
    parts = [part.rstrip(FOOTNOTE_MARKS).strip() for part in LIST_BREAK.split(line)]
    parts = [part for part in parts if part]
    return parts if all(map(PERSON.fullmatch, parts)) else []


def _find_group(byline: str, groups: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of the declared list that is the byline, or that starts with it; empty if there is none."""
    whole = fold_text(byline)
    for names in groups:
        cleaned = [clean_name(name) for name in names]
        is_first = whole == fold_text(cleaned[0]) and all(map(is_person, cleaned))
        if is_first or whole == fold_text(", ".join(cleaned)):
            return cleaned
    return []


def _split(byline: str, beside: re.Pattern[str]) -> list[str]:
    """Return the parts of a byline, or the whole byline."""
    parts = [part for part in MARKS.split(byline) if part]
    if len(parts) > 1:
        return parts
    if FAMILY_FIRST.fullmatch(byline):
        return [byline]
    parts = [part for part in WORDS.split(byline) if part]
    if len(parts) > 1 and all(is_person(part[:1].upper() + part[1:]) for part in parts):
        return parts
    if "," in byline and (cut := cut_after_comma(byline)) and is_person(cut[0]):
        after = byline.partition(",")[2]
        return [cut[0]] if cut[1] or POSITION.match(after) else [byline]
    without = RANK_AT_END.sub("", byline)
    parts = [RANK_AT_END.sub("", part) for part in beside.split(without) if part]
    parts = [part for part in parts if part]
    return parts if len(parts) > 1 and all(map(EAST_ASIAN_NAME.fullmatch, parts)) else [byline]


def is_person(name: str) -> bool:
    """Whether a name looks like that of a person."""
    is_western = PERSON.fullmatch(name) or FAMILY_FIRST.fullmatch(name)
    return bool(is_western or EAST_ASIAN_NAME.fullmatch(name)) and len(name.split()) <= MAX_NAME_WORDS


def _clean_part(name: str, site_names: Container[str]) -> str:
    """Return one name without rank, label and newspaper, the given name first."""
    if (match := FAMILY_FIRST.fullmatch(name)) and fold_text(match["family"]) not in site_names:
        name = f"{match['given']} {match['family']}"
    if match := WRITER_AFTER.match(name):
        name = match["name"]
    if name.isascii():
        return name.strip()
    for label in LABELS:
        name = name.removeprefix(label)
    without = RANK_AT_END.sub("", name)
    for rank in RANKS:
        without = without.removesuffix(rank)
    if without != name:
        without = LATIN_BEFORE.sub("", without)
        without = PAPER_AFTER.sub(r"\1", without)
        before, _, last = without.rpartition(" ")
        if fold_text(before) in site_names:
            without = last
    return without.strip() or name.strip()
