"""Collect rows of all training and validation pages in one table, with labels.

At most 400 rows of a page are used, sampled uniformly from its elements. The first and the last element are always
included (see `make_relative`).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.visual_columns import CENTRE, count_columns, make_relative
from bonmun.work.array_files import load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from scripts.visual.pages import RenderedPage

__all__ = ["Table", "collect", "join", "load_table", "make_rows"]

MAX_PAGE_ROWS = 400
# The columns that are stored, as integers; all others are computed from them. Page columns are stored once per page.
KEPT: dict[str, Any] = {
    "order": np.uint32,
    "tag": np.uint8,
    "children": np.uint16,
    "text": np.uint32,
    "link_text": np.uint32,
    "visible": np.uint8,
    "left": np.int32,
    "top": np.int32,
    "width": np.int32,
    "height": np.int32,
}
OF_A_PAGE = ("viewport_width", "viewport_height", "page_width", "page_height")


@dataclass(frozen=True)
class Table:
    """Rows of many pages."""

    centre: NDArray[np.float32]  # (n, 18)
    relative: NDArray[np.float32]  # (n, 17)
    targets: NDArray[np.bool_]  # (n, 3) for each interpretation of the paper
    page: NDArray[np.int32]  # (n,) the page of each row
    pages: list[dict[str, Any]]  # set, id, lang, part


def make_rows(one: RenderedPage) -> dict[str, Any]:
    """Return some rows of a page, as integers."""
    from bonmun.lab.train.samples.element_targets import TARGETS

    page, boxes = one.page, one.boxes
    columns = count_columns(page, boxes)
    targets = np.array([mark(page, one.gold) for mark in TARGETS.values()]).T
    rows = np.arange(len(columns))
    if len(rows) > MAX_PAGE_ROWS:
        random = np.random.default_rng(zlib.crc32(one.example.id.encode()))
        drawn = random.choice(rows[1:-1], MAX_PAGE_ROWS - 2, replace=False)
        rows = np.sort(np.concatenate([rows[[0, -1]], drawn]))
    found: dict[str, Any] = {name: _fit_into(columns[rows, CENTRE.index(name)], kind) for name, kind in KEPT.items()}
    found["targets"] = targets[rows]
    found["about"] = {"set": one.set, "id": one.example.id, "lang": one.lang, "part": one.part}
    found["sizes"] = columns[0, [CENTRE.index(name) for name in OF_A_PAGE]]
    return found


def collect(pages: Iterable[dict[str, Any]], path: Path) -> None:
    """Write the rows of many pages to one file."""
    found = list(pages)
    arrays: dict[str, Any] = {name: np.concatenate([page[name] for page in found]) for name in (*KEPT, "targets")}
    arrays["sizes"] = np.stack([page["sizes"] for page in found])
    arrays["page"] = np.repeat(np.arange(len(found), dtype=np.int32), [len(page["order"]) for page in found])
    arrays["about.json"] = np.frombuffer(json.dumps([page["about"] for page in found]).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_arrays(path, arrays)


def join(paths: Iterable[Path], path: Path) -> None:
    """Merge several such files."""
    found: list[dict[str, Any]] = []
    for each in paths:
        with each.open("rb") as file:
            found.append(load_arrays(file))
    before = np.cumsum([0, *(len(arrays["sizes"]) for arrays in found)])
    joined: dict[str, Any] = {
        name: np.concatenate([arrays[name] for arrays in found]) for name in (*KEPT, "targets", "sizes")
    }
    joined["page"] = np.concatenate(
        [arrays["page"] + first for arrays, first in zip(found, before, strict=False)]
    ).astype(np.int32)
    pages = [page for arrays in found for page in read_json(arrays["about.json"])]
    joined["about.json"] = np.frombuffer(json.dumps(pages).encode(), np.uint8)
    save_arrays(path, joined)


def load_table(path: Path) -> Table:
    """Read the rows, with all columns."""
    with path.open("rb") as file:
        arrays = load_arrays(file)
    page = arrays["page"]
    given = {name: arrays[name].astype(np.float64) for name in KEPT}
    given |= {name: arrays["sizes"][page, place].astype(np.float64) for place, name in enumerate(OF_A_PAGE)}
    given["right"], given["bottom"] = given["left"] + given["width"], given["top"] + given["height"]
    x, y = given["left"] + given["width"] / 2, given["top"] + given["height"] / 2
    given["d0"] = np.hypot(x - given["viewport_width"] / 2, y - given["viewport_height"] / 2)
    given["d1"] = np.hypot(x - given["page_width"] / 2, y - given["page_height"] / 2)
    centre = np.stack([given[name] for name in CENTRE], axis=1).astype(np.float32)
    relative = np.concatenate([make_relative(rows) for rows in _split(centre, page)])
    return Table(centre, relative, arrays["targets"].astype(bool), page, read_json(arrays["about.json"]))


def _split(rows: NDArray[np.float32], page: NDArray[np.int32]) -> Iterator[NDArray[np.float32]]:
    yield from np.split(rows, np.flatnonzero(np.diff(page)) + 1)


def _fit_into(values: NDArray[np.float32], kind: Any) -> NDArray[Any]:
    limits = np.iinfo(kind)
    return np.clip(values.astype(np.float64).round(), limits.min, limits.max).astype(kind)
