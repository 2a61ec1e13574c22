"""Labelled pages in, examples out, whatever form a set has on disk.

| form | what it looks like |
|---|---|
| JSON lines | a file `.jsonl`, also `.gz` or `.xz`: `id html text`, and if known `url lang title author date kind`; |
|            | instead of `text` it may have `markdown`, or lines that `must` be found                             |
| WebMainBench | JSON lines, too: `track_id html groundtruth_content`, and `url meta`                              |
| WCXB | a split of a checkout, such as `dev/`: `ground-truth/0001.json`, `html/0001.html.gz` |
| scrapinghub | a checkout: `ground-truth.json`, `html/<id>.html.gz` |
| CleanEval | a folder of pages (`input`, `en_original` …) beside one of golds (`GoldStandard`, `en_cleaned` …) |
| trafilatura | `evaldata.json` beside `cache/` and `eval/`: strings that must and must not be in the text |
| folders | `<slug>/source.html`, `gold.txt` and, if you like, `gold.json` |
| labelling | `NAME.html` and `NAME.md`, which `bonmun gold init` writes and people correct |

Examples are read one by one, anew each time: a set need not fit into memory. A record that cannot be used is a
`BrokenRecord` with its name and the reason; none is left out in silence.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.lab.gold.dataset_readers import FORMS, find_form
from bonmun.lab.gold.examples import BrokenRecord, Example

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Dataset", "SetSummary", "read_dataset"]


@dataclass(frozen=True, slots=True)
class SetSummary:
    """What is in a set."""

    count: int  # of examples
    languages: Counter[str]
    kinds: Counter[str]
    licences: Counter[str]
    broken: tuple[BrokenRecord, ...]
    hash: str  # over ids, pages and golds, in order; not over how they are packed


@dataclass(frozen=True)
class Dataset:
    """A set on disk: iterate over it for its examples, as often as you like."""

    name: str
    path: Path
    form: str
    limit: tuple[int, int] | None = None  # take the first number of pages out of the second, evenly

    def __iter__(self) -> Iterator[Example]:
        return (record for record in self._read_records() if isinstance(record, Example))

    @cached_property
    def summary(self) -> SetSummary:
        """What is in the set; reads all of it, once."""
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
        """Raise BadConfig if no record can be used."""
        if not self.summary.count:
            reasons = "; ".join(str(record) for record in self.summary.broken[:3]) or "it has none"
            raise BadConfig(f"{self.path}: no record of this set can be used ({reasons}).")

    def _read_records(self) -> Iterator[Example | BrokenRecord]:
        seen: set[str] = set()
        number = 0
        for record in FORMS[self.form](self.path):
            if isinstance(record, Example) and record.id in seen:
                yield BrokenRecord(record.id, "there are two of this id; the first counts")
                continue
            if isinstance(record, Example):
                seen.add(record.id)
                number += 1
                if self.limit and (number - 1) * self.limit[0] % self.limit[1] >= self.limit[0]:
                    continue
            yield record


def read_dataset(path: Path | str, limit: int | None = None) -> Dataset:
    """Open a set, whatever form it has; with `limit`, only so many of its pages, evenly from all of it."""
    place = Path(path)
    form = find_form(place)
    name = re.sub(r"\.jsonl?(\.gz|\.xz)?$", "", place.resolve().name)
    if form == "trafilatura" and place.is_file():
        name = place.resolve().parent.name
    found = Dataset(name, place, form)
    if limit is None:
        return found
    if limit < 1:
        raise BadConfig(f"A limit of {limit} pages leaves nothing to measure: give 1 or more.")
    count = found.summary.count
    return Dataset(name, place, form, (limit, count)) if limit < count else found
