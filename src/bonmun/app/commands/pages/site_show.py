"""`bonmun site show`: show the layouts of a site."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bonmun.app.commands.pages.site_learn import HOST_HELP, SETTINGS
from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import output_to, say_count, show, wrong_use
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.learn.survey import StudiedLayout, StudiedSite

__all__ = ["site_show_command"]

FORMATS = ("text", "json")
MAX_EXAMPLES = 3
MAX_OUTLIERS = 20  # shown as text


@take_settings(Extraction, into="extraction", only=SETTINGS)
def site_show_command(
    names: Annotated[list[str], typer.Argument(metavar="SRC...", help=PAGES_HELP)],
    extraction: Extraction,
    site: Annotated[str | None, typer.Option(metavar="HOST", help=HOST_HELP)] = None,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
) -> None:
    """Show the layouts of a site: pages, page kind, mean confidence, examples, and pages unlike all others."""
    from bonmun.app.commands.pages.site_pages import SitePagesReader
    from bonmun.learn.survey import study_site

    with wrong_use(), output_to(None):
        if format_ not in FORMATS:
            raise BadConfig(f"Unknown format {format_!r}: choose from {', '.join(FORMATS)}.")
        reader = SitePagesReader(names, extraction, site)
        for each in reader.each_site(reader.survey()):
            described = _describe(study_site(each, reader.load, extraction))
            show(json.dumps(described, ensure_ascii=False) if format_ == "json" else _format(described))
    raise typer.Exit(1 if reader.failed else 0)


def _describe(site: StudiedSite) -> dict[str, Any]:
    return {
        "site": site.name,
        "hosts": list(site.hosts),
        "pages": site.count,
        "layouts": [_describe_layout(layout) for layout in site.layouts],
        "outliers": list(site.outliers),
        "skipped": site.skipped,
    }


def _describe_layout(layout: StudiedLayout) -> dict[str, Any]:
    from bonmun.learn.layout_rules import find_kind, mean_confidence

    return {
        "pages": layout.count,
        "studied": len(layout.pages),
        "kind": find_kind(page.doc.kind for page in layout.pages),
        "confidence": round(mean_confidence(layout.pages), 3),
        "examples": [page.name for page in layout.pages[:MAX_EXAMPLES]],
    }


def _format(site: dict[str, Any]) -> str:
    lines = [f"{site['site']}: {say_count(site['pages'], 'page')}, {say_count(len(site['layouts']), 'layout')}"]
    for number, layout in enumerate(site["layouts"], 1):
        lines.append(
            f"  {number}. {say_count(layout['pages'], 'page')}, {layout['kind']}, confidence {layout['confidence']:.2f}"
        )
        lines += [f"     {name}" for name in layout["examples"]]
    if outliers := site["outliers"]:
        lines.append(f"  unlike every layout: {say_count(len(outliers), 'page')}")
        lines += [f"     {name}" for name in outliers[:MAX_OUTLIERS]]
        lines += [f"     and {len(outliers) - MAX_OUTLIERS:,} more"] if len(outliers) > MAX_OUTLIERS else []
    if site["skipped"]:
        lines.append(f"  not studied: {say_count(site['skipped'], 'page')}")
    return "\n".join(map(_clean, lines))


def _clean(line: str) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + make_readable(line)
