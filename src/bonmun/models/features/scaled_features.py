"""Compute the features of a page from its arrays: scaled numbers for every block, every element and the page.

The tables below define the columns; docs/reference/features.md is generated from them. To add a group of features,
append it to a table together with the function that measures it. If it needs new data, add an optional field to
`PageArrays`, like `site`. Few pages have boxes, so box features have their own table, which is skipped for pages
without boxes. This module needs only numpy, so training can run where the rest of bonmun is not installed. Shapes: n
blocks, m elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.models.features.block_features import (
    measure_dates,
    measure_depth,
    measure_edges,
    measure_gaps,
    measure_groups,
    measure_headlines,
    measure_last_heading,
    measure_look,
    measure_place,
    measure_site,
    measure_targets,
    measure_text,
)
from bonmun.models.features.box_features import (
    BoxMeasures,
    measure_box_column,
    measure_box_place,
    measure_box_type,
    measure_screens,
)
from bonmun.models.features.characters import CLASS_NAMES
from bonmun.models.features.columns import Column, FeatureGroup, FeatureTable
from bonmun.models.features.element_features import measure_content, measure_inside, measure_shape, measure_span
from bonmun.models.features.element_tree import list_levels
from bonmun.models.features.measures import Measures
from bonmun.models.features.page_arrays import PAGE_COLUMNS, TARGETS
from bonmun.models.features.tags import USES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.page_arrays import PageArrays

    Floats = NDArray[np.float32]

__all__ = [
    "BLOCKS",
    "BLOCK_FEATURES",
    "BOXES",
    "BOX_FEATURES",
    "ELEMENTS",
    "ELEMENT_FEATURES",
    "PAGE",
    "PAGE_FEATURES",
    "Features",
    "compute_features",
]

LIMIT = 8.0  # maximum absolute value of the features of blocks and elements


def _measure_totals(p: Measures) -> dict[str, Any]:
    """Sums over all blocks of the page."""
    n, total = len(p.index), p.total
    return {
        "letters": np.log1p(total.text) / 4,
        "plain": np.log1p(total.plain) / 4,
        "link_share": 1 - total.plain / total.text,
        "blocks": np.log1p(n) / 4,
        "labels": total.labels / n,
        "linked": total.linked / n,
        "hidden": 1 - total.shown / n,
        "sentences": np.log1p(total.sentences) / 4,
    }


def _measure_page_columns(p: Measures) -> dict[str, Any]:
    """The columns of PAGE_COLUMNS, unchanged."""
    facts = p.arrays.facts
    return {column.name: facts[PAGE_COLUMNS[column.name]] for column in PAGE_COLUMNS.columns}


BLOCKS = FeatureTable[Measures](
    FeatureGroup(
        "text",
        measure_text,
        Column("letters", "letters, log"),
        Column("words", "words, log: a Chinese character or Korean syllable is half a word"),
        Column("plain", "letters outside of links, 0 if it is hidden, log"),
        Column("characters", "share of each class of characters", CLASS_NAMES),
        Column("digits", "digits, log"),
        Column("link_share", "share of its characters that are in links"),
        Column("links", "leaves in links, log"),
        Column("leaves", "leaves, log"),
        Column("sentences", "sentences, log"),
        Column("commas", "commas, log"),
        Column("lines", "line breaks, log"),
    ),
    FeatureGroup(
        "look",
        measure_look,
        Column("hidden", "whether it is hidden"),
        Column("title_share", "share of its pairs of characters that are in the title"),
        Column("is_title", "whether nearly all of it is in the title"),
        Column("copies", "blocks with the same text, log"),
    ),
    FeatureGroup("gap", measure_gaps, Column("gap", "elements between it and the block before it, log", tuple(USES))),
    FeatureGroup(
        "place",
        measure_place,
        Column("place", "share of the page's blocks before it"),
        Column("blocks_before", "blocks before it, log"),
        Column("blocks_after", "blocks after it, log"),
        Column("plain_before", "share of the page's letters outside of links that are before it"),
        Column("letters_to_mean", "its letters, divided by those of the mean block"),
        Column("letters_to_most", "its letters, divided by those of the longest block"),
    ),
    FeatureGroup(
        "headline",
        measure_headlines,
        Column("h1_distance", "blocks since the first `<h1>`, log, below 0 before it"),
        Column("has_h1", "whether there is an `<h1>`"),
        Column("headline_distance", "blocks since the one most like the title, log, below 0 before it"),
        Column("has_headline", "whether there is one like the title"),
    ),
    FeatureGroup(
        "groups",
        measure_groups,
        Column(
            "path_group",
            "of the blocks with the same tags and class names from the root down",
            ("share of the page's letters outside of links", "share of links", "blocks, log", "mean letters, log"),
        ),
        Column(
            "depth_group",
            "of the blocks at the same depth",
            (
                "share of the page's letters outside of links",
                "share of links",
                "sentences, log",
                "letters a block, log",
            ),
        ),
    ),
    FeatureGroup(
        "edges",
        measure_edges,
        Column("ends_sentence", "whether it ends with a sentence mark"),
        Column("ends_mark", "whether it ends with other punctuation"),
        Column("starts_capital", "whether it starts with a capital"),
        Column("starts_digit", "whether it starts with a digit"),
        Column("starts_symbol", "whether it starts with a symbol or a fence"),
    ),
    FeatureGroup("depth", measure_depth, Column("depth", "ancestors of its element")),
    FeatureGroup("dates", measure_dates, Column("like_date", "whether it is short and a quarter of it is digits")),
    FeatureGroup(
        "site",
        measure_site,
        Column("site", "evidence of a site model", ("share of pages with its text", "repetition at its place")),
        Column("has_site", "whether there is a site model"),
    ),
    FeatureGroup(
        "last heading",
        measure_last_heading,
        Column("heading_distance", "blocks since the last heading, log"),
        Column("heading_level", "level of that heading, from 1/6 for `<h1>` to 1 for `<h6>`"),
    ),
    FeatureGroup(
        "targets",
        measure_targets,
        Column("target", "of its first link", tuple(column.about for column in TARGETS.columns)),
    ),
)

ELEMENTS = FeatureTable[Measures](
    FeatureGroup(
        "content",
        measure_content,
        Column("letters", "letters in it, log"),
        Column("plain", "letters outside of links, log"),
        Column("link_share", "share of its letters that are in links"),
        Column("letters_of_page", "share of the page's letters that are in it"),
        Column("plain_of_page", "share of the page's letters outside of links that are in it"),
        Column("plain_a_block", "letters outside of links a block, log"),
        Column("blocks", "blocks, log"),
        Column("sentences", "sentences, log"),
        Column("sentences_a_block", "sentences a block"),
        Column("labels", "share of its blocks that are short"),
        Column("linked", "share of its blocks that are mostly links"),
        Column("headings", "headings, log"),
    ),
    FeatureGroup(
        "span",
        measure_span,
        Column("first_block", "share of the page's blocks before it"),
        Column("last_block", "share of the page's blocks before its end"),
        Column("plain_before", "share of the page's letters outside of links before it"),
        Column("plain_until", "share of the page's letters outside of links before its end"),
    ),
    FeatureGroup(
        "shape",
        measure_shape,
        Column("depth", "elements around it"),
        Column("children", "children, log"),
        Column("twins", "children of its parent with its tag and class names, log"),
        Column("twin_rank", "share of its twins before it"),
        Column("letters_of_parent", "share of its parent's letters that are in it"),
        Column("plain_of_parent", "share of its parent's letters outside of links that are in it"),
    ),
    FeatureGroup(
        "inside",
        measure_inside,
        Column("pictures", "pictures from its first block to the one after it, log"),
        Column("inputs_a_block", "fields and buttons there, a block"),
        Column("frames", "frames and scripts there, log"),
        Column("rules", "rules and line breaks there, log"),
        Column("icons", "icons there, log"),
        Column("hidden", "share of its blocks that are hidden"),
    ),
)

PAGE = FeatureTable[Measures](
    FeatureGroup(
        "whole",
        _measure_totals,
        Column("letters", "letters, log"),
        Column("plain", "letters outside of links, log"),
        Column("link_share", "share of the letters that are in links"),
        Column("blocks", "blocks, log"),
        Column("labels", "share of blocks that are short"),
        Column("linked", "share of blocks that are mostly links"),
        Column("hidden", "share of blocks that are hidden"),
        Column("sentences", "sentences, log"),
    ),
    FeatureGroup("facts", _measure_page_columns, *PAGE_COLUMNS.columns),
)

BOXES = FeatureTable[BoxMeasures](
    FeatureGroup(
        "place",
        measure_box_place,
        Column("left", "left edge"),
        Column("right", "right edge"),
        Column("width", "width"),
        Column("height", "height, log"),
        Column("top", "upper edge, log"),
        Column("top_share", "share of the page's height above it"),
        Column("above_fold", "whether it starts on the first screen"),
        Column("screen_distance", "from its centre to that of the first screen, log (D0 of the second paper)"),
        Column("page_distance", "from its centre to that of the page, log (D1 of the second paper)"),
        Column("page_distance_share", "the same, if the page were one screen high"),
        Column("gap_before", "from the lower edge of the block before it, log, below 0 if it is higher up"),
        Column("crowd", "letters on its area, log"),
    ),
    FeatureGroup(
        "column",
        measure_box_column,
        Column("column_left", "left edge of its element"),
        Column("column_width", "width of its element"),
        Column("column_plain", "share of the page's letters outside of links that are in its column"),
        Column("column_links", "share of links in its column"),
        Column("column_blocks", "blocks in its column, log"),
        Column("main_share", "share of its width that is in the main column"),
        Column("in_main", "whether it is in the main column"),
        Column("left_of_main", "its left edge, less that of the main column"),
        Column("width_to_main", "width of its column, divided by that of the main column"),
        Column("columns_beside", "columns to its left and right, of the eight with most text, log"),
    ),
    FeatureGroup(
        "type",
        measure_box_type,
        Column("font_size", "size of its font, divided by that of most text, log"),
        Column("font_weight", "weight of its font, from 0 for plain"),
        Column("contrast", "contrast with what is behind it, log, 1 for black on white"),
        Column("font_plain", "share of the page's letters outside of links that are in its size and weight"),
        Column("font_links", "share of links in its size and weight"),
        Column("visible", "share of its characters that can be seen"),
        Column("stuck", "whether it does not scroll with the page"),
    ),
    FeatureGroup(
        "page",
        measure_screens,
        Column("page_height", "screens from the top to the last block, log"),
        Column("page_visible", "share of the page's blocks that can be seen"),
        Column("page_above_fold", "share of its letters on the first screen"),
        Column("main_left", "left edge of the main column"),
        Column("main_width", "width of the main column"),
        Column("main_plain", "share of the page's letters outside of links that are in the main column"),
    ),
)

BLOCK_FEATURES, ELEMENT_FEATURES, PAGE_FEATURES = BLOCKS.width, ELEMENTS.width, PAGE.width
BOX_FEATURES = BOXES.width


class Features(NamedTuple):
    """All features of a page."""

    blocks: Floats  # (n, BLOCK_FEATURES)
    elements: Floats  # (m, ELEMENT_FEATURES)
    page: Floats  # (PAGE_FEATURES,)
    levels: NDArray[np.int32]  # (n, LEVELS) rows of elements, filled up with -1
    spans: NDArray[np.int32]  # (m, 2) the first block in an element, and one past the last
    groups: NDArray[np.int64]  # (n,) equal for blocks with the same path of tags and classes
    boxes: Floats | None = None  # (n, BOX_FEATURES); None for a page without boxes


def compute_features(arrays: PageArrays) -> Features:
    """Compute the features of a page, which must have a block."""
    measures = Measures(arrays)
    blocks = np.empty((len(arrays.owners), BLOCKS.width), np.float32)
    BLOCKS.fill(blocks.T, measures)
    elements = np.empty((len(arrays.parents), ELEMENTS.width), np.float32)
    ELEMENTS.fill(elements.T, measures)
    page = np.empty(PAGE.width, np.float32)
    PAGE.fill(page, measures)
    blocks.clip(-LIMIT, LIMIT, out=blocks)
    elements.clip(-LIMIT, LIMIT, out=elements)
    boxes = None if arrays.boxes is None else _compare_boxes(measures)
    return Features(blocks, elements, page, list_levels(arrays), measures.tree.spans, measures.groups, boxes)


def _compare_boxes(measures: Measures) -> Floats:
    boxes = np.empty((len(measures.index), BOXES.width), np.float32)
    BOXES.fill(boxes.T, BoxMeasures(measures))
    return boxes.clip(-LIMIT, LIMIT, out=boxes)
