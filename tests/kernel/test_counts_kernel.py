"""The kernel counts the same as the reference, on any page."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.models.features.class_words import MAX_NAME_CHARACTERS, read_word_numbers
from bonmun.models.features.count_page import count_page, view_counts
from bonmun.models.features.page_arrays import PageArrays
from bonmun.models.features.page_counts import KERNEL, PageCounts, count_compiled, make_counter
from bonmun.models.features.urls import MAX_URL_CHARACTERS
from samples import in_one_test, on_every_page
from scripts.fuzz.shapes import SHAPES
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(KERNEL is None, reason="The kernel is not built: python setup.py build_ext --inplace.")

URL = "https://www.example.org/news/today"
NAMES = "class id role itemprop title data-x".split()
VALUES = (
    "post postBody POST menu-2 post_menu2 EntryContent XMLHttp bodyÉ 본문 post본문Body K\u212a\u0130 a aA 😀menu x"
    + "y" * 30
).split()
HREFS = (
    "/ # #top ? ?a=1 // /// http:// https:///a https://www.example.org/news https://www.example.org/news/today/ "
    "https://WWW.example.org/a HTTPS://Example.ORG/a-b_c/12 http://www.www.a.example/ //b.example/news/ https://É.example/ "
    "mailto:a@b.example TEL:1 sms:2 JavaScript:x javascr\u0130pt:x news news/ news/today/one /news /a//b/ a?b?c 한글/주소-1 "
    "//x https:/x ftp://a.example/1 https://a.example:80/x?y#z /😀/٣ /1/2/3/4/5/6/7/8/9/10 www.a.example tel"
).split()
PIECES = (
    "<div> </div> <p> <p&hidden> <li> <ul> </ul> <h1> <br> <span> </span> </a> <b> </b> <img> <input> <input&type=password> "
    "<hr> <table> <tr> <td> </table> <pre> </pre> <section&hidden> </section> <i> <svg><use></use></svg> <script>x</script> "
    "<title>가나&다.</title> <template> <template&shadowrootmode=open> <slot> </template> <form> <article> "
    "가나 다. One two. 。 字 😀 ٣ | : 1 end.&Then \ud800 \ud83d\ude00 \x00 &#xFFFF; &#x10FFFF; a b"
).split()
ATTRIBUTES = st.tuples(st.sampled_from(NAMES), st.lists(st.sampled_from(VALUES), max_size=3).map(" ".join)).map(
    lambda named: f'{named[0]}="{named[1]}"'
)
TAGS = st.tuples(st.sampled_from("div p li a span section x-y".split()), st.lists(ATTRIBUTES, max_size=3)).map(
    lambda tag: f"<{tag[0]} {' '.join(tag[1])}>"
)
LINKS = st.sampled_from([*HREFS, *(f" {href}\n" for href in HREFS)]).map(lambda href: f'<a href="{href}">')
MARKUPS = st.lists(
    st.one_of(st.sampled_from([piece.replace("&", " ") for piece in PIECES]), TAGS, LINKS), max_size=40
).map(" ".join)
ADDRESSES = st.sampled_from([None, URL, "", "https://a.example", *HREFS])


def check(page: Page) -> PageArrays:
    """Check that kernel and reference count the same, and return the counts."""
    expected, found = count_page(page), view_counts(count_compiled(page))
    for name in PageCounts._fields:
        one, other = getattr(expected, name), getattr(found, name)
        assert (name, one.dtype, one.shape) == (name, other.dtype, other.shape)
        if one.dtype == np.float32:
            np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(other, one, err_msg=name)
    return found


def test_the_kernel_returns_the_fields_of_page_arrays() -> None:
    names = [field.name for field in fields(PageArrays)]
    assert list(PageCounts._fields) == [name for name in names if name not in ("site", "boxes")]


def test_it_needs_no_numpy() -> None:
    code = (
        "import sys; from bonmun.page import Page; from bonmun.models.features.page_counts import count_compiled; "
        "count_compiled(Page.parse('<p class=post>a <a href=b>c</a>')); print('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [b"False"]


# --- pages -------------------------------------------------------------------------------------------------------------


@on_every_page
@in_one_test("url", [None, URL])
def test_pages(path: Path, url: str | None) -> None:
    check(Page.parse(path.read_bytes(), url))


@pytest.mark.slow
@in_one_test("shape", SHAPES.values(), ids=SHAPES.keys())
def test_hostile_pages(shape: Any) -> None:
    check(Page.parse(shape.make(200), URL))


@in_one_test("markup", ["", "<div><img></div>", "<title>a</title>", "<p> </p>", "<p>a", "a", "<a href=x>a"])
@in_one_test("url", [None, URL, "https://[", "/"])
def test_small_pages(markup: str, url: str | None) -> None:
    check(Page.parse(f"<body>{markup}", url))


@given(MARKUPS, ADDRESSES)
@example("<div hidden><p>a<p>b</div>", None)
@example("<p hidden>a<p>b", None)
@example("<title>ab</title><p>ab<p>a<p>😀ab.", None)
@example("<div><template shadowrootmode=open><p class=post id=menu>a<slot></slot></template>b</div>", URL)
def test_any_page(markup: str, url: str | None) -> None:
    check(Page.parse(f"<body>{markup}", url or None))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(text: str, other: str) -> None:
    said = text.replace('"', "")
    check(
        Page.parse(
            f'{text}<p class="{said}">{other}<title>{other}</title><a href="{said}">{text} {other}', text or None
        )
    )


@given(MARKUPS, st.data())
def test_pages_with_removed_blocks(markup: str, data: st.DataObject) -> None:
    page = Page.parse(f"<p>a {markup}")
    check(page.without(data.draw(st.sets(st.integers(0, len(page.starts) - 1)))))


def test_every_known_word_is_found_in_any_spelling() -> None:
    words = [word.decode() for word, number in read_word_numbers().items() if number >= 0]
    for write in (str, str.upper, str.title):
        found = check(Page.parse("".join(f"<p class={write(word)}>a" for word in words)))
        assert len(found.words) == len(words)
    check(Page.parse("".join(f"<p class='{word}x x{word} {word}{word.title()}'>a" for word in words)))


# --- what is long, deep or odd -----------------------------------------------------------------------------------------

LONG = 1_000_000


@pytest.mark.parametrize(
    "markup",
    [
        f"<p class='{'post ' * LONG}' id='{'é' * LONG}'>a",
        f"<p class='{'x' * (MAX_NAME_CHARACTERS - 4)}postmenu'>a",
        f"<p class='{' ' * (MAX_NAME_CHARACTERS - 4)}postmenu'>a",
        f"<a href='{'/a' * LONG}'>a</a>",
        f"<a href='{' ' * LONG}b'>a</a>",
        f"<a href='{'/' * (MAX_URL_CHARACTERS - 1)} b'>a</a>",
        f"<p>{'a. ' * LONG}",
        f"<p>{'😀. ' * (LONG // 10)}<p>a.",
        f"<title>{'ab😀' * 1000}</title><p>{'字. ' * LONG}",
        "<p>a" * 30_000,
        "".join(f"<p class=c{i} id=i{i % 7} role=r{i % 3}><a href=/{i % 5}/{i}>{i}</a>" for i in range(20_000)),
        "<div class=a>" * 400 + "a",
        "<b>" * 100_000 + "a",
        "<input>" * 50_000 + "a<input type=password>",
    ],
    ids=range(14),
)
def test_long_pages(markup: str) -> None:
    check(Page.parse(markup, URL))


def test_lone_surrogates() -> None:
    page = Page.parse("<title>\ud83d\ude00\ud800</title><p class='\ud800post'>\ud83d\ude00 \udfff.<p>a\ud800<p>😀")
    check(page)


@pytest.mark.slow
def test_time_is_linear() -> None:
    def make(count: int) -> Page:
        return Page.parse("".join(f"<p class=c{i} id=i{i}><a href=/a/{i}>a. {i}</a>" for i in range(count)), URL)

    assert_linear(make, count_compiled, 40_000)


# --- columns that no page has ------------------------------------------------------------------------------------------


def given_page(**changed: Any) -> Any:
    """Return the arguments of the kernel for a page with two blocks, with some changes."""
    page = Page.parse("<body><p>a</p><p>b</p>")  # <html>, <head>, <body> and two
    given: dict[str, Any] = {
        "elements": list(page.markup),
        "bits": page.bits,
        "hidden": None,
        "title": "",
        "own_host": "",
        "own_path": "",
        "address_facts": (),
    }
    names = "tags parents owners starts opened leaf_elements texts block_texts".split()
    return given | {name: getattr(page, name) for name in names} | changed


@pytest.mark.parametrize(
    "changed",
    [
        {"parents": [-1, 0, 0, 2]},
        {"parents": [-1, 0, 0, 2, 4]},
        {"parents": [-1, 0, 0, 2, 5]},
        {"parents": [-2, 0, 0, 2, 2]},
        {"owners": [3, 5]},
        {"owners": [3, -1]},
        {"owners": [3]},
        {"starts": [0, 2]},
        {"starts": [0, 0]},
        {"starts": [1, 0]},
        {"starts": [0, 1 << 31]},
        {"opened": [4, 6]},
        {"leaf_elements": [3, 5]},
        {"leaf_elements": [3]},
        {"bits": [0]},
        {"bits": b"\0"},
        {"hidden": []},
        {"elements": []},
        {"tags": []},
        {"block_texts": ["a"]},
        {"address_facts": (0.0,) * 9},
    ],
    ids=str,
)
def test_invalid_columns_raise(changed: dict[str, Any]) -> None:
    with pytest.raises((ValueError, OverflowError)):
        make_counter().count(**given_page(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"texts": [1, 2], "bits": [1] * 5},
        {"block_texts": [b"a", "b"]},
        {"starts": ["a", "b"]},
        {"tags": None},
        {"title": None},
        {"bits": 1},
    ],
    ids=str,
)
def test_columns_of_other_types_raise(changed: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        make_counter().count(**given_page(**changed))


def test_bits_may_be_bytes() -> None:
    given = given_page()
    assert make_counter().count(**given | {"bits": bytes(given["bits"])}) == make_counter().count(**given)
