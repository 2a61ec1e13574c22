"""An example and an answer in, figures out, by name, such as `words.f1` or `title.exact`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.lab.evaluate.metrics.decisions import Confusion, check_snippets, count_decisions
from bonmun.lab.evaluate.metrics.required_lines import find_lines, measure_kept
from bonmun.lab.evaluate.metrics.structure import compare_structure
from bonmun.lab.evaluate.metrics.texts import METRICS
from bonmun.lab.evaluate.metrics.units import choose_by_leaves, choose_by_text, count_verdicts, judge_units
from bonmun.lab.evaluate.systems.answers import FACTS
from bonmun.lab.evaluate.systems.page_cache import align_example, list_example_units, parse_example
from bonmun.lab.gold.metadata_metrics import Author, Date, Title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.lab.evaluate.systems.answers import Answer
    from bonmun.lab.gold.examples import Example
    from bonmun.page import Page

__all__ = ["Scorer", "Scores"]

Scores = dict[str, float]
COUNTS = (".found", ".gold", ".shared")  # of use only where they are added up over pages
GOLD_COUNTS = (".gold", ".wanted")  # what the gold has, whatever was found
ADDED_UP = ("words", "shingles")  # the metrics whose counts are
FACT_METRICS = (Title(), Author(), Date())
MATRIX_FIGURES = ("precision", "recall", "f1", "accuracy", "tp", "fp", "fn", "tn")


class Scorer:
    """Scores the answers to one example, each text once."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self._known: dict[str, Scores] = {}
        self._known_units: dict[str, Scores] = {}
        self._known_structures: dict[str, Scores] = {}

    def __call__(self, answer: Answer, *, failed: bool = False) -> Scores:
        """Give all figures that the gold allows. A system that failed has zero in each."""
        example = self.example
        scores: Scores = {}
        if example.text is not None:
            scores |= self._score_text(answer.text, example.text)
            if answer.leaves is not None:
                scores |= self._score_leaves(answer.leaves)
        if example.wanted or example.unwanted:
            decisions = check_snippets(answer.text, example.wanted, example.unwanted)
            scores |= _name_matrix("snippets", decisions)
        if example.markdown and example.markdown.strip():
            scores |= self._score_structure(answer, example.markdown)
        if failed:
            scores |= dict.fromkeys(("must.found", "must.kept") if example.must else (), 0.0)
            return {name: value if name.endswith(GOLD_COUNTS) else 0.0 for name, value in scores.items()}
        page = self._read_page()
        if example.must:
            scores |= self._score_lines(answer.text, page)
        return scores | self._score_units(answer, page) if page else scores

    def score_facts(self, answer: Answer, gives: Sequence[str]) -> Scores:
        """Give the figures of the facts that a system looks for.

        A fact that the gold has may be right. One that the gold lacks is invented, if the gold has another: a gold
        without any says nothing about facts.
        """
        scores: Scores = {}
        if not any(getattr(self.example, name) for name in FACTS):
            return scores
        for metric in FACT_METRICS:
            if metric.name not in gives:
                continue
            gold, found = getattr(self.example, metric.name), getattr(answer, metric.name)
            figures = metric(found, gold) if gold else {"invented": bool(found and found.strip())}
            scores |= _name_figures(metric.name, figures)
        return scores

    def score_lost_leaves(self) -> Scores:
        """Give the figures of the leaves of a method that failed, and so kept none: zero, as in all else."""
        return dict.fromkeys(_name_matrix("blocks", Confusion(0, 0, 0, 0)), 0.0)

    def _read_page(self) -> Page | None:
        """Give the page; None where we cannot read it, though others may."""
        try:
            return parse_example(self.example)
        except BonmunError:
            return None

    def _score_lines(self, found: str, page: Page | None) -> Scores:
        """Give the share of the lines that have to be found that are, and of the page's words that are kept."""
        there = find_lines(found, self.example.must)
        kept = measure_kept(found, page) if page else None
        figures = {"found": sum(there) / len(there)} | ({} if kept is None else {"kept": kept})
        return _name_figures("must", figures, counts=True)

    def _score_units(self, answer: Answer, page: Page) -> Scores:
        """Give the figures of the units that are kept, by the leaves that were kept or else by the text."""
        units = list_example_units(self.example)
        if not units:
            return {}
        if answer.leaves is not None:
            return _name_figures("whole", count_verdicts(judge_units(units, choose_by_leaves(page, answer.leaves))))
        if answer.text not in self._known_units:
            choice = choose_by_text(page, answer.text, units)
            self._known_units[answer.text] = _name_figures("whole", count_verdicts(judge_units(units, choice)))
        return self._known_units[answer.text]

    def _score_structure(self, answer: Answer, gold: str) -> Scores:
        """Give every figure of the structure, by the answer in Markdown or else by its text."""
        found = answer.text if answer.markdown is None else answer.markdown
        if found not in self._known_structures:
            self._known_structures[found] = compare_structure(found, gold)
        return self._known_structures[found]

    def _score_text(self, found: str, gold: str) -> Scores:
        """Give every figure of a text; systems that give the same text are scored once."""
        if found not in self._known:
            scores: Scores = {}
            for name, metric in METRICS.items():
                scores |= _name_figures(name, metric(found, gold), counts=name in ADDED_UP)
            self._known[found] = scores
        return self._known[found]

    def _score_leaves(self, leaves: tuple[int, ...]) -> Scores:
        """Give the figures of the leaves that were kept."""
        gold = align_example(self.example).leaves
        kept = [False] * len(gold)
        for leaf in leaves:
            kept[leaf] = True
        return _name_matrix("blocks", count_decisions(kept, gold))


def _name_figures(metric: str, figures: Mapping[str, float], *, counts: bool = False) -> Scores:
    """Put the name of a metric before those of its figures."""
    named = {f"{metric}.{name}": float(value) for name, value in figures.items()}
    return named if counts else {name: value for name, value in named.items() if not name.endswith(COUNTS)}


def _name_matrix(metric: str, matrix: Confusion) -> Scores:
    """Name the figures of a confusion matrix."""
    return {f"{metric}.{name}": float(getattr(matrix, name)) for name in MATRIX_FIGURES}
