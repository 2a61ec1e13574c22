"""Gold files survive crashes at any byte, other writers, full disks and hostile lines."""

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
    gold.merge_record(make_record(name, gold.save(name, gold.find(name).revision, Change(state="done"))))


def read(place: Path) -> list[Any]:
    return [json.loads(line) for line in place.read_bytes().splitlines()]


def test_saved_labels_survive_a_crash(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    gold.save("a", 1, Change({"/p[2]": "title"}, note="n"))
    gold._lock.release()  # as when the process ends; nothing else is closed
    again = GoldFile(place)
    assert again.find("a") == Draft({"/p[1]": "keep", "/p[2]": "title"}, 2, "open", "n")
    assert not place.exists()


@pytest.mark.parametrize("ending", ["lock", "journal"])
def test_links_and_pipes_beside_a_gold_file_are_untouched(place: Path, ending: str) -> None:
    """They may have been planted: no other file is written, and nothing blocks."""
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


def test_invalid_numbers_and_texts_in_a_journal_are_ignored(place: Path) -> None:
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


def test_finished_page_is_in_the_gold_file_without_a_journal(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    finish(gold, "a")
    assert [row["id"] for row in read(place)] == ["a"]
    gold.close()
    assert sorted(path.name for path in place.parent.iterdir()) == ["kim.jsonl"]
    assert GoldFile(place).find("a") == Draft({"/p[1]": "keep"}, 2, "done")


def test_page_finished_again_replaces_its_record(place: Path) -> None:
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
    assert gold.problems == ["kim.jsonl, line 2: not JSON."]


def test_moved_records_are_found(place: Path) -> None:
    """Without reading the file again, which takes seconds for a large one."""
    gold = GoldFile(place)
    for name in "abc":
        gold.save(name, 0, KEEP)
        finish(gold, name)
    for name, note in (("a", "long " * 50), ("c", "x"), ("b", "y"), ("a", "")):
        gold.save(name, gold.find(name).revision, Change(note=note))
        finish(gold, name)
    assert [(row["id"], row["note"]) for row in read(place)] == [("a", ""), ("b", "y"), ("c", "x")]
    assert gold.unmerged == {}


def test_stale_save_is_refused_and_changes_nothing(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    with pytest.raises(StaleLabels, match="revision 0 is now 1"):
        gold.save("a", 0, Change({"/p[1]": "drop"}))
    assert gold.find("a").labels == {"/p[1]": "keep"}


def test_older_record_does_not_replace_a_newer_one(place: Path) -> None:
    gold = GoldFile(place)
    older = make_record("a", gold.save("a", 0, Change({"/p[1]": "keep"}, state="done")))
    gold.merge_record(make_record("a", gold.save("a", 1, Change({"/p[2]": "keep"}))))
    gold.merge_record(older)
    assert [len(row["labels"]) for row in read(place)] == [2]


def test_two_processes_never_write_one_file(place: Path) -> None:
    code = "import sys; from pathlib import Path; from bonmun.lab.annotate.gold_file import GoldFile; g = GoldFile(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadGold, match=rf"kim.jsonl is open in another bonmun process \(PID {other.pid}\)"):
            GoldFile(place)
        other.kill()
        other.wait()
    GoldFile(place).close()  # the lock is released with its process
    assert not list(place.parent.iterdir())


def test_lines_of_other_writers_are_kept(place: Path) -> None:
    gold = GoldFile(place)
    gold.save("a", 0, KEEP)
    finish(gold, "a")
    place.write_bytes(b'{"id": "theirs", "html": "", "text": ""}\n' + place.read_bytes())
    gold.save("b", 0, KEEP)
    finish(gold, "b")
    finish(gold, "a")
    assert [row["id"] for row in read(place)] == ["theirs", "a", "b"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder_is_reported(place: Path) -> None:
    place.parent.chmod(0o500)
    with pytest.raises(BadGold, match="cannot be written"):
        GoldFile(place)


def test_full_disk_loses_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("kim.txt", "the file name must end in .jsonl"),
        (".jsonl", "the file name must end in .jsonl"),
        ("nowhere/kim.jsonl", "there is no such folder"),
        ("folder.jsonl", "not a file"),
        ("a\0.jsonl", "invalid file name"),
        ("x" * 300 + ".jsonl", "invalid file name|cannot be written"),
    ],
)
def test_invalid_path_is_reported(place: Path, name: str, says: str) -> None:
    (place.parent / "folder.jsonl").mkdir()
    with pytest.raises(BadGold, match=says):
        GoldFile(place.parent / name)


HOSTILE = [
    (b"\xff\xfe\x00\n", "not JSON"),
    (b"[" * 100_000 + b"\n", "not JSON"),
    (b'{"id": 3' + b"0" * 5000 + b"}\n", "not JSON|no id"),
    (b'{"id": ["a"]}\n', "no id"),
    (b"[]\n", "no id"),
    (b'{"id": "a", "labels": 3}\n', "labels is not a list"),
    (b'{"id": "a", "labels": [{"xpath": "/p", "label": "gold"}]}\n', "label 1: a label must be one of"),
    (b'{"id": "a", "labels": [7, {"xpath": {}, "label": "keep"}]}\n', "label 2: a block is identified by its XPath"),
    (b'{"id": "a"}\n{"id": "a"}\n', "duplicate id 'a'; the first record is used"),
    (b'{"id": "a", "revision": 1e999, "seconds": "x", "labels": [], "note": []}\n', ""),
    (b'{"id": "\\ud800", "labels": []}\n', ""),
]


@pytest.mark.parametrize(("lines", "says"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_lines_are_reported_and_kept(place: Path, lines: bytes, says: str) -> None:
    place.write_bytes(lines)
    gold = GoldFile(place)
    assert bool(gold.problems) == bool(says)
    if says:
        assert any(re.search(says, problem) for problem in gold.problems)
    gold.save("mine", 0, KEEP)
    finish(gold, "mine")
    assert place.read_bytes().startswith(lines)


def test_overlong_line_is_reported_and_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.lab.annotate.entries.RECORD_BYTES", 100)
    monkeypatch.setattr("bonmun.lab.annotate.entries.COPIED_BYTES", 64)
    lines = b'{"id": "long", "html": "' + b"x" * 500 + b'"}\n{"id": "a", "labels": []}\n'
    place.write_bytes(lines)
    gold = GoldFile(place)
    assert gold.problems == ["kim.jsonl, line 1: longer than 100 bytes."]
    assert gold.find("a").state == "done"
    gold.save("a", 1, KEEP)
    finish(gold, "a")
    assert place.read_bytes().startswith(lines.splitlines(keepends=True)[0])
    assert gold.find("a").labels == {"/p[1]": "keep"}


@pytest.mark.parametrize("line", [b"no json\n", b"{}\n", b'{"page": "a", "revision": 1, "labels": {"/p": 1}}\n'])
def test_damaged_journal_line_is_reported(place: Path, line: bytes) -> None:
    Path(f"{place}.journal").write_bytes(line + b'{"page":"b","revision":1,"labels":{"/p":"keep"}}\n')
    gold = GoldFile(place)
    assert len(gold.problems) == 1
    assert "line 1 is ignored" in gold.problems[0]
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
def test_crash_at_any_byte_loses_nothing_saved(
    steps: list[tuple[str, Change | None]], torn: int, is_closed: bool
) -> None:
    """A step is a change or, if None, finishing a page; the last bytes of one more change are torn."""
    with (
        TemporaryDirectory() as folder,
        patch("os.fsync"),
    ):  # only the process crashes, not the machine, so nothing is flushed
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
        place.with_name("kim.jsonl.part").write_bytes(b"half")  # left by a killed merge
        gold._lock.release()
        again = GoldFile(place)
        assert again.drafts == saved
        assert again.problems == []
        again.close()
        if place.exists():
            assert {row["id"] for row in read(place)} == {name for name, change in steps if change is None}
