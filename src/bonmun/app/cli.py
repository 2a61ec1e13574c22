"""The `bonmun` command; each of its commands is a file in commands/.

Results go to stdout, everything else to stderr. Exit status: 0 success, 1 some inputs failed, 2 wrong use.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bonmun._version import __version__
from bonmun.app.commands.corpus.corpus_count import corpus_count_command
from bonmun.app.commands.corpus.corpus_dedupe import corpus_dedupe_command
from bonmun.app.commands.corpus.corpus_extract import corpus_extract_command
from bonmun.app.commands.corpus.corpus_show import corpus_show_command
from bonmun.app.commands.corpus.corpus_site_model import corpus_site_model_command
from bonmun.app.commands.corpus.corpus_template import corpus_template_command
from bonmun.app.commands.corpus.crawl import crawl_command
from bonmun.app.commands.corpus.export import export_command
from bonmun.app.commands.corpus.spark_count import spark_count_command
from bonmun.app.commands.corpus.spark_extract import spark_extract_command
from bonmun.app.commands.corpus.spark_site_model import spark_site_model_command
from bonmun.app.commands.extract.compare import compare_command
from bonmun.app.commands.extract.diff import diff_command
from bonmun.app.commands.extract.extract import extract_command
from bonmun.app.commands.extract.methods import methods_command
from bonmun.app.commands.extract.objects import objects_command
from bonmun.app.commands.extract.page_loading import ExtractCommand
from bonmun.app.commands.extract.rules_import import rules_import_command
from bonmun.app.commands.extract.rules_list import rules_list_command, rules_show_command
from bonmun.app.commands.extract.rules_test import rules_check_command, rules_test_command
from bonmun.app.commands.extract.watch import watch_command
from bonmun.app.commands.lab.agreement import agreement_command
from bonmun.app.commands.lab.bench_align import bench_align_command
from bonmun.app.commands.lab.bench_run import bench_run_command
from bonmun.app.commands.lab.gold_check import gold_check_command
from bonmun.app.commands.lab.gold_init import gold_init_command
from bonmun.app.commands.lab.gold_suspects import gold_apply_command, gold_suspects_command
from bonmun.app.commands.lab.train import TrainCommand, train_command
from bonmun.app.commands.pages.inspect import inspect_command
from bonmun.app.commands.pages.mcp import mcp_command
from bonmun.app.commands.pages.render import render_command
from bonmun.app.commands.pages.report import report_command
from bonmun.app.commands.pages.serve import serve_command
from bonmun.app.commands.pages.site_learn import site_learn_command
from bonmun.app.commands.pages.site_show import site_show_command
from bonmun.app.commands.shared.groups import CommandApp, CommandGroup, is_page_name, use_config_file
from bonmun.kernel import accelerated
from bonmun.work.programs import use_safe_path

__all__ = ["app", "main"]


class _BenchGroup(CommandGroup):
    """A group in which `bonmun bench DATA` means `bonmun bench run DATA`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if (args or not ctx.resilient_parsing) and (not args or args[0] not in self.commands):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the completions right after `bench`: its commands, and those of `run`."""
        run = self.commands["run"]
        options = run.shell_complete(run.make_context("run", [], parent=ctx, resilient_parsing=True), incomplete)
        return [*super().shell_complete(ctx, incomplete), *options]


class _RootGroup(CommandGroup):
    """A group that suggests `bonmun extract` if a page is given instead of a command."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and is_page_name(args[0]):
            ctx.fail(f"No such command {args[0]!r}. Did you mean bonmun extract {args[0]}?")
        return super().resolve_command(ctx, args)


app = CommandApp(cls=_RootGroup, help="Extract the main text of web pages, with a reason for every decision.")
app.command("extract", cls=ExtractCommand)(extract_command)
app.command("compare")(compare_command)
app.command("objects")(objects_command)
app.command("methods")(methods_command)
app.command("crawl")(crawl_command)
app.command("export")(export_command)
app.command("diff")(diff_command)
app.command("watch")(watch_command)
app.command("inspect")(inspect_command)
app.command("render")(render_command)
app.command("report")(report_command)
app.command("train", cls=TrainCommand)(train_command)
app.command("agreement")(agreement_command)
app.command("serve")(serve_command)
app.command("mcp")(mcp_command)

corpus = CommandApp()
app.add_typer(corpus, name="corpus", help="Process many pages: count repeated text, extract, mark duplicates.")
corpus.command("count")(corpus_count_command)
corpus.command("show")(corpus_show_command)
corpus.command("site-model")(corpus_site_model_command)
corpus.command("template")(corpus_template_command)
corpus.command("extract")(corpus_extract_command)
corpus.command("dedupe")(corpus_dedupe_command)

rules = CommandApp()
app.add_typer(rules, name="rules", help="List, check and try rules for single sites.")
rules.command("list")(rules_list_command)
rules.command("show")(rules_show_command)
rules.command("check")(rules_check_command)
rules.command("test")(rules_test_command)
rules.command("import")(rules_import_command)

site = CommandApp()
app.add_typer(site, name="site", help="Show the layouts of a site, and learn rules from its pages.")
site.command("learn")(site_learn_command)
site.command("show")(site_show_command)

spark = CommandApp()
app.add_typer(spark, name="spark", help="Process pages on a cluster with Apache Spark.")
spark.command("count")(spark_count_command)
spark.command("site-model")(spark_site_model_command)
spark.command("extract")(spark_extract_command)

bench = CommandApp(cls=_BenchGroup, no_args_is_help=False)
app.add_typer(bench, name="bench", help="Measure methods and other extractors on labelled pages.")
bench.command("run")(bench_run_command)
bench.command("align")(bench_align_command)

gold = CommandApp()
app.add_typer(gold, name="gold", help="Label pages in an editor, and correct labelled sets.")
gold.command("init")(gold_init_command)
gold.command("check")(gold_check_command)
gold.command("suspects")(gold_suspects_command)
gold.command("apply")(gold_apply_command)


def main() -> None:
    """Run the command line."""
    use_safe_path()
    app()


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bonmun {__version__} ({'with' if accelerated else 'without'} the compiled kernel)")
        raise typer.Exit


@app.callback()
def _root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_config: Annotated[bool, typer.Option("--no-config", help="Ignore bonmun.toml and pyproject.toml.")] = False,
) -> None:
    """Extract the main text of web pages."""
    if not no_config:
        use_config_file(ctx)
