"""Describe a document as plain values, which become JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bonmun.outputs.posts import nest_posts

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["describe_posts", "describe_thread", "summarise"]

# Metadata that is read from the page's markup alone. The JSON output contains it unchanged.
DECLARED_FIELDS = tuple(
    "modified image canonical publisher licence favicon categories feeds paywall reading_minutes".split()
)
# Kind of pages whose posts are described. Finding posts takes a quarter as long as extraction: other pages do without.
THREAD_KIND = "forum"


def summarise(doc: Writable) -> dict[str, Any]:
    """Return metadata, text and Markdown."""
    metadata = doc.metadata
    declared = {name: getattr(metadata, name) for name in DECLARED_FIELDS}
    return {
        "url": doc.url,
        "title": doc.title,
        "author": doc.author,
        "authors": list(doc.authors),
        "date": doc.date,
        "language": doc.language,
        "site_name": doc.site_name,
        "description": metadata.description,
        "facts": {name: asdict(value) for name, value in metadata.fields.items()},
        "tags": list(metadata.tags),
        **{name: list(value) if isinstance(value, tuple) else value for name, value in declared.items()},
        "kind": doc.kind,
        "method": doc.method,
        "confidence": round(doc.confidence, 4),
        "encoding": doc.page.encoding,
        "text": doc.text,
        "markdown": doc.markdown,
        "cut": doc.cut,
        "fingerprint": doc.fingerprint,
    }


def describe_posts(doc: Writable) -> list[dict[str, Any]]:
    """Return the posts of a thread without their texts, which are those of the blocks."""
    posts = doc.posts if doc.kind == THREAD_KIND else ()
    return [{name: value for name, value in post.to_dict().items() if name != "text"} for post in posts]


def describe_thread(doc: Writable) -> list[dict[str, Any]]:
    """Return the index of each post of a thread with its replies, which have replies in turn."""
    return nest_posts([post["parent"] for post in describe_posts(doc)])
