"""What to label next, and the desk that ties pages, gold file and queue together."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bonmun._version import __version__
from bonmun.app.commands.shared.open_pages import open_shelf
from bonmun.errors import BadConfig, BadGold, MissingInput, StaleLabels
from bonmun.lab.annotate.priority import Worth, measure_worth
from bonmun.lab.annotate.queue import Candidate, WorthCache, order_pages
from bonmun.lab.annotate.session import Desk
from bonmun.lab.gold.datasets import read_dataset
from bonmun.options import DEFAULTS
from labelled import LABELS, make_article, make_shelf, make_source

DOUBTS = [("one", 0.1), ("one", 0.9), ("one", 0.8), ("two", 0.5), ("two", 0.2), ("three", None)]


def test_one_of_every_site_comes_first_and_the_unmeasured_after_the_measured() -> None:
    pages = [
        Candidate(number, site, None if doubt is None else Worth(doubt, 0.0))
        for number, (site, doubt) in enumerate(DOUBTS)
    ]
    assert order_pages(pages, "doubt") == [1, 3, 5, 2, 4, 0]
    assert order_pages(pages, "disagreement") == [0, 3, 5, 1, 4, 2]
    assert order_pages(pages, "given") == [0, 1, 2, 3, 4, 5]
    with pytest.raises(BadConfig, match="worth, doubt, disagreement, given"):
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
def test_a_cache_that_somebody_else_wrote_is_not_believed(held: str, tmp_path: Path) -> None:
    place = tmp_path / "kim.jsonl.queue"
    place.write_text(held.replace("V", __version__), encoding="utf-8")
    assert WorthCache(place).known == {}
    place.unlink()
    os.mkfifo(place)  # which nobody writes to
    assert WorthCache(place).known == {}


def test_names_of_files_that_are_no_text_are_told_apart_also_next_time(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name in (b"caf\xe8.html", b"caf\xe9.html"):
        Path(os.fsdecode(bytes(tmp_path / "pages") + b"/" + name)).write_text(make_article("town"), encoding="utf-8")
    for count in (1, 2):
        with Desk(open_shelf([str(tmp_path / "pages")], DEFAULTS), tmp_path / "kim.jsonl") as desk:
            desk.save(count - 1, 0, {"labels": LABELS})
            desk.finish(count - 1)
            assert desk.count_states()["done"] == count
            assert desk.gold.problems == []


def test_worth_is_doubt_and_disagreement() -> None:
    easy, login = (
        measure_worth(make_source()),
        measure_worth(make_source("<form><p>Name</p><button>Go</button></form>")),
    )
    assert 0 <= easy.disagreement < 0.5
    assert 0 <= easy.doubt < login.doubt <= 1
    assert Worth(0.25, 0.75).both == 0.5


def test_what_pages_are_worth_is_kept_in_a_file(tmp_path: Path) -> None:
    cache = WorthCache(tmp_path / "kim.jsonl.queue")
    key = cache.make_key(b"page")
    cache.put(key, Worth(0.5, 0.25))
    cache.save()
    assert WorthCache(cache.path).known == {key: Worth(0.5, 0.25)}
    for damaged in (b"", b"[]", b'{"version": "0", "pages": {}}', b'{"version": 1}', b"[" * 100_000):
        cache.path.write_bytes(damaged)
        assert WorthCache(cache.path).known == {}


def make_desk(folder: Path) -> Desk:
    pages = [
        make_source(make_article("bridge"), "a.html", "https://one.example/a"),
        make_source("<form><p>Your name</p><button>Go</button></form>", "b.html", "https://two.example/b"),
        make_source(make_article("harbour"), "c.html", "https://news.one.example/c"),
    ]
    return Desk(make_shelf(*pages), folder / "kim.jsonl")


def test_pages_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    with Desk(make_shelf(make_source(), make_source(), make_source()), tmp_path / "kim.jsonl") as desk:
        assert desk.names == ["a.html", "a.html (2)", "a.html (3)"]
        assert {desk.find_site(number) for number in range(3)} == {"."}


def test_a_desk_from_the_first_label_to_the_gold_file(tmp_path: Path) -> None:
    with make_desk(tmp_path) as desk:
        draft = desk.save(0, 0, {"labels": LABELS, "whole": True, "note": "hm", "seconds": 4})
        assert desk.finish(0) is None
        assert (desk.find(0).state, draft.revision) == ("done", 1)
        assert desk.finish(0) is None  # again: nothing to do
        desk.save(2, 0, {"state": "skipped"})
        assert desk.count_states() == {"pages": 3, "open": 1, "done": 1, "skipped": 1, "measured": 0}
        assert desk.list_queue("worth") == [1, 2]
    example = next(iter(read_dataset(tmp_path / "kim.jsonl")))
    assert (example.id, example.title, example.url) == ("a.html", "The bridge is open again", "https://one.example/a")
    with make_desk(tmp_path) as desk:
        assert desk.count_states() == {"pages": 3, "open": 1, "done": 1, "skipped": 1, "measured": 0}


def test_what_is_changed_after_the_end_is_in_the_gold_file_when_the_desk_closes(tmp_path: Path) -> None:
    with make_desk(tmp_path) as desk:
        desk.save(0, 0, {"labels": LABELS})
        desk.finish(0)
        desk.save(0, 2, {"labels": {"/html/body/article[1]/p[3]": "keep"}})
        desk.save(1, 0, {"labels": {"/html/body/form[1]/p[1]": "keep"}})
    rows = [json.loads(line) for line in (tmp_path / "kim.jsonl").read_bytes().splitlines()]
    assert [row["id"] for row in rows] == ["a.html"]
    assert "Part 3" in rows[0]["text"]
    with make_desk(tmp_path) as desk:
        assert desk.find(1).labels == {"/html/body/form[1]/p[1]": "keep"}


def test_measuring_goes_site_by_site_and_is_remembered(tmp_path: Path) -> None:
    with make_desk(tmp_path) as desk:
        assert desk.find_unmeasured() == [0, 1, 2]
        for number in desk.find_unmeasured():
            data = desk.read_for_measuring(number)
            assert data is not None
            desk.cache.put(desk.keys[number], measure_worth(data))
        assert desk.list_queue("worth")[0] == 1
        assert desk.count_states()["measured"] == 3
    with make_desk(tmp_path) as desk:
        assert [desk.read_for_measuring(number) for number in range(3)] == [None, None, None]
        assert desk.find_worth(1) is not None


def test_what_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    with make_desk(tmp_path) as desk:
        for number in (-1, 3, 10**30):
            with pytest.raises(MissingInput, match="3 are open"):
                desk.find(number)
        with pytest.raises(BadGold):
            desk.save(0, 0, {"labels": {"/p": "../../etc"}})
        with pytest.raises(StaleLabels):
            desk.save(0, 7, {})
