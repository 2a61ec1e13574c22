"""What lowers the confidence in an answer, in sentences, each with the blocks that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["DOUBT", "explain_confidence"]

DOUBT = (0.25, 0.75)  # a score between these could have gone either way
SURE_KIND = 0.7  # chance of the likeliest kind of page from which on it is clear
NONE_CHANCE = 0.05  # of a page without main text that is worth a sentence
FEW_WORDS = 60  # kept; little is known of so short a text
MUCH = 0.02  # share of words in doubt that is worth a sentence
FILLED = "between main text"  # the reason of blocks that are kept for their neighbours' sake


def explain_confidence(
    page: Page, labels: Labels, scores: Sequence[float], kept: Sequence[bool], words: Sequence[int]
) -> list[dict[str, Any]]:
    """Everything that makes the answer less sure, what weighs most first; the columns are those of blocks."""
    said: list[dict[str, Any]] = []

    def say(sentence: str, blocks: Iterable[int] = ()) -> None:
        said.append({"says": sentence, "blocks": list(blocks)})

    none = labels.kinds.get("none", 0.0)
    if not any(kept):
        say("Nothing is kept: there is nothing that this method takes for main text.")
    if none > NONE_CHANCE:
        say(f"It may be a page without main text, such as an error or a login: {none:.0%} likely.")
    if labels.kinds and max(labels.kinds.values()) < SURE_KIND:
        likely = sorted(labels.kinds.items(), key=lambda each: -each[1])[:3]
        say(f"It is not clear what kind of page it is: {', '.join(f'{kind} {chance:.0%}' for kind, chance in likely)}.")
    doubtful = [row for row, score in enumerate(scores) if DOUBT[0] < score < DOUBT[1]]
    weight = sum(words[row] for row in doubtful)
    whole = sum(count for count, is_kept in zip(words, kept, strict=True) if is_kept)
    whole += sum(words[row] for row in doubtful if not kept[row])
    if doubtful and weight > MUCH * whole:
        count = f"{len(doubtful)} blocks" if len(doubtful) > 1 else "One block"
        say(f"{count} with {weight / max(whole, 1):.0%} of the words could have gone either way.", doubtful)
    kept_words = sum(count for count, is_kept in zip(words, kept, strict=True) if is_kept)
    if any(kept) and kept_words < FEW_WORDS:
        say(f"Little is kept: {kept_words} words, and little can be known of so short a text.")
    if labels.method == "auto" and not labels.kinds:
        say("The page is too short or too long for the network, so plain rules decided.")
    hidden = [row for row, is_kept in enumerate(kept) if is_kept and page.hidden_blocks[row]]
    if hidden:
        say("Some of what is kept is hidden until a script uncovers it.", hidden)
    if labels.unit == "block":
        filled = [row for row, reason in enumerate(labels.reasons) if kept[row] and reason == FILLED]
        if filled:
            say("Some blocks are kept only since they stand between others that are.", filled)
    if page.cut:
        say("The page has more elements than are read: its end is missing.")
    return said
