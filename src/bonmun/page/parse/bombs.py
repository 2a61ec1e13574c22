"""Detect and change pages that would explode in the parser.

An HTML parser reopens `<b>`, `<font>` and similar elements in every paragraph until they are closed. After three
hundred of them, the four characters `<p>x` make three hundred elements, and a page of 45 kB takes a gigabyte. In it,
they are replaced by `<span>`, which is never reopened. (This affects one in ten thousand ordinary pages, whose scripts
contain half a page; they lose some emphasis but no text.) The attributes of every further `<html>` and `<body>` tag are
merged into the first, one by one; after some hundreds they are ignored.
"""

from __future__ import annotations

import re

from bonmun.bounds import MAX_REOPENED_ELEMENTS, MAX_ROOT_TAGS
from bonmun.kernel import load_kernel

__all__ = ["defuse", "make_plain"]

FORMATTING_TAGS = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# A closed element without tags in it, such as `<b>so</b>`, stays. All others become <span>.
FORMATTING_TAG = re.compile(f"(<({FORMATTING_TAGS})>[^<]*</\\2>)|<(/?)(?:{FORMATTING_TAGS})(?=[\\s/>])", re.I)
FENCES = frozenset("td th caption applet marquee object template".split())  # end tags in them close nothing outside
TAG = re.compile(f"<(/?+(?:{FORMATTING_TAGS}|{'|'.join(sorted(FENCES))}))[\\s/>]", re.I)
ROOT = re.compile(r"<(?:html|body)(?=[\s/])", re.I)
# Start tags of formatting and root elements: the first letter, then the rest. Whole names take twice as long.
OPENING = re.compile(
    r"<([bcefhinstuBCEFHINSTU](?:(?<=[bisuBISU])|(?i:ig|ode|ody|m|ont|obr|mall|trike|trong|t|tml)))[\s/>]"
)
ROOTS = frozenset({"html", "body"})
OPENED = (*FORMATTING_TAGS.split("|"), *sorted(ROOTS))
MAX_DEPTH = 512  # depth limit of the parser, and so of elements that are reopened at once


def defuse(html: str) -> str:
    """Return the page, changed if it may explode. The first or second count is enough for nearly all pages."""
    tags = KERNEL.count_tags(html) if KERNEL else html.count("<")
    if tags * MAX_DEPTH <= MAX_REOPENED_ELEMENTS:
        return html
    max_open = MAX_REOPENED_ELEMENTS // tags
    if KERNEL and _is_harmless(html, max_open):
        return html
    opened = OPENING.findall(html)
    if len(opened) > MAX_ROOT_TAGS and sum(name.lower() in ROOTS for name in opened) > MAX_ROOT_TAGS:
        html = _drop_roots(html)
    return make_plain(html) if len(opened) > max_open and _count_open(html) > max_open else html


KERNEL = load_kernel("signs")


def _is_harmless(html: str, max_open: int) -> bool:
    """Return whether the kernel can tell that a page need not be changed."""
    if KERNEL.count_names(html, OPENED) <= min(max_open, MAX_ROOT_TAGS):
        return True
    if KERNEL.count_names(html, tuple(ROOTS)) > MAX_ROOT_TAGS:
        return False
    opened: int = KERNEL.count_open(html, OPENED[: -len(ROOTS)], tuple(FENCES))
    return 0 <= opened <= max_open


def make_plain(html: str) -> str:
    """Return the page with `<span>` instead of all formatting elements that may stay open."""
    return FORMATTING_TAG.sub(lambda found: found[1] or f"<{found[3]}span", html)


def _drop_roots(html: str) -> str:
    """Return the page without the attributes of root tags after the first MAX_ROOT_TAGS."""
    starts = [found.end() for found in ROOT.finditer(html)][MAX_ROOT_TAGS:]
    pieces, at = [], 0
    for start in starts:
        pieces += [html[at:start], "-again"]  # an unknown element without effect
        at = start
    return "".join(pieces) + html[at:]


def _count_open(html: str) -> int:
    """Return the maximum number of formatting elements that may be open at once."""
    open_here: dict[str, int] = {}  # open since the last fence
    open_before = open_now = max_open = 0  # open before the last fence; open since; maximum so far
    for name in TAG.findall(html):
        tag = name.lower()
        if tag[0] == "/":
            if open_here.get(tag[1:], 0):
                open_here[tag[1:]] -= 1
                open_now -= 1
        elif tag in FENCES:
            open_before += open_now
            open_now = 0
            open_here.clear()
        else:
            open_here[tag] = open_here.get(tag, 0) + 1
            open_now += 1
            max_open = max(max_open, open_before + open_now)
    return max_open
