"""Find the event or the job that a page shows, unless it is about something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.scans import fold_texts
from bonmun.objects.labelled_values import find_labelled_values
from bonmun.objects.marked import SUBTYPES
from bonmun.objects.postings.events import find_shown_events
from bonmun.objects.postings.jobs import find_shown_jobs
from bonmun.objects.postings.near import HeadlineArea
from bonmun.objects.postings.words import EVENT_LABELS, JOB_LABELS
from bonmun.objects.products.view import find_headline_block

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject
    from bonmun.page import Page

__all__ = ["find_postings"]

# Kinds of pages that are neither, even if they have such labels.
OTHER_KINDS = frozenset("forum documentation product".split())
LABEL_CHARS = 60  # at the start of a block that may be a label
DIGITS = "0123456789"  # before a label: "1. Date"
BLOCKS_BEFORE, BLOCKS_AFTER = 6, 150  # from the headline to labels and headings
# Types of what a page is about that is neither event nor job.
OTHER_TYPES = frozenset("Recipe Product ScholarlyArticle Event JobPosting VideoObject PodcastEpisode Person".split())


def find_postings(reading: ObjectReading, found: Collection[str]) -> list[PageObject]:
    """Return the job or else the event that a page shows, given the types of the objects that were found on it.

    A page that declares events or jobs, none of which it is about, is a list of them.
    """
    if reading.kind in OTHER_KINDS or not OTHER_TYPES.isdisjoint(found):
        return []
    if reading.find_items(*SUBTYPES["Event"].split(), *SUBTYPES["JobPosting"].split()):
        return []
    headline = find_headline_block(reading.page, reading.metadata.title) if reading.metadata.title else None
    if headline is None:
        return []
    first, last = max(0, headline - BLOCKS_BEFORE), min(len(reading.page.starts), headline + BLOCKS_AFTER)
    labelled = find_labelled_values(reading.page, first, last) if _has_label(reading.page, range(first, last)) else []
    near = HeadlineArea(reading, headline, range(first, last), labelled)
    return find_shown_jobs(near) or find_shown_events(near)


def _has_label(page: Page, blocks: range) -> bool:
    """Whether a block starts with a label of an event or a job; most pages have none."""
    heads = [page.block_texts[block][:LABEL_CHARS] for block in blocks]
    starts = [head.replace("：", ":").partition(":")[0] for head in heads]
    # a block that is one leaf without a colon starts with nothing else
    starts += [
        page.texts[page.starts[block]][:LABEL_CHARS].rstrip(":：")
        for block, head, start in zip(blocks, heads, starts, strict=True)
        if len(start) < len(head) or page.stops[block] > page.starts[block] + 1
    ]
    labels = {text.lstrip(DIGITS) for text in fold_texts(starts, LABEL_CHARS)}
    return not (labels.isdisjoint(EVENT_LABELS) and labels.isdisjoint(JOB_LABELS))
