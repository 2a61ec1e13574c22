"""Add a selector to the text of a rule file without changing anything else in it.

A rule that was written here, and not changed since, is replaced; the rules that people write stay as they are, with
their comments. What is written is read again and compared, so that no name on a page can add anything else to the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadRule
from bonmun.rules.records import SiteRule
from bonmun.rules.rule_files import RULE_LINE, parse_rules
from bonmun.rules.selectors import InvalidSelector, parse_selector
from bonmun.rules.write import write_rule

if TYPE_CHECKING:
    from bonmun.rules.records import Selector

__all__ = ["CLICKED_FIELDS", "add_selector"]

CLICKED_FIELDS = ("drop", "keep", "title", "authors", "date")
OPPOSITES = {"drop": "keep", "keep": "drop"}
MAX_HOST_CHARS = 60  # of the name of a rule
BOM = b"\xef\xbb\xbf"


def add_selector(data: bytes, name: str, host: str, field: str, text: str) -> tuple[bytes, SiteRule]:
    """Return the bytes of a rule file with one more selector for a host, and the rule that has it.

    `name` is the name of the file in messages. Raises BadRule if the file or the selector cannot be used.
    """
    selector = _parse(field, text)
    rules = parse_rules(data, name)
    lines = data.removeprefix(BOM).split(b"\n")
    starts = [number for number, line in enumerate(lines) if RULE_LINE.match(line)]
    if len(starts) != len(rules):
        raise BadRule(f"{name}: a rule cannot be added to this file: start each rule with a line [[rule]].")
    at = _find_own(rules, lines, starts, host)
    if at is None:
        rule = _add(SiteRule(_choose_name(rules, host), hosts=(host,)), field, selector)
        line = _find_line_above(lines, starts[0]) if starts else len(lines)
        before, after = lines[:line], lines[line:]
        wanted = [rule, *rules]
    else:
        rule = _add(rules[at], field, selector)
        stop = starts[at + 1] if at + 1 < len(starts) else len(lines)
        before, after = lines[: starts[at]], lines[_find_line_above(lines, stop) :]
        wanted = [*rules[:at], rule, *rules[at + 1 :]]
    changed = _join(before, _encode(rule), after)
    if [_strip(each) for each in parse_rules(changed, name)] != [_strip(each) for each in wanted]:
        raise BadRule(f"{name}: the selector {text[:60]!r} cannot be written to the file.")
    return changed, rule


def _parse(field: str, text: str) -> Selector:
    if field not in CLICKED_FIELDS:
        raise BadRule(f"A rule has no field {field[:40]!r}: choose from {', '.join(CLICKED_FIELDS)}.")
    try:
        return parse_selector(text)
    except InvalidSelector as problem:
        raise BadRule(f"The selector {text[:60]!r} is invalid: {problem}.") from None


def _find_own(rules: list[SiteRule], lines: list[bytes], starts: list[int], host: str) -> int | None:
    """Return the number of the first rule for all pages of this host alone whose text is as it is written here."""
    for number, rule in enumerate(rules):
        stop = starts[number + 1] if number + 1 < len(starts) else len(lines)
        own = b"\n".join(lines[starts[number] : _find_line_above(lines, stop)])
        if rule.hosts == (host,) and rule.needs is None and own.strip() == _encode(rule).strip():
            return number
    return None


def _find_line_above(lines: list[bytes], line: int) -> int:
    """Return the first of the comment lines right above a line, or the line itself."""
    while line and lines[line - 1].lstrip().startswith(b"#"):
        line -= 1
    return line


def _choose_name(rules: list[SiteRule], host: str) -> str:
    """Return a name that no rule has."""
    taken = {rule.name for rule in rules}
    short = host[:MAX_HOST_CHARS]
    return next(name for name in (short, *(f"{short} {n}" for n in range(2, len(taken) + 3))) if name not in taken)


def _add(rule: SiteRule, field: str, selector: Selector) -> SiteRule:
    """Return the rule with one more selector: at the start where the first one that finds something counts."""
    others = tuple(each for each in getattr(rule, field) if each.text != selector.text)
    changes: dict[str, Any] = {field: (selector, *others)}
    if opposite := OPPOSITES.get(field):
        rest = tuple(each for each in getattr(rule, opposite) if each.text != selector.text)
        changes = {field: (*others, selector), opposite: rest}
    return replace(rule, **changes)


def _encode(rule: SiteRule) -> bytes:
    return write_rule(rule).encode("utf-8", "replace")


def _join(before: list[bytes], rule: bytes, after: list[bytes]) -> bytes:
    """Return the parts of the file with one empty line around the rule."""
    parts = (b"\n".join(before).rstrip(), rule.strip(), b"\n".join(after).strip())
    return b"\n\n".join(part for part in parts if part) + b"\n"


def _strip(rule: SiteRule) -> SiteRule:
    """Return a rule without its line."""
    return replace(rule, where="")
