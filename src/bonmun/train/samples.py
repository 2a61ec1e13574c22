"""Labelled pages in, samples out: what the network learns from.

Labels come from aligning a page with its gold text. A site of which there are a few pages also gets a site model, so
that the network learns to use one where it is given. Pages without gold are taken, too, for teachers to label.
"""

from __future__ import annotations

import json
from dataclasses import replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.errors import BonmunError
from bonmun.gold.alignment import align
from bonmun.gold.datasets import read_dataset
from bonmun.gold.examples import Broken, Example
from bonmun.gold.folds import site_of
from bonmun.gold.records import open_lines, read_record
from bonmun.models.arrays import arrays_of
from bonmun.page import Page
from bonmun.sites.model import THIN, SiteModel
from bonmun.text.words import WORD
from bonmun.train.sample_files import Sample, ended_with_us

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["read_pages", "sample_of", "samples_of"]

SHORT = 12  # characters: the same label twice is no copy


def read_pages(path: Path) -> Iterator[Example | Broken]:
    """The pages of a set, those of JSON lines also where they have no gold."""
    dataset = read_dataset(path)
    if dataset.form != "jsonl":
        yield from dataset
        yield from dataset.facts.broken
        return
    seen: set[str] = set()
    with open_lines(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            record = read_record(f"line {number}", line)
            if isinstance(record, Broken) and record.lacks_gold:
                row = json.loads(line)
                facts: dict[str, Any] = {name: row.get(name) or None for name in ("url", "lang", "kind", "site")}
                record = Example(str(row["id"]), row["html"], None, **facts)
            if isinstance(record, Example) and record.id in seen:
                record = Broken(record.id, "there are two of this id; the first counts")
            elif isinstance(record, Example):
                seen.add(record.id)
            yield record


def samples_of(paths: Sequence[Path], workers: int, step: Callable[[str | None], None]) -> list[Sample]:
    """All pages of some sets; `step` is called for each page, with what is wrong with it if it cannot be used."""
    groups: dict[str, list[tuple[str, Example]]] = {}
    for path in paths:
        name = read_dataset(path).name
        for page in read_pages(path):
            if isinstance(page, Broken):
                step(f"{name}: {page}")
            else:
                groups.setdefault(site_of(page), []).append((name, page))
    samples = []
    with get_context("fork").Pool(workers, ended_with_us) as pool:
        for found in pool.imap_unordered(_site_samples, sorted(groups.values(), key=len, reverse=True)):
            for sample in found:
                step(sample if isinstance(sample, str) else None)
                if isinstance(sample, Sample):
                    samples.append(sample)
    return sorted(samples, key=lambda sample: (sample.source, sample.id))


def _site_samples(group: list[tuple[str, Example]]) -> list[Sample | str | None]:
    """The samples of the pages of one site; for a page that cannot be used, why; None for one without text."""
    made: list[Sample | str | None] = []
    model = None
    try:
        if len(group) >= THIN:
            model = SiteModel.fit((Page.parse(page.html) for _, page in group), site="site")
    except BonmunError:
        pass
    for source, page in group:
        try:
            made.append(sample_of(page, source, model))
        except BonmunError as problem:
            made.append(f"{page.id}: {problem}")
    return made


def sample_of(example: Example, source: str, model: SiteModel | None = None) -> Sample | None:
    """A page with its labels; None for a page without text."""
    page = Page.parse(example.html, example.url)
    if not page.starts:
        return None
    n = len(page.starts)
    lengths = np.fromiter(map(len, page.texts), np.float64, len(page.texts))
    starts = np.array(page.starts)
    comment = np.full(n, -1, np.int8)
    keep, gold = np.full(n, -1, np.float32), (0, 0, 0)
    if example.text is not None:
        found = align(page, example.text)
        keep = (np.add.reduceat(lengths * found.leaves, starts) / np.add.reduceat(lengths, starts)).astype(np.float32)
        gold = (found.words.found, found.words.gold, found.words.shared)
        comment[keep > 0.5] = 0
        if example.comments:
            said = np.array(align(page, example.comments).blocks)
            comment[:] = said & (keep < 0.5)
        kept = {text for text, share in zip(page.block_texts, keep, strict=True) if share > 0.5 and len(text) > SHORT}
        for row, text in enumerate(page.block_texts):
            if keep[row] <= 0.5 and text in kept:
                keep[row] = -1  # as good as the copy that was taken
    sizes = np.fromiter((len(WORD.findall(text)) for text in page.block_texts), np.int32, n)
    arrays = arrays_of(page)
    verdicts = model.judge(page) if model else None
    if verdicts:
        arrays = replace(arrays, site=np.array([verdicts.shares, verdicts.repeated], np.float32).T)
    return Sample(arrays, keep, comment, sizes, gold, example.id, source, site_of(example), example.lang, example.kind)
