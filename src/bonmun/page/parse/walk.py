"""Walk a parsed tree once, without recursion, and fill flat columns of elements and leaves in document order.

The walk also determines the joint of each leaf to the leaf before. For this it follows the rules of browsers: which
elements start a line, what `<br>` and `<pre>` do, and what is not displayed.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, cast

from turbohtml import Element, Text

from bonmun.bounds import MAX_STYLE_CHARS
from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import (
    BLOCK,
    BREAKS,
    EMPTY,
    HIDDEN,
    INHERITED,
    LINK,
    OPAQUE,
    OPEN_DIALOG_SELECTOR,
    PRE,
    RUBY_BITS,
    STYLED_SELECTOR,
    STYLES,
    TABLE_PARTS,
    TAG_BITS,
    WHITE,
    apply_attributes,
    read_style,
)
from bonmun.page.parse.inline_marks import MAX_EMOJI_CHARS, find_marks, read_emoji
from bonmun.page.parse.leaf_pieces import BLOCK_BREAK, is_other_link, is_unspaced, split_pre, split_text_node
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

MAX_LEVELS = 600  # the parser limits the depth of HTML, but not of MathML
PILCROW = "¶"  # alone in a link, it is the permalink of a heading


LINE_END = object()  # a marker among nodes: the end of a block element within a <pre>
BETWEEN, EMPTY_LINE, FILLED_LINE = range(3)  # state of the walk in a <pre>: between block elements, or in one


def walk(
    tree: Tree,
    columns: Columns,
    max_elements: int,
    formulas: Formulas | None = None,
    code: Code | None = None,
    *,
    noscript: bool = False,
    ruby: bool = False,
    shadows: bool = False,
    careful: bool = False,
) -> bool:
    """Fill the columns from the tree of a page, with at most `max_elements` elements.

    Elements in `formulas` become one leaf each; elements in `code` are marked as code or left out. `noscript`, `ruby`
    and `shadows` also read the content of <noscript>, the readings in <ruby>, and declarative shadow roots. Returns
    False if the walk must be repeated with `careful`.
    """
    tag_bits = TAG_BITS | {"noscript": 0} if noscript else TAG_BITS
    tag_bits = tag_bits | RUBY_BITS if ruby else tag_bits
    text_pieces = formulas.pieces if formulas else None  # pieces of the text nodes that contain formulas
    selectors = [
        STYLED_SELECTOR,
        *([OPEN_DIALOG_SELECTOR] if tree.find("dialog") is not None else ()),
        *(["template"] if shadows else ()),
        *([formulas.selector] if formulas else ()),
    ]
    selector = ",".join(selectors)
    # Special elements are in document order, like the nodes, so the walk compares each node only with the next one.
    # This fails if one is never visited, or if slots move nodes. A careful walk compares every node with all of them,
    # which takes longer, but far less than selecting code elements a second time.
    specials = tree.select(selector)
    all_specials = {*specials, *(code.elements if code else ())} if careful or code else None
    specials = [] if all_specials is not None else specials

    def read_special(node: Element, tag: str, own: int, state: int, row: int) -> tuple[int, Replacement | None]:
        return _read_special(node, tag, own, state, row, columns, formulas, code)

    if KERNEL and not shadows:
        special = read_special if formulas or code else None
        return bool(KERNEL.walk(tree, columns, max_elements, tag_bits, specials, all_specials, text_pieces, special))
    return walk_tree(
        tree,
        columns,
        max_elements,
        tag_bits,
        specials,
        all_specials,
        text_pieces,
        read_special,
        selector,
        shadows=shadows,
    )


def walk_tree(
    tree: Tree,
    columns: Columns,
    max_elements: int,
    tag_bits: dict[str, int],
    specials: list[Element],
    all_specials: set[Element] | None,
    text_pieces: dict[Text, list[str | Formula]] | None,
    read_special: Callable[[Element, str, int, int, int], tuple[int, Replacement | None]],
    selector: str,
    *,
    shadows: bool = False,
) -> bool:
    """Walk a tree in pure Python; the kernel does the same.

    This is one long loop on purpose: it sees every node of every page, and a function call per node would dominate.
    """
    nodes, tags, parents, bits = columns._nodes, columns.tags, columns.parents, columns.bits
    texts, leaf_elements, opened = columns.texts, columns.leaf_elements, columns.opened
    joints, raws, owners, starts = columns.joints, columns.raws, columns.owners, columns.starts
    block_texts = columns.block_texts
    flat = Shadows() if shadows else None
    rest = iter(specials)
    special = next(rest, None)

    apart = True  # a block element has started, or a second <br> was seen, since the last leaf
    gap = ""  # whitespace since the last leaf
    has_line = False  # in a <pre>: whether `gap` contains a line break; it may be too long to search
    last_owner = -1  # block element of the last leaf
    run: list[str] = []  # pieces of the last block
    replacement = None  # replacement for the current element
    line = BETWEEN  # state in a <pre>

    root = tree.find("html")
    # turbohtml puts nodes that are nested too deep beside <html>; they count as its children
    beside = (node for node in tree if node is not root)
    stack: list[tuple[Iterator[Node], int, int, int]] = [(beside, 0, 0, 0)]
    siblings: Iterator[Node] = iter((root,) if root else ())
    number, last = -1, max_elements - 1  # row of the last element, and the maximum row
    element, owner = -1, 0  # parent and block element of the siblings
    state = 0  # bits that the siblings inherit
    while True:
        for node in siblings:
            if type(node) is Text:
                if text_pieces and node in text_pieces:
                    stack.append((siblings, element, owner, state))
                    siblings = split_text_node(text_pieces[node], columns)
                    break
                data: str = node.data
                text = data.strip()
                if not text:
                    if state & WHITE:
                        if tags[element] not in TABLE_PARTS:  # where browsers ignore it
                            gap += data
                            has_line = has_line or "\n" in data
                            line = line and FILLED_LINE
                    else:
                        gap = gap or " "
                    continue
                if "  " in text or not text.isprintable():  # only U+0020 is printable whitespace
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
                elif len(text) == len(data):  # most leaves have no whitespace at their ends
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
                if node is special or (all_specials and node in all_specials):
                    own, replacement = read_special(node, tag, own, state, number + 1)
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
                    if replacement:
                        if special is not None and _is_inside(special, node):
                            for _ in node.select(selector):
                                special = next(rest, None)
                        if replacement.text:
                            if replacement.formula:
                                columns.formulas[len(texts)] = replacement.formula
                            stack.append((siblings, element, owner, state))
                            element = number
                            owner = inner
                            state = (state | own) & INHERITED & ~WHITE
                            siblings = iter((Text(replacement.text),))
                            replacement = None
                            break
                        replacement = None
                    elif own & OPAQUE:  # skip the special elements in it, which are never visited
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
                        siblings = _yield_with_marks(node, columns)
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
            elif node is BLOCK_BREAK:
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
    """Return the bits of an element as changed by its attributes or position, and its replacement, if any."""
    own = KERNEL.apply_attributes(node, tag, own) if KERNEL else apply_attributes(node, tag, own)
    replacement = formulas.read(node) if formulas else None
    if code and replacement is None:
        replacement = code.read(node)
        if code.is_code(node):
            own |= BLOCK | PRE
            columns.codes.add(row)
    if replacement:
        own |= EMPTY | OPAQUE
        if replacement.formula:
            own = own | BLOCK if replacement.formula.is_display else own & ~BLOCK
        elif state & PRE and not replacement.text:
            own &= ~BLOCK
    return own, replacement


def _yield_with_marks(node: Element, columns: Columns) -> Iterator[Node]:
    """Yield the children of an element between the marks that a browser shows around it, which become leaves."""
    before, after = find_marks(node)
    if before:
        columns.marks.add(len(columns.texts))
        yield Text(before)
    yield from node
    if after:
        columns.marks.add(len(columns.texts))
        yield Text(after)


def _is_inside(node: Element, other: Element) -> bool:
    """Return whether a node is inside another. Nodes deeper than the limit count as inside; a careful walk follows."""
    above = list(islice(node.ancestors, MAX_LEVELS))
    return len(above) == MAX_LEVELS or other in above


KERNEL = load_kernel("walk")
if KERNEL:
    KERNEL.prepare(
        {
            "BLOCK": BLOCK,
            "BREAKS": BREAKS,
            "EMPTY": EMPTY,
            "HIDDEN": HIDDEN,
            "INHERITED": INHERITED,
            "LINK": LINK,
            "OPAQUE": OPAQUE,
            "PRE": PRE,
            "WHITE": WHITE,
        },
        Element,
        Text,
        BLOCK_BREAK,
        (
            drop_unreadable,
            split_pre,
            split_text_node,
            find_marks,
            read_emoji,
            is_unspaced,
            apply_attributes,
            read_style,
        ),
        TABLE_PARTS,
        STYLES,
        {"emoji": MAX_EMOJI_CHARS, "style": MAX_STYLE_CHARS},
    )
