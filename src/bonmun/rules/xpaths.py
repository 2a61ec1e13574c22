"""Translate XPaths to CSS selectors.

A full XPath engine takes polynomial time (`//*[//*[//*]]`) and can read anything. Rules need little of it: steps with
`/` and `//`, and conditions on attributes, positions and children. Everything else is refused, with the reason.
"""

from __future__ import annotations

import re
from typing import NoReturn

__all__ = ["translate_xpath"]

MAX_CONDITION_DEPTH = 4  # brackets within a condition

S = r"\s{0,9}"
NAME = r"[A-Za-z_][\w.-]{0,60}"
LITERAL = r"\"([^\"]{0,300})\"|'([^']{0,300})'"
BLANK = r"['\"] ['\"]"
AXES = {"child::": ">", "descendant::": " ", "following-sibling::": "~"}
SEPARATOR = re.compile(rf"{S}(//?){S}")
STEP = re.compile(rf"({'|'.join(AXES)})?(\*|{NAME})")
READ_ATTRIBUTE = re.compile(rf"@({NAME}){S}$")
READ_TEXT = re.compile(rf"(?:text\(\)|node\(\)){S}$")
FIRST = re.compile(rf"{S}\){S}\[1\]{S}$")
ATTRIBUTE = re.compile(rf"@({NAME}){S}(?:(!?=){S}(?:{LITERAL}))?")
TEST = re.compile(rf"(contains|starts-with|ends-with){S}\({S}@({NAME}){S},{S}(?:{LITERAL}){S}\)")
WORD_TEST = re.compile(
    rf"contains{S}\({S}concat{S}\({S}{BLANK}{S},{S}(?:normalize-space{S}\({S})?@({NAME}){S}\)?"
    rf"{S},{S}{BLANK}{S}\){S},{S}(?:{LITERAL}){S}\)"
)
POSITION = re.compile(rf"(?:position\(\){S}={S})?(\d{{1,4}}|last\(\))")
NOT = re.compile(rf"not{S}\(")
CHILD = re.compile(rf"(\.//|\./)?({NAME})")
JOIN = re.compile(rf"{S}(and|or)\s{{1,9}}")
SPACE = re.compile(S)
OPERATORS = {"contains": "*=", "starts-with": "^=", "ends-with": "$="}


def translate_xpath(text: str) -> str:
    """Return the CSS selector of an XPath, with `@name` for an attribute that it reads; raise ValueError if none."""
    found = _Translator(text.strip()).translate()
    return ", ".join(f"{css}@{attribute}" if attribute else css for css, attribute in found)


class _Translator:
    """Reads an XPath from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def translate(self) -> list[tuple[str, str | None]]:
        found = [self._read_path()]
        while self.at < len(self.text):
            if not self._take("|"):
                self._refuse()
            self._skip()
            found.append(self._read_path())
        return found

    def _read_path(self) -> tuple[str, str | None]:
        """Return one path as CSS, and the attribute that it reads."""
        bracketed = self._take("(")
        self._skip()
        self._take(".")
        css, attribute = "", None
        while separator := self._match(SEPARATOR):
            if found := self._match(READ_ATTRIBUTE):
                attribute = found[1].lower()
                break
            if self._match(READ_TEXT):
                break
            combinator = ">" if separator[1] == "/" else " "
            axis, compound = self._read_step()
            combinator = AXES[axis] if axis else combinator
            if css:
                css += f" {combinator} " if combinator != " " else " "
            elif combinator == ">":
                compound += ":root"
            css += compound
            self._skip()
        if bracketed:  # (//h1)[1]: the first one found is used anyway
            self._skip()
            if not self._match(FIRST) and not self._take(")"):
                self._refuse()
        if not css:
            self._refuse()
        self._skip()
        return css, attribute

    def _read_step(self) -> tuple[str | None, str]:
        """Return the axis and the compound of a step."""
        found = self._match(STEP)
        if not found:
            self._refuse()
        axis, name = found[1], found[2]
        compound = "" if name == "*" else name.lower()
        is_first = True
        while self._take("["):
            self._skip()
            if position := self._match_position():
                compound += _write_position(position, name, compound, is_first=is_first)
            else:
                compound += self._read_condition(0)
            is_first = False
            self._skip()
            if not self._take("]"):
                self._refuse()
        return axis, compound or "*"

    def _match_position(self) -> str | None:
        found = POSITION.match(self.text, self.at)
        if not found or self.text[found.end() : found.end() + 1] != "]":
            return None
        self.at = found.end()
        return found[1]

    def _read_condition(self, depth: int) -> str:
        """Return a condition as a part of a compound: `[class~="x"]:not([id])`."""
        if depth > MAX_CONDITION_DEPTH:
            raise ValueError("the conditions of the XPath are nested too deeply")
        alternatives = [self._read_term(depth)]
        while found := self._match(JOIN):
            term = self._read_term(depth)
            if found[1] == "and":
                alternatives[-1] += term
            else:
                alternatives.append(term)
        return alternatives[0] if len(alternatives) == 1 else f":is({', '.join(alternatives)})"

    def _read_term(self, depth: int) -> str:
        self._skip()
        if self._match(NOT):
            inner = self._read_condition(depth + 1)
            self._close()
            return f":not({inner})"
        if self._take("("):
            inner = self._read_condition(depth + 1)
            self._close()
            return inner
        if found := self._match(WORD_TEST):
            value = (found[2] or found[3] or "").strip()
            return f"[{found[1]}~={_quote(value)}]"
        if found := self._match(TEST):
            return f"[{found[2]}{OPERATORS[found[1]]}{_quote(found[3] or found[4] or '')}]"
        if found := self._match(ATTRIBUTE):
            if not found[2]:
                return f"[{found[1]}]"
            equal = f"[{found[1]}={_quote(found[3] or found[4] or '')}]"
            return equal if found[2] == "=" else f"[{found[1]}]:not({equal})"
        return self._read_child()

    def _read_child(self) -> str:
        """Return a condition such as `.//img[@src]` as `:has(img[src])`."""
        found = self._match(CHILD)
        if not found or self.text[self.at : self.at + 1] in ("(", ":", "/"):
            self._refuse()
        compound = found[2].lower()
        while self._take("["):
            self._skip()
            compound += self._read_condition(MAX_CONDITION_DEPTH)
            self._skip()
            if not self._take("]"):
                self._refuse()
        return f":has({compound})" if found[1] == ".//" else f":has(> {compound})"

    def _close(self) -> None:
        self._skip()
        if not self._take(")"):
            self._refuse()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _take(self, sign: str) -> bool:
        has_sign = self.text.startswith(sign, self.at)
        self.at += len(sign) if has_sign else 0
        return has_sign

    def _skip(self) -> None:
        self._match(SPACE)

    def _refuse(self) -> NoReturn:
        rest = self.text[self.at : self.at + 30]
        raise ValueError(f"this part of the XPath is not supported: {rest!r}" if rest else "the XPath ends too early")


def _write_position(position: str, name: str, compound: str, *, is_first: bool) -> str:
    """Return the pseudo-class for `[2]` or `[last()]` behind a compound."""
    kind = "nth-last" if position == "last()" else "nth"
    number = "1" if position == "last()" else position
    if is_first:
        return f":{kind}-child({number})" if name == "*" else f":{kind}-of-type({number})"
    return f":{kind}-child({number} of {compound})"


def _quote(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
