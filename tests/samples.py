"""Helpers for several test files.

The pages in tests/pages and examples/pages, made-up pages, and functions that run the command.
"""

from __future__ import annotations

import inspect
import os
import resource
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache, wraps
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest
from typer.testing import Result

from bonmun.errors import MissingExtra
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.train.samples.samples import make_sample
from bonmun.scale.browser.find import find_browser
from bonmun.snapshots import Look, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bonmun.lab.train.samples.sample_files import Sample

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(folder for folder in (ROOT / "tests" / "pages").iterdir() if folder.is_dir())
EXAMPLES = ROOT / "examples" / "pages"
SOURCES = {folder.name: folder / "source.html" for folder in FOLDERS}
SOURCES |= {f"example-{path.stem}": path for path in sorted(EXAMPLES.glob("*.html"))}

# Set if all packages are installed: skipping a test for a missing package is then an error.
ALL_EXTRAS = bool(os.environ.get("BONMUN_ALL_EXTRAS"))


Bonmun = Callable[..., Result]  # the fixture of this name: takes arguments, and stdin as bytes
Test = TypeVar("Test", bound=Callable[..., None])


def in_one_test(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Iterable[Any] | Callable[..., str] = ()
) -> Callable[[Test], Test]:
    """Run a test for many cases, as pytest.mark.parametrize does, but as one test: thousands are slow to collect.

    A failure names its case. Fixtures are shared by all cases.
    """
    labels, values = [] if callable(ids) else [str(each) for each in ids], list(cases)
    given = (names,) if isinstance(names, str) else names

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            for number, value in enumerate(values):
                try:
                    test(*args, **fixtures, **dict(zip(given, [value] if len(given) == 1 else value, strict=True)))
                except BaseException as problem:
                    problem.add_note(f"{', '.join(given)}: {labels[number] if labels else repr(value)[:200]}")
                    raise

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in given]
        del run.__wrapped__
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run  # type: ignore[return-value]

    return decorate


on_every_page = in_one_test("path", SOURCES.values(), SOURCES)
on_some_pages = in_one_test("path", list(SOURCES.values())[::8], list(SOURCES)[::8])


def why_no_browser() -> str | None:
    """Return why pages cannot be rendered on this machine; None if they can."""
    if not is_installed("playwright"):
        return "Playwright is not installed: pip install 'bonmun[render]'."
    try:
        find_browser()
    except MissingExtra as problem:
        return str(problem)
    return None


def save(name: str, content: str | bytes) -> str:
    """Write a file, creating its folders, and return its name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def save_nameless(folder: Path, content: str) -> bool:
    """Write a page whose name is not valid text; False if the file system allows only valid text."""
    try:
        descriptor = os.open(os.fsencode(folder) + b"/\xff.html", os.O_WRONLY | os.O_CREAT)
    except OSError:
        return False
    with os.fdopen(descriptor, "wb") as file:
        file.write(content.encode())
    return True


def command(*args: str, stdout: int | IO[bytes] = subprocess.PIPE, **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a separate process."""
    line = [sys.executable, "-m", "bonmun", *args]
    return subprocess.run(line, stdout=stdout, stderr=subprocess.PIPE, timeout=300, check=False, **kwargs)


def is_installed(package: str) -> bool:
    """Return whether a package can be imported."""
    return find_spec(package) is not None


def needs(package: str) -> pytest.MarkDecorator:
    """Return a mark that skips tests, with a reason, if a package is missing."""
    return pytest.mark.skipif(not is_installed(package), reason=f"{package} is not installed")


def hear_signals() -> None:
    """Reset ignored signals in a child process before it starts (`preexec_fn`), however pytest was started."""
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


@contextmanager
def served(pages: Mapping[str, tuple[bytes, str]]) -> Iterator[str]:
    """Yield the URL of a local server with these pages: body and content type by path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, kind = pages.get(self.path, (b"", ""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def blog_posts() -> list[Any]:
    """Return the forty posts of a made-up Korean platform, from examples/blog.py."""
    posts: list[Any] = runpy.run_path(str(ROOT / "examples" / "blog.py"))["pages"]()
    return posts


@cache
def page_samples() -> dict[str, Sample]:
    """Return the pages of tests/pages as training samples."""
    found = {example.id: make_sample(example, "pages") for example in read_dataset(ROOT / "tests" / "pages")}
    return {name: sample for name, sample in found.items() if sample is not None}


def lay_out(
    html: str,
    boxes: Sequence[tuple[float, float, float, float]],
    looks: Sequence[Look] = (Look("block", "static", 16.0, 400.0, "rgb(0, 0, 0)", "rgb(255, 255, 255)"),),
    styles: Sequence[int] = (),
    viewport: tuple[float, float] = (1000, 500),
) -> Snapshot:
    """Make a snapshot by hand: each `<p #>` gets the next of the boxes (left, top, width, height) and looks."""
    for number in range(len(boxes)):
        html = html.replace("#", f'data-bonmun="{number}"', 1)
    left, top, width, height = (np.array(column, np.float32) for column in zip(*boxes, strict=True))
    shown = (width > 0) & (height > 0)
    return Snapshot(
        html=html,
        url=None,
        viewport=viewport,
        page_size=(1000, 2000),
        left=left,
        top=top,
        width=width,
        height=height,
        visible=shown,
        hidden=~shown,
        children=np.ones(len(boxes), np.int32),
        styles=np.array(styles or np.where(shown, 0, -1), np.int32),
        looks=looks,
    )


@contextmanager
def small_disk(size: int = 200) -> Iterator[None]:
    """Limit the size of files, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def printed(script: str, **env: str) -> bytes:
    """Return what a script prints, in a process with these variables; its argument is the folder tests/pages."""
    paths = [str(path) for name, path in SOURCES.items() if not name.startswith("example-")]
    command = [sys.executable, "-c", script, *paths]
    done = subprocess.run(command, env=os.environ | env, cwd=ROOT, capture_output=True, check=True, timeout=300)
    return done.stdout
