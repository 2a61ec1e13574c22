r"""Read the structure of Markdown: code, formulas, tables, footnotes, headings, list items and links.

Golds and answers are both read with it, and then compared (lab/evaluate/metrics/structure.py). Code is fenced, or
indented after an empty line. Formulas are `$…$`, `$$…$$`, `\(…\)`, and `\[…\]` on separate lines (elsewhere `\[` and
`\]` are escaped brackets). Tables are written with bars or in HTML.

Runs in linear time on any input.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bonmun.lab.gold.markdown import drop_front_matter
from bonmun.lab.gold.structure_lines import Heading, LineReader, Table, read_cell

__all__ = ["Heading", "MarkdownLink", "Structure", "Table", "drop_targets", "read_structure"]

INLINE_CODE = re.compile(r"(?<!`)(?:``(?!`)(?:[^`\n]|`(?!`))*+``|`(?!`)[^`\n]*+`)(?!`)")
FORMULA = re.compile(
    r"(?<!\\)\$\$((?:[^$\\]|\\.)*+)\$\$"
    r"|^[ \t>]*+\\\[((?:[^\\]|\\[^\[\]])*+)\\\][ \t]*+$"
    r"|(?<!\\)\\\(((?:[^\\]|\\[^()])*+)\\\)"
    r"|(?<!\\)\$(?![\s$])((?:[^$\\\n]|\\[^\n])*+)(?<!\s)\$(?!\d)",
    re.M | re.S,
)
LINK = re.compile(r"(!?)(?<!\\)\[([^\[\]]*)\]\(\s*+<?([^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+)[^()\n]*+\)")


class MarkdownLink(NamedTuple):
    """The text and the target of a link."""

    text: str
    target: str


class Structure(NamedTuple):
    """The structural elements of a Markdown text."""

    code: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    items: tuple[str, ...] = ()
    links: tuple[MarkdownLink, ...] = ()


def read_structure(markdown: str) -> Structure:
    r"""Read the structural elements of a Markdown text.

    >>> found = read_structure("# Lamps\n\n- Lit at $t_1$\n\n```\nlamp = 1\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n[^1]: Six.")
    >>> found.code, found.formulas, found.tables, found.notes
    (('lamp = 1',), ('t_1',), ((('a', 'b'), ('1', '2')),), ('Six.',))
    """
    lines = drop_front_matter(re.split(r"\r\n|[\n\r]", markdown))
    reader = LineReader()
    reader.read(lines)
    prose = INLINE_CODE.sub("` `", "\n".join(reader.prose))
    formulas = ("".join(filter(None, mark.groups())).strip() for mark in FORMULA.finditer(prose))
    links = (
        MarkdownLink(read_cell(mark[2]), mark[3])
        for mark in LINK.finditer(prose)
        if not mark[1] and mark[2].strip() and mark[3] and not mark[3].startswith("#")
    )
    return Structure(
        tuple(reader.code),
        tuple(filter(None, formulas)),
        tuple(reader.tables),
        tuple(filter(None, (read_cell(" ".join(note)) for note in reader.notes))),
        tuple(reader.headings),
        tuple(filter(None, (read_cell(" ".join(item)) for item in reader.items))),
        tuple(links),
    )


def drop_targets(markdown: str) -> str:
    """Drop link targets and images from Markdown; all other markup stays.

    >>> drop_targets("A *[lamp](https://example.org/l)* ![lit](l.png) at six.")
    'A *lamp*  at six.'
    """
    return LINK.sub(lambda mark: "" if mark[1] else mark[2], markdown)
