"""Probabilities in, a decision out: which blocks are kept, why, and how sure that is.

The kept set is the one with the highest expected F1 over words, given the probabilities; then what no reader would
leave so is mended: a hole in a list, a heading with nothing under it, a lone label far from all text, the headline,
which is the title and not repeated in the text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.arrays import word_numbers
from bonmun.models.features import TAGS, WEIGHTS
from bonmun.models.network import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features import Arrays
    from bonmun.models.network import Scores

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]

__all__ = ["FAVOURS", "Decision", "decide", "letters_of", "words_of"]

FAVOURS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  # how many times as much recall counts as precision
# Chosen on cross-validated predictions, see docs/model.md.
ARTICLE = 0.6  # on a page that is so likely an article, a block must be this likely main text:
SURE = {"precision": 0.9, "balanced": 0.74, "recall": 0.0}
NOTHING, UNSURE = 0.8, 0.6  # a page that is so likely without main text has none, or none that is sure
HOPELESS = 0.2  # so does one whose best blocks promise a lower F1
DOUBT, LITTLE, SMALL = 0.05, 350, 0.25  # one that is so likely without, and has so few letters, is no sure answer
THREAD = 0.75  # a page that is so likely a thread has posts, not comments
KIND = 0.7  # what kind of page it is, is only said where it is so likely; else the page's own word counts
HOLE = 0.2  # a block between two kept ones of its own list must be this likely main text to be kept with them
LABEL = 4  # words: a block of fewer, without a sentence in it, is a label
FAR = 3  # blocks: a label with no kept block this near is alone
HEADINGS = np.array([tag in ("h1", "h2", "h3", "h4", "h5", "h6") for tag in ("", *TAGS)])  # by number of the tag
LISTED = np.array([tag in ("p", "li", "dd", "dt", "td", "th") for tag in ("", *TAGS)])

KEPT, LIKELY, HIDDEN, COMMENT, TITLE, LONE, HEADING, EMPTY, LINKS, SHORT, UNLIKE, FILLED = range(12)
REASONS = np.array(
    [
        "like main text",
        "rather main text than not",
        "hidden",
        "comment",
        "the title",
        "a label far from all text",
        "a heading without text",
        "a page without main text",
        "mostly links, not like main text",
        "short, not like main text",
        "not like main text",
        "between main text",
    ],
    dtype=object,
)


class Decision(NamedTuple):
    """What becomes of the blocks of a page."""

    kept: Flags
    scores: Floats
    reasons: list[str]
    comments: list[int]
    kind: str | None
    kinds: list[tuple[str, float]]  # all of them, the likeliest first
    expected: float  # F1, as the probabilities have it


def words_of(a: Arrays) -> Floats:
    """About the number of words of each block; a Chinese character or Korean syllable is one, as the measure has it."""
    counts = a.counts
    return (counts[:, 4] + counts[:, 11] + 1 + counts[:, 2]).astype(np.float32)


def letters_of(a: Arrays) -> Floats:
    """How much each block says, in letters; a Chinese character or Korean syllable as much as 2.5."""
    return a.counts.astype(np.float32) @ WEIGHTS


def decide(a: Arrays, found: Scores, favour: str = "balanced") -> Decision:
    """Choose blocks."""
    kinds = dict(zip(KINDS, found.kinds.tolist(), strict=True))
    thread = kinds["forum"] > THREAD
    words = words_of(a)
    keep = found.keep if thread else found.keep * (1 - found.comment)
    threshold, expected = best_threshold(keep, words, FAVOURS[favour])
    if kinds["article"] > ARTICLE:
        threshold = min(max(threshold, SURE[favour]), float(keep.max()))
    reasons = np.where(a.links[:, 0] * 2 > a.counts.sum(1), LINKS, np.where(words < LABEL, SHORT, UNLIKE))
    kept = (keep >= threshold) & (
        keep > 0
    )  # what is hidden, too: scripts uncover much, and the network knows that it is
    reasons[kept] = np.where(keep[kept] > 0.5, KEPT, LIKELY)
    tags = a.tags[a.owners]
    headings = HEADINGS[tags]
    _mend(a, kept, reasons, keep, words, tags, headings)
    if kinds["article"] > 0.5 or kinds["documentation"] > 0.5:  # elsewhere headings are items
        _drop_lone_headings(kept, reasons, headings)
    comment = ~kept & ((found.comment > 0.5) | _named_comments(a)) & (not thread)
    reasons[comment] = COMMENT
    hidden = a.hidden.astype(bool) & ~kept
    reasons[hidden] = HIDDEN
    kind = max(kinds, key=lambda name: kinds[name])
    if kinds[kind] < KIND:
        kind = "none"
    none = kinds["none"]
    if none > NOTHING or expected < HOPELESS:
        reasons[kept] = EMPTY
        kept[:] = False
        expected *= 1 - none
    elif none > UNSURE or (none > DOUBT and letters_of(a)[kept].sum() < LITTLE):
        expected = min(expected, SMALL)
    # so that what is kept scores a half or more, and all else less
    scores = np.where(
        keep < threshold, keep / (2 * max(threshold, 1e-6)), 1 - (1 - keep) / (2 * max(1 - threshold, 1e-6))
    )
    scores = np.where(kept, np.maximum(scores, 0.5), np.minimum(scores, 0.4999))
    return Decision(
        kept,
        scores,
        REASONS[reasons].tolist(),
        np.flatnonzero(comment & ~hidden).tolist(),
        None if kind == "none" else kind,
        sorted(kinds.items(), key=lambda each: -each[1]),
        expected,
    )


def _named_comments(a: Arrays) -> Flags:
    """The blocks that stand in something that its names say are comments."""
    known = _comment_words()[a.words]
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
def _comment_words() -> Flags:
    """Which of the known words say so."""
    numbers = word_numbers()
    flags = np.zeros(len(numbers), bool)
    flags[[numbers[word] for word in COMMENT_WORDS if word in numbers]] = True
    return flags


COMMENT_WORDS = b"comment comments commentlist disqus respond replies livere cmt".split()


def best_threshold(p: Floats, words: Floats, beta: float) -> tuple[float, float]:
    """The probability down to which keeping blocks gives the highest expected F-beta over words, and that."""
    order = np.argsort(-p, kind="stable")
    right = np.cumsum((p * words)[order], dtype=np.float64)
    found = np.cumsum(words[order], dtype=np.float64)
    f = (1 + beta**2) * right / (found + beta**2 * right[-1] + 1e-6)
    best = int(f.argmax())
    return float(p[order[best]]), float(f[best])


def _mend(
    a: Arrays,
    kept: Flags,
    reasons: NDArray[np.int64],
    keep: Floats,
    words: Floats,
    tags: NDArray[np.uint8],
    headings: Flags,
) -> None:
    """Change what no reader would leave so."""
    n = len(kept)
    # the headline: the first heading that is in the title
    titles = np.flatnonzero(kept & headings & (a.title > 0.9) & (words > 1))
    if len(titles) and titles[0] <= np.flatnonzero(kept)[:3][-1]:
        kept[titles[0]] = False
        reasons[titles[0]] = TITLE
    # holes in lists, tables and runs of paragraphs
    parent = a.parents[a.owners]
    inner = ~kept[1:-1] & kept[:-2] & kept[2:] & (keep[1:-1] >= HOLE) & (parent[:-2] == parent[2:])
    inner &= (parent[1:-1] == parent[2:]) & LISTED[tags[1:-1]] & (a.hidden[1:-1] == 0)
    holes = np.flatnonzero(inner) + 1
    kept[holes] = True
    reasons[holes] = FILLED
    # labels far from all text
    near = np.zeros(n + 2 * FAR, np.int64)
    near[FAR : FAR + n] = kept
    around = np.convolve(near, np.ones(2 * FAR + 1, np.int64), "valid")
    lone = kept & (words < LABEL) & (a.sentences == 0) & (around == 1) & (kept.sum() > 1)
    kept[lone] = False
    reasons[lone] = LONE


def _drop_lone_headings(kept: Flags, reasons: NDArray[np.int64], headings: Flags) -> None:
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
