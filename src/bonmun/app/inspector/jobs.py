"""What the server asks of a child process: a page's bytes in, what the screen shows of it out, as JSON in bytes.

A page is asked for several things one after the other, so the last ones stay parsed in the process that works on them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.lab.annotate.page_sources import REMEMBERED_PAGES, parse_source
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.labels import Labels

__all__ = [
    "answer_page",
    "compare_answers",
    "explain_block",
    "find_change",
    "label_source",
    "open_page",
    "write_json",
]


def find_change(model: str | None) -> int:
    """When a model file was changed: what was worked out with one holds until then."""
    return Path(model).stat().st_mtime_ns if model and Path(model).is_file() else 0


def label_source(source: PageSource, method: str, model: str | None) -> Labels:
    """What a method says of the page; `model` is for those that take one."""
    return _label_source(source, method, model, find_change(model))


@lru_cache(maxsize=2 * REMEMBERED_PAGES)
def _label_source(source: PageSource, method: str, model: str | None, _: int) -> Labels:
    from bonmun.algorithms import METHODS, make_method

    takes_model = method in METHODS and "model" in METHODS[method].takes and method == "auto"
    return make_method(method, model=model if takes_model else None).label(parse_source(source))


def open_page(source: PageSource, network: bool = False) -> bytes:
    """The page before any method is asked, with its frame."""
    from bonmun.app.inspector.inspection import inspect_page
    from bonmun.page.frame.make_frame import write_frame

    page = parse_source(source)
    return write_json(inspect_page(page, source.name) | {"frame": write_frame(page, network=network)})


def answer_page(source: PageSource, method: str, model: str | None = None) -> bytes:
    """What a method makes of the page."""
    from bonmun.app.inspector.inspection import answer

    return write_json(answer(parse_source(source), method, model=model))


def compare_answers(
    source: PageSource, one: str, other: str, model: str | None = None, other_model: str | None = None
) -> bytes:
    """How many words two methods' texts of the page share: precision, recall and F1 of the first by the second."""
    from bonmun.document import Document
    from bonmun.text.words import compare_counts, count_words

    page = parse_source(source)
    labels = [label_source(source, one, model), label_source(source, other, other_model)]
    counts = [count_words(Document(page, each, DEFAULTS).text) for each in labels]
    found = compare_counts(*counts)
    return write_json({"precision": found.precision, "recall": found.recall, "f1": found.f1})


def explain_block(source: PageSource, block: int, model: str | None = None) -> bytes:
    """Which features spoke most for and against one block, where the network has decided."""
    from bonmun.app.inspector.block_features import explain_features

    page = parse_source(source)
    if not 0 <= block < len(page.starts):
        raise BadConfig(f"There is no block {block} on this page, which has {len(page.starts)}.")
    return write_json(explain_features(page, block, model, find_change(model)))


def write_json(value: object) -> bytes:
    """A value as JSON; halves of characters, which no text can have, become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
