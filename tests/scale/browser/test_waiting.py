"""Waiting for the text of a page: pages that scripts fill, clicks, scrolling, and pages that never end."""

from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadConfig
from bonmun.page import Page
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from scripts.figures.scripted_pages import PAGES, serve_scripted_pages, write_sentence
from servers import serve_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.snapshots import Snapshot

pytestmark = pytest.mark.slow
# Pages of scripts/figures/scripted_pages.py that were empty before, and cover every rule; the script measures all 24.
CHOSEN = [
    "timer of 1 s",
    "interval, a paragraph each",
    "moves to another page",
    "frame made by a script",
    "consent, then a request",
    "a button that shows more",
    "endless list in a box",
    "worker, 1.5 s",
    "events from the server",
]
TEXT = f"<p>A text of three paragraphs. {write_sentence(0)}</p><p>{write_sentence(1)}</p><p>{write_sentence(2)}</p>"
LIMIT_SECONDS = 2.0
SLACK_SECONDS = 20.0  # of a busy machine
GROW = "document.body.append('and so it goes on and on for ever, with more words every time ')"
HOSTILE: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "endless timers": ("const f = () => setTimeout(f, 1); for (let i = 0; i < 50; i++) f()", {}, None),
    "timers without number": ("for (let i = 0; i < 30000; i++) setTimeout(() => 0, 1e6 + i)", {}, None),
    "text that grows for ever": (f"setInterval(() => {{ {GROW} }}, 20)", {}, None),
    "10,000 buttons": (
        "document.body.insertAdjacentHTML('beforeend', '<button>more</button>'.repeat(10000))",
        {"click": ("button",)},
        "of 10,000 elements were clicked; increase --wait|clicked 20 times, which is the limit",
    ),
    "a button that opens windows": (
        f"""document.body.insertAdjacentHTML('beforeend', '<button>more</button>');
        document.querySelector('button').onclick = () => {{ {GROW}; for (let i = 0; i < 9; i++) window.open('about:blank') }}""",
        {"click": ("button",)},
        "elements were clicked; increase --wait|clicked 20 times, which is the limit",
    ),
    "a list without end": (
        f"""document.body.style.height = '2000px';
        onscroll = () => {{ document.body.style.height = scrollY + 5000 + 'px'; {GROW} }}""",
        {"scroll": True},
        "--scroll: (the page was still growing after 2 seconds|stopped after 200 screens)",
    ),
    "nothing to wait for": ("", {"wait_for": "#nothing"}, "no visible element matched '#nothing' within 2 seconds"),
    "nothing to click": ("", {"click": ("#nothing",)}, "--click: no visible element matches '#nothing'"),
    "replaced built-ins": (
        "setTimeout = null; Map.prototype.set = null; Reflect.apply = null; globalThis[Symbol.for('bonmun')] = () => 'x'",
        {},
        None,
    ),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(RenderOptions(allow_private=True)) as started:
        yield started


@pytest.fixture(scope="module")
def urls() -> Iterator[dict[str, str]]:
    with serve_scripted_pages() as found:
        yield found


def render(browser: Browser, html: str | None, url: str | None = None, **settings: Any) -> Snapshot:
    options = replace(browser.options, **settings)
    [done] = browser.render_all([RenderJob("page", url, html, options=options)])
    if done.problem:
        raise done.problem
    assert done.snapshot
    return done.snapshot


@pytest.mark.parametrize("name", CHOSEN)
def test_pages_that_scripts_fill_have_their_text(browser: Browser, urls: dict[str, str], name: str) -> None:
    wanted = PAGES[name]
    snapshot = render(browser, None, urls[name], **wanted.settings)
    found = [number for number in wanted.sentences if write_sentence(number) in snapshot.html]
    assert found == list(wanted.sentences)
    assert (snapshot.problem, snapshot.note) == (None, None)


@pytest.mark.long
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_pages_end_within_the_limit(browser: Browser, case: str) -> None:
    script, settings, note = HOSTILE[case]
    start = monotonic()
    snapshot = render(browser, f"{TEXT}<script>{script}</script>", wait=LIMIT_SECONDS, **settings)
    assert monotonic() - start < LIMIT_SECONDS + SLACK_SECONDS
    assert snapshot.problem is None
    assert Page.from_snapshot(snapshot).texts[0].startswith("A text of three paragraphs")
    assert re.search(note, snapshot.note or "") if note else snapshot.note is None, snapshot.note


def test_a_page_that_navigates_in_a_loop_ends(browser: Browser) -> None:
    page = f"{TEXT}<script>setTimeout(() => location.href = '/?' + Math.random(), 50)</script>".encode()
    with serve_pages({"/": ("text/html", page)}) as site:
        start = monotonic()
        snapshot = render(browser, None, site.url, wait=LIMIT_SECONDS)
        assert monotonic() - start < LIMIT_SECONDS + SLACK_SECONDS
        assert snapshot.html


@pytest.mark.parametrize("settings", [{"wait_for": "p["}, {"click": ("#ok", "::::")}])
def test_an_invalid_selector_is_an_error(browser: Browser, settings: dict[str, Any]) -> None:
    with pytest.raises(BadConfig, match="is not a CSS selector that the browser understands"):
        render(browser, f"{TEXT}<script></script>", **settings)


def test_a_toggle_is_clicked_once(browser: Browser) -> None:
    html = (
        f"{TEXT}<p id=rest hidden>{'The rest of the text. ' * 9}</p><button>Read more</button><script>"
        "const b = document.querySelector('button'); b.onclick = () => { rest.hidden = !rest.hidden;"
        "b.textContent = rest.hidden ? 'Read more' : 'Read less' }</script>"
    )
    snapshot = render(browser, html, click=("button",))
    assert "Read less" in snapshot.html
    assert snapshot.note is None


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<form><input type=text><input type=password></form><script></script>", "asks to log in"),
        ("<h1>404 Not Found</h1><script></script>", "is an error message"),
        (
            "<div><p>We use cookies.</p><button id=yes>Accept</button></div><script></script>",
            r"asks for consent: click its button \(--click '#yes'\)",
        ),
        ("<div id=app></div><script></script>", r"Nothing arrived: .* Try a longer --wait"),
    ],
)
def test_a_page_that_stays_empty_says_why(browser: Browser, html: str, reason: str) -> None:
    snapshot = render(browser, f"<title>Page</title>{html}")
    assert snapshot.note
    assert re.search(reason, snapshot.note), snapshot.note


def test_a_timeout_does_not_count_the_wait(browser: Browser) -> None:
    html = f"<div id=app></div><script>setTimeout(() => {{ app.innerHTML = {TEXT!r} }}, 3500)</script>"
    snapshot = render(browser, html, timeout=3, wait=6)
    assert snapshot.problem is None
    assert "A text of three paragraphs" in snapshot.html
