"""Candidates for the author: cleaned names, without those that are not names."""

from __future__ import annotations

import re

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.metadata.authors.bylines import RANK_AT_END, clean_name, cut_after_comma
from bonmun.metadata.candidates import Candidates
from bonmun.metadata.dates.months import MONTHS
from bonmun.metadata.scans import find_letters, fold_text
from bonmun.page.controls import is_control
from bonmun.text.patterns import compile_later

__all__ = ["Authors"]

# Texts that are not names, folded (see `fold_text`).
NOT_NAMES = frozenset(
    "discuzteamandcomsenzuiteam "  # declared by every page of the forum software Discuz!
    "admin administrator administrateur webmaster editor root user guest anonymous unknown author wordpress superuser "
    "by von par por 관리자 운영자 편집부 本站原创 原创 佚名 管理员 管理員 管理人 администратор none null 名前 "
    "この記事を書いた人 postedby writtenby abouttheauthor topicauthor readmore viewallposts share follow reply save "
    "search login signup contactus aboutus registereduser username member moderator name moreposts profile editorial "
    "seniormember newmember juniormember noauthor notavailable "
    # labels beside names: of tables, forms and buttons
    "message messages posted on in at date datum fecha data autor autorin auteur auteurs autore quelle source fuente "
    "fonte nachricht nachrichten tweet print drucken teilen learnmore more mehr guidelines comments kommentare "
    "끝 신고 공유 인쇄 목록 이전 다음 댓글 스크랩 추천 날짜 조회 조회수 제목 번호 시간 작성일 등록일 "
    "出典 来源 來源 日期 时间 時間 回复 回覆 分享 收藏 举报 编辑部 編輯部 編集部 社説 "
    "シェア ツイート ブックマーク コメント 日付 更新日 メール "
    # accounts of an editorial office and of programs
    "redaktion redaction rédaction redacción redazione redação redactie редакция undefined system name names tags tag "
    "prev previous next zurück weiter gast гость gość invité invitado facebook linkedin twitter mitglieder".split()
)
NAME_CHARS = 90  # maximum length of a name …
UNSPACED_CHARS = 4  # … minus this for each letter of a script that is written without spaces
# Ends of Japanese and Korean sentences.
SENTENCE_ENDS = ("ました", "ます", "です", "でした", "ません", "습니다", "입니다")
# How many comments there are, as a link below a headline says: "No Comments", "3 commentaires".
COUNTER = compile_later(
    r"(?:\d+|no|leave an?|add an?|aucun|pas de|keine?|sin|nessun|geen|inga|ingen|nenhum|brak)\s"
    r"(?:comments?|commentaires?|kommentare?r?|comentarios?|comentários?|commenti?|reacties?|komentarzy|replies|reply|views?)",
    re.I,
)
# A time of day, or a label of something else before a colon: "Sat, 20 Dec - 06:36", "Quelle: dpa".
NO_NAME = compile_later(r"\d:\d\d|^(?:quelle|source|fuente|fonte|foto|photo|bild|image|credits?|crédits?)s?\s?:", re.I)
# Words in lower case within names of people.
PARTICLES = frozenset(
    "de del della di da do dos das du van von der den ter la le el al bin ibn zu zum af av y e i und".split()
)
ACCOUNT_ENDS = (" admin", " administrator", " webmaster")  # of names of accounts, in lower case
# A day without a year: "Feb 11".
DAY = compile_later(r"[^\W\d_]{3,9}\.? \d{1,2}")
PROTECTED = "email protected"  # what a service shows instead of an address
MIN_SENTENCE_WORDS = 4  # words of a sentence, most of them in lower case
# Letters of scripts that are written without spaces, in which a sentence has fewer letters.
UNSPACED = compile_later(r"[\u3040-\u30ff\u3400-\u9fff]")


class Authors(Candidates[str]):
    """Candidates for the author. Names that differ only in case, punctuation, word order or rank are the same."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[list[str]] = []  # names that the page lists together
        self._read: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {}  # cache by text: most texts are repeated

    def add_name(self, text: str, source: str, *features: str) -> None:
        """Add the name in a text, if it contains one.

        If the name contains a comma, the part before it is a second candidate: "Ann Lee, Staff Writer".
        """
        read = self._read.get(text)
        if read is None:
            read = self._read[text] = _read_name(text)
        for key, name, further in read:
            if name or key in self:
                self.add(key, name, source, (*features, *further))

    def add_group(self, names: list[str], source: str, *features: str) -> None:
        """Add names that the page lists together as one candidate."""
        key, name, further = _make_key(", ".join(map(clean_name, names)), "several")
        if name or key in self:
            self.add(key, name, source, (*features, *further))
        self.groups.append(names)


def _read_name(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return key, name and features of each name that a text may contain."""
    if DAY.fullmatch(text) and text.partition(" ")[0].rstrip(".").lower() in MONTHS:
        return []
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
    """Return key, name and features; the name is "" if it is not a name."""
    words = find_letters((name if name.isascii() else RANK_AT_END.sub("", name)).casefold())
    key = " ".join(sorted(words))
    return key, name if key and _may_be_name(name) else "", features


def _may_be_name(name: str) -> bool:
    max_chars = NAME_CHARS if name.isascii() else NAME_CHARS - UNSPACED_CHARS * len(UNSPACED.findall(name))
    if name.count(",") > 1:
        max_chars = MAX_METADATA_CHARS
    return (
        len(name) <= max_chars
        and fold_text(name) not in NOT_NAMES
        and not name.startswith(("Copyright", "©"))
        and not name.endswith((*SENTENCE_ENDS, ":", "："))
        and not COUNTER.fullmatch(name)
        and not name.lower().endswith(ACCOUNT_ENDS)
        and PROTECTED not in name
        and not _is_sentence(name)
        and not (":" in name and NO_NAME.search(name))
        and not is_control(name)
    )


def _is_sentence(name: str) -> bool:
    """Whether a text is a phrase, such as "focusing on the best": most of its words start with a small letter."""
    words = name.split()
    if len(words) < MIN_SENTENCE_WORDS or "," in name:
        return False
    small = sum(word[0].islower() and word.lower() not in PARTICLES for word in words)
    return 2 * small > len(words)
