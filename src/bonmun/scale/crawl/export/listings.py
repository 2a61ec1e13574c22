"""Write the lists of exported pages: `index.md` for people, `llms.txt` and `llms-full.txt` for language models.

`llms.txt` has the format of llmstxt.org: a heading, a summary as a quote, and sections of links with notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from bonmun.outputs.markdown.phrases import write_phrases
from bonmun.outputs.markdown.spans import write_url
from bonmun.outputs.markdown.writer import write_tree
from bonmun.outputs.nodes import Node, walk_nodes
from bonmun.scale.crawl.export.page_links import drop_anchors, make_relative
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.export.page_store import PageStore, PageTitle

__all__ = ["escape_line", "write_index", "write_llms", "write_llms_full"]

OTHER_PAGES = "Pages"  # heading of the pages that belong to no section
OPTIONAL = "Optional"  # a section of llms.txt with this name may be skipped


def write_index(store: PageStore, first: PageTitle, path: Path) -> None:
    """Write a list of all pages. `first` is the start page of the site."""
    with open_atomically(path) as file:
        _write(file, f"# {escape_line(first.name)}\n\nPages of <{write_url(first.url).strip('<>')}>.\n")
        for heading, pages in _list_sections(store):
            _write(file, f"\n## {heading}\n\n")
            for page in pages:
                _write(file, f"- {_link(page)}\n")


def write_llms(store: PageStore, first: PageTitle, path: Path) -> None:
    """Write `llms.txt`."""
    with open_atomically(path) as file:
        summary = escape_line(" ".join((first.description or "").split())) or f"Pages of {first.url}"
        _write(file, f"# {escape_line(first.name)}\n\n> {summary}\n")
        for heading, pages in _list_sections(store):
            _write(file, f"\n## {heading if heading != OPTIONAL else f'{OPTIONAL} pages'}\n\n")
            for page in pages:
                note = escape_line(" ".join((page.description or "").split()))
                _write(file, f"- {_link(page)}{f': {note}' if note else ''}\n")


def write_llms_full(store: PageStore, first: PageTitle, path: Path, *, tables_as_html: bool) -> None:
    """Write the text of all pages, except copies of others. Links stay absolute."""
    with open_atomically(path) as file:
        _write(file, f"# {escape_line(first.name)}\n")
        for page in store.read_pages():
            if page.is_copy or not page.tree.children:
                continue
            for node in walk_nodes([page.tree]):
                drop_anchors(node)
            text = write_tree(page.tree, as_html=tables_as_html)
            heading = "" if page.has_heading else f"# {escape_line(page.name)}\n\n"
            _write(file, f"\nSource: <{write_url(page.url).strip('<>')}>\n\n{heading}{text}\n")


def _list_sections(store: PageStore) -> Iterator[tuple[str, Iterator[PageTitle]]]:
    """Yield the heading and the pages of each section: first the pages that belong to none."""
    others = store.read_other_titles()
    if page := next(others, None):
        yield OTHER_PAGES, _chain(page, others)
    for section, title in store.list_sections():
        yield escape_line(" ".join((title or "").split()) or section), store.read_section(section)


def _chain(first: PageTitle, rest: Iterator[PageTitle]) -> Iterator[PageTitle]:
    yield first
    yield from rest


def _link(page: PageTitle) -> str:
    return write_phrases([Node("a", {"href": make_relative("", page.path)}, [page.name])])


def escape_line(text: str) -> str:
    """Return a text on one line as Markdown."""
    return write_phrases([text], " ")


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8", "replace"))
