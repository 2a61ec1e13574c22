"""Jobs of the inspector's child processes for the open pages of a site: their counts, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.lab.annotate.page_sources import parse_source
from bonmun.learn.survey import NamedPage, PageDigest, digest_page
from bonmun.options import Options
from bonmun.pipeline import extract
from bonmun.sites.key_arrays import look_up
from bonmun.sites.keys import LeafCount, Normalisation, count_leaves, hash_texts
from bonmun.text.readable import cut_text, make_readable
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.page import Page
    from bonmun.rules.rule_set import RuleSet
    from bonmun.sites.key_arrays import CountArray, KeyArray
    from bonmun.sites.model import SiteModel

__all__ = ["CountedPage", "JudgedPage", "JudgedText", "SiteEvidence", "count_page", "describe_blocks", "judge_page"]

MAX_PAGE_LEAVES = 30_000  # of a page that is counted
MAX_TITLE_CHARS = 200
MAX_TEXT_CHARS = 300  # of a text that repeats
NORMAL = Normalisation()


@dataclass(frozen=True, slots=True, eq=False)
class SiteEvidence:
    """What the open pages of a site say about each of them: the site model, and the pages that have each text."""

    name: str
    pages: int  # that were counted
    model: SiteModel
    texts: KeyArray  # that are on more than one page; ascending
    counts: CountArray


class CountedPage(NamedTuple):
    """A page for the layouts of its site, and the counts of its texts; none of a huge page."""

    digest: PageDigest
    known: int  # key of the whole text
    leaves: list[LeafCount]  # without their strings


class JudgedText(NamedTuple):
    """A text on a page, and whether the answer has it."""

    key: int
    text: str
    is_kept: bool


class JudgedPage(NamedTuple):
    """The answer of the default method for a page, in a few figures."""

    title: str
    kind: str
    confidence: float
    words: int
    texts: list[JudgedText]  # those that were asked for


def count_page(source: PageSource) -> CountedPage:
    """Return what a site needs of a page."""
    page = parse_source(source)
    digest = digest_page(NamedPage(source.name, page))
    if digest.skeleton is None or len(page.texts) > MAX_PAGE_LEAVES:
        return CountedPage(digest._replace(skeleton=None), 0, [])
    known, leaves = count_leaves(page, NORMAL)
    return CountedPage(digest, known, [leaf._replace(string="") for leaf in leaves])


def judge_page(
    source: PageSource,
    model: str | None = None,
    rules: RuleSet | None = None,
    site_model: SiteModel | None = None,
    texts: KeyArray | None = None,
) -> JudgedPage:
    """Extract a page with the site model of its site; `texts`, ascending, are those whose fate is wanted."""
    page = parse_source(source)
    doc = extract(page, options=Options(model=model, rules=rules, site_model=site_model))
    title = cut_text(make_readable(doc.title or page.head_title), MAX_TITLE_CHARS)
    kept = {leaf for block in doc.blocks for leaf in block.leaves}
    found: dict[int, JudgedText] = {}
    if texts is not None and len(texts):
        keys = np.array(hash_texts(page, NORMAL), np.uint64)
        for leaf in np.flatnonzero(np.isin(keys, texts)).tolist():
            key = int(keys[leaf])
            before = found.get(key)
            is_kept = leaf in kept or (before is not None and before.is_kept)
            found[key] = JudgedText(key, cut_text(page.texts[leaf], MAX_TEXT_CHARS), is_kept)
    words = len(WORD.findall(doc.text))
    return JudgedPage(title, doc.kind, round(doc.confidence, 4), words, list(found.values()))


def describe_blocks(page: Page, evidence: SiteEvidence) -> dict[str, Any]:
    """Return on how many pages of the site the text of each block is: that of its longest leaf."""
    if not page.starts:
        return {"name": evidence.name, "pages": evidence.pages, "counts": []}
    keys = np.array(hash_texts(page, NORMAL), np.uint64)
    counts = np.maximum(look_up(keys, evidence.texts, evidence.counts), 1)
    sizes = np.array([len(text) for text in page.texts], np.int64)
    blocks = np.repeat(np.arange(len(page.starts)), np.subtract(page.stops, page.starts))
    order = np.lexsort((sizes, blocks))
    longest = order[np.array(page.stops) - 1]
    return {"name": evidence.name, "pages": evidence.pages, "counts": counts[longest].tolist()}
