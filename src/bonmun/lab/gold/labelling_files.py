"""A page and its gold as two files that people edit: `NAME.html`, and `NAME.md` with facts over the main text.

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

What stands there is a draft, made by a method, until somebody deletes the line `draft: true`: nothing is measured
against it before, nor learnt from it. What the draft said stays in `.drafts/NAME.md`, to say what has changed.
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

__all__ = ["DRAFTS", "find_labelling_files", "read_head", "read_labelling_file", "read_labelling_files", "write_draft"]

PAGE_ENDING, GOLD_ENDING = ".html", ".md"
DRAFTS = ".drafts"  # the folder with what was there before anybody changed it
README = "readme.md"  # is no gold
DRAFT = "draft"
FACTS = ("title", "author", "date", "kind", "language", "url", "license")
RULE = "---"
LINE = re.compile(r"([\w-]++)[ \t]*+:(?:[ \t]++|$)(.*)")
NOTE = re.compile(r"(?:^|\s)#.*")  # after a value that is not quoted
DECODER = json.JSONDecoder()
NOTHING = ("", "~", "null")
NO_TEXTS = ("[", "{", "|", ">", "&", "*", "!")  # what YAML has beside texts begins so


def write_draft(folder: Path, name: str, html: str, doc: Document) -> Path | None:
    """Write a page and a document of it as a draft; nothing that is there is changed.

    Gives the file that people edit; None if this page is there already. If another page has the name, it is numbered.
    """
    data = html.encode("utf-8", "replace")
    number, taken = 1, name
    while _is_other(page := folder / f"{taken}{PAGE_ENDING}", data):
        number += 1
        taken = f"{name}-{number}"
    gold, kept = folder / f"{taken}{GOLD_ENDING}", folder / DRAFTS / f"{taken}{GOLD_ENDING}"
    if gold.exists():
        return None
    (folder / DRAFTS).mkdir(parents=True, exist_ok=True)
    draft = _make_draft(doc)
    if not page.exists():
        write_bytes(page, data)
    for path in (kept, gold):
        write_text(path, draft)
    return gold


def _is_other(page: Path, data: bytes) -> bool:
    """Whether a file is there that holds something else."""
    return page.exists() and not (page.is_file() and page.stat().st_size == len(data) and page.read_bytes() == data)


def _make_draft(doc: Document) -> str:
    kind = "none" if doc.kind == "empty" else doc.kind  # as sets call it
    values = (doc.title, doc.author, doc.date, kind, doc.language, doc.url)
    lines = [
        f"{name}: {json.dumps(value or '', ensure_ascii=False)}" for name, value in zip(FACTS, values, strict=False)
    ]
    return "\n".join([RULE, f"{DRAFT}: true", *lines, RULE, "", doc.markdown, ""])


def find_labelling_files(folder: Path) -> list[Path]:
    """The files in a folder that people edit, in order."""
    return sorted(file for file in folder.glob(f"*{GOLD_ENDING}") if file.name.lower() != README and file.is_file())


def read_labelling_files(folder: Path) -> Iterator[Example | BrokenRecord]:
    """The pages of a folder, in order; what cannot be used of it, too: drafts, pages without gold, golds alone."""
    files = find_labelling_files(folder)
    for file in files:
        yield read_labelling_file(file)
    known = {file.stem for file in files}
    for page in sorted(folder.glob(f"*{PAGE_ENDING}")):
        if page.stem not in known:
            yield BrokenRecord(page.stem, f"there is no {page.stem}{GOLD_ENDING} beside it", lacks_gold=True)


def read_labelling_file(file: Path) -> Example | BrokenRecord:
    """A page with its gold."""
    page, gold = read_page(file.with_name(f"{file.stem}{PAGE_ENDING}")), read_gold(file)
    wrong = next((part for part in (page, gold) if isinstance(part, BrokenRecord)), None)
    if wrong:
        return BrokenRecord(file.stem, wrong.reason)
    assert isinstance(gold, str)
    try:
        facts, text = read_head(gold)
    except BadGold as problem:
        return BrokenRecord(file.stem, str(problem))
    if facts.pop(DRAFT, "false").lower() not in ("false", "no"):
        says = f"it is a draft: correct it, and delete the line `{DRAFT}: true`"
        return BrokenRecord(file.stem, says, lacks_gold=True)
    row = {"id": file.stem, "html": page, "markdown": text, **facts, "lang": facts.get("language")}
    return make_example(file.stem, row)


def read_head(text: str) -> tuple[dict[str, str], str]:
    """The facts over a text, and the text; raises BadGold, with the line, where the facts cannot be read."""
    lines = text.lstrip("\ufeff").split("\n")
    if lines[0].rstrip() != RULE or not LINE.fullmatch(lines[1].strip() if len(lines) > 1 else ""):
        return {}, text
    end = next((row for row, line in enumerate(lines[1:], 1) if line.rstrip() == RULE), None)
    if end is None:
        raise BadGold(f"the facts at its top have no end: a line {RULE} is missing")
    facts: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = LINE.fullmatch(line.rstrip())
        if not found:
            raise BadGold(f"line {number} is not `name: value`")
        name = found[1]
        if name not in (DRAFT, *FACTS):
            raise BadGold(f"line {number}: there is no fact `{name}`; there are {', '.join(FACTS)}")
        if name in facts:
            raise BadGold(f"line {number}: `{name}` is there twice")
        facts[name] = _read_value(found[2].strip(), number)
    return {name: value for name, value in facts.items() if value}, "\n".join(lines[end + 1 :]).strip("\n")


def _read_value(written: str, number: int) -> str:
    """A text as YAML writes it on one line: in quotes of either kind, or without."""
    if written.startswith('"'):
        try:
            value, end = DECODER.raw_decode(written)
        except ValueError:
            value, end = "", 0
        if NOTE.sub("", written[end:]).strip():
            raise BadGold(f'line {number}: the quotes do not fit: write "…", and \\" for a quote in it')
        return str(value)
    if written.startswith("'"):
        if len(written) < 2 or not written.endswith("'"):
            raise BadGold(f"line {number}: the quotes do not fit: write '…'")
        return written[1:-1].replace("''", "'")
    if written.startswith(NO_TEXTS):
        raise BadGold(f'line {number}: the value is no text: write it in quotes: "…"')
    value = NOTE.sub("", written).strip()
    return "" if value in NOTHING else value
