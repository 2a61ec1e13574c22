"""What Markdown would read otherwise than as text gets a backslash, and nothing else does.

Two kinds: what means something within a paragraph (`*x*`, `` `x` ``, `<b>`, `&amp;`) and what means something at the
start of a line (`# x`, `1. x`, `---`). Whether a mark does depends on the paragraph: a lone asterisk is an asterisk.
"""

from __future__ import annotations

import re
from html.entities import html5

__all__ = ["choose_marks", "escape_line_starts", "escape_phrase", "escape_task"]

# Any of these may mean something; most paragraphs have none.
SPECIAL = re.compile(r"[\\`*_\[\]<&~$]")
MARKS = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)|`++|\*++|_++|~++|[\[\]$]|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}+|#[xX][0-9A-Fa-f]{1,6}+|([A-Za-z][A-Za-z0-9]{0,31}+));")
TICKS = re.compile("`++")
# A mark that can open emphasis, and one after it that can close it. (Underscores do neither within a word.)
PAIRS = {
    "*": (re.compile(r"\*(?=[^\s*])"), re.compile(r"[^\s*]\*")),
    "_": (re.compile(r"(?<!\w)_++(?=\S)"), re.compile(r"[^\s_]_++(?!\w)")),
    "~": (re.compile(r"(?<!~)~(?=[^\s~])"), re.compile(r"[^\s~]~(?!~)")),
    "~~": (re.compile(r"~~(?=[^\s~])"), re.compile(r"[^\s~]~~")),  # or more of them, for some readers
    "$": (re.compile(r"\$(?=[^\s$])"), re.compile(r"[^\s$]\$(?![0-9])")),  # formulas, where a reader knows them
}
TAG_MARKS = {"strong": "*", "em": "*", "del": "~", "code": "`", "math": "$"}

# What opens a heading, a list, a quote, a block of code or a rule at the start of any line.
ANY = (
    r"(?:#{1,6}+|[-+*])(?=[ \n]|\Z)|>|(?P<fence>`{3,}+(?![^\n]*`)|~{3,}+)"
    r"|(?P<rule>[-*_])(?: *+(?P=rule)){2,}+ *+(?=\n|\Z)"
)
# At the start of a block also a target of links, any number, and dashes that make a rule with the mark of a list.
START = re.compile(
    rf"{ANY}|[-*](?=[-* ]*+(?:\n|\Z))|\[(?=(?:[^\]\\]|\\.)*+\]:)|(?P<number>[0-9]{{1,9}})(?=[.)](?:[ \n]|\Z))"
)
# Within a paragraph, lists start only at 1; a line of = or - makes a heading of what is above, one of - and | a table.
NEXT = re.compile(rf"{ANY}|=++ *+(?=\n|\Z)|[-|:](?=[-|: ]*+(?:\n|\Z))|(?P<number>0{{0,8}}1)(?=[.)] )")
STARTERS = frozenset("#->+*=~`_[|:0123456789")
TASK = re.compile(r"\[[ xX]\](?=\s|\Z)")


def choose_marks(text: str, tags: frozenset[str] | set[str] = frozenset()) -> str | None:
    """The marks that would mean something in a paragraph of this text, in which these inline elements stand; or None.

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
        runs = [len(run) for run in TICKS.findall(text)]
        if len(set(runs)) < len(runs):
            found.add("`")
    if "<" in text and (tags or ">" in text or "\n" in text):
        found.add("<")
    return "".join(sorted(found))


def escape_phrase(text: str, marks: str, *, in_link: bool = False) -> str:
    """Escape a text of a paragraph in which these marks mean something."""

    def escape(found: re.Match[str]) -> str:
        mark = found[0]
        kind = mark[0]
        if kind == "\\":
            return "\\\\"
        if kind in "[]":
            return "\\" + mark if in_link or _is_bracket_read(text, found.start(), kind) else mark
        if kind == "&":
            entity = ENTITY.match(text, found.start())
            return "\\&" if entity and (entity[1] is None or entity[1] + ";" in html5) else mark
        if kind == "<" and found.start() == 0:
            return "\\<"
        if kind not in marks:
            return mark
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if kind in "*_~" and before.isspace() and after.isspace():
            return mark  # such a run opens and closes nothing
        if kind == "_" and before.isalnum() and after.isalnum():
            return mark
        return "".join("\\" + each for each in mark)

    return MARKS.sub(escape, text)


def _is_bracket_read(text: str, at: int, kind: str) -> bool:
    """Whether a bracket makes a link, or a note: `](` and `[^`; those of references mean nothing without a target."""
    return text[at + 1 : at + 2] == ("^" if kind == "[" else "(")


def escape_line_starts(written: str) -> str:
    """Escape what opens a list, a heading and the like at the start of a paragraph that is written but for that."""
    if written[:1] in STARTERS and (found := START.match(written)):
        written = _insert(written, found)
    if "\n" not in written:
        return written
    first, *rest = written.split("\n")
    lines = [_insert(line, found) if line[:1] in STARTERS and (found := NEXT.match(line)) else line for line in rest]
    return "\n".join([first, *lines])


def _insert(line: str, found: re.Match[str]) -> str:
    if found["fence"]:
        return "".join("\\" + each for each in found["fence"]) + line[found.end() :]
    at = found.end("number") if found["number"] else 0
    return f"{line[:at]}\\{line[at:]}"


def escape_task(written: str) -> str:
    """Escape what reads as the box of a task, at the start of a list item."""
    return "\\" + written if TASK.match(written) else written
