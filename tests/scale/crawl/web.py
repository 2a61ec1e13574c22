"""The loopback web: generated hosts, ordinary and hostile, served on 127.0.0.1.

    with Web(pages=200) as web:          # in this process
        crawl(seed="http://docs.example/", resolve=web.address)
        assert {request.url for request in web.find_requests("docs.example")} == web.docs.urls

    python tests/scale/crawl/web.py --port 0 --pages 20000 --log requests.jsonl    # in another process; prints its port

`start_web` does the second from Python. The hosts are in the other modules of this folder. The same seed gives the same
web.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bad_hosts import BusyHost, CircleHost, LyingHost, TrapHost
from change_hosts import ChangeHost, CopyHost, ShellHost
from docs_host import DocsHost, FolderHost
from endless_hosts import BombHost, SlowHost
from list_hosts import FeedHost, MapHost, make_robots_hosts
from loopback import Loopback, Request
from portal_hosts import Portal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from loopback import Host

__all__ = ["Web", "WebProcess", "find_gaps", "start_web"]


class Web:
    """All hosts, served within a `with` block; each is also an attribute (`web.docs`)."""

    def __init__(self, pages: int = 200, seed: int = 1, port: int = 0, log: Path | None = None) -> None:
        self.requests: list[Request] = []
        self.docs = DocsHost(pages, seed)
        self.portal = Portal(seed)
        self.busy, self.circle, self.lies, self.trap = BusyHost(), CircleHost(), LyingHost(), TrapHost()
        self.bomb, self.slow, self.maps, self.feeds = BombHost(), SlowHost(), MapHost(), FeedHost()
        self.change, self.copy, self.shell = ChangeHost(), CopyHost(), ShellHost()
        self.robots = make_robots_hosts()
        hosts: dict[str, Host] = {
            "docs.example": self.docs,
            "busy.example": self.busy,
            "circle.example": self.circle,
            "lies.example": self.lies,
            "trap.example": self.trap,
            "bomb.example": self.bomb,
            "slow.example": self.slow,
            "maps.example": self.maps,
            "feeds.example": self.feeds,
            "change.example": self.change,
            "copy.example": self.copy,
            "shell.example": self.shell,
        }
        hosts |= self.portal.hosts
        hosts |= self.robots
        self._file = log.open("a", buffering=1, encoding="utf-8") if log else None
        self._server = Loopback(hosts, self._note, port)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._server.stop()
        if self._file:
            self._file.close()
        if self._server.problems and kind is None:
            raise self._server.problems[0]

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._server.port

    @property
    def address(self) -> str:
        """The address of all hosts: 127.0.0.1 and the port."""
        return f"127.0.0.1:{self.port}"

    def serve_folder(self, host: str, folder: Path) -> FolderHost:
        """Serve a folder of HTML files as a host."""
        self._server.hosts[host] = served = FolderHost(folder)
        return served

    def serve_host(self, name: str, host: Host) -> None:
        """Add or replace a host."""
        self._server.hosts[name] = host

    def find_requests(self, host: str) -> list[Request]:
        """Return all requests to a host so far, except for robots.txt."""
        return [request for request in self.requests if request.host == host and request.path != "/robots.txt"]

    def _note(self, request: Request) -> None:
        if self._file:
            self._file.write(json.dumps(asdict(request) | {"body": len(request.body)}) + "\n")
        else:
            self.requests.append(request)


def find_gaps(requests: Iterable[Request]) -> list[float]:
    """Return the seconds between consecutive requests to each host."""
    times: dict[str, list[float]] = {}
    for request in requests:
        times.setdefault(request.host, []).append(request.time)
    return [later - earlier for each in times.values() for earlier, later in pairwise(each)]


@dataclass(frozen=True)
class WebProcess:
    """A web in another process."""

    port: int
    log: Path

    @property
    def address(self) -> str:
        """The address of all hosts: 127.0.0.1 and the port."""
        return f"127.0.0.1:{self.port}"

    def read_requests(self) -> list[Request]:
        """Return all requests so far, without bodies."""
        lines = [line for line in self.log.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1:] == "\n"]
        rows = [json.loads(line) | {"body": b""} for line in lines]
        return [Request(**row | {"headers": tuple(tuple(pair) for pair in row["headers"])}) for row in rows]


@contextmanager
def start_web(log: Path, pages: int = 200, seed: int = 1, folders: Iterable[str] = ()) -> Iterator[WebProcess]:
    """Serve a web in another process. Folders are given as HOST=PATH."""
    command = [sys.executable, __file__, "--pages", str(pages), "--seed", str(seed), "--log", str(log)]
    command += ["--with-parent"]
    command += [part for folder in folders for part in ("--folder", folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield WebProcess(int(process.stdout.readline()), log)
        finally:
            process.terminate()


def wait_for_parent(stopped: threading.Event) -> None:
    """Stop the server when standard input is closed or the parent has ended."""
    sys.stdin.read()
    stopped.set()


def main() -> None:
    """Serve until a signal is received."""
    parser = argparse.ArgumentParser(description="Serve the loopback web; print its port.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--pages", type=int, default=200, help="number of pages of docs.example")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="file for requests, as JSON lines")
    parser.add_argument("--folder", action="append", default=[], metavar="HOST=PATH", help="additional host")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input is closed")
    given = parser.parse_args()
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    with Web(given.pages, given.seed, given.port, given.log) as web:
        for host, _, path in (folder.partition("=") for folder in given.folder):
            web.serve_folder(host, Path(path))
        print(web.port, flush=True)
        if given.with_parent:
            threading.Thread(target=wait_for_parent, args=(stopped,), daemon=True).start()
        stopped.wait()


if __name__ == "__main__":
    main()
