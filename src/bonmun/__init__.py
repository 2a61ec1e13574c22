"""bonmun: the main text of a web page, with a reason for every decision.

>>> import bonmun
>>> doc = bonmun.extract("<h1>Hi</h1><p>Some words that are long enough to be read as a paragraph of text.</p>")
>>> doc.title, doc.text
('Hi', 'Some words that are long enough to be read as a paragraph of text.')
"""

from typing import TYPE_CHECKING, Any

from bonmun._version import __version__
from bonmun.document import Document
from bonmun.errors import BonmunError
from bonmun.labels import Labels
from bonmun.methods import methods
from bonmun.options import Options
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.web import fetch

if TYPE_CHECKING:
    from bonmun.client import Client
    from bonmun.sites.model import SiteModel
    from bonmun.web_many import fetch_many

__all__ = [
    "BonmunError",
    "Client",
    "Document",
    "Labels",
    "Options",
    "Page",
    "SiteModel",
    "__version__",
    "extract",
    "fetch",
    "fetch_many",
    "methods",
]


def __getattr__(name: str) -> Any:
    """SiteModel comes with numpy, Client with httpx, fetch_many with asyncio, which most users never need to load."""
    if name == "Client":
        from bonmun.client import Client

        return Client
    if name == "SiteModel":
        from bonmun.sites.model import SiteModel

        return SiteModel
    if name == "fetch_many":
        from bonmun.web_many import fetch_many

        return fetch_many
    raise AttributeError(f"module 'bonmun' has no attribute {name!r}")
