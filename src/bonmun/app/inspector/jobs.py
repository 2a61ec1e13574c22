"""Jobs of the inspector's child processes: a page's bytes to JSON.

A page is requested several times in a row, so each process caches the last parsed pages.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.lab.annotate.page_sources import REMEMBERED_PAGES, parse_source
from bonmun.options import DEFAULTS, Options

if TYPE_CHECKING:
    from bonmun.app.inspector.site_jobs import SiteEvidence
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.labels import Labels
    from bonmun.rules.rule_set import RuleSet
    from bonmun.sites.model import SiteModel

__all__ = [
    "answer_page",
    "compare_answers",
    "explain_block",
    "find_model_time",
    "label_source",
    "open_page",
    "write_json",
]


def find_model_time(model: str | None) -> int:
    """Return the modification time of a model file, which is part of cache keys."""
    with suppress(OSError):  # it may be replaced or removed at any time
        return Path(model).stat().st_mtime_ns if model else 0
    return 0


def label_source(source: PageSource, method: str, model: str | None, evidence: SiteEvidence | None = None) -> Labels:
    """Return the labels of a page by a method; `model` is for methods that take one."""
    if evidence is not None:
        return _label(source, method, model, evidence.model)
    return _label_source(source, method, model, find_model_time(model))


@lru_cache(maxsize=2 * REMEMBERED_PAGES)
def _label_source(source: PageSource, method: str, model: str | None, _: int) -> Labels:
    return _label(source, method, model)


def _label(source: PageSource, method: str, model: str | None, site_model: SiteModel | None = None) -> Labels:
    from bonmun.algorithms import METHODS, make_method

    takes_model = method in METHODS and "model" in METHODS[method].takes and method == "auto"
    used = model if takes_model else None
    return make_method(method, model=used, site_model=site_model).label(parse_source(source))


def open_page(source: PageSource, network: bool = False) -> bytes:
    """Return a page and its frame, which do not depend on the method."""
    from bonmun.app.inspector.inspection import inspect_page
    from bonmun.page.frame.make_frame import write_frame

    page = parse_source(source)
    return write_json(inspect_page(page, source.name) | {"frame": write_frame(page, network=network)})


def answer_page(
    source: PageSource,
    method: str,
    model: str | None = None,
    rules: RuleSet | None = None,
    links: bool | None = None,
    images: bool | None = None,
    evidence: SiteEvidence | None = None,
) -> bytes:
    """Return the answer of a method, with the rules for the page, and with the site model of the open pages."""
    from bonmun.app.inspector.inspection import run_method

    page = parse_source(source)
    site_model = evidence.model if evidence else None
    answer = run_method(page, method, Options(rules=rules, links=links, images=images, site_model=site_model), model)
    if evidence:
        from bonmun.app.inspector.site_jobs import describe_blocks

        answer["site"] = describe_blocks(page, evidence)
    return write_json(answer)


def compare_answers(
    source: PageSource,
    one: str,
    other: str,
    model: str | None = None,
    other_model: str | None = None,
    evidence: SiteEvidence | None = None,
) -> bytes:
    """Return precision, recall and F1 of the words in two methods' texts, the first measured by the second."""
    from bonmun.document import Document
    from bonmun.text.words import compare_counts, count_words

    page = parse_source(source)
    pairs = ((one, model), (other, other_model))
    labels = [label_source(source, method, used, evidence) for method, used in pairs]
    counts = [count_words(Document(page, each, DEFAULTS).text) for each in labels]
    found = compare_counts(*counts)
    return write_json({"precision": found.precision, "recall": found.recall, "f1": found.f1})


def explain_block(source: PageSource, block: int, model: str | None = None) -> bytes:
    """Return the features with the most influence on a block, if the network has decided."""
    from bonmun.app.inspector.block_features import explain_features

    page = parse_source(source)
    if not 0 <= block < len(page.starts):
        raise BadConfig(f"There is no block {block}: the page has {len(page.starts)} blocks.")
    return write_json(explain_features(page, block, model, find_model_time(model)))


def write_json(value: object) -> bytes:
    """Return a value as JSON; lone surrogates become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
