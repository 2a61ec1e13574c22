"""File names made of URLs: readable, inside their folder, and safe on every system."""

from __future__ import annotations

import re

import pytest

from bonmun.scale.crawl.export.file_names import MAX_NAME_BYTES, MAX_PATH_CHARS, make_key, make_path
from bonmun.scale.crawl.export.page_links import make_relative

SAFE_SEGMENT = re.compile(r"[^\W_][\w.-]*|_[\w.-]*")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://docs.example/", "docs.example/index.md"),
        ("https://docs.example", "docs.example/index.md"),
        ("https://docs.example/library/os.html", "docs.example/library/os.md"),
        ("https://docs.example/library/", "docs.example/library/index.md"),
        ("https://docs.example:8000/a.php?id=3&p=2", "docs.example-8000/a.php-id-3-p-2.md"),
        ("https://docs.example/?q=a/../../b", "docs.example/q-a-..-..-b.md"),
        ("https://docs.example/%EA%B8%80.html", "docs.example/글.md"),
        ("https://docs.example/a%2Fb%5Cc", "docs.example/a-b-c.md"),
        ("https://docs.example/x.md/y", "docs.example/x.md_/y.md"),
    ],
)
def test_paths_mirror_urls(url: str, path: str) -> None:
    assert make_path(url) == path


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/../../etc/passwd",
        "http://a.example/%2e%2e/%2e%2e/etc/passwd",
        "http://a.example/..%2f..%2fetc%2fpasswd",
        "http://a.example/..%5c..%5cwindows",
        "http://a.example/.git/config",
        "http://a.example/.../....",
        "http://a.example/con",
        "http://a.example/CON.html",
        "http://a.example/lpt1.txt/aux?nul",
        "http://a.example/com%C2%B9",
        "http://a.example/" + "x" * 1900,
        "http://a.example/" + "/".join(["abcdefghij"] * 190),
        "http://a.example/" + "%EA%B0%80" * 200,
        "http://a.example/a%00b%0d%0ac%1b",
        "http://a.example/name.%20",
        "http://a.example/%ff%fe",
        "http://a.example/-rf",
        "http://a.example/%3Cscript%3E:*%3F%22%7C",
        "http://a.example/~",
        "http://[::1]:8000/",
        "http://llms.txt/",
        "http://index.md/",
        "http://../",
    ],
)
@pytest.mark.parametrize("attempt", [0, 1, 3])
def test_no_url_escapes_or_makes_a_name_that_some_system_refuses(url: str, attempt: int) -> None:
    path = make_path(url, attempt)
    *folders, name = path.split("/")
    assert folders
    assert len(path) <= MAX_PATH_CHARS + MAX_NAME_BYTES
    for segment in (*folders, name):
        assert SAFE_SEGMENT.fullmatch(segment), segment
        assert not segment.endswith((".", " "))
        assert ".." not in (segment, segment[:2])
        assert len(segment.encode()) <= MAX_NAME_BYTES + len(".md_") + 64 * (attempt == 3)
        assert segment.split(".")[0].lower() not in {"con", "prn", "aux", "nul", "lpt1", "com1", "com¹"}
    assert name.endswith(".md")
    assert not any(folder.casefold().endswith((".md", ".txt")) for folder in folders)


def test_keys_tell_which_paths_some_system_takes_for_the_same_file() -> None:
    assert make_key("A/Straße.md") == make_key("a/STRASSE.md")
    assert make_key("a/é.md") == make_key("a/e\u0301.md")
    assert make_key("a/b.md") != make_key("a/c.md")


def test_relative_links() -> None:
    assert make_relative("h/a/b.md", "h/c.md") == "../c.md"
    assert make_relative("h/a/b.md", "h/a/b.md") == "b.md"
    assert make_relative("h/b.md", "h/b/c d.md") == "b/c%20d.md"
    assert make_relative("", "h/c.md") == "h/c.md"
