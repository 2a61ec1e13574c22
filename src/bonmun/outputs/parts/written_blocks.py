"""Find the blocks of a written document: where a part may end, and where a section starts.

The positions are those in the output, so parts that follow each other contain all of it exactly once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.outputs.chunks.pieces import find_heading_level
from bonmun.outputs.markdown.escape import escape_line_starts
from bonmun.outputs.markdown.phrases import write_phrases
from bonmun.outputs.text import list_parts
from bonmun.text.readable import cut_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.outputs.writable import Writable

__all__ = ["POST_LEVEL", "WrittenBlock", "find_markdown_blocks", "find_text_blocks"]

POST_LEVEL = 0  # of a post, above the headings in it, whose levels are 1 to 6
MAX_TITLE_CHARS = 120
LINE = re.compile(r"[^\n]*+\n?+")
QUOTE_MARKS = re.compile(r"(?:> ?)*+")
FENCE = re.compile(r" *+(`{3,}+)")
HEADING = re.compile(r"(#{1,6}) (.*)")
TABLE_RULE = re.compile(r"\|[| :-]++")
LINK = re.compile(r"!?\[([^\[\]\n]*+)\]\([^()\n]*+\)")
MARKS = re.compile(r"[*`]++|\\(?=[!-/:-@\[-`{-~])")  # emphasis, code, and backslashes before punctuation


class WrittenBlock(NamedTuple):
    """A block of the output, which starts a section if it has a title."""

    start: int
    end: int
    title: str = ""
    level: int = -1  # of the title: POST_LEVEL, or 1 to 6
    opening: str = ""  # what to repeat if a part starts within the block: quote marks, a fence, the header of a table
    closing: str = ""  # what to add if a part ends within the block: a fence


def find_text_blocks(doc: Writable) -> tuple[str, list[WrittenBlock]]:
    """Return the plain text of a document and its blocks."""
    parts = list_parts(doc, has_authors=bool(doc.options.posts))
    titles: dict[int, tuple[str, int]] = {}  # title and level, by place in the text
    pieces = iter(parts)
    place = 0
    for part in doc.parts:
        first = part.written_posts.first
        begun: set[int] = set()
        for block, (before, text) in zip(part.shown, pieces, strict=False):
            start, place = place + len(before), place + len(before) + len(text)
            if block.row in first and block.row not in begun and not block.note:
                begun.add(block.row)
                titles[start] = _shorten(first[block.row].line), POST_LEVEL
            elif level := find_heading_level(block):
                titles[start] = _shorten(text), level
    text = "".join(piece for part in parts for piece in part)
    return text, list(_split_text(text, titles))


def _split_text(text: str, titles: dict[int, tuple[str, int]]) -> Iterator[WrittenBlock]:
    """Yield the runs of lines between empty lines, and between titles."""
    start = place = 0
    for line in LINE.findall(text):
        if place in titles or not line.strip():
            if start < place:
                yield WrittenBlock(start, place, *titles.get(start, ("", -1)))
            start = place
        place += len(line)
        if not line.strip():
            start = place
    if start < place:
        yield WrittenBlock(start, place, *titles.get(start, ("", -1)))


def find_markdown_blocks(doc: Writable, markdown: str) -> list[WrittenBlock]:
    """Return the blocks of a document as written in Markdown: those between empty lines, also within quotes."""
    posts: dict[str, str] = {}  # the author lines, by how they are written
    for part in doc.parts:
        for post in part.written_posts.posts:
            if post.line:
                posts[escape_line_starts(write_phrases(post.make_header().children))] = post.line
    return list(_split_markdown(markdown, posts))


def _split_markdown(markdown: str, posts: dict[str, str]) -> Iterator[WrittenBlock]:
    lines: list[str] = []  # of the open block, without quote marks
    start = place = 0
    quote = fence = ""  # quote marks and fence of the open block
    for line in LINE.findall(markdown):
        if fence:
            lines.append(line)
            place += len(line)
            if line.removeprefix(quote).strip() == fence:
                yield _describe(start, place, quote, lines, posts, fence)
                fence, lines, start = "", [], place
            continue
        marks = QUOTE_MARKS.match(line)
        prefix = marks[0] if marks else ""
        content = line[len(prefix) :]
        opened = FENCE.match(content)
        if lines and (not content.strip() or opened or prefix.rstrip() != quote.rstrip()):
            yield _describe(start, place, quote, lines, posts)
            lines, start = [], place
        place += len(line)
        if not content.strip():
            start = place
            continue
        if not lines:
            quote = prefix
        lines.append(content)
        fence = opened[1] if opened else ""
    if lines:
        yield _describe(start, place, quote, lines, posts, fence)


def _describe(
    start: int, end: int, quote: str, lines: list[str], posts: dict[str, str], fence: str = ""
) -> WrittenBlock:
    """Return a block of lines, given without their quote marks."""
    if fence:
        return WrittenBlock(start, end, "", -1, f"{quote}{lines[0].strip()}\n", f"\n{quote}{fence}")
    first = lines[0].strip()
    if len(lines) > 1 and first.startswith("|") and TABLE_RULE.fullmatch(lines[1].strip()):
        return WrittenBlock(start, end, "", -1, f"{quote}{first}\n{quote}{lines[1].strip()}\n")
    if len(lines) == 1 and first in posts:
        return WrittenBlock(start, end, _shorten(posts[first]), POST_LEVEL, quote)
    heading = HEADING.fullmatch(first)
    if heading and len(lines) == 1:
        return WrittenBlock(start, end, _shorten(MARKS.sub("", LINK.sub(r"\1", heading[2]))), len(heading[1]), quote)
    return WrittenBlock(start, end, "", -1, quote)


def _shorten(title: str) -> str:
    return cut_text(" ".join(title.split()), MAX_TITLE_CHARS)
