"""Marks within a paragraph of Markdown in, the words that they mark out: emphasis, code, links, images, tags, escapes.

One pass from left to right. What may be closed later (a bracket, emphasis) is put on a stack with its place in what is
done so far; whatever closes it takes the mark out there. What is never closed stays as it is written.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["find_labels", "read_spans"]

LABEL_CHARS = 999  # of a label, at most (CommonMark 0.31, 4.7)
LABEL = re.compile(r"[ \t>]*+\[([^\[\]]+)\]:")
TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`++)"
    r"|(?P<formula>\$\$[^$]*\$\$|\$(?![\s$])[^$\n]*(?<!\s)\$(?!\d))"
    r"|(?P<note>\[\^[^\[\]\s]+\])"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\])"
    r"|(?P<emphasis>\*++|_++|~~++|==++)"
    r"|(?P<comment><!--)"
    r"|<(?P<address>[A-Za-z][\w+.-]*+:[^\s<>]*|[^\s<>@/]++@[^\s<>]++)>"
    r"|</?(?P<tag>[A-Za-z][A-Za-z\d-]*+)(?:[\s/][^<>]*)?>"
    r"|(?P<entity>&(?:[A-Za-z][A-Za-z\d]{1,31}|\#x?[\dA-Fa-f]{1,7});)"
    r"|(?P<line>\\?\n[ \t]*+)"
)
TICKS = re.compile("`+")
# Where a link leads, and what it says under the mouse.
TARGET = re.compile(
    r"\(\s*+(?:<[^<>\n]*>|(?:[^\s()\\]|\\.)*+(?:\((?:[^\s()\\]|\\.)*+\)(?:[^\s()\\]|\\.)*+)*+)"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\([^()]*+\)))?\s*+\)"
)
REFERENCE = re.compile(r"\[([^\[\]]*)\]")
# Tags that do not part words; all others do.
INLINE_TAGS = frozenset(
    "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr".split()
)


class _Open(NamedTuple):
    """A bracket that may start a link or an image."""

    at: int  # where it stands in what is done
    stop: int  # where it ends in the text
    is_image: bool


class _Mark:
    """Marks of emphasis in a row that others may close."""

    def __init__(self, at: int, left: int) -> None:
        self.at = at  # where they stand in what is done
        self.left = left  # how many nothing has closed


def find_labels(lines: Iterable[str]) -> frozenset[str]:
    """Find the labels of the footnotes, with their `^`, and of the links that some lines define."""
    found = (LABEL.match(line) for line in lines)
    return frozenset(_fold(mark[1]) for mark in found if mark)


def read_spans(text: str, labels: frozenset[str] = frozenset()) -> str:
    """Read a paragraph; a line break that readers see is one in the result."""
    return _SpanReader(text, labels).read()


class _SpanReader:
    """Reads one paragraph."""

    def __init__(self, text: str, labels: frozenset[str]) -> None:
        self.text = text
        self.labels = labels
        self.done: list[str] = []
        self.brackets: list[_Open] = []
        self.marks: dict[str, list[_Mark]] = {}
        self.ticks: dict[int, list[int]] | None = None  # where so many backticks stand in a row, last first
        self.has_comment_end = True  # until none is found

    def read(self) -> str:
        """Read it, from mark to mark."""
        place = 0
        while token := TOKEN.search(self.text, place):
            self.done.append(self.text[place : token.start()])
            place = self._read_token(token)
        self.done.append(self.text[place:])
        return "".join(self.done)

    def _read_token(self, token: re.Match[str]) -> int:
        """Read one mark; gives where to go on."""
        kind, mark, stop = token.lastgroup, token[0], token.end()
        if kind == "escape":
            self.done.append(mark[1])
        elif kind == "code":
            return self._read_code(token)
        elif kind == "note":
            self.done.append("" if _fold(mark[1:-1]) in self.labels else mark)
        elif kind == "open":
            self.brackets.append(_Open(len(self.done), stop, mark == "!["))
            self.done.append(mark)
        elif kind == "close":
            return self._close_bracket(token)
        elif kind == "emphasis":
            self._read_emphasis(token)
        elif kind == "comment":
            return self._skip_comment(token)
        elif kind == "tag":
            self.done.append("" if token["tag"].lower() in INLINE_TAGS else "\n")
        elif kind == "line":
            is_shown = mark[0] == "\\" or self.text.endswith("  ", 0, token.start())
            self.done.append("\n" if is_shown else " ")
        else:
            self.done.append({"address": token["address"], "entity": unescape(mark)}.get(kind or "") or mark)
        return stop

    def _read_code(self, token: re.Match[str]) -> int:
        """Read code up to as many backticks as it starts with; without these, they are no marks."""
        if self.ticks is None:
            self.ticks = {}
            for run in reversed(list(TICKS.finditer(self.text))):
                self.ticks.setdefault(len(run[0]), []).append(run.start())
        places = self.ticks.get(len(token[0]), [])
        while places and places[-1] <= token.start():
            places.pop()
        if not places:
            self.done.append(token[0])
            return token.end()
        self.done.append(self.text[token.end() : places[-1]].replace("\n", " "))
        return places[-1] + len(token[0])

    def _close_bracket(self, token: re.Match[str]) -> int:
        """Close a link or an image, if the bracket does so: the text of a link stays, nothing of an image does."""
        if not self.brackets:
            self.done.append("]")
            return token.end()
        opened = self.brackets.pop()
        stop = self._find_link_end(token, opened)
        if stop is None:
            self.done.append("]")
            return token.end()
        if opened.is_image:
            del self.done[opened.at :]
            for marks in self.marks.values():
                while marks and marks[-1].at >= opened.at:
                    marks.pop()
        else:
            self.done[opened.at] = ""
        return stop

    def _find_link_end(self, token: re.Match[str], opened: _Open) -> int | None:
        """Find where a link ends: after its target or its label; None if it is no link."""
        if target := TARGET.match(self.text, token.end()):
            return target.end()
        reference = REFERENCE.match(self.text, token.end())
        if reference and reference[1]:
            return reference.end() if _fold(reference[1]) in self.labels else None
        is_short = token.start() - opened.stop <= LABEL_CHARS
        if self.labels and is_short and _fold(self.text[opened.stop : token.start()]) in self.labels:
            return reference.end() if reference else token.end()
        return None

    def _read_emphasis(self, token: re.Match[str]) -> None:
        """Close emphasis with some marks, and open some with those that are left."""
        mark, sign = token[0], token[0][0]
        before = self.text[token.start() - 1] if token.start() else ""
        after = self.text[token.end() : token.end() + 1]
        opens, closes = _may_open(before, after), _may_open(after, before)
        if sign in "_=":  # not within a word
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        left = len(mark)
        waiting = self.marks.setdefault(sign, [])
        while closes and left and waiting:
            opened = waiting[-1]
            count = min(left, opened.left)
            left -= count
            opened.left -= count
            self.done[opened.at] = sign * opened.left
            if not opened.left:
                waiting.pop()
        if opens and left:
            waiting.append(_Mark(len(self.done), left))
        self.done.append(sign * left)

    def _skip_comment(self, token: re.Match[str]) -> int:
        end = self.text.find("-->", token.end()) if self.has_comment_end else -1
        if end >= 0:
            return end + len("-->")
        self.has_comment_end = False
        self.done.append(token[0])
        return token.end()


def _may_open(before: str, after: str) -> bool:
    """Whether marks between two characters, or an end of the text, may open emphasis ("left-flanking")."""
    if not after or after.isspace():
        return False
    return not _is_punctuation(after) or not before or before.isspace() or _is_punctuation(before)


def _is_punctuation(sign: str) -> bool:
    return category(sign)[0] in "PS"


def _fold(label: str) -> str:
    return " ".join(label.casefold().split())
