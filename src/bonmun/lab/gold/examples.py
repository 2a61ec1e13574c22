"""The records of a labelled set: usable examples, and broken records with the reason."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from bonmun.lab.gold.block_labels import BlockLabel
    from bonmun.lab.gold.checks import PageChecks

__all__ = ["BrokenRecord", "Example"]


@dataclass(frozen=True)
class Example:
    """A page and its gold."""

    id: str
    html: str
    text: str | None  # the gold text; None where only snippets or lines are known
    url: str | None = None
    lang: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    kind: str | None = None
    license: str | None = None
    site: str | None = None  # registered domain, if the set gives it
    comments: str | None = None  # reader comments, where the gold separates them
    cov: float | None = None  # share of the gold that occurs on the page, if the set gives it
    wanted: tuple[str, ...] = ()  # strings that must be in the text
    unwanted: tuple[str, ...] = ()  # strings that must not be in the text
    markdown: str | None = None  # the gold as Markdown, if the set gives it
    must: tuple[str, ...] = ()  # lines of the page, such as a recipe's ingredients, that have to be found
    labels: tuple[BlockLabel, ...] | None = None  # labels by a person; blocks without one are dropped
    checks: PageChecks | None = None  # what a reader looks for in the result

    @cached_property
    def page_hash(self) -> str:
        """Hash of the input of a system."""
        return _hash([self.html, self.url or ""])

    @cached_property
    def gold_hash(self) -> str:
        """Hash of everything that an answer is compared with."""
        values = [self.text, self.title, self.author, self.date]
        marked = ["-" if value is None else f"+{value}" for value in values]
        lines = [f"{len(self.must)} lines", *self.must] if self.must else []
        written = [] if self.markdown is None else ["markdown", self.markdown]
        checked = [] if self.checks is None else ["checks", repr(self.checks)]
        return _hash([*checked, *written, *lines, *marked, str(len(self.wanted)), *self.wanted, *self.unwanted])


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """An unusable record, and the reason."""

    name: str
    reason: str
    lacks_gold: bool = False  # only the gold is missing: the page still shows the templates of its site

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def _hash(values: list[str]) -> str:
    digest = hashlib.sha256()
    for value in values:
        data = value.encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()[:24]
