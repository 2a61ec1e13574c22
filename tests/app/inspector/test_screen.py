"""The inspector in a real browser, by mouse and keyboard; nothing of a page runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from screens import ARABIC, ARTICLE, make_long_page, open_browser, serve_pages
from vectors import VECTORS

from bonmun.lab.evaluate.systems.node_packages import find_package
from bonmun.page import Page as HtmlPage
from bonmun.page.frame.make_frame import write_frame
from bonmun.pipeline import extract
from timing import repeated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

LONG_BLOCKS = 10_000
MAX_MS = 300  # for any gesture on the long page; each takes under 100 on an idle machine (docs/how-to/inspector.md)
PAGES = {"article": 0, "arabic": 1, "long": 2, "vectors": 3, "broken": 4, "cover": 5, "huge": 6}
LINK = (
    '<p>See <a href="https://x.example/a">the plan</a> of it. <img src="/i.png" alt="A plan" width=300 height=200></p>'
)
LINKED_ARTICLE = ARTICLE.replace("<h2>", f"{LINK}<h2>", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    bodies = {
        "article": LINKED_ARTICLE,
        "huge": f"<title>Huge</title><p>{'Many words in one block. ' * 2000}</p><p>The end.</p>",
        "arabic": ARABIC,
        "long": make_long_page(LONG_BLOCKS),
        "vectors": ARTICLE + "".join(html for name, html in VECTORS.items() if name != "plaintext"),
        "broken": "%PDF-1.4 no page at all",
        "cover": ARTICLE + VECTORS["cover"],
    }
    for name, number in PAGES.items():
        (folder / f"{number}-{name}.html").write_text(bodies[name])
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serve_pages(folder) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


def show(browser: Browser, address: str, name: str = "article", **options: Any) -> Page:
    """Open a page in a new window, and wait for its answer."""
    page = browser.new_page(**({"viewport": {"width": 1280, "height": 800}} | options))
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.problems = problems
    page.goto(address.replace("/#", f"/?page={PAGES[name]}#"))
    page.locator("#summary strong").wait_for()
    return page


@pytest.fixture(scope="module")
def article(browser: Browser, address: str) -> Iterator[Page]:
    """One window for all tests that restore its state."""
    page = show(browser, address)
    yield page
    assert page.problems == []
    page.close()


@pytest.fixture
def screen(article: Page) -> Iterator[Page]:
    yield article
    article.keyboard.press("Escape")
    article.locator("#method-choice").select_option("auto")
    article.locator("#other-choice").select_option("")
    article.locator("#tab-result").click()
    article.locator("#summary strong").wait_for()


def inside(page: Page) -> Any:
    return page.frame_locator("#frame")


def expect_text(place: Locator, wanted: str) -> None:
    from playwright.sync_api import expect

    expect(place).to_contain_text(wanted)


def expect_class(place: Locator, wanted: str) -> None:
    from playwright.sync_api import expect

    expect(place).to_have_class(re.compile(wanted))


def leaf(page: Page, text: str) -> Locator:
    found: Locator = inside(page).locator("bm-t", has_text=text).first
    return found


def test_blocks_are_painted_by_decision(screen: Page) -> None:
    expect_class(leaf(screen, "After nine years"), r"^k s\d$")
    expect_class(leaf(screen, "Home"), r"^d s\d$")
    expect_class(leaf(screen, "At last!"), r"^c s\d$")
    kept = leaf(screen, "After nine years").evaluate("(node) => getComputedStyle(node).textDecorationStyle")
    dropped = leaf(screen, "Home").evaluate("(node) => getComputedStyle(node).textDecorationStyle")
    assert (kept, dropped) == ("solid", "dashed")
    assert "#key" not in screen.url


def test_pointing_at_a_block_shows_the_reason(screen: Page) -> None:
    leaf(screen, "The old bridge was lost").hover()
    card = screen.locator("#card")
    expect_text(card, "kept")
    expect_text(card, "like main text")
    expect_text(card.locator("code").first, "/html/body/p[3]")
    expect_text(screen.locator("#features"), "for keeping it")
    leaf(screen, "About us").hover()
    expect_text(card, "dropped")


def test_compare_two_methods(screen: Page) -> None:
    screen.locator("#method-choice").select_option("all")
    expect_class(leaf(screen, "Home"), r"^k s\d$")
    screen.locator("#other-choice").select_option("auto")
    expect_class(leaf(screen, "Home"), r"^x ")
    expect_class(leaf(screen, "After nine years"), r"^b ")
    screen.locator("#tab-methods").click()
    panel = screen.locator("#methods")
    expect_text(panel, "Word F1 between the methods")
    expect_text(panel.locator("dd").first, "0.")
    expect_text(panel, "kept by all only")
    panel.get_by_role("option").first.click()
    expect_text(screen.locator("#card"), "auto: dropped")


def test_search_by_text_reason_and_xpath(screen: Page) -> None:
    search, count = screen.locator("#search"), screen.locator("#search-count")
    search.fill("bridge")
    expect_text(count, "of ")
    search.press("Enter")
    expect_text(count, "1 of ")
    search.press("Enter")
    expect_text(count, "2 of ")
    search.press("Shift+Enter")
    expect_text(count, "1 of ")
    expect_class(leaf(screen, "The bridge at Ott"), "hit")
    search.fill("no such words")
    expect_text(count, "no match")
    search.fill("comment")  # a reason
    expect_class(leaf(screen, "At last!"), "hit")
    search.fill("/aside")
    expect_class(leaf(screen, "More news"), "hit")
    search.press("Escape")
    assert search.input_value() == ""


def test_keyboard_only(screen: Page) -> None:
    keys = screen.keyboard
    keys.press("j")  # the first kept block
    expect_text(screen.locator("#card"), "After nine years")
    keys.press("j")
    expect_text(screen.locator("#card"), "The old bridge was lost")
    keys.press("k")
    expect_text(screen.locator("#card"), "After nine years")
    keys.press("n")  # the next change or uncertain block
    turn = screen.locator("#card .details .quiet").last.inner_text()
    assert turn != "Block 4 of 20"
    keys.press("p")
    expect_text(screen.locator("#card"), "After nine years")
    keys.press("m")
    assert screen.evaluate("document.activeElement.id") == "method-choice"
    keys.press("Escape")
    keys.press("c")
    assert screen.evaluate("document.activeElement.id") == "other-choice"
    keys.press("Escape")
    keys.press("/")
    assert screen.evaluate("document.activeElement.id") == "search"
    keys.press("Escape")
    keys.press("2")
    screen.locator("#leaves [role=option]").first.wait_for()
    keys.press("ArrowRight")
    assert screen.locator("#tab-groups").get_attribute("aria-selected") == "true"
    keys.press("?")
    expect_text(screen.locator("#help-keys"), "next / previous block")
    keys.press("Escape")
    screen.locator("#help").wait_for(state="hidden")
    leaf(screen, "After nine years").click()  # keys now go to the frame
    keys.press("j")
    expect_text(screen.locator("#card"), "The old bridge")


def test_panels_show_leaves_groups_paths_and_metadata(screen: Page) -> None:
    screen.locator("#method-choice").select_option("xpath+")
    screen.locator("#tab-groups").click()
    expect_text(screen.locator("#groups"), "Blocks with the same path")
    screen.locator("#groups [role=option].chosen").click()
    expect_class(leaf(screen, "After nine years"), "mk")
    screen.locator("#tab-path").click()
    expect_text(screen.locator("#path"), "html/body/p")
    screen.locator("#tab-leaves").click()
    row = screen.locator("#leaves [role=option]", has_text="The old bridge was lost")
    row.click()
    expect_text(screen.locator("#card"), "The old bridge was lost")
    screen.locator("#tab-metadata").click()
    fact = screen.locator(".field", has_text="Ann Lee")
    fact.get_by_role("button").click()
    expect_text(screen.locator("#card"), "By Ann Lee")


def test_results_and_confidence_match_the_library(screen: Page) -> None:
    doc = extract(LINKED_ARTICLE.encode())
    assert screen.locator("#result .output").inner_text().split() == doc.text.split()
    screen.get_by_role("button", name="Markdown").click()
    expect_text(screen.locator("#result .output"), "## Who paid for it")
    screen.get_by_role("button", name="JSON").click()
    assert json.loads(screen.locator("#result .output").inner_text())["title"] == doc.title
    screen.locator("#result").get_by_role("button", name="text", exact=False).first.click()
    screen.locator("#tab-confidence").click()
    expect_text(screen.locator("#confidence"), f"{doc.confidence:.2f}")
    expect_text(screen.locator("#confidence"), "What lowers the confidence")


def test_legend_and_groups_of_methods(screen: Page) -> None:
    assert screen.locator("#legend .look").all_inner_texts() == ["kept", "dropped", "comment"]
    groups = screen.locator("#method-choice optgroup")
    assert [group.get_attribute("label") for group in groups.all()] == ["Default", "Papers", "Baselines"]
    assert groups.nth(0).locator("option").all_text_contents() == ["auto"]
    assert "rules" in groups.nth(2).locator("option").all_text_contents()
    screen.locator("#other-choice").select_option("xpath+")
    expect_text(screen.locator("#legend"), "kept by xpath+ only")


def test_xpath_and_css_selector_of_a_block(screen: Page) -> None:
    leaf(screen, "The old bridge was lost").click()
    xpath, css = screen.locator("#card .place code").all_inner_texts()
    assert (xpath, css) == ("/html/body/p[3]", "body > p:nth-of-type(3)")
    (found,) = HtmlPage.parse(ARTICLE).select(css)
    assert found.text.startswith("The old bridge was lost")


def test_rendered_markdown_and_switches(screen: Page) -> None:
    output = screen.locator("#result .output")
    screen.locator("[data-format=html]").click()
    assert output.locator("h2").inner_text() == "Who paid for it"
    assert output.locator("a").first.get_attribute("href") == "https://x.example/a"
    expect_text(output.locator(".image"), "A plan")
    screen.locator("[data-format=markdown]").click()
    expect_text(output, "[the plan](https://x.example/a)")
    screen.locator("[data-switch=links]").click()
    expect_text(output, "See the plan of it.")
    screen.locator("[data-switch=images]").click()
    output.filter(has_not_text="A plan").wait_for()
    for name in ("links", "images"):
        screen.locator(f"[data-switch={name}]").click()
    expect_text(output, "[the plan](https://x.example/a)")


def test_rendered_html_is_rebuilt_from_allowed_tags(screen: Page) -> None:
    found = screen.evaluate(
        """async (html) => {
          const { renderHtml } = await import("/inspector/static/panels/rendered.js");
          const place = document.createElement("div");
          place.append(renderHtml(html));
          return place.innerHTML;
        }""",
        "<p onclick=alert(1) style=x>Some <a href=javascript:alert(2)>words</a><script>alert(3)</script>"
        "<img src=x onerror=alert(4) alt='<b>'><iframe src=x></iframe><svg><p>x</svg><custom-tag>more</custom-tag></p>"
        + "<div>"
        * 1000,
    )
    assert found.startswith('<p>Some <a>words</a><span class="image" title="x">Image: &lt;b&gt;</span>')
    assert not any(word in found for word in ("onclick", "script", "onerror", "iframe", "svg", "style", "custom"))


def test_nothing_about_a_block_is_clipped(screen: Page) -> None:
    leaf(screen, "The old bridge was lost").click()
    screen.locator("#features h2").first.wait_for()
    for place in ("#card", "#why"):
        assert screen.locator(place).evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"), place


def test_a_huge_block_does_not_fill_the_map(browser: Browser, address: str) -> None:
    page = show(browser, address, "huge")
    read = """(node) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
      [...node.getContext("2d").getImageData(node.width / 2, node.height * .7, 1, 1).data][3]))))"""
    assert 0 < page.locator("#minimap").evaluate(read) < 100  # opacity of 255
    page.close()


def test_page_styles_can_be_switched_off(browser: Browser, address: str) -> None:
    page = show(browser, address, "cover")
    cover = inside(page).get_by_text("cover", exact=True)
    looks = cover.evaluate("(node) => [getComputedStyle(node.parentElement)].map((it) => [it.position, it.zIndex])[0]")
    assert looks == ["static", "2147483647"]
    page.locator("#styles-switch").click()
    assert cover.evaluate("(node) => getComputedStyle(node.parentElement).zIndex") == "auto"
    assert leaf(page, "After nine years").is_visible()
    page.close()


def test_columns_are_aligned_with_their_names(screen: Page) -> None:
    screen.locator("#method-choice").select_option("density")
    screen.locator("#tab-groups").click()
    expect_text(screen.locator("#groups .row.head"), "link density")
    ends = "(node) => [...node.children].map((each) => Math.round(each.getBoundingClientRect().left))"
    names = screen.locator("#groups .row.head").evaluate(ends)
    assert names == screen.locator("#groups .cells").first.evaluate(ends)
    expect_text(screen.locator("#groups .list"), "After nine years")  # the text of a leaf beside its number


def test_nothing_of_a_page_runs_or_loads(browser: Browser) -> None:
    """Put every vector in a frame like the inspector's, on a page without a policy, and click every element."""
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    frames = [write_frame(HtmlPage.parse(f"<p>Some words.</p>{html}")) for html in VECTORS.values()]
    page.goto("data:text/html,<title>frames</title>")
    asked.clear()
    shown = page.evaluate(
        """async (frames) => {
          const holders = frames.map((html) => {
            const frame = document.createElement("iframe");
            frame.setAttribute("sandbox", "allow-same-origin");
            frame.srcdoc = html;
            document.body.append(frame);
            return frame;
          });
          await Promise.all(holders.map((frame) => new Promise((done) => frame.addEventListener("load", done))));
          let clicked = 0;
          for (const frame of holders) {
            const inside = frame.contentDocument;
            if (inside.body.tagName !== "BODY" || typeof inside.querySelectorAll !== "function") return -1;
            for (const element of inside.querySelectorAll("*")) {
              element.click?.();
              element.focus?.();
              element.dispatchEvent(new Event("error"));
              element.dispatchEvent(new Event("load"));
              clicked += 1;
            }
          }
          await new Promise((done) => setTimeout(done, 200));
          return clicked;
        }""",
        frames,
    )
    assert len(frames) > 40
    assert shown > 3 * len(frames)
    assert page.evaluate("window.bonmunWasHere") is None
    assert [url for url in asked if not url.startswith(("about:srcdoc", "data:image/"))] == []
    page.close()


def test_only_the_server_is_requested(browser: Browser, address: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address.replace("/#", f"/?page={PAGES['vectors']}#"))
    page.locator("#summary strong").wait_for()
    own = address.split("/inspector/")[0]
    assert asked
    assert [url for url in asked if not url.startswith((own, "about:srcdoc", "data:image/"))] == []
    assert page.evaluate("window.bonmunWasHere") is None
    page.close()


def test_nothing_is_shown_without_the_key(browser: Browser, address: str) -> None:
    page = browser.new_context().new_page()
    page.goto(address.split("#")[0])
    expect_text(page.locator("#notice"), "key is missing or wrong")
    page.context.close()


def test_server_serves_only_its_files_and_checks_the_key(address: str) -> None:
    own, key = address.split("/inspector/#key=")
    with httpx.Client(base_url=own, headers={"X-Bonmun-Key": key}, trust_env=False) as client:
        screen = client.get("/inspector/")
        assert screen.headers["content-type"].startswith("text/html")
        assert "script-src 'self';" in screen.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in screen.headers["content-security-policy"]
        assert client.get("/inspector/static/main.js").headers["content-type"].startswith("text/javascript")
        assert client.get("/inspector/static/styles/theme.css").headers["content-type"].startswith("text/css")
        for name in ("../jobs.py", "..%2fjobs.py", "%2e%2e/jobs.py", "none.js", "main.js%00", ".hidden", "MAIN.js"):
            assert client.get(f"/inspector/static/{name}").status_code == 404
        for name in (
            "",
            "core",
            "core/",
            "core/%2e%2e/main.js",
            "core/%2e%2e/%2e%2e/jobs.py",
            "%2fetc/passwd",
            "core%5capi.js",
        ):
            assert client.get(f"/inspector/static/{name}").status_code == 404
        assert client.get("/inspector/api/pages").json()["count"] == len(PAGES)
        assert client.get("/inspector/api/pages", headers={"X-Bonmun-Key": "guess"}).status_code == 401
        for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert client.get("/inspector/api/pages", headers=headers).status_code == 403
        assert client.get("/inspector/api/pages/99").status_code == 404
        wrong = client.get("/inspector/api/pages/0/answer?method=nonsense")
        assert wrong.status_code == 422
        assert "Unknown method" in wrong.json()["error"]["message"]
        assert client.get("/inspector/api/pages/0/features?block=-1").status_code == 422


def test_unreadable_page_is_reported(screen: Page) -> None:
    screen.locator("#page-choice").select_option(str(PAGES["broken"]))
    expect_text(screen.locator("#notice"), "This is a PDF file")
    screen.locator("#page-choice").select_option(str(PAGES["article"]))
    screen.locator("#notice").wait_for(state="hidden")
    expect_class(leaf(screen, "After nine years"), r"^k s\d$")


def test_right_to_left_pages(browser: Browser, address: str) -> None:
    page = show(browser, address, "arabic", viewport={"width": 360, "height": 700})
    assert inside(page).locator("html").get_attribute("dir") == "rtl"
    assert page.locator("html").get_attribute("dir") is None
    text = page.locator("#result .output")
    assert text.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    panels, stage = page.locator("#panels").bounding_box(), page.locator("#stage").bounding_box()
    assert panels
    assert stage
    assert panels["y"] >= stage["y"] + stage["height"]
    page.close()


def test_theme_follows_the_system_until_chosen(browser: Browser, address: str) -> None:
    page = show(browser, address, color_scheme="dark")
    read = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(read) == "rgb(19, 21, 23)"
    page.keyboard.press("t")
    assert page.evaluate(read) == "rgb(242, 242, 239)"
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_inspector_is_accessible(browser: Browser, address: str, scheme: str) -> None:
    axe = find_package("axe-core")
    if axe is None:
        pytest.skip("axe-core is not installed: make peers")
    page = show(browser, address, color_scheme=scheme)
    page.keyboard.press("j")
    page.locator("#features h2").first.wait_for()
    page.locator("#other-choice").select_option("rules")
    page.evaluate((axe / "axe.min.js").read_text(encoding="utf-8"))
    for tab in ["result", "leaves", "groups", "metadata", "methods"] if scheme == "light" else ["methods"]:
        page.locator(f"#tab-{tab}").click()
        page.locator(f"#{tab} > *").first.wait_for()
        found = page.evaluate(
            "axe.run(document, {iframes: false, resultTypes: ['violations']}).then((found) => found.violations"
            ".filter((each) => ['serious', 'critical'].includes(each.impact))"
            ".map((each) => each.id + ': ' + each.nodes.map((node) => node.html.slice(0, 120)).join(' | ')))"
        )
        assert found == [], (tab, found)
    page.close()


MEASURE = """async () => {
  const state = await import("/inspector/static/core/state.js");
  const frame = document.getElementById("frame");
  const settle = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const measure = async (act) => {
    await new Promise((done) => requestIdleCallback(done, { timeout: 3000 }));
    await settle();
    const start = performance.now();
    act();
    frame.contentDocument.body.offsetHeight;
    document.body.offsetHeight;
    const took = performance.now() - start;
    await settle();
    return took;
  };
  const search = document.getElementById("search");
  const type = (text) => () => { search.value = text; search.dispatchEvent(new Event("input")); };
  const [one, other] = [state.read("answer"), structuredClone(state.read("answer"))];
  other.kept = other.kept.map((kept, row) => (row % 2 ? kept : !kept));
  const took = { blocks: state.read("blocks").length };
  took.hover = await measure(() => state.set("hovered", 5000));
  took.select = await measure(() => state.set("selected", 7000));
  took.method = await measure(() => state.set("answer", other));
  took.back = await measure(() => state.set("answer", one));
  took.search = await measure(type("r"));
  took.more = await measure(type("river"));
  took.clear = await measure(type(""));
  took.leaves = await measure(() => state.set("tab", "leaves"));
  took.result = await measure(() => state.set("tab", "result"));
  return took;
}"""


@pytest.mark.long
@pytest.mark.slow
@repeated
def test_ten_thousand_blocks_stay_smooth(browser: Browser, address: str) -> None:
    page = show(browser, address, "long")
    page.locator("#result .output").wait_for()
    top = leaf(page, "Part 0 of the river").evaluate("(node) => node.getBoundingClientRect().top")
    assert 0 < top < 800, "a page opens where its text begins"
    took: dict[str, float] = page.evaluate(MEASURE)
    page.close()
    assert took.pop("blocks") > LONG_BLOCKS * 0.95
    assert max(took.values()) < MAX_MS, took


@pytest.mark.slow
def test_a_report_needs_no_server(browser: Browser, folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    inputs = [str(folder / f"{PAGES[name]}-{name}.html") for name in ("article", "arabic", "vectors", "broken")]
    command = [
        sys.executable,
        "-m",
        "bonmun",
        "report",
        *inputs,
        "-o",
        str(site),
        "--compare",
        "xpath+",
        "--workers",
        "1",
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    page = browser.new_page()
    asked: list[str] = []
    problems: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.goto((site / "index.html").as_uri())
    assert page.locator("#rows tbody tr").count() == 4
    page.get_by_role("button", name="Words").click()
    assert (
        "article" in page.locator("#rows tbody th").first.inner_text()
        or "vectors" in page.locator("#rows tbody th").first.inner_text()
    )
    page.locator("#filter").fill("جسر")
    assert page.locator("#rows tbody tr").count() == 1
    page.locator("#filter").fill("article")
    page.get_by_role("link", name="article").click()
    page.locator("#summary strong").wait_for()
    expect_class(leaf(page, "After nine years"), r"^k s\d$")
    assert page.locator("#result .output").inner_text().split() == extract(LINKED_ARTICLE.encode()).text.split()
    page.locator("#other-choice").select_option("xpath+")
    page.locator("#tab-methods").click()
    expect_text(page.locator("#methods dd").first, "0.")
    page.locator(".back").click()
    page.get_by_role("link", name="vectors").click()
    page.locator("#summary strong").wait_for()
    assert page.evaluate("window.bonmunWasHere") is None
    assert [url for url in asked if not url.startswith(("file:", "about:srcdoc", "data:image/"))] == []
    assert problems == []
    page.close()


def test_open_a_page_by_keyboard(browser: Browser, address: str) -> None:
    page = show(browser, address)
    page.keyboard.press("o")
    page.locator("#open-html").focus()
    page.keyboard.insert_text(
        "<title>Pasted</title><h1>Pasted</h1>" + "<p>What was pasted is read like any page.</p>" * 5
    )
    assert page.locator("#open-url").is_hidden()  # this server does not fetch
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#result", has_text="What was pasted").wait_for()
    assert page.title().startswith("Pasted")
    page.keyboard.press("o")
    page.locator("#open-form button[type=submit]").press("Enter")
    page.locator("#open-problem", has_text="Choose a file").wait_for()
    page.locator("#open-html").fill("%PDF-1.4")
    page.locator("#open-form button[type=submit]").click()
    page.locator("#open-problem", has_text="PDF").wait_for()
    assert page.problems == []
    page.close()
