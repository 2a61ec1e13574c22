"""Load test of the service: many clients, real and hostile pages, compared with the same work in plain loops.

    python -m scripts.figures.service_load                        # 200 clients for 60 seconds, two workers
    python -m scripts.figures.service_load --requests 20000       # memory over many requests
    python -m scripts.figures.service_load --terminate            # SIGTERM in the middle: is every request answered?
    python -m scripts.figures.service_load --slow 4               # one honest client next to four that send slow pages

Uses pages of labelled sets (default: wcxb-dev and hand-ml of ../shared/data) in a fixed mix. One in twenty requests is
hostile: too large, endless, not a page, not JSON, or not HTTP. The plain loop calls `extract(page).markdown` in as many
processes as there are workers, over the same pages, before and after the load test. The clients run on the same
machine; the CPU time they take is printed. With `--slow`, the honest client sends ordinary pages of at most 100 kB, one
after the other, and each slow client a page of one-letter paragraphs again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, perf_counter, process_time, sleep
from typing import TYPE_CHECKING

import bonmun
from bonmun.lab.gold.datasets import read_dataset
from scripts.labelled import find_set
from scripts.watching import list_process_tree, measure_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SETS = ("wcxb-dev", "hand-ml")
PAGES_PER_SET = 200
MAX_BYTES = 5_000_000  # limit of the service; larger pages are not sent
HOSTILE_SHARE = 0.05
SEED = 21
PROMISED = {200, 413, 415, 422, 503, 504}
CHECKED = 40  # pages whose responses are compared with the library's output
PIECE = 65_536
SLOW_PAGE = b"<p>a" * 1_200_000  # 4.8 MB, which take 10 to 20 seconds
RESERVE_SECONDS = 10.0  # in which the reserve of child processes loads
MAX_SMALL_BYTES = 100_000  # of the honest pages next to slow ones


@dataclass
class LoadResults:
    """The outcomes of all requests."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # of good pages
    pages: int = 0  # good pages with status 200
    wrong: int = 0  # responses that differ from the library's output
    cut: int = 0  # truncated responses
    unanswered: int = 0  # requests that were sent completely, without a response
    refused: int = 0  # connections that were refused


@dataclass(frozen=True)
class Request:
    """The bytes of a request, and the expected response."""

    data: bytes
    page: bytes | None = None  # the input of the plain loop; None if there is none
    expected: bytes | None = None  # the response body, if it is checked
    is_good: bool = True
    closes: bool = False  # whether the connection cannot be reused


def read_pages(paths: Sequence[Path]) -> list[bytes]:
    """Return pages of labelled sets, evenly spread over each."""
    found: list[bytes] = []
    for path in paths:
        pages = [example.html for example in read_dataset(path)]
        step = max(1, len(pages) // PAGES_PER_SET)
        chosen = [page if isinstance(page, bytes) else page.encode("utf-8", "replace") for page in pages[::step]]
        found += [page for page in chosen[:PAGES_PER_SET] if len(page) < MAX_BYTES]
    random.Random(SEED).shuffle(found)
    return found


def make_requests(pages: Sequence[bytes], host: str) -> list[Request]:
    """Return a request for each page, mixed with hostile ones."""
    chance = random.Random(SEED)
    hostile = make_hostile(host)
    found: list[Request] = []
    for number, page in enumerate(pages):
        expected = write_markdown(page) if number < CHECKED else None
        found.append(Request(write_head(host, len(page)) + page, page, expected))
        while chance.random() < HOSTILE_SHARE:
            found.append(chance.choice(hostile))
    return found


def make_hostile(host: str) -> list[Request]:
    """Return hostile requests."""
    kinds = random.Random(SEED)
    garbage = kinds.randbytes(200_000)
    bomb = b"<b>" * 200_000
    head = write_head(host, None)
    chunk = b"%x\r\n%s\r\n" % (PIECE, b"<p>" + b"a" * (PIECE - 3))
    return [
        Request(write_head(host, 10 * MAX_BYTES) + b"<p>", is_good=False, closes=True),
        Request(head + chunk * (MAX_BYTES // PIECE + 2), is_good=False, closes=True),
        Request(write_head(host, len(garbage)) + garbage, garbage, is_good=False),
        Request(write_head(host, 9) + b"%PDF-1.7\n", is_good=False),
        Request(write_head(host, 100_000, "application/json") + b"[" * 100_000, is_good=False),
        Request(write_head(host, len(bomb)) + bomb, bomb, is_good=False),
        Request(write_head(host, 3, "image/png") + b"PNG", is_good=False),
    ]


def write_head(host: str, length: int | None, kind: str = "text/html") -> bytes:
    """Return the head of a request; without a length, the body is chunked."""
    size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    return f"POST /extract?format=markdown HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n{size}\r\n\r\n".encode()


def write_markdown(page: bytes) -> bytes:
    """Return the library's Markdown of a page; empty if it raises."""
    try:
        return bonmun.extract(page).markdown.encode("utf-8", "replace")
    except bonmun.BonmunError:
        return b""


async def run_clients(
    port: int, requests: Sequence[Request], clients: int, is_over: Callable[[LoadResults], bool]
) -> tuple[LoadResults, float]:
    """Run a number of clients, each of which sends one request after the other, until `is_over` is true."""
    tally = LoadResults()
    turn = iter(range(sys.maxsize))
    start = perf_counter()

    async def ask() -> None:
        connection: socket.socket | None = None
        while not is_over(tally):
            request = requests[next(turn) % len(requests)]
            try:
                connection = connection or await connect(port)
            except OSError:
                tally.refused += 1
                await asyncio.sleep(0.05)
                continue
            began = perf_counter()
            if not await send(connection, request, tally):
                connection.close()
                connection = None
            elif request.is_good:
                tally.seconds.append(perf_counter() - began)
        if connection:
            connection.close()

    await asyncio.gather(*(ask() for _ in range(clients)))
    return tally, perf_counter() - start


async def connect(port: int) -> socket.socket:
    """Open a connection to the service."""
    connection = socket.socket()
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    except OSError:
        connection.close()
        raise
    return connection


async def send(connection: socket.socket, request: Request, tally: LoadResults) -> bool:
    """Send a request, and count its response; return whether the connection can be reused."""
    loop = asyncio.get_running_loop()
    is_sent = False
    answer = bytearray()
    try:
        with suppress(ConnectionError):  # rejected before it was sent completely; there may be a response
            await loop.sock_sendall(connection, request.data)
            is_sent = True
        end = -1
        while end < 0 or len(answer) < end:
            piece = await loop.sock_recv(connection, PIECE)
            if not piece:
                break
            answer += piece
            if end < 0 and (head := answer.find(b"\r\n\r\n")) >= 0:
                length = re.search(rb"(?i)content-length: (\d+)", answer[:head])
                end = head + 4 + (int(length[1]) if length else 0)
    except ConnectionError:
        pass
    if not answer:
        tally.unanswered += is_sent and request.is_good
        return False
    if end < 0 or len(answer) < end:
        tally.cut += 1
        return False
    status, body = int(answer[9:12]), bytes(answer[answer.find(b"\r\n\r\n") + 4 :])
    tally.statuses[status] += 1
    if request.is_good and status == 200:
        tally.pages += 1
        tally.wrong += request.expected is not None and body != request.expected
    return not request.closes and b"connection: close" not in answer[:1_000].lower()


def run_plain_loop(work: Sequence[tuple[bytes, bool]], seconds: float, number: int, step: int) -> tuple[float, float]:
    """Extract pages one after the other, in a child process; return good pages per second, and CPU seconds per page."""
    bonmun.extract(work[0][0])
    turn, good, start, cpu = number, 0, perf_counter(), process_time()
    while perf_counter() - start < seconds:
        page, is_good = work[turn % len(work)]
        write_markdown(page)
        good += is_good
        turn += step
    return good / (perf_counter() - start), (process_time() - cpu) / good


def measure_plain_loops(requests: Sequence[Request], workers: int, seconds: float) -> tuple[float, float]:
    """Run the plain loop in a number of processes; return good pages per second, and CPU seconds per page."""
    work = [(request.page, request.is_good) for request in requests if request.page is not None]
    with get_context("spawn").Pool(workers) as pool:
        found = pool.starmap(run_plain_loop, [(work, seconds, number, workers) for number in range(workers)])
    return sum(rate for rate, _ in found), sum(cpu for _, cpu in found) / workers


def read_cpu(pids: Sequence[int]) -> float:
    """Return the CPU seconds of some processes."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def start_service(workers: int, log: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Start a service; return its process and port."""
    line = [sys.executable, "-m", "bonmun", "serve", "--port", "0", "--workers", str(workers)]
    with log.open("wb") as file:
        process = subprocess.Popen([*line, "--max-bytes", str(MAX_BYTES)], stderr=file)
    while not (found := re.search(r"listening at http://127.0.0.1:(\d+)", log.read_text())):
        sleep(0.05)
    port = int(found[1])
    with bonmun.Client(f"http://127.0.0.1:{port}") as client:
        while True:
            with suppress(bonmun.BonmunError):
                client._ask(client._http.build_request("GET", "/ready"))
                return process, port


def print_memory(pid: int) -> str:
    """Return the memory of the service and its children, in megabytes."""
    own, *children = (measure_memory(each) / 1e6 for each in list_process_tree(pid))
    return f"{own:.0f} + {' + '.join(f'{child:.0f}' for child in children if child > 1)} MB"


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of some values."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sets", nargs="*", type=Path)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--clients", type=int, default=200)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--requests", type=int, help="number of requests, instead of a duration")
    arguments.add_argument("--terminate", action="store_true")
    arguments.add_argument("--slow", type=int, default=0, help="number of clients that send slow pages")
    given = arguments.parse_args()
    pages = read_pages(given.sets or [find_set(name) for name in SETS])
    size = sum(map(len, pages)) / len(pages)
    print(f"{len(pages)} pages of {size / 1e3:.0f} kB on average; {os.cpu_count()} cores")
    if given.slow:
        measure_next_to_slow(pages, given)
        return
    with tempfile.TemporaryDirectory() as folder:
        work = make_requests(pages, "")
        before = (0.0, 0.0) if given.terminate else measure_plain_loops(work, given.workers, given.seconds / 2)
        log = Path(folder) / "log"
        process, port = start_service(given.workers, log)
        try:
            tally, seconds = run_load(process, port, pages, given)
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(120)
        print(f"exit {code}")
        print_results(tally, seconds, log)
        if given.terminate:
            return
        after = measure_plain_loops(work, given.workers, given.seconds / 2)
        plain, served = (before[0] + after[0]) / 2, tally.pages / seconds
        cpu = (before[1] + after[1]) / 2
        print(f"plain loop   {before[0]:.1f} and {after[0]:.1f} pages a second in {given.workers} processes")
        print(f"service      {served:.1f} pages a second: {served / plain:.0%} of that")
        print(f"of a core    {cpu * 1e3:.1f} ms per page in plain loops; less affected by other load on this machine")


def measure_next_to_slow(pages: Sequence[bytes], given: argparse.Namespace) -> None:
    """Measure how long an honest client waits next to clients that send slow pages."""
    with tempfile.TemporaryDirectory() as folder:
        process, port = start_service(given.workers, Path(folder) / "log")
        sleep(RESERVE_SECONDS)
        host = f"127.0.0.1:{port}"
        small = [Request(write_head(host, len(page)) + page) for page in pages if len(page) <= MAX_SMALL_BYTES]
        slow = [Request(write_head(host, len(SLOW_PAGE)) + SLOW_PAGE, is_good=False)]
        end = monotonic() + given.seconds

        async def run() -> tuple[LoadResults, LoadResults]:
            hostile = asyncio.create_task(run_clients(port, slow, given.slow, lambda _: monotonic() > end))
            await asyncio.sleep(0.2)  # the slow pages come first
            honest, _ = await run_clients(port, small, 1, lambda _: monotonic() > end)
            process.send_signal(signal.SIGTERM)  # slow pages may take longer
            return honest, (await hostile)[0]

        honest, hostile = asyncio.run(run())
        process.wait(120)
    p50, p99 = (percentile(honest.seconds, share) for share in (0.5, 0.99))
    print(f"honest       {len(honest.seconds):,} requests: {dict(honest.statuses)}; p50 {p50:.3f} s, p99 {p99:.3f} s")
    print(f"             the slowest took {max(honest.seconds):.3f} s")
    print(f"slow         {sum(hostile.statuses.values()):,} requests: {dict(hostile.statuses)}")


def run_load(
    process: subprocess.Popen[bytes], port: int, pages: Sequence[bytes], given: argparse.Namespace
) -> tuple[LoadResults, float]:
    """Run the clients, and measure the memory of the service meanwhile."""
    requests = make_requests(pages, f"127.0.0.1:{port}")
    start = monotonic()
    looks = [0.05, 0.5, 0.95]  # shares of the work after which memory is printed

    def is_over(tally: LoadResults) -> bool:
        done = sum(tally.statuses.values()) / given.requests if given.requests else 0.0
        share = done or (monotonic() - start) / given.seconds
        if looks and share >= looks[0]:
            print(f"memory       {print_memory(process.pid)} after {sum(tally.statuses.values()):,} requests")
            looks.pop(0)
            if given.terminate and len(looks) == 1:
                process.send_signal(signal.SIGTERM)
        return share >= 1 or (given.terminate and process.poll() is not None)

    family = list_process_tree(process.pid)
    groups = {"service": family[:1], "children": family[1:], "clients": [os.getpid()]}
    before = {name: read_cpu(pids) for name, pids in groups.items()}
    tally, seconds = asyncio.run(run_clients(port, requests, given.clients, is_over))
    taken = {name: (read_cpu(pids) - before[name]) / tally.pages for name, pids in groups.items()}
    print("of a core    " + ", ".join(f"{name} {value * 1e3:.1f} ms" for name, value in taken.items()) + " a good page")
    return tally, seconds


def print_results(tally: LoadResults, seconds: float, log: Path) -> None:
    """Print the results."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    logged = Counter(line["status"] for line in lines if line.get("route") == "/extract")
    statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(tally.statuses.items()))
    print(f"requests     {sum(tally.statuses.values()):,} in {seconds:.1f} s: {statuses}")
    print(f"not promised {sum(count for status, count in tally.statuses.items() if status not in PROMISED):,}")
    print(f"seconds      p50 {percentile(tally.seconds, 0.5):.3f}, p99 {percentile(tally.seconds, 0.99):.3f}")
    print(f"wrong {tally.wrong}, cut {tally.cut}, sent but unanswered {tally.unanswered}, refused {tally.refused:,}")
    print(f"logged       {sum(logged.values()):,} requests, {logged[0]} of them without an answer")


if __name__ == "__main__":
    main()
