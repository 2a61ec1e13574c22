"""The web server under the service: it listens, outlives slow clients, and stops without losing a request."""

from __future__ import annotations

import asyncio
import errno
import resource
import signal
import socket
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bonmun.app.serve.app import make_app
from bonmun.app.serve.http.connections import Watch
from bonmun.app.serve.http.logs import catch_logs
from bonmun.errors import BadConfig

try:
    import uvicorn

    from bonmun.app.serve.http.protocol import Protocol
except ImportError:
    from bonmun.errors import MissingExtra

    raise MissingExtra("The service runs on FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fastapi import APIRouter, FastAPI

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["Running", "run_server"]

BACKLOG = 2_048  # connections that the system holds until we take them
KEEP_SECONDS = 10  # that a connection may be idle between two requests
IDLE_SECONDS = 0.3  # that clients have for one more request when the service stops
WANTED_FILES = 65_536  # connections, pipes and files that may be open, if the system allows it
SPARE_FILES = 200  # of these that are no connections


@dataclass(frozen=True, slots=True)
class Running:
    """A service that listens."""

    settings: ServiceOptions  # with the port that it got
    key: str  # of the inspector

    @property
    def url(self) -> str:
        """Where it is."""
        return self.settings.url

    @property
    def inspector_url(self) -> str:
        """The address of the inspector; what stands after # is never sent."""
        return f"{self.url}/inspector/#key={self.key}"


def run_server(
    settings: ServiceOptions,
    routers: Sequence[APIRouter] = (),
    on_ready: Callable[[Running], None] | None = None,
) -> None:
    """Run a service until SIGTERM or SIGINT; `on_ready` is called once it listens."""
    with _listen(settings) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        app = make_app(settings, routers)
        catch_logs("uvicorn", settings.log_level)
        config = uvicorn.Config(
            app,
            http=Protocol,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            limit_concurrency=_allow_files() - SPARE_FILES,
            timeout_keep_alive=KEEP_SECONDS,
            timeout_graceful_shutdown=int(settings.stop_seconds),
        )
        _Server(config, app, settings, on_ready).run([listener])


class _Server(uvicorn.Server):
    """A web server that looks after slow clients, and lets its clients go one by one."""

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, settings: ServiceOptions, on_ready: Callable[[Running], None] | None
    ) -> None:
        super().__init__(config)
        self.service = app
        self.settings = settings
        self.on_ready = on_ready
        self.watch = Watch(self.server_state.connections, settings.body_seconds)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop in good order at a signal, and then not by it: whoever sent it is told that all went well."""
        if threading.current_thread() is not threading.main_thread():  # where no signals come; as in tests
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.watching = asyncio.create_task(self.watch.run())
        if self.on_ready:
            self.on_ready(Running(self.settings, self.service.state.key))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, answer what has come, and close each connection with its answer.

        A connection that is closed the moment a client sends its next request would lose it. So those that are idle
        have a moment more, and are told with their next answer that it is the last.
        """
        for server in self.servers:
            server.close()
        self.service.state.is_stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                while self.server_state.connections:
                    await asyncio.sleep(0.02)
        await super().shutdown(sockets)
        self.watching.cancel()


def _listen(settings: ServiceOptions) -> socket.socket:
    """A socket at the address of the settings."""
    is_six = ":" in settings.host
    try:
        return socket.create_server(
            (settings.host, settings.port), family=socket.AF_INET6 if is_six else socket.AF_INET, backlog=BACKLOG
        )
    except OSError as problem:
        says = "another program listens there" if problem.errno == errno.EADDRINUSE else problem.strerror or problem
        raise BadConfig(f"{settings.host}, port {settings.port}, cannot be listened at: {says}.") from None


def _allow_files() -> int:
    """Let this process open as many files as it may, within reason; gives how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return min(soft, WANTED_FILES) if soft != resource.RLIM_INFINITY else WANTED_FILES
