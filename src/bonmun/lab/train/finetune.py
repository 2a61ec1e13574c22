"""Labelled pages in, a better model out, or none: what `bonmun train GOLD` does.

The model that is started from is measured on all pages. The pages are divided into five parts, by site where there are
sites enough; five models learn from four parts each, and are asked about the fifth. If that is better than before by
more than chance, a model that has learnt from all pages is written; if not, nothing is.
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
from bonmun.lab.train.steps import Step, watch_part
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

    Say = Callable[[str], None]
    Watch = Callable[[Step], None]

__all__ = ["LEAST_PAGES", "finetune_model", "name_output", "rate_page"]

Result = TypeVar("Result")
LEAST_PAGES = 5  # labelled ones: with fewer nobody can tell whether what was learnt holds for others
TAUGHT = "taught"  # what the set of all pages is called


class LabelledSample(NamedTuple):
    """A labelled page and what is learnt from it."""

    example: Example
    sample: Sample


def name_output(data: Sequence[Path]) -> Path:
    """The model file beside the first set: `gold.npz` for `gold.jsonl`."""
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
    tell: Say,
    step: Watch,
) -> FinetuneReport:
    """Teach a model on labelled pages, and write it if it is better on pages that it has not seen.

    `tell` is given what people should know afterwards, `step` how far it is; `pages` are shown, with repetition.
    """
    began = monotonic()
    check_folder(output)
    check_torch(device)
    weights, net = load_start(start)
    if weights is None or net is None:
        raise BadConfig("A network that starts from nothing has no before: give --from default, or a model file.")
    step(Step("reading pages", 0.0))
    found = _read_pages(data, workers, tell)
    samples = [each.sample for each in found]
    before = _rate_pages([each.example for each in found], Network(weights), workers)
    step(Step(f"before: word F1 {mean(before):.3f} on {len(found)} pages", 0.0))
    parts, split = choose_parts([sample.site for sample in samples])
    config = choose_config(net.config, len(samples), seed=seed, teachers=0, pages=pages)
    prepared, config = prepare_finetuning(samples, config, weights, device=device, workers=workers)
    rounds = sorted(set(parts))
    after = list(before)
    for number, part in enumerate(rounds, 1):
        out = [row for row, mine in enumerate(parts) if mine == part]
        say = _watch_round(step, number, len(rounds) + 1)
        taught = Network(finetune_weights(prepared, config, weights, net, frozenset(out), say))
        for row, value in zip(out, _rate_pages([found[row].example for row in out], taught, workers), strict=True):
            after[row] = value
    shown = tuple(PageScores(sample.id, sample.site, *f1) for sample, *f1 in zip(samples, before, after, strict=True))
    verdict = judge_pages(shown, split)
    if verdict.is_better:
        say = _watch_round(step, len(rounds) + 1, len(rounds) + 1)
        final = finetune_weights(prepared, config, weights, net, frozenset(), say)
        lesson = {"pages": len(shown), "split": split, "before": round(mean(before), 4), "after": round(mean(after), 4)}
        hosts = _find_hosts([each.example for each in found]) if split == "page" else []
        save_weights(replace(final, about=final.about | {"lesson": lesson, HOSTS: hosts}), output)
    return FinetuneReport(
        shown,
        split,
        mean(before),
        mean(after),
        verdict.is_better,
        verdict.why,
        output if verdict.is_better else None,
        monotonic() - began,
    )


def _watch_round(step: Watch, number: int, count: int) -> Watch:
    return watch_part(step, number, count, f"learning {number} of {count}: ")


def _find_hosts(examples: Sequence[Example]) -> list[str]:
    """The hosts of the pages; none if a page has no URL, since nobody knows then which pages are like them."""
    hosts = {find_host(example.url) for example in examples}
    return [] if "" in hosts else sorted(hosts)


def _read_pages(data: Sequence[Path], workers: int, tell: Say) -> list[LabelledSample]:
    """The labelled pages that can be learnt from; what is wrong with others is told."""
    try:
        records = [record for path in data for record in read_pages(path)]
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    for record in records:
        if isinstance(record, BrokenRecord):
            tell(str(record))
    given = [record for record in records if isinstance(record, Example) and record.text is not None]
    examples = list({example.page_hash: example for example in reversed(given)}.values())[::-1]
    if len(examples) < len(given):  # one would teach what the other is asked
        count = len(given) - len(examples)
        tell(f"{count} {'page is' if count == 1 else 'pages are'} there twice, with the same HTML; the first counts.")
    found = []
    for example, sample in zip(examples, _map(_make_sample, examples, workers), strict=True):
        if isinstance(sample, str):
            tell(f"{example.id}: {sample}")
        else:
            found.append(LabelledSample(example, sample))
    if not found:
        raise BadConfig("No page is left to learn from: none has a gold text that is found on it.")
    if len(found) < LEAST_PAGES:
        pages = "1 labelled page is" if len(found) == 1 else f"{len(found)} labelled pages are"
        raise TooFewPages(
            f"{pages} too few to tell whether a model that learnt from them is better: label {LEAST_PAGES} or more; "
            "some 30 of a site are worth most."
        )
    return found


def _map(function: Callable[[Example], Result], examples: Sequence[Example], workers: int) -> list[Result]:
    """Call a function for each page, several at a time."""
    if workers == 1:
        return [function(example) for example in examples]
    with open_pool(workers, "fork") as pool:
        return pool.map(function, examples)


def _make_sample(example: Example) -> Sample | str:
    """What is learnt from a page, or why nothing is."""
    try:
        sample = make_sample(example, TAUGHT)
    except BonmunError as problem:
        return str(problem)
    if sample is None:
        return "the page has no text."
    if not sample.trusted:
        return "its gold text is not on the page, or the page is too long to learn from."
    return sample


def _rate_pages(examples: Sequence[Example], network: Network, workers: int) -> list[float]:
    """The word F1 of pages by a network."""
    global _network
    _network = network
    return _map(_rate_page, examples, workers)


_network: Network | None = None  # what child processes share with their parent


def _rate_page(example: Example) -> float:
    assert _network
    return rate_page(example, _network)


def rate_page(example: Example, network: Network) -> float:
    """The word F1 of a page by a network."""
    doc = extract(example.html, example.url, Auto(model=network))
    return compare_counts(count_words(doc.text), count_words(example.text or "")).f1
