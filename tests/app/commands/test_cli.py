from __future__ import annotations

import gzip
import json
import os
import re
import socket
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bonmun import __version__, accelerated, extract
from bonmun.algorithms import METHODS
from bonmun.outputs import FORMATS, Format
from samples import ROOT, command, save, save_nameless, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

SENTENCE = "Some words that are long enough to be read as a paragraph of text."
HTML = f"<!doctype html><html lang=en><title>A page</title><body><p>{SENTENCE}</p></body></html>"
KOREAN = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 똠방각하는 펲시콜라를 마시며 그 불빛을 오래 바라보았다."
RICH = f"""<html lang=en><title>A page</title><body><article><h1>A page</h1><p>{SENTENCE} {SENTENCE}
See <a href="/more">the other page</a> for more.</p><img src="map.png" alt="A map"><p>{SENTENCE} {SENTENCE}</p></article>
<div id="comments"><p>Thank you for these words, I had been looking for them.</p></div></body></html>"""
MIXED = "text markdown json".split()  # the formats that several pages can share one stream in


def write(name: str, content: str | bytes = HTML) -> str:
    return save(name, content)


def files(folder: str | Path = ".") -> set[str]:
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


# --- one page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("method", ["auto", "all"])
def test_a_file_gives_what_extract_gives(bonmun: Bonmun, format_: str, method: str) -> None:
    result = bonmun("extract", write("a.html", RICH), "--format", format_, "--method", method)
    doc = extract(RICH.encode(), method=method)
    expected = doc.render(format_)
    expected += "" if expected.endswith("\n") else "\n"
    if format_ == "json":
        expected = json.dumps({"input": "a.html"} | doc.to_dict(), ensure_ascii=False) + "\n"
    assert (result.stdout, result.stderr, result.exit_code) == (expected, "", 0)


def test_text_is_what_comes_without_options(bonmun: Bonmun) -> None:
    result = bonmun("extract", write("a.html"))
    assert (result.stdout, result.stderr, result.exit_code) == (SENTENCE + "\n", "", 0)


def test_stdin_is_read_and_its_url_makes_links_absolute(bonmun: Bonmun) -> None:
    url = "https://example.org/news/1"
    result = bonmun("extract", "-", "--url", url, "-f", "json", stdin=RICH.encode())
    assert json.loads(result.stdout) | {"input": "-", "url": url} == json.loads(result.stdout)
    result = bonmun("extract", "-", "--url", url, "-f", "markdown", stdin=RICH.encode())
    assert "[the other page](https://example.org/more)" in result.stdout
    assert (result.stderr, result.exit_code) == ("", 0)


def test_a_page_without_main_text_is_no_failure(bonmun: Bonmun) -> None:
    result = bonmun("extract", write("a.html", "<title>Shell</title><div id=app></div>"))
    assert (result.stdout.strip(), result.stderr, result.exit_code) == ("", "", 0)


@pytest.mark.parametrize("format_", FORMATS)
def test_links_images_and_comments_come_if_asked_for(bonmun: Bonmun, format_: str) -> None:
    name = write("a.html", RICH)
    usual = bonmun("extract", name, "-f", format_).stdout
    plain = bonmun("extract", name, "-f", format_, "--no-links", "--no-images").stdout
    full = bonmun("extract", name, "-f", format_, "--links", "--images", "--comments").stdout
    marked = format_ != "text"
    assert ("/more" in full, "map.png" in full) == (marked, marked)
    assert ("/more" in plain, "map.png" in plain) == (False, False)
    has_both = format_ in ("markdown", "html", "json")
    assert ("/more" in usual, "map.png" in usual) == (has_both, has_both)
    shown = (json.loads(text)["text"] if format_ == "json" else text for text in (plain, full))
    assert ["Thank you" in text for text in shown] == [False, True]


def test_markdown_has_a_short_name_and_facts_over_it_if_asked_for(bonmun: Bonmun) -> None:
    name = write("a.html", RICH)
    plain = bonmun("extract", name, "-f", "markdown").stdout
    assert bonmun("extract", name, "-f", "md").stdout == plain
    full = bonmun("extract", name, "-f", "md", "--front-matter").stdout
    assert full.startswith("---\ntitle: ")
    assert full.endswith("\n---\n\n" + plain)
    result = bonmun("extract", name, "--front-matter")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "set format to markdown" in result.stderr


def test_readings_stand_in_brackets_if_asked_for(bonmun: Bonmun) -> None:
    name = write(
        "ruby.html", "<p lang=ja>灯台の<ruby>灯<rt>ひ</rt></ruby>がともり、港の人々はみなそれを見に行った。</p>"
    )
    assert "灯がともり" in bonmun("extract", name, "-m", "all").stdout
    assert "灯(ひ)がともり" in bonmun("extract", name, "-m", "all", "--ruby").stdout


def test_markdown_says_who_wrote_posts_if_asked_for(bonmun: Bonmun) -> None:
    post = "<div class=post><a class=username>{0}</a> <time datetime=2024-05-01>May</time><p>{0} saw the lamp that was lit again at six.</p></div>"
    name = write("thread.html", "".join(map(post.format, ("Sol", "Mira", "Ines"))))
    assert "**Mira** · 2024-05-01\n\n" in bonmun("extract", name, "-m", "all", "-f", "md", "--posts").stdout
    assert "Mira · 2024-05-01\nMira saw" in bonmun("extract", name, "-m", "all", "--posts").stdout
    assert "2024-05-01" not in bonmun("extract", name, "-m", "all", "--no-posts").stdout


def test_the_day_of_the_crawl_makes_days_ago_a_date(bonmun: Bonmun) -> None:
    name = write(
        "a.html", f"<title>Light</title><h1>Light</h1><p>By Ann Lee · 2 days ago</p>{f'<p>{SENTENCE}</p>' * 3}"
    )
    found = [
        json.loads(bonmun("extract", name, "-f", "json", *more).stdout) for more in ([], ["--crawled", "2026-03-04"])
    ]
    assert [each["date"] for each in found] == [None, "2026-03-02"]


def test_the_encoding_can_be_given(bonmun: Bonmun) -> None:
    name = write("a.html", "<p>Żółć i gęś</p>".encode("iso8859-2"))
    assert bonmun("extract", name, "-m", "all", "--encoding", "iso-8859-2").stdout == "Żółć i gęś\n"


def test_pages_in_legacy_encodings_come_out_as_utf_8(bonmun: Bonmun) -> None:
    result = bonmun("extract", write("a.html", f"<p>{KOREAN}</p>".encode("cp949")))
    assert result.stdout_bytes == KOREAN.encode() + b"\n"


# --- several pages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_several_texts_stand_under_their_names(bonmun: Bonmun, format_: str) -> None:
    names = [write("a.html"), write("b.html", HTML.replace("Some", "Other"))]
    result = bonmun("extract", *names, "-f", format_)
    other = SENTENCE.replace("Some", "Other")
    assert result.stdout == f"==> a.html <==\n\n{SENTENCE}\n\n==> b.html <==\n\n{other}\n"
    assert (result.stderr, result.exit_code) == ("", 0)


def test_several_json_documents_are_a_line_each(bonmun: Bonmun) -> None:
    names = [write("a.html"), write("b.html", HTML.replace("A page", "Two\nlines")), write("ㄱ.html")]
    lines = bonmun("extract", *names, "--format=json").stdout.splitlines()
    assert [json.loads(line)["input"] for line in lines] == names
    assert [json.loads(line)["title"] for line in lines] == ["A page", "Two lines", "A page"]


def test_chunks_are_a_line_each(bonmun: Bonmun) -> None:
    long = HTML.replace(SENTENCE, f"{SENTENCE} " * 40)
    names = [write("a.html", long), write("b.html", "<p>"), write("c.html")]
    result = bonmun("extract", *names, "-f", "chunks", "--chunk-words", "60", "--chunk-overlap", "25")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    doc = extract(long)
    chunks = doc.chunks(60, 25)
    assert [row for row in rows if row["input"] == "a.html"] == [
        {"input": "a.html", "url": None, "title": "A page"} | chunk.to_dict() for chunk in chunks
    ]
    assert len(chunks) > 5
    assert [row["input"] for row in rows[len(chunks) :]] == ["c.html"]
    assert bonmun("extract", *names, "-f", "chunks", "-o", "out/").exit_code == 0
    assert files("out") == {"a.chunks.jsonl", "b.chunks.jsonl", "c.chunks.jsonl"}
    assert Path("out/b.chunks.jsonl").read_bytes() == b""


@pytest.mark.parametrize("options", ["--chunk-words 0", "--chunk-words 100 --chunk-overlap 60", "--chunk-overlap -1"])
def test_chunks_that_cannot_be_are_refused(bonmun: Bonmun, options: str) -> None:
    result = bonmun("extract", write("a.html"), "-f", "chunks", *options.split())
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("format_", ["html", "xml"])
def test_several_pages_do_not_fit_into_one_document(bonmun: Bonmun, format_: str) -> None:
    names = [write("a.html"), write("b.html")]
    for output in ([], ["--output", "out.html"]):
        result = bonmun("extract", *names, "-f", format_, *output)
        assert (result.stdout, result.exit_code) == ("", 2)
        assert re.fullmatch(r"bonmun: .*--output.*\.\n", result.stderr)
    assert files() == {"a.html", "b.html"}


def test_a_folder_is_searched_for_pages(bonmun: Bonmun) -> None:
    pages = ["in/B.HTML", "in/a.html", "in/c/d/e.htm", "in/c/f.xhtml", "in/g.html.gz", "in/h.htm.GZ"]
    for name in pages:
        write(name, gzip.compress(HTML.encode()) if name.lower().endswith(".gz") else HTML)
    for name in ("in/a.txt", "in/b.css", "in/c.html.bak", "in/d.pdf", "in/e.gz", "in/html", "in/c/.htmlx"):
        write(name, b"%PDF-1.7")
    Path("in/folder.html").mkdir()
    result = bonmun("extract", "in", "-f", "json")
    assert [json.loads(line)["input"] for line in result.stdout.splitlines()] == sorted(pages)
    assert {json.loads(line)["text"] for line in result.stdout.splitlines()} == {SENTENCE}
    said = ", ".join(f"1 × {kind}" for kind in (".txt", ".css", ".bak", ".pdf", ".gz", "no extension", ".htmlx"))
    assert (result.stderr, result.exit_code) == (f"bonmun: Skipped: {said}.\n", 0)


@pytest.mark.parametrize("format_", MIXED)
def test_the_order_is_that_of_the_inputs(bonmun: Bonmun, format_: str) -> None:
    write("in/z.html"), write("in/y.html"), write("b.html"), write("a.html")
    result = bonmun("extract", "b.html", "in", "a.html", "-", "-f", format_, stdin=HTML.encode())
    names = ["b.html", "in/y.html", "in/z.html", "a.html", "-"]
    places = [result.stdout.index(f'"{name}"' if format_ == "json" else f"==> {name} <==") for name in names]
    assert places == sorted(places)


# --- files out -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("format_", "ending"), FORMATS.items())
def test_a_folder_out_keeps_the_structure_of_a_folder_in(bonmun: Bonmun, format_: str, ending: Format) -> None:
    for name in ("in/a.html", "in/b/a.htm", "in/b/c/d.e.xhtml", "in/f.html.gz"):
        write(name, gzip.compress(HTML.encode()) if name.endswith(".gz") else HTML)
    result = bonmun("extract", "in", "-f", format_, "-o", "new/out/")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert files("new/out") == {name + ending.suffix for name in ("a", "b/a", "b/c/d.e", "f")}
    assert {SENTENCE in Path("new/out", name).read_text("utf-8") for name in files("new/out")} == {True}


def test_names_that_collide_are_numbered(bonmun: Bonmun) -> None:
    names = ["1/a.html", "2/a.html", "2/a.htm", "a-2.html", "a.html.gz"]
    for number, name in enumerate(names):
        html = HTML.replace("Some", f"Number {number}:")
        write(name, gzip.compress(html.encode()) if name.endswith(".gz") else html)
    assert bonmun("extract", *names, "-o", "out").exit_code == 0
    assert len(files("out")) == len(names)
    texts = [Path("out", name).read_text("utf-8") for name in files("out")]
    assert sorted(text.partition(":")[0] for text in texts) == [f"Number {number}" for number in range(len(names))]
    assert {"a.txt", "a-2.txt", "a-3.txt"} < files("out")


def test_earlier_results_are_replaced(bonmun: Bonmun) -> None:
    write("a.html"), write("out/a.txt", "old"), write("out/b.txt", "kept"), write("old.txt", "old")
    assert bonmun("extract", "a.html", "-o", "out").exit_code == 0
    assert bonmun("extract", "a.html", "-o", "old.txt").exit_code == 0
    assert Path("out/a.txt").read_text() == Path("old.txt").read_text() == SENTENCE + "\n"
    assert Path("out/b.txt").read_text() == "kept"
    assert files() == {"a.html", "out/a.txt", "out/b.txt", "old.txt"}


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_out_holds_what_stdout_would(bonmun: Bonmun, format_: str) -> None:
    names = [write("a.html", RICH), write("b.html")] if format_ in MIXED else [write("a.html", RICH)]
    expected = bonmun("extract", *names, "-f", format_).stdout_bytes
    result = bonmun("extract", *names, "-f", format_, "-o", "out.x")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert Path("out.x").read_bytes() == expected
    assert files() == {*names, "out.x"}


@pytest.mark.parametrize("output", ["out.txt", "out/"])
def test_nothing_is_written_when_everything_fails(bonmun: Bonmun, output: str) -> None:
    write("empty.html", ""), write("old.txt", "old")
    assert bonmun("extract", "empty.html", "missing.html", "-o", output).exit_code == 1
    assert bonmun("extract", "empty.html", "-o", "old.txt").exit_code == 1
    assert files() == {"empty.html", "old.txt"}
    assert Path("old.txt").read_text() == "old"


def test_a_file_out_holds_the_pages_that_could_be_read(bonmun: Bonmun) -> None:
    write("a.html"), write("b.html", "")
    result = bonmun("extract", "b.html", "a.html", "-o", "out.txt")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert result.stderr.startswith("bonmun: b.html: ")
    assert Path("out.txt").read_text() == f"==> a.html <==\n\n{SENTENCE}\n"
    assert files() == {"a.html", "b.html", "out.txt"}


@pytest.mark.parametrize("output", ["a.html/out.txt", "missing/folder/out.txt", "a.html/", "a.html/b/"])
def test_a_place_that_cannot_be_written_to_is_named(bonmun: Bonmun, output: str) -> None:
    write("a.html")
    result = bonmun("extract", "a.html", "-o", output)
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(r"bonmun: Cannot write \S+: .+\.\n", result.stderr)
    assert output.rstrip("/").startswith(result.stderr.split(": ")[1].removeprefix("Cannot write "))
    assert files() == {"a.html"}


def test_a_folder_in_the_way_of_a_file_is_named(bonmun: Bonmun) -> None:
    write("a.html"), write("b.html"), write("out/a.txt/x", "a folder of this name")
    result = bonmun("extract", "a.html", "b.html", "-o", "out")
    assert result.exit_code == 1
    assert "out/a.txt" in result.stderr
    assert not [name for name in files() if name.endswith(".part")]


# --- inputs that fail ------------------------------------------------------------------------------------------------

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
BAD = {
    "empty": ("a.html", b"", "empty"),
    "white space": ("a.html", b" \n\t", "empty"),
    "PDF": ("a.html", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "PDF"),
    "PNG": ("a.html", PNG, "PNG"),
    "zip": ("a.html", b"PK\x03\x04\x14\0\0\0", "zip"),
    "JSON": ("a.html", b'{"html": "<p>text</p>"}', "JSON"),
    "feed": ("a.html", b"<?xml version='1.0'?><rss></rss>", "rss"),
    "undecodable": ("a.html", bytes(range(1, 32)) * 40, "decoded"),
    "too big": ("a.html", b"<p>" + b"a" * 5000, "5,000|limit|larger"),
    "gzip that is too big": ("a.html.gz", gzip.compress(b"a" * 50_000_000), "limit|larger"),
    "gzip cut short": ("a.html.gz", gzip.compress(HTML.encode() * 20)[:-20], "gz"),
    "gzip with a wrong sum": ("a.html.gz", gzip.compress(HTML.encode())[:-8] + b"\0" * 8, "gz"),
    "gzip with broken data": ("a.html.gz", gzip.compress(HTML.encode())[:10] + b"\xff" * 50, "gz"),
    "empty gzip": ("a.html.gz", b"", "empty|gz"),
}


@pytest.mark.parametrize("format_", ["text", "json"])
@pytest.mark.parametrize(("name", "data", "words"), BAD.values(), ids=BAD.keys())
def test_one_bad_file_is_named_and_the_rest_is_done(
    bonmun: Bonmun, name: str, data: bytes, words: str, format_: str
) -> None:
    write(name, data), write("before.html"), write("in/after.html")
    result = bonmun("extract", "before.html", name, "in", "-f", format_, "--max-bytes", "4000")
    assert result.exit_code == 1
    assert re.fullmatch(rf"bonmun: {re.escape(name)}: [A-Z].*(?:{words}).*\.\n", result.stderr)
    assert result.stdout.count(SENTENCE) == (
        2 if format_ == "text" else 6
    )  # JSON: the text, the Markdown and the block
    assert "before.html" in result.stdout
    assert "in/after.html" in result.stdout
    assert f'"{name}"' not in result.stdout
    assert f"==> {name} <==" not in result.stdout


@pytest.mark.parametrize(("name", "data", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_alone_leaves_stdout_empty(bonmun: Bonmun, name: str, data: bytes, words: str) -> None:
    result = bonmun("extract", write(name, data), "--max-bytes", "4000")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "name", ["missing.html", "missing/a.html", "a.html/b", "missing.html.gz", "missing/", "a" * 300, "b/" * 3000]
)
def test_a_missing_file_is_named(bonmun: Bonmun, name: str) -> None:
    result = bonmun("extract", name, write("a.html"))
    assert result.exit_code == 1
    assert re.fullmatch(rf"bonmun: {re.escape(name)}: [A-Z].*\.\n", result.stderr)
    assert SENTENCE in result.stdout


@pytest.mark.parametrize("name", ["folder", "folder/", "folder/sub", "./folder", ".", "folder/.."])
def test_a_folder_without_pages_is_named(bonmun: Bonmun, name: str) -> None:
    write("folder/sub/notes.txt", "no page")
    result = bonmun("extract", name)
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(rf"bonmun: {re.escape(name)}: .*no page.*\.\n", result.stderr)


def test_an_empty_name_is_no_folder(bonmun: Bonmun) -> None:
    write("a.html")
    result = bonmun("extract", "")
    assert result.stdout == ""
    assert result.exit_code in (1, 2)


def test_every_failure_is_named(bonmun: Bonmun) -> None:
    names = ["missing.html", write("empty.html", ""), write("page.pdf", b"%PDF-1.4"), write("a.html")]
    result = bonmun("extract", *names)
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == names[:3]
    assert (result.stdout, result.exit_code) == (f"==> a.html <==\n\n{SENTENCE}\n", 1)


@pytest.mark.parametrize("data", [b"", PNG, b"\n"])
def test_bad_stdin_is_named(bonmun: Bonmun, data: bytes) -> None:
    result = bonmun("extract", "-", stdin=data)
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(r"bonmun: -: [A-Z].*\.\n", result.stderr)


def test_stdin_that_is_too_big_is_refused(bonmun: Bonmun) -> None:
    result = bonmun("extract", "-", "--max-bytes", "100", stdin=HTML.encode() * 9)
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(r"bonmun: -: .*100.*\.\n", result.stderr)


# --- wrong use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--method", "aut"], "auto"),
        (["--method", "al"], "all"),
        (["-m", "nothing-like-it"], "lists all"),
        (["-m", "M324"], "did you mean sentence:M324?"),
        (["--format", "pdf"], "text, markdown, html, json, xml"),
        (["-f", "TEXT"], "text, markdown, html, json, xml"),
        (["--encoding", "euc-krr"], "euc-krr"),
        (["--crawled", "yesterday"], "crawled must be a date or a datetime such as 2026-03-04"),
        (["b.html", "--url", "https://example.org/"], "--url"),
    ],
)
@pytest.mark.parametrize("output", [[], ["-o", "out.txt"]])
def test_wrong_use_says_what_is_right(bonmun: Bonmun, args: list[str], says: str, output: list[str]) -> None:
    write("a.html"), write("b.html")
    result = bonmun("extract", "a.html", *args, *output)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert re.fullmatch(rf"bonmun: .*{re.escape(says)}.*\.\n", result.stderr)
    assert files() == {"a.html", "b.html"}


def test_an_unknown_encoding_is_wrong_use_even_if_no_page_needs_it(bonmun: Bonmun) -> None:
    assert bonmun("extract", "missing.html", "--encoding", "nonsense").exit_code == 2


@pytest.mark.parametrize(
    "args",
    [
        ["extract"],
        ["extract", "a.html", "--no-such-option"],
        ["no-such-command"],
        ["extract", "a", "--max-bytes", "many"],
    ],
)
def test_unknown_commands_and_options_are_wrong_use(bonmun: Bonmun, args: list[str]) -> None:
    result = bonmun(*args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "Usage: " in result.stderr


def test_no_arguments_show_the_help(bonmun: Bonmun) -> None:
    result = bonmun()
    assert result.exit_code == 2
    assert re.search(r"extract.*methods|methods.*extract", result.output, re.S)


@pytest.mark.parametrize("args", [["--help"], ["extract", "--help"], ["methods", "--help"]])
def test_help_is_no_error(bonmun: Bonmun, args: list[str]) -> None:
    result = bonmun(*args)
    assert (result.stderr, result.exit_code) == ("", 0)
    assert "Usage: " in result.stdout


def test_methods_lists_them_all(bonmun: Bonmun) -> None:
    result = bonmun("methods")
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(METHODS)
    assert (result.stderr, result.exit_code) == ("", 0)


def test_version_is_the_packages_own(bonmun: Bonmun) -> None:
    result = bonmun("--version")
    kernel = f"{'with' if accelerated else 'without'} the compiled kernel"
    assert (result.stdout, result.stderr, result.exit_code) == (f"bonmun {__version__} ({kernel})\n", "", 0)


# --- the web ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Has Korean pages in EUC-KR that only the header knows of, and what is no page."""
    pages = {
        "/yesterday": (f"<h1>Light</h1><p>By Ann Lee · 1 day ago</p>{f'<p>{SENTENCE}</p>' * 3}".encode(), "text/html"),
        "/korean": (f"<html><p>{KOREAN} <a href='b'>등대 사진</a></p>".encode("cp949"), "text/html; charset=EUC-KR"),
        "/wrong": (f"<meta charset=utf-8><p>{KOREAN}</p>".encode("cp949"), "text/html; charset=ISO-8859-1"),
        "/nonsense": (HTML.encode(), "text/html; charset=no-such-charset"),
        "/picture": (PNG, "image/png"),
    }
    with served(pages) as url:
        yield url


def test_a_url_is_fetched_and_read_by_its_charset(bonmun: Bonmun, site: str) -> None:
    result = bonmun("extract", f"{site}/korean", "--allow-private", "-f", "json")
    answer = json.loads(result.stdout)
    assert (result.stderr, result.exit_code) == ("", 0)
    assert answer["text"].startswith(KOREAN)
    assert (answer["input"], answer["url"], answer["encoding"]) == (f"{site}/korean", f"{site}/korean", "euc-kr")
    assert f"({site}/b)" in bonmun("extract", f"{site}/korean", "--allow-private", "-f", "markdown").stdout


def test_what_is_fetched_is_dated_from_now(bonmun: Bonmun, site: str) -> None:
    before = date.today()
    result = bonmun("extract", f"{site}/yesterday", "--allow-private", "-f", "json")
    days = [str(day - timedelta(days=1)) for day in (before, date.today())]
    assert json.loads(result.stdout)["date"] in days


@pytest.mark.parametrize(("path", "text"), [("/wrong", KOREAN), ("/nonsense", SENTENCE)])
def test_a_wrong_charset_is_no_harm(bonmun: Bonmun, site: str, path: str, text: str) -> None:
    result = bonmun("extract", site + path, "--allow-private")
    assert (result.stdout, result.stderr, result.exit_code) == (text + "\n", "", 0)


def test_files_made_from_urls_have_plain_names(bonmun: Bonmun, site: str) -> None:
    result = bonmun(
        "extract", f"{site}/korean", f"{site}/wrong?a=b/../c", "--allow-private", "-o", "out", "--pause", "0"
    )
    assert (result.stdout, result.exit_code) == ("", 1)  # the server knows no queries
    assert files("out") == {"127.0.0.1-korean.txt", "failures.tsv"}


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize("private", [True, False])
def test_a_url_that_gives_no_page_is_named(bonmun: Bonmun, site: str, private: bool) -> None:
    write("a.html")
    dead = f"http://127.0.0.1:{closed_port()}/"
    urls = [dead, f"{site}/missing", f"{site}/picture", "ftp://example.org/", "http://[", "http://", "https://a b/"]
    result = bonmun("extract", *urls, "a.html", "--pause", "0", *(["--allow-private"] if private else []))
    assert (result.stdout, result.exit_code) == (f"==> a.html <==\n\n{SENTENCE}\n", 1)
    lines = result.stderr.splitlines()
    assert lines.pop().startswith("bonmun: 7 of 8 failed: ")
    for url, line in zip(urls, lines, strict=True):
        assert line.startswith(f"bonmun: {url}: ")
        assert line.count(url) == 1
        assert line.endswith(".")
        assert ("not a public address" in line) == (not private and "127.0.0.1" in url)


# --- processes of their own ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_python_m_bonmun_is_the_command(tmp_path: Path) -> None:
    done = command("extract", "-", input=HTML.encode(), cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (SENTENCE.encode() + b"\n", b"", 0)
    script = Path(sys.executable).with_name("bonmun")
    assert subprocess.check_output([script, "--version"]).startswith(f"bonmun {__version__} (with".encode())


@pytest.mark.slow
def test_failures_reach_the_shell(tmp_path: Path) -> None:
    done = command("extract", "missing.html", "-", input=HTML.encode(), cwd=tmp_path)
    assert done.stdout == f"==> - <==\n\n{SENTENCE}\n".encode()
    assert (done.stderr, done.returncode) == (b"bonmun: missing.html: There is no such file.\n", 1)
    assert command("extract", "a.html", "-m", "aut", cwd=tmp_path).returncode == 2
    assert command(cwd=tmp_path).returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stdin_or_stdout_is_one_line_on_stderr(tmp_path: Path, closed: str) -> None:
    args = [sys.executable, "-m", "bonmun", "extract", "-"]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *args]
    done = subprocess.run(shell, input=HTML.encode(), capture_output=True, cwd=tmp_path, timeout=300, check=False)
    assert (done.stdout, done.returncode) == (b"", 1)
    assert re.fullmatch(rb"bonmun: .+\.\n", done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_output_is_utf_8_in_every_locale(tmp_path: Path, locale: str) -> None:
    env = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    (tmp_path / "등대.html").write_text(f"<p>{KOREAN}</p>", "utf-8")
    done = command("extract", "등대.html", "없음.html", cwd=tmp_path, env=env)
    assert done.returncode == 1
    assert done.stdout.endswith(KOREAN.encode() + b"\n")
    assert b"bonmun: " in done.stderr


@pytest.mark.slow
def test_a_name_that_is_no_text_is_no_crash(tmp_path: Path) -> None:
    if not save_nameless(tmp_path, HTML):
        return
    done = command("extract", str(tmp_path), "-f", "json", cwd=tmp_path)
    assert json.loads(done.stdout)["text"] == SENTENCE
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<p>{'word ' * 100_000}", "utf-8")
    args = [sys.executable, "-m", "bonmun", "extract", *["a.html"] * 40, "-f", "json"]
    with subprocess.Popen(args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.read(10)) == 10
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(300) == 0


@pytest.mark.slow
def test_the_same_bytes_give_the_same_answer_in_every_process(tmp_path: Path) -> None:
    pages = [str(ROOT / "examples" / "pages"), str(ROOT / "tests" / "pages")]
    results = []
    for seed in ("0", "12345"):
        out = tmp_path / seed
        options = ["-f", "xml", "-o", f"{out}/", "--links", "--images", "--comments"]
        done = command("extract", *pages, *options, env={**os.environ, "PYTHONHASHSEED": seed})
        assert (done.stdout, done.returncode) == (b"", 0)
        assert done.stderr.startswith(b"bonmun: Skipped: ")  # gold files
        results.append({name: (out / name).read_bytes() for name in files(out)})
    assert results[0] == results[1]
    assert len(results[0]) == len([path for folder in pages for path in Path(folder).rglob("*.html")]) >= 16
    assert {ET.fromstring(data).tag.rpartition("}")[2] for data in results[0].values()} == {"TEI"}


@pytest.mark.parametrize(
    ("name", "is_url"),
    [
        ("example.org", True),
        ("www.example.co.kr/page.html", True),
        ("127.0.0.1:8000/page", True),
        ("localhost:8000", True),
        ("한국.kr/글", True),
        ("page.html", False),
        ("page.txt", False),
        ("folder/page", False),
        ("./example.org", False),
        ("a." * 5_000 + "b", False),
    ],
)
def test_a_url_without_scheme_is_recognised(bonmun: Bonmun, name: str, is_url: bool) -> None:
    result = bonmun("extract", name)
    assert result.exit_code == 1
    assert ("put https:// before it" in " ".join(result.stderr.split())) == is_url
