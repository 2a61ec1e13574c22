"""The parts that need no browser: finding one, options, the proxy, and saved resources."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadConfig, MissingExtra
from bonmun.scale.browser.find import find_browser
from bonmun.scale.browser.interceptor import RequestInterceptor
from bonmun.scale.browser.jobs import RenderJob
from bonmun.scale.browser.proxy import FilteringProxy
from bonmun.scale.browser.render_options import RenderOptions
from bonmun.scale.browser.saved_files import FolderResources, open_resources

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def make_program(path: Path) -> str:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_browser_named_by_the_variable_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = make_program(tmp_path / "my-browser")
    monkeypatch.setenv("BONMUN_BROWSER", named)
    assert find_browser() == named


def test_a_wrong_path_in_the_variable_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONMUN_BROWSER", "/nowhere/chromium")
    with pytest.raises(MissingExtra, match="BONMUN_BROWSER is '/nowhere/chromium'"):
        find_browser()


def test_a_browser_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BONMUN_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    own = make_program(tmp_path / "playwrights-own")
    assert find_browser(own) == own
    chrome = make_program(tmp_path / "google-chrome")
    assert find_browser(own) == chrome
    shell = make_program(tmp_path / "chromium-headless-shell")
    assert find_browser(own) == shell


def test_without_a_browser_the_error_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BONMUN_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(MissingExtra, match=r"apt-get install chromium.*brew install --cask chromium.*winget install"):
        find_browser(str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"viewport": (0, 800)},
        {"viewport": (1280,)},
        {"viewport": (1280, 99_999)},
        {"viewport": "1280x800"},
        {"viewport": (1280.5, 800)},
        {"timeout": 0},
        {"timeout": "20"},
        {"wait": -1},
        {"wait": float("nan")},
        {"scripts": 1},
        {"language": 3},
        {"memory": "much"},
        {"quiet": 0},
        {"resolve": "127.0.0.1"},
        {"resolve": "127.0.0.1:99999"},
        {"resolve": 8080},
    ],
)
def test_options_check_themselves(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadConfig):
        RenderOptions(**wrong)


# --- the proxy ------------------------------------------------------------------------------------------------------


async def ask_proxy(
    request: bytes, *, allow: bool = True, allow_private: bool = True, resolves: bool = False
) -> tuple[bytes, list[bytes]]:
    """Return the response of the proxy and the requests that a server received. PORT stands for the port of the server."""
    arrived: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = str(server.sockets[0].getsockname()[1]).encode()
    resolve = f"127.0.0.1:{port.decode()}" if resolves else None
    proxy = FilteringProxy(allow=allow, allow_private=allow_private, resolve=resolve)
    await proxy.start()
    host, _, own = proxy.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(own))
    writer.write(request.replace(b"PORT", port))
    try:
        answer = await asyncio.wait_for(reader.read(), 10)
    except ConnectionResetError:  # closed before the whole request was read
        answer = b""
    finally:
        writer.close()
        await proxy.stop()
        server.close()
    return answer, arrived


GET = b"GET http://127.0.0.1:PORT/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n"
TUNNEL = b"CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n"


def test_the_proxy_forwards_requests() -> None:
    answer, arrived = asyncio.run(ask_proxy(GET))
    assert answer.endswith(b"hi")
    assert arrived == [b"GET /a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]


def test_the_proxy_resolves_all_hosts_to_one_address() -> None:
    request = b"GET http://nowhere.invalid/a HTTP/1.1\r\nHost: nowhere.invalid\r\n\r\n"
    answer, arrived = asyncio.run(ask_proxy(request, allow_private=False, resolves=True))
    assert answer.endswith(b"hi")
    assert arrived == [b"GET /a HTTP/1.1\r\nHost: nowhere.invalid\r\nConnection: close\r\n\r\n"]


def test_the_proxy_opens_tunnels() -> None:
    answer, arrived = asyncio.run(ask_proxy(TUNNEL))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n\r\n")
    assert answer.endswith(b"hi")
    assert arrived == [b"GET / HTTP/1.1\r\n\r\n"]


@pytest.mark.parametrize(
    "request_", [GET, TUNNEL, GET.replace(b"127.0.0.1", b"localhost"), GET.replace(b"127.0.0.1", b"2130706433")]
)
def test_the_proxy_refuses_private_addresses(request_: bytes) -> None:
    answer, arrived = asyncio.run(ask_proxy(request_, allow_private=False))
    assert answer.startswith(b"HTTP/1.1 502 ")
    assert arrived == []


def test_the_proxy_refuses_everything_if_nothing_is_allowed() -> None:
    assert asyncio.run(ask_proxy(GET, allow=False))[0].startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n",
        b"CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n",
        b"CONNECT 127.0.0.1:0 HTTP/1.1\r\n\r\n",
        b"GET http://user@127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
        b"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"\r\n\r\n",
        b"CONNECT [::1]:x HTTP/1.1\r\n\r\n",
    ],
)
def test_the_proxy_refuses_invalid_requests(request_: bytes) -> None:
    answer, arrived = asyncio.run(ask_proxy(request_))
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert arrived == []


def test_the_proxy_closes_the_connection_on_endless_headers() -> None:
    answer, arrived = asyncio.run(ask_proxy(b"GET http://127.0.0.1:PORT/ HTTP/1.1\r\n" + b"A: b\r\n" * 50_000))
    assert answer == b""
    assert arrived == []


# --- requests -------------------------------------------------------------------------------------------------------


class SlowSession:
    """A session with a page that never answers `Fetch.failRequest`."""

    def __init__(self) -> None:
        self.listeners: dict[str, Callable[[dict[str, Any]], object]] = {}
        self.unanswered: weakref.ref[asyncio.Future[None]] | None = None

    def on(self, event: str, listener: Callable[[dict[str, Any]], object]) -> None:
        self.listeners[event] = listener

    async def send(self, method: str, _: object = None) -> dict[str, Any]:
        if method == "Fetch.failRequest":
            answer = asyncio.get_running_loop().create_future()
            self.unanswered = weakref.ref(answer)
            await answer
        return {"frameTree": {"frame": {"id": "main"}}}


def test_requests_being_handled_are_not_garbage_collected() -> None:
    async def handle_slowly() -> bool:
        session: Any = SlowSession()
        await RequestInterceptor.attach(session, RenderJob("page", None, ""), is_open=False)
        session.listeners["Fetch.requestPaused"]({"requestId": "1", "request": {"url": "http://a.invalid/"}})
        await asyncio.sleep(0)
        gc.collect()
        return session.unanswered() is not None

    assert asyncio.run(handle_slowly())


# --- resources ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> FolderResources:
    root = tmp_path / "root"
    (root / "made-up.example" / "css").mkdir(parents=True)
    (root / "a.css").write_text("a")
    (root / "made-up.example" / "css" / "b.css").write_text("b")
    (root / "list?page=2").write_text("two")
    (root / "index.html").write_text("index")
    (tmp_path / "secret").write_text("secret")
    (root / "link").symlink_to(tmp_path / "secret")
    return FolderResources(root)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://files.invalid/a.css", ("text/css", b"a")),
        ("http://files.invalid/a.css?v=3#x", ("text/css", b"a")),
        ("https://made-up.example/css/b.css", ("text/css", b"b")),
        ("http://x.invalid/list?page=2", ("application/octet-stream", b"two")),
        ("http://files.invalid/", ("text/html", b"index")),
        ("http://files.invalid/../secret", None),
        ("http://files.invalid/%2e%2e/secret", None),
        ("http://files.invalid/..%2fsecret", None),
        ("http://../secret", None),
        ("http://files.invalid//etc/hostname", None),
        ("http://files.invalid/link", None),
        ("http://files.invalid/a%00.css", None),
        ("http://files.invalid/" + "a" * 5000, None),
        ("http://[bad/a.css", None),
        ("http://files.invalid/nothing", None),
    ],
)
def test_a_folder_has_only_its_own_files(folder: FolderResources, url: str, expected: tuple[str, bytes] | None) -> None:
    assert folder.find(url) == expected


def test_a_folder_knows_the_urls_of_its_files(folder: FolderResources) -> None:
    assert folder.locate(folder.root / "a.css") == "http://files.invalid/a.css"
    assert folder.locate(folder.root.parent / "secret") is None


def test_resources_come_from_a_folder_or_a_warc(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>a</p>")
    assert isinstance(open_resources(tmp_path), FolderResources)
    with pytest.raises(BadConfig, match="neither a folder nor a WARC"):
        open_resources(tmp_path / "page.html")
