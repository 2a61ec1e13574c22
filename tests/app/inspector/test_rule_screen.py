"""Rules made by clicking in a real browser, on five pages of a made-up site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from screens import open_browser, open_inspector, serve_pages

import bonmun
from bonmun.rules.rule_files import parse_rules
from made_up_site import HOST, SITE_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

HOSTILE = (
    f"<link rel=canonical href=https://{HOST}/x><title><img src=x onerror=alert(1)></title>"
    '<div class="story x&quot;]&#10;[[rule]]"><h2 class=headline>&lt;img src=x onerror=alert(1)&gt;</h2><p>Some text.</p></div>'
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, html in SITE_PAGES.items():
        (folder / name).write_text(html)
    return folder


def click(page: Page, text: str, field: str) -> None:
    """Select a block, and start a rule."""
    page.frame_locator("#frame").locator("bm-t", has_text=text).first.click()
    page.locator(f"[data-rule={field}]").click()
    page.locator("#rule-save:enabled").wait_for()


def save(page: Page) -> None:
    page.locator("#rule-save").click()
    page.locator("#rule").wait_for(state="hidden")


def read_table(page: Page) -> list[list[str]]:
    return [row.locator("td").all_inner_texts() for row in page.locator("#rule-effect tbody tr").all()]


def test_rules_by_clicking(browser: Browser, folder: Path, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    rules = tmp_path / "mine.toml"
    rules.write_text('# mine\n[[rule]]\nname = "other"\nhosts = ["other.example"]\ndrop = ".x"\n')
    with serve_pages(folder, "--rules", str(rules)) as address:
        page = open_inspector(browser, address)
        before = page.locator("#result .output").inner_text()
        assert "printed paper" in before
        click(page, "Read the whole story", "drop")
        expect(page.locator("#rule-title")).to_have_text(f"Always drop this on {HOST}")
        assert page.locator("#rule-selector").input_value() == ".support"
        table = read_table(page)
        assert sorted(row[0].split("\n")[0] for row in table) == sorted(SITE_PAGES)
        assert all("Read the whole story" in row[0] for row in table)
        assert {tuple(row[1:]) for row in table} == {("1", "20", "0")}
        assert "mk" in str(
            page.frame_locator("#frame").locator("bm-t", has_text="Read the whole").first.get_attribute("class")
        )
        save(page)
        expect(page.locator("#card")).to_contain_text(f"rule {HOST}: drop")
        expect(page.locator("#result .output")).not_to_contain_text("printed paper")
        click(page, "At a glance", "keep")
        assert page.locator("#rule-selector").input_value() == ".facts"
        save(page)
        expect(page.locator("#result .output")).to_contain_text("Number")
        click(page, "Ann Lee", "authors")
        assert page.locator("#rule-selector").input_value() == ".who"
        save(page)
        for field, selector in (("title", ".headline"), ("date", "time@datetime")):
            click(page, {"title": "The bridge at Ott", "date": "2026-05-06"}[field], field)
            assert page.locator("#rule-selector").input_value() == selector
            save(page)
        expect(page.locator("#rule-note")).to_contain_text("date time@datetime")
        assert page.problems == []
        page.close()
    other, own = sorted(parse_rules(rules.read_bytes(), "mine.toml"), key=lambda rule: rule.name)
    assert other.name == "other"
    assert own.hosts == (HOST,)
    for name, html in SITE_PAGES.items():
        doc = bonmun.extract(html, rules=rules)
        assert "printed paper" not in doc.text, name
        assert "At a glance" in doc.text, name
        assert doc.metadata.fields["author"].source == f"rule {HOST}"
        assert doc.date == re.findall(r'datetime="([^"]+)', html)[0]


def test_another_element_another_selector_and_undo(browser: Browser, folder: Path, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    rules = tmp_path / "mine.toml"
    first = f'[[rule]]\nname = "{HOST}"\nhosts = ["{HOST}"]\ndrop = [".menu"]\n'
    rules.write_text(first)
    with serve_pages(folder, "--rules", str(rules)) as address:
        page = open_inspector(browser, address, "lang=ko", viewport={"width": 390, "height": 844})
        click(page, "Read the whole story", "drop")
        expect(page.locator("#rule-save")).to_have_text("규칙 저장")
        page.locator("#rule-element").select_option(index=2)  # the whole story
        expect(page.locator("#rule-selector")).to_have_value(".story")
        page.locator("#rule-selector").fill(".no-such")
        expect(page.locator("#rule-state")).to_have_text("이 페이지에서 선택자가 아무것도 찾지 못합니다.")
        page.locator("#rule-selector").fill("p:bad(")
        expect(page.locator("#rule-state")).to_contain_text("not supported")
        expect(page.locator("#rule-save")).to_be_disabled()
        page.locator("#rule-selector").fill("div.support")
        page.locator("#rule-save:enabled").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        rules.write_text(first.replace(".menu", ".end"))  # by someone else, after the preview
        page.locator("#rule-save").click()
        expect(page.locator("#rule-state")).to_contain_text("has changed since the preview")
        expect(page.locator("#rule-text")).to_contain_text('[".end", "div.support"]')
        save(page)
        expect(page.locator("#card")).to_contain_text(f"규칙 {HOST}: 제외")
        page.locator("#rule-undo").click()
        expect(page.locator("#rule-note")).to_be_hidden()
        expect(page.locator("#card")).not_to_contain_text("규칙")
        assert rules.read_text() == first.replace(".menu", ".end")
        page.keyboard.press("r")
        page.locator("#rule-save:enabled").wait_for()
        page.keyboard.press("Escape")
        page.locator("#rule").wait_for(state="hidden")
        assert page.problems == []
        page.close()


def test_hostile_names_and_texts_stay_text(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "<img src=x onerror=alert(1)>.html").write_text(HOSTILE)
    rules = tmp_path / "mine.toml"
    rules.write_text(f'[[rule]]\nname = "a"\nhosts = ["{HOST}"]\ndrop = ".x"\n')
    with serve_pages(tmp_path / "pages", "--rules", str(rules)) as address:
        page = open_inspector(browser, address)
        click(page, "<img", "title")
        assert page.locator("#rule img").count() == 0
        save(page)
        assert page.problems == []
        page.close()
    assert [rule.name for rule in parse_rules(rules.read_bytes(), "mine.toml")] == [HOST, "a"]
