"""URL → Page: download one page over http or https, within limits of time, size and network.

A URL may come from a stranger, so every hop of a redirect is checked anew: the host is resolved once, all its
addresses must be public, and the connection goes to a checked address itself, never to a second DNS answer.
"""

from __future__ import annotations

import functools
import re
import string
import threading
import time
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from bonmun._version import __version__
from bonmun.errors import AnswerBroken, FetchFailed, HostBusy, HostSilent, NotHtml, TooBig
from bonmun.options import DEFAULTS, Options, check_kind
from bonmun.page import Page
from bonmun.page.parse.decode import find_encoding
from bonmun.scale.web.addresses import resolve_host

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable

    import httpx

__all__ = [
    "Download",
    "PageRequest",
    "check_response",
    "check_url",
    "decompress_body",
    "download",
    "fetch",
    "parse_download",
    "shorten_url",
]

MAX_REDIRECTS = 10
CONNECT_SECONDS = 10.0  # so that a host's next address still gets its turn within the default timeout
REDIRECTS = {301, 302, 303, 307, 308}
BUSY = {429, 503}
# "" is a missing header; what else a page can be called. Page.parse looks at the bytes themselves.
CONTENT_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain"}
CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:+-]+)""", re.ASCII | re.IGNORECASE)
HOST = re.compile(r"[a-z0-9._:-]+")
MAKING_TLS = threading.Lock()


@dataclass(frozen=True, slots=True)
class Download:
    """What a URL gave: its address after redirects, its bytes, the encoding that the options or the header name."""

    url: str
    body: bytes
    encoding: str | None


def fetch(url: str, options: Options | None = None) -> Page:
    """Download a URL and parse it; FetchFailed, NotHtml or TooBig say why there is no page."""
    options = options or DEFAULTS
    return parse_download(download(url, options), options)


def parse_download(got: Download, options: Options) -> Page:
    """The page that was downloaded."""
    # servers send charsets that do not exist; what the caller gave must exist
    encoding = options.encoding or (got.encoding if got.encoding and find_encoding(got.encoding) else None)
    return Page.parse(got.body, got.url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)


def download(url: str, options: Options | None = None) -> Download:
    """Download a URL, following redirects, without parsing what comes back."""
    visit = PageRequest(url, options or DEFAULTS)
    while (got := visit.ask()) is None:
        pass
    return got


class PageRequest:
    """A URL on its way to a download: it is asked for, and then what each redirect leads to.

    visit = PageRequest(url, options)
    while (got := visit.ask()) is None:
        ...                                 # a redirect to visit.target
    """

    def __init__(self, url: str, options: Options) -> None:
        check_kind("url", url, str, "an address as str")
        check_kind("options", options, Options, "an Options record")
        self.url = self.target = url
        self.options = options
        self.redirects = 0
        self.spent = 0.0  # seconds, of those that the options allow
        self.name = shorten_url(url)  # what messages call it

    @property
    def host(self) -> str:
        """The host that is asked next, with its port; FetchFailed says what is wrong with the URL."""
        return check_url(self.target, self.name).netloc.decode("ascii").lower()

    def ask(self) -> Download | None:
        """Ask once; None is a redirect. Errors of the FetchFailed kind say why nothing came."""
        import httpx

        start = time.monotonic()
        deadline = start + self.options.timeout - self.spent

        def left() -> float:
            seconds = deadline - time.monotonic()
            if seconds <= 0:
                raise TimeoutError
            return seconds

        # A kept connection is found again by its address alone, and would serve another host there unverified.
        limits = httpx.Limits(max_keepalive_connections=0)
        try:
            with httpx.HTTPTransport(verify=_find_tls(), trust_env=False, limits=limits) as transport:
                return self._ask(transport, left)
        except (TimeoutError, httpx.TimeoutException) as exc:
            hint = f"try again, or allow more than {self.options.timeout:g} seconds (Options.timeout)"
            raise HostSilent(f"{self.name} did not answer in time; {hint}.") from exc
        except httpx.HTTPError as exc:
            kind = HostSilent if isinstance(exc, httpx.ConnectError) else AnswerBroken
            raise kind(f"{self.name} could not be fetched: {str(exc).rstrip('.')}.") from exc
        finally:
            self.spent += time.monotonic() - start

    def _ask(self, transport: httpx.HTTPTransport, left: Callable[[], float]) -> Download | None:
        here, options = check_url(self.target, self.name), self.options
        addresses = resolve_host(here.raw_host.decode("ascii"), self.name, left(), options.allow_private)
        with closing(_request(transport, here, addresses, left)) as response:
            if response.status_code not in REDIRECTS:
                if response.status_code in BUSY:
                    raise _make_busy(response, self.name)
                charset = check_response(response.status_code, response.headers.get("content-type", ""), self.name)
                body = _read_body(response, self.name, options.max_bytes)
                return Download(str(here), body, options.encoding or charset)
            self.target = _read_location(response, here, self.name)
        self.redirects += 1
        if self.redirects > MAX_REDIRECTS:
            raise FetchFailed(f"{shorten_url(self.url)} redirects more than {MAX_REDIRECTS} times.")
        self.name = f"{shorten_url(self.target)} (redirected from {shorten_url(self.url)})"
        return None


def _make_busy(response: httpx.Response, name: str) -> HostBusy:
    """What a host means that asks for patience: a number of seconds, a time of day, or nothing."""
    from email.utils import parsedate_to_datetime  # which is rarely needed

    said = str(response.headers.get("retry-after", "")).strip()
    seconds = None
    if said.isdecimal() and said.isascii():
        seconds = float(said[:9])
    elif said:
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            seconds = max(0.0, (parsedate_to_datetime(said[:60]) - datetime.now(UTC)).total_seconds())
    return HostBusy(f"{name} answered with status {response.status_code}.", seconds)


def _find_tls() -> ssl.SSLContext:
    with MAKING_TLS:  # it takes a while, and several threads may want one at once
        return _make_tls()


@functools.cache
def _make_tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context(trust_env=False)


def shorten_url(url: str) -> str:
    """Shorten a URL for a message and leave out control characters and passwords."""
    url = re.sub(r"//[^/?#]*@", "//", url)
    return "".join(char for char in url[:200] if char.isprintable())


def check_url(url: str, name: str) -> httpx.URL:
    """Read a URL that can be fetched; FetchFailed says why one cannot. `name` is what messages call it."""
    import httpx

    try:
        parsed = httpx.URL(url.strip()).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as exc:
        raise FetchFailed(f"{name} is not a valid URL: {exc}") from exc
    if parsed.scheme not in ("http", "https"):
        hint = f"not {parsed.scheme}" if parsed.scheme else "so put https:// before it"
        raise FetchFailed(f"{name} cannot be fetched: only http and https URLs can, {hint}.")
    if parsed.userinfo:
        raise FetchFailed(f"{name} comes with a user name or password; take it out, bonmun does not log in.")
    if not HOST.fullmatch(parsed.raw_host.decode("ascii")):
        raise FetchFailed(f"{name} is not a valid URL: it has no host, or one with characters no host can have.")
    if parsed.port is not None and not 0 < parsed.port < 65536:
        raise FetchFailed(f"{name} is not a valid URL: there is no port {parsed.port}.")
    return parsed


def _request(
    transport: httpx.HTTPTransport, url: httpx.URL, addresses: list[str], left: Callable[[], float]
) -> httpx.Response:
    """Ask the addresses in turn until one can be connected to; the body is still to be read."""
    import httpx

    headers = {
        "Host": url.netloc.decode("ascii"),
        "User-Agent": f"bonmun/{__version__} (+https://pypi.org/project/bonmun/)",
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.1",
        "Accept-Encoding": "gzip, deflate",
    }
    sni = url.raw_host.decode("ascii").rstrip(".")

    def limit_step(step: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, timeout, **kwargs: step(*args, timeout=min(timeout, left()), **kwargs)

    def limit_time(event: str, info: dict[str, Any]) -> None:
        # httpx's own time limit starts anew with every byte that comes
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info["return_value"]
            for step in ("start_tls", "read", "write"):
                setattr(stream, step, limit_step(getattr(stream, step)))

    def ask(address: str) -> httpx.Response:
        timeout = httpx.Timeout(left(), connect=min(left(), CONNECT_SECONDS)).as_dict()
        extensions = {"timeout": timeout, "sni_hostname": sni, "trace": limit_time}
        request = httpx.Request("GET", url.copy_with(host=address), headers=headers, extensions=extensions)
        return transport.handle_request(request)

    *others, last = addresses
    for address in others:
        with suppress(httpx.ConnectError, httpx.ConnectTimeout):
            return ask(address)
    return ask(last)


def _read_location(response: httpx.Response, here: httpx.URL, name: str) -> str:
    location: str = response.headers.get("location", "")
    if not location:
        raise FetchFailed(f"{name} redirects without saying where to.")
    if response.headers.encoding == "iso-8859-1":
        # bytes of a legacy encoding such as EUC-KR: the server wants them back unchanged
        location = quote(location, safe=string.punctuation, encoding="latin-1")
    with suppress(ValueError):  # then it is no valid URL by itself either, and refused as such
        location = urljoin(str(here), location)
    return location


def check_response(status: int, header: str, name: str) -> str | None:
    """Refuse what cannot be a page, by its status and its content type; give the charset that the latter names."""
    if not 200 <= status < 300:
        raise FetchFailed(f"{name} answered with status {status}.")
    content_type = re.split("[;,]", header)[0].strip().lower()
    if content_type not in CONTENT_TYPES:
        raise NotHtml(f"{name} is {content_type}, not HTML.")
    charset = CHARSET.search(header)
    return charset[1] if charset else None


def _read_body(response: httpx.Response, name: str, max_bytes: int) -> bytes:
    """Read and decompress the body, stopping where it goes over the limit."""
    if int(response.headers.get("content-length", 0)) > max_bytes:
        raise _make_too_big(name, max_bytes)
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    return decompress_body(response.iter_raw(), coding, name, max_bytes)


def decompress_body(chunks: Iterable[bytes], coding: str, name: str, max_bytes: int) -> bytes:
    """Decompress a body that comes in pieces, none of them empty, stopping where it goes over the limit."""
    if coding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise FetchFailed(f"{name} is compressed as {coding}, which was not asked for and cannot be read.")
    body, inflate = bytearray(), None
    try:
        for chunk in chunks:
            if coding != "identity" and not inflate:
                # "deflate" has a zlib header, whose first byte ends in 8, or wrongly none
                wbits = 31 if "gzip" in coding else 15 if chunk[0] & 15 == 8 else -15
                inflate = zlib.decompressobj(wbits)
            # httpx's decoder has no limit: one chunk could fill the memory
            body += inflate.decompress(chunk, max_bytes + 1 - len(body)) if inflate else chunk
            if len(body) > max_bytes:
                raise _make_too_big(name, max_bytes)
            if inflate and inflate.eof:
                break
    except zlib.error as exc:
        raise FetchFailed(f"{name} sent broken {coding} data: {exc}.") from exc
    if inflate and not inflate.eof:
        raise FetchFailed(f"{name} sent {coding} data that ends too early.")
    return bytes(body)


def _make_too_big(name: str, max_bytes: int) -> TooBig:
    return TooBig(f"{name} is larger than {max_bytes} bytes; raise Options.max_bytes to read it.")
