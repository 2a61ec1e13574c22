"""Write code spans, formulas, images and URLs as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.outputs.markdown.escape import choose_marks, escape_phrase

if TYPE_CHECKING:
    from bonmun.outputs.nodes import Node

__all__ = ["SPECIAL_IN_URLS", "escape_tex", "write_anchor", "write_code", "write_image", "write_url"]

BACKTICKS = re.compile("`++")
# Characters that must be percent-encoded: within a URL, too, angle brackets can start HTML, and backticks code.
ENCODED = str.maketrans({"<": "%3C", ">": "%3E", "`": "%60", "\\": "%5C", "\n": "%20"})
SPECIAL_IN_URLS = "<>`\\\n ()&"
SPECIAL = re.compile(f"[{re.escape(SPECIAL_IN_URLS)}]")
ENTITY = re.compile(r"&(?=#?\w{1,32};)")


def write_code(code: str) -> str:
    """Return a code span, delimited by a run of backticks that does not occur in it."""
    if "`" not in code:
        pad = " " if code[0] == code[-1] == " " and code.strip() else ""
        return f"`{pad}{code}{pad}`"
    runs = {len(run) for run in BACKTICKS.findall(code)}
    size = next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if "`" in (code[0], code[-1]) or code[0] == code[-1] == " " else ""
    return f"{'`' * size}{pad}{code}{pad}{'`' * size}"


def escape_tex(tex: str) -> str:
    """Return TeX that readers without formulas do not take for a link or for code, and that shows the same formula.

    A space within `](` is not shown, and TeX shows backticks as quotation marks. (`clean_tex` takes care of `<`.)
    """
    if "](" in tex:
        tex = tex.replace("](", "] (")
    return tex.replace("``", "“").replace("`", "‘") if "`" in tex else tex


def write_image(element: Node) -> str:
    """Return an image with its alternative text."""
    alt = element.attr("alt") or ""
    marks = choose_marks(alt, {"em", "code"})
    alt = alt if marks is None else escape_phrase(alt, marks, in_link=True)
    return f"![{alt}]({write_url(element.attr('src') or '')})"


def write_anchor(element: Node) -> str:
    """Return the target of links to an id; Markdown has no other way to write one."""
    return f'<a id="{element.attr("id")}"></a>'


def write_url(url: str) -> str:
    """Return the URL of a link, in angle brackets if it contains spaces or unbalanced parentheses."""
    if not SPECIAL.search(url):
        return url
    url = ENTITY.sub("&amp;", url.translate(ENCODED))
    if " " in url or not _is_balanced(url):
        return f"<{url}>"
    return url


def _is_balanced(url: str) -> bool:
    """Whether parentheses are balanced and not nested."""
    if "(" not in url and ")" not in url:
        return True
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if not 0 <= depth <= 1:
            return False
    return depth == 0
