"""Check the Markdown files of a crawl with an independent Markdown parser, and print what was found.

    bonmun crawl http://127.0.0.1:8000/ -o docs --allow-private --delay 0 --extract -f markdown
    python -m scripts.figures.markdown_folder docs/markdown

Every relative link must lead to a file and, if it has a fragment, to an id in it. `llms.txt` must have a heading, a
quote, and sections that are lists of links.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

__all__ = ["check_folder", "check_llms"]

PARSER = MarkdownIt("commonmark").enable("table")
ID = re.compile(r'<a id="([^"]+)"></a>')
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
ITEM = re.compile(r"- \[.+\]\(\S+\)(?:: .+)?")


def list_links(text: str) -> list[str]:
    """Return the targets of all links in a Markdown text."""
    tokens = PARSER.parse(FRONT_MATTER.sub("", text))
    inner = (child for token in tokens for child in token.children or ())
    return [str(child.attrs["href"]) for child in inner if child.type == "link_open"]


@cache
def find_ids(path: Path) -> frozenset[str]:
    """Return the ids in a file, as its parser finds them: not those in code."""
    tokens = PARSER.parse(FRONT_MATTER.sub("", path.read_text("utf-8")))
    pieces = [token.content for token in tokens if token.type == "html_block"]
    pieces += [
        f"{child.content}</a>" for token in tokens for child in token.children or () if child.type == "html_inline"
    ]
    return frozenset(found for piece in pieces for found in ID.findall(piece))


def check_folder(folder: Path) -> tuple[Counter[str], list[str]]:
    """Return the number of links by kind, and a message for each link that leads nowhere."""
    counts: Counter[str] = Counter()
    wrong = []
    for path in sorted(folder.rglob("*.md")):
        counts["files"] += 1
        for link in list_links(path.read_text("utf-8")):
            if SCHEME.match(link):
                counts["absolute links"] += 1
                continue
            file, _, fragment = link.partition("#")
            counts["relative links with a fragment" if fragment else "relative links"] += 1
            target = (path.parent / unquote(file)).resolve() if file else path.resolve()
            if not target.is_relative_to(folder.resolve()) or not target.is_file():
                wrong.append(f"{path}: {link}: no such file")
            elif fragment and unquote(fragment) not in find_ids(target):
                wrong.append(f"{path}: {link}: no such id")
    return counts, wrong


def check_llms(path: Path) -> list[str]:
    """Return what is wrong with an llms.txt."""
    lines = path.read_text("utf-8").splitlines()
    wrong = []
    if not lines[0].startswith("# ") or not lines[2].startswith("> "):
        wrong.append("it does not start with a heading and a quote")
    for number, line in enumerate(lines[3:], 4):
        if line and not line.startswith("## ") and not ITEM.fullmatch(line):
            wrong.append(f"line {number} is neither a section nor a link: {line}")
    tokens = PARSER.parse("\n".join(lines))
    top = [token.tag for token in tokens if token.level == 0 and token.nesting >= 0]
    if top[:2] != ["h1", "blockquote"] or any(top[at : at + 2] != ["h2", "ul"] for at in range(2, len(top), 2)):
        wrong.append(f"its blocks are {' '.join(top[:20])} …")
    wrong += [
        f"{link}: no such file" for link in list_links("\n".join(lines)) if not (path.parent / unquote(link)).is_file()
    ]
    return wrong


def main() -> None:
    """Check the folder given on the command line."""
    folder = Path(sys.argv[1])
    counts, wrong = check_folder(folder)
    wrong += [f"llms.txt: {each}" for each in check_llms(folder / "llms.txt")]
    for name, count in counts.items():
        print(f"{name}: {count:,}")
    for each in wrong:
        print(each)
    print(f"wrong: {len(wrong)}")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
