"""Extract the main text, title and metadata of web pages.

>>> import bonmun
>>> doc = bonmun.extract("<h1>Hi</h1><p>Some words that are long enough to be read as a paragraph of text.</p>")
>>> doc.title, doc.text
('Hi', 'Some words that are long enough to be read as a paragraph of text.')

`bonmun.accelerated` tells whether the compiled kernel is used. Without it, results are the same but take longer.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bonmun._version import __version__

if TYPE_CHECKING:
    from bonmun.algorithms import methods
    from bonmun.app.client import Client
    from bonmun.document import Document
    from bonmun.errors import BonmunError
    from bonmun.kept import KeptBlock
    from bonmun.kernel import accelerated
    from bonmun.labels import Labels
    from bonmun.metadata import Metadata
    from bonmun.metadata.posts import Post
    from bonmun.options import Options
    from bonmun.outputs.chunks.chunking import Chunk
    from bonmun.outputs.mentions import Image, Link
    from bonmun.outputs.tables.record import Table
    from bonmun.page import Page
    from bonmun.pipeline import extract, extract_pages
    from bonmun.scale.web.all_pages import fetch_pages
    from bonmun.scale.web.download import fetch
    from bonmun.scale.web.download_many import Fetched, fetch_many
    from bonmun.scale.web.extract_urls import Extracted, extract_url, extract_urls
    from bonmun.sites.model import SiteModel

__all__ = [
    "BonmunError",
    "Chunk",
    "Client",
    "Document",
    "Extracted",
    "Fetched",
    "Image",
    "KeptBlock",
    "Labels",
    "Link",
    "Metadata",
    "Options",
    "Page",
    "Post",
    "SiteModel",
    "Table",
    "__version__",
    "accelerated",
    "extract",
    "extract_pages",
    "extract_url",
    "extract_urls",
    "fetch",
    "fetch_many",
    "fetch_pages",
    "methods",
]

# The module that each name comes from. It is loaded on first use: httpx, numpy and asyncio take longer than a page.
MODULES = {
    "BonmunError": "bonmun.errors",
    "Chunk": "bonmun.outputs.chunks.chunking",
    "Client": "bonmun.app.client",
    "Document": "bonmun.document",
    "Extracted": "bonmun.scale.web.extract_urls",
    "Fetched": "bonmun.scale.web.download_many",
    "Image": "bonmun.outputs.mentions",
    "KeptBlock": "bonmun.kept",
    "Labels": "bonmun.labels",
    "Link": "bonmun.outputs.mentions",
    "Metadata": "bonmun.metadata",
    "Options": "bonmun.options",
    "Page": "bonmun.page",
    "Post": "bonmun.metadata.posts",
    "SiteModel": "bonmun.sites.model",
    "Table": "bonmun.outputs.tables.record",
    "accelerated": "bonmun.kernel",
    "extract": "bonmun.pipeline",
    "extract_pages": "bonmun.pipeline",
    "extract_url": "bonmun.scale.web.extract_urls",
    "extract_urls": "bonmun.scale.web.extract_urls",
    "fetch": "bonmun.scale.web.download",
    "fetch_many": "bonmun.scale.web.download_many",
    "fetch_pages": "bonmun.scale.web.all_pages",
    "methods": "bonmun.algorithms",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in MODULES:
        raise AttributeError(f"module 'bonmun' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
