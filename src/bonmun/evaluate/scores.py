"""An example and an answer in, figures out, by name, such as `words.f1` or `title.exact`."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.evaluate import metrics
from bonmun.evaluate.metrics import METRICS, Author, Blocks, Confusion, Date, Title, snippets
from bonmun.evaluate.once import aligned
from bonmun.gold import alignment, chain
from bonmun.text import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.evaluate.answers import Answer
    from bonmun.gold.examples import Example

__all__ = ["Scorer", "Scores", "scores_version"]

Scores = dict[str, float]
COUNTS = (".found", ".gold", ".shared")  # are of use only where they are added up
ADDED_UP = ("words", "shingles")  # metrics whose counts are kept


class Scorer:
    """Scores the answers to one example, each text once."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self._known: dict[str, Scores] = {}

    def __call__(self, answer: Answer, *, failed: bool = False) -> Scores:
        """All figures that the gold allows. A system that failed has zero in each."""
        example = self.example
        scores: Scores = {}
        if example.text is not None:
            scores |= self._text(answer.text, example.text)
            if answer.leaves is not None:
                scores |= self._blocks(answer.leaves)
        if example.wanted or example.unwanted:
            scores |= _matrix("snippets", snippets(answer.text, example.wanted, example.unwanted))
        return {name: value if name.endswith(".gold") else 0.0 for name, value in scores.items()} if failed else scores

    def facts(self, answer: Answer, gives: Sequence[str]) -> Scores:
        """Of the title, the author and the date, those that the system looks for.

        A fact that the gold has may be right; one that it has not, but others, is invented.
        """
        scores: Scores = {}
        metrics = [metric for metric in (Title(), Author(), Date()) if metric.name in gives]
        golds = [getattr(self.example, name) for name in ("title", "author", "date")]
        for metric in metrics if any(golds) else ():
            gold, found = getattr(self.example, metric.name), getattr(answer, metric.name)
            scores |= _named(metric.name, metric(found, gold) if gold else {"invented": bool(found and found.strip())})
        return scores

    def nothing(self) -> Scores:
        """The figures of a method that failed, and so kept no leaf: zero, as in all else."""
        return dict.fromkeys(_matrix("blocks", Confusion(0, 0, 0, 0)), 0.0)

    def _text(self, found: str, gold: str) -> Scores:
        """Every measure of the text; systems that give the same one are scored once."""
        if found not in self._known:
            scores: Scores = {}
            for name, metric in METRICS.items():
                scores |= _named(name, metric(found, gold), counts=name in ADDED_UP)
            self._known[found] = scores
        return self._known[found]

    def _blocks(self, leaves: tuple[int, ...]) -> Scores:
        gold = aligned(self.example).leaves
        kept = [False] * len(gold)
        for leaf in leaves:
            kept[leaf] = True
        return _matrix("blocks", Blocks()(kept, gold))


@cache
def scores_version() -> str:
    """A hash over the code that compares: figures made with other code are made again."""
    files = (metrics.__file__, words.__file__, __file__, alignment.__file__, chain.__file__)
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()[:16]


def _named(metric: str, figures: Mapping[str, float], *, counts: bool = False) -> Scores:
    named = {f"{metric}.{name}": float(value) for name, value in figures.items()}
    return named if counts else {name: value for name, value in named.items() if not name.endswith(COUNTS)}


def _matrix(metric: str, counts: Confusion) -> Scores:
    figures = ("precision", "recall", "f1", "accuracy", "tp", "fp", "fn", "tn")
    return {f"{metric}.{name}": float(getattr(counts, name)) for name in figures}
