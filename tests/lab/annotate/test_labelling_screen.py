"""Labelling in a real browser: every gesture, two tabs, a killed server, training."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect, sync_playwright

from bonmun.lab.evaluate.systems.node_packages import find_package
from bonmun.scale.browser.find import find_browser
from labelled import make_article
from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow
expect.set_options(timeout=15_000)  # milliseconds, on a machine that may be busy

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
NAMES = (
    "bridge click drag harbour note result school skip tabs typing undo".split()
)  # pages, in the order they are opened
SERVER = (str(ROOT / "tests" / "labelling_server.py"),)


LAST = "These are the hours of summer; in winter the doors are closed an hour earlier, and on Sundays they stay closed."


@contextmanager
def running(*line: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server process; yield it and its URL."""
    with subprocess.Popen([sys.executable, *line], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        assert run.stdout is not None
        try:
            yield run, run.stdout.readline().strip()
        finally:
            run.send_signal(signal.SIGTERM)
            assert run.wait(30) in (0, -signal.SIGKILL)


def make_pages(folder: Path) -> Path:
    (folder / "pages").mkdir()
    for name in NAMES:
        html = make_article(name).replace("</table>", f"</table><p>{LAST}</p>")
        (folder / "pages" / f"{name}.html").write_text(html, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pages(tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with running(*SERVER, str(folder / "pages"), str(folder / "kim.jsonl")) as (_, address):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield browser
        browser.close()


class Screen:
    """The screen with one page, and helpers for tests."""

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address.replace("/#", f"/?page={NAMES.index(name)}#"))
        self.wait_for(name)

    def wait_for(self, name: str) -> None:
        """Wait until the labels of a page are loaded."""
        expect(self.page.locator("#page-choice")).to_have_value(str(NAMES.index(name)))
        expect(self.page.locator("#label-saved")).to_have_attribute("data-state", re.compile("start|saved"))

    def wait_for_another(self, name: str) -> None:
        """Wait until a page is finished and the next one is open."""
        expect(self.page.locator("#page-choice")).not_to_have_value(str(NAMES.index(name)))
        expect(self.page.locator("#label-saved")).to_have_attribute("data-state", re.compile("start|saved"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def block(self, selector: str) -> Any:
        return self.page.frame_locator("#frame").locator(f"{selector} bm-t").first

    def drag(self, first: str, last: str) -> None:
        """Press on a block and move to another, by CDP: Playwright's own mouse waits for scripts in the frame."""
        self.mouse = self.page.context.new_cdp_session(self.page)
        for kind, selector, buttons in (("mouseMoved", first, 0), ("mousePressed", first, 1), ("mouseMoved", last, 1)):
            box = self.block(selector).bounding_box()
            self.place = {"x": box["x"] + 60, "y": box["y"] + 8, "button": "left", "buttons": buttons, "clickCount": 1}
            self.mouse.send("Input.dispatchMouseEvent", {"type": kind, **self.place})

    def let_go(self) -> None:
        self.mouse.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **self.place, "buttons": 0})

    def expect_label(self, selector: str, look: str) -> None:
        """Expect a block to be painted as kept (k), dropped (d), comment (c), title (t), author (a) or date (w)."""
        expect(self.block(selector)).to_have_class(re.compile(rf"^{look}\b"))

    def expect_saved(self, state: str = "saved") -> None:
        expect(self.page.locator("#label-saved")).to_have_attribute("data-state", state)


@pytest.fixture
def open_screen(browser: Browser, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    screens: list[Screen] = []

    def open_screen(name: str, at: str = address) -> Screen:
        screens.append(Screen(context.new_page(), at, name))
        return screens[-1]

    yield open_screen
    assert [error for screen in screens for error in screen.errors] == []
    context.close()


def read_gold(folder: Path) -> dict[str, Any]:
    lines = (folder / "kim.jsonl").read_bytes().splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_label_an_article_with_keys_only(open_screen: Any, folder: Path) -> None:
    """Start from auto's answer: drop the table, mark the footer as a comment."""
    screen = open_screen("bridge")
    screen.expect_saved("start")
    keys = ["j", "J", "J", "J", "d", "z"]  # four paragraphs dropped, then undone
    keys += ["j", "u"]  # the whole table
    keys += ["j"] * 7 + ["c", "Enter"]
    screen.press(*keys)
    screen.wait_for_another("bridge")
    record = read_gold(folder)["bridge.html"]
    assert record["date"] == "2026-03-04"
    assert (record["title"], record["author"]) == ("The bridge is open again", "Ann Lee")
    assert len(re.findall(r"^Part \d", record["text"], re.M)) == 4
    assert "Monday" not in record["text"]
    assert record["comments"].endswith("All rights reserved.")
    assert record["seconds"] < 20  # measured by the page's clock; pressing keys takes far less
    assert len(keys) <= 20  # a person presses two a second


def test_clicks_drags_and_units(open_screen: Any) -> None:
    screen = open_screen("click")
    screen.block("p:nth-of-type(1)").click()
    screen.expect_label("article p:nth-of-type(1)", "d")
    screen.expect_saved()
    screen.block("article p:nth-of-type(3)").click(modifiers=["Shift"])
    for number, look in ((2, "d"), (3, "d"), (4, "k")):
        screen.expect_label(f"article p:nth-of-type({number})", look)
    screen.block("td:nth-of-type(1)").dblclick()
    for cell in ("th:nth-of-type(1)", "th:nth-of-type(2)", "td:nth-of-type(1)", "td:nth-of-type(2)"):
        screen.expect_label(cell, "d")
    screen.drag("article p:nth-of-type(1)", "article p:nth-of-type(4)")
    screen.expect_label("article p:nth-of-type(2)", "d s1 mk")
    screen.let_go()
    for number in (1, 2, 3, 4):
        screen.expect_label(f"article p:nth-of-type({number})", "k")
    screen.expect_saved()
    screen.page.reload()
    screen.wait_for("click")
    screen.expect_label("article p:nth-of-type(1)", "k")
    screen.expect_label("td:nth-of-type(1)", "d")


def test_undo_and_redo_are_saved(open_screen: Any) -> None:
    screen = open_screen("undo")
    counts = screen.page.locator("#label-counts")
    start = counts.inner_text()
    screen.press("j", "d", "j", "c", "Space")
    expect(counts).to_contain_text("8 kept")
    screen.press("Control+z", "Control+z", "z", "z")
    expect(counts).to_have_text(start)
    expect(screen.page.locator("#undo")).to_be_disabled()
    screen.press("Control+Shift+Z", "Z")
    screen.expect_label("article p:nth-of-type(1)", "d")
    screen.expect_label("article p:nth-of-type(2)", "c")
    screen.expect_saved()
    screen.page.reload()
    screen.wait_for("undo")
    expect(counts).to_contain_text("7 kept · 3 comments")


def test_undo_and_redo_match_a_list_of_states(open_screen: Any) -> None:
    """Five hundred random gestures, undone and redone, compared with a model that stores every state."""
    draw = random.Random(1)
    words = ["keep", "drop", "comment", "title", "author", "date"]
    steps: list[Any] = [
        draw.choice(
            ["undo", "undo", "redo", {"rows": draw.sample(range(6), draw.randint(1, 3)), "label": draw.choice(words)}]
        )
        for _ in range(500)
    ]
    seen = open_screen("undo").page.evaluate(
        """async (steps) => {
            const { Labels } = await import("/inspector/static/labels/labels.js");
            const labels = new Labels(Array(6).fill("drop"));
            return steps.map((step) => {
                if (typeof step === "string") labels[step](); else labels.change(step.rows, step.label);
                return labels.words;
            });
        }""",
        steps,
    )
    states, at = [["drop"] * 6], 0
    for step, found in zip(steps, seen, strict=True):
        if isinstance(step, str):
            at = max(at - 1, 0) if step == "undo" else min(at + 1, len(states) - 1)
        else:
            alone = step["label"] in ("title", "date")
            now = ["drop" if alone and word == step["label"] else word for word in states[at]]
            now = [step["label"] if row in step["rows"] else word for row, word in enumerate(now)]
            if now != states[at]:
                states, at = [*states[: at + 1], now], at + 1
        assert found == states[at]
    assert at > 0


def test_two_windows_do_not_overwrite_each_other(open_screen: Any) -> None:
    one = open_screen("tabs")
    two = open_screen("tabs")
    one.block("article p:nth-of-type(1)").click()
    one.expect_saved()
    two.block("article p:nth-of-type(4)").click()  # does not know the first change yet
    expect(two.page.locator("#status")).to_contain_text("Another window has changed this page")
    two.expect_saved()
    for screen in (one, two):
        screen.page.evaluate("dispatchEvent(new Event('focus'))")
        screen.expect_label("article p:nth-of-type(1)", "d")
        screen.expect_label("article p:nth-of-type(4)", "d")
        screen.expect_label("article p:nth-of-type(2)", "k")


def test_skip_and_note(open_screen: Any, folder: Path) -> None:
    screen = open_screen("note")
    screen.press("i")
    screen.page.keyboard.type("is this e or d?")
    screen.press("Escape")
    screen.expect_saved()
    screen.press("Enter")
    screen.wait_for_another("note")
    assert read_gold(folder)["note.html"]["note"] == "is this e or d?"
    skipped = open_screen("skip")
    before = int(re.findall(r"(\d+) skipped", skipped.page.locator("#label-progress").inner_text())[0])
    skipped.press("s")
    expect(skipped.page.locator("#label-progress")).to_contain_text(f"{before + 1} skipped")
    assert "skip.html" not in read_gold(folder)
    expect(skipped.page.locator("#queue-list li").last).to_contain_text("skip.html")


def test_result_and_card_follow_the_labels(open_screen: Any) -> None:
    screen = open_screen("result")
    page = screen.page
    page.locator("#tab-result").click()
    expect(page.locator("#result .output")).to_contain_text("Part 2")
    screen.block("article p:nth-of-type(2)").click()
    expect(page.locator("#card .decision")).to_have_text("dropped")
    expect(page.locator("#card")).to_contain_text("your label: drop")
    expect(page.locator("#result .output")).not_to_contain_text("Part 2")
    expect(page.locator("#summary")).to_contain_text("result of the labels")
    expect(page.locator("#legend")).to_contain_text("author")
    page.locator("#tab-leaves").click()
    expect(page.locator("#leaves [role=option]", has_text="Part 2").locator(".decision")).to_have_text("dropped")
    screen.press("l")  # the method's answer again
    expect(page.locator("#card .decision")).to_have_text("kept")


def test_enter_finishes_wherever_the_focus_is(open_screen: Any, folder: Path) -> None:
    screen = open_screen("result")
    screen.block("article p:nth-of-type(1)").click()
    screen.page.locator("[data-label-word=comment]").click()  # which has the focus now
    screen.expect_label("article p:nth-of-type(1)", "c")
    screen.press("Enter")
    screen.wait_for_another("result")
    assert "Part 1" not in read_gold(folder)["result.html"]["text"]
    screen = open_screen("result")
    screen.press("9", "Enter")  # on the tab that is open
    screen.wait_for_another("result")
    screen = open_screen("result")
    screen.page.locator("#method-choice").focus()
    screen.press("Enter")
    screen.wait_for_another("result")


def test_saved_is_true_while_a_note_is_typed(open_screen: Any, folder: Path) -> None:
    screen = open_screen("typing")
    screen.block("article p:nth-of-type(1)").click()
    screen.expect_saved()
    screen.page.locator("#label-note").click()
    screen.press("x")
    assert screen.page.locator("#label-saved").get_attribute("data-state") == "saving"
    screen.page.locator("#finish").click()  # before the note is sent by itself
    screen.wait_for_another("typing")
    assert read_gold(folder)["typing.html"]["note"] == "x"


def test_labels_start_from_the_chosen_method(open_screen: Any) -> None:
    screen = open_screen("drag")
    screen.page.select_option("#method-choice", "all")
    screen.expect_label("nav li", "k")
    screen.expect_saved("start")
    screen.page.select_option("#method-choice", "auto")
    screen.expect_label("nav li", "d")
    screen.press("l")
    screen.press("l")
    screen.page.locator("#restart").click()
    expect(screen.page.locator("#label-counts")).to_contain_text("9 kept")


def test_compare_with_another_annotator(open_screen: Any, folder: Path) -> None:
    """Another annotator has dropped all text of a page."""
    screen = open_screen("harbour")
    screen.press("Enter")
    screen.wait_for_another("harbour")
    record = read_gold(folder)["harbour.html"] | {"labels": [], "text": ""}
    (folder / "lee.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    screen.page.reload()
    screen.page.wait_for_load_state("networkidle")  # panels are redrawn until everything is loaded
    screen.page.locator("#agreement-measure").click()
    expect(screen.page.locator("#agreement-says")).to_contain_text("pages in common: 1")
    expect(screen.page.locator("#agreement-result")).to_contain_text("kim: keep, lee: drop")


def test_train_use_and_compare_a_model(open_screen: Any) -> None:
    screen = open_screen("school")
    screen.press("Enter")
    screen.wait_for_another("school")
    screen.page.locator("#train-start").click()
    expect(screen.page.locator("#train-state")).to_have_attribute("data-state", "done")
    expect(screen.page.locator("#train-state")).to_contain_text("0.800 before, 0.900 after")
    expect(screen.page.locator("#train-pages tbody tr").first).to_contain_text("+0.100")
    screen.page.locator("#train-use").click()
    expect(screen.page.locator("#other-choice")).to_have_value("auto (default)")
    screen.page.locator("#train-pages button", has_text="school.html").click()
    screen.wait_for("school")
    expect(screen.block("article p:nth-of-type(1)")).to_have_class(re.compile("^b "))  # both keep it
    expect(screen.page.locator("#train-use")).to_have_text("Use the default again")
    screen.page.locator("#train-use").click()
    expect(screen.page.locator("#other-choice")).to_have_value("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labelling_is_accessible(open_screen: Any, scheme: Any) -> None:
    axe = find_package("axe-core")
    if axe is None:
        pytest.skip("axe-core is not installed: make peers")
    screen = open_screen("drag")
    screen.page.emulate_media(color_scheme=scheme)
    screen.press("j")
    expect(screen.page.locator("#label-choice button").first).to_be_enabled()
    screen.page.evaluate((axe / "axe.min.js").read_text(encoding="utf-8"))
    found = screen.page.evaluate(
        "axe.run(document, {iframes: false, resultTypes: ['violations']}).then((found) => found.violations"
        ".filter((each) => ['serious', 'critical'].includes(each.impact)).map((each) => each.id))"
    )
    assert found == []


def find_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def test_killed_server_loses_no_label(open_screen: Any, tmp_path: Path) -> None:
    """Neither saved labels nor those made while the server was down."""
    make_pages(tmp_path)
    line = ["-m", "bonmun", "inspect", str(tmp_path / "pages"), "--gold", str(tmp_path / "kim.jsonl"), "--no-open"]
    line += ["--port", str(find_port())]
    with running(*line) as (server, address):
        screen = open_screen("bridge", address)
        screen.block("article p:nth-of-type(1)").click()
        screen.expect_saved()
        server.kill()
        server.wait()
        screen.block("article p:nth-of-type(2)").click()
        screen.expect_saved("waiting")
        screen.block("article p:nth-of-type(3)").click()
    with running(*line) as (_, address):
        screen.page.goto(address)
        screen.wait_for("bridge")
        screen.expect_saved()
        for number, look in ((1, "d"), (2, "d"), (3, "d"), (4, "k")):
            screen.expect_label(f"article p:nth-of-type({number})", look)
        screen.press("Enter")
        expect(screen.page.locator("#label-progress")).to_contain_text("1 done")
    assert re.findall(r"^Part (\d)", read_gold(tmp_path)["bridge.html"]["text"], re.M) == ["4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kim.jsonl", "kim.jsonl.queue", "pages"]
