"""Write docs/reference/objects.md from the declared fields of objects.

.venv/bin/python -m scripts.make.objects_reference
"""

from __future__ import annotations

import json
from pathlib import Path

from bonmun.objects.schemas import OBJECT_FIELDS, make_schema

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "objects.md"
HEAD = """# Objects

The types of `doc.objects`, with their fields and JSON Schemas. Fields have the names of
[schema.org](https://schema.org). A field that was not found is absent. [Get typed objects](../how-to/objects.md) shows
how to use them. This page is written by `scripts/make/objects_reference.py`.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(write_reference(), encoding="utf-8")


def write_reference() -> str:
    """Return the page of all types of objects."""
    parts = [HEAD]
    for type_, fields in OBJECT_FIELDS.items():
        rows = [f"| `{name}` | {_name_type(schema)} | {about} |" for name, (schema, about) in fields.items()]
        table = "\n".join(["| field | value | what it is |", "|---|---|---|", *rows])
        schema = json.dumps(make_schema(type_), indent=2, ensure_ascii=False)
        note = f'??? note "JSON Schema of {type_}"\n\n    ```json\n{_indent(schema)}\n    ```'
        parts += [f"## {type_}\n", f"{table}\n", f"{note}\n"]
    return "\n".join(parts)


def _name_type(schema: dict[str, object]) -> str:
    """Return the type of a value in words."""
    items, fields = schema.get("items"), schema.get("properties")
    if isinstance(items, dict):
        return f"list of {_name_type(items)}"
    if isinstance(fields, dict):
        return "object: " + ", ".join(f"`{name}`" for name in fields)
    return str(schema.get("format") or schema["type"])


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


if __name__ == "__main__":
    main()
