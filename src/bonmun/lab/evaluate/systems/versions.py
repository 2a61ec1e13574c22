"""Hash the code behind answers and scores: a cached result is valid until the code that made it changes.

The code is found by following imports. Every import statement counts, including those in functions, and so does every
string that names a module, since methods and formats are loaded by name.

- Our answers depend on `bonmun.pipeline` and every top-level package that it reaches. A top-level package is a folder
  or module directly under `bonmun`; it counts as a whole, including its data. Others, such as `bonmun.scale`,
  `bonmun.lab` and `bonmun.app`, cannot change an answer.
- Scores depend on `bonmun.lab.evaluate.metrics.scores` and every module that it reaches: those that compare, align and
  parse.
"""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun import _version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["find_answer_packages", "find_modules", "hash_answers", "hash_oracle", "hash_scores"]

ROOT = Path(_version.__file__).parent  # the folder of bonmun
DOCUMENT = "bonmun.document"  # the alignment reaches metadata and formats through it, but they do not change scores
NAMED_MODULE = re.compile(r"(bonmun(?:\.\w+)+)(?:[.:]\w*)?")  # "bonmun.algorithms.auto:Auto", "bonmun.outputs."
VERSION_DIGITS, SCORES_DIGITS = 8, 16  # hexadecimal digits of a hash


@cache
def hash_answers(root: Path = ROOT) -> str:
    """Return the version of our methods: that of bonmun with a hash of all code and data that affect extraction."""
    files = (file for package in find_answer_packages(root) for file in _list_files(root, package))
    return f"{_version.__version__}+{_hash(root, files)[:VERSION_DIGITS]}"


@cache
def hash_oracle(root: Path = ROOT) -> str:
    """Return the version of the oracle: that of our methods with a hash of the code that aligns golds with pages."""
    modules = find_modules("bonmun.lab.gold.alignment", root)
    return f"{hash_answers(root)}.{_hash(root, modules.values())[:VERSION_DIGITS]}"


@cache
def hash_scores(root: Path = ROOT) -> str:
    """Hash the code that compares answers with golds and pages.

    It excludes methods, metadata and formats, so that a change there does not require scoring the peers again.
    """
    modules = find_modules("bonmun.lab.evaluate.metrics.scores", root, without=DOCUMENT)
    return _hash(root, modules.values())[:SCORES_DIGITS]


def find_answer_packages(root: Path = ROOT) -> set[str]:
    """Find the top-level packages that affect extraction: the pipeline and all that it reaches."""
    packages: set[str] = set()
    waiting = ["pipeline"]
    while waiting:
        package = waiting.pop()
        if package not in packages:
            packages.add(package)
            code = (file for file in _list_files(root, package) if file.suffix == ".py")
            waiting += [_find_top_level(name) for file in code for name in _read_imports(root, file)]
    return packages


def find_modules(start: str, root: Path = ROOT, *, without: str = "") -> dict[str, Path]:
    """Find a module and all modules of bonmun that it reaches, with their files; imports of `without` are ignored."""
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found and name != without and (file := _find_file(root, name)):
            found[name] = file
            waiting += [*_read_imports(root, file), *_list_parents(name)]
    return found


def _read_imports(root: Path, file: Path) -> Iterator[str]:
    """Read the modules of bonmun that a file imports or names, except under `if TYPE_CHECKING`."""
    package = ".".join(file.relative_to(root.parent).parent.parts)
    return (_cut_to_module(root, name) for name in _read_names(file.read_bytes(), package))


@cache
def _read_names(code: bytes, package: str) -> tuple[str, ...]:
    """Read the names of modules of bonmun, or of members of these, in the code of a file in `package`."""
    tree = ast.parse(code)
    branches = (node for node in ast.walk(tree) if isinstance(node, ast.If) and _is_type_checking(node.test))
    for_types = {node for branch in branches for line in branch.body for node in ast.walk(line)}
    names = (name for node in ast.walk(tree) if node not in for_types for name in _read_node(node, package))
    return tuple(dict.fromkeys(name for name in names if name.partition(".")[0] == "bonmun"))


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _read_node(node: ast.AST, package: str) -> Iterator[str]:
    """Read the names that one node imports; a name imported from a package may be a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = resolve_name("." * node.level + (node.module or ""), package)
        yield from (f"{module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Constant) and (named := NAMED_MODULE.fullmatch(str(node.value))):
        yield named[1]


def _list_parents(name: str) -> list[str]:
    """List the packages whose `__init__` runs when a module is imported, except `bonmun`, which only re-exports."""
    parts = name.split(".")
    return [".".join(parts[:stop]) for stop in range(2, len(parts))]


def _cut_to_module(root: Path, name: str) -> str:
    """Cut members, such as a class, off the end of a name until it is a module."""
    while name != "bonmun" and not _find_file(root, name):
        name = name.rpartition(".")[0]
    return name


def _find_file(root: Path, name: str) -> Path | None:
    path = root.parent.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _find_top_level(name: str) -> str:
    """Return the top-level package of a module; `__init__` for `bonmun` itself."""
    return [*name.split("."), "__init__"][1]


def _list_files(root: Path, package: str) -> Iterator[Path]:
    """List the code and data files of a top-level package, without Python's compiled files."""
    if (module := root / f"{package}.py").is_file():
        yield module
    yield from (file for file in (root / package).rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def _hash(root: Path, files: Iterable[Path]) -> str:
    """Hash files and their names."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(root).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()
