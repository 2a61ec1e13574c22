"""What of a made-up page is its gold: the page is written with marks around it, which are taken out at the end.

So every part of a page is a plain string of HTML, and parts can be put together in any way.
"""

from __future__ import annotations

import re
from html import unescape

from bonmun.lab.gold.examples import Example

__all__ = ["comment", "keep", "make_example"]

# Characters for private use: no page that is made up here has them.
KEPT, KEPT_END, SAID, SAID_END = "\ue000", "\ue001", "\ue002", "\ue003"
MARKS = str.maketrans("", "", KEPT + KEPT_END + SAID + SAID_END)
BREAK = re.compile(r"<br[ /]*>|</(?:p|div|li|tr|td|dd|dt)>")
TAG = re.compile(r"<[^<>]*>")


def keep(html: str) -> str:
    """Mark text with inline markup and line breaks as main text."""
    return f"{KEPT}{html}{KEPT_END}"


def comment(html: str) -> str:
    """Mark what a reader says below an article."""
    return f"{SAID}{html}{SAID_END}"


def make_example(name: str, html: str, lang: str, kind: str) -> Example:
    """Make an example of a marked page; its name is that of its set and a number."""
    page = html.translate(MARKS)
    said = _read(html, SAID, SAID_END)
    return Example(
        name,
        page,
        _read(html, KEPT, KEPT_END),
        lang=lang,
        kind=kind,
        site=name.replace("/", "-"),
        comments=said or None,
    )


def _read(html: str, start: str, end: str) -> str:
    """Read the lines of all that stands between two marks."""
    marked = (rest.partition(end)[0] for rest in html.split(start)[1:])
    texts = [unescape(TAG.sub("", BREAK.sub("\n", text))) for text in marked]
    return "\n".join(line for text in texts for line in text.splitlines() if line.strip())
