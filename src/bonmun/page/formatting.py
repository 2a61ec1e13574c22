"""Pages that leave many `<b>` and `<font>` open, which HTML opens again in every paragraph that follows.

Three hundred of them before four characters, `<p>x`, are three hundred elements for those four: a page of 45 kB takes a
gigabyte. Such a page is seen before it is parsed, and read as if they were `<span>`s, which are never opened again.
(So are one in a thousand honest pages, whose scripts hold half of a page; they lose some emphasis, and no text.)
"""

from __future__ import annotations

import re

from bonmun.bounds import OPEN_FORMATTING, find_most_elements

__all__ = ["make_plain", "may_explode"]

SMALL_PAGE_CHARS = 16_000  # a page of so many takes 130 MB at most, for a moment; then `walk` stops
NAMES = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# Words in one of them, `<b>so</b>`, are as they were: nothing stays open. All others become <span>s.
FORMATTING = re.compile(f"(<({NAMES})>[^<]*</\\2>)|<(/?)(?:{NAMES})(?=[\\s/>])", re.I)
FENCES = frozenset("td th caption applet marquee object template".split())  # what stands in them closes nothing outside
# All of these tags: a first letter, alone or with one of the tails; their names in full would take longer to find.
TAG = re.compile(
    r"<(/?+[bisucefntamoBISUCEFNTAMO]"
    r"(?:(?<=[bisuBISU])|(?i:ig|ode|m|ont|obr|mall|trike|trong|[tdh]|aption|pplet|arquee|bject|emplate)))[\s/>]"
)


def may_explode(html: str) -> bool:
    """Whether a page may become far more elements than it has tags; of a small one, they are not too many."""
    open_ = _count_open(html) if len(html) > SMALL_PAGE_CHARS else 0
    return open_ > OPEN_FORMATTING and open_ * html.count("<") > find_most_elements(len(html))


def make_plain(html: str) -> str:
    """The page with `<span>` in place of all formatting elements that may stay open."""
    return FORMATTING.sub(lambda found: found[1] or f"<{found[3]}span", html)


def _count_open(html: str) -> int:
    """How many formatting elements may be open at once, at most."""
    names: list[str] = TAG.findall(html)
    if len(names) <= OPEN_FORMATTING:
        return len(names)
    here: dict[str, int] = {}  # those open since the last fence
    before = now = most = 0  # those open before it; all that are open here; the most that were at any time
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
        else:
            here[tag] = here.get(tag, 0) + 1
            now += 1
            most = max(most, before + now)
    return most
