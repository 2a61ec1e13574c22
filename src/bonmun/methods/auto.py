"""The default: a small network, trained on labelled pages, that labels blocks (see model/ and docs/model.md)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.errors import BadConfig
from bonmun.labels import Labels
from bonmun.methods.rules import Rules
from bonmun.methods.sited import Sited
from bonmun.models.arrays import arrays_of
from bonmun.models.decide import FAVOURS, Decision, decide, letters_of
from bonmun.models.network import Network, default_network, load_network

if TYPE_CHECKING:
    from bonmun.models.page_arrays import Arrays
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel

__all__ = ["Auto", "PageKind"]

LONG = 60  # letters: nobody writes so much twice, unless the page is this likely a thread
THREAD = 0.2
MANY = 30_000  # blocks: a longer page is no page that anybody labelled, and rules take far less memory
LEAST_CHANCE = 0.01  # of a kind of page that is worth a word
FEW, PLAIN = 400, 2000  # letters: less is a piece of HTML, no page; so is less without a class, id or script


def _loaded(path: str | Path) -> Network:
    """A model file, read again only if it has changed."""
    changed = Path(path).stat().st_mtime_ns if Path(path).is_file() else 0
    return _network(str(path), changed)


@lru_cache(maxsize=4)
def _network(path: str, changed: int) -> Network:
    return load_network(path)


def _repeats(page: Page, arrays: Arrays, found: Decision) -> list[int]:
    """The kept paragraphs that were kept before: some pages have their text twice; in a thread, it is a quote."""
    if dict(found.kinds)["forum"] > THREAD:
        return []
    rows = np.flatnonzero(found.kept & (arrays.copies > 1) & (letters_of(arrays) >= LONG)).tolist()
    first: dict[str, int] = {}
    return [row for row in rows if first.setdefault(page.block_texts[row], row) != row]


def _drop(found: Decision, row: int, reason: str) -> None:
    found.kept[row] = False
    found.scores[row] = min(found.scores[row], 0.4999)
    found.reasons[row] = reason


class PageKind(NamedTuple):
    """The kinds that the page may be of, and how likely each is; none: a page without main text."""

    kind: str
    chance: float


class Auto:
    """A network over blocks, with what a site model knows if there is one."""

    def __init__(
        self, *, site: SiteModel | None = None, model: str | Path | Network | None = None, favour: str = "balanced"
    ) -> None:
        if favour not in FAVOURS:
            raise BadConfig(f"favour is one of {', '.join(FAVOURS)}, not {favour!r}.")
        self.site = site
        self.network = model if isinstance(model, Network) else _loaded(model) if model is not None else None
        self.favour = favour

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        rules = Sited(Rules(), self.site) if self.site else Rules()
        if not 0 < len(page.starts) <= MANY:
            return replace(rules.label(page), method="auto")
        verdicts = self.site.judge(page) if self.site else None
        arrays = arrays_of(page)
        plain = len(arrays.word_stops) == 1 and not page.has_tag("script")
        if letters_of(arrays).sum() < (PLAIN if plain else FEW):
            return replace(rules.label(page), method="auto")
        if verdicts:
            arrays = replace(arrays, site=np.array([verdicts.shares, verdicts.repeated], np.float32).T)
        network = self.network or default_network()
        found = decide(arrays, network.scores(arrays), self.favour)
        for row in _repeats(page, arrays, found):
            _drop(found, row, "said before")
        if verdicts:
            for row in verdicts.rows:
                _drop(found, row, verdicts.reason(row))
        likely = {kind: chance for kind, chance in found.kinds if chance >= LEAST_CHANCE}
        return Labels(
            "auto",
            "block",
            found.scores.tolist(),
            found.kept.tolist(),
            found.reasons,
            network.confidence(found.expected),
            frozenset(found.comments).difference(verdicts.rows if verdicts else ()),
            found.kind,
            likely,
            evidence=[PageKind(kind, chance) for kind, chance in likely.items()],
            template=frozenset(verdicts.rows if verdicts else ()),
        )
