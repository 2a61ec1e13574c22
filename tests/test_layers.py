"""The rooms of the package: imports only go down, never in a circle, and no room reaches into another's private parts."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

import pytest

from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "src" / "bonmun"
MODULES = sorted(PACKAGE.rglob("*.py"))
NO_ROOM = {PACKAGE / name / "__init__.py" for name in ("scale", "lab", "app")}

# Lowest first: a module imports only lower ones. A folder is one room, free inside but for circles; `__init__` is the
# root. The rooms of a sub-package stand behind its name.
ORDER = (
    "_version kernel errors settings options bounds markup work text snapshots page labels kept capacity metadata sites models algorithms outputs document explain compare "
    "pipeline extraction scale.web scale.browser scale.corpus scale.spark scale.crawl lab.gold lab.evaluate lab.train lab.annotate "
    "app.integrations app.client app.inspector app.serve __init__ app.commands app.cli __main__"
).split()
SUB_PACKAGES = ("scale", "lab", "app")
KNOW_TURBOHTML = {"page", "outputs"}  # parses; builds trees to write (metadata loads it to tell some languages apart)
OF_THE_STANDARD_LIBRARY = {"_asdict", "_exit", "_fields", "_make", "_replace"}


def find_room(path: Path) -> str:
    return name_room(path.relative_to(PACKAGE).with_suffix("").parts)


def name_room(parts: tuple[str, ...]) -> str:
    return ".".join(parts[: 2 if parts[0] in SUB_PACKAGES else 1])


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def find_loaded(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when the module is loaded: not those for type checkers, nor those in functions."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif is_type_checking(node):
            assert isinstance(node, ast.If)
            yield from find_loaded(node.orelse)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from find_loaded(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from find_loaded(handler.body)


def find_every(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports: those for type checkers and those in functions, too."""
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node


@cache
def imported(code: str, package: str = "bonmun", *, every: bool = False) -> set[str]:
    """The full names of the modules that some code imports; `from a import b` counts as a.b where that is a module."""
    names: set[str] = set()
    for node in (find_every if every else find_loaded)(ast.parse(code).body):
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
    """The modules of bonmun that a module imports."""
    package = ".".join(path.parent.relative_to(ROOT / "src").parts)
    names = imported(path.read_text(encoding="utf-8"), package, every=every)
    return {name for name in names if name.split(".")[0] == "bonmun"} - {name_module(path)}


def find_rooms_below(path: Path, *, every: bool = False) -> set[str]:
    """The rooms that a module imports, but its own."""
    rooms = {name_room((*name.split(".")[1:], "__init__")) for name in find_imports(path, every=every)}
    return rooms - {find_room(path)}


def test_every_module_has_its_room() -> None:
    rooms = {find_room(path) for path in MODULES} - {f"{name}.__init__" for name in SUB_PACKAGES}
    assert sorted(rooms) == sorted(ORDER)


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path not in NO_ROOM], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_go_down(path: Path) -> None:
    """Those for type checkers and those in functions, too."""
    below = set(ORDER[: ORDER.index(find_room(path))])
    assert find_rooms_below(path, every=True) <= below
    assert "__init__" not in find_rooms_below(path, every=True)  # the root is for users


def test_only_the_lowest_rooms_know_the_parser() -> None:
    knowing = {
        find_room(path)
        for path in MODULES
        if any(name.split(".")[0] == "turbohtml" for name in imported(path.read_text(encoding="utf-8")))
    }
    assert knowing == KNOW_TURBOHTML


def remove_leaves(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left of a graph when all that lead nowhere are gone, again and again: the circles, if there are any."""
    while free := {name for name, below in edges.items() if not below & edges.keys()}:
        edges = {name: below for name, below in edges.items() if name not in free}
    return edges


def test_there_are_no_circles() -> None:
    """Not between modules of one room either, nor by imports that only type checkers or functions make."""
    edges = {name_module(path): find_imports(path, every=True) for path in MODULES}
    assert remove_leaves(edges) == {}


def test_a_circle_would_be_found() -> None:
    assert remove_leaves({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}, "e": set()}).keys() == {"a", "b", "c", "d"}


def find_private_uses(code: str) -> set[str]:
    """The private attributes that some code asks of something but itself: `page._tree`, not `self._tree`."""
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
    """The private names that some code defines: functions, attributes, variables."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return {name for name in names if name.startswith("_")}


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(PACKAGE)) for path in MODULES])
def test_private_attributes_are_only_used_in_their_own_room(path: Path) -> None:
    """Above all `page._tree` and `page._nodes`: who wants to know something of an element asks the page."""
    room = [other for other in MODULES if find_room(other) == find_room(path)]
    own = set().union(*(find_private_names(other.read_text(encoding="utf-8")) for other in room))
    uses = find_private_uses(path.read_text(encoding="utf-8"))
    assert uses - own - OF_THE_STANDARD_LIBRARY == set()


def test_a_room_that_reaches_into_a_page_would_be_found() -> None:
    assert find_private_uses("page._tree.find('title')\nself._x\ndoc.page._nodes[0]") == {"_tree", "_nodes"}
    assert find_private_names("class A:\n    def __init__(self):\n        self._x = _y = 1") == {"__init__", "_x", "_y"}


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
def test_imports_are_read_right(code: str, expected: set[str], every: set[str]) -> None:
    assert imported(code) == expected
    assert imported(code, every=True) == expected | every
