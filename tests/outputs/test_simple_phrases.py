"""Simple paragraphs are written without tokens, and the result is the same as with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.outputs.markdown import phrases
from bonmun.outputs.nodes import Node
from timing import assert_linear


def make_link(text: str, href: str = "/a") -> Node:
    return Node("a", {"href": href}, [text])


PARAGRAPHS: dict[str, list[Node | str]] = {
    "a link in a text": ["See ", make_link("the map"), " of the town."],
    "two links": [make_link("one"), make_link("two")],
    "spaces at the ends": [" ", make_link(" the map "), " "],
    "brackets after a link": [make_link("the map"), "(of 1904)"],
    "only a link": [make_link("the map")],
    "texts side by side": ["See ", "it: ", make_link("the map")],
    "an address with spaces": [make_link("the map", "/a b(c")],
    "no address": [Node("a", None, ["the map"]), " here"],
    "emphasis": ["so ", Node("em", None, ["very"]), ", ", Node("strong", None, ["very"]), " old"],
    "a label": [Node("strong", None, ["Date:"]), " 4 March"],
    "emphasis in a link": [Node("a", {"href": "/a"}, [Node("em", None, ["very"])]), " old"],
    "code": ["call ", Node("code", None, ["a*b"]), ", ", Node("a", {"href": "/a"}, [Node("code", None, ["c"])])],
    "lines": ["one", Node("br"), Node("strong", None, ["two"]), Node("br"), "three"],
    "an image": [Node("img", {"src": "/a.png", "alt": "a [b]"}), " beside a text"],
    "signs that are no markup": ["$12 [at AT & T], ", Node("strong", None, ["a_b"]), " [", make_link("R & D"), "]"],
    "emphasis and more in a link": [Node("a", {"href": "/a"}, [Node("em", None, ["very"]), " old"])],
    "emphasis at the end of a link": [Node("a", {"href": "/a"}, ["so ", Node("em", None, ["very"])]), "!"],
    "code and more in a link": [Node("a", {"href": "/a"}, ["call ", Node("code", None, ["a*b"]), "!"])],
    "a time": ["on ", Node("time", None, ["4 March"])],
}
OTHERS: dict[str, list[Node | str]] = {
    "an exclamation before a link": ["Look!", make_link("the map")],
    "markup in a text": ["2*3*4 ", make_link("the map")],
    "a bracket in a link": [make_link("the [old] map")],
    "a line break": ["one\ntwo ", make_link("the map")],
    "emphasis beside a letter": ["so", Node("em", None, ["very"]), " old"],
    "punctuation at both sides of a mark": ["so ", Node("em", None, ["old!"]), "?"],
    "emphasis side by side": [Node("em", None, ["very"]), Node("strong", None, ["old"])],
    "code side by side": [Node("code", None, ["a"]), Node("code", None, ["b"])],
    "emphasis beside a letter in a link": [Node("a", {"href": "/a"}, [Node("em", None, ["very"]), "old"])],
    "two dollar signs": ["$12 to", make_link("$14$")],
    "underscores in two texts": ["_a ", make_link("the map"), " b_"],
    "signs that are markup together": ["[a]", "(b) &", "amp; ", make_link("the map")],
    "a reference in a link": [Node("a", {"href": "/a"}, ["&", "amp;"]), " &copy; [^1]"],
    "an empty link": ["so ", Node("a", {"href": "/a"}, [])],
    "an empty text": ["so!", "", make_link("the map")],
}


@pytest.mark.parametrize("break_", ["  \n", " ", "<br>"])
@pytest.mark.parametrize("nodes", [*PARAGRAPHS.values(), *OTHERS.values()], ids=[*PARAGRAPHS, *OTHERS])
def test_both_ways_write_the_same(nodes: list[Node | str], break_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = phrases.write_phrases(nodes, break_)
    monkeypatch.setattr(phrases, "WRITER", None)
    assert written == phrases.write_phrases(nodes, break_)
    monkeypatch.setattr(phrases, "write_simple", lambda *_: None)
    assert written == phrases.write_phrases(nodes, break_)


@pytest.mark.parametrize("nodes", PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_simple_paragraphs_need_no_tokens(nodes: list[Node | str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "InlineTokenizer", None)
    assert phrases.write_phrases(nodes)


TEXTS = st.text(st.sampled_from("aé1 .,!?:;()[]\"'«»-–~*_`$<&\u00a0漢。€\n"), max_size=3)
NODES = st.recursive(
    TEXTS,
    lambda inner: st.builds(
        lambda tag, children: Node(tag, {"href": "/a", "src": "/b", "alt": "c"}, children),
        st.sampled_from("a em strong del sub code time img br".split()),
        st.lists(inner, max_size=2),
    ),
    max_leaves=4,
)


@pytest.mark.parametrize("break_", ["  \n", " ", "<br>"])
@given(nodes=st.lists(NODES, min_size=1, max_size=5))
def test_simple_paragraphs_are_those_that_tokens_write(nodes: list[Node | str], break_: str) -> None:
    written = phrases.write_phrases(nodes, break_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrases, "WRITER", None)
        patch.setattr(phrases, "write_simple", lambda *_: None)
        assert written == phrases.write_phrases(nodes, break_)


@pytest.mark.parametrize("tag", ["em", "code", "a", "img", "br"])
def test_long_paragraphs_take_linear_time(tag: str) -> None:
    def make(size: int) -> list[Node | str]:
        return ["so ", Node(tag, {"href": "/a"}, ["very"]), " "] * size

    assert_linear(make, phrases.write_phrases, 20_000)
