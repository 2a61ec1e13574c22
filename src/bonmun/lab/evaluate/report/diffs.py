"""Where an answer differs from the gold, word by word: what is missing, what is too much, and what both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.lab.evaluate.metrics.texts import load_rapidfuzz
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Chunk", "diff"]

COMPARED_WORDS = 20_000  # of each text: the table of a comparison grows with the square
SHOWN_WORDS = 1500  # of a difference
END_WORDS = 12  # that are shown at each end of a stretch that both texts have
WORTH_CUTTING_WORDS = 5  # so many more than both ends, and the middle of the stretch is left out


class Chunk(NamedTuple):
    """Words in a row that the gold and the answer have, or only one of them."""

    kind: Literal["both", "gold", "found", "left out"]
    text: str


def diff(gold: str, found: str) -> list[Chunk]:
    """Merge two texts into one, in order; of long stretches that both have, only the ends.

    >>> [tuple(chunk) for chunk in diff("The lamp was lit at six.", "Menu: the lamp was lit.")]
    [('found', 'Menu: '), ('both', 'The lamp was lit '), ('gold', 'at six.')]
    """
    theirs, ours = _split(gold)[:COMPARED_WORDS], _split(found)[:COMPARED_WORDS]
    keys = [[token.word for token in tokens] for tokens in (theirs, ours)]
    chunks: list[Chunk] = []
    shown = 0
    for step in load_rapidfuzz().Indel.opcodes(*keys):
        if shown > SHOWN_WORDS:
            more = len(theirs) - step.src_start + len(ours) - step.dest_start
            chunks.append(Chunk("left out", f" … {more:,} words more"))
            break
        if step.tag == "equal":
            chunks += _show_both([token.text for token in theirs[step.src_start : step.src_end]])
            shown += min(2 * END_WORDS, step.src_end - step.src_start)
            continue
        missing, extra = theirs[step.src_start : step.src_end], ours[step.dest_start : step.dest_end]
        chunks += _show_one("gold", missing, SHOWN_WORDS - shown)
        chunks += _show_one("found", extra, SHOWN_WORDS - shown)
        shown += len(missing) + len(extra)
    return chunks


class _Token(NamedTuple):
    word: str
    text: str  # with what stands between it and the next


def _split(text: str) -> list[_Token]:
    places = [match.span() for match in WORD.finditer(text)]
    ends = [*(start for start, _ in places), len(text)][1:]
    return [_Token(text[start:stop].lower(), text[start:end]) for (start, stop), end in zip(places, ends, strict=True)]


def _show_both(texts: list[str]) -> Iterator[Chunk]:
    """Show words that both texts have; of many, those at the ends."""
    if len(texts) <= 2 * END_WORDS + WORTH_CUTTING_WORDS:
        yield Chunk("both", "".join(texts))
        return
    yield Chunk("both", "".join(texts[:END_WORDS]))
    yield Chunk("left out", f" … {len(texts) - 2 * END_WORDS:,} words … ")
    yield Chunk("both", "".join(texts[-END_WORDS:]))


def _show_one(kind: Literal["gold", "found"], tokens: list[_Token], most: int) -> Iterator[Chunk]:
    """Show words that only one text has, at most so many, but always a few."""
    room = max(most, END_WORDS)
    if tokens:
        yield Chunk(kind, "".join(token.text for token in tokens[:room]))
    if len(tokens) > room:
        yield Chunk("left out", f" … {len(tokens) - room:,} words more … ")
