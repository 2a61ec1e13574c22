"""Parse the selectors of rules: CSS, or an XPath that is translated to CSS.

The parser of pages evaluates compounds such as `div.post:not(.ad)` in linear time, but not every selector: `:is(.a .b)`
takes exponential time on a deeply nested page. So selectors are split at their combinators, which find.py evaluates
itself, and the arguments of `:not()`, `:is()` and `:has()` must be compounds.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bonmun.page import Page
from bonmun.rules.records import Selector, SelectorStep
from bonmun.rules.xpaths import translate_xpath

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_SELECTOR_CHARS", "InvalidSelector", "parse_selector"]

MAX_SELECTOR_CHARS = 500
MAX_STEPS = 12  # compounds between combinators
MAX_ALTERNATIVES = 20  # selectors between commas
MAX_PSEUDO_DEPTH = 2  # :not(:has(a))

S = r"\s{0,9}"
IDENTIFIER = r"(?:[\w-]|\\.|[^\x00-\x7f]){1,120}+"
STRING = r"\"(?:[^\"\\]|\\.){0,300}+\"|'(?:[^'\\]|\\.){0,300}+'"
SIMPLE = re.compile(rf"\*|[.#]?{IDENTIFIER}")
ATTRIBUTE = re.compile(rf"\[{S}{IDENTIFIER}{S}(?:[~|^$*]?={S}(?:{STRING}|{IDENTIFIER}){S}[isIS]?{S})?\]")
PSEUDO = re.compile(r":([a-z-]{1,40})")
POSITION = re.compile(rf"{S}(?:odd|even|[+-]?\d{{0,4}}n?(?:{S}[+-]{S}\d{{1,4}})?){S}")
COMBINATOR = re.compile(rf"{S}([>+~]){S}|\s{{1,9}}")
CHILD = re.compile(rf"{S}(?:>{S})?")
COMMA = re.compile(rf"{S},{S}")
READ_ATTRIBUTE = re.compile(r"@([A-Za-z_][\w:.-]{0,60})")
XPATH_START = re.compile(rf"\(?{S}\.?/")

PLAIN_PSEUDOS = frozenset(
    "first-child last-child only-child first-of-type last-of-type only-of-type empty root".split()
)
POSITION_PSEUDOS = frozenset("nth-child nth-last-child nth-of-type nth-last-of-type".split())
SELECTOR_PSEUDOS = frozenset("not is where has".split())


class InvalidSelector(ValueError):
    """A selector cannot be used; the message says why."""


def parse_selector(text: str) -> Selector:
    """Parse a selector; raise InvalidSelector if it is not supported."""
    if len(text) > MAX_SELECTOR_CHARS:
        raise InvalidSelector(f"it is longer than {MAX_SELECTOR_CHARS} characters")
    css = text.strip()
    if not css:
        raise InvalidSelector("it is empty")
    if found := READ_ATTRIBUTE.fullmatch(css):
        return Selector(text, (), (found[1].lower(),))
    if XPATH_START.match(css):
        try:
            css = translate_xpath(css)
        except ValueError as problem:
            raise InvalidSelector(str(problem)) from None
    alternatives = list(_read_alternatives(css))
    for steps, _ in alternatives:
        for step in steps:
            _try(step.compound)
    return Selector(text, tuple(steps for steps, _ in alternatives), tuple(name for _, name in alternatives))


def _read_alternatives(css: str) -> Iterator[tuple[tuple[SelectorStep, ...], str | None]]:
    """Yield the selectors between commas, each with the attribute that it reads."""
    at = count = 0
    while True:
        steps: list[SelectorStep] = []
        combinator = ""
        while True:
            end = _read_compound(css, at, 0)
            steps.append(SelectorStep(combinator, css[at:end]))
            if len(steps) > MAX_STEPS:
                raise InvalidSelector(f"it has more than {MAX_STEPS} steps")
            at = end
            if attribute := READ_ATTRIBUTE.match(css, at):
                at = attribute.end()
            if at == len(css) or COMMA.match(css, at):
                break
            found = COMBINATOR.match(css, at)
            if not found or attribute:
                raise InvalidSelector(f"unexpected {css[at]!r} at character {at + 1}")
            combinator, at = found[1] or " ", found.end()
        yield tuple(steps), attribute[1].lower() if attribute else None
        count += 1
        if count > MAX_ALTERNATIVES:
            raise InvalidSelector(f"it has more than {MAX_ALTERNATIVES} alternatives")
        if at == len(css):
            return
        comma = COMMA.match(css, at)
        at = comma.end() if comma else at


def _read_compound(css: str, at: int, depth: int) -> int:
    """Return where the compound that starts at a position ends."""
    start = at
    while at < len(css):
        found = ATTRIBUTE.match(css, at) or (SIMPLE.match(css, at) if at == start or css[at] in ".#" else None)
        if found:
            at = found.end()
        elif css[at] == ":":
            at = _read_pseudo(css, at, depth)
        else:
            break
    if at == start:
        wrong = f"unexpected {css[at]!r} at character {at + 1}" if at < len(css) else "it ends too early"
        raise InvalidSelector(wrong)
    return at


def _read_pseudo(css: str, at: int, depth: int) -> int:
    """Return where a pseudo-class ends."""
    found = PSEUDO.match(css, at)
    name = found[1] if found else ""
    end = found.end() if found else at
    if name in PLAIN_PSEUDOS:
        return end
    if name not in POSITION_PSEUDOS | SELECTOR_PSEUDOS or css[end : end + 1] != "(":
        raise InvalidSelector(f"{css[at : end or at + 1] or ':'} is not supported")
    end += 1
    if name in POSITION_PSEUDOS:
        position = POSITION.match(css, end)
        end = position.end() if position else end
        if css.startswith("of ", end) and name in ("nth-child", "nth-last-child"):
            end = _read_compound(css, end + len("of "), MAX_PSEUDO_DEPTH)
    else:
        if depth >= MAX_PSEUDO_DEPTH:
            raise InvalidSelector(f":{name}() is nested too deeply")
        inner = MAX_PSEUDO_DEPTH if name == "has" else depth + 1
        while True:
            child = CHILD.match(css, end) if name == "has" else None
            end = _read_compound(css, child.end() if child else end, inner)
            comma = COMMA.match(css, end)
            if not comma:
                break
            end = comma.end()
    if css[end : end + 1] != ")":
        raise InvalidSelector(f":{name}() takes one name, class, id or attribute each, without combinators")
    return end + 1


def _try(compound: str) -> None:
    """Raise InvalidSelector if the parser does not accept a compound."""
    try:
        _load_empty_page().select(compound)
    except ValueError as problem:
        raise InvalidSelector(str(problem)) from None


@cache
def _load_empty_page() -> Page:
    return Page.parse("<p>A page to try selectors on.</p>")
