"""Extension of Griffe, which reads our docstrings for the API reference: examples become blocks of code.

A paragraph of a docstring is an example if it starts with `>>>`, or if it is Python code of more than a name. A field
without a docstring is described by the help text of its `setting(…)`, or by the comment on its line.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any

from griffe import Attribute, Docstring, ExprCall, Extension, Object

FIELD_COMMENT = re.compile(r"\s#\s+(?!noqa|type:)(\S.*)$")


class DocstringBlocks(Extension):
    """Rewrites docstrings as Markdown."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence the examples of a docstring."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """Describe a field that has no docstring."""
        if attr.docstring is None and attr.name.islower() and (text := find_help(attr) or find_comment(attr)):
            attr.docstring = Docstring(text[0].upper() + text[1:], parent=attr)
        if is_setting(attr):
            attr.value = attr.value.arguments[0]  # the default, which signatures show


def fence_examples(text: str) -> str:
    """Return a docstring with its examples as blocks of code."""
    return "\n\n".join(
        f"```python\n{textwrap.dedent(part)}\n```" if is_example(part) else part for part in text.split("\n\n")
    )


def is_example(paragraph: str) -> bool:
    """Tell whether a paragraph is code, with or without prompts."""
    code = textwrap.dedent(paragraph).strip()
    if code.startswith(">>>"):
        return True
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return False
    plain = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple)
    return any(
        not (isinstance(each, ast.AnnAssign) or (isinstance(each, ast.Expr) and isinstance(each.value, plain)))
        for each in body
    )


def is_setting(attr: Attribute) -> bool:
    """Tell whether a field is declared as `setting(default, help, …)`."""
    return isinstance(attr.value, ExprCall) and str(attr.value.function) == "setting"


def find_help(attr: Attribute) -> str | None:
    """Return the help text of a setting."""
    return str(ast.literal_eval(str(attr.value.arguments[1]))) if is_setting(attr) else None


def find_comment(attr: Attribute) -> str | None:
    """Return the comment on the line of a field."""
    if not attr.lineno or not attr.parent or not attr.parent.is_class:
        return None
    line = attr.lines_collection[attr.filepath][attr.lineno - 1]
    found = FIELD_COMMENT.search(line)
    return found[1] if found else None
