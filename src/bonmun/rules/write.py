"""Write rules as TOML."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING

from bonmun.rules.records import PostSelectors, Selector

if TYPE_CHECKING:
    from bonmun.rules.records import SiteRule

__all__ = ["write_rule"]

KEYS = tuple("name hosts generator has needs main within keep drop title authors date posts next".split())


def write_rule(rule: SiteRule) -> str:
    """Return a rule as a `[[rule]]` table."""
    lines = ["[[rule]]"]
    for key in KEYS:
        value = getattr(rule, key)
        if value:
            lines.append(f"{key} = {_write_value(value)}")
    return "\n".join(lines) + "\n"


def _write_value(value: str | Selector | PostSelectors | tuple[str | Selector, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_write_value, value))}]"
    if isinstance(value, PostSelectors):
        given = {each.name: getattr(value, each.name) for each in fields(value)}
        return f"{{ {', '.join(f'{key} = {_write_value(each)}' for key, each in given.items() if each)} }}"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML has the same escapes, and this
