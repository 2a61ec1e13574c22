"""Make the links between exported pages relative, and mark the places in the text that they lead to."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from bonmun.outputs.nodes import Node, walk_nodes
from bonmun.scale.crawl.discover.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.crawl.export.page_store import ExportedPage, PageStore, PageTitle

__all__ = ["PageLinks", "drop_anchors", "make_relative"]

CACHED_URLS = 20_000  # whose pages are remembered
MAX_ID_CHARS = 200


class _Target(NamedTuple):
    """The page that a link leads to, and the id in it."""

    page: PageTitle
    id: str


class PageLinks:
    """Rewrites the links of the pages in a store. Collects the targets of all links first."""

    def __init__(self, store: PageStore) -> None:
        self.store = store
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

    def rewrite(self, page: ExportedPage, extension: str = ".md") -> Node:
        """Return the tree of a page with relative links, and anchors only where a link leads to.

        `extension` is that of all files. The tree of the page itself is changed.
        """
        wanted = self.store.list_targets(page.url)
        for node in walk_nodes([page.tree]):
            if node.tag == "a" and (target := self._find_target(node)):
                has_id = bool(target.id) and self.store.has_id(target.page.url, target.id)
                node.attributes = {"href": make_relative(page.path, target.page.path, extension)}
                if has_id:
                    start = "" if target.page.url == page.url else node.attributes["href"]
                    node.attributes["href"] = f"{start}#{quote(target.id)}"
            drop_anchors(node, wanted)
        return page.tree


def drop_anchors(node: Node, wanted: set[str] | frozenset[str] = frozenset()) -> None:
    """Remove the children of a node that mark an id, except those that are wanted."""
    if any(isinstance(child, Node) and child.tag == "anchor" for child in node.children):
        node.children = [
            child
            for child in node.children
            if isinstance(child, str) or child.tag != "anchor" or child.attr("id") in wanted
        ]


def make_relative(source: str, target: str, extension: str = ".md") -> str:
    """Return the URL that leads from one file to another, both below the same folder.

    >>> make_relative("a/b/c.md", "a/d/글.md")
    '../d/%EA%B8%80.md'
    """
    here, there = source.split("/")[:-1], target.split("/")
    same = 0
    while same < len(here) and same < len(there) - 1 and here[same] == there[same]:
        same += 1
    path = "/".join([".."] * (len(here) - same) + there[same:])
    return quote(path.removesuffix(".md") + extension)
