"""`bonmun render`: pages as a browser lays them out."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from bonmun.app.commands.shared.arguments import (
    CORES,
    MAX_BYTES,
    AllowPrivate,
    MaxPageBytes,
    MethodName,
    Workers,
)
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.shell import complain, output_to, stoppable, wrong_use
from bonmun.errors import BadConfig, BonmunError
from bonmun.options import Options
from bonmun.work.files import write_bytes
from bonmun.work.folders import ResultFolder
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.algorithms import Method
    from bonmun.scale.browser import RenderJob, RenderOptions
    from bonmun.scale.browser.picture import Mark

__all__ = [
    "Files",
    "Language",
    "Network",
    "RenderCommand",
    "Scripts",
    "Seconds",
    "UserAgent",
    "Viewport",
    "Wait",
    "read_render_options",
    "render_command",
]

# how a browser shows pages; `bonmun extract --render` has some of these, too
Viewport = Annotated[str, typer.Option(metavar="WxH", help="The size of the window, in pixels.")]
Language = Annotated[str | None, typer.Option(help="What the browser asks sites for, such as ko-KR.")]
UserAgent = Annotated[str | None, typer.Option(help="What the browser says that it is.")]
Seconds = Annotated[float, typer.Option("--seconds", help="Time limit for a page; then it is tried without scripts.")]
Wait = Annotated[float, typer.Option(help="Seconds at most that a page's scripts may go on changing it.")]
Scripts = Annotated[bool, typer.Option("--scripts/--no-scripts", help="Run the pages' scripts.")]
Network = Annotated[bool, typer.Option("--network", help="Files, too, may load what they link to from the network.")]
Files = Annotated[
    Path | None, typer.Option(metavar="DIR|WARC", help="What pages link to (style sheets, images) is taken from here.")
]


class RenderCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "The browser": "viewport language user_agent scripts wait",
        "What pages load": "files network allow_private",
        "Limits": "seconds workers max_bytes",
    }


def render_command(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="SRC...", help="URLs, HTML files, folders of them, .jsonl, .warc, .parquet; - is stdin."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="A folder; it gets a file for each page.")
    ],
    show: Annotated[
        bool, typer.Option("--show", help="Also a picture of each page: what is kept, with scores as colours.")
    ] = False,
    method: MethodName = "auto",
    files: Files = None,
    viewport: Viewport = "1280x800",
    language: Language = None,
    user_agent: UserAgent = None,
    seconds: Seconds = 20.0,
    wait: Wait = 3.0,
    scripts: Scripts = True,
    network: Network = False,
    allow_private: AllowPrivate = False,
    workers: Workers = CORES,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Render pages in a browser and keep what it shows: a snapshot of each, that every command reads as a page.

    Snapshots that are there already are not made anew: a run that was stopped goes on with the same command.
    """
    with wrong_use(), output_to(str(output)), stoppable("the same command goes on from here."):
        from bonmun.algorithms import make_method
        from bonmun.app.commands.shared.render_inputs import find_tasks
        from bonmun.scale.browser import Browser
        from bonmun.scale.browser.picture import make_drawer
        from bonmun.scale.browser.saved_files import open_resources
        from bonmun.snapshots import SNAPSHOT_SUFFIX, pack_snapshot

        options = read_render_options(viewport, language, user_agent, seconds, wait, scripts, network, allow_private)
        folder = ResultFolder(output)
        folder.make()
        draw = make_drawer(_make_marker(make_method(method))) if show else None
        resources = open_resources(files) if files else None
        counts = _Counts()
        places: dict[int, Path] = {}
        passed: Counter[str] = Counter()

        def choose() -> Iterator[RenderJob]:
            for task in find_tasks(inputs, Options(max_bytes=max_bytes), resources, passed):
                path = folder.place(task.stem, SNAPSHOT_SUFFIX)
                if path.exists() and (not show or path.with_suffix(".png").exists()):
                    counts.before += 1
                elif task.problem:
                    counts.fail(task.job.name, task.problem)
                else:
                    places[id(task.job)] = path
                    yield task.job

        with Browser(options) as browser, show_progress("Rendering", 0, shown=is_terminal(sys.stderr)) as progress:
            for done in browser.render_all(choose(), workers, draw):
                path = places.pop(id(done.job))
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
                progress.move(counts.done, counts.done, "pages")
        report_passed(passed)
        if counts.before:
            complain(f"{counts.before:,} pages were rendered before, and are not made anew.")
        complain(f"{output}: {counts.done:,} pages rendered, {counts.failed:,} failed.")
        raise typer.Exit(1 if counts.failed else 0)


class _Counts:
    """What came of the pages."""

    def __init__(self) -> None:
        self.done = self.failed = self.before = 0

    def fail(self, name: str, problem: BonmunError | None) -> None:
        """Name a page that could not be rendered."""
        self.failed += 1
        complain(name_once(name, str(problem)))


def _make_marker(method: Method) -> Callable[[dict[str, Any]], list[Mark]]:
    """What turns a measured page into marks: the method, on that page."""
    from bonmun.page import Page
    from bonmun.scale.browser.picture import mark_blocks
    from bonmun.snapshots import make_snapshot

    def mark(found: dict[str, Any]) -> list[Mark]:
        page = Page.from_snapshot(make_snapshot(found, found["html"], found))
        return mark_blocks(page, method.label(page))

    return mark


def read_render_options(
    viewport: str,
    language: str | None = None,
    user_agent: str | None = None,
    seconds: float = 20.0,
    wait: float = 3.0,
    scripts: bool = True,
    network: bool = False,
    allow_private: bool = False,
) -> RenderOptions:
    """The options of a browser as the command line gives them."""
    from bonmun.scale.browser import RenderOptions

    width, _, height = viewport.lower().partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise BadConfig(f"--viewport is a width and a height such as 1280x800, not {viewport!r}.")
    return RenderOptions(
        viewport=(int(width), int(height)),
        language=language,
        user_agent=user_agent,
        timeout=seconds,
        wait=wait,
        scripts=scripts,
        network=network,
        allow_private=allow_private,
    )
