"""Selectors of rules: CSS and XPath select the same elements as in a browser, in linear time."""

from __future__ import annotations

import pytest

from bonmun.page import Page
from bonmun.rules.find import find_rows, has_match, list_values
from bonmun.rules.selectors import InvalidSelector, parse_selector
from timing import assert_linear

PAGE = Page.parse("""<title>T</title><meta name=who content="Ann Lee"><body class=top>
<div id=a class="post big"><h2>One</h2><p>one</p><p class=x>two</p><p>three</p></div>
<div id=b class=post><p>four</p><ul><li>1</li><li class=x>2</li><li>3</li></ul><time datetime=2026-03-04>now</time></div>
<div id=c><p>five</p><img alt=i></div><p id=d>six</p>""")


def find(selector: str) -> list[str]:
    """Return the ids or texts of the elements that a selector selects."""
    rows = find_rows(PAGE, [parse_selector(selector)])
    return [PAGE.attr(row, "id") or " ".join(PAGE.markup[row].text.split()) for row in rows]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (".post", ["a", "b"]),
        ("div.post > p", ["one", "two", "three", "four"]),
        ("h2 + p", ["one"]),
        ("h2 ~ p", ["one", "two", "three"]),
        (".post li.x, #d", ["2", "d"]),
        ("body.top .x", ["two", "2"]),
        ("div:not(.post)", ["c"]),
        ("div:has(> img)", ["c"]),
        ("p:nth-child(2)", ["one"]),
        ("[class~='post'][id^=a]", ["a"]),
        ("//div[@id='a']/p", ["one", "two", "three"]),
        ("//div[contains(@class, 'big')]//p[2]", ["two"]),
        ("//div[contains(concat(' ', normalize-space(@class), ' '), ' post ')]", ["a", "b"]),
        ("//div[@class='post']/ul/li[last()]", ["3"]),
        ("//div[.//img]", ["c"]),
        ("//div[not(@class)]", ["c"]),
        ("//div[@id='a' or @id='c']", ["a", "c"]),
        ("//div[@id and @class='post']", ["b"]),
        ("//p[@class='x'][1] | //h2", ["One", "two"]),
        ("//h2/following-sibling::p[1]", ["one"]),
        ("/html/body/p", ["d"]),
        ("//DIV[starts-with(@id,'b')]", ["b"]),
    ],
)
def test_a_selector_selects(selector: str, found: list[str]) -> None:
    assert find(selector) == found


def test_values_are_texts_or_attributes_also_of_the_head() -> None:
    assert list_values(PAGE, parse_selector("time@datetime")) == ["2026-03-04"]
    assert list_values(PAGE, parse_selector("//time/@datetime")) == ["2026-03-04"]
    assert list_values(PAGE, parse_selector("meta[name=who]@content")) == ["Ann Lee"]
    assert list_values(PAGE, parse_selector("//h2/text()")) == ["One"]
    assert has_match(PAGE, parse_selector("meta[name=who]"))
    assert not has_match(PAGE, parse_selector("meta[name=whom], .post > img"))


@pytest.mark.parametrize(
    "selector",
    [
        "",
        " ",
        "a b >",
        "a,,b",
        "::before",
        "a:hover",
        "a:is(b c)",
        "*:has(a > b)",
        "//",
        "//a[",
        "//a/..",
        "//a[text()]",
        "//a[count(b)=1]",
        "//a/ancestor::b",
        "a\\",
        "@",
        "a:nth-child(x)",
        "(//a",
        "//a | ",
        "//a/@b | //c",
    ],
)
def test_other_selectors_are_refused(selector: str) -> None:
    with pytest.raises(InvalidSelector):
        parse_selector(selector)


@pytest.mark.slow
@pytest.mark.parametrize("selector", [".a .a .a .z", ".z .a .a .a .a", ".a ~ .a + .a .a", ".a:not(:has(.z)) > .a"])
@pytest.mark.parametrize("piece", ["<div class=a>", "<p class=a>x</p>", "<i class=a><b class=a>x</b></i>"])
def test_time_is_linear_on_hostile_pages(selector: str, piece: str) -> None:
    parsed = parse_selector(selector)
    assert_linear(
        lambda count: Page.parse(f"<title>x</title>{piece * count}y"), lambda page: find_rows(page, [parsed]), 16_000
    )
