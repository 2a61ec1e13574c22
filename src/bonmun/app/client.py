"""A Python client of `bonmun serve`.

with Client("http://127.0.0.1:8000") as client:
    print(client.extract(html, format="markdown"))
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, overload

import httpx

from bonmun import errors
from bonmun.errors import BadConfig, BonmunError, ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Client"]

MAX_RETRY_SECONDS = 10.0  # whatever Retry-After says
MAX_RESPONSE_BYTES = 1_000_000_000  # more than any page that a service accepts
BUSY = 503

Option = str | float | bool | list[str] | None


class Client:
    """A client of a bonmun service. Its errors are those of the library.

    Give a page as a string, as bytes, or as a `url` that the service downloads, if it was started with --fetch.
    Settings are keyword arguments, such as `links=False` or `favour="precision"`; the service validates them. A
    request is repeated once if the service is busy.

    Args:
        address: URL of the service.
        token: Token of the service, if it needs one.
        timeout: Timeout of a request in seconds.
    """

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 120.0
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._seconds = timeout  # for a whole response, and for each part of it
        try:
            # trust_env=False: proxies of the environment must not see tokens and cannot reach loopback
            headers["Accept-Encoding"] = "identity"  # no decompression bombs
            self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout, trust_env=False)
        except (httpx.InvalidURL, ValueError) as problem:
            raise BadConfig(f"{address!r} is not the URL of a service: {problem}.") from None
        if self._http.base_url.scheme not in ("http", "https") or not self._http.base_url.host:
            raise BadConfig(f"{address!r} is not the URL of a service, such as http://127.0.0.1:8000.")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @overload
    def extract(  # type: ignore[overload-overlap] # "json" is a str, too
        self,
        html: str | bytes | None = None,
        *,
        url: str | None = None,
        method: str = "auto",
        format: Literal["json"] = "json",
        **options: Option,
    ) -> dict[str, Any]: ...

    @overload
    def extract(
        self,
        html: str | bytes | None = None,
        *,
        url: str | None = None,
        method: str = "auto",
        format: str,
        **options: Option,
    ) -> str: ...

    def extract(
        self,
        html: str | bytes | None = None,
        *,
        url: str | None = None,
        method: str = "auto",
        format: str = "json",  # noqa: A002 - the name of the setting
        **options: Option,
    ) -> dict[str, Any] | str:
        """Extract a page: the values of `Document.to_dict`, or a string in another format."""
        answer = self._send("/extract", html, {"url": url, "method": method, "format": format} | options)
        if format != "json":
            return answer.text
        values: dict[str, Any] = _read_json(answer, dict)
        return values

    def chunks(
        self, html: str | bytes | None = None, *, url: str | None = None, method: str = "auto", **options: Option
    ) -> list[dict[str, Any]]:
        """Split the main text of a page into chunks; see `chunk_words` and `chunk_overlap`."""
        answer = self._send("/chunks", html, {"url": url, "method": method} | options)
        found: list[dict[str, Any]] = _read_json(answer, list)
        return found

    def explain(
        self, html: str | bytes | None = None, *, url: str | None = None, method: str = "auto", **options: Option
    ) -> dict[str, Any]:
        """Explain every decision on a page."""
        answer = self._send("/explain", html, {"url": url, "method": method} | options)
        found: dict[str, Any] = _read_json(answer, dict)
        return found

    def compare(
        self,
        html: str | bytes | None = None,
        *,
        url: str | None = None,
        methods: Sequence[str] = (),
        gold: str | None = None,
        title: str | None = None,
    ) -> dict[str, Any]:
        """Compare methods on a page."""
        given = {"url": url, "methods": list(methods), "gold": gold, "title": title}
        found: dict[str, Any] = _read_json(self._send("/compare", html, given), dict)
        return found

    def methods(self) -> list[dict[str, Any]]:
        """List the methods of the service."""
        found: list[dict[str, Any]] = _read_json(self._ask(self._http.build_request("GET", "/methods")), list)
        return found

    def _send(self, path: str, html: str | bytes | None, given: dict[str, Any]) -> httpx.Response:
        """Send a page; bytes are sent unchanged, since the service detects their encoding."""
        known = {name: _mend(value) for name, value in given.items() if value is not None}
        if isinstance(html, bytes):
            headers = {"Content-Type": "text/html"}
            return self._ask(self._http.build_request("POST", path, params=known, content=html, headers=headers))
        page = {} if html is None else {"html": _mend(html)}
        return self._ask(self._http.build_request("POST", path, json=page | known))

    def _read(self, request: httpx.Request) -> httpx.Response:
        """Receive a response within limits on its size and its total time."""
        end = time.monotonic() + self._seconds
        with closing(self._http.send(request, stream=True)) as answer:
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                raise ServiceFailed(f"{request.url} sent a compressed response, which is not accepted.")
            body = bytearray()
            for piece in answer.iter_raw():
                body += piece
                if len(body) > MAX_RESPONSE_BYTES:
                    raise ServiceFailed(f"{request.url} sent a response of more than {MAX_RESPONSE_BYTES:,} bytes.")
                if time.monotonic() > end:
                    raise ServiceFailed(f"{request.url} sent no complete response within {self._seconds:g} seconds.")
        return httpx.Response(answer.status_code, headers=answer.headers, content=bytes(body), request=request)

    def _ask(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = self._read(request)
            if answer.status_code == BUSY:
                time.sleep(_read_pause(answer.headers.get("retry-after", "")))
                answer = self._read(request)
        except httpx.HTTPError as problem:
            raise ServiceFailed(f"{request.url} did not respond: {str(problem).rstrip('.')}.") from problem
        if not answer.is_success:
            raise _read_problem(answer)
        return answer


def _mend(value: Any) -> Any:
    """Replace lone surrogates, which cannot be sent."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _read_json(answer: httpx.Response, kind: type) -> Any:
    """Parse a response as JSON; raise ServiceFailed if it is not an object or a list."""
    try:
        found = answer.json()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise ServiceFailed(f"{answer.url} sent an unexpected response: is it a bonmun service?")
    return found


def _read_pause(header: str) -> float:
    return min(float(header), MAX_RETRY_SECONDS) if header.isdecimal() and len(header) < 10 else 1.0


def _read_problem(answer: httpx.Response) -> BonmunError:
    """Return the error of a response as the library would raise it."""
    try:
        told = answer.json()["error"]
        kind, says = getattr(errors, str(told["type"]), ServiceFailed), str(told["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ServiceFailed(f"{answer.url} responded with status {answer.status_code}.")
    is_error = isinstance(kind, type) and issubclass(kind, BonmunError)
    found: BonmunError = kind(says) if is_error else ServiceFailed(says)
    return found
