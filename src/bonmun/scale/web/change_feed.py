"""Write the changes of watched pages as an RSS 2.0 feed."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from bonmun.text.changes import mark_words
from bonmun.text.readable import drop_unreadable, make_readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.scale.web.watched import ChangedPage
    from bonmun.text.changes import BlockChange

__all__ = ["write_feed"]

MAX_ITEM_CHARS = 50_000
TAGS = {"same": "{}", "removed": "<del>{}</del>", "added": "<ins>{}</ins>"}


def write_feed(pages: Sequence[ChangedPage]) -> str:
    """Return a feed with an item for each changed page. Added text is in `<ins>`, removed text in `<del>`."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<rss version="2.0">',
        "<channel>",
        "<title>Changed pages</title>",
        f"<link>{_clean(pages[0].url) if pages else 'https://example.org/'}</link>",
        "<description>Changes of the main text, found by bonmun watch</description>",
        *(line for page in pages for line in _write_item(page)),
        "</channel>",
        "</rss>",
        "",
    ]
    return "\n".join(lines)


def _write_item(page: ChangedPage) -> list[str]:
    key = sha256(f"{page.time} {page.url}".encode("utf-8", "replace")).hexdigest()[:32]
    html = ""
    for change in page.changes:
        html += f"<p>{_mark(change)}</p>\n"
        if len(html) > MAX_ITEM_CHARS:
            html += "<p>…</p>\n"
            break
    return [
        "<item>",
        f"<title>{_clean(make_readable(page.title or '') or page.url)}</title>",
        f"<link>{_clean(page.url)}</link>",
        f'<guid isPermaLink="false">{key}</guid>',
        f"<pubDate>{format_datetime(datetime.fromisoformat(page.time))}</pubDate>",
        f"<description>{_clean(html)}</description>",
        "</item>",
    ]


def _mark(change: BlockChange) -> str:
    """Return a change as HTML."""
    if change.kind == "changed":
        runs = mark_words((change.old or "")[:MAX_ITEM_CHARS], (change.new or "")[:MAX_ITEM_CHARS])
        return " ".join(TAGS[kind].format(escape(text)) for kind, text in runs)
    text = change.new if change.kind == "added" else change.old
    return TAGS[change.kind].format(escape((text or "")[:MAX_ITEM_CHARS]))


def _clean(text: str) -> str:
    """Return text for XML, without characters that XML does not allow."""
    return escape("\n".join(map(drop_unreadable, text.split("\n"))))
