"""The site panel in a real browser: layouts, texts that repeat, pages, counts on the page; hostile pages stay text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from screens import open_browser, open_inspector, serve_pages

from bonmun.lab.evaluate.systems.node_packages import find_package
from learned_site import HOST, make_article, make_listing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"
ESCAPED = EVIL.replace("<", "&lt;")
ARTICLES, LISTINGS = 9, 3
ODD, EVIL_PAGE, BROKEN = 12, 13, 14  # numbers of pages


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evil = (
        f"<title>{ESCAPED} \u202etxeT</title><nav><a href='javascript:alert(3)'>{ESCAPED}</a></nav>"
        f"<h1>{ESCAPED}</h1><p>{ESCAPED} {'and many more words in a long line ' * 3000}</p>"
    )
    evil_too = f"<title>Other</title><div class=z><b>{ESCAPED}</b><i>{'x' * 5000}</i></div>"
    htmls = [
        *(
            make_article(number).replace("<ul class=rel", f"<p>{ESCAPED}</p><ul class=rel")
            for number in range(ARTICLES)
        ),
        *map(make_listing, range(1, LISTINGS + 1)),
        "<title>Odd</title><table class=x><tr><td class=y>A</table>",
        evil,
        "%PDF-1.4 no page at all",
        evil_too,
    ]
    names = [f"p{number}" for number in range(len(htmls))]
    names[EVIL_PAGE] = f"{EVIL}\u202e{'n' * 500}"
    records = (
        {"id": name, "url": f"https://{HOST}/{n}", "html": html}
        for n, (name, html) in enumerate(zip(names, htmls, strict=True))
    )
    path = tmp_path_factory.mktemp("site") / "pages.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return path


@pytest.fixture(scope="module")
def address(pages: Path) -> Iterator[str]:
    with serve_pages(pages) as address:
        yield address


def study(page: Page) -> None:
    page.locator("#tab-site").click()
    page.locator("#site-pages").wait_for(timeout=60_000)
    page.locator("#summary", has_text=re.compile("site model|사이트 모델")).wait_for()


@pytest.fixture(scope="module")
def screen(browser: Browser, address: str) -> Iterator[Page]:
    page = open_inspector(browser, address)
    study(page)
    yield page
    assert page.problems == []
    page.close()


def list_rows(page: Page, name: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(f"{name} [role=option]").all_inner_texts()]


def test_the_panel_shows_layouts_texts_and_pages(screen: Page) -> None:
    layouts = [" ".join(text.split()) for text in screen.locator("#site .layout").all_inner_texts()]
    assert layouts[0].startswith("Layout 1 article 9 pages mean confidence 0.")
    assert layouts[-1] == "Unlike every layout 3 pages"
    rows = list_rows(screen, "#site-pages")
    assert "cannot be read" in rows[0]
    assert all("unlike every layout" in row for row in rows[1:4])
    texts = list_rows(screen, "#site-texts")
    assert texts[0].startswith("Home dropped on 12 of 15 pages")


def test_a_click_opens_the_page_with_its_site_model(screen: Page) -> None:
    from playwright.sync_api import expect

    screen.locator("#site .examples button").nth(1).click()
    expect(screen.locator("#page-choice")).to_have_value("1")
    expect(screen.locator("#site-pages [aria-selected=true]")).to_contain_text("p1")
    screen.frame_locator("#frame").locator("bm-t", has_text="Imprint").first.hover()
    expect(screen.locator("#card")).to_contain_text(re.compile(r"on \d+ of \d+ pages of its kind"))
    expect(screen.locator("#card")).to_contain_text("text on 12 of 15 pages of the site")
    expect(screen.locator("#why")).to_be_hidden()
    screen.locator("#site-texts [role=option]", has_text="Subscribe now").click()
    expect(screen.locator("#card .said")).to_contain_text("Subscribe now")


def test_layouts_filter_the_pages(screen: Page) -> None:
    from playwright.sync_api import expect

    screen.locator("[data-layout='1']").click()
    expect(screen.locator("#site-pages [role=option]")).to_have_count(LISTINGS)
    screen.locator("[data-layout='-1']").click()
    expect(screen.locator("#site-pages [role=option]").first).to_contain_text("unlike every layout")
    screen.locator("[data-layout='-1']").click()
    expect(screen.locator("#site-pages [aria-setsize='16']").first).to_be_visible()


def test_the_site_model_can_be_switched_off(screen: Page) -> None:
    from playwright.sync_api import expect

    expect(screen.locator("#summary")).to_contain_text("site model of 15 pages")
    screen.locator("[data-switch=siteModel]").click()
    expect(screen.locator("#summary")).not_to_contain_text("site model")
    screen.locator("[data-switch=siteModel]").click()
    expect(screen.locator("#summary")).to_contain_text("site model of 15 pages")


def test_counts_stand_beside_the_blocks(screen: Page) -> None:
    from playwright.sync_api import expect

    screen.locator("#page-choice").select_option("2")
    expect(screen.locator("#page-choice")).to_have_value("2")
    screen.locator("[data-switch=siteCounts]").click()
    badges = screen.frame_locator("#frame").locator("bm-badge")
    expect(badges.first).to_have_text("12")
    size = "(node) => [node.scrollHeight, node.scrollWidth]"
    shown = screen.frame_locator("#frame").locator("html").evaluate(size)
    screen.locator("[data-switch=siteCounts]").click()
    expect(badges).to_have_count(0)
    assert screen.frame_locator("#frame").locator("html").evaluate(size) == shown


def test_the_panel_works_by_keyboard(screen: Page) -> None:
    from playwright.sync_api import expect

    screen.locator("#page-choice").select_option("3")
    pages = screen.locator("#site-pages")
    pages.focus()
    for key, page in (("End", "site-page-15"), ("ArrowUp", "site-page-14")):
        screen.keyboard.press(key)
        expect(pages).to_have_attribute("aria-activedescendant", page)
    expect(screen.locator("#page-choice")).to_have_value("3")  # the arrows only move
    screen.keyboard.press("Enter")
    expect(screen.locator("#page-choice")).to_have_value("10")
    assert screen.evaluate("document.activeElement.id") == "site-pages"
    screen.keyboard.press("Escape")
    screen.locator("body").press("1")
    expect(screen.locator("#result")).to_be_visible()
    screen.keyboard.press("9")
    expect(screen.locator("#site")).to_be_visible()


def test_texts_of_pages_are_never_markup(screen: Page) -> None:
    from playwright.sync_api import expect

    place = screen.locator("#site")
    assert place.locator("img, script, iframe, a").count() == 0
    assert EVIL in place.inner_text()
    assert place.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0
    screen.locator("#site-pages [role=option]", has_text="onerror").first.click()
    expect(screen.locator("#page-choice")).to_have_value(str(EVIL_PAGE))
    screen.locator("#site-texts [role=option]", has_text="onerror").first.click()
    expect(screen.locator("#card .said")).to_contain_text("<script>")
    assert screen.locator("#card img, #card script").count() == 0
    screen.locator("#site-pages [role=option]", has_text="cannot be read").click()
    expect(screen.locator("#notice .problem")).to_be_visible()
    screen.locator("#page-choice").select_option("0")
    expect(screen.locator("#summary strong")).to_have_text("article")


def test_the_study_is_kept_when_the_screen_is_reloaded(browser: Browser, address: str, screen: Page) -> None:
    from playwright.sync_api import expect

    page = open_inspector(browser, address, "page=4")
    expect(page.locator("#summary")).to_contain_text("site model of 15 pages")
    page.locator("#tab-site").click()
    expect(page.locator("#site-pages [aria-selected=true]")).to_contain_text("p4")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_and_korean(browser: Browser, address: str, screen: Page, scheme: str) -> None:
    from playwright.sync_api import expect

    options: Any = {"viewport": {"width": 390, "height": 800}, "locale": "ko-KR", "color_scheme": scheme}
    page = open_inspector(browser, address, **options)
    study(page)
    assert page.locator("#tab-site").inner_text() == "사이트"
    assert "레이아웃 1" in page.locator("#site .layout").first.inner_text()
    assert "읽을 수 없음" in list_rows(page, "#site-pages")[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.frame_locator("#frame").locator("bm-t", has_text="Imprint").first.hover()
    expect(page.locator("#card")).to_contain_text(re.compile(r"같은 종류의 페이지 \d+개 중 \d+개에 있음"))
    expect(page.locator("#card")).to_contain_text("사이트 페이지 15개 중 12개에 있는 텍스트")
    assert not re.search(r"site[A-Z]\w+|\{\w+\}", page.locator("#site").inner_text())
    assert page.problems == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_is_accessible(browser: Browser, address: str, screen: Page, scheme: str) -> None:
    axe = find_package("axe-core")
    if axe is None:
        pytest.skip("axe-core is not installed: make peers")
    page = open_inspector(browser, address, color_scheme=scheme)
    study(page)
    page.locator("[data-layout='0']").click()
    page.evaluate((axe / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run(document, {iframes: false, resultTypes: ['violations']}).then((found) => found.violations"
        ".filter((each) => ['serious', 'critical'].includes(each.impact))"
        ".map((each) => each.id + ': ' + each.nodes.map((node) => node.html.slice(0, 120)).join(' | ')))"
    )
    assert found == []
    page.close()


def test_other_pages_make_the_study_stale(browser: Browser, pages: Path) -> None:
    from playwright.sync_api import expect

    with serve_pages(pages) as address:
        page = open_inspector(browser, address)
        study(page)
        page.keyboard.press("o")
        page.locator("#open-html").fill(make_article(8))
        page.locator("#open-form .main").click()
        expect(page.locator("#site .note")).to_contain_text("have changed since")
        page.locator("#site-again").click()
        expect(page.locator("#site .note")).to_have_count(0)
        page.locator("#site-choice").select_option("1")
        expect(page.locator("#site .site-about")).to_contain_text("pages without a URL (1)")
        assert page.problems == []
        page.close()


def test_limits_and_failures_are_said(browser: Browser, address: str, screen: Page) -> None:
    from playwright.sync_api import expect

    def answer_with(page: Page, **values: Any) -> None:
        def change(route: Any) -> None:
            route.fulfill(json=route.fetch().json() | values)

        page.route("**/inspector/api/site", change)

    page = browser.new_page()
    answer_with(page, open=20_000)
    page.goto(address)
    page.locator("#tab-site").click()
    expect(page.locator("#site .note")).to_have_text("Only the first 16 of 20,000 open pages were read.")
    page.unroute_all(behavior="wait")  # the page asks again and again
    page.close()
    page = browser.new_page()
    answer_with(page, state="failed", problem=f"No memory {EVIL}", sites=[])
    page.goto(address)
    page.locator("#tab-site").click()
    expect(page.locator("#site .problem")).to_contain_text(f"No memory {EVIL}")
    page.unroute_all(behavior="wait")
    page.locator("#site-again").click()
    page.locator("#site-pages").wait_for()
    page.close()
    page = browser.new_page()
    answer_with(page, state="judging", done=3, total=16, sites=[])
    page.goto(address)
    page.locator("#tab-site").click()
    expect(page.locator("#site-progress")).to_have_text("Extracting pages: 3 of 16")
    expect(page.locator("#site progress")).to_have_attribute("value", "3")
    page.unroute_all(behavior="wait")
    page.close()


def test_a_single_page_has_no_site_panel(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(make_article(1))
    with serve_pages(tmp_path) as address:
        page = open_inspector(browser, address)
        assert page.locator("#tab-site").is_hidden()
        page.close()
