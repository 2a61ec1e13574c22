"""Read the examples of a labelled set in any known format.

| format | files |
|---|---|
| JSON lines | a file `.jsonl`, `.jsonl.gz`, `.jsonl.xz`: `id html text`, optional `url lang title author date kind`; |
|            | instead of `text` a record may have `markdown`, a list `must` of lines that have to be found, or       |
|            | `checks` (see checks.py); instead of `html`, `html_latin1`: the bytes of the page, read as Latin-1     |
| WebMainBench | JSON lines with `track_id html groundtruth_content`, optional `url meta` |
| WCXB | a split of a checkout, such as `dev/`: `ground-truth/0001.json`, `html/0001.html.gz` |
| scrapinghub | a checkout: `ground-truth.json`, `html/<id>.html.gz` |
| CleanEval | a folder of pages (`input`, `en_original` …) beside one of golds (`GoldStandard`, `en_cleaned` …) |
| trafilatura | `evaldata.json` beside `cache/` and `eval/`: strings that must and must not be in the text |
| folders | `<slug>/source.html`, `gold.txt`, optional `gold.json` |
| labelling | `NAME.html` and `NAME.md`, which `bonmun gold init` writes and people correct |

Each iteration reads the examples from disk one by one, so a set may be larger than memory. An unusable record becomes
a `BrokenRecord` with its name and the reason. No record is dropped silently.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.lab.gold.dataset_readers import FORMATS, detect_format
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DUPLICATE_ID", "Dataset", "SetSummary", "read_dataset"]

DUPLICATE_ID = "duplicate id; the first record is used"


@dataclass(frozen=True, slots=True)
class SetSummary:
    """Counts and the hash of a labelled set."""

    count: int  # number of examples
    languages: Counter[str]
    kinds: Counter[str]
    licences: Counter[str]
    broken: tuple[BrokenRecord, ...]
    hash: str  # of ids, pages and golds, in order; independent of compression


@dataclass(frozen=True)
class Dataset:
    """A labelled set on disk. Each iteration over it reads its examples again."""

    name: str
    path: Path
    format: str
    limit: tuple[int, int] | None = None  # (n, total): take n pages, evenly spread over the total

    def __iter__(self) -> Iterator[Example]:
        return (record for record in self._read_records() if isinstance(record, Example))

    @cached_property
    def summary(self) -> SetSummary:
        """Counts and the hash of the set. Reads the whole set on first use."""
        broken: list[BrokenRecord] = []
        counters: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
        digest = hashlib.sha256()
        count = 0
        for record in self._read_records():
            if isinstance(record, BrokenRecord):
                broken.append(record)
                continue
            count += 1
            for counter, value in zip(counters, (record.lang, record.kind, record.license), strict=True):
                counter[value or "unknown"] += 1
            digest.update(f"{record.id}\n{record.page_hash}\n{record.gold_hash}\n".encode("utf-8", "surrogatepass"))
        return SetSummary(count, *counters, tuple(broken), digest.hexdigest()[:16])

    def check(self) -> None:
        """Raise BadConfig if the set has no usable record."""
        if not self.summary.count:
            reasons = "; ".join(str(record) for record in self.summary.broken[:3]) or "it is empty"
            raise BadConfig(f"{self.path}: this set has no usable record ({reasons}).")

    def _read_records(self) -> Iterator[Example | BrokenRecord]:
        seen: set[str] = set()
        number = 0
        for record in FORMATS[self.format](self.path):
            if isinstance(record, Example) and record.id in seen:
                yield BrokenRecord(record.id, DUPLICATE_ID)
                continue
            if isinstance(record, Example):
                seen.add(record.id)
                number += 1
                if self.limit and (number - 1) * self.limit[0] % self.limit[1] >= self.limit[0]:
                    continue
            yield record


def read_dataset(path: Path | str, limit: int | None = None) -> Dataset:
    """Open a labelled set in any known format; `limit` selects that many pages, evenly spread over the set."""
    location = Path(path)
    format_ = detect_format(location)
    name = re.sub(r"\.jsonl?(\.gz|\.xz)?$", "", location.resolve().name)
    if format_ == "trafilatura" and location.is_file():
        name = location.resolve().parent.name
    dataset = Dataset(name, location, format_)
    if limit is None:
        return dataset
    if limit < 1:
        raise BadConfig(f"The page limit must be 1 or more, not {limit}.")
    count = dataset.summary.count
    return Dataset(name, location, format_, (limit, count)) if limit < count else dataset
