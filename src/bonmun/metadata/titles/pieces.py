"""Split a `<title>` such as `Story | Desk - Site` at its separators."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.text.leftover_tags import drop_tags
from bonmun.text.patterns import compile_later
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.page import Page

__all__ = ["TITLE_CHARS", "cut_known_site", "cut_site", "has_separator", "read_head_title", "split_title"]

TITLE_CHARS = MAX_METADATA_CHARS  # maximum length of a title
MAX_SEPARATORS = 6  # in a title
MAX_SITE_NAMES = 2  # that are cut off a title
SITE_SEPARATOR = compile_later(r"[:：|｜丨\-–—·•»_,]")  # between a title and a known site name
SPACES = r"(?<!\s)\s++"  # matches from the first space on only, so that a title of spaces takes linear time
# Separators of candidates. Characters that are also part of names (`snake_case`, `std::vector`, `Jean-Luc`) need a
# space beside them, or a script that has no such names.
SEPARATOR = compile_later(
    rf"{SPACES}[|\-–—―·•:»«<>/~∙_]\s+"  # a bar or dash between spaces
    rf"|(?:{SPACES})?[|｜丨»]\s*"  # a bar, also without spaces
    rf"|{SPACES}::\s*|(?<=[^\x00-\x7f])::\s*|(?<=\S)::\s+"
    r"|(?<=[^\x00-\x7f])_|(?<=\S)_(?=[^\x00-\x7f])"
    r"|(?<=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60])-(?=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
SEPARATOR_CHAR = compile_later("[|\\-–—―·•:»«<>/~∙_｜丨]")  # the first character of every separator, after spaces
ASCII_SEPARATOR = compile_later(r"[|]|::|\s[\-:<>/~_]\s")  # part of every separator in ASCII
# Separators that hardly ever occur within a headline, for `cut_site`, whose result is not ranked.
SAFE_SEPARATOR = compile_later(rf"{SPACES}[|\-–—·•:»«]\s+|(?:{SPACES})?(?:[|｜]|::)\s*")


def read_head_title(page: Page) -> str:
    """Return the readable text of `<title>`."""
    return make_readable(drop_tags(page.head_title[:TITLE_CHARS]))


def has_separator(title: str) -> bool:
    """Whether a title can be split."""
    return next(_find_separators(title), None) is not None


def split_title(title: str) -> list[tuple[str, str]]:
    """Return the parts of a title that may be the headline, with the name of each; none if there is no separator."""
    separators = list(islice(_find_separators(title), MAX_SEPARATORS))
    if not separators:
        return []
    edges = [(0, 0), *separators, (len(title), len(title))]
    parts = [title[before[1] : after[0]] for before, after in pairwise(edges)]
    pieces = [
        (parts[0], "first"),
        (parts[-1], "last"),
        (title[: separators[-1][0]], "all but last"),
        (title[separators[0][1] :], "all but first"),
        (max(parts, key=len), "longest"),
    ]
    if len(separators) > 2:
        pieces.append((title[: separators[-2][0]], "all but two"))
    return pieces


def _find_separators(title: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each separator, found by its first character and the spaces before that."""
    if title.isascii() and not ASCII_SEPARATOR.search(title):
        return
    last = 0  # end of what was searched
    for char in SEPARATOR_CHAR.finditer(title):
        at = char.start()
        if at < last:
            continue
        start = last + len(title[last:at].rstrip())  # of the spaces before it
        last = at + 1
        if found := (SEPARATOR.match(title, start) if start < at else None) or SEPARATOR.match(title, at):
            last = found.end()
            yield found.span()


def cut_known_site(title: str, is_site: Callable[[str], bool]) -> str:
    """Return a title without the site names at its ends, after any separator: `Site: Story`, `Story｜Site`."""
    for _ in range(MAX_SITE_NAMES):
        parts = SITE_SEPARATOR.split(title)
        if len(parts) > 1 and is_site(parts[0]):
            title = title[len(parts[0]) + 1 :].strip()
        elif len(parts) > 1 and is_site(parts[-1]):
            title = title[: -len(parts[-1]) - 1].strip()
        else:
            break
    return title


def cut_site(title: str, site: str) -> str:
    """Cut the name of the site, or the shorter end, off a title such as `Story - Site`."""
    parts = SAFE_SEPARATOR.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |-–—·•:»«｜")
    longest = max(parts, key=len)
    return longest if len(longest) * 2 > len(title) else title
