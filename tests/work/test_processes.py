"""Child processes: timed, replaced, ended with all they have started; Ctrl-C is for the parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.work.processes import IDLE, Child, ChildLink, Pool, hold_interrupts, ignore_interrupts, limit_memory
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

SECONDS = 2.0  # for a stage
Deed = tuple[str, ...]
Answer = tuple[str, int]


def serve(link: ChildLink) -> None:
    """In the child: do what a task says; its stages are the numbers of its words."""
    name = link.take()
    while True:
        for stage, word in enumerate(link.take()):
            link.enter(stage)
            if word == "sleep":
                time.sleep(SECONDS * 0.4)  # three of them are over the limit of one
            elif word == "hang":
                time.sleep(600)
            elif word == "die":
                os._exit(1)
            elif word == "die later":
                os.spawnlp(os.P_NOWAIT, "sh", "sh", "-c", f"sleep 0.2; kill -9 {os.getpid()}")
            elif word.startswith("breed "):
                Path(word[6:]).write_text(str(subprocess.Popen(["sleep", "600"]).pid))
            elif word == "ignored":
                link.give(("ignored", signal.getsignal(signal.SIGINT) == signal.SIG_IGN))
        link.give((name, os.getpid()))


class Obeying(Child[Deed, Answer]):
    """Gives what the child answers, or at which stage it failed and why."""

    def __init__(self) -> None:
        super().__init__(serve, first=["child"])

    def limit(self, stage: int) -> float:
        return 20.0 if stage == IDLE else SECONDS

    def take(self, answer: Answer) -> list[Answer]:
        if answer[0] == "child":
            self.finish()
        return [answer]

    def fail(self, stage: int, limit: float | None) -> list[Answer]:
        self.finish()
        return [("died" if limit is None else f"over {limit:g} s", stage)]


def obey(*deeds: Deed, count: int = 1) -> list[Answer]:
    """What comes of some tasks."""
    left, found = list(deeds), list[Answer]()
    with Pool(Obeying, count) as pool:
        while left or pool.busy:
            while left and pool.has_room:
                pool.start(left.pop(0))
            found += pool.step()
    assert multiprocessing.active_children() == []
    return found


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_a_child_is_kept_while_it_is_well() -> None:
    names, pids = zip(*obey(("rest",), ("rest",), ("rest",)), strict=True)
    assert names == ("child",) * 3
    assert len(set(pids)) == 1
    assert pids[0] != os.getpid()


def test_every_stage_has_its_own_time() -> None:
    assert obey(("sleep", "sleep", "sleep"))[0][0] == "child"


def test_who_is_over_the_limit_is_replaced_and_the_stage_is_known() -> None:
    before, over, after = obey(("rest",), ("sleep", "rest", "hang"), ("rest",))
    assert over == (f"over {SECONDS:g} s", 2)
    assert (before[0], after[0]) == ("child", "child")
    assert before[1] != after[1]


def test_who_dies_is_replaced_and_the_stage_is_known() -> None:
    before, died, after = obey(("rest",), ("rest", "die"), ("rest",))
    assert died == ("died", 1)
    assert before[1] != after[1]


def test_a_child_that_died_idle_was_at_no_stage() -> None:
    with Pool(Obeying, 1) as pool:
        pool.start(("die later",))
        found: list[Answer] = []
        while pool.busy:
            found += pool.step()
        assert becomes_true(partial(is_gone, found[0][1]))
        pool.start(("rest",))
        while pool.busy:
            found += pool.step()
    assert [answer[0] for answer in found] == ["child", "died"]
    assert found[1][1] == IDLE


def test_a_child_is_no_process_until_there_is_a_task() -> None:
    with Pool(Obeying, 2) as pool:
        assert (pool.has_room, pool.busy) == (True, [])
        assert multiprocessing.active_children() == []
        pool.start(("rest",))
        assert len(multiprocessing.active_children()) == 1


def test_at_most_so_many_are_at_work() -> None:
    with Pool(Obeying, 2) as pool:
        pool.start(("sleep",))
        assert pool.has_room
        pool.start(("sleep",))
        assert not pool.has_room
        assert len(pool.busy) == 2


@pytest.mark.parametrize("end", ["hang", "die", "rest"])
def test_a_child_ends_with_all_that_it_has_started(tmp_path: Path, end: str) -> None:
    obey((f"breed {tmp_path / 'pid'}", end))
    pid = int((tmp_path / "pid").read_text())
    assert becomes_true(partial(is_gone, pid))


def test_who_answers_in_time_has_not_failed_though_nobody_looks() -> None:
    with Pool(Obeying, 1) as pool:
        pool.start(("rest", "sleep"))
        while pool.busy[0].deadline - time.monotonic() > SECONDS:  # it has not begun
            list(pool.step())
        time.sleep(SECONDS * 1.5)
        assert next(pool.step())[0] == "child"


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C raises, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_control_c_is_not_lost_but_waits() -> None:
    passed = []

    def hold() -> None:
        with hold_interrupts():
            signal.raise_signal(signal.SIGINT)
            passed.append("held")

    with interruptible(), pytest.raises(KeyboardInterrupt):
        hold()
    assert passed == ["held"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_what_was_held_before_is_held_afterwards() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with hold_interrupts():
            pass
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_children_ignore_control_c() -> None:
    with interruptible():
        assert ("ignored", True) in obey(("ignored",))


def test_ignoring_lets_go_of_what_was_held() -> None:
    before = signal.getsignal(signal.SIGINT)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        signal.raise_signal(signal.SIGINT)
        ignore_interrupts()
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.signal(signal.SIGINT, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


HUNGRY = """
import sys
from bonmun.work.processes import limit_memory
limit_memory(200_000_000)
held = bytearray(50_000_000)
try:
    bytearray(int(sys.argv[1]))
except MemoryError:
    print("no")
else:
    print("yes")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
@pytest.mark.parametrize(("size", "said"), [(100_000_000, "yes"), (160_000_000, "no"), (10**15, "no")])
def test_memory_is_limited_beyond_what_is_there(size: int, said: str) -> None:
    run = subprocess.run([sys.executable, "-c", HUNGRY, str(size)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == said


def test_a_limit_that_cannot_be_set_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    def refuse(*args: object) -> None:
        tried.append(args)
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr("resource.setrlimit", refuse)
    limit_memory(1)
    assert len(tried) == 1
    monkeypatch.setattr("sys.platform", "darwin")
    limit_memory(1)
    assert len(tried) == 1
