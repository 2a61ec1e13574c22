"""The labelling queue, and the session of pages, gold file and queue."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bonmun._version import __version__
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.errors import BadConfig, BadGold, MissingInput, StaleLabels
from bonmun.lab.annotate.priority import Priority, measure_priority
from bonmun.lab.annotate.queue import PriorityCache, QueuedPage, order_pages
from bonmun.lab.annotate.session import AnnotationSession
from bonmun.lab.gold.datasets import read_dataset
from bonmun.options import DEFAULTS
from labelled import LABELS, make_article, make_open_pages, make_source

DOUBTS = [("one", 0.1), ("one", 0.9), ("one", 0.8), ("two", 0.5), ("two", 0.2), ("three", None)]


def test_queue_alternates_sites_and_puts_unmeasured_pages_last() -> None:
    pages = [
        QueuedPage(number, site, None if doubt is None else Priority(doubt, 0.0))
        for number, (site, doubt) in enumerate(DOUBTS)
    ]
    assert order_pages(pages, "doubt") == [1, 3, 5, 2, 4, 0]
    assert order_pages(pages, "disagreement") == [0, 3, 5, 1, 4, 2]
    assert order_pages(pages, "given") == [0, 1, 2, 3, 4, 5]
    with pytest.raises(BadConfig, match="priority, doubt, disagreement, given"):
        order_pages(pages, "name")


@pytest.mark.parametrize(
    "held",
    [
        "{}",
        '{"version": "V", "pages": []}',
        '{"version": "V", "pages": {"a": 5, "b": [1], "c": ["x", 1]}}',
        '{"version": "V", "pages": {"a": [NaN, 1], "b": [1e999, 1]}}',
        f'{{"version": "V", "pages": {{"a": [1{400 * "0"}, 1]}}}}',
    ],
)
def test_invalid_cache_is_ignored(held: str, tmp_path: Path) -> None:
    place = tmp_path / "kim.jsonl.queue"
    place.write_text(held.replace("V", __version__), encoding="utf-8")
    assert PriorityCache(place).known == {}
    place.unlink()
    os.mkfifo(place)  # without a writer
    assert PriorityCache(place).known == {}


def test_undecodable_file_names_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name in (b"caf\xe8.html", b"caf\xe9.html"):
        Path(os.fsdecode(bytes(tmp_path / "pages") + b"/" + name)).write_text(make_article("town"), encoding="utf-8")
    for count in (1, 2):
        with AnnotationSession(open_inputs([str(tmp_path / "pages")], DEFAULTS), tmp_path / "kim.jsonl") as session:
            session.save(count - 1, 0, {"labels": LABELS})
            session.finish(count - 1)
            assert session.count_states()["done"] == count
            assert session.gold.problems == []


def test_priority_is_doubt_and_disagreement() -> None:
    easy, login = (
        measure_priority(make_source()),
        measure_priority(make_source("<form><p>Name</p><button>Go</button></form>")),
    )
    assert 0 <= easy.disagreement < 0.5
    assert 0 <= easy.doubt < login.doubt <= 1
    assert Priority(0.25, 0.75).both == 0.5


def test_priorities_are_cached_in_a_file(tmp_path: Path) -> None:
    cache = PriorityCache(tmp_path / "kim.jsonl.queue")
    key = cache.make_key(b"page")
    cache.put(key, Priority(0.5, 0.25))
    cache.save()
    assert PriorityCache(cache.path).known == {key: Priority(0.5, 0.25)}
    for damaged in (b"", b"[]", b'{"version": "0", "pages": {}}', b'{"version": 1}', b"[" * 100_000):
        cache.path.write_bytes(damaged)
        assert PriorityCache(cache.path).known == {}


def make_session(folder: Path) -> AnnotationSession:
    pages = [
        make_source(make_article("bridge"), "a.html", "https://one.example/a"),
        make_source("<form><p>Your name</p><button>Go</button></form>", "b.html", "https://two.example/b"),
        make_source(make_article("harbour"), "c.html", "https://news.one.example/c"),
    ]
    return AnnotationSession(make_open_pages(*pages), folder / "kim.jsonl")


def test_pages_of_the_same_name_are_numbered(tmp_path: Path) -> None:
    with AnnotationSession(
        make_open_pages(make_source(), make_source(), make_source()), tmp_path / "kim.jsonl"
    ) as session:
        assert session.names == ["a.html", "a.html (2)", "a.html (3)"]
        assert {session.find_site(number) for number in range(3)} == {"."}


def test_session_from_first_label_to_gold_file(tmp_path: Path) -> None:
    with make_session(tmp_path) as session:
        draft = session.save(0, 0, {"labels": LABELS, "whole": True, "note": "hm", "seconds": 4})
        assert session.finish(0) is None
        assert (session.find(0).state, draft.revision) == ("done", 1)
        assert session.finish(0) is None  # again: nothing to do
        session.save(2, 0, {"state": "skipped"})
        assert session.count_states() == {"pages": 3, "open": 1, "done": 1, "skipped": 1, "measured": 0}
        assert session.list_queue("priority") == [1, 2]
    example = next(iter(read_dataset(tmp_path / "kim.jsonl")))
    assert (example.id, example.title, example.url) == ("a.html", "The bridge is open again", "https://one.example/a")
    with make_session(tmp_path) as session:
        assert session.count_states() == {"pages": 3, "open": 1, "done": 1, "skipped": 1, "measured": 0}


def test_changes_after_finishing_are_merged_on_close(tmp_path: Path) -> None:
    with make_session(tmp_path) as session:
        session.save(0, 0, {"labels": LABELS})
        session.finish(0)
        session.save(0, 2, {"labels": {"/html/body/article[1]/p[3]": "keep"}})
        session.save(1, 0, {"labels": {"/html/body/form[1]/p[1]": "keep"}})
    rows = [json.loads(line) for line in (tmp_path / "kim.jsonl").read_bytes().splitlines()]
    assert [row["id"] for row in rows] == ["a.html"]
    assert "Part 3" in rows[0]["text"]
    with make_session(tmp_path) as session:
        assert session.find(1).labels == {"/html/body/form[1]/p[1]": "keep"}


def test_measuring_alternates_sites_and_is_cached(tmp_path: Path) -> None:
    with make_session(tmp_path) as session:
        assert session.find_unmeasured() == [0, 1, 2]
        for number in session.find_unmeasured():
            data = session.read_for_measuring(number)
            assert data is not None
            session.cache.put(session.keys[number], measure_priority(data))
        assert session.list_queue("priority")[0] == 1
        assert session.count_states()["measured"] == 3
    with make_session(tmp_path) as session:
        assert [session.read_for_measuring(number) for number in range(3)] == [None, None, None]
        assert session.find_priority(1) is not None


def test_invalid_requests_are_reported(tmp_path: Path) -> None:
    with make_session(tmp_path) as session:
        for number in (-1, 3, 10**30):
            with pytest.raises(MissingInput, match="3 are open"):
                session.find(number)
        with pytest.raises(BadGold):
            session.save(0, 0, {"labels": {"/p": "../../etc"}})
        with pytest.raises(StaleLabels):
            session.save(0, 7, {})
