"""The extracted pages of a crawl in a SQLite file, with the paths of their files.

A URL keeps its path when the crawl is resumed or repeated. Pages are read one at a time, so memory is flat.
"""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadInput
from bonmun.outputs.nodes import gather_text, walk_nodes
from bonmun.outputs.tree_json import load_tree
from bonmun.scale.crawl.export.file_names import HASH_CHARS, make_key, make_path
from bonmun.text.readable import cut_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from bonmun.outputs.nodes import Node

__all__ = ["PAGE_COLUMNS", "STORE_NAME", "ExportedPage", "PageStore", "PageTitle"]

STORE_NAME = "export.sqlite"
VERSION = 1
TABLES = """
create table pages (
    id integer primary key,
    url text not null unique,
    path text not null,
    key text not null unique,        -- of the path: no other path may have it
    section text not null,           -- the first folder of the path, below that of the host
    title text, description text, author text, date text, language text, site_name text, kind text, confidence real,
    is_copy integer not null,        -- whether another page has the same text
    has_text integer not null,       -- a page without main text is not listed
    tree blob                        -- JSON, compressed
);
create index sections on pages (section, id);
create table aliases (url text primary key, target text not null) without rowid;  -- copies and redirects
create table ids (url text not null, id text not null, primary key (url, id)) without rowid;
create table targets (url text not null, id text not null, primary key (url, id)) without rowid;  -- of links
"""
SECTIONS = "select section from pages where has_text and instr(section, '/') group by section having count(*) >= 3"
METADATA = ("title", "description", "author", "date", "language", "site_name", "kind", "confidence")
PAGE_COLUMNS = ("id", *METADATA, "tree")  # of the extraction; the id is the URL
MIN_SUMMARY_CHARS, MAX_SUMMARY_CHARS = 60, 300
MAX_ALIASES = 20  # from a URL to its page, one after the other


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTitle:
    """What lists show of a page."""

    number: int  # in the order in which the pages were found
    url: str
    path: str  # with slashes, below the folder of all files
    title: str | None
    description: str | None
    has_text: bool

    @property
    def name(self) -> str:
        """The title on one line, or the URL."""
        return " ".join((self.title or "").split()) or self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedPage(PageTitle):
    """A page with its text and metadata."""

    author: str | None
    date: str | None
    language: str | None
    site_name: str | None
    kind: str | None
    confidence: float
    is_copy: bool
    tree: Node

    @property
    def has_heading(self) -> bool:
        """Whether the text starts with a main heading."""
        first = next((each for each in self.tree.children if not isinstance(each, str)), None)
        return first is not None and first.tag == "h1"


class PageStore:
    """The pages of an export. Without a path, they are kept in a temporary file.

    with PageStore(folder / STORE_NAME) as store:
        store.add(rows)
        for page in store.read_pages(): ...
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        try:
            self.sql = sqlite3.connect(path or "", isolation_level=None)
            version = self.sql.execute("pragma user_version").fetchone()[0]
            if not version:
                self.sql.executescript(f"begin; {TABLES} pragma user_version = {VERSION}; commit;")
        except sqlite3.DatabaseError as problem:
            raise BadInput(f"{path} is damaged: {problem}. Delete it and the folder pages, and run again.") from problem
        if version not in (0, VERSION):
            raise BadInput(f"{path} was made by another version of bonmun; delete it and the folder pages.")

    def __enter__(self) -> PageStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.sql.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all changes in the block, or none."""
        self.sql.execute("begin immediate")
        try:
            yield
            self.sql.execute("commit")
        except BaseException:
            self.sql.execute("rollback")
            raise

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add pages with the columns PAGE_COLUMNS and `copy_of`, or replace earlier versions of them."""
        with self.transaction():
            for row in rows:
                if row["tree"] is not None:
                    self._add(row)

    def add_batch(self, batch: pa.RecordBatch, copies: Iterable[str | None]) -> None:
        """Add extracted pages, and what each is a copy of."""
        columns = batch.select([*PAGE_COLUMNS])
        rows = (columns.slice(number, 1).to_pylist()[0] for number in range(batch.num_rows))  # trees are large
        self.add(row | {"copy_of": copy} for row, copy in zip(rows, copies, strict=True))

    def mark_copies(self, copies: Iterable[tuple[str, bool]]) -> None:
        """Set for each URL whether another page has the same text."""
        with self.transaction():
            self.sql.executemany("update pages set is_copy = ?2 where url = ?1", copies)

    def _add(self, row: dict[str, Any]) -> None:
        url = row["id"]
        known = self.sql.execute("select 1 from pages where url = ?", [url]).fetchone()
        if not known:
            path = self._find_free_path(url)
            section = "/".join(path.split("/")[:-1][:2])
            self.sql.execute(
                "insert into pages (url, path, key, section, is_copy, has_text) values (?, ?, ?, ?, 0, 0)",
                [url, path, make_key(path), section],
            )
        nodes = load_tree(row["tree"])
        tree = zlib.compress(row["tree"].encode("utf-8", "replace"))
        row = row | {"description": row["description"] or _summarise(nodes)}
        names = ", ".join(f"{name} = ?" for name in (*METADATA, "is_copy", "has_text", "tree"))
        is_copy, has_text = row.get("copy_of") is not None, bool(nodes.children)
        values = [*(row[name] for name in METADATA), is_copy, has_text, tree]
        self.sql.execute(f"update pages set {names} where url = ?", [*values, url])

    def _find_free_path(self, url: str) -> str:
        for attempt in range(len(HASH_CHARS) + 1):
            path = make_path(url, attempt)
            if not self.sql.execute("select 1 from pages where key = ?", [make_key(path)]).fetchone():
                return path
        raise AssertionError("two URLs with the same SHA-256")

    def count(self) -> int:
        """Return the number of pages with text."""
        return int(self.sql.execute("select count(*) from pages where has_text").fetchone()[0])

    def count_empty(self) -> int:
        """Return the number of pages without text."""
        return int(self.sql.execute("select count(*) from pages where not has_text").fetchone()[0])

    def read_pages(self) -> Iterator[ExportedPage]:
        """Yield all pages in the order in which they were found."""
        names = ("url", "path", *METADATA, "is_copy", "has_text", "tree")
        last = 0
        query = f"select id, {', '.join(names)} from pages where id > ? and tree is not null order by id limit 1"
        while row := self.sql.execute(query, [last]).fetchone():
            last = row[0]
            values = dict(zip(names, row[1:], strict=True))
            tree = load_tree(zlib.decompress(values.pop("tree")).decode())
            flags = {name: bool(values[name]) for name in ("is_copy", "has_text")}
            yield ExportedPage(**values | flags | {"number": last, "tree": tree})

    def read_titles(self, where: str = "1", values: Iterable[Any] = ()) -> Iterator[PageTitle]:
        """Yield URL, path, title and description of pages, in the order in which they were found."""
        names = ("number", "url", "path", "title", "description", "has_text")
        query = f"select id, url, path, title, description, has_text from pages where {where} order by id"
        for row in self.sql.execute(query, [*values]):
            yield PageTitle(**dict(zip(names, row, strict=True)))

    def list_sections(self) -> Iterator[tuple[str, str | None]]:
        """Yield each section with several pages, and the title of its first page if that is its index."""
        for (section,) in self.sql.execute(f"{SECTIONS} order by min(id)"):
            index = next(self.read_titles("path = ?", [f"{section}/index.md"]), None)
            yield section, index.title if index else section.partition("/")[2] or None

    def read_other_titles(self) -> Iterator[PageTitle]:
        """Yield the pages that belong to no section."""
        return self.read_titles(f"has_text and section not in ({SECTIONS})")

    def read_section(self, section: str) -> Iterator[PageTitle]:
        """Yield the pages of a section."""
        return self.read_titles("has_text and section = ?", [section])

    def find_title(self, url: str) -> PageTitle | None:
        """Return the page that a URL leads to; None if it was not extracted."""
        for _ in range(MAX_ALIASES):
            if found := next(self.read_titles("url = ?", [url]), None):
                return found
            alias = self.sql.execute("select target from aliases where url = ?", [url]).fetchone()
            if alias is None:
                return None
            url = alias[0]
        return None

    def set_aliases(self, aliases: Iterable[tuple[str, str]]) -> None:
        """Set the URLs that lead to another one."""
        with self.transaction():
            self.sql.execute("delete from aliases")
            self.sql.executemany("insert or replace into aliases values (?, ?)", aliases)

    def set_ids(self, ids: Iterable[tuple[str, list[str], list[tuple[str, str]]]]) -> None:
        """Set the ids of each page, and the ids that its links lead to: `(url, ids, [(url, id), …])`."""
        with self.transaction():
            self.sql.execute("delete from ids")
            self.sql.execute("delete from targets")
            for url, own, targets in ids:
                self.sql.executemany("insert or ignore into ids values (?, ?)", ((url, each) for each in own))
                self.sql.executemany("insert or ignore into targets values (?, ?)", targets)

    def has_id(self, url: str, name: str) -> bool:
        """Return whether a page has an id."""
        return self.sql.execute("select 1 from ids where url = ? and id = ?", [url, name]).fetchone() is not None

    def list_targets(self, url: str) -> set[str]:
        """Return the ids of a page that a link leads to."""
        return {name for (name,) in self.sql.execute("select id from targets where url = ?", [url])}


def _summarise(tree: Node) -> str | None:
    """Return the start of the first paragraph that is neither short nor a list of links."""
    for node in walk_nodes(tree.children):
        if node.tag != "p" or len(text := " ".join(gather_text(node).split())) < MIN_SUMMARY_CHARS:
            continue
        linked = sum(len(gather_text(each)) for each in walk_nodes(node.children) if each.tag == "a")
        if 2 * linked < len(text):
            return text if len(text) <= MAX_SUMMARY_CHARS else f"{cut_text(text, MAX_SUMMARY_CHARS)}…"
    return None
