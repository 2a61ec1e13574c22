"""Take author and date of a thread from its opening post, where the page does not declare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.authors.candidates import NOT_NAMES
from bonmun.metadata.ranking import MetadataField
from bonmun.metadata.scans import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.page.posts import FoundPost

__all__ = ["prefer_opening_post"]

SOURCE = "post"
MIN_CONFIDENCE = 0.5  # of a value that is kept
POST_CONFIDENCE = 0.6  # of the author and the date of a post
MAX_WORDS = 4  # of a name; longer ones are sentences


def prefer_opening_post(found: MetadataField | None, field: str, posts: Iterable[FoundPost]) -> MetadataField | None:
    """Return the author or the date of the opening post if none was found, or one with a low confidence."""
    if found and found.confidence >= MIN_CONFIDENCE:
        return found
    opening = next((post for post in posts if post.is_opening), None)
    value = opening and getattr(opening, field)
    if not value or value.count(" ") >= MAX_WORDS or fold_text(value) in NOT_NAMES:
        return found
    return MetadataField(value, SOURCE, POST_CONFIDENCE)
