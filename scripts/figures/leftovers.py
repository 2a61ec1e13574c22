"""Count what should not be left in Markdown: empty headings, raw tags, glued words, empty links and the like.

    python -m scripts.figures.leftovers ../shared/data/hand-wide.jsonl.xz … [--most 100] [--show empty-heading]

Prints one row per set: for each kind of leftover, the number of pages that have one. `--show` lists the lines.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bonmun
from scripts.labelled import read_html

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_leftovers"]

FENCE = re.compile(r" {0,12}(`{3,}|~{3,})")
CODE_SPAN = re.compile(r"`[^`\n]+`")
HEADING = re.compile(r"(#{1,6}) ")
PATTERNS = {
    # tags without a Markdown equivalent (<br>, <sub>, <sup>, <details>) are no leftovers
    "raw tag": re.compile(r"(?<!\\)</?(?!(?:br|su[bp]|details|summary|strong|em|del)>|https?:)[a-z][a-z0-9]{0,9}[ >/]"),
    "glued words": re.compile(r"(?<![\w/])(\d[\d,.]{3,9}|[^\W\d_]{6,30})\1(?!\w)"),
    "empty link": re.compile(r"(?<!!)\[\s*\]\("),
    "empty image": re.compile(r"!\[[^\]\n]*\]\((?:data:[^)]*|\s*)\)"),
    "empty item": re.compile(r"^\s*(?:[-*+]|\d+[.)])\s*$", re.M),
    "nested marks": re.compile(r"^\s*(?:[-*+]|\d+[.)]) (?:[-*+]|\d+[.)]) ", re.M),
    "empty header row": re.compile(r"^\s*\|(?:\s*\|)+\n\s*\|(?: ?:?-+:? ?\|)+$", re.M),
    "one column": re.compile(r"^\s*\|[^|\n]*\|\n\s*\| ?:?-+:? ?\|$", re.M),
    "permalink sign": re.compile(r"^#{1,6} .*(?:[¶§]|\[#\]\([^)]*\)|\s#)$", re.M),
}


def find_leftovers(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each leftover in a Markdown text."""
    lines = list(_skip_code(markdown))
    yield from (("empty heading", line) for line in _find_empty_headings(lines))
    text = "\n".join(CODE_SPAN.sub("`code`", line) for line in lines)
    for kind, pattern in PATTERNS.items():
        for found in pattern.finditer(text):
            yield kind, found[0].strip()


def _skip_code(markdown: str) -> Iterator[str]:
    """Yield the lines outside of fenced code; a block of code is one line."""
    fence = ""
    for line in markdown.split("\n"):
        found = FENCE.match(line)
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif found:
            fence = found[1]
            yield "`code`"
        else:
            yield line


def _find_empty_headings(lines: list[str]) -> Iterator[str]:
    """Yield headings directly before another heading of the same or a higher level, or before the end.

    The first line may be a title, which needs no text, and a heading that is a link may be an item.
    """
    full = [line for line in lines if line.strip()]
    for number, line in enumerate(full):
        heading = HEADING.match(line)
        if heading and number and not line.endswith(")"):
            after = HEADING.match(full[number + 1]) if number + 1 < len(full) else heading
            if after and len(after[1]) <= len(heading[1]):
                yield line


def _read_pages(path: Path, most: int) -> Iterator[dict[str, Any]]:
    """Yield up to `most` pages of a set, spread over it."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        pages = [line for line in file if '"html' in line]
    for line in pages[:: max(1, -(-len(pages) // most))]:
        yield json.loads(line)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=100, help="pages per set")
    parser.add_argument("--show", default="", help="kind of leftover whose lines are listed")
    given = parser.parse_args()
    kinds = ["empty heading", *PATTERNS]
    print("set | pages | " + " | ".join(kinds))
    for path in given.sets:
        counts: Counter[str] = Counter()
        for page in _read_pages(path, given.most):
            try:
                markdown = bonmun.extract(read_html(page) or "", url=page.get("url")).markdown
            except bonmun.BonmunError:
                continue
            found = list(find_leftovers(markdown))
            counts["pages"] += 1
            counts.update({kind for kind, _ in found})
            for kind, text in found:
                if kind == given.show:
                    print(f"  {page['id']}: {text[:120]}")
        name = path.name.partition(".")[0]
        print(f"{name} | {counts['pages']} | " + " | ".join(str(counts[kind]) for kind in kinds), flush=True)


if __name__ == "__main__":
    main()
