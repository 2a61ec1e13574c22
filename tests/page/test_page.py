"""Columns, leaves, hidden text, shadow roots and, above all, XPaths: each matches one node, and the right one."""

from __future__ import annotations

import gc
import re
import weakref
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html
from turbohtml import DocumentFragment, Element, Text

import bonmun
from bonmun.algorithms import PAGE_METHODS
from bonmun.bounds import MAX_PATH_DEPTH as DEEP
from bonmun.errors import BadInput, TooBig
from bonmun.outputs import FORMATS
from bonmun.page import Page
from bonmun.page.parse.decode import decode
from bonmun.page.parse.element_bits import BLOCK, HIDDEN, LINK, PRE
from bonmun.page.parse.walk_tables import Columns
from bonmun.text.readable import make_readable
from samples import on_every_page, on_some_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turbohtml import Document as Tree
    from turbohtml import Node


def texts(markup: str | bytes) -> list[str]:
    return [leaf.text for leaf in Page.parse(markup).leaves]


# --- columns --------------------------------------------------------------------------------------------------------

SMALL = "<body class='postBody main-2' id=TOP role=Main><div><p>One <a href=x>two <b>three</b></a></p><p>four</div>"


def test_elements_are_rows_in_document_order() -> None:
    page = Page.parse(SMALL)
    assert page.tags == ["html", "head", "body", "div", "p", "a", "b", "p"]
    assert page.parents == [-1, 0, 0, 2, 3, 4, 5, 3]
    assert page.depths == [1, 2, 2, 3, 4, 5, 6, 4]
    assert [node.tag for node in page._nodes] == page.tags
    assert len(page.bits) == len(page.tags)


def test_bits_include_inherited_ones() -> None:
    page = Page.parse("<p><a><b>x</b></a></p><div hidden><i>y</i></div><pre><s>z</s></pre>")
    bits = dict(zip(page.tags, page.bits, strict=True))
    assert bits["p"] == BLOCK
    assert bits["a"] == bits["b"] == LINK
    assert bits["div"] == BLOCK | HIDDEN
    assert bits["i"] == HIDDEN
    assert bits["pre"] == BLOCK | PRE
    assert bits["s"] == PRE


def test_a_leaf_knows_its_text_element_path_depth_and_link() -> None:
    page = Page.parse(SMALL)
    assert [leaf.text for leaf in page.leaves] == ["One", "two", "three", "four"]
    assert [page.tags[leaf.element] for leaf in page.leaves] == ["p", "a", "b", "p"]
    assert [leaf.tag_path for leaf in page.leaves][2:] == ["html/body/div/p/a/b", "html/body/div/p"]
    assert [leaf.depth for leaf in page.leaves] == [4, 5, 6, 4]
    assert [leaf.in_link for leaf in page.leaves] == [False, True, True, False]
    assert all(leaf.depth == leaf.tag_path.count("/") + 1 for leaf in page.leaves)


def test_reprs() -> None:
    page = Page.parse(SMALL, url="https://a.example/")
    assert repr(page) == "<Page https://a.example/: 8 elements, 4 leaves>"
    assert repr(page.leaves[2]) == "<Leaf 2 b: 'three'>"
    assert repr(page.blocks[1]) == "<Block 1 paragraph: 'four'>"


@pytest.mark.parametrize("given", [None, 5, ["<p>"], object()])
def test_only_text_and_bytes_are_pages(given: Any) -> None:
    with pytest.raises(BadInput, match=type(given).__name__):
        Page.parse(given)


def test_a_page_over_the_limit_is_refused() -> None:
    assert Page.parse("<p>abc", max_bytes=6).texts == ["abc"]
    with pytest.raises(TooBig, match="larger than 6 bytes"):
        Page.parse("<p>abcd", max_bytes=6)


# --- which text nodes are leaves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", "script style template svg iframe noembed noframes audio video canvas".split())
def test_invisible_elements_contain_no_leaves(tag: str) -> None:
    page = Page.parse(f"<body>a<{tag}>silent</{tag}>b")
    assert page.texts == ["a", "b"]
    assert tag in page.tags  # the element itself is a row


def test_head_comments_and_formula_sources_contain_no_leaves() -> None:
    assert texts("<head><title>t</title><style>s</style></head><body><!-- c -->b<!-- d --></body>") == ["b"]
    assert texts("<math><mi>x</mi><annotation>\\alpha</annotation></math>") == ["$x$"]
    assert texts("<math><mtext><p>x</p></mtext><annotation>\\alpha</annotation></math>") == ["x"]


def test_noscript_is_read_only_if_nothing_else_contains_text() -> None:
    assert texts("<body><p>a</p><noscript><p>b</p></noscript>") == ["a"]
    page = Page.parse("<body><script>go()</script><noscript><p>Turn on <b>scripts</b></p></noscript>")
    assert page.texts == ["Turn on", "scripts"]
    assert page.leaves[1].tag_path == "html/body/noscript/p/b"


def test_noscript_is_read_if_it_has_ten_times_more_text() -> None:
    thread = "".join(f"<p>Post number {n} of the thread, as crawlers see it.</p>" for n in range(30))
    page = Page.parse(f"<body><div id=app>Loading…</div><noscript>{thread}</noscript>")
    assert len(page.texts) == 31
    assert Page.parse(f"<body><p>{'word ' * 300}</p><noscript>{thread}</noscript>").texts == [("word " * 300).strip()]
    menu = "<a href=/x>A link of the menu</a>" * 40  # links do not count, however many
    assert len(Page.parse(f"<body>{menu}<noscript>{thread}</noscript>").texts) == 70
    lines = "<div>A line of a page that says something.</div>" * 20
    assert len(Page.parse(f"<body>{lines}<noscript>{thread}</noscript>").texts) == 20


@pytest.mark.parametrize("tag", ["script", "style", "title", "iframe"])
def test_xhtml_with_self_closed_tags(tag: str) -> None:
    html = f"<html xmlns='http://www.w3.org/1999/xhtml'><body><{tag} id='a'/><p>One</p><{tag.upper()}/><p>Two</p></body></html>"
    assert Page.parse(html).texts == ["One", "Two"]


def test_a_page_with_text_is_not_read_as_xhtml() -> None:
    text = "<p>Some words.</p>" * 20
    assert len(Page.parse(f"{text}<script src=x /><p>in the script</p></script>").texts) == 20


def test_a_page_without_text_has_no_leaves() -> None:
    page = Page.parse("<div><img src=x></div>")
    assert (len(page.leaves), len(page.blocks), page.stops, page.block_texts) == (0, 0, [], [])


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h2>Head<a href='#h'>¶</a></h2>", ["Head"]),
        ("<p>¶</p>", ["¶"]),
        ("<p><a href=x>¶ 4</a></p>", ["¶ 4"]),
    ],
)
def test_the_permalink_of_a_heading_is_not_a_leaf(markup: str, expected: list[str]) -> None:
    assert texts(markup) == expected


def test_leaves_are_in_document_order() -> None:
    markup = "<div>1<p>2<b>3</b>4</p>5<ul><li>6</li></ul>7</div><table><tr><td>9</td></tr>8</table>"
    assert texts(markup) == [*"1234567", "8", "9"]  # a browser moves stray text out of a table, before it


@pytest.mark.parametrize("attributes", ["", " open"])
def test_details_are_shown_open_or_closed(attributes: str) -> None:
    page = Page.parse(f"<details{attributes}><summary>s</summary><p>p</p></details>")
    assert [(leaf.text, leaf.hidden) for leaf in page.leaves] == [("s", False), ("p", False)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("  a \n\t b  ", ["a b"]),
        ("&nbsp;a&nbsp;&nbsp;b&nbsp;", ["a b"]),
        ("\u3000\u3000a\u3000b", ["a b"]),
        ("a\u2003b\u2028c\x0cd", ["a b c d"]),
        ("hy\xadphen zero\u200bwidth word\u2060joiner bom\ufeff", ["hyphen zerowidth wordjoiner bom"]),
        ("می\u200cخواهم 👩\u200d💻", ["می\u200cخواهم 👩\u200d💻"]),
        ("a \u200b b", ["a b"]),
        ("\u200b\xad", []),
        (" \u3000&nbsp;\n", []),
        ("a&#x85;b&#1;c&#127;d", ["a…bcd"]),  # HTML reads &#x85; as windows-1252
        ("x\ud800y", ["x\ufffdy"]),
        ("x\ufffey", ["xy"]),
    ],
)
def test_whitespace_is_collapsed_and_unreadable_characters_are_removed(data: str, expected: list[str]) -> None:
    assert texts(f"<body><p>{data}</p></body>") == expected


# --- hidden text: marked but kept -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "closing", "hidden"),
    [
        ("<p hidden>", "</p>", True),
        ("<p hidden=until-found>", "</p>", True),
        ("<p aria-hidden=true>", "</p>", True),
        ("<p aria-hidden=false>", "</p>", False),
        ("<p style='display:none'>", "</p>", True),
        ("<p style='color:red; DISPLAY : none !important'>", "</p>", True),
        ("<p style='visibility: hidden'>", "</p>", True),
        ("<p style='visibility:visible'>", "</p>", False),
        ("<p style='display:block'>", "</p>", False),
        ("<dialog>", "</dialog>", True),
        ("<dialog open>", "</dialog>", False),
        ("<dialog open hidden>", "</dialog>", True),
        ("<datalist><option>", "</option></datalist>", True),
        ("<div hidden><section><p><b>", "</b></p></section></div>", True),
        ("<p>", "</p>", False),
        pytest.param("<p style='backface-visibility:hidden'>", "</p>", False),
        pytest.param("<p style='-webkit-backface-visibility: hidden'>", "</p>", False),
    ],
)
def test_hidden_text_is_marked_but_kept(opening: str, closing: str, hidden: bool) -> None:
    page = Page.parse(f"<body><p>before</p>{opening}x{closing}<p>after</p>")
    assert [(leaf.text, leaf.hidden) for leaf in page.leaves] == [("before", False), ("x", hidden), ("after", False)]
    assert [block.hidden for block in page.blocks] == [False, hidden, False]


@pytest.mark.parametrize(
    "before",
    [
        "<svg><g hidden></g></svg>",
        "<template><p hidden>x</p></template>",
        "<noscript><p hidden>x</p></noscript>",
        "<iframe><p hidden>x</p></iframe>",
        "<video hidden></video>",
        "<div><template shadowrootmode=open><p hidden></p><slot></slot></template><p hidden></p></div>",
        pytest.param("<video><p hidden>x</p></video>"),
        pytest.param("<audio><p style='display:none'>x</p></audio>"),
        pytest.param("<canvas><p aria-hidden=true>x</p></canvas>"),
        pytest.param("<div><template shadowrootmode=open></template><p hidden>x</p></div>"),
        pytest.param(
            "<div><template shadowrootmode=open><slot name=b></slot><slot name=a></slot></template>"
            "<p slot=a hidden></p><p slot=b hidden></p></div>",
        ),
    ],
)
def test_hidden_text_is_marked_after_other_hidden_elements(before: str) -> None:
    page = Page.parse(f"<!DOCTYPE html><body>{before}<p hidden>a</p><p>b</p><span style='display:block'>c</span>d")
    assert [(leaf.text, leaf.hidden) for leaf in page.leaves] == [
        ("a", True),
        ("b", False),
        ("c", False),
        ("d", False),
    ]
    assert len(page.blocks) == 4


def test_a_shadow_root_is_read_beside_another_template() -> None:
    markup = "<div><template>silent</template><template shadowrootmode=open><p>1</p></template></div><p>2</p>"
    assert texts(f"<!DOCTYPE html><body>{markup}") == ["1", "2"]


@pytest.mark.parametrize("attributes", ["hidden", "style='display:none'"])
@pytest.mark.parametrize("tag", [pytest.param("html"), "body"])
def test_on_a_page_that_is_all_hidden_nothing_counts_as_hidden(tag: str, attributes: str) -> None:
    page = Page.parse(f"<!DOCTYPE html><{tag} {attributes}><p>a")
    assert page.bits[page.leaf_elements[0]] & HIDDEN
    assert [leaf.hidden for leaf in page.leaves] == [False]


# --- shadow roots ---------------------------------------------------------------------------------------------------


def host(shadow: str, light: str, mode: str = "open") -> str:
    return f"<div><template shadowrootmode={mode}>{shadow}</template>{light}</div>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (host("<p>1</p><slot></slot><p>3</p>", "<b>2</b>"), "1 2 3"),
        (host("<slot name=b></slot><slot name=a></slot>", "<p slot=a>2</p><p slot=b>1</p>"), "1 2"),
        (host("<slot></slot><slot name=a></slot>", "<p slot=a>3</p>1<i>2</i>"), "1 2 3"),
        (host("1<slot>fallback</slot>3", ""), "1 fallback 3"),
        (host("1<slot>fallback</slot>3", "2"), "1 2 3"),
        (host("<slot name=a>fallback</slot>", "<p slot=a>1</p>"), "1"),
        (host("1", "not shown<p>nor this</p>"), "1"),
        (host("<slot name=a></slot>", "<p slot=b>not shown</p><p slot=a>1</p>"), "1"),
        (host("<p>1</p>", "not shown", mode="closed"), "1"),
        (host("<x-in><template shadowrootmode=open>1<slot></slot>3</template>2</x-in>", ""), "1 2 3"),
        (host("<x-in><template shadowrootmode=open>1<slot></slot>3</template><slot></slot></x-in>", "2"), "1 2 3"),
        (host("<slot></slot><slot></slot>", "1"), "1"),
        ("<div>1<template shadowrootmode=open><slot></slot>3</template>2</div>", "1 2 3"),
        (host("<p>silent</p>", "1", mode="bogus"), "1"),
        ("<div><template><p>silent</p></template>1</div>", "1"),
        pytest.param(host("1", "silent", mode="OPEN"), "1"),
        pytest.param("<ul><template shadowrootmode=open>silent</template><li>1</li></ul>", "1"),
    ],
)
def test_shadow_roots_replace_the_children_of_their_host(markup: str, expected: str) -> None:
    assert texts(f"<body>{markup}</body>") == expected.split()


@pytest.mark.parametrize(
    ("shadow", "hidden", "in_link"),
    [("<p hidden><slot></slot></p>", True, False), ("<a href=x><slot></slot></a>", False, True)],
)
def test_slotted_content_is_shown_as_its_slot_is(shadow: str, hidden: bool, in_link: bool) -> None:
    leaf, _ = Page.parse(host(shadow, "<b>x</b>") + "<p>shown").leaves
    assert (leaf.text, leaf.hidden, leaf.in_link) == ("x", hidden, in_link)


# --- XPaths ---------------------------------------------------------------------------------------------------------

CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def all_nodes(root: Element) -> Iterator[Node]:
    """Yield every node in document order; the content of a template counts as its children."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if not isinstance(node, DocumentFragment):
            yield node
        stack.extend(reversed(list(node.children)))


def lxml_tree(root: Element) -> tuple[Any, list[Any]]:
    """Return the same tree for lxml, and its elements in document order; XML cannot express every tag name."""
    made: dict[Element, Any] = {}
    last: dict[Any, Any] = {}  # the last child of each element
    for node in all_nodes(root):
        parent = node.parent.parent if isinstance(node.parent, DocumentFragment) else node.parent
        if isinstance(node, Element):
            name = node.tag if re.fullmatch(r"[\w.-]+", node.tag) else "odd"
            if isinstance(parent, Element):
                made[node] = last[made[parent]] = etree.SubElement(made[parent], name)
            else:
                made[node] = etree.Element(name)
        elif isinstance(parent, Element):
            above = made[parent]
            if isinstance(node, Text):
                data = CONTROLS.sub("", node.data)
                if above in last:
                    last[above].tail = (last[above].tail or "") + data
                else:
                    above.text = (above.text or "") + data
            else:
                last[above] = etree.Comment("")
                above.append(last[above])
    return made[root], list(made.values())


def check_places(markup: str | bytes) -> Page:
    """Check that every path of the page matches one node, the right one, in two engines and on trees parsed again."""
    page = Page.parse(markup)
    text = decode(markup)[0] if isinstance(markup, bytes) else markup
    fresh = turbohtml.parse(text, allow_declarative_shadow_roots=False)
    assert page._tree.root is not None
    assert fresh.root is not None
    number = {node: i for i, node in enumerate(n for n in all_nodes(page._tree.root) if isinstance(n, Element))}
    theirs = [node for node in all_nodes(fresh.root) if isinstance(node, Element)]
    twin, copies = lxml_tree(fresh.root)
    assert len(number) == len(theirs) == len(copies)
    for row, node in enumerate(page._nodes):
        path = page.xpath(row)
        assert twin.xpath(path) == [copies[number[node]]], path
        if not in_template(node):  # turbohtml's engine does not enter one
            assert fresh.xpath(path) == [theirs[number[node]]], path
    for leaf in page.leaves:
        if "/text()" not in leaf.xpath:  # a formula, a mark
            assert twin.xpath(leaf.xpath) == [copies[number[page._nodes[leaf.element]]]]
            continue
        assert [make_readable(found) for found in twin.xpath(leaf.xpath)] == [leaf.text], leaf.xpath
        if not in_template(page._nodes[leaf.element]) and page.tags[leaf.element] != "template":
            selected = fresh.xpath(leaf.xpath)
            assert isinstance(selected, list)
            assert [make_readable(str(found)) for found in selected] == [leaf.text], leaf.xpath
    for block in page.blocks:
        (found,) = twin.xpath(block.xpath)
        if "/text()" in block.xpath:
            assert make_readable(found) == block.leaves[0].text
        else:
            assert found is copies[number[page._nodes[block.element]]]
    assert len({leaf.xpath for leaf in page.leaves}) == len(page.leaves)
    assert len({block.xpath for block in page.blocks}) == len(page.blocks)
    return page


def in_template(node: Node) -> bool:
    return any(isinstance(above, DocumentFragment) for above in node.ancestors)


DEEPER = "<div>" * (DEEP + 8)

PAGES = {
    "siblings": "<p>a<p>b<div>c</div><p>d",
    "inline": "<p>a<b>b</b>c<b>d</b>e <i> </i> f</p>",
    "comments": "<div>a<!-- x -->b<!-- y --><p>c</p>d</div>",
    "white space": "<div> \n <p> a </p> \n <p>\n b <i>c</i> \n d </p> </div>",
    "unreadable": "<div>\u200b<b>a</b>\xad<b>b</b>c</div>",
    "tables": "<table><tr><td>a<td>b<tr><th>c</table><table><thead><tr><th>d</thead><tbody><tr><td>e</tbody></table>",
    "text in a table": "<table>a<tr>b<td>c</td></tr>d</table>",
    "lists": "<ul>a<li>b<ul><li>c</ul>d<li>e</ul><ol><li>f</ol>",
    "after the body": "<body><p>a</p></body></html>b<p>c</p>",
    "body twice": "<body>a<body class=x>b",
    "head only": "<title>t</title><meta charset=utf-8>",
    "void elements": "a<img><hr>b<input>c<br>d<br><br>e",
    "silent elements": "<div>a<script>1</script>b<style>2</style><svg><p>c</p></svg>d<template>e</template>f</div>",
    "prefixed names": "<p>a<o:p>b</o:p>c<o:p>d</o:p></p><fb:like>e</fb:like>",
    "broken names": "<p>a<a\"b>b</a\"b>c<b'>d</b'>e<x=y>f",
    "custom elements": "<my-app>a<my-app>b</my-app></my-app><my-app>c</my-app><x.y>d</x.y><x_y>e</x_y>",
    "names beyond ASCII": "<aä>a</aä><b한>b</b한><h1é>c",
    "upper case": "<DIV>a<P>b<SPAN>c</SPAN></DIV>",
    "formulas": "<p>a<math><mi>b</mi><mo>c</mo><mi>d</mi></math>e<math><mtext>f</mtext></math>",
    "HTML in a formula": "<math><mtext><p>a</p><p>b</p></mtext></math><p>c",
    "drawings": "<p>a<svg><a>x</a></svg>b<a>c</a><svg></svg><a>d</a>",
    "pre": "<pre>\n\na\n<b>b</b>\n c</pre><pre>d</pre>",
    "details": "<details><summary>a</summary>b<p>c</p>d</details>",
    "forms": "<form>a<select><option>b<option>c</select>d<button>e</button><textarea>f</textarea></form>",
    "broken nesting": "<b>a<p>b</b>c<i>d</p>e</i><a>f<a>g<div>h</a>i",
    "br blocks": "<div>a<br><br>b<b>c</b><br><br><b>d</b>e<p>f</p>g</div>",
    "noscript": "<noscript><p>a</p>b</noscript>",
    "frames": "<frameset><frame><noframes>a</noframes></frameset>",
    "ruby": "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字",
    "object": "<object><param><p>a</p></object><p>b",
    "plaintext": "<p>a<plaintext>b<b>c</b>",
    "shadow root": "<div><template shadowrootmode=open>a<p>b</p>c<slot></slot>d</template>e<b>f</b>g</div>",
    "nested shadow roots": "<div><template shadowrootmode=open><x-y><template shadowrootmode=open>a<slot></slot>"
    "</template><p>b</p>c</x-y></template></div><p>d",
    "a template beside": "<p>a</p><template>b</template><p>c</p>",
    "as deep as a full path": "<div>" * (DEEP - 3) + "a<p>b</p>c",
    "deep": DEEPER + "a<p>b</p>c<p>d<b>e</b></p>",
    "deep and shallow": "<p>a</p>" + DEEPER + "<p>b</p>" + "</div>" * (DEEP + 8) + "<p>c</p>",
}


@pytest.mark.parametrize("markup", PAGES.values(), ids=list(PAGES))
def test_every_path_finds_its_node(markup: str) -> None:
    check_places(markup)


@pytest.mark.slow
@on_every_page
def test_every_path_of_a_whole_page_finds_its_node(path: Path) -> None:
    page = check_places(path.read_bytes())
    assert len(page.leaves) >= len(page.blocks)


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<p><a href=x>¶<b>a</b>b</a></p>"),
        pytest.param(host("<slot name=b></slot><slot name=a></slot>", "<p slot=a>a</p><p slot=b>b</p>")),
        pytest.param(host("<slot></slot>", "<p slot=none>not shown</p><p>b</p>")),
        pytest.param("<div><x-y>a</x-y><template shadowrootmode=open><slot></slot></template></div>"),
        pytest.param("<p>x</p><template><p>a</p></template>" + DEEPER + "<p>b</p>"),
        pytest.param("<p>x<svg><a>a</a></svg>" + DEEPER + "<a>b</a>"),
        pytest.param(DEEPER + "<o:p>a</o:p>"),
        pytest.param(DEEPER + '<a"b>a'),
    ],
)
def test_paths_of_odd_positions(markup: str) -> None:
    check_places(markup)


def test_paths_are_written_with_indexes() -> None:
    page = Page.parse("<!DOCTYPE html><p>a<p>b<b>c</b>d<o:p>e</o:p><table><tr><td>f")
    assert [leaf.xpath for leaf in page.leaves] == [
        "/html/body/p[1]/text()[1]",
        "/html/body/p[2]/text()[1]",
        "/html/body/p[2]/b[1]/text()[1]",
        "/html/body/p[2]/text()[2]",
        "/html/body/p[2]/*[2]/text()[1]",
        "/html/body/table[1]/tbody[1]/tr[1]/td[1]/text()[1]",
    ]


def test_deep_paths_are_short() -> None:
    page = Page.parse("<p>a</p>" + "<div>" * 200 + "<p>b")
    leaf = page.leaves[1]
    assert (leaf.depth, leaf.xpath) == (203, "(//*)[205]/text()[1]")
    assert leaf.tag_path == "…/" + "div/" * (DEEP - 1) + "p"


def test_paths_work_in_lxml_if_the_markup_is_valid() -> None:
    markup = (
        "<!DOCTYPE html><html><head><title>t</title></head><body><h1>a</h1><div><p>b <b>c</b> d</p>e<ul><li>f</li>"
        "<li>g</li></ul></div><table><tbody><tr><td>h</td><td>i</td></tr></tbody></table><p>j<br>k</p></body></html>"
    )
    page = Page.parse(markup)
    tree = html.document_fromstring(markup)
    for leaf in page.leaves:
        assert [make_readable(found) for found in tree.xpath(leaf.xpath)] == [leaf.text]
    for row, tag in enumerate(page.tags):
        assert [found.tag for found in tree.xpath(page.xpath(row))] == [tag]
    assert [
        make_readable(tree.xpath(block.xpath)[0].text_content()) for block in page.blocks if block.kind == "cell"
    ] == []
    assert make_readable(tree.xpath(page.blocks[1].xpath)[0].text_content()) == "b c d"


TAGS = "div p b i a ul li table tr td h1 span section blockquote x-y o:p svg math mi select option pre br template"


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Markup with different texts, well-formed or not."""
    number = 0
    parts: list[str] = []
    for kind in draw(st.lists(st.integers(0, 5), min_size=1, max_size=40)):
        if kind <= 1:
            number += 1
            parts.append(f" t{number}" if kind else f"t{number} ")
        elif kind == 2:
            parts.append(draw(st.sampled_from(["<!-- -->", " ", "\n", "<br>", "\u200b", "<img>"])))
        else:
            parts.append(f"<{'/' if kind == 3 else ''}{draw(st.sampled_from(TAGS.split()))}>")
    return "<body>" + "".join(parts)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_every_path_of_a_random_tree_finds_its_node(markup: str) -> None:
    check_places(markup)


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(lambda text: text.strip("\ufeff \n\t\r\x0c\x0b")))
def test_any_text_gives_readable_leaves(text: str) -> None:
    page = Page.parse("<!DOCTYPE html><p>" + text)
    assert all(leaf.text == make_readable(leaf.text) != "" for leaf in page.leaves)
    assert all(leaf.text.encode("utf-8") for leaf in page.leaves)


# --- pages never change, and are freed at once ----------------------------------------------------------------------


def columns(page: Page) -> dict[str, Any]:
    return {name: copy(getattr(page, name)) for name in vars(Columns())} | {"html": page._tree.serialize()}


@pytest.mark.slow
@on_some_pages
def test_nothing_changes_a_page(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    before = columns(page)
    for method in PAGE_METHODS.values():
        doc = bonmun.extract(page, method=method.name, options=bonmun.Options(links=True, images=True, comments=True))
        for name in FORMATS:
            doc.render(name)
    assert columns(page) == before


def test_rows_are_a_sequence() -> None:
    page = Page.parse("<p>a<p>b<p>c<p>d")
    rows = page.leaves
    assert len(rows) == 4
    assert [leaf.text for leaf in rows] == ["a", "b", "c", "d"]
    assert (rows[0].text, rows[-1].text, rows[-4].text) == ("a", "d", "a")
    assert [leaf.text for leaf in rows[1:3]] == ["b", "c"]
    assert [block.text for block in page.blocks[::-2]] == ["d", "b"]
    assert rows[4:] == ()
    assert [leaf.index for leaf in reversed(rows)] == [3, 2, 1, 0]
    assert repr(rows) == "<4 rows>"
    for index in (4, -5):
        with pytest.raises(IndexError):
            rows[index]


def test_a_page_is_freed_at_once() -> None:
    gc.disable()
    try:
        page = Page.parse(SMALL)
        [(leaf.xpath, leaf.tag_path, leaf.hidden) for leaf in page.leaves]
        [(block.kind, block.text, block.xpath, block.link_share) for block in page.blocks]
        gone = weakref.ref(page)
        del page
        assert gone() is None
    finally:
        gc.enable()


def test_a_document_and_its_page_are_freed_at_once() -> None:
    gc.disable()
    try:
        doc = bonmun.extract("<title>T</title><h1>T</h1><p>Enough words for a paragraph of text on its own.</p>")
        for name in FORMATS:
            doc.render(name)
        gone = weakref.ref(doc), weakref.ref(doc.page)
        del doc
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()


def test_the_tree_is_that_of_a_browser_without_shadow_roots() -> None:
    def serialized(tree: Tree) -> str:
        return tree.serialize()

    markup = "<p>a<div><template shadowrootmode=open><p>b</template></div><table><tr><td>c"
    page = Page.parse(markup)
    assert serialized(page._tree) == serialized(turbohtml.parse(markup, allow_declarative_shadow_roots=False))
