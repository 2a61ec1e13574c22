"""The default method: a small network, trained on labelled pages, that labels blocks (docs/explanation/model.md)."""

from __future__ import annotations

import reprlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.completion import complete_text
from bonmun.algorithms.repeats import REPEATED, drop_hidden_copies, drop_repeats
from bonmun.algorithms.threads import FORUM, read_board
from bonmun.algorithms.without_template import WithoutTemplate
from bonmun.errors import BadConfig, BadInput
from bonmun.kernel import accelerated
from bonmun.labels import Labels
from bonmun.models.network.habits import is_for_host
from bonmun.models.network.thresholds import ARTICLE_CHANCE, DROPPED_SCORE, FAVOURS
from bonmun.page import Page
from bonmun.page.controls import find_trailing_controls
from bonmun.page.item_extras import find_extras
from bonmun.page.screen_copies import find_screen_copies
from bonmun.sites.domains import find_host
from bonmun.sites.losses import choose_losses, explain_spared
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from bonmun.models.network.labeller import Network
    from bonmun.models.network.thresholds import Decision
    from bonmun.sites.model import SiteModel
    from bonmun.sites.site import Verdicts

__all__ = ["Auto", "PageKind"]

# The training data has no page with more blocks or fewer letters. Such pages fall back to rules, which also need far
# less memory.
MAX_BLOCKS = 30_000
MIN_LETTERS = 100
SAMPLE_PAGE = "<div class=text><h1>A page</h1><p>What can be said of any page can be said of this one.</p></div>"
MIN_PROBABILITY = 0.01  # of a page kind; less likely kinds are not reported
MIN_SURE_CONFIDENCE = 0.7  # of an article on which the network outweighs a site model; as in learn/studied.py


class PageKind(NamedTuple):
    """Page kinds and the probability of each; none: a page without main text."""

    kind: str
    chance: float


class Auto:
    """A network over blocks, combined with a site model if given. Rendered pages use another network.

    The compiled form needs no numpy, which is slow to import, so this module imports it only when necessary.
    """

    def __init__(
        self,
        *,
        site_model: SiteModel | None = None,
        model: str | Path | Network | None = None,
        favour: str = "balanced",
    ) -> None:
        if favour not in FAVOURS:
            raise BadConfig(f"favour must be one of {', '.join(FAVOURS)}, not {favour!r}.")
        self.site_model = site_model
        self.network: Network | None = _load_network(model)
        self.favour = favour

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        judged = self._judge(page) if 0 < len(page.starts) <= MAX_BLOCKS else None
        if judged is None:
            return self._label_with_rules(page)
        found, confidence = judged
        verdicts = self.site_model.judge(page) if self.site_model else None
        drop_repeats(page, found)
        drop_hidden_copies(page, found)
        is_doubtful = confidence < MIN_SURE_CONFIDENCE and dict(found.kinds)["article"] > ARTICLE_CHANCE
        template = _drop_template(page, verdicts, found, is_doubtful=is_doubtful) if verdicts else frozenset()
        board = read_board(page, found)
        if board:
            found = found._replace(kind=FORUM, kinds=board.kinds)
        posts = board.posts if board else ()
        given = self.find_custom_network(page)
        complete_text(page, found, template, posts, keeps_headline=bool(given and given.habits.headlines))
        for row in find_screen_copies(page, found.kept):
            _drop_block(found, row, REPEATED)
        likely = {kind: chance for kind, chance in found.kinds if chance >= MIN_PROBABILITY}
        return Labels(
            "auto",
            "block",
            found.scores,
            found.kept,
            found.reasons,
            confidence,
            comments=frozenset(row for row in found.comments if not found.kept[row]) - template,
            kind=found.kind,
            kinds=likely,
            evidence=[PageKind(kind, chance) for kind, chance in likely.items()],
            template=template,
            left_out=find_trailing_controls(page, found.kept) | find_extras(page, found.kept),
            posts=posts,
        )

    def _judge(self, page: Page) -> tuple[Decision, float] | None:
        """Return the decision on the blocks and its confidence; None for a page with few letters."""
        given = self.find_custom_network(page)
        if accelerated and page.boxes is None:
            from bonmun.models.network.compiled import judge_compiled

            return judge_compiled(page, given, self.favour, MIN_LETTERS)
        from bonmun.models.network.reference import judge_page

        return judge_page(page, given, self.favour, MIN_LETTERS)

    def find_custom_network(self, page: Page) -> Network | None:
        """Return the network that was given, unless it was fine-tuned for other sites than the page's."""
        given = self.network
        if given and not (given.hosts and (host := find_host(page.url)) and not is_for_host(given.hosts, host)):
            return given
        return None

    def _label_with_rules(self, page: Page) -> Labels:
        from bonmun.algorithms.rules import Rules  # imported here: rarely used, and it loads the metadata package

        rules = WithoutTemplate(Rules(), self.site_model, bounded=True) if self.site_model else Rules()
        return replace(rules.label(page), method="auto")


def _load_network(model: str | Path | Network | None) -> Network | None:
    """Load the network of a model file, reading it again only if it has changed; return a network or None as it is."""
    if isinstance(model, (str, Path)):
        changed = Path(model).stat().st_mtime_ns if Path(model).is_file() else 0
        return _read_network(str(model), changed)
    if model is not None and not hasattr(model, "scores"):
        raise BadConfig(f"model must be the path of a file, not {reprlib.repr(model)}.")
    return model


@lru_cache(maxsize=4)
def _read_network(path: str, changed: int) -> Network:
    from bonmun.models.network.labeller import load_network
    from bonmun.models.network.reference import judge_page
    from bonmun.work.array_files import READ_ERRORS

    network = load_network(path)
    try:
        judge_page(Page.parse(SAMPLE_PAGE), network, "balanced", 0)  # check that the shapes of all weights match
    except READ_ERRORS as exc:
        raise BadInput(f"{path!r} is not a model for this version of bonmun: make one with `bonmun train`.") from exc
    return network


def _drop_template(page: Page, verdicts: Verdicts, found: Decision, *, is_doubtful: bool) -> frozenset[int]:
    """Drop blocks that are surely template, unless the page would lose too much; return the template blocks.

    The network is mostly right, so blocks that it keeps need more evidence than those that it drops. On an article
    that it is unsure of, they need no more.
    """
    alone = {row: len(WORD.findall(page.block_texts[row])) for row, kept in enumerate(found.kept) if kept}
    lost = choose_losses(alone, verdicts, is_doubtful=is_doubtful)
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
