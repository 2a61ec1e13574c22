"""Sentences about what lowers the confidence in an answer, each with its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["DOUBT", "explain_confidence"]

DOUBT = (0.25, 0.75)  # scores between these are uncertain
SURE_KIND = 0.7  # probability from which a page kind is clear
NONE_CHANCE = 0.05  # probability of a page without main text that is mentioned
FEW_WORDS = 60  # fewer kept words are little evidence
MIN_DOUBTFUL_SHARE = 0.02  # share of uncertain words that is mentioned
FILLED = "between main text"  # reason of blocks that are kept because of their neighbours


def explain_confidence(
    page: Page, labels: Labels, scores: Sequence[float], kept: Sequence[bool], words: Sequence[int]
) -> list[dict[str, Any]]:
    """Return everything that lowers the confidence, most important first; the columns are per block."""
    said: list[dict[str, Any]] = []

    def say(sentence: str, blocks: Iterable[int] = ()) -> None:
        said.append({"says": sentence, "blocks": list(blocks)})

    none = labels.kinds.get("none", 0.0)
    if not any(kept):
        say("Nothing is kept: the method found no main text.")
    if none > NONE_CHANCE:
        say(f"The page may have no main text, like an error or login page: {none:.0%} likely.")
    if labels.kinds and max(labels.kinds.values()) < SURE_KIND:
        likely = sorted(labels.kinds.items(), key=lambda each: -each[1])[:3]
        say(f"The kind of page is unclear: {', '.join(f'{kind} {chance:.0%}' for kind, chance in likely)}.")
    doubtful = [row for row, score in enumerate(scores) if DOUBT[0] < score < DOUBT[1]]
    weight = sum(words[row] for row in doubtful)
    whole = sum(count for count, is_kept in zip(words, kept, strict=True) if is_kept)
    whole += sum(words[row] for row in doubtful if not kept[row])
    if doubtful and weight > MIN_DOUBTFUL_SHARE * whole:
        share = f"{weight / max(whole, 1):.0%} of the words"
        count = f"{len(doubtful)} blocks with {share} are" if len(doubtful) > 1 else f"One block with {share} is"
        say(f"{count} uncertain.", doubtful)
    kept_words = sum(count for count, is_kept in zip(words, kept, strict=True) if is_kept)
    if any(kept) and kept_words < FEW_WORDS:
        say(f"Only {kept_words} words are kept, which is little evidence.")
    if labels.method == "auto" and not labels.kinds:
        say("The page is too short or too long for the network, so rules were used instead.")
    hidden = [row for row, is_kept in enumerate(kept) if is_kept and page.hidden_blocks[row]]
    if hidden:
        say("Some kept blocks are hidden until a script shows them.", hidden)
    if labels.unit == "block":
        filled = [row for row, reason in enumerate(labels.reasons) if kept[row] and reason == FILLED]
        if filled:
            say("Some blocks are kept only because they are between kept blocks.", filled)
    if page.cut:
        say("The page has too many elements: its end is missing.")
    return said
