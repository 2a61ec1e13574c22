"""A page taken through bonmun stage by stage: what each stage takes, writes, or fails with."""

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
EVERYTHING = Options(links=True, images=True, comments=True)
STAGES = ("parse", "label", "text", "facts", "markdown", "html", "json", "xml")
TEXT_STAGES = ("parse", "label", "text")

Result = TypeVar("Result")


@dataclass
class Run:
    """What came of a page with one method: seconds by stage, what was written, and why it ended early, if it did."""

    method: str
    seconds: dict[str, float] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    doc: Document | None = None
    refused: BonmunError | None = None  # the input is no page
    failed: tuple[str, str] | None = None  # the stage, and the error with the place it comes from

    @property
    def text_seconds(self) -> float:
        """The way from HTML to the main text."""
        return sum(self.seconds.get(stage, 0) for stage in TEXT_STAGES)

    @property
    def all_seconds(self) -> float:
        """The way to all formats and facts."""
        return sum(self.seconds.values())


def run_stages(
    html: str | bytes | Page,
    method: str = "auto",
    enter: Callable[[int], None] = lambda _: None,
    formats: tuple[str, ...] = tuple(FORMATS),
) -> Run:
    """Take a page through all stages; `enter` is told the number of each stage that begins."""
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
        step("facts", lambda: (doc.metadata, doc.title, doc.kind))
        for name in formats:
            if name != "text":
                run.written[name] = step(name, partial(doc.render, name))
    except BonmunError as problem:
        run.refused = problem
    except Exception as problem:  # whatever it is, it is what is looked for
        run.failed = stage, describe_error(problem)
    return run


def describe_error(problem: BaseException) -> str:
    """An error's class, its first words, and the innermost function of the package it passed through."""
    ours = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.startswith(PACKAGE)]
    place = f" in {Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    return f"{type(problem).__name__}: {str(problem)[:80]}{place}"


def parse_bare(html: str | bytes) -> object:
    """The bare parse, which all times are compared with."""
    return turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)


def measure(run: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds of this process that something takes, and its result; no garbage is collected meanwhile."""
    gc.disable()
    try:
        start = process_time()
        result = run()
        return process_time() - start, result
    finally:
        gc.enable()


@contextmanager
def measure_peak(found: list[int]) -> Iterator[None]:
    """Append the most memory, in bytes, that was in use at once during the block beyond what was before it (Linux)."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = _read_status("VmRSS")
    yield
    found.append(max(0, _read_status("VmHWM") - before))


def _read_status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(name)
