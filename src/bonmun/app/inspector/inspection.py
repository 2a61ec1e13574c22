"""Data of the inspector as plain values: a page's blocks, leaves and units, and the answer of a method.

Rows of blocks are those of `page.blocks`. Labels of leaves are converted to blocks: a block is kept if one of its
leaves is, and has the score of its best leaf.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from bonmun.algorithms import METHODS, make_method
from bonmun.app.inspector.confidence import explain_confidence
from bonmun.app.inspector.evidence import list_evidence
from bonmun.app.inspector.metadata import TextFinder, list_metadata
from bonmun.app.inspector.shown_objects import list_objects
from bonmun.document import Document
from bonmun.options import DEFAULTS
from bonmun.page.direction import find_direction
from bonmun.page.units import find_units
from bonmun.rules.apply import apply_rules
from bonmun.rules.rule_set import load_rules
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.labels import Labels
    from bonmun.options import Options
    from bonmun.page import Page

__all__ = ["inspect_page", "list_methods", "run_method", "write_outputs"]

SCORE_DIGITS = 3
DEFAULT_METHOD = "auto"
PAPERS = ("frequency", "xpath", "title-table", "sentence", "visual")  # first words of methods from the five papers


def list_methods(page: Page | None = None) -> list[dict[str, str]]:
    """Return the methods that can label a single page: their names, descriptions and groups."""
    has_boxes = page is not None and page.boxes is not None
    able = (each for each in METHODS.values() if not each.needs_site_model and (has_boxes or not each.needs_boxes))
    return [{"name": each.name, "says": each.says, "group": _find_group(each.name)} for each in able]


def _find_group(method: str) -> str:
    """Return the group of a method in menus."""
    if method == DEFAULT_METHOD:
        return "default"
    return "papers" if method.startswith(PAPERS) else "baselines"


def inspect_page(page: Page, name: str) -> dict[str, Any]:
    """Return a page's blocks, leaves and units, which do not depend on the method."""
    units = find_units(page)
    unit_of = {row: number for number, unit in enumerate(units) for row in unit.blocks}
    language = (page.attr(0, "lang") or "")[:20] if page.tags else ""
    return {
        "name": name,
        "url": page.url,
        "encoding": page.encoding,
        "language": language,
        "direction": find_direction(page),
        "head_title": " ".join(page.head_title.split())[:300],
        "characters": page.size,
        "elements": len(page.tags),
        "cut": page.cut,
        "methods": list_methods(page),
        "blocks": [
            {
                "text": block.text,
                "kind": block.kind,
                "xpath": block.xpath,
                "tag_path": block.tag_path,
                "first": block.start,
                "last": block.stop - 1,
                "unit": unit_of.get(row),
                "hidden": block.hidden,
            }
            for row, block in enumerate(page.blocks)
        ],
        "units": [
            {"kind": unit.kind, "first": unit.blocks[0], "last": unit.blocks[-1], "xpath": page.xpath(unit.element)}
            for unit in units
        ],
        "leaves": _list_leaves(page),
    }


def _list_leaves(page: Page) -> dict[str, Any]:
    """Return the leaves as columns: texts, and path numbers into a list of distinct paths."""
    numbers: dict[int, int] = {}
    paths: list[str] = []
    path_of: list[int] = []
    path_numbers = page.path_numbers
    for element in page.leaf_elements:
        known = path_numbers[element]
        if known not in numbers:
            numbers[known] = len(paths)
            paths.append(page.tag_path(element))
        path_of.append(numbers[known])
    return {"texts": list(page.texts), "paths": paths, "path_of": path_of}


def run_method(
    page: Page, method: str = "auto", options: Options | None = None, model: str | Path | None = None
) -> dict[str, Any]:
    """Return the answer of a method: its decision on every block with reasons, confidence, evidence and outputs."""
    options = options or DEFAULTS
    takes_model = model is not None and "model" in METHODS[method].takes if method in METHODS else False
    favour = options.favour if options.favour != DEFAULTS.favour else None
    labeller = make_method(method, model=model if takes_model else None, favour=favour, site_model=options.site_model)
    start = perf_counter()
    labels = apply_rules(page, labeller.label(page), load_rules(options.rules))
    took = (perf_counter() - start) * 1e3
    doc = Document(page, labels, options)
    rows = _label_blocks(page, labels)
    kept = rows["kept"]
    words = [len(WORD.findall(text)) for text in page.block_texts]
    finder = TextFinder(page)
    return {
        "method": method,
        "unit": labels.unit,
        "ms": round(took, 2),
        **rows,
        "leaves": _list_leaf_labels(labels),
        "template": sorted(labels.template),
        "kind": doc.kind,
        "kinds": {kind: round(chance, 4) for kind, chance in labels.kinds.items()},
        "title": doc.title,
        "language": doc.language,
        "confidence": round(labels.confidence, 4),
        "lowers": explain_confidence(page, labels, rows["scores"], kept, words),
        "evidence": list_evidence(page, labels),
        "facts": list_metadata(page, doc, finder),
        "objects": list_objects(doc, finder),
        "words": sum(count for count, is_kept in zip(words, kept, strict=True) if is_kept),
        "words_of_page": sum(words),
        "outputs": write_outputs(doc),
    }


def write_outputs(doc: Document) -> dict[str, str]:
    """Return the formats that the inspector shows."""
    return {name: doc.render(name) for name in ("text", "markdown", "html", "json")}


def _label_blocks(page: Page, labels: Labels) -> dict[str, Any]:
    """Return the labels of each block; `partly` are kept blocks of which some leaves are dropped."""
    if labels.unit == "block":
        return {
            "scores": [round(float(score), SCORE_DIGITS) for score in labels.scores],
            "kept": [bool(each) for each in labels.kept],
            "reasons": list(labels.reasons),
            "comments": sorted(labels.comments),
            "partly": [],
        }
    scores: list[float] = []
    kept: list[bool] = []
    reasons: list[str] = []
    comments: list[int] = []
    partly: list[int] = []
    for row, (start, stop) in enumerate(zip(page.starts, page.stops, strict=True)):
        leaves = range(start, stop)
        chosen = [leaf for leaf in leaves if labels.kept[leaf]]
        best = max(chosen or leaves, key=lambda leaf: labels.scores[leaf])
        scores.append(round(float(labels.scores[best]), SCORE_DIGITS))
        kept.append(bool(chosen))
        reasons.append(labels.reasons[best])
        if chosen and (len(chosen) < len(leaves) or any(leaf in labels.cuts for leaf in chosen)):
            partly.append(row)
        if not chosen and any(leaf in labels.comments for leaf in leaves):
            comments.append(row)
    return {"scores": scores, "kept": kept, "reasons": reasons, "comments": comments, "partly": partly}


def _list_leaf_labels(labels: Labels) -> dict[str, Any] | None:
    """Return the labels of each leaf; None if the method labels blocks."""
    if labels.unit == "block":
        return None
    return {
        "scores": [round(float(score), SCORE_DIGITS) for score in labels.scores],
        "kept": [bool(each) for each in labels.kept],
        "reasons": list(labels.reasons),
    }
