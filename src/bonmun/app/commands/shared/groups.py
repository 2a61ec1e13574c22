"""Classes of commands and groups: help texts, and defaults from a config file."""

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

__all__ = ["RENDERING_SETTINGS", "Command", "CommandApp", "CommandGroup", "is_page_name", "use_config_file"]

RENDERING_SETTINGS = ("wait", "wait_for", "scroll", "click")  # of pages that are rendered
PROBLEM = "bonmun.config.problem"  # key in ctx.meta: what is wrong with the config file


class CommandApp(typer.Typer):
    """A typer app or group with our classes of commands and groups."""

    def __init__(self, **settings: Any) -> None:
        names = {"help_option_names": ["-h", "--help"]}
        ours: dict[str, Any] = {
            "cls": CommandGroup,
            "no_args_is_help": True,
            "pretty_exceptions_enable": False,
            "context_settings": names,
        }
        super().__init__(**ours | settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Add a command."""
        return super().command(name, **{"cls": Command} | settings)


class Command(TyperCommand):
    """A command. `panels` groups its options in the help text: names of parameters by title."""

    panels: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.help = _unwrap(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its options and arguments."""
        params = _hide_types_of_flags(super().get_params(ctx))
        titles = {name: title for title, names in self.panels.items() for name in names.split()}
        for param in params:
            if param.name in titles:
                param.rich_help_panel = titles[param.name]
        return params

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless the config file is invalid."""
        if problem := ctx.meta.get(PROBLEM):
            complain(problem)
            raise typer.Exit(2)
        _drop_conflicting_defaults(ctx)
        return super().invoke(ctx)


class CommandGroup(TyperGroup):
    """A group of commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its options."""
        return _hide_types_of_flags(super().get_params(ctx))


def use_config_file(ctx: typer.Context) -> None:
    """Read the defaults of all options from a config file, if there is one.

    An invalid file is reported when a command runs: --help, --version and completion work without it.
    """
    try:
        file = find_config_file(Path.cwd())
        if file:
            ctx.default_map = make_defaults(file, ctx.command)
    except BadConfig as problem:
        ctx.meta[PROBLEM] = str(problem)
    except OSError:  # the working directory does not exist
        return


def is_page_name(name: str) -> bool:
    """Whether a word is a page, not a command: a URL, an existing file or folder, or `-`."""
    try:
        return name == "-" or "://" in name or Path(name).exists()
    except (OSError, ValueError):  # not a valid file name
        return False


def _unwrap(text: str) -> str:
    """Join the lines of each paragraph, since typer keeps the line breaks of a docstring."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _hide_types_of_flags(params: list[Any]) -> list[Any]:
    """Remove the type of flags from the help text, since they take no value."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


def _drop_conflicting_defaults(ctx: Any) -> None:
    """Drop defaults of the config file that conflict with options on the command line."""
    params = ctx.params
    drop = _Dropper(ctx)
    if params.get("explain"):
        drop("format", unless=("text", "json"))
    if SHORT_NAMES.get(params.get("format"), params.get("format")) != "markdown":
        drop("front_matter")
    if params.get("render") == "never":
        for name in RENDERING_SETTINGS:
            drop(name)
    method = params.get("method") or "auto"
    if "auto" not in ([method] if isinstance(method, str) else method):
        drop("favour")


class _Dropper:
    """Resets an option that a config file has set to its original default."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.defaults = {param.name: param.default for param in ctx.command.params}

    def __call__(self, name: str, unless: tuple[str, ...] = ()) -> None:
        source = self.ctx.get_parameter_source(name)
        if source is not None and source.name == "DEFAULT_MAP" and self.ctx.params.get(name) not in unless:
            self.ctx.params[name] = self.defaults[name]
