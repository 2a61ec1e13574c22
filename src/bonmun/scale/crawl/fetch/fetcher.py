"""A URL in, an exchange out: asked with httpx, within limits of time, size and network, and kept as it was received.

Redirects are not followed: where one leads is a URL of its own, with its own turn. As in `bonmun.scale.web.download`,
the connection
goes to an address that was checked. A host keeps its connections, and no other host gets them.
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

    from bonmun.scale.crawl.fetch.exchange import Cut
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["Fetcher"]

OPEN_HOSTS = 256  # whose connections are kept
RESOLVED_SECONDS = 300.0  # that an address of a host counts
RESOLVE_SECONDS = 20.0
CONNECT_SECONDS = 10.0
CUT_SHORT = "peer closed connection"  # says httpx where a body ends before its announced length


class Fetcher:
    """Asks hosts for what is at a URL."""

    def __init__(self, plan: CrawlPlan) -> None:
        self.plan = plan
        self.agent = f"{plan.agent}/{__version__} (+https://pypi.org/project/bonmun/)"
        self.tls = httpx.create_ssl_context(trust_env=False)
        self.transports: OrderedDict[str, httpx.AsyncHTTPTransport] = OrderedDict()  # the last used at the end
        self.addresses: dict[str, tuple[float, list[str]]] = {}
        self.room = asyncio.Semaphore(plan.requests)
        self.port = int(plan.resolve.rpartition(":")[2]) if plan.resolve else None
        self.timeout = httpx.Timeout(plan.timeout, connect=min(CONNECT_SECONDS, plan.timeout)).as_dict()

    async def fetch(
        self,
        url: str,
        more_headers: dict[str, str],
        reads: Callable[[int, str], bool],
        first_bytes: int | None = None,
    ) -> Exchange:
        """Ask for a URL; `reads` says by status and content type whether the body is worth reading.

        With `first_bytes` the rest of a longer body is left where it is; else one that is too long is an error.
        FetchFailed, TooBig or AddressRefused say why there is no answer.
        """
        name = shorten_url(url)
        async with self.room:
            try:
                async with asyncio.timeout(self.plan.timeout):
                    return await self._ask(url, name, more_headers, reads, first_bytes)
            except (httpx.ConnectError, httpx.ConnectTimeout) as problem:
                raise HostSilent(f"{name} could not be connected to: {_describe(problem)}.") from problem
            except (TimeoutError, httpx.TimeoutException) as problem:
                raise FetchFailed(f"{name} did not answer within {self.plan.timeout:g} seconds.") from problem
            except httpx.HTTPError as problem:
                raise FetchFailed(f"{name} could not be fetched: {_describe(problem)}.") from problem

    async def _ask(
        self,
        url: str,
        name: str,
        more_headers: dict[str, str],
        reads: Callable[[int, str], bool],
        first_bytes: int | None,
    ) -> Exchange:
        here = check_url(url, name)
        started, clock = datetime.now(UTC), time.monotonic()
        headers = {
            "Host": here.netloc.decode("ascii"),
            "User-Agent": self.agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",
            **more_headers,
        }
        transport = self._find_transport(f"{here.scheme}://{headers['Host']}")
        address, request, response = await self._send(transport, here, name, headers)
        try:
            body, cut = await self._read_body(response, name, reads, first_bytes)
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
            cut=cut,
        )

    async def _send(
        self, transport: httpx.AsyncHTTPTransport, here: httpx.URL, name: str, headers: dict[str, str]
    ) -> tuple[str, httpx.Request, httpx.Response]:
        """Ask the addresses of a host in turn until one can be connected to; the body is still to be read."""
        host = here.raw_host.decode("ascii")
        *others, last = await self._resolve(host, name)
        extensions = {"timeout": self.timeout, "sni_hostname": host.rstrip(".")}

        async def ask(address: str) -> tuple[str, httpx.Request, httpx.Response]:
            target = here.copy_with(host=address, port=self.port or here.port)
            request = httpx.Request("GET", target, headers=headers, extensions=extensions)
            return address, request, await transport.handle_async_request(request)

        for address in others:
            try:
                return await ask(address)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await ask(last)

    async def _resolve(self, host: str, name: str) -> list[str]:
        if self.plan.resolve:
            return [self.plan.resolve.rpartition(":")[0]]
        found = self.addresses.get(host)
        if found is None or found[0] < time.monotonic():
            args = (host, name, RESOLVE_SECONDS, self.plan.allow_private)
            found = time.monotonic() + RESOLVED_SECONDS, await asyncio.to_thread(resolve_host, *args)
            if len(self.addresses) > 100 * OPEN_HOSTS:
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

    async def tidy(self) -> None:
        """Close the connections of hosts that were not asked for long."""
        while len(self.transports) > OPEN_HOSTS + self.plan.requests:
            _, transport = self.transports.popitem(last=False)
            await transport.aclose()

    async def close(self) -> None:
        """Close all connections."""
        for transport in self.transports.values():
            await transport.aclose()

    async def _read_body(
        self, response: httpx.Response, name: str, reads: Callable[[int, str], bool], first_bytes: int | None
    ) -> tuple[bytes, Cut | None]:
        """The body as it comes; none where nobody wants it."""
        if not reads(response.status_code, response.headers.get("content-type", "")):
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
            if body and CUT_SHORT in str(problem):
                return bytes(body), "disconnect"
            raise
        return bytes(body), None


def _describe(problem: httpx.HTTPError) -> str:
    """What httpx says of a problem; of time that is over it says nothing."""
    if isinstance(problem, httpx.TimeoutException):
        return "it took too long"
    return str(problem).rstrip(".") or type(problem).__name__


def _read_extension(response: httpx.Response, name: str, default: bytes) -> bytes:
    value = response.extensions.get(name, default)
    return value if isinstance(value, bytes) else default
