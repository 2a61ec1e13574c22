"""Fetch a URL with httpx, with limits on time, size and network.

Redirects are not followed: their targets are added to the frontier. As in `bonmun.scale.web.download`, connections are
made only to IP addresses that were checked. Connections are kept open, and never shared between hosts.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx

from bonmun._version import __version__
from bonmun.errors import FetchFailed, HostSilent, TooBig
from bonmun.scale.crawl.fetch.exchange import Exchange
from bonmun.scale.web.addresses import resolve_host
from bonmun.scale.web.download import check_url, shorten_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.scale.crawl.fetch.exchange import Truncation
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["Fetcher"]

MAX_OPEN_HOSTS = 256  # with connections kept open
DNS_CACHE_SECONDS = 300.0
DNS_TIMEOUT_SECONDS = 20.0
CONNECT_TIMEOUT_SECONDS = 10.0
INCOMPLETE_BODY = "peer closed connection"  # in the message of httpx for a body shorter than its Content-Length


class Fetcher:
    """An HTTP client for a crawl."""

    def __init__(self, plan: CrawlPlan) -> None:
        self.plan = plan
        self.agent = f"{plan.agent}/{__version__} (+https://pypi.org/project/bonmun/)"
        self.tls = httpx.create_ssl_context(trust_env=False)
        self.transports: OrderedDict[str, httpx.AsyncHTTPTransport] = OrderedDict()  # most recently used last
        self.addresses: dict[str, tuple[float, list[str]]] = {}  # expiry time and IP addresses, by host
        self.semaphore = asyncio.Semaphore(plan.requests)
        self.port = int(plan.resolve.rpartition(":")[2]) if plan.resolve else None
        self.timeout = httpx.Timeout(plan.timeout, connect=min(CONNECT_TIMEOUT_SECONDS, plan.timeout)).as_dict()

    async def fetch(
        self,
        url: str,
        more_headers: dict[str, str],
        wants_body: Callable[[int, str], bool],
        first_bytes: int | None = None,
    ) -> Exchange:
        """Request a URL. `wants_body` decides by status and content type whether the body is read.

        With `first_bytes`, a longer body is truncated; without it, a body over the size limit is an error.
        Raise FetchFailed, TooBig or AddressRefused if there is no response.
        """
        name = shorten_url(url)
        async with self.semaphore:
            try:
                async with asyncio.timeout(self.plan.timeout):
                    return await self._request(url, name, more_headers, wants_body, first_bytes)
            except (httpx.ConnectError, httpx.ConnectTimeout) as problem:
                raise HostSilent(f"Could not connect to {name}: {_describe(problem)}.") from problem
            except (TimeoutError, httpx.TimeoutException) as problem:
                raise FetchFailed(f"{name} timed out after {self.plan.timeout:g} seconds.") from problem
            except httpx.HTTPError as problem:
                raise FetchFailed(f"{name} could not be fetched: {_describe(problem)}.") from problem

    async def _request(
        self,
        url: str,
        name: str,
        more_headers: dict[str, str],
        wants_body: Callable[[int, str], bool],
        first_bytes: int | None,
    ) -> Exchange:
        target = check_url(url, name)
        started, clock = datetime.now(UTC), time.monotonic()
        headers = {
            "Host": target.netloc.decode("ascii"),
            "User-Agent": self.agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",
            **more_headers,
        }
        transport = self._find_transport(f"{target.scheme}://{headers['Host']}")
        address, request, response = await self._send(transport, target, name, headers)
        try:
            body, truncated = await self._read_body(response, name, wants_body, first_bytes)
        finally:
            await response.aclose()
        return Exchange(
            url=url,
            status=response.status_code,
            response_headers=tuple(response.headers.raw),
            body=body,
            started=started,
            seconds=time.monotonic() - clock,
            request_headers=tuple(request.headers.raw),
            http_version=_read_extension(response, "http_version", b"HTTP/1.1").decode("ascii", "replace")[5:],
            reason=_read_extension(response, "reason_phrase", b""),
            ip=address,
            truncated=truncated,
        )

    async def _send(
        self, transport: httpx.AsyncHTTPTransport, target: httpx.URL, name: str, headers: dict[str, str]
    ) -> tuple[str, httpx.Request, httpx.Response]:
        """Send the request to the first IP address of the host that accepts a connection. The body is not read yet."""
        host = target.raw_host.decode("ascii")
        *others, last = await self._resolve(host, name)
        extensions = {"timeout": self.timeout, "sni_hostname": host.rstrip(".")}

        async def send_to(address: str) -> tuple[str, httpx.Request, httpx.Response]:
            url = target.copy_with(host=address, port=self.port or target.port)
            request = httpx.Request("GET", url, headers=headers, extensions=extensions)
            return address, request, await transport.handle_async_request(request)

        for address in others:
            try:
                return await send_to(address)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await send_to(last)

    async def _resolve(self, host: str, name: str) -> list[str]:
        if self.plan.resolve:
            return [self.plan.resolve.rpartition(":")[0]]
        found = self.addresses.get(host)
        if found is None or found[0] < time.monotonic():
            args = (host, name, DNS_TIMEOUT_SECONDS, self.plan.allow_private)
            found = time.monotonic() + DNS_CACHE_SECONDS, await asyncio.to_thread(resolve_host, *args)
            if len(self.addresses) > 100 * MAX_OPEN_HOSTS:
                self.addresses.clear()
            self.addresses[host] = found
        return found[1]

    def _find_transport(self, origin: str) -> httpx.AsyncHTTPTransport:
        transport = self.transports.get(origin)
        if transport is None:
            limits = httpx.Limits(max_keepalive_connections=self.plan.connections, keepalive_expiry=15)
            transport = httpx.AsyncHTTPTransport(verify=self.tls, trust_env=False, limits=limits)
            self.transports[origin] = transport
        self.transports.move_to_end(origin)
        return transport

    async def close_idle(self) -> None:
        """Close the connections of the least recently used hosts."""
        while len(self.transports) > MAX_OPEN_HOSTS + self.plan.requests:
            _, transport = self.transports.popitem(last=False)
            await transport.aclose()

    async def close(self) -> None:
        """Close all connections."""
        for transport in self.transports.values():
            await transport.aclose()

    async def _read_body(
        self, response: httpx.Response, name: str, wants_body: Callable[[int, str], bool], first_bytes: int | None
    ) -> tuple[bytes, Truncation | None]:
        """Return the body as received, and why it is incomplete."""
        if not wants_body(response.status_code, response.headers.get("content-type", "")):
            return b"", "length"
        body = bytearray()
        try:
            async for chunk in response.aiter_raw():
                body += chunk
                if first_bytes is not None and len(body) >= first_bytes:
                    return bytes(body[:first_bytes]), "length"
                if len(body) > self.plan.max_bytes:
                    raise TooBig(f"{name} is larger than {self.plan.max_bytes:,} bytes.")
        except httpx.RemoteProtocolError as problem:
            if body and INCOMPLETE_BODY in str(problem):
                return bytes(body), "disconnect"
            raise
        return bytes(body), None


def _describe(problem: httpx.HTTPError) -> str:
    """Return the message of an httpx error; timeouts have none."""
    if isinstance(problem, httpx.TimeoutException):
        return "timed out"
    return str(problem).rstrip(".") or type(problem).__name__


def _read_extension(response: httpx.Response, name: str, default: bytes) -> bytes:
    value = response.extensions.get(name, default)
    return value if isinstance(value, bytes) else default
