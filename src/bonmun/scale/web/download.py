"""Download one page over HTTP or HTTPS, with limits on time, size and network.

URLs are untrusted, so every hop of a redirect is checked: the host is resolved once, all its addresses must be public,
and the connection goes to one of the checked addresses. A second DNS answer cannot redirect it.
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
from bonmun.options import DEFAULTS, Options
from bonmun.page import Page
from bonmun.page.parse.decode import find_encoding
from bonmun.scale.web.addresses import resolve_host
from bonmun.settings import check_type

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
CONNECT_SECONDS = 10.0  # leaves time for the next address of the host within the default timeout
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
BUSY_STATUSES = {429, 503}
# Content types that a page may have; "" is a missing header. Page.parse looks at the bytes themselves.
CONTENT_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain"}
CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:+-]+)""", re.ASCII | re.IGNORECASE)
NO_TLS = "WRONG_VERSION_NUMBER"  # what OpenSSL says if the server does not answer with TLS
HOST = re.compile(r"[a-z0-9._:-]+")
TLS_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Download:
    """A downloaded page that is not parsed yet."""

    url: str  # after redirects
    body: bytes
    encoding: str | None  # from the options, or else from the Content-Type header


def fetch(url: str, options: Options | None = None) -> Page:
    """Download a web page and parse it.

    `url` is an http or https URL; up to 10 redirects are followed, and `page.url` is the last one. `options` sets the
    timeout, the maximum size, the encoding and whether private networks may be reached (`Options.timeout`, `max_bytes`,
    `encoding`, `allow_private`). No cookies, credentials or proxies are used.

        page = bonmun.fetch("https://example.org/news")
        doc = bonmun.extract(page)

    Raise `FetchFailed` if the URL is invalid, the host cannot be reached or the server returns an error status; its
    subclasses tell some of these cases apart. Raise `NotHtml` if the response is not a web page, `TooBig` if it is
    larger than `max_bytes`, and other kinds of `BadInput` if it cannot be parsed.
    """
    options = options or DEFAULTS
    return parse_download(download(url, options), options)


def parse_download(downloaded: Download, options: Options) -> Page:
    """Parse a downloaded page."""
    # a charset from a server may not exist, and is then ignored; one from the caller must exist
    charset = downloaded.encoding if downloaded.encoding and find_encoding(downloaded.encoding) else None
    encoding = options.encoding or charset
    return Page.parse(downloaded.body, downloaded.url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)


def download(url: str, options: Options | None = None) -> Download:
    """Download a URL and follow redirects, without parsing the page."""
    request = PageRequest(url, options or DEFAULTS)
    while (downloaded := request.send()) is None:
        pass
    return downloaded


class PageRequest:
    """A request for a page, sent once for the URL and once for each redirect.

    request = PageRequest(url, options)
    while (downloaded := request.send()) is None:
        ...                                 # a redirect to request.target
    """

    def __init__(self, url: str, options: Options) -> None:
        check_type("url", url, str, "a URL as str")
        check_type("options", options, Options, "an Options record")
        self.url = self.target = url
        self.options = options
        self.redirects = 0
        self.spent = 0.0  # seconds of the timeout
        self.name = shorten_url(url)  # for error messages

    @property
    def host(self) -> str:
        """Host and port of the next request. Raise FetchFailed if the URL is invalid."""
        return check_url(self.target, self.name).netloc.decode("ascii").lower()

    def send(self) -> Download | None:
        """Send one request. Return None for a redirect, and raise FetchFailed if there is no page."""
        import httpx

        start = time.monotonic()
        deadline = start + self.options.timeout - self.spent

        def left() -> float:
            seconds = deadline - time.monotonic()
            if seconds <= 0:
                raise TimeoutError
            return seconds

        # httpx would reuse an open connection for any host at the same address, without verifying that host.
        limits = httpx.Limits(max_keepalive_connections=0)
        try:
            with httpx.HTTPTransport(verify=_find_tls(), trust_env=False, limits=limits) as transport:
                return self._send(transport, left)
        except (TimeoutError, httpx.TimeoutException) as exc:
            hint = f"try again, or allow more than {self.options.timeout:g} seconds (Options.timeout)"
            raise HostSilent(f"{self.name} did not answer in time; {hint}.") from exc
        except httpx.HTTPError as exc:
            kind = HostSilent if isinstance(exc, httpx.ConnectError) else AnswerBroken
            hint = "; try http:// instead" if NO_TLS in str(exc) else ""
            raise kind(f"{self.name} could not be fetched: {str(exc).rstrip('.')}{hint}.") from exc
        finally:
            self.spent += time.monotonic() - start

    def _send(self, transport: httpx.HTTPTransport, left: Callable[[], float]) -> Download | None:
        here, options = check_url(self.target, self.name), self.options
        addresses = resolve_host(here.raw_host.decode("ascii"), self.name, left(), options.allow_private)
        with closing(_request(transport, here, addresses, left)) as response:
            if response.status_code not in REDIRECT_STATUSES:
                if response.status_code in BUSY_STATUSES:
                    raise _make_host_busy(response, self.name)
                charset = check_response(response.status_code, response.headers.get("content-type", ""), self.name)
                body = _read_body(response, self.name, options.max_bytes)
                return Download(str(here), body, options.encoding or charset)
            self.target = _read_location(response, here, self.name)
        self.redirects += 1
        if self.redirects > MAX_REDIRECTS:
            raise FetchFailed(f"{shorten_url(self.url)} redirects more than {MAX_REDIRECTS} times.")
        self.name = f"{shorten_url(self.target)} (redirected from {shorten_url(self.url)})"
        return None


def _make_host_busy(response: httpx.Response, name: str) -> HostBusy:
    """Return the error for a busy host, with the delay of its Retry-After header: seconds, a date, or nothing."""
    from email.utils import parsedate_to_datetime  # rarely needed

    retry_after = str(response.headers.get("retry-after", "")).strip()
    seconds = None
    if retry_after.isdecimal() and retry_after.isascii():
        seconds = float(retry_after[:9])
    elif retry_after:
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            seconds = max(0.0, (parsedate_to_datetime(retry_after[:60]) - datetime.now(UTC)).total_seconds())
    return HostBusy(f"{name} answered with status {response.status_code}.", seconds)


def _find_tls() -> ssl.SSLContext:
    with TLS_LOCK:  # creating the context is slow, and several threads may need it at once
        return _make_tls()


@functools.cache
def _make_tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context(trust_env=False)


def shorten_url(url: str) -> str:
    """Return a URL for an error message: shortened, without passwords and control characters."""
    url = re.sub(r"//[^/?#]*@", "//", url)
    return "".join(char for char in url[:200] if char.isprintable())


def check_url(url: str, name: str) -> httpx.URL:
    """Return the parsed URL. Raise FetchFailed if it cannot be fetched; `name` stands for it in the message."""
    import httpx

    try:
        parsed = httpx.URL(url.strip()).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as exc:
        raise FetchFailed(f"{name} is not a valid URL: {exc}") from exc
    if parsed.scheme not in ("http", "https"):
        hint = f"not {parsed.scheme}" if parsed.scheme else "so put https:// before it"
        raise FetchFailed(f"{name} cannot be fetched: only http and https URLs are supported, {hint}.")
    if parsed.userinfo:
        raise FetchFailed(f"{name} contains a user name or password; remove it, since bonmun does not log in.")
    if not HOST.fullmatch(parsed.raw_host.decode("ascii")):
        raise FetchFailed(f"{name} is not a valid URL: its host is missing or has invalid characters.")
    if parsed.port is not None and not 0 < parsed.port < 65536:
        raise FetchFailed(f"{name} is not a valid URL: port {parsed.port} is out of range.")
    return parsed


def _request(
    transport: httpx.HTTPTransport, url: httpx.URL, addresses: list[str], left: Callable[[], float]
) -> httpx.Response:
    """Try the addresses in turn. Return the first response, with an unread body."""
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
        # the timeout of httpx starts again with every byte received
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info["return_value"]
            for step in ("start_tls", "read", "write"):
                setattr(stream, step, limit_step(getattr(stream, step)))

    def send(address: str) -> httpx.Response:
        timeout = httpx.Timeout(left(), connect=min(left(), CONNECT_SECONDS)).as_dict()
        extensions = {"timeout": timeout, "sni_hostname": sni, "trace": limit_time}
        request = httpx.Request("GET", url.copy_with(host=address), headers=headers, extensions=extensions)
        return transport.handle_request(request)

    *others, last = addresses
    for address in others:
        with suppress(httpx.ConnectError, httpx.ConnectTimeout):
            return send(address)
    return send(last)


def _read_location(response: httpx.Response, here: httpx.URL, name: str) -> str:
    location: str = response.headers.get("location", "")
    if not location:
        raise FetchFailed(f"{name} redirects without a Location header.")
    if response.headers.encoding == "iso-8859-1":
        # bytes in a legacy encoding such as EUC-KR: send them back to the server unchanged
        location = quote(location, safe=string.punctuation, encoding="latin-1")
    with suppress(ValueError):  # an invalid URL is refused later
        location = urljoin(str(here), location)
    return location


def check_response(status: int, header: str, name: str) -> str | None:
    """Raise if the status or the Content-Type header rules out a page. Return the charset of the header."""
    if not 200 <= status < 300:
        raise FetchFailed(f"{name} answered with status {status}.")
    content_type = re.split("[;,]", header)[0].strip().lower()
    if content_type not in CONTENT_TYPES:
        raise NotHtml(f"{name} is {content_type}, not HTML.")
    charset = CHARSET.search(header)
    return charset[1] if charset else None


def _read_body(response: httpx.Response, name: str, max_bytes: int) -> bytes:
    """Read and decompress the body. Raise TooBig as soon as it exceeds the limit."""
    if int(response.headers.get("content-length", 0)) > max_bytes:
        raise _make_too_big(name, max_bytes)
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    return decompress_body(response.iter_raw(), coding, name, max_bytes)


def decompress_body(chunks: Iterable[bytes], coding: str, name: str, max_bytes: int) -> bytes:
    """Decompress a body from non-empty chunks. Raise TooBig as soon as it exceeds the limit."""
    if coding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise FetchFailed(f"{name} is compressed as {coding}, which is not supported.")
    body, inflate = bytearray(), None
    try:
        for chunk in chunks:
            if coding != "identity" and not inflate:
                # "deflate" data should have a zlib header (first byte ends in 8), but some servers omit it
                wbits = 31 if "gzip" in coding else 15 if chunk[0] & 15 == 8 else -15
                inflate = zlib.decompressobj(wbits)
            # with a limit, which the decoder of httpx lacks: one chunk could fill the memory
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
    return TooBig(f"{name} is larger than {max_bytes} bytes; increase Options.max_bytes.")
