"""Write docs/reference/commands.md, and the tables of docs/reference/configuration.md, from the declared settings.

.venv/bin/python -m scripts.make.settings_reference
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.main import get_command

from bonmun.app.cli import app
from bonmun.app.serve.settings import ServiceOptions
from bonmun.extraction import Extraction
from bonmun.options import PartOptions
from bonmun.scale.browser.render_options import RenderOptions
from bonmun.scale.corpus.corpus_options import CountOptions, LimitOptions, SourceOptions
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.settings import STAGES, list_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.settings import Setting

ROOT = Path(__file__).parents[2]
COMMANDS = ROOT / "docs" / "reference" / "commands.md"
CONFIGURATION = ROOT / "docs" / "reference" / "configuration.md"
START, END = "<!-- settings: written by scripts/make/settings_reference.py -->", "<!-- end of settings -->"
CORES = "number of cores"

HEAD = """# Commands

Every command with its arguments and options. `bonmun COMMAND -h` shows the same. This page is written by
`scripts/make/settings_reference.py`.
"""
RECORDS: dict[str, type] = {
    "Extraction": Extraction,
    "Parts of a document": PartOptions,
    "Sources of many pages": SourceOptions,
    "Counting": CountOptions,
    "Limits": LimitOptions,
    "Rendering": RenderOptions,
    "Crawling": CrawlPlan,
    "Service": ServiceOptions,
}


def main() -> None:
    """Write both pages."""
    COMMANDS.write_text(write_commands(), encoding="utf-8")
    CONFIGURATION.write_text(write_configuration(CONFIGURATION.read_text(encoding="utf-8")), encoding="utf-8")


def write_commands() -> str:
    """Return the page of all commands."""
    parts = [HEAD]
    for name, command in _walk(get_command(app), "bonmun"):
        parts += [f"## {name}\n", f"{_unwrap(command.help or '')}\n", f"```text\n{_make_usage(name, command)}\n```\n"]
        if arguments := [each for each in command.params if each.param_type_name == "argument"]:
            rows = [
                f"| {_escape(each.metavar or each.name)} | {_escape(getattr(each, 'help', '') or '')} |"
                for each in arguments
            ]
            parts.append("\n".join(["| argument | |", "|---|---|", *rows, ""]))
        for panel, options in _group(command).items():
            rows = [f"| {_name(each)} | {_escape(each.help or '')} | {_default(each)} |" for each in options]
            parts.append("\n".join([f"| {panel} | | default |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def write_configuration(page: str) -> str:
    """Return the page of settings with its tables replaced."""
    parts = [START, ""]
    for title, record in RECORDS.items():
        parts += [
            f"### {title}",
            "",
            "| setting | stage | default | meaning | bonmun.toml | HTTP, MCP |",
            "|---|---|---|---|---|---|",
        ]
        parts += [_make_row(each) for each in list_settings(record)]
        parts.append("")
    before, _, rest = page.partition(START)
    after = rest.partition(END)[2]
    return before + "\n".join([*parts, END]) + after


def _make_row(declared: Setting) -> str:
    values = f" ({', '.join(f'`{each}`' for each in declared.choices)})" if declared.choices else ""
    marks = ["✓" if mark else "" for mark in (declared.in_file, declared.is_remote)]
    cells = [
        f"`{declared.name}`",
        STAGES[declared.stage].lower(),
        _show(declared),
        f"{_escape(declared.help)}{values}",
        *marks,
    ]
    return f"| {' | '.join(cells)} |"


def _show(declared: Setting) -> str:
    """Return the default of a setting."""
    value = declared.default
    if declared.name == "workers":
        return CORES
    if value is None or value == ():
        return ""
    if declared.kind == "size":
        return f"`{value[0]}x{value[1]}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for each in command.commands.values():
            yield from _walk(each, f"{name} {each.name}")
    else:
        yield name, command


def _group(command: Any) -> dict[str, list[Any]]:
    """Return the options of a command by the panel that shows them."""
    context = typer.Context(command)
    found: dict[str, list[Any]] = {"Options": []}
    for each in command.get_params(context):
        if each.param_type_name == "option" and "--help" not in each.opts:
            found.setdefault(getattr(each, "rich_help_panel", None) or "Options", []).append(each)
    return {panel: options for panel, options in found.items() if options}


def _name(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    return f"{names} {_escape(option.metavar)}" if option.metavar and not option.is_flag else names


def _default(option: Any) -> str:
    value = option.default
    if option.name in ("workers", "jobs") and isinstance(value, int) and value > 1:
        return CORES
    if option.required:
        return "required"
    return (
        ""
        if value is None or value is False or callable(value)
        else f"`{str(value).lower() if value is True else value}`"
    )


def _make_usage(name: str, command: Any) -> str:
    pieces = command.collect_usage_pieces(typer.Context(command))
    return " ".join([name, *pieces])


def _unwrap(text: str) -> str:
    """Join the lines of each paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text))


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
