"""Formats of labelled sets: the examples that are read, and the files that are broken."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gold_sets import FULL, HTML, KOREAN, NO_GOLD, PACK, ROW, TEXT, folders, ids, lines, put

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import BrokenRecord, Example

# --- formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", PACK)
def test_json_lines_are_read_compressed_or_not(tmp_path: Path, ending: str) -> None:
    path = put(tmp_path / f"my.set.jsonl{ending}", PACK[ending](lines(FULL, ROW | {"id": "b"})))
    for place in (path, str(path)):
        dataset = read_dataset(place)
        assert (dataset.name, dataset.format) == ("my.set", "jsonl")
        assert list(dataset) == [
            Example(
                id="a",
                html=HTML,
                text=TEXT,
                url="https://example.org/a",
                lang="en",
                title="Light",
                author="Kim Sol",
                date="2025-05-01",
                kind="article",
                license="CC0-1.0",
                cov=0.5,
                wanted=("lamp",),
                unwanted=("Home", "Sea"),
            ),
            Example("b", HTML, TEXT),
        ]
        assert dataset.summary.broken == ()


def test_a_split_of_wcxb(tmp_path: Path) -> None:
    gold: dict[str, Any] = {"main_content": TEXT, "title": "Light", "author": "Kim Sol", "publish_date": "2025-05-01"}
    gold |= {"with": ["lamp"], "without": ["Home"]}
    inner = {"page_type": {"primary": "article", "tags": []}}
    put(tmp_path / "dev/ground-truth/0001.json", {"url": "https://a/", "ground_truth": gold, "_internal": inner})
    put(tmp_path / "dev/html/0001.html.gz", gzip.compress(HTML.encode()))
    put(tmp_path / "dev/ground-truth/0002.json", {"ground_truth": {"main_content": ""}})
    put(tmp_path / "dev/html/0002.html", HTML)
    dataset = read_dataset(tmp_path / "dev")
    assert (dataset.name, dataset.format) == ("dev", "wcxb")
    first = Example("0001", HTML, TEXT, "https://a/", None, "Light", "Kim Sol", "2025-05-01", "article", "CC-BY-4.0")
    assert list(dataset) == [
        replace(first, wanted=("lamp",), unwanted=("Home",)),
        Example("0002", HTML, "", license="CC-BY-4.0"),
    ]
    assert dataset.summary.broken == ()


def test_a_checkout_of_scrapinghub(tmp_path: Path) -> None:
    put(
        tmp_path / "bench/ground-truth.json",
        {"b2": {"articleBody": TEXT, "url": "https://b/"}, "a1": {"articleBody": ""}},
    )
    for name in ("a1", "b2"):
        put(tmp_path / f"bench/html/{name}.html.gz", gzip.compress(HTML.encode()))
    dataset = read_dataset(tmp_path / "bench")
    assert (dataset.name, dataset.format) == ("bench", "scrapinghub")
    assert list(dataset) == [Example("b2", HTML, TEXT, "https://b/"), Example("a1", HTML, "")]
    assert dataset.summary.broken == ()


GOLD = f"URL: http://example.org/1\n\n<h>Light\n\n<p>{TEXT}\n <l>1 < 2 <p> 3\n"
CLEAN = f"Light\n\n{TEXT}\n1 < 2 <p> 3"


@pytest.mark.parametrize(
    ("pages", "golds", "ending", "lang"),
    [
        ("input", "GoldStandard", ".txt", None),
        ("en_original", "en_cleaned", "-cleaned.txt", "en"),
        ("zh_original", "zh_cleaned", "-cleaned.txt", "zh"),
        ("html", "clean", ".txt", None),
    ],
)
def test_folders_of_cleaneval(tmp_path: Path, pages: str, golds: str, ending: str, lang: str | None) -> None:
    put(tmp_path / "ce" / pages / "1.html", HTML)
    put(tmp_path / "ce" / golds / f"1{ending}", GOLD)
    put(tmp_path / "ce" / pages / "22.htm", HTML)
    put(tmp_path / "ce" / golds / f"22{ending}", "No address.\r\n<P>Here\r\n")
    put(tmp_path / "ce" / pages / "3.html.gz", gzip.compress(HTML.encode()))
    put(tmp_path / "ce" / golds / f"3{ending}", "")
    dataset = read_dataset(tmp_path / "ce")
    assert (dataset.name, dataset.format) == ("ce", "cleaneval")
    assert list(dataset) == [
        Example("1", HTML, CLEAN, "http://example.org/1", lang),
        Example("22", HTML, "No address.\nHere", None, lang),
        Example("3", HTML, "", None, lang),
    ]
    assert dataset.summary.broken == ()


def test_a_line_with_an_empty_url_removes_nothing_else(tmp_path: Path) -> None:
    put(tmp_path / "input/1.html", HTML)
    put(tmp_path / "GoldStandard/1.txt", f"URL:\n\n<h>Light\n<p>{TEXT}")
    assert list(read_dataset(tmp_path)) == [Example("1", HTML, f"Light\n{TEXT}")]


@pytest.mark.parametrize("place", ["tests", "tests/evaldata.json"])
def test_the_snippets_of_trafilatura(tmp_path: Path, place: str) -> None:
    snippets = {"with": ["lamp"], "without": ["Home", " "], "license": "CC0"}
    table = {"https://b/": {"file": "b.html"} | snippets, "https://a/": {"file": "a.html", "with": ["six"]}}
    put(tmp_path / "tests/evaldata.json", table)
    put(tmp_path / "tests/cache/b.html", HTML)
    put(tmp_path / "tests/eval/a.html", "<p>six")
    put(tmp_path / "tests/eval/b.html", "<p>the file in cache/ is used instead")
    dataset = read_dataset(tmp_path / place)
    assert (dataset.name, dataset.format) == ("tests", "trafilatura")
    assert list(dataset) == [
        Example("https://b/", HTML, None, "https://b/", license="CC0", wanted=("lamp",), unwanted=("Home",)),
        Example("https://a/", "<p>six", None, "https://a/", wanted=("six",)),
    ]
    assert dataset.summary.broken == ()


def test_folders_of_pages(tmp_path: Path) -> None:
    metadata: dict[str, Any] = {
        "language": "en",
        "url": "https://a/",
        "title": "Light",
        "author": "Kim Sol",
        "date": "2025-05-01",
    }
    metadata |= {"kind": "article", "license": "CC0", "site_name": "News", "comments": ["So it was."]}
    put(tmp_path / "pages/b/source.html", HTML), put(tmp_path / "pages/b/gold.txt", f"{TEXT}\n")
    put(tmp_path / "pages/a/source.html", HTML), put(tmp_path / "pages/a/gold.txt", " \n")
    put(tmp_path / "pages/b/gold.json", metadata), put(tmp_path / "pages/README.md", "no page")
    dataset = read_dataset(tmp_path / "pages")
    assert (dataset.name, dataset.format) == ("pages", "folders")
    assert list(dataset) == [
        Example("a", HTML, ""),
        Example("b", HTML, f"{TEXT}\n", "https://a/", "en", "Light", "Kim Sol", "2025-05-01", "article", "CC0"),
    ]
    assert dataset.summary.broken == ()


def test_a_set_is_named_after_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "mine/a/source.html", HTML), put(tmp_path / "mine/a/gold.txt", TEXT)
    monkeypatch.chdir(tmp_path / "mine")
    assert {read_dataset(place).name for place in (".", "../mine/", "a/..")} == {"mine"}


# --- pages in files --------------------------------------------------------------------------------------------------


def wcxb(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    if gold is not None:
        put(folder / f"ground-truth/{name}.json", {"ground_truth": {"main_content": gold}})
    if page is not None:
        put(folder / f"html/{name}.html.gz", page)


def scrapinghub(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    table = folder / "ground-truth.json"
    known = json.loads(table.read_bytes()) if table.exists() else {}
    put(table, known if gold is None else known | {name: {"articleBody": gold}})
    if page is not None:
        put(folder / f"html/{name}.html.gz", page)


def cleaneval(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    if gold is not None:
        put(folder / f"GoldStandard/{name}.txt", gold)
    if page is not None:
        put(folder / f"input/{name}.html.gz", page)


def trafilatura(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    table = folder / "evaldata.json"
    known = json.loads(table.read_bytes()) if table.exists() else {}
    put(table, known | {f"https://{name}/": {"file": f"{name}.html.gz", "with": [gold]}})
    if page is not None:
        put(folder / f"cache/{name}.html.gz", page)


Put = Callable[[Path, str, bytes | None, str | None], None]
COMPRESSED: list[Put] = [wcxb, scrapinghub, cleaneval, trafilatura]
on_every_format = pytest.mark.parametrize("write_page", [*COMPRESSED, folders])


def compress(write_page: Put, page: bytes) -> bytes:
    return page if write_page is folders else gzip.compress(page)


@on_every_format
@pytest.mark.parametrize("head", ["", "<meta charset=euc-kr>"])
def test_pages_are_read_in_their_own_encoding(tmp_path: Path, write_page: Put, head: str) -> None:
    html = f"{head}<title>등대</title><p>{KOREAN}</p>"
    write_page(tmp_path, "a", compress(write_page, html.encode("cp949")), KOREAN)
    assert [found.html for found in read_dataset(tmp_path)] == [html]


@pytest.mark.parametrize("write_page", [cleaneval, folders])
@pytest.mark.parametrize("encoding", ["cp949", "utf-8", "utf-8-sig", "utf-16"])
def test_golds_are_read_in_their_own_encoding(tmp_path: Path, write_page: Put, encoding: str) -> None:
    write_page(tmp_path, "a", compress(write_page, HTML.encode()), "")
    gold = "GoldStandard/a.txt" if write_page is cleaneval else "a/gold.txt"
    put(tmp_path / gold, f"등대\r\n{KOREAN}".encode(encoding))
    assert [found.text for found in read_dataset(tmp_path)] == [f"등대\n{KOREAN}"]


BAD_PAGES = {
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "PDF"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "JSON": (b'{"html": "<p>text</p>"}', "JSON"),
    "empty": (b"", "empty"),
    "white space": (b" \n\t", "empty"),
    "undecodable": (bytes(range(1, 32)) * 40, "cannot be decoded"),
}
BAD_FILES = [
    pytest.param(HTML.encode(), id="not gzip"),
    pytest.param(gzip.compress(HTML.encode())[:-12], id="truncated"),
    pytest.param(gzip.compress(HTML.encode())[:-8] + bytes(8), id="wrong checksum"),
    pytest.param(gzip.compress(HTML.encode())[:10] + b"\xff" * 50, id="broken data"),
]


def check_one_is_bad(folder: Path, says: str = "") -> BrokenRecord:
    """Check that only the page `bad` of a set is broken, and return its record."""
    dataset = read_dataset(folder)
    assert [re.sub(r"https://(.+)/", r"\1", name) for name in ids(dataset)] == ["a", "c"]
    assert dataset.summary.count == 2
    (broken,) = dataset.summary.broken
    assert "bad" in broken.name
    assert says in broken.reason
    return broken


@on_every_format
@pytest.mark.parametrize(("page", "says"), BAD_PAGES.values(), ids=BAD_PAGES)
def test_a_file_that_is_not_a_page_is_reported_and_the_rest_is_read(
    tmp_path: Path, write_page: Put, page: bytes, says: str
) -> None:
    for name in ("a", "c"):
        write_page(tmp_path, name, compress(write_page, HTML.encode()), TEXT)
    write_page(tmp_path, "bad", compress(write_page, page), TEXT)
    check_one_is_bad(tmp_path, says)


@pytest.mark.parametrize("write_page", COMPRESSED)
@pytest.mark.parametrize("data", BAD_FILES)
def test_a_damaged_file_is_reported_and_the_rest_is_read(tmp_path: Path, write_page: Put, data: bytes) -> None:
    for name, page in {
        "a": compress(write_page, HTML.encode()),
        "bad": data,
        "c": compress(write_page, HTML.encode()),
    }.items():
        write_page(tmp_path, name, page, TEXT)
    check_one_is_bad(tmp_path, "cannot be read: ")


def test_a_damaged_xz_page_is_reported(tmp_path: Path) -> None:
    table = {f"https://{name}/": {"file": f"{name}.html.xz", "with": [TEXT]} for name in ("a", "bad", "c")}
    put(tmp_path / "evaldata.json", table)
    for name, data in {"a": lzma.compress(HTML.encode()), "bad": b"no xz", "c": lzma.compress(HTML.encode())}.items():
        put(tmp_path / f"cache/{name}.html.xz", data)
    check_one_is_bad(tmp_path, "cannot be read: ")


@on_every_format
def test_a_gold_without_a_page_is_reported(tmp_path: Path, write_page: Put) -> None:
    for name in ("a", "bad", "c"):
        write_page(tmp_path, name, None if name == "bad" else compress(write_page, HTML.encode()), TEXT)
    check_one_is_bad(tmp_path)


@pytest.mark.parametrize("write_page", [wcxb, scrapinghub, cleaneval, folders])
def test_a_page_without_gold_is_reported(tmp_path: Path, write_page: Put) -> None:
    for name in ("a", "bad", "c"):
        write_page(tmp_path, name, compress(write_page, HTML.encode()), None if name == "bad" else TEXT)
    check_one_is_bad(tmp_path)


@pytest.mark.parametrize("write_page", [cleaneval, folders])
def test_an_undecodable_gold_is_reported(tmp_path: Path, write_page: Put) -> None:
    for name in ("a", "bad", "c"):
        write_page(tmp_path, name, compress(write_page, HTML.encode()), TEXT)
    gold = "GoldStandard/bad.txt" if write_page is cleaneval else "bad/gold.txt"
    put(tmp_path / gold, bytes(range(1, 32)) * 40)
    check_one_is_bad(tmp_path, "cannot be decoded")


def test_a_second_gold_for_a_page_is_reported(tmp_path: Path) -> None:
    put(tmp_path / "input/1.html", HTML)
    put(tmp_path / "GoldStandard/1.txt", "one"), put(tmp_path / "GoldStandard/1-cleaned.txt", "two")
    assert len(read_dataset(tmp_path).summary.broken) == 1


@pytest.mark.parametrize("write_page", [scrapinghub, trafilatura])
def test_an_impossible_file_name_is_reported(tmp_path: Path, write_page: Put) -> None:
    for name in ("a", "bad" * 100, "c"):
        write_page(tmp_path, name, None if "bad" in name else compress(write_page, HTML.encode()), TEXT)
    check_one_is_bad(tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("no JSON", "invalid JSON: "),
        ("[]", "not an object"),
        ("{}", "no ground_truth"),
        ('{"ground_truth": []}', "no ground_truth"),
        ('{"ground_truth": {}}', NO_GOLD),
        ('{"ground_truth": {"main_content": null}}', NO_GOLD),
        ('{"ground_truth": {"main_content": 1}}', "text is not a string"),
        ('{"ground_truth": {"main_content": "x", "publish_date": 2025}}', "date is not a string"),
        ('{"ground_truth": {"main_content": "x", "with": "lamp"}}', "wanted is not a list of strings"),
        ('{"ground_truth": {"main_content": "x"}, "_internal": {"page_type": 3}}', "kind is not a string"),
    ],
)
def test_a_broken_wcxb_record_is_reported(tmp_path: Path, content: str, says: str) -> None:
    for name in ("a", "bad", "c"):
        wcxb(tmp_path, name, gzip.compress(HTML.encode()), TEXT)
    put(tmp_path / "ground-truth/bad.json", content)
    assert check_one_is_bad(tmp_path, says).name in ("bad", "bad.json")


@pytest.mark.parametrize(
    "inner", [None, [], {}, {"page_type": None}, {"page_type": {}}, {"page_type": {"primary": ""}}]
)
def test_a_wcxb_page_may_lack_a_kind(tmp_path: Path, inner: Any) -> None:
    put(tmp_path / "ground-truth/1.json", {"ground_truth": {"main_content": TEXT}, "_internal": inner})
    put(tmp_path / "html/1.html", HTML)
    assert [found.kind for found in read_dataset(tmp_path)] == [None]


@pytest.mark.parametrize(
    ("value", "says"),
    [([], "not an object"), ("x", "not an object"), ({}, NO_GOLD), ({"articleBody": 1}, "text is not")],
)
def test_a_broken_scrapinghub_record_is_reported(tmp_path: Path, value: Any, says: str) -> None:
    for name in ("a", "bad", "c"):
        scrapinghub(tmp_path, name, gzip.compress(HTML.encode()), TEXT)
    put(tmp_path / "ground-truth.json", {"a": {"articleBody": TEXT}, "bad": value, "c": {"articleBody": TEXT}})
    check_one_is_bad(tmp_path, says)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([], "no file"),
        ({}, "no file"),
        ({"file": 1, "with": ["x"]}, "no file"),
        ({"file": ""}, "no file"),
        ({"file": "a.html.gz"}, NO_GOLD),
        ({"file": "a.html.gz", "with": "lamp"}, "wanted is not a list of strings"),
        ({"file": "a.html.gz", "with": [1]}, "wanted is not a list of strings"),
        ({"file": "a.html.gz", "with": ["lamp"], "license": 1}, "license is not a string"),
    ],
)
def test_a_broken_trafilatura_record_is_reported(tmp_path: Path, value: Any, says: str) -> None:
    for name in ("a", "c"):
        trafilatura(tmp_path, name, gzip.compress(HTML.encode()), TEXT)
    table = json.loads((tmp_path / "evaldata.json").read_bytes())
    put(tmp_path / "evaldata.json", table | {"https://bad/": value})
    check_one_is_bad(tmp_path, says)


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ("{", "invalid JSON: "),
        ("[]", "not an object"),
        ('{"language": 1}', "lang is not"),
        ('{"title": []}', "title is not"),
    ],
)
def test_broken_metadata_of_a_folder_is_reported(tmp_path: Path, metadata: str, says: str) -> None:
    for name in ("a", "bad", "c"):
        folders(tmp_path, name, HTML.encode(), TEXT)
    put(tmp_path / "bad/gold.json", metadata)
    assert check_one_is_bad(tmp_path, says).name == "bad"


@pytest.mark.parametrize("name", ["ground-truth.json", "evaldata.json"])
@pytest.mark.parametrize("content", ["no JSON", "[]", "", b"\xff"])
def test_an_unreadable_table_is_reported(tmp_path: Path, name: str, content: str | bytes) -> None:
    summary = read_dataset(put(tmp_path / name, content).parent).summary
    assert (summary.count, [broken.name for broken in summary.broken]) == (0, [name])
