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
    │   ├── AddressRefused  it leads to a private, loopback or link-local address
    │   ├── HostSilent      its host is not known, lets nobody connect, or does not answer in time
    │   ├── HostBusy        its host asks to be asked later (status 429 or 503)
    │   └── AnswerBroken    the connection broke before the answer was whole
    ├── RenderFailed        a page that the browser did not lay out: no browser, no end, a crash
    ├── BadConfig           an option, method or format that does not exist
    │   ├── TooFewPages     a corpus that is too small for a method
    │   └── NoBoxes         a page that no browser has laid out, for a method that needs one
    ├── BadGold             a gold file that cannot be read or written, or labels that are none
    │   └── StaleLabels     labels that somebody has changed since they were read
    ├── ServiceFailed       a service that did not do the work
    │   ├── Refused         it does not do this, or not for you: no token, another web site
    │   ├── TooBusy         too many others wait
    │   ├── TooSlow         the page took longer than it may
    │   ├── OutOfMemory     the page took more memory than it may
    │   └── WorkerDied      the process that worked on the page died
    └── MissingExtra        an optional package is not installed; the message is the pip line

A page without main text is no error: its document is empty and says so.
"""

from __future__ import annotations

__all__ = [
    "AddressRefused",
    "AnswerBroken",
    "BadConfig",
    "BadGold",
    "BadInput",
    "BadSnapshot",
    "BonmunError",
    "EmptyInput",
    "FetchFailed",
    "HostBusy",
    "HostSilent",
    "MissingExtra",
    "MissingInput",
    "NoBoxes",
    "NoPages",
    "NotHtml",
    "OutOfMemory",
    "Refused",
    "RenderFailed",
    "ServiceFailed",
    "StaleLabels",
    "TooBig",
    "TooBusy",
    "TooFewPages",
    "TooSlow",
    "Undecodable",
    "WorkerDied",
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


class HostSilent(FetchFailed):
    """The host of a URL is not known, lets nobody connect, or does not answer in time."""


class HostBusy(FetchFailed):
    """The host of a URL asks to be asked later; `seconds` is when, if it says so."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds

    def __reduce__(self) -> tuple[type[HostBusy], tuple[str, float | None]]:
        return type(self), (str(self), self.seconds)


class AnswerBroken(FetchFailed):
    """The connection broke before the answer was whole."""


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


class ServiceFailed(BonmunError):
    """A service did not do the work: it cannot be reached, or says why."""


class Refused(ServiceFailed):
    """The service does not do this, or not for whoever asks."""


class TooBusy(ServiceFailed):
    """Too many others wait for the service."""


class TooSlow(ServiceFailed):
    """The page took longer than the service allows."""


class OutOfMemory(ServiceFailed):
    """The page took more memory than the service allows."""


class WorkerDied(ServiceFailed):
    """The process that worked on the page died."""


class MissingExtra(BonmunError):
    """An optional package is needed and not installed."""
