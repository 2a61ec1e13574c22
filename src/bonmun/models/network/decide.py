"""Decide from probabilities which blocks are kept, with reasons and an expected F1.

The kept set is the one with the highest expected F1 over words. Then obvious mistakes are fixed: a gap in a list, a
heading without text, a label far from all text, and the headline, which is the title and not repeated in the text.
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
    HEADING_WORDS,
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
    MEANT_CHANCE,
    NOTHING_CHANCE,
    PART,
    REASON_TEXTS,
    REPEATED_LETTERS,
    SHORT,
    SMALL_LETTERS,
    SMALL_NOTHING_CHANCE,
    SURE_CHANCE,
    SURELY_NOTHING_CHANCE,
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
from bonmun.models.network.whole_units import average_units, find_blocks_to_flip, find_enclosed_units

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
KIND_SHIFTS = np.array([LEANS.get(kind, 0.0) for kind in PAGE_KINDS])
REASONS = np.array(REASON_TEXTS, dtype=object)


def count_words(a: PageArrays) -> Floats:
    """Return about the number of words of each block; a Chinese character or Korean syllable is one, as in word F1."""
    counts = a.counts
    return (counts[:, BLANK] + counts[:, LINE] + 1 + counts[:, WIDE]).astype(np.float32)


def count_letters(a: PageArrays) -> Floats:
    """Return the number of letters of each block; a Chinese character or Korean syllable counts as 2.5."""
    return a.counts.astype(np.float32) @ WEIGHTS


def decide(a: PageArrays, found: Scores, units: UnitRows, favour: str = "balanced") -> Decision:
    """Choose the blocks to keep, fix the selection, and estimate its F1."""
    page_kinds = dict(zip(PAGE_KINDS, _round(found.kinds).tolist(), strict=True))
    is_thread = page_kinds["forum"] > THREAD_CHANCE
    words = count_words(a)
    likely = found.keep if is_thread else found.keep * (1 - found.comment)
    hidden = a.hidden.astype(bool)
    likely = average_units(_shift_logits(likely, float(found.kinds @ KIND_SHIFTS)), words, hidden, units)
    keep = _round(likely)  # the last bit of a sum may differ between machines, and must not matter
    row, expected = find_best_row(keep, words, FAVOURS[favour])
    sure = SURE_CHANCE[favour] if page_kinds["article"] > ARTICLE_CHANCE else None
    threshold = _find_threshold(keep, row, sure)
    kept = (keep >= threshold) & (keep > 0)  # also hidden blocks: scripts uncover many, and the network knows it
    reasons = _give_reasons(a, kept, keep, words)
    _fix_selection(a, kept, reasons, keep, words, page_kinds, found)
    between = find_enclosed_units(kept, words, hidden, units)
    kept[between] = True
    reasons[between] = FILLED
    torn = find_blocks_to_flip(kept, keep, words, hidden, units)
    reasons[torn] = np.where(kept[torn], PART, FILLED)
    kept[torn] ^= True
    comments = _mark_dropped(a, kept, reasons, found, is_thread)
    none, letters = page_kinds["none"], count_letters(a)
    total = letters[kept].sum()
    is_meant = _average(keep[kept], letters[kept]) >= MEANT_CHANCE
    chance = SURELY_NOTHING_CHANCE if is_meant and total >= LINE_LETTERS else _choose_empty_threshold(letters, kept)
    if none > chance or expected < HOPELESS_F1:
        reasons[kept] = EMPTY
        kept[:] = False
        expected *= 1 - none
    elif (none > UNSURE_CHANCE and not is_meant) or (none > DOUBT_CHANCE and total < DOUBT_LETTERS):
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


def _shift_logits(keep: Floats, by: float) -> Floats:
    """Shift probabilities by a number of logits."""
    moved = keep * np.float32(np.exp(by))
    return np.asarray(moved / (1 - keep + moved), np.float32)


def _round(chances: Floats) -> Floats:
    """Round to four decimals."""
    return np.asarray(chances.round(4), np.float32)


def _find_threshold(keep: Floats, row: int, sure: float | None) -> float:
    """Return the probability of the last kept block, but at least `sure`, unless no block reaches that."""
    return float(keep[row]) if sure is None else min(max(float(keep[row]), sure), float(keep.max()))


def _average(chances: Floats, letters: Floats) -> float:
    """Return the mean probability of letters; 0 for none."""
    weights = letters.astype(np.float64)
    return float((chances * weights).sum() / max(weights.sum(), 1.0))


def _choose_empty_threshold(letters: Floats, kept: Flags) -> float:
    """Return the probability of no main text above which the page is treated as empty."""
    if letters.sum() < SMALL_LETTERS:
        return SMALL_NOTHING_CHANCE
    return LINE_NOTHING_CHANCE if letters[kept].sum() < LINE_LETTERS else NOTHING_CHANCE


def find_best_row(p: Floats, words: Floats, beta: float) -> tuple[int, float]:
    """Return the block whose probability, as a threshold, gives the highest expected F-beta over words, and that F."""
    order = np.argsort(-p, kind="stable")
    right = np.cumsum((p * words)[order], dtype=np.float64)
    found = np.cumsum(words[order], dtype=np.float64)
    f = (1 + beta**2) * right / (found + beta**2 * right[-1] + TINY)
    best = int(f.argmax())
    return int(order[best]), float(f[best])


def _give_reasons(a: PageArrays, kept: Flags, keep: Floats, words: Floats) -> Codes:
    """Return the reason of each block, by its probability."""
    is_linked = a.links[:, LINK_CHARACTERS] * 2 > a.counts.sum(1)
    reasons = np.where(is_linked, LINKS, np.where(words < LABEL_WORDS, SHORT, UNLIKE))
    reasons[kept] = np.where(keep[kept] > 0.5, KEPT, LIKELY)
    return reasons


def _score(kept: Flags, keep: Floats, threshold: float) -> Floats:
    """Stretch probabilities so that kept blocks score at least a half, and all others less."""
    below = keep / (2 * max(threshold, LEAST_SPAN))
    above = 1 - (1 - keep) / (2 * max(1 - threshold, LEAST_SPAN))
    scores = np.where(keep < threshold, below, above)
    return np.where(kept, np.maximum(scores, KEPT_SCORE), np.minimum(scores, DROPPED_SCORE))


def _fix_selection(
    a: PageArrays,
    kept: Flags,
    reasons: Codes,
    keep: Floats,
    words: Floats,
    page_kinds: dict[str, float],
    found: Scores,
) -> None:
    """Fix obvious mistakes of the selection."""
    tags = a.tags[a.owners]
    headings = IS_HEADING[tags]
    if not found.habits.headlines:
        _drop_headline(a, kept, reasons, words, headings)
    likely = np.where(keep >= found.habits.filled, keep, 0)
    _fill_holes(a, kept, reasons, likely, tags, found.groups)
    _fill_headings(a, kept, reasons, likely, headings)
    _drop_lone_labels(a, kept, reasons, words)
    has_sections = page_kinds["article"] > 0.5 or page_kinds["documentation"] > 0.5  # on other pages headings are items
    if has_sections and not found.habits.headlines:
        _drop_lone_headings(kept, reasons, headings & (words <= HEADING_WORDS))


def _drop_headline(a: PageArrays, kept: Flags, reasons: Codes, words: Floats, headings: Flags) -> None:
    """Drop the first heading that is in the title, if it is near the start."""
    row = find_headline(a, kept, words, headings)
    if row is not None:
        kept[row] = False
        reasons[row] = TITLE


def find_headline(a: PageArrays, kept: Flags, words: Floats, headings: Flags) -> int | None:
    """Return the first kept heading that is in the title, if it is among the first kept blocks."""
    titles = np.flatnonzero(kept & headings & (a.title > TITLE_SHARE) & (words > 1))
    near = len(titles) and titles[0] <= np.flatnonzero(kept)[:HEADLINE_BLOCKS][-1]
    return int(titles[0]) if near else None


def _fill_holes(
    a: PageArrays, kept: Flags, reasons: Codes, keep: Floats, tags: NDArray[np.uint8], groups: NDArray[np.int64]
) -> None:
    """Keep single blocks between kept blocks of the same list, table or run of paragraphs, or with the same path."""
    parent = a.parents[a.owners]
    alone = ~kept[1:-1] & kept[:-2] & kept[2:] & (a.hidden[1:-1] == 0)
    listed = (parent[:-2] == parent[2:]) & (parent[1:-1] == parent[2:]) & IS_LISTED[tags[1:-1]]
    alike = (groups[1:-1] == groups[:-2]) | (groups[1:-1] == groups[2:])
    likely = (listed & (keep[1:-1] >= HOLE_CHANCE)) | (alike & (keep[1:-1] >= LIKE_CHANCE))
    holes = np.flatnonzero(alone & likely) + 1
    kept[holes] = True
    reasons[holes] = FILLED


def _fill_headings(a: PageArrays, kept: Flags, reasons: Codes, keep: Floats, headings: Flags) -> None:
    """Keep headings with kept text directly before and after them, ignoring other headings in between."""
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
    """Drop labels far from all text, unless nothing else is kept."""
    n = len(kept)
    near = np.zeros(n + 2 * FAR_BLOCKS, np.int64)
    near[FAR_BLOCKS : FAR_BLOCKS + n] = kept
    around = np.convolve(near, np.ones(2 * FAR_BLOCKS + 1, np.int64), "valid")
    lone = kept & (words < LABEL_WORDS) & (a.sentences == 0) & (around == 1) & (kept.sum() > 1)
    kept[lone] = False
    reasons[lone] = LONE


def _drop_lone_headings(kept: Flags, reasons: Codes, headings: Flags) -> None:
    """Drop headings without kept text before the next dropped heading or the end."""
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


def _mark_dropped(a: PageArrays, kept: Flags, reasons: Codes, found: Scores, is_thread: bool) -> list[int]:
    """Set the reasons of dropped blocks that are hidden or comments; return the comments that are shown."""
    comment = ~kept & ((_round(found.comment) > 0.5) | _find_named_comments(a)) & (not is_thread)
    reasons[comment] = COMMENT
    hidden = a.hidden.astype(bool) & ~kept
    reasons[hidden] = HIDDEN
    return np.flatnonzero(comment & ~hidden).tolist()


def _find_named_comments(a: PageArrays) -> Flags:
    """Return for each block whether an ancestor is named as comments."""
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
    """Return for each known word whether it names comments."""
    numbers = read_word_numbers()
    flags = np.zeros(len(numbers), bool)
    flags[[numbers[word] for name in COMMENT_WORDS if (word := name.encode()) in numbers]] = True
    return flags
