"""What a labelled set holds: examples, and records that cannot be used, with the reason."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.lab.gold.block_labels import BlockLabel

__all__ = ["BrokenRecord", "Example"]


@dataclass(frozen=True)
class Example:
    """A page and a person's answer for it."""

    id: str
    html: str
    text: str | None  # the gold; None where only snippets or lines are known
    url: str | None = None
    lang: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    kind: str | None = None
    license: str | None = None
    site: str | None = None  # its registered domain, if the set says
    comments: str | None = None  # what readers said, where the gold has that apart
    cov: float | None = None  # the share of the gold that occurs in the page, if the set says
    wanted: tuple[str, ...] = ()  # strings that must be in the text
    unwanted: tuple[str, ...] = ()  # strings that must not
    markdown: str | None = None  # the gold as Markdown, where the set has it so
    must: tuple[str, ...] = ()  # lines of the page, such as a recipe's ingredients, that have to be found
    labels: tuple[BlockLabel, ...] | None = None  # what blocks are, where a person has said so; all others are dropped

    @cached_property
    def page_hash(self) -> str:
        """A hash of what a system sees."""
        return _hash([self.html, self.url or ""])

    @cached_property
    def gold_hash(self) -> str:
        """A hash of what its answer is compared with."""
        values = [self.text, self.title, self.author, self.date]
        marked = ["-" if value is None else f"+{value}" for value in values]
        lines = [f"{len(self.must)} lines", *self.must] if self.must else []
        written = [] if self.markdown is None else ["markdown", self.markdown]
        return _hash([*written, *lines, *marked, str(len(self.wanted)), *self.wanted, *self.unwanted])


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that is no example, and why."""

    name: str
    reason: str
    lacks_gold: bool = False  # the page may still teach what is on its site

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def _hash(values: list[str]) -> str:
    digest = hashlib.sha256()
    for value in values:
        data = value.encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()[:24]
