"""The local engine: whatever happens to a page, every page of every batch is returned once and in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jobs import DEADLY, ENDLESS, Loading, Obeying, batch

from bonmun.errors import BonmunError
from bonmun.scale.corpus import engine
from bonmun.scale.corpus.engine import run
from bonmun.work import processes
from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

pytestmark = pytest.mark.slow

LIMIT = 1.0  # seconds for a page
LARGE = 3_000_000  # bytes: more than the buffer of a pipe
SLOW = f"sleeps {LIMIT / 2}"  # within the limit, but three of them exceed it
DIED = "The process died; the page may need too much memory."
OVER = "The page took over 1 seconds."

Row = dict[str, Any]


def flat(results: list[pa.RecordBatch]) -> list[Row]:
    return [row for each in results for row in each.to_pylist()]


def ids(rows: list[Row]) -> list[str]:
    return [row["id"] for row in rows]


def is_gone(pid: int) -> bool:
    """Return whether a process has ended; a zombie has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def is_so_within(seconds: float, what: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if a block takes longer, instead of blocking all tests."""

    def ring(*_: object) -> None:
        raise AssertionError(f"It took over {seconds} s.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def interrupted_when(what: Callable[[], bool]) -> Iterator[None]:
    """Send SIGINT as soon as a condition is true."""

    def wait() -> None:
        if is_so_within(60, what):
            signal.pthread_kill(main, signal.SIGINT)

    main = threading.get_ident()
    thread = threading.Thread(target=wait)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@pytest.fixture
def swept() -> Iterator[None]:
    """Kill the children that a failed test leaves behind."""
    yield
    for child in multiprocessing.active_children():
        child.kill()
        child.join()


# --- good and bad pages ----------------------------------------------------------------------------------------------

BATCHES = {
    "slow": (SLOW, SLOW, SLOW),
    "good": ("nothing",) * 9,
    "none": (),
    **{name: ("nothing", name, "nothing") for name in (*ENDLESS, *DEADLY)},
}
NUMBERS = {name: number for number, name in enumerate(BATCHES)}
on_every_batch = pytest.mark.parametrize("name", BATCHES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("begun")


@pytest.fixture(scope="module")
def done(folder: Path) -> list[list[Row]]:
    """The results of all batches, with three children."""
    batches = (batch(NUMBERS[name], *does) for name, does in BATCHES.items())
    with within(120):
        return [flat(results) for results in run(Obeying(folder), batches, 3, LIMIT)]


@on_every_batch
def test_every_page_is_returned_once_and_in_order(done: list[list[Row]], name: str) -> None:
    number = NUMBERS[name]
    assert ids(done[number]) == [f"{number}.{row}" for row in range(len(BATCHES[name]))]


@on_every_batch
def test_only_bad_pages_fail(done: list[list[Row]], name: str) -> None:
    reasons = {"nothing": None, SLOW: None} | dict.fromkeys(ENDLESS, OVER) | dict.fromkeys(DEADLY, DIED)
    assert [row["error"] for row in done[NUMBERS[name]]] == [reasons[does] for does in BATCHES[name]]


def test_there_is_one_result_for_every_batch(done: list[list[Row]]) -> None:
    assert len(done) == len(BATCHES)


def test_results_keep_the_order_of_the_batches(done: list[list[Row]]) -> None:
    first = done[NUMBERS["slow"]][-1]["when"]
    assert [row["when"] < first for row in done[NUMBERS["good"]]] == [True] * 9


def test_a_bad_page_is_not_retried(done: list[list[Row]], folder: Path) -> None:
    failed = [row["id"] for rows in done for row in rows if row["error"]]
    assert failed == [f"{NUMBERS[name]}.1" for name in (*ENDLESS, *DEADLY)]
    assert {(folder / each).read_text() for each in failed} == {"x"}


@pytest.mark.parametrize("name", [*ENDLESS, *DEADLY])
def test_only_pages_before_a_bad_page_are_processed_again(done: list[list[Row]], folder: Path, name: str) -> None:
    assert [(folder / each).read_text() for each in ids(done[NUMBERS[name]])] == ["xx", "x", "x"]


def test_no_child_is_left(done: list[list[Row]]) -> None:
    assert done
    assert multiprocessing.active_children() == []


@contextmanager
def quick_children() -> Iterator[None]:
    """Start children fast, from a fork server that has loaded all modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "tests" / "scale" / "corpus"), prepend=os.pathsep)
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["jobs", "bonmun.scale.corpus.engine"])
        patch.setattr(processes, "multiprocessing", SimpleNamespace(get_context=lambda _: context))
        yield


@given(
    batches=st.lists(st.lists(st.sampled_from(["nothing", "nothing", "nothing", "exits", "killed"]), max_size=6)),
    workers=st.integers(1, 3),
)
@example([["exits", "nothing", "killed", "nothing", "nothing", "exits"], ["nothing", "exits", "exits", "nothing"]], 1)
@example([["nothing", "nothing"], ["exits"], ["killed", "exits"], [], ["nothing", "nothing", "exits"]], 2)
@settings(deadline=None, derandomize=True, max_examples=8)
def test_every_page_of_random_batches_is_returned_once_and_in_order(batches: list[list[str]], workers: int) -> None:
    given = [batch(number, *does) for number, does in enumerate(batches)]
    with within(120), quick_children():
        rows = [flat(results) for results in run(Obeying(), given, workers, 30)]
    assert [[(row["id"], row["error"]) for row in each] for each in rows] == [
        [(f"{number}.{row}", DIED if does in DEADLY else None) for row, does in enumerate(each)]
        for number, each in enumerate(batches)
    ]


def test_a_page_may_fail_when_it_is_processed_again(tmp_path: Path) -> None:
    with within(120), quick_children():
        (results,) = run(Obeying(tmp_path), [batch(0, "nothing", "tires", "exits", "nothing")], 1, 30)
    assert [(row["id"], row["error"]) for row in flat(results)] == [
        ("0.0", None),
        ("0.1", DIED),
        ("0.2", DIED),
        ("0.3", None),
    ]


def test_returned_results_are_not_computed_again(tmp_path: Path) -> None:
    with within(120), quick_children():
        (results,) = run(
            Obeying(tmp_path), [batch(0, "nothing", "gives", "nothing", "exits", "gives", "nothing")], 1, 30
        )
    assert [(row["id"], row["error"]) for row in flat(results)] == [
        (f"0.{row}", DIED if row == 3 else None) for row in range(6)
    ]
    assert [(tmp_path / f"0.{row}").read_text() for row in range(6)] == ["x", "x", "xx", "x", "x", "x"]


# --- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_page_that_takes_all_memory_does_not_affect_others() -> None:
    with within(120):
        (results,) = run(Obeying(), [batch(0, "nothing", "hogs", "nothing")], 1, 60)
    assert [row["error"] for row in flat(results)] == [None, DIED, None]


def test_no_batch_is_started_while_large_results_wait(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engine, "MAX_WAITING_BYTES", 1)
    drawn: list[int] = []
    stream = run(Obeying(tmp_path), drawn_from(drawn, "awaits 1.0, sleeps 0.3"), 2, 30)
    with within(120):
        assert ids(flat(next(stream))) == ["0.0", "0.1"]
        assert not (tmp_path / "2.0").exists()
        assert ids(flat(next(stream))) == ["1.0"]
        assert ids(flat(next(stream))) == ["2.0"]
        stream.close()


def drawn_from(drawn: list[int], *first: str) -> Iterator[pa.RecordBatch]:
    """Yield batches without end: these first, then batches of one page without instructions."""
    for number in count():
        drawn.append(number)
        yield batch(number, *(first[number] if number < len(first) else "nothing").split(", "))


def test_results_behind_a_slow_batch_are_limited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engine, "MAX_BATCHES_AHEAD", 5)
    drawn: list[int] = []
    stream = run(Obeying(tmp_path), drawn_from(drawn, "awaits 4.0, sleeps 0.3"), 2, 30)
    with within(120):
        assert ids(flat(next(stream))) == ["0.0", "0.1"]
        assert len(drawn) == 5 + 2  # five were started, and one more is ready for each child
        rows = [row for _ in range(9) for row in flat(next(stream))]
        assert len(drawn) <= 10 + 5 + 2
        stream.close()
    assert ids(rows) == [f"{number}.0" for number in range(1, 10)]
    assert len({row["pid"] for row in rows}) <= 2  # healthy children are reused


# --- start and end of children --------------------------------------------------------------------------------------------


def test_hanging_children_end_when_the_generator_is_closed(tmp_path: Path, swept: None) -> None:
    drawn: list[int] = []
    stream = run(Obeying(tmp_path), drawn_from(drawn, "sleeps 3", "hangs", "spins"), 3, 600)
    with within(120):
        pid = flat(next(stream))[0]["pid"]
        assert is_so_within(60, lambda: len(list(tmp_path.iterdir())) >= 3)
        pids = [child.pid or 0 for child in multiprocessing.active_children()]
        assert len(pids) == 3
        assert pid in pids
        stream.close()
    assert multiprocessing.active_children() == []
    assert len(drawn) <= 3 + 3
    assert all(map(is_gone, pids))


def test_children_end_when_the_batches_cannot_be_read() -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield batch(0, "nothing")
        yield batch(1, "nothing")
        raise OSError("the disk is gone")

    rows: list[Row] = []
    with pytest.raises(OSError, match="disk"), within(120):
        rows.extend(row for results in run(Obeying(), broken(), 1, LIMIT) for row in flat(results))
    assert ids(rows) == ["0.0", "1.0"]
    assert multiprocessing.active_children() == []


def test_without_batches_no_child_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(processes.Child, "_spawn")
    assert list(run(Obeying(), [], 2, LIMIT)) == []


@pytest.mark.parametrize(
    "times",
    [
        1,
        5,
    ],
)
def test_a_child_that_dies_between_two_batches_is_replaced(swept: None, times: int) -> None:
    batches = [batch(number, "dies_later 0.05") for number in range(times)]
    with within(120), quick_children():
        stream = run(Obeying(), [*batches, batch(times, "nothing")], 1, LIMIT)
        for number in range(times):
            (row,) = flat(next(stream))
            assert (row["id"], row["error"]) == (f"{number}.0", None)
            assert is_so_within(60, partial(is_gone, row["pid"]))
        assert [(row["id"], row["error"]) for results in stream for row in flat(results)] == [(f"{times}.0", None)]


# --- loading ---------------------------------------------------------------------------------------------------------


def test_loading_does_not_count_as_time_for_a_page() -> None:
    with within(120):
        (results,) = run(Loading(deed=f"sleeps {LIMIT + 0.2}"), [batch(0, "nothing")], 1, LIMIT)
    assert [row["error"] for row in flat(results)] == [None]


@pytest.mark.parametrize(
    ("job", "page"),
    [
        (0, 0),
        (0, LARGE),
        (LARGE, 0),
    ],
    ids=["small", "large pages", "a large job"],
)
def test_children_that_die_when_they_load_are_an_error(
    monkeypatch: pytest.MonkeyPatch, swept: None, job: int, page: int
) -> None:
    monkeypatch.setattr(engine, "MAX_IDLE_DEATHS", 0)
    dying = Loading(deed="exits", ballast=job)
    with within(120), pytest.raises(BonmunError, match="die at the start"):
        list(run(dying, [batch(0, "nothing", ballast=page)], 1, LIMIT))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    "page",
    [0, LARGE],
    ids=["small", "large pages"],
)
def test_children_that_hang_when_they_load_are_an_error(
    monkeypatch: pytest.MonkeyPatch, swept: None, page: int
) -> None:
    monkeypatch.setattr(engine, "START_SECONDS", 1.0)
    with within(120), pytest.raises(BonmunError, match="did not start within 1 seconds"):
        list(run(Loading(deed="hangs"), [batch(0, "nothing", ballast=page)], 1, LIMIT))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    "page",
    [
        0,
        LARGE,
    ],
    ids=["small", "large pages"],
)
def test_children_end_when_the_parent_is_stopped_while_they_load(tmp_path: Path, swept: None, page: int) -> None:
    job = Loading(tmp_path, deed="hangs")
    with pytest.raises(KeyboardInterrupt), within(120), interrupted_when(lambda: any(tmp_path.iterdir())):
        list(run(job, [batch(0, "nothing", ballast=page)], 1, LIMIT))
    assert multiprocessing.active_children() == []


def test_children_load_at_the_same_time_though_pages_are_large(tmp_path: Path, swept: None) -> None:
    given = [batch(number, "sleeps 0.2", ballast=LARGE) for number in range(2)]
    with within(120):
        rows = [row for results in run(Loading(tmp_path, deed="sleeps 1"), given, 2, 30) for row in flat(results)]
    began = [float(each.read_text()) for each in tmp_path.glob("loading *")]
    assert len(began) == 2
    assert max(began) < min(row["when"] for row in rows)


# --- the end of the parent -------------------------------------------------------------------------------------------

SCRIPT = """
import multiprocessing, sys
from pathlib import Path
from bonmun.scale.corpus.engine import run
from jobs import Loading, batch

folder, deed, *pages = sys.argv[1:]
batches = [batch(number, page) for number, page in enumerate(pages)]
try:
    for results in run(Loading(Path(folder), deed), batches, len(batches), 600):
        pass
except KeyboardInterrupt:
    print(f"stopped, {len(multiprocessing.active_children())} are left", flush=True)
"""


@contextmanager
def parent(folder: Path, *pages: str, loading: str = "nothing") -> Iterator[subprocess.Popen[str]]:
    """Start a process whose children work on one page each, or load the job."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), loading, *pages],
        cwd=ROOT / "tests" / "scale" / "corpus",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            awaited = "loading *" if loading != "nothing" else "*.0"
            assert is_so_within(60, lambda: len(list(folder.glob(awaited))) == len(pages))
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def children(pid: int) -> list[int]:
    """Return all children of a process."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(each.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(each.parent.name))
        except (ProcessLookupError, FileNotFoundError):
            continue
    return found


@pytest.mark.parametrize(
    "pages",
    [
        ("nothing", "hangs", "spins"),
        ("backtracks",),
    ],
    ids=lambda pages: "-".join(pages),
)
def test_a_killed_parent_leaves_no_child(tmp_path: Path, pages: tuple[str, ...]) -> None:
    with parent(tmp_path, *pages) as process:
        found = children(process.pid)
        assert len(found) >= len(pages)
        process.kill()
        assert is_so_within(60, lambda: all(map(is_gone, found)))


def test_control_c_ends_all_processes_quietly(tmp_path: Path) -> None:
    with parent(tmp_path, "nothing", "hangs", "spins") as process:
        found = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60) == ("stopped, 0 are left\n", "")
        assert process.returncode == 0
        assert is_so_within(60, lambda: all(map(is_gone, found)))


def test_children_ignore_control_c_while_they_load(tmp_path: Path) -> None:
    with parent(tmp_path, "nothing", loading="awaits go") as process:
        for each in children(process.pid):
            os.kill(each, signal.SIGINT)
        (tmp_path / "go").touch()
        assert process.communicate(timeout=60) == ("", "")
        assert process.returncode == 0
    assert len(list(tmp_path.glob("loading *"))) == 1  # it has continued to load and was not replaced
