"""The decision of a method on every leaf or block of a page.

Labels are never stored on the page, so that several methods can be compared on the same page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.page.posts import FoundPost

__all__ = ["Labels", "RuleValue"]


class RuleValue(NamedTuple):
    """The values that a rule found for a metadata field, and the name of the rule."""

    values: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The decision of a method on every leaf or block of a page.

    Each row of `scores`, `kept` and `reasons` stands for one leaf or one block of the page.

    Attributes:
        method: Name of the method.
        unit: Whether the rows are leaves or blocks.
        scores: Score of each row, from 0 to 1: how likely it is main text.
        kept: Whether each row is kept as main text.
        reasons: Short reason for each decision.
        confidence: Confidence in the result as a whole, from 0 to 1.
        comments: Rows that are readers' comments. They are never kept.
        kind: Kind of page, such as "article". None if the method does not classify pages.
        kinds: Probability of each kind of page. Empty if the method does not estimate it.
        title: Headline. None if the method does not look for one.
        cuts: Kept leaves of which only a part is kept, each with that part.
        evidence: Named tuples that the decision is based on, such as groups of leaves or candidates. Each method
            defines its own.
        template: Blocks that the site model recognises as part of the site's template.
        left_out: Leaves of kept blocks that the method or a rule drops, if the rows are blocks.
        left_out_media: Images and players that a rule drops, as elements.
        rule_images: Images that a rule keeps, as elements.
        rule_values: Title, authors and date as rules found them, by field name.
        posts: Posts of a page that the method recognises as a thread.
        next_page: Address of the next page as a rule found it, or "" if the rule found none. None if no rule says
            where it is.
    """

    method: str
    unit: Literal["leaf", "block"]
    scores: Sequence[float]
    kept: Sequence[bool]
    reasons: Sequence[str]
    confidence: float
    comments: frozenset[int] = frozenset()
    kind: str | None = None
    kinds: Mapping[str, float] = field(default_factory=dict)
    title: str | None = None
    cuts: Mapping[int, str] = field(default_factory=dict)
    evidence: Sequence[Any] = ()
    template: frozenset[int] = frozenset()
    left_out: frozenset[int] = frozenset()
    left_out_media: frozenset[int] = frozenset()
    rule_images: frozenset[int] = frozenset()
    rule_values: Mapping[str, RuleValue] = field(default_factory=dict)
    posts: Sequence[FoundPost] = ()
    next_page: str | None = None

    def __post_init__(self) -> None:
        if not len(self.scores) == len(self.kept) == len(self.reasons):
            raise ValueError("scores, kept and reasons must have the same length")
