"""The default: a small network, trained on labelled pages, that labels blocks (see models/ and docs/model.md)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.errors import BadConfig, BadInput
from bonmun.labels import Labels
from bonmun.methods.rules import Rules
from bonmun.methods.without_template import WithoutTemplate
from bonmun.models.arrays import count_page
from bonmun.models.decide import DROPPED_SCORE, FAVOURS, Decision, count_letters, decide
from bonmun.models.habits import is_for_host
from bonmun.models.network import Network, boxes_network, default_network, load_network
from bonmun.models.whole import number_units
from bonmun.options import check_kind
from bonmun.page import Page
from bonmun.sites.domains import find_host
from bonmun.sites.losses import choose_losses, explain_spared
from bonmun.text.words import WORD
from bonmun.work.array_files import UNREADABLE

if TYPE_CHECKING:
    from bonmun.models.page_arrays import Arrays
    from bonmun.models.whole import UnitRows
    from bonmun.sites.model import SiteModel
    from bonmun.sites.site import Verdicts

__all__ = ["Auto", "PageKind"]

# A page with more blocks is no page that anybody labelled, and rules take far less memory. Nor is a piece of HTML of
# fewer letters: a line or two.
MOST_BLOCKS = 30_000
LEAST_LETTERS = 100
REPEATED_LETTERS = 60  # nobody writes a paragraph of so many twice, unless the page is a thread, where it is a quote:
THREAD_CHANCE = 0.2
RUN_WORDS, SAID_SHARE = 4, 0.8  # a hidden text of which so many runs of so many words are shown is a copy
ANY_PAGE = "<div class=text><h1>A page</h1><p>What can be said of any page can be said of this one.</p></div>"
LEAST_CHANCE = 0.01  # of a kind of page that is worth a word


class PageKind(NamedTuple):
    """The kinds that the page may be of, and how likely each is; none: a page without main text."""

    kind: str
    chance: float


class Auto:
    """A network over blocks, with what a site model knows if there is one; another one for pages that have boxes."""

    def __init__(
        self, *, site: SiteModel | None = None, model: str | Path | Network | None = None, favour: str = "balanced"
    ) -> None:
        if favour not in FAVOURS:
            raise BadConfig(f"favour is one of {', '.join(FAVOURS)}, not {favour!r}.")
        self.site_model = site
        self.network = model if isinstance(model, Network) else _load_network(model) if model is not None else None
        self.favour = favour

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        if not 0 < len(page.starts) <= MOST_BLOCKS:
            return self._leave_to_rules(page)
        arrays = count_page(page)
        if count_letters(arrays).sum() < LEAST_LETTERS:
            return self._leave_to_rules(page)
        verdicts = self.site_model.judge(page) if self.site_model else None
        network = self.choose_network(page, has_boxes=arrays.boxes is not None)
        units = number_units(page)
        found = decide(arrays, network.scores(arrays), units, self.favour)
        _drop_repeats(page, arrays, found, units)
        _drop_hidden_copies(page, found)
        template = _drop_template(page, verdicts, found) if verdicts else frozenset()
        likely = {kind: chance for kind, chance in found.kinds if chance >= LEAST_CHANCE}
        return Labels(
            "auto",
            "block",
            found.scores.tolist(),
            found.kept.tolist(),
            found.reasons,
            network.confidence(found.expected),
            comments=frozenset(found.comments) - template,
            kind=found.kind,
            kinds=likely,
            evidence=[PageKind(kind, chance) for kind, chance in likely.items()],
            template=template,
        )

    def choose_network(self, page: Page, *, has_boxes: bool) -> Network:
        """The network that was given, unless it was taught for other sites than the page's; else the default."""
        given = self.network
        if given and not (given.hosts and (host := find_host(page.url)) and not is_for_host(given.hosts, host)):
            return given
        return boxes_network() if has_boxes else default_network()

    def _leave_to_rules(self, page: Page) -> Labels:
        rules = WithoutTemplate(Rules(), self.site_model, bounded=True) if self.site_model else Rules()
        return replace(rules.label(page), method="auto")


def _load_network(path: str | Path) -> Network:
    """Load a model file, and read it again only if it has changed."""
    check_kind("model", path, (str, Path), "the name of a file")
    changed = Path(path).stat().st_mtime_ns if Path(path).is_file() else 0
    return _read_network(str(path), changed)


@lru_cache(maxsize=4)
def _read_network(path: str, changed: int) -> Network:
    network = load_network(path)
    try:
        network.scores(count_page(Page.parse(ANY_PAGE)))  # it is seen here whether all its weights go together
    except UNREADABLE as exc:
        raise BadInput(f"{path!r} is no model of this version of bonmun: make one with `bonmun train`.") from exc
    return network


def _drop_repeats(page: Page, arrays: Arrays, found: Decision, units: UnitRows) -> None:
    """Drop the kept paragraphs that were kept before: some pages have their text twice.

    Units stay, code above all: a tutorial shows the same lines again where it goes on with them.
    """
    if dict(found.kinds)["forum"] > THREAD_CHANCE:
        return
    is_long = count_letters(arrays) >= REPEATED_LETTERS
    rows = np.flatnonzero(found.kept & (arrays.copies > 1) & is_long & (units.numbers < 0)).tolist()
    first: dict[str, int] = {}
    for row in rows:
        if first.setdefault(page.block_texts[row], row) != row:
            _drop_block(found, row, "said before")


def _drop_hidden_copies(page: Page, found: Decision) -> None:
    """Drop what is hidden and kept, if what is shown and kept says it, too: such as code that a button copies."""
    hidden = [row for row in np.flatnonzero(found.kept).tolist() if page.hidden_blocks[row]]
    if not hidden:
        return
    shown = [page.block_texts[row] for row in np.flatnonzero(found.kept).tolist() if not page.hidden_blocks[row]]
    said = _list_runs(" ".join(shown))
    for row in hidden:
        runs = _list_runs(page.block_texts[row])
        if len(runs & said) >= SAID_SHARE * len(runs):
            _drop_block(found, row, "hidden, and shown elsewhere")


def _list_runs(text: str) -> set[tuple[str, ...]]:
    """The runs of a few words in a text; all of it as one if it is shorter."""
    words = WORD.findall(text)
    return {tuple(words[at : at + RUN_WORDS]) for at in range(max(len(words) - RUN_WORDS + 1, 1))}


def _drop_template(page: Page, verdicts: Verdicts, found: Decision) -> frozenset[int]:
    """Drop what a site model is sure to know from other pages, unless too much would go; say which blocks that is.

    The network is right about most labels, whatever repeats: they need more evidence than blocks that it does not keep.
    """
    alone = {row: len(WORD.findall(page.block_texts[row])) for row in np.flatnonzero(found.kept).tolist()}
    lost = choose_losses(alone, verdicts)
    for row in alone:
        if verdicts.sure[row] and row not in lost:
            found.reasons[row] = explain_spared(verdicts, row)
    template = frozenset(row for row in verdicts.rows if row not in alone or row in lost)
    for row in template:
        _drop_block(found, row, verdicts.explain(row))
    return template


def _drop_block(found: Decision, row: int, reason: str) -> None:
    found.kept[row] = False
    found.scores[row] = min(found.scores[row], DROPPED_SCORE)
    found.reasons[row] = reason
