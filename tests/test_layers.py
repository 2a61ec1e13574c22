"""Layers: packages import only lower ones, without cycles, and do not use private parts of each other; classes have unique names."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "src" / "bonmun"
MODULES = sorted(PACKAGE.rglob("*.py"))
NO_PACKAGE = {PACKAGE / name / "__init__.py" for name in ("scale", "lab", "app")}

# Lowest first: a module imports only lower ones. Within a folder, imports are free except for cycles; `__init__` is the
# root. The packages of a sub-package follow its name.
ORDER = (
    "_version kernel errors settings options bounds markup work text snapshots page labels kept capacity metadata sites rules models algorithms empty_pages outputs objects document joined explain compare "
    "pipeline extraction learn scale.web scale.browser scale.corpus scale.spark scale.crawl lab.gold lab.evaluate lab.train lab.annotate "
    "app.integrations app.client app.inspector app.serve __init__ app.commands app.cli __main__"
).split()
SUB_PACKAGES = ("scale", "lab", "app")
USE_TURBOHTML = {"page", "outputs"}  # parses; builds trees to write (metadata loads it to detect some languages)
OF_THE_STANDARD_LIBRARY = {"_asdict", "_exit", "_fields", "_make", "_replace"}


def find_package(path: Path) -> str:
    return name_package(path.relative_to(PACKAGE).with_suffix("").parts)


def name_package(parts: tuple[str, ...]) -> str:
    return ".".join(parts[: 2 if parts[0] in SUB_PACKAGES else 1])


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def find_load_imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when a module is loaded: not those for type checkers, nor those in functions."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif is_type_checking(node):
            assert isinstance(node, ast.If)
            yield from find_load_imports(node.orelse)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from find_load_imports(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from find_load_imports(handler.body)


def find_all_imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield all imports, including those for type checkers and those in functions."""
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node


@cache
def find_imported_names(code: str, package: str = "bonmun", *, every: bool = False) -> set[str]:
    """Return the full names of the imported modules; `from a import b` counts as a.b if that is a module."""
    names: set[str] = set()
    for node in (find_all_imports if every else find_load_imports)(ast.parse(code).body):
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


def name_module(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def find_imports(path: Path, *, every: bool = False) -> set[str]:
    """Return the modules of bonmun that a module imports."""
    package = ".".join(path.parent.relative_to(ROOT / "src").parts)
    names = find_imported_names(path.read_text(encoding="utf-8"), package, every=every)
    return {name for name in names if name.split(".")[0] == "bonmun"} - {name_module(path)}


def find_imported_packages(path: Path, *, every: bool = False) -> set[str]:
    """Return the packages that a module imports, except its own."""
    packages = {name_package((*name.split(".")[1:], "__init__")) for name in find_imports(path, every=every)}
    return packages - {find_package(path)}


def test_every_module_belongs_to_a_package() -> None:
    packages = {find_package(path) for path in MODULES} - {f"{name}.__init__" for name in SUB_PACKAGES}
    assert sorted(packages) == sorted(ORDER)


def test_imports_go_down() -> None:
    """This includes imports for type checkers and in functions."""
    wrong = {}
    for path in MODULES:
        if path not in NO_PACKAGE:
            below = set(ORDER[: ORDER.index(find_package(path))]) - {"__init__"}  # the root is for users
            if above := find_imported_packages(path, every=True) - below:
                wrong[str(path.relative_to(PACKAGE))] = above
    assert wrong == {}


def test_only_the_lowest_packages_import_the_parser() -> None:
    knowing = {
        find_package(path)
        for path in MODULES
        if any(name.split(".")[0] == "turbohtml" for name in find_imported_names(path.read_text(encoding="utf-8")))
    }
    assert knowing == USE_TURBOHTML


def remove_leaves(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Remove nodes without successors from a graph until there are none; what is left are the cycles."""
    while free := {name for name, below in edges.items() if not below & edges.keys()}:
        edges = {name: below for name, below in edges.items() if name not in free}
    return edges


def test_there_are_no_import_cycles() -> None:
    """Nor within a package, nor by imports for type checkers or in functions."""
    edges = {name_module(path): find_imports(path, every=True) for path in MODULES}
    assert remove_leaves(edges) == {}


def test_a_cycle_would_be_found() -> None:
    assert remove_leaves({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}, "e": set()}).keys() == {"a", "b", "c", "d"}


def find_private_uses(code: str) -> set[str]:
    """Return the private attributes that are used on anything but `self`: `page._tree`, not `self._tree`."""
    return {
        node.attr
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }


@cache
def find_private_names(code: str) -> set[str]:
    """Return the private names that are defined: functions, attributes, variables."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return {name for name in names if name.startswith("_")}


@pytest.mark.slow
def test_private_attributes_are_only_used_in_their_own_package() -> None:
    """Above all `page._tree` and `page._nodes`: other packages must use the public methods of Page."""
    own: dict[str, set[str]] = {}
    for path in MODULES:
        own.setdefault(find_package(path), set()).update(find_private_names(path.read_text(encoding="utf-8")))
    wrong = {}
    for path in MODULES:
        uses = find_private_uses(path.read_text(encoding="utf-8"))
        if others := uses - own[find_package(path)] - OF_THE_STANDARD_LIBRARY:
            wrong[str(path.relative_to(PACKAGE))] = others
    assert wrong == {}


def test_private_use_of_a_page_would_be_found() -> None:
    assert find_private_uses("page._tree.find('title')\nself._x\ndoc.page._nodes[0]") == {"_tree", "_nodes"}
    assert find_private_names("class A:\n    def __init__(self):\n        self._x = _y = 1") == {"__init__", "_x", "_y"}


def find_public_classes(code: str) -> list[str]:
    """Return the names of the public classes at the top level of a module."""
    found = [node.name for node in ast.parse(code).body if isinstance(node, ast.ClassDef)]
    return [name for name in found if not name.startswith("_")]


def test_public_classes_have_different_names() -> None:
    """A class name means one thing in the whole package."""
    found = Counter(name for path in MODULES for name in find_public_classes(path.read_text(encoding="utf-8")))
    assert [name for name, count in found.items() if count > 1] == []
    assert find_public_classes("class A: ...\nclass _B: ...\ndef f():\n    class C: ...") == ["A"]


@pytest.mark.parametrize(
    ("code", "expected", "every"),
    [
        ("import bonmun.page", {"bonmun.page"}, set()),
        ("from bonmun import page, Page", {"bonmun.page", "bonmun"}, set()),
        ("from bonmun.page import Page", {"bonmun.page"}, set()),
        ("from . import page", {"bonmun.page"}, set()),
        ("from .outputs import tree", {"bonmun.outputs.tree"}, set()),
        (
            "if TYPE_CHECKING:\n    import bonmun.app.cli\nelse:\n    import bonmun.scale.web.download",
            {"bonmun.scale.web.download"},
            {"bonmun.app.cli"},
        ),
        ("def f():\n    import bonmun.app.cli", set(), {"bonmun.app.cli"}),
        ("class A:\n    import bonmun.scale.web.download", {"bonmun.scale.web.download"}, set()),
        (
            "try:\n    import json\nexcept ImportError:\n    import bonmun.scale.web.download",
            {"json", "bonmun.scale.web.download"},
            set(),
        ),
    ],
)
def test_imports_are_parsed(code: str, expected: set[str], every: set[str]) -> None:
    assert find_imported_names(code) == expected
    assert find_imported_names(code, every=True) == expected | every
