"""Methods side by side on one page: how much each keeps, how long it takes, how far any two agree."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bonmun.document import Document
from bonmun.methods import METHODS, get
from bonmun.options import DEFAULTS
from bonmun.tables import Value, text_table
from bonmun.words import Overlap, count_words, overlap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["Comparison", "Result", "compare"]

TIMES = 3  # that a page is labelled; the best counts


@dataclass(frozen=True, slots=True)
class Result:
    """What one method makes of the page."""

    method: str
    characters: int  # that it keeps
    share: float  # of the characters on the page that are shown
    ms: float  # to label the page, once its columns are there
    confidence: float
    title: str | None
    gold: Overlap | None  # with the gold text, if there is one


@dataclass(frozen=True, slots=True)
class Comparison:
    """All results, and the word F1 between every two methods, in the same order."""

    results: tuple[Result, ...]
    agreement: tuple[tuple[float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        methods = [
            asdict(result)
            | {"gold": result.gold and {name: getattr(result.gold, name) for name in ("precision", "recall", "f1")}}
            for result in self.results
        ]
        return {"methods": methods, "agreement": [list(row) for row in self.agreement]}

    def table(self) -> str:
        """As two tables to read on a terminal, and the titles that methods found."""
        with_gold = any(result.gold for result in self.results)
        columns = ["#", "method", "characters", "share", "ms", "confidence"]
        rows: list[list[Value]] = []
        for number, result in enumerate(self.results, 1):
            figures = [f"{result.share:.0%}", f"{result.ms:.2f}", f"{result.confidence:.2f}"]
            figures += [f"{value:.3f}" for value in _measures(result.gold)]
            rows.append([number, result.method, result.characters, *figures])
        parts = [text_table(columns + (["precision", "recall", "F1"] if with_gold else []), rows)]
        agreed: list[list[Value]] = [
            [number, result.method, *(f"{value * 100:.0f}" for value in row)]
            for number, (result, row) in enumerate(zip(self.results, self.agreement, strict=True), 1)
        ]
        numbers = [str(number) for number in range(1, len(self.results) + 1)]
        parts.append("Word F1 between every two, in percent:\n" + text_table(["#", "method", *numbers], agreed))
        titles = {result.method: result.title for result in self.results if result.title}
        parts += ["\n".join(f"title of {method}: {title}" for method, title in titles.items())] if titles else []
        return "\n\n".join(parts)


def compare(page: Page, names: Sequence[str] = (), gold: str | None = None, title: str | None = None) -> Comparison:
    """Run methods on a page, all of them unless some are named; `gold` is the right text, if you have it."""
    results = []
    words = []
    whole = sum(len(page.texts[leaf]) for leaf in page.shown)
    right = count_words(gold) if gold is not None else None
    for name in names or METHODS:
        method = get(name, title=title if "title" in METHODS[name].takes else None) if name in METHODS else get(name)
        best = float("inf")
        for _ in range(TIMES):
            start = perf_counter()
            labels = method.label(page)
            best = min(best, perf_counter() - start)
        doc = Document(page, labels, DEFAULTS)
        characters = sum(len(text) for block in doc.blocks for _, _, text in block.pieces())
        words.append(count_words(doc.text))
        results.append(
            Result(
                name,
                characters,
                min(1.0, characters / (whole or 1)),
                best * 1e3,
                labels.confidence,
                labels.title,
                overlap(words[-1], right) if right is not None else None,
            )
        )
    agreement = tuple(tuple(overlap(one, other).f1 for other in words) for one in words)
    return Comparison(tuple(results), agreement)


def _measures(gold: Overlap | None) -> tuple[float, ...]:
    return (gold.precision, gold.recall, gold.f1) if gold else ()
