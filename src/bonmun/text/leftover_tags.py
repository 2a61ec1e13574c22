"""Remove tags from texts that should have none: descriptions of images, titles and descriptions of pages."""

from __future__ import annotations

import re

from bonmun.text.patterns import compile_later

__all__ = ["drop_tags"]

ROUNDS = 3  # elements in each other
ATTRIBUTES = r"(?:\s[^<>]{0,300})?"
INLINE = r"em|i|b|strong|span|sup|sub|u|a|small|mark|font|code"
BLOCK = r"p|div|li|ul|ol|h[1-6]|blockquote"
# A start tag alone may be what the text is about: "The <b> element".
ELEMENT = compile_later(rf"<({INLINE}|{BLOCK}){ATTRIBUTES}>([^<>]*)</\1\s{{0,9}}>", re.I)
CUT_ELEMENT = compile_later(rf"(?:\A|(?<=\s))<(?:{INLINE}|{BLOCK}){ATTRIBUTES}>(?=\w)", re.I)  # without its end
LINE_BREAK = compile_later(r"(?<=[^\s<>])<br\s{0,9}/?>", re.I)
INLINE_TAGS = frozenset(INLINE.split("|"))


def drop_tags(text: str) -> str:
    """Return a text without the tags of elements and line breaks, but with tags that it is about.

    >>> drop_tags("<p>The <em>lamp</em> of Ott</p>"), drop_tags("The lamp<br>of Ott"), drop_tags("<p>The lamp of")
    (' The lamp of Ott ', 'The lamp of Ott', 'The lamp of')
    >>> drop_tags("<br>: The line break"), drop_tags("The <b> element"), drop_tags("a < b")
    ('<br>: The line break', 'The <b> element', 'a < b')
    """
    if "<" not in text:
        return text
    text = LINE_BREAK.sub(" ", text)
    for _ in range(ROUNDS if "</" in text else 0):
        text = ELEMENT.sub(_unwrap, text)
    return CUT_ELEMENT.sub("", text)


def _unwrap(element: re.Match[str]) -> str:
    return element[2] if element[1].lower() in INLINE_TAGS else f" {element[2]} "
