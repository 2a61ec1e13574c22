"""What a method says of a page: for every leaf or block a score, kept or not, and why.

Labels are never stored on the page, so that any number of methods can be compared on one page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Labels"]


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """One row a leaf or block, as `unit` says; all columns are equally long."""

    method: str
    unit: Literal["leaf", "block"]
    scores: Sequence[float]  # 0..1, how sure the method is that the row is main text
    kept: Sequence[bool]
    reasons: Sequence[str]  # a few words each
    confidence: float  # 0..1, how sure the method is of the whole answer
    comments: frozenset[int] = frozenset()  # rows that are readers' comments: never among the kept
    kind: str | None = None  # what kind of page the method takes it for, if it says
    kinds: Mapping[str, float] = field(default_factory=dict)  # how likely each kind of page is, if the method says
    title: str | None = None  # the headline, if the method looks for one
    cuts: Mapping[int, str] = field(default_factory=dict)  # kept leaves of which only this part is kept
    evidence: Sequence[Any] = ()  # the groups, depths or candidates that were weighed: named tuples of the method's own
    template: frozenset[int] = frozenset()  # blocks that a site model knows from other pages

    def __post_init__(self) -> None:
        if not len(self.scores) == len(self.kept) == len(self.reasons):
            raise ValueError("the columns of Labels differ in length")
