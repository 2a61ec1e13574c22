"""Probabilities in, a decision out: which blocks are kept, why, and how sure that is.

The kept set is the one with the highest expected F1 over words, given the probabilities; then what no reader would
leave so is mended: a hole in a list, a heading with nothing under it, a lone label far from all text, the headline,
which is the title and not repeated in the text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bonmun.markup import COMMENT_WORDS
from bonmun.models.features.character_arrays import WEIGHTS
from bonmun.models.features.characters import BLANK, LINE, WIDE
from bonmun.models.features.class_words import read_word_numbers
from bonmun.models.features.page_arrays import LINK_CHARACTERS, PAGE_KINDS
from bonmun.models.features.tag_arrays import IS_HEADING, flag_tags
from bonmun.models.network.thresholds import (
    ARTICLE_CHANCE,
    COMMENT,
    DOUBT_CHANCE,
    DOUBT_LETTERS,
    DROPPED_SCORE,
    EMPTY,
    FAR_BLOCKS,
    FAVOURS,
    FILLED,
    HEADING,
    HEADING_CHANCE,
    HEADLINE_BLOCKS,
    HIDDEN,
    HOLE_CHANCE,
    HOPELESS_F1,
    KEPT,
    KEPT_SCORE,
    LABEL_WORDS,
    LEANS,
    LEAST_SPAN,
    LIKE_CHANCE,
    LIKELY,
    LINE_LETTERS,
    LINE_NOTHING_CHANCE,
    LINKS,
    LISTED_TAGS,
    LONE,
    NOTHING_CHANCE,
    PART,
    REASON_TEXTS,
    REPEATED_LETTERS,
    SHORT,
    SMALL_LETTERS,
    SMALL_NOTHING_CHANCE,
    SURE_CHANCE,
    THREAD_CHANCE,
    TINY,
    TITLE,
    TITLE_SHARE,
    UNLIKE,
    UNSURE_CHANCE,
    UNSURE_F1,
    Decision,
    choose_page_kind,
)
from bonmun.models.network.whole_units import find_between, find_torn, level_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.page_arrays import PageArrays
    from bonmun.models.network.labeller import Scores
    from bonmun.models.network.whole_units import UnitRows

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]
    Codes = NDArray[np.int64]

__all__ = ["count_letters", "count_words", "decide", "find_headline"]

IS_LISTED = flag_tags(LISTED_TAGS)
LEAN_OF_KIND = np.array([LEANS.get(kind, 0.0) for kind in PAGE_KINDS])
REASONS = np.array(REASON_TEXTS, dtype=object)


def count_words(a: PageArrays) -> Floats:
    """About the number of words of each block; a Chinese character or Korean syllable is one, as the measure has it."""
    counts = a.counts
    return (counts[:, BLANK] + counts[:, LINE] + 1 + counts[:, WIDE]).astype(np.float32)


def count_letters(a: PageArrays) -> Floats:
    """How much each block says, in letters; a Chinese character or Korean syllable as much as 2.5."""
    return a.counts.astype(np.float32) @ WEIGHTS


def decide(a: PageArrays, found: Scores, units: UnitRows, favour: str = "balanced") -> Decision:
    """Choose the blocks to keep, mend the choice, and say how good it is likely to be."""
    page_kinds = dict(zip(PAGE_KINDS, _round(found.kinds).tolist(), strict=True))
    is_thread = page_kinds["forum"] > THREAD_CHANCE
    words = count_words(a)
    likely = found.keep if is_thread else found.keep * (1 - found.comment)
    hidden = a.hidden.astype(bool)
    likely = level_units(_lean(likely, float(found.kinds @ LEAN_OF_KIND)), words, hidden, units)
    keep = _round(likely)  # so that the last bit of a sum, which may be another on each machine, decides nothing
    row, expected = find_best_row(keep, words, FAVOURS[favour])
    sure = SURE_CHANCE[favour] if page_kinds["article"] > ARTICLE_CHANCE else None
    threshold = _find_threshold(keep, row, sure)
    kept = (keep >= threshold) & (keep > 0)  # hidden ones, too: scripts uncover much, and the network knows it
    reasons = _give_reasons(a, kept, keep, words)
    _mend(a, kept, reasons, keep, words, page_kinds, found)
    between = find_between(kept, words, hidden, units)
    kept[between] = True
    reasons[between] = FILLED
    torn = find_torn(kept, keep, words, hidden, units)
    reasons[torn] = np.where(kept[torn], PART, FILLED)
    kept[torn] ^= True
    comments = _mark_others(a, kept, reasons, found, is_thread)
    none, letters = page_kinds["none"], count_letters(a)
    if none > _choose_nothing_chance(letters, kept) or expected < HOPELESS_F1:
        reasons[kept] = EMPTY
        kept[:] = False
        expected *= 1 - none
    elif none > UNSURE_CHANCE or (none > DOUBT_CHANCE and letters[kept].sum() < DOUBT_LETTERS):
        expected = min(expected, UNSURE_F1)
    return Decision(
        kept.tolist(),
        _score(kept, likely, _find_threshold(likely, row, sure)).tolist(),
        REASONS[reasons].tolist(),
        comments,
        choose_page_kind(page_kinds),
        sorted(page_kinds.items(), key=lambda each: -each[1]),
        expected,
        np.flatnonzero(kept & (a.copies > 1) & (letters >= REPEATED_LETTERS) & (units.numbers < 0)).tolist(),
    )


def _lean(keep: Floats, by: float) -> Floats:
    """Move probabilities by so many logits."""
    moved = keep * np.float32(np.exp(by))
    return np.asarray(moved / (1 - keep + moved), np.float32)


def _round(chances: Floats) -> Floats:
    """To four decimals."""
    return np.asarray(chances.round(4), np.float32)


def _find_threshold(keep: Floats, row: int, sure: float | None) -> float:
    """The probability of the last block that is kept; no less than what is sure, unless nothing is so likely."""
    return float(keep[row]) if sure is None else min(max(float(keep[row]), sure), float(keep.max()))


def _choose_nothing_chance(letters: Floats, kept: Flags) -> float:
    """How likely a page must be without main text to be taken for one."""
    if letters.sum() < SMALL_LETTERS:
        return SMALL_NOTHING_CHANCE
    return LINE_NOTHING_CHANCE if letters[kept].sum() < LINE_LETTERS else NOTHING_CHANCE


def find_best_row(p: Floats, words: Floats, beta: float) -> tuple[int, float]:
    """The block down to whose probability keeping blocks gives the highest expected F-beta over words, and that."""
    order = np.argsort(-p, kind="stable")
    right = np.cumsum((p * words)[order], dtype=np.float64)
    found = np.cumsum(words[order], dtype=np.float64)
    f = (1 + beta**2) * right / (found + beta**2 * right[-1] + TINY)
    best = int(f.argmax())
    return int(order[best]), float(f[best])


def _give_reasons(a: PageArrays, kept: Flags, keep: Floats, words: Floats) -> Codes:
    """Say why each block is kept or not, by its probability."""
    is_linked = a.links[:, LINK_CHARACTERS] * 2 > a.counts.sum(1)
    reasons = np.where(is_linked, LINKS, np.where(words < LABEL_WORDS, SHORT, UNLIKE))
    reasons[kept] = np.where(keep[kept] > 0.5, KEPT, LIKELY)
    return reasons


def _score(kept: Flags, keep: Floats, threshold: float) -> Floats:
    """Move probabilities such that what is kept scores a half or more, and all else less."""
    below = keep / (2 * max(threshold, LEAST_SPAN))
    above = 1 - (1 - keep) / (2 * max(1 - threshold, LEAST_SPAN))
    scores = np.where(keep < threshold, below, above)
    return np.where(kept, np.maximum(scores, KEPT_SCORE), np.minimum(scores, DROPPED_SCORE))


def _mend(
    a: PageArrays,
    kept: Flags,
    reasons: Codes,
    keep: Floats,
    words: Floats,
    page_kinds: dict[str, float],
    found: Scores,
) -> None:
    """Change what no reader would leave so."""
    tags = a.tags[a.owners]
    headings = IS_HEADING[tags]
    if not found.habits.headlines:
        _drop_headline(a, kept, reasons, words, headings)
    likely = np.where(keep >= found.habits.filled, keep, 0)
    _fill_holes(a, kept, reasons, likely, tags, found.groups)
    _fill_headings(a, kept, reasons, likely, headings)
    _drop_lone_labels(a, kept, reasons, words)
    is_told = page_kinds["article"] > 0.5 or page_kinds["documentation"] > 0.5  # elsewhere headings are items
    if is_told and not found.habits.headlines:
        _drop_lone_headings(kept, reasons, headings)


def _drop_headline(a: PageArrays, kept: Flags, reasons: Codes, words: Floats, headings: Flags) -> None:
    """Drop the first heading that is in the title, if it is near the start."""
    row = find_headline(a, kept, words, headings)
    if row is not None:
        kept[row] = False
        reasons[row] = TITLE


def find_headline(a: PageArrays, kept: Flags, words: Floats, headings: Flags) -> int | None:
    """The row of the first kept heading that is in the title, if it is near the start of what is kept."""
    titles = np.flatnonzero(kept & headings & (a.title > TITLE_SHARE) & (words > 1))
    near = len(titles) and titles[0] <= np.flatnonzero(kept)[:HEADLINE_BLOCKS][-1]
    return int(titles[0]) if near else None


def _fill_holes(
    a: PageArrays, kept: Flags, reasons: Codes, keep: Floats, tags: NDArray[np.uint8], groups: NDArray[np.int64]
) -> None:
    """Keep what is alone between kept blocks of its own list, table or run of paragraphs, or like one of them."""
    parent = a.parents[a.owners]
    alone = ~kept[1:-1] & kept[:-2] & kept[2:] & (a.hidden[1:-1] == 0)
    listed = (parent[:-2] == parent[2:]) & (parent[1:-1] == parent[2:]) & IS_LISTED[tags[1:-1]]
    alike = (groups[1:-1] == groups[:-2]) | (groups[1:-1] == groups[2:])
    likely = (listed & (keep[1:-1] >= HOLE_CHANCE)) | (alike & (keep[1:-1] >= LIKE_CHANCE))
    holes = np.flatnonzero(alone & likely) + 1
    kept[holes] = True
    reasons[holes] = FILLED


def _fill_headings(a: PageArrays, kept: Flags, reasons: Codes, keep: Floats, headings: Flags) -> None:
    """Keep headings that have kept text right before and after them; other headings may stand between."""
    shown = a.hidden == 0
    texts = np.flatnonzero(shown & ~headings)
    rows = np.flatnonzero(shown & headings & ~kept & (keep >= HEADING_CHANCE) & (a.title <= TITLE_SHARE))
    after = np.searchsorted(texts, rows)
    inner = (after > 0) & (after < len(texts))
    rows, after = rows[inner], after[inner]
    between = rows[kept[texts[after - 1]] & kept[texts[after]]]
    kept[between] = True
    reasons[between] = FILLED


def _drop_lone_labels(a: PageArrays, kept: Flags, reasons: Codes, words: Floats) -> None:
    """Drop labels far from all text, unless there is nothing else."""
    n = len(kept)
    near = np.zeros(n + 2 * FAR_BLOCKS, np.int64)
    near[FAR_BLOCKS : FAR_BLOCKS + n] = kept
    around = np.convolve(near, np.ones(2 * FAR_BLOCKS + 1, np.int64), "valid")
    lone = kept & (words < LABEL_WORDS) & (a.sentences == 0) & (around == 1) & (kept.sum() > 1)
    kept[lone] = False
    reasons[lone] = LONE


def _drop_lone_headings(kept: Flags, reasons: Codes, headings: Flags) -> None:
    """Drop headings with nothing under them: no text is kept between them and a heading that is not, or the end."""
    rows = np.flatnonzero(kept & headings)
    if not len(rows):
        return
    n = len(kept)
    texts = np.flatnonzero(kept & ~headings)
    following = np.append(texts, n)[np.searchsorted(texts, rows)]
    stops = np.flatnonzero(headings & ~kept)
    stop = np.append(stops, n)[np.searchsorted(stops, rows)]
    empty = rows[following >= stop]
    kept[empty] = False
    reasons[empty] = HEADING


def _mark_others(a: PageArrays, kept: Flags, reasons: Codes, found: Scores, is_thread: bool) -> list[int]:
    """Say which of the blocks that are not kept are hidden, or comments; those that are seen are listed."""
    comment = ~kept & ((_round(found.comment) > 0.5) | _find_named_comments(a)) & (not is_thread)
    reasons[comment] = COMMENT
    hidden = a.hidden.astype(bool) & ~kept
    reasons[hidden] = HIDDEN
    return np.flatnonzero(comment & ~hidden).tolist()


def _find_named_comments(a: PageArrays) -> Flags:
    """The blocks that stand in something that its names say are comments."""
    known = _flag_comment_words()[a.words]
    if not known.any():
        return np.zeros(len(a.owners), bool)
    running = np.concatenate([[0], np.cumsum(known)])
    starts = np.append(0, a.word_stops[:-1])
    flags = np.append((running[a.word_stops] > running[starts])[a.keys], False)
    up = np.append(a.parents, np.int32(-1))
    while (up >= 0).any():
        flags |= flags[up]
        up = up[up]
    return flags[a.owners]


@cache
def _flag_comment_words() -> Flags:
    """Which of the known words say so."""
    numbers = read_word_numbers()
    flags = np.zeros(len(numbers), bool)
    flags[[numbers[word] for name in COMMENT_WORDS if (word := name.encode()) in numbers]] = True
    return flags
