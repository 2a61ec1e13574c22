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
}


@pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)
def test_collapsed_sections_are_text(panel: str) -> None:
    head = f"<title>Lamps</title><body>{MENU}<h1>Lamps</h1>{make_paragraph(100)}"
    panels = "".join(panel.format(number, make_paragraph(number)) for number in range(8))
    assert count_lamps(f"{head}{panels}{FOOT}") == 8
    assert count_lamps(f"{head}{panels.replace('aria-controls', 'data-for')}{FOOT}") == 0  # nothing opens them


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
    ],
)
def test_only_panels_with_text_are_shown(html: str, expected: list[bool]) -> None:
    assert find_hidden(html) == expected


HOSTILE = {
    "open tags": lambda n: HTML + "<script" * n,
    "empty tags": lambda n: HTML + "<script/>" * n,
    "tags without an end": lambda n: HTML + "<script '" * n + "/>",
    "spaces": lambda n: HTML + "<script/>" + "<a" + " " * n,
    "noscripts": lambda n: "<noscript>" * n,
    "noscripts without an end": lambda n: "<noscript " * n,
    "panels": lambda n: "<p aria-controls=a id=a hidden>Words that are long enough for a panel." * n,
    "nested panels": lambda n: "<div aria-controls=a id=a hidden>Words" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", HOSTILE)
def test_repairs_take_linear_time(shape: str) -> None:
    assert_linear(HOSTILE[shape], lambda html: Page.parse(html), 20_000, 0.1)
