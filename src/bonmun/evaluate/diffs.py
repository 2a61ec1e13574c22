"""Where an answer differs from the gold, word by word: what is missing, what is too much, and what both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.evaluate.metrics import rapidfuzz
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Chunk", "diff"]

AROUND = 12  # words that are shown at each end of what both have
LONGEST = 20_000  # words of a text that are compared: the table of a comparison grows with the square
MOST = 1500  # words of a difference that are shown


class Chunk(NamedTuple):
    """Words in a row that the gold and the answer have, or only one of them."""

    kind: Literal["both", "gold", "found", "left out"]
    text: str


def diff(gold: str, found: str) -> list[Chunk]:
    """The two texts as one, in order; of long stretches that both have, the ends.

    >>> [tuple(chunk) for chunk in diff("The lamp was lit at six.", "Menu: the lamp was lit.")]
    [('found', 'Menu: '), ('both', 'The lamp was lit '), ('gold', 'at six.')]
    """
    theirs, ours = _tokens(gold)[:LONGEST], _tokens(found)[:LONGEST]
    keys = [[token.word for token in tokens] for tokens in (theirs, ours)]
    chunks: list[Chunk] = []
    shown = 0
    for step in rapidfuzz().Indel.opcodes(*keys):
        if shown > MOST:
            more = len(theirs) - step.src_start + len(ours) - step.dest_start
            chunks.append(Chunk("left out", f" … {more:,} words more"))
            break
        if step.tag == "equal":
            chunks += _both([token.text for token in theirs[step.src_start : step.src_end]])
            shown += min(2 * AROUND, step.src_end - step.src_start)
            continue
        missing, extra = theirs[step.src_start : step.src_end], ours[step.dest_start : step.dest_end]
        chunks += _some("gold", missing, MOST - shown)
        chunks += _some("found", extra, MOST - shown)
        shown += len(missing) + len(extra)
    return chunks


class _Token(NamedTuple):
    word: str
    text: str  # with what stands between it and the next


def _tokens(text: str) -> list[_Token]:
    places = [match.span() for match in WORD.finditer(text)]
    ends = [*(start for start, _ in places), len(text)][1:]
    return [_Token(text[start:stop].lower(), text[start:end]) for (start, stop), end in zip(places, ends, strict=True)]


def _both(texts: list[str]) -> Iterator[Chunk]:
    if len(texts) <= 2 * AROUND + 5:
        yield Chunk("both", "".join(texts))
        return
    yield Chunk("both", "".join(texts[:AROUND]))
    yield Chunk("left out", f" … {len(texts) - 2 * AROUND:,} words … ")
    yield Chunk("both", "".join(texts[-AROUND:]))


def _some(kind: Literal["gold", "found"], tokens: list[_Token], most: int) -> Iterator[Chunk]:
    room = max(most, AROUND)
    if tokens:
        yield Chunk(kind, "".join(token.text for token in tokens[:room]))
    if len(tokens) > room:
        yield Chunk("left out", f" … {len(tokens) - room:,} words more … ")
