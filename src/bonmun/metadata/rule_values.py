"""Title, authors and date as rules found them, which replace those of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bonmun.metadata.authors.names import split_names
from bonmun.metadata.dates.parse import read_program_day
from bonmun.metadata.dates.relative import read_relative_day
from bonmun.metadata.ranking import MetadataField
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from bonmun.labels import RuleValue
    from bonmun.metadata import Metadata

__all__ = ["read_rule_day", "use_rule_values"]

MAX_DATE_CHARS = 200


def use_rule_values(metadata: Metadata, found: Mapping[str, RuleValue], crawled: date | None) -> Metadata:
    """Return the metadata with the values of rules; a date that cannot be read is ignored."""
    changes: dict[str, Any] = {}
    fields = dict(metadata.fields)
    for name, (values, rule) in found.items():
        if name == "authors":
            names = dict.fromkeys(name for value in values for name in split_names(tidy_metadata(value), (), ()))
            name, value = "author", "; ".join(names)
            changes |= {"authors": tuple(names)} if names else {}
        elif name == "date":
            days = (read_rule_day(each, crawled) for each in values)
            value = next((str(day) for day in days if day), "")
        else:
            value = tidy_metadata(values[0])
        if value:
            changes[name] = value
            fields[name] = MetadataField(value, f"rule {rule}", 1.0)
    return replace(metadata, **changes, fields=fields)


def read_rule_day(text: str, crawled: date | None) -> date | None:
    """Return the day that a text or an attribute names, or None."""
    text = text[:MAX_DATE_CHARS]
    return read_program_day(text) or (read_relative_day(text, crawled) if crawled else None)
