"""Turn a config file into defaults for the options of commands, and validate every value.

A config file controls how results look. It cannot set what is read, written, fetched or run, nor limits on time and
memory: the working directory may belong to somebody else.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from bonmun.algorithms import METHODS
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.outputs import SHORT_NAMES
from bonmun.rules.rule_set import NO_RULES
from bonmun.scale.browser.render_options import RenderOptions
from bonmun.scale.corpus.corpus_options import CountOptions, SourceOptions
from bonmun.settings import list_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bonmun.app.commands.shared.config_file import ConfigFile

__all__ = ["SETTABLE", "make_defaults"]

RECORDS = (Extraction, SourceOptions, CountOptions, RenderOptions)
# The options that a config file may set, by their long names with _ for -.
SETTABLE = frozenset(
    {each.name for record in RECORDS for each in list_settings(record) if each.in_file} | {"favor", "columns"}
)

Values = dict[str, Any]


def make_defaults(file: ConfigFile, commands: Any) -> Values:
    """Return the defaults of a group of commands as click expects them: by command, then by parameter.

    A table applies to a command or a group. Values outside of tables apply to all commands that have the option and
    accept the value. Raises BadConfig with the file and the key.
    """
    return _DefaultsReader(file).read_group(commands, file.values, {}, ())


class _DefaultsReader:
    """Walks the tables of the file and the commands together."""

    def __init__(self, file: ConfigFile) -> None:
        self.file = file

    def read_group(self, group: Any, values: Values, inherited: Mapping[str, Any], names: tuple[str, ...]) -> Values:
        """Return the defaults of all commands of a group."""
        tables = {name: value for name, value in values.items() if isinstance(value, dict)}
        for name in tables:
            if name not in group.commands:
                self._refuse(names, name, f"is not a command; choose from {', '.join(group.commands)}")
        plain = {_plain(name): value for name, value in values.items() if name not in tables}
        below = list(_list_commands(group))
        for name, value in plain.items():
            self._check_anywhere(below, name, value, names)
        passed = {**inherited, **plain}
        found: Values = {}
        for name, command in group.commands.items():
            read = self.read_group if hasattr(command, "commands") else self.read_command
            found[name] = read(command, tables.get(name, {}), passed, (*names, name))
        return found

    def read_command(
        self, command: Any, values: Values, inherited: Mapping[str, Any], names: tuple[str, ...]
    ) -> Values:
        """Return the defaults of one command."""
        options = _list_options(command)
        found: Values = {}
        for name, value in inherited.items():
            if name in options and not find_problem(options[name], value):
                found[options[name].name] = self._translate(name, value)
        for name, value in values.items():
            key = _plain(name)
            if key not in options:
                self._refuse_key(names, name, options, known=_has_option(command, key))
            if problem := find_problem(options[key], value):
                self._refuse(names, name, problem)
            found[options[key].name] = self._translate(key, value)
        return found

    def _translate(self, name: str, value: Any) -> Any:
        """Return a value as the command line would get it; a path is relative to the config file."""
        if name == "rules" and value != NO_RULES:
            return str(self.file.path.parent / value)
        return SHORT_NAMES.get(value, value) if name == "format" else value

    def _check_anywhere(self, commands: list[Any], name: str, value: Any, names: tuple[str, ...]) -> None:
        """Raise unless one of the commands has the option and accepts the value."""
        options = [found[name] for command in commands if name in (found := _list_options(command))]
        if not options:
            all_options = {key: option for command in commands for key, option in _list_options(command).items()}
            self._refuse_key(names, name, all_options, known=any(_has_option(command, name) for command in commands))
        problems = [find_problem(option, value) for option in options]
        if all(problems):
            self._refuse(names, name, str(problems[0]))

    def _refuse_key(self, names: tuple[str, ...], name: str, options: Mapping[str, Any], *, known: bool) -> None:
        if known:
            self._refuse(names, name, "can only be set on the command line")
        near = difflib.get_close_matches(_plain(name), options, n=1)
        says = f"did you mean `{near[0]}`?" if near else f"choose from {', '.join(sorted(options)) or 'none here'}"
        self._refuse(names, name, f"is not a setting; {says}")

    def _refuse(self, names: tuple[str, ...], name: str, says: str) -> None:
        key = ".".join((*names, name))
        raise BadConfig(f"{self.file.path}: `{key}` {says}{'' if says.endswith('?') else '.'}")


def find_problem(option: Any, value: Any) -> str | None:
    """Return what an option takes if it does not accept this value."""
    if option.is_flag:
        return None if isinstance(value, bool) else "must be true or false"
    if option.multiple:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return None if fits else "must be a list of strings"
    if isinstance(option.default, float):
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and option.min <= value <= option.max
        return None if fits else f"must be a number from {option.min:g} to {option.max:g}"
    if isinstance(option.default, int):
        least = option.min or 0
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
        return None if fits else f"must be a whole number of at least {least:,}"
    choices = _list_choices(option)
    if choices and not (isinstance(value, str) and SHORT_NAMES.get(value, value) in choices):
        return f"must be {', '.join(choices[:-1])} or {choices[-1]}"
    return None if isinstance(value, str) else "must be a string"


def _list_choices(option: Any) -> list[str]:
    """Return the values that an option accepts, if its metavar lists them."""
    if option.name == "method":
        return list(METHODS)
    return option.metavar.split("|") if "|" in (option.metavar or "") else []


def _list_commands(group: Any) -> Iterator[Any]:
    """Yield all commands of a group and of its groups."""
    for command in group.commands.values():
        if hasattr(command, "commands"):
            yield from _list_commands(command)
        else:
            yield command


def _list_options(command: Any) -> dict[str, Any]:
    """Return the options of a command that a file may set, by each of their long names."""
    return {name: option for option in command.params for name in _list_names(option) if name in SETTABLE}


def _has_option(command: Any, name: str) -> bool:
    return any(name in _list_names(option) for option in command.params)


def _list_names(option: Any) -> list[str]:
    return [_plain(name[2:]) for name in option.opts if name.startswith("--")]


def _plain(name: str) -> str:
    """Return the name of a setting with underscores: front-matter is the same as front_matter."""
    return name.replace("-", "_")
