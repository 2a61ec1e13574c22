"""Tables of candidates in, a ranker out: small networks that weigh the signs for and against each. Needs torch.

The candidates of a page compete with each other and, for some facts, with "none of them".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from bonmun.metadata.ranking import Ranker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

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
    tables = pad_sequence([torch.from_numpy(contest.table) for contest in contests], batch_first=True)
    rights = pad_sequence([torch.from_numpy(contest.right) for contest in contests], batch_first=True)
    sizes = torch.tensor([len(contest.right) for contest in contests])
    missing = torch.arange(rights.shape[1]) >= sizes[:, None]  # where a page has fewer candidates than others
    first = (torch.randn(NETWORKS, len(signs), HIDDEN) / len(signs) ** 0.5).requires_grad_()
    bias = torch.zeros(NETWORKS, 1, HIDDEN, requires_grad=True)
    second = (torch.randn(NETWORKS, HIDDEN, 1) / HIDDEN**0.5).requires_grad_()
    nothing = torch.full((NETWORKS, 1, 1), 0.0 if none else NEVER, requires_grad=none)
    optimiser = torch.optim.AdamW([first, bias, second, nothing], lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, EPOCHS * -(-len(contests) // BATCH))
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(contests)).split(BATCH):
            width = int(sizes[batch].max())
            table = functional.dropout(tables[batch, : width - 1], DROP)  # (B, C, S)
            hidden = torch.tanh(table.flatten(0, 1) @ first + bias)  # (N, B * C, H)
            scores = (hidden @ second).view(NETWORKS, len(batch), width - 1)
            scores = torch.cat([nothing.expand(-1, len(batch), 1), scores], 2)
            all_of_them = scores.masked_fill(missing[batch, :width], NEVER).logsumexp(2)
            right_ones = scores.masked_fill(~rights[batch, :width], NEVER).logsumexp(2)
            optimiser.zero_grad()
            (all_of_them - right_ones).sum(0).mean().backward()
            optimiser.step()
            schedule.step()
    with torch.no_grad():  # side by side, they are one network that says their mean
        wide = first.permute(1, 0, 2).reshape(len(signs), -1)
        weights = [each.tolist() for each in (wide, bias.flatten(), second.flatten() / NETWORKS)]
    return Ranker(dict(signs), weights[0], weights[1], weights[2], nothing.mean().item() - ready)
