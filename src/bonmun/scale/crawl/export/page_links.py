"""Make the links between exported pages relative, and mark the places in the text that they lead to."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from bonmun.outputs.nodes import Node, walk_nodes
from bonmun.scale.crawl.discover.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.scale.crawl.export.page_store import ExportedPage, PageStore, PageTitle

__all__ = ["PageLinks", "drop_anchors", "make_relative"]

CACHED_URLS = 20_000  # whose pages are remembered
MAX_ID_CHARS = 200


class _Target(NamedTuple):
    """The page that a link leads to, and the id in it."""

    page: PageTitle
    id: str


class PageLinks:
    """Rewrites the links of the pages in a store. Collects the targets of all links first.

    `locate` returns the URL that leads from one page to another, or None to keep a link as it is; by default, that of
    the Markdown file. `prefix` is put before all ids.
    """

    def __init__(
        self, store: PageStore, locate: Callable[[PageTitle, PageTitle], str | None] | None = None, prefix: str = ""
    ) -> None:
        self.store = store
        self.locate = locate or (lambda source, target: make_relative(source.path, target.path))
        self.prefix = prefix
        self.find_page = lru_cache(CACHED_URLS)(self._find_page)
        store.set_ids(self._collect())

    def _collect(self) -> Iterator[tuple[str, list[str], list[tuple[str, str]]]]:
        for page in self.store.read_pages():
            ids, targets = [], []
            for node in walk_nodes(page.tree.children):
                if node.tag == "anchor":
                    ids.append(node.attr("id") or "")
                elif node.tag == "a" and (target := self._find_target(node)) and target.id:
                    targets.append((target.page.url, target.id))
            yield page.url, ids, targets

    def _find_page(self, url: str) -> PageTitle | None:
        normal = normalise_url(url)
        return self.store.find_title(normal) if normal else None

    def _find_target(self, link: Node) -> _Target | None:
        url, _, fragment = (link.attr("href") or "").partition("#")
        page = self.find_page(url)
        return _Target(page, unquote(fragment[: 3 * MAX_ID_CHARS])) if page else None

    def rewrite(self, page: ExportedPage) -> Node:
        """Return the tree of a page with relative links, and anchors only where a link leads to.

        The tree of the page itself is changed.
        """
        wanted = self.store.list_targets(page.url)
        for node in walk_nodes([page.tree]):
            if node.tag == "a" and (target := self._find_target(node)):
                href = self.locate(page, target.page)
                if href is not None and target.id and self.store.has_id(target.page.url, target.id):
                    start = "" if target.page.url == page.url else href
                    href = f"{start}#{quote(self.prefix + target.id)}"
                if href is not None:
                    node.attributes = {"href": href}
            drop_anchors(node, wanted)
            if self.prefix and node.tag == "anchor":
                node.attributes = {"id": f"{self.prefix}{node.attr('id')}"}
        return page.tree


def drop_anchors(node: Node, wanted: set[str] | frozenset[str] = frozenset()) -> None:
    """Remove the children of a node that mark an id, except those that are wanted."""
    if any(isinstance(child, Node) and child.tag == "anchor" for child in node.children):
        node.children = [
            child
            for child in node.children
            if isinstance(child, str) or child.tag != "anchor" or child.attr("id") in wanted
        ]


def make_relative(source: str, target: str) -> str:
    """Return the URL that leads from one file to another, both below the same folder.

    >>> make_relative("a/b/c.md", "a/d/글.md")
    '../d/%EA%B8%80.md'
    """
    here, there = source.split("/")[:-1], target.split("/")
    same = 0
    while same < len(here) and same < len(there) - 1 and here[same] == there[same]:
        same += 1
    path = "/".join([".."] * (len(here) - same) + there[same:])
    return quote(path)
