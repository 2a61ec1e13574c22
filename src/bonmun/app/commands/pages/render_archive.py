"""Write what a browser loaded to a WARC file, for `bonmun render --warc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.scale.browser import Rendered
    from bonmun.scale.browser.kept_responses import KeptResponse
    from bonmun.scale.crawl.archive.warc_writer import WarcWriter
    from bonmun.scale.crawl.fetch.exchange import Exchange, Headers

__all__ = ["RenderArchive"]

SUFFIX = ".warc.gz"


class RenderArchive:
    """A new WARC file of the responses that pages load, open during a `with` block."""

    def __init__(self, path: Path) -> None:
        if not path.name.endswith(SUFFIX):
            raise BadConfig(f"--warc: the name of the file must end with {SUFFIX}, unlike {path.name}.")
        self.path = path
        self.count = 0  # responses
        self._writer: WarcWriter | None = None

    def __enter__(self) -> RenderArchive:
        from bonmun.scale.crawl.archive.warc_writer import WarcWriter

        try:
            self._writer = WarcWriter.create(self.path, {"robots": "ignore"})
        except FileExistsError:
            raise BadConfig(f"--warc: {self.path} exists; choose another name.") from None
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer:
            self._writer.close()

    def write(self, done: Rendered) -> None:
        """Write the responses of a page."""
        from bonmun.scale.crawl.archive.warc_writer import WarcMetadata

        assert self._writer
        page = done.snapshot.url if done.snapshot else None
        for response in done.loaded:
            via = None if response.url == page else page
            self._writer.write_exchange(_make_exchange(response), WarcMetadata(via=via, depth=0 if via is None else 1))
            self.count += 1


def _make_exchange(response: KeptResponse) -> Exchange:
    from bonmun.scale.crawl.fetch.exchange import Exchange

    name, _, version = response.protocol.partition("/")
    return Exchange(
        url=response.url,
        status=response.status,
        response_headers=_encode(response.headers),
        body=response.body,
        started=response.started,
        seconds=response.seconds,
        method=response.method,
        request_headers=_encode(response.request_headers),
        http_version=version if name == "http" and version else name.removeprefix("h") or "1.1",
        reason=response.reason.encode("latin-1", "replace"),
        ip=response.ip,
    )


def _encode(headers: tuple[tuple[str, str], ...]) -> Headers:
    return tuple((name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in headers)
