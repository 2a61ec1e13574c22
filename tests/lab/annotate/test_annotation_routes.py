"""Labelling over HTTP: saving, validation errors, and access control."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest

pytest.importorskip("fastapi")

from labelled import LABELS, make_article
from samples import ROOT, Bonmun
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

COUNT = 4


class Server:
    """A running server and its API."""

    def __init__(self, address: str, folder: Path) -> None:
        self.folder = folder
        base, _, self.key = address.partition("/inspector/#key=")
        self.http = httpx.Client(base_url=f"{base}/inspector/api/", trust_env=False, timeout=60)

    def get(self, path: str, key: str | None = None) -> httpx.Response:
        return self.http.get(path, headers={"X-Bonmun-Key": self.key if key is None else key})

    def post(self, path: str, value: Any = None, **headers: str) -> httpx.Response:
        content = value if isinstance(value, bytes) else json.dumps(value or {}).encode()
        return self.http.post(path, content=content, headers={"X-Bonmun-Key": self.key, **headers})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("routes")
    (folder / "pages").mkdir()
    for number in range(COUNT):
        (folder / "pages" / f"{number}.html").write_text(make_article(f"town {number}"), encoding="utf-8")
    line = [
        sys.executable,
        str(ROOT / "tests" / "labelling_server.py"),
        str(folder / "pages"),
        str(folder / "kim.jsonl"),
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        server = Server(process.stdout.readline().strip(), folder)
        try:
            yield server
        finally:
            server.http.close()
            process.terminate()
            assert process.wait(30) == 0


def test_from_suggestion_to_gold_file(server: Server) -> None:
    assert server.get("pages").json()["labelled"] is True
    fresh = server.get("labels/0").json()
    assert (fresh["revision"], fresh["labels"], fresh["state"]) == (0, {}, "open")
    start = server.get("labels/0/start").json()["labels"]
    assert start["/html/body/article[1]/h1[1]"] == "title"
    saved = server.post(
        "labels/0", {"revision": 0, "labels": LABELS, "whole": True, "note": "n", "seconds": 3.5}
    ).json()
    assert (saved["revision"], saved["labels"]) == (1, LABELS)
    done = server.post("labels/0/finish", {"revision": 1, "labels": {"/html/body/article[1]/p[2]": "drop"}}).json()
    assert (done["state"], done["problem"], done["folded"], done["counts"]["done"]) == ("done", None, 2, 1)
    records = [json.loads(line) for line in (server.folder / "kim.jsonl").read_bytes().splitlines()]
    record = next(each for each in records if each["id"] == "0.html")
    assert record["text"].startswith("Part 1 about the town 0.")
    assert "Part 2" not in record["text"]
    server.post("labels/0", {"revision": 2, "labels": {"/html/body/article[1]/p[4]": "keep", "/gone": "keep"}})
    left = server.post("labels/0/leave").json()
    assert "1 of 7 labels have no block" in left["problem"]
    assert "Part 4" in (server.folder / "kim.jsonl").read_text()


def test_stale_change_gets_409(server: Server) -> None:
    server.post("labels/1", {"revision": 0, "labels": {"/html/body/article[1]/p[1]": "keep"}})
    stale = server.post("labels/1", {"revision": 0, "labels": {"/html/body/article[1]/p[1]": "drop"}})
    assert stale.status_code == 409
    assert stale.json()["error"]["type"] == "StaleLabels"
    assert server.get("labels/1").json()["labels"] == {"/html/body/article[1]/p[1]": "keep"}


def test_queue_is_available_while_pages_are_measured(server: Server) -> None:
    first = server.get("queue").json()
    assert first["counts"]["pages"] == COUNT
    assert becomes_true(lambda: not server.get("queue").json()["measuring"])
    queue = server.get("queue", None).json()
    assert queue["counts"]["measured"] == COUNT
    assert all(0 <= page["doubt"] <= 1 for page in queue["pages"])
    server.post("labels/3/skip", {"revision": 0})
    assert server.get("queue?order=given").json()["pages"][-1]["state"] == "skipped"
    assert server.get("queue?order=name").status_code == 422


REFUSED: list[tuple[str, Any, int, str]] = [
    ("labels/1", {"revision": 1, "note": "x" * 10_000_000}, 422, "at most 10,000 characters"),
    ("labels/1", b'{"revision": 1, "note": "' + b"x" * 20_000_001 + b'"}', 413, "larger than 20,000,000 bytes"),
    ("labels/1", b"[" * 100_000, 422, "not JSON"),
    ("labels/1", b"\xff\xfe", 422, "not JSON"),
    ("labels/1", b"[]", 422, "a JSON object"),
    ("labels/1", {"labels": {}}, 422, "revision"),
    ("labels/1", {"revision": True}, 422, "revision"),
    ("labels/1", {"revision": 1, "labels": {"/p": "<script>"}}, 422, "a label must be one of"),
    ("labels/1", {"revision": 1, "state": "../done"}, 422, "open, done, skipped"),
    ("labels/99", {"revision": 0}, 404, "There is no page"),
    ("labels/-1", {"revision": 0}, 404, "There is no page"),
    ("labels/99/finish", {"revision": 0}, 404, "There is no page"),
    ("labels/99/leave", {}, 404, "There is no page"),
    ("labels/%2e%2e%2fetc%2fpasswd", {"revision": 0}, 404, ""),
    ("labels/..", {"revision": 0}, 404, ""),
    ("labels/1e3", {"revision": 0}, 422, ""),
]


@pytest.mark.parametrize(("path", "value", "status", "says"), REFUSED, ids=range(len(REFUSED)))
def test_invalid_requests_are_reported(server: Server, path: str, value: Any, status: int, says: str) -> None:
    before = sorted((each.name, each.stat().st_size) for each in server.folder.iterdir() if each.suffix != ".queue")
    answer = server.post(path, value)
    assert answer.status_code == status, answer.text
    assert says in answer.json()["error"]["message"]
    assert (
        sorted((each.name, each.stat().st_size) for each in server.folder.iterdir() if each.suffix != ".queue")
        == before
    )


def test_requests_without_token_are_refused(server: Server) -> None:
    before = server.get("labels/1").json()
    change = {"revision": before["revision"], "labels": {"/p": "keep"}}
    body = json.dumps(change).encode()
    for headers, status in (
        ({}, 401),
        ({"X-Bonmun-Key": "guess"}, 401),
        ({"X-Bonmun-Key": server.key, "Origin": "https://evil.example"}, 403),
        ({"X-Bonmun-Key": server.key, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"X-Bonmun-Key": server.key, "Host": "rebound.example"}, 403),
    ):
        for path in ("labels/1", "train", "labels/1/finish", "train/stop", "train/use"):
            assert server.http.post(path, content=body, headers=headers).status_code == status, (path, headers)
    for path in ("session", "queue", "labels/1", "agreement", "train"):
        assert server.get(path, "").status_code == 401
    assert server.get("labels/1").json() == before


def test_train_and_use_a_model(server: Server) -> None:
    assert server.get("train").json()["state"] == "idle"
    assert "There is no model yet" in server.post("train/use", {"use": True}).json()["error"]["message"]
    server.post("labels/2/finish", {"revision": 0, "labels": LABELS})
    assert server.post("train").json()["state"] == "running"
    assert becomes_true(lambda: server.get("train").json()["state"] == "done")
    status = server.get("train").json()
    assert status["lines"] == ["bonmun: reading", "bonmun: 1 of 2", "bonmun: 2 of 2"]
    assert (status["result"]["after"], status["model"], status["used"]) == (0.9, "kim.npz", False)
    assert server.post("train/use", {"use": True}).json()["used"] is True
    assert server.get("pages/0/answer?method=auto").status_code == 200
    default = server.get("pages/0/answer", None)
    assert server.get("pages/0/answer?method=auto%20(default)").json()["kept"] == default.json()["kept"]
    assert server.post("train/use", {"use": False}).json()["used"] is False
    gold = server.folder / "kim.jsonl"
    kept = gold.read_bytes()
    gold.write_bytes(kept + b'{"id": "fails", "html": "<p>page", "text": ""}\n')
    server.post("train")
    assert becomes_true(lambda: server.get("train").json()["state"] == "failed")
    assert server.get("train").json()["lines"][-1] == "bonmun: Only 1 page is labelled: label 5 or more."
    gold.write_bytes(kept)


def test_agreement_without_other_files_is_reported(server: Server) -> None:
    answer = server.get("agreement")
    assert answer.status_code == 422
    assert "There is nobody to compare with" in answer.json()["error"]["message"]
    assert server.get("session").json()["annotator"] == "kim"


def test_unusable_gold_file_is_reported(server: Server, bonmun: Bonmun, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(make_article())
    (tmp_path / "folder.jsonl").mkdir()
    unreadable = tmp_path / "closed.jsonl"
    unreadable.write_text("")
    unreadable.chmod(0)
    golds = [("notes.txt", "the file name must end in .jsonl"), ("folder.jsonl", "not a file")]
    golds += [
        ("no/kim.jsonl", "there is no such folder"),
        (str(server.folder / "kim.jsonl"), "is open in another bonmun"),
    ]
    golds += [("closed.jsonl", "no permission to read and write")] if os.geteuid() else []
    for name, says in golds:
        result = bonmun("inspect", "page.html", "--no-open", "--gold", name)
        assert result.exit_code == 1
        assert says in result.stderr
        assert result.stderr.count("\n") == 1


def test_surrogates_and_undecodable_names_are_answered(server: Server) -> None:
    (server.folder / os.fsdecode(b"caf\xe9.jsonl")).write_bytes(b"")
    assert "caf?.jsonl" in server.get("session").json()["others"]
    now = server.get("labels/3").json()["revision"]
    saved = server.post("labels/3", {"revision": now, "note": "half \ud800"})
    assert (saved.status_code, saved.json()["note"]) == (200, "half ?")
    assert server.get("labels/3").json()["note"] == "half ?"
    refused = server.post("labels/3", {"revision": now + 1, "labels": {"/p\ud800": "keep"}})
    assert (refused.status_code, refused.json()["error"]["type"]) == (422, "BadGold")
    huge = b'{"revision": %d, "seconds": 1%s}' % (now + 1, 400 * b"0")
    assert server.post("labels/3", huge).status_code == 422
