"""Recognise paragraphs that are written as something else: drawn lines, rank numbers, links one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.outputs.nodes import Node, gather_text
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LINE_SIGNS", "is_drawn_line", "is_rank", "make_link_list"]

LINE_SIGNS = "*_-–—―─━=＊"
MIN_LINE_SIGNS = 3
RANK = compile_later(r"[0-9]{1,3}[.)]?")
# Of each link of several on one line that are list items; shorter ones are a menu, or author and title.
MIN_TITLE_CHARS, MIN_TITLE_CHARS_OF_TWO = 20, 30
MIN_LINES = 4  # of links on lines of their own
# Letters that say more than others count twice.
EAST_ASIAN = compile_later("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def is_drawn_line(text: str) -> bool:
    """Whether a text is a line that is drawn with signs, such as `* * *`."""
    return text[0] in LINE_SIGNS and not text.strip(LINE_SIGNS + " ") and len(text.replace(" ", "")) >= MIN_LINE_SIGNS


def is_rank(text: str) -> bool:
    """Whether a text is the number of an item."""
    return RANK.fullmatch(text) is not None


def make_link_list(nodes: Sequence[Node | str]) -> list[Node | str] | None:
    """Return a list item for each link of a paragraph that has nothing else; None for any other paragraph.

    The links are titles on one line, or four or more on lines of their own, and lead to different pages.
    """
    links: list[Node] = []
    breaks = 0
    for node in nodes:
        if isinstance(node, str):
            if node and not node.isspace():
                return None
        elif node.tag == "a":
            links.append(node)
        elif node.tag == "br":
            breaks += 1
        else:
            return None
    if len(links) < 2 or len({link.attr("href") for link in links}) < len(links):
        return None
    are_lines = len(links) >= MIN_LINES and breaks == len(links) - 1
    min_chars = MIN_TITLE_CHARS if len(links) > 2 else MIN_TITLE_CHARS_OF_TWO
    if not are_lines and not all(_measure(gather_text(link)) >= min_chars for link in links):
        return None
    return [Node("li", None, [link]) for link in links]


def _measure(text: str) -> int:
    return len(text) if text.isascii() else len(text) + len(EAST_ASIAN.findall(text))
