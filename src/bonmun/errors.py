"""The exceptions that bonmun raises.

    BonmunError
    ├── BadInput            the input is not an HTML page
    │   ├── EmptyInput      it is empty or contains only whitespace
    │   ├── NotHtml         it is a PDF, an image, JSON, an archive, a feed, …
    │   ├── Undecodable     it cannot be decoded as text
    │   ├── BadSnapshot     the snapshot is damaged or from another version
    │   └── TooBig          it is larger than `Options.max_bytes`
    ├── MissingInput        the file does not exist
    │   └── NoPages         the folder contains no pages
    ├── MissingPart         the document has no such section, or ends before the cursor
    ├── FetchFailed         the page could not be downloaded
    │   ├── AddressRefused  the URL leads to a private, loopback or link-local address
    │   ├── HostSilent      the host is unknown, refuses connections or does not respond in time
    │   ├── HostBusy        the host asks to retry later (status 429 or 503)
    │   └── AnswerBroken    the connection was lost before the response was complete
    ├── RenderFailed        the browser could not render the page: not installed, timed out or crashed
    ├── BadConfig           an option, method or format is invalid
    │   ├── BadRule         a rule file cannot be used; the message gives the line and the reason
    │   │   └── StaleRules  the rule file has changed since it was read
    │   ├── TooFewPages     the corpus is too small for the method
    │   └── NoBoxes         the method needs a rendered page
    ├── BadGold             a gold file cannot be read or written, or its labels are invalid
    │   └── StaleLabels     the labels have changed since they were read
    ├── ServiceFailed       a request to a bonmun service failed
    │   ├── Refused         the request is not allowed, for example because the token is missing
    │   ├── TooBusy         too many requests are waiting
    │   ├── TooSlow         the page exceeded the time limit
    │   ├── OutOfMemory     the page exceeded the memory limit
    │   └── WorkerDied      the worker process died
    └── MissingExtra        an optional package is not installed; the message gives the pip command

A page without main text is not an error: its document is empty.
"""

from __future__ import annotations

__all__ = [
    "AddressRefused",
    "AnswerBroken",
    "BadConfig",
    "BadGold",
    "BadInput",
    "BadRule",
    "BadSnapshot",
    "BonmunError",
    "EmptyInput",
    "FetchFailed",
    "HostBusy",
    "HostSilent",
    "MissingExtra",
    "MissingInput",
    "MissingPart",
    "NoBoxes",
    "NoPages",
    "NotHtml",
    "OutOfMemory",
    "Refused",
    "RenderFailed",
    "ServiceFailed",
    "StaleLabels",
    "StaleRules",
    "TooBig",
    "TooBusy",
    "TooFewPages",
    "TooSlow",
    "Undecodable",
    "WorkerDied",
]


class BonmunError(Exception):
    """Base class of all exceptions that bonmun raises."""


class BadInput(BonmunError):
    """The input is not an HTML page."""


class EmptyInput(BadInput):
    """The input is empty or contains only whitespace."""


class NotHtml(BadInput):
    """The input is another kind of file: a PDF, an image, JSON, an archive, a feed."""


class Undecodable(BadInput):
    """The input cannot be decoded as text."""


class BadSnapshot(BadInput):
    """The snapshot is damaged or from another version."""


class TooBig(BadInput):
    """The input is larger than `Options.max_bytes`."""


class MissingInput(BonmunError):
    """The file does not exist."""


class NoPages(MissingInput):
    """The folder contains no pages."""


class MissingPart(BonmunError):
    """The document has no such section, or ends before the cursor."""


class FetchFailed(BonmunError):
    """The page could not be downloaded."""


class AddressRefused(FetchFailed):
    """The URL leads to a private, loopback or link-local address."""


class HostSilent(FetchFailed):
    """The host is unknown, refuses connections or does not respond in time."""


class HostBusy(FetchFailed):
    """The host asks to retry later; `seconds` is the delay it asks for, or None."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds

    def __reduce__(self) -> tuple[type[HostBusy], tuple[str, float | None]]:
        return type(self), (str(self), self.seconds)


class AnswerBroken(FetchFailed):
    """The connection was lost before the response was complete."""


class RenderFailed(BonmunError):
    """The browser could not render the page."""


class BadConfig(BonmunError):
    """An option, method or format is invalid."""


class BadRule(BadConfig):
    """A rule file cannot be used; the message gives the line and the reason."""


class StaleRules(BadRule):
    """The rule file has changed since it was read."""


class TooFewPages(BadConfig):
    """The corpus is too small for the method."""


class NoBoxes(BadConfig):
    """The method needs a rendered page."""


class BadGold(BonmunError):
    """A gold file cannot be read or written, or its labels are invalid."""


class StaleLabels(BadGold):
    """The labels have changed since they were read."""


class ServiceFailed(BonmunError):
    """A request to a bonmun service failed."""


class Refused(ServiceFailed):
    """The service does not allow the request."""


class TooBusy(ServiceFailed):
    """Too many requests are waiting for the service."""


class TooSlow(ServiceFailed):
    """The page exceeded the time limit of the service."""


class OutOfMemory(ServiceFailed):
    """The page exceeded the memory limit of the service."""


class WorkerDied(ServiceFailed):
    """The worker process died while it extracted the page."""


class MissingExtra(BonmunError):
    """An optional package is required but not installed."""
