"""Escape text for Markdown: a backslash before every character that would be read as markup, and before no other.

There are two kinds of markup: inline (`*x*`, `` `x` ``, `<b>`, `&amp;`) and at the start of a line (`# x`, `1. x`,
`---`). Whether a character is markup depends on the paragraph: a single asterisk is only an asterisk.
"""

from __future__ import annotations

import re
from html.entities import html5

__all__ = [
    "SPECIAL",
    "SPECIAL_CHARACTERS",
    "START_CHARS",
    "choose_marks",
    "escape_line_starts",
    "escape_phrase",
    "escape_task",
]

# Characters that may be markup; most paragraphs have none.
SPECIAL_CHARACTERS = "\\`*_[]<&~$"
SPECIAL = re.compile(f"[{re.escape(SPECIAL_CHARACTERS)}]")
MARKS = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)|`++|\*++|_++|~++|[\[\]$]|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}+|#[xX][0-9A-Fa-f]{1,6}+|([A-Za-z][A-Za-z0-9]{0,31}+));")
BACKTICKS = re.compile("`++")
# Patterns of an opening mark and of the closing mark after it. (Underscores within a word are neither.)
PAIRS = {
    "*": (re.compile(r"\*(?=[^\s*])"), re.compile(r"[^\s*]\*")),
    "_": (re.compile(r"(?<!\w)_++(?=\S)"), re.compile(r"[^\s_]_++(?!\w)")),
    "~": (re.compile(r"(?<!~)~(?=[^\s~])"), re.compile(r"[^\s~]~(?!~)")),
    "~~": (re.compile(r"~~(?=[^\s~])"), re.compile(r"[^\s~]~~")),  # some parsers accept longer runs
    "$": (re.compile(r"\$(?=[^\s$])"), re.compile(r"[^\s$]\$(?![0-9])")),  # formulas, in parsers that support them
}
TAG_MARKS = {"strong": "*", "em": "*", "del": "~", "code": "`", "math": "$"}

# Start of a heading, a list, a quote, a code block or a thematic break, on any line.
ANY = (
    r"(?:#{1,6}+|[-+*])(?=[ \n]|\Z)|>|(?P<fence>`{3,}+(?![^\n]*`)|~{3,}+)"
    r"|(?P<rule>[-*_])(?: *+(?P=rule)){2,}+ *+(?=\n|\Z)"
)
# On the first line of a block, also a link definition, a list with any number, and dashes that form a thematic break
# together with a list marker.
FIRST_LINE = re.compile(
    rf"{ANY}|[-*](?=[-* ]*+(?:\n|\Z))|\[(?=(?:[^\]\\]|\\.)*+\]:)|(?P<number>[0-9]{{1,9}})(?=[.)](?:[ \n]|\Z))"
)
# On later lines of a paragraph, lists can only start at 1; a line of = or - makes the line above a heading, and one of
# - and | makes it a table.
LATER_LINE = re.compile(rf"{ANY}|=++ *+(?=\n|\Z)|[-|:](?=[-|: ]*+(?:\n|\Z))|(?P<number>0{{0,8}}1)(?=[.)] )")
START_CHARS = frozenset("#->+*=~`_[|:0123456789")
TASK = re.compile(r"\[[ xX]\](?=\s|\Z)")


def choose_marks(text: str, tags: frozenset[str] | set[str] = frozenset()) -> str | None:
    """Return the characters that are markup in a paragraph with this text and these inline elements.

    None if the text needs no escaping at all.

    >>> choose_marks("2*3 = 6"), choose_marks("2*3*4"), choose_marks("a_b `c`")
    ('', '*', '`')
    """
    if not SPECIAL.search(text):
        return None
    found = {TAG_MARKS[tag] for tag in tags if tag in TAG_MARKS}
    for mark, (opening, closing) in PAIRS.items():
        if mark in text and mark[0] not in found:
            opened = opening.search(text)
            if opened and closing.search(text, opened.end()):
                found.add(mark[0])
    if "`" in text and "`" not in found:
        runs = [len(run) for run in BACKTICKS.findall(text)]
        if len(set(runs)) < len(runs):
            found.add("`")
    if "<" in text and (tags or ">" in text or "\n" in text):
        found.add("<")
    return "".join(sorted(found))


def escape_phrase(text: str, marks: str, *, in_link: bool = False) -> str:
    """Escape a text of a paragraph; `marks` are the characters that are markup in it (see `choose_marks`)."""

    def escape(found: re.Match[str]) -> str:
        mark = found[0]
        kind = mark[0]
        if kind == "\\":
            return "\\\\"
        if kind in "[]":
            return "\\" + mark if in_link or _is_markup_bracket(text, found.start(), kind) else mark
        if kind == "&":
            entity = ENTITY.match(text, found.start())
            return "\\&" if entity and (entity[1] is None or entity[1] + ";" in html5) else mark
        if kind == "<" and found.start() == 0:
            return "\\<"
        if kind not in marks:
            return mark
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if kind in "*_~" and before.isspace() and after.isspace():
            return mark  # a run between spaces is not emphasis
        if kind == "_" and before.isalnum() and after.isalnum():
            return mark
        return "".join("\\" + each for each in mark)

    return MARKS.sub(escape, text)


def _is_markup_bracket(text: str, at: int, kind: str) -> bool:
    """Whether a bracket is part of a link or footnote: `](` or `[^`. Reference links need a definition to be links."""
    return text[at + 1 : at + 2] == ("^" if kind == "[" else "(")


def escape_line_starts(written: str) -> str:
    """Escape block markup at the start of the lines of a paragraph whose inline markup is already written."""
    if written[:1] in START_CHARS and (found := FIRST_LINE.match(written)):
        written = _insert(written, found)
    if "\n" not in written:
        return written
    first, *rest = written.split("\n")
    lines = [
        _insert(line, found) if line[:1] in START_CHARS and (found := LATER_LINE.match(line)) else line for line in rest
    ]
    return "\n".join([first, *lines])


def _insert(line: str, found: re.Match[str]) -> str:
    if found["fence"]:
        return "".join("\\" + each for each in found["fence"]) + line[found.end() :]
    at = found.end("number") if found["number"] else 0
    return f"{line[:at]}\\{line[at:]}"


def escape_task(written: str) -> str:
    """Escape the checkbox of a task list at the start of a list item."""
    return "\\" + written if TASK.match(written) else written
