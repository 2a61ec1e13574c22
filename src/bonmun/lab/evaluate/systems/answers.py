"""Systems and their answers: a system is a function from an example to an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.lab.gold.examples import Example

__all__ = ["METADATA_FIELDS", "OURS", "Answer", "System"]

OURS = "auto"  # the method that all other methods and peers are compared with
METADATA_FIELDS = ("title", "author", "date")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system extracts from a page."""

    text: str = ""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    leaves: tuple[int, ...] | None = None  # kept leaves, if the system gives them
    markdown: str | None = None  # only if the gold needs it and the system supports it
    # Only if the gold has checks and the system finds them.
    kind: str | None = None
    authors: tuple[str, ...] | None = None
    posts: tuple[tuple[str, str], ...] | None = None  # author and text of each


@dataclass(frozen=True, slots=True)
class System:
    """An extractor: a method, a peer, or the oracle."""

    name: str
    group: Literal["method", "peer", "oracle"]
    version: Callable[[], str]  # raises MissingExtra with instructions if the system is not installed
    run: Callable[[Example], Answer]  # from HTML to text; this call is timed
    fields: tuple[str, ...] = ()  # metadata fields that the system extracts
    run_full: Callable[[Example], Answer] | None = None  # the same with leaves and metadata, if that is another call
    markdown: Callable[[Example], str] | None = None  # as Markdown with links and images, if the system supports it
    module: str = ""  # imported before timing starts
    prepare: Callable[[], object] | None = None  # called before timing starts; only the first call in a process is slow

    def needs_markdown(self, example: Example) -> bool:
        """Whether Markdown is worth its extra cost: the gold is in Markdown, or has checks."""
        return self.markdown is not None and (example.markdown is not None or example.checks is not None)

    def needs_metadata(self, example: Example) -> bool:
        """Whether metadata is worth its extra cost: the gold has a field that the system extracts, or checks."""
        has_gold = any(getattr(example, field) for field in self.fields) or example.checks is not None
        return self.run_full is not None and has_gold
