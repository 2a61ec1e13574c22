"""The web server of the service: it closes slow connections, and shuts down without losing requests."""

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
from bonmun.app.serve.http.connections import ConnectionMonitor
from bonmun.app.serve.http.logs import redirect_logs
from bonmun.errors import BadConfig

try:
    import uvicorn

    from bonmun.app.serve.http.protocol import ServiceProtocol
except ImportError:
    from bonmun.errors import MissingExtra

    raise MissingExtra("The service needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fastapi import APIRouter, FastAPI

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["RunningService", "run_server"]

BACKLOG = 2_048  # connections that the system queues for us
KEEP_ALIVE_SECONDS = 10  # timeout of a connection between two requests
IDLE_GRACE_SECONDS = 0.3  # for one more request on idle connections during shutdown
MAX_OPEN_FILES = 65_536  # connections, pipes and files, if the system allows it
RESERVED_FILES = 200  # for pipes and files


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that is listening."""

    settings: ServiceOptions  # with the actual port
    key: str  # of the inspector

    @property
    def url(self) -> str:
        """URL of the service."""
        return self.settings.url

    @property
    def home_url(self) -> str:
        """URL of the page for people; the key lets it open pages in the inspector."""
        return f"{self.url}/#key={self.key}"

    @property
    def inspector_url(self) -> str:
        """URL of the inspector; the key is in the fragment, which browsers never send."""
        return f"{self.url}/inspector/#key={self.key}"


def run_server(
    settings: ServiceOptions,
    routers: Sequence[APIRouter] = (),
    on_ready: Callable[[RunningService], None] | None = None,
) -> None:
    """Run a service until SIGTERM or SIGINT; `on_ready` is called when it is listening."""
    with _listen(settings) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        app = make_app(settings, routers)
        redirect_logs("uvicorn", settings.log_level)
        config = uvicorn.Config(
            app,
            http=ServiceProtocol,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            limit_concurrency=_raise_file_limit() - RESERVED_FILES,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=int(settings.stop_seconds),
        )
        _Server(config, app, settings, on_ready).run([listener])


class _Server(uvicorn.Server):
    """A web server with a connection monitor and a graceful shutdown."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: FastAPI,
        settings: ServiceOptions,
        on_ready: Callable[[RunningService], None] | None,
    ) -> None:
        super().__init__(config)
        self.service = app
        self.settings = settings
        self.on_ready = on_ready
        self.monitor = ConnectionMonitor(self.server_state.connections, settings.body_seconds)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down gracefully at a signal and exit with status 0: the signal is not raised again."""
        if threading.current_thread() is not threading.main_thread():  # as in tests; signals cannot be handled
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, and call `on_ready`."""
        await super().startup(sockets)
        self.monitoring = asyncio.create_task(self.monitor.run())
        if self.on_ready:
            self.on_ready(RunningService(self.settings, self.service.state.key))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, answer open requests, and close each connection with its response.

        If an idle connection were closed just as its client sends a request, the request would be lost. So idle
        connections stay open for a moment, and their next response closes them.
        """
        for server in self.servers:
            server.close()
        self.service.state.is_stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_GRACE_SECONDS):
                while self.server_state.connections:
                    await asyncio.sleep(0.02)
        await super().shutdown(sockets)
        self.monitoring.cancel()


def _listen(settings: ServiceOptions) -> socket.socket:
    """Return a listening socket."""
    is_ipv6 = ":" in settings.host
    try:
        return socket.create_server(
            (settings.host, settings.port), family=socket.AF_INET6 if is_ipv6 else socket.AF_INET, backlog=BACKLOG
        )
    except OSError as problem:
        reason = "another program uses the port" if problem.errno == errno.EADDRINUSE else problem.strerror or problem
        raise BadConfig(f"Cannot listen on {settings.host}, port {settings.port}: {reason}.") from None


def _raise_file_limit() -> int:
    """Raise the limit on open files to MAX_OPEN_FILES if the system allows it; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return min(soft, MAX_OPEN_FILES) if soft != resource.RLIM_INFINITY else MAX_OPEN_FILES
