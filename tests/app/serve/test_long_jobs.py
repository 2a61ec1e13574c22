"""Jobs that take long do not block others."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")

from bonmun.work.workers import RESERVE, SLICE_SECONDS, Workers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

pytestmark = pytest.mark.slow

LONG = 60.0  # seconds that a hostile job takes
SOON = 20.0  # seconds within which an honest job is done, on a busy machine


def run_with_workers(count: int, act: Callable[[Workers], Awaitable[Any]]) -> Any:
    """Return the result of `act`, which is called with workers and a reserve that have loaded."""

    async def run() -> Any:
        workers = Workers(count, reserve=RESERVE)
        await workers.start()
        try:
            await workers.run(time.sleep, SLICE_SECONDS * 1.5)  # starts the reserve
            while len(workers._children) < count + RESERVE or not all(child.is_ready for child in workers._children):
                await asyncio.sleep(0.01)
            workers._times.clear()
            return await act(workers)
        finally:
            await workers.stop()

    return asyncio.run(run())


def test_long_jobs_do_not_block_others() -> None:
    async def act(workers: Workers) -> list[float]:
        pending = [workers.submit(time.sleep, LONG) for _ in range(4)]
        times: list[float] = []
        for _ in range(20):
            start = time.monotonic()
            async with asyncio.timeout(LONG / 2):
                await workers.run(os.getpid)
            times.append(time.monotonic() - start)
        assert not any(each.done() for each in pending)
        assert len(workers.process_ids) <= workers.count + RESERVE
        return times

    times = run_with_workers(2, act)
    assert max(times) < SOON
    assert sorted(times)[10] < SLICE_SECONDS / 2  # only the first jobs wait


def test_long_jobs_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of four run on, the others are stopped and start again in turn."""
    monkeypatch.setattr("bonmun.work.workers.SLICE_SECONDS", 0.1)

    async def act(workers: Workers) -> tuple[list[Any], bool]:
        pending = [workers.submit(time.sleep, 1.0) for _ in range(4)]
        await workers.run(os.getpid)
        return await asyncio.gather(*pending), workers.restarts > 0

    assert run_with_workers(1, act) == ([None] * 4, True)


def test_a_long_job_runs_on_if_nobody_waits() -> None:
    async def act(workers: Workers) -> int:
        await workers.run(time.sleep, SLICE_SECONDS * 2)
        return workers.restarts

    assert run_with_workers(1, act) == 0


def test_long_jobs_of_disconnected_clients_are_stopped_first() -> None:
    async def act(workers: Workers) -> tuple[bool, int]:
        pending = workers.submit(time.sleep, LONG)
        while not any(child.seconds_taken for child in workers._children):
            await asyncio.sleep(0.01)
        workers.cancel(pending)
        await workers.run(os.getpid)
        return workers.waiting == 0, workers.restarts

    assert run_with_workers(1, act) == (True, 1)


def test_child_processes_are_started_when_they_are_needed() -> None:
    async def run() -> list[int]:
        workers = Workers(2, first=1, reserve=2)
        counts = []
        await workers.start()
        try:
            await workers.run(os.getpid)
            counts.append(len(workers.process_ids))
            await asyncio.gather(*(workers.run(time.sleep, SLICE_SECONDS / 4) for _ in range(6)))
            counts.append(len(workers.process_ids))
            await workers.run(time.sleep, SLICE_SECONDS * 2)
            counts.append(len(workers.process_ids))
        finally:
            await workers.stop()
        return counts

    assert asyncio.run(run()) == [1, 2, 4]
