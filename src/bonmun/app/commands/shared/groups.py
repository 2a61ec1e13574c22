"""What commands and groups of them are made of: help that reads well, and defaults from a config file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from bonmun.app.commands.shared.config_defaults import make_defaults
from bonmun.app.commands.shared.config_file import find_config_file
from bonmun.app.commands.shared.shell import complain
from bonmun.errors import BadConfig
from bonmun.outputs import SHORT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Command", "CommandApp", "Group", "is_page_name", "use_config_file"]

PROBLEM = "bonmun.config.problem"  # in what all contexts share: what is wrong with the config file


class CommandApp(typer.Typer):
    """An app, or a group of an app, whose commands are ours."""

    def __init__(self, **settings: Any) -> None:
        names = {"help_option_names": ["-h", "--help"]}
        ours: dict[str, Any] = {
            "cls": Group,
            "no_args_is_help": True,
            "pretty_exceptions_enable": False,
            "context_settings": names,
        }
        super().__init__(**ours | settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Add a command."""
        return super().command(name, **{"cls": Command} | settings)


class Command(TyperCommand):
    """A command; the help of a long one has its options in `panels`: names of parameters by the panel's title."""

    panels: ClassVar[Mapping[str, str]] = {}

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options and arguments."""
        params = _hide_types_of_flags(super().get_params(ctx))
        titles = {name: title for title, names in self.panels.items() for name in names.split()}
        for param in params:
            if param.name in titles:
                param.rich_help_panel = titles[param.name]
        return params

    def invoke(self, ctx: Any) -> Any:
        """Run it, unless the config file is wrong: nobody would know what holds then."""
        if problem := ctx.meta.get(PROBLEM):
            complain(problem)
            raise typer.Exit(2)
        _give_way(ctx)
        return super().invoke(ctx)


class Group(TyperGroup):
    """A group of commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options."""
        return _hide_types_of_flags(super().get_params(ctx))


def use_config_file(ctx: typer.Context) -> None:
    """Take the defaults of all options from a config file, if there is one.

    What is wrong with it is said when a command runs: help, versions and completion need no file.
    """
    try:
        file = find_config_file(Path.cwd())
        if file:
            ctx.default_map = make_defaults(file, ctx.command)
    except BadConfig as problem:
        ctx.meta[PROBLEM] = str(problem)
    except OSError:  # the folder is gone
        return


def is_page_name(name: str) -> bool:
    """Whether a word is rather a page than a command: a URL, a file or folder that is there, or `-`."""
    try:
        return name == "-" or "://" in name or Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _hide_types_of_flags(params: list[Any]) -> list[Any]:
    """A flag takes nothing, so its help says nothing of what it takes."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


def _give_way(ctx: Any) -> None:
    """Let defaults of a file go that do not fit what the command line asks for."""
    params = ctx.params
    drop = _Dropper(ctx)
    if params.get("explain"):
        drop("format_", unless=("text", "json"))
    if SHORT_NAMES.get(params.get("format_"), params.get("format_")) != "markdown":
        drop("front_matter")
        drop("posts")
    method = params.get("method") or "auto"
    if "auto" not in ([method] if isinstance(method, str) else method):
        drop("favour")


class _Dropper:
    """Puts an option that a config file has set back to what it is without one."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.defaults = {param.name: param.default for param in ctx.command.params}

    def __call__(self, name: str, unless: tuple[str, ...] = ()) -> None:
        source = self.ctx.get_parameter_source(name)
        if source is not None and source.name == "DEFAULT_MAP" and self.ctx.params.get(name) not in unless:
            self.ctx.params[name] = self.defaults[name]
