"""HTTP routes for annotation under `/inspector/api/`: labels, the queue, agreement and training.

Pages are identified by number only, so no text from a client ever becomes a file name.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.jobs import write_json
from bonmun.app.inspector.label_jobs import show_labels
from bonmun.errors import BadConfig, BadGold, MissingExtra
from bonmun.lab.annotate.comparing import compare_gold_files
from bonmun.lab.annotate.drafts import DROP, read_change
from bonmun.lab.annotate.prelabel import suggest_labels
from bonmun.lab.annotate.queue import ORDERS
from bonmun.lab.annotate.records import describe_record

try:
    from fastapi import APIRouter, FastAPI, Request
    from fastapi.responses import JSONResponse
except ImportError:
    raise MissingExtra("The inspector needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

from bonmun.app.serve.http.bodies import read_json_object
from bonmun.app.serve.measuring import PriorityMeasurer
from bonmun.app.serve.training import TrainingProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bonmun.lab.annotate.drafts import Draft
    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.lab.annotate.session import AnnotationSession
    from bonmun.work.workers import Workers

__all__ = ["make_annotation_router"]

MAX_BODY_BYTES = 20_000_000  # enough for the labels of 100,000 blocks
MAX_LISTED_PAGES = 200  # of the queue, per response


class _LenientJSONResponse(JSONResponse):
    """A JSON response that replaces lone surrogates, which file names may contain, with question marks."""

    def render(self, content: object) -> bytes:
        """Return the body."""
        return write_json(content)


def make_annotation_router(
    open_pages: OpenPages, session: AnnotationSession, training: TrainingProcess | None = None
) -> APIRouter:
    """Return the routes for one annotator."""
    gold = session.gold
    process = training or TrainingProcess(gold.path, gold.path.with_name(f"{gold.annotator}.npz"))
    measurer = PriorityMeasurer(session)

    @asynccontextmanager
    async def run_lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        measurer.stop()
        await process.stop()

    router = APIRouter(
        prefix="/inspector/api",
        include_in_schema=False,
        lifespan=run_lifespan,
        default_response_class=_LenientJSONResponse,
    )
    _add_label_routes(router, open_pages, session)
    _add_queue_routes(router, session, measurer)
    _add_training_routes(router, open_pages, process)
    return router


def _add_label_routes(router: APIRouter, open_pages: OpenPages, session: AnnotationSession) -> None:
    @router.get("/labels/{number}")
    async def get_labels(number: int) -> dict[str, Any]:
        return _describe_draft(session, number, session.find(number))

    @router.get("/labels/{number}/start")
    async def get_suggested_labels(number: int, request: Request, method: str = "auto") -> dict[str, Any]:
        """Return the labels that a method suggests for the page."""
        session.find_name(number)
        source = await asyncio.to_thread(open_pages.load, number)
        return {"labels": await request.app.state.workers.run(suggest_labels, source, method, open_pages.model)}

    @router.post("/labels/{number}/result")
    async def show_result(number: int, request: Request) -> dict[str, Any]:
        """Return what labels give as a result, without saving them."""
        session.find_name(number)
        values = await _read_json(request)
        labels = {xpath: label for xpath, label in read_change(values).labels.items() if label != DROP}
        shown = (_read_switch(values, "links"), _read_switch(values, "images"))
        source = await asyncio.to_thread(open_pages.load, number)
        result: dict[str, Any] = await request.app.state.workers.run(show_labels, source, labels, *shown)
        return result

    @router.post("/labels/{number}")
    async def save_labels(number: int, request: Request) -> dict[str, Any]:
        return _describe_draft(session, number, await save(number, await _read_json(request)))

    @router.post("/labels/{number}/finish")
    async def finish_page(number: int, request: Request) -> dict[str, Any]:
        draft = await save(number, await _read_json(request) | {"state": "done"})
        problem = await merge_record(number, request)
        return _describe_draft(session, number, draft) | {"problem": problem, "counts": session.count_states()}

    @router.post("/labels/{number}/skip")
    async def skip_page(number: int, request: Request) -> dict[str, Any]:
        draft = await save(number, await _read_json(request) | {"state": "skipped"})
        return _describe_draft(session, number, draft) | {"counts": session.count_states()}

    @router.post("/labels/{number}/leave")
    async def leave_page(number: int, request: Request) -> dict[str, Any]:
        """Update the record in the gold file if a finished page was changed."""
        return {"problem": await merge_record(number, request)}

    async def save(number: int, values: dict[str, Any]) -> Draft:
        revision = values.get("revision")
        if isinstance(revision, bool) or not isinstance(revision, int):
            raise BadGold("revision must be the number that was sent with the labels.")
        return await asyncio.to_thread(session.save, number, revision, values)

    async def merge_record(number: int, request: Request) -> str | None:
        arguments = await asyncio.to_thread(session.prepare_record, number)
        if arguments is None:
            return None
        workers: Workers = request.app.state.workers
        record, problem = await workers.run(describe_record, *arguments)
        await asyncio.to_thread(session.gold.merge_record, record)
        return problem


def _add_queue_routes(router: APIRouter, session: AnnotationSession, measurer: PriorityMeasurer) -> None:
    @router.get("/session")
    async def describe_session() -> dict[str, Any]:
        others = await asyncio.to_thread(session.find_other_files)
        return {
            "annotator": session.gold.annotator,
            "file": session.gold.path.name,
            "problems": session.gold.problems,
            "orders": ORDERS,
            "others": [path.name for path in others],
            "counts": session.count_states(),
        }

    @router.get("/queue")
    async def get_queue(request: Request, order: str = "priority") -> dict[str, Any]:
        measurer.start(request.app.state.workers)
        numbers = await asyncio.to_thread(session.list_queue, order)
        pages = [_describe_page(session, number) for number in numbers[:MAX_LISTED_PAGES]]
        counts = await asyncio.to_thread(session.count_states)
        return {"order": order, "pages": pages, "counts": counts, "measuring": measurer.is_running}

    @router.get("/agreement")
    async def get_agreement(request: Request) -> dict[str, Any]:
        others = await asyncio.to_thread(session.find_other_files)
        if not others or not session.gold.path.is_file():
            raise BadConfig("There is nobody to compare with: the folder has no other gold file.")
        workers: Workers = request.app.state.workers
        found = await workers.run(compare_gold_files, [session.gold.path, *others])
        return found.to_dict()


def _add_training_routes(router: APIRouter, open_pages: OpenPages, training: TrainingProcess) -> None:
    def describe() -> dict[str, Any]:
        return training.to_dict() | {"used": open_pages.model == str(training.model)}

    @router.get("/train")
    async def describe_training() -> dict[str, Any]:
        return describe()

    @router.post("/train")
    async def start_training() -> dict[str, Any]:
        await training.start()
        return describe()

    @router.post("/train/stop")
    async def stop_training() -> dict[str, Any]:
        await training.stop()
        return describe()

    @router.post("/train/use")
    async def use_model(request: Request) -> dict[str, Any]:
        """Use the trained model for `auto`, or the default model again."""
        is_used = (await _read_json(request)).get("use")
        if is_used and not training.model.is_file():
            raise BadConfig("There is no model yet: train one first.")
        open_pages.model = str(training.model) if is_used else None
        return describe()


def _describe_draft(session: AnnotationSession, number: int, draft: Draft) -> dict[str, Any]:
    name = session.find_name(number)
    return draft.to_dict() | {"name": name, "folded": session.gold.merged.get(name)}


def _describe_page(session: AnnotationSession, number: int) -> dict[str, Any]:
    priority = session.find_priority(number)
    values = {"number": number, "name": session.names[number], "site": session.find_site(number)}
    values |= {"state": session.find(number).state, "problem": session.failed.get(number)}
    return values | ({"doubt": priority.doubt, "disagreement": priority.disagreement} if priority else {})


def _read_switch(values: dict[str, Any], name: str) -> bool | None:
    value = values.get(name)
    if value is not None and not isinstance(value, bool):
        raise BadGold(f"{name} must be true or false.")
    return value


async def _read_json(request: Request) -> dict[str, Any]:
    """Return the labels in the body of a request."""
    return await read_json_object(request, MAX_BODY_BYTES, "body with the labels", BadGold)
