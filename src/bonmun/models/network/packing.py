"""Pack a network for the kernel: its prepared weights, and all constants that they were trained with.

A packed network is a magic line, the length of a JSON header, the header (see `describe_packed`), and matrices of
little-endian float32 in row-major order. Each matrix starts at a multiple of 64 bytes, and its rows are padded with
zeros to a multiple of eight numbers. packed.py reads it without numpy. The shipped default.bin is default.npz, packed.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.markup import HEADINGS
from bonmun.models.features import block_features, characters, element_features, measures, page_arrays, tags
from bonmun.models.features import scaled_features as features
from bonmun.models.features.element_tree import LEVELS, NAME_SPAN, PATH_FACTOR, TAG_SPAN
from bonmun.models.features.tag_arrays import HEADING_LEVELS
from bonmun.models.network.packed import ALIGNMENT, MAGIC, PackedNetwork, open_packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.columns import ColumnLayout
    from bonmun.models.features.page_arrays import PageArrays
    from bonmun.models.network.labeller import Network

__all__ = ["list_counts", "make_packed", "pack_network"]

LANES = 8  # rows are padded to a multiple of this many numbers
# The fields of PageArrays that the kernel reads, and their types; it does not read `site` and `boxes`.
FIELD_TYPES = {
    **dict.fromkeys("owners counts sentences links leaves copies between parents names keys word_stops".split(), "<i4"),
    **dict.fromkeys("inner edges hidden tags".split(), "u1"),
    **dict.fromkeys("title targets facts".split(), "<f4"),
    "words": "<i2",
}

CONSTANTS = {  # that the kernel needs, by module
    features: "LIMIT",
    measures: "LABEL_LETTERS TINY",
    block_features: (
        "TITLE_SHARE TITLE_LETTERS DATE_SHARE NO_HEADING HEADLINE_LETTERS HEADLINE_SHARE HEADING_BONUS HEADLINE_SCORE"
    ),
    element_features: "MANY_INPUTS",
    characters: "BLANK COMMA DIGIT END FENCE LINE MARK SYMBOL UPPER WIDE",
    tags: "PICTURES INPUTS FRAMES RULES ICONS H1",
    page_arrays: "LINK_CHARACTERS LINK_LEAVES",
}


def list_counts(arrays: PageArrays) -> tuple[bytearray, ...]:
    """Return the arrays of a page in the form that the kernel reads."""
    return tuple(bytearray(getattr(arrays, name).astype(FIELD_TYPES[name]).tobytes()) for name in _list_fields())


def make_packed(network: Network) -> PackedNetwork:
    """Pack a network in memory; raises ValueError if the kernel cannot run it."""
    return open_packed(pack_network(network))


def pack_network(network: Network) -> bytes:
    """Pack the prepared weights of a network; raises ValueError for a network with box features."""
    if network.box is not None:
        raise ValueError("the kernel does not support boxes")
    places: dict[str, list[int]] = {}
    parts: list[bytes] = []
    size = 0
    for name, matrix in _list_matrices(network).items():
        rows, columns = matrix.shape
        filled = np.zeros((rows, -(-columns // LANES) * LANES), "<f4")
        filled[:, :columns] = matrix
        places[name] = [size, rows, columns, filled.shape[1]]
        part = filled.tobytes()
        parts.append(part + bytes(-len(part) % ALIGNMENT))
        size += len(parts[-1])
    about = json.dumps(describe_packed(network, places), separators=(",", ":")).encode()
    head = MAGIC + len(about).to_bytes(4, "little") + about
    return b"".join([head, bytes(-len(head) % ALIGNMENT), *parts])


def describe_packed(network: Network, places: dict[str, list[int]]) -> dict[str, Any]:
    """Return the header: the places of the matrices, and all other values that the kernel and packed.py need."""
    constants = {name: getattr(module, name) for module, names in CONSTANTS.items() for name in names.split()}
    return {
        "fields": _list_fields(),
        "columns": {
            "blocks": _list_columns(features.BLOCKS),
            "elements": _list_columns(features.ELEMENTS),
            "page": _list_columns(features.PAGE),
        },
        "constants": {**constants, "HEADING_LEVELS": len(HEADINGS)},
        "class_letters": characters.CLASS_LETTERS,
        "heading_levels": HEADING_LEVELS.tolist(),
        "LEVELS": LEVELS,
        "PATH_FACTOR": PATH_FACTOR,
        "TAG_SPAN": TAG_SPAN,
        "NAME_SPAN": NAME_SPAN,
        "near": [step for step, *_ in network.near],
        "last": [step for step, *_ in network.last],
        "confidence": [network.expected.tolist(), network.measured.tolist()],
        "habits": network.habits._asdict(),
        "hosts": sorted(network.hosts),
        "matrices": places,
    }


def _list_matrices(network: Network) -> dict[str, NDArray[np.float32]]:
    """Return all matrices by name, in the order in which they are used."""
    found = {
        "element": network.element,
        "tags": network.tags,
        "words": network.words,
        "element_bias": network.element_bias,
        "around": network.around,
        "page": network.page,
        "block_bias": network.block_bias,
        "inner": network.inner,
        "block": network.block,
        **_list_convolutions("near", network.near),
        "inside": network.inside,
        "inside_bias": network.inside_bias,
        "tree_inside": network.tree_inside,
        "tree_element": network.tree_element,
        "tree_bias": network.tree_bias,
        "whole": network.whole,
        "whole_bias": network.whole_bias,
        "back": network.back,
        "back_bias": network.back_bias,
        **_list_convolutions("last", network.last),
        "heads": network.heads.T,
        "heads_bias": network.heads_bias,
        "kind": network.kind,
        "kind_bias": network.kind_bias,
    }
    return {name: np.atleast_2d(matrix) for name, matrix in found.items()}


def _list_convolutions(name: str, layers: list[Any]) -> dict[str, NDArray[np.float32]]:
    """Return the weights of convolutions, their three parts stacked, and their biases."""
    found = {}
    for number, (_, weight, bias) in enumerate(layers):
        found[f"{name}.{number}"] = np.vstack(np.hsplit(weight, 3))
        found[f"{name}.{number}.bias"] = bias
    return found


def _list_fields() -> list[str]:
    return [field.name for field in fields(page_arrays.PageArrays) if field.name in FIELD_TYPES]


def _list_columns(layout: ColumnLayout) -> list[tuple[str, int]]:
    return [(column.name, column.width) for column in layout.columns]
