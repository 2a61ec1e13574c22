"""Random and racing requests to the routes for labelling and training get a 2xx or a clear 4xx, and damage no file."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import threading
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi")

from bonmun.app.serve.annotation_routes import make_annotation_router
from bonmun.app.serve.app import make_app
from bonmun.app.serve.inspector_routes import make_inspector_router
from bonmun.app.serve.settings import ServiceOptions
from bonmun.app.serve.training import TrainingProcess
from bonmun.lab.annotate import comparing
from bonmun.lab.annotate.entries import read_entries
from bonmun.lab.annotate.gold_file import GoldFile
from bonmun.lab.annotate.session import AnnotationSession
from labelled import LABELS, make_article, make_open_pages, make_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.lab.annotate.entries import Entry

COUNT = 3
FILES = {"kim.jsonl", "kim.jsonl.lock", "kim.jsonl.journal", "kim.jsonl.queue"}


class Call(NamedTuple):
    """A request."""

    method: str
    path: str  # below /inspector/api/, with its query
    body: bytes = b""
    kind: str = "application/json"


class ThreadWorkers:
    """Does the work of the child processes in threads."""

    is_stopped = False

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def run(self, job: Callable[..., Any], *args: object) -> Any:
        return await asyncio.to_thread(job, *args)


class Service:
    """The service, called without a web server. An unexpected exception is raised in the test."""

    def __init__(self, folder: Path, session: AnnotationSession, command: tuple[str, ...]) -> None:
        self.folder = folder
        self.session = session
        self.training = TrainingProcess(session.gold.path, folder / "kim.npz", command)
        routers = [
            make_inspector_router(session.open_pages, is_labelled=True),
            make_annotation_router(session.open_pages, session, self.training),
        ]
        self.app = make_app(ServiceOptions(port=8000, log_level="error"), routers)
        self.app.state.workers = ThreadWorkers()

    async def call(self, call: Call) -> tuple[int, Any]:
        """Return the status and the JSON of a response."""
        target = f"/inspector/api/{call.path}".encode("utf-8", "surrogatepass")
        path, _, query = target.partition(b"?")
        key = self.app.state.key.encode()
        headers = [(b"host", b"127.0.0.1:8000"), (b"x-bonmun-key", key), (b"content-type", call.kind.encode())]
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": call.method,
            "scheme": "http",
            "path": unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "state": {},
        }
        chunks = [call.body[at : at + 65_536] for at in range(0, len(call.body), 65_536)] or [b""]
        messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        messages[-1]["more_body"] = False
        status, body = 0, bytearray()

        async def receive() -> dict[str, Any]:
            return messages.pop(0)

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)
            body.extend(message.get("body", b""))

        await self.app(scope, receive, send)  # type: ignore[arg-type]
        return status, json.loads(body)

    def check_files(self) -> None:
        """Check that the files are whole, and hold what was acknowledged."""
        assert {path.name for path in self.folder.iterdir()} <= FILES
        copies = self.folder.parent / "copies"
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir()
        for name in ("kim.jsonl", "kim.jsonl.journal"):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, copies)
        copied = GoldFile(copies / "kim.jsonl")
        copied.close()
        assert not copied.problems
        assert copied.drafts == self.session.gold.drafts
        shutil.rmtree(copies)
        assert [path.name for path in self.folder.parent.iterdir()] == [self.folder.name]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("hostile") / "gold"
    folder.mkdir()
    sources = [make_source(make_article(f"town {number}", 2), f"{number}.html") for number in range(COUNT)]
    with AnnotationSession(make_open_pages(*sources), folder / "kim.jsonl") as session:
        yield Service(folder, session, ("/nowhere/python",))


def assert_answered(call: Call, status: int, body: Any) -> None:
    assert 200 <= status < 500, (call, body)
    if status >= 400:
        assert body["error"]["message"]
        assert len(body["error"]["message"]) < 1_000, call


ODD_NUMBERS = "1.5 NaN %00 .. ..%2f..%2fetc%2fpasswd %ED%A0%80 1%0A %D9%A3 0x1 1_0 +1 %201 true -1 3".split()
NUMBERS = st.sampled_from(["0", "1", "2"]) | st.sampled_from([*ODD_NUMBERS, "", "9" * 20, "9" * 5_000, "a" * 3_000])
WORDS = st.sampled_from(["auto", "all", "rules", "auto (default)", "", "x", "%00", "%ED%A0%80", "../x", "a" * 5_000])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([2**31, 2**53, 2**63, 10**400, 1e308, -1e308, float("nan"), float("inf"), 0.5]),
    st.sampled_from(["", "keep", "drop", "done", "skipped", "open", "\ud800", "\0", "../..", "<script>", "x" * 20_000]),
)
LABEL_KEYS = st.sampled_from([*LABELS, "", "/p", "\ud800", "\0", "../x", "x" * 20_000, "__proto__"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LABEL_KEYS, inner, max_size=4), max_leaves=6
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "revision": st.integers(-1, 6),
    "labels": st.dictionaries(LABEL_KEYS, st.sampled_from(["keep", "drop", "title", "comment", "x"]), max_size=5),
    "whole": st.booleans(),
    "note": st.text(max_size=20),
    "seconds": st.floats(0, 100),
    "state": st.sampled_from(["open", "done", "skipped"]),
    "use": st.booleans(),
    "id": VALUES,
}
PAIRS = st.sampled_from(list(FIELDS)).flatmap(lambda name: st.tuples(st.just(name), FIELDS[name] | VALUES))


def write_object(pairs: list[tuple[str, Any]]) -> bytes:
    """Return JSON that may have a field twice."""
    return ("{" + ",".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in pairs) + "}").encode()


OBJECTS = st.lists(PAIRS, max_size=5).map(write_object)
BODIES = st.one_of(
    OBJECTS,
    OBJECTS,
    VALUES.map(lambda value: json.dumps(value).encode()),
    OBJECTS.map(lambda body: body[:-1]),
    OBJECTS.map(lambda body: body.decode().encode("utf-16")),
    OBJECTS.map(lambda body: b"\xef\xbb\xbf" + body),
    st.binary(max_size=20),
    st.sampled_from(
        [
            b'{"revision": 0, "note": "\xed\xa0\x80"}',
            b"[" * 100_000,
            b'{"labels":' * 20_000 + b"1" + b"}" * 20_000,
            b'{"revision": ' + b"9" * 5_000 + b"}",
            b'{"revision": 0, "labels": {' + b",".join(b'"/p[%d]": "keep"' % n for n in range(3_000)) + b"}}",
        ]
    ),
)
TYPES = st.sampled_from(["application/json", "text/html", "multipart/form-data; boundary=x", "", "a/b; charset=\xff"])
POSTS = st.builds(
    "{1}{0}".format,
    st.sampled_from(["", "/finish", "/skip", "/leave", "/start", "/../1", "//"]),
    NUMBERS.map("labels/{}".format),
) | st.sampled_from(["train", "train/stop", "train/use", "open?name=..%2fx%00", "queue", "session", "train/..", ""])
GETS = st.one_of(
    NUMBERS.map("labels/{}".format),
    st.builds("labels/{}/start?method={}".format, NUMBERS, WORDS),
    st.builds("queue?order={}".format, st.sampled_from(["priority", "doubt", "given", "x", "", "%00", "%ED%A0%80"])),
    st.sampled_from(["session", "agreement", "train", "queue?order=given&order=x", "labels/0?number=1"]),
    st.builds("pages?first={}&count={}".format, NUMBERS, NUMBERS),
    st.builds("pages/{}".format, NUMBERS),
    st.builds("pages/{}/answer?method={}".format, NUMBERS, WORDS),
    st.builds("pages/{}/agreement?one={}&other={}".format, NUMBERS, WORDS, WORDS),
    st.builds("pages/{}/features?block={}".format, NUMBERS, NUMBERS),
)
CALLS = st.one_of(
    st.builds(Call, st.just("POST"), POSTS, BODIES, TYPES),
    st.builds(Call, st.just("POST"), st.sampled_from(["labels/0", "labels/1/finish", "labels/2/skip"]), OBJECTS),
    st.builds(Call, st.just("GET"), GETS),
    st.builds(Call, st.sampled_from(["PUT", "DELETE", "OPTIONS", "TRACE", "X"]), POSTS | GETS, BODIES),
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(calls=st.lists(CALLS, min_size=1, max_size=12), is_racing=st.booleans())
def test_hostile_requests_are_answered_and_damage_nothing(service: Service, calls: list[Call], is_racing: bool) -> None:
    async def run() -> None:
        if is_racing:
            answers = await asyncio.gather(*(service.call(call) for call in calls))
        else:
            answers = [await service.call(call) for call in calls]
        for call, answer in zip(calls, answers, strict=True):
            assert_answered(call, *answer)
        assert service.training.state in ("idle", "failed")  # the program does not exist

    asyncio.run(run())
    service.check_files()


@pytest.mark.slow
def test_pages_are_loaded_in_several_threads_at_once() -> None:
    pages = make_open_pages(*(make_source("<p>x", f"{number}.html") for number in range(40)))
    problems: list[BaseException] = []

    def load() -> None:
        try:
            for number in range(20_000):
                assert pages.load(number % 40).name == f"{number % 40}.html"
        except BaseException as problem:
            problems.append(problem)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not problems


def test_a_gold_file_that_shrinks_while_it_is_compared_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"id": "1", "html": "<p>x", "labels": [{"xpath": "/html/body/p", "label": "keep"}], "revision": 1}
    paths = [tmp_path / "kim.jsonl", tmp_path / "lee.jsonl"]
    for path in paths:
        path.write_text(f"{json.dumps(record)}\n")

    def read_and_cut(path: Path, report: Callable[[str], None]) -> Iterator[Entry]:
        yield from read_entries(path, report)
        path.write_text("[")

    monkeypatch.setattr(comparing, "read_entries", read_and_cut)
    found = comparing.compare_gold_files(paths)
    assert (found.pages, len(found.problems)) == (0, 1)
