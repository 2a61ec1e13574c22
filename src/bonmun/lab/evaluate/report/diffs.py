"""A word-by-word diff between an answer and the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.lab.evaluate.metrics.texts import load_rapidfuzz
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DiffChunk", "diff"]

MAX_COMPARED_WORDS = 20_000  # of each text: a comparison takes quadratic space
MAX_SHOWN_WORDS = 1500
CONTEXT_WORDS = 12  # shown at each end of a run that both texts have
MAX_MIDDLE_WORDS = 5  # a longer middle of such a run is omitted


class DiffChunk(NamedTuple):
    """A run of words that both the gold and the answer have, or only one of them."""

    kind: Literal["both", "gold", "found", "left out"]
    text: str


def diff(gold: str, found: str) -> list[DiffChunk]:
    """Merge two texts into one sequence of chunks; of long common runs, only the ends are shown.

    >>> [tuple(chunk) for chunk in diff("The lamp was lit at six.", "Menu: the lamp was lit.")]
    [('found', 'Menu: '), ('both', 'The lamp was lit '), ('gold', 'at six.')]
    """
    theirs, ours = _split(gold)[:MAX_COMPARED_WORDS], _split(found)[:MAX_COMPARED_WORDS]
    keys = [[token.word for token in tokens] for tokens in (theirs, ours)]
    chunks: list[DiffChunk] = []
    shown = 0
    for step in load_rapidfuzz().Indel.opcodes(*keys):
        if shown > MAX_SHOWN_WORDS:
            more = len(theirs) - step.src_start + len(ours) - step.dest_start
            chunks.append(DiffChunk("left out", f" … {more:,} more words"))
            break
        if step.tag == "equal":
            chunks += _show_both([token.text for token in theirs[step.src_start : step.src_end]])
            shown += min(2 * CONTEXT_WORDS, step.src_end - step.src_start)
            continue
        missing, extra = theirs[step.src_start : step.src_end], ours[step.dest_start : step.dest_end]
        chunks += _show_one("gold", missing, MAX_SHOWN_WORDS - shown)
        chunks += _show_one("found", extra, MAX_SHOWN_WORDS - shown)
        shown += len(missing) + len(extra)
    return chunks


class _Token(NamedTuple):
    word: str
    text: str  # the word and the text up to the next word


def _split(text: str) -> list[_Token]:
    places = [match.span() for match in WORD.finditer(text)]
    ends = [*(start for start, _ in places), len(text)][1:]
    return [_Token(text[start:stop].lower(), text[start:end]) for (start, stop), end in zip(places, ends, strict=True)]


def _show_both(texts: list[str]) -> Iterator[DiffChunk]:
    """Yield words that both texts have; of a long run, only the ends."""
    if len(texts) <= 2 * CONTEXT_WORDS + MAX_MIDDLE_WORDS:
        yield DiffChunk("both", "".join(texts))
        return
    yield DiffChunk("both", "".join(texts[:CONTEXT_WORDS]))
    yield DiffChunk("left out", f" … {len(texts) - 2 * CONTEXT_WORDS:,} words … ")
    yield DiffChunk("both", "".join(texts[-CONTEXT_WORDS:]))


def _show_one(kind: Literal["gold", "found"], tokens: list[_Token], limit: int) -> Iterator[DiffChunk]:
    """Yield words that only one text has, up to a limit, but always a few."""
    shown = max(limit, CONTEXT_WORDS)
    if tokens:
        yield DiffChunk(kind, "".join(token.text for token in tokens[:shown]))
    if len(tokens) > shown:
        yield DiffChunk("left out", f" … {len(tokens) - shown:,} more words … ")
