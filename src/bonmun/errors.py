"""Every error bonmun raises on purpose, one clear sentence each.

    BonmunError
    ├── BadInput            the bytes given are no page
    │   ├── EmptyInput      nothing, or nothing but white space
    │   ├── NotHtml         a PDF, an image, JSON, an archive, a feed, …
    │   ├── Undecodable     no known encoding makes text of it
    │   ├── BadSnapshot     a snapshot that is damaged, or of another version
    │   └── TooBig          over `Options.max_bytes`
    ├── MissingInput        there is no such file
    │   └── NoPages         a folder without any page
    ├── FetchFailed         a URL that gave no page: dead, slow, refused, not found
    │   └── AddressRefused  it leads to a private, loopback or link-local address
    ├── RenderFailed        a page that the browser did not lay out: no browser, no end, a crash
    ├── BadConfig           an option, method or format that does not exist
    │   ├── TooFewPages     a corpus that is too small for a method
    │   └── NoBoxes         a page that no browser has laid out, for a method that needs one
    ├── BadGold             a gold file that cannot be read or written, or labels that are none
    │   └── StaleLabels     labels that somebody has changed since they were read
    └── MissingExtra        an optional package is not installed; the message is the pip line

A page without main text is no error: its document is empty and says so.
"""

from __future__ import annotations

__all__ = [
    "AddressRefused",
    "BadConfig",
    "BadGold",
    "BadInput",
    "BadSnapshot",
    "BonmunError",
    "EmptyInput",
    "FetchFailed",
    "MissingExtra",
    "MissingInput",
    "NoBoxes",
    "NoPages",
    "NotHtml",
    "RenderFailed",
    "StaleLabels",
    "TooBig",
    "TooFewPages",
    "Undecodable",
]


class BonmunError(Exception):
    """The root of the tree: catch this to catch everything bonmun raises on purpose."""


class BadInput(BonmunError):
    """The bytes given are no page."""


class EmptyInput(BadInput):
    """There is nothing, or nothing but white space."""


class NotHtml(BadInput):
    """The bytes are something else: a PDF, an image, JSON, an archive, a feed."""


class Undecodable(BadInput):
    """No known encoding makes text of the bytes."""


class BadSnapshot(BadInput):
    """The snapshot of a page is damaged, or of another version."""


class TooBig(BadInput):
    """The input is larger than `Options.max_bytes`."""


class MissingInput(BonmunError):
    """There is no such file."""


class NoPages(MissingInput):
    """The folder holds no page."""


class FetchFailed(BonmunError):
    """The URL gave no page."""


class AddressRefused(FetchFailed):
    """The URL leads to an address of a private network."""


class RenderFailed(BonmunError):
    """The browser did not lay the page out."""


class BadConfig(BonmunError):
    """An option, method or format that does not exist."""


class TooFewPages(BadConfig):
    """The corpus is too small for the method."""


class NoBoxes(BadConfig):
    """The method needs a page that a browser has laid out."""


class BadGold(BonmunError):
    """A gold file cannot be read or written, or labels are none."""


class StaleLabels(BadGold):
    """Somebody has changed the labels since they were read."""


class MissingExtra(BonmunError):
    """An optional package is needed and not installed."""
