"""Arguments of several commands that are not settings: inputs, and the columns of the output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "CORES",
    "PAGES_HELP",
    "SOURCES_HELP",
    "Columns",
    "CountsFile",
    "Data",
    "Limit",
    "Partitions",
    "PathLists",
    "Sources",
    "SparkSources",
    "Workers",
]

CORES = os.cpu_count() or 1
SOURCES_HELP = "Folders of HTML, or files: .jsonl (.gz, .xz, .zst), .parquet, .warc (.gz), .wacz, .html; - reads stdin."
PAGES_HELP = "URLs, HTML files and folders, .snapshot, .jsonl, .warc, .wacz, .parquet."

# many pages
Sources = Annotated[list[str], typer.Argument(metavar="SRC...", help=SOURCES_HELP)]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAME,NAME…",
        help="Columns of the output, such as url,title,text. An unknown name lists all.",
        rich_help_panel="Output",
    ),
]
CountsFile = Annotated[Path, typer.Argument(metavar="COUNTS", help="Output of `bonmun corpus count`.")]

# Spark
SparkSources = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SRC...]", help="As for `bonmun corpus`, and URLs such as hdfs://… and s3a://…."),
]
PathLists = Annotated[
    list[Path] | None, typer.Option("--paths", metavar="FILE", help="File that lists sources, one per line.")
]
Partitions = Annotated[int | None, typer.Option(min=1, help="Number of Spark partitions (default: one per file).")]

# labelled pages
Data = Annotated[
    list[Path],
    typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders such as those of `bonmun gold init`."),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Number of pages per set, evenly spaced.")]
Workers = Annotated[int, typer.Option(min=1, help="Number of child processes.")]
