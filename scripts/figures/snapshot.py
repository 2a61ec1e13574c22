"""Write hashes of all results for some 1,500 pages, to show that a change has no effect on them.

    .venv/bin/python -m scripts.figures.snapshot before.jsonl     # with the old code
    .venv/bin/python -m scripts.figures.snapshot after.jsonl      # with the new code
    .venv/bin/python -m scripts.figures.snapshot before.jsonl after.jsonl

There is one line per page: hashes of the labels of every method (with and without a site model), hashes of each of the
five formats (with and without links, images and comments), and the metadata. Two files are equal byte for byte if
nothing has changed. Given two files, the differing pages and parts are printed. The script uses only names of the
package's root, so it runs with other versions, too: set PYTHONPATH to the `src` of another checkout.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bonmun

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parents[3] / "shared" / "data"
PAGES_PER_SET = 80
RUN_PAGES = 8  # consecutive pages are mostly of one site, and a site model needs several
CRAWLED = datetime(2026, 3, 4, 9)  # fixed, so that metadata does not depend on the current date
PLAIN = bonmun.Options(crawled=CRAWLED)
RICH = bonmun.Options(crawled=CRAWLED, links=True, images=True, comments=True)
FORMATS = ("text", "markdown", "html", "json", "xml")


def read_set(path: Path) -> list[dict[str, Any]]:
    """Return up to 80 pages of a set, in runs of eight, evenly spread over the set."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        count = sum(1 for _ in lines)
    runs = PAGES_PER_SET // RUN_PAGES
    starts = {run * count // runs for run in range(runs)}
    wanted = {start + step for start in starts for step in range(RUN_PAGES)}
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for number, line in enumerate(lines) if number in wanted]
    return [row for row in rows if "html" in row]  # some sets contain checks for pages of another set


def digest(value: object) -> str:
    """Return a short hash of a value; floats count to the last bit."""
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def describe_labels(labels: bonmun.Labels) -> list[object]:
    """Return all labels of a method as plain values."""
    return [
        labels.method,
        labels.unit,
        [float(score) for score in labels.scores],
        [bool(kept) for kept in labels.kept],
        list(labels.reasons),
        float(labels.confidence),
        sorted(labels.comments),
        labels.kind,
        labels.title,
        sorted(labels.cuts.items()),
        sorted(labels.template),
        [list(record) for record in labels.evidence],
    ]


def describe_page(page: bonmun.Page, name: str, sites: bonmun.SiteModel) -> dict[str, Any]:
    """Return the line of a page."""
    line: dict[str, Any] = {"page": name, "methods": {}, "formats": {}}
    for method in bonmun.methods():
        for label, site in ((method.name, None), (f"{method.name} with site", sites)):
            try:
                doc = bonmun.extract(page, method=method.name, options=replace(PLAIN, site_model=site))
            except bonmun.BonmunError as problem:
                line["methods"][label] = type(problem).__name__  # not the message, which may change
            else:
                line["methods"][label] = digest(describe_labels(doc.labels))
    doc = bonmun.extract(page, options=PLAIN)
    rich = bonmun.extract(page, options=RICH)
    for format_ in FORMATS:
        line["formats"][format_] = digest(doc.render(format_))
        line["formats"][f"{format_} with links"] = digest(rich.render(format_))
    line["facts"] = {"facts" if name == "fields" else name: value for name, value in asdict(doc.metadata).items()}
    line["kind"] = doc.kind
    return line


def describe_set(path: Path) -> list[str]:
    """Return the lines of a set, with one site model of all its pages."""
    name = path.name.removesuffix(".jsonl.xz")
    pages: dict[str, bonmun.Page] = {}
    lines = []
    for row in read_set(path):
        url = row.get("url") or f"https://{row.get('site') or 'unknown.example'}/"
        try:
            pages[f"{name} {row['id']}"] = bonmun.Page.parse(row["html"], url)
        except bonmun.BonmunError as problem:
            lines.append(
                {"page": f"{name} {row['id']}", "error": type(problem).__name__}
            )  # not the message, which may change
    sited = [page for page in pages.values() if _has_host(page)]
    sites = bonmun.SiteModel.fit(sited)
    lines += [describe_page(page, each, sites) for each, page in pages.items()]
    return [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in lines]


def _has_host(page: bonmun.Page) -> bool:
    with suppress(bonmun.BonmunError):
        bonmun.SiteModel.fit([page])
        return True
    return False


def find_differences(one: Path, other: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages and parts in which two files differ."""
    before, after = ({line["page"]: line for line in map(json.loads, path.open())} for path in (one, other))
    for page in sorted(before.keys() ^ after.keys()):
        yield page, "only in one file"
    for page in sorted(before.keys() & after.keys()):
        for group, old in before[page].items():
            new = after[page].get(group)
            if isinstance(old, dict) and isinstance(new, dict):
                for part in sorted(old.keys() | new.keys()):
                    if old.get(part) != new.get(part):
                        yield page, f"{group}: {part}"
            elif old != new:
                yield page, group


def main() -> None:
    """Write a file, or compare two."""
    if len(sys.argv) == 3:
        found = list(find_differences(Path(sys.argv[1]), Path(sys.argv[2])))
        for page, part in found:
            print(f"{page}\t{part}")
        print(f"{len({page for page, _ in found})} pages differ")
        for part, count in Counter(part for _, part in found).most_common():
            print(f"    {count:5}  {part}")
        sys.exit(bool(found))
    target = Path(sys.argv[1])
    with Pool() as pool:
        lines = [line for some in pool.imap(describe_set, sorted(DATA.glob("*.jsonl.xz"))) for line in some]
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines):,} pages in {target}, by {bonmun.__file__}")


if __name__ == "__main__":
    main()
