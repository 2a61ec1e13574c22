"""Convert the inline Markdown of a paragraph to plain text: emphasis, code, links, images, tags, escapes.

One pass from left to right. An opening bracket or emphasis marker goes on a stack with its place in the output so far.
The closing counterpart removes it there. Markers that are never closed stay in the text.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["find_labels", "read_spans"]

MAX_LABEL_CHARS = 999  # CommonMark 0.31, 4.7
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
    r"|<(?P<autolink>[A-Za-z][\w+.-]*+:[^\s<>]*|[^\s<>@/]++@[^\s<>]++)>"
    r"|</?(?P<tag>[A-Za-z][A-Za-z\d-]*+)(?:[\s/][^<>]*)?>"
    r"|(?P<entity>&(?:[A-Za-z][A-Za-z\d]{1,31}|\#x?[\dA-Fa-f]{1,7});)"
    r"|(?P<line>\\?\n[ \t]*+)"
)
TICKS = re.compile("`+")
# The target of a link, and its title.
TARGET = re.compile(
    r"\(\s*+(?:<[^<>\n]*>|(?:[^\s()\\]|\\.)*+(?:\((?:[^\s()\\]|\\.)*+\)(?:[^\s()\\]|\\.)*+)*+)"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\([^()]*+\)))?\s*+\)"
)
REFERENCE = re.compile(r"\[([^\[\]]*)\]")
# Tags that do not separate words; all others do.
INLINE_TAGS = frozenset(
    "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr".split()
)


class _OpenBracket(NamedTuple):
    """A bracket that may start a link or an image."""

    at: int  # its place in the output
    stop: int  # its end in the input
    is_image: bool


class _EmphasisRun:
    """A run of emphasis markers that may be closed later."""

    def __init__(self, at: int, left: int) -> None:
        self.at = at  # its place in the output
        self.left = left  # number of markers that are not closed yet


def find_labels(lines: Iterable[str]) -> frozenset[str]:
    """Find the labels of all link definitions and of all footnotes; the latter keep their `^`."""
    found = (LABEL.match(line) for line in lines)
    return frozenset(_fold(mark[1]) for mark in found if mark)


def read_spans(text: str, labels: frozenset[str] = frozenset()) -> str:
    """Convert a paragraph to plain text; only hard line breaks stay line breaks."""
    return _SpanReader(text, labels).read()


class _SpanReader:
    """Reads the inline Markdown of one paragraph."""

    def __init__(self, text: str, labels: frozenset[str]) -> None:
        self.text = text
        self.labels = labels
        self.done: list[str] = []
        self.brackets: list[_OpenBracket] = []
        self.marks: dict[str, list[_EmphasisRun]] = {}
        self.ticks: dict[int, list[int]] | None = None  # places of backtick runs by their length, last first
        self.has_comment_end = True  # until a search finds none

    def read(self) -> str:
        """Return the paragraph as plain text."""
        place = 0
        while token := TOKEN.search(self.text, place):
            self.done.append(self.text[place : token.start()])
            place = self._read_token(token)
        self.done.append(self.text[place:])
        return "".join(self.done)

    def _read_token(self, token: re.Match[str]) -> int:
        """Read one token; return where to continue."""
        kind, mark, stop = token.lastgroup, token[0], token.end()
        if kind == "escape":
            self.done.append(mark[1])
        elif kind == "code":
            return self._read_code(token)
        elif kind == "note":
            self.done.append("" if _fold(mark[1:-1]) in self.labels else mark)
        elif kind == "open":
            self.brackets.append(_OpenBracket(len(self.done), stop, mark == "!["))
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
            self.done.append({"autolink": token["autolink"], "entity": unescape(mark)}.get(kind or "") or mark)
        return stop

    def _read_code(self, token: re.Match[str]) -> int:
        """Read a code span up to a closing run of backticks of the same length; without one, the backticks are text."""
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
        """Close a link or an image if the bracket ends one. The text of a link stays; an image is removed."""
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

    def _find_link_end(self, token: re.Match[str], opened: _OpenBracket) -> int | None:
        """Find the end of a link, after its target or its label; None if it is not a link."""
        if target := TARGET.match(self.text, token.end()):
            return target.end()
        reference = REFERENCE.match(self.text, token.end())
        if reference and reference[1]:
            return reference.end() if _fold(reference[1]) in self.labels else None
        is_short = token.start() - opened.stop <= MAX_LABEL_CHARS
        if self.labels and is_short and _fold(self.text[opened.stop : token.start()]) in self.labels:
            return reference.end() if reference else token.end()
        return None

    def _read_emphasis(self, token: re.Match[str]) -> None:
        """Close open emphasis with a run of markers, and open emphasis with the markers that are left."""
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
            waiting.append(_EmphasisRun(len(self.done), left))
        self.done.append(sign * left)

    def _skip_comment(self, token: re.Match[str]) -> int:
        end = self.text.find("-->", token.end()) if self.has_comment_end else -1
        if end >= 0:
            return end + len("-->")
        self.has_comment_end = False
        self.done.append(token[0])
        return token.end()


def _may_open(before: str, after: str) -> bool:
    """Whether markers between two characters may open emphasis ("left-flanking"); "" is an end of the text."""
    if not after or after.isspace():
        return False
    return not _is_punctuation(after) or not before or before.isspace() or _is_punctuation(before)


def _is_punctuation(sign: str) -> bool:
    return category(sign)[0] in "PS"


def _fold(label: str) -> str:
    return " ".join(label.casefold().split())
