"""Read examples from files and JSON: shared by the readers of all formats.

Unusable input is returned as a `BrokenRecord` with its name and the reason. Nothing here raises.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.errors import BonmunError
from bonmun.lab.gold.block_labels import find_label_problem, read_block_labels
from bonmun.lab.gold.checks import find_checks_problem, read_checks
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.markdown import read_markdown
from bonmun.page.parse.decode import check_bytes, check_text, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = [
    "READ_ERRORS",
    "make_example",
    "open_compressed",
    "path_exists",
    "read_gold",
    "read_json",
    "read_lines",
    "read_page",
    "read_record",
]

MAX_FILE_BYTES = 100_000_000  # of a page or a gold text, decompressed
MAX_LINE_BYTES = 200_000_000  # of a record in JSON, where a byte of a page may take six
NO_GOLD = "no text, so there is nothing to compare with"
READ_ERRORS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)  # raised for missing or damaged files
OPTIONAL = ("url", "lang", "title", "author", "date", "kind", "license", "site", "comments")
GOLDS = ("text", "markdown")  # the gold text, as text or as Markdown
SNIPPETS = ("wanted", "unwanted", "must")
WEBMAINBENCH_GOLDS = ("groundtruth_content", "convert_main_content")  # by a person; converted from their selection
GOLD_MARK = re.compile(r"""\scc-select=(?:"[^"]*+"|'[^']*+'|[^\s"'>]++)""", re.I)


def read_record(name: str, line: bytes) -> Example | BrokenRecord:
    """Read a line of JSON."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return BrokenRecord(name, f"invalid JSON: {problem}")
    return make_example(name, _decode_page(_convert_webmainbench(row)))


def _decode_page(row: Any) -> Any:
    """Return a record with its page as text, if it holds the bytes of the page as Latin-1; others unchanged."""
    if not isinstance(row, dict) or not isinstance(row.get("html_latin1"), str) or "html" in row:
        return row
    try:
        data = row["html_latin1"].encode("latin-1")
        check_bytes(data)
        return row | {"html": decode(data)[0]}
    except (BonmunError, UnicodeEncodeError):
        return row  # reported as a page that is missing


def _convert_webmainbench(row: Any) -> Any:
    """Convert a WebMainBench record to our keys, and remove the gold marks from its HTML; return others unchanged."""
    if not isinstance(row, dict) or "track_id" not in row:
        return row
    html, meta = row.get("html"), row.get("meta")
    metadata = meta if isinstance(meta, dict) else {}
    return {
        "id": row["track_id"],
        "url": row.get("url"),
        "html": GOLD_MARK.sub("", html) if isinstance(html, str) else html,
        "markdown": next((row[key] for key in WEBMAINBENCH_GOLDS if row.get(key) is not None), None),
        "lang": metadata.get("language"),
        "kind": metadata.get("style"),
    }


def make_example(name: str, row: Mapping[str, Any]) -> Example | BrokenRecord:
    """Make an example from a record. Missing, null and empty values are unknown, but an empty text is a valid gold."""
    if not isinstance(row, dict):
        return BrokenRecord(name, "not an object")
    known = row.get("url") if row.get("id") in (None, "") else row["id"]
    if isinstance(known, int) and not isinstance(known, bool):
        known = str(known)
    if not isinstance(known, str) or not known:
        return BrokenRecord(name, "no id")
    if problem := _find_problem(row):
        return BrokenRecord(known if name == known else f"{name}, {known}", problem, lacks_gold=problem == NO_GOLD)
    values: dict[str, Any] = {key: row.get(key) or None for key in OPTIONAL}
    values |= {key: _strip_empty(row.get(key)) for key in SNIPPETS}
    values |= {"markdown": row.get("markdown"), "cov": row.get("cov"), "labels": read_block_labels(row.get("labels"))}
    values["checks"] = checks = read_checks(row.get("checks"))
    values["kind"] = values["kind"] or (checks.kind if checks else None)
    return Example(id=known, html=row["html"], text=_read_gold_text(row), **values)


def _read_gold_text(row: Mapping[str, Any]) -> str | None:
    """Return the text of a record, or else its Markdown as plain text; None if it has neither."""
    text, markdown = (row.get(key) for key in GOLDS)
    return read_markdown(markdown) if text is None and markdown is not None else text


def _find_problem(row: dict[str, Any]) -> str | None:
    """Say why a record with an id is unusable; None if it is usable."""
    if not isinstance(row.get("html"), str):
        return "html is missing or not a string"
    for key in SNIPPETS:
        strings = row.get(key) or ()
        if not isinstance(strings, (list, tuple)) or not all(isinstance(each, str) for each in strings):
            return f"{key} is not a list of strings"
    if problem := find_checks_problem(row.get("checks")):
        return problem
    has_others = any(_strip_empty(row.get(key)) for key in SNIPPETS) or read_checks(row.get("checks"))
    if all(row.get(key) is None for key in GOLDS) and not has_others:
        return NO_GOLD
    for key in (*GOLDS, *OPTIONAL):
        if row.get(key) is not None and not isinstance(row[key], str):
            return f"{key} is not a string"
    cov = row.get("cov")
    if cov is not None and (isinstance(cov, bool) or not isinstance(cov, (int, float))):
        return "cov is not a number"
    return find_label_problem(row.get("labels"))


def _strip_empty(strings: list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(each for each in strings or () if each.strip())


def read_json(file: Path) -> dict[str, Any] | BrokenRecord:
    """Read a file that holds one JSON object."""
    try:
        values = json.loads(file.read_bytes())
    except OSError as problem:
        return BrokenRecord(file.name, f"cannot be read: {problem.strerror}")
    except (ValueError, RecursionError) as problem:
        return BrokenRecord(file.name, f"invalid JSON: {problem}")
    return values if isinstance(values, dict) else BrokenRecord(file.name, "not an object")


def read_page(*candidates: Path) -> str | BrokenRecord:
    """Read the first candidate that exists, decoded as bonmun decodes pages."""
    file = next((path for path in candidates if path_exists(path)), None)
    if file is None:
        names = " or ".join(f"{path.parent.name}/{path.name}" for path in candidates)
        return BrokenRecord(candidates[0].name, f"there is no {names}")
    return _read_text(file, is_page=True)


def read_gold(file: Path) -> str | BrokenRecord:
    """Read the gold text in a file, which may be empty."""
    if not path_exists(file):
        return BrokenRecord(file.name, f"there is no {file.parent.name}/{file.name}")
    text = _read_text(file, is_page=False)
    return text if isinstance(text, BrokenRecord) else text.replace("\r\n", "\n")


def _read_text(file: Path, *, is_page: bool) -> str | BrokenRecord:
    try:
        with open_compressed(file) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            return BrokenRecord(file.name, f"larger than {MAX_FILE_BYTES:,} bytes")
        if is_page:
            check_bytes(data)
        elif not data.strip():
            return ""
        text = decode(data)[0]
        if is_page:
            check_text(text)
    except BonmunError as problem:
        return BrokenRecord(file.name, str(problem))
    except READ_ERRORS as problem:
        return BrokenRecord(file.name, f"cannot be read: {problem}")
    return text


def open_compressed(path: Path) -> BinaryIO:
    """Open a file for reading in binary; decompress .gz and .xz files."""
    if path.name.endswith(".gz"):
        return cast("BinaryIO", gzip.open(path))
    return cast("BinaryIO", lzma.open(path)) if path.name.endswith(".xz") else path.open("rb")


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; raise ValueError at one over the limit."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(f"a line has more than {MAX_LINE_BYTES:,} bytes")
        yield line


def path_exists(path: Path) -> bool:
    """Whether a file or folder exists; False for an impossible name."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
