"""Drop `<noscript>` tags without an end tag, which would hide the rest of the page."""

from __future__ import annotations

import re

__all__ = ["drop_unclosed_noscripts"]

NOSCRIPT = re.compile(r"<(/?)noscript(?:\s[^<>]*)?>", re.I)


def drop_unclosed_noscripts(html: str) -> str:
    """Return a page without the `<noscript>` tags that no end tag follows before the next one or the end of the page.

    >>> drop_unclosed_noscripts("<noscript>a</noscript><noscript><img><p>b</p>")
    '<noscript>a</noscript><img><p>b</p>'
    """
    if all(html.count(f"<{tag}") <= html.count(f"</{tag}") for tag in ("noscript", "NOSCRIPT")):
        return html  # nearly all pages
    pieces: list[str] = []
    done = 0
    last: re.Match[str] | None = None  # start tag without an end tag so far
    for found in NOSCRIPT.finditer(html):
        if last is not None and not found[1]:
            pieces.append(html[done : last.start()])
            done = last.end()
        last = None if found[1] else found
    if last is not None:
        pieces.append(html[done : last.start()])
        done = last.end()
    return "".join(pieces) + html[done:] if pieces else html
