"""Style sheets of a page made harmless: they can neither end their element nor load anything.

A browser's own rules (the frame's Content-Security-Policy) hold in any case; this is the first of two fences.
"""

from __future__ import annotations

import re

from bonmun.text.readable import drop_unreadable

__all__ = ["clean_css"]

# Escapes, each read once and whole: what an escaped backslash is followed by is no escape.
ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|([^0-9a-fA-F]))", re.S)
UNDONE = re.compile(r"[g-zG-Z@(<]")  # what is meant by a backslash before it is the character itself
# What loads something, or did in a browser that somebody may still have.
LOADING = re.compile(
    r"@\s*(?:import|namespace|font-face|charset)|(?:-webkit-)?(?:url|image-set|image|cross-fade|element|src|paint)\s*\("
    r"|expression\s*\(|-moz-binding|behavior\s*:|javascript\s*:|vbscript\s*:",
    re.I,
)
RASTER = re.compile(r"url\(\s*+['\"]?data:image/(?:png|gif|jpe?g|webp|avif);base64,[A-Za-z0-9+/=]*+['\"]?\s*+\)", re.I)
RUNNING = re.compile(r"expression\s*\(|-moz-binding|behavior\s*:|javascript\s*:|vbscript\s*:", re.I)
# What stays on the screen while the page scrolls would cover it.
FIXED = re.compile(r"\bposition\s*+:\s*+(?:fixed|(?:-webkit-)?sticky)\b", re.I)
NOTHING = "bm-none"  # no name that CSS knows: a browser reads over what it stands in
WRITTEN_OUT = frozenset("@(:-/") | {chr(code) for code in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B))}


def clean_css(css: str, *, network: bool) -> str:
    """Take out of a style sheet, or of the value of a style attribute, what loads or runs something, and every `<`.

    What would stay on the screen while the page scrolls stands in the page instead.

    With `network`, only what runs is taken out.
    """
    css = drop_unreadable(css)  # before anything is looked for: what is taken out later could make a name of two parts
    if "\\" in css:
        css = ESCAPE.sub(_write_out, css)
    css = FIXED.sub("position:static", css.replace("<", r"\3c "))
    if network:
        return RUNNING.sub(_name_nothing, css)
    kept: list[str] = []
    end = 0
    for found in RASTER.finditer(css):  # images that stand in the sheet itself
        kept += [LOADING.sub(_name_nothing, css[end : found.start()]), found.group()]
        end = found.end()
    return "".join([*kept, LOADING.sub(_name_nothing, css[end:])])


def _write_out(found: re.Match[str]) -> str:
    """The character that an escape stands for, if something could be named with it; else the escape, ended clearly."""
    if found.group(1) is None:
        return found.group(2) if UNDONE.match(found.group(2)) else found.group()
    code = int(found.group(1), 16)
    return chr(code) if code < 0x80 and chr(code) in WRITTEN_OUT else f"\\{code:x} "  # else it could take in a digit


def _name_nothing(found: re.Match[str]) -> str:
    """What stands in the place of something that loads or runs; its bracket stays, since another closes it."""
    return NOTHING + found.group()[-1] if found.group()[-1] in "(:" else NOTHING
