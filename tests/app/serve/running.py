"""Services for tests: one process per test module, called over loopback."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from samples import ROOT, hear_signals
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (
    "<html><head><title>Rivers of the north - Atlas</title></head><body><nav><a href='/'>Home</a> <a href='/maps'>Maps</a></nav>"
    "<article><h1>Rivers of the north</h1><p>The river rises in a small lake among the hills, and for the first thirty miles it is no more "
    "than a stream that children can wade through in <a href='/summer'>summer</a>.</p><p>Below the second bridge it is joined by two others, and from "
    "there on boats can use it, which is why the old towns stand where they do and nowhere else.</p><h2>Floods</h2>"
    "<p>Every spring the snow of the hills comes down within two weeks, and the meadows on both banks are under water until May.</p>"
    "</article><footer>Copyright of the atlas. All rights reserved.</footer></body></html>"
)
KOREAN = PAGE.replace("The river rises in a small lake", "강은 언덕 사이의 작은 호수에서 시작된다")
ODD = Path(__file__).with_name("odd_service.py")


class Service:
    """A running service."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log
        assert becomes_true(lambda: self._find_address() is not None or process.poll() is not None)
        address = self._find_address()
        assert address, self.log.read_text()
        self.address = address
        self.port = int(address.rpartition(":")[2])
        self.http = httpx.Client(base_url=address, trust_env=False, timeout=60)
        assert becomes_true(lambda: self.http.get("/ready").status_code == 200)

    def _find_address(self) -> str | None:
        found = re.search(r"listening at (http://\S+)\n", self.log.read_text())
        return found[1] if found else None

    def post(self, path: str, content: bytes | str | Iterator[bytes] = PAGE, **more: Any) -> httpx.Response:
        headers = {"Content-Type": "text/html"} | more.pop("headers", {})
        return self.http.post(path, content=content, headers=headers, **more)

    def read_log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def find_log_lines(self, request: str) -> list[dict[str, Any]]:
        """Return the log lines of a request; wait for them, since they are written after the response."""

        def find() -> list[dict[str, Any]]:
            return [line for line in self.read_log() if line.get("request") == request]

        becomes_true(lambda: bool(find()))
        return find()

    def open(self, data: bytes = b"") -> socket.socket:
        """Open a connection and send data."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sendall(data)
        return connection

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.http.close()
        self.process.send_signal(sign)
        return self.process.wait(60)


def error(answer: httpx.Response) -> tuple[int, str, str]:
    """Return the status, the type and the message of an error response."""
    found = answer.json()["error"]
    assert found["request"] == answer.headers["x-request-id"]
    return answer.status_code, found["type"], found["message"]


@contextmanager
def started(line: list[str], log: Path) -> Iterator[Service]:
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, *line], stdout=subprocess.PIPE, stderr=file, cwd=ROOT, preexec_fn=hear_signals
        )
    service = Service(process, log)
    try:
        yield service
    finally:
        service.http.close()
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@contextmanager
def odd_service(log: Path, **settings: Any) -> Iterator[Service]:
    """Start a service with extra jobs that misbehave (odd_service.py)."""
    with started([str(ODD), json.dumps({"port": 0, "workers": 1} | settings)], log) as service:
        yield service
