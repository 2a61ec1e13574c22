"""Shapes: generators of pages that have been, or could be, slow, large, malformed or fatal.

A shape has a name, and makes a page for any size n. The fuzzer starts from small ones; tests and scripts measure large
ones.
"""

from __future__ import annotations

from scripts.fuzz.shapes import attributes, blocks, broken, characters, formulas, nesting, structure, tables
from scripts.fuzz.shapes.shape import Shape

__all__ = ["ALL_SHAPES", "BYTE_SHAPES", "SHAPES", "Shape"]

SHAPES = (
    nesting.SHAPES
    | blocks.SHAPES
    | tables.SHAPES
    | broken.SHAPES
    | attributes.SHAPES
    | characters.SHAPES
    | formulas.SHAPES
    | structure.SHAPES
)  # pages as str
BYTE_SHAPES = characters.BYTE_SHAPES  # pages as bytes
ALL_SHAPES = SHAPES | BYTE_SHAPES
