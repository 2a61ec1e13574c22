"""Hostile names, titles, notes, messages and pages on the screens of the inspector: none of it becomes markup or runs.

The policy of the screens would stop most scripts. So the tests also look for the injected elements, and for reports that
the policy has stopped something.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from screens import open_browser, serve_pages

from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.inspector.report import write_report
from bonmun.options import DEFAULTS
from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
RUN = "top.bonmunWasHere=1"
IN_NAMES = f"\"'`{{data}}${{{RUN}}}><img src=x data-injected onerror={RUN}>"  # without a slash, as in file names
PAYLOAD = f"</script></title></textarea></style></option><!--<script>{RUN}</script>-->{IN_NAMES}<script data-injected>{RUN}</script>"
TEXT = (
    "The old bridge was lost in the flood, and since then the town has had none, which nobody in the valley likes. " * 3
)


def escape_attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;")


def escape_text(text: str) -> str:
    return escape_attribute(text).replace("<", "&lt;")


VALUE, SHOWN = escape_attribute(PAYLOAD), escape_text(PAYLOAD)
HOSTILE = f"""<!doctype html><html lang="{VALUE}" dir="{VALUE}"><head><title>{SHOWN}</title>
<meta name="author" content="{VALUE}"><meta name="description" content="{VALUE}"><meta name="keywords" content="{VALUE}">
<meta property="og:site_name" content="{VALUE}"><meta property="og:image" content="javascript:{RUN}">
<meta property="og:title" content="{VALUE}"><meta property="og:type" content="{VALUE}">
<link rel="canonical" href="javascript:{RUN}"><link rel="license" href="https://a.invalid/?{VALUE}">
<script type="application/ld+json">{json.dumps({"@type": "Article", "headline": IN_NAMES, "author": IN_NAMES, "publisher": {"name": IN_NAMES}})}</script>
</head><body class="{VALUE}" id="{VALUE}"><h1 class="{VALUE}">{SHOWN}</h1><p class="{VALUE}" id="{VALUE}" title="{VALUE}">{TEXT}</p>
<p data-x="{VALUE}">{SHOWN} {TEXT}</p><table><tr><td>{SHOWN}</td><td>{TEXT}</td></tr></table><p>{TEXT}<a href="javascript:{RUN}">
{SHOWN}</a></p><section class="comments"><h2>Comments</h2><div class="comment"><b>{SHOWN}</b><p>{SHOWN} {TEXT}</p></div></section>
<script>parent.postMessage({{ method: "{RUN}" }}, "*"); {RUN}</script></body></html>"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "pages"
    folder.mkdir()
    (folder / f"1{IN_NAMES}.html").write_text(HOSTILE, encoding="utf-8")
    (folder / f"2{IN_NAMES}.html").write_text(f"%PDF-1.4 {PAYLOAD}", encoding="utf-8")  # an error message with its name
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@contextmanager
def watched_page(browser: Browser, url_start: str) -> Iterator[Page]:
    """Open a window. In the end, check that nothing was injected, run, shown in a dialog, stopped or loaded from outside."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    seen: list[str] = []
    page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    page.on("pageerror", lambda problem: seen.append(f"error: {problem}"))
    page.on("popup", lambda popup: seen.append(f"pop-up: {popup.url}"))
    page.on("request", lambda request: seen.append(request.url) if not is_own(request.url, url_start) else None)
    page.on("console", lambda line: seen.append(line.text) if "Content Security Policy" in line.text else None)
    yield page
    for frame in page.frames:
        assert frame.evaluate("window.bonmunWasHere ?? top.bonmunWasHere") is None
    assert page.locator("[data-injected]").count() == 0
    assert page.evaluate("[...document.querySelectorAll('a')].filter((a) => a.protocol === 'javascript:').length") == 0
    assert (
        page.locator("#frame").get_attribute("sandbox") == "allow-same-origin" if page.locator("#frame").count() else 1
    )
    assert seen == []
    page.close()


def is_own(url: str, start: str) -> bool:
    return url.startswith((start, "about:srcdoc", "data:image/"))


def look_around(page: Page) -> None:
    """Open every panel, point at blocks, and search for the payload."""
    page.locator("#summary strong").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.frame_locator("#frame").locator("bm-t").first.hover()
    page.locator("#card").wait_for()
    for tab in page.locator("#tabs [role=tab]").all():
        if tab.is_visible():
            tab.click()
    page.locator("#other-choice").select_option("rules")
    page.locator("#search").fill(PAYLOAD)
    page.keyboard.press("Enter")
    page.locator("#search").fill("")
    page.evaluate("(text) => postMessage({ method: text, page: text, html: text }, '*')", PAYLOAD)


def test_the_inspector_shows_hostile_pages_as_text(browser: Browser, pages: Path) -> None:
    with serve_pages(pages) as address:
        own = address.split("/inspector/")[0]
        with watched_page(browser, own) as page:
            page.goto(address)
            look_around(page)
            assert IN_NAMES in page.locator("#page-choice").inner_text()
            assert page.title().startswith("</script></title>")
            page.locator("#page-choice").select_option("1")
            expect(page.locator("#notice")).to_contain_text("PDF")
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("o")
            page.locator("#open-html").fill(HOSTILE)
            page.locator("#open-form button[type=submit]").click()
            look_around(page)
        with watched_page(browser, own) as page:
            strange = quote(PAYLOAD)
            page.goto(f"{own}/inspector/?method={strange}&page={strange}&lang={strange}#{address.split('#')[1]}")
            expect(page.locator("#summary")).to_contain_text("Unknown method")  # with the start of its name
        with watched_page(browser, own) as page:
            page.goto(f"{own}/inspector/#key={strange}")
            expect(page.locator("#notice")).to_contain_text("key")


@pytest.mark.long
def test_the_labelling_screen_shows_hostile_notes_and_annotators_as_text(
    browser: Browser, pages: Path, tmp_path: Path
) -> None:
    gold = tmp_path / "kim.jsonl"
    command = [sys.executable, str(ROOT / "tests" / "labelling_server.py"), str(pages), str(gold)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().strip()
            with watched_page(browser, address.split("/inspector/")[0]) as page:
                page.goto(address)
                look_around(page)
                page.keyboard.press("i")
                page.locator("#label-note").fill(PAYLOAD)
                page.keyboard.press("Escape")
                expect(page.locator("#label-saved")).to_have_attribute("data-state", "saved")
                page.keyboard.press("Enter")
                expect(page.locator("#label-progress")).to_contain_text("1")
                record = json.loads(gold.read_text().splitlines()[0])
                assert record["note"] == PAYLOAD
                other = gold.with_name(f"{IN_NAMES}.jsonl")  # another annotator, who disagrees
                other.write_text(json.dumps(record | {"labels": [], "text": "", "annotator": PAYLOAD}) + "\n")
                page.goto(address.replace("/#", "/?page=0#"))
                page.reload()
                page.wait_for_load_state("networkidle")
                page.locator("#tab-labels").click()
                expect(page.locator("#label-note")).to_have_value(PAYLOAD)
                page.locator("#agreement-measure").click()
                expect(page.locator("#agreement-result")).to_contain_text("data-injected")
        finally:
            server.terminate()
            server.wait(30)


def test_a_report_shows_hostile_pages_as_text(browser: Browser, pages: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_report(open_inputs([str(pages)], DEFAULTS), site, ("auto", "rules"), title=f"{{data}}{PAYLOAD}")
    with watched_page(browser, "file:") as page:
        page.goto((site / "index.html").as_uri())
        assert page.locator("#rows tr").count() == 3  # a site and its two pages
        assert "data-injected" in page.locator("#rows").inner_text()
        page.locator("#filter").fill(IN_NAMES)
        page.locator("#rows a").first.click()
        look_around(page)
