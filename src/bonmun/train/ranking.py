"""Tables of candidates in, a ranker out: small networks that weigh the signs for and against each. Needs torch.

The candidates of a page compete with each other and, for some facts, with "none of them".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.nn import functional

from bonmun.metadata.ranking import Ranker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

__all__ = ["Contest", "fit_ranker"]

NETWORKS = 4  # whose mean counts
HIDDEN = 8  # numbers in the hidden layer of each
EPOCHS = 25  # how often every page is shown
BATCH = 64  # pages
RATE = 1e-2  # the highest learning rate
DECAY = 1e-2  # of the weights
DROP = 0.2  # the share of the signs that is left out
NEVER = -1e9  # the score of "none of them" where there always is one


class Contest(NamedTuple):
    """The candidates of one page."""

    table: NDArray[np.float32]  # (candidates, signs)
    right: NDArray[np.bool_]  # (1 + candidates,) first whether "none of them" is right, then each


def fit_ranker(contests: Sequence[Contest], signs: Mapping[str, int], *, none: bool, ready: float) -> Ranker:
    """Train on pages of which each has something that is right; the same pages give the same weights.

    `none` says whether "none of them" competes, and `ready` how much less it counts than it is likely.
    """
    torch.manual_seed(0)
    tables = [torch.from_numpy(contest.table) for contest in contests]
    rights = [torch.from_numpy(contest.right) for contest in contests]
    first = (torch.randn(NETWORKS, len(signs), HIDDEN) / len(signs) ** 0.5).requires_grad_()
    bias = torch.zeros(NETWORKS, 1, HIDDEN, requires_grad=True)
    second = (torch.randn(NETWORKS, HIDDEN, 1) / HIDDEN**0.5).requires_grad_()
    nothing = torch.full((NETWORKS, 1), 0.0 if none else NEVER, requires_grad=none)
    optimiser = torch.optim.AdamW([first, bias, second, nothing], lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, EPOCHS * -(-len(contests) // BATCH))
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(contests)).split(BATCH):
            rows = batch.tolist()
            table = torch.cat([tables[row] for row in rows]).expand(NETWORKS, -1, -1)
            hidden = torch.tanh(functional.dropout(table, DROP) @ first + bias)
            scores = (hidden @ second)[:, :, 0].split([len(tables[row]) for row in rows], 1)
            losses = [_compute_loss(nothing, part, rights[row]) for row, part in zip(rows, scores, strict=True)]
            optimiser.zero_grad()
            torch.stack(losses).mean().backward()
            optimiser.step()
            schedule.step()
    with torch.no_grad():  # side by side, they are one network that says their mean
        wide = first.permute(1, 0, 2).reshape(len(signs), -1)
        weights = [each.numpy().copy() for each in (wide, bias.flatten(), second.flatten() / NETWORKS)]
    return Ranker(dict(signs), weights[0], weights[1], weights[2], nothing.mean().item() - ready)


def _compute_loss(nothing: Tensor, scores: Tensor, right: Tensor) -> Tensor:
    """How unlikely each network finds what is right on a page, added up."""
    chances = torch.log_softmax(torch.cat([nothing, scores], 1), 1)
    return -torch.logsumexp(chances[:, right], 1).sum()
