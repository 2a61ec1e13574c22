"""Check all formats of thousands of real pages: differing words, differing structure, slow pages.

    .venv/bin/python -m scripts.figures.structure_sweep                # 9,500 pages; ten minutes
    .venv/bin/python -m scripts.figures.structure_sweep --part 3/10    # every tenth of them, from the third on
    .venv/bin/python -m scripts.figures.structure_sweep --everything   # all text, with links, images and comments

Words are runs of letters and digits, in order. The text, the JSON, the HTML, the TEI and the Markdown (as read by
markdown-it and cmark-gfm) must have the same words; notes are at the end, and their labels do not count. The Markdown
must have the headings, code blocks and cells of the HTML. Chunks must add up to the text. Formulas, which the readers
do not know, are replaced by words and restored afterwards.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from dataclasses import replace
from html import escape
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING, Any

import cmarkgfm
import turbohtml
from cmarkgfm.cmark import Options as Reading

import bonmun
from bonmun import Options
from bonmun.outputs.markdown.writer import MarkdownWriter
from bonmun.outputs.nodes import Node, gather_text
from scripts.fuzz.checks import (
    MAX_MARKDOWN_CHARACTERS,
    drop_marks,
    find_words,
    read_html,
    read_markdown,
    read_tei,
    repeats_spans,
    show_difference,
    space_phrases,
)
from scripts.fuzz.stages import EVERYTHING
from scripts.labelled import UNLABELLED, list_sets, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun import Document

PAGES = 9_500
MAX_SHOWN = 5  # pages per kind of difference
FORMULA = re.compile(r"xformula(\d+)x")
FACT = re.compile(r"[a-z]+: \S")
STRUCTURES = {"headings": "h1,h2,h3,h4,h5,h6", "code": "pre", "cells": "th,td"}
FORMATS = ("text", "markdown", "html", "json", "xml")

Difference = tuple[str, str]  # kind and details


def read_gfm(markdown: str) -> str:
    """Render Markdown like GitHub, without autolinks."""
    html: str = cmarkgfm.markdown_to_html_with_extensions(
        markdown, options=Reading.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough"]
    )
    return html


READERS = {"markdown-it": read_markdown, "cmark": read_gfm}


def write_readable(doc: Document) -> tuple[str, list[str]]:
    """Return the Markdown with words for formulas and quotes for notes, for all readers; and the formulas."""
    formulas: list[str] = []

    def change(node: Node | str) -> Node | str:
        if isinstance(node, str):
            return node
        if node.tag == "math":
            formulas.append(gather_text(node))
            return f" xformula{len(formulas) - 1}x "
        if node.tag == "noteref":
            return f" [{node.attr('label')}] "
        children = [change(child) for child in node.children]
        if node.tag == "note":
            return Node("blockquote", None, [Node("p", None, [f"[{node.attr('label')}]"]), *children])
        return Node(node.tag, node.attributes, children)

    tree = Node("article", None, [change(child) for child in doc.nodes.children])
    return MarkdownWriter().write(tree), formulas


def fold(text: str) -> str:
    """Return a text without white space, in which readers differ."""
    return "".join(text.split())


def find_structure(html: str, kind: str) -> list[str]:
    """Return the texts of elements: headings with their level, code unchanged, cells without white space."""
    elements = turbohtml.parse(html).select(STRUCTURES[kind])
    if kind == "code":
        texts = [element.text.strip("\n") for element in elements]
    elif kind == "headings":
        texts = [f"{element.tag} {fold(element.text)}" for element in elements]
    else:
        texts = [fold(element.text) for element in elements]
    return [text for text in texts if text]


def check_words(doc: Document, written: dict[str, str]) -> Iterator[Difference]:
    """Yield formats that do not have the words of the text."""
    if json.loads(written["json"])["text"] != written["text"]:
        yield "json: text", ""
    words = find_words(doc.text)
    texts = {"xml": read_tei(written["xml"]), "html": read_html(space_phrases(written["html"]))}
    for name, text in texts.items():
        if (found := find_words(text)) != words:
            yield f"{name}: words", show_difference(words, found)


def check_markdown(doc: Document, written: dict[str, str]) -> Iterator[Difference]:
    """Yield structures that Markdown readers read differently."""
    words, html = find_words(doc.text), written["html"]
    markdown, formulas = write_readable(doc)
    if not formulas and not doc.references and markdown != written["markdown"]:
        yield "markdown: differs from the writer's", ""
    if len(markdown) > MAX_MARKDOWN_CHARACTERS:
        return
    for name, read in READERS.items():
        found = read(drop_marks(markdown, html))
        if formulas:
            found = FORMULA.sub(lambda match: escape(formulas[int(match[1])]), found)
        said = find_words(read_html(found))
        if said != words and not repeats_spans(words, said, html):
            yield f"{name}: words", show_difference(words, said)
        for kind in STRUCTURES:
            ours, theirs = find_structure(html, kind), find_structure(found, kind)
            if ours != theirs and not (kind == "cells" and "span=" in html and set(ours) == set(theirs)):
                yield f"{name}: {kind}", show_difference(ours, theirs)


def check_chunks(doc: Document) -> Iterator[Difference]:
    """Yield differences between the chunks and the text."""
    text, place = doc.text, 0
    for chunk in doc.chunks():
        if text[chunk.start : chunk.end] != chunk.text or text[place : chunk.start].strip():
            yield "chunks: not the text", f"{place} {chunk.start}"
        if chunk.size > 200:
            yield "chunks: too large", f"{chunk.size} {chunk.kinds}"
        place = chunk.end
    if text[place:].strip():
        yield "chunks: text is missing", text[place : place + 40]


def check_rest(doc: Document) -> Iterator[Difference]:
    """Yield inconsistent tables, posts, front matter and notes."""
    words = set(find_words(doc.text))
    for table in doc.tables:
        missing = set(find_words(" ".join(text for row in table.rows for text in row))) - words
        if missing or table.header > len(table.rows) or len(set(map(len, table.rows))) > 1:
            yield "tables: inconsistent", f"{sorted(missing)[:3]} {table.header} {set(map(len, table.rows))}"
    for posts, blocks in ((doc.posts, doc.blocks), (doc.comment_posts, doc.comments)):
        numbers = [number for post in posts for number in post.blocks]
        if len(numbers) != len(set(numbers)) or not set(numbers) <= set(range(len(blocks))):
            yield "posts: inconsistent", str(numbers[:20])
    front, _, rest = (
        replace(doc, options=replace(doc.options, front_matter=True))
        .markdown.removeprefix("---\n")
        .partition("\n---\n")
    )
    if rest.removeprefix("\n") != doc.markdown or not all(FACT.match(line) for line in front.split("\n")):
        yield "front matter: invalid", front[:80]
    labels = {block.note for block in doc.blocks if block.note}
    used = {reference.attr("label") for reference in doc.tree.find_all("noteref")}
    if labels != used:
        yield "notes: without a reference or a note", str(sorted(map(str, labels ^ used))[:5])


def check_page(row: dict[str, Any], method: str, options: Options) -> tuple[list[Difference], float]:
    """Return all differences of a page, and the milliseconds to write all its formats."""
    try:
        start = process_time()
        doc = bonmun.extract(row["html"], row.get("url"), method, options)
        written = {name: doc.render(name) for name in FORMATS}
        spent = (process_time() - start) * 1e3
        checks = (check_words(doc, written), check_markdown(doc, written), check_chunks(doc), check_rest(doc))
        return [found for check in checks for found in check], spent
    except bonmun.BonmunError:
        return [], 0.0
    except Exception as problem:  # any error is a finding
        return [(f"error: {type(problem).__name__}", str(problem)[:80])], 0.0


def read_pages(pages: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the pages of all labelled sets, then of others, with their names."""
    names = [name for name in list_sets() if name not in UNLABELLED]
    rows = ((name, row) for name in [*names, *UNLABELLED] for row in read_rows(name, covered=0))
    for name, row in islice(rows, pages):
        yield f"{name} {row['id']}", row


def main() -> None:
    """Check the pages, and print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--part", default="1/1", help="part of the pages; 3/10: every tenth page, from the third on")
    parser.add_argument("--skip", type=int, default=0, help="number of pages to skip")
    parser.add_argument("--everything", action="store_true", help="all text, with links, images and comments")
    args = parser.parse_args()
    method, options = ("all", EVERYTHING) if args.everything else ("auto", Options())
    first, step = map(int, args.part.split("/"))
    kinds: dict[str, list[str]] = defaultdict(list)
    slowest: list[tuple[float, float, int, str]] = []
    count = 0
    for name, row in islice(read_pages(args.pages), args.skip + first - 1, None, step):
        found, spent = check_page(row, method, options)
        count += 1
        length = len(row["html"])
        slowest = sorted([*slowest, (spent / max(length / 1e3, 10.0), spent, length, name)])[-10:]
        for kind in dict.fromkeys(kind for kind, _ in found):
            kinds[kind].append(name)
            if len(kinds[kind]) <= MAX_SHOWN:
                print(f"{name}: {kind}: {next(what for other, what in found if other == kind)}", flush=True)
    print(f"{count} pages, {len({name for names in kinds.values() for name in names})} with differences")
    for kind, names in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):5} {kind}: {', '.join(names[:MAX_SHOWN])}")
    print("slowest, all formats together:")
    for rate, spent, length, name in reversed(slowest):
        print(f"  {rate:6.2f} ms/kB {spent:7.0f} ms {length:>9,} characters  {name}")


if __name__ == "__main__":
    main()
