"""The `bonmun` command, put together: one file in commands/ for each command.

Results go to stdout, everything else to stderr; exit 0: done, 1: some inputs failed, 2: wrong use.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bonmun._version import __version__
from bonmun.commands.agreement import agreement_command
from bonmun.commands.bench_align import bench_align_command
from bonmun.commands.bench_run import bench_run_command
from bonmun.commands.compare import compare_command
from bonmun.commands.corpus_count import corpus_count_command
from bonmun.commands.corpus_extract import corpus_extract_command
from bonmun.commands.corpus_show import corpus_show_command
from bonmun.commands.corpus_site_model import corpus_site_model_command
from bonmun.commands.crawl import crawl_command
from bonmun.commands.extract import extract_command
from bonmun.commands.inspect import inspect_command
from bonmun.commands.mcp import mcp_command
from bonmun.commands.methods import methods_command
from bonmun.commands.render import render_command
from bonmun.commands.report import report_command
from bonmun.commands.serve import serve_command
from bonmun.commands.spark_count import spark_count_command
from bonmun.commands.spark_extract import spark_extract_command
from bonmun.commands.spark_site_model import spark_site_model_command
from bonmun.commands.train import train_command

__all__ = ["app", "main"]


class _BenchGroup(TyperGroup):
    """`bonmun bench DATA` is `bonmun bench run DATA`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The main text of web pages, with a reason for every decision.",
)
app.command("extract")(extract_command)
app.command("compare")(compare_command)
app.command("methods")(methods_command)
app.command("crawl")(crawl_command)
app.command("inspect")(inspect_command)
app.command("render")(render_command)
app.command("report")(report_command)
app.command("train")(train_command)
app.command("agreement")(agreement_command)
app.command("serve")(serve_command)
app.command("mcp")(mcp_command)

corpus = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(corpus, name="corpus", help="Many pages: count what repeats, extract them all.")
corpus.command("count")(corpus_count_command)
corpus.command("show")(corpus_show_command)
corpus.command("site-model")(corpus_site_model_command)
corpus.command("extract")(corpus_extract_command)

spark = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(spark, name="spark", help="The same on a cluster, with Apache Spark.")
spark.command("count")(spark_count_command)
spark.command("site-model")(spark_site_model_command)
spark.command("extract")(spark_extract_command)

bench = typer.Typer(cls=_BenchGroup, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(bench, name="bench", help="Measure methods and peers on labelled pages.")
bench.command("run")(bench_run_command)
bench.command("align")(bench_align_command)


def main() -> None:
    """Run the command line."""
    app()


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bonmun {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take web pages, give back what a reader came for."""
