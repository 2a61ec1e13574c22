"""Write a folder of Markdown files that mirrors a site, with `index.md`, `llms.txt` and `llms-full.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.outputs.front_matter import format_front_matter
from bonmun.outputs.markdown.writer import write_tree
from bonmun.outputs.nodes import Node
from bonmun.scale.crawl.export.listings import escape_line, write_index, write_llms, write_llms_full
from bonmun.scale.crawl.export.page_links import PageLinks
from bonmun.work.files import write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.scale.crawl.export.page_store import ExportedPage, PageStore

__all__ = ["MARKDOWN_FOLDER", "write_markdown_folder"]

MARKDOWN_FOLDER = "markdown"
METADATA = ("title", "url", "author", "date", "language", "site_name", "kind", "confidence")


def write_markdown_folder(store: PageStore, folder: Path, seed: str, *, tables_as_html: bool = False) -> int:
    """Write the pages of a store, and the lists of them. Return the number of pages.

    Files that have not changed are not written again.
    """
    links = PageLinks(store)
    folder.mkdir(exist_ok=True)
    count = 0
    for page in store.read_pages():
        tree = links.rewrite(page)
        if not tree.children:
            tree.children = [_make_notice(page)]
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_changed(path, f"{_write_head(page)}\n{write_tree(tree, as_html=tables_as_html)}\n")
        count += 1
    first = store.find_title(seed) or next(store.read_titles(), None)
    if first:
        write_index(store, first, folder / "index.md")
        write_llms(store, first, folder / "llms.txt")
        write_llms_full(store, first, folder / "llms-full.txt", tables_as_html=tables_as_html)
    return count


def _write_head(page: ExportedPage) -> str:
    """Return the front matter and the title as a heading, unless the text begins with one."""
    names = {"site_name": "site"}
    head = format_front_matter({names.get(name, name): getattr(page, name) for name in METADATA})
    return head if page.has_heading or not page.title else f"{head}\n# {escape_line(page.name)}\n"


def _make_notice(page: ExportedPage) -> Node:
    """Return the text of a page without main text."""
    return Node("p", None, ["No main text was found on ", Node("a", {"href": page.url}, ["this page"]), "."])


def _write_changed(path: Path, text: str) -> None:
    data = text.encode("utf-8", "replace")
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass
    write_bytes(path, data)
