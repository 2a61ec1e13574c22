"""The part of a page that is searched for an event or a job: the blocks near its headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bonmun.objects.labelled_values import LabelledValue
    from bonmun.objects.reading import ObjectReading

__all__ = ["HeadlineArea"]


class HeadlineArea(NamedTuple):
    """A page with the blocks near its headline."""

    reading: ObjectReading
    headline: int  # block
    blocks: range
    labelled: list[LabelledValue]  # of these blocks
