"""bonmun: the main text of a web page, with a reason for every decision.

>>> import bonmun
>>> doc = bonmun.extract("<h1>Hi</h1><p>Some words that are long enough to be read as a paragraph of text.</p>")
>>> doc.title, doc.text
('Hi', 'Some words that are long enough to be read as a paragraph of text.')
"""

from bonmun._version import __version__
from bonmun.document import Document
from bonmun.errors import BonmunError
from bonmun.labels import Labels
from bonmun.methods import methods
from bonmun.options import Options
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.web import fetch

__all__ = ["BonmunError", "Document", "Labels", "Options", "Page", "__version__", "extract", "fetch", "methods"]
