"""A gold file outlives everything: crashes at any byte, other writers, full disks, hostile lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.errors import BadGold, StaleLabels
from bonmun.lab.annotate.drafts import Change, Draft
from bonmun.lab.annotate.gold_file import GoldFile
from labelled import ARTICLE

KEEP = Change({"/p[1]": "keep"})


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kim.jsonl"


def make_record(name: str, draft: Draft, **more: Any) -> dict[str, Any]:
    rows = [{"xpath": xpath, "label": label} for xpath, label in draft.labels.items()]
    values = {"id": name, "html": ARTICLE, "text": "words", "labels": rows, "revision": draft.revision}
    return values | {"note": draft.note, "seconds": draft.seconds} | more


def finish(gold: GoldFile, name: str) -> None:
    gold.fold(make_record(name, gold.save(name, gold.find(name).revision, Change(state="done"))))


def read(place: Path) -> list[Any]:
    return [json.loads(line) for line in place.read_bytes().splitlines()]


def test_what_is_saved_is_there_after_a_crash(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    gold.save("a", 1, Change({"/p[2]": "title"}, note="n"))
    gold._lock.release()  # as the end of the process does; nothing else is closed
    again = GoldFile(place)
    assert again.find("a") == Draft({"/p[1]": "keep", "/p[2]": "title"}, 2, "open", "n")
    assert not place.exists()


@pytest.mark.parametrize("ending", ["lock", "journal"])
def test_links_and_pipes_beside_a_gold_file_are_left_alone(place: Path, ending: str) -> None:
    """Whoever gave somebody the folder has put them there: no other file is written, and nothing is waited for."""
    other, beside = place.with_name("other"), place.with_name(f"{place.name}.{ending}")
    other.write_text("not yours", encoding="utf-8")
    beside.symlink_to(other)
    with pytest.raises(BadGold, match=ending):
        GoldFile(place)
    assert other.read_text(encoding="utf-8") == "not yours"
    beside.unlink()
    os.mkfifo(beside)
    with pytest.raises(BadGold, match="cannot be"):
        GoldFile(place)


def test_numbers_and_texts_that_nobody_can_carry_are_left_out_of_a_journal(place: Path) -> None:
    lines = [
        f'{{"page": "a", "revision": 1, "seconds": 1{400 * "0"}}}',
        f'{{"page": "a", "revision": 1{400 * "0"}}}',
        '{"page": "a", "revision": 1, "labels": {"/p\\ud800": "keep"}}',
        '{"page": "b\\ud800", "revision": 5, "note": "half \\ud800"}',
        *('{"page": 5}' for _ in range(100)),
    ]
    place.with_name("kim.jsonl.journal").write_text("\n".join([*lines, ""]), encoding="utf-8")
    gold = GoldFile(place)
    assert gold.find("a") == Draft()
    assert gold.find("b\ud800").note == "half ?"
    assert 4 <= len(gold.problems) <= 20
    assert "".join(gold.problems).encode()


def test_a_finished_page_is_in_the_gold_file_and_leaves_no_journal(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    finish(gold, "a")
    assert [row["id"] for row in read(place)] == ["a"]
    gold.close()
    assert sorted(path.name for path in place.parent.iterdir()) == ["kim.jsonl"]
    assert GoldFile(place).find("a") == Draft({"/p[1]": "keep"}, 2, "done")


def test_a_page_that_is_finished_again_takes_its_own_place(place: Path) -> None:
    place.write_text('{"id": "x", "html": "", "text": "", "license": "mine", "title": "old"}\nno json\n{"id": "y"}')
    gold = GoldFile(place)
    for name in ("x", "z"):
        gold.save(name, 0, KEEP)
        finish(gold, name)
    lines = place.read_bytes().splitlines()
    assert lines[1:3] == [b"no json", b'{"id": "y"}']
    first = json.loads(lines[0])
    assert first["license"] == "mine"
    assert "title" not in first
    assert [json.loads(lines[3])["id"], len(lines)] == ["z", 4]
    assert gold.problems == ["kim.jsonl, line 2: it is no JSON."]


def test_records_are_found_where_they_moved_to(place: Path) -> None:
    """Without the file being read again, which takes seconds for a large one."""
    gold = GoldFile(place)
    for name in "abc":
        gold.save(name, 0, KEEP)
        finish(gold, name)
    for name, note in (("a", "long " * 50), ("c", "x"), ("b", "y"), ("a", "")):
        gold.save(name, gold.find(name).revision, Change(note=note))
        finish(gold, name)
    assert [(row["id"], row["note"]) for row in read(place)] == [("a", ""), ("b", "y"), ("c", "x")]
    assert gold.unfolded == {}


def test_a_stale_save_is_refused_and_changes_nothing(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    with pytest.raises(StaleLabels, match="revision 0 is now 1"):
        gold.save("a", 0, Change({"/p[1]": "drop"}))
    assert gold.find("a").labels == {"/p[1]": "keep"}


def test_an_older_record_that_comes_late_takes_no_place(place: Path) -> None:
    gold = GoldFile(place)
    older = make_record("a", gold.save("a", 0, Change({"/p[1]": "keep"}, state="done")))
    gold.fold(make_record("a", gold.save("a", 1, Change({"/p[2]": "keep"}))))
    gold.fold(older)
    assert [len(row["labels"]) for row in read(place)] == [2]


def test_two_processes_never_write_one_file(place: Path) -> None:
    code = "import sys; from pathlib import Path; from bonmun.lab.annotate.gold_file import GoldFile; g = GoldFile(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadGold, match=rf"kim.jsonl is open in another bonmun \(process {other.pid}\)"):
            GoldFile(place)
        other.kill()
        other.wait()
    GoldFile(place).close()  # a lock goes with its process
    assert not list(place.parent.iterdir())


def test_what_others_wrote_meanwhile_stays(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    finish(gold, "a")
    place.write_bytes(b'{"id": "theirs", "html": "", "text": ""}\n' + place.read_bytes())
    gold.save("b", 0, KEEP)
    finish(gold, "b")
    finish(gold, "a")
    assert [row["id"] for row in read(place)] == ["theirs", "a", "b"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_one_sentence(place: Path) -> None:
    place.parent.chmod(0o500)
    with pytest.raises(BadGold, match="cannot be written"):
        GoldFile(place)


def test_a_full_disk_loses_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    write, before = os.write, gold.journal.path.read_bytes()

    def write_some(descriptor: int, data: bytes) -> int:
        if len(data) < 40:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:-30])

    monkeypatch.setattr(os, "write", write_some)
    with pytest.raises(BadGold, match=r"kim.jsonl cannot be written: No space left on device\."):
        gold.save("a", 1, Change({"/p[2]": "keep"}))
    monkeypatch.undo()
    assert gold.journal.path.read_bytes() == before
    assert gold.save("a", 1, Change({"/p[3]": "keep"})).labels == {"/p[1]": "keep", "/p[3]": "keep"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("kim.txt", "a gold file is named .jsonl"),
        (".jsonl", "a gold file is named .jsonl"),
        ("nowhere/kim.jsonl", "there is no such folder"),
        ("folder.jsonl", "this is no file"),
        ("a\0.jsonl", "no file can have this name"),
        ("x" * 300 + ".jsonl", "no file can have this name|cannot be written"),
    ],
)
def test_a_place_where_no_gold_file_can_be_is_one_sentence(place: Path, name: str, says: str) -> None:
    (place.parent / "folder.jsonl").mkdir()
    with pytest.raises(BadGold, match=says):
        GoldFile(place.parent / name)


HOSTILE = [
    (b"\xff\xfe\x00\n", "no JSON"),
    (b"[" * 100_000 + b"\n", "no JSON"),
    (b'{"id": 3' + b"0" * 5000 + b"}\n", "no JSON|no id"),
    (b'{"id": ["a"]}\n', "no id"),
    (b"[]\n", "no id"),
    (b'{"id": "a", "labels": 3}\n', "labels is not a list"),
    (b'{"id": "a", "labels": [{"xpath": "/p", "label": "gold"}]}\n', "label 1: a label is one of"),
    (b'{"id": "a", "labels": [7, {"xpath": {}, "label": "keep"}]}\n', "label 2: a block is known by its XPath"),
    (b'{"id": "a"}\n{"id": "a"}\n', "there are two of the id 'a'; the first counts"),
    (b'{"id": "a", "revision": 1e999, "seconds": "x", "labels": [], "note": []}\n', ""),
    (b'{"id": "\\ud800", "labels": []}\n', ""),
]


@pytest.mark.parametrize(("lines", "says"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_gold_file_gives_sentences_and_stays(place: Path, lines: bytes, says: str) -> None:
    place.write_bytes(lines)
    gold = GoldFile(place)
    assert bool(gold.problems) == bool(says)
    if says:
        assert any(re.search(says, problem) for problem in gold.problems)
    gold.save("mine", 0, KEEP)
    finish(gold, "mine")
    assert place.read_bytes().startswith(lines)


def test_a_line_that_is_far_too_long_is_left_out_and_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.lab.annotate.entries.RECORD_BYTES", 100)
    monkeypatch.setattr("bonmun.lab.annotate.entries.COPIED_BYTES", 64)
    lines = b'{"id": "long", "html": "' + b"x" * 500 + b'"}\n{"id": "a", "labels": []}\n'
    place.write_bytes(lines)
    gold = GoldFile(place)
    assert gold.problems == ["kim.jsonl, line 1: it is longer than 100 bytes."]
    assert gold.find("a").state == "done"
    gold.save("a", 1, KEEP)
    finish(gold, "a")
    assert place.read_bytes().startswith(lines.splitlines(keepends=True)[0])
    assert gold.find("a").labels == {"/p[1]": "keep"}


@pytest.mark.parametrize("line", [b"no json\n", b"{}\n", b'{"page": "a", "revision": 1, "labels": {"/p": 1}}\n'])
def test_a_damaged_line_of_a_journal_is_one_sentence(place: Path, line: bytes) -> None:
    Path(f"{place}.journal").write_bytes(line + b'{"page":"b","revision":1,"labels":{"/p":"keep"}}\n')
    gold = GoldFile(place)
    assert len(gold.problems) == 1
    assert "line 1 is left out" in gold.problems[0]
    assert gold.find("b").labels == {"/p": "keep"}


LABEL = st.sampled_from(["keep", "drop", "title"])
CHANGE = st.builds(
    Change,
    st.dictionaries(st.sampled_from(["/a", "/b", "/ä"]), LABEL, max_size=2),
    st.booleans(),
    st.none() | st.text(max_size=3),
    st.none() | st.sampled_from([1.5, 20.0]),
    st.sampled_from([None, "skipped"]),
)
STEPS = st.lists(st.tuples(st.sampled_from("pq"), st.none() | CHANGE), max_size=8)


@settings(max_examples=40)
@given(STEPS, st.integers(0, 400), st.booleans())
def test_a_crash_at_any_byte_loses_nothing_that_was_saved(
    steps: list[tuple[str, Change | None]], torn: int, is_closed: bool
) -> None:
    """A step is a change or, where there is none, the end of the work on a page; the last bytes of one more are torn."""
    with (
        TemporaryDirectory() as folder,
        patch("os.fsync"),
    ):  # a crash of the process, not of the machine: it is not waited for
        place = Path(folder) / "kim.jsonl"
        gold = GoldFile(place)
        for name, change in steps:
            if change is None:
                finish(gold, name)
            else:
                gold.save(name, gold.find(name).revision, change)
        saved = dict(gold.drafts)
        if is_closed:
            gold.close()
            gold = GoldFile(place)
            assert gold.drafts == saved
        size = gold.journal.size()
        gold.save("p", gold.find("p").revision, Change({"/torn": "keep"}, note="x" * 300))
        with gold.journal.path.open("rb+") as journal:
            journal.truncate(min(size + torn, gold.journal.size() - 1))
        place.with_name("kim.jsonl.part").write_bytes(b"half")  # what a fold that was killed leaves
        gold._lock.release()
        again = GoldFile(place)
        assert again.drafts == saved
        assert again.problems == []
        again.close()
        if place.exists():
            assert {row["id"] for row in read(place)} == {name for name, change in steps if change is None}
