"""Close the empty elements of XHTML that was saved as XML, so that an HTML parser reads it as an XML parser would.

XML writes an empty element as `<iframe/>`. To an HTML parser this is only a start tag, and everything that follows is
part of the frame, the script or the text area. A browser would show an empty page too, so nobody writes this in pages
that are served as HTML: it is a sign that the page was written by an XML serializer.
"""

from __future__ import annotations

import re

from bonmun.kernel import load_kernel

__all__ = ["close_empty_elements"]

KERNEL = load_kernel("signs")
HEAD_CHARS = 2_000  # at the start of a page that are searched for signs of XHTML
XHTML_SIGNS = ("<?xml ", "//dtd xhtml", " xmlns=")
# Elements whose content is not markup to an HTML parser. XML is case-sensitive, and so is this module.
# Only those that pages often leave empty: each is searched for.
RAW_TAGS = ("script", "textarea", "iframe", "title")
VOID_TAGS = frozenset(
    "area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr".split()
)
# An empty element, with attributes in quotes. (`<a href=b/>` is a link to b/.)
EMPTY_ELEMENT = re.compile(r"""<([A-Za-z][\w:.-]*)(\s[^<>]*["'\s])?/>""")
CLOSED_AGAIN = re.compile(r"\s{0,100}</")


def close_empty_elements(html: str) -> str:
    """Return XHTML with an end tag after each empty element, if an HTML parser would lose text otherwise.

    >>> close_empty_elements('<html xmlns="http://www.w3.org/1999/xhtml"><iframe src="a"/><br/>b</html>')
    '<html xmlns="http://www.w3.org/1999/xhtml"><iframe src="a"></iframe><br/>b</html>'
    """
    head = html[:HEAD_CHARS].lower()
    if not any(sign in head for sign in XHTML_SIGNS):
        return html
    if (KERNEL and not KERNEL.may_have_empty(html, RAW_TAGS)) or not _has_empty_raw_element(html):
        return html
    return EMPTY_ELEMENT.sub(_close, html)


def _has_empty_raw_element(html: str) -> bool:
    """Whether an element whose content is not markup is written as `<iframe/>`, without an end tag after it."""
    for tag in RAW_TAGS:
        start = f"<{tag}"
        at, end = html.find(start), 0
        while at >= 0:
            if end < at:
                end = html.find(">", at)
            if end < 0:
                break
            if html[end - 1] == "/":
                found = EMPTY_ELEMENT.fullmatch(html, at, end + 1)
                if found and found[1] == tag and not CLOSED_AGAIN.match(html, end + 1):
                    return True
            at = html.find(start, at + len(start))
    return False


def _close(found: re.Match[str]) -> str:
    tag = found[1]
    return found[0] if tag.lower() in VOID_TAGS else f"<{tag}{found[2] or ''}></{tag}>"
