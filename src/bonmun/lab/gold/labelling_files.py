"""Labelling files: a page in `NAME.html`, and in `NAME.md` its gold for people to edit, metadata above the main text.

    ---
    draft: true
    title: "Light again"
    author: "Ann Keeper"
    date: "2024-05-06"
    kind: "article"
    language: "en"
    url: "https://pier.example/light"
    ---

    The old lighthouse …

A method writes the draft. Until somebody deletes the line `draft: true`, the gold is used neither to measure nor to
train. A copy of the draft stays in `.drafts/NAME.md`, so that changes can be reported.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from bonmun.errors import BadGold
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.records import make_example, read_gold, read_page
from bonmun.work.files import write_bytes, write_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.document import Document

__all__ = [
    "DRAFTS",
    "find_labelling_files",
    "read_front_matter",
    "read_labelling_file",
    "read_labelling_files",
    "write_draft",
]

PAGE_ENDING, GOLD_ENDING = ".html", ".md"
DRAFTS = ".drafts"  # folder of the unedited drafts
README = "readme.md"  # not a gold
DRAFT = "draft"
FIELDS = ("title", "author", "date", "kind", "language", "url", "license")
RULE = "---"
LINE = re.compile(r"([\w-]++)[ \t]*+:(?:[ \t]++|$)(.*)")
YAML_COMMENT = re.compile(r"(?:^|\s)#.*")  # after a value
DECODER = json.JSONDecoder()
NULLS = ("", "~", "null")
NON_STRING_STARTS = ("[", "{", "|", ">", "&", "*", "!")  # first characters of YAML values other than plain strings


def write_draft(folder: Path, name: str, html: str, doc: Document) -> Path | None:
    """Write a page and its document as a draft, without changing existing files.

    Returns the file that people edit, or None if the folder already has this page. If another page has the name, a
    number is added to it.
    """
    data = html.encode("utf-8", "replace")
    number, free_name = 1, name
    while _has_other_content(page := folder / f"{free_name}{PAGE_ENDING}", data):
        number += 1
        free_name = f"{name}-{number}"
    gold, copy = folder / f"{free_name}{GOLD_ENDING}", folder / DRAFTS / f"{free_name}{GOLD_ENDING}"
    if gold.exists():
        return None
    (folder / DRAFTS).mkdir(parents=True, exist_ok=True)
    draft = _make_draft(doc)
    if not page.exists():
        write_bytes(page, data)
    for path in (copy, gold):
        write_text(path, draft)
    return gold


def _has_other_content(page: Path, data: bytes) -> bool:
    """Whether a file exists and its content is not `data`."""
    return page.exists() and not (page.is_file() and page.stat().st_size == len(data) and page.read_bytes() == data)


def _make_draft(doc: Document) -> str:
    kind = "none" if doc.kind == "empty" else doc.kind  # the name in labelled sets
    values = (doc.title, doc.author, doc.date, kind, doc.language, doc.url)
    lines = [
        f"{name}: {json.dumps(value or '', ensure_ascii=False)}" for name, value in zip(FIELDS, values, strict=False)
    ]
    return "\n".join([RULE, f"{DRAFT}: true", *lines, RULE, "", doc.markdown, ""])


def find_labelling_files(folder: Path) -> list[Path]:
    """List the gold files in a folder, sorted by name."""
    return sorted(file for file in folder.glob(f"*{GOLD_ENDING}") if file.name.lower() != README and file.is_file())


def read_labelling_files(folder: Path) -> Iterator[Example | BrokenRecord]:
    """Yield the pages of a folder in order. Drafts, pages without gold and golds without a page are broken records."""
    files = find_labelling_files(folder)
    for file in files:
        yield read_labelling_file(file)
    known = {file.stem for file in files}
    for page in sorted(folder.glob(f"*{PAGE_ENDING}")):
        if page.stem not in known:
            yield BrokenRecord(page.stem, f"there is no {page.stem}{GOLD_ENDING} beside it", lacks_gold=True)


def read_labelling_file(file: Path) -> Example | BrokenRecord:
    """Read a gold file and the page beside it."""
    page, gold = read_page(file.with_name(f"{file.stem}{PAGE_ENDING}")), read_gold(file)
    broken = next((part for part in (page, gold) if isinstance(part, BrokenRecord)), None)
    if broken:
        return BrokenRecord(file.stem, broken.reason)
    assert isinstance(gold, str)
    try:
        metadata, text = read_front_matter(gold)
    except BadGold as problem:
        return BrokenRecord(file.stem, str(problem))
    if metadata.pop(DRAFT, "false").lower() not in ("false", "no"):
        reason = f"it is a draft: correct it, and delete the line `{DRAFT}: true`"
        return BrokenRecord(file.stem, reason, lacks_gold=True)
    row = {"id": file.stem, "html": page, "markdown": text, **metadata, "lang": metadata.get("language")}
    return make_example(file.stem, row)


def read_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the metadata above a text, and the text; raise BadGold with the line number of invalid metadata."""
    lines = text.lstrip("\ufeff").split("\n")
    if lines[0].rstrip() != RULE or not LINE.fullmatch(lines[1].strip() if len(lines) > 1 else ""):
        return {}, text
    end = next((row for row, line in enumerate(lines[1:], 1) if line.rstrip() == RULE), None)
    if end is None:
        raise BadGold(f"the metadata at the top has no end: add a line {RULE} below it")
    metadata: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = LINE.fullmatch(line.rstrip())
        if not found:
            raise BadGold(f"line {number} is not `name: value`")
        name = found[1]
        if name not in (DRAFT, *FIELDS):
            raise BadGold(f"line {number}: unknown field `{name}`; the fields are {', '.join(FIELDS)}")
        if name in metadata:
            raise BadGold(f"line {number}: duplicate field `{name}`")
        metadata[name] = _read_value(found[2].strip(), number)
    return {name: value for name, value in metadata.items() if value}, "\n".join(lines[end + 1 :]).strip("\n")


def _read_value(written: str, number: int) -> str:
    """Read a YAML string on one line: in single or double quotes, or unquoted."""
    if written.startswith('"'):
        try:
            value, end = DECODER.raw_decode(written)
        except ValueError:
            value, end = "", 0
        if YAML_COMMENT.sub("", written[end:]).strip():
            raise BadGold(f'line {number}: unbalanced quotes: write "…", and \\" for a quote inside')
        return str(value)
    if written.startswith("'"):
        if len(written) < 2 or not written.endswith("'"):
            raise BadGold(f"line {number}: unbalanced quotes: write '…'")
        return written[1:-1].replace("''", "'")
    if written.startswith(NON_STRING_STARTS):
        raise BadGold(f'line {number}: the value is not a string: put it in quotes: "…"')
    value = YAML_COMMENT.sub("", written).strip()
    return "" if value in NULLS else value
