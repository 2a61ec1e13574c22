"""Make CSS safe: it cannot end its element or load anything.

The Content-Security-Policy of the frame forbids both, too; this is the first of two lines of defence.
"""

from __future__ import annotations

import re

from bonmun.text.readable import drop_unreadable

__all__ = ["clean_css"]

# CSS escapes, each matched once and whole, so that an escaped backslash does not start another.
ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|([^0-9a-fA-F]))", re.S)
UNESCAPED = re.compile(r"[g-zG-Z@(<]")  # characters that need no escape
# Whatever loads a resource, also in outdated browsers.
LOADING_CSS = re.compile(
    r"@\s*(?:import|namespace|font-face|charset)|(?:-webkit-)?(?:url|image-set|image|cross-fade|element|src|paint)\s*\("
    r"|expression\s*\(|-moz-binding|behavior\s*:|javascript\s*:|vbscript\s*:",
    re.I,
)
RASTER = re.compile(r"url\(\s*+['\"]?data:image/(?:png|gif|jpe?g|webp|avif);base64,[A-Za-z0-9+/=]*+['\"]?\s*+\)", re.I)
RUNNING_CSS = re.compile(r"expression\s*\(|-moz-binding|behavior\s*:|javascript\s*:|vbscript\s*:", re.I)
# Elements that do not scroll would cover the page.
FIXED = re.compile(r"\bposition\s*+:\s*+(?:fixed|(?:-webkit-)?sticky)\b", re.I)
UNKNOWN_NAME = "bm-none"  # a name that CSS does not know, so browsers ignore the declaration that contains it
NAME_CHARACTERS = frozenset("@(:-/") | {
    chr(code) for code in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B))
}


def clean_css(css: str, *, network: bool) -> str:
    """Remove whatever loads or runs something, and every `<`, from a style sheet or the value of a style attribute.

    With `network`, only what runs is removed. Fixed and sticky elements become static.
    """
    css = drop_unreadable(css)  # first: removed later, they could join two halves of a name
    if "\\" in css:
        css = ESCAPE.sub(_decode_escape, css)
    css = FIXED.sub("position:static", css.replace("<", r"\3c "))
    if network:
        return RUNNING_CSS.sub(_neutralise, css)
    kept: list[str] = []
    end = 0
    for found in RASTER.finditer(css):  # images in the style sheet itself
        kept += [LOADING_CSS.sub(_neutralise, css[end : found.start()]), found.group()]
        end = found.end()
    return "".join([*kept, LOADING_CSS.sub(_neutralise, css[end:])])


def _decode_escape(found: re.Match[str]) -> str:
    """Return the character of an escape if it could be part of a forbidden name, else a terminated escape."""
    if found.group(1) is None:
        return found.group(2) if UNESCAPED.match(found.group(2)) else found.group()
    code = int(found.group(1), 16)
    return chr(code) if code < 0x80 and chr(code) in NAME_CHARACTERS else f"\\{code:x} "  # the space ends it


def _neutralise(found: re.Match[str]) -> str:
    """Return the replacement for what loads or runs something; it keeps the opening bracket or the colon."""
    return UNKNOWN_NAME + found.group()[-1] if found.group()[-1] in "(:" else UNKNOWN_NAME
