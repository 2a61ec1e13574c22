"""One pass over a parsed tree: its elements and text leaves as flat columns, in document order, without recursion.

A leaf learns here how it hangs on to the leaf before it, its joint: that takes knowing what a browser would do, i.e.
which elements start a line, what `<br>` and `<pre>` do, and what is not shown at all.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, cast

from turbohtml import Element, Text

from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import (
    BLOCK,
    BREAKS,
    EMPTY,
    INHERITED,
    LINK,
    OPAQUE,
    OPEN_DIALOG,
    PRE,
    RUBY_BITS,
    SHOWN_OTHERWISE,
    TABLE_PARTS,
    TAG_BITS,
    WHITE,
    restyle,
)
from bonmun.page.parse.inline_marks import EMOJI_CHARS, find_marks, read_emoji
from bonmun.page.parse.leaf_pieces import APART, give_pieces, is_other_link, is_unspaced, split_pre
from bonmun.page.parse.shadows import Shadows
from bonmun.text.readable import drop_unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from turbohtml import Document as Tree
    from turbohtml import Node

    from bonmun.page.code import Code
    from bonmun.page.formulas.formulas import Formulas, Replacement
    from bonmun.page.formulas.tex import Formula
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["PILCROW", "walk", "walk_tree"]

MOST_LEVELS = 600  # the parser nests HTML no deeper, but MathML
PILCROW = "¶"  # alone in a link it is the handle of a heading, seen only under the mouse


LINE_END = object()  # among nodes: it ends an element of a <pre> that starts a line
BETWEEN, EMPTY_LINE, FILLED_LINE = range(3)  # where in a <pre> the walk is: between such elements, or in one


def walk(
    tree: Tree,
    columns: Columns,
    most: int,
    formulas: Formulas | None = None,
    code: Code | None = None,
    *,
    noscript: bool = False,
    ruby: bool = False,
    shadows: bool = False,
    careful: bool = False,
) -> bool:
    """Fill the columns from the tree of a page, up to so many elements; False if it must be done again, with `careful`.

    What `formulas` knows becomes a leaf each; what `code` knows is code, or left out. With `noscript`, what <noscript>
    holds is read too; with `ruby`, so are the readings in <ruby>; with `shadows`, declarative shadow roots are.
    """
    tag_bits = TAG_BITS | {"noscript": 0} if noscript else TAG_BITS
    tag_bits = tag_bits | RUBY_BITS if ruby else tag_bits
    split = formulas.pieces if formulas else None  # of text nodes that hold formulas
    selectors = [
        SHOWN_OTHERWISE,
        *([OPEN_DIALOG] if tree.find("dialog") is not None else ()),
        *(["template"] if shadows else ()),
        *([formulas.selector] if formulas else ()),
    ]
    selector = ",".join(selectors)
    # they come in document order, as the nodes do, so only the next is looked out for; where one is never met, or slots
    # move nodes, a careful walk compares every node with all of them, which takes longer (but far less than asking the
    # parser a second time for all that code may be)
    specials = tree.select(selector)
    any_of = {*specials, *(code.elements if code else ())} if careful or code else None
    specials = [] if any_of is not None else specials

    def read_special(node: Element, tag: str, own: int, state: int, row: int) -> tuple[int, Replacement | None]:
        return _read_special(node, tag, own, state, row, columns, formulas, code)

    if KERNEL and not shadows:
        special = read_special if formulas or code else None
        return bool(KERNEL.walk(tree, columns, most, tag_bits, specials, any_of, split, special))
    return walk_tree(tree, columns, most, tag_bits, specials, any_of, split, read_special, selector, shadows=shadows)


def walk_tree(
    tree: Tree,
    columns: Columns,
    most: int,
    tag_bits: dict[str, int],
    specials: list[Element],
    any_of: set[Element] | None,
    split: dict[Text, list[str | Formula]] | None,
    read_special: Callable[[Element, str, int, int, int], tuple[int, Replacement | None]],
    selector: str,
    *,
    shadows: bool = False,
) -> bool:
    """The walk itself, as the kernel does it where there is one, too.

    One long loop on purpose: it sees every node of every page, and a call for each would take longer than what it does.
    """
    nodes, tags, parents, bits = columns._nodes, columns.tags, columns.parents, columns.bits
    texts, leaf_elements, opened = columns.texts, columns.leaf_elements, columns.opened
    joints, raws, owners, starts = columns.joints, columns.raws, columns.owners, columns.starts
    block_texts = columns.block_texts
    flat = Shadows() if shadows else None
    rest = iter(specials)
    special = next(rest, None)

    apart = True  # a block element has opened, or a second <br> stood, since the last leaf
    gap = ""  # the white space since the last leaf
    has_line = False  # in a <pre>: whether there is a line break in the gap, which may be too long to look for one
    last_owner = -1  # the block element that the last leaf stands in
    run: list[str] = []  # the pieces of the last block
    reading = None  # what stands in the place of an element that is a formula
    line = BETWEEN  # of the lines of a <pre> that elements make

    root = tree.find("html")
    # where it nests too deep, turbohtml puts nodes beside <html>: they count as its children
    beside = (node for node in tree if node is not root)
    stack: list[tuple[Iterator[Node], int, int, int]] = [(beside, 0, 0, 0)]
    siblings: Iterator[Node] = iter((root,) if root else ())
    number, last = -1, most - 1  # the row of the last element, and the last row that there may be
    element, owner = -1, 0  # of the siblings: their parent, and the block element they stand in, at least <html>
    state = 0  # what their parent hands down
    while True:
        for node in siblings:
            if type(node) is Text:
                if split and node in split:
                    stack.append((siblings, element, owner, state))
                    siblings = give_pieces(split[node], columns)
                    break
                data: str = node.data
                text = data.strip()
                if not text:
                    if state & WHITE:
                        if tags[element] not in TABLE_PARTS:  # where no browser shows it
                            gap += data
                            has_line = has_line or "\n" in data
                            line = line and FILLED_LINE
                    else:
                        gap = gap or " "
                    continue
                if "  " in text or not text.isprintable():  # line breaks, and spaces but U+0020, are not printable
                    text = " ".join(text.split())
                    if not text.isprintable():
                        data = drop_unreadable(data)
                        text = " ".join(data.split())
                        if not text:
                            gap = gap + data if state & WHITE else gap or (data and " ")
                            has_line = has_line or "\n" in data
                            continue
                if state & LINK and text == PILCROW:
                    continue
                starts_block = apart or owner != last_owner
                joint = gap
                piece = text
                has_line = False
                if state & WHITE:
                    joint, piece = split_pre(gap + data, starts_block)
                    raws[len(texts)] = piece
                    line = FILLED_LINE
                    gap = data[len(data.rstrip()) :]
                    has_line = "\n" in gap
                elif len(text) == len(data):  # most leaves: no white space at their ends
                    gap = ""
                else:
                    joint = gap or (" " if data[0].isspace() else "")
                    gap = " " if data[-1].isspace() else ""
                if starts_block:
                    if len(run) > 1:
                        block_texts[-1] = "".join(run)
                    run = [piece]
                    block_texts.append(piece)
                    starts.append(len(texts))
                    owners.append(owner)
                    opened.append(number + 1)
                    joints.append(None)
                    apart = False
                    last_owner = owner
                else:
                    if not joint and is_other_link(columns, element) and not is_unspaced(texts[-1], text):
                        joint = " "
                    run.append(joint)
                    run.append(piece)
                    joints.append(joint)
                texts.append(text)
                leaf_elements.append(element)
            elif type(node) is Element:
                tag: str = node.tag
                own = tag_bits.get(tag, 0)
                if node is special or (any_of and node in any_of):
                    own, reading = read_special(node, tag, own, state, number + 1)
                    special = next(rest, None)
                if number == last:
                    columns.cut = True
                    stack.clear()
                    siblings = iter(())
                    break
                number += 1
                inner = owner
                if own & BREAKS:
                    if state & PRE:
                        if not (own & BLOCK and has_line):
                            gap += "\n"
                            has_line = True
                        line = FILLED_LINE
                        if own & BLOCK:
                            line = EMPTY_LINE
                            stack.append((siblings, element, owner, state))
                            siblings = iter((cast("Node", LINE_END),))
                    elif own & BLOCK:
                        apart = True
                        gap = ""
                        has_line = False
                        inner = number
                    elif gap == "\n" and tag == "br":
                        apart = True
                    else:
                        gap = "\n"
                nodes.append(node)
                tags.append(tag)
                parents.append(element)
                bits.append(state | own)
                if own & EMPTY:
                    if tag == "noscript":
                        columns.noscripts.append(number)
                    if reading:
                        if special is not None and _is_in(special, node):
                            for _ in node.select(selector):
                                special = next(rest, None)
                        if reading.text:
                            if reading.formula:
                                columns.formulas[len(texts)] = reading.formula
                            stack.append((siblings, element, owner, state))
                            element = number
                            owner = inner
                            state = (state | own) & INHERITED & ~WHITE
                            siblings = iter((Text(reading.text),))
                            reading = None
                            break
                        reading = None
                    elif own & OPAQUE:  # past those that stand in it, and so are never met
                        while special is not None and node in special.ancestors:
                            special = next(rest, None)
                        if tag == "template":
                            columns.templates.append(number)
                    elif tag == "img":
                        emoji = read_emoji(node)
                        if emoji:
                            stack.append((siblings, element, owner, state))
                            element = number
                            owner = inner
                            siblings = iter((Text(emoji),))
                            break
                    elif tag == "input":
                        gap = gap or " "
                    elif tag == "q" or tag == "rt":
                        bits[-1] &= ~EMPTY
                        stack.append((siblings, element, owner, state))
                        element = number
                        state = (state | own) & INHERITED
                        siblings = _add_marks(node, columns)
                        break
                else:
                    stack.append((siblings, element, owner, state))
                    element = number
                    owner = inner
                    state = (state | own) & INHERITED
                    siblings = iter(node)
                    if flat:
                        siblings, element = flat.enter(nodes[-1], element)
                    break
            elif node is APART:
                apart = True
                gap = ""
                has_line = False
            elif node is LINE_END and line:
                if line == EMPTY_LINE or not gap.endswith("\n"):
                    gap += "\n"
                    has_line = True
                line = BETWEEN
        else:
            if not stack:
                break
            siblings, element, owner, state = stack.pop()
    if len(run) > 1:
        block_texts[-1] = "".join(run)
    return special is None or columns.cut


def _read_special(
    node: Element,
    tag: str,
    own: int,
    state: int,
    row: int,
    columns: Columns,
    formulas: Formulas | None,
    code: Code | None,
) -> tuple[int, Replacement | None]:
    """The bits of an element that its attributes or its place change, and what stands in its place, if anything."""
    own = restyle(node, tag, own)
    reading = formulas.read(node) if formulas else None
    if code and reading is None:
        reading = code.read(node)
        if code.is_code(node):
            own |= BLOCK | PRE
            columns.codes.add(row)
    if reading:
        own |= EMPTY | OPAQUE
        if reading.formula:
            own = own | BLOCK if reading.formula.is_display else own & ~BLOCK
        elif state & PRE and not reading.text:
            own &= ~BLOCK
    return own, reading


def _add_marks(node: Element, columns: Columns) -> Iterator[Node]:
    """What an element holds, between the marks that a browser shows around it, which are leaves, too."""
    before, after = find_marks(node)
    if before:
        columns.marks.add(len(columns.texts))
        yield Text(before)
    yield from node
    if after:
        columns.marks.add(len(columns.texts))
        yield Text(after)


def _is_in(node: Element, other: Element) -> bool:
    """Whether a node stands in another; said of one that nests beyond all bounds, too, where a careful walk follows."""
    above = list(islice(node.ancestors, MOST_LEVELS))
    return len(above) == MOST_LEVELS or other in above


KERNEL = load_kernel("walk")
if KERNEL:
    KERNEL.prepare(
        {
            "BLOCK": BLOCK,
            "BREAKS": BREAKS,
            "EMPTY": EMPTY,
            "INHERITED": INHERITED,
            "LINK": LINK,
            "OPAQUE": OPAQUE,
            "PRE": PRE,
            "WHITE": WHITE,
        },
        Element,
        Text,
        APART,
        (drop_unreadable, split_pre, give_pieces, find_marks, read_emoji, is_unspaced, restyle),
        TABLE_PARTS,
        EMOJI_CHARS,
    )
