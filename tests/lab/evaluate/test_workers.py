"""Child processes: a system that fails on a page does not affect other systems and pages."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.workers import Outcome, PageTask, run_tasks
from bonmun.lab.gold.examples import Example
from bonmun.work import processes
from samples import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow

LIMIT = 2.0  # seconds
TEXT = "The old lighthouse was lit again."


def system(name: str, run: Callable[[Example], Answer], **more: Any) -> System:
    return System(name, "peer", partial(str, "1"), run, **more)


def example(number: int = 0, **more: Any) -> Example:
    return Example(f"page {number}", f"<p>{TEXT} {number}</p>", f"{TEXT} {number}", **more)


def outcomes(*tasks: PageTask, limit: float = LIMIT) -> dict[tuple[int, str], Outcome]:
    return {(task.number, each.name): outcome for task, each, outcome in run_tasks(tasks, 1, limit)}


def is_gone(pid: int) -> bool:
    """Whether a process has ended; a zombie has."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def is_soon_gone(pid: int) -> bool:
    end = time.monotonic() + 60
    while not is_gone(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return is_gone(pid)


# --- systems for the child processes ---------------------------------------------------------------------------------


def right(example: Example) -> Answer:
    return Answer(example.text or "")


def where(_: Example) -> Answer:
    return Answer(str(os.getpid()))


def raises(_: Example) -> Answer:
    raise ValueError("no such luck " + "very " * 100)


def exits(_: Example) -> Answer:
    sys.exit(0)


def crashes(_: Example) -> Answer:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def spawns(_: Example, file: Path, end: Callable[[int], None]) -> Answer:
    """Start a process that hangs, and then call `end`."""
    process = subprocess.Popen(["sleep", "600"])
    file.write_text(str(process.pid))
    end(600)
    raise AssertionError


def prints(_: Example) -> Answer:
    print("printed", flush=True)
    print("printed", file=sys.stderr, flush=True)
    os.write(1, b"printed"), os.write(2, b"printed")
    return Answer("quiet")


def waits(_: Example, file: Path) -> Answer:
    while not file.exists():
        time.sleep(0.01)
    return Answer("waited")


def wrong(_: Example) -> Answer:
    text: Any = b"no text"
    return Answer(text)


def right_with_metadata(example: Example) -> Answer:
    return replace(right(example), title="A title", author="An author")


# --- outcomes --------------------------------------------------------------------------------------------------------

REASONS = {
    "first": "",
    "raises": "ValueError: no such luck",
    "hangs": "it took more than 2 s",
    "exits": "it died",
    "crashes": "it died",
    "sys.exit": "it died",
    "last": "",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pids")


@pytest.fixture(scope="module")
def done(folder: Path) -> list[tuple[PageTask, System, Outcome]]:
    """All systems on one page, and some on two more, in two child processes."""
    systems = (
        system("first", right, fields=("title",)),
        system("raises", raises, fields=("title",)),
        system("hangs", partial(spawns, file=folder / "hangs", end=time.sleep)),
        system("exits", partial(spawns, file=folder / "exits", end=os._exit)),
        system("crashes", crashes),
        system("sys.exit", exits),
        system("last", right),
    )
    few = (systems[0], systems[4], systems[6])
    tasks = [
        PageTask(0, example(0, title="Light"), systems),
        PageTask(1, example(1), few),
        PageTask(2, example(2), few),
    ]
    return list(run_tasks(tasks, 2, LIMIT))


@pytest.mark.parametrize("name", REASONS)
def test_the_outcome_of_a_system(done: list[tuple[PageTask, System, Outcome]], name: str) -> None:
    outcome = next(outcome for task, each, outcome in done if (task.number, each.name) == (0, name))
    if not REASONS[name]:
        assert (outcome.error, outcome.answer.text, outcome.scores["words.f1"]) == (None, f"{TEXT} 0", 1)
        assert 0 < outcome.ms < LIMIT * 1e3
        return
    assert outcome.error is not None
    assert outcome.error.startswith(REASONS[name])
    assert len(outcome.error) <= 200
    assert outcome.answer == Answer()
    assert {name for name, value in outcome.scores.items() if value} == {"words.gold", "shingles.gold"}
    assert ("title.exact" in outcome.scores) == (name == "raises")


def test_other_systems_and_pages_continue_in_order(done: list[tuple[PageTask, System, Outcome]]) -> None:
    for number, names in enumerate((list(REASONS), ["first", "crashes", "last"], ["first", "crashes", "last"])):
        found = [(each.name, outcome) for task, each, outcome in done if task.number == number]
        assert [name for name, _ in found] == names
        assert [outcome.answer.text for name, outcome in found if not REASONS[name]] == [f"{TEXT} {number}"] * 2


@pytest.mark.parametrize("name", ["hangs", "exits"])
def test_processes_of_a_failed_system_are_ended(
    done: list[tuple[PageTask, System, Outcome]], folder: Path, name: str
) -> None:
    assert done
    assert is_soon_gone(int((folder / name).read_text()))


def test_no_child_is_left(done: list[tuple[PageTask, System, Outcome]]) -> None:
    assert done
    assert multiprocessing.active_children() == []


def test_output_of_systems_is_discarded(capfd: pytest.CaptureFixture[str]) -> None:
    assert outcomes(PageTask(0, example(), (system("prints", prints),)))[0, "prints"].answer.text == "quiet"
    assert capfd.readouterr() == ("", "")


def test_a_known_answer_is_only_scored() -> None:
    known = {"known": Outcome(Answer(TEXT, title="Light"), 5.0), "other": Outcome(Answer("not requested"), 1.0)}
    systems = (system("known", crashes, fields=("title", "author")), system("asked", right))
    found = outcomes(PageTask(0, example(0, title="light!", author="Kim"), systems, known))
    assert list(found) == [(0, "known"), (0, "asked")]
    outcome = found[0, "known"]
    assert (outcome.answer, outcome.ms, outcome.error) == (known["known"].answer, 5.0, None)
    assert outcome.scores["words.recall"] == 6 / 7
    assert (outcome.scores["title.exact"], outcome.scores["author.exact"]) == (1, 0)
    assert "date.exact" not in outcome.scores


def test_the_full_answer_is_requested_only_for_scores() -> None:
    asked = System("asked", "peer", partial(str, "1"), right, ("title",), right_with_metadata)
    titled = example(0, title="A title", author="An author", date="2024-05-01")
    tasks = (
        PageTask(0, titled, (asked,)),
        PageTask(1, example(1), (asked,)),
        PageTask(2, titled, (asked,), is_scored=False),
    )
    found = [outcome for _, outcome in sorted(outcomes(*tasks).items())]
    assert [outcome.answer.title for outcome in found] == ["A title", "A title", None]
    assert [outcome.answer.text for outcome in found] == [f"{TEXT} 0", f"{TEXT} 1", f"{TEXT} 0"]
    assert [outcome.scores.get("title.exact") for outcome in found] == [1, None, None]
    assert (found[2].scores, found[2].ms > 0) == ({}, True)
    assert "author.exact" not in found[0].scores  # not one of its fields


def test_an_answer_that_is_not_a_string_is_reported() -> None:
    error = outcomes(PageTask(0, example(), (system("wrong", wrong),)))[0, "wrong"].error
    assert error is not None
    assert "bytes" in error


# --- no network ------------------------------------------------------------------------------------------------------


def connects(address: tuple[str, int]) -> None:
    with socket.socket() as one:
        one.connect(address)


def connects_otherwise(address: tuple[str, int]) -> None:
    with socket.socket() as one:
        if one.connect_ex(address):
            raise OSError


def sends(address: tuple[str, int]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.sendto(b"hello", address)


def asks_for_a_name(_: tuple[str, int]) -> None:
    socket.gethostbyname("localhost")


def fetches(address: tuple[str, int]) -> None:
    urllib.request.urlopen(f"http://{address[0]}:{address[1]}/", timeout=60).close()


WAYS: list[Callable[[tuple[str, int]], object]] = [
    connects,
    socket.create_connection,
    fetches,
    connects_otherwise,
    sends,
    asks_for_a_name,
]


def tries(example: Example, way: Callable[[tuple[str, int]], object]) -> Answer:
    host, _, port = (example.url or "").removeprefix("http://").partition(":")
    way((host, int(port)))
    return Answer("reached")


@pytest.fixture(scope="module")
def tried() -> dict[tuple[int, str], Outcome]:
    with served({"/": (b"<p>Hello", "text/html")}) as url:
        connects_otherwise(("127.0.0.1", int(url.rpartition(":")[2])))  # the server is up
        systems = [system(way.__name__, partial(tries, way=way)) for way in WAYS]
        return outcomes(PageTask(0, example(0, url=url), tuple(systems)))


@pytest.mark.parametrize("way", WAYS)
def test_there_is_no_network(tried: dict[tuple[int, str], Outcome], way: Callable[..., object]) -> None:
    outcome = tried[0, way.__name__]
    assert outcome.answer.text != "reached"
    assert "The network is disabled in a benchmark" in (outcome.error or "")


# --- lifetime of child processes -------------------------------------------------------------------------------------


def endless(drawn: list[int]) -> Iterator[PageTask]:
    while True:
        drawn.append(len(drawn))
        yield PageTask(drawn[-1], example(drawn[-1]), (system("where", where),))


def test_tasks_are_read_on_demand_and_children_end_with_the_generator() -> None:
    drawn: list[int] = []
    stream = run_tasks(endless(drawn), 2, LIMIT)
    pids = {int(next(stream)[2].answer.text) for _ in range(4)}
    assert len(drawn) <= 4 + 2
    assert pids <= {child.pid for child in multiprocessing.active_children()}
    stream.close()
    assert multiprocessing.active_children() == []
    assert all(map(is_gone, pids))


def test_children_end_when_reading_tasks_fails() -> None:
    def broken() -> Iterator[PageTask]:
        yield PageTask(0, example(), (system("right", right),))
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="disk"):
        list(run_tasks(broken(), 1, LIMIT))
    assert multiprocessing.active_children() == []


def test_a_hanging_child_is_ended_with_the_generator(tmp_path: Path) -> None:
    hangs = system("hangs", partial(spawns, file=tmp_path / "pid", end=time.sleep))
    stream = run_tasks([PageTask(0, example(), (system("where", where), hangs))], 1, LIMIT)
    pid = int(next(stream)[2].answer.text)
    waits(example(), tmp_path / "pid")
    stream.close()
    assert is_gone(pid)
    assert is_soon_gone(int((tmp_path / "pid").read_text() or 0))


def test_no_tasks_give_no_outcomes() -> None:
    assert list(run_tasks([], 1, LIMIT)) == []


def test_without_tasks_no_child_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(processes.Child, "_spawn")
    assert list(run_tasks([], 1, LIMIT)) == []


def test_an_answer_in_time_counts_even_if_it_is_read_late(tmp_path: Path) -> None:
    names = ("one", "other")
    tasks = [
        PageTask(number, example(number), (system("right", right), system(name, partial(waits, file=tmp_path / name))))
        for number, name in enumerate(names)
    ]
    stream = run_tasks(tasks, 2, LIMIT)
    assert [next(stream)[1].name for _ in names] == ["right", "right"]
    (tmp_path / "one").touch()
    assert next(stream)[2].answer.text == "waited"
    (tmp_path / "other").touch()  # it answers at once, but the outcome is read later
    time.sleep(LIMIT + 0.2)
    assert next(stream)[2].error is None
