"""The Python client returns the same results and raises the same errors as the library."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import KOREAN, PAGE, Service, odd_service

import bonmun
from bonmun import errors
from bonmun.app.client import Client

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with odd_service(tmp_path_factory.mktemp("serve") / "log", token=TOKEN, max_bytes=100_000) as service:
        yield service


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.address, token=TOKEN) as client:
        yield client


def test_results_equal_those_of_the_library(client: Client) -> None:
    doc = bonmun.extract(PAGE, "https://atlas.example/", options=bonmun.Options(links=True))
    assert client.extract(PAGE, url="https://atlas.example/", links=True) == json.loads(doc.render("json"))
    assert client.extract(PAGE, url="https://atlas.example/", format="markdown", links=True) == doc.markdown
    assert "강은 언덕" in client.extract(KOREAN.encode("euc-kr"), encoding="euc-kr", format="text")
    assert client.extract(PAGE, method="all", format="text") == bonmun.extract(PAGE, method="all").text
    assert client.extract("<p>half a character: \ud800", format="text")


def test_other_routes(client: Client) -> None:
    assert client.explain(PAGE, method="rules")["method"] == "rules"
    assert [row["method"] for row in client.compare(PAGE, methods=["auto", "all"])["methods"]] == ["auto", "all"]
    assert client.compare(PAGE.encode(), methods=["auto", "all"], gold="The river")["methods"][0]["gold"]
    assert [chunk["number"] for chunk in client.chunks(PAGE, chunk_words=60)] == [0, 1, 2]
    assert [row["name"] for row in client.methods()] == [info.name for info in bonmun.methods()]


def test_errors_equal_those_of_the_library(client: Client, service: Service) -> None:
    with pytest.raises(errors.EmptyInput) as here:
        bonmun.extract(b"")
    with pytest.raises(errors.EmptyInput) as there:
        client.extract(b"")
    assert str(here.value) == str(there.value)
    with pytest.raises(errors.NotHtml):
        client.extract(b"%PDF-1.7")
    with pytest.raises(errors.BadConfig, match="did you mean auto"):
        client.extract(PAGE, method="atuo")
    with pytest.raises(errors.TooBig):
        client.extract("a" * 200_000)
    with pytest.raises(errors.Refused, match="--fetch"):
        client.extract(url="https://example.org/")
    with pytest.raises(errors.BadConfig, match="unknown parameter"):
        client.extract(PAGE, lnks=True)
    with Client(service.address, token="another-token-of-some-length") as stranger, pytest.raises(errors.Refused):
        stranger.methods()


def test_an_unreachable_service_is_an_error() -> None:
    with (
        Client("http://127.0.0.1:9", timeout=5) as client,
        pytest.raises(errors.ServiceFailed, match="did not respond"),
    ):
        client.methods()
    with pytest.raises(errors.BadConfig):
        Client("127.0.0.1:8000")


@pytest.mark.parametrize(
    ("head", "body", "says"),
    [
        ("200 OK\r\nContent-Length: 3", b"<h1", "an unexpected response"),
        ("200 OK\r\nContent-Length: 2", b"{}", "an unexpected response"),
        ("200 OK\r\nContent-Length: 200000", b"[" * 200_000, "an unexpected response"),
        ("200 OK\r\nContent-Length: 9", b"[]", "did not respond"),
        ("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2", b"[]", "compressed"),
        ("302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0", b"", "status 302"),
        ("500 No\r\nContent-Length: 200000", b"[" * 200_000, "status 500"),
        ("200 OK", None, "no complete response"),  # an endless response
        ("200 OK", b"[" * 3_000_000, "bytes"),
    ],
)
def test_unexpected_responses_are_errors(
    head: str, body: bytes | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.app.client.MAX_RESPONSE_BYTES", 2_000_000)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def respond() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(10_000)
                connection.sendall(f"HTTP/1.1 {head}\r\n\r\n".encode() + (body or b""))
                while body is None:
                    connection.sendall(b" ")
                    time.sleep(0.02)

        thread = threading.Thread(target=respond)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with Client(address, token=TOKEN, timeout=0.5) as client, pytest.raises(errors.ServiceFailed, match=says):
            client.methods()
        thread.join()


def test_a_request_to_a_busy_service_is_retried_once() -> None:
    answers = [503, 200, 503, 503, 500]
    busy = json.dumps({"error": {"type": "TooBusy", "message": "Later.", "request": "x"}}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = answers.pop(0)
            body = b"[]" if status == 200 else busy if status == 503 else b"<h1>no JSON"
            self.send_response(status)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with Client(f"http://127.0.0.1:{server.server_port}") as client:
                assert client.methods() == []
                with pytest.raises(errors.TooBusy, match="Later"):
                    client.methods()
                with pytest.raises(errors.ServiceFailed, match="status 500"):
                    client.methods()
        finally:
            server.shutdown()
            thread.join()
    assert answers == []
