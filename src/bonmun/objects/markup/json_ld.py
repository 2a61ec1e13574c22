"""Items of JSON-LD. The scripts themselves are parsed, and repaired, by metadata/declared.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.objects.markup.items import Item, fold_type

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.objects.markup.items import ItemValue

__all__ = ["read_json_ld"]

SOURCE = "JSON-LD"
MAX_ITEMS = 5_000  # objects of a page that are read
MAX_MEMBERS = 1_000  # values of one list that are read
MAX_LEVELS = 8  # lists within lists


def read_json_ld(declared: Declared) -> list[Item]:
    """Return the typed objects of all scripts, outer ones first; references by @id become the object itself."""
    made: dict[int, Item] = {}  # by the id() of the object
    queue: list[tuple[dict[str, Any], Item]] = []

    def make(thing: dict[str, Any]) -> Item:
        item = made.get(id(thing))
        if item is None:
            item = made[id(thing)] = Item(_read_types(thing.get("@type")), SOURCE)
            queue.append((thing, item))
        return item

    roots = [make(thing) for thing in declared.things]
    for thing, item in queue:  # which grows meanwhile
        for name, value in thing.items():
            values: list[ItemValue] = []
            for each in _flatten(value) if isinstance(value, list) else (value,):
                if isinstance(each, dict):
                    resolved = declared.resolve_id(each) if "@id" in each else each
                    if isinstance(resolved, dict) and (id(resolved) in made or len(made) < MAX_ITEMS):
                        values.append(make(resolved))
                elif isinstance(each, (str, int, float)):
                    values.append(each)
            if values:
                item.properties[_strip_namespace(name)] = values
    return [item for item in roots if item.types]


def _read_types(value: object) -> frozenset[str]:
    return frozenset(fold_type(name) for name in _flatten(value) if isinstance(name, str))


def _flatten(value: object) -> list[Any]:
    """Return the members of a list, and of lists within it; any other value as the only member."""
    for _ in range(MAX_LEVELS):
        if not isinstance(value, list):
            return [value]
        value = value[:MAX_MEMBERS]
        if not any(isinstance(each, list) for each in value):
            return value
        value = [each for inner in value for each in (inner if isinstance(inner, list) else [inner])]
    return []


def _strip_namespace(name: str) -> str:
    """Return "name" for "schema:name" and "http://schema.org/name"."""
    return name if name.isalpha() or name[:1] == "@" else name.rpartition("/")[2].rpartition(":")[2]
