"""Every page of every set in ../shared/data, in every format and by every method: what fails, differs, or is slow.

    .venv/bin/python -m scripts.figures.sweep          # all pages, some minutes
    .venv/bin/python -m scripts.figures.sweep 30       # 30 pages of each set

Words are runs of letters and digits, in order: those of `text` must be those of the JSON, of the HTML body, of the TEI
text, and of the Markdown as markdown-it reads it.
"""

from __future__ import annotations

import json
import re
import sys
from multiprocessing import Pool
from time import perf_counter
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import turbohtml
from markdown_it import MarkdownIt

import bonmun
from bonmun.algorithms import PAGE_METHODS
from bonmun.explain import explain
from scripts.labelled import list_sets, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
TEXT = "{http://www.tei-c.org/ns/1.0}text"
BLOCKS = set(
    "article blockquote br caption dd div dl dt figcaption h1 h2 h3 h4 h5 h6 li ol p pre table td th tr ul".split()
)


def split_words(text: str) -> list[str]:
    """The words of a text, in order."""
    return re.findall(r"\w+", text)


def read_html(html: str) -> str:
    """The text of an HTML body, with a blank at each block."""
    pieces = []
    for node in turbohtml.parse(html).descendants:
        if isinstance(node, turbohtml.Text):
            pieces.append(node.data)
        elif isinstance(node, turbohtml.Element) and node.tag in BLOCKS:
            pieces.append(" ")
    return "".join(pieces)


def check_page(job: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """Run one page through everything."""
    name, page = job
    result: dict[str, Any] = {"page": f"{name} {page['id']}"[:90], "bytes": len(page["html"])}
    start = perf_counter()
    try:
        doc = bonmun.extract(page["html"], page.get("url"))
        text = doc.text
        made = {format_: doc.render(format_) for format_ in ("markdown", "html", "json", "xml")}
        result["ms"] = (perf_counter() - start) * 1e3
        for method in PAGE_METHODS.values():
            other = bonmun.extract(doc.page, method=method.name)
            explain(other)
    except Exception as problem:  # whatever it is, it is what we look for
        return result | {"ms": 0.0, "problem": repr(problem)[:200]}
    read = {
        "json": json.loads(made["json"])["text"],
        "html": read_html(made["html"][made["html"].index("<body>") :]),
        "xml": "".join(next(ET.fromstring(made["xml"]).iter(TEXT)).itertext()),
        "markdown": read_html(f"<body>{MARKDOWN.render(made['markdown'])}"),
    }
    differ = [format_ for format_, found in read.items() if split_words(found) != split_words(text)]
    return result | {"problem": f"words differ: {differ}" if differ else None}


def read_pages(limit: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The pages of all sets, or so many of each, with the name of their set."""
    for name in list_sets():
        for row in read_rows(name, covered=0, limit=limit):
            yield name, row


def main() -> None:
    """Print what was found."""
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else None
    with Pool() as pool:
        results = list(pool.imap_unordered(check_page, read_pages(limit), chunksize=4))
    problems = [result for result in results if result["problem"]]
    print(f"{len(results)} pages in 5 formats and by {len(PAGE_METHODS)} methods, {len(problems)} with problems")
    for result in problems[:20]:
        print(f"  {result['page']}: {result['problem']}")
    print("slowest, all formats together:")
    for result in sorted(results, key=lambda each: -each["ms"])[:10]:
        print(f"  {result['ms']:7.0f} ms {result['bytes']:>9,} characters  {result['page']}")


if __name__ == "__main__":
    main()
