"""A page reaches the network through the proxy only, and not at all without network access.

One page tries every way out (ways_out.py) to loopback and to this machine's own address. Besides the listeners, the
network log of Chromium shows its own packets: DNS, mDNS and everything else by UDP.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from ways_out import Listeners, find_own_address, listen

from bonmun.page import Page
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from bonmun.scale.browser import browser as browser_module
from bonmun.scale.browser.proxy import FilteringProxy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow
WAIT_SECONDS = 1.0
URL = "https://made-up.example/page"  # a secure context: some ways exist only there
# Ways that a page with access to the private network has through the proxy: they show that the attempts are real.
USED_WAYS = (
    "image image-set video audio frame object style-sheet import css-url font script module preload prefetch svg refresh form "
    "fetch fetch-keepalive request beacon event-source web-socket dynamic-import worker worker-fetch frame-location "
    "frame-fetch policy-report"
).split()


@pytest.fixture
def listeners() -> Iterator[Listeners]:
    own = find_own_address()
    with listen(["127.0.0.1", *([own] if own else [])]) as started:
        yield started


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the browser write a network log. Programs that it starts for other protocols are noted in the file "opened"."""
    log = tmp_path / "log.json"
    opener = tmp_path / "xdg-open"
    opener.write_text(f"#!/bin/sh\necho $* >> {tmp_path}/opened\n")
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(browser_module, "FLAGS", (*browser_module.FLAGS, f"--log-net-log={log}"))
    return log


def render_text(browser: Browser, job: RenderJob) -> str:
    """Render a page with its scripts and return its text."""
    [done] = browser.render_all([job])
    time.sleep(0.3)  # for packets that are under way
    assert done.snapshot, done.problem
    assert done.snapshot.problem is None
    return " ".join(Page.from_snapshot(done.snapshot).texts)


def check_log(log: Path, browser: Browser) -> None:
    """Check that the browser sent nothing by UDP, connected to its proxies only, and started no program."""
    text = log.read_text()
    read = json.loads(text if text.rstrip().endswith("}") else text.rstrip().rstrip(",") + "]}")  # may be unfinished
    kinds = {number: name for name, number in read["constants"]["logEventTypes"].items()}
    sent, addresses = [], set()
    for event in read["events"]:
        kind, details = kinds[event["type"]], event.get("params", {})
        if kind in ("UDP_BYTES_SENT", "DNS_TRANSACTION_QUERY"):
            sent.append((kind, details))
        if kind == "TCP_CONNECT":
            addresses |= set(details.get("address_list", []))
    assert sent == []
    assert addresses <= {browser._proxy.address, browser._closed_proxy.address}
    assert not log.with_name("opened").exists()


def test_a_page_reaches_the_network_through_the_proxy_or_not_at_all(
    listeners: Listeners, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Private addresses are allowed here, so that the proxy's check of addresses is no help."""
    sources = set()
    connect = FilteringProxy._connect

    async def note_source(proxy: FilteringProxy, host: str, port: int) -> Any:
        reader, writer = await connect(proxy, host, port)
        sources.add(writer.get_extra_info("sockname")[:2])
        return reader, writer

    monkeypatch.setattr(FilteringProxy, "_connect", note_source)
    with Browser(RenderOptions(allow_private=True, wait=WAIT_SECONDS)) as browser:
        assert "Text." in render_text(browser, RenderJob("a saved page", URL, listeners.page))
        assert listeners.arrivals == []
        assert "Text." in render_text(browser, RenderJob("a URL", f"http://{listeners.hosts[0]}/"))
    assert set(USED_WAYS) - listeners.list_ways("tcp") == set()
    assert {arrival.source for arrival in listeners.arrivals} <= sources
    assert listeners.list_ways("udp") == set()
    check_log(log, browser)


def test_a_page_with_network_access_reaches_no_private_address(listeners: Listeners, log: Path) -> None:
    with Browser(RenderOptions(network=True, wait=WAIT_SECONDS)) as browser:
        assert "Text." in render_text(browser, RenderJob("a saved page", URL, listeners.page))
    assert listeners.arrivals == []
    check_log(log, browser)
