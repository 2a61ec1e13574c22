"""Keep what belongs to the text that a network has chosen: similar lines, gaps, lists, titles, headings, captions.

Headings whose text was dropped are dropped, too, and so are the words of controls ("Read more") and promotions.

Labelled pages differ in these, so that a network cannot learn them; where they stand on the page tells more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.credits import find_credits, find_licence
from bonmun.algorithms.doubtful_sections import find_doubtful_sections
from bonmun.algorithms.places import find_alike, find_odd_labels, find_unlike, list_groups
from bonmun.algorithms.repeats import REPEATED, is_list
from bonmun.algorithms.threads import find_filled_profiles, find_posts_to_keep
from bonmun.models.network.thresholds import DROPPED_SCORE, HEADING, KEPT_SCORE, REASON_TEXTS, SHORT, TITLE, UNLIKE
from bonmun.page.callouts import find_callout_titles
from bonmun.page.controls import find_buttons, find_controls
from bonmun.page.empty_headings import find_empty_headings
from bonmun.page.figures import find_figures
from bonmun.page.headings import (
    find_heading_lists,
    find_headings,
    find_headline,
    find_headline_copy,
    find_second_headline,
    find_section_headings,
)
from bonmun.page.items import find_double_titles, find_item_titles
from bonmun.page.leads import find_lead
from bonmun.page.notes.dropped_notes import find_dropped_notes
from bonmun.page.prices import find_price
from bonmun.page.promotions import find_ads, find_promotions, is_promotion_box
from bonmun.page.runs import find_gap_blocks, find_run_blocks
from bonmun.page.units import UNIT_TAGS, find_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page
    from bonmun.page.posts import FoundPost

__all__ = ["complete_text"]

MIN_SECTIONS_CHANCE = 0.5  # that a page is an article or documentation; on others, headings are items
LIKE_MOST = "like most texts at such places"
UNLIKE_MOST = "unlike most texts at such places"
NO_TEXT, HEADLINE = REASON_TEXTS[HEADING], REASON_TEXTS[TITLE]
MAX_PROMOTIONS_SHARE = 0.3  # of the kept blocks of an article; more are its text
MAX_SERVICE_CHANCE = 0.5  # that a page is a service: gaps in its text are forms and links
MAX_OFFER_CHANCE = 0.5  # that a page is a product or a service
SINGLE_KINDS = frozenset({"cell", "heading", "code"})  # kinds of blocks whose places say little
MAX_FORUM_CHANCE = 0.5  # that a page is a thread, whose posts are decided elsewhere
MIN_PRODUCT_CHANCE = 0.5  # that a page is a product, which has a price
MIN_RUN_SCORE = 0.44  # of a block beside or between kept ones
UNLIKELY = frozenset({REASON_TEXTS[UNLIKE], REASON_TEXTS[SHORT]})  # reasons of blocks that only their score drops


def complete_text(
    page: Page,
    found: Decision,
    template: frozenset[int],
    posts: Sequence[FoundPost] = (),
    *,
    keeps_headline: bool = False,
) -> None:
    """Keep further blocks that belong to the kept text, but no template, comments and hidden blocks.

    `posts` are those of a thread, whose comments are posts. `keeps_headline`: the network decides on the headline.
    """
    if posts:
        _keep(page, found, template, list(find_posts_to_keep(page, posts, found.kept)), "post like the kept ones")
        _drop(found, list(find_filled_profiles(posts, found)), REASON_TEXTS[UNLIKE])
    excluded = template.union(row for row in found.comments if not found.kept[row])
    kinds = dict(found.kinds)
    are_items_unlikely = not is_list(found)  # else what is beside an item may be a label
    candidates = _find_candidates(page, found, excluded) if are_items_unlikely else []
    if candidates:
        runs = find_run_blocks(page, found.kept, candidates)
        _keep(page, found, excluded, _drop_torn(page, found, runs), "like the text beside it")
        candidates = [row for row in candidates if not found.kept[row]]
    if not posts and kinds["forum"] <= MAX_FORUM_CHANCE:
        _keep_alike(page, found, excluded, kinds, is_list=not are_items_unlikely)
    if not are_items_unlikely:
        _complete_items(page, found, excluded, template)
    if are_items_unlikely and kinds["service"] <= MAX_SERVICE_CHANCE:
        gaps = find_gap_blocks(page, found.kept, candidates) if candidates else ()
        gaps = [row for row in gaps if not is_promotion_box(page, row)]
        _keep(page, found, excluded, gaps, "between main text")
        _keep(page, found, excluded, find_heading_lists(page, found.kept), "list below a kept heading")
    if max(kinds["article"], kinds["documentation"]) > MIN_SECTIONS_CHANCE:
        empty = [reason == NO_TEXT for reason in found.reasons]
        headings = find_headings(page, found.kept, found.scores, empty)
        headings = [row for row in headings if not is_promotion_box(page, row)]
        _keep(page, found, excluded, headings, "heading of kept text")
        second = find_second_headline(page, [reason == HEADLINE for reason in found.reasons]) if not posts else ()
        _keep(page, found, excluded, second, "heading of kept text")
    if kinds["product"] > MIN_PRODUCT_CHANCE:
        _keep(page, found, excluded, find_price(page, found.kept), "price of the product")
    _keep(page, found, excluded, find_callout_titles(page, found.kept), "heading of kept text")
    leads = [row for row in find_lead(page, found.kept) if not is_promotion_box(page, row)]
    _keep(page, found, excluded, leads, "lead of the text")
    _keep(page, found, excluded, find_dropped_notes(page, found.kept), "note of kept text")
    captions = [row for figure in find_figures(page, found.kept, only_dropped=True) for row in figure.captions]
    _keep(page, found, excluded, _drop_torn(page, found, captions), "caption of an image in the text")
    _drop_lines(page, found, kinds, has_posts=bool(posts), keeps_headline=keeps_headline)


def _complete_items(page: Page, found: Decision, excluded: frozenset[int], template: frozenset[int]) -> None:
    """Complete the items of a listing: titles, each written once, and headings above them; drop advertisements."""
    _keep(page, found, excluded, find_item_titles(page, found.kept), "title of a kept item")
    _drop(found, find_double_titles(page, found.kept), REPEATED)
    _drop(found, find_doubtful_sections(page, found, template), "section of a dropped heading")
    _drop(found, find_ads(page, found.kept), "advertisement")
    _drop(found, find_buttons(page, found.kept), "words of a control")
    sections = find_section_headings(page, found.kept, found.scores)
    _keep(page, found, excluded, sections, "heading of kept items")


def _drop_lines(
    page: Page, found: Decision, kinds: Mapping[str, float], *, has_posts: bool, keeps_headline: bool
) -> None:
    """Drop lines that are not text: bylines, licences, words of controls, promotions, headings without text."""
    if kinds["article"] + kinds["documentation"] > MIN_SECTIONS_CHANCE:
        _drop(found, _find_date_line(page, found.kept), REASON_TEXTS[SHORT])
        if not has_posts:
            _drop(found, find_headline_copy(page, found.kept), HEADLINE)
            _drop(found, find_licence(page, found.kept), "licence")
            _drop(found, find_credits(page, found.kept), "byline, date or copyright")
    offers = kinds["product"] + kinds["service"]  # of which the headline is a part
    if not (has_posts or keeps_headline) and offers <= MAX_OFFER_CHANCE:
        _drop(found, find_headline(page, found.kept), HEADLINE)
    controls = find_controls(page, found.kept)
    if len(controls) < sum(found.kept):
        _drop(found, controls, "words of a control")
    if kinds["article"] > MIN_SECTIONS_CHANCE:
        promotions = find_promotions(page, found.kept)
        if len(promotions) < MAX_PROMOTIONS_SHARE * sum(found.kept):
            _drop(found, promotions, "promotion of another page")
    if not has_posts:
        _drop(found, find_empty_headings(page, found.kept, found.scores), NO_TEXT)


def _keep_alike(
    page: Page, found: Decision, excluded: frozenset[int], kinds: Mapping[str, float], *, is_list: bool
) -> None:
    """Keep blocks at equal places with kept ones. Outside of lists, tables and headings are decided by other rules.

    In lists, the labels of items are kept or dropped together, and texts that are hardly kept go with the others.
    """
    if kinds["product"] + kinds["service"] > MAX_OFFER_CHANCE:  # they repeat links and buttons in their text
        return
    groups = list_groups(page, found)
    rows = find_alike(groups, found)
    rows = [row for row in _drop_torn(page, found, rows) if is_list or page.find_kind(row) not in SINGLE_KINDS]
    _keep(page, found, excluded, rows, LIKE_MOST)
    if is_list and groups:
        to_keep, to_drop = find_odd_labels(page, groups, found)
        _keep(page, found, excluded, _drop_torn(page, found, to_keep), LIKE_MOST)
        _drop(found, to_drop, UNLIKE_MOST)
        _drop(found, find_unlike(page, groups, found), UNLIKE_MOST)


def _drop_torn(page: Page, found: Decision, rows: Sequence[int]) -> Sequence[int]:
    """Return rows without those of tables, lists and code that are dropped as a whole and would be kept in part."""
    around = page.with_ancestors(page.owners[row] for row in rows)
    if not page.formulas and not any(page.tags[each] in UNIT_TAGS or each in page.codes for each in around):
        return rows
    changed, kept = set(rows), found.kept
    units = [unit.blocks for unit in find_units(page) if unit.kind != "figure"]
    whole = (each for each in units if len({kept[row] for row in each}) == 1)
    torn = {row for each in whole if not changed.issuperset(each) for row in each}
    return [row for row in rows if row not in torn]


def _find_date_line(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the first kept block if it only consists of a `<time>` and others follow: it is the date of the page."""
    first = kept.index(True) if sum(kept) > 1 else None
    if first is None or any(
        page.tags[row] != "time" for row in page.leaf_elements[page.starts[first] : page.stops[first]]
    ):
        return []
    return [first]


def _find_candidates(page: Page, found: Decision, excluded: frozenset[int]) -> list[int]:
    """Return dropped blocks that are nearly as likely to be main text as kept ones."""
    rows = [
        row
        for row, score in enumerate(found.scores)
        if score >= MIN_RUN_SCORE and not found.kept[row] and found.reasons[row] in UNLIKELY
    ]
    return [row for row in rows if row not in excluded and not page.hidden_blocks[row]]


def _keep(page: Page, found: Decision, excluded: frozenset[int], rows: Iterable[int], reason: str) -> None:
    """Keep blocks, with a reason."""
    for row in rows:
        if not found.kept[row] and row not in excluded and not page.hidden_blocks[row]:
            found.kept[row] = True
            found.scores[row] = max(found.scores[row], KEPT_SCORE)
            found.reasons[row] = reason


def _drop(found: Decision, rows: Iterable[int], reason: str) -> None:
    """Drop blocks, with a reason."""
    for row in rows:
        found.kept[row] = False
        found.scores[row] = min(found.scores[row], DROPPED_SCORE)
        found.reasons[row] = reason
