"""Arguments and options that several commands have, for typer to read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.completions import complete_favours, complete_formats, complete_methods
from bonmun.options import DEFAULTS
from bonmun.outputs import FORMATS
from bonmun.outputs.chunks.json_lines import CHUNKS

__all__ = [
    "CORES",
    "MAX_BYTES",
    "SOURCES_HELP",
    "AllowPrivate",
    "ChunkOverlap",
    "ChunkWords",
    "Columns",
    "Comments",
    "CountsFile",
    "Data",
    "Favour",
    "Format",
    "HtmlColumn",
    "Images",
    "Limit",
    "Links",
    "MaxPageBytes",
    "MethodName",
    "ModelFile",
    "PageSeconds",
    "Partitions",
    "PathLists",
    "SiteName",
    "Sources",
    "SparkSources",
    "TakeCase",
    "TakeDigits",
    "Title",
    "UrlColumn",
    "Workers",
]

CORES = os.cpu_count() or 1
MAX_BYTES = DEFAULTS.max_bytes
SOURCES_HELP = "Folders of HTML, and files: .jsonl (.gz, .xz, .zst), .parquet, .warc (.gz), .html; - is stdin."

# what pages are extracted with
MethodName = Annotated[
    str, typer.Option("--method", "-m", help="See `bonmun methods`.", autocompletion=complete_methods)
]
ModelFile = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE", help="Weights for a method that takes some: of `bonmun train` for auto."),
]
Favour = Annotated[
    str,
    typer.Option(
        "--favour",
        "--favor",
        metavar="precision|balanced|recall",
        help="Keep less but surer, or more, with auto.",
        autocompletion=complete_favours,
    ),
]
Format = Annotated[
    str, typer.Option("--format", "-f", metavar="|".join((*FORMATS, CHUNKS)), autocompletion=complete_formats)
]
ChunkWords = Annotated[int, typer.Option("--chunk-words", min=50, help="Words of a chunk, at most.")]
ChunkOverlap = Annotated[int, typer.Option("--chunk-overlap", min=0, help="Words of a chunk that the next says again.")]
Title = Annotated[
    str | None, typer.Option(help="The headline, if you know it, such as the text of the link that led to the page.")
]
Links = Annotated[bool, typer.Option("--links", help="Keep links.")]
Images = Annotated[bool, typer.Option("--images", help="Keep images.")]
Comments = Annotated[bool, typer.Option("--comments", help="Add the readers' comments.")]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="URLs may lead into this network.")]

# many pages
Sources = Annotated[list[str], typer.Argument(metavar="SRC...", help=SOURCES_HELP)]
SiteName = Annotated[
    str | None, typer.Option("--site", help="The site that all pages belong to; else they, or their URLs, say it.")
]
HtmlColumn = Annotated[
    str | None, typer.Option("--html-column", metavar="NAME", help="What JSON lines and Parquet call a page: html.")
]
UrlColumn = Annotated[
    str | None, typer.Option("--url-column", metavar="NAME", help="What they call the page's URL: url.")
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="NAME,NAME…", help="What comes out: url,title,text,html … A wrong name shows them all."
    ),
]
PageSeconds = Annotated[float, typer.Option("--seconds", min=0.1, help="Time limit for a page.")]
MaxPageBytes = Annotated[int, typer.Option("--max-bytes", min=1, help="Larger pages fail.")]
TakeDigits = Annotated[bool, typer.Option("--digits", help="Take all numbers for the same.")]
TakeCase = Annotated[bool, typer.Option("--case", help="Take capital and small letters for the same.")]
CountsFile = Annotated[Path, typer.Argument(metavar="COUNTS", help="What `bonmun corpus count` made.")]

# on a cluster
SparkSources = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SRC...]", help="As for `bonmun corpus`, also hdfs://…, s3a://… and the like."),
]
PathLists = Annotated[list[Path] | None, typer.Option("--paths", metavar="FILE", help="A file with a source a line.")]
Partitions = Annotated[
    int | None, typer.Option(min=1, help="Spread the pages over so many tasks; else a file is a task.")
]

# labelled pages
Data = Annotated[
    list[Path], typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders of a known form.")
]
Limit = Annotated[int | None, typer.Option(help="So many pages of each set, evenly from all of it.")]
Workers = Annotated[int, typer.Option(min=1, help="Pages at a time.")]
