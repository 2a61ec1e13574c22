"""A network in, bytes out: its weights made ready and all constants that they were trained with, for the kernel.

A packed network is a line that says what it is, a length, so many bytes of JSON (see `describe_packed`), and matrices
of float32, little-endian, row by row; each starts at a multiple of 64 bytes, and its rows are filled up with zeros to
a multiple of eight numbers. packed.py reads it without numpy; default.bin, which comes with the package, is default.npz
packed.
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

LANES = 8  # numbers in a row, or twice, three times, … as many
# The fields of PageArrays that the kernel reads, and the kinds of their numbers; it reads no `site` and no `boxes`.
FIELD_TYPES = {
    **dict.fromkeys("owners counts sentences links leaves copies between parents names keys word_stops".split(), "<i4"),
    **dict.fromkeys("inner edges hidden tags".split(), "u1"),
    **dict.fromkeys("title targets facts".split(), "<f4"),
    "words": "<i2",
}

CONSTANTS = {  # by the file that has them: what the kernel needs to know
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
    """The arrays of a page as the kernel reads them."""
    return tuple(bytearray(getattr(arrays, name).astype(FIELD_TYPES[name]).tobytes()) for name in _list_fields())


def make_packed(network: Network) -> PackedNetwork:
    """A network for the kernel, packed in memory; raises ValueError for one that the kernel cannot run."""
    return open_packed(pack_network(network))


def pack_network(network: Network) -> bytes:
    """Pack the weights of a network, as it has made them ready; raises ValueError for one that looks at boxes."""
    if network.box is not None:
        raise ValueError("the kernel knows no boxes")
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
    """What stands before the matrices: where each is, and all that the kernel and packed.py need beside them."""
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
    """All matrices by name, those that are used one after the other beside each other."""
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
    """Their weights, the three parts below each other, and their biases."""
    found = {}
    for number, (_, weight, bias) in enumerate(layers):
        found[f"{name}.{number}"] = np.vstack(np.hsplit(weight, 3))
        found[f"{name}.{number}.bias"] = bias
    return found


def _list_fields() -> list[str]:
    return [field.name for field in fields(page_arrays.PageArrays) if field.name in FIELD_TYPES]


def _list_columns(layout: ColumnLayout) -> list[tuple[str, int]]:
    return [(column.name, column.width) for column in layout.columns]
