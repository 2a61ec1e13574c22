"""Peers that are scripts and run inside a page in a browser.

There are two, and neither is part of bonmun. Mozilla's Readability.js is an npm package. DOM Distiller, which Chromium
uses for its reading mode, is in the browser's resource files (`*.pak`) as one script with a placeholder for its
options, `$$OPTIONS`. It is read from the browser in use. Chromium's own page for it, chrome-distiller://, takes a URL
instead of a loaded page, and does not open in the headless shell.

A script runs in an isolated world: it shares the DOM and layout of the page, but not its variables. Pages are loaded
without network, with their scripts or, if that fails, without them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadInput, MissingExtra, RenderFailed
from bonmun.lab.evaluate.systems.node_packages import find_package, locate_node_folder, read_package_version
from bonmun.lab.evaluate.systems.pak_files import decompress_resource, read_pack
from bonmun.scale.browser import Browser, RenderJob
from bonmun.scale.browser.worlds import call_function, create_isolated_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.async_api import CDPSession

    from bonmun.lab.gold.examples import Example
    from bonmun.scale.browser.loading import PageCallback

__all__ = [
    "Extractor",
    "ExtractorResult",
    "find_distiller_version",
    "find_readability_version",
    "make_callback",
    "make_distiller",
    "make_job",
    "make_readability",
    "parse_results",
    "run_in_page",
    "start_browser",
]

READABILITY = "@mozilla/readability"
PACK_PATTERNS = ("*.pak", "*/resources.pak", "../Frameworks/*.framework/Versions/*/Resources/resources.pak")
MAX_PACK_BYTES = 200_000_000  # the files of Chromium 156 have at most 20 million
MAX_SCRIPT_BYTES = 10_000_000  # DOM Distiller has 113,118
MARKS = (b"org.chromium.distiller.DomDistiller", b"$$OPTIONS")  # occur together only in the script
# DomDistillerOptions and DomDistillerResult are protocol buffers with numbered fields (dom_distiller.proto).
# 1, extract_text_only: False returns HTML, as Readability does. 4, pagination_algo: how links to further pages are
# found. These are not used here, but with the default, "next", the script fails if the page has a non-UTF-8 link.
DISTILLER_OPTIONS = {"1": False, "4": "pagenum"}


@dataclass(frozen=True, slots=True)
class Extractor:
    """An extraction script, as a JavaScript function without arguments."""

    name: str
    function: str


@dataclass(frozen=True, slots=True)
class ExtractorResult:
    """What an extractor returned, or why it failed."""

    html: str = ""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    error: str | None = None


# --- in a page -------------------------------------------------------------------------------------------------------


def run_in_page(browser: Browser, example: Example, extractors: Sequence[Extractor]) -> list[ExtractorResult]:
    """Load a page once and run extractors in it; raise RenderFailed or RuntimeError if the page or a script fails."""
    [done] = browser.render_all([make_job(example)], then=make_callback(extractors))
    if done.problem:
        raise done.problem
    results = parse_results(done.value)
    for each in results:
        if each.error is not None:
            raise RuntimeError(each.error)
    return results


def make_job(example: Example) -> RenderJob:
    """Make the render job of an example, from its HTML alone."""
    return RenderJob(example.id, example.url, example.html)


def make_callback(extractors: Sequence[Extractor]) -> PageCallback:
    """Make a callback for `Browser.render_all` that runs extractors in a page, one after the other."""

    async def read(session: CDPSession, _: int, __: dict[str, Any]) -> list[str]:
        return [
            await call_function(session, await create_isolated_world(session), extractor.function)
            for extractor in extractors
        ]

    return read


def parse_results(values: Sequence[str]) -> list[ExtractorResult]:
    """Parse the JSON strings that the extractors returned."""
    return [ExtractorResult(**json.loads(value)) for value in values]


def _make_function(script: str, ending: str) -> str:
    """Wrap a script in a function; `ending` are its last lines, which return the result."""
    return f"""() => {{
  const extract = () => {{
{script}
{ending}
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
    """Make the extractor that runs Readability.js on a copy of the page, as its README describes."""
    script = _find_readability() / "Readability.js"
    ending = """
    const found = new Readability(document.cloneNode(true)).parse() ?? {};
    return { html: found.content ?? "", title: found.title, author: found.byline, date: found.publishedTime };"""
    return Extractor("readability-browser", _make_function(script.read_text(encoding="utf-8"), ending))


@cache
def find_readability_version() -> str:
    """Return the versions of Readability.js and the browser; raise MissingExtra if one is not installed."""
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
    """Make the extractor that runs DOM Distiller as Chromium does; its errors appear only in the page's console."""
    script = _read_distiller(start_browser().find_program()).replace(MARKS[1].decode(), json.dumps(DISTILLER_OPTIONS))
    ending = """
    if (!found) throw Error("DOM Distiller failed in this page");
    return { html: found[2]?.[1] ?? "", title: found[1] };"""
    return Extractor("dom-distiller", _make_function(f"const found =\n{script}", ending))


@cache
def find_distiller_version() -> str:
    """Return the version of the browser with DOM Distiller; raise MissingExtra if there is none."""
    version, program = _find_chromium()
    _read_distiller(program)
    return f"Chromium {version}"


@cache
def _read_distiller(program: Path) -> str:
    """Read the script from the resources of a browser."""
    for pack in sorted({path for pattern in PACK_PATTERNS for path in program.parent.glob(pattern)}):
        if pack.is_file() and pack.stat().st_size <= MAX_PACK_BYTES:
            for script in _list_scripts(pack.read_bytes()):
                return script
    raise MissingExtra(f"dom-distiller is not available: the resources of {program} do not contain DOM Distiller.")


def _list_scripts(pack: bytes) -> Iterator[str]:
    """Yield the DOM Distiller scripts in a pack, at most one; none if the pack cannot be read."""
    try:
        for _, resource in read_pack(pack):
            if len(resource) <= MAX_SCRIPT_BYTES:
                found = decompress_resource(resource, MAX_SCRIPT_BYTES)
                if all(mark in found for mark in MARKS):
                    yield found.decode("utf-8", "replace")
    except BadInput:
        return


# --- the browser -----------------------------------------------------------------------------------------------------


@cache
def start_browser() -> Browser:
    """Start the browser of this process; it is closed when the process exits."""
    browser = Browser().__enter__()
    Finalize(None, browser.close, exitpriority=1)  # unlike atexit, also runs in a multiprocessing child
    return browser


@cache
def _find_chromium() -> tuple[str, Path]:
    """Return the version and the program of the installed browser."""
    try:
        with Browser() as browser:
            return browser.version, browser.find_program()
    except RenderFailed as problem:
        raise MissingExtra(f"No browser can be started: {problem}") from problem
