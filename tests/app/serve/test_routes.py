"""Every route on a real server returns what the library returns."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import KOREAN, PAGE, Service, error, started

from bonmun.algorithms import methods
from bonmun.compare import compare
from bonmun.explain import explain, write_explanation
from bonmun.options import Options
from bonmun.page import Page
from bonmun.pipeline import extract
from samples import served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

TYPES = {
    "text": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "xml": "application/tei+xml",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "2", "--max-bytes", "6000000", "--fetch"]
    with started(line, tmp_path_factory.mktemp("serve") / "log") as service:
        yield service


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("way", ["query", "accept", "json"])
def test_every_format_equals_that_of_the_library(service: Service, name: str, way: str) -> None:
    url = "https://atlas.example/rivers"
    if way == "query":
        answer = service.post("/extract", params={"format": name, "url": url, "links": "true"})
    elif way == "accept":
        kind = TYPES[name].partition(";")[0]
        accept = f"image/png, */*;q=0.1, {kind};q=0.8, application/pdf"
        answer = service.post("/extract", params={"url": url, "links": "true"}, headers={"Accept": accept})
    else:
        answer = service.http.post("/extract", json={"html": PAGE, "format": name, "url": url, "links": True})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == TYPES[name]
    assert answer.text == extract(PAGE if way == "json" else PAGE.encode(), url, options=Options(links=True)).render(
        name
    )


def test_the_encoding_is_taken_from_the_header_if_it_exists(service: Service) -> None:
    body = KOREAN.encode("euc-kr")
    for kind, page in (
        ("text/html; charset=euc-kr", body),
        ("application/octet-stream", body),
        ('application/xhtml+xml; charset="EUC-KR"', body),
        ("text/html; charset=no-such-thing", KOREAN.encode()),
    ):
        answer = service.post("/extract", page, headers={"Content-Type": kind})
        assert "강은 언덕 사이의 작은 호수에서" in answer.text, kind


def test_options_and_methods_work_as_in_the_library(service: Service) -> None:
    for method in ("rules", "all", "sentence:M324"):
        assert service.post("/extract", params={"method": method}).text == extract(PAGE, method=method).text
    answer = service.post("/extract", params={"format": "md", "front_matter": True, "favour": "precision"})
    doc = extract(PAGE, options=Options(favour="precision"))
    assert answer.text == replace(doc, options=Options(front_matter=True)).markdown
    answer = service.post("/extract", params={"method": "sentence:M4", "title": "Floods"})
    assert answer.status_code == 200


def test_chunks_are_a_list_or_lines(service: Service) -> None:
    expected = [
        {"url": None, "title": "Rivers of the north"} | chunk.to_dict() for chunk in extract(PAGE).chunks(60, 10)
    ]
    answer = service.post("/chunks", params={"chunk_words": 60, "chunk_overlap": 10})
    assert answer.json() == expected
    assert len(expected) > 1
    lines = service.post(
        "/chunks", params={"chunk_words": 60, "chunk_overlap": 10}, headers={"Accept": "application/x-ndjson"}
    )
    assert [json.loads(line) for line in lines.text.splitlines()] == expected


def test_unicode_line_separators_do_not_break_the_list_of_chunks(service: Service) -> None:
    page = PAGE.replace("small lake", "small\u2028lake\x85")
    assert service.post("/chunks", page).status_code == 200
    assert isinstance(service.post("/chunks", page).json(), list)


def test_decisions_are_explained(service: Service) -> None:
    doc = extract(PAGE.encode())
    assert service.post("/explain").json() == json.loads(json.dumps(explain(doc)))
    assert service.post("/explain", params={"format": "text"}).text == write_explanation(doc)


def test_methods_are_compared(service: Service) -> None:
    names = ["auto", "rules", "all"]
    found = service.post("/compare", params={"methods": names, "gold": extract(PAGE).text}).json()
    expected = compare(Page.parse(PAGE), names, extract(PAGE).text).to_dict()
    for values in (*found["methods"], *expected["methods"]):
        del values["ms"]
    assert found == expected
    assert "characters" in service.http.post("/compare", json={"html": PAGE, "methods": ["all"], "format": "text"}).text


def test_rendering_is_disabled_by_default(service: Service) -> None:
    status, kind, says = error(service.post("/render"))
    assert (status, kind) == (403, "Refused")
    assert "--render" in says


def test_methods_are_listed(service: Service) -> None:
    assert [row["name"] for row in service.http.get("/methods").json()] == [info.name for info in methods()]


def test_private_addresses_are_not_downloaded(service: Service) -> None:
    with served({"/page": (PAGE.encode(), "text/html")}) as site:
        answer = service.http.post("/extract", json={"url": f"{site}/page"})
    status, kind, says = error(answer)
    assert (status, kind) == (403, "AddressRefused")
    assert "not a public address" in says
    assert error(service.http.post("/extract", json={"url": "ftp://example.org/"}))[:2] == (502, "FetchFailed")
    assert error(service.post("/extract?url=http://169.254.169.254/latest", b""))[:2] == (403, "AddressRefused")


@pytest.mark.parametrize(
    ("body", "query", "expected", "says"),
    [
        (b"", "", (422, "EmptyInput"), "empty"),
        (b" \n\t", "", (422, "EmptyInput"), "no page"),
        (b"%PDF-1.7 and so on", "", (422, "NotHtml"), "PDF"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "", (422, "NotHtml"), "gzip"),
        (b"<p>a", "?method=atuo", (422, "BadConfig"), "did you mean auto"),
        (b"<p>a", "?method=frequency", (422, "BadConfig"), "site"),
        (b"<p>a", "?method=visual:basic", (422, "NoBoxes"), "needs a rendered page"),
        (b"<p>a", "?format=pdf", (422, "BadConfig"), "format: "),
        (b"<p>a", "?lnks=true", (422, "BadConfig"), "lnks: unknown parameter"),
        (b"<p>a", "?links=perhaps", (422, "BadConfig"), "links: "),
        (b"<p>a", "?encoding=klingon", (422, "BadConfig"), "klingon"),
        (b"<p>a", "?front_matter=true", (422, "BadConfig"), "set format to markdown"),
        (b"<p>a", "?crawled=yesterday", (422, "BadConfig"), "crawled"),
        (b"<p>a", "?favour=precision&method=rules", (422, "BadConfig"), "favour"),
    ],
)
def test_invalid_requests_are_reported(
    service: Service, body: bytes, query: str, expected: tuple[int, str], says: str
) -> None:
    status, kind, message = error(service.post(f"/extract{query}", body))
    assert (status, kind) == expected
    assert says in message
    assert message.endswith((".", "?"))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[1, 2]", "JSON object"),
        (b"[" * 500_000, "not JSON"),
        (b'{"html": 3}', "html"),
        (b'{"html": "<p>a", "links": [1]}', "links: "),
        (b'{"html": "<p>a", "__class__": "x"}', "unknown parameter"),
        (b"{}", "empty"),
        (b'{"html": null}', "html must be"),
        (b'{"html": "<p>a", "links": "true"}', "links: "),
    ],
)
def test_invalid_json_is_refused(service: Service, body: bytes, says: str) -> None:
    answer = service.post("/extract", body, headers={"Content-Type": "application/json"})
    status, _, message = error(answer)
    assert status == 422
    assert says in message


def test_unsupported_bodies_are_refused(service: Service) -> None:
    for headers in ({"Content-Encoding": "gzip"},):
        assert error(service.post("/extract", headers=headers))[0] == 415


def test_unknown_paths_and_methods(service: Service) -> None:
    assert error(service.http.get("/nowhere"))[:2] == (404, "BadConfig")
    assert error(service.http.get("/extract"))[:2] == (405, "BadConfig")
    assert error(service.http.get("/extract/../methods/"))[0] == 404


def test_every_response_has_an_id_and_security_headers(service: Service) -> None:
    answer = service.post("/extract?format=html", headers={"X-Request-Id": "mine-1.2_3"})
    assert answer.headers["x-request-id"] == "mine-1.2_3"
    made = {
        service.http.get("/nowhere", headers={"X-Request-Id": bad}).headers["x-request-id"]
        for bad in ("a b", "x" * 65, '"')
    }
    assert len(made) == 3
    assert all(len(name) == 16 for name in made)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers


def test_each_request_is_logged_without_its_page(service: Service) -> None:
    service.post("/extract?url=https://secret.example/path", headers={"X-Request-Id": "to-be-logged"})
    [line] = service.find_log_lines("to-be-logged")
    assert (line["method"], line["route"], line["status"]) == ("POST", "/extract", 200)
    assert line["taken"] == len(PAGE.encode())
    assert line["given"] > 0
    text = service.log.read_text()
    assert "river" not in text
    assert "secret" not in text


def test_metrics_count_requests_pages_and_bytes(service: Service) -> None:
    def read() -> dict[str, float]:
        lines = service.http.get("/metrics").text.splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    before = read()
    service.post("/extract")
    service.post("/extract", b"")
    after = read()
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert grown['bonmun_requests_total{route="/extract",status="200"}'] == 1
    assert grown['bonmun_requests_total{route="/extract",status="422"}'] == 1
    assert grown['bonmun_request_seconds_count{route="/extract"}'] == 2
    assert grown['bonmun_request_seconds_bucket{route="/extract",le="+Inf"}'] == 2
    assert grown["bonmun_pages_total"] == 1
    assert grown["bonmun_taken_bytes_total"] == len(PAGE.encode())
    assert after["bonmun_workers"] >= 2
    assert after["bonmun_queue_length"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"<p>\xff\xfe\xfa" * 1_000,
        KOREAN.encode("utf-16"),
        b"<p>a\x00b\x00" * 1_000,
        b"<b>" * 200_000,
        b"<div>" * 200_000,
        b"<a " + b"x=1 " * 200_000,
    ],
    ids=["no-utf-8", "utf-16", "nul", "open-formatting", "nested", "attributes"],
)
def test_extreme_pages_are_answered(service: Service, body: bytes) -> None:
    answer = service.post("/extract?format=json", body, headers={"Content-Type": "text/html; charset=utf-8"})
    assert answer.status_code in (200, 413, 422)
    assert service.http.get("/ready").status_code == 200


def test_large_pages_are_refused_before_they_are_read(service: Service) -> None:
    status, kind, says = error(service.post("/extract", b"<p>" + b"a" * 6_000_000))
    assert (status, kind) == (413, "TooBig")
    assert "6,000,000 bytes" in says

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"<p>" + b"a" * 100_000

    assert error(service.post("/extract", endless()))[:2] == (413, "TooBig")  # in chunks, without Content-Length
    with service.open(
        b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/html\r\nContent-Length: 99999999999999999999\r\n\r\n"
        % service.port
    ) as connection:
        assert connection.recv(1_000).startswith(b"HTTP/1.1 413")
