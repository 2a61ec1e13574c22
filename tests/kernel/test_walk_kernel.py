"""The kernel fills the columns as the reference does: on any page, in every mode, in linear time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import turbohtml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bonmun.bounds import find_max_elements
from bonmun.page.code import find_code
from bonmun.page.formulas.formulas import find_formulas
from bonmun.page.parse import bombs, decode, xhtml
from bonmun.page.parse import walk as walking
from bonmun.page.parse.walk import walk
from bonmun.page.parse.walk_tables import Columns
from samples import in_one_test
from scripts.fuzz.shapes import ALL_SHAPES
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.fuzz.shapes import Shape

KERNEL = walking.KERNEL
pytestmark = pytest.mark.skipif(KERNEL is None, reason="The kernel is not built: python setup.py build_ext --inplace.")

PAGES = sorted(Path(__file__).parents[1].joinpath("pages").glob("*/*.html"))
MODES: tuple[dict[str, bool], ...] = ({}, {"ruby": True}, {"noscript": True, "careful": True}, {"careful": True})
WORDS = "<script src=/mathjax.js></script>"

ODD = (
    # whitespace
    "<p> a  b\n\tc <b>d</b> <i> e</i>f<p>\x0bg\x1ch\x1f i\x85j\xa0k\u2003l\u3000m\u2028n",
    "<p> \n <b> </b>\t<i></i>x<b> </b>y",
    "<p>a<p>\xa0<p>\u3000\u3000b",
    "<div> a <div> b </div> c </div> d",
    "<p>가나다  라\n마바사 <b>아</b>자<p>漢字\u3000漢字<p>😀  😀 x\U000e0041\U0001f468\u200d\U0001f469",
    # invisible elements
    "<p>a\x01b\x7fc\xadd\u200be\ufefff<b>\u200b</b>g<i>\x01 </i>h<p>\ue000<p>\x02\x03<p>\ud800x\udfff<p>\ufffe\U000f0000",
    "<pre>\u200b\n\x01 a\x02\n</pre><pre>\x01</pre><pre> \x01 <b>\ue000</b>x</pre>",
    # line breaks
    "<p>a<br>b<br><br>c<br> <br>d<br>\n<br>e<hr>f<wbr>g",
    "<select><option>a<option>b<optgroup label=x><option>c</select><input><p>a<input>b<input> c",
    # links
    "<a>a</a><a>b</a> <a>c</a><a><b>d</b></a><a>漢</a><a>字</a><a>ก</a><a>ข</a><a>x</a><a>字</a><h2>x<a>¶</a></h2><p>¶<a>¶¶</a>",
    "<a>" + "<b>" * 20 + "x</b><i>y</i></a><a>z</a>",
    # <pre>
    "<pre>\n\n  a\n  b  <b>c</b>\n\n</pre>d<pre> e</pre>",
    "<pre>a<div>b</div><div>c</div><div></div>d<p>e<p>f\n</p>g<br>h<hr>i<hr><hr>j<b>k</b><hr>l</pre>m",
    "<pre><div> a\n</div><div>\n</div> <div><hr></div><div><hr><hr></div>x<hr><b></b>y<hr><img alt=😀>z</pre>",
    "<pre><table><tr> <td>a</td> <td> b</td>\n</tr> </table> <ul> <li>x <li> </ul></pre>",
    "<pre><hr><q>a<hr><hr></q>b<q>“c</q><hr><hr><hr></pre>d<pre>\xa0\xa0a\n\xa0\nb</pre>",
    "<textarea> a\n b</textarea><listing>c</listing><xmp><b>d</b></xmp><plaintext><p>e",
    "<p style='white-space: pre-wrap'> a\n  b <b> c </b><div>d</div> </p>e",
    # marks, emoji, ruby
    "<p lang=de>Er: <q>a <q>b</q></q><q></q><q>“c”</q><q style=display:block>d</q><q hidden>e</q><p lang=fr><q> f </q>",
    "<ruby>漢<rp>(<rt>kan<rp>)</ruby><ruby>字<rt>ji</ruby><ruby>x<rt> <rt>y</ruby>",
    "<p>a<img alt=😀>b<img class=emoji alt=:)><img alt='no emoji at all'><img alt=''><img><a><img alt=¶ class=emoji></a>",
    # hidden elements, styles, elements that are not read
    "<p hidden>a<b aria-hidden=true>b</b><b aria-hidden=false>c</b><dialog>d</dialog><dialog open>e</dialog>",
    "<b style=display:block>a</b><div style='display:inline'>b</div><div style='DISPLAY : None'>c</div><i style='display:inline;display:grid'>d</i>",
    f"<b style='{'color:red;' * 20}display:block'>a</b><b style='{'x' * 4000}display:none'>b</b>",
    "<svg><text hidden>a</text><foreignObject><p hidden>b</foreignObject></svg><p hidden>c<video><b hidden>x</b></video>d",
    "<noscript><p hidden>a</noscript><noscript>b <b>c</b></noscript><noscript class=math>d</noscript>e",
    "<head><style hidden>x</style><title>t</title><noscript><link></noscript></head><body>a<script hidden>b</script>c",
    "<iframe><p hidden>a</iframe><noembed>b</noembed><p>c<object>d<embed></object><canvas>e</canvas>f",
    "<math><title><mi hidden>a</mi></title><mi hidden>b</mi></math><p hidden>c",
    "<math><script><mi hidden>a</mi></script><mtext>b</mtext></math><p hidden>c",
    # templates, shadow roots, slots
    "<template><p hidden>a</template><p hidden>b<template hidden>c</template>d",
    "<div><template shadowrootmode=open><p hidden>a<slot></slot>b<slot name=x>y</slot></template>c<i slot=x>d</i></div>e",
    "<div><template shadowrootmode=closed hidden><p hidden>a</template><p>b</div><template shadowrootmode=x>c</template>",
    "<slot>a<slot name=b>c</slot></slot><x-y><template shadowrootmode=open><slot></x-y>z",
    # formulas
    "<math><mi>x</mi><mo>=</mo><mn hidden>1</mn></math> a <math display=block><mi>y</mi></math>b<pre><math><mi>z</mi></math></pre>",
    WORDS + r"<p>a \(x\) b \[y\] c $$z$$<p>\(x\)<b> \(y\) </b><pre>\(z\)</pre><p> \[a\]  \[b\] <p>\(\)<a>\(c\)</a>",
    WORDS + "<p>a<span class=MathJax><span hidden>x</span></span><script type=math/tex>x^2</script>b<span class=math>\\(y\\)</span>",
    ("<span class=katex><math><semantics><mi>x</mi><annotation encoding=application/x-tex>x</annotation></math>"
    "<span hidden aria-hidden=true>x<b style=display:none>y</b></span></span> z<img class=tex alt='x^2'>"),
    # code
    "<pre><button>Copy</button><span class=lineno>1</span> a\n<span class=lineno>2</span> b\n</pre>c",
    "<pre><i class=n>1</i> a\n<i class=n>2</i> b\n<i class=n>3</i> c\n</pre><pre><i class=n hidden>x</i></pre>",
    "<div class=cm-content><div>a</div><div>  b</div><div></div></div><code class=block>c</code><code style='white-space:pre'>d\ne</code>",
    "<table class=js-file-line-container><tr><td class=blob-num>1<td> a\n<tr><td class=blob-num>2<td>b</table>",
    "<pre><code><div class=copy-btn>x</div><div>a</div></code></pre><code>b</code>",
    # trees
    "<html><p>a<html lang=de><body class=x>b</body></html>c<!-- d --><p>e",
    "<!doctype html><!-- a --><html><!-- b --><frameset><frame></frameset><noframes>c</noframes>",
    "<table>a<tr>b<td>c<table><td>d</table>e</table>f<caption>g",
    "<svg>" * 700 + "<p>a",
    "<math>" + "<mi>" * 900 + "x" + "</mi>" * 900 + "</math><p hidden>y<p>z",
    "<div>" * 900 + "x" + "<b hidden>" * 10,
    "<p>" + "<b>" * 30 + "<p>x" * 30,
    "<x-a><x-b>a</x-b><" + "x" * 50 + ">b</" + "x" * 50 + "><é>c</é><x-a>d",
    "<p>a<![CDATA[b]]><?c d?><!x>e</p>" + "<p>f",
    "x",
    "<p></p>",
)  # fmt: skip


def fill(tree: Any, html: str, kernel: Any, most: int | None = None, **modes: bool) -> dict[str, Any]:
    """Return the columns as filled by kernel or reference; the walk is repeated carefully if it asks for that."""
    formulas, code = find_formulas(tree, html), find_code(tree, html)
    before, walking.KERNEL = walking.KERNEL, kernel
    try:
        most = find_max_elements(len(html)) if most is None else most
        columns = Columns()
        if not walk(tree, columns, most, formulas, code, **modes):
            columns = Columns()
            walk(tree, columns, most, formulas, code, **{**modes, "careful": True})
    finally:
        walking.KERNEL = before
    return vars(columns)


def check(html: str, **modes: bool) -> None:
    tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
    for most in (None, 1, 7):
        ours, theirs = fill(tree, html, KERNEL, most, **modes), fill(tree, html, None, most, **modes)
        assert ours == theirs
        assert list(map(type, ours["texts"])) == list(map(type, theirs["texts"]))


@in_one_test("modes", MODES, ids=str)
@in_one_test("html", ODD, ids=lambda html: html[:30])
def test_odd_pages_are_walked_the_same(html: str, modes: dict[str, bool]) -> None:
    check(html, **modes)


@in_one_test("path", PAGES, ids=lambda path: path.parent.name)
def test_pages_are_walked_the_same(path: Path) -> None:
    html = path.read_text(encoding="utf-8", errors="replace")
    for modes in MODES:
        check(html, **modes)


@in_one_test("shape", ALL_SHAPES.values(), ids=ALL_SHAPES.keys())
def test_hostile_shapes_are_walked_the_same(shape: Shape) -> None:
    html = shape.make(min(shape.size, 300))
    check(html.decode("utf-8", "replace") if isinstance(html, bytes) else html)


TAGS = (
    "a b p br hr div span pre code q ruby rt rp img input template slot svg math noscript table tr td option select "
    "script style dialog li textarea video x-y mi annotation head body html"
).split()
GIVEN = (
    "", " hidden", " aria-hidden=true", " style=display:none", " style=display:block", " style='display: inline'",
    " style=white-space:pre", " open", " alt=😀", " class=emoji alt=:)", " class=lineno", " class=math", " class=cm-content",
    " class=katex", " shadowrootmode=open", " slot=a", " name=a", " lang=de",
)  # fmt: skip
WHITE = (" ", "\n", "\t", "  ", "\xa0", "\u3000", "\x1c", "\x85", "\u2028")
PIECES = (
    "a",
    "Two words",
    "1",
    "¶",
    "漢",
    "가나",
    "“",
    "\u200b",
    "\x01",
    "\ue000",
    "\ud800",
    "😀",
    "é",
    "\\(x\\)",
    "$y$",
    "&#8203;",
)

starts = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(GIVEN))
ends = st.sampled_from(TAGS).map("</{}>".format)
soups = st.lists(starts | ends | st.sampled_from(WHITE) | st.sampled_from(PIECES), max_size=40).map("".join)


@given(soups, st.sampled_from(MODES), st.booleans())
@settings(deadline=None, derandomize=True, max_examples=60)
@example("<pre><hr><b></b><hr><hr>", {}, False)
def test_any_soup_is_walked_the_same(html: str, modes: dict[str, bool], has_script: bool) -> None:
    check(WORDS * has_script + html, **modes)


@given(st.text(st.characters(exclude_categories=()), max_size=30), st.sampled_from(("p", "pre", "a", "q")))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_any_text_is_walked_the_same(text: str, tag: str) -> None:
    text = text.replace("<", "")
    check(f"<{tag}>{text}<b>{text}</b>")


def test_every_character_is_walked_the_same() -> None:
    characters = [
        chr(code) for code in (*range(0x3100), *range(0xD7F0, 0xE010), *range(0xFDC0, 0x10020), 0x1F468, 0xE0001)
    ]
    tree = turbohtml.parse("<p>x", positions=False)
    body = tree.find("body")
    assert body is not None
    body.extend([turbohtml.Text(f"{c} {c}a{c}{c}") for c in characters])
    body.extend([turbohtml.Element("p", children=[turbohtml.Text(text)]) for c in characters for text in (c, f"a{c}b")])
    assert fill(tree, "", KERNEL, 10**6) == fill(tree, "", None, 10**6)


# --- time ------------------------------------------------------------------------------------------------------------

SLOW: dict[str, tuple[Callable[[int], str], int]] = {
    "deep SVG": (lambda n: "<svg>" + "<g hidden>" * n + "x", 40_000),
    "deep MathML": (lambda n: "<math>" + "<mi hidden>" * n + "x", 10_000),
    "deep HTML": (lambda n: "<div hidden>" * n + "x", 40_000),
    "templates": (lambda n: "<template><b hidden>x</template>y" * n, 20_000),
    "slots": (lambda n: "<div><template shadowrootmode=open><slot></slot></template>x</div>" * n, 4_000),
    "a huge <pre>": (lambda n: "<pre>" + "a  b\n" * n, 400_000),
    "blanks in a <pre>": (lambda n: "<pre>" + "<b> </b>" * n + "x", 40_000),
    "lines in a <pre>": (lambda n: "<pre>" + " " * n + "<hr><div> </div>" * (n // 10), 200_000),
    "one text": (lambda n: "<p>" + "words and \n more " * n, 200_000),
    "tiny leaves": (lambda n: "<b>x</b>" * n, 60_000),
    "links that touch": (lambda n: "<a><b><i>x</i></b></a>" * n, 20_000),
    "one long block": (lambda n: "<p>" + "a<b>b</b> " * n, 40_000),
    "long tags": (lambda n: f"<{'x' * n}>a</{'x' * n}>" * 30, 40_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [KERNEL, None], ids=["kernel", "reference"])
@pytest.mark.parametrize(("make", "size"), SLOW.values(), ids=SLOW.keys())
def test_a_walk_takes_linear_time(make: Callable[[int], str], size: int, kernel: Any) -> None:
    def parse(n: int) -> Any:
        return turbohtml.parse(make(n), positions=False, allow_declarative_shadow_roots=False)

    assert_linear(parse, partial(fill, html="", kernel=kernel, most=10**6), size)


# --- counts of tags --------------------------------------------------------------------------------------------------

COUNTED = bombs.KERNEL
FOLDED = frozenset("\u017fı\u3000\xa0")  # regular expressions take these for letters or whitespace


@given(
    st.text(st.sampled_from("<<<<bBiIuUsS/> é漢\u017f\u212a😀\x00xtrongTRONG"), max_size=300),
    st.sampled_from(["", "é", "漢", "😀"]),
)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_tags_are_counted_as_they_are(text: str, wide: str) -> None:
    html = wide + text * 5
    assert COUNTED.count_tags(html) == html.count("<")
    names = [name for name in bombs.TAG.findall(html) if name.lower() in bombs.OPENED]
    assert COUNTED.count_names(html, bombs.OPENED) >= len(names)


@given(
    st.lists(
        st.sampled_from(
            "<b>|</b>|<B\n>|</I/>|<i/>|<td>|</td>|<tD\t>|<strong>|<bold>|<em|<u\u3000>|</s>|<\u017f>|<ı>|<|<漢>|<b\xa0".split(
                "|"
            )
        ),
        max_size=80,
    ),
    st.sampled_from(["", "é", "漢", "😀"]),
)
def test_elements_open_at_once_are_counted(pieces: list[str], wide: str) -> None:
    html = wide + "".join(pieces)
    found = COUNTED.count_open(html, tuple(bombs.FORMATTING_TAGS.split("|")), tuple(bombs.FENCES))
    assert found == bombs._count_open(html) or (found < 0 and not FOLDED.isdisjoint(html))


def test_no_other_name_counts() -> None:
    """In 32 bits, `aepdynla` would have the same number as `b` and close it."""
    html = "<b><p>x</aepdynla>" * 1_000
    assert COUNTED.count_open(html, tuple(bombs.FORMATTING_TAGS.split("|")), tuple(bombs.FENCES)) == 1_000
    assert COUNTED.count_names("<aepdynla>" * 9, bombs.OPENED) == 0
    with pytest.raises(ValueError, match="too long"):
        COUNTED.count_names("<b>", ("blockquote",))


def test_names_are_counted_once_each() -> None:
    html = "<b><B class=x><strong/><body\n><bold><a><i<u></b><s" + " " * 100 + "<font>"
    assert COUNTED.count_names(html, bombs.OPENED) == len("b B strong body i u s font".split())


@pytest.mark.parametrize(
    "html",
    [
        "<b><p>x" * 3_000,
        "<b>x</b>" * 5_000,
        "<p>x" * 5_000,
        "<body x=y>" * 4_000,
        "<td><b>" * 4_000,
        "<B\u3000>" * 5_000,
        "<b>x</b><p>漢</p><i>y</i>" * 5_000,
        "<td><b>x</td>" * 5_000,
        "<td><b>x</b></td><漢>" * 5_000,
    ],
)
def test_pages_are_defused_the_same(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = bombs.defuse(html)
    monkeypatch.setattr(bombs, "KERNEL", None)
    assert ours == bombs.defuse(html)


# --- bytes that no text has ------------------------------------------------------------------------------------------


@given(st.text(max_size=9), st.integers(0, 300), st.booleans())
@example("é", 0, True)
@example("본문", 1, True)
def test_pages_read_twice(text: str, ascii_chars: int, is_twice: bool) -> None:
    """What the kernel rules out cannot be decoded twice."""
    text = "a" * ascii_chars + (text.encode("utf-8", "replace").decode("latin-1") if is_twice else text) + "b"
    try:
        can_decode = not text.isascii() and bool(text.encode("latin-1").decode("utf-8"))
    except UnicodeError:
        can_decode = False
    assert COUNTED.may_be_read_twice(text) or not can_decode
    assert not COUNTED.may_be_read_twice("a" * ascii_chars)
    assert not COUNTED.may_be_read_twice(text + "가")


@given(st.binary(max_size=300), st.integers(1, 5))
@example(bytes(range(256)), 3)
def test_control_bytes_are_counted(data: bytes, times: int) -> None:
    assert COUNTED.count_controls(data * times) == len([byte for byte in data * times if byte in decode.CONTROLS])


def test_only_bytes_are_accepted() -> None:
    for wrong in ("text", None, bytearray(b"x")):
        with pytest.raises(TypeError):
            COUNTED.count_controls(wrong)


@pytest.mark.parametrize("wide", ["", "漢", "😀"])
@given(
    st.lists(
        st.sampled_from(
            ["<script", "<title ", "<iframe", "<a", "<", ">", "/>", "/", " src='a'", "</", "x", "<scrip", "\n"]
        )
    )
)
def test_empty_elements_of_xhtml_are_found(wide: str, pieces: list[str]) -> None:
    html = "".join(pieces) + wide
    may_have_empty = xhtml.KERNEL.may_have_empty(html, xhtml.RAW_TAGS)
    assert may_have_empty or not xhtml._has_empty_raw_element(html)
    starts = [at for tag in xhtml.RAW_TAGS for at in range(len(html)) if html.startswith(f"<{tag}", at)]
    assert may_have_empty == any(html[html.find(">", at) - 1] == "/" for at in starts if ">" in html[at:])


def test_empty_elements_are_found_in_linear_time() -> None:
    assert_linear("<script".__mul__, lambda html: xhtml.KERNEL.may_have_empty(html, xhtml.RAW_TAGS), 400_000)
