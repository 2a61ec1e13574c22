"""Run a page through bonmun stage by stage: the time, output or error of each stage."""

from __future__ import annotations

import gc
import traceback
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, TypeVar

import turbohtml

import bonmun
from bonmun import BonmunError, Options, Page, extract
from bonmun.outputs import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun import Document

__all__ = ["EVERYTHING", "STAGES", "URL", "Run", "measure", "measure_peak", "parse_bare", "run_stages"]

PACKAGE = str(Path(bonmun.__file__).parent)
URL = "https://example.org/a/b"
EVERYTHING = Options(links=True, images=True, comments=True, posts=True)
STAGES = ("parse", "label", "text", "metadata", "markdown", "html", "json", "xml")
TEXT_STAGES = ("parse", "label", "text")

Result = TypeVar("Result")


@dataclass
class Run:
    """The run of a page with one method: seconds by stage, outputs, and the error if it failed."""

    method: str
    seconds: dict[str, float] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    doc: Document | None = None
    refused: BonmunError | None = None  # the error, if the input was rejected
    failed: tuple[str, str] | None = None  # the stage, and the error with its origin

    @property
    def text_seconds(self) -> float:
        """Seconds from HTML to the main text."""
        return sum(self.seconds.get(stage, 0) for stage in TEXT_STAGES)

    @property
    def all_seconds(self) -> float:
        """Seconds from HTML to all formats and metadata."""
        return sum(self.seconds.values())


def run_stages(
    html: str | bytes | Page,
    method: str = "auto",
    enter: Callable[[int], None] = lambda _: None,
    formats: tuple[str, ...] = tuple(FORMATS),
) -> Run:
    """Run a page through all stages; `enter` is called with the number of each stage that begins."""
    run = Run(method)
    stage = "parse"

    def step(name: str, work: Callable[[], Result]) -> Result:
        nonlocal stage
        stage = name
        enter(STAGES.index(name))
        seconds, result = measure(work)
        run.seconds[name] = seconds
        return result

    try:
        page = step("parse", lambda: html if isinstance(html, Page) else Page.parse(html, URL))
        run.doc = doc = step("label", lambda: extract(page, method=method, options=EVERYTHING))
        run.written["text"] = step("text", lambda: doc.text)
        step("metadata", lambda: (doc.metadata, doc.title, doc.kind))
        for name in formats:
            if name != "text":
                run.written[name] = step(name, partial(doc.render, name))
    except BonmunError as problem:
        run.refused = problem
    except Exception as problem:  # any error is a finding
        run.failed = stage, describe_error(problem)
    return run


def describe_error(problem: BaseException) -> str:
    """Return the class and first words of an error, and the innermost function of the package in its traceback."""
    ours = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.startswith(PACKAGE)]
    place = f" in {Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    return f"{type(problem).__name__}: {str(problem)[:80]}{place}"


def parse_bare(html: str | bytes) -> object:
    """Parse a page with turbohtml only; all times are compared with this."""
    return turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)


def measure(run: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds and the result of a call, without garbage collection."""
    gc.disable()
    try:
        start = process_time()
        result = run()
        return process_time() - start, result
    finally:
        gc.enable()


@contextmanager
def measure_peak(found: list[int]) -> Iterator[None]:
    """Append the peak memory of the block, in bytes above the memory before it (Linux only)."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = _read_status("VmRSS")
    yield
    found.append(max(0, _read_status("VmHWM") - before))


def _read_status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(name)
