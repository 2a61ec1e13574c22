"""A service asked by Python: `bonmun serve` on some machine, in a few lines.

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

LONGEST_PAUSE = 10.0  # seconds before it asks again, whatever a service that is busy says
MOST_BYTES = 1_000_000_000  # of an answer: no page that a service takes has a longer one
BUSY = 503

Option = str | int | bool | None
Written = Literal["text", "markdown", "md", "html", "xml"]


class Client:
    """A service at an address; what goes wrong there raises the same errors as the library itself.

    A page is given as text or as bytes, or as a `url` that the service downloads, if it was started to do so. Options
    are those of POST /extract and the like: `links=True`, `favour="precision"`. A service that is busy is asked once
    more.
    """

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 120.0
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._seconds = timeout  # of a whole answer, and of any wait for a part of it
        try:
            # proxies that the environment names are not told tokens, and know no loopback
            headers["Accept-Encoding"] = "identity"  # on loopback it saves nothing, and little may become much
            self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout, trust_env=False)
        except (httpx.InvalidURL, ValueError) as problem:
            raise BadConfig(f"{address!r} is not the address of a service: {problem}.") from None
        if self._http.base_url.scheme not in ("http", "https") or not self._http.base_url.host:
            raise BadConfig(f"{address!r} is not the address of a service, such as http://127.0.0.1:8000.")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    @overload
    def extract(
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
        format: Written,
        **options: Option,
    ) -> str: ...

    def extract(
        self,
        html: str | bytes | None = None,
        *,
        url: str | None = None,
        method: str = "auto",
        format: Written | Literal["json"] = "json",  # noqa: A002 - the word of the library
        **options: Option,
    ) -> dict[str, Any] | str:
        """The main text of a page: what `Document.to_dict` gives, or a text in another format."""
        answer = self._send("/extract", html, {"url": url, "method": method, "format": format} | options)
        if format != "json":
            return answer.text
        values: dict[str, Any] = _read_json(answer, dict)
        return values

    def chunks(
        self, html: str | bytes | None = None, *, url: str | None = None, method: str = "auto", **options: Option
    ) -> list[dict[str, Any]]:
        """The main text in parts: `words=200`, `overlap=20`."""
        answer = self._send("/chunks", html, {"url": url, "method": method} | options)
        found: list[dict[str, Any]] = _read_json(answer, list)
        return found

    def explain(
        self, html: str | bytes | None = None, *, url: str | None = None, method: str = "auto", **options: Option
    ) -> dict[str, Any]:
        """Every decision on a page."""
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
        """What each method makes of a page."""
        given = {"url": url, "methods": list(methods), "gold": gold, "title": title}
        found: dict[str, Any] = _read_json(self._send("/compare", html, given), dict)
        return found

    def methods(self) -> list[dict[str, Any]]:
        """The methods that the service knows."""
        found: list[dict[str, Any]] = _read_json(self._ask(self._http.build_request("GET", "/methods")), list)
        return found

    def _send(self, path: str, html: str | bytes | None, given: dict[str, Any]) -> httpx.Response:
        """Ask for work on a page: bytes are sent as they are, since only they know their encoding."""
        known = {name: _mend(value) for name, value in given.items() if value is not None}
        if isinstance(html, bytes):
            headers = {"Content-Type": "text/html"}
            return self._ask(self._http.build_request("POST", path, params=known, content=html, headers=headers))
        page = {} if html is None else {"html": _mend(html)}
        return self._ask(self._http.build_request("POST", path, json=page | known))

    def _read(self, request: httpx.Request) -> httpx.Response:
        """An answer, within limits on its size and on the time that all of it takes, whoever gives it."""
        end = time.monotonic() + self._seconds
        with closing(self._http.send(request, stream=True)) as answer:
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                raise ServiceFailed(f"{request.url} gave a compressed answer, which was not asked for.")
            body = bytearray()
            for piece in answer.iter_raw():
                body += piece
                if len(body) > MOST_BYTES:
                    raise ServiceFailed(f"{request.url} gave an answer of more than {MOST_BYTES:,} bytes.")
                if time.monotonic() > end:
                    raise ServiceFailed(f"{request.url} had not answered in full after {self._seconds:g} seconds.")
        return httpx.Response(answer.status_code, headers=answer.headers, content=bytes(body), request=request)

    def _ask(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = self._read(request)
            if answer.status_code == BUSY:
                time.sleep(_read_pause(answer.headers.get("retry-after", "")))
                answer = self._read(request)
        except httpx.HTTPError as problem:
            raise ServiceFailed(f"{request.url} did not answer: {str(problem).rstrip('.')}.") from problem
        if not answer.is_success:
            raise _read_problem(answer)
        return answer


def _mend(value: Any) -> Any:
    """A text without halves of characters, which cannot be sent; any other value as it is."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _read_json(answer: httpx.Response, kind: type) -> Any:
    """What an answer says in JSON, which is an object or a list; ServiceFailed where it is not."""
    try:
        found = answer.json()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise ServiceFailed(f"{answer.url} gave something else than what was asked for: is it a bonmun service?")
    return found


def _read_pause(header: str) -> float:
    return min(float(header), LONGEST_PAUSE) if header.isdecimal() and len(header) < 10 else 1.0


def _read_problem(answer: httpx.Response) -> BonmunError:
    """The error that an answer tells of, as the library would raise it."""
    try:
        told = answer.json()["error"]
        kind, says = getattr(errors, str(told["type"]), ServiceFailed), str(told["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ServiceFailed(f"{answer.url} answered with status {answer.status_code}.")
    is_error = isinstance(kind, type) and issubclass(kind, BonmunError)
    found: BonmunError = kind(says) if is_error else ServiceFailed(says)
    return found
