"""Write the inline content of a paragraph, heading or cell as Markdown.

The content is first split into tokens (see pieces.py). How a token is written depends on the tokens beside it.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby, pairwise
from typing import Literal

from bonmun.kernel import load_kernel
from bonmun.outputs.markdown.escape import SPECIAL_CHARACTERS, choose_marks, escape_phrase
from bonmun.outputs.markdown.pieces import MARKS, CodeToken, InlineToken, InlineTokenizer
from bonmun.outputs.markdown.simple_phrases import EDGES, write_simple, write_text
from bonmun.outputs.markdown.spans import SPECIAL_IN_URLS, write_code, write_image, write_url
from bonmun.outputs.nodes import Node

__all__ = ["WRITER", "write_marked", "write_phrases"]

PLACEHOLDER = "\ufffc"  # replaces tokens that are not text when the text of a paragraph is searched for markup
# Unicode categories of punctuation beyond ASCII (first letters). CommonMark includes symbols since 0.31, GitHub not.
PUNCTUATION = ("PS", "P")

OPENING, CLOSING = frozenset({"Ps", "Pi"}), frozenset({"Pe", "Pf"})  # categories of brackets and quotation marks

Side = Literal["none", "one", "both"]


def write_phrases(nodes: list[Node | str], break_: str = "  \n", *, is_bold: bool = False) -> str:
    """Return inline nodes as Markdown.

    A line break is written as `break_`: two spaces and a line feed, a space, or `<br>`.
    """
    given: list[Node | str] = [Node("strong", None, nodes)] if is_bold else nodes
    plain = WRITER.write(given, break_) if WRITER else _write_plain(given, break_)
    return write_marked(nodes, break_, is_bold=is_bold) if plain is None else plain


def write_marked(nodes: list[Node | str], break_: str, *, is_bold: bool = False) -> str:
    """Do the same for nodes with what may be markup."""
    only = nodes[0] if len(nodes) == 1 and not is_bold else None
    if isinstance(only, str) and "\n" not in only:
        text = only.strip()
        marks = choose_marks(text)
        return text if marks is None else escape_phrase(text, marks)
    tokenizer = InlineTokenizer()
    if is_bold:
        tokenizer.tags.add("strong")
        tokenizer.add_open("strong")
        tokenizer.add_nodes(nodes, without="strong")
        tokenizer.add_close("strong")
    else:
        tokenizer.add_nodes(nodes)
    tokens = _join_texts(tokenizer.tokens)
    has_emphasis = not tokenizer.tags.isdisjoint(MARKS)
    if has_emphasis:
        tokens = _join_texts(_move_punctuation(tokens, break_))
    texts = [token.value if token.kind == "text" else PLACEHOLDER for token in tokens]
    marks = choose_marks("".join(texts), tokenizer.tags)
    written = [break_ if token.kind == "break" else token.value for token in tokens]
    if has_emphasis:
        _write_emphasis(tokens, written, break_)
    for number, token in enumerate(tokens):
        if token.kind == "text":
            text = token.value if marks is None else escape_phrase(token.value, marks, in_link=token.in_link)
            if text.endswith("!") and written[number + 1 : number + 2] == ["["]:
                text = text[:-1] + "\\!"  # otherwise the link would be an image
            if text.startswith("(") and number and written[number - 1].endswith("]"):
                text = "\\" + text  # otherwise the reference to a note would be a link
            written[number] = text
        elif isinstance(token, CodeToken):
            written[number] = write_code("".join(token.codes))
    return _tidy("".join(written), break_)


def _write_plain(nodes: list[Node | str], break_: str) -> str | None:
    """Return inline nodes as Markdown if nothing in them needs an escape or a choice, as in most paragraphs."""
    if len(nodes) == 1 and isinstance(nodes[0], str):
        return write_text(nodes[0])
    simple = write_simple(nodes, break_)
    return None if simple is None else _tidy(simple, break_)


def _join_texts(tokens: list[InlineToken]) -> list[InlineToken]:
    """Return the tokens with adjacent texts joined: `[a]` and `(b)` are no link apart, but would be one together."""
    kinds = [token.kind for token in tokens]
    if ("text", "text") not in pairwise(kinds):
        return tokens
    joined: list[InlineToken] = []
    for (is_text, in_link), run in groupby(tokens, lambda token: (token.kind == "text", token.in_link)):
        if is_text:
            joined.append(InlineToken("text", "".join(token.value for token in run), in_link))
        else:
            joined += run
    return joined


def _move_punctuation(tokens: list[InlineToken], break_: str) -> list[InlineToken]:
    """Return the tokens with punctuation moved out of emphasis where its marks would not be recognised.

    Marks between a letter and punctuation are not: `x**(y)**` becomes `x(**y**)`. Punctuation alone loses its emphasis.
    """
    moved: list[InlineToken] = []
    after: InlineToken | None = None  # punctuation to add when the emphasis is closed
    for number, token in enumerate(tokens):
        if after and token.kind != "close":
            moved.append(after)
            after = None
        if token.kind == "close" and moved and moved[-1].kind == "open":  # nothing is left between them
            moved.pop()
            continue
        if token.kind != "text" or not _is_at_mark(tokens, number):
            moved.append(token)
            continue
        first, last = number, number
        while first > 0 and tokens[first - 1].kind == "open":
            first -= 1
        while last + 1 < len(tokens) and tokens[last + 1].kind == "close":
            last += 1
        start, text, end = _cut_ends(
            token.value,
            _need_letter(tokens[first:number], _find_edge(tokens, first - 1, break_, -1)),
            _need_letter(tokens[number + 1 : last + 1], _find_edge(tokens, last + 1, break_, 0)),
            is_whole=first < number < last,
        )
        if start:
            moved.insert(len(moved) - (number - first), InlineToken("text", start, token.in_link))
        if text:
            moved.append(InlineToken("text", text, token.in_link))
        after = InlineToken("text", end, token.in_link) if end else None
    return [*moved, after] if after else moved


def _is_at_mark(tokens: list[InlineToken], number: int) -> bool:
    """Whether a text that starts or ends with punctuation or a space is the first or last one in some emphasis."""
    text = tokens[number].value
    if not text or (text[0].isalnum() and text[-1].isalnum()):
        return not text
    is_first = number > 0 and tokens[number - 1].kind == "open"
    return is_first or (number + 1 < len(tokens) and tokens[number + 1].kind == "close")


def _need_letter(marks: list[InlineToken], outside: str) -> bool:
    """Whether marks are only recognised beside a letter inside of them: there is one outside, or they are several."""
    if not marks or not outside or outside.isspace() or not all(MARKS[mark.value] for mark in marks):
        return False
    return len(marks) > 1 or not _is_punctuation(outside, "P")  # it may be a letter in some version of CommonMark


def _cut_ends(text: str, at_start: bool, at_end: bool, *, is_whole: bool) -> tuple[str, str, str]:
    """Return the punctuation at the start of a text, the text, and the punctuation at its end, where it is to be cut.

    If the text is whole, quotes and brackets are cut at both ends or at none. Tildes stay, since GitHub's parser skips
    them.
    """
    first, last = 0, len(text)
    while first < last and not _is_inner(text[first]):
        first += 1
    while last > first and not _is_inner(text[last - 1]):
        last -= 1
    if is_whole and (at_start or at_end) and _find_kinds(text[:first]) & OPENING and _find_kinds(text[last:]) & CLOSING:
        at_start = at_end = True
    if not at_start or "~" in text[:first]:
        first = 0
    if not at_end or "~" in text[last:]:
        last = len(text)
    return text[:first], text[first:last], text[last:]


def _is_inner(character: str) -> bool:
    """Whether a mark can stand beside a character and a letter: it is neither a space nor punctuation."""
    return not character.isspace() and not _is_punctuation(character, "PS")


def _find_kinds(signs: str) -> set[str]:
    """Return the Unicode categories of signs; an ASCII quotation mark opens and closes."""
    kinds = {unicodedata.category(sign) for sign in signs}
    return kinds | OPENING | CLOSING if '"' in signs or "'" in signs else kinds


def _tidy(written: str, break_: str) -> str:
    """Remove empty lines, and spaces at both ends of lines."""
    if "\n" not in written and break_ not in written and break_.strip(" "):  # most paragraphs
        return written.strip()
    if "\n" in break_:
        lines = list(filter(None, map(str.strip, written.split("\n"))))
        # a display formula is on its own line, without a hard line break before or after
        breaks = ("\n" if _is_formula(line) or _is_formula(after) else break_ for line, after in pairwise(lines))
        return "".join(lines[:1] + [each for pair in zip(breaks, lines[1:], strict=True) for each in pair])
    if break_.strip():
        return break_.join(filter(None, map(str.strip, written.replace("\n", " ").split(break_))))
    return " ".join(written.split())


def _is_formula(line: str) -> bool:
    return line.startswith("$$") and line.endswith("$$")


def _write_emphasis(tokens: list[InlineToken], written: list[str], break_: str) -> None:
    """Set how emphasis is written: as marks if CommonMark recognises them, else as HTML."""
    opened: list[tuple[int, Side, bool]] = []
    for number, token in enumerate(tokens):
        if token.kind == "open":
            side, in_row = _find_side(tokens, number, break_)
            if side == "both" and any(row for _, _, row in opened):  # it could close one of several adjacent marks
                side = "none"
            opened.append((number, side, in_row))
        elif token.kind == "close":
            start, side, _ = opened.pop()
            mark = MARKS[token.value]
            fits = bool(mark) and side != "none" and _find_side(tokens, number, break_)[0] != "none"
            if not fits and mark and _is_link(tokens, start + 1, number - 1):
                # within the link, marks are beside brackets, so that CommonMark always recognises them
                written[start : start + 2] = "[", mark
                written[number - 1 : number + 1] = mark, tokens[number - 1].value
                continue
            written[start] = mark if fits else f"<{token.value}>"
            written[number] = mark if fits else f"</{token.value}>"


def _is_link(tokens: list[InlineToken], first: int, last: int) -> bool:
    """Whether tokens are one link without other markup, whose text does not start or end with a space or a tilde."""
    if last - first != 2 or tokens[first].value != "[" or tokens[first + 1].kind != "text":
        return False
    text = tokens[first + 1].value
    return tokens[last].kind == "written" and not any(edge.isspace() or edge == "~" for edge in (text[0], text[-1]))


def _find_side(tokens: list[InlineToken], at: int, break_: str) -> tuple[Side, bool]:
    """Return what a mark can do at its position, and whether it is one of several adjacent marks.

    "one": open (or close) emphasis. "both": open and close. "none": neither, as between a letter outside and
    punctuation inside, or where one emphasis ends and another starts. Adjacent marks must be at the edge of a word.
    """
    kind = tokens[at].kind
    first = last = at
    while first > 0 and tokens[first - 1].kind == kind:
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].kind == kind:
        last += 1
    before = _find_edge(tokens, first - 1, break_, -1)
    after = _find_edge(tokens, last + 1, break_, 0)
    inside, outside = (after, before) if kind == "open" else (before, after)
    in_row = first < last
    if not inside or not outside or inside.isspace() or "~" in (inside, outside):  # GitHub's parser skips tildes
        return "none", in_row
    if outside.isspace():
        return "one", in_row
    sides = {_compare_edges(inside, outside, kinds, in_row=in_row) for kinds in PUNCTUATION}
    return ("none" if "none" in sides else "both" if "both" in sides else "one"), in_row


def _compare_edges(inside: str, outside: str, kinds: str, *, in_row: bool) -> Side:
    """Return what a mark can do between two characters other than spaces; `kinds` are categories of punctuation."""
    is_inner, is_outer = _is_punctuation(inside, kinds), _is_punctuation(outside, kinds)
    if is_outer and not is_inner:
        return "one"
    return "both" if is_inner == is_outer and not in_row else "none"


def _find_edge(tokens: list[InlineToken], at: int, break_: str, side: Literal[0, -1]) -> str:
    """Return the first (0) or last (-1) character of a token; "" for emphasis, " " beyond the ends."""
    if not 0 <= at < len(tokens):
        return " "
    token = tokens[at]
    if token.kind in ("open", "close"):
        return "" if MARKS[token.value] else "<>"[side]  # tags without a mark are written as HTML
    return break_[side] if token.kind == "break" else token.value[side]


def _is_punctuation(character: str, kinds: str) -> bool:
    return unicodedata.category(character)[0] in ("PS" if character.isascii() else kinds)


KERNEL = load_kernel("phrases")
WRITER = (
    KERNEL.SimpleWriter(
        *(SPECIAL_CHARACTERS, SPECIAL_IN_URLS, "".join(EDGES), MARKS), *(write_image, write_url, write_code, _tidy)
    )
    if KERNEL
    else None
)
