"""A file or folder in, records out: the readers of the forms that labelled sets have.

A reader gives an `Example` for every record that can be used and a `Broken`, with its name and the reason, for every
other; it never raises, and leaves nothing out in silence.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig, BonmunError
from bonmun.gold.examples import Broken, Example
from bonmun.page.decode import check_bytes, check_text, decode

if TYPE_CHECKING:
    from io import BufferedReader

__all__ = ["FORMS", "NO_GOLD", "form_of", "open_lines", "read_record"]

NO_GOLD = "no text"  # begins the reason why a page without gold is no example

LOOKS = (
    "<slug>/source.html with gold.txt",
    "ground-truth/ or ground-truth.json beside html/",
    "evaldata.json",
    "CleanEval's folders of pages and golds",
)
UNREADABLE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)  # of files that are missing or damaged


Reader = Callable[[Path], Iterator[Example | Broken]]


def form_of(path: Path) -> str:
    """Which form a set has; raises BadConfig where it has none."""
    if not _exists(path):
        raise BadConfig(f"{path}: there is no such file or folder.")
    if path.is_file():
        if re.search(r"\.jsonl(\.gz|\.xz)?$", path.name):
            return "jsonl"
        if path.name == "evaldata.json":
            return "trafilatura"
        raise BadConfig(f"{path}: a set in one file is named .jsonl, .jsonl.gz, .jsonl.xz or evaldata.json.")
    if (path / "evaldata.json").is_file():
        return "trafilatura"
    if (path / "ground-truth.json").is_file():
        return "scrapinghub"
    if (path / "ground-truth").is_dir():
        return "wcxb"
    if (path / "dev" / "ground-truth").is_dir():
        raise BadConfig(f"{path}: this checkout has several splits; give one, such as {path / 'dev'}.")
    if any(path.glob("*/source.html")):
        return "folders"
    if all(_pair(path)):
        return "cleaneval"
    raise BadConfig(f"{path}: no set of a known form: neither {', nor '.join(LOOKS)}.")


def _jsonl(path: Path) -> Iterator[Example | Broken]:
    number = 0
    try:
        with open_lines(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield read_record(f"line {number}", line)
    except UNREADABLE as problem:
        yield Broken(f"after line {number}", f"the file is damaged: {problem}")


def open_lines(path: Path) -> gzip.GzipFile | lzma.LZMAFile | BufferedReader:
    """A file of lines, as it is packed."""
    if path.name.endswith(".gz"):
        return gzip.open(path)
    return lzma.open(path) if path.name.endswith(".xz") else path.open("rb")


def read_record(name: str, line: bytes) -> Example | Broken:
    """A line of JSON."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return Broken(name, f"no JSON: {problem}")
    return _example(name, row)


def _wcxb(path: Path) -> Iterator[Example | Broken]:
    for file in sorted((path / "ground-truth").glob("*.json")):
        record = _json(file)
        if isinstance(record, Broken):
            yield record
            continue
        gold = record.get("ground_truth")
        if not isinstance(gold, dict):
            yield Broken(file.stem, "no ground_truth")
            continue
        inner = record.get("_internal")
        kind = inner.get("page_type") if isinstance(inner, dict) else None
        kind = kind.get("primary") if isinstance(kind, dict) else kind
        yield _gold(path, file.stem, gold | {"url": record.get("url"), "kind": kind, "license": "CC-BY-4.0"})
    yield from _without_gold(path, {file.stem for file in (path / "ground-truth").glob("*.json")})


def _scrapinghub(path: Path) -> Iterator[Example | Broken]:
    rows = _json(path / "ground-truth.json")
    if isinstance(rows, Broken):
        yield rows
        return
    for name, gold in rows.items():
        yield _gold(path, name, gold) if isinstance(gold, dict) else Broken(name, "not an object")
    yield from _without_gold(path, set(rows))


def _without_gold(path: Path, known: set[str]) -> Iterator[Broken]:
    """The pages in html/ that nobody has labelled."""
    for file in sorted((path / "html").glob("*.htm*")):
        name = PAGE_NAME.sub("", file.name)
        if name not in known:
            yield Broken(name, "no gold")


def _gold(path: Path, name: str, gold: dict[str, Any]) -> Example | Broken:
    """An example of the two benchmarks that keep their pages in html/, one file an id."""
    page = _page(*(path / "html" / f"{name}{ending}" for ending in (".html.gz", ".html")))
    if isinstance(page, Broken):
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
    return _example(name, row | {key: gold.get(key) for key in ("url", "kind", "license", "author", "lang")})


PAGE_NAME = re.compile(r"\.html?(\.gz)?$")
PAGES = "input original en_original zh_original html HTML orig".split()
GOLDS = "GoldStandard gold cleaned en_cleaned zh_cleaned clean Corrected reference".split()
CLEANEVAL_URL = re.compile(r"\s*URL:[ \t]*(\S*)[^\n]*\n?")
CLEANEVAL_MARK = re.compile(r"^[ \t]*<[phl]>", re.I | re.M)  # paragraph, heading, list item


def _pair(path: Path) -> tuple[Path | None, Path | None]:
    pages = next((path / name for name in PAGES if (path / name).is_dir()), None)
    golds = next((path / name for name in GOLDS if (path / name).is_dir()), None)
    return pages, golds


def _cleaneval(path: Path) -> Iterator[Example | Broken]:
    pages, golds = _pair(path)
    assert pages is not None
    assert golds is not None
    files: dict[str, Path] = {}
    for file in sorted(golds.glob("*.txt")):
        name = re.sub(r"[-_.]?cleaned$", "", file.stem)
        if name in files:
            yield Broken(file.name, f"there is also {files[name].name}, which counts")
        else:
            files[name] = file
    for file in sorted(pages.glob("*.htm*")):
        name = PAGE_NAME.sub("", file.name)
        if name not in files:
            yield Broken(name, f"no gold in {golds.name}/")
            continue
        page = _page(file)
        gold = _page(files.pop(name), gold=True)
        if isinstance(page, Broken):
            yield page
            continue
        if isinstance(gold, Broken):
            yield gold
            continue
        head = CLEANEVAL_URL.match(gold)
        text = CLEANEVAL_MARK.sub("", gold[head.end() :] if head else gold).strip()
        lang = next((lang for lang in ("en", "zh") if pages.name == f"{lang}_original"), None)
        yield _example(name, {"id": name, "html": page, "text": text, "url": head and (head[1] or None), "lang": lang})
    for name in files:
        yield Broken(name, f"no page in {pages.name}/")


def _trafilatura(path: Path) -> Iterator[Example | Broken]:
    file = path if path.is_file() else path / "evaldata.json"
    rows = _json(file)
    if isinstance(rows, Broken):
        yield rows
        return
    for url, row in rows.items():
        name = row.get("file") if isinstance(row, dict) else None
        if not name or not isinstance(name, str):
            yield Broken(url, "no file")
            continue
        page = _page(*(file.parent / folder / name for folder in ("cache", "eval")))
        if isinstance(page, Broken):
            yield page
            continue
        values = {"id": url, "url": url, "html": page, "wanted": row.get("with"), "unwanted": row.get("without")}
        yield _example(url, values | {"license": row.get("license")})


def _folders(path: Path) -> Iterator[Example | Broken]:
    for folder in sorted({file.parent for name in ("source.html", "gold.txt") for file in path.glob(f"*/{name}")}):
        page = _page(folder / "source.html")
        gold = _page(folder / "gold.txt", gold=True)
        facts = _json(folder / "gold.json") if (folder / "gold.json").exists() else {}
        wrong = next((part for part in (page, gold, facts) if isinstance(part, Broken)), None)
        if wrong:
            yield Broken(folder.name, wrong.reason)
            continue
        assert not isinstance(facts, Broken)
        known = {"lang": facts.get("language"), "url": facts.get("url")}
        known |= {key: facts.get(key) for key in ("title", "author", "date", "kind", "license")}
        yield _example(folder.name, {"id": folder.name, "html": page, "text": gold} | known)


FORMS: dict[str, Reader] = {
    "jsonl": _jsonl,
    "wcxb": _wcxb,
    "scrapinghub": _scrapinghub,
    "cleaneval": _cleaneval,
    "trafilatura": _trafilatura,
    "folders": _folders,
}

OPTIONAL = ("url", "lang", "title", "author", "date", "kind", "license", "site", "comments")
SNIPPETS = ("wanted", "unwanted")


def _example(name: str, row: Mapping[str, Any]) -> Example | Broken:
    """Check a record; what is absent, null or empty is unknown, but an empty text is a gold."""
    if not isinstance(row, dict):
        return Broken(name, "not an object")
    known = row.get("id")
    if isinstance(known, int) and not isinstance(known, bool):
        known = str(known)
    if not isinstance(known, str) or not known:
        return Broken(name, "no id")
    name = known if name == known else f"{name}, {known}"
    if not isinstance(row.get("html"), str):
        return Broken(name, "no html, or it is not a string")
    snippets = {key: row.get(key) or () for key in SNIPPETS}
    for key, strings in snippets.items():
        if not isinstance(strings, (list, tuple)) or not all(isinstance(each, str) for each in strings):
            return Broken(name, f"{key} is not a list of strings")
        snippets[key] = tuple(each for each in strings if each.strip())
    text = row.get("text")
    if text is None and not any(snippets.values()):
        return Broken(name, f"{NO_GOLD}, so there is nothing to compare with")
    for key in ("text", *OPTIONAL):
        if row.get(key) is not None and not isinstance(row[key], str):
            return Broken(name, f"{key} is not a string")
    cov = row.get("cov")
    if cov is not None and (isinstance(cov, bool) or not isinstance(cov, (int, float))):
        return Broken(name, "cov is not a number")
    values: dict[str, Any] = {key: row.get(key) or None for key in OPTIONAL}
    return Example(id=known, html=row["html"], text=text, cov=cov, **(values | snippets))


def _json(file: Path) -> dict[str, Any] | Broken:
    try:
        values = json.loads(file.read_bytes())
    except OSError as problem:
        return Broken(file.name, f"cannot be read: {problem.strerror}")
    except (ValueError, RecursionError) as problem:
        return Broken(file.name, f"no JSON: {problem}")
    return values if isinstance(values, dict) else Broken(file.name, "not an object")


def _page(*places: Path, gold: bool = False) -> str | Broken:
    """The text of the first of some files that exists, decoded as bonmun does."""
    file = next((place for place in places if _exists(place)), None)
    if file is None:
        return Broken(
            places[0].name, f"there is no {' or '.join(f'{place.parent.name}/{place.name}' for place in places)}"
        )
    try:
        with open_lines(file) as stream:
            data = stream.read()
        if gold and not data.strip():
            return ""
        if not gold:
            check_bytes(data)
        text = decode(data)[0]
        if not gold:
            check_text(text)
    except BonmunError as problem:
        return Broken(file.name, str(problem))
    except UNREADABLE as problem:
        return Broken(file.name, f"cannot be read: {problem}")
    return text.replace("\r\n", "\n") if gold else text


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False
