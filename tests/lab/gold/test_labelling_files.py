"""Labelling files (NAME.html beside NAME.md): drafts, edits, and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun.errors import BadGold
from bonmun.lab.gold.checking import CheckedPage, check_folder, compare_lines
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.labelling_files import read_front_matter, read_labelling_file, write_draft
from samples import EXAMPLES, FOLDERS
from timing import assert_quick

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (
    "<title>Light again</title><nav>Home</nav><h1>Light again</h1><p>By Ann Keeper</p>"
    "<p>The old lighthouse at the end of the pier was lit again last night, after thirty dark years.</p>"
    "<p>Hundreds came to see it, and stayed until the lamp had turned for an hour, and it was cold.</p>"
)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    found = write_draft(tmp_path, "light", PAGE, bonmun.extract(PAGE, url="https://pier.example/light"))
    assert found is not None
    return found


def finish(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in (("draft: true\n", ""), *changes):
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")


def check(file: Path) -> CheckedPage:
    [found] = check_folder(file.parent)
    assert isinstance(found, CheckedPage)
    return found


def test_a_draft_is_not_gold_until_its_draft_line_is_deleted(draft: Path) -> None:
    found = read_labelling_file(draft)
    assert isinstance(found, BrokenRecord)
    assert found.lacks_gold
    assert str(found) == "light: it is a draft: correct it, and delete the line `draft: true`"
    finish(draft)
    [example] = read_dataset(draft.parent)
    assert (example.id, example.title, example.url) == ("light", "Light again", "https://pier.example/light")
    assert (example.html, example.text) == (PAGE, bonmun.extract(PAGE).text.replace("\n\n", "\n"))
    assert read_dataset(draft.parent).format == "labelling"


@pytest.mark.parametrize(
    "path", [*EXAMPLES.glob("*.html"), *(folder / "source.html" for folder in FOLDERS[:12])], ids=str
)
def test_a_draft_holds_the_whole_document(path: Path, tmp_path: Path) -> None:
    """Nothing is lost from a document to its draft, or from the draft to the gold."""
    doc = bonmun.extract(path.read_bytes())
    file = write_draft(tmp_path, "page", "<p>x</p>", doc)
    assert file is not None
    finish(file)
    found = read_labelling_file(file)
    assert isinstance(found, Example)
    assert (found.title, found.author, found.date, found.lang) == (doc.title, doc.author, doc.date, doc.language)
    assert found.kind == ("none" if doc.kind == "empty" else doc.kind)
    assert (found.markdown or "") == doc.markdown.strip("\n")


def test_existing_files_are_never_changed(draft: Path) -> None:
    folder, doc = draft.parent, bonmun.extract(PAGE)
    draft.write_text("mine", encoding="utf-8")
    assert write_draft(folder, "light", PAGE, doc) is None
    other = write_draft(folder, "light", PAGE + "<p>more</p>", doc)
    assert other == folder / "light-2.md"
    assert write_draft(folder, "light", PAGE + "<p>more</p>", doc) is None
    assert (draft.read_text(encoding="utf-8"), (folder / "light.html").read_text(encoding="utf-8")) == ("mine", PAGE)
    (folder / "dir.html").mkdir()
    assert write_draft(folder, "dir", PAGE, doc) == folder / "dir-2.md"
    (folder / "alone.md").write_text("mine", encoding="utf-8")
    assert write_draft(folder, "alone", PAGE, doc) is None  # the page is missing, but the gold exists


def test_an_interrupted_draft_is_completed(draft: Path) -> None:
    draft.unlink()
    assert write_draft(draft.parent, "light", PAGE, bonmun.extract(PAGE)) == draft


# --- edits -----------------------------------------------------------------------------------------------------------


def test_changes_are_shown(draft: Path) -> None:
    finish(
        draft,
        ('title: "Light again"', "title: The light is back"),
        ("thirty dark", "thirteen dark"),
        ("Hundreds came", "Hundreds came"),
    )
    found = check(draft)
    assert found.changes[0] == "title: Light again → The light is back"
    assert [line[:2] for line in found.changes[1:]] == ["- ", "+ "]
    assert "thirteen dark" in found.changes[2]
    assert found.warnings == ["not on the page: thirteen, in: " + found.warnings[0].partition(", in: ")[2]]
    assert found.f1 is not None
    assert 0.9 < found.f1 < 1


def test_an_unedited_page_is_unchanged(draft: Path) -> None:
    finish(draft)
    assert check(draft) == CheckedPage("light", 1.0, [], [])


def test_invalid_metadata_gives_warnings(draft: Path) -> None:
    finish(draft, ('kind: "', 'kind: "news" # '), ('date: ""', "date: last week"))
    assert check(draft).warnings == [
        "unknown page kind news; use one of article, forum, product, listing, documentation, service, none",
        "invalid date last week; write it as 2026-03-04",
    ]


def test_a_missing_draft(draft: Path) -> None:
    finish(draft)
    (draft.parent / ".drafts" / "light.md").unlink()
    assert check(draft).changes == ["changes unknown: the draft is missing"]
    assert check(draft).f1 is None


def test_long_changes_are_shortened() -> None:
    assert compare_lines("a\nb\nc", "a\nx\nc") == ["- b", "+ x"]
    assert compare_lines("a\nb", "a\nb") == compare_lines("", "") == []
    assert compare_lines("a\n\nb", "a\nb") == []
    old, new = f"{'same ' * 50}old", f"{'same ' * 50}new"
    assert [line[:3] for line in compare_lines(old, new)] == ["- …", "+ …"]
    many = compare_lines("x", "\n".join(f"line {row}" for row in range(100)))
    assert (len(many), many[-1]) == (21, "… 81 more lines")
    assert compare_lines("a\n" * 2_000, "b\n" * 3_000) == ["- 2,000 lines", "+ 3,000 lines"]


def test_comparisons_are_fast() -> None:
    """Similar lines are the slowest to compare."""
    old, new = (["b\na\na\nb\na"[row % 5 :] for row in range(start, start + 150)] for start in (0, 2))
    assert_quick(lambda: compare_lines("\n".join(old), "\n".join(new)), 3.0)
    assert_quick(lambda: compare_lines("x" * 1_000_000, "x" * 1_000_000 + "y"), 3.0)


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "metadata"),
    [
        ('title: "A \\"b\\""', {"title": 'A "b"'}),
        ("title: 'It''s'", {"title": "It's"}),
        ("title: It is: so", {"title": "It is: so"}),
        ("title: C# # a note", {"title": "C#"}),
        ('title: "A" # a note', {"title": "A"}),
        ("title:\nauthor: ~\ndate: null", {}),
        ("# a note\n\ntitle: A\r", {"title": "A"}),
        ("date: 2026-03-04", {"date": "2026-03-04"}),
        ('title: "본문"', {"title": "본문"}),
    ],
)
def test_metadata_may_be_written_in_many_ways(head: str, metadata: dict[str, str]) -> None:
    first = "title: x\n" if head.startswith("#") else ""
    if first:
        head = head.replace("title", "author")
        metadata = {"title": "x", "author": "A"}
    assert read_front_matter(f"---\n{first}{head}\n---\n\nText.\n") == (metadata, "Text.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("---\ntitle: A\nText.", "the metadata at the top has no end: add a line --- below it"),
        ("---\ntitle: A\n  - b\n---\n", "line 3 is not `name: value`"),
        ("---\ntitel: A\n---\n", "line 2: unknown field `titel`; the fields are title, author, "),
        ("---\ntitle: A\ntitle: B\n---\n", "line 3: duplicate field `title`"),
        ('---\ntitle: "A\n---\n', "line 2: unbalanced quotes"),
        ("---\ntitle: 'A\n---\n", "line 2: unbalanced quotes"),
        ("---\ntitle: [A, B]\n---\n", "line 2: the value is not a string"),
        ("---\ntitle: >\n  long\n---\n", "line 2: the value is not a string"),
        ('---\ntitle: "a" "b"\n---\n', "line 2: unbalanced quotes"),
    ],
)
def test_broken_metadata_is_reported(text: str, says: str) -> None:
    with pytest.raises(BadGold) as problem:
        read_front_matter(text)
    assert str(problem.value).startswith(says)


@pytest.mark.parametrize("text", ["", "Text.", "---\n\nA rule first.", "---", "--- \n"])
def test_a_text_without_metadata_stays_unchanged(text: str) -> None:
    assert read_front_matter(text) == ({}, text)


def test_broken_files_are_reported_and_the_rest_is_read(draft: Path) -> None:
    folder = draft.parent
    finish(draft)
    (folder / "alone.md").write_text("Text.", encoding="utf-8")
    (folder / "bare.html").write_text("<p>x</p>", encoding="utf-8")
    (folder / "README.md").write_text("About these pages.", encoding="utf-8")
    (folder / "torn.html").write_text("<p>x</p>", encoding="utf-8")
    (folder / "torn.md").write_bytes(bytes(range(256)) * 10)
    (folder / "feed.html").write_text("<?xml version='1.0'?><rss></rss>", encoding="utf-8")
    (folder / "feed.md").write_text("Text.", encoding="utf-8")
    broken = {record.name: record for record in read_dataset(folder).summary.broken}
    assert sorted(broken) == ["alone", "bare", "feed", "torn"]
    assert broken["alone"].reason.startswith("there is no ")
    assert broken["bare"].lacks_gold
    assert [example.id for example in read_dataset(folder)] == ["light"]
    named = [found.name for found in check_folder(folder) if isinstance(found, BrokenRecord)]
    assert named == ["alone", "feed", "torn"]
