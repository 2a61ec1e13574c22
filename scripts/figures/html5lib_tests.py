"""Compare pages with the trees of html5lib-tests: elements and their parents, leaves and their elements.

    .venv/bin/python -m scripts.figures.html5lib_tests FOLDER       # of tree-construction/*.dat

The tests are not part of this repository. They are at github.com/html5lib/html5lib-tests, and a version of 2023 is in a
Debian package: after `apt-get download golang-golang-x-net-dev` and `dpkg -x golang*.deb .` they are in
usr/share/gocode/src/golang.org/x/net/html/testdata/webkit.

Everything that the walk skips on purpose is removed from the expected tree: the contents of <head>, <script>, <svg>,
<template> and the like, comments, and white space. Cases that parse a fragment or need scripts are not compared. Cases
that differ are grouped by cause: the parser's tree differs, the page was rejected, or the walk reads the tree
differently.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import turbohtml
from turbohtml import Element, Text

from bonmun import BonmunError, Page
from bonmun.page.parse.element_bits import EMPTY, LINK, TAG_BITS
from bonmun.page.parse.walk import PILCROW
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SHOWN = 5  # cases per cause


@dataclass
class Node:
    """An element of the expected tree, or the page itself."""

    tag: str
    children: list[Node | str] = field(default_factory=list)


@dataclass
class Case:
    """A page and its expected tree."""

    name: str
    html: str
    expected: list[str]  # the lines of the tree
    skipped: str = ""  # why it is not compared


@dataclass
class Reading:
    """The columns of a page: elements with their parents, leaves with their elements."""

    elements: list[tuple[str, int]] = field(default_factory=list)
    leaves: list[tuple[str, int]] = field(default_factory=list)


def read_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of all files in a folder."""
    for file in sorted(folder.rglob("*.dat")):
        parts = ("\n" + file.read_bytes().decode("utf-8", "surrogatepass")).split("\n#data\n")[1:]
        for number, part in enumerate(parts, 1):
            yield read_case(f"{file.stem} {number}", part)


def read_case(name: str, part: str) -> Case:
    """Parse a case from its lines: the page, then sections that start with `#` and a name."""
    html, _, rest = f"\n{part}".partition("\n#errors")
    rest, _, tree = rest.partition("\n#document\n")
    skipped = ""
    if "\n#document-fragment" in rest:
        skipped = "fragment"
    elif "\n#script-on" in rest:
        skipped = "scripts run"
    return Case(name, html[1:], tree.rstrip("\n").split("\n"), skipped)


def build_expected(lines: list[str]) -> Node:
    """Build the expected tree of elements and texts."""
    open_ = [Node("")]
    text: list[str] | None = None  # the lines of a text that is not closed yet
    for line in lines:
        if text is not None:
            text.append(line)
        elif line.startswith("| "):
            depth = (len(line) - len(line[2:].lstrip(" ")) - 2) // 2
            content = line[2 + 2 * depth :]
            if content.startswith('"'):
                del open_[depth + 1 :]
                text = [content[1:]]
            elif content.startswith("<") and not content.startswith(("<!", "<?")):
                del open_[depth + 1 :]
                made = Node(content[1:-1].split(" ")[-1])
                open_[-1].children.append(made)
                open_.append(made)
            elif content == "content":  # of a template
                del open_[depth + 1 :]
                open_.append(Node("content"))
        if text is not None and text[-1].endswith('"') and (len(text) > 1 or text[-1]):
            open_[-1].children.append("\n".join(text)[:-1])
            text = None
    return open_[0]


def build_parsed(html: str) -> Node:
    """Build the parser's tree in the same form."""
    root = Node("")
    stack: list[tuple[turbohtml.Document | Element, Node]] = [
        (turbohtml.parse(html, allow_declarative_shadow_roots=False), root)
    ]
    while stack:
        node, into = stack.pop()
        for child in node:
            if isinstance(child, Text):
                into.children.append(child.data)
            elif isinstance(child, Element):
                made = Node(child.tag)
                into.children.append(made)
                if child.tag != "template":  # its content is never read
                    stack.append((child, made))
    return root


def read_tree(root: Node) -> Reading:
    """Return the columns of a tree, by the rules of the walk."""
    reading = Reading()
    stack: list[tuple[Node | str, int, bool]] = [(child, -1, False) for child in reversed(root.children)]
    while stack:
        node, parent, linked = stack.pop()
        if isinstance(node, str):
            text = " ".join(make_readable(node).split())
            if text and not (linked and text == PILCROW):
                reading.leaves.append((text, parent))
            continue
        row = len(reading.elements)
        reading.elements.append((node.tag, parent))
        bits = TAG_BITS.get(node.tag, 0)
        if not bits & EMPTY:
            stack += [(child, row, linked or bool(bits & LINK)) for child in reversed(node.children)]
    return reading


def read_page(html: str) -> Reading:
    """Return the columns that bonmun reads."""
    page = Page.parse(html)
    return Reading(
        list(zip(page.tags, page.parents, strict=True)), list(zip(page.texts, page.leaf_elements, strict=True))
    )


def find_cause(case: Case) -> str:
    """Return why a case differs; empty if it does not."""
    expected = read_tree(build_expected(case.expected))
    try:
        found = read_page(case.html)
    except BonmunError as problem:
        return f"refused: {type(problem).__name__}"
    if found == expected:
        return ""
    tags = {tag for tag, _ in expected.elements}
    if read_tree(build_parsed(case.html)) != expected:
        if "select" in tags:
            return "the parser's tree differs: <select> may contain any element, as in the standard since 2025"
        return f"the parser's tree differs, in a case of {case.name.split(' ')[0]}"
    if "noscript" in tags and len(found.leaves) > len(expected.leaves):
        return "<noscript> is read, since the page has next to no text"
    if "/>" in case.html and len(found.leaves) > len(expected.leaves):
        return "a script closed as in XHTML has no text, because the page has almost none"
    if [text for text, _ in found.leaves] == [text for text, _ in expected.leaves]:
        return "the walk: elements"
    return "the walk: leaves"


def main() -> None:
    """Print the number of equal cases, and the others by cause."""
    cases = list(read_cases(Path(sys.argv[1])))
    skipped = Counter(case.skipped for case in cases if case.skipped)
    compared = [case for case in cases if not case.skipped]
    causes: dict[str, list[Case]] = defaultdict(list)
    for case in compared:
        causes[find_cause(case)].append(case)
    left_out = ", ".join(f"{count} {reason}" for reason, count in skipped.most_common())
    print(f"{len(cases):,} cases, not compared: {left_out or 'none'}")
    print(f"{len(causes.pop('', [])):,} of {len(compared):,} agree")
    for cause, some in sorted(causes.items(), key=lambda each: -len(each[1])):
        print(f"{len(some):5}  {cause}: " + "; ".join(f"{case.name} {case.html[:60]!r}" for case in some[:MAX_SHOWN]))


if __name__ == "__main__":
    main()
