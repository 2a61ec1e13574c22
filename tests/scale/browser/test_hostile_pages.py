"""Hostile pages: each is rendered in time with its text, and the browser survives for the next page."""

from __future__ import annotations

import os
import signal
import sys
import time
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from bonmun.page import Page
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from scripts.watching import list_process_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
SECONDS = 8.0
TEXT = "<p>Before it.</p>"
CHANGING = "<p>Text.</p><script>setInterval(() => document.body.append(''), 10)</script>"  # until the end of `wait`
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are listed and measured with /proc")

# rendered with scripts
HARMLESS = {
    "dialogs": "<script>alert(1); confirm(2); prompt(3); print()</script>",
    "leaving asks": "<script>onbeforeunload = () => 'stay'</script>",
    "closes itself": "<script>window.close()</script>",
    "pop-ups": "<script>for (let i = 0; i < 9; i++) window.open('about:blank')</script>",
    "asks for permission": "<script>navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission()</script>",
    "workers that spin": "<script>for (let i = 0; i < 2; i++) new Worker(URL.createObjectURL(new Blob(['while (1);'])))</script>",
    "goes elsewhere later": "<script>setTimeout(() => { location = 'http://elsewhere.invalid/' }, 20)</script>",
    "refreshes": "<meta http-equiv=refresh content='0;url=http://elsewhere.invalid/'>",
    "never rests": "<script>setInterval(() => document.body.append(document.createElement('i')), 1)</script>",
    "200,000 px high": "<div style='height: 200000px'></div>",
    "never-ending frame": "<iframe src='http://elsewhere.invalid/'></iframe>",
    "deep": "<div>" * 3000,
    "a service worker": "<script>navigator.serviceWorker?.register('/worker.js')</script>",
    "a download": "<a id=d download=x href='data:application/octet-stream,x'></a><script>d.click()</script>",
}
# rendered without scripts, because they exceed the timeout, or for other reasons
ENDLESS = {
    "spins": "<script>while (true);</script>",
    "asks for ever": "<script>while (true) alert(1)</script>",
    "spins in a frame": "<iframe srcdoc='<script>while (true);</script>'></iframe>",
    "opens windows for ever": "<script>while (true) window.open('about:blank')</script>",
    "adds to its history for ever": "<script>for (let i = 0; ; i++) history.pushState({}, '', '?' + i)</script>",
    "spins again and again": "<script>setInterval(() => { for (const end = Date.now() + 9e4; Date.now() < end;); }, 0)</script>",
}
STOPPED = {
    "eats memory": "<script>const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))</script>",
    "eats buffers": "<script>const all = []; while (true) all.push(new Uint8Array(1e8).fill(1))</script>",
    "goes elsewhere at once": "<script>location = 'http://elsewhere.invalid/'</script>",
    "reloads": "<script>location.reload()</script>",
    "takes itself away": "<script>document.documentElement.remove()</script>",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(RenderOptions(timeout=SECONDS, wait=1)) as started:
        yield started


def render_before_another(browser: Browser, *pages: str) -> list[tuple[list[str], str | None]]:
    """Render pages at the same time; return their leaves and problems. Check that another page renders afterwards."""
    start = monotonic()
    jobs = [RenderJob("page", None, html) for html in pages]
    *found, after = browser.render_all([*jobs, RenderJob("next", None, "<p>The next page.</p>")], workers=len(pages))
    assert after.snapshot, after.problem
    assert Page.from_snapshot(after.snapshot).texts == ["The next page."]
    assert monotonic() - start < 4 * SECONDS + 10  # two attempts, two closings, another page, on a slow machine
    results = []
    for done in found:
        assert done.snapshot, done.problem
        results.append((Page.from_snapshot(done.snapshot).texts, done.snapshot.problem))
    return results


@pytest.mark.parametrize("case", HARMLESS)
def test_pages_rendered_with_scripts(browser: Browser, case: str) -> None:
    [(texts, problem)] = render_before_another(browser, f"{TEXT}{HARMLESS[case]}<p>After it.")
    assert (texts, problem) == (["Before it.", "After it."], None)


@pytest.mark.long
@pytest.mark.parametrize("case", STOPPED)
def test_pages_rendered_without_scripts(browser: Browser, case: str) -> None:
    [(texts, problem)] = render_before_another(browser, f"{TEXT}{STOPPED[case]}<p>After it.")
    assert texts == ["Before it.", "After it."]
    assert problem
    assert problem.startswith("without its scripts: ")


@pytest.mark.long
@pytest.mark.parametrize("cases", [list(ENDLESS)[:3], list(ENDLESS)[3:]])
def test_endless_pages_are_stopped_at_the_same_time(browser: Browser, cases: list[str]) -> None:
    found = render_before_another(browser, *(f"{TEXT}{ENDLESS[case]}<p>After it." for case in cases))
    for case, (texts, problem) in zip(cases, found, strict=True):
        assert texts == ["Before it.", "After it."], case
        assert problem, case
        assert problem.startswith("without its scripts: "), case


@pytest.mark.parametrize(
    "html", ["", " ", "<frameset><frame src=about:blank></frameset>", "<svg></svg>", "\0", "<plaintext>a"]
)
def test_empty_pages(browser: Browser, html: str) -> None:
    [done] = browser.render_all([RenderJob("page", None, html)])
    assert done.snapshot
    assert done.snapshot.problem is None


@pytest.mark.long
def test_pages_survive_a_browser_that_dies() -> None:
    """The browser is killed while it renders two pages, and both are rendered again."""
    with Browser(RenderOptions(wait=2)) as started:
        results = started.render_all([RenderJob(str(i), None, CHANGING) for i in range(3)], workers=2)
        first = next(results)
        started.kill()
        found = [first, *results]
    assert [done.snapshot is not None for done in found] == [True] * 3


@pytest.mark.long
@on_linux
def test_pages_survive_a_driver_that_dies() -> None:
    """The driver of Playwright is killed while it renders a page, which is rendered again by a new one."""
    with Browser(RenderOptions(wait=2)) as started:
        [first] = started.render_all([RenderJob("first", None, "<p>Text.</p>")])
        later = started.submit(RenderJob("later", None, CHANGING))
        time.sleep(1)
        [driver] = [pid for pid in list_process_tree(os.getpid()) if is_driver_of(pid, started)]
        os.kill(driver, signal.SIGKILL)
        found = [first, later.result(60)]
    assert [done.snapshot is not None for done in found] == [True, True]
    assert found[1].snapshot
    assert found[1].snapshot.problem is None


def is_driver_of(pid: int, browser: Browser) -> bool:
    return browser.pid in list_process_tree(pid) and pid not in (os.getpid(), browser.pid)


@pytest.mark.long
def test_other_pages_keep_their_scripts_when_a_page_blocks_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that hides behind others is found by rendering them one at a time after the browser has died."""
    monkeypatch.setattr("bonmun.scale.browser.browser.CLOSE_SECONDS", 1.0)
    monkeypatch.setattr("bonmun.scale.browser.loading.CLOSE_SECONDS", 1.0)
    with Browser(RenderOptions(timeout=SECONDS / 2, wait=2)) as started:
        hostile = started.submit(RenderJob("hostile", None, CHANGING))
        honest = started.submit(RenderJob("honest", None, CHANGING))
        time.sleep(1)
        os.kill(started.pid, signal.SIGSTOP)  # the browser hangs
        found = [hostile.result(60), honest.result(60)]
    assert [done.snapshot and done.snapshot.problem for done in found] == [None, None]


@on_linux
def test_the_main_process_of_the_browser_is_killed_if_it_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the blobs and databases of pages."""
    with Browser(RenderOptions(wait=2)) as started:
        large = started.pid
        monkeypatch.setattr("bonmun.scale.browser.browser._measure_memory", lambda pid: 10**12 if pid == large else 0)
        snapshot = started.render(None, CHANGING)
        assert started.pid != large
    assert snapshot.problem is None


def test_the_memory_of_a_page_is_limited() -> None:
    grow = "all.push(new Uint8Array(2e7).fill(1)); document.body.append('')"
    html = f"{TEXT}<script>const all = []; setInterval(() => {{ {grow} }}, 5)</script>"
    with Browser(RenderOptions(wait=15, timeout=20, memory=400_000_000)) as started:
        start = monotonic()
        snapshot = started.render(None, html)
    assert snapshot.problem == "without its scripts: its process crashed, or took too much memory"
    assert monotonic() - start < 19
