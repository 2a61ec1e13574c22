"""Pages that would explode in the parser, seen before they are parsed.

HTML opens `<b>`, `<font>` and the like again in every paragraph until they are closed. Three hundred of them before
four characters, `<p>x`, are three hundred elements for those four: a page of 45 kB takes a gigabyte. Such a page is
read as if they were `<span>`s, which are never opened again. (So is one in ten thousand honest pages, whose scripts
hold half of a page; it loses some emphasis, and no text.) And each `<html>` and `<body>` adds its attributes to those
of the first, one by one; after some hundreds, the others are not read.
"""

from __future__ import annotations

import re

from bonmun.bounds import MAX_REOPENED_ELEMENTS, MAX_ROOT_TAGS
from bonmun.kernel import load_kernel

__all__ = ["defuse", "make_plain"]

NAMES = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# Words in one of them, `<b>so</b>`, are as they were: nothing stays open. All others become <span>s.
FORMATTING = re.compile(f"(<({NAMES})>[^<]*</\\2>)|<(/?)(?:{NAMES})(?=[\\s/>])", re.I)
FENCES = frozenset("td th caption applet marquee object template".split())  # what stands in them closes nothing outside
TAG = re.compile(f"<(/?+(?:{NAMES}|{'|'.join(sorted(FENCES))}))[\\s/>]", re.I)
ROOT = re.compile(r"<(?:html|body)(?=[\s/])", re.I)
# Formatting and roots that open: a first letter, alone or with a tail; their names in full would take twice as long.
OPENING = re.compile(
    r"<([bcefhinstuBCEFHINSTU](?:(?<=[bisuBISU])|(?i:ig|ode|ody|m|ont|obr|mall|trike|trong|t|tml)))[\s/>]"
)
ROOTS = frozenset({"html", "body"})
OPENED = (*NAMES.split("|"), *sorted(ROOTS))
DEEPEST = 512  # elements that the parser nests, so that no more are opened again at once


def defuse(html: str) -> str:
    """The page, changed if it may explode. Nearly every page is told by the first or the second count."""
    tags = KERNEL.count_tags(html) if KERNEL else html.count("<")
    if tags * DEEPEST <= MAX_REOPENED_ELEMENTS:
        return html
    most = MAX_REOPENED_ELEMENTS // tags
    if KERNEL and _is_harmless(html, most):
        return html
    opened = OPENING.findall(html)
    if len(opened) > MAX_ROOT_TAGS and sum(name.lower() in ROOTS for name in opened) > MAX_ROOT_TAGS:
        html = _drop_roots(html)
    return make_plain(html) if len(opened) > most and _count_open(html) > most else html


KERNEL = load_kernel("signs")


def _is_harmless(html: str, most: int) -> bool:
    """Whether the kernel is sure that a page need not be changed."""
    if KERNEL.count_names(html, OPENED) <= min(most, MAX_ROOT_TAGS):
        return True
    if KERNEL.count_names(html, tuple(ROOTS)) > MAX_ROOT_TAGS:
        return False
    opened: int = KERNEL.count_open(html, OPENED[: -len(ROOTS)], tuple(FENCES))
    return 0 <= opened <= most


def make_plain(html: str) -> str:
    """The page with `<span>` in place of all formatting elements that may stay open."""
    return FORMATTING.sub(lambda found: found[1] or f"<{found[3]}span", html)


def _drop_roots(html: str) -> str:
    """The page without the attributes of its roots, but for the first ones."""
    starts = [found.end() for found in ROOT.finditer(html)][MAX_ROOT_TAGS:]
    pieces, at = [], 0
    for start in starts:
        pieces += [html[at:start], "-again"]  # an element that HTML does not know, and that changes nothing
        at = start
    return "".join(pieces) + html[at:]


def _count_open(html: str) -> int:
    """How many formatting elements may be open at once, at most."""
    here: dict[str, int] = {}  # those open since the last fence
    before = now = most = 0  # those open before it; all that are open here; the most that were at any time
    for name in TAG.findall(html):
        tag = name.lower()
        if tag[0] == "/":
            if here.get(tag[1:], 0):
                here[tag[1:]] -= 1
                now -= 1
        elif tag in FENCES:
            before += now
            now = 0
            here.clear()
        else:
            here[tag] = here.get(tag, 0) + 1
            now += 1
            most = max(most, before + now)
    return most
