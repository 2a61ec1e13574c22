"""`bonmun extract` for many inputs: lists, jobs, tables, folders, failures; resumed, and by nobody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.app.commands.extract.page_work import PageInput, PageJob
from bonmun.app.commands.extract.presentation import Presentation
from bonmun.app.commands.extract.results import FolderSink
from bonmun.app.commands.shared.failures import find_reason, name_once
from bonmun.app.commands.shared.sources import read_list
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.work.processes import IDLE, ChildLimits, ItemChild
from many_hosts import Answer, ManyHosts, make_page
from samples import needs, save
from saved_pages import make_mhtml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun


@pytest.fixture(scope="module")
def hosts() -> Iterator[ManyHosts]:
    def answer(path: str, _: int) -> Answer:
        moved = Answer(b"", 301, "Location: /lost\r\n")
        return moved if path == "/moved" else Answer(make_page(path), 404 if path == "/lost" else 200)

    with ManyHosts({"a": answer, "b": lambda path, _: Answer(make_page(path), delay=0.2)}) as many:
        yield many


def find_files(folder: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def test_a_list_of_everything_comes_in_its_order(bonmun: Bonmun, hosts: ManyHosts) -> None:
    """Also where the first input is the last that is there."""
    save("one.html", make_page("One")), save("in/two.php", make_page("Two")), save("in/a.css", "body {}")
    save("three.mhtml", make_mhtml()), save("no.html", "")
    urls = [hosts.make_url("b", "/b"), hosts.make_url("a", "/a"), hosts.make_url("a", "/lost")]
    listed = "\n".join(["# a list", urls[0], "", "  one.html ", "in", urls[1], "three.mhtml", "no.html", "not.html"])
    how = ["--jobs", "2", "--allow-private", "--pause", "0"]
    result = bonmun("extract", "--urls", "-", urls[2], *how, stdin=f"\ufeff{listed}\r\n".encode())
    shown = [line[4:-4] for line in result.stdout.splitlines() if line.startswith("==> ")]
    assert shown == [urls[0], "one.html", "in/two.php", urls[1], "three.mhtml"]
    assert result.stdout.startswith(f"==> {urls[0]} <==\n\n/b: The lamp")
    assert result.exit_code == 1
    reasons = "1 × answered with status 404, 1 × The input is empty: there is no page to read"
    assert result.stderr.splitlines() == [
        "bonmun: Skipped: 1 × .css.",
        f"bonmun: {urls[2]}: answered with status 404.",
        "bonmun: no.html: The input is empty: there is no page to read.",
        "bonmun: not.html: There is no such file.",
        f"bonmun: 3 of 8 failed: {reasons}, 1 × There is no such file.",
    ]


@needs("pyarrow")
@pytest.mark.parametrize("format_", ["markdown", "chunks"])
def test_a_table_has_a_row_for_each_input(bonmun: Bonmun, hosts: ManyHosts, format_: str) -> None:
    import pyarrow.parquet as pq

    save("one.html", make_page("One"))
    url = hosts.make_url("a", "/moved")
    how = ["-f", format_, "-o", "out.parquet", "--allow-private"]
    result = bonmun("extract", "one.html", url, *how)
    assert (result.stdout, result.exit_code, find_files(".")) == ("", 1, {"one.html", "out.parquet"})
    one, moved = pq.read_table("out.parquet").to_pylist()
    assert (one["input"], one["title"], one["kind"], one["error"]) == ("one.html", "One", "documentation", None)
    text = one["chunks"][0]["text"] if format_ == "chunks" else one["markdown"]
    assert "One: The lamp of the old lighthouse" in text
    assert (moved["input"], moved["title"], moved[format_]) == (url, None, None)
    assert moved["error"].endswith(f"/lost (redirected from {url}) answered with status 404.")


@pytest.mark.parametrize("format_", ["text", "json"])
def test_json_lines_say_what_failed(bonmun: Bonmun, format_: str) -> None:
    save("one.html", make_page("One"))
    assert bonmun("extract", "one.html", "not.html", "-f", format_, "-o", "out.jsonl").exit_code == 1
    one, failed = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert (one["input"], one["title"]) == ("one.html", "One")
    assert "The lamp of the old" in one["text"]
    assert failed == {"input": "not.html", "error": "There is no such file."}


def test_a_run_that_was_stopped_goes_on_and_another_does_not(
    bonmun: Bonmun, hosts: ManyHosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [hosts.make_url("a", f"/{number}") for number in range(4)]
    save("urls.txt", "\n".join([*urls, "not.html"]))
    command = ["extract", "--urls", "urls.txt", "-o", "out/", "--allow-private", "--pause", "0"]
    add = FolderSink.add

    def add_two(self: FolderSink, result: object) -> None:
        if len(self.store.done) == 2:
            raise KeyboardInterrupt
        add(self, result)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(FolderSink, "add", add_two)
        result = bonmun(*command)
    assert (result.exit_code, result.stderr) == (1, "bonmun: Stopped; run the same command to resume.\n")
    assert len(find_files("out")) <= 3
    asked = len(hosts.find_visits("a"))
    other = bonmun(*command, "--links")
    assert (other.exit_code, len(hosts.find_visits("a"))) == (2, asked)
    assert "from an unfinished run with different settings; resume that run with its original command" in other.stderr
    result = bonmun(*command)
    assert result.stderr.splitlines() == [
        "bonmun: Resuming: 2 of 5 inputs are finished.",
        "bonmun: 1 of 5 failed: 1 × There is no such file.",
    ]
    assert find_files("out") == {"failures.tsv", *(f"127.0.0.1-{number}.txt" for number in range(4))}
    assert Path("out/failures.tsv").read_text() == "not.html\tThere is no such file.\n"
    assert all(Path(f"out/127.0.0.1-{n}.txt").read_text().startswith(f"/{n}: The lamp") for n in range(4))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--urls", "not.txt"], "Cannot read the list not.txt: No such file or directory."),
        (["--urls", "empty.txt"], "The list empty.txt is empty."),
        (["--urls", "binary"], "binary is not a list of URLs"),
        (["a.html", "b.html", "--jobs", "2", "-f", "html"], "Several html documents do not fit into one file"),
        (["a.html", "--jobs", "2", "--render"], "--render renders one page at a time"),
        (["a.html", "--jobs", "2", "--front-matter"], "front_matter only applies to Markdown"),
    ],
)
def test_wrong_use_is_told_before_any_work(bonmun: Bonmun, args: list[str], says: str) -> None:
    save("empty.txt", "\n# nothing\n"), save("binary", b"\0\1"), save("a.html", make_page("A"))
    result = bonmun("extract", *args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert says in result.stderr


def test_a_page_that_kills_its_process_or_takes_for_ever_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    child = ItemChild(PageJob(Presentation(Extraction())), ChildLimits(1, 60.0))
    begun: list[PageInput] = []
    monkeypatch.setattr(child, "send", begun.append)
    for stage, limit, error in [(0, None, "The process died; "), (0, 60.0, "The page took over 60 seconds.")]:
        child.start(PageInput(3, "a.html"))
        [failed] = child.fail(stage, limit)
        assert (failed.number, failed.data, child.is_busy) == (3, None, False)
        assert str(failed.error).startswith(error)
    child.start(PageInput(4, "b.html"))
    assert child.fail(IDLE, None) == child.fail(IDLE, None) == []  # it died before it began: another process tries
    assert [task.number for task in begun] == [3, 3, 4, 4, 4]
    with pytest.raises(BonmunError, match="is there enough memory"):
        child.fail(IDLE, None)


def test_a_list_may_be_long_and_odd(tmp_path: Path) -> None:
    listed = tmp_path / "urls.txt"
    listed.write_bytes(b"\xff.html\r\n" + b"http://a.example/\n" * 100_000)
    found = read_list(str(listed))
    assert (len(found), found[0].encode("utf-8", "surrogateescape")) == (100_001, b"\xff.html")
    with pytest.raises(BadConfig):
        read_list(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "error", "line", "reason"),
    [
        ("a.html", "It is empty.", "a.html: It is empty.", "It is empty"),
        ("http://a/", "http://a/ is slow; try again.", "http://a/: is slow; try again.", "is slow"),
        ("http://u:p@a/", "http://a/ is bad.", "http://u:p@a/: is bad.", "is bad"),
        (
            "http://a/",
            "http://b/ (redirected from http://a/) answered with status 500.",
            "http://a/: redirected to http://b/, which answered with status 500.",
            "answered with status 500",
        ),
        ("x", "x is larger than 20,000,000 bytes.", "x: is larger than 20,000,000 bytes.", "is larger than … bytes"),
    ],
)
def test_each_is_named_once(name: str, error: str, line: str, reason: str) -> None:
    assert (name_once(name, error), find_reason(name, error)) == (line, reason)
