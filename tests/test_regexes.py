"""Every regular expression in the package takes linear time on texts made to slow it down."""

from __future__ import annotations

import ast
import importlib
import re
import signal
from functools import cache, partial
from itertools import islice, pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import bonmun
from bonmun.errors import MissingExtra
from bonmun.text.patterns import LazyPattern, compile_later
from timing import TRIES, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from _pytest.mark.structures import ParameterSet

    Pattern = re.Pattern[Any]

ROOT = Path(bonmun.__file__).parent
PARSER, COMPILER = importlib.import_module("re._parser"), importlib.import_module("re._compiler")
SMALL, LARGE = 250, 4_000  # characters
GROWTH = 40  # how much longer LARGE may take than SMALL: 16 times if linear, 256 times if quadratic
UNMEASURED_SECONDS = 0.006  # too short to compare; for LARGE, a quadratic one takes several times as long
HANGING_SECONDS = 120  # for all expressions of a module, on a busy machine
MAX_TEXTS = 300  # per expression

CLASSICS = [
    *" \n\t,-/|(<[{:;.@_*'\"&=#a1A가漢é０",
    *(
        "(@",
        "/* ",
        "*/",
        "a1",
        ", ",
        "- ",
        " -",
        "기자",
        " 기자",
        "<!--",
        "-->",
        " \n",
        "\n//",
        "a.",
        "a@",
        "@a.",
        "1 ",
        "A ",
        "A a ",
    ),
    *(
        "by ",
        "by A",
        "www.",
        "http://",
        "20",
        "2024",
        " 2024-",
        "1.",
        "a-",
        "::",
        "||",
        "_a",
        "<a",
        "</",
        "lang-",
        "de ",
        "A. ",
    ),
]
ENDS = ["", "\n", "!", "x"]
# Members of character classes.
SAMPLES = " a1A\n\t가漢-._,:;/|'\"()<>=@&#+é０ـ"
FLAGS = {"flags"}
LATER = compile_later.__name__
IMPORT = re.compile(rf"^(?:import re\b|from .* import .*\b(?:re|{LATER})\b)", re.M)
CALL = re.compile(rf"\b(?:re\.(?!escape\b)[a-z]+|{LATER})\(")


class Expression(NamedTuple):
    name: str  # module and line
    pattern: Pattern
    methods: frozenset[str]  # methods it is used with; empty if unknown


# --- expressions are found -------------------------------------------------------------------------------------------


def list_modules() -> list[str]:
    """Return the file of every module that has regular expressions."""
    paths = sorted(set(ROOT.rglob("*.py")) - {ROOT / "text" / "patterns.py"})  # which compiles those of others
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    return [name for name in names if IMPORT.search(read_module(name))]


def read_module(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def mark_module(name: str) -> ParameterSet:
    return pytest.param(name, marks=[pytest.mark.extras] if "/spark/" in name else [])


@cache
def find_expressions() -> dict[str, list[Expression]]:
    """Return the expressions of each module, with the methods they are used with in any module."""
    found: dict[str, list[tuple[str, Pattern]]] = {}
    methods: dict[Pattern, set[str]] = {}
    for name in list_modules():
        try:
            names = vars(importlib.import_module(make_module_name(name)))
        except MissingExtra:
            continue
        found[name] = []
        for call in (each for each in ast.walk(ast.parse(read_module(name))) if isinstance(each, ast.Call)):
            method = call.func
            if isinstance(method, ast.Name) and method.id == LATER:
                pattern = read_pattern(call, names)
                found[name].append((f"{name}:{call.lineno}", pattern))
                methods.setdefault(pattern, set())
            if not isinstance(method, ast.Attribute) or not isinstance(method.value, ast.Name):
                continue
            used = names.get(method.value.id)
            if method.value.id == "re" and method.attr != "escape":
                pattern = read_pattern(call, names)
                found[name].append((f"{name}:{call.lineno}", pattern))
                methods.setdefault(pattern, set()).update({method.attr} - {"compile"})
            elif isinstance(used, (re.Pattern, LazyPattern)):
                methods.setdefault(re.compile(used.pattern, used.flags), set()).add(method.attr)
    return {
        name: [Expression(place, pattern, frozenset(methods[pattern])) for place, pattern in each]
        for name, each in found.items()
    }


def make_module_name(name: str) -> str:
    return "bonmun." + name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read_pattern(call: ast.Call, names: dict[str, Any]) -> Pattern:
    """Evaluate the expression of a call such as `re.compile(rf"{YEAR}-", re.I)` as the module does."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else "compile"
    flags = [each.value for each in call.keywords if each.arg in FLAGS]
    flags += call.args[1:] if method == "compile" else call.args[2:] if method != "sub" else []
    arguments = [call.args[0], *flags]
    return re.compile(*(eval(compile(ast.Expression(each), "", "eval"), names) for each in arguments))


# --- texts are made that may break them ------------------------------------------------------------------------------


def make_texts(pattern: Pattern) -> Iterator[Callable[[int], str]]:
    """Yield makers of texts of any length that a slow expression takes long on: repeated parts of what it matches."""
    units, heads = list(dict.fromkeys(find_units(pattern))), list(dict.fromkeys(find_heads(pattern)))
    pairs = [first + second for first, second in pairwise(units)]
    alone = dict.fromkeys([*(head + unit for head, unit in heads), *CLASSICS, *units, *pairs])
    for head, unit in dict.fromkeys([*heads, *(("", unit) for unit in alone)]):
        for end in ENDS:
            yield partial(repeat, head, unit, end)


def repeat(head: str, unit: str, end: str, size: int) -> str:
    return head + (unit * (size // len(unit) + 1))[:size] + end


def find_units(pattern: Pattern) -> Iterator[str]:
    """Yield the characters and words that an expression consists of, in order."""
    tree = PARSER.parse(pattern.pattern, pattern.flags)
    return walk_units(tree, tree.state)


def walk_units(tree: Any, state: Any) -> Iterator[str]:
    word = ""
    for item in tree:
        if item[0] is PARSER.LITERAL:
            word += chr(item[1])
            continue
        if word:
            yield word
        word = ""
        yield from find_members(item, state)
        for inner in list_inner(item):
            yield from walk_units(inner, state)
    if word:
        yield word


def find_heads(pattern: Pattern) -> Iterator[tuple[str, str]]:
    """Yield each repeated part, with the text before it."""
    tree = PARSER.parse(pattern.pattern, pattern.flags)
    return walk_heads(tree, tree.state, "")


def walk_heads(tree: Any, state: Any, head: str) -> Iterator[tuple[str, str]]:
    for item in tree:
        for inner in list_inner(item):
            yield from walk_heads(inner, state, head)
        if item[0] in (PARSER.MAX_REPEAT, PARSER.MIN_REPEAT, PARSER.POSSESSIVE_REPEAT) and item[1][1] > 1:
            inner = item[1][2]
            units = find_members(inner[0], state) if len(inner) == 1 else []
            yield from ((head, unit) for unit in [*units[:3], make_example([item], state)] if unit)
        head += make_example([item], state)


def list_inner(item: Any) -> list[Any]:
    """Return the parts within a part of an expression."""
    kind, what = item
    if kind in (PARSER.MAX_REPEAT, PARSER.MIN_REPEAT, PARSER.POSSESSIVE_REPEAT):
        return [what[2]]
    if kind is PARSER.SUBPATTERN:
        return [what[-1]]
    if kind is PARSER.BRANCH:
        return list(what[1])
    if kind is PARSER.ATOMIC_GROUP:
        return [what]
    if kind in (PARSER.ASSERT, PARSER.ASSERT_NOT):
        return [what[1]]
    return []


def find_members(item: Any, state: Any) -> list[str]:
    """Return some characters of a class, those written in it first."""
    if item[0] is PARSER.LITERAL:
        return [chr(item[1])]
    if item[0] not in (PARSER.IN, PARSER.ANY, PARSER.NOT_LITERAL, PARSER.CATEGORY):
        return []
    written = [chr(each[1]) for each in item[1] if each[0] is PARSER.LITERAL] if item[0] is PARSER.IN else []
    ranges = [chr(each[1][0]) for each in item[1] if each[0] is PARSER.RANGE] if item[0] is PARSER.IN else []
    one = COMPILER.compile(PARSER.SubPattern(state, [item]), state.flags & ~re.DEBUG)
    is_text = isinstance(state.str, str)
    members = (each for each in [*SAMPLES, *ranges, *written] if is_text or ord(each) < 256)
    return list(
        islice(dict.fromkeys(each for each in members if one.match(each if is_text else each.encode("latin-1"))), 4)
    )


def make_example(tree: Any, state: Any) -> str:
    """Return a short text that a part of an expression approximately matches."""
    text = ""
    for item in tree:
        if item[0] in (PARSER.ASSERT, PARSER.ASSERT_NOT):
            continue
        members, inner = find_members(item, state), list_inner(item)
        times = max(item[1][0], 1) if item[0] in (PARSER.MAX_REPEAT, PARSER.MIN_REPEAT, PARSER.POSSESSIVE_REPEAT) else 1
        text += members[0] if members else make_example(inner[0], state) * times if inner else ""
    return text


# --- and timed -------------------------------------------------------------------------------------------------------


def make_run(expression: Expression) -> Callable[[Any], object]:
    """Return a function that applies the slowest method in use to a text."""
    pattern, methods = expression.pattern, expression.methods
    if methods and methods <= {"match", "fullmatch"}:
        return pattern.fullmatch if methods == {"fullmatch"} else pattern.match
    return lambda text: sum(1 for _ in pattern.finditer(text))


def stop(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


@pytest.fixture
def alarm() -> Iterator[None]:
    """Interrupt an expression that takes too long."""
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, HANGING_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


# Expressions that were once in the package; each takes far longer than linear time on some text.
SLOW = [(r"\([^)]*@[^)]*\)", 0), (r"/\*.*?\*/", re.S), (r"记者\s*[:：]?\s*张", 0)]


@pytest.mark.slow
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize(("pattern", "flags"), SLOW)
def test_a_slow_expression_is_detected(pattern: str, flags: int) -> None:
    with pytest.raises(pytest.fail.Exception):
        check_time(Expression("", re.compile(pattern, flags), frozenset({"sub"})))


@pytest.mark.slow
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("module", [mark_module(name) for name in list_modules()])
def test_expressions_take_linear_time(module: str) -> None:
    if "/spark/" in module:
        pytest.importorskip("pyspark")
    expressions = find_expressions()[module]
    assert len(expressions) == len(CALL.findall(read_module(module)))
    for expression in expressions:
        check_time(expression)


def check_time(expression: Expression) -> None:
    run, is_text = make_run(expression), isinstance(expression.pattern.pattern, str)

    def time(text: str) -> float:
        given = text if is_text else text.encode("latin-1", "replace")
        return measure(lambda: run(given))[0]

    for make in islice(make_texts(expression.pattern), MAX_TEXTS):
        large, small = time(make(LARGE)), inf
        for _ in range(TRIES):
            if large < UNMEASURED_SECONDS or large < GROWTH * (small := min(small, time(make(SMALL)))):
                break
            large = min(large, time(make(LARGE)))
        else:
            pytest.fail(
                f"{expression.name}: {make(40)!r}, as {SMALL} and {LARGE} characters, took {small:.2g} and {large:.2g} seconds"
            )
