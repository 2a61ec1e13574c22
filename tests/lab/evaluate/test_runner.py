"""Running systems on sets: rows, failures, the cache, and times."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadConfig
from bonmun.lab.evaluate import runner, workers
from bonmun.lab.evaluate.cache import Cache, locate_cache_file
from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.report.averages import average_pages
from bonmun.lab.evaluate.results import Row
from bonmun.lab.evaluate.runner import run, time_systems
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.systems import ORACLE
from bonmun.lab.evaluate.workers import Outcome, PageTask
from bonmun.lab.gold.datasets import Dataset, read_dataset
from bonmun.lab.gold.examples import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.lab.evaluate.results import BenchResults

pytestmark = pytest.mark.slow

TEXT = "The old lighthouse was lit again."
PAGES: list[dict[str, Any]] = [
    {"id": "a", "text": TEXT, "title": "Light", "author": "Kim", "date": "2024-05-01", "lang": "en", "kind": "news"},
    {"id": "empty", "text": ""},
    {"id": "strings", "wanted": ["lighthouse was"], "unwanted": ["Menu", "Home"]},
]
FIELDS = ("title", "author", "date")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Dataset]:
    def written(*rows: dict[str, Any], name: str = "set") -> Dataset:
        file = tmp_path / f"{name}.jsonl"
        lines = [json.dumps({"html": f"<p>Menu</p><p>{TEXT}</p><!-- {row.get('id')} -->"} | row) for row in rows]
        file.write_text("\n".join(lines), encoding="utf-8")
        return read_dataset(file)

    return written


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    with Cache(tmp_path / "kept" / "bench.sqlite") as kept:
        yield kept


class Counted:
    """A system that records its calls in a file, and fails on pages that contain `bad`."""

    def __init__(self, file: Path, bad: str = "<!-- bad", leaves: tuple[int, ...] | None = None) -> None:
        self.file, self.bad, self.leaves = file, bad, leaves

    def __call__(self, example: Example) -> Answer:
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{example.id}\n")
        if self.bad in example.html:
            raise ValueError("a bad page")
        return Answer(TEXT, "Light", "by Kim", "May 1, 2024", self.leaves)

    def calls(self) -> Counter[str]:
        return Counter(self.file.read_text(encoding="utf-8").split() if self.file.exists() else ())

    def system(self, name: str = "counted", version: str = "1", fields: tuple[str, ...] = ()) -> System:
        return System(name, "peer", partial(str, version), self, fields)


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    return Counted(tmp_path / "calls")


def measured(dataset: Dataset, cache: Cache, *systems: System, **more: Any) -> BenchResults:
    return run([dataset], systems, cache, workers=1, limit=10, **more)


def run_tasks_here(tasks: Iterable[PageTask], count: int, limit: float) -> Iterator[tuple[PageTask, System, Outcome]]:
    """Like run_tasks(), but in this process."""
    del count, limit
    for task in tasks:
        scorer = Scorer(task.example)
        for system in task.systems:
            outcome = task.known.get(system.name) or workers._run(system, task)
            yield task, system, workers._score(scorer, system, outcome)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run without child processes."""
    monkeypatch.setattr(runner, "run_tasks", run_tasks_here)


# --- rows ------------------------------------------------------------------------------------------------------------


def test_every_page_system_and_score_has_a_row(write: Callable[..., Dataset], cache: Cache, tmp_path: Path) -> None:
    good = Counted(tmp_path / "good").system("good", "1.5", FIELDS)
    fails = Counted(tmp_path / "fails", bad="<p>").system("fails", fields=FIELDS)
    steps: list[int] = []
    results = measured(write(*PAGES), cache, good, fails, ORACLE, progress=steps.append)
    assert sum(steps) == 9
    assert [page.id for page in results.pages] == ["a", "empty", "strings"]
    rows = list(results.rows())
    assert rows == list(results.rows())
    found = {(row.page, row.system, row.metric): row.value for row in rows}
    assert len(found) == len(rows)

    metrics = {(page, system): set[str]() for page in ("a", "empty", "strings") for system in ("good", "fails")}
    for row in rows:
        metrics.setdefault((row.page, row.system), set()).add(row.metric)
    text, titled = metrics["empty", "good"], metrics["a", "good"]
    assert {"words.f1", "words.gold", "shingles.precision", "lcs.f0.5", "edit.similarity"} <= text
    assert titled - text == {f"{field}.{name}" for field in FIELDS for name in ("exact", "given")} | {
        "title.f1",
        "author.f1",
        "recognition.precision",
    }
    assert metrics["a", "fails"] == titled - {"recognition.precision"}  # only for recognised pages
    assert metrics["empty", "fails"] == text
    assert {metric.partition(".")[0] for metric in metrics["strings", "good"]} == {"snippets"}
    assert ("strings", "oracle") not in metrics  # it needs a gold text
    assert metrics["a", "oracle"] == text | {"recognition.precision"}

    assert found["a", "good", "words.f1"] == found["a", "oracle", "words.f1"] == 1
    assert [found["a", "good", f"{field}.exact"] for field in FIELDS] == [1, 1, 1]
    assert found["empty", "good", "words.f1"] == 0
    assert found["empty", "oracle", "words.f1"] == 1
    assert [found["strings", "good", f"snippets.{name}"] for name in ("tp", "fp", "fn", "tn")] == [1, 0, 0, 2]
    assert (rows[0].dataset, rows[0].lang, rows[0].kind, rows[0].version) == ("set", "en", "news", "1.5")
    assert ({row.lang for row in rows}, {row.kind for row in rows}) == ({"en", "unknown"}, {"news", "unknown"})
    assert all(row.ms >= 0 for row in rows)

    zero = {metric for (_, system, metric), value in found.items() if system == "fails" and value}
    assert zero == {"words.gold", "shingles.gold"}  # counts of the gold
    assert results.count_failures("fails", range(3)) == Counter({"ValueError: a bad page": 3})
    assert results.list_failed(1) == ["fails"]


@pytest.mark.parametrize(("date", "invented"), [("2024-05-01", 1.0), (None, 0.0), (" ", 0.0)])
def test_a_date_that_the_gold_lacks_is_invented(date: str | None, invented: float) -> None:
    scorer = Scorer(Example("a", "", TEXT, title="Light"))
    found = scorer.score_metadata(Answer(TEXT, title="Light", date=date), FIELDS)
    assert (found["title.exact"], found["date.invented"]) == (1.0, invented)
    assert "date.exact" not in found
    assert Scorer(Example("a", "", TEXT)).score_metadata(Answer(TEXT, date=date), FIELDS) == {}


@pytest.mark.usefixtures("in_process")
def test_failures_count_as_zero_in_block_scores(write: Callable[..., Dataset], cache: Cache, tmp_path: Path) -> None:
    keeps = replace(Counted(tmp_path / "calls", leaves=(1,)).system("keeps"), group="method")
    results = measured(write({"id": "a", "text": TEXT}, {"id": "bad", "text": TEXT}), cache, keeps)
    assert average_pages(results, "words.f1", "keeps", [0, 1]) == 1 / 2
    assert average_pages(results, "blocks.f1", "keeps", [0, 1]) == 1 / 2


def test_a_set_without_usable_pages_is_rejected(write: Callable[..., Dataset], cache: Cache, counted: Counted) -> None:
    with pytest.raises(BadConfig, match=r"set.jsonl: this set has no usable record \(line 1, x: no text"):
        measured(write({"id": "x"}), cache, counted.system())
    with pytest.raises(BadConfig, match="it is empty"):
        measured(write(name="none"), cache, counted.system())


# --- cache -----------------------------------------------------------------------------------------------------------


def test_cached_answers_are_reused(write: Callable[..., Dataset], cache: Cache, counted: Counted) -> None:
    first, system = write(*PAGES), counted.system(fields=FIELDS)
    results = measured(first, cache, system)
    assert counted.calls() == {"a": 1, "empty": 1, "strings": 1}
    assert list(measured(first, cache, system).rows()) == list(results.rows())
    assert list(measured(write(*PAGES, name="copy"), cache, system).values("words.f1", "counted")) == pytest.approx(
        [1, 0, float("nan")], nan_ok=True
    )
    assert counted.calls().total() == 3


@pytest.mark.usefixtures("in_process")
def test_a_new_gold_gives_new_scores_for_cached_answers(
    write: Callable[..., Dataset], cache: Cache, counted: Counted
) -> None:
    system = counted.system(fields=FIELDS)
    for text, recall in ((TEXT, 1.0), (f"{TEXT} At last, again!", 2 / 3), (TEXT, 1.0)):
        results = measured(write({"id": "a", "text": text, "title": "Light"}), cache, system)
        assert list(results.values("words.recall", "counted")) == [recall]
    results = measured(write({"id": "a", "text": TEXT, "title": "Dark"}), cache, system)
    assert list(results.values("title.exact", "counted")) == [0]
    assert counted.calls() == {"a": 1}


@pytest.mark.usefixtures("in_process")
def test_a_new_version_page_or_system_runs_again(write: Callable[..., Dataset], cache: Cache, counted: Counted) -> None:
    row = {"id": "a", "text": TEXT}
    measured(write(row), cache, counted.system())
    measured(write(row), cache, counted.system(version="2"))
    assert counted.calls() == {"a": 2}
    measured(write(row | {"html": "<p>Other</p>"}), cache, counted.system(version="2"))
    measured(write(row | {"url": "https://example.org/"}), cache, counted.system(version="2"))
    assert counted.calls() == {"a": 4}
    measured(write(row), cache, counted.system(), counted.system("twin"))
    assert counted.calls() == {"a": 5}


@pytest.mark.usefixtures("in_process")
def test_failures_are_not_cached(write: Callable[..., Dataset], cache: Cache, counted: Counted) -> None:
    dataset = write({"id": "bad", "text": TEXT}, {"id": "a", "text": TEXT})
    for turn in (1, 2):
        assert measured(dataset, cache, counted.system()).list_failed(0) == ["counted"]
        assert counted.calls() == {"bad": turn, "a": 1}


def test_an_interrupted_run_resumes(write: Callable[..., Dataset], counted: Counted, tmp_path: Path) -> None:
    dataset = write(*({"id": str(number), "text": TEXT} for number in range(8)))
    steps: list[int] = []

    def stop(step: int) -> None:
        steps.append(step)
        if len(steps) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Cache(tmp_path / "kept") as cache:
        measured(dataset, cache, counted.system(), progress=stop)
    assert multiprocessing.active_children() == []
    with Cache(tmp_path / "kept") as cache:
        results = measured(dataset, cache, counted.system())
    assert list(results.values("words.f1", "counted")) == [1] * 8
    calls = counted.calls()
    assert [calls[str(number)] for number in (0, 1, 2, 3, 6, 7)] == [1] * 6  # 4 may have been running
    assert calls.total() <= 9


@pytest.mark.usefixtures("in_process")
def test_the_oracle_runs_again_on_a_new_gold(write: Callable[..., Dataset], cache: Cache) -> None:
    for text in ("Menu", TEXT):
        results = measured(write({"id": "a", "text": text}), cache, ORACLE)
        assert list(results.values("words.f1", "oracle")) == [1]


def test_cached_answers_are_unchanged(cache: Cache, counted: Counted) -> None:
    example, system = Example("a", "<p>a", "a"), counted.system()
    for answer in (
        Answer("등대 \ud800\n\0", "\ud800", "", None, ()),
        Answer("", leaves=(0, 7)),
        Answer("x" * 1_000_000, date="2024-05-01"),
    ):
        cache.put(example, system, Outcome(answer, 1.5, scores={"words.f1": 1 / 3}))
        cache.flush()
        assert cache.get(example, system) == Outcome(answer, 1.5, scores={"words.f1": 1 / 3})


def test_two_runs_share_a_cache(tmp_path: Path, counted: Counted) -> None:
    example, outcome = Example("a", "<p>a", "a"), Outcome(Answer("a"), 1.0, scores={"words.f1": 1.0})
    with Cache(tmp_path / "kept") as one, Cache(tmp_path / "kept") as other:
        one.put(example, counted.system("one"), outcome)
        other.put(example, counted.system("other"), outcome)
        for each in (one, other):
            each.flush()
        assert one.get(example, counted.system("other")) == outcome
        assert other.get(example, counted.system("one")) == outcome


def test_a_path_that_is_not_a_cache_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no data base " * 100)
    for place in (tmp_path / "file", tmp_path / "file" / "below", tmp_path):
        with pytest.raises(BadConfig, match="cannot use this cache"):
            Cache(place)


def test_a_database_with_another_schema_is_rejected(tmp_path: Path, counted: Counted) -> None:
    with sqlite3.connect(tmp_path / "base") as base:
        base.execute("CREATE TABLE answers (other TEXT)")
    base.close()
    with pytest.raises(BadConfig), Cache(tmp_path / "base") as cache:
        cache.get(Example("a", "<p>a", "a"), counted.system())


def test_the_default_cache_is_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/where")
    assert locate_cache_file() == Path("/some/where/bonmun/bench.sqlite")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert locate_cache_file() == Path.home() / ".cache/bonmun/bench.sqlite"


# --- times -----------------------------------------------------------------------------------------------------------


def test_working_systems_are_timed_on_a_sample_of_pages(
    write: Callable[..., Dataset], cache: Cache, tmp_path: Path
) -> None:
    good, fails = Counted(tmp_path / "good"), Counted(tmp_path / "fails", bad="<p>")
    dataset = write(*({"id": name, "text": TEXT} for name in ("a", "bad", "c", "d", "e")))
    systems = [good.system("good"), fails.system("fails"), ORACLE]
    results = run([dataset], systems, cache, workers=1, limit=10)
    steps: list[int] = []
    time_systems([dataset], systems, results, pages=2, limit=10, progress=steps.append)
    assert (set(results.times["good"]), results.times["fails"], results.times["oracle"]) == ({0, 3}, {}, {})
    assert all(ms > 0 for ms in results.times["good"].values())
    assert good.calls() == {"a": 3, "bad": 1, "c": 1, "d": 3, "e": 1}  # two more runs of the timed pages
    assert fails.calls().total() == 5
    assert sum(steps) == 4
    timed = [row for row in results.rows() if row.metric == "time.ms"]
    assert [row[:7] for row in timed] == [("set", page, "unknown", "unknown", "good", "1", "time.ms") for page in "ad"]
    assert isinstance(timed[0], Row)


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_the_requested_number_of_pages_is_timed(
    write: Callable[..., Dataset], cache: Cache, counted: Counted, count: int
) -> None:
    dataset = write(*({"id": str(number), "text": TEXT} for number in range(10)))
    results = measured(dataset, cache, counted.system())
    time_systems([dataset], [counted.system()], results, pages=count, limit=10)
    assert len(results.times["counted"]) == count
    assert max(results.times["counted"]) >= 10 - 10 / count


@pytest.mark.usefixtures("in_process")
def test_timed_pages_are_spread_over_the_set(write: Callable[..., Dataset], cache: Cache, counted: Counted) -> None:
    dataset = write(*({"id": str(number), "text": TEXT} for number in range(19)))
    results = measured(dataset, cache, counted.system())
    time_systems([dataset], [counted.system()], results, pages=10, limit=10)
    assert max(results.times["counted"]) >= 15


@pytest.mark.usefixtures("in_process")
def test_a_system_that_always_failed_is_not_timed(
    write: Callable[..., Dataset], cache: Cache, counted: Counted
) -> None:
    dataset = write({"id": "a", "text": TEXT})
    results = measured(dataset, cache, counted.system())
    results.add(0, "counted", Outcome(Answer(), 10.0, "it died"))
    time_systems([dataset], [counted.system()], results, pages=10, limit=10)
    assert results.times == {"counted": {}}
