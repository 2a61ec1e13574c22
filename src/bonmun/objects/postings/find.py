"""Find the event or the job that a page shows, unless it is about something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.objects.marked import SUBTYPES
from bonmun.objects.postings.events import find_shown_events
from bonmun.objects.postings.jobs import find_shown_jobs

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject

__all__ = ["find_postings"]

# Types of what a page is about that is neither event nor job.
OTHER_TYPES = frozenset("Recipe Product ScholarlyArticle Event JobPosting VideoObject PodcastEpisode Person".split())


def find_postings(reading: ObjectReading, found: Collection[str]) -> list[PageObject]:
    """Return the job or else the event that a page shows, given the types of the objects that were found on it.

    A page that declares events or jobs, none of which it is about, is a list of them.
    """
    if not OTHER_TYPES.isdisjoint(found):
        return []
    if reading.find_items(*SUBTYPES["Event"].split(), *SUBTYPES["JobPosting"].split()):
        return []
    return find_shown_jobs(reading) or find_shown_events(reading)
