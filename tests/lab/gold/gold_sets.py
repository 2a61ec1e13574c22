"""Small hand-written labelled sets for the tests in this folder."""

from __future__ import annotations

import gzip
import json
import lzma
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.lab.gold.datasets import Dataset, read_dataset
from samples import save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NO_GOLD = "no text, so there is nothing to compare with"
HTML = "<title>Light</title><nav><a href=/>Home</a></nav><p>The lamp was lit at six.</p>"
TEXT = "The lamp was lit at six."
KOREAN = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 똠방각하는 펲시콜라를 마시며 그 불빛을 오래 바라보았다."
ROW: dict[str, Any] = {"id": "a", "html": HTML, "text": TEXT}
FULL = ROW | {
    "url": "https://example.org/a",
    "lang": "en",
    "title": "Light",
    "author": "Kim Sol",
    "date": "2025-05-01",
    "kind": "article",
    "license": "CC0-1.0",
    "cov": 0.5,
    "wanted": ["lamp"],
    "unwanted": ["Home", "Sea"],
}
PACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


def put(path: Path, content: Any) -> Path:
    """Write text or bytes unchanged, and any other value as JSON."""
    return Path(save(str(path), content if isinstance(content, (str, bytes)) else json.dumps(content)))


def lines(*rows: Mapping[str, Any] | bytes) -> bytes:
    """Join rows as JSON lines; bytes are inserted unchanged."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


def saved(folder: Path, *rows: Mapping[str, Any] | bytes) -> Dataset:
    return read_dataset(put(folder / "set.jsonl", lines(*rows)))


def rows(count: int) -> list[dict[str, Any]]:
    """Make rows that compress badly, so that a truncated compressed file loses rows."""
    return [ROW | {"id": str(number), "text": sha256(b"%d" % number).hexdigest()} for number in range(count)]


def ids(dataset: Dataset) -> list[str]:
    return [found.id for found in dataset]


def folders(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    """Write a page and its gold in the folders format."""
    if gold is not None:
        put(folder / f"{name}/gold.txt", gold)
    if page is not None:
        put(folder / f"{name}/source.html", page)
