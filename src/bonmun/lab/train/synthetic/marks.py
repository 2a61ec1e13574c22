"""Marks in synthetic pages around what is gold; they are removed at the end.

So every part of a page is a plain string of HTML, and parts can be combined freely.
"""

from __future__ import annotations

import re
from html import unescape

from bonmun.lab.gold.examples import Example

__all__ = ["comment", "keep", "make_example"]

# Private-use characters, which no synthetic page contains.
KEPT, KEPT_END, COMMENT, COMMENT_END = "\ue000", "\ue001", "\ue002", "\ue003"
MARKS = str.maketrans("", "", KEPT + KEPT_END + COMMENT + COMMENT_END)
BREAK = re.compile(r"<br[ /]*>|</(?:p|div|li|tr|td|dd|dt)>")
TAG = re.compile(r"<[^<>]*>")


def keep(html: str) -> str:
    """Mark text with inline markup and line breaks as main text."""
    return f"{KEPT}{html}{KEPT_END}"


def comment(html: str) -> str:
    """Mark a reader's comment."""
    return f"{COMMENT}{html}{COMMENT_END}"


def make_example(name: str, html: str, lang: str, kind: str) -> Example:
    """Make an example of a marked page; its name consists of its set and a number."""
    page = html.translate(MARKS)
    comments = _read(html, COMMENT, COMMENT_END)
    return Example(
        name,
        page,
        _read(html, KEPT, KEPT_END),
        lang=lang,
        kind=kind,
        site=name.replace("/", "-"),
        comments=comments or None,
    )


def _read(html: str, start: str, end: str) -> str:
    """Return the lines of text between two marks."""
    marked = (rest.partition(end)[0] for rest in html.split(start)[1:])
    texts = [unescape(TAG.sub("", BREAK.sub("\n", text))) for text in marked]
    return "\n".join(line for text in texts for line in text.splitlines() if line.strip())
