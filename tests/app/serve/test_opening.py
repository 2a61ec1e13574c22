"""Pages uploaded to the inspector of `bonmun serve` are opened, or an error says why not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from running import KOREAN, PAGE, Service, error, started

from bonmun.errors import TooBusy
from bonmun.lab.annotate import open_pages as module
from bonmun.lab.annotate.open_pages import OpenPages
from bonmun.lab.annotate.page_sources import PageSource

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE = 300_000


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "1", "--max-bytes", str(LARGE)]
    with started(line, tmp_path_factory.mktemp("open") / "log") as service:
        key = re.search(r"/inspector/#key=(\S+)", service.log.read_text())
        assert key
        service.http.headers["X-Bonmun-Key"] = key[1]
        yield service


def test_an_uploaded_page_is_shown(service: Service) -> None:
    sent = service.post(
        "/inspector/api/open?name=강.html",
        KOREAN.encode("euc-kr", "ignore"),
        headers={"Content-Type": "text/html; charset=euc-kr"},
    )
    assert sent.status_code == 200
    number = sent.json()["number"]
    listed = service.http.get("/inspector/api/pages").json()
    assert listed["pages"][number] == {"number": number, "name": "강.html", "url": None}
    assert (listed["opens"], listed["fetches"], listed["labelled"]) == (True, False, False)
    page = service.http.get(f"/inspector/api/pages/{number}").json()
    assert any("강은 언덕 사이의 작은 호수에서" in block["text"] for block in page["blocks"])
    answer = service.http.get(f"/inspector/api/pages/{number}/answer").json()
    assert "강은 언덕 사이의" in answer["outputs"]["text"]


@pytest.mark.parametrize(
    ("body", "kind", "status", "says"),
    [
        (b"%PDF-1.7 no page", "text/html", 422, "PDF"),
        (b"", "text/html", 422, "empty|nothing"),
        (b"<p>" + b"x" * LARGE, "text/html", 413, "larger than"),
        (b'{"url": "https://example.org/"}', "application/json", 403, "--fetch"),
        (b'{"url": 5}', "application/json", 422, "text/html"),
        (b"[]", "application/json", 422, "object"),
        (b"{", "application/json", 422, "not JSON"),
        (PAGE.encode(), "image/png", 415, "image/png"),
    ],
)
def test_uploads_that_are_not_pages_are_refused(
    service: Service, body: bytes, kind: str, status: int, says: str
) -> None:
    before = service.http.get("/inspector/api/pages").json()["count"]
    found = error(service.post("/inspector/api/open", body, headers={"Content-Type": kind}))
    assert found[0] == status
    assert re.search(says, found[2])
    assert service.http.get("/inspector/api/pages").json()["count"] == before


def test_opening_a_page_needs_the_key(service: Service) -> None:
    assert error(service.post("/inspector/api/open", headers={"X-Bonmun-Key": "wrong"}))[0] == 401


def test_page_names_are_not_paths(service: Service) -> None:
    sent = service.post("/inspector/api/open?name=../../etc/passwd%00%0A").json()
    assert sent["name"] == "../../etc/passwd"
    assert service.http.get(f"/inspector/api/pages/{sent['number']}").json()["name"] == "../../etc/passwd"
    long = service.post(f"/inspector/api/open?name={'x' * 5_000}").json()
    assert len(long["name"]) == 200


def test_opened_pages_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OPENED_BYTES", 10)
    open_pages = OpenPages()
    page = open_pages.add_source(PageSource("a", None, b"<p>one"))
    assert open_pages.load(page.number).body == b"<p>one"
    with pytest.raises(TooBusy, match="restart bonmun"):
        open_pages.add_source(PageSource("b", None, b"<p>two"))
    assert len(open_pages) == 1
