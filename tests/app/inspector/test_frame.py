"""Sanitised pages: every leaf is there, nothing outside the allow-lists is, and the size is linear in the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from vectors import OUTSIDE, VECTORS

from bonmun.page import Page
from bonmun.page.frame.make_frame import LEAF_TAG, write_frame
from bonmun.page.frame.rules import ATTRIBUTES, SHAPE_ATTRIBUTES, SHAPES, TAGS
from bonmun.page.frame.styles import clean_css
from samples import on_every_page
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

OWN_TAGS = {"html", "head", "body", "meta", "style", LEAF_TAG, "bm-image"}
ALLOWED_TAGS = set(TAGS.values()) | SHAPES | OWN_TAGS
OWN_ATTRIBUTES = {"data-leaf", "charset", "http-equiv", "content", "media", "src"}
ALLOWED_ATTRIBUTES = ATTRIBUTES | SHAPE_ATTRIBUTES | OWN_ATTRIBUTES
LOADING = re.compile(r"url\((?!['\"]?data:image/)|@import|image-set\(|expression\(|javascript:", re.I)


def check_harmless(frame: str) -> None:
    """Check that a parser finds only allowed content in a frame."""
    tree = turbohtml.parse(frame)
    for element in tree.iter_elements():
        assert element.tag in ALLOWED_TAGS, element.tag
        for name, value in element.attrs.items():
            assert name in ALLOWED_ATTRIBUTES, (element.tag, name)
            assert not name.startswith("on")
            if name == "src":
                assert element.tag == "img"
                assert str(value).startswith("data:image/")
            if name == "style":
                assert not LOADING.search(str(value)), value
        if element.tag == "style":
            assert not LOADING.search(element.text), element.text
        if element.tag == "meta":
            assert element.attr("http-equiv") in (None, "Content-Security-Policy")


def list_leaves(frame: str) -> list[int]:
    return [int(number) for number in re.findall(rf'<{LEAF_TAG} data-leaf="(\d+)">', frame)]


@on_every_page
def test_every_leaf_is_in_the_frame_once(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    frame = write_frame(page)
    assert sorted(list_leaves(frame)) == list(range(len(page.texts)))
    check_harmless(frame)
    texts = {int(each.attr("data-leaf") or -1): each.text for each in turbohtml.parse(frame).find_all(LEAF_TAG)}
    for leaf, text in enumerate(page.texts):
        if leaf not in page.formulas and leaf not in page.raws:
            assert " ".join(texts[leaf].split()) == text


@pytest.mark.parametrize("html", VECTORS.values(), ids=list(VECTORS))
def test_vectors_are_removed(html: str) -> None:
    page = Page.parse(f"<p>Some words that are read.</p>{html}<p>Others after them.</p>")
    frame = write_frame(page)
    check_harmless(frame)
    for element in turbohtml.parse(frame).iter_elements():
        for name, value in element.attrs.items():
            if name not in ("title", "alt", "content", "style"):  # shown as text, ours, or checked already
                assert OUTSIDE not in str(value)
                assert "javascript:" not in str(value).lower()


@given(st.lists(st.sampled_from(sorted(VECTORS.values())), min_size=2, max_size=4), st.data())
def test_pieces_of_vectors_in_any_order_are_harmless(parts: list[str], data: st.DataObject) -> None:
    joined = "".join(part[data.draw(st.integers(0, len(part))) :] for part in parts)
    check_harmless(write_frame(Page.parse(f"<p>x{joined}")))


@given(st.text(st.sampled_from("<>/!-=\"'& abipsvgmtxelry\x00"), min_size=1, max_size=120))
def test_any_markup_is_harmless(text: str) -> None:
    check_harmless(write_frame(Page.parse(f"<p>words {text}")))


def test_leaves_without_text_nodes() -> None:
    html = (
        "<p>She said <q>so</q> <img class=emoji alt=😀> and <math><mi>x</mi></math></p>"
        "<div><template shadowrootmode=open><h2>In the shadow</h2><slot></slot></template>In the slot</div>"
        "<pre>\n\n  two\n lines</pre><textarea>\nfield</textarea><select><option>one<option>two</select>"
        "<p>Let \\(a+b\\) be.</p><script src=mathjax.js></script>"
    )
    page = Page.parse(html)
    frame = write_frame(page)
    assert sorted(set(list_leaves(frame))) == list(range(len(page.texts)))
    check_harmless(frame)
    assert "“</bm-t>" in frame
    assert "😀</bm-t>" in frame


def test_page_styles_are_kept_and_marked() -> None:
    frame = write_frame(Page.parse("<style media=print>p{color:red}</style><p style='color:blue'>Some words.</p>"))
    assert '<style class="bm-page" media="print">p{color:red}</style>' in frame
    assert '<p style="color:blue">' in frame


ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(\\|[^\n]))")  # CSS escapes as a browser reads them


@pytest.mark.parametrize(
    "css",
    [
        r"u\\rl(//x)",  # an escaped backslash does not start an escape
        r"\7\35rl(//x)",  # an escape that would swallow another
        "u\x01rl(//x)",  # control characters are removed
        "u\u200brl(//x)",
        "\\\x0175rl(//x)",
        r"@im\\port '//x'",
        r"\75\72\6c(//x)",
    ],
)
def test_no_url_is_left_in_styles(css: str) -> None:
    check_loads_nothing(css)


WAYS = (  # to write each letter, and look-alikes
    ["u", "U", r"\u", r"\75 ", r"\000075", r"\7\35", "u\x01", "u\u200b", r"\\u", "\\\x0175 "],
    ["r", r"\r", r"\72 ", r"\052 ", r"\7\32 ", "\x7fr", r"\\r"],
    ["l", r"\l", r"\6c ", r"\00006c", r"\6\63 ", r"\6\43 ", r"\\l"],
)


@given(st.tuples(*map(st.sampled_from, WAYS)))
def test_any_escapes_are_harmless_in_styles(letters: tuple[str, ...]) -> None:
    check_loads_nothing("".join(letters) + "(//x)")


def check_loads_nothing(css: str) -> None:
    frame = write_frame(Page.parse(f'<style>p{{background:{css}}}</style><p style="background:{css}">Some words.'))
    shown = frame[frame.index('class="bm-page"') :]
    read = ESCAPE.sub(lambda found: chr(int(found[1], 16) % 0x110000) if found[1] else found[2], shown).lower()
    assert "url(" not in read, shown
    assert "@import" not in read, shown


def test_ids_of_the_inspector_are_reserved() -> None:
    frame = write_frame(Page.parse("<p id=bm-selected>Some words.<p id=mine>Others."))
    assert "bm-selected" not in frame
    assert 'id="mine"' in frame


def test_network_loads_only_images_and_styles() -> None:
    html = "<link rel=stylesheet href=a.css><script src=a.js></script><p><img data-src=b.png><a href=c>words</a>"
    page = Page.parse(html, "https://example.org/d/")
    assert "example.org" not in write_frame(page)
    frame = write_frame(page, network=True)
    assert '<link rel="stylesheet" class="bm-page" href="https://example.org/d/a.css">' in frame
    assert 'src="https://example.org/d/b.png"' in frame
    assert "a.js" not in frame
    assert "href=c" not in frame


@pytest.mark.parametrize(
    "css",
    [
        "a{background:url(http://x)}",
        "a{background:UR\\4c  (http://x)}",
        "@im\\70ort 'x'",
        "a{b:\\65xpression(1)}",
        "</style><script>",
    ],
)
def test_css_loads_nothing_and_ends_nothing(css: str) -> None:
    cleaned = clean_css(css, network=False)
    assert not LOADING.search(cleaned)
    assert "<" not in cleaned


def test_fixed_elements_scroll_with_the_page() -> None:
    css = "nav{position : Fixed;top:0}h2{position:-webkit-sticky}p{position:relative}"
    assert clean_css(css, network=True) == "nav{position:static;top:0}h2{position:static}p{position:relative}"
    assert 'style="position:static"' in write_frame(Page.parse("<p style='position:\\66ixed'>Some words.</p>"))


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p>هذه صفحة لا تقول كيف تكتب.</p><p>In English</p>", '<html dir="rtl">'),
        ("<html dir=ltr><p>هذه صفحة لا تقول كيف تكتب.</p>", '<html dir="ltr">'),
        ("<body dir=ltr><p>هذه صفحة لا تقول كيف تكتب.</p>", "<html>"),
        ("<html lang=he><p>123</p>", '<html lang="he" dir="rtl">'),
        ("<p>한국어 문장입니다. مرحبا</p>", "<html>"),
        ("", "<html>"),
    ],
)
def test_direction_follows_the_text(html: str, wanted: str) -> None:
    assert wanted in write_frame(Page.parse(html or "<p>"))


def test_css_keeps_inline_images() -> None:
    css = ".i::before{content:'\\f101 '}a{background:url(data:image/png;base64,AAAA)}"
    assert clean_css(css, network=False) == css


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["url(data:image/png;base64, ", "\\75 ", "url(", "@ ", "image-set ", "<", "javascript "]
)
def test_css_is_cleaned_in_linear_time(piece: str) -> None:
    assert_linear(lambda size: piece * size, lambda css: clean_css(css, network=False), 40_000)
    assert_linear(lambda size: piece + " " * size, lambda css: clean_css(css, network=False), 400_000)


def test_repeated_long_styles_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTML reopens each <font> in every paragraph."""
    read: list[int] = []

    def count(css: str, *, network: bool) -> str:
        read.append(len(css))
        return ""  # what is read counts, even if nothing is written

    monkeypatch.setattr("bonmun.page.frame.rules.clean_css", count)
    page = Page.parse("<p>" + "".join(f"<font style={n}{'a' * 3_000}>" for n in range(10)) + "<p>word" * 200)
    write_frame(page)
    assert 30_000 < sum(read) < 2 * page.size + 20_000


def test_frame_is_linear_in_the_page() -> None:
    def make(size: int) -> Page:
        return Page.parse("<p>word <b>bold</b> <a href=x class=y>link</a></p>" * size)

    frame = assert_linear(make, write_frame, 4_000)
    assert len(frame) < 40 * 4_000 * 10
    many = Page.parse(f"<b class={'x' * 5_000}>" + "<p>word" * 500)
    assert len(write_frame(many)) < 5 * many.size + 50_000
    deep = Page.parse("<div>" * 5_000 + "words")
    assert list_leaves(write_frame(deep)) == [0]


HALF = "\ud800"  # cannot be encoded


@pytest.mark.parametrize(
    "html",
    [
        f"<p {HALF}=1 class=a>word",
        f"<p {HALF}=1 {HALF}\udc00=2 id='{HALF}' title='{HALF}'>word",
        f"<input value='{HALF}'>word",
        f"<style media='{HALF}'>p {{ content: '{HALF}' }}</style>word",
        f"<img src='data:image/png;base64,{HALF}' alt='{HALF}'>word",
        f"<svg><path {HALF}=1 d='{HALF}'/></svg><x{HALF}>word",
    ],
)
def test_half_characters_may_occur_anywhere(html: str) -> None:
    for network in (False, True):
        frame = write_frame(Page.parse(html, "https://site.example/"), network=network)
        assert ">word<" in frame.encode().decode()
    if "class=a" in html:
        assert '<p class="a">' in frame
