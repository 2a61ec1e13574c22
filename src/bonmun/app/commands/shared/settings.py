"""Derive the options of a command from the settings that a dataclass declares."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from bonmun.app.commands.shared.completions import complete_methods
from bonmun.app.commands.shared.shell import wrong_use
from bonmun.settings import STAGES, list_settings, parse_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bonmun.settings import Kind, Setting

__all__ = ["take_settings"]

TYPES: dict[Kind, Any] = {
    "flag": bool,
    "integer": int,
    "number": float,
    "text": str,
    "list": list[str] | None,
    "path": Path,
    "date": str,
    "size": str,
}
METAVARS: dict[Kind, str] = {"integer": "N", "number": "N", "text": "TEXT"}


def take_settings(
    record: type,
    *,
    into: str,
    stages: str = "",
    only: str = "",
    without: str = "",
    heading: str | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add an option for each setting of a dataclass to a command, and pass it the record as the argument `into`.

    Settings are chosen by `stages` and by name: `only` these, or all `without` these. `heading` replaces the panel of
    the stage in the help text, `defaults` those of the record. A value that does not fit is reported and ends the
    command with status 2. An argument that is declared as a dict gets the values, for records that have other fields.
    """
    chosen = [
        replace(each, default=(defaults or {}).get(each.name, each.default))
        for each in list_settings(record)
        if (not stages or each.stage in stages.split())
        and (not only or each.name in only.split())
        and each.name not in without.split()
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command).parameters
        hints = get_type_hints(command, include_extras=True)
        taken = [each for each in chosen if each.name not in own]

        @wraps(command)
        def run(**values: Any) -> None:
            with wrong_use():
                given = {each.name: parse_setting(each, values.pop(each.name)) for each in taken}
                settings = record(**given) if hints[into] is record else given
            command(**values, **{into: settings})

        keyword = inspect.Parameter.KEYWORD_ONLY  # so that any order is allowed
        others = [each.replace(annotation=hints[name], kind=keyword) for name, each in own.items() if name != into]
        parameters = [
            *(each for each in others if _find_panel(each) is None),  # shown first
            *(_make_parameter(each, heading) for each in taken),
            *(each for each in others if _find_panel(each) is not None),
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # which typer reads
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate


def _make_parameter(declared: Setting, heading: str | None) -> inspect.Parameter:
    """Describe an option to typer."""
    kind = TYPES[declared.kind]
    is_optional = declared.default is None and declared.kind != "list"
    default = declared.default
    if declared.kind == "size":
        default = f"{default[0]}x{default[1]}"
    elif declared.kind == "list":
        default = None
    extra: dict[str, Any] = {}
    if declared.kind in ("integer", "number"):
        extra = {"min": declared.minimum, "max": declared.maximum}
    option = typer.Option(
        *_list_flags(declared),
        help=declared.help,
        metavar=declared.metavar or "|".join(declared.choices) or METAVARS.get(declared.kind),
        autocompletion=_make_completion(declared),
        envvar=declared.variable,
        rich_help_panel=heading or STAGES[declared.stage],
        **extra,
    )
    annotation: Any = Annotated[kind | None if is_optional else kind, option]
    return inspect.Parameter(declared.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _find_panel(parameter: inspect.Parameter) -> str | None:
    """Return the panel of an option in the help text, if it has one."""
    notes = getattr(parameter.annotation, "__metadata__", ())
    return next((panel for note in notes if (panel := getattr(note, "rich_help_panel", None))), None)


def _list_flags(declared: Setting) -> tuple[str, ...]:
    if declared.flags:
        return declared.flags
    if declared.kind == "flag" and declared.default is not False:
        return (f"{declared.option}/--no-{declared.option[2:]}",)
    return (declared.option,)


def _make_completion(declared: Setting) -> Callable[[str], list[Any]] | None:
    if declared.name == "method":
        return complete_methods
    if declared.choices:
        return lambda incomplete: [name for name in declared.choices if name.startswith(incomplete)]
    return None
