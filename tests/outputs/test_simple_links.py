"""Paragraphs of texts and links are written without tokens, and the result is the same as with them."""

from __future__ import annotations

import pytest

from bonmun.outputs.markdown import phrases
from bonmun.outputs.nodes import Node


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
}
OTHERS: dict[str, list[Node | str]] = {
    "an exclamation before a link": ["Look!", make_link("the map")],
    "markup in a text": ["2*3*4 ", make_link("the map")],
    "a bracket in a link": [make_link("the [old] map")],
    "a line break": ["one\ntwo ", make_link("the map")],
    "emphasis": ["so ", Node("em", None, ["very"]), " old"],
    "emphasis in a link": [Node("a", {"href": "/a"}, [Node("em", None, ["very"]), " old"])],
    "an empty link": ["so ", Node("a", {"href": "/a"}, [])],
    "an empty text": ["so!", "", make_link("the map")],
}


@pytest.mark.parametrize("break_", ["  \n", " ", "<br>"])
@pytest.mark.parametrize("nodes", [*PARAGRAPHS.values(), *OTHERS.values()], ids=[*PARAGRAPHS, *OTHERS])
def test_both_ways_write_the_same(nodes: list[Node | str], break_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = phrases.write_phrases(nodes, break_)
    monkeypatch.setattr(phrases, "_write_links", lambda _: None)
    assert written == phrases.write_phrases(nodes, break_)


@pytest.mark.parametrize("nodes", PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_texts_and_links_need_no_tokens(nodes: list[Node | str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "InlineTokenizer", None)
    assert phrases.write_phrases(nodes)
