"""The names of those who may have written a page: each is there once, cleaned, and nobody's are left out."""

from __future__ import annotations

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.metadata.authors.bylines import RANK_AT_END, clean_name, cut_after_comma
from bonmun.metadata.authors.signs import LETTERS
from bonmun.metadata.candidates import Candidates
from bonmun.metadata.scans import fold_text
from bonmun.text.patterns import compile_later

__all__ = ["Authors"]

# What is no name, without blanks.
NOBODY = frozenset(
    "discuzteamandcomsenzuiteam "  # in the head of every page of that forum software
    "admin administrator administrateur webmaster editor root user guest anonymous unknown author wordpress superuser "
    "by von par por 관리자 운영자 편집부 本站原创 原创 佚名 管理员 管理員 管理人 администратор none null 名前 "
    "この記事を書いた人 postedby writtenby abouttheauthor topicauthor readmore viewallposts share follow reply save "
    "search login signup contactus aboutus registereduser username member moderator name moreposts profile editorial "
    "seniormember newmember juniormember".split()
)
NAME_CHARS = 90  # of a name
UNSPACED_WEIGHT = 4  # how much shorter a name must be for each letter of a script without blanks
# Letters of scripts that are written without blanks, in which fewer are a sentence.
UNSPACED = compile_later(r"[\u3040-\u30ff\u3400-\u9fff]")


class Authors(Candidates[str]):
    """Names; those that differ in case, punctuation, the order of words and a reporter's rank alone are the same."""

    def __init__(self) -> None:
        super().__init__()
        self.several: list[list[str]] = []  # names that the page gives together
        self._read: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {}  # texts, of which most come again

    def add_name(self, text: str, source: str, *features: str) -> None:
        """Add who may be the author, without what stands around the name, unless it is nobody.

        Where a comma follows a name, what stands before it may be all of it: "Ann Lee, Staff Writer".
        """
        read = self._read.get(text)
        if read is None:
            read = self._read[text] = _read_name(text)
        for key, name, further in read:
            if name or key in self:
                self.add(key, name, source, (*features, *further))

    def add_several(self, names: list[str], source: str, *features: str) -> None:
        """Add names that the page gives together."""
        key, name, further = _make_key(", ".join(map(clean_name, names)), "several")
        if name or key in self:
            self.add(key, name, source, (*features, *further))
        self.several.append(names)


def _read_name(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The names that a text may be: their keys, themselves, and what is to be said of them."""
    name = clean_name(text)
    cut = cut_after_comma(name) if "," in name else None
    if not cut:
        return [_make_key(name)]
    before, has_occupation = cut
    if not has_occupation:
        return [_make_key(name), _make_key(before, "cut at a comma")]
    return [
        _make_key(name, "ends in an occupation"),
        _make_key(before, "cut at a comma", "cut before an occupation"),
    ]


def _make_key(name: str, *features: str) -> tuple[str, str, tuple[str, ...]]:
    """What a name is compared by; no name where it is nobody's."""
    words = LETTERS.findall((name if name.isascii() else RANK_AT_END.sub("", name)).casefold())
    key = " ".join(sorted(words))
    return key, name if key and not _is_nobody(name) else "", features


def _is_nobody(name: str) -> bool:
    most = NAME_CHARS if name.isascii() else NAME_CHARS - UNSPACED_WEIGHT * len(UNSPACED.findall(name))
    if name.count(",") > 1:
        most = MAX_METADATA_CHARS
    return len(name) > most or fold_text(name) in NOBODY or name.startswith(("Copyright", "©"))
