"""Count or extract the pages of a reader in a run that can be interrupted and resumed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun._version import __version__
from bonmun.scale.corpus.batches import make_batches, raw_key
from bonmun.scale.corpus.engine import run
from bonmun.sites.keys import hash_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.corpus.batches import CountJob, ExtractJob
    from bonmun.scale.corpus.counts import Counts
    from bonmun.scale.corpus.output import Output
    from bonmun.scale.corpus.sources.reader import Reader

__all__ = ["CountRun", "extract_pages", "identify_extraction"]

FLUSH_PAGES = 4096  # added to the counts at a time; a killed run loses no more
FLUSH_BYTES = 256_000_000  # of results that wait to be added
MAX_REASONS = 10  # why pages failed; the others are only counted


class CountRun:
    """A run that counts the pages of a reader. Pages that were counted before are skipped."""

    def __init__(self, counts: Counts, counting: CountJob, reader: Reader) -> None:
        self.counts = counts
        self.counting = counting
        self.reader = reader
        self.may_repeat = len(counts) > 0  # otherwise no page was counted before
        self.waiting: list[pa.RecordBatch] = []
        self.pages = self.repeated = self.failed = 0
        self.reasons: list[str] = []  # why pages failed

    def steps(self, workers: int, seconds: float) -> Iterator[None]:
        """Count the pages; yield from time to time, so that progress can be shown."""
        for results in run(self.counting, self._new_batches(), workers, seconds):
            for batch in results:
                self._note_failures(batch)
            self.waiting += results
            pages = sum(batch.num_rows for batch in self.waiting)
            if pages >= FLUSH_PAGES or sum(batch.nbytes for batch in self.waiting) >= FLUSH_BYTES:
                self._flush()
            yield
        self._flush()

    def _new_batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the pages that were not counted before."""
        for batch in make_batches(self.reader):
            self.pages += batch.num_rows
            if self.may_repeat:
                raws = [raw_key(row["site"], row["html"]) for row in batch.select(["site", "html"]).to_pylist()]
                counted = self.counts.find_counted(raws)
                self.repeated += sum(raw in counted for raw in raws)
                batch = batch.filter(pa.array([raw not in counted for raw in raws]))
            if batch.num_rows:
                yield batch

    def _note_failures(self, batch: pa.RecordBatch) -> None:
        for page, reason in zip(batch.column("id").to_pylist(), batch.column("error").to_pylist(), strict=True):
            if reason is not None:
                self.failed += 1
                if len(self.reasons) < MAX_REASONS:
                    self.reasons.append(f"{page}: {reason}")

    def _flush(self) -> None:
        self.counts.add(self.waiting)
        self.waiting = []


def extract_pages(output: Output, job: ExtractJob, reader: Reader, workers: int, seconds: float) -> Iterator[int]:
    """Extract the pages that are not in the output yet, and finish it. Yield the number of pages done so far."""
    pages = 0
    rest = islice(reader, output.done, None)
    if output.finished:  # read the sources anyway, to report damaged files
        yield sum(1 for _ in rest)
        return
    for results in run(job, make_batches(rest), workers, seconds):
        output.write(results)
        pages += sum(batch.num_rows for batch in results)
        yield pages
    output.finish()


def identify_extraction(job: ExtractJob, reader: Reader, seconds: float) -> dict[str, Any]:
    """Return what identifies a run: only one with the same sources and settings can be resumed."""
    extraction = job.extraction
    site_model, model = extraction.site_model, extraction.model
    plain = replace(extraction, site_model=None, model=None, rules=None)
    settings = [job.names, reader.maker.site, repr(plain), seconds]
    if job.takes_anchors:
        settings.append("anchor")  # a run without anchors cannot be resumed
    return {
        "sources": [*reader.identify(), *reader.maker.needed.values()],
        "settings": settings,
        "model": hash_bytes(Path(model).read_bytes()) if model else None,
        "rules": extraction.rules.digest if extraction.rules is not None else None,
        "counts": site_model.digest() if site_model is not None else None,
        "version": __version__,
    }
