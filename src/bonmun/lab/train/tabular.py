"""Train TabNet for `visual:…` with pytorch-tabnet, as in paper 2 or with corrections.

    weights = train(columns, (x, y), (valid_x, valid_y), TabularSettings())

The paper gives batches of 1,024, tag and visible as categories, and otherwise the library's defaults: Adam at .02,
three steps, width 8 + 8, at most 100 epochs, early stopping after 10 epochs without a better AUC on the valid part.
Needs torch and pytorch-tabnet; of bonmun only the weights' class, so that it can run elsewhere.
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
    warnings.simplefilter("ignore")  # it imports a deprecated name from scipy
    from pytorch_tabnet.callbacks import Callback
    from pytorch_tabnet.tab_model import TabNetClassifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Rows = tuple[NDArray[np.float32], NDArray[np.int64]]  # a table, and 1 for each row of main text, else 0

__all__ = ["TabularSettings", "export_tabnet", "make_classifier", "train"]


@dataclass(frozen=True, slots=True)
class TabularSettings:
    """Training settings; the defaults are the paper's."""

    batch: int = 1024  # rows
    virtual_batch: int = 128  # rows per batch norm; the library's default
    epochs: int = 100  # maximum
    patience: int = 10  # epochs without a better AUC on the valid part
    balanced: bool = False  # draw rows of both classes equally often
    width: int = 8  # n_d and n_a
    steps: int = 3
    rate: float = 0.02  # learning rate
    decay: float = 1.0  # of the learning rate, per epoch
    seed: int = 0
    device: str = "auto"


class _Batches:
    """Batches cut out of tensors, like a DataLoader but without a call per row; shuffled anew in each epoch."""

    def __init__(
        self, x: torch.Tensor, y: torch.Tensor, size: int, weights: torch.Tensor | None, shuffled: bool
    ) -> None:
        self.x, self.y, self.size, self.weights, self.shuffled = x, y, size, weights, shuffled

    def __len__(self) -> int:
        return len(self.x) // self.size if self.shuffled else -(-len(self.x) // self.size)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        count = len(self.x)
        if self.weights is not None:
            order = torch.multinomial(self.weights, min(count, 1 << 24), replacement=True)
        else:
            order = torch.randperm(count) if self.shuffled else torch.arange(count)
        order = order.to(self.x.device)
        for number in range(len(self)):
            rows = order[number * self.size : (number + 1) * self.size]
            yield self.x[rows], self.y[rows.to(self.y.device)]


class _Classifier(TabNetClassifier):
    """TabNetClassifier with a faster loader; the library's own takes longer than the network."""

    def _construct_loaders(
        self, x: Any, y: Any, eval_set: Sequence[tuple[Any, Any]]
    ) -> tuple[_Batches, list[_Batches]]:
        device = {"device": self.device}
        target = torch.as_tensor(self.prepare_target(y))
        weights = None
        if self.updated_weights == 1:
            weights = (1 / torch.bincount(target).double())[target]
        given = _Batches(torch.as_tensor(x).to(**device), target.to(**device), self.batch_size, weights, True)
        held = [
            _Batches(
                torch.as_tensor(other).to(**device),
                torch.as_tensor(self.prepare_target(right)),  # compared on the CPU
                1 << 16,
                None,
                False,
            )
            for other, right in eval_set
        ]
        return given, held


def make_classifier(columns: Sequence[str], settings: TabularSettings) -> Any:
    """Return an untrained classifier for a table with these columns."""
    categories = [column for column, name in enumerate(columns) if name in CATEGORIES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it reports the device it found
        return _Classifier(
            n_d=settings.width,
            n_a=settings.width,
            n_steps=settings.steps,
            cat_idxs=categories,
            cat_dims=[CATEGORIES[columns[column]] for column in categories],
            cat_emb_dim=1,
            optimizer_params={"lr": settings.rate},
            scheduler_fn=torch.optim.lr_scheduler.ExponentialLR if settings.decay < 1 else None,
            scheduler_params={"gamma": settings.decay} if settings.decay < 1 else {},
            seed=settings.seed,
            device_name=settings.device,
            verbose=0,
        )


class _Clock(Callback):
    """Stop training after a number of seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.stop = time.monotonic() + seconds

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if time.monotonic() > self.stop:
            self.trainer._stop_training = True


def train(
    columns: Sequence[str], rows: Rows, valid: Rows, settings: TabularSettings, seconds: float = 86_400
) -> tuple[TabNetWeights, Any]:
    """Train on `rows`, stop by `valid` or after `seconds`; return the weights and the library's model."""
    model = make_classifier(columns, settings)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it reports, twice, that it uses the best epoch
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
    """Return the library's weights in the form of models/baselines/tabnet.py, without duplicates."""
    state = model.network.state_dict()
    arrays = {name: value.cpu().numpy().astype(np.float32) for name, value in state.items() if value.ndim}
    arrays = {name: value for name, value in arrays.items() if not name.startswith("tabnet.initial_bn.")}  # unused
    about = {
        "columns": list(columns),
        "steps": model.n_steps,
        "gamma": model.gamma,
        "threshold": 0.5,
        **about,
    }
    return TabNetWeights(about, arrays)
