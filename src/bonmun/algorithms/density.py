"""`density`: word and link density of a leaf and its neighbours, the baseline of paper 1 (eq. 4-7).

Kim, J.-H. & Kim, E.-G. (2021), "HTML Text Extraction Using Frequency Analysis", after Kohlschütter, C., Fankhauser, P.
& Nejdl, W. (2010), "Boilerplate Detection using Shallow Text Features", WSDM. For leaf i on a page with N leaves:

    D_word         = WordCount / SentenceCount              (4)
    D_link         = LinkCount / WordCount                  (5)  LinkCount: words in links
    TextCount_mean = Σ TextCount / N                        (6)  TextCount: characters
    SentenceCount  = TextCount / TextCount_mean             (7)  because blogs omit full stops

Words are separated by spaces; in scripts without spaces, every two characters are a word. The paper gives no
thresholds. The rule is Kohlschütter's, over this leaf, the previous and the next one, with thresholds fitted by
scripts/fit/density.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.sizes import ARTICLE_SIZE
from bonmun.labels import Labels
from bonmun.text.scripts import COUNTED_SINGLY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["Densities", "Density", "Thresholds", "decide", "measure_densities"]

CHARACTER = re.compile(f"[{COUNTED_SINGLY}]")


class Densities(NamedTuple):
    """Densities: one row per leaf that is shown."""

    leaf: int
    words: int
    word_density: float  # D_word
    link_density: float  # D_link


class Thresholds(NamedTuple):
    """Thresholds for D_word in Kohlschütter's rule, which drops links and keeps dense leaves and their neighbours.

    For leaves D_link is 0 or 1, so his thresholds for it (1/3, 5/9) need no fit. scripts/fit/density.py fitted the
    thresholds for D_word to zero: by eq. 7 the length cancels out of D_word, which is then the same for a menu entry
    and a paragraph. What remains of the rule is that links are dropped.
    """

    this: float = 0.0  # keep a leaf that is denser than this,
    after: float = 0.0  # or whose next leaf is denser than this,
    before: float = 0.0  # or whose previous leaf is denser than this
    after_link: float = 0.0  # after a link, keep a leaf only if the next leaf is denser than this


class Density:
    """The baseline of paper 1."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self.thresholds = thresholds or Thresholds()

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        rows = measure_densities(page)
        inside = decide(rows, self.thresholds)
        scores = [0.0] * len(page.texts)
        kept = [False] * len(page.texts)
        reasons = ["hidden"] * len(page.texts)
        for row, keep in zip(rows, inside, strict=True):
            kept[row.leaf] = keep
            scores[row.leaf] = float(keep)
            reasons[row.leaf] = "in a link" if row.link_density else "dense, not in a link" if keep else "not dense"
        size = sum(len(page.texts[row.leaf]) for row, keep in zip(rows, inside, strict=True) if keep)
        total = sum(len(page.texts[row.leaf]) for row in rows if not row.link_density)
        confidence = min(1.0, size / ARTICLE_SIZE) * size / (total or 1)
        return Labels("density", "leaf", scores, kept, reasons, confidence, evidence=rows)


def measure_densities(page: Page) -> list[Densities]:
    """Return the densities of the leaves that are shown, in document order."""
    texts, linked = page.texts, page.linked_leaves
    mean = sum(len(texts[leaf]) for leaf in page.shown) / (len(page.shown) or 1)
    rows = []
    for leaf in page.shown:
        text = texts[leaf]
        words = text.count(" ") + 1
        if not text.isascii() and (alone := len(CHARACTER.findall(text))):
            words = len(CHARACTER.sub(" ", text).split()) + (alone + 1) // 2
        rows.append(Densities(leaf, words, words * mean / len(text), float(linked[leaf])))
    return rows


def decide(rows: Sequence[Densities], limits: Thresholds) -> list[bool]:
    """Return for each row whether to keep it; the first and last leaf are their own outer neighbours."""
    words = [row.word_density for row in rows]
    words = [*words[:1], *words, *words[-1:]]
    links = [0.0, *(row.link_density for row in rows)]
    inside = []
    for i in range(1, len(rows) + 1):
        last, this, after = words[i - 1 : i + 2]
        if links[i]:
            inside.append(False)
        elif links[i - 1]:
            inside.append(after > limits.after_link)
        elif this > limits.this:
            inside.append(True)
        else:
            inside.append(after > limits.after or last > limits.before)
    return inside
