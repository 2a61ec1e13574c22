"""The outline of a document: its sections with their sizes."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import MissingPart
from bonmun.outputs.chunks.pieces import measure_words
from bonmun.text.tokens import count_quarter_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.parts.written_blocks import WrittenBlock

__all__ = ["DocumentSection", "find_section", "list_sections", "write_outline"]

BEGINNING = "(beginning)"  # title of the text before the first heading
MAX_DIGITS = 10  # of a number of a section
MAX_COMPARED = 1_000  # titles that are compared with one that is not found


class DocumentSection(NamedTuple):
    """A section of a document, with its subsections: what follows a heading, or a post of a thread."""

    number: int  # from 1
    level: int  # 1 to 6; 0 for a post
    title: str
    words: int
    tokens: int
    cursor: int  # where it starts in the output
    end: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {name: getattr(self, name) for name in self._fields if name != "end"}


def list_sections(text: str, blocks: Sequence[WrittenBlock]) -> list[DocumentSection]:
    """Return the sections of a written document, in order; sections with headings of a lower level contain others."""
    stop = len(text.rstrip())
    heads = [(block.start, block.level, block.title or BEGINNING) for block in blocks if block.level >= 0]
    if stop and (not heads or text[: heads[0][0]].strip()):
        heads.insert(0, (0, 1, BEGINNING))
    starts = [start for start, _, _ in heads]
    spans = pairwise([*starts, stop])
    sizes = [(measure_words(text[start:end]), count_quarter_tokens(text[start:end])) for start, end in spans]
    found: list[DocumentSection] = []
    open_: list[tuple[int, int, int, int]] = []  # level, first own number, words and tokens after it, of what follows
    for number in range(len(heads) - 1, -1, -1):  # from the end: a section contains those after it with a higher level
        start, level, title = heads[number]
        words, quarters = sizes[number]
        end = starts[number + 1] if number + 1 < len(starts) else stop
        is_closed = title == BEGINNING and number == 0
        while open_ and open_[-1][0] > level and not is_closed:
            _, end, more_words, more_quarters = open_.pop()
            words, quarters = words + more_words, quarters + more_quarters
        open_.append((level, end, words, quarters))
        found.append(DocumentSection(number + 1, level, title, words, -(-quarters // 4), start, end))
    return found[::-1]


def find_section(sections: Sequence[DocumentSection], wanted: str) -> DocumentSection:
    """Return the section with this title, number, or beginning of its title. Raises MissingPart if there is none."""
    name = " ".join(wanted.split()).casefold()
    titles = [section.title.casefold() for section in sections]
    if name in titles:
        return sections[titles.index(name)]
    is_number = name.isascii() and name.isdecimal()
    if is_number and len(name) < MAX_DIGITS and 0 < int(name) <= len(sections):
        return sections[int(name) - 1]
    for is_match in (str.startswith, str.__contains__):
        if name and not is_number and (found := [place for place, title in enumerate(titles) if is_match(title, name)]):
            return sections[found[0]]
    near = get_close_matches(name[:100], titles[:MAX_COMPARED], n=1)
    hint = f" did you mean {sections[titles.index(near[0])].title!r}?" if near else ""
    raise MissingPart(f"There is no section {wanted[:100]!r}:{hint or ' the outline lists all sections.'}")


def write_outline(sections: Sequence[DocumentSection], *, is_markdown: bool) -> str:
    """Return one line per section: number, title and size."""
    mark = "- " if is_markdown else ""
    lowest = min((section.level for section in sections), default=0)
    lines = [
        f"{'  ' * (section.level - lowest)}{mark}{section.number}. {section.title} "
        f"({section.words:,} words, about {section.tokens:,} tokens)"
        for section in sections
    ]
    return "".join(f"{line}\n" for line in lines)
