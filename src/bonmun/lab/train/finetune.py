"""Fine-tune a model on labelled pages, and save it only if it is better: `bonmun train GOLD`.

The original model is measured on all pages. The pages are split into five parts, by site if there are enough sites.
Five models are trained on four parts each and measured on the fifth. If the gain is larger than chance, a model trained
on all pages is written; otherwise nothing is.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bonmun.algorithms.auto import Auto
from bonmun.errors import BadConfig, BonmunError, TooFewPages
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.train.config import choose_config
from bonmun.lab.train.finetune_network import finetune_weights, prepare_finetuning
from bonmun.lab.train.finetune_report import FinetuneReport, PageScores, choose_parts, judge_pages
from bonmun.lab.train.prepare import check_folder, check_torch, load_start
from bonmun.lab.train.samples.samples import make_sample, read_pages
from bonmun.lab.train.steps import Step, scale_progress
from bonmun.models.network.habits import HOSTS
from bonmun.models.network.labeller import Network, save_weights
from bonmun.pipeline import extract
from bonmun.sites.domains import find_host
from bonmun.text.words import compare_counts, count_words
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample

    Log = Callable[[str], None]
    ShowProgress = Callable[[Step], None]

__all__ = ["MIN_PAGES", "finetune_model", "name_output", "rate_page"]

Result = TypeVar("Result")
MIN_PAGES = 5  # labelled pages; fewer cannot show whether a gain holds for other pages
SET_NAME = "taught"  # name of the set of all pages, stored in the model file


class LabelledSample(NamedTuple):
    """A labelled page and its training sample."""

    example: Example
    sample: Sample


def name_output(data: Sequence[Path]) -> Path:
    """Return the default model file, beside the first set: `gold.npz` for `gold.jsonl`."""
    return data[0].resolve().parent / f"{read_dataset(data[0]).name}.npz"


def finetune_model(
    data: Sequence[Path],
    output: Path,
    *,
    start: str = "default",
    pages: int | None = None,
    seed: int = 1,
    device: str = "cpu",
    workers: int = 1,
    log: Log,
    progress: ShowProgress,
) -> FinetuneReport:
    """Fine-tune a model on labelled pages, and write it if it is better on unseen pages.

    `log` receives messages for the user, `progress` the training steps; `pages` is the number shown, with repetition.
    """
    began = monotonic()
    check_folder(output)
    check_torch(device)
    weights, net = load_start(start)
    if weights is None or net is None:
        raise BadConfig(
            "A network trained from scratch has no baseline to compare with: use --from default, or a model file."
        )
    progress(Step("reading pages", 0.0))
    found = _read_pages(data, workers, log)
    samples = [each.sample for each in found]
    before = _rate_pages([each.example for each in found], Network(weights), workers)
    progress(Step(f"before: word F1 {mean(before):.3f} on {len(found)} pages", 0.0))
    parts, split = choose_parts([sample.site for sample in samples])
    config = choose_config(net.config, len(samples), seed=seed, teachers=0, pages=pages)
    prepared, config = prepare_finetuning(samples, config, weights, device=device, workers=workers)
    rounds = sorted(set(parts))
    after = list(before)
    for number, part in enumerate(rounds, 1):
        out = [row for row, mine in enumerate(parts) if mine == part]
        round_progress = _scale_round(progress, number, len(rounds) + 1)
        tuned = Network(finetune_weights(prepared, config, weights, net, frozenset(out), round_progress))
        for row, value in zip(out, _rate_pages([found[row].example for row in out], tuned, workers), strict=True):
            after[row] = value
    shown = tuple(PageScores(sample.id, sample.site, *f1) for sample, *f1 in zip(samples, before, after, strict=True))
    decision = judge_pages(shown, split)
    if decision.is_better:
        round_progress = _scale_round(progress, len(rounds) + 1, len(rounds) + 1)
        final = finetune_weights(prepared, config, weights, net, frozenset(), round_progress)
        lesson = {"pages": len(shown), "split": split, "before": round(mean(before), 4), "after": round(mean(after), 4)}
        hosts = _find_hosts([each.example for each in found]) if split == "page" else []
        save_weights(replace(final, about=final.about | {"lesson": lesson, HOSTS: hosts}), output)
    return FinetuneReport(
        shown,
        split,
        mean(before),
        mean(after),
        decision.is_better,
        decision.why,
        output if decision.is_better else None,
        monotonic() - began,
    )


def _scale_round(progress: ShowProgress, number: int, count: int) -> ShowProgress:
    return scale_progress(progress, number, count, f"training {number} of {count}: ")


def _find_hosts(examples: Sequence[Example]) -> list[str]:
    """Return the hosts of the pages; none if a page has no URL, because the site is then unknown."""
    hosts = {find_host(example.url) for example in examples}
    return [] if "" in hosts else sorted(hosts)


def _read_pages(data: Sequence[Path], workers: int, log: Log) -> list[LabelledSample]:
    """Return the labelled pages that can be used for training; log why others cannot."""
    try:
        records = [record for path in data for record in read_pages(path)]
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    for record in records:
        if isinstance(record, BrokenRecord):
            log(str(record))
    given = [record for record in records if isinstance(record, Example) and record.text is not None]
    examples = list({example.page_hash: example for example in reversed(given)}.values())[::-1]
    if len(examples) < len(given):  # a duplicate would be both trained on and measured
        count = len(given) - len(examples)
        log(f"{count} duplicate {'page' if count == 1 else 'pages'} with the same HTML ignored.")
    found = []
    for example, sample in zip(examples, _map(_make_sample, examples, workers), strict=True):
        if isinstance(sample, str):
            log(f"{example.id}: {sample}")
        else:
            found.append(LabelledSample(example, sample))
    if not found:
        raise BadConfig("No pages to train on: no gold text was found on its page.")
    if len(found) < MIN_PAGES:
        pages = "1 labelled page is" if len(found) == 1 else f"{len(found)} labelled pages are"
        raise TooFewPages(
            f"{pages} too few to measure an improvement: label {MIN_PAGES} or more; about 30 of a site work best."
        )
    return found


def _map(function: Callable[[Example], Result], examples: Sequence[Example], workers: int) -> list[Result]:
    """Call a function for each page, in `workers` processes."""
    if workers == 1:
        return [function(example) for example in examples]
    with open_pool(workers, "fork") as pool:
        return pool.map(function, examples)


def _make_sample(example: Example) -> Sample | str:
    """Return the sample of a page, or why it cannot be used."""
    try:
        sample = make_sample(example, SET_NAME)
    except BonmunError as problem:
        return str(problem)
    if sample is None:
        return "the page has no text."
    if not sample.trusted:
        return "its gold text is not on the page, or the page is too long to train on."
    return sample


def _rate_pages(examples: Sequence[Example], network: Network, workers: int) -> list[float]:
    """Return the word F1 of a network on each page."""
    global _network
    _network = network
    return _map(_rate_page, examples, workers)


_network: Network | None = None  # shared with forked child processes


def _rate_page(example: Example) -> float:
    assert _network
    return rate_page(example, _network)


def rate_page(example: Example, network: Network) -> float:
    """Return the word F1 of a network on a page."""
    doc = extract(example.html, example.url, Auto(model=network))
    return compare_counts(count_words(doc.text), count_words(example.text or "")).f1
