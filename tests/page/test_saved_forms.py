"""Pages as people save them: XHTML saved as XML, unclosed `<noscript>`, collapsed sections."""

from __future__ import annotations

import pytest

import bonmun
from bonmun import Page
from bonmun.page.parse.unclosed import drop_unclosed_noscripts
from bonmun.page.parse.xhtml import close_empty_elements
from timing import assert_linear


def make_paragraph(number: int) -> str:
    return (
        f"<p>Lamp {number} of the old lighthouse was lit again this spring, and the whole village came to see it burn "
        "at night, as it had done every year before.</p>"
    )


TEXT = "".join(map(make_paragraph, range(8)))
MENU = "<ul><li><a href='/'>Home</a></li><li><a href='/a'>About</a></li><li><a href='/b'>News</a></li></ul>"
FOOT = "<footer>Copyright 2026 Sea News. All rights reserved.</footer>"
HTML = "<html xmlns='http://www.w3.org/1999/xhtml'>"
XHTML_STARTS = [HTML, "<?xml version='1.0'?><html>", '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html>']


def count_lamps(html: str) -> int:
    text = bonmun.extract(html).text
    return sum(f"Lamp {number} of" in text for number in range(8))


@pytest.mark.parametrize("start", XHTML_STARTS)
@pytest.mark.parametrize("tag", ["textarea", "iframe", "script", "title"])
def test_xhtml_saved_as_xml_is_read_to_its_end(start: str, tag: str) -> None:
    before = "".join(f"<p>Line {number}</p>" for number in range(30))
    html = f"{start}<body>{before}<a id='top'/><{tag} class='a &gt; b'/><div class='x'/>{TEXT}</body></html>"
    page = Page.parse(html)
    assert sum("Lamp" in text for text in page.texts) == 8
    assert not any(page.linked_leaves)


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><iframe src='a'/><p>a</p>",  # does not say that it is XHTML
        f"{HTML}<body><div class='a'/><a id='b'/><br/><p>a</p>",  # nothing is lost
        f"{HTML}<body><script src='a'/></script><div/>",
        f"{HTML}<body><iframe src=a/><div/>",  # the URL is a/
        f"{HTML}<body><script>if (a < b) c = '/>'</script><div/>",
        f"{HTML}<body><scripts/><div/>",
    ],
)
def test_other_pages_are_not_changed(html: str) -> None:
    assert close_empty_elements(html) == html


def test_void_elements_have_no_end_tag() -> None:
    html = f"{HTML}<title/><br/><img src='a' /><svg:path d='x'/>"
    assert close_empty_elements(html) == f"{HTML}<title></title><br/><img src='a' /><svg:path d='x'></svg:path>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<noscript>a</noscript>b", "<noscript>a</noscript>b"),
        ("<NOSCRIPT class=x>a", "a"),
        ("<noscript>a<noscript>b</noscript>c", "a<noscript>b</noscript>c"),
        ("<noscript>a<noscript>b</noscript>c</noscript>", "<noscript>a<noscript>b</noscript>c</noscript>"),
        ("a</noscript><noscripts>", "a</noscript><noscripts>"),
    ],
)
def test_unclosed_noscripts_are_dropped(html: str, expected: str) -> None:
    assert drop_unclosed_noscripts(html) == expected


def test_an_unclosed_noscript_does_not_hide_the_rest_of_the_page() -> None:
    head = f"<title>Lamps</title><body>{MENU}<h1>Lamps</h1>{make_paragraph(100)}"
    assert count_lamps(f"{head}<noscript><img src=a><div>{TEXT}</div>{FOOT}") == 8
    assert count_lamps(f"{head}<noscript><div>{TEXT}</div></noscript>{FOOT}") == 0


# Of an accordion and of tabs: control and panel, for a number and a paragraph.
PANELS = {
    "aria-hidden": "<h3><button aria-controls=p{0}>Question {0}?</button></h3><div id=p{0} aria-hidden=true>{1}</div>",
    "hidden": "<h3><button aria-controls='p{0}'>Question {0}?</button></h3><div id=p{0} hidden>{1}</div>",
    "display": "<dt aria-controls='x p{0}'>Question {0}?</dt><dd id=p{0} style='display: none'>{1}</dd>",
    "expanded": "<div><h3 aria-expanded=false>Question {0}?</h3><div style='display:none'>{1}</div></div>",
    "summary": "<details><summary>Question {0}?</summary><div aria-hidden=true>{1}</div></details>",
    "class": "<div><h3>Question {0}?</h3><div class=faq__answer style='display:none'>{1}</div></div>",
    "tabs": "<div role=tabpanel hidden>{1}</div>",
}
# What says that a panel is one, in these.
SIGNS = ("aria-controls", "aria-expanded", "<summary", "class", "role")


@pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)
def test_collapsed_sections_are_text(panel: str) -> None:
    head = f"<title>Lamps</title><body>{MENU}<h1>Lamps</h1>{make_paragraph(100)}"
    panels = "".join(panel.format(number, make_paragraph(number)) for number in range(8))
    assert count_lamps(f"{head}{panels}{FOOT}") == 8
    for sign in SIGNS:
        panels = panels.replace(sign, "<b" if sign.startswith("<") else "data-for")
    assert count_lamps(f"{head}{panels}{FOOT}") == 0  # nothing opens them


def find_hidden(html: str) -> list[bool]:
    page = Page.parse(f"<body><p>Shown</p>{html}")
    return [bool(each) for each in page.visibility.hidden_leaves][1:]


CONTROL = "<i aria-controls=p></i>"
LONG = "The lamp of the old lighthouse was lit again."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{CONTROL}<div id=p hidden>{LONG}</div>", [False]),
        (f"{CONTROL}<div id=p hidden>{LONG}<b hidden>b<i>c</i></b><template>x</template></div>", [False, True, True]),
        (f"{CONTROL}<div id=p hidden>{LONG}</div>end", [False, False]),
        (f"{CONTROL}<div id=p hidden>Short</div>", [True]),
        (f"{CONTROL}<div id=q hidden>{LONG}</div>", [True]),
        (f"{CONTROL}<div id=p hidden><a href=x>{LONG}</a></div>", [True]),
        (f"{CONTROL}<div id=p role=dialog hidden>{LONG}</div>", [True]),
        (f"{CONTROL}<div id=p aria-modal=true hidden>{LONG}</div>", [True]),
        (f"{CONTROL}<div id=p aria-roledescription=slide aria-hidden=true>{LONG}</div>", [True]),
        (f"<nav>{CONTROL}<div id=p hidden>{LONG}</div></nav>", [True]),
        (f"<form>{CONTROL}<div id=p hidden>{LONG}</div></form>", [True]),
        (f"{CONTROL}<dialog id=p>{LONG}</dialog>", [True]),
        (f"<div hidden>{CONTROL}<div id=p>{LONG}</div></div>", [True]),
        (f"<button aria-expanded=false></button><div hidden>{LONG}</div>", [False]),
        (f"<button aria-expanded=true></button><div hidden>{LONG}</div>", [True]),
        (f"<a aria-expanded=false></a><div hidden>{LONG}</div>", [True]),
        (f"<button aria-expanded=false></button><span hidden>{LONG}</span>", [True]),
        (f"<button aria-expanded=false></button><div class=dropdown-list hidden>{LONG}</div>", [True]),
        (f"<div><i aria-expanded=false></i></div><div hidden>{LONG}</div>", [False]),
        (f"<div><i aria-expanded=false></i>{'<i></i>' * 30}</div><div hidden>{LONG}</div>", [True]),
        (f"<i></i><div class='x accordion-body' hidden>{LONG}</div>", [False]),
        (f"<main><div class=accordion-body hidden>{LONG}</div></main>", [True]),
        (f"<i></i><div class='accordion-body cookie' hidden>{LONG}</div>", [True]),
    ],
)
def test_only_panels_with_text_are_shown(html: str, expected: list[bool]) -> None:
    assert find_hidden(html) == expected


# Pages that are sent in pieces, and their text.
STREAMED = {
    '<p>a</p><template id="P:1"></template><p>c</p><div hidden id="S:1"><p>b</p></div>': "a b c",
    '<p>a<!--$?--><template id="B:1f"></template>Loading<!--/$--> c</p><div hidden id="S:1f">b</div>': "ab c",
    '<!--$?--><template id="B:0"></template><p>x</p><!--$-->y<!--/$--><!--/$-->c<div hidden id="S:0">b</div>': "bc",
    '<!--$?--><template id="B:0"></template><p>a</p>c<div hidden id="S:0">b</div>': "b a c",
    '<template id="P:0"></template><div hidden id="S:1">b<template id="P:2"></template></div>'
    '<div hidden id="S:2">c</div><div hidden id="S:0">a<template id="P:1"></template></div>': "abc",
    '<template id="P:0"></template>a<div hidden id="S:1">b</div>': "a",  # no place
    'a<div hidden id="S:1">b<template id="P:1"></template></div>': "a",  # the place is in the part
    '<div hidden id="S:1"><template id="P:2"></template></div>'
    '<div hidden id="S:2"><template id="P:1"></template></div>a': "a",
    '<!--$?--><template id="B:1"></template>a<div hidden id="S:1">b</div><!--/$-->c': "bc",
    '<!--$?--><template id="B:1"></template><!--$?--><template id="B:2"></template>x<!--/$--><!--/$-->'
    '<div hidden id="S:1">a</div><div hidden id="S:2">b</div>': "a",  # the second place is gone
}


@pytest.mark.parametrize(("html", "text"), STREAMED.items())
def test_parts_are_put_where_scripts_put_them(html: str, text: str) -> None:
    page = Page.parse(f"<body>{html}")
    shown = [row for row, is_hidden in enumerate(page.hidden_blocks) if not is_hidden]
    assert " ".join(page.block_texts[row] for row in shown) == text


HOSTILE = {
    "open tags": lambda n: HTML + "<script" * n,
    "empty tags": lambda n: HTML + "<script/>" * n,
    "tags without an end": lambda n: HTML + "<script '" * n + "/>",
    "spaces": lambda n: HTML + "<script/>" + "<a" + " " * n,
    "noscripts": lambda n: "<noscript>" * n,
    "noscripts without an end": lambda n: "<noscript " * n,
    "panels": lambda n: "<p aria-controls=a id=a hidden>Words that are long enough for a panel." * n,
    "named panels": lambda n: "<p class=accordion hidden>Words that are long enough for a panel." * n,
    "parts": lambda n: "".join(f'<template id="P:{i}"></template><div hidden id="S:{i}">x</div>' for i in range(n)),
    "parts in parts": lambda n: "".join(
        f'<div hidden id="S:{i}"><template id="P:{i + 1}"></template>x</div>' for i in range(n)
    ),
    "stand-ins": lambda n: '<template id="B:0"></template>' * n + '<div hidden id="S:0">x</div>',
    "nested panels": lambda n: "<div aria-controls=a id=a hidden>Words" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", HOSTILE)
def test_repairs_take_linear_time(shape: str) -> None:
    assert_linear(HOSTILE[shape], lambda html: Page.parse(html), 20_000, 0.1)
