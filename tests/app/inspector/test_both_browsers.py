"""Inspector, labelling and report in Chromium and Firefox: by keyboard alone, accessible, and on a narrow screen."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from windows import open_window, wait_for

from bonmun.app.inspector.report import write_report
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.lab.evaluate.systems.node_packages import find_package
from bonmun.pipeline import extract
from labelled import make_article, make_open_pages
from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windows import Window

pytestmark = [pytest.mark.slow, pytest.mark.long]
WIDE, NARROW = (1280, 800), (390, 780)
MAX_TABS = 60  # presses of Tab until an element is reached
RECIPE = """<!doctype html><html lang=en><title>Barley soup</title><nav><a href=/>Home</a> <a href=/a>All recipes</a></nav>
<h1>Barley soup</h1><p>My grandmother cooked this soup every winter, <a href=/b>and her sister, too</a>.</p>
<p>It is better on the second day, when the barley has taken up most of the stock and the carrots are soft.</p>
<h2>Ingredients</h2><ul><li>2 cups pearl barley</li><li>1 l vegetable stock</li><li>3 carrots</li></ul>
<h2>Method</h2><ol><li>Rinse the barley and soak it in cold water for an hour.</li>
<li>Bring the stock to a boil, and add barley and carrots.</li></ol><footer>© The Town Kitchen</footer>"""
PAGES = {"bridge": make_article("bridge"), "recipe": RECIPE, "school": make_article("school")}
AXE = """return (await axe.run(document, {iframes: false, resultTypes: ['violations']})).violations
  .filter((each) => ['serious', 'critical'].includes(each.impact))
  .map((each) => each.id + ': ' + each.nodes.map((node) => node.html.slice(0, 120)).join(' | '))"""
FOCUSED = """const {activeElement: one} = document; return one.matches(values[0])"""


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    with open_window(request.param) as window:
        yield window


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("both")
    (folder / "pages").mkdir()
    for name, html in PAGES.items():
        (folder / "pages" / f"{name}.html").write_text(html, encoding="utf-8")
    command = [
        sys.executable,
        str(ROOT / "tests" / "labelling_server.py"),
        str(folder / "pages"),
        str(folder / "kim.jsonl"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a report on pages of two sites; one page cannot be read."""
    site = tmp_path_factory.mktemp("report")
    sources = [PageSource(name, f"https://town.example/{name}", html.encode()) for name, html in PAGES.items()]
    sources.append(PageSource("broken", "https://other.example/", b"%PDF-1.7"))
    write_report(make_open_pages(*sources), site, ("rules", "all"), title="Pages of the town", seconds=60.0)
    return (site / "index.html").as_uri()


def open_screen(window: Window, address: str, name: str, size: tuple[int, int] = WIDE) -> None:
    """Open a page in the labelling screen, and wait for its labels."""
    window.resize(*size)
    window.goto("about:blank")  # else the browser only changes the fragment
    window.goto(address.replace("/#", f"/?page={list(PAGES).index(name)}#"))
    wait_for(window, "/start|saved/.test(document.getElementById('label-saved')?.dataset.state)")
    wait_for(window, "document.querySelector('#card')?.textContent")


def tab_to(window: Window, selector: str) -> None:
    """Press Tab until an element has the focus, as a person without a mouse would."""
    for _ in range(MAX_TABS):
        if window.run(FOCUSED, selector):
            return
        window.press("Tab")
    raise AssertionError(f"{window.name}: Tab does not reach {selector}")


def test_walk_by_keyboard_alone(window: Window, address: str) -> None:
    """From the page to its Markdown, its objects, a label, the next page and training, without a mouse."""
    open_screen(window, address, "recipe")
    tab_to(window, ".skip")
    window.press("Enter", "1")
    tab_to(window, "[data-format=markdown]")
    window.press("Enter")
    wait_for(window, "document.querySelector('#result .output').textContent.includes('](')")
    tab_to(window, "[data-switch=links]")
    window.press("Enter")
    wait_for(window, "!document.querySelector('#result .output').textContent.includes('](')")
    assert window.run("return document.activeElement.dataset.switch") == "links"
    window.press("Enter", "6")
    wait_for(window, "document.querySelector('#objects h2')?.textContent === 'Recipe'")
    assert window.run("return document.querySelector('#objects').innerText.includes('page · 0.85')")
    tab_to(window, "#objects button")
    window.press("Enter")
    wait_for(window, "document.querySelector('#card .said')?.textContent")
    window.press("Escape", "j", "j", "j", "d")
    wait_for(window, "document.getElementById('label-saved').dataset.state === 'saved'")
    wait_for(window, "document.querySelector('#card .decision')?.textContent === 'dropped'")
    window.press("9", "Enter")
    wait_for(window, "document.getElementById('page-choice').value !== values[0]", str(list(PAGES).index("recipe")))
    tab_to(window, "#train-start")
    window.press("Enter")
    wait_for(window, "document.activeElement.id === 'train-stop'")
    wait_for(window, "document.getElementById('train-state')?.dataset.state === 'done'")
    tab_to(window, "#train-use")
    window.press("Enter")
    wait_for(window, "document.getElementById('train-use').textContent === 'Use the default again'")
    window.press("Enter")
    wait_for(window, "document.getElementById('train-use').textContent === 'Use this model'")


def test_report_by_keyboard(window: Window, report: str) -> None:
    window.resize(*WIDE)
    window.goto(report)
    assert window.run("return document.getElementById('by-site').checked")
    assert window.run("return [...document.querySelectorAll('[data-site]')].map((each) => each.dataset.site)") == [
        "other.example",
        "town.example",
    ]
    tab_to(window, "#csv")
    assert window.run("return document.activeElement.getAttribute('href')") == "pages.csv"
    tab_to(window, "[data-site='town.example']")
    count = "return document.querySelectorAll('#rows a').length"
    assert window.run(count) == 3
    window.press("Enter")
    assert window.run(count) == 0
    assert window.run(FOCUSED, "[data-site='town.example'][aria-expanded=false]")
    window.press("Enter")
    tab_to(window, "#rows a")
    window.press("Enter")
    found = wait_for(window, "document.querySelector('#result .output')?.textContent")
    assert found.split() == extract(PAGES["bridge"], method="rules").text.split()


def run_axe(window: Window) -> Any:
    axe = find_package("axe-core")
    if axe is None:
        pytest.skip("axe-core is not installed: make peers")
    window.run((axe / "axe.min.js").read_text(encoding="utf-8") + "; globalThis.axe = axe ?? globalThis.axe")
    return window.run(AXE)


def test_no_serious_accessibility_findings(window: Window, address: str, report: str) -> None:
    open_screen(window, address, "recipe")
    window.press("j")
    for tab in ("labels", "objects", "result"):
        window.run("document.getElementById(values[0]).click()", f"tab-{tab}")
        wait_for(window, "document.getElementById(values[0]).childElementCount", tab)
        assert run_axe(window) == [], tab
    window.goto(report)
    assert run_axe(window) == []
    window.goto(window.run("return document.querySelector('#rows a').href"))
    wait_for(window, "document.querySelector('#summary strong')?.textContent")
    assert run_axe(window) == []


def test_narrow_screens_do_not_scroll_sideways(window: Window, address: str, report: str) -> None:
    width = "return [innerWidth, Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)]"
    open_screen(window, address, "recipe", NARROW)
    window.press("j")
    for tab in window.run("return [...document.querySelectorAll('[role=tab]')].map((each) => each.id)"):
        window.run("document.getElementById(values[0]).click()", tab)
        seen, whole = window.run(width)
        assert seen == NARROW[0]
        assert whole <= seen, tab
    window.goto(report)
    seen, whole = window.run(width)
    assert whole <= seen
    window.goto(window.run("return document.querySelector('#rows a').href"))
    wait_for(window, "document.querySelector('#summary strong')?.textContent")
    seen, whole = window.run(width)
    assert whole <= seen
