"""`bonmun render` and `bonmun extract --render`, in a real browser."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.page import Page
from bonmun.snapshots import load_snapshot
from samples import save
from servers import serve_pages

if TYPE_CHECKING:
    from samples import Bonmun

pytestmark = pytest.mark.slow
SENTENCE = "The keeper of the lighthouse counted the ships that passed, and wrote down their names every evening. "
ARTICLE = f"<!DOCTYPE html><title>Lamps</title><h1>Lamps</h1><article>{f'<p>{SENTENCE * 3}</p>' * 5}</article>"
FILLED = f"<!DOCTYPE html><div id=app></div><script>app.innerHTML = {json.dumps(ARTICLE)}</script>"


def test_pages_become_snapshots_and_are_not_made_twice(bonmun: Bonmun) -> None:
    save("in/a.html", ARTICLE)
    save("in/deep/b.html", FILLED)
    lines = [
        json.dumps({"id": f"page {number}", "url": f"http://made-up.example/{number}", "html": ARTICLE})
        for number in range(3)
    ]
    save("more.jsonl", "\n".join(lines))
    result = bonmun("render", "in", "more.jsonl", "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert "5 pages rendered, 0 failed" in result.stderr
    files = sorted(str(path.relative_to("out")) for path in Path("out").rglob("*.snapshot"))
    assert files[0] == "a.snapshot"
    assert files[1] == "deep/b.snapshot"
    assert [name.rpartition("-")[0] for name in files[2:]] == ["page-0", "page-1", "page-2"]
    assert load_snapshot(Path("out", files[2])).url == "http://made-up.example/0"

    Path("out/a.snapshot").unlink()
    result = bonmun("render", "in", "more.jsonl", "-o", "out")
    assert "4 pages had been rendered before" in result.stderr
    assert "1 page rendered, 0 failed" in result.stderr


def test_every_command_reads_snapshots(bonmun: Bonmun) -> None:
    save("b.html", FILLED)
    bonmun("render", "b.html", "-o", "out")
    assert bonmun("extract", "b.html").stdout.strip() == ""
    assert SENTENCE.strip() in bonmun("extract", "out/b.snapshot").stdout
    assert SENTENCE.strip() in bonmun("extract", "out").stdout
    assert SENTENCE.strip() in bonmun("extract", "out/b.snapshot", "-m", "xpath+").stdout
    result = bonmun("corpus", "extract", "out", "-o", "out.jsonl")
    assert result.exit_code == 0, result.stderr
    [row] = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert SENTENCE.strip() in row["text"]


def test_a_broken_snapshot_is_named_and_the_rest_is_done(bonmun: Bonmun) -> None:
    save("a.html", ARTICLE)
    bonmun("render", "a.html", "-o", "out")
    data = Path("out/a.snapshot").read_bytes()
    save("out/broken.snapshot", data[: len(data) // 2])
    save("out/foreign.snapshot", b"PK\x03\x04 something else")
    result = bonmun("extract", "out", "-o", "texts/")
    assert result.exit_code == 1
    assert "broken.snapshot: " in result.stderr
    assert "foreign.snapshot: " in result.stderr
    assert SENTENCE.strip() in Path("texts/a.txt").read_text()
    result = bonmun("corpus", "extract", "out", "-o", "out.jsonl")
    rows = {row["id"]: row for row in map(json.loads, Path("out.jsonl").read_text().splitlines())}
    assert [name for name, row in rows.items() if row["error"]] == ["broken.snapshot", "foreign.snapshot"]
    assert "2 failed" in result.stderr


def test_extract_renders(bonmun: Bonmun) -> None:
    save("b.html", FILLED)
    assert SENTENCE.strip() in bonmun("extract", "--render", "b.html").stdout
    assert SENTENCE.strip() in bonmun("extract", "--render", "-", stdin=FILLED.encode()).stdout
    with serve_pages({"/": ("text/html", FILLED.encode())}) as site:
        assert SENTENCE.strip() in bonmun("extract", "--render", "--allow-private", site.url).stdout
        result = bonmun("extract", "--render", site.url)
        assert result.exit_code == 1
        assert "which is not a public address" in result.stderr


def test_a_page_that_spins_is_extracted_without_its_scripts(bonmun: Bonmun) -> None:
    save("a.html", f"{ARTICLE}<script>while (true);</script>")
    result = bonmun("render", "a.html", "-o", "out", "--timeout", "3")
    assert result.exit_code == 0
    assert "a.html: rendered without its scripts: it was not rendered within 3 seconds." in result.stderr
    assert SENTENCE.strip() in bonmun("extract", "out/a.snapshot").stdout


def test_style_sheets_come_from_a_folder(bonmun: Bonmun) -> None:
    save("site/css/s.css", ".menu { display: none }")
    save("site/pages/a.html", f"<link rel=stylesheet href=../css/s.css><p class=menu>Not to be seen.</p>{ARTICLE}")
    shown = bonmun("extract", "--render", "-m", "all", "site/pages/a.html").stdout
    assert "Not to be seen." in shown
    styled = bonmun("extract", "--render", "--files", "site", "-m", "all", "site/pages/a.html").stdout
    assert "Not to be seen." not in styled
    assert SENTENCE.strip() in styled


def test_a_picture_shows_what_is_kept(bonmun: Bonmun) -> None:
    save("a.html", f"<nav><a href=/>Home</a> <a href=/news>News</a></nav>{ARTICLE}")
    save("tall.html", f"{ARTICLE}<div style='height: 200000px'></div>")
    result = bonmun("render", "a.html", "tall.html", "-o", "out", "--show")
    assert result.exit_code == 0, result.stderr
    sizes = {}
    for name in ("a", "tall"):
        data = Path(f"out/{name}.png").read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        sizes[name] = struct.unpack(">II", data[16:24])
    assert sizes["a"][0] == 1280
    assert sizes["tall"][1] == 16_000
    assert Page.from_snapshot(load_snapshot("out/a.snapshot")).boxes


def test_what_cannot_be_read_is_named(bonmun: Bonmun) -> None:
    save("a.html", ARTICLE)
    save("b.html", b"%PDF-1.4 ...")
    result = bonmun("render", "missing.html", "b.html", "a.html", "-o", "out")
    assert result.exit_code == 1
    assert "missing.html: There is no such file." in result.stderr
    assert "b.html: " in result.stderr
    assert "1 page rendered, 2 failed" in result.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ["render", "a.html", "-o", "out", "--viewport", "wide"],
        ["render", "a.html", "-o", "out", "--files", "nothing"],
        ["render", "a.html", "-o", "out", "--show", "-m", "nothing"],
        ["extract", "a.html", "--files", "."],
        ["extract", "a.html", "--network"],
        ["extract", "a.html", "--click", "p"],
        ["extract", "a.html", "--render", "auto", "--click", " "],
        ["render", "a.html", "-o", "out", "--warc", "a.txt"],
    ],
)
def test_wrong_use(bonmun: Bonmun, wrong: list[str]) -> None:
    save("a.html", ARTICLE)
    result = bonmun(*wrong)
    assert result.exit_code == 2
    assert result.stderr.startswith("bonmun: ")


def test_no_browser(bonmun: Bonmun) -> None:
    save("a.html", ARTICLE)
    result = bonmun("render", "a.html", "-o", "out", env={"BONMUN_BROWSER": "/nowhere/chromium"})
    assert result.exit_code == 2
    assert "/nowhere/chromium" in result.stderr


@pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # raised by FastWARC on import
def test_a_warc_keeps_what_the_browser_loaded(bonmun: Bonmun) -> None:
    warcio = pytest.importorskip("warcio.archiveiterator")
    filling = "fetch('/text').then((got) => got.text()).then((text) => { document.body.innerHTML = text })"
    korean = "<!DOCTYPE html><meta charset=euc-kr><p>소녀가 물속에서 하얀 조약돌을 집어 낸다.</p><script src=/fill.js></script>"
    pages = {
        "/": ("redirect", b"/page"),
        "/page": ("text/html", korean.encode("euc-kr")),
        "/fill.js": ("text/javascript", filling.encode()),
        "/text": ("text/html; charset=utf-8", ARTICLE.encode()),
    }
    with serve_pages(pages) as site:
        command = ["render", site.url, "-o", "out", "--allow-private", "--warc", "kept.warc.gz"]
        result = bonmun(*command)
        assert result.exit_code == 0, result.stderr
        assert re.search(r"kept.warc.gz: [45] responses.", result.stderr)  # maybe with the icon, which is missing
        assert bonmun(*command).exit_code == 2  # never overwritten
    with Path("kept.warc.gz").open("rb") as file:
        found = {
            record.rec_headers.get_header("WARC-Target-URI"): (
                record.http_headers.get_statuscode(),
                record.content_stream().read(),
            )
            for record in warcio.ArchiveIterator(file)
            if record.rec_type == "response"
        }
    found.pop(f"{site.url}favicon.ico", None)
    assert {url.removeprefix(site.url): status for url, (status, _) in found.items()} == {
        "": "302",
        "page": "200",
        "fill.js": "200",
        "text": "200",
    }
    assert found[f"{site.url}fill.js"][1] == filling.encode()
    result = bonmun("corpus", "extract", "kept.warc.gz", "-o", "out.jsonl", "-m", "all")
    assert result.exit_code == 0, result.stderr
    rows = {row["url"]: row["text"] for row in map(json.loads, Path("out.jsonl").read_text().splitlines())}
    assert "하얀 조약돌" in rows[f"{site.url}page"]
    assert SENTENCE.strip() in rows[f"{site.url}text"]


def test_only_empty_pages_are_rendered_automatically(bonmun: Bonmun) -> None:
    with serve_pages({"/": ("text/html", FILLED.encode()), "/whole": ("text/html", ARTICLE.encode())}) as site:
        plain = bonmun("extract", "--allow-private", "-f", "json", site.url)
        assert json.loads(plain.stdout)["hint"].endswith("render it in a browser (--render auto).")
        assert "render it in a browser (--render auto)" in plain.stderr
        assert SENTENCE.strip() in bonmun("extract", "--render", "auto", "--allow-private", site.url).stdout
        assert site.asked.count("/") == 3  # fetched, fetched again, rendered
        whole = bonmun("extract", "--render", "auto", "--allow-private", f"{site.url}whole", "-f", "json")
        assert site.asked.count("/whole") == 1
        assert "hint" not in json.loads(whole.stdout)
    assert SENTENCE.strip() in bonmun("extract", "--render", "auto", "-", stdin=FILLED.encode()).stdout


def test_an_invalid_selector_is_wrong_use(bonmun: Bonmun) -> None:
    save("b.html", FILLED)
    result = bonmun("extract", "--render", "auto", "--click", "p[", "b.html")
    assert result.exit_code == 2
    assert "click: 'p[' is not a CSS selector" in result.stderr
