"""Make samples from labelled pages for the networks over leaves (methods `sequence` and `web2text`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bonmun.errors import BonmunError
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.lab.train.samples.leaf_sample_files import MIN_SITES, LeafSample, LeafSamples, choose_names, renumber
from bonmun.models.baselines.collapsed_tree import collapse
from bonmun.models.baselines.leaf_bags import fill_bags
from bonmun.page import Page
from bonmun.text.words import WORD, count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.lab.gold.examples import Example

__all__ = ["COVERED", "make_leaf_sample", "make_leaf_samples"]

COVERED = 0.8  # minimum share of the gold on the page; with less, the two disagree
LABEL = 12  # characters; a shorter text that occurs twice on a page is a label, not a copy
KEPT_WORDS, KEPT_TAGS = 4000, 200  # vocabulary that networks choose from


def make_leaf_samples(examples: Iterable[tuple[str, Example]], least_sites: int = MIN_SITES) -> LeafSamples:
    """Make the samples of examples, each with the name of its set; words and tags that few sites use become unknown."""
    words: dict[str, int] = {}
    tags: dict[str, int] = {}
    pages = list(_make_pages(examples, words, tags))
    seen = [page for page in pages if page.part == "train"]
    known_words = choose_names([page.bags.words for page in seen], seen, list(words), KEPT_WORDS, least_sites)
    known_tags = choose_names([page.bags.tags for page in seen], seen, list(tags), KEPT_TAGS, least_sites)
    new_words, new_tags = _number(words, known_words), _number(tags, known_tags)
    return LeafSamples(
        known_words,
        known_tags,
        [
            replace(
                page,
                bags=replace(
                    page.bags,
                    words=renumber(page.bags.words, new_words),
                    tags=renumber(page.bags.tags, new_tags),
                ),
            )
            for page in pages
        ],
    )


def _make_pages(
    examples: Iterable[tuple[str, Example]], words: dict[str, int], tags: dict[str, int]
) -> Iterator[LeafSample]:
    for source, example in examples:
        if example.text is not None and (example.cov is None or example.cov >= COVERED):
            try:
                sample = make_leaf_sample(example, source, words, tags)
            except BonmunError:
                continue
            if len(sample.labels):
                yield sample


def make_leaf_sample(example: Example, source: str, words: dict[str, int], tags: dict[str, int]) -> LeafSample:
    """Make the sample of a page; new words and tags get the next number."""
    page = Page.parse(example.html, example.url)
    for leaf in page.shown:
        for word in WORD.findall(page.texts[leaf].lower()):
            words.setdefault(word, len(words) + 1)
    for tag in page.tags:
        tags.setdefault(tag, len(tags) + 1)
    gold = example.text or ""
    inside = align(page, gold).leaves
    kept = {text for text, keep in zip(page.texts, inside, strict=True) if keep and len(text) > LABEL}
    site = find_site(example)
    return LeafSample(
        fill_bags(page, tags, words),
        collapse(page),
        np.array([1 if inside[leaf] else -(page.texts[leaf] in kept) for leaf in page.shown], np.int8),
        np.array([len(WORD.findall(page.texts[leaf])) for leaf in page.shown], np.int32),
        count_words(gold).total(),
        source,
        site,
        example.lang,
        find_part(site),
        example.id,
    )


def _number(names: dict[str, int], known: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the new number of each old number."""
    numbers = np.zeros(len(names) + 1, np.int32)
    for new, name in enumerate(known, 1):
        numbers[names[name]] = new
    return numbers
