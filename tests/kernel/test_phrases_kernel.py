"""The kernel builds the output tree and writes blocks and simple paragraphs as the reference does, for any page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.kernel import load_kernel
from bonmun.outputs import chains, image_copies, tree, tree_phrases
from bonmun.outputs.markdown import phrases, writer
from bonmun.outputs.nodes import Node, SourceNode
from bonmun.page import image_names, item_images
from samples import ROOT
from timing import assert_linear

KERNEL = load_kernel("phrases")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
PAGES = sorted((ROOT / "tests" / "pages").rglob("*.html"))
WRITER: Any = phrases.WRITER
TAGS = (
    "p div a b strong i em s code kbd sub sup span li ul ol dl dt dd td tr th table h2 h3 pre blockquote figure".split()
)
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(['<a href="/a">', '<a href="/b">', "<a href=#>", '<a href="javascript:x">', "<a href='/a b(c'>"]),
    st.sampled_from(
        ["* * *", "1.", "3", "<input type=checkbox>", "<div class=admonition>", "<ol start=4>", "[x] a", "# b"]
    ),
    st.sampled_from(
        ["<img src=/a.jpg>", "<a href=/b><img src=/b.png class=logo></a>", "<p><b>One</b><p>" + "so " * 30]
    ),
    st.sampled_from(["one ", "two", " 3", "[4]", "x*y", "<br>", "<br><br>", "\n", "<p hidden>no</p>", "é漢", "!"]),
)
TEXTS = st.text(st.sampled_from("aé1 .,!?:;()[]\"'«»-–~*_`$<&\\\u00a0\u2003漢。€😀\n"), max_size=3)
NODES = st.recursive(
    TEXTS,
    lambda inner: st.builds(
        lambda tag, href, children: Node(tag, {"href": href, "src": "/b", "alt": "c"} if href else None, children),
        st.sampled_from("a em strong del sub code time img br p".split()),
        st.sampled_from(["", "/a", "/a b", "/a(b", "/a&amp;b", "/é"]),
        st.lists(inner, max_size=2),
    ),
    max_leaves=4,
)


def describe(node: Node | str) -> Any:
    """Return a node as plain values."""
    if isinstance(node, str):
        return node
    row = getattr(node, "row", None)
    return type(node).__name__, node.tag, node.attributes, row, [describe(child) for child in node.children]


def list_boxes(tags: Any, parents: Any, element: int, levels: int, names: Any) -> list[tuple[int, int]]:
    """Return what the reference of `ancestors.list_boxes` returns."""
    found = []
    for number in range(levels):
        if element < 0:
            break
        if tags[element] in names:
            found.append((number, element))
        element = parents[element]
    return found


def join_texts(children: list[Node | str]) -> None:
    """Do what the reference of `nodes.join_texts` does."""
    joined: list[Node | str] = []
    for child in children:
        if not child:
            continue
        last = joined[-1] if joined else None
        if isinstance(child, str) and isinstance(last, str):
            joined[-1] = last + child
        else:
            joined.append(child)
    children[:] = joined


def assert_equal_trees(html: str) -> None:
    """Check that kernel and reference build the same tree and write the same Markdown."""
    doc = bonmun.extract(html, "https://example.org/c/d", method="all")
    built, markdown = describe(doc.build_nodes()), doc.markdown
    with pytest.MonkeyPatch.context() as patch:
        for user in (tree_phrases, tree, chains, writer, image_names):
            patch.setattr(user, "KERNEL", None)
        patch.setattr(phrases, "WRITER", None)
        patch.setattr(item_images, "IMAGES_KERNEL", None)
        patch.setattr(item_images, "list_boxes", list_boxes)
        patch.setattr(image_copies, "list_boxes", list_boxes)
        patch.setattr(tree_phrases, "join_texts", join_texts)
        other = bonmun.extract(html, "https://example.org/c/d", method="all")
        assert describe(other.build_nodes()) == built
        assert other.markdown == markdown


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_pages(path: Any) -> None:
    assert_equal_trees(path.read_text("utf-8", "replace"))


@given(st.lists(PIECES, max_size=60))
def test_any_page(pieces: list[str]) -> None:
    assert_equal_trees("<p>" + "".join(pieces))


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>one <b>two <i>three</i></b></b> <a href=/a>four <b>five</b></a><a href=/a>six</a>",
        "<p><a href=/a><b>12</b></a><p><a href=/a><b>12 months</b></a><p><a href=/a><code>a[1]</code></a>",
        "<p><b>one<br>two</b><br><a href=/a>three<br>four</a>, <a href=/b><i>five<br>six</i></a>",
        "<p><i>w</i><i>ord</i> <i>and</i> <i>more</i> <code>a<b>b</b></code><kbd>c</kbd>",
        "<p>one <span hidden>no </span><b>two</b><pre>a <b>b</b>\n c</pre><p>a <b>b</b> c",
        "<a href=/a><p>one<p>two <b>three</b></a><p>" + "<b><i><s><code>" * 30 + "deep",
        "<h2><a href=/a>One</a></h2><p><a href=/a>Two of these</a><p><a href=/a><b>Three</b> of these</a>",
    ],
)
def test_special_paragraphs(html: str) -> None:
    assert_equal_trees(html)


@pytest.mark.parametrize("break_", ["  \n", " ", "<br>"])
@given(nodes=st.lists(NODES, max_size=5))
def test_any_paragraph(nodes: list[Node | str], break_: str) -> None:
    assert WRITER.write(nodes, break_) == phrases._write_plain(nodes, break_)


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "<p>" + "so <b>very</b> <a href=/a>old</a> " * size,
        lambda size: "<p>" + "<span hidden>a</span>" * size + "b <i>c</i>",
        lambda size: "<p>so <b>very</b> old" * size,
        lambda size: "<p><a href=/a>" + "<b>12</b><i>]</i><br>" * size,
    ],
)
def test_long_pages_take_linear_time(make: Any) -> None:
    def build(html: str) -> object:
        return bonmun.extract(html, method="all").build_nodes()

    assert_linear(make, build, 12_000)


def make_columns() -> SimpleNamespace:
    """Return the columns of `<html><p>one</p></html>`."""
    return SimpleNamespace(
        tags=["html", "p"],
        parents=[-1, 0],
        owners=[1],
        texts=["one"],
        joints=[None],
        leaf_elements=[1],
        starts=[0],
        stops=[1],
        block_texts=["one"],
        raws={},
        formulas={},
    )


def make_adder(page: SimpleNamespace, **others: Any) -> Any:
    given = {"links": [-1, -1], "inline": {"b": "strong"}, "emphasis": frozenset({"strong"}), "urls": {}, "mixed": {}}
    return KERNEL.PhraseAdder(page, *(given | others).values(), Node, Node, lambda row: None, 64, 6, 20)


def test_a_text_is_added() -> None:
    children: list[Node | str] = []
    assert make_adder(make_columns()).add(children, 0, range(1), -1)
    assert children == ["one"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("tags", ["html"]),
        ("joints", []),
        ("starts", []),
        ("stops", [1, 2]),
        ("block_texts", []),
        ("parents", None),
        ("raws", []),
    ],
)
def test_columns_of_different_length_are_rejected(column: str, value: Any) -> None:
    page = make_columns()
    setattr(page, column, value)
    with pytest.raises((ValueError, TypeError)):
        make_adder(page)


@pytest.mark.parametrize(
    ("column", "value"), [("owners", [2]), ("owners", [-1]), ("leaf_elements", [7]), ("starts", [-1]), ("stops", [2])]
)
def test_numbers_out_of_range_are_rejected(column: str, value: list[int]) -> None:
    page = make_columns()
    setattr(page, column, value)
    with pytest.raises(IndexError):
        make_adder(page).add([], 0, range(1), -1)


def test_wrong_values_are_rejected() -> None:
    adder = make_adder(make_columns())
    for row in (-1, 1):
        with pytest.raises(IndexError):
            adder.add([], row, range(1), -1)
    with pytest.raises(IndexError):
        adder.add([], 0, [0, 0], -1)
    with pytest.raises(IndexError):
        adder.add([], 0, [-1, 1], -1)
    with pytest.raises(ValueError, match="links"):
        make_adder(make_columns(), links=[-1])
    with pytest.raises(ValueError, match="many"):
        make_adder(make_columns(), inline={str(number): str(number) for number in range(20)})
    with pytest.raises(TypeError):
        adder.add((), 0, range(1), -1)
    with pytest.raises(ValueError, match="ASCII"):
        KERNEL.SimpleWriter("é", "", "", {}, *[str] * 4)
    with pytest.raises(TypeError):
        WRITER.write(("one",), " ")
    with pytest.raises(TypeError):
        WRITER.write([1, 2], " ")
    with pytest.raises(TypeError, match="class of nodes"):
        KERNEL.PhraseAdder(make_columns(), [-1, -1], {}, frozenset(), {}, {}, str, Node, None, 64, 6, 20)


@given(st.lists(st.one_of(st.sampled_from(["", "a", "b"]), st.builds(Node, st.just("br"))), max_size=8))
def test_texts_are_joined(children: list[Node | str]) -> None:
    expected = [*children]
    join_texts(expected)
    KERNEL.join_texts(children)
    assert children == expected


def make_block_adder(**others: Any) -> Any:
    """Return an adder of blocks in `<html><p>one</p></html>`."""
    given = {
        "phrases": make_adder(make_columns()),
        "tags": {1: "li", 7: "li"},
        "first_lists": {},
        "filled": {1: 1},
        "bare": {},
        "only_child": {"ul": "li"},
        "begun": set(),
        "dropped": set(),
        "layouts": set(),
        "phrase_tags": frozenset({"td"}),
        "paragraph_tags": frozenset({"article"}),
        "lists": frozenset({"ul"}),
        "children": frozenset(),
        "parts": frozenset({"td"}),
        "spaced": frozenset({"img"}),
        "special": ({},),
        "signs": "*",
        "prune": lambda chain, _: chain,
        "make_part": lambda key, tag: Node(tag),
        "find_checkbox": None,
        "add_phrases": None,
        "make_link_list": None,
    }
    return KERNEL.BlockAdder(*(given | others).values())


def make_block(row: int = 0) -> SimpleNamespace:
    return SimpleNamespace(row=row, leaves=range(1), cuts={})


def test_a_block_is_added() -> None:
    root = Node("article")
    adder = make_block_adder()
    assert adder.add(make_block(), (), root)
    assert adder.add_all([make_block(), make_block()], [(1,), ()], 0, {}, root) == 2
    expected = [Node("p", None, ["one"]), Node("ul", None, [Node("li", None, ["one"])]), Node("p", None, ["one"])]
    assert describe(root) == describe(Node("article", None, [*expected]))


def test_a_space_sets_a_block_apart_from_the_text_or_image_before_it() -> None:
    adder = make_block_adder()
    for before, after in (
        (["a"], ["a ", "one"]),
        ([Node("img")], [Node("img"), " ", "one"]),
        ([Node("p")], [Node("p"), "one"]),
    ):
        root = Node("article")
        adder.close()
        item = adder.enter((1,), root)
        item.children += before
        assert adder.add(make_block(), (1,), root)
        assert describe(item) == describe(Node("li", None, [*after]))


def test_special_blocks_are_left_to_the_reference() -> None:
    root = Node("article")
    assert not make_block_adder(special=({}, {0: "h2"})).add(make_block(), (), root)
    assert make_block_adder().add_all([make_block()], [()], 0, {0: []}, root) == 0
    assert describe(root) == describe(Node("article"))


def test_wrong_blocks_are_rejected() -> None:
    root, adder = Node("article"), make_block_adder()
    for row in (-1, 1):
        with pytest.raises(IndexError):
            adder.add(make_block(row), (), root)
    with pytest.raises(IndexError):
        adder.add(make_block(), (7,), root)
    with pytest.raises(KeyError):
        adder.add(make_block(), (5,), root)
    with pytest.raises(TypeError):
        adder.add(make_block(), None, root)
    with pytest.raises(TypeError):
        adder.enter((), None)
    with pytest.raises(TypeError):
        adder.enter((), "article")
    with pytest.raises(TypeError):
        make_block_adder(parts=frozenset({"li"}), make_part=lambda *_: "li").enter((1,), root)
    for start, chains_ in ((-1, [()]), (0, [])):
        with pytest.raises(ValueError, match="length"):
            adder.add_all([make_block()], chains_, start, {}, root)
    with pytest.raises(TypeError):
        make_block_adder(phrases=None)


def test_wrong_chains_are_rejected() -> None:
    def extend(elements: list[int], tags: list[str], parents: list[int]) -> None:
        rules: Any = ({"li": "li"}, {}, frozenset(), "title", {}, set(), {}, 24, None)
        KERNEL.extend_chains(elements, {-1: ()}, {}, tags, parents, *rules)

    for element in (-1, 1):
        with pytest.raises(IndexError):
            extend([element], ["li"], [-1])
    with pytest.raises(ValueError, match="length"):
        extend([0], ["li"], [])
    with pytest.raises(KeyError):
        extend([1], ["li", "li"], [-1, 0])


def test_wrong_nodes_are_not_written() -> None:
    made: Any = KERNEL.BlockWriter(WRITER, {}, frozenset("a"), frozenset(), writer.MarkdownBlock, *[str] * 3)
    for write in (made.write_items, lambda nodes: made.write(nodes, "text")):
        with pytest.raises(TypeError):
            write([1])
        with pytest.raises(TypeError):
            write(None)
    with pytest.raises(TypeError):
        KERNEL.BlockWriter(WRITER, {}, frozenset(), frozenset(), list, *[str] * 3)
    wrong: list[Any] = [(1,), ("p", []), ("p", None, ())]
    for values in wrong:
        with pytest.raises(TypeError):
            Node(*values)
    with pytest.raises(TypeError):
        SourceNode("a", {}, 1).children = ()  # type: ignore[assignment]
