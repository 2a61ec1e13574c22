"""Limits of the service: pages, clients and child processes that fail do not affect other requests."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import SpawnProcess
from time import sleep
from typing import TYPE_CHECKING
from unittest.mock import Mock

import httpx
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

import uvicorn
from running import PAGE, Service, error, odd_service
from uvicorn.server import ServerState

from bonmun.app.serve.http.connections import HEADER_SECONDS, ConnectionMonitor
from bonmun.app.serve.http.logs import log
from bonmun.app.serve.http.protocol import ServiceProtocol
from bonmun.work.workers import Workers
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

SLOW_CLIENTS = 300


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    log = tmp_path_factory.mktemp("serve") / "log"
    with odd_service(log, seconds=1.5, memory_mb=300, queue=1, body_seconds=2.0) as service:
        yield service


def read_metric(service: Service, name: str) -> float:
    [line] = [line for line in service.http.get("/metrics").text.splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


def test_a_job_over_the_time_limit_fails_alone(service: Service) -> None:
    assert error(service.post("/odd/sleep?seconds=100")) == (504, "TooSlow", "The page took over 1.5 seconds.")
    assert service.post("/extract").status_code == 200


def test_a_job_over_the_memory_limit_fails_alone(service: Service) -> None:
    status, kind, says = error(service.post("/odd/memory"))
    assert (status, kind) == (422, "OutOfMemory")
    assert "300 MB" in says
    assert service.post("/extract").status_code == 200


def test_a_job_that_kills_its_process_fails_alone(service: Service) -> None:
    before = read_metric(service, "bonmun_worker_restarts_total")
    assert error(service.post("/odd/die"))[:2] == (500, "WorkerDied")
    assert service.post("/extract").status_code == 200
    assert read_metric(service, "bonmun_worker_restarts_total") == before + 1


def test_unexpected_errors_are_reported_without_page_content(service: Service) -> None:
    status, kind, says = error(service.post("/odd/fail"))
    assert (status, kind) == (500, "WorkerDied")
    assert "ZeroDivisionError" in says
    assert "SECRET" not in says
    [line] = [line for line in service.read_log() if line.get("problem") == "ZeroDivisionError"]
    assert "odd_service.py" in line["places"][-1]  # the traceback, but not the message
    assert "SECRET" not in service.log.read_text()


def test_no_request_fails_if_an_idle_process_is_killed(service: Service) -> None:
    pid = service.post("/odd/sleep?seconds=0").json()["pid"]
    os.kill(pid, signal.SIGKILL)
    answers = [service.post("/odd/sleep?seconds=0") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].json()["pid"] != pid


def test_only_its_page_fails_if_a_busy_process_is_killed(service: Service) -> None:
    pid = service.post("/odd/sleep?seconds=0").json()["pid"]
    with ThreadPoolExecutor() as threads:
        pending = threads.submit(httpx.post, f"{service.address}/odd/sleep?seconds=5", trust_env=False, timeout=30)
        assert becomes_true(
            lambda: read_metric(service, "bonmun_requests_open") == 2
        )  # this request and the one for metrics
        sleep(1)  # until the job has started; before that, another process would retry it
        os.kill(pid, signal.SIGKILL)
        assert pending.result().json()["error"]["type"] == "WorkerDied"
    assert service.post("/extract").status_code == 200


def test_requests_get_status_503_if_the_queue_is_full(service: Service) -> None:
    service.post("/extract")
    with ThreadPoolExecutor(8) as threads:
        pending = [threads.submit(service.post, "/odd/sleep?seconds=0.7") for _ in range(6)]
        answers = [each.result() for each in pending]
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503, 503, 503, 503]
    busy = next(answer for answer in answers if answer.status_code == 503)
    assert busy.headers["retry-after"] == "1"
    assert error(busy)[1] == "TooBusy"


def test_jobs_of_disconnected_clients_are_not_started(service: Service) -> None:
    request = b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"
    before = read_metric(service, "bonmun_pages_total")
    with ThreadPoolExecutor() as threads:
        pending = threads.submit(service.post, "/odd/sleep?seconds=1")
        assert becomes_true(lambda: read_metric(service, "bonmun_requests_open") == 2)
        with service.open(request % (service.port, len(PAGE.encode()), PAGE.encode())):
            assert becomes_true(lambda: read_metric(service, "bonmun_queue_length") == 1)
        assert becomes_true(lambda: read_metric(service, "bonmun_queue_length") == 0)
        assert not pending.done()  # the job was removed from the queue, not run
        assert pending.result().status_code == 200
    assert read_metric(service, "bonmun_pages_total") == before
    assert 499 in [line.get("status") for line in service.read_log()]
    assert not [line for line in service.read_log() if line.get("problem") == "CancelledError"]


def test_receiving_a_body_has_a_timeout(service: Service) -> None:
    head = b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>"
    with service.open(head % service.port) as connection:
        assert connection.recv(1_000).startswith(b"HTTP/1.1 408")


def test_slow_clients_do_not_block_others(service: Service) -> None:
    """Some never finish their headers, some send a body byte by byte; other requests are still answered."""
    head = b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>"
    slow = [service.open(b"GET /hea" if number % 2 else head % service.port) for number in range(SLOW_CLIENTS)]
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.1):
            for connection in slow:
                try:
                    connection.send(b"a")
                except OSError:  # the service closed it
                    continue

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        for _ in range(5):
            assert service.post("/extract", timeout=5).status_code == 200
    finally:
        stop.set()
        dripping.join()
        for connection in slow:
            connection.close()


def test_bodies_in_tiny_chunks_are_refused(service: Service) -> None:
    """Reading a chunk of one byte takes as long as a chunk of a thousand."""
    head = b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTransfer-Encoding: chunked\r\n\r\n" % service.port
    with service.open(head + b"1\r\na\r\n" * 2_000) as connection:
        response = connection.makefile("rb").read()
    assert response.startswith(b"HTTP/1.1 400")
    assert b"nosniff" in response
    assert "chunks of a few bytes" in json.loads(response[response.index(b"{") :])["error"]["message"]
    with service.open(head + b"10\r\n<p>Many words.  \r\n" * 2_000 + b"0\r\n\r\n") as connection:
        assert connection.recv(1_000).startswith(b"HTTP/1.1 200")
    with service.open(b"GET /health HTTP/1.1" + head[21:] + b"1\r\na\r\n" * 2_000) as connection:  # answered before
        connection.settimeout(8)
        while connection.recv(1_000):
            pass


def test_starting_a_child_process_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.work.workers.RETRY_SECONDS", (0.0,))
    real = SpawnProcess.start
    failed: list[SpawnProcess] = []

    def start(process: SpawnProcess) -> None:
        if len(failed) < 2:
            failed.append(process)
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        real(process)

    async def run() -> int:
        workers = Workers(1)
        await workers.start()
        try:
            return await asyncio.wait_for(workers.run(os.getpid), 60)
        finally:
            await workers.stop()

    monkeypatch.setattr(SpawnProcess, "start", start)
    assert asyncio.run(run()) != os.getpid()
    assert len(failed) == 2


def test_a_closed_log_does_not_stop_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Mock(write=Mock(side_effect=BrokenPipeError))
    monkeypatch.setattr("sys.stderr", closed)
    log(says="lost")
    assert "lost" in closed.write.call_args.args[0]  # it was tried, and nothing was raised


def test_responses_are_sent_without_delay() -> None:
    """Otherwise each response on a kept connection waits 40 ms (Nagle's algorithm and delayed acknowledgement)."""
    config = uvicorn.Config(lambda: None, log_config=None)
    config.load()
    protocol = ServiceProtocol(config, ServerState(), {}, asyncio.new_event_loop())
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        transport = Mock(get_extra_info=lambda name, default=None: accepted if name == "socket" else default)
        protocol.connection_made(transport)
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert transport.max_size < 100_000
    protocol.loop.close()


class Transport:
    def __init__(self) -> None:
        self.buffer, self.is_aborted = 0, False

    def get_write_buffer_size(self) -> int:
        return self.buffer

    def abort(self) -> None:
        self.is_aborted = True


class Cycle:
    def __init__(self, response_complete: bool) -> None:
        self.response_complete = response_complete


class Connection:
    def __init__(self, cycle: Cycle | None = None, buffer: int = 0) -> None:
        self.transport, self.cycle = Transport(), cycle
        self.transport.buffer = buffer


def test_connections_without_progress_are_closed() -> None:
    now = 0.0
    silent, working, sending = Connection(), Connection(Cycle(False)), Connection(Cycle(True), buffer=10)
    active = Connection(Cycle(True))
    monitor = ConnectionMonitor([silent, working, sending, active], seconds=30, clock=lambda: now)
    for now in (0.0, HEADER_SECONDS - 1, HEADER_SECONDS + 1, 31.0):
        active.cycle = Cycle(True)  # a new request each time
        monitor.close_slow()
        assert silent.transport.is_aborted == (now > HEADER_SECONDS)
        assert sending.transport.is_aborted == (now > 30)
    assert not working.transport.is_aborted
    assert not active.transport.is_aborted


def test_no_request_is_lost_at_sigterm(tmp_path: Path) -> None:
    with odd_service(tmp_path / "log") as service, ThreadPoolExecutor(6) as threads:
        pid = service.post("/odd/sleep?seconds=0").json()["pid"]
        pending = [threads.submit(service.post, "/odd/sleep?seconds=0.3") for _ in range(5)]
        assert becomes_true(lambda: read_metric(service, "bonmun_requests_open") == 6)
        service.process.send_signal(signal.SIGTERM)
        answers = [each.result() for each in pending]
        assert [answer.status_code for answer in answers] == [200] * 5
        assert service.process.wait(30) == 0
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        with pytest.raises(httpx.ConnectError):
            service.http.get("/health")
