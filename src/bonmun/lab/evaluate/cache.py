"""Cache of answers and scores: an interrupted run resumes, and a repeated run takes seconds.

The key of an answer is its page and the version of its system, so every set with the page shares it. The key of scores
also includes the gold and the code that compares (see versions.py). The cache is one SQLite file, by default in the
user's cache folder.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sqlite3
import zlib
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.versions import hash_scores
from bonmun.lab.evaluate.workers import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bonmun.lab.gold.examples import Example

__all__ = ["Cache", "locate_cache_file"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    page TEXT, system TEXT, version TEXT, answer BLOB, ms REAL,
    PRIMARY KEY (page, system, version)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scores (
    page TEXT, system TEXT, version TEXT, gold TEXT, scores BLOB,
    PRIMARY KEY (page, system, version, gold)) WITHOUT ROWID;
"""
COLUMNS = {"answers": "page, system, version, answer, ms", "scores": "page, system, version, gold, scores"}
OUTCOMES_PER_WRITE = 200


def locate_cache_file() -> Path:
    """Return the default path of the cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bonmun" / "bench.sqlite"


class Cache:
    """Outcomes on disk. Use it as a context manager: outcomes are saved even if the run is interrupted."""

    def __init__(self, file: Path) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.base = sqlite3.connect(file, timeout=60)
            self.base.executescript(SCHEMA)
            self.base.commit()
            for table, columns in COLUMNS.items():
                self.base.execute(f"SELECT {columns} FROM {table} LIMIT 0").close()
        except (OSError, sqlite3.Error) as problem:
            raise BadConfig(f"{file}: cannot use this cache: {problem}. Delete it, or choose another file.") from None
        self.answers: list[tuple[object, ...]] = []
        self.scores: list[tuple[object, ...]] = []

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self.base.close()

    def flush(self) -> None:
        """Write all pending outcomes in one transaction: other runs may be waiting for the file."""
        with self.base:
            self.base.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", self.answers)
            self.base.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?)", self.scores)
        self.answers.clear()
        self.scores.clear()

    def get(self, example: Example, system: System) -> Outcome | None:
        """Look up the outcome of a system on a page; its scores are empty if they must be computed again."""
        key = _make_key(example, system)
        query = "SELECT answer, ms FROM answers WHERE page = ? AND system = ? AND version = ?"
        with closing(self.base.execute(query, key)) as rows:
            row = rows.fetchone()
        if row is None:
            return None
        query = "SELECT scores FROM scores WHERE page = ? AND system = ? AND version = ? AND gold = ?"
        with closing(self.base.execute(query, (*key, _make_gold_key(example)))) as rows:
            scores = rows.fetchone()
        values = _unpack(row[0])
        for name in ("leaves", "authors"):
            if name in values:
                values[name] = tuple(values[name])
        if "posts" in values:
            values["posts"] = tuple((author, text) for author, text in values["posts"])
        return Outcome(Answer(**values), row[1], scores=_unpack(scores[0]) if scores else {})

    def put(self, example: Example, system: System, outcome: Outcome) -> None:
        """Store an outcome that has an answer."""
        key = _make_key(example, system)
        values = {name: getattr(outcome.answer, name) for name in Answer.__slots__}
        known = {name: value for name, value in values.items() if value is not None}
        self.answers.append((*key, _pack(known), outcome.ms))
        self.scores.append((*key, _make_gold_key(example), _pack(outcome.scores)))
        if len(self.answers) >= OUTCOMES_PER_WRITE:
            self.flush()


def _make_key(example: Example, system: System) -> tuple[str, str, str]:
    page = example.page_hash
    page += f"+{_hash_call(system.run_full)}" if system.run_full and system.needs_metadata(example) else ""
    page += f"+{_hash_call(system.markdown)}" if system.markdown and system.needs_markdown(example) else ""
    page += "+checks" if example.checks else ""
    version = f"{system.version()}/{_hash_call(system.run)}"
    return (page + example.gold_hash if system.group == "oracle" else page), system.name, version


@cache
def _hash_call(run: Callable[[Example], Answer | str]) -> str:
    """Hash the source code that calls a system: if it changes, the answer may change."""
    function = run.func if isinstance(run, partial) else run
    source = inspect.getsource(function if inspect.isroutine(function) else type(function))
    settings = run.keywords if isinstance(run, partial) else {}
    plain = [
        (key, getattr(value, "__qualname__", type(value)) if callable(value) else value)
        for key, value in settings.items()
    ]
    return hashlib.sha256(f"{source}{plain}".encode()).hexdigest()[:8]


def _pack(values: Mapping[str, object]) -> bytes:
    return zlib.compress(json.dumps(values).encode(), 3)


def _unpack(data: bytes) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(zlib.decompress(data))
    return values


def _make_gold_key(example: Example) -> str:
    return example.gold_hash + hash_scores()
