"""Crawls with a browser: sites whose text and links come from scripts, and pages that cannot be rendered."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from crawling import crawl, make_plan, read_fetches, read_urls
from loopback import Reply
from web import Web

from bonmun.errors import MissingExtra
from bonmun.page import Page
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.running import begin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from loopback import Request

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]
SHELLS = [f"http://shell.example{path}" for path in ("/", "/later", "/fetched")]
STATIC = "http://shell.example/static"


class AppHost:
    """app.example: the same HTML at every URL, filled in by a script, and some difficult pages."""

    SHELL = """<!doctype html><meta charset=utf-8><title>App</title><div id=app></div><script>
        const here = location.pathname, app = document.getElementById("app");
        app.innerHTML = "<p>" + ("This is the story of " + here + ", as it was told at the pier. ").repeat(9) + "</p>"
          + (here === "/" ? "<a href=/a>A</a><a href=/b>B</a><a href=/spins>C</a><a href=/refused>D</a>" : "");
        </script>"""
    SPINS = "<!doctype html><title>Spins</title><p>Before it.</p><script>while (true);</script><a href=/behind>On</a>"
    REFUSED = """<!doctype html><title>Refused</title><div id=app></div><script>
        fetch("/private/text").then((answer) => answer.text()).then((text) => { app.textContent = text });
        fetch("http://docs.example/robots.txt").catch(() => 0);</script>
        <img src=/private/image.png><img src=/open.png>"""

    def answer(self, request: Request) -> Reply:
        """Return one of the pages."""
        if request.path == "/robots.txt":
            return Reply("User-agent: *\nDisallow: /private/\n", "text/plain")
        if request.path.endswith(".png"):
            return Reply(b"", "image/png")
        return Reply({"/spins": self.SPINS, "/refused": self.REFUSED}.get(request.path, self.SHELL))


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(pages=5) as web:
        web.serve_host("app.example", AppHost())
        yield web


@pytest.fixture(scope="module")
def shells(web: Web, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder and the messages of a crawl of shells with the command."""
    folder = tmp_path_factory.mktemp("shells") / "crawl"
    line = [sys.executable, "-m", "bonmun", "crawl", SHELLS[0], "-o", str(folder), "--render", "auto", "--extract"]
    line += ["--resolve", web.address, "--delay", "0"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return folder, done.stderr


@pytest.fixture(scope="module")
def app(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that renders all pages."""
    folder = tmp_path_factory.mktemp("app") / "crawl"
    crawl(folder, make_plan(web.address, "http://app.example/", render="always", timeout=8.0))
    return folder


def read_snapshots(folder: Path, column: str = "f.snapshot") -> dict[str, Any]:
    return dict(read_fetches(folder, f"u.url, {column}"))


def test_only_shells_are_rendered_and_their_links_followed(web: Web, shells: tuple[Path, str]) -> None:
    snapshots = read_snapshots(shells[0])
    assert set(snapshots) == {*SHELLS, STATIC}  # linked only by the script of the first page
    assert {url for url, name in snapshots.items() if name} == set(SHELLS)
    assert sorted(path.name for path in (shells[0] / "snapshots").iterdir()) == sorted(filter(None, snapshots.values()))
    assert "3 pages rendered" in shells[1]


def test_a_rendered_page_is_requested_once(web: Web, shells: tuple[Path, str]) -> None:
    requested = [request.path for request in web.find_requests("shell.example")]
    requested = [path for path in requested if path != "/favicon.ico"]  # which some browsers request
    assert sorted(requested) == ["/", "/fetched", "/later", "/static", "/text.json"]
    [data] = [request for request in web.find_requests("shell.example") if request.path == "/text.json"]
    assert "compatible; bonmun/" in data.find_header("user-agent")


def test_the_text_of_shells_is_extracted(web: Web, shells: tuple[Path, str]) -> None:
    rows = [row for path in (shells[0] / "pages").glob("*.parquet") for row in pq.read_table(path).to_pylist()]
    texts = {row["url"]: row["text"] for row in rows}
    assert set(texts) == {*SHELLS, STATIC}
    assert all(paragraph in texts[url] for url in SHELLS for paragraph in web.shell.text)
    assert texts[STATIC]
    assert all(row["site"] == "shell.example" and not row["error"] for row in rows)


def test_snapshots_are_read_like_other_pages(shells: tuple[Path, str]) -> None:
    records = list(Reader([str(shells[0] / "snapshots")]))
    assert len(records) == 3
    assert len(list(Reader([str(shells[0] / "warc")]))) == 4


def test_the_log_lists_the_snapshots(shells: tuple[Path, str]) -> None:
    log = {row["url"]: row["snapshot"] for row in pq.read_table(shells[0] / "log.parquet").to_pylist()}
    assert {url: log[url] for url in (*SHELLS, STATIC)} == read_snapshots(shells[0])


def test_the_same_shell_at_other_urls_is_another_page(app: Path) -> None:
    snapshots = read_snapshots(app)
    assert all(snapshots[f"http://app.example{path}"] for path in ("/", "/a", "/b"))
    copies = read_fetches(app, "u.url", "copy_of is not null")
    assert {"http://app.example/a", "http://app.example/b"} <= set(copies)  # in the WARC files, of the first
    texts = {path.name.partition(".example")[2][:2]: path for path in (app / "snapshots").iterdir()}
    [record] = Reader([str(texts["-a"])])
    assert "the story of /a" in Page.parse(record.html).texts[0]


def test_a_page_with_an_endless_script_is_rendered_without_scripts(app: Path) -> None:
    errors = read_snapshots(app, "f.error")
    assert errors["http://app.example/spins"].startswith("rendered without its scripts: it was not rendered within 8 s")
    assert errors["http://app.example/a"] is None
    assert read_snapshots(app)["http://app.example/behind"]  # the link after the script


def test_subresources_obey_robots_txt(web: Web, app: Path) -> None:
    requested = {request.path for request in web.find_requests("app.example")}
    assert "/open.png" in requested
    assert not any(path.startswith("/private/") for path in requested)
    assert not (app / "errors.log").read_text()


def test_only_urls_that_match_a_pattern_are_rendered(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, *SHELLS[:2], render_urls=("*/later",), timeout=20.0))
    snapshots = read_snapshots(tmp_path)
    assert snapshots[SHELLS[0]] is None
    assert snapshots[SHELLS[1]]
    assert set(snapshots) == {*SHELLS, STATIC}  # the rendered page links to all of them


def test_without_a_working_browser_pages_are_kept_unrendered(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BONMUN_BROWSER", "false")
    status = crawl(tmp_path, make_plan(web.address, SHELLS[0], STATIC, render="always"))
    assert (status.pages, status.rendered) == (2, 0)
    assert all(error.startswith("not rendered: ") for error in read_fetches(tmp_path, "f.error"))
    assert not read_urls(tmp_path, "url", "state = 'failed'")
    assert not (tmp_path / "errors.log").read_text()


def test_a_missing_browser_is_reported_before_the_crawl(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BONMUN_BROWSER", "no-such-browser")
    with pytest.raises(MissingExtra, match="no-such-browser"):
        begin(tmp_path / "crawl", make_plan(web.address, SHELLS[0], render="auto"))
    assert not (tmp_path / "crawl").exists()
