"""Labelling over HTTP, under `/inspector/api/`: labels of pages, the queue, agreement, training.

A page is identified by its number only: no text from a client ever becomes a file name.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.jobs import write_json
from bonmun.errors import BadConfig, BadGold, MissingExtra, TooBig
from bonmun.lab.annotate.comparing import compare_gold_files
from bonmun.lab.annotate.prelabel import suggest_labels
from bonmun.lab.annotate.queue import ORDERS
from bonmun.lab.annotate.records import describe_record

try:
    from fastapi import APIRouter, FastAPI, Request
    from fastapi.responses import JSONResponse
except ImportError:
    raise MissingExtra("The inspector needs FastAPI: pip install 'bonmun[serve]'.") from None

from bonmun.app.serve.measuring import Measuring
from bonmun.app.serve.training import Training

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bonmun.app.serve.workers import Workers
    from bonmun.lab.annotate.drafts import Draft
    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.lab.annotate.session import AnnotationSession

__all__ = ["make_annotation_router"]

BODY_BYTES = 20_000_000  # of what a page sends: labels of 100,000 blocks
LISTED_PAGES = 200  # of the queue that are told at a time


class _Answer(JSONResponse):
    """JSON; halves of characters, which names of files may have, become question marks."""

    def render(self, content: object) -> bytes:
        """The body."""
        return write_json(content)


def make_annotation_router(
    open_pages: OpenPages, session: AnnotationSession, training: Training | None = None
) -> APIRouter:
    """The routes of one annotator."""
    taught = training or Training(session.gold.path, session.gold.path.with_name(f"{session.gold.annotator}.npz"))
    measuring = Measuring(session)

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncIterator[None]:
        yield
        measuring.stop()
        await taught.stop()

    router = APIRouter(prefix="/inspector/api", include_in_schema=False, lifespan=live, default_response_class=_Answer)
    _add_label_routes(router, open_pages, session)
    _add_queue_routes(router, session, measuring)
    _add_training_routes(router, open_pages, taught)
    return router


def _add_label_routes(router: APIRouter, open_pages: OpenPages, session: AnnotationSession) -> None:
    @router.get("/labels/{number}")
    async def give_labels(number: int) -> dict[str, Any]:
        return _tell(session, number, session.find(number))

    @router.get("/labels/{number}/start")
    async def give_start(number: int, request: Request, method: str = "auto") -> dict[str, Any]:
        """What a method makes of the page, as labels."""
        session.find_name(number)
        source = await asyncio.to_thread(open_pages.load, number)
        return {"labels": await request.app.state.workers.run(suggest_labels, source, method, open_pages.model)}

    @router.post("/labels/{number}")
    async def save_labels(number: int, request: Request) -> dict[str, Any]:
        return _tell(session, number, await save(number, await _read_json(request)))

    @router.post("/labels/{number}/finish")
    async def finish_page(number: int, request: Request) -> dict[str, Any]:
        draft = await save(number, await _read_json(request) | {"state": "done"})
        problem = await merge_record(number, request)
        return _tell(session, number, draft) | {"problem": problem, "counts": session.count_states()}

    @router.post("/labels/{number}/skip")
    async def skip_page(number: int, request: Request) -> dict[str, Any]:
        draft = await save(number, await _read_json(request) | {"state": "skipped"})
        return _tell(session, number, draft) | {"counts": session.count_states()}

    @router.post("/labels/{number}/leave")
    async def leave_page(number: int, request: Request) -> dict[str, Any]:
        """A page that was changed after it was done goes into the gold file again."""
        return {"problem": await merge_record(number, request)}

    async def save(number: int, values: dict[str, Any]) -> Draft:
        revision = values.get("revision")
        if isinstance(revision, bool) or not isinstance(revision, int):
            raise BadGold("revision is the number that came with the labels.")
        return await asyncio.to_thread(session.save, number, revision, values)

    async def merge_record(number: int, request: Request) -> str | None:
        arguments = await asyncio.to_thread(session.prepare_record, number)
        if arguments is None:
            return None
        workers: Workers = request.app.state.workers
        record, problem = await workers.run(describe_record, *arguments)
        await asyncio.to_thread(session.gold.merge_record, record)
        return problem


def _add_queue_routes(router: APIRouter, session: AnnotationSession, measuring: Measuring) -> None:
    @router.get("/session")
    async def describe_desk() -> dict[str, Any]:
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
    async def give_queue(request: Request, order: str = "priority") -> dict[str, Any]:
        measuring.start(request.app.state.workers)
        numbers = await asyncio.to_thread(session.list_queue, order)
        pages = [_describe_place(session, number) for number in numbers[:LISTED_PAGES]]
        counts = await asyncio.to_thread(session.count_states)
        return {"order": order, "pages": pages, "counts": counts, "measuring": measuring.is_running}

    @router.get("/agreement")
    async def give_agreement(request: Request) -> dict[str, Any]:
        others = await asyncio.to_thread(session.find_other_files)
        if not others or not session.gold.path.is_file():
            raise BadConfig("There is nobody to agree with: no other gold file lies in the folder of this one.")
        workers: Workers = request.app.state.workers
        found = await workers.run(compare_gold_files, [session.gold.path, *others])
        return found.to_dict()


def _add_training_routes(router: APIRouter, open_pages: OpenPages, training: Training) -> None:
    def tell() -> dict[str, Any]:
        return training.to_dict() | {"used": open_pages.model == str(training.model)}

    @router.get("/train")
    async def describe_training() -> dict[str, Any]:
        return tell()

    @router.post("/train")
    async def start_training() -> dict[str, Any]:
        await training.start()
        return tell()

    @router.post("/train/stop")
    async def stop_training() -> dict[str, Any]:
        await training.stop()
        return tell()

    @router.post("/train/use")
    async def use_model(request: Request) -> dict[str, Any]:
        """Let `auto` decide with the model that was made, or with the default again."""
        is_wanted = (await _read_json(request)).get("use")
        if is_wanted and not training.model.is_file():
            raise BadConfig("There is no model yet: train one first.")
        open_pages.model = str(training.model) if is_wanted else None
        return tell()


def _tell(session: AnnotationSession, number: int, draft: Draft) -> dict[str, Any]:
    name = session.find_name(number)
    return draft.to_dict() | {"name": name, "folded": session.gold.merged.get(name)}


def _describe_place(session: AnnotationSession, number: int) -> dict[str, Any]:
    priority = session.find_priority(number)
    values = {"number": number, "name": session.names[number], "site": session.find_site(number)}
    values |= {"state": session.find(number).state, "problem": session.failed.get(number)}
    return values | ({"doubt": priority.doubt, "disagreement": priority.disagreement} if priority else {})


async def _read_json(request: Request) -> dict[str, Any]:
    """The body of a request: an object."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise TooBig(f"What a page sends of its labels is no larger than {BODY_BYTES:,} bytes.")
    try:
        values = await asyncio.to_thread(json.loads, body or b"{}")
    except (ValueError, RecursionError):
        raise BadGold("The labels that were sent are no JSON.") from None
    if not isinstance(values, dict):
        raise BadGold("A change of labels is an object.")
    return values
