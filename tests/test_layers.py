"""Imports only go down: reads every module's import statements and fails on one that goes up."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "src" / "bonmun"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Lowest first: a module imports only lower ones. A package is one layer, free inside; `__init__` is the root.
ORDER = (
    "_version errors options work text page labels metadata sites models methods outputs document explain compare "
    "pipeline web gold evaluate train corpus __init__ commands cli __main__"
).split()
KNOW_TURBOHTML = {"page", "metadata", "outputs"}


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def statements(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when the module is loaded: not those for type checkers, nor those in functions."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif is_type_checking(node):
            assert isinstance(node, ast.If)
            yield from statements(node.orelse)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from statements(handler.body)


def imported(code: str, package: str = "bonmun") -> set[str]:
    """The full names of the modules that some code imports; `from a import b` counts as a.b where that is a module."""
    names: set[str] = set()
    for node in statements(ast.parse(code).body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
            continue
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, base] if base else above)
        names |= {f"{base}.{a.name}" if is_module(f"{base}.{a.name}") else base for a in node.names}
    return names


def is_module(name: str) -> bool:
    place = ROOT / "src" / name.replace(".", "/")
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def layers_below(path: Path) -> set[str]:
    """The layers of bonmun that a module imports, but its own."""
    package = ".".join(path.parent.relative_to(ROOT / "src").parts)
    names = imported(path.read_text(encoding="utf-8"), package)
    found = {[*name.split("."), "__init__"][1] for name in names if name.split(".")[0] == "bonmun"}
    return found - {layer(path)}


def test_every_module_has_its_layer() -> None:
    assert sorted({layer(path) for path in MODULES}) == sorted(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(PACKAGE)) for path in MODULES])
def test_imports_go_down(path: Path) -> None:
    below = set(ORDER[: ORDER.index(layer(path))])
    assert layers_below(path) <= below
    assert "__init__" not in layers_below(path)  # the root is for users


def test_only_the_lowest_modules_know_the_parser() -> None:
    knowing = {
        layer(path)
        for path in MODULES
        if any(name.split(".")[0] == "turbohtml" for name in imported(path.read_text(encoding="utf-8")))
    }
    assert knowing == KNOW_TURBOHTML


def test_there_are_no_cycles() -> None:
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        edges.setdefault(layer(path), set()).update(layers_below(path))
    while free := {name for name, below in edges.items() if not below & edges.keys()}:
        edges = {name: below for name, below in edges.items() if name not in free}
    assert edges == {}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import bonmun.page", {"bonmun.page"}),
        ("from bonmun import page, Page", {"bonmun.page", "bonmun"}),
        ("from bonmun.page import Page", {"bonmun.page"}),
        ("from . import page", {"bonmun.page"}),
        ("from .outputs import tree", {"bonmun.outputs.tree"}),
        ("if TYPE_CHECKING:\n    import bonmun.cli\nelse:\n    import bonmun.web", {"bonmun.web"}),
        ("def f():\n    import bonmun.cli", set()),
        ("class A:\n    import bonmun.web", {"bonmun.web"}),
        ("try:\n    import json\nexcept ImportError:\n    import bonmun.web", {"json", "bonmun.web"}),
    ],
)
def test_imports_are_read_right(code: str, expected: set[str]) -> None:
    assert imported(code) == expected
