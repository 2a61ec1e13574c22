"""`sentence`: eleven ways to find the text of a news page by sentences, links and tree depth (paper 4).

Lee, Y.-G. (2009), "A Study on Extracting News Contents from News Web Pages", Journal of the Korean Society for
Information Management 26(1), 305-320.

Three observations: link text is rarely part of the article; an article consists of sentences; and its paragraphs are at
one depth of the tree. Each variant is a sequence of steps, and every step narrows down the remaining leaves:

    unlinked   leaves outside of links (M2)
    sentences  each leaf up to its last sentence mark (M3)
    nearest    the depth whose text is most similar to the title (M4): 3-grams, cosine of (1 + ln TF) · IDF
    fullest    the depth with the most sentences (MM)
    similar    the depths with any similarity to the title (the 4 of M34 and M324); all depths, if none has any
    strict     the same, but nothing if none has any

The last four consider only depths that have a sentence.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadConfig
from bonmun.labels import Labels
from bonmun.metadata import guess_title
from bonmun.text.grams import CorpusGrams, compare_vectors, load_standard_grams
from bonmun.text.sentences import find_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.page import Page

__all__ = ["STEPS", "VARIANTS", "Depth", "Sentence", "Wanted"]

FULL_CONFIDENCE_SENTENCES = 10  # fewer lower the confidence

VARIANTS: dict[str, tuple[str, ...]] = {
    "M1": (),
    "M2": ("unlinked",),
    "M3": ("sentences",),
    "M4": ("nearest",),
    "MM": ("sentences", "fullest"),
    "M34": ("sentences", "similar"),
    "M43": ("nearest", "sentences"),
    "M32": ("sentences", "unlinked"),
    "M42": ("unlinked", "nearest"),
    "M324": ("sentences", "unlinked", "similar"),
    "M423": ("unlinked", "nearest", "sentences"),
}


class Wanted(NamedTuple):
    """The title that depths are compared with."""

    title: str


class Depth(NamedTuple):
    """Depths: the leaves at each depth of the tree, when a step chose among the depths."""

    depth: int
    leaves: int
    sentences: int
    similarity: float | None  # to the title; None if the step does not use it, or the page has no title
    chosen: bool


class Sentence:
    """One of the paper's variants, or any other sequence of steps.

    Sentence("M324")                                   # with the page's own title, and the IDF that bonmun ships
    Sentence("M324", title="The text of the link that led to the page", corpus=CorpusGrams.count(pages))
    Sentence("mine", steps=("sentences", "fullest", "similar"))
    """

    def __init__(
        self,
        variant: str = "M324",
        title: str | None = None,
        corpus: CorpusGrams | None = None,
        steps: Sequence[str] | None = None,
    ) -> None:
        if steps is None and variant not in VARIANTS:
            raise BadConfig(f"Unknown variant {variant!r}: choose one of {', '.join(VARIANTS)}.")
        unknown = [step for step in steps or () if step not in STEPS]
        if unknown:
            raise BadConfig(f"Unknown step {unknown[0]!r}: choose among {', '.join(STEPS)}.")
        if title is not None and not title.strip():
            raise BadConfig("The title is empty: pass the text of the link that led to the page, or no title at all.")
        self.name = f"sentence:{variant}"
        self.title = title
        self.corpus = corpus
        self.steps = tuple(VARIANTS[variant] if steps is None else steps)

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        work = _LeafFilter(page, self)
        for step in self.steps:
            STEPS[step](work)
        return work.make_labels()


class _LeafFilter:
    """The remaining leaves of a page after each step, and the reasons for the others."""

    def __init__(self, page: Page, method: Sentence) -> None:
        self.page = page
        self.method = method
        self.left = page.shown
        self.reasons = ["hidden"] * len(page.texts)
        self.scores = [0.0] * len(page.texts)
        for leaf in self.left:
            self.reasons[leaf] = "text"
            self.scores[leaf] = 1.0
        self.only_sentences = False
        self.evidence: list[Wanted | Depth] = []
        self.counts, self.ends = find_sentences(page.texts)

    def keep(self, wanted: Callable[[int], bool], reason: str, instead: str) -> None:
        """Keep the wanted leaves with `reason`; drop the others with the reason `instead`."""
        left = []
        for leaf in self.left:
            if wanted(leaf):
                left.append(leaf)
                self.reasons[leaf] = reason
            else:
                self.reasons[leaf] = instead
                self.scores[leaf] = 0.0
        self.left = left

    def join_text(self, leaves: list[int]) -> str:
        """Return the remaining text of some leaves."""
        texts, ends = self.page.texts, self.ends
        return " ".join([texts[leaf][: ends[leaf]] if self.only_sentences else texts[leaf] for leaf in leaves])

    def count_sentences(self, leaves: list[int]) -> int:
        """Return the number of sentences in some leaves."""
        counts = self.counts
        return sum([counts[leaf] for leaf in leaves])

    def group_by_depth(self) -> dict[int, list[int]]:
        """Return the remaining leaves by depth, for depths that have a sentence."""
        found: dict[int, list[int]] = {}
        depths, elements = self.page.depths, self.page.leaf_elements
        for leaf in self.left:
            found.setdefault(depths[elements[leaf]], []).append(leaf)
        return {depth: leaves for depth, leaves in sorted(found.items()) if self.count_sentences(leaves)}

    def compare_depths(self, blocks: dict[int, list[int]]) -> dict[int, float] | None:
        """Return the similarity of each depth to the title; None if the page has no title."""
        title = self.method.title or guess_title(self.page)
        if not title:
            return None
        corpus = self.method.corpus or load_standard_grams()
        title = " ".join(title.split())
        self.evidence.append(Wanted(title))
        wanted = corpus.vector(title)
        return {
            depth: compare_vectors(wanted, corpus.vector(self.join_text(leaves))) for depth, leaves in blocks.items()
        }

    def choose(
        self,
        blocks: dict[int, list[int]],
        kept: set[int],
        similarities: dict[int, float] | None,
        reason: str,
        instead: str,
    ) -> None:
        """Keep the leaves at some depths, and record all depths as evidence."""
        self.evidence += [
            Depth(
                depth,
                len(leaves),
                self.count_sentences(leaves),
                similarities[depth] if similarities else None,
                depth in kept,
            )
            for depth, leaves in blocks.items()
        ]
        depths, elements = self.page.depths, self.page.leaf_elements
        instead = instead if blocks else "no sentence at any depth"
        scores = {depth: (similarities[depth] if similarities else depth in kept) for depth in blocks}
        left = []
        for leaf in self.left:
            depth = depths[elements[leaf]]
            score = scores.get(depth, 0.0)
            if depth in kept:
                left.append(leaf)
                self.reasons[leaf] = reason
                self.scores[leaf] = (1 + score) / 2
            else:
                self.reasons[leaf] = instead
                self.scores[leaf] = score / 2
        self.left = left

    def make_labels(self) -> Labels:
        """Return labels that keep the remaining leaves."""
        page = self.page
        kept = [False] * len(page.texts)
        cuts: dict[int, str] = {}
        for leaf in self.left:
            kept[leaf] = True
            if self.only_sentences and self.ends[leaf] < len(page.texts[leaf]):
                cuts[leaf] = _cut_after_sentences(page.raws[leaf]) if leaf in page.raws else self.join_text([leaf])
        found = self.count_sentences(self.left)
        # high for many sentences that are most of the page's; 0 for variants that do not look at sentences
        asked = bool(set(self.method.steps) - {"unlinked"})
        confidence = (
            min(1.0, found / FULL_CONFIDENCE_SENTENCES) * found / (self.count_sentences(page.shown) or 1)
            if asked
            else 0.0
        )
        return Labels(
            self.method.name, "leaf", self.scores, kept, self.reasons, confidence, cuts=cuts, evidence=self.evidence
        )


def _keep_unlinked(work: _LeafFilter) -> None:
    linked = work.page.linked_leaves
    reason = "sentences, not in a link" if work.only_sentences else "not in a link"
    work.keep(lambda leaf: not linked[leaf], reason, "in a link")


def _keep_sentences(work: _LeafFilter) -> None:
    work.only_sentences = True
    work.keep(lambda leaf: bool(work.counts[leaf]), "sentences", "no sentence")


def _keep_nearest_depth(work: _LeafFilter) -> None:
    blocks = work.group_by_depth()
    similarities = work.compare_depths(blocks)
    if not similarities:  # without a title, the most sentences are the best guess
        _keep_fullest_depth(work)
        return
    best = max(blocks, key=lambda depth: (similarities[depth], work.count_sentences(blocks[depth])))
    work.choose(blocks, {best}, similarities, "at the depth most like the title", "at another depth")


def _keep_fullest_depth(work: _LeafFilter) -> None:
    blocks = work.group_by_depth()
    best = max(blocks, key=lambda depth: work.count_sentences(blocks[depth]), default=-1)
    work.choose(blocks, {best}, None, "at the depth with most sentences", "at another depth")


def _keep_similar_depths(work: _LeafFilter, *, strict: bool = False) -> None:
    blocks = work.group_by_depth()
    similarities = work.compare_depths(blocks)
    if similarities is None:
        work.choose(blocks, set(blocks), None, "sentences; no title to compare with", "no sentence at its depth")
        return
    kept = {depth for depth in blocks if similarities[depth] > 0}
    if not kept and not strict:
        work.choose(
            blocks, set(blocks), similarities, "sentences; no depth is like the title", "no sentence at its depth"
        )
        return
    work.choose(blocks, kept, similarities, "at a depth like the title", "at a depth unlike the title")


STEPS: dict[str, Callable[[_LeafFilter], None]] = {
    "unlinked": _keep_unlinked,
    "sentences": _keep_sentences,
    "nearest": _keep_nearest_depth,
    "fullest": _keep_fullest_depth,
    "similar": _keep_similar_depths,
    "strict": partial(_keep_similar_depths, strict=True),
}


def _cut_after_sentences(raw: str) -> str:
    """Return the lines of a <pre> up to the last sentence mark."""
    return raw[: find_sentences([raw])[1][0]]
