"""`bonmun render`: render pages in a browser and save snapshots."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, say_count, stoppable, wrong_use
from bonmun.extraction import Extraction
from bonmun.scale.browser.render_options import RenderOptions
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.work.files import write_bytes
from bonmun.work.folders import ResultFolder
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.algorithms import Method
    from bonmun.errors import BonmunError
    from bonmun.rules.rule_set import RuleSet
    from bonmun.scale.browser import RenderJob
    from bonmun.scale.browser.picture import Mark

__all__ = ["Files", "render_command"]

Files = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR|WARC",
        help="Folder or WARC file with the style sheets and images of the pages.",
        rich_help_panel="Rendering",
    ),
]


@take_settings(RenderOptions, into="render_options", without="quiet resolve memory")
@take_settings(Extraction, into="extraction", only="method rules max_bytes")
@take_settings(LimitOptions, into="limits", only="workers")
def render_command(
    inputs: Annotated[list[str], typer.Argument(metavar="SRC...", help=f"{PAGES_HELP} - reads stdin.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder, with one snapshot per page.")
    ],
    render_options: RenderOptions,
    extraction: Extraction,
    limits: LimitOptions,
    show: Annotated[
        bool, typer.Option("--show", help="Also write a picture of each page with the kept blocks and scores.")
    ] = False,
    files: Files = None,
    warc: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write what the pages load from the network to this new .warc.gz file."),
    ] = None,
) -> None:
    """Render pages in a browser and save a snapshot of each, which every command accepts as a page.

    Existing snapshots are kept: an interrupted run is resumed by the same command.
    """
    with wrong_use(), output_to(str(output)), stoppable("run the same command to resume."):
        from bonmun.algorithms import make_method
        from bonmun.app.commands.pages.render_archive import RenderArchive
        from bonmun.app.commands.shared.render_inputs import find_tasks
        from bonmun.rules.rule_set import load_rules
        from bonmun.scale.browser import Browser
        from bonmun.scale.browser.picture import make_drawer
        from bonmun.scale.browser.saved_files import open_resources
        from bonmun.snapshots import SNAPSHOT_SUFFIX, pack_snapshot

        folder = ResultFolder(output)
        folder.create()
        draw = make_drawer(_make_marker(make_method(extraction.method), load_rules(extraction.rules))) if show else None
        resources = open_resources(files) if files else None
        counts = _RenderCounts()
        places: dict[int, Path] = {}
        passed: Counter[str] = Counter()

        def choose() -> Iterator[RenderJob]:
            for task in find_tasks(inputs, extraction, resources, passed):
                path = folder.choose_path(task.stem, SNAPSHOT_SUFFIX)
                if path.exists() and (not show or path.with_suffix(".png").exists()):
                    counts.before += 1
                elif task.problem:
                    counts.fail(task.job.name, task.problem)
                else:
                    job = replace(task.job, keep=warc is not None)
                    places[id(job)] = path
                    yield job

        with (
            RenderArchive(warc) if warc else nullcontext() as archive,
            Browser(render_options) as browser,
            show_progress("Rendering", 0, shown=is_terminal(sys.stderr)) as progress,
        ):
            for done in browser.render_all(choose(), limits.workers, draw):
                path = places.pop(id(done.job))
                if archive:
                    archive.write(done)
                if done.snapshot is None:
                    counts.fail(done.job.name, done.problem)
                else:
                    counts.done += 1
                    path.parent.mkdir(parents=True, exist_ok=True)
                    if done.value:
                        write_bytes(path.with_suffix(".png"), done.value)
                    write_bytes(path, pack_snapshot(done.snapshot))
                    if done.snapshot.problem:
                        complain(f"{done.job.name}: rendered {done.snapshot.problem}.")
                    if done.snapshot.note:
                        complain(f"{done.job.name}: {done.snapshot.note}")
                progress.update(counts.done, counts.done, "pages")
        report_passed(passed)
        if archive:
            complain(f"{warc}: {say_count(archive.count, 'response')}.")
        if counts.before:
            complain(f"{say_count(counts.before, 'page')} had been rendered before.")
        complain(f"{output}: {say_count(counts.done, 'page')} rendered, {counts.failed:,} failed.")
        raise typer.Exit(1 if counts.failed else 0)


class _RenderCounts:
    """How many pages were rendered, failed, or existed."""

    def __init__(self) -> None:
        self.done = self.failed = self.before = 0

    def fail(self, name: str, problem: BonmunError | None) -> None:
        """Report a page that could not be rendered."""
        self.failed += 1
        complain(name_once(name, str(problem)))


def _make_marker(method: Method, rules: RuleSet) -> Callable[[dict[str, Any]], list[Mark]]:
    """Return a function that labels a measured page and returns the marks to draw."""
    from bonmun.page import Page
    from bonmun.rules.apply import apply_rules
    from bonmun.scale.browser.picture import mark_blocks
    from bonmun.snapshots import make_snapshot

    def mark(found: dict[str, Any]) -> list[Mark]:
        page = Page.from_snapshot(make_snapshot(found, found["html"], found))
        return mark_blocks(page, apply_rules(page, method.label(page), rules))

    return mark
