"""What is measured: a system is a function from an example to an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.lab.gold.examples import Example

__all__ = ["FACTS", "OURS", "Answer", "System"]

OURS = "auto"  # the method that all others, and peers, are compared with
FACTS = ("title", "author", "date")  # that an answer and a gold may have beside the text


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system makes of a page."""

    text: str = ""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    leaves: tuple[int, ...] | None = None  # those that were kept, where the system says
    markdown: str | None = None  # only where the gold is in Markdown, and the system gives it


@dataclass(frozen=True, slots=True)
class System:
    """Something that extracts: a method, a peer, or the oracle."""

    name: str
    group: Literal["method", "peer", "oracle"]
    version: Callable[[], str]  # raises MissingExtra, with what to do, where the system is not installed
    run: Callable[[Example], Answer]  # from HTML to text: what is timed
    gives: tuple[str, ...] = ()  # of the facts, those that it looks for
    whole: Callable[[Example], Answer] | None = None  # the same text with all else, where that is another call
    markdown: Callable[[Example], str] | None = None  # the same as Markdown, with links, where the system gives it
    loads: str = ""  # a module that is loaded before the clock runs
    prepare: Callable[[], object] | None = None  # what else is done before it: once in a process, then it costs nothing

    def needs_markdown(self, example: Example) -> bool:
        """Whether Markdown is worth its extra cost: the gold is in Markdown."""
        return self.markdown is not None and example.markdown is not None

    def needs_facts(self, example: Example) -> bool:
        """Whether the facts are worth their extra cost: the gold has one of those that the system looks for."""
        return self.whole is not None and any(getattr(example, fact) for fact in self.gives)
