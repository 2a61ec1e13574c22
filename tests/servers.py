"""A local web server for pages that a browser loads."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Site", "serve_pages"]


@dataclass
class Site:
    """A running server."""

    url: str
    asked: list[str] = field(default_factory=list)  # paths that were requested


@contextmanager
def serve_pages(pages: Mapping[str, tuple[str, bytes]], delay: float = 0.0) -> Iterator[Site]:
    """Serve these paths, each with its content type and body; "redirect" redirects to the path in the body."""
    site = Site("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            kind, body = pages.get(self.path, ("", b""))
            time.sleep(delay)
            self.send_response(302 if kind == "redirect" else 200 if kind else 404)
            if kind == "redirect":
                self.send_header("Location", body.decode())
                body = b""
            else:
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_address[1]}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
