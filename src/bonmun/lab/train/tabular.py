"""Rows in, weights out: TabNet for `visual:…`, by pytorch-tabnet, as paper 2 trained it or with what mends it.

    weights = train(columns, (x, y), (valid_x, valid_y), TabularSettings())

The paper says: batches of 1,024, tag and visible as categories, the library's defaults else. So: Adam at .02, three
steps, 8 + 8 wide, at most 100 epochs, stopped when the area under the curve has not grown on the valid part for 10.
Needs torch and pytorch-tabnet; nothing else of bonmun but the form of the weights, so that it can run elsewhere.
"""

from __future__ import annotations

import io
import time
import warnings
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bonmun.models.baselines.tabnet import TabNetWeights
from bonmun.models.baselines.visual_columns import CATEGORIES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports from a place that scipy will close
    from pytorch_tabnet.callbacks import Callback
    from pytorch_tabnet.tab_model import TabNetClassifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Rows = tuple[NDArray[np.float32], NDArray[np.int64]]  # a table, and for each row 1 if it is main text, else 0

__all__ = ["TabularSettings", "export_tabnet", "make_classifier", "train"]


@dataclass(frozen=True, slots=True)
class TabularSettings:
    """What can be set; as it stands here, the paper's."""

    batch: int = 1024  # rows
    virtual_batch: int = 128  # rows that batch norm takes together: the library's own number
    epochs: int = 100  # at most
    patience: int = 10  # epochs without a gain on the valid part
    balanced: bool = False  # rows of both classes drawn as often
    width: int = 8  # n_d and n_a
    steps: int = 3
    rate: float = 0.02  # of learning
    decay: float = 1.0  # of the rate, each epoch
    seed: int = 0
    device: str = "auto"


class _Batches:
    """What torch's DataLoader gives, without a call for every row; rows come in another order each time."""

    def __init__(
        self, x: torch.Tensor, y: torch.Tensor, size: int, chances: torch.Tensor | None, shuffled: bool
    ) -> None:
        self.x, self.y, self.size, self.chances, self.shuffled = x, y, size, chances, shuffled

    def __len__(self) -> int:
        return len(self.x) // self.size if self.shuffled else -(-len(self.x) // self.size)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        count = len(self.x)
        if self.chances is not None:
            order = torch.multinomial(self.chances, min(count, 1 << 24), replacement=True)
        else:
            order = torch.randperm(count) if self.shuffled else torch.arange(count)
        order = order.to(self.x.device)
        for number in range(len(self)):
            rows = order[number * self.size : (number + 1) * self.size]
            yield self.x[rows], self.y[rows.to(self.y.device)]


class _Classifier(TabNetClassifier):
    """The library's, with batches cut out of tensors: its own loader takes longer than the network."""

    def _construct_loaders(
        self, x: Any, y: Any, eval_set: Sequence[tuple[Any, Any]]
    ) -> tuple[_Batches, list[_Batches]]:
        place = {"device": self.device}
        target = torch.as_tensor(self.prepare_target(y))
        chances = None
        if self.updated_weights == 1:
            chances = (1 / torch.bincount(target).double())[target]
        given = _Batches(torch.as_tensor(x).to(**place), target.to(**place), self.batch_size, chances, True)
        held = [
            _Batches(
                torch.as_tensor(other).to(**place),
                torch.as_tensor(self.prepare_target(right)),  # which are compared on the CPU
                1 << 16,
                None,
                False,
            )
            for other, right in eval_set
        ]
        return given, held


def make_classifier(columns: Sequence[str], settings: TabularSettings) -> Any:
    """An untrained classifier for a table of these columns."""
    places = [place for place, name in enumerate(columns) if name in CATEGORIES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says which device it found
        return _Classifier(
            n_d=settings.width,
            n_a=settings.width,
            n_steps=settings.steps,
            cat_idxs=places,
            cat_dims=[CATEGORIES[columns[place]] for place in places],
            cat_emb_dim=1,
            optimizer_params={"lr": settings.rate},
            scheduler_fn=torch.optim.lr_scheduler.ExponentialLR if settings.decay < 1 else None,
            scheduler_params={"gamma": settings.decay} if settings.decay < 1 else {},
            seed=settings.seed,
            device_name=settings.device,
            verbose=0,
        )


class _Clock(Callback):
    """Stops after so many seconds, as if there were no more epochs."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.stop = time.monotonic() + seconds

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if time.monotonic() > self.stop:
            self.trainer._stop_training = True


def train(
    columns: Sequence[str], rows: Rows, valid: Rows, settings: TabularSettings, seconds: float = 86_400
) -> tuple[TabNetWeights, Any]:
    """Train on some rows, stop by others, or after so many seconds; gives the weights and the library's own model."""
    model = make_classifier(columns, settings)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it says, twice, that it uses the best epoch
        model.fit(
            *rows,
            eval_set=[valid],
            max_epochs=settings.epochs,
            patience=settings.patience,
            batch_size=settings.batch,
            virtual_batch_size=settings.virtual_batch,
            weights=int(settings.balanced),
            compute_importance=False,
            callbacks=[_Clock(seconds)],
        )
    history = {"auc": [round(float(value), 4) for value in model.history["val_0_auc"]], "best": int(model.best_epoch)}
    return export_tabnet(model, columns, {"settings": asdict(settings), "history": history}), model


def export_tabnet(model: Any, columns: Sequence[str], about: dict[str, Any]) -> TabNetWeights:
    """The library's weights as models/baselines/tabnet.py reads them; those that are kept twice are kept once."""
    state = model.network.state_dict()
    arrays = {name: value.cpu().numpy().astype(np.float32) for name, value in state.items() if value.ndim}
    arrays = {name: value for name, value in arrays.items() if not name.startswith("tabnet.initial_bn.")}  # is not used
    about = {
        "columns": list(columns),
        "steps": model.n_steps,
        "gamma": model.gamma,
        "threshold": 0.5,
        **about,
    }
    return TabNetWeights(about, arrays)
