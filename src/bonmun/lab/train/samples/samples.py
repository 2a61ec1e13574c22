"""Make samples for the block labeller from labelled pages.

Labels are those that a person gave to blocks, or come from aligning a page with its gold text. A site with several
pages also gets a site model, so that the network learns to use one. Pages without gold are included for teachers to
label. A page with a snapshot gives two samples, aligned separately: the original HTML, and the page as rendered.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.errors import BonmunError
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.block_labels import COMMENT, KEEP, UNSURE, find_labelled_rows
from bonmun.lab.gold.datasets import DUPLICATE_ID, read_dataset
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.folds import find_site
from bonmun.lab.gold.records import open_compressed, read_lines, read_record
from bonmun.lab.train.samples.sample_files import MIN_SHARED, Sample
from bonmun.models.features.count_page import count_page
from bonmun.page import Page
from bonmun.page.figures import find_figures
from bonmun.page.leads import find_lead
from bonmun.sites.model import SiteModel
from bonmun.sites.site import MIN_PAGES
from bonmun.snapshots import SNAPSHOT_SUFFIX, load_snapshot, make_stem
from bonmun.text.words import WORD, compare_counts, count_words
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Targets = tuple[NDArray[np.float32], NDArray[np.int8], tuple[int, int, int]]  # keep, comment and gold of a sample

__all__ = ["make_sample", "read_pages", "read_samples"]

LABEL = 12  # characters; a shorter text that occurs twice on a page is a label, not a copy
KEPT = 0.5  # a block with a larger share in the gold is main text
UNKNOWN = -1  # instead of a label


class SampleInput(NamedTuple):
    """A page, its set, and its snapshot, if any."""

    name: str
    page: Example
    snapshot: Path | None


def read_pages(path: Path) -> Iterator[Example | BrokenRecord]:
    """Yield the pages of a set; from JSON lines also those without gold."""
    dataset = read_dataset(path)
    if dataset.format != "jsonl":
        yield from dataset
        yield from dataset.summary.broken
        return
    seen: set[str] = set()
    with open_compressed(path) as file:
        for number, line in enumerate(read_lines(file), 1):
            if not line.strip():
                continue
            record = read_record(f"line {number}", line)
            if isinstance(record, BrokenRecord) and record.lacks_gold:
                row = json.loads(line)
                values: dict[str, Any] = {name: row.get(name) or None for name in ("url", "lang", "kind", "site")}
                record = Example(str(row["id"]), row["html"], None, **values)
            if isinstance(record, Example) and record.id in seen:
                record = BrokenRecord(record.id, DUPLICATE_ID)
            elif isinstance(record, Example):
                seen.add(record.id)
            yield record


def find_snapshot(folder: Path | None, name: str) -> Path | None:
    """Return the snapshot of a page made by `bonmun render`, if it exists."""
    path = folder / f"{make_stem(name)}{SNAPSHOT_SUFFIX}" if folder else None
    return path if path and path.is_file() else None


def read_samples(
    paths: Sequence[Path], workers: int, step: Callable[[str | None], None], snapshots: Path | None = None
) -> list[Sample]:
    """Return the samples of some sets; `step` is called for each page, with a message if it cannot be used.

    `snapshots` is a folder written by `bonmun render`, or one with such a folder for each set.
    """
    groups: dict[str, list[SampleInput]] = {}
    for path in paths:
        name = read_dataset(path).name
        folder = snapshots / name if snapshots and (snapshots / name).is_dir() else snapshots
        for page in read_pages(path):
            if isinstance(page, BrokenRecord):
                step(f"{name}: {page}")
            else:
                groups.setdefault(find_site(page), []).append(SampleInput(name, page, find_snapshot(folder, page.id)))
    samples = []
    with open_pool(workers, "fork") as pool:
        for found in pool.imap_unordered(_make_site_samples, sorted(groups.values(), key=len, reverse=True)):
            for sample in found:
                step(sample if isinstance(sample, str) else None)
                if isinstance(sample, Sample):
                    samples.append(sample)
    return sorted(samples, key=lambda sample: (sample.source, sample.id, sample.arrays.boxes is not None))


def _make_site_samples(group: list[SampleInput]) -> list[Sample | str | None]:
    """Return the samples of a site's pages; a message for a page that cannot be used, None for one without text."""
    made: list[Sample | str | None] = []
    site_model = None
    try:
        if len(group) >= MIN_PAGES:
            site_model = SiteModel.fit((Page.parse(source.page.html) for source in group), site="site")
    except BonmunError:
        pass
    for name, page, snapshot in group:
        for path in (None, snapshot) if snapshot else (None,):
            try:
                shown = Page.from_snapshot(load_snapshot(path), page.url) if path else None
                made.append(make_sample(page, name, site_model, shown))
            except BonmunError as problem:
                made.append(f"{page.id}: {problem}")
    return made


def make_sample(
    example: Example, source: str, site_model: SiteModel | None = None, page: Page | None = None
) -> Sample | None:
    """Make the sample of a page, from its HTML or from `page`, its rendered form; None if it has no text."""
    page = page or Page.parse(example.html, example.url)
    if not page.starts:
        return None
    n = len(page.starts)
    keep, comment, gold = np.full(n, UNKNOWN, np.float32), np.full(n, UNKNOWN, np.int8), (0, 0, 0)
    if example.text is not None:
        keep, comment, gold = _read_labels(page, example) or _align_labels(page, example)
    sizes = np.fromiter((len(WORD.findall(text)) for text in page.block_texts), np.int32, n)
    arrays = count_page(page)
    verdicts = site_model.judge(page) if site_model else None
    if verdicts:
        arrays = replace(arrays, site=np.array([verdicts.shares, verdicts.repeated], np.float32).T)
    return Sample(
        arrays, keep, comment, sizes, gold, example.id, source, find_site(example), example.lang, example.kind
    )


def _read_labels(page: Page, example: Example) -> Targets | None:
    """Return the labels a person gave to the blocks; None if there are none, or the page or its text has changed."""
    rows = None if example.labels is None else find_labelled_rows(page, example.labels)
    if rows is None:
        return None
    keep, comment = np.zeros(len(page.starts), np.float32), np.zeros(len(page.starts), np.int8)
    for row, label in rows.items():
        keep[row], comment[row] = (UNKNOWN, UNKNOWN) if label == UNSURE else (label == KEEP, label == COMMENT)
    said = "\n".join(page.block_texts[row] for row, label in rows.items() if label == KEEP)
    words = compare_counts(count_words(said), count_words(example.text or ""))
    if words.shared < MIN_SHARED * words.gold:
        return None
    return keep, comment, (words.found, words.gold, words.shared)


def _align_labels(page: Page, example: Example) -> Targets:
    """Derive labels from the gold text."""
    n = len(page.starts)
    lengths = np.fromiter(map(len, page.texts), np.float64, len(page.texts))
    starts = np.array(page.starts)
    found = align(page, example.text or "")
    keep = (np.add.reduceat(lengths * found.leaves, starts) / np.add.reduceat(lengths, starts)).astype(np.float32)
    comment = np.full(n, UNKNOWN, np.int8)
    comment[keep > KEPT] = 0
    if example.comments:
        said = np.array(align(page, example.comments).blocks)
        comment[:] = said & (keep < KEPT)
    kept = {text for text, share in zip(page.block_texts, keep, strict=True) if share > KEPT and len(text) > LABEL}
    for row, text in enumerate(page.block_texts):
        if keep[row] <= KEPT and text in kept:
            keep[row] = UNKNOWN  # as good as the copy in the gold
    for row in _find_completed(page, (keep > KEPT).tolist()):
        if keep[row] <= KEPT:
            keep[row] = UNKNOWN  # golds differ in these, and rules keep them whatever the network says
    return keep, comment, (found.words.found, found.words.gold, found.words.shared)


def _find_completed(page: Page, kept: list[bool]) -> list[int]:
    """Return the lead and the captions of a text: blocks that `algorithms/completion.py` adds to it."""
    return [*find_lead(page, kept), *(row for figure in find_figures(page, kept) for row in figure.captions)]
