"""Detect the format of a labelled set, and read the records of each format.

A reader yields an `Example` for every usable record and a `BrokenRecord`, with its name and the reason, for every
other. It never raises, and never drops a record silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bonmun.errors import BadConfig
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.labelling_files import find_labelling_files, read_labelling_files
from bonmun.lab.gold.records import (
    READ_ERRORS,
    make_example,
    open_compressed,
    path_exists,
    read_gold,
    read_json,
    read_lines,
    read_page,
    read_record,
)

__all__ = ["FORMATS", "detect_format"]

Reader = Callable[[Path], Iterator[Example | BrokenRecord]]

EXPECTED_FILES = (
    "<slug>/source.html with gold.txt",
    "ground-truth/ or ground-truth.json beside html/",
    "evaldata.json",
    "CleanEval's folders of pages and golds",
    "NAME.md beside NAME.html",
)
PAGE_NAME = re.compile(r"\.html?(\.gz)?$")
CLEANEVAL_PAGES = "input original en_original zh_original html HTML orig".split()
CLEANEVAL_GOLDS = "GoldStandard gold cleaned en_cleaned zh_cleaned clean Corrected reference".split()
CLEANEVAL_URL = re.compile(r"\s*URL:[ \t]*(\S*)[^\n]*\n?")
CLEANEVAL_MARK = re.compile(r"^[ \t]*<[phl]>", re.I | re.M)  # paragraph, heading, list item


def detect_format(path: Path) -> str:
    """Return the format of a labelled set; raise BadConfig if it is unknown."""
    if not path_exists(path):
        raise BadConfig(f"{path}: no such file or folder.")
    if path.is_file():
        if re.search(r"\.jsonl(\.gz|\.xz)?$", path.name):
            return "jsonl"
        if path.name == "evaldata.json":
            return "trafilatura"
        raise BadConfig(f"{path}: a labelled file must be named .jsonl, .jsonl.gz, .jsonl.xz or evaldata.json.")
    if (path / "evaldata.json").is_file():
        return "trafilatura"
    if (path / "ground-truth.json").is_file():
        return "scrapinghub"
    if (path / "ground-truth").is_dir():
        return "wcxb"
    if (path / "dev" / "ground-truth").is_dir():
        raise BadConfig(f"{path}: this checkout has several splits; choose one, such as {path / 'dev'}.")
    if any(path.glob("*/source.html")):
        return "folders"
    if all(_find_cleaneval_folders(path)):
        return "cleaneval"
    if any(file.with_suffix(".html").is_file() for file in find_labelling_files(path)):
        return "labelling"
    raise BadConfig(f"{path}: not a labelled set in a known format; expected {', or '.join(EXPECTED_FILES)}.")


def _read_jsonl(path: Path) -> Iterator[Example | BrokenRecord]:
    number = 0
    try:
        with open_compressed(path) as file:
            for number, line in enumerate(read_lines(file), 1):
                if line.strip():
                    yield read_record(f"line {number}", line)
    except READ_ERRORS as problem:
        yield BrokenRecord(f"after line {number}", f"the file is damaged: {problem}")


def _read_wcxb(path: Path) -> Iterator[Example | BrokenRecord]:
    for file in sorted((path / "ground-truth").glob("*.json")):
        record = read_json(file)
        if isinstance(record, BrokenRecord):
            yield record
            continue
        gold = record.get("ground_truth")
        if not isinstance(gold, dict):
            yield BrokenRecord(file.stem, "no ground_truth")
            continue
        inner = record.get("_internal")
        kind = inner.get("page_type") if isinstance(inner, dict) else None
        kind = kind.get("primary") if isinstance(kind, dict) else kind
        metadata = {"url": record.get("url"), "kind": kind, "license": "CC-BY-4.0"}
        yield _make_benchmark_example(path, file.stem, gold | metadata)
    yield from _list_pages_without_gold(path, {file.stem for file in (path / "ground-truth").glob("*.json")})


def _read_scrapinghub(path: Path) -> Iterator[Example | BrokenRecord]:
    rows = read_json(path / "ground-truth.json")
    if isinstance(rows, BrokenRecord):
        yield rows
        return
    for name, gold in rows.items():
        yield (
            _make_benchmark_example(path, name, gold) if isinstance(gold, dict) else BrokenRecord(name, "not an object")
        )
    yield from _list_pages_without_gold(path, set(rows))


def _make_benchmark_example(path: Path, name: str, gold: dict[str, Any]) -> Example | BrokenRecord:
    """Make an example from a benchmark (WCXB or scrapinghub) that stores its pages as `html/<id>.html`."""
    page = read_page(*(path / "html" / f"{name}{ending}" for ending in (".html.gz", ".html")))
    if isinstance(page, BrokenRecord):
        return page
    row = {
        "id": name,
        "html": page,
        "text": gold.get("main_content", gold.get("articleBody")),
        "date": gold.get("publish_date", gold.get("datePublished")),
        "title": gold.get("title", gold.get("headline")),
        "wanted": gold.get("with"),
        "unwanted": gold.get("without"),
    }
    return make_example(name, row | {key: gold.get(key) for key in ("url", "kind", "license", "author", "lang")})


def _list_pages_without_gold(path: Path, known: set[str]) -> Iterator[BrokenRecord]:
    """Yield the pages in html/ that have no gold."""
    for file in sorted((path / "html").glob("*.htm*")):
        name = PAGE_NAME.sub("", file.name)
        if name not in known:
            yield BrokenRecord(name, "no gold")


def _read_cleaneval(path: Path) -> Iterator[Example | BrokenRecord]:
    pages, golds = _find_cleaneval_folders(path)
    assert pages is not None
    assert golds is not None
    lang = next((lang for lang in ("en", "zh") if pages.name == f"{lang}_original"), None)
    files: dict[str, Path] = {}
    for file in sorted(golds.glob("*.txt")):
        name = re.sub(r"[-_.]?cleaned$", "", file.stem)
        if name in files:
            yield BrokenRecord(file.name, f"duplicate gold; {files[name].name} is used")
        else:
            files[name] = file
    for file in sorted(pages.glob("*.htm*")):
        name = PAGE_NAME.sub("", file.name)
        if name in files:
            yield _make_cleaneval_example(name, file, files.pop(name), lang)
        else:
            yield BrokenRecord(name, f"no gold in {golds.name}/")
    for name in files:
        yield BrokenRecord(name, f"no page in {pages.name}/")


def _find_cleaneval_folders(path: Path) -> tuple[Path | None, Path | None]:
    """Find CleanEval's folder of pages and its folder of golds."""
    pages = next((path / name for name in CLEANEVAL_PAGES if (path / name).is_dir()), None)
    golds = next((path / name for name in CLEANEVAL_GOLDS if (path / name).is_dir()), None)
    return pages, golds


def _make_cleaneval_example(name: str, page_file: Path, gold_file: Path, lang: str | None) -> Example | BrokenRecord:
    page, gold = read_page(page_file), read_gold(gold_file)
    if isinstance(page, BrokenRecord):
        return page
    if isinstance(gold, BrokenRecord):
        return gold
    head = CLEANEVAL_URL.match(gold)
    text = CLEANEVAL_MARK.sub("", gold[head.end() :] if head else gold).strip()
    url = head[1] or None if head else None
    return make_example(name, {"id": name, "html": page, "text": text, "url": url, "lang": lang})


def _read_trafilatura(path: Path) -> Iterator[Example | BrokenRecord]:
    file = path if path.is_file() else path / "evaldata.json"
    rows = read_json(file)
    if isinstance(rows, BrokenRecord):
        yield rows
        return
    for url, row in rows.items():
        name = row.get("file") if isinstance(row, dict) else None
        if not name or not isinstance(name, str):
            yield BrokenRecord(url, "no file")
            continue
        page = read_page(*(file.parent / folder / name for folder in ("cache", "eval")))
        if isinstance(page, BrokenRecord):
            yield page
            continue
        values = {"id": url, "url": url, "html": page, "wanted": row.get("with"), "unwanted": row.get("without")}
        yield make_example(url, values | {"license": row.get("license")})


def _read_folders(path: Path) -> Iterator[Example | BrokenRecord]:
    for folder in sorted({file.parent for name in ("source.html", "gold.txt") for file in path.glob(f"*/{name}")}):
        page = read_page(folder / "source.html")
        gold = read_gold(folder / "gold.txt")
        metadata = read_json(folder / "gold.json") if (folder / "gold.json").exists() else {}
        broken = next((part for part in (page, gold, metadata) if isinstance(part, BrokenRecord)), None)
        if broken:
            yield BrokenRecord(folder.name, broken.reason)
            continue
        assert not isinstance(metadata, BrokenRecord)
        known = {"lang": metadata.get("language"), "url": metadata.get("url")}
        known |= {key: metadata.get(key) for key in ("title", "author", "date", "kind", "license")}
        yield make_example(folder.name, {"id": folder.name, "html": page, "text": gold} | known)


FORMATS: dict[str, Reader] = {
    "jsonl": _read_jsonl,
    "wcxb": _read_wcxb,
    "scrapinghub": _read_scrapinghub,
    "cleaneval": _read_cleaneval,
    "trafilatura": _read_trafilatura,
    "folders": _read_folders,
    "labelling": read_labelling_files,
}
