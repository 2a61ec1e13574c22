"""HTTP routes for the sites of the open pages under `/inspector/api/site`, studied in the background on demand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.jobs import find_model_time, write_json
from bonmun.app.inspector.site_jobs import count_page, judge_page
from bonmun.app.inspector.site_study import MAX_PAGES, SiteStudy
from bonmun.errors import BonmunError, MissingExtra, TooBusy

try:
    from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
except ImportError:
    raise MissingExtra("The inspector needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from bonmun.app.inspector.site_jobs import SiteEvidence
    from bonmun.lab.annotate.open_pages import OpenPage, OpenPages
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.work.workers import Workers

__all__ = ["SiteStudies", "make_site_router"]

PAUSE_SECONDS = 0.5  # before a retry if the service is busy
MIN_OPEN_PAGES = 2  # that can be compared
MAX_KEPT_BYTES = 200_000_000  # of pages given as URLs, so that they are downloaded once


class SiteStudies:
    """Studies the open pages in a background task, one page at a time, so that other requests find free workers."""

    def __init__(self, open_pages: OpenPages) -> None:
        self.open_pages = open_pages
        self.study: SiteStudy | None = None
        self.state = "idle"  # or reading, judging, done, failed
        self.problem = ""
        self.done = self.total = 0  # steps of the state
        self._basis: tuple[object, ...] = ()  # what the study depends on
        self._task: asyncio.Task[None] | None = None
        self._kept: dict[int, PageSource] = {}

    @property
    def is_running(self) -> bool:
        """Whether pages are being read."""
        return self._task is not None and not self._task.done()

    def describe(self) -> dict[str, Any]:
        """Return the state; when it is done, also the sites."""
        is_done = self.state == "done" and self.study is not None
        return {
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "problem": self.problem,
            "open": len(self.open_pages),
            "read": len(self.study.names) if self.study else 0,
            "stale": is_done and self._basis != self._find_basis(),
            "sites": self.study.list_sites() if is_done and self.study else [],
        }

    def find_evidence(self, number: int) -> SiteEvidence | None:
        """Return what the site of a page says about it, once all pages are studied."""
        return self.study.find_evidence(number) if self.state == "done" and self.study else None

    def start(self, workers: Workers) -> None:
        """Start a study, unless one is running, or nothing has changed since the last one."""
        if self.is_running or (self.state == "done" and self._basis == self._find_basis()):
            return
        self._basis = self._find_basis()
        self.state, self.problem = "reading", ""
        self._task = asyncio.create_task(self._run(workers))

    def stop(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()

    def _find_basis(self) -> tuple[object, ...]:
        pages = self.open_pages
        return len(pages), pages.model, find_model_time(pages.model), pages.rules

    async def _run(self, workers: Workers) -> None:
        try:
            self.study = SiteStudy()
            await self._count_pages(workers, self.study, self.open_pages.list_pages(0, MAX_PAGES))
            await asyncio.to_thread(self.study.group)
            self.state = "judging"
            await self._judge_pages(workers, self.study)
            self.state = "done"
        except BonmunError as problem:
            self.state, self.problem = "failed", str(problem)
        except Exception as problem:  # the panel says so, and asyncio logs it
            error = type(problem).__name__
            self.state, self.problem = "failed", f"Unexpected error: {error}. The log has the details."
            raise
        finally:
            self._kept.clear()

    async def _count_pages(self, workers: Workers, study: SiteStudy, pages: Sequence[OpenPage]) -> None:
        self.done, self.total = 0, len(pages)
        for page in pages:
            if study.is_full:
                break
            try:
                study.add(page, await self._run_job(workers, count_page, page.number))
            except BonmunError as problem:
                study.fail(page, str(problem))
            self.done += 1

    async def _judge_pages(self, workers: Workers, study: SiteStudy) -> None:
        model, rules = self.open_pages.model, self.open_pages.rules
        numbers = study.list_readable()
        self.done, self.total = 0, len(numbers)
        for number in numbers:
            evidence = study.find_evidence(number)
            site_model = evidence.model if evidence else None
            arguments = (model, rules, site_model, study.find_texts(number))
            try:
                study.judge(number, await self._run_job(workers, judge_page, number, *arguments))
            except BonmunError as problem:
                study.fail(self.open_pages.pages[number], str(problem))
            self.done += 1

    async def _run_job(self, workers: Workers, job: Callable[..., Any], number: int, *arguments: object) -> Any:
        """Run a job on a page in a child process; wait if the service is busy."""
        source = await asyncio.to_thread(self._load, number)
        while True:
            try:
                return await workers.run(job, source, *arguments)
            except TooBusy:
                if workers.is_stopped:
                    raise
                await asyncio.sleep(PAUSE_SECONDS)

    def _load(self, number: int) -> PageSource:
        """Return a page; one that is downloaded is kept for the second time."""
        if number in self._kept:
            return self._kept[number]
        source, page = self.open_pages.load(number), self.open_pages.pages[number]
        size = sum(len(each.body) for each in self._kept.values())
        if page.url == page.name and size + len(source.body) <= MAX_KEPT_BYTES:
            self._kept[number] = source
        return source


def make_site_router(studies: SiteStudies) -> APIRouter:
    """Return the routes; nothing is read before a study is started."""

    @asynccontextmanager
    async def run_lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        studies.stop()

    router = APIRouter(prefix="/inspector/api/site", include_in_schema=False, lifespan=run_lifespan)

    @router.get("")
    async def get_state() -> Response:
        return _respond(studies.describe())

    @router.post("")
    async def start_study(request: Request) -> Response:
        """Study the open pages, or those that are open by now."""
        if len(studies.open_pages) >= MIN_OPEN_PAGES:
            studies.start(request.app.state.workers)
        return _respond(studies.describe())

    @router.get("/{number}")
    async def get_site(number: int) -> Response:
        sites = studies.describe()["sites"]
        if studies.study is None or not 0 <= number < len(sites):
            raise HTTPException(404, f"Site {number} does not exist: {len(sites)} sites were studied.")
        return _respond(await asyncio.to_thread(studies.study.describe, number))

    return router


def _respond(values: object) -> Response:
    return Response(write_json(values), media_type="application/json")
