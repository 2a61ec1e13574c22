"""Jobs of the inspector's child processes for rules by clicking: selectors for an element, and what they would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.jobs import label_source
from bonmun.document import Document
from bonmun.errors import BadConfig, BonmunError
from bonmun.lab.annotate.page_sources import parse_source
from bonmun.options import DEFAULTS
from bonmun.rules.apply import apply_rules
from bonmun.rules.find import find_rows, list_values, mark_inside
from bonmun.rules.rule_set import find_page_host
from bonmun.rules.selectors import parse_selector
from bonmun.rules.suggest import describe_element, find_element, list_elements, suggest_selectors
from bonmun.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.page import Page
    from bonmun.rules.rule_set import RuleSet

__all__ = ["find_source_host", "preview_rule", "suggest_rule"]

VALUES = {"title": "title", "authors": "author", "date": "date"}  # property of a document, by field of a rule
MAX_SAMPLES = 3  # texts of matched elements that are shown
MAX_SAMPLE_CHARS = 80
MAX_MARKED_BLOCKS = 2_000


def find_source_host(source: PageSource) -> str:
    """Return the host for rules of a page: in ASCII, without www; "" if it is unknown."""
    host = find_page_host(parse_source(source)).lower().removeprefix("www.")
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return ""


def suggest_rule(
    sources: Sequence[PageSource], block: int, leaf: int | None, element: int | None, field: str
) -> dict[str, Any]:
    """Return the elements that a block may stand for, and selectors for one of them; the first page is the block's."""
    page = parse_source(sources[0])
    if not 0 <= block < len(page.starts):
        raise BadConfig(f"There is no block {block}: the page has {len(page.starts)} blocks.")
    elements = list_elements(page, block, leaf)
    chosen = element if element in elements else find_element(page, block, leaf, field)
    others = [other for source in sources[1:] if (other := _try_parse(source)) is not None]
    return {
        "elements": [
            {"element": row, "says": describe_element(page, row), "text": _sample(page, row)}
            for row in dict.fromkeys([*elements, chosen])
        ],
        "element": chosen,
        "selectors": suggest_selectors(page, chosen, others, field),
    }


def preview_rule(
    source: PageSource, method: str, model: str | None, before: RuleSet, after: RuleSet, field: str, selector: str
) -> dict[str, Any]:
    """Return what a selector matches on a page, and how the result changes with the rules that contain it."""
    page = parse_source(source)
    labels = label_source(source, method, model)
    docs = [Document(page, apply_rules(page, labels, rules), DEFAULTS) for rules in (before, after)]
    old, new = (count_words(doc.text) for doc in docs)
    parsed = parse_selector(selector)
    rows = find_rows(page, [parsed])
    inside = mark_inside(page, rows)
    blocks = [block for block, owner in enumerate(page.owners) if inside[owner] or _has_inside(page, block, inside)]
    found = {
        "matched": len(rows),
        "lost": (old - new).total(),
        "gained": (new - old).total(),
        "samples": [_sample(page, row) for row in rows[:MAX_SAMPLES]],
        "blocks": blocks[:MAX_MARKED_BLOCKS],
    }
    if field in VALUES:
        found["matched"] = len(list_values(page, parsed))
        found["values"] = [getattr(doc, VALUES[field]) for doc in docs]
    return found


def _has_inside(page: Page, block: int, inside: bytearray) -> bool:
    """Return whether a leaf of a block is in one of the marked elements."""
    return any(inside[element] for element in page.leaf_elements[page.starts[block] : page.stops[block]])


def _try_parse(source: PageSource) -> Page | None:
    try:
        return parse_source(source)
    except BonmunError:
        return None


def _sample(page: Page, row: int) -> str:
    """Return the start of the text of an element."""
    inside = mark_inside(page, [row])
    texts = (text for text, element in zip(page.texts, page.leaf_elements, strict=True) if inside[element])
    words = ""
    for text in texts:
        words = f"{words} {text}".strip()
        if len(words) > MAX_SAMPLE_CHARS:
            return f"{words[:MAX_SAMPLE_CHARS]}…"
    return words
