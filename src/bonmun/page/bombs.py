"""Pages that would explode in the parser, seen before they are parsed.

HTML opens `<b>`, `<font>` and the like again in every paragraph until they are closed. Three hundred of them before
four characters, `<p>x`, are three hundred elements for those four: a page of 45 kB takes a gigabyte. Such a page is
read as if they were `<span>`s, which are never opened again. (So are one in a thousand honest pages, whose scripts hold
half of a page; they lose some emphasis, and no text.) And each `<html>` and `<body>` adds its attributes to those of
the first, one by one; after a few, the others are not read.
"""

from __future__ import annotations

import re

from bonmun.bounds import OPEN_FORMATTING, ROOT_TAGS, find_most_elements

__all__ = ["defuse", "make_plain"]

SMALL_PAGE_CHARS = 16_000  # a page of so many takes 130 MB at most, for a moment; then `walk` stops
NAMES = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# Words in one of them, `<b>so</b>`, are as they were: nothing stays open. All others become <span>s.
FORMATTING = re.compile(f"(<({NAMES})>[^<]*</\\2>)|<(/?)(?:{NAMES})(?=[\\s/>])", re.I)
FENCES = frozenset("td th caption applet marquee object template".split())  # what stands in them closes nothing outside
ROOTS = frozenset({"html", "body"})
ROOT = re.compile(r"<(?:html|body)(?=[\s/])", re.I)
# All of these tags: a first letter, alone or with one of the tails; their names in full would take longer to find.
TAG = re.compile(
    r"<(/?+[bisucefntamohBISUCEFNTAMOH]"
    r"(?:(?<=[bisuBISU])|(?i:ig|ode|m|ont|obr|mall|trike|trong|[tdh]|aption|pplet|arquee|bject|emplate|tml|ody)))[\s/>]"
)


def defuse(html: str) -> str:
    """The page, changed if it may explode; a small one is harmless."""
    if len(html) <= SMALL_PAGE_CHARS:
        return html
    roots, open_ = _count(html)
    if roots > ROOT_TAGS:
        html = _drop_roots(html)
    if open_ > OPEN_FORMATTING and open_ * html.count("<") > find_most_elements(len(html)):
        html = make_plain(html)
    return html


def make_plain(html: str) -> str:
    """The page with `<span>` in place of all formatting elements that may stay open."""
    return FORMATTING.sub(lambda found: found[1] or f"<{found[3]}span", html)


def _drop_roots(html: str) -> str:
    """The page without the attributes of its roots, but for the first few."""
    starts = [found.end() for found in ROOT.finditer(html)][ROOT_TAGS:]
    pieces, at = [], 0
    for start in starts:
        pieces += [html[at:start], "-again"]  # an element that HTML does not know, and that changes nothing
        at = start
    return "".join(pieces) + html[at:]


def _count(html: str) -> tuple[int, int]:
    """How many roots are opened, and how many formatting elements may be open at once, at most."""
    names: list[str] = TAG.findall(html)
    here: dict[str, int] = {}  # those open since the last fence
    before = now = most = 0  # those open before it; all that are open here; the most that were at any time
    roots = 0
    for name in names:
        tag = name.lower()
        if tag[0] == "/":
            if here.get(tag[1:], 0):
                here[tag[1:]] -= 1
                now -= 1
        elif tag in FENCES:
            before += now
            now = 0
            here.clear()
        elif tag in ROOTS:
            roots += 1
        else:
            here[tag] = here.get(tag, 0) + 1
            now += 1
            most = max(most, before + now)
    return roots, most
