"""Score an answer to an example; scores have names such as `words.f1` or `title.exact`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.lab.evaluate.metrics.decisions import Confusion, check_snippets, count_decisions
from bonmun.lab.evaluate.metrics.reader_checks import score_checks
from bonmun.lab.evaluate.metrics.required_lines import find_lines, measure_kept
from bonmun.lab.evaluate.metrics.structure import compare_structure
from bonmun.lab.evaluate.metrics.texts import METRICS
from bonmun.lab.evaluate.metrics.units import choose_by_leaves, choose_by_text, count_verdicts, judge_units
from bonmun.lab.evaluate.systems.answers import METADATA_FIELDS
from bonmun.lab.evaluate.systems.page_cache import align_example, list_example_units, parse_example
from bonmun.lab.gold.metadata_metrics import Author, Date, Title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.lab.evaluate.systems.answers import Answer
    from bonmun.lab.gold.examples import Example
    from bonmun.page import Page

__all__ = ["Scorer", "Scores"]

Scores = dict[str, float]
COUNTS = (".found", ".gold", ".shared")  # only useful when summed over pages
GOLD_COUNTS = (".gold", ".wanted")  # counts of the gold, independent of the answer
SUMMED_METRICS = ("words", "shingles")  # metrics whose counts are summed over pages
METADATA_METRICS = (Title(), Author(), Date())
MATRIX_SCORES = ("precision", "recall", "f1", "accuracy", "tp", "fp", "fn", "tn")


class Scorer:
    """Scores the answers to one example. Equal answers are scored once."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self._known: dict[str, Scores] = {}
        self._known_units: dict[str, Scores] = {}
        self._known_structures: dict[str, Scores] = {}

    def __call__(self, answer: Answer, *, failed: bool = False) -> Scores:
        """Return all scores that the gold allows. All scores of a failed system are zero."""
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
        if example.checks:
            scores |= score_checks(example.checks, answer)
        if failed:
            scores |= dict.fromkeys(("must.found", "must.kept") if example.must else (), 0.0)
            return {name: value if name.endswith(GOLD_COUNTS) else 0.0 for name, value in scores.items()}
        page = self._read_page()
        if example.must:
            scores |= self._score_lines(answer.text, page)
        return scores | self._score_units(answer, page) if page else scores

    def score_metadata(self, answer: Answer, fields: Sequence[str]) -> Scores:
        """Return the scores of the metadata fields that a system extracts.

        A value is invented if the gold lacks the field but has another one. A gold without any metadata gives no
        scores.
        """
        scores: Scores = {}
        if not any(getattr(self.example, name) for name in METADATA_FIELDS):
            return scores
        for metric in METADATA_METRICS:
            if metric.name not in fields:
                continue
            gold, found = getattr(self.example, metric.name), getattr(answer, metric.name)
            values = metric(found, gold) if gold else {"invented": bool(found and found.strip())}
            scores |= _prefix_names(metric.name, values)
        return scores

    def score_lost_leaves(self) -> Scores:
        """Return zero for the leaf scores of a method that failed."""
        return dict.fromkeys(_name_matrix("blocks", Confusion(0, 0, 0, 0)), 0.0)

    def _read_page(self) -> Page | None:
        """Return the page; None if we cannot parse it, though a peer may."""
        try:
            return parse_example(self.example)
        except BonmunError:
            return None

    def _score_lines(self, found: str, page: Page | None) -> Scores:
        """Return the share of required lines that are found, and of the page's words that are kept."""
        present = find_lines(found, self.example.must)
        kept = measure_kept(found, page) if page else None
        values = {"found": sum(present) / len(present)} | ({} if kept is None else {"kept": kept})
        return _prefix_names("must", values, counts=True)

    def _score_units(self, answer: Answer, page: Page) -> Scores:
        """Return the scores of the kept units, from the kept leaves or else from the text."""
        units = list_example_units(self.example)
        if not units:
            return {}
        if answer.leaves is not None:
            return _prefix_names("whole", count_verdicts(judge_units(units, choose_by_leaves(page, answer.leaves))))
        if answer.text not in self._known_units:
            choice = choose_by_text(page, answer.text, units)
            self._known_units[answer.text] = _prefix_names("whole", count_verdicts(judge_units(units, choice)))
        return self._known_units[answer.text]

    def _score_structure(self, answer: Answer, gold: str) -> Scores:
        """Return the scores of the structure, from the Markdown of the answer or else from its text."""
        found = answer.text if answer.markdown is None else answer.markdown
        if found not in self._known_structures:
            self._known_structures[found] = compare_structure(found, gold)
        return self._known_structures[found]

    def _score_text(self, found: str, gold: str) -> Scores:
        """Return the scores of a text."""
        if found not in self._known:
            scores: Scores = {}
            for name, metric in METRICS.items():
                scores |= _prefix_names(name, metric(found, gold), counts=name in SUMMED_METRICS)
            self._known[found] = scores
        return self._known[found]

    def _score_leaves(self, leaves: tuple[int, ...]) -> Scores:
        """Return the scores of the kept leaves."""
        gold = align_example(self.example).leaves
        kept = [False] * len(gold)
        for leaf in leaves:
            kept[leaf] = True
        return _name_matrix("blocks", count_decisions(kept, gold))


def _prefix_names(metric: str, values: Mapping[str, float], *, counts: bool = False) -> Scores:
    """Prefix score names with the name of their metric; drop counts unless `counts` is set."""
    named = {f"{metric}.{name}": float(value) for name, value in values.items()}
    return named if counts else {name: value for name, value in named.items() if not name.endswith(COUNTS)}


def _name_matrix(metric: str, matrix: Confusion) -> Scores:
    """Return the named scores of a confusion matrix."""
    return {f"{metric}.{name}": float(getattr(matrix, name)) for name in MATRIX_SCORES}
