"""Learn a rule for the pages of one layout, and say how well each field agrees with the method."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from bonmun.learn.main_text import choose_main_text
from bonmun.learn.markers import choose_marker
from bonmun.learn.studied import read_selector
from bonmun.learn.threads import choose_posts
from bonmun.learn.values import VALUE_FIELDS, choose_value
from bonmun.learn.verify import compare_texts
from bonmun.rules.records import SiteRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.learn.studied import StudiedPage
    from bonmun.rules.records import Selector

__all__ = ["LearnedRule", "find_kind", "learn_rule"]

MIN_PAGES = 3  # confident ones of a layout
MIN_SURE_SHARE = 0.5  # of the pages of a layout that the method is confident of


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """The rule of a layout, or None, and a line for each field: on how many pages it agrees, or why it is left out."""

    rule: SiteRule | None
    notes: tuple[str, ...]


def learn_rule(
    name: str,
    hosts: tuple[str, ...],
    pages: Sequence[StudiedPage],
    others: Sequence[StudiedPage],
    *,
    allow_main: bool = False,
) -> LearnedRule:
    """Learn the rule of a layout from its pages; `others` are pages of the site that it must not change.

    With `allow_main`, the rule has `main` instead of `within` where that gives the same text.
    """
    sure = [page for page in pages if page.is_sure]
    if len(pages) < MIN_PAGES:
        return LearnedRule(None, (f"No rule: there are fewer than {MIN_PAGES} pages.",))
    if len(sure) < max(MIN_PAGES, MIN_SURE_SHARE * len(pages)):
        return LearnedRule(None, (f"No rule: the method is confident of {len(sure)} of {len(pages)} pages only.",))
    notes: list[str] = []
    rule = _add_values(SiteRule(name, hosts), pages, notes)
    rule = _add_posts(rule, sure, notes)
    rule = _add_container(rule, sure, notes, allow_main=allow_main)
    if not any(getattr(rule, field) for field in ("main", "within", "posts", *VALUE_FIELDS)):
        return LearnedRule(None, ("No rule: no selector agrees with the method.", *notes))
    if others:
        marker, touched = choose_marker(pages, others)
        if not marker:
            return LearnedRule(None, ("No rule: no name sets these pages apart from others of the site.", *notes))
        rule = replace(rule, needs=read_selector(marker))
        if spoiled := _find_spoiled(rule, touched):
            return LearnedRule(None, (f"No rule: {marker} is also on pages that it would spoil: {spoiled}.", *notes))
        notes.insert(
            0, f"needs: on no other of {len(others)} pages" if not touched else _describe_touched(touched, len(others))
        )
    return LearnedRule(rule, tuple(notes))


def find_kind(kinds: Iterable[str | None]) -> str:
    """Return the kind that most pages have, given the kind of each."""
    counts = Counter(kind or "unknown" for kind in kinds)
    return min(counts, key=lambda kind: (-counts[kind], kind))


def _add_container(rule: SiteRule, pages: Sequence[StudiedPage], notes: list[str], *, allow_main: bool) -> SiteRule:
    """Return the rule with `within` or `main`, and `drop`, if they agree with the method."""
    found = choose_main_text(pages)
    if found is None:
        notes.append("within: left out, the pages have no common name around their text")
        return rule
    as_main = replace(rule, main=_parse(found.main), drop=_parse(found.drop))
    as_within = replace(as_main, main=(), within=as_main.main)
    agreement, alone = compare_texts(pages, as_within), compare_texts(pages, as_main)
    if allow_main and alone.is_same:
        changed = as_main
        notes.append(f"main: {alone}")
    elif agreement.is_good:
        changed = as_within
        notes.append(f"within: {agreement} (as `main`: on {alone.same} of {alone.pages}, {alone.overlap:.3f})")
    else:
        notes.append(f"within: {' '.join(found.main)} left out, {agreement}")
        return rule
    if found.drop:
        counts = ", ".join(f"{text} on {found.dropped_pages[text]}" for text in found.drop)
        notes.append(f"drop: always dropped by the method: {counts}")
    return changed


def _add_values(rule: SiteRule, pages: Sequence[StudiedPage], notes: list[str]) -> SiteRule:
    """Return the rule with the selectors of title, authors and date that agree with the method."""
    changes: dict[str, Any] = {}
    for field in VALUE_FIELDS:
        found = choose_value(pages, field)
        if found is None:
            continue
        if found.selector is None:
            notes.append(
                f"{field}: left out, no selector finds the value of enough of the {found.pages} pages with one"
            )
        else:
            changes[field] = _parse((found.selector,))
            notes.append(f"{field}: the same as the method on {found.right} of {found.pages} pages with a value")
    return replace(rule, **changes)


def _add_posts(rule: SiteRule, pages: Sequence[StudiedPage], notes: list[str]) -> SiteRule:
    """Return the rule with the selectors of posts, if the pages are threads."""
    found = choose_posts(pages)
    if found is None:
        return rule
    if found.selectors is None:
        notes.append(f"posts: left out, no selector finds the posts of enough of the {found.pages} threads")
        return rule
    notes.append(f"posts: as many as the method on {found.right} of {found.pages} threads")
    return replace(rule, posts=found.selectors)


def _find_spoiled(rule: SiteRule, touched: Sequence[StudiedPage]) -> str:
    """Return the name of a page of another layout whose text the rule changes, or ""."""
    sure = [page for page in touched if page.is_sure]
    return next((page.name for page in sure if not compare_texts([page], rule).is_same), "")


def _describe_touched(touched: Sequence[StudiedPage], count: int) -> str:
    return f"needs: also on {len(touched)} of {count} other pages, whose text the rule leaves as it is"


def _parse(texts: Iterable[str]) -> tuple[Selector, ...]:
    return tuple(selector for text in texts if (selector := read_selector(text)))


def mean_confidence(pages: Sequence[StudiedPage]) -> float:
    """Return the mean confidence of the method in its answers."""
    return fmean(page.doc.confidence for page in pages) if pages else 0.0
