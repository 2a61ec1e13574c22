"""URL → Page: download one page over http or https, within limits of time, size and network.

A URL may come from a stranger, so every hop of a redirect is checked anew: the host is resolved once, all its
addresses must be public, and the connection goes to a checked address itself, never to a second DNS answer.
"""

from __future__ import annotations

import functools
import re
import string
import time
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from bonmun._version import __version__
from bonmun.addresses import resolve_host
from bonmun.errors import FetchFailed, NotHtml, TooBig
from bonmun.options import DEFAULTS, Options, check_kind
from bonmun.page import Page
from bonmun.page.decode import find_encoding

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable

    import httpx

__all__ = ["Download", "check_answer", "check_url", "download", "fetch", "inflate_body", "shorten_url"]

MAX_REDIRECTS = 10
CONNECT_SECONDS = 10.0  # so that a host's next address still gets its turn within the default timeout
REDIRECTS = {301, 302, 303, 307, 308}
# "" is a missing header; what else a page can be called. Page.parse looks at the bytes themselves.
CONTENT_TYPES = {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain"}
CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:+-]+)""", re.ASCII | re.IGNORECASE)
HOST = re.compile(r"[a-z0-9._:-]+")


@dataclass(frozen=True, slots=True)
class Download:
    """What a URL gave: its address after redirects, its bytes, the encoding that the options or the header name."""

    url: str
    body: bytes
    encoding: str | None


def fetch(url: str, options: Options | None = None) -> Page:
    """Download a URL and parse it; FetchFailed, NotHtml or TooBig say why there is no page."""
    options = options or DEFAULTS
    got = download(url, options)
    # servers send charsets that do not exist; what the caller gave must exist
    encoding = options.encoding or (got.encoding if got.encoding and find_encoding(got.encoding) else None)
    return Page.parse(got.body, got.url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)


def download(url: str, options: Options | None = None) -> Download:
    """Download a URL, following redirects, without parsing what comes back."""
    import httpx

    options = options or DEFAULTS
    check_kind("url", url, str, "an address as str")
    check_kind("options", options, Options, "an Options record")
    deadline = time.monotonic() + options.timeout

    def left() -> float:
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    name = shorten_url(url)
    # A kept connection is found again by its address alone, and would serve another host there unverified.
    limits = httpx.Limits(max_keepalive_connections=0)
    with httpx.HTTPTransport(verify=_make_tls(), trust_env=False, limits=limits) as transport:
        target = url
        for _ in range(MAX_REDIRECTS + 1):
            here = check_url(target, name)
            try:
                host = here.raw_host.decode("ascii")
                addresses = resolve_host(host, name, left(), options.allow_private)
                with closing(_request(transport, here, addresses, left)) as response:
                    if response.status_code not in REDIRECTS:
                        charset = check_answer(response.status_code, response.headers.get("content-type", ""), name)
                        body = _read_body(response, name, options.max_bytes)
                        return Download(str(here), body, options.encoding or charset)
                    target = _read_location(response, here, name)
            except (TimeoutError, httpx.TimeoutException) as exc:
                hint = f"try again, or allow more than {options.timeout:g} seconds (Options.timeout)"
                raise FetchFailed(f"{name} did not answer in time; {hint}.") from exc
            except httpx.HTTPError as exc:
                raise FetchFailed(f"{name} could not be fetched: {str(exc).rstrip('.')}.") from exc
            name = f"{shorten_url(target)} (redirected from {shorten_url(url)})"
    raise FetchFailed(f"{shorten_url(url)} redirects more than {MAX_REDIRECTS} times.")


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


def check_answer(status: int, header: str, name: str) -> str | None:
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
    return inflate_body(response.iter_raw(), coding, name, max_bytes)


def inflate_body(chunks: Iterable[bytes], coding: str, name: str, max_bytes: int) -> bytes:
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
