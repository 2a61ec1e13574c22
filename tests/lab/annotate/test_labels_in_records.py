"""Convert labels to gold records and back; hostile records are reported."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import BadGold
from bonmun.lab.annotate.drafts import Change, Draft, read_change, read_label_table
from bonmun.lab.annotate.prelabel import make_labels, suggest_labels
from bonmun.lab.annotate.records import describe_record, make_record, place_labels, read_draft
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.records import read_record
from bonmun.options import Options
from bonmun.page import Page
from bonmun.pipeline import extract
from labelled import ARTICLE, LABELS, make_source
from samples import on_every_page

if TYPE_CHECKING:
    from pathlib import Path

DRAFT = Draft(LABELS, 3, "done", "a note", 12.34)


def write(draft: Draft = DRAFT, html: str = ARTICLE) -> dict[str, Any]:
    source = make_source(html, url="https://town.example/library")
    return describe_record(source, draft, "a.html", "kim", "2026-03-05T10:00:00+00:00")[0]


def test_record_has_labels_and_rendered_text() -> None:
    record = write()
    page = Page.parse(ARTICLE)
    kept = [page.block_texts[row] for row in (6, 7)]
    assert record["text"] == "\n\n".join(kept)
    assert (record["title"], record["author"], record["date"]) == ("The library is open again", "Ann Lee", "2026-03-04")
    assert record["comments"] == "I was there and liked it very much."
    assert {row["xpath"]: row["label"] for row in record["labels"]} == LABELS
    assert (record["annotator"], record["note"], record["seconds"], record["blocks"]) == ("kim", "a note", 12.3, 17)


def test_bench_and_train_read_records() -> None:
    example = read_record("line 1", json.dumps(write()).encode())
    assert isinstance(example, Example)
    assert example.text == write()["text"]
    assert (example.title, example.author, example.date) == ("The library is open again", "Ann Lee", "2026-03-04")
    assert example.comments == write()["comments"]


def test_page_without_kept_blocks_has_empty_gold() -> None:
    record = write(Draft({}, 1, "done"))
    assert record["text"] == ""
    assert not {"title", "author", "date", "comments", "note"} & record.keys()
    assert isinstance(read_record("line 1", json.dumps(record).encode()), Example)


def test_draft_is_restored_from_its_record() -> None:
    draft, problems = read_draft(write())
    assert draft == Draft(LABELS, 3, "done", "a note", 12.3)
    assert problems == []


def test_labels_without_a_block_are_reported() -> None:
    gone = "/html/body/aside[7]/p[1]"
    placed = place_labels(Page.parse(ARTICLE), {**LABELS, gone: "keep"})
    assert placed.lost == (gone,)
    assert placed.describe_loss() == ("1 of 7 labels have no block on the page, such as /html/body/aside[7]/p[1].")
    record, problem = describe_record(make_source(), Draft({gone: "keep"}, 1), "a", "kim", "now")
    assert record["labels"] == []
    assert problem is not None


@on_every_page
def test_suggested_labels_give_the_text_of_the_method(path: Path) -> None:
    """Labels without corrections give the text of the method."""
    page = Page.parse(path.read_bytes())
    doc = extract(page, options=Options(posts=False))
    labels = {page.blocks[row].xpath: label for row, label in make_labels(doc).items()}
    record, placed = make_record(page, "", Draft(labels, 1), "a", "kim", "now")
    assert record["text"] == doc.text
    assert placed.lost == ()
    assert len(labels) == len(record["labels"])


def test_suggested_labels_include_metadata() -> None:
    html = ARTICLE.replace("<time>4 March 2026</time>", "<div class=date>4 March 2026</div>")
    labels = suggest_labels(make_source(html), "auto")
    found = {label: xpath for xpath, label in labels.items() if label not in ("keep", "comment")}
    article = "/html/body/article[1]"
    assert found == {"title": f"{article}/h1[1]", "author": f"{article}/div[1]", "date": f"{article}/div[2]"}
    assert {"/html/body/article[1]/p[1]", "/html/body/article[1]/p[4]"} <= labels.keys()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "must be an object"),
        ({"labels": []}, "labels must be an object"),
        ({"labels": {"": "keep"}}, "identified by its XPath"),
        ({"labels": {"/p" * 6000: "keep"}}, "identified by its XPath"),
        ({"labels": {"/p": "best"}}, "a label must be one of"),
        ({"labels": {"/p": ["keep"]}}, "a label must be one of"),
        ({"labels": {str(number): "keep" for number in range(100_001)}}, "100,000"),
        ({"whole": 1}, "true or false"),
        ({"note": "x" * 10_001}, "10,000 characters"),
        ({"note": 3}, "10,000 characters"),
        ({"seconds": -1}, "number of seconds"),
        ({"seconds": float("nan")}, "number of seconds"),
        ({"seconds": True}, "number of seconds"),
        ({"state": "finished"}, "open, done, skipped"),
    ],
)
def test_invalid_change_is_refused(values: object, says: str) -> None:
    with pytest.raises(BadGold, match=says):
        read_change(values)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["keep", "/p"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["xpath", "label", "labels", "note", "seconds", "revision"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_invalid_records_do_not_raise(value: object) -> None:
    labels, problems = read_label_table(value)
    assert all(isinstance(text, str) for text in [*labels, *labels.values(), *problems])
    if isinstance(value, dict):
        draft, problems = read_draft(value)
        assert draft is None or draft.revision >= 1
    with suppress(BadGold):
        change = read_change(value)
        assert read_change(change.to_dict()) == change


LABEL = st.sampled_from(["keep", "drop", "comment", "title"])
CHANGE = st.builds(
    Change,
    st.dictionaries(st.sampled_from(["/a", "/b", "/c"]), LABEL, max_size=3),
    st.booleans(),
    st.none() | st.text(max_size=3),
    st.none() | st.floats(0, 100),
    st.sampled_from([None, "open", "done", "skipped"]),
)


@given(st.lists(CHANGE, max_size=8))
def test_draft_equals_one_change(changes: list[Change]) -> None:
    draft = Draft()
    for change in changes:
        draft = draft.apply(change)
    again = Draft().apply(read_change(json.loads(json.dumps(draft.to_change().to_dict()))))
    assert (again.labels, again.note, again.seconds, again.state) == (
        draft.labels,
        draft.note,
        draft.seconds,
        draft.state,
    )
    assert "drop" not in draft.labels.values()
    assert draft.revision == len(changes)
