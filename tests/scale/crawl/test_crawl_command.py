"""The command `bonmun crawl`: its messages, its exit codes, and that it can be resumed."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from crawling import LONG_SECONDS, make_plan, read_fetches
from loopback import Reply
from typer.testing import CliRunner
from web import Web

from bonmun.app.cli import app
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from bonmun.scale.crawl.running import begin, hold_folder
from bonmun.scale.crawl.status import list_unreached
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docs_host import DocsHost
    from loopback import Request

pytestmark = pytest.mark.slow

PAGES = 60
SEED = "http://docs.example/"


class PatientDocs:
    """docs.example with responses that are delayed."""

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
    """Run a command, with a limit on the size of files that acts like a full disk."""

    def limit() -> None:
        if limit_bytes:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    return subprocess.run(command, capture_output=True, text=True, timeout=LONG_SECONDS, preexec_fn=limit)


def call(*arguments: str) -> tuple[int, str]:
    """Run the command in this process and return its exit code and output."""
    result = CliRunner().invoke(app, ["crawl", *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_the_help_says_how_to_resume() -> None:
    code, output = call("--help")
    assert code == 0
    assert "resumed by the same command" in output
    assert "--portal" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument"),
        ((SEED,), "Missing option"),
        (("docs.example",), "put https:// before it"),
        (("ftp://docs.example/",), "only http and https"),
        ((SEED, "--delay", "-1"), "Invalid value"),
        ((SEED, "--agent", "a b"), "agent must consist of letters"),
        ((SEED, "--articles", "*"), "only applies to portals"),
        ((SEED, "--resolve", "nowhere"), "an address and a port"),
        ((SEED, "--extract", "--format", "song"), "song"),
        ((SEED, "--extract", "--method", "guess"), "guess"),
    ],
)
def test_wrong_arguments_are_reported_before_anything_is_created(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    folder = tmp_path / "new"
    option = () if message == "Missing option" else ("-o", str(folder))
    code, output = call(*arguments, *option)
    assert code == 2
    assert message in output
    assert not folder.exists()


def test_a_folder_with_other_files_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Kim")
    code, output = call(SEED, "-o", str(tmp_path))
    assert (code, "not the folder of a crawl" in output) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_crawl_with_other_seeds_is_not_changed(tmp_path: Path) -> None:
    begin(tmp_path, make_plan("127.0.0.1:1", "http://other.example/"))
    before = (tmp_path / "plan.json").read_bytes()
    code, output = call(SEED, "-o", str(tmp_path))
    assert (code, "a crawl with other seeds" in output) == (2, True)
    assert (tmp_path / "plan.json").read_bytes() == before


def test_a_damaged_plan_is_reported(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{")
    code, output = call(SEED, "-o", str(tmp_path))
    assert (code, "not the plan of a crawl" in output) == (1, True)


def test_two_commands_do_not_crawl_into_one_folder(tmp_path: Path) -> None:
    with hold_folder(tmp_path / "crawl"):
        code, output = call(SEED, "-o", str(tmp_path / "crawl"))
    assert (code, "in use by another crawl" in output) == (2, True)


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output = call(SEED, "-o", str(tmp_path / "file" / "crawl"))
    assert code == 1
    assert "Cannot write" in output


def test_without_scrapy_the_pip_command_is_shown(tmp_path: Path) -> None:
    without = "import sys\nsys.modules['scrapy'] = None\nfrom bonmun.app.cli import main\nmain()"
    found = run([sys.executable, "-c", without, "crawl", SEED, "-o", str(tmp_path / "crawl")])
    assert found.returncode == 2
    assert "pip install 'bonmun[crawl]'" in found.stderr
    assert not (tmp_path / "crawl").exists()


def test_the_summary_says_how_to_continue(web: Web, tmp_path: Path) -> None:
    first = run(make_command(web, tmp_path, "--pages", "10"))
    assert first.returncode == 0, first.stderr
    assert f"{tmp_path}: 10 pages of 1 host, 0 of them duplicates; " in first.stderr
    assert "URLs are still queued: run the same command with more --pages or --bytes to continue." in first.stderr
    assert not first.stdout
    last = run(make_command(web, tmp_path))
    assert last.returncode == 0, last.stderr
    assert f"Resuming the crawl in {tmp_path} after 10 pages." in last.stderr
    assert f"{PAGES} pages of 1 host" in last.stderr
    assert "Skipped: 1 × disallowed by robots.txt." in last.stderr
    assert "still queued" not in last.stderr


def test_a_stopped_crawl_can_be_resumed(web: Web, patient: tuple[Web, PatientDocs], tmp_path: Path) -> None:
    patient[1].seconds = 0.05
    before = len(web.requests)
    command = make_command(web, tmp_path)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert becomes_true(lambda: len(web.requests) > before + 5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=LONG_SECONDS)
    assert process.returncode == 1
    assert "Stopped; run the same command to resume" in errors
    assert "Traceback" not in errors
    pages = read_fetches(tmp_path, "u.url")
    assert 0 < len(pages) < PAGES
    requested = {request.url for request in web.requests[before:]}
    assert set(read_fetches(tmp_path, "u.url", "1")) == requested  # open requests were finished
    assert (tmp_path / "log.parquet").exists()
    patient[1].seconds = 0.0
    last = run(command)
    assert last.returncode == 0, last.stderr
    urls = [request.url for request in web.requests[before:]]
    assert len(urls) == len(set(urls))
    assert set(read_fetches(tmp_path, "u.url")) == web.docs.urls


def test_a_full_disk_is_reported_and_nothing_is_lost(web: Web, tmp_path: Path) -> None:
    found = run(make_command(web, tmp_path), 30_000)
    assert found.returncode == 1, found.stderr
    assert "Traceback" not in found.stderr
    lines = found.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    assert "cannot be" in lines[0]
    last = run(make_command(web, tmp_path))
    assert last.returncode == 0, last.stderr
    pages = read_fetches(tmp_path, "u.url")
    assert len(pages) == PAGES
    assert set(pages) == web.docs.urls


class StartPage:
    """A host with one page."""

    def answer(self, request: Request) -> Reply:
        return Reply(f"<title>Start</title><p>{request.path}: a page of the local network.</p>")


def test_what_a_setting_refused_is_fetched_when_the_setting_changes(web: Web, tmp_path: Path) -> None:
    web.serve_host("127.0.0.1", StartPage())
    command = [sys.executable, "-m", "bonmun", "crawl", f"http://{web.address}/", "-o", str(tmp_path), "--delay", "0"]
    for _ in range(2):  # the same command gives the same answer
        refused = run(command)
        assert refused.returncode == 1, refused.stderr
        assert "--allow-private" in refused.stderr
        assert "No pages were fetched" in refused.stderr
    allowed = run([*command, "--allow-private"])
    assert allowed.returncode == 0, allowed.stderr
    assert f"{tmp_path}: 1 page of 1 host" in allowed.stderr
    assert "not a public address" not in allowed.stderr


def test_a_dead_host_is_an_error(web: Web, tmp_path: Path) -> None:
    plan = make_plan(web.address, SEED, "http://dead.invalid/", domains=("docs.example", "dead.invalid"), pages=3)
    with hold_folder(tmp_path):
        begin(tmp_path, plan)
    frontier = Frontier(tmp_path, plan)
    with frontier.transaction():
        frontier.add([FoundUrl("http://dead.invalid/", "page")])
        frontier.sql.execute("update urls set state = 'left', error = 'host does not respond'")
    frontier.close()
    assert list_unreached(tmp_path, ["http://docs.example/"]) == ["dead.invalid"]
    assert list_unreached(tmp_path, ["http://dead.invalid/"]) == ["http://dead.invalid/"]
