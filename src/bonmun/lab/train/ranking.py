"""Train rankers of metadata candidates: small networks over the features of each candidate. Needs torch.

The candidates of a page compete with each other and, for some fields, with "none of them".
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

NETWORKS = 4  # averaged
HIDDEN = 8  # size of the hidden layer of each
EPOCHS = 25  # passes over all pages
BATCH = 64  # pages
RATE = 1e-2  # maximum learning rate
DECAY = 1e-2  # weight decay
DROP = 0.2  # dropout of features
NEVER = -1e9  # score of "none of them" where one candidate is always right


class Contest(NamedTuple):
    """The candidates of one page and which of them are right."""

    table: NDArray[np.float32]  # (candidates, features)
    right: NDArray[np.bool_]  # (1 + candidates,): "none of them" first, then each candidate


def fit_ranker(contests: Sequence[Contest], features: Mapping[str, int], *, none: bool, none_penalty: float) -> Ranker:
    """Train a ranker; every page must have a right answer. The same pages give the same weights.

    `none` says whether "none of them" competes, and `none_penalty` how far its score is lowered afterwards.
    """
    torch.manual_seed(0)
    tables = pad_sequence([torch.from_numpy(contest.table) for contest in contests], batch_first=True)
    rights = pad_sequence([torch.from_numpy(contest.right) for contest in contests], batch_first=True)
    sizes = torch.tensor([len(contest.right) for contest in contests])
    missing = torch.arange(rights.shape[1]) >= sizes[:, None]  # padding of pages with fewer candidates
    first = (torch.randn(NETWORKS, len(features), HIDDEN) / len(features) ** 0.5).requires_grad_()
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
    with torch.no_grad():  # side by side, the networks form one network that outputs their mean
        wide = first.permute(1, 0, 2).reshape(len(features), -1)
        weights = [each.tolist() for each in (wide, bias.flatten(), second.flatten() / NETWORKS)]
    return Ranker(dict(features), weights[0], weights[1], weights[2], nothing.mean().item() - none_penalty)
