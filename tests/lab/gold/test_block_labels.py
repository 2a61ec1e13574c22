"""Block labels in gold records: reading, validation, lookup on the page, and training samples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bonmun import Page
from bonmun.lab.gold.block_labels import BlockLabel, find_labelled_rows
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.records import read_record
from bonmun.lab.train.samples.samples import make_sample

LIT = "The old lighthouse at the end of the pier was lit again last night."
DARK = "Nobody had expected that, after thirty dark years on the coast."
TWICE = f"<div class=teaser><p>{LIT}</p></div><main><h1>Lit</h1><p>{LIT}</p><p>{DARK}</p></main><p>I saw it, too.</p>"
PLACES = [
    {"xpath": "/html/body/main[1]/h1[1]", "label": "title"},
    {"xpath": "/html/body/main[1]/p[1]", "label": "keep"},
    {"xpath": "/html/body/main[1]/p[2]", "label": "keep"},
    {"xpath": "/html/body/p[1]", "label": "comment"},
]


def read(**values: Any) -> Example | BrokenRecord:
    row = {"id": "p", "html": TWICE, "text": f"{LIT}\n{DARK}", "labels": PLACES} | values
    return read_record("line 1", json.dumps(row).encode())


def test_labels_are_read() -> None:
    example = read()
    assert isinstance(example, Example)
    assert example.labels == tuple(BlockLabel(place["xpath"], place["label"]) for place in PLACES)
    unlabelled, nothing = read(labels=None), read(labels=[], text="")
    assert isinstance(unlabelled, Example)
    assert isinstance(nothing, Example)
    assert (unlabelled.labels, nothing.labels) == (None, ())


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("keep", "labels is not a list"),
        ({"xpath": "/p", "label": "keep"}, "labels is not a list"),
        (7, "labels is not a list"),
        (["keep"], "a label is not an object with an xpath and a label"),
        ([None], "a label is not an object with an xpath and a label"),
        ([{"xpath": 1, "label": "keep"}], "a label is not an object with an xpath and a label"),
        ([{"xpath": "", "label": "keep"}], "a label is not an object with an xpath and a label"),
        ([{"xpath": "/p", "label": ["keep"]}], "a label is not an object with an xpath and a label"),
        ([{"xpath": "/p"}], "a label is not an object with an xpath and a label"),
        ([{"xpath": "/p", "label": "drop" * 99}], "; use one of keep, comment, unsure, title, author, date"),
        ([{"xpath": "/p", "label": "keep"}, {"xpath": "/p", "label": "date"}], "the block at /p has two labels"),
        ([{"xpath": "/p", "label": "keep"}] * 100_001, "there are more than 100,000 labels"),
    ],
)
def test_invalid_labels_are_rejected_with_a_short_reason(labels: Any, says: str) -> None:
    broken = read(labels=labels)
    assert isinstance(broken, BrokenRecord)
    assert broken.reason.endswith(says)
    assert len(broken.reason) < 300


def test_a_repeated_text_is_kept_where_it_was_labelled() -> None:
    example = read()
    assert isinstance(example, Example)
    sample, aligned = make_sample(example, "set"), make_sample(Example("p", TWICE, example.text), "set")
    assert sample is not None
    assert aligned is not None
    assert sample.keep.tolist() == [0, 0, 1, 1, 0]
    assert sample.comment.tolist() == [0, 0, 0, 0, 1]
    assert sample.gold == (25, 25, 25)
    assert aligned.keep.tolist() != sample.keep.tolist()  # the text alone is ambiguous


@pytest.mark.parametrize(
    "change",
    [
        {"html": TWICE.replace("<main>", "<section>").replace("</main>", "</section>")},  # the page has changed
        {"text": DARK, "labels": PLACES[3:]},  # labels and text disagree
    ],
)
def test_outdated_labels_are_replaced_by_the_aligned_text(change: dict[str, Any]) -> None:
    example = read(**change)
    assert isinstance(example, Example)
    sample = make_sample(example, "set")
    assert sample is not None
    aligned = make_sample(Example("p", example.html, example.text), "set")
    assert aligned is not None
    assert sample.keep.tolist() == aligned.keep.tolist()
    assert sample.trusted


def test_labelled_blocks_are_found_by_their_xpath() -> None:
    page = Page.parse("<p>One</p><div>two<p>three</p>four</div>")
    labels = [BlockLabel(block.xpath, "keep") for block in page.blocks]
    assert find_labelled_rows(page, labels) == dict.fromkeys(range(4), "keep")
    assert find_labelled_rows(page, [BlockLabel("/html/body/p[2]", "keep")]) is None
