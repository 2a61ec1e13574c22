"""Code in, a short hash out: what is kept in the cache is good as long as the code that made it has not changed.

Which code that is follows from the imports. Every import statement that can run counts, also one in a function, and so
does every string that names a module: methods and formats are loaded by such names.

- An answer of ours is made by `bonmun.pipeline` and all rooms that it reaches. A room is a folder or a module right
  under `bonmun`, and counts as a whole, with its data. A room that the pipeline does not reach cannot change an answer.
- A score is made by `bonmun.lab.evaluate.metrics.scores` and the modules that it reaches: those that compare, align
  and parse.
"""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["find_answer_rooms", "find_modules", "hash_answers", "hash_oracle", "hash_scores"]

PACKAGE = Path(__file__).parent.parent
ROOT = "__init__"  # the room of `bonmun` itself
DOCUMENT = "bonmun.document"  # through which an alignment reaches facts and formats: they change no score
NAMED_MODULE = re.compile(r"(bonmun(?:\.\w+)+)(?:[.:]\w*)?")  # "bonmun.algorithms.auto:Auto", "bonmun.outputs."
VERSION_DIGITS, SCORES_DIGITS = 8, 16  # of a hash, hexadecimal


@cache
def hash_answers(package: Path = PACKAGE) -> str:
    """Give the version of our own methods: that of bonmun, with a hash over all that decides what is extracted."""
    files = (file for room in find_answer_rooms(package) for file in _list_files(package, room))
    return f"{__version__}+{_hash(package, files)[:VERSION_DIGITS]}"


@cache
def hash_oracle(package: Path = PACKAGE) -> str:
    """Give the version of the oracle: that of our methods, with a hash over the code that aligns golds with pages."""
    modules = find_modules("bonmun.lab.gold.alignment", package)
    return f"{hash_answers(package)}.{_hash(package, modules.values())[:VERSION_DIGITS]}"


@cache
def hash_scores(package: Path = PACKAGE) -> str:
    """Hash the code that compares answers with golds and pages: scores made with other code are made again.

    Peers need not be scored again whenever a method, a fact or a format changes.
    """
    modules = find_modules("bonmun.lab.evaluate.metrics.scores", package, without=DOCUMENT)
    return _hash(package, modules.values())[:SCORES_DIGITS]


def find_answer_rooms(package: Path = PACKAGE) -> set[str]:
    """Find the rooms that decide what is extracted: the pipeline and all that it reaches."""
    rooms: set[str] = set()
    waiting = ["pipeline"]
    while waiting:
        room = waiting.pop()
        if room not in rooms:
            rooms.add(room)
            code = (file for file in _list_files(package, room) if file.suffix == ".py")
            waiting += [_find_room(name) for file in code for name in _read_imports(package, file)]
    return rooms


def find_modules(start: str, package: Path = PACKAGE, *, without: str = "") -> dict[str, Path]:
    """Find a module and all modules of bonmun that it reaches, with their files; none is reached through `without`."""
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found and name != without and (file := _find_file(package, name)):
            found[name] = file
            waiting += [*_read_imports(package, file), *_list_parents(name)]
    return found


def _read_imports(package: Path, file: Path) -> Iterator[str]:
    """Read the modules of bonmun that a file imports or names, but those for type checkers only."""
    here = ".".join(file.relative_to(package.parent).parent.parts)
    return (_cut_to_module(package, name) for name in _read_names(file.read_bytes(), here))


@cache
def _read_names(code: bytes, package: str) -> tuple[str, ...]:
    """Read the names in some code that are modules of bonmun or stand in one."""
    tree = ast.parse(code)
    branches = (node for node in ast.walk(tree) if isinstance(node, ast.If) and _is_type_checking(node.test))
    for_types = {node for branch in branches for line in branch.body for node in ast.walk(line)}
    names = (name for node in ast.walk(tree) if node not in for_types for name in _read_node(node, package))
    return tuple(dict.fromkeys(name for name in names if name.partition(".")[0] == "bonmun"))


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _read_node(node: ast.AST, package: str) -> Iterator[str]:
    """Read the names that one node imports; what is imported from a module may be a module itself."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = resolve_name("." * node.level + (node.module or ""), package)
        yield from (f"{module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Constant) and (named := NAMED_MODULE.fullmatch(str(node.value))):
        yield named[1]


def _list_parents(name: str) -> list[str]:
    """List the folders whose `__init__` runs when a module is loaded, but the root, which is for users."""
    parts = name.split(".")
    return [".".join(parts[:stop]) for stop in range(2, len(parts))]


def _cut_to_module(package: Path, name: str) -> str:
    """Cut what is no module off the end of a name, such as a class."""
    while name != "bonmun" and not _find_file(package, name):
        name = name.rpartition(".")[0]
    return name


def _find_file(package: Path, name: str) -> Path | None:
    place = package.parent.joinpath(*name.split("."))
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)


def _find_room(name: str) -> str:
    return [*name.split("."), ROOT][1]


def _list_files(package: Path, room: str) -> Iterator[Path]:
    """List the files of a room, code and data; what Python has compiled is neither."""
    if (module := package / f"{room}.py").is_file():
        yield module
    yield from (file for file in (package / room).rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def _hash(package: Path, files: Iterable[Path]) -> str:
    """Hash some files and their names."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(package).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()
