"""Apply the rules that match a page to the labels of a method.

Each field comes from the first matching rule that has it and finds something: rules of the user first, then shipped
ones. Where no rule decides, the method does. `keep` and `drop` count from all rules up to the one whose `main` or
`within` is used; of two that contain each other, the inner one decides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bonmun.labels import RuleValue
from bonmun.rules.find import find_rows, list_values, mark_inside
from bonmun.text.urls import PAGE_SCHEMES, find_scheme, read_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.labels import Labels
    from bonmun.page import Page
    from bonmun.page.posts import FoundPost
    from bonmun.rules.records import SiteRule
    from bonmun.rules.rule_set import RuleSet

__all__ = ["RuleUse", "apply_rules"]

FIELDS = ("title", "authors", "date")
EFFECTS = {"drop": "dropped", "keep": "kept"}
CONTAINERS = {
    "main": "kept; everything else is dropped",
    "within": "decided by the method; everything else is dropped",
}
NOTHING_FOUND = "finds nothing; the method decides"
MEDIA_TAGS = frozenset("img noscript iframe embed object video audio".split())
MIN_PIXELS = 64  # width and height; smaller images are icons
MAX_SHOWN_CHARS = 80  # of a value, in the evidence


class RuleUse(NamedTuple):
    """Rules that match the page, and what each of their fields finds."""

    rule: str
    field: str
    elements: int  # or values
    effect: str


class _Decision(NamedTuple):
    """What rules say about the elements of a page; None where no rule says anything."""

    container: str  # the rule and its field whose elements hold the text
    inside: bytearray | None  # by element: whether it is in `main`
    within: bytearray | None  # by element: whether it is in `within`
    kept: dict[int, str]  # reasons, by element that `keep` selects or that is inside of one
    dropped: dict[int, str]  # the same for `drop`


def apply_rules(page: Page, labels: Labels, rules: RuleSet) -> Labels:
    """Return the labels of a method as changed by the rules that match the page."""
    matching = rules.find(page)
    return _apply(page, labels, matching) if matching else labels


def _apply(page: Page, labels: Labels, rules: Sequence[SiteRule]) -> Labels:
    uses: list[RuleUse] = []
    decision = _decide(page, rules, uses)
    containers = (decision.inside, decision.within)
    if decision.kept or decision.dropped or any(each is not None for each in containers):
        labels = _label_rows(page, labels, decision)
    values = _read_fields(page, rules, uses)
    posts = _find_posts(page, rules, uses)
    if posts:
        labels = replace(labels, kind="forum", kinds={}, posts=posts)
    title = values["title"].values[0] if "title" in values else labels.title
    return replace(
        labels,
        title=title,
        rule_values=values,
        next_page=_find_next_page(page, rules, uses),
        evidence=[*labels.evidence, *uses],
    )


def _decide(page: Page, rules: Sequence[SiteRule], uses: list[RuleUse]) -> _Decision:
    """Find what rules keep and drop."""
    selected: dict[int, tuple[bool, str]] = {}  # by element: whether to keep it, and the reason
    inside = within = None
    container = ""
    for rule in rules:
        for name, selectors in (("drop", rule.drop), ("keep", rule.keep)):
            if selectors:
                rows = find_rows(page, selectors)
                for row in rows:
                    selected.setdefault(row, (name == "keep", f"rule {rule.name}: {name}"))
                uses.append(RuleUse(rule.name, name, len(rows), EFFECTS[name] if rows else "finds nothing"))
        field = "main" if rule.main else "within"
        if selectors := rule.main or rule.within:
            rows = find_rows(page, selectors)
            marked = mark_inside(page, rows)
            if any(marked[page.leaf_elements[leaf]] for leaf in page.shown):
                container = f"rule {rule.name}: not in {field}"
                uses.append(RuleUse(rule.name, field, len(rows), CONTAINERS[field]))
                if field == "within":
                    within = marked
                    break
                inside = marked
                for row in _find_headline(page, rules):
                    selected.setdefault(row, (False, f"rule {rule.name}: title"))
                break
            uses.append(RuleUse(rule.name, field, len(rows), NOTHING_FOUND))
            if not rule.is_shipped:
                _warn(f"{page.url or 'page'}: `{field}` of the rule {rule.name} {NOTHING_FOUND}.")
    kept, dropped = _inherit(page, selected)
    return _Decision(container, inside, within, kept, dropped)


def _inherit(page: Page, selected: dict[int, tuple[bool, str]]) -> tuple[dict[int, str], dict[int, str]]:
    """Return the reasons for every element in a selected one: those to keep, and those to drop."""
    kept: dict[int, str] = {}
    dropped: dict[int, str] = {}
    if not selected:
        return kept, dropped
    for row, parent in enumerate(page.parents):
        if row in selected:
            is_kept, reason = selected[row]
            (kept if is_kept else dropped)[row] = reason
        elif parent in kept:
            kept[row] = kept[parent]
        elif parent in dropped:
            dropped[row] = dropped[parent]
    return kept, dropped


def _find_posts(page: Page, rules: Sequence[SiteRule], uses: list[RuleUse]) -> tuple[FoundPost, ...]:
    """Return the posts that the first rule with posts finds."""
    for rule in rules:
        if rule.posts is not None:
            from bonmun.rules.find_posts import find_rule_posts  # loads the metadata package

            found = find_rule_posts(page, rule.posts)
            uses.append(RuleUse(rule.name, "posts", len(found), "posts of a thread" if found else NOTHING_FOUND))
            if found:
                return found
    return ()


def _find_next_page(page: Page, rules: Sequence[SiteRule], uses: list[RuleUse]) -> str | None:
    """Return the address that the first rule with `next` finds, or "" if it finds none; None without such a rule."""
    for rule in rules:
        if rule.next is not None:
            selector = replace(rule.next, attributes=tuple(name or "href" for name in rule.next.attributes))
            urls = (read_url(value, page.base_url) for value in list_values(page, selector))
            found = next((url for url in urls if url and find_scheme(url) in PAGE_SCHEMES), "")
            shown = found[:MAX_SHOWN_CHARS] or "finds nothing; this is the last page"
            uses.append(RuleUse(rule.name, "next", int(bool(found)), shown))
            return found
    return None


def _warn(message: str) -> None:
    import logging

    logging.getLogger("bonmun").warning(message)


def _find_headline(page: Page, rules: Sequence[SiteRule]) -> list[int]:
    """Return the elements that rules name as the headline, which is no part of the text."""
    selectors = (selector for rule in rules for selector in rule.title if not any(selector.attributes))
    return next((rows for selector in selectors if (rows := find_rows(page, [selector]))), [])


def _label_rows(page: Page, labels: Labels, decision: _Decision) -> Labels:
    """Return the labels with the decision of the rules on every leaf or block."""
    kept, scores, reasons = list(labels.kept), list(labels.scores), list(labels.reasons)
    comments = set(labels.comments)
    inside, dropped, elements = decision.inside, decision.dropped, page.leaf_elements
    main_rule = decision.container.removesuffix(": not in main")
    left_out: set[int] = set()
    if inside is None:  # what the method leaves out
        left_out.update(leaf for leaf in labels.left_out if elements[leaf] not in decision.kept)
    hidden = page.visibility.hidden_leaves
    is_block = labels.unit == "block"
    for row in range(len(kept)):
        leaves = range(page.starts[row], page.stops[row]) if is_block else range(row, row + 1)
        chosen = [leaf for leaf in leaves if elements[leaf] in decision.kept and not hidden[leaf]]
        rest = [
            leaf
            for leaf in leaves
            if elements[leaf] not in dropped
            and (elements[leaf] in decision.kept or _is_inside(decision, elements[leaf]))
        ]
        if chosen and inside is None and not kept[row]:
            rest = chosen  # the method drops the others
        is_shown = any(not hidden[leaf] for leaf in rest)
        if len(rest) < len(leaves):
            left_out.update(set(leaves).difference(rest))
        if chosen or (inside is not None and is_shown):
            why = decision.kept[elements[chosen[0]]] if chosen else f"{main_rule}: main"
            kept[row], scores[row], reasons[row] = True, 1.0, why
            comments.discard(row)
        elif not rest or (inside is not None and not is_shown):
            why = next((dropped[elements[leaf]] for leaf in leaves if elements[leaf] in dropped), "")
            reasons[row] = why or ("hidden" if rest else decision.container)
            kept[row], scores[row] = False, 0.0
            if why:
                comments.discard(row)
            else:  # comments are outside of the main text
                left_out.difference_update(leaves)
    return replace(
        labels,
        kept=kept,
        scores=scores,
        reasons=reasons,
        comments=frozenset(comments),
        confidence=1.0 if inside is not None else labels.confidence,
        cuts={} if inside is not None else _find_cuts(page, labels, decision),
        left_out=frozenset(left_out),
        left_out_media=_find_media_left_out(page, decision),
        rule_images=_find_images(page, decision),
    )


def _is_inside(decision: _Decision, element: int) -> bool:
    """Return whether `main` or `within` select an element, or neither is given."""
    return all(marked is None or bool(marked[element]) for marked in (decision.inside, decision.within))


def _find_cuts(page: Page, labels: Labels, decision: _Decision) -> dict[int, str]:
    """Return the leaves of which the method keeps a part, without those that a rule keeps."""
    return {leaf: text for leaf, text in labels.cuts.items() if page.leaf_elements[leaf] not in decision.kept}


def _find_images(page: Page, decision: _Decision) -> frozenset[int]:
    """Return the images that `main` and `keep` select, without icons."""
    return frozenset(
        row
        for row, tag in enumerate(page.tags)
        if tag == "img" and row not in decision.dropped and _is_wanted(decision, row) and not _is_icon(page, row)
    )


def _is_wanted(decision: _Decision, row: int) -> bool:
    """Return whether `main` or `keep` select an element."""
    return row in decision.kept or (decision.inside is not None and bool(decision.inside[row]))


def _is_icon(page: Page, row: int) -> bool:
    sizes = (page.attr(row, name) or "" for name in ("width", "height"))
    return any(size.isdecimal() and len(size) < 6 and int(size) < MIN_PIXELS for size in sizes)


def _find_media_left_out(page: Page, decision: _Decision) -> frozenset[int]:
    """Return the images and players that rules drop."""
    return frozenset(
        row
        for row, tag in enumerate(page.tags)
        if tag in MEDIA_TAGS and (row in decision.dropped or not (row in decision.kept or _is_inside(decision, row)))
    )


def _read_fields(page: Page, rules: Sequence[SiteRule], uses: list[RuleUse]) -> dict[str, RuleValue]:
    """Return the values of title, authors and date."""
    values: dict[str, RuleValue] = {}
    for name in FIELDS:
        for rule in rules:
            selectors = getattr(rule, name)
            found = next((found for selector in selectors if (found := list_values(page, selector))), [])
            if selectors:
                uses.append(
                    RuleUse(rule.name, name, len(found), found[0][:MAX_SHOWN_CHARS] if found else NOTHING_FOUND)
                )
            if found:
                values[name] = RuleValue(tuple(found), rule.name)
                break
    return values
