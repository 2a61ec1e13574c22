"""Compare methods on one page: how much each keeps, how long it takes, and how far any two agree."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bonmun.algorithms import METHODS, PAGE_METHODS, Method, make_method
from bonmun.algorithms.tuned import find_tuned
from bonmun.document import Document
from bonmun.errors import BadConfig
from bonmun.options import DEFAULTS
from bonmun.rules.apply import apply_rules
from bonmun.rules.rule_set import load_rules
from bonmun.text.terminal import Value, format_table, shorten
from bonmun.text.words import Overlap, compare_counts, count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.options import Options
    from bonmun.page import Page

__all__ = ["Comparison", "Result", "compare", "make_methods"]

TITLE_CELLS = 160  # terminal cells of a title
REPEATS = 3  # of the timing; the fastest counts
MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one method."""

    method: str
    characters: int  # kept
    share: float  # of the visible characters of the page
    ms: float  # to label the parsed page
    confidence: float
    title: str | None
    gold: Overlap | None  # with the gold text, if given


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of all methods, and the word F1 between any two, in the same order."""

    results: tuple[Result, ...]
    agreement: tuple[tuple[float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "methods": [
                {
                    "method": result.method,
                    "characters": result.characters,
                    "share": round(result.share, 4),
                    "ms": round(result.ms, 4),
                    "confidence": round(result.confidence, 4),
                    "title": result.title,
                    "gold": _round_measures(result.gold) if result.gold else None,
                }
                for result in self.results
            ],
            "agreement": [[round(value, 4) for value in row] for row in self.agreement],
        }

    def table(self) -> str:
        """Format two tables for a terminal, and the titles that methods found."""
        with_gold = any(result.gold for result in self.results)
        rows: list[list[Value]] = []
        for number, result in enumerate(self.results, 1):
            figures = [f"{result.share:.0%}", f"{result.ms:.2f}", f"{result.confidence:.2f}"]
            figures += [f"{value:.3f}" for value in _list_measures(result.gold)]
            rows.append([number, result.method, result.characters, *figures])
        columns = ["#", "method", "characters", "share", "ms", "confidence", *(MEASURES if with_gold else ())]
        agreed: list[list[Value]] = []
        for number, result in enumerate(self.results):
            cells = [
                self._write_agreement(number, other) if other < number else "" for other in range(len(self.results) - 1)
            ]
            agreed.append([number + 1, result.method, *cells])
        numbers = [str(number) for number in range(1, len(self.results))]
        parts = [format_table(columns, rows)]
        if numbers:
            says = "Word F1 between any two methods, in percent (=: same words, -: both empty)"
            parts.append(f"{says}\n\n{format_table(['#', 'method', *numbers], agreed, gap=1)}")
        titles = {result.method: result.title for result in self.results if result.title}
        parts += (
            ["\n".join(f"title of {method}: {shorten(title, TITLE_CELLS)}" for method, title in titles.items())]
            if titles
            else []
        )
        return "\n\n".join(parts)

    def _write_agreement(self, one: int, other: int) -> str:
        if not self.results[one].characters and not self.results[other].characters:
            return "-"
        value = self.agreement[one][other]
        return "=" if value == 1 else f"{min(value * 100, 99):.0f}"


def compare(page: Page, names: Sequence[str] = (), gold: str | None = None, options: Options = DEFAULTS) -> Comparison:
    """Run the named methods on a page, by default all of them; with `gold`, the correct text, measure each.

    `options.title` is passed to the methods that take one. With `options.model` or `options.favour`, the method that
    takes them is run twice: with its defaults, and with these settings. The time is that of the method, without rules;
    rules are only used if `options.rules` is set.
    """
    results = []
    words = []
    whole = sum(len(page.texts[leaf]) for leaf in page.shown)
    right = count_words(gold) if gold is not None else None
    rules = load_rules(options.rules) if options.rules is not None else None
    for name, method in make_methods(names, options).items():
        best = float("inf")
        for _ in range(REPEATS):
            start = perf_counter()
            labels = method.label(page)
            best = min(best, perf_counter() - start)
        if rules is not None:
            labels = apply_rules(page, labels, rules)
        doc = Document(page, labels, DEFAULTS)
        leaves = [leaf for block in doc.blocks for leaf in block.leaves]
        cuts = labels.cuts if labels.unit == "leaf" else {}
        characters = sum(len(" ".join(cuts.get(leaf, page.texts[leaf]).split())) for leaf in leaves)
        words.append(count_words(doc.text))
        results.append(
            Result(
                name,
                characters,
                characters / (whole or 1),
                best * 1e3,
                labels.confidence,
                labels.title,
                compare_counts(words[-1], right) if right is not None else None,
            )
        )
    agreement = tuple(tuple(compare_counts(one, other).f1 for other in words) for one in words)
    return Comparison(tuple(results), agreement)


def make_methods(names: Sequence[str], options: Options = DEFAULTS) -> dict[str, Method]:
    """Return the methods to compare, by name, including the one that takes the model or the favour."""
    made = {name: make_method(name) for name in names or PAGE_METHODS}
    titled = [name for name in made if "title" in METHODS[name].takes]
    if options.title is not None and not titled:
        raise BadConfig(f"None of {', '.join(made)} takes a title: leave it out.")
    tuned = find_tuned(made, options)
    also = {tuned.name: tuned.make()} if tuned else {}
    return made | {name: make_method(name, title=options.title) for name in titled} | also


def _round_measures(gold: Overlap) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(MEASURES, _list_measures(gold), strict=True)}


def _list_measures(gold: Overlap | None) -> tuple[float, ...]:
    return (gold.precision, gold.recall, gold.f1) if gold else ()
