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
from bonmun.algorithms import methods

if TYPE_CHECKING:
    from bonmun.app.client import Client
    from bonmun.document import Document
    from bonmun.errors import BonmunError
    from bonmun.kernel import accelerated
    from bonmun.labels import Labels
    from bonmun.options import Options
    from bonmun.page import Page
    from bonmun.pipeline import extract
    from bonmun.scale.web.download import fetch
    from bonmun.scale.web.download_many import fetch_many
    from bonmun.sites.model import SiteModel

__all__ = [
    "BonmunError",
    "Client",
    "Document",
    "Labels",
    "Options",
    "Page",
    "SiteModel",
    "__version__",
    "accelerated",
    "extract",
    "fetch",
    "fetch_many",
    "methods",
]

# The module of each name, imported on first use: loading httpx, numpy and asyncio takes longer than extracting a page.
MODULES = {
    "BonmunError": "bonmun.errors",
    "Client": "bonmun.app.client",
    "Document": "bonmun.document",
    "Labels": "bonmun.labels",
    "Options": "bonmun.options",
    "Page": "bonmun.page",
    "SiteModel": "bonmun.sites.model",
    "accelerated": "bonmun.kernel",
    "extract": "bonmun.pipeline",
    "fetch": "bonmun.scale.web.download",
    "fetch_many": "bonmun.scale.web.download_many",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in MODULES:
        raise AttributeError(f"module 'bonmun' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
