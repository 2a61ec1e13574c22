from __future__ import annotations

import gzip
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bonmun import __version__
from bonmun.errors import AddressRefused, BadConfig, BonmunError, FetchFailed, NotHtml, TooBig
from bonmun.options import Options
from bonmun.scale.web.addresses import is_public
from bonmun.scale.web.download import Download, download, fetch
from timing import repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Route = Callable[[BaseHTTPRequestHandler], None]

LOCAL = Options(allow_private=True)
HTML = b"<!doctype html><title>t</title><p>A paragraph.</p>"
GZIPPED = gzip.compress(HTML, mtime=0)
PUBLIC = "93.184.215.14"


class Site(ThreadingHTTPServer):
    """A server on 127.0.0.1 with a function for each path, which records its requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.routes: dict[str, Route] = {}
        self.asked: list[BaseHTTPRequestHandler] = []

    def serve(self, path: str, route: Route) -> str:
        self.routes[path] = route
        return self.url(path)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_port}{path}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log nothing: clients that disconnect are expected."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self)
        self.server.routes[self.path.partition("?")[0]](self)

    def log_message(self, *args: Any) -> None:
        pass


def answer(body: bytes = HTML, status: int = 200, **headers: str) -> Route:
    def route(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"content_type": "text/html", "content_length": str(len(body)), **headers}.items():
            if value:
                handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return route


def redirect(location: str, status: int = 302) -> Route:
    return answer(b"", status, location=location)


def raw(*parts: bytes, pause: float = 0.0) -> Route:
    """Write the parts unchanged, headers included, and close the connection."""

    def route(handler: BaseHTTPRequestHandler) -> None:
        for part in parts:
            handler.wfile.write(part)
            time.sleep(pause)
        handler.close_connection = True

    return route


@pytest.fixture(scope="module")
def running() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def site(running: Site) -> Site:
    running.routes.clear()
    running.asked.clear()
    running.serve("/", answer())
    return running


@pytest.fixture(autouse=True)
def dialed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the addresses of all connection attempts; allow only 127.0.0.1 and ::1."""
    addresses: list[str] = []
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        addresses.append(address[0])
        if address[0] not in ("127.0.0.1", "::1"):
            raise ConnectionRefusedError(111, "Connection refused")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    return addresses


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """A fake name server, from name to addresses. Each name resolves only once; other names do not resolve."""
    table: dict[str, list[str]] = {}
    getaddrinfo = socket.getaddrinfo

    def lookup(host: str, *args: Any, **kwargs: Any) -> list[Any]:
        if host not in table:
            return getaddrinfo(host, *args, **{**kwargs, "flags": socket.AI_NUMERICHOST})
        return [info for address in table.pop(host) for info in getaddrinfo(address, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return table


def test_a_page_comes_back_with_its_url_and_bytes(site: Site) -> None:
    assert download(site.url("/"), LOCAL) == Download(site.url("/"), HTML, None)


def test_the_request_names_bonmun_and_carries_nothing_else(site: Site) -> None:
    download(site.url("/"), LOCAL)
    sent = site.asked[0].headers
    assert sent["User-Agent"] == f"bonmun/{__version__} (+https://pypi.org/project/bonmun/)"
    assert sent["Accept-Encoding"] == "gzip, deflate"
    assert sent["Host"] == f"127.0.0.1:{site.server_port}"
    assert "Cookie" not in sent
    assert "Authorization" not in sent


def test_proxy_variables_are_ignored(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert download(site.url("/"), LOCAL).body == HTML


def test_the_fragment_is_neither_sent_nor_kept(site: Site) -> None:
    assert download(site.url("/?q=1#part"), LOCAL).url == site.url("/?q=1")
    assert site.asked[0].path == "/?q=1"


@pytest.mark.slow
def test_importing_loads_no_httpx() -> None:
    code = "import sys, bonmun, bonmun.scale.web.download; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Names and addresses


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://192.168.0.1/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://[::ffff:127.0.0.1]/",
        "https://[::]:8443/",
    ],
)
def test_private_addresses_are_refused_before_connecting(url: str, dialed: list[str]) -> None:
    with pytest.raises(AddressRefused, match="not a public address"):
        download(url)
    assert dialed == []


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.255.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.192",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:0:808:808:0:0:80ff:fffe",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:c0a8:101::",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", PUBLIC, "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "2606:4700::6810:84e5"],
)
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("addresses", [[PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, "::1"]])
def test_a_host_with_one_private_address_is_refused(
    addresses: list[str], names: dict[str, list[str]], dialed: list[str]
) -> None:
    names["two.example"] = addresses
    with pytest.raises(AddressRefused, match=r"two\.example"):
        download("http://two.example/")
    assert dialed == []


def test_a_redirect_to_a_private_address_is_refused(
    site: Site, dialed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["bonmun.scale.web.addresses"], "is_public", lambda address: address == "127.0.0.1")
    url = site.serve("/out", redirect(site.url("/", host="127.0.0.2")))
    with pytest.raises(AddressRefused, match=r"127\.0\.0\.2.*redirected from http://127\.0\.0\.1"):
        download(url)
    assert dialed == ["127.0.0.1"]


def test_the_connection_goes_to_the_checked_address(names: dict[str, list[str]], dialed: list[str]) -> None:
    names["once.example"] = [PUBLIC]  # a second lookup would fail
    with pytest.raises(FetchFailed, match="refused"):
        download("http://once.example/")
    assert dialed == [PUBLIC]
    assert names == {}


def test_the_next_address_is_tried_if_one_refuses(site: Site, names: dict[str, list[str]], dialed: list[str]) -> None:
    names["two.example"] = ["127.0.0.2", "127.0.0.1"]
    assert download(site.url("/", host="two.example"), LOCAL).body == HTML
    assert dialed == ["127.0.0.2", "127.0.0.1"]


def test_the_host_header_and_the_final_url_keep_the_name(site: Site, names: dict[str, list[str]]) -> None:
    names["page.example"] = ["127.0.0.1"]
    assert download(site.url("/", host="page.example"), LOCAL).url == site.url("/", host="page.example")
    assert site.asked[0].headers["Host"] == f"page.example:{site.server_port}"


def test_hangul_host_names_are_encoded(site: Site, names: dict[str, list[str]]) -> None:
    names["xn--3e0b707e.example"] = ["127.0.0.1"]
    site.serve("/%EA%B0%80", answer())
    download(site.url("/가?나=다", host="한국.example"), LOCAL)
    assert site.asked[0].headers["Host"] == f"xn--3e0b707e.example:{site.server_port}"
    assert site.asked[0].path == "/%EA%B0%80?%EB%82%98=%EB%8B%A4"


@pytest.mark.parametrize("host", ["secure.example", "secure.example."])
def test_tls_verifies_the_host_name_not_the_address(host: str, names: dict[str, list[str]]) -> None:
    names[host] = ["127.0.0.1"]
    hello = b""

    def hang_up() -> None:
        nonlocal hello
        connection, _ = listener.accept()
        with connection:
            hello = connection.recv(4096)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(FetchFailed, match=r"secure\.example"):
            download(f"https://{host}:{listener.getsockname()[1]}/", LOCAL)
        thread.join()
    assert b"secure.example" in hello
    assert b"secure.example." not in hello


def test_an_unknown_host(names: dict[str, list[str]], dialed: list[str]) -> None:
    with pytest.raises(FetchFailed, match="not found"):
        download("http://nowhere.example/")
    assert dialed == []


# URLs


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/a", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("data:text/html,hi", "only http and https"),
        ("example.com/page", "put https://"),
        ("", "put https://"),
        ("http://", "host"),
        ("http:///path", "host"),
        ("http://?q", "host"),
        ("http://a b/", "host"),
        ("http://a%00b/", "host"),
        ("http://<script>/", "host"),
        ("http://host:port/", "not a valid URL"),
        ("http://host:0/", "port"),
        ("http://host:-1/", "port"),
        ("http://host:99999/", "port"),
        ("http://[::1/", "not a valid URL"),
        ("http://[fe80::1%25eth0]/", "not a valid URL"),
        ("http://999.0.0.1/", "not a valid URL"),
        ("http://a\nb/", "not a valid URL"),
        ("http://a/\x00", "not a valid URL"),
        ("http://\ud800/", "not a valid URL"),
        ("http://a/\ud800", "not a valid URL"),
        ("http://♥.example/", "not a valid URL"),
        (f"http://{'가' * 64}.example/", "not a valid URL"),
        (f"http://{'a' * 64}.example/", "not found"),
        ("http://a..b/", "not found"),
        ("http://.example/", "not found"),
        ("http://a/" + "a" * 70_000, "not a valid URL"),
        ("http://user@example.com/", "does not log in"),
        ("http://user:secret@example.com/", "does not log in"),
        ("http://user:secret@example.com:port/", "not a valid URL"),
        ("http://example.com\\@127.0.0.1/", "does not log in"),
    ],
)
def test_malformed_urls(url: str, reason: str, names: dict[str, list[str]], dialed: list[str]) -> None:
    with pytest.raises(FetchFailed, match=reason) as caught:
        download(url)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert dialed == []


@example("http://[")
@example("http://xn--a/")
@given(st.one_of(st.text(), st.text().map("http://".__add__), st.from_regex(r"https?://[\w.:@\[\]%-]{1,20}/?")))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_url_raises_only_fetch_failed(names: dict[str, list[str]], url: str) -> None:
    with pytest.raises(FetchFailed):
        download(url)


@pytest.mark.parametrize(
    "location", ["http://[", "http://a b/", "http://ex℀mple.com/", "http://h:99999/", "http://u:p@h/"]
)
def test_redirects_to_malformed_urls(location: str, site: Site) -> None:
    url = site.serve("/out", redirect(location.encode().decode("latin-1")))
    with pytest.raises(FetchFailed, match="redirected from"):
        download(url, LOCAL)
    assert len(site.asked) == 1


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(status: int, site: Site) -> None:
    site.serve("/a/from", redirect("../to?x=1#part", status))
    site.serve("/to", answer())
    assert download(site.url("/a/from"), LOCAL).url == site.url("/to?x=1")


def test_each_hop_opens_a_new_connection(site: Site) -> None:
    download(site.serve("/from", redirect("/")), LOCAL)
    assert len({handler.client_address for handler in site.asked}) == 2


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)"])
def test_redirects_to_other_schemes_are_refused(location: str, site: Site) -> None:
    with pytest.raises(FetchFailed, match="only http and https"):
        download(site.serve("/out", redirect(location)), LOCAL)


def hops(handler: BaseHTTPRequestHandler) -> None:
    still = int(handler.path.partition("?")[2])
    (redirect(f"/hops?{still - 1}") if still else answer())(handler)


def test_ten_redirects_are_followed(site: Site) -> None:
    site.serve("/hops", hops)
    assert download(site.url("/hops?10"), LOCAL).url == site.url("/hops?0")


def test_eleven_redirects_are_too_many(site: Site) -> None:
    site.serve("/hops", hops)
    with pytest.raises(FetchFailed, match="more than 10 times"):
        download(site.url("/hops?11"), LOCAL)


def test_a_redirect_loop_ends(site: Site) -> None:
    with pytest.raises(FetchFailed, match="more than 10 times"):
        download(site.serve("/loop", redirect("/loop")), LOCAL)
    assert len(site.asked) == 11


def test_a_redirect_without_location(site: Site) -> None:
    with pytest.raises(FetchFailed, match="without a Location header"):
        download(site.serve("/out", answer(b"", 302)), LOCAL)


@pytest.mark.parametrize("encoding", ["utf-8", "euc-kr"])
def test_location_bytes_are_sent_back_unchanged(encoding: str, site: Site) -> None:
    site.serve("/from", redirect("/?q=" + "한국".encode(encoding).decode("latin-1")))
    download(site.url("/from"), LOCAL)
    assert site.asked[1].path == "/?q=" + "".join(f"%{byte:02X}" for byte in "한국".encode(encoding))


# Time


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "route",
    [
        raw(b"", pause=1.5),
        raw(HEAD, b"\r\n", *[b"."] * 30, pause=0.05),
        raw(HEAD, *[b"X"] * 30, pause=0.05),
        raw(HEAD, b"Transfer-Encoding: chunked\r\n\r\n1;", *[b"x"] * 30, pause=0.05),
        raw(*[b"HTTP/1.1 103 Early Hints\r\n\r\n"] * 100_000),
    ],
    ids=["silent", "dripping body", "dripping header", "dripping chunk size", "endless hints"],
)
@repeated
def test_a_slow_server_times_out(route: Route, site: Site) -> None:
    start = time.monotonic()
    with pytest.raises(FetchFailed, match=r"in time.*0\.3 seconds"):
        download(site.serve("/slow", route), Options(allow_private=True, timeout=0.3))
    assert time.monotonic() - start < 1


@pytest.mark.slow
@repeated
def test_redirects_share_one_timeout(site: Site) -> None:
    site.asked.clear()

    def dawdle(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.1)
        redirect("/loop")(handler)

    with pytest.raises(FetchFailed, match="in time"):
        download(site.serve("/loop", dawdle), Options(allow_private=True, timeout=0.3))
    assert 2 <= len(site.asked) <= 4


def test_a_slow_name_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = threading.Event()

    def lookup(*args: Any, **kwargs: Any) -> list[Any]:
        waiting.wait(5)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(FetchFailed, match="in time"):
        download("http://slow.example/", Options(timeout=0.1))
    waiting.set()


# Size


def test_a_body_at_the_limit_is_read(site: Site) -> None:
    url = site.serve("/", answer(b"x" * 1000))
    assert len(download(url, Options(allow_private=True, max_bytes=1000)).body) == 1000
    with pytest.raises(TooBig, match="999 bytes"):
        download(url, Options(allow_private=True, max_bytes=999))


def test_a_content_length_over_the_limit_is_refused(site: Site) -> None:
    url = site.serve("/", raw(HEAD + b"Content-Length: 2000\r\n\r\n"))
    with pytest.raises(TooBig):
        download(url, Options(allow_private=True, max_bytes=1999))


def test_an_endless_body_is_refused(site: Site) -> None:
    hung_up = threading.Event()

    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                handler.wfile.write(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
        except OSError:
            hung_up.set()
            handler.close_connection = True

    with pytest.raises(TooBig):
        download(site.serve("/", endless), Options(allow_private=True, max_bytes=100_000))
    assert hung_up.wait(60)


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_a_decompression_bomb_does_not_fill_the_memory(coding: str, pack: Callable[[bytes], bytes], site: Site) -> None:
    url = site.serve("/", answer(pack(bytes(50_000_000)), content_encoding=coding))
    tracemalloc.start()
    with pytest.raises(TooBig):
        download(url, Options(allow_private=True, max_bytes=1_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


# Compression


def bare(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", GZIPPED),
        ("GZIP", GZIPPED),
        ("x-gzip", GZIPPED),
        ("gzip", GZIPPED + b"trailing"),
        ("deflate", zlib.compress(HTML)),
        ("deflate", bare(HTML)),
        ("identity", HTML),
    ],
)
def test_bodies_are_decompressed(coding: str, body: bytes, site: Site) -> None:
    assert download(site.serve("/", answer(body, content_encoding=coding)), LOCAL).body == HTML


def test_gzip_in_chunks_of_one_byte(site: Site) -> None:
    chunks = [b"1\r\n%c\r\n" % byte for byte in GZIPPED]
    head = HEAD + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert download(site.serve("/", raw(head, *chunks, b"0\r\n\r\n", pause=0.001)), LOCAL).body == HTML


def test_an_empty_body_is_not_decompressed(site: Site) -> None:
    assert download(site.serve("/", answer(b"", content_encoding="gzip")), LOCAL).body == b""


@pytest.mark.parametrize(
    ("coding", "body", "reason"),
    [
        ("gzip", HTML, "broken gzip"),
        ("gzip", GZIPPED[:-12], "ends too early"),
        ("gzip", GZIPPED[:-6] + b"\0" * 6, "broken gzip"),
        ("deflate", b"\x78\x9c\xff\xff", "broken deflate"),
        ("br", HTML, "compressed as br"),
        ("zstd", HTML, "compressed as zstd"),
        ("gzip, gzip", gzip.compress(GZIPPED, mtime=0), "compressed as gzip, gzip"),
    ],
)
def test_bad_compression(coding: str, body: bytes, reason: str, site: Site) -> None:
    with pytest.raises(FetchFailed, match=reason):
        download(site.serve("/", answer(body, content_encoding=coding)), LOCAL)


# Answers


@pytest.mark.parametrize("status", [304, 401, 403, 404, 410, 429, 500, 503, 599])
def test_an_error_status_is_reported(status: int, site: Site) -> None:
    with pytest.raises(FetchFailed, match=f"/gone answered with status {status}"):
        download(site.serve("/gone", answer(b"", status)), LOCAL)


@pytest.mark.parametrize(
    "content_type", ["text/html", "TEXT/HTML ; charset=utf-8", "application/xhtml+xml", "text/xml", "text/plain", ""]
)
def test_accepted_content_types(content_type: str, site: Site) -> None:
    assert download(site.serve("/", answer(content_type=content_type)), LOCAL).body == HTML


@pytest.mark.parametrize("content_type", ["application/pdf", "image/png", "application/json", "video/mp4; x=text/html"])
def test_refused_content_types(content_type: str, site: Site) -> None:
    with pytest.raises(NotHtml, match=content_type.partition(";")[0]):
        download(site.serve("/", answer(content_type=content_type)), LOCAL)


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/html", None),
        ("text/html; charset=EUC-KR", "EUC-KR"),
        ("text/html;charset='utf-8'", "utf-8"),
        ('text/html; x=1; Charset = "ks_c_5601-1987"', "ks_c_5601-1987"),
        ("text/html; charset=", None),
    ],
)
def test_the_charset_of_the_header(content_type: str, encoding: str | None, site: Site) -> None:
    assert download(site.serve("/", answer(content_type=content_type)), LOCAL).encoding == encoding


def test_the_encoding_of_the_options_wins(site: Site) -> None:
    url = site.serve("/", answer(content_type="text/html; charset=utf-8"))
    assert download(url, Options(allow_private=True, encoding="euc-kr")).encoding == "euc-kr"


def test_a_refused_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(FetchFailed, match=f"{port}.* could not be fetched.*refused") as caught:
        download(f"http://127.0.0.1:{port}/", LOCAL)
    assert type(caught.value.__cause__).__name__ == "ConnectError"


@pytest.mark.parametrize(
    "parts",
    [
        [b""],
        [b"what is this\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
        [b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"],
        [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
    ],
    ids=["nothing", "no http", "cut", "no number", "huge number", "bad chunk", "huge header", "upgrade"],
)
def test_invalid_http_responses(parts: list[bytes], site: Site) -> None:
    with pytest.raises(FetchFailed):
        download(site.serve("/", raw(*parts)), LOCAL)


# fetch()


KOREAN = "<!doctype html><title>제목</title><p>본문은 한국어로 쓴 글이다.</p>"


@pytest.mark.parametrize(
    ("content_type", "options"),
    [
        ("text/html; charset=euc-kr", LOCAL),
        ("text/html; charset=shift_jis", Options(allow_private=True, encoding="euc-kr")),
    ],
)
def test_fetch_returns_a_page(content_type: str, options: Options, site: Site) -> None:
    site.serve("/from", redirect("/to"))
    site.serve("/to", answer(KOREAN.encode("euc-kr"), content_type=content_type))
    page = fetch(site.url("/from"), options)
    assert page.url == site.url("/to")
    assert "본문은 한국어로 쓴 글이다." in [leaf.text for leaf in page.leaves]


def test_fetch_ignores_an_unknown_charset_of_the_server(site: Site) -> None:
    body = ('<meta charset="euc-kr">' + KOREAN).encode("euc-kr")
    page = fetch(site.serve("/", answer(body, content_type="text/html; charset=no-such-charset")), LOCAL)
    assert "본문은 한국어로 쓴 글이다." in [leaf.text for leaf in page.leaves]


def test_fetch_refuses_an_unknown_encoding_of_the_user(site: Site) -> None:
    with pytest.raises(BadConfig, match="no-such-charset"):
        fetch(site.url("/"), Options(allow_private=True, encoding="no-such-charset"))


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7 ..."])
def test_fetch_of_something_else(body: bytes, site: Site) -> None:
    with pytest.raises(BonmunError):
        fetch(site.serve("/", answer(body)), LOCAL)
