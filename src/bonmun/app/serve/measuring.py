"""Measure the priority of the pages of an annotation session in the background."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, TooBusy
from bonmun.lab.annotate.priority import measure_priority

if TYPE_CHECKING:
    from bonmun.lab.annotate.session import AnnotationSession
    from bonmun.work.workers import Workers

__all__ = ["PriorityMeasurer"]

PAUSE_SECONDS = 0.5  # before a retry if the service is busy
PAGES_PER_SAVE = 50  # results are saved after this many pages


class PriorityMeasurer:
    """A background task that measures every page once, one at a time, so that other requests find free workers."""

    def __init__(self, session: AnnotationSession) -> None:
        self.session = session
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether pages are still being measured."""
        return self._task is not None and not self._task.done()

    def start(self, workers: Workers) -> None:
        """Start the task, unless it was started before."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(workers))

    def stop(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, workers: Workers) -> None:
        session = self.session
        for count, number in enumerate(await asyncio.to_thread(session.find_unmeasured), 1):
            try:
                source = await asyncio.to_thread(session.read_for_measuring, number)
                while source is not None and not workers.is_stopped:
                    try:
                        session.cache.put(session.keys[number], await workers.run(measure_priority, source))
                        break
                    except TooBusy:
                        await asyncio.sleep(PAUSE_SECONDS)
            except BonmunError as problem:
                session.failed[number] = str(problem)
            if workers.is_stopped:
                break
            if count % PAGES_PER_SAVE == 0:
                await asyncio.to_thread(session.cache.save)
        await asyncio.to_thread(session.cache.save)
