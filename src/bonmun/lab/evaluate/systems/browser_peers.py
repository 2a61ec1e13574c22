"""Extractors that are scripts in a page, run in the browser that lays pages out.

Two are known, and neither is part of bonmun. Mozilla's Readability.js comes with npm. DOM Distiller, which Chromium has
for its reading mode, is in the browser's own resources, `*.pak`, as one script with a place for its options,
`$$OPTIONS`; it is read from the browser that runs. Chromium's own page for it, chrome-distiller://, takes a URL and not
a page that is there already, and does not open in the headless shell.

A script runs in a world of its own in the page: the same tree and layout, but none of the page's variables. Pages are
loaded without network, with their scripts and, if that fails, without.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadInput, MissingExtra, RenderFailed
from bonmun.lab.evaluate.systems.node_packages import find_package, locate_node_folder, read_package_version
from bonmun.lab.evaluate.systems.pak_files import read_pack, unpack_resource
from bonmun.scale.browser import Browser, RenderJob
from bonmun.scale.browser.loading import call_function, create_isolated_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.async_api import CDPSession

    from bonmun.lab.gold.examples import Example
    from bonmun.scale.browser.loading import PageCallback

__all__ = [
    "Extractor",
    "Found",
    "find_distiller_version",
    "find_readability_version",
    "make_distiller",
    "make_job",
    "make_readability",
    "make_reader",
    "read_found",
    "run_in_page",
    "start_browser",
]

READABILITY = "@mozilla/readability"
PACK_PLACES = ("*.pak", "*/resources.pak", "../Frameworks/*.framework/Versions/*/Resources/resources.pak")
PACK_BYTES = 200_000_000  # of a file; those of Chromium 156 have 20 million at most
SCRIPT_BYTES = 10_000_000  # of a script; DOM Distiller has 113,118
MARKS = (b"org.chromium.distiller.DomDistiller", b"$$OPTIONS")  # what only the script has
# DomDistillerOptions and DomDistillerResult are protocol buffers, whose fields have numbers: dom_distiller.proto.
# 1, extract_text_only: the HTML is wanted, as with Readability. 4, pagination_algo: how links to further pages are
# found. These are not asked for here; but with "next", the default, all fails on a page with a link that is no UTF-8.
DISTILLER_OPTIONS = {"1": False, "4": "pagenum"}


@dataclass(frozen=True, slots=True)
class Extractor:
    """A script that extracts, as a function without arguments that can be called in a page."""

    name: str
    function: str


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor gave, or why it gave nothing."""

    html: str = ""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    error: str | None = None


# --- in a page -------------------------------------------------------------------------------------------------------


def run_in_page(browser: Browser, example: Example, extractors: Sequence[Extractor]) -> list[Found]:
    """Load a page once and run extractors in it; RenderFailed or RuntimeError says why there is nothing."""
    [done] = browser.render_all([make_job(example)], then=make_reader(extractors))
    if done.problem:
        raise done.problem
    found = read_found(done.value)
    for each in found:
        if each.error is not None:
            raise RuntimeError(each.error)
    return found


def make_job(example: Example) -> RenderJob:
    """What a browser loads for an example: its HTML, and nothing else."""
    return RenderJob(example.id, example.url, example.html)


def make_reader(extractors: Sequence[Extractor]) -> PageCallback:
    """What `Browser.render_all` calls with a page: run extractors in it, one after the other."""

    async def read(session: CDPSession, _: int, __: dict[str, Any]) -> list[str]:
        return [
            await call_function(session, await create_isolated_world(session), extractor.function)
            for extractor in extractors
        ]

    return read


def read_found(values: Sequence[str]) -> list[Found]:
    """Read what the functions returned: JSON, a text for each."""
    return [Found(**json.loads(value)) for value in values]


def _make_function(script: str, last: str) -> str:
    """Make a function of a script; `last` are its last lines, which return what was found."""
    return f"""() => {{
  const extract = () => {{
{script}
{last}
  }};
  try {{
    return JSON.stringify(extract());
  }} catch (problem) {{
    return JSON.stringify({{ error: String(problem) }});
  }}
}}"""


# --- Readability.js --------------------------------------------------------------------------------------------------


@cache
def make_readability() -> Extractor:
    """Readability.js on a copy of the page, as its README says."""
    script = _find_readability() / "Readability.js"
    last = """
    const found = new Readability(document.cloneNode(true)).parse() ?? {};
    return { html: found.content ?? "", title: found.title, author: found.byline, date: found.publishedTime };"""
    return Extractor("readability-browser", _make_function(script.read_text(encoding="utf-8"), last))


@cache
def find_readability_version() -> str:
    """Say which Readability.js runs in which browser; MissingExtra says what is not installed."""
    return f"{read_package_version(_find_readability())} (Chromium {_find_chromium()[0]})"


def _find_readability() -> Path:
    found = find_package(READABILITY)
    if found is None or not (found / "Readability.js").is_file():
        setup = f"npm install --prefix {locate_node_folder()} {READABILITY}@0.6"
        raise MissingExtra(f"readability-browser is not installed: {setup}")
    return found


# --- DOM Distiller ---------------------------------------------------------------------------------------------------


@cache
def make_distiller() -> Extractor:
    """DOM Distiller as Chromium runs it; it says nothing of what went wrong but to the page's console."""
    script = _read_distiller(start_browser().find_program()).replace(MARKS[1].decode(), json.dumps(DISTILLER_OPTIONS))
    last = """
    if (!found) throw Error("DOM Distiller failed in this page");
    return { html: found[2]?.[1] ?? "", title: found[1] };"""
    return Extractor("dom-distiller", _make_function(f"const found =\n{script}", last))


@cache
def find_distiller_version() -> str:
    """Say in which browser's resources DOM Distiller is; MissingExtra says that there is none."""
    version, program = _find_chromium()
    _read_distiller(program)
    return f"Chromium {version}"


@cache
def _read_distiller(program: Path) -> str:
    """Read the script from the resources of a browser."""
    for pack in sorted({path for place in PACK_PLACES for path in program.parent.glob(place)}):
        if pack.is_file() and pack.stat().st_size <= PACK_BYTES:
            for script in _list_scripts(pack.read_bytes()):
                return script
    raise MissingExtra(f"dom-distiller is not there: the resources of {program} have no DOM Distiller.")


def _list_scripts(pack: bytes) -> Iterator[str]:
    """List the resources of a pack that are DOM Distiller: one or none. A pack that cannot be read has none."""
    try:
        for _, resource in read_pack(pack):
            if len(resource) <= SCRIPT_BYTES:
                found = unpack_resource(resource, SCRIPT_BYTES)
                if all(mark in found for mark in MARKS):
                    yield found.decode("utf-8", "replace")
    except BadInput:
        return


# --- the browser -----------------------------------------------------------------------------------------------------


@cache
def start_browser() -> Browser:
    """Start the browser of this process; it ends with the process, however that ends."""
    browser = Browser().__enter__()
    Finalize(None, browser.close, exitpriority=1)  # at exit, also that of a child process
    return browser


@cache
def _find_chromium() -> tuple[str, Path]:
    """The version and the program of the browser that there is."""
    try:
        with Browser() as browser:
            return browser.version, browser.find_program()
    except RenderFailed as problem:
        raise MissingExtra(f"There is no browser that runs: {problem}") from problem
