"""Synthetic pages of many small sites and a giant one, for tests with many pages on one machine and on a cluster.

The same number gives the same page. Every page has the navigation and the footer of its site; one in seventeen is a
copy in another layout, so that it matters which copy is counted.
"""

from __future__ import annotations

import gzip
import json
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["GIANT", "make_records", "write_jsonl", "write_parquet", "write_warc"]

GIANT = "giant.example"
WORDS = "강 산 바다 오늘 내일 사람 등대 river city light paper stone market train harbour winter bread window".split()
COPIES = 17  # one in this many pages is a copy
LAYOUTS = "abcde"

Record = dict[str, str]


def make_records(count: int, sites: int, giant: int = 0, paragraphs: int = 4) -> Iterator[Record]:
    """Yield pages of many sites, with the pages of the giant site spread evenly among them."""
    total = count + giant
    for number in range(total):
        giants = number * giant // total  # pages of the giant site so far
        is_giant = (number + 1) * giant // total > giants
        site = GIANT if is_giant else f"site{(number - giants) % sites}.example"
        yield {
            "id": f"page-{number}",
            "url": f"https://www.{site}/{number}",
            "site": site,
            "html": _make_page(number, site, paragraphs),
            "crawled": "2026-03-04T09:00:00Z",
        }


def _make_page(number: int, site: str, paragraphs: int) -> str:
    is_copy = number % COPIES == COPIES - 1
    draw = Random(0 if is_copy else number)
    texts = (" ".join(draw.choices(WORDS, k=draw.randint(5, 60))) for _ in range(draw.randint(1, paragraphs)))
    body = "".join(f"<p>{text.capitalize()}.</p>" for text in texts)
    headline = f"About {site}" if is_copy else f"{' '.join(draw.choices(WORDS, k=4))} {number}"
    layout = LAYOUTS[number % len(LAYOUTS)]
    return (
        f"<!doctype html><title>{headline} - {site}</title><nav><a href=/>Home</a> <a href=/n>News of {site}</a></nav>"
        f"<article class=text-{layout}><h1>{headline}</h1>{body}<p>All of it by {site}.</article>"
    )


def write_jsonl(records: Iterable[Record], path: Path) -> None:
    """Write one page per line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


def write_parquet(records: Iterable[Record], path: Path, rows: int = 500) -> None:
    """Write one page per row, in row groups of the given size."""
    table = pa.Table.from_pylist(list(records))
    at = table.schema.get_field_index("html")
    pq.write_table(table.set_column(at, "html", table.column("html").cast(pa.binary())), path, row_group_size=rows)


def write_warc(records: Iterable[Record], path: Path) -> None:
    """Write one page per record, each compressed separately."""
    with path.open("wb") as file:
        for record in records:
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + record["html"].encode()
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <{record['id']}>\r\n"
                f"WARC-Target-URI: {record['url']}\r\nWARC-Date: {record['crawled']}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 1, mtime=0))
