"""What the server asks of a child process: a page's bytes in, what the screen shows of it out, as JSON in bytes.

A page is asked for several things one after the other, so the last ones stay parsed in the process that works on them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadConfig, TooBig
from bonmun.options import DEFAULTS
from bonmun.page import Page

if TYPE_CHECKING:
    from bonmun.labels import Labels

__all__ = [
    "PageSource",
    "answer_page",
    "compare_answers",
    "find_change",
    "label_source",
    "open_page",
    "parse_source",
    "tell_speaking",
    "write_json",
]

MOST_BLOCKS = 100_000  # that a browser can show and colour
REMEMBERED_PAGES = 2  # that a process has parsed


class PageSource(NamedTuple):
    """A page as it was read: its name for people, where it came from, its bytes."""

    name: str
    url: str | None
    body: bytes
    encoding: str | None = None
    max_bytes: int = DEFAULTS.max_bytes


@lru_cache(maxsize=REMEMBERED_PAGES)
def parse_source(source: PageSource) -> Page:
    """The page, parsed; raises what is wrong with it."""
    page = Page.parse(source.body, source.url, source.encoding, max_bytes=source.max_bytes)
    if len(page.starts) > MOST_BLOCKS:
        raise TooBig(f"The page has {len(page.starts):,} blocks, more than the {MOST_BLOCKS:,} that can be shown.")
    return page


def find_change(model: str | None) -> int:
    """When a model file was changed: what was worked out with one holds until then."""
    return Path(model).stat().st_mtime_ns if model and Path(model).is_file() else 0


def label_source(source: PageSource, method: str, model: str | None) -> Labels:
    """What a method says of the page; `model` is for those that take one."""
    return _label_source(source, method, model, find_change(model))


@lru_cache(maxsize=2 * REMEMBERED_PAGES)
def _label_source(source: PageSource, method: str, model: str | None, _: int) -> Labels:
    from bonmun.methods import METHODS, make_method

    takes_model = method in METHODS and "model" in METHODS[method].takes and method == "auto"
    return make_method(method, model=model if takes_model else None).label(parse_source(source))


def open_page(source: PageSource, network: bool = False) -> bytes:
    """The page before any method is asked, with its frame."""
    from bonmun.inspector.inspection import inspect_page
    from bonmun.page.frame import write_frame

    page = parse_source(source)
    return write_json(inspect_page(page, source.name) | {"frame": write_frame(page, network=network)})


def answer_page(source: PageSource, method: str, model: str | None = None) -> bytes:
    """What a method makes of the page."""
    from bonmun.inspector.inspection import answer

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


def tell_speaking(source: PageSource, block: int, model: str | None = None) -> bytes:
    """Which features spoke most for and against one block, where the network has decided."""
    from bonmun.inspector.speaking import find_speaking

    page = parse_source(source)
    if not 0 <= block < len(page.starts):
        raise BadConfig(f"There is no block {block} on this page, which has {len(page.starts)}.")
    return write_json(find_speaking(page, block, model, find_change(model)))


def write_json(value: object) -> bytes:
    """A value as JSON; halves of characters, which no text can have, become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
