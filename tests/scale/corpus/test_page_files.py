"""Finding pages in a folder: by name, by content, and without opening special files."""

from __future__ import annotations

import gzip
import os
import socket
from collections import Counter
from typing import TYPE_CHECKING

from bonmun.scale.corpus.sources.page_files import find_files, format_counts
from bonmun.scale.corpus.sources.reader import Reader
from saved_pages import PAGE, TEXT, URL, make_mhtml, make_webarchive

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def find_names(folder: Path, skipped: Counter[str] | None = None) -> list[str]:
    found = find_files(folder, Counter() if skipped is None else skipped)
    return [path.relative_to(folder).as_posix() for path, is_read in found if is_read]


def test_a_folder_saved_by_wget(tmp_path: Path) -> None:
    pages = ["about", "b.php", "c.asp?id=3", "d.aspx", "e.jsp", "f.do", "index.html", "index.html@p=3", "news/g.shtml"]
    (tmp_path / "news").mkdir()
    for name in pages:
        (tmp_path / name).write_text(PAGE)
    (tmp_path / "news" / "packed").write_bytes(gzip.compress(PAGE.encode()))
    others = {"robots.txt": "User-agent: *", "style.css?v=1": "body {}", "print.css": "body {}", "a.js": "'<html>'"}
    others |= {"feed": "<rss></rss>", "empty.php": "", "source.php": "<?php echo 1;", "news/cut.gz": "\x1f"}
    for name, text in others.items():
        (tmp_path / name).write_text(text)
    skipped: Counter[str] = Counter()
    assert find_names(tmp_path, skipped) == [*pages, "news/packed"]
    assert skipped == {".css": 2, ".js": 1, "robots.txt": 1, "no extension": 1, ".php": 2, ".gz": 1}


def test_only_regular_files_are_opened_and_links_to_folders_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    os.mkfifo("pipe.html")
    os.mkfifo("pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("socket.html")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("missing")
    (tmp_path / "linked").symlink_to("page.html")
    (tmp_path / "page.html").write_text(PAGE)
    skipped: Counter[str] = Counter()
    assert find_names(tmp_path, skipped) == ["linked", "page.html"]
    listening.close()
    assert skipped == {"a device, pipe or socket": 4, "a file that cannot be read": 2}


def test_counts_are_formatted_by_frequency() -> None:
    counts = Counter({f".e{number}": number for number in range(1, 12)})
    assert format_counts(counts) == ", ".join(f"{number} × .e{number}" for number in range(11, 3, -1)) + ", 6 others"


def test_saved_pages_contain_their_url(tmp_path: Path) -> None:
    (tmp_path / "a.mhtml").write_bytes(make_mhtml())
    (tmp_path / "b.mht.gz").write_bytes(gzip.compress(make_mhtml(PAGE.encode("cp949"), charset="euc-kr")))
    (tmp_path / "c.webarchive").write_bytes(make_webarchive())
    (tmp_path / "d.mhtml").write_bytes(make_mhtml()[:300])
    *records, damaged = Reader([str(tmp_path)])
    assert [(record.url, record.site, record.charset) for record in records] == [
        (URL, "news.example", charset) for charset in ("utf-8", "euc-kr", "UTF-8")
    ]
    assert [record.crawled for record in records] == ["2026-03-04T09:00:00+00:00", "2026-03-04T09:00:00+00:00", None]
    assert all(TEXT in record.html.decode(record.charset or "") for record in records)
    assert damaged.html == make_mhtml()[:300]
