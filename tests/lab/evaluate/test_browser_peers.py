"""Peers that run as scripts in a page: their answers, isolated failures, and browsers that end with their process."""

from __future__ import annotations

import gzip
import os
import signal
import struct
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import BadInput, MissingExtra
from bonmun.lab.evaluate.systems import browser_peers
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.browser_peers import Extractor, make_readability, run_in_page, start_browser
from bonmun.lab.evaluate.systems.pak_files import decompress_resource, read_pack
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.workers import Outcome, PageTask, run_tasks
from bonmun.lab.gold.examples import Example
from bonmun.scale.browser import Browser
from samples import ROOT
from scripts.watching import list_process_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.extras

NAMES = ["readability-browser", "dom-distiller"]
SCRIPT = b"org.chromium.distiller.DomDistiller $$OPTIONS " + b"x" * 1000

# --- resource packs --------------------------------------------------------------------------------------------------


def make_pack(version: int, *resources: bytes, aliases: int = 0) -> bytes:
    """Make a pack in Chromium's format."""
    count = len(resources)
    head = struct.pack("<IIB", 4, count, 1) if version == 4 else struct.pack("<IB3xHH", 5, 1, count, aliases)
    place = len(head) + 6 * (count + 1) + 4 * aliases
    rows = b""
    for number, resource in enumerate([*resources, b""]):
        rows += struct.pack("<HI", 100 + number if number < count else 0, place)
        place += len(resource)
    return head + rows + struct.pack("<HH", 7, 0) * aliases + b"".join(resources)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("resources", [(), (b"one",), (b"one", b"", b"three")])
def test_a_pack_is_read(version: int, resources: tuple[bytes, ...]) -> None:
    assert list(read_pack(make_pack(version, *resources))) == list(enumerate(resources, 100))
    assert list(read_pack(make_pack(5, *resources, aliases=2))) == list(enumerate(resources, 100))


@pytest.mark.parametrize("version", [4, 5])
def test_a_truncated_pack_is_rejected(version: int) -> None:
    whole = make_pack(version, b"one", b"two")
    for length in range(len(whole)):
        with pytest.raises(BadInput):
            list(read_pack(whole[:length]))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not a resource pack"),
        (struct.pack("<I", 3) + bytes(100), "not a resource pack"),
        (struct.pack("<IIB", 4, 2**32 - 1, 1) + bytes(1000), "too short for the 4,294,967,295 resources"),
        (struct.pack("<IIB", 4, 70_000, 1) + bytes(500_000), "70,000 resources"),
        (struct.pack("<IB3xHH", 5, 1, 65_535, 65_535) + bytes(1000), "too short for the 65,535 resources"),
        (struct.pack("<IB3xHHHIHI", 5, 1, 1, 0, 9, 24, 0, 2**32 - 1), "Resource 9 is outside of the pack"),
        (struct.pack("<IB3xHHHIHI", 5, 1, 1, 0, 9, 2**32 - 1, 0, 24), "is outside"),
        (struct.pack("<IB3xHHHIHI", 5, 1, 1, 0, 9, 0, 0, 24), "is outside"),  # in the header
        (struct.pack("<IB3xHHHIHI4s", 5, 1, 1, 0, 9, 28, 0, 24, b"data"), "is outside"),  # ends before it begins
    ],
)
def test_a_hostile_pack_is_rejected(data: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        list(read_pack(data))


@given(st.sampled_from([4, 5]), st.binary(max_size=100))
def test_any_pack_is_read_or_rejected(version: int, rest: bytes) -> None:
    data = struct.pack("<I", version) + rest
    try:
        found = list(read_pack(data))
    except BadInput:
        return
    assert sum(len(resource) for _, resource in found) <= len(data)


def test_resources_are_decompressed_up_to_a_limit() -> None:
    packed = gzip.compress(bytes(1_000_000))
    assert decompress_resource(b"plain", 2) == b"plain"
    assert decompress_resource(packed, 1_000_000) == bytes(1_000_000)
    for data in (packed[:-1], packed[:10], b"\x1f\x8b", b"\x1f\x8bno gzip at all", packed):
        with pytest.raises(BadInput, match=r"damaged|truncated"):
            decompress_resource(data, 999_999)


# --- missing parts ---------------------------------------------------------------------------------------------------


@pytest.fixture
def empty_caches() -> Iterator[None]:
    """Clear the caches of versions before and after a test."""
    caches = (
        browser_peers._find_chromium,
        browser_peers.find_readability_version,
        browser_peers.find_distiller_version,
    )
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("empty_caches")
def test_a_missing_readability_gives_instructions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NODE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    line = f"readability-browser is not installed: npm install --prefix {tmp_path}/bonmun/node @mozilla/readability"
    with pytest.raises(MissingExtra, match=line):
        PEERS["readability-browser"].version()


@pytest.mark.slow
@pytest.mark.usefixtures("empty_caches")
def test_a_browser_that_does_not_start_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_browser()
    browser_peers._find_chromium.cache_clear()
    monkeypatch.setenv("BONMUN_BROWSER", "/bin/false")
    with pytest.raises(MissingExtra, match="No browser can be started: /bin/false"):
        PEERS["dom-distiller"].version()
    monkeypatch.setenv("BONMUN_BROWSER", "/nowhere/chromium")
    with pytest.raises(MissingExtra, match="which is not a program"):
        PEERS["dom-distiller"].version()


def test_dom_distiller_is_found_in_the_resources_of_the_browser(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "chrome"
    program.parent.mkdir()
    with pytest.raises(MissingExtra, match=f"the resources of {program} do not contain DOM Distiller"):
        browser_peers._read_distiller(program)
    (program.parent / "damaged.pak").write_bytes(make_pack(5, SCRIPT)[:-1])
    (program.parent / "other.pak").write_bytes(make_pack(5, b"else", gzip.compress(SCRIPT)[:-1], SCRIPT))
    with pytest.raises(MissingExtra):
        browser_peers._read_distiller(program)
    place = tmp_path / "Frameworks" / "Chrome.framework" / "Versions" / "1" / "Resources"  # as on macOS
    place.mkdir(parents=True)
    (place / "resources.pak").write_bytes(make_pack(4, b"else", gzip.compress(SCRIPT)))
    assert browser_peers._read_distiller(program) == SCRIPT.decode()


# --- in pages --------------------------------------------------------------------------------------------------------

SENTENCES = [f"The old lighthouse at pier {n} was lit again last night, after thirty dark years." for n in range(30)]
TEXT = "\n\n".join(" ".join(SENTENCES[n : n + 3]) for n in range(0, 30, 3))
MENU = "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(20))
ARTICLE = "".join(f"<p>{paragraph}</p>" for paragraph in TEXT.split("\n\n"))
PAGE = (
    "<!DOCTYPE html><html lang=en><head><title>The pier is lit</title></head><body>"
    f"<nav><ul>{MENU}</ul></nav><main><h1>The pier is lit</h1><div id=here>%s</div></main></body></html>"
)
FILLED = Example("filled", PAGE % f"<script>document.getElementById('here').innerHTML = `{ARTICLE}`;</script>", TEXT)
PLAIN = Example("plain", PAGE % ARTICLE, TEXT)
# Variables, elements and prototypes with names that the extractors use.
ODD = Example(
    "odd",
    PAGE
    % f"""<script>
    var org = 1, module = {{}}, Readability = null; window.setTimeout = null; JSON.stringify = () => "";
    Document.prototype.cloneNode = Node.prototype.cloneNode = () => null;
    </script><i id=org></i><i id=module></i><form name=Readability></form>{ARTICLE}""",
    TEXT,
)
HANGS = Example("hangs", PAGE % f"{ARTICLE}<script>while (true);</script>", TEXT)


def skip_without_browser() -> None:
    try:
        browser_peers._find_chromium()
    except MissingExtra as problem:
        pytest.skip(f"no browser, not installed: {problem}")


def need(name: str) -> System:
    try:
        PEERS[name].version()
    except MissingExtra as problem:
        pytest.skip(str(problem))
    return PEERS[name]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    skip_without_browser()
    with Browser() as browser:
        yield browser


def run(*systems: System, pages: list[Example], limit: float = 60.0) -> dict[tuple[str, str], Outcome]:
    """Run systems on pages in a child process."""
    tasks = [PageTask(number, example, systems) for number, example in enumerate(pages)]
    return {(system.name, task.example.id): outcome for task, system, outcome in run_tasks(tasks, 1, limit)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_article_is_extracted(name: str) -> None:
    peer = need(name)
    found = run(peer, pages=[PLAIN, FILLED, ODD])
    for page in ("plain", "filled", "odd"):
        outcome = found[name, page]
        assert outcome.error is None
        assert outcome.scores["words.recall"] == 1
        assert outcome.scores["words.precision"] > 0.97
        assert "Section 3" not in outcome.answer.text
        assert outcome.answer.title == "The pier is lit"


@pytest.mark.slow
def test_several_extractors_run_in_one_page_load(browser: Browser) -> None:
    need("readability-browser")
    counting = Extractor("count", "() => JSON.stringify({ html: String(document.querySelectorAll('p').length) })")
    read, counted = run_in_page(browser, PLAIN, [make_readability(), counting])
    assert (read.title, counted.html) == ("The pier is lit", "10")  # the page is unchanged


@pytest.mark.slow
def test_a_failing_script_fails_on_that_page_only(browser: Browser) -> None:
    ending = "if (document.title === 'The pier is lit') throw Error('no such luck'); return { html: 'text' };"
    extractor = Extractor("fails", browser_peers._make_function("", ending))
    with pytest.raises(RuntimeError, match="no such luck"):
        run_in_page(browser, PLAIN, [extractor])
    assert run_in_page(browser, Example("other", "<p>Text.", ""), [extractor])[0].html == "text"


# --- processes -------------------------------------------------------------------------------------------------------


def list_processes(_: Example) -> Answer:
    start_browser()
    return Answer(" ".join(map(str, list_process_tree(os.getpid()))))


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def are_soon_gone(pids: list[int]) -> bool:
    end = time.monotonic() + 60
    while not all(map(is_gone, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return all(map(is_gone, pids))


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


@needs_proc
@pytest.mark.slow
def test_a_hanging_page_fails_alone_and_its_browser_ends() -> None:
    peer = need("dom-distiller")
    family = System("family", "peer", partial(str, "1"), list_processes, prepare=start_browser)
    found = run(family, peer, pages=[PLAIN, HANGS, FILLED], limit=8)
    first, second, third = (
        [int(pid) for pid in found["family", page].answer.text.split()] for page in ("plain", "hangs", "filled")
    )
    assert len(first) > 3
    assert first[:3] == second[:3]  # one browser for all pages
    assert not set(third) & set(first)
    assert are_soon_gone([*first, *third])
    assert found["dom-distiller", "hangs"].error == "it took more than 8 s"
    assert [found["dom-distiller", page].error for page in ("plain", "filled")] == [None, None]


CHILD = """
import os, sys
from bonmun.lab.evaluate.systems.browser_peers import start_browser
from scripts.watching import list_process_tree
if __name__ == "__main__":
    start_browser()
    print(*list_process_tree(os.getpid()), flush=True)
    sys.stdin.read()
"""


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("end", ["exit", "SIGKILL", "SIGTERM"])
def test_no_browser_outlives_its_process(end: str) -> None:
    skip_without_browser()
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    line: Callable[..., subprocess.Popen[str]] = partial(subprocess.Popen, [sys.executable, "-c", CHILD], text=True)
    with line(stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}) as process:
        assert process.stdin
        assert process.stdout
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) > 3
        assert not any(map(is_gone, pids))
        if end == "exit":
            process.stdin.close()
        else:
            process.send_signal(signal.Signals[end])
        process.wait(60)
    assert are_soon_gone(pids)
