"""`bonmun crawl` as people use it: what it says, how it ends, and that the same command goes on."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from crawling import LONG_SECONDS, make_plan, read_fetches
from typer.testing import CliRunner
from web import Web

from bonmun.app.cli import app
from bonmun.scale.crawl.running import begin, hold_folder
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docs_host import DocsHost
    from loopback import Reply, Request

pytestmark = pytest.mark.slow

PAGES = 60
SEED = "http://docs.example/"


class PatientDocs:
    """docs.example, with pages that take as long as one says."""

    def __init__(self, docs: DocsHost) -> None:
        self.docs = docs
        self.seconds = 0.0

    def answer(self, request: Request) -> Reply:
        return replace(self.docs.answer(request), delay=self.seconds)


@pytest.fixture(scope="module")
def patient() -> Iterator[tuple[Web, PatientDocs]]:
    with Web(pages=PAGES) as web:
        docs = PatientDocs(web.docs)
        web.serve_host("docs.example", docs)
        yield web, docs


@pytest.fixture
def web(patient: tuple[Web, PatientDocs]) -> Iterator[Web]:
    yield patient[0]
    patient[1].seconds = 0.0


def make_command(web: Web, folder: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "bonmun", "crawl", SEED, "-o", str(folder), "--resolve", web.address]
    return [*command, "--delay", "0", "--connections", "2", *more]


def run(command: list[str], limit_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command; with a limit no file may grow larger, as if the disk were full."""

    def limit() -> None:
        if limit_bytes:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    return subprocess.run(command, capture_output=True, text=True, timeout=LONG_SECONDS, preexec_fn=limit)


def call(*arguments: str) -> tuple[int, str]:
    """The command in this process."""
    result = CliRunner().invoke(app, ["crawl", *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_the_help_says_that_it_goes_on() -> None:
    code, said = call("--help")
    assert code == 0
    assert "goes on with the same command" in said
    assert "--portal" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument"),
        ((SEED,), "Missing option"),
        (("docs.example",), "put https:// before it"),
        (("ftp://docs.example/",), "only http and https"),
        ((SEED, "--delay", "-1"), "Invalid value"),
        ((SEED, "--agent", "a b"), "agent is a name of letters"),
        ((SEED, "--articles", "*"), "set portal, too"),
        ((SEED, "--resolve", "nowhere"), "an address and a port"),
        ((SEED, "--extract", "--format", "song"), "song"),
        ((SEED, "--extract", "--method", "guess"), "guess"),
    ],
)
def test_wrong_use_is_said_before_anything_is_made(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    folder = tmp_path / "new"
    output = () if says == "Missing option" else ("-o", str(folder))
    code, said = call(*arguments, *output)
    assert code == 2
    assert says in said
    assert not folder.exists()


def test_a_folder_with_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Kim")
    code, said = call(SEED, "-o", str(tmp_path))
    assert (code, "holds something else" in said) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_crawl_of_other_seeds_is_left_as_it_is(tmp_path: Path) -> None:
    begin(tmp_path, make_plan("127.0.0.1:1", "http://other.example/"))
    before = (tmp_path / "plan.json").read_bytes()
    code, said = call(SEED, "-o", str(tmp_path))
    assert (code, "a crawl of other seeds" in said) == (2, True)
    assert (tmp_path / "plan.json").read_bytes() == before


def test_a_damaged_plan_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{")
    code, said = call(SEED, "-o", str(tmp_path))
    assert (code, "no plan of a crawl" in said) == (1, True)


def test_two_commands_do_not_crawl_into_one_folder(tmp_path: Path) -> None:
    with hold_folder(tmp_path / "crawl"):
        code, said = call(SEED, "-o", str(tmp_path / "crawl"))
    assert (code, "another process crawls into it" in said) == (2, True)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, said = call(SEED, "-o", str(tmp_path / "file" / "crawl"))
    assert code == 1
    assert "cannot be written" in said


def test_without_scrapy_it_says_what_to_install(tmp_path: Path) -> None:
    without = "import sys\nsys.modules['scrapy'] = None\nfrom bonmun.app.cli import main\nmain()"
    found = run([sys.executable, "-c", without, "crawl", SEED, "-o", str(tmp_path / "crawl")])
    assert found.returncode == 2
    assert "pip install 'bonmun[crawl]'" in found.stderr
    assert not (tmp_path / "crawl").exists()


def test_the_summary_and_the_way_on(web: Web, tmp_path: Path) -> None:
    first = run(make_command(web, tmp_path, "--pages", "10"))
    assert first.returncode == 0, first.stderr
    assert f"{tmp_path}: 10 pages of 1 host, 0 of them copies of others; " in first.stderr
    assert "URLs still wait: more --pages or --bytes, with the same command, go on." in first.stderr
    assert not first.stdout
    last = run(make_command(web, tmp_path))
    assert last.returncode == 0, last.stderr
    assert "after 10 pages." in last.stderr
    assert f"{PAGES} pages of 1 host" in last.stderr
    assert "Left out: 1 × disallowed by robots.txt." in last.stderr
    assert "still wait" not in last.stderr


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_crawl_that_is_stopped_goes_on(
    web: Web, patient: tuple[Web, PatientDocs], tmp_path: Path, end: signal.Signals
) -> None:
    patient[1].seconds = 0.05
    before = len(web.requests)
    command = make_command(web, tmp_path)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert becomes_true(lambda: len(web.requests) > before + 5)
    process.send_signal(end)
    _, said = process.communicate(timeout=LONG_SECONDS)
    assert process.returncode == 1
    assert "Stopped; run the same command to resume" in said
    assert "Traceback" not in said
    pages = read_fetches(tmp_path, "u.url")
    assert 0 < len(pages) < PAGES
    answered = {request.url for request in web.requests[before:]}
    assert set(read_fetches(tmp_path, "u.url", "1")) == answered  # what was on its way has come
    assert (tmp_path / "log.parquet").exists()
    patient[1].seconds = 0.0
    last = run(command)
    assert last.returncode == 0, last.stderr
    urls = [request.url for request in web.requests[before:]]
    assert len(urls) == len(set(urls))
    assert set(read_fetches(tmp_path, "u.url")) == web.docs.urls


@pytest.mark.parametrize("limit_bytes", [30_000, 300_000])
def test_a_full_disk_ends_it_with_a_sentence_and_loses_nothing(web: Web, tmp_path: Path, limit_bytes: int) -> None:
    found = run(make_command(web, tmp_path), limit_bytes)
    assert found.returncode == 1, found.stderr
    assert "Traceback" not in found.stderr
    said = found.stderr.strip().splitlines()
    assert len(said) == 1, said
    assert "cannot be" in said[0]
    last = run(make_command(web, tmp_path))
    assert last.returncode == 0, last.stderr
    pages = read_fetches(tmp_path, "u.url")
    assert len(pages) == PAGES
    assert set(pages) == web.docs.urls
