"""What stands in a `<title>` such as `Story | Desk - Site`, and where it is cut."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.text.patterns import compile_later
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.page import Page

__all__ = ["TITLE_CHARS", "cut_known_site", "cut_site", "has_break", "read_head_title", "split_title"]

TITLE_CHARS = MAX_METADATA_CHARS  # of a <title>, or of anything that may be a title
MOST_BREAKS = 6  # in a title
MOST_SITES = 2  # names of a site that are cut off a title
SITE_SIGN = compile_later(r"[:：|｜丨\-–—·•»_,]")  # which stand between a title and the name of the site
BLANKS = r"(?<!\s)\s++"
# Candidates are cut at all of these. Blanks are only looked at from their first on, else a title of blanks would take
# long. Signs that are part of names as well (`snake_case`, `std::vector`, `Jean-Luc`) need a blank or a script beside
# them that has no such names.
BREAK = compile_later(
    rf"{BLANKS}[|\-–—―·•:»«<>/~∙_]\s+"  # a bar or dash between blanks
    rf"|(?:{BLANKS})?[|｜丨»]\s*"  # a bar, also without
    rf"|{BLANKS}::\s*|(?<=[^\x00-\x7f])::\s*|(?<=\S)::\s+"
    r"|(?<=[^\x00-\x7f])_|(?<=\S)_(?=[^\x00-\x7f])"
    r"|(?<=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60])-(?=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
BREAK_SIGN = compile_later("[|\\-–—―·•:»«<>/~∙_｜丨]")  # one of them is in every break, first but for blanks
# Only those that hardly ever stand within a headline: here nothing weighs what was cut.
SITE_BREAK = compile_later(rf"{BLANKS}[|\-–—·•:»«]\s+|(?:{BLANKS})?(?:[|｜]|::)\s*")


def read_head_title(page: Page) -> str:
    """What `<title>` says."""
    return make_readable(page.head_title[:TITLE_CHARS])


def has_break(title: str) -> bool:
    """Whether a title can be cut into pieces."""
    return next(_find_breaks(title), None) is not None


def split_title(title: str) -> list[tuple[str, str]]:
    """The pieces of a title that may be the headline, and which each is; none where it has no break."""
    breaks = list(islice(_find_breaks(title), MOST_BREAKS))
    if not breaks:
        return []
    edges = [(0, 0), *breaks, (len(title), len(title))]
    parts = [title[before[1] : after[0]] for before, after in pairwise(edges)]
    pieces = [
        (parts[0], "first"),
        (parts[-1], "last"),
        (title[: breaks[-1][0]], "all but last"),
        (title[breaks[0][1] :], "all but first"),
        (max(parts, key=len), "longest"),
    ]
    if len(breaks) > 2:
        pieces.append((title[: breaks[-2][0]], "all but two"))
    return pieces


def _find_breaks(title: str) -> Iterator[tuple[int, int]]:
    """Where the breaks of a title start and stop: only signs are looked at, and blanks before them."""
    last = 0  # where what was looked at ends
    for sign in BREAK_SIGN.finditer(title):
        at = sign.start()
        if at < last:
            continue
        start = last + len(title[last:at].rstrip())  # of the blanks before it
        last = at + 1
        if found := (BREAK.match(title, start) if start < at else None) or BREAK.match(title, at):
            last = found.end()
            yield found.span()


def cut_known_site(title: str, is_site: Callable[[str], bool]) -> str:
    """A title without the names of its site at its ends, with any sign between: `Site: Story`, `Story｜Site`."""
    for _ in range(MOST_SITES):
        parts = SITE_SIGN.split(title)
        if len(parts) > 1 and is_site(parts[0]):
            title = title[len(parts[0]) + 1 :].strip()
        elif len(parts) > 1 and is_site(parts[-1]):
            title = title[: -len(parts[-1]) - 1].strip()
        else:
            break
    return title


def cut_site(title: str, site: str) -> str:
    """Cut the site's name, or the shorter end, off a title such as `Story - Site`."""
    parts = SITE_BREAK.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |-–—·•:»«｜")
    longest = max(parts, key=len)
    return longest if len(longest) * 2 > len(title) else title
