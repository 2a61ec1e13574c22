"""Settings: each is declared once, as a field of a frozen dataclass, and every interface is derived from it.

@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    copies: int = setting(1, "Number of copies.", stage="output", minimum=1)

The command line, the service, MCP, bonmun.toml and the reference pages read the declarations with `list_settings`.
`check_settings` validates a record in its `__post_init__`.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from functools import cache
from typing import Any, Literal, get_args

from bonmun.errors import BadConfig

__all__ = [
    "STAGES",
    "Kind",
    "Setting",
    "check_settings",
    "check_type",
    "list_settings",
    "parse_date",
    "parse_setting",
    "setting",
]

Kind = Literal["flag", "integer", "number", "text", "list", "path", "date", "size"]
Stage = Literal[
    "fetch", "read", "method", "output", "parts", "chunks", "limits", "scope", "politeness", "render", "access"
]

# The stages, in the order in which help and reference pages list them, with their headings there.
STAGES: dict[str, str] = {
    "scope": "Scope",
    "output": "Output",
    "parts": "Parts",
    "method": "Method",
    "chunks": "Chunks",
    "read": "Reading",
    "fetch": "Fetching",
    "politeness": "Politeness",
    "render": "Rendering",
    "access": "Access",
    "limits": "Limits",
}
KINDS: dict[type, Kind] = {bool: "flag", int: "integer", float: "number", str: "text", tuple: "list"}
DESCRIPTIONS: dict[Kind, str] = {
    "flag": "True or False",
    "integer": "a whole number",
    "number": "a number",
    "text": "a string",
    "list": "a tuple of strings",
    "path": "the path of a file",
    "date": "a date or a datetime",
    "size": "a width and a height in pixels",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A declared setting: what it is called, which values it takes, and who may set it."""

    name: str
    kind: Kind
    default: Any
    help: str
    stage: Stage
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    metavar: str | None = None
    flags: tuple[str, ...] = ()  # on the command line, where they are not just --name
    variable: str | None = None  # environment variable that the command line reads
    in_file: bool = False  # bonmun.toml may set it
    is_remote: bool = False  # clients of the service may set it

    @property
    def option(self) -> str:
        """The long option on the command line: `--chunk-words`."""
        return f"--{self.name.replace('_', '-')}"


def check_type(name: str, value: object, types: type | tuple[type, ...], description: str) -> None:
    """Raise BadConfig if an argument has another type."""
    if not isinstance(value, types):
        raise BadConfig(f"{name} must be {description}, not {reprlib.repr(value)}.")


def setting(
    default: Any,
    help: str,  # noqa: A002 - the word that typer and argparse use
    *,
    stage: Stage,
    kind: Kind | None = None,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
    metavar: str | None = None,
    flags: tuple[str, ...] = (),
    variable: str | None = None,
    in_file: bool = False,
    is_remote: bool = False,
) -> Any:
    """Declare a setting as the field of a dataclass. The kind follows from the default, unless that is None."""
    found = kind or KINDS[type(default)]
    declared = Setting(
        "", found, default, help, stage, choices, minimum, maximum, metavar, flags, variable, in_file, is_remote
    )
    return field(default=default, metadata={"setting": declared})


@cache
def list_settings(record: Any) -> tuple[Setting, ...]:
    """Return the settings that a dataclass declares, by stage and then in the order of its fields."""
    found = [replace(each.metadata["setting"], name=each.name) for each in fields(record) if "setting" in each.metadata]
    own = vars(record).get("__annotations__", {})  # come first in their stage, before inherited ones
    return tuple(sorted(found, key=lambda each: (list(STAGES).index(each.stage), each.name not in own)))


def check_settings(record: Any) -> None:
    """Raise BadConfig if a value of a record does not fit its declaration."""
    for each in list_settings(record.__class__):
        value = getattr(record, each.name)
        if value is None and each.default is None:
            continue
        if each.choices and value not in each.choices:
            raise BadConfig(f"{each.name} must be one of {', '.join(each.choices)}, not {reprlib.repr(value)}.")
        if not _has_kind(each.kind, value):
            raise BadConfig(f"{each.name} must be {DESCRIPTIONS[each.kind]}, not {reprlib.repr(value)}.")
        if each.kind in ("integer", "number"):
            _check_range(each, value)


def _has_kind(kind: Kind, value: Any) -> bool:
    if kind == "path":
        return True  # a path, or what is loaded from one; whoever opens it checks it
    if kind == "size":
        return isinstance(value, tuple) and len(value) == 2 and all(type(side) is int and side > 0 for side in value)
    if kind == "list":
        return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    types: dict[Kind, type | tuple[type, ...]] = {
        "flag": bool,
        "integer": int,
        "number": (int, float),
        "text": str,
        "date": date,
    }
    return isinstance(value, types[kind]) and (kind == "flag" or not isinstance(value, bool))


def _check_range(declared: Setting, value: float) -> None:
    low, high = declared.minimum, declared.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    if low is None or high is None:
        bounds = f"at least {low:,}" if low is not None else f"at most {high:,}"
    else:
        bounds = f"from {low:,} to {high:,}"
    raise BadConfig(f"{declared.name} must be {bounds}, not {reprlib.repr(value)}.")


def parse_setting(declared: Setting, value: Any) -> Any:
    """Convert a value from a command line, a query or a file to the type of its setting."""
    if declared.kind == "date" and isinstance(value, str):
        if (moment := parse_date(value)) is None:
            raise BadConfig(
                f"{declared.name} must be a date or a datetime such as 2026-03-04 or 2026-03-04T09:00, "
                f"not {reprlib.repr(value)}."
            )
        return moment
    if declared.kind == "size" and isinstance(value, str):
        width, _, height = value.lower().partition("x")
        if not (width.isascii() and width.isdigit() and height.isascii() and height.isdigit() and len(value) < 20):
            raise BadConfig(
                f"{declared.name} must be a width and a height such as 1280x800, not {reprlib.repr(value)}."
            )
        return int(width), int(height)
    if declared.kind == "list":
        return tuple(value or ())
    return value


def parse_date(text: str) -> date | None:
    """Parse an ISO 8601 date or datetime, such as 2026-03-04 or 2026-03-04T09:00:00Z; None if it is neither."""
    text = text.strip()
    try:
        return date.fromisoformat(text) if len(text) <= len("2026-03-04") else datetime.fromisoformat(text)
    except ValueError:
        return None


assert set(get_args(Stage)) == set(STAGES)
