"""Labelled sets of every form: the examples that come out, what is in a set, and what cannot be used."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun.errors import BadConfig
from bonmun.gold.datasets import Dataset, read_dataset
from bonmun.gold.examples import Broken, Example
from samples import save

if TYPE_CHECKING:
    from collections.abc import Mapping

HTML = "<title>Light</title><nav><a href=/>Home</a></nav><p>The lamp was lit at six.</p>"
TEXT = "The lamp was lit at six."
KOREAN = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 똠방각하는 펲시콜라를 마시며 그 불빛을 오래 바라보았다."
ROW: dict[str, Any] = {"id": "a", "html": HTML, "text": TEXT}
FULL = ROW | {
    "url": "https://example.org/a",
    "lang": "en",
    "title": "Light",
    "author": "Kim Sol",
    "date": "2025-05-01",
    "kind": "article",
    "license": "CC0-1.0",
    "cov": 0.5,
    "wanted": ["lamp"],
    "unwanted": ["Home", "Sea"],
}
PACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


def put(path: Path, content: Any) -> Path:
    """Write text, bytes, or anything else as JSON."""
    return Path(save(str(path), content if isinstance(content, (str, bytes)) else json.dumps(content)))


def lines(*rows: Mapping[str, Any] | bytes) -> bytes:
    """Rows as JSON lines; bytes are put in as they are."""
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


def saved(folder: Path, *rows: Mapping[str, Any] | bytes) -> Dataset:
    return read_dataset(put(folder / "set.jsonl", lines(*rows)))


def rows(count: int) -> list[dict[str, Any]]:
    """Rows that cannot be packed well, so that what is cut off a packed file is missed."""
    return [ROW | {"id": str(number), "text": sha256(b"%d" % number).hexdigest()} for number in range(count)]


def ids(dataset: Dataset) -> list[str]:
    return [found.id for found in dataset]


# --- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", PACK)
def test_json_lines_are_read_packed_or_not(tmp_path: Path, ending: str) -> None:
    path = put(tmp_path / f"my.set.jsonl{ending}", PACK[ending](lines(FULL, ROW | {"id": "b"})))
    for place in (path, str(path)):
        dataset = read_dataset(place)
        assert (dataset.name, dataset.form) == ("my.set", "jsonl")
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
        assert dataset.facts.broken == ()


def test_a_split_of_wcxb(tmp_path: Path) -> None:
    gold: dict[str, Any] = {"main_content": TEXT, "title": "Light", "author": "Kim Sol", "publish_date": "2025-05-01"}
    gold |= {"with": ["lamp"], "without": ["Home"]}
    inner = {"page_type": {"primary": "article", "tags": []}}
    put(tmp_path / "dev/ground-truth/0001.json", {"url": "https://a/", "ground_truth": gold, "_internal": inner})
    put(tmp_path / "dev/html/0001.html.gz", gzip.compress(HTML.encode()))
    put(tmp_path / "dev/ground-truth/0002.json", {"ground_truth": {"main_content": ""}})
    put(tmp_path / "dev/html/0002.html", HTML)
    dataset = read_dataset(tmp_path / "dev")
    assert (dataset.name, dataset.form) == ("dev", "wcxb")
    first = Example("0001", HTML, TEXT, "https://a/", None, "Light", "Kim Sol", "2025-05-01", "article", "CC-BY-4.0")
    assert list(dataset) == [
        replace(first, wanted=("lamp",), unwanted=("Home",)),
        Example("0002", HTML, "", license="CC-BY-4.0"),
    ]
    assert dataset.facts.broken == ()


def test_a_checkout_of_scrapinghub(tmp_path: Path) -> None:
    put(
        tmp_path / "bench/ground-truth.json",
        {"b2": {"articleBody": TEXT, "url": "https://b/"}, "a1": {"articleBody": ""}},
    )
    for name in ("a1", "b2"):
        put(tmp_path / f"bench/html/{name}.html.gz", gzip.compress(HTML.encode()))
    dataset = read_dataset(tmp_path / "bench")
    assert (dataset.name, dataset.form) == ("bench", "scrapinghub")
    assert list(dataset) == [Example("b2", HTML, TEXT, "https://b/"), Example("a1", HTML, "")]
    assert dataset.facts.broken == ()


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
    assert (dataset.name, dataset.form) == ("ce", "cleaneval")
    assert list(dataset) == [
        Example("1", HTML, CLEAN, "http://example.org/1", lang),
        Example("22", HTML, "No address.\nHere", None, lang),
        Example("3", HTML, "", None, lang),
    ]
    assert dataset.facts.broken == ()


def test_a_line_without_an_address_takes_nothing_from_the_gold(tmp_path: Path) -> None:
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
    put(tmp_path / "tests/eval/b.html", "<p>of two, the one in cache/ counts")
    dataset = read_dataset(tmp_path / place)
    assert (dataset.name, dataset.form) == ("tests", "trafilatura")
    assert list(dataset) == [
        Example("https://b/", HTML, None, "https://b/", license="CC0", wanted=("lamp",), unwanted=("Home",)),
        Example("https://a/", "<p>six", None, "https://a/", wanted=("six",)),
    ]
    assert dataset.facts.broken == ()


def test_folders_of_pages(tmp_path: Path) -> None:
    facts: dict[str, Any] = {
        "language": "en",
        "url": "https://a/",
        "title": "Light",
        "author": "Kim Sol",
        "date": "2025-05-01",
    }
    facts |= {"kind": "article", "license": "CC0", "site_name": "News", "comments": ["So it was."]}
    put(tmp_path / "pages/b/source.html", HTML), put(tmp_path / "pages/b/gold.txt", f"{TEXT}\n")
    put(tmp_path / "pages/a/source.html", HTML), put(tmp_path / "pages/a/gold.txt", " \n")
    put(tmp_path / "pages/b/gold.json", facts), put(tmp_path / "pages/README.md", "no page")
    dataset = read_dataset(tmp_path / "pages")
    assert (dataset.name, dataset.form) == ("pages", "folders")
    assert list(dataset) == [
        Example("a", HTML, ""),
        Example("b", HTML, f"{TEXT}\n", "https://a/", "en", "Light", "Kim Sol", "2025-05-01", "article", "CC0"),
    ]
    assert dataset.facts.broken == ()


def test_a_set_is_named_by_the_folder_it_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "mine/a/source.html", HTML), put(tmp_path / "mine/a/gold.txt", TEXT)
    monkeypatch.chdir(tmp_path / "mine")
    assert {read_dataset(place).name for place in (".", "../mine/", "a/..")} == {"mine"}


# --- what a value may be ---------------------------------------------------------------------------------------------


def test_what_is_null_or_empty_is_unknown(tmp_path: Path) -> None:
    empty = dict.fromkeys("url lang title author date kind license".split(), "")
    null = dict.fromkeys([*FULL.keys() - ROW.keys()])
    dataset = saved(tmp_path, ROW | empty | {"wanted": [], "cov": None}, ROW | null | {"id": "b"})
    assert list(dataset) == [Example("a", HTML, TEXT), Example("b", HTML, TEXT)]


def test_an_empty_text_is_a_gold(tmp_path: Path) -> None:
    assert list(saved(tmp_path, ROW | {"text": ""})) == [Example("a", HTML, "")]


def test_snippets_do_without_a_text(tmp_path: Path) -> None:
    dataset = saved(tmp_path, {"id": "a", "html": HTML, "text": None, "unwanted": ["", "Home", " "]})
    assert list(dataset) == [Example("a", HTML, None, unwanted=("Home",))]


def test_snippets_of_nothing_but_blanks_are_none(tmp_path: Path) -> None:
    facts = saved(tmp_path, {"id": "a", "html": HTML, "wanted": [" "], "unwanted": [""]}).facts
    assert [broken.name for broken in facts.broken] == ["line 1, a"]


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\reight"
    row = ROW | {"html": f"<p>{text}", "text": text}
    data = "\n\n".join(json.dumps(row | {"id": name}, ensure_ascii=False) for name in "ab").encode()
    for ending, pack in PACK.items():
        dataset = read_dataset(put(tmp_path / f"set.jsonl{ending}", pack(data.replace(b"\n", b"\r\n"))))
        assert list(dataset) == [Example(name, f"<p>{text}", text) for name in "ab"]
        assert dataset.facts.broken == ()


def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    assert list(saved(tmp_path, b"\xef\xbb\xbf" + lines(ROW).strip())) == [Example("a", HTML, TEXT)]


def test_characters_that_are_half_of_one_have_a_hash(tmp_path: Path) -> None:
    dataset = saved(tmp_path, rb'{"id": "\ud800", "html": "\udfff", "text": "\ud800", "wanted": ["\ud800"]}')
    assert list(dataset) == [Example("\ud800", "\udfff", "\ud800", wanted=("\ud800",))]
    assert dataset.facts.count == 1


def test_a_set_can_be_read_again_and_again(tmp_path: Path) -> None:
    dataset = saved(tmp_path, *rows(3))
    once, again = iter(dataset), iter(dataset)
    assert next(once).id == next(again).id == "0"
    assert [found.id for found in once] == ["1", "2"]
    assert ids(dataset) == ids(dataset) == ["0", "1", "2"]


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


def folders(folder: Path, name: str, page: bytes | None, gold: str | None) -> None:
    if gold is not None:
        put(folder / f"{name}/gold.txt", gold)
    if page is not None:
        put(folder / f"{name}/source.html", page)


Put = Callable[[Path, str, bytes | None, str | None], None]
PACKED: list[Put] = [wcxb, scrapinghub, cleaneval, trafilatura]
on_every_form = pytest.mark.parametrize("form", [*PACKED, folders])


def packed(form: Put, page: bytes) -> bytes:
    return page if form is folders else gzip.compress(page)


@on_every_form
@pytest.mark.parametrize("head", ["", "<meta charset=euc-kr>"])
def test_pages_are_read_in_their_own_encoding(tmp_path: Path, form: Put, head: str) -> None:
    html = f"{head}<title>등대</title><p>{KOREAN}</p>"
    form(tmp_path, "a", packed(form, html.encode("cp949")), KOREAN)
    assert [found.html for found in read_dataset(tmp_path)] == [html]


@pytest.mark.parametrize("form", [cleaneval, folders])
@pytest.mark.parametrize("encoding", ["cp949", "utf-8", "utf-8-sig", "utf-16"])
def test_golds_are_read_in_their_own_encoding(tmp_path: Path, form: Put, encoding: str) -> None:
    form(tmp_path, "a", packed(form, HTML.encode()), "")
    gold = "GoldStandard/a.txt" if form is cleaneval else "a/gold.txt"
    put(tmp_path / gold, f"등대\r\n{KOREAN}".encode(encoding))
    assert [found.text for found in read_dataset(tmp_path)] == [f"등대\n{KOREAN}"]


BAD_PAGES = {
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "PDF"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "JSON": (b'{"html": "<p>text</p>"}', "JSON"),
    "empty": (b"", "empty"),
    "white space": (b" \n\t", "empty"),
    "undecodable": (bytes(range(1, 32)) * 40, "encoding"),
}
BAD_FILES = [
    pytest.param(HTML.encode(), id="not gzip"),
    pytest.param(gzip.compress(HTML.encode())[:-12], id="cut"),
    pytest.param(gzip.compress(HTML.encode())[:-8] + bytes(8), id="wrong sum"),
    pytest.param(gzip.compress(HTML.encode())[:10] + b"\xff" * 50, id="broken data"),
]


def check_one_is_bad(folder: Path, says: str = "") -> Broken:
    """Check that of a set only the page `bad` cannot be used; gives what is said of it."""
    dataset = read_dataset(folder)
    assert [re.sub(r"https://(.+)/", r"\1", name) for name in ids(dataset)] == ["a", "c"]
    assert dataset.facts.count == 2
    (broken,) = dataset.facts.broken
    assert "bad" in broken.name
    assert says in broken.reason
    return broken


@on_every_form
@pytest.mark.parametrize(("page", "says"), BAD_PAGES.values(), ids=BAD_PAGES)
def test_a_page_that_is_none_is_named_and_the_rest_is_read(tmp_path: Path, form: Put, page: bytes, says: str) -> None:
    for name in ("a", "c"):
        form(tmp_path, name, packed(form, HTML.encode()), TEXT)
    form(tmp_path, "bad", packed(form, page), TEXT)
    check_one_is_bad(tmp_path, says)


@pytest.mark.parametrize("form", PACKED)
@pytest.mark.parametrize("data", BAD_FILES)
def test_a_damaged_file_is_named_and_the_rest_is_read(tmp_path: Path, form: Put, data: bytes) -> None:
    for name, page in {"a": packed(form, HTML.encode()), "bad": data, "c": packed(form, HTML.encode())}.items():
        form(tmp_path, name, page, TEXT)
    check_one_is_bad(tmp_path, "cannot be read: ")


def test_a_damaged_page_in_xz_is_named(tmp_path: Path) -> None:
    table = {f"https://{name}/": {"file": f"{name}.html.xz", "with": [TEXT]} for name in ("a", "bad", "c")}
    put(tmp_path / "evaldata.json", table)
    for name, data in {"a": lzma.compress(HTML.encode()), "bad": b"no xz", "c": lzma.compress(HTML.encode())}.items():
        put(tmp_path / f"cache/{name}.html.xz", data)
    check_one_is_bad(tmp_path, "cannot be read: ")


@on_every_form
def test_a_gold_without_a_page_is_named(tmp_path: Path, form: Put) -> None:
    for name in ("a", "bad", "c"):
        form(tmp_path, name, None if name == "bad" else packed(form, HTML.encode()), TEXT)
    check_one_is_bad(tmp_path)


@pytest.mark.parametrize("form", [wcxb, scrapinghub, cleaneval, folders])
def test_a_page_without_gold_is_named(tmp_path: Path, form: Put) -> None:
    for name in ("a", "bad", "c"):
        form(tmp_path, name, packed(form, HTML.encode()), None if name == "bad" else TEXT)
    check_one_is_bad(tmp_path)


@pytest.mark.parametrize("form", [cleaneval, folders])
def test_a_gold_that_is_no_text_is_named(tmp_path: Path, form: Put) -> None:
    for name in ("a", "bad", "c"):
        form(tmp_path, name, packed(form, HTML.encode()), TEXT)
    gold = "GoldStandard/bad.txt" if form is cleaneval else "bad/gold.txt"
    put(tmp_path / gold, bytes(range(1, 32)) * 40)
    check_one_is_bad(tmp_path, "encoding")


def test_one_of_two_golds_of_a_page_is_named(tmp_path: Path) -> None:
    put(tmp_path / "input/1.html", HTML)
    put(tmp_path / "GoldStandard/1.txt", "one"), put(tmp_path / "GoldStandard/1-cleaned.txt", "two")
    assert len(read_dataset(tmp_path).facts.broken) == 1


@pytest.mark.parametrize("form", [scrapinghub, trafilatura])
def test_a_name_that_no_file_can_have_is_named(tmp_path: Path, form: Put) -> None:
    for name in ("a", "bad" * 100, "c"):
        form(tmp_path, name, None if "bad" in name else packed(form, HTML.encode()), TEXT)
    check_one_is_bad(tmp_path)


NO_GOLD = "no text, so there is nothing to compare with"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("no JSON", "no JSON: "),
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
def test_a_record_of_wcxb_that_cannot_be_used_is_named(tmp_path: Path, content: str, says: str) -> None:
    for name in ("a", "bad", "c"):
        wcxb(tmp_path, name, gzip.compress(HTML.encode()), TEXT)
    put(tmp_path / "ground-truth/bad.json", content)
    assert check_one_is_bad(tmp_path, says).name in ("bad", "bad.json")


@pytest.mark.parametrize(
    "inner", [None, [], {}, {"page_type": None}, {"page_type": {}}, {"page_type": {"primary": ""}}]
)
def test_a_page_of_wcxb_may_be_of_no_kind(tmp_path: Path, inner: Any) -> None:
    put(tmp_path / "ground-truth/1.json", {"ground_truth": {"main_content": TEXT}, "_internal": inner})
    put(tmp_path / "html/1.html", HTML)
    assert [found.kind for found in read_dataset(tmp_path)] == [None]


@pytest.mark.parametrize(
    ("value", "says"),
    [([], "not an object"), ("x", "not an object"), ({}, NO_GOLD), ({"articleBody": 1}, "text is not")],
)
def test_a_record_of_scrapinghub_that_cannot_be_used_is_named(tmp_path: Path, value: Any, says: str) -> None:
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
def test_a_record_of_trafilatura_that_cannot_be_used_is_named(tmp_path: Path, value: Any, says: str) -> None:
    for name in ("a", "c"):
        trafilatura(tmp_path, name, gzip.compress(HTML.encode()), TEXT)
    table = json.loads((tmp_path / "evaldata.json").read_bytes())
    put(tmp_path / "evaldata.json", table | {"https://bad/": value})
    check_one_is_bad(tmp_path, says)


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ("{", "no JSON: "),
        ("[]", "not an object"),
        ('{"language": 1}', "lang is not"),
        ('{"title": []}', "title is not"),
    ],
)
def test_facts_of_a_folder_that_cannot_be_used_are_named(tmp_path: Path, facts: str, says: str) -> None:
    for name in ("a", "bad", "c"):
        folders(tmp_path, name, HTML.encode(), TEXT)
    put(tmp_path / "bad/gold.json", facts)
    assert check_one_is_bad(tmp_path, says).name == "bad"


@pytest.mark.parametrize("name", ["ground-truth.json", "evaldata.json"])
@pytest.mark.parametrize("content", ["no JSON", "[]", "", b"\xff"])
def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: str | bytes) -> None:
    facts = read_dataset(put(tmp_path / name, content).parent).facts
    assert (facts.count, [broken.name for broken in facts.broken]) == (0, [name])


# --- lines that cannot be used ---------------------------------------------------------------------------------------


X = ROW | {"id": "x"}
NO_STRINGS: tuple[object, ...] = (1, ["x"], False)
NO_LISTS: tuple[object, ...] = ("lamp", [1], {"lamp": 1}, ["lamp", None], True)
NO_NUMBERS: tuple[object, ...] = ("1", True, [1.0], {})
BAD_LINES: dict[str, tuple[Any, str]] = {
    "no JSON": (b"no JSON", "no JSON: "),
    "half a line": (lines(FULL)[:40], "no JSON: "),
    "two rows": (b"{} {}", "no JSON: "),
    "not UTF-8": (lines(ROW).strip().replace(b"lamp", b"l\xffmp"), "no JSON: "),
    "digits without end": (b'{"id": "a", "cov": ' + b"9" * 5000 + b"}", "no JSON: "),
    "a list": (b"[]", "not an object"),
    "a string": (b'"a"', "not an object"),
    "null": (b"null", "not an object"),
    "no id": ({"html": HTML, "text": TEXT}, "id"),
    "an empty id": (X | {"id": ""}, "id"),
    "an id that is no name": (X | {"id": 7.5}, "id"),
    "no html": ({"id": "x", "text": TEXT}, "html"),
    "html that is null": (X | {"html": None}, "html"),
    "html that is no string": (X | {"html": ["<p>"]}, "html"),
    "no text": ({"id": "x", "html": HTML}, NO_GOLD),
    "text that is null": (X | {"text": None}, NO_GOLD),
    "no text and no snippets": ({"id": "x", "html": HTML, "wanted": [], "unwanted": None}, NO_GOLD),
    **{
        f"{key} that is {value}": (X | {key: value}, f"{key} is not a string")
        for key in "text url lang title author date kind license".split()
        for value in NO_STRINGS
    },
    **{
        f"{key} that is {value}": (X | {key: value}, f"{key} is not a list of strings")
        for key in ("wanted", "unwanted")
        for value in NO_LISTS
    },
    **{f"cov that is {value}": (X | {"cov": value}, "cov is not a number") for value in NO_NUMBERS},
}


@pytest.mark.parametrize(("row", "says"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_cannot_be_used_is_named_and_the_rest_is_read(tmp_path: Path, row: Any, says: str) -> None:
    good = rows(2)
    dataset = saved(tmp_path, good[0], row, good[1])
    assert ids(dataset) == ["0", "1"]
    assert dataset.facts.count == 2
    (broken,) = dataset.facts.broken
    known = isinstance(row, dict) and row.get("id") == "x"
    assert broken.name == ("line 2, x" if known else "line 2")
    assert says in broken.reason
    assert str(broken) == f"{broken.name}: {broken.reason}"


def test_a_number_is_a_name_too(tmp_path: Path) -> None:
    assert ids(saved(tmp_path, X | {"id": 7})) == ["7"]


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"id": ' * 100_000], ids=["list", "object"])
def test_a_line_that_is_nested_without_end_is_named(tmp_path: Path, data: bytes) -> None:
    dataset = saved(tmp_path, ROW, data)
    assert (dataset.facts.count, [broken.name for broken in dataset.facts.broken]) == (1, ["line 2"])


def test_of_two_records_of_one_id_the_first_counts(tmp_path: Path) -> None:
    dataset = saved(tmp_path, ROW, ROW | {"text": "other"}, ROW | {"id": "b"}, ROW)
    assert list(dataset) == [Example("a", HTML, TEXT), Example("b", HTML, TEXT)]
    assert [broken.name for broken in dataset.facts.broken] == ["a", "a"]
    assert dataset.facts.count == 2


def test_every_line_is_told_apart(tmp_path: Path) -> None:
    dataset = saved(tmp_path, b"", b"one", ROW, b" ", b"[]", {"id": "x"})
    assert ids(dataset) == ["a"]
    assert [broken.name for broken in dataset.facts.broken] == ["line 2", "line 5", "line 6, x"]


ALL = lines(*rows(200))
DAMAGED = [
    pytest.param(".gz", gzip.compress(ALL)[:-400], id="gz that is cut"),
    pytest.param(".xz", lzma.compress(ALL)[:-400], id="xz that is cut"),
    pytest.param(".gz", gzip.compress(ALL)[:-8] + bytes(8), id="gz with a wrong sum"),
    pytest.param(".xz", lzma.compress(ALL)[:-12] + bytes(12), id="xz with a wrong end"),
    pytest.param(".gz", gzip.compress(ALL) + b"and more", id="gz and more"),
]
NOTHING = [
    pytest.param(".gz", ALL, id="no gz"),
    pytest.param(".xz", ALL, id="no xz"),
    pytest.param(".gz", gzip.compress(ALL)[:10] + b"\xff" * 50, id="gz with broken data"),
    pytest.param(".xz", lzma.compress(ALL)[:24] + b"\xff" * 50, id="xz with broken data"),
]


@pytest.mark.parametrize(("ending", "data"), DAMAGED)
def test_a_damaged_file_is_read_as_far_as_it_goes(tmp_path: Path, ending: str, data: bytes) -> None:
    dataset = read_dataset(put(tmp_path / f"set.jsonl{ending}", data))
    count = dataset.facts.count
    assert 100 < count <= 200
    assert ids(dataset) == [str(number) for number in range(count)]
    assert [broken.name for broken in dataset.facts.broken] == [f"after line {count}"]
    assert dataset.facts.broken[0].reason.startswith("the file is damaged: ")


@pytest.mark.parametrize(("ending", "data"), NOTHING)
def test_a_file_that_is_not_what_its_name_says_is_told(tmp_path: Path, ending: str, data: bytes) -> None:
    facts = read_dataset(put(tmp_path / f"set.jsonl{ending}", data)).facts
    assert (facts.count, [broken.name for broken in facts.broken]) == (0, ["after line 0"])


def test_an_empty_file_is_a_set_of_nothing(tmp_path: Path) -> None:
    dataset = saved(tmp_path)
    assert (list(dataset), dataset.facts.count, dataset.facts.broken) == ([], 0, ())
    assert list(read_dataset(dataset.path, limit=3)) == []


# --- facts -----------------------------------------------------------------------------------------------------------


def test_what_is_in_a_set_is_counted(tmp_path: Path) -> None:
    facts = saved(
        tmp_path,
        FULL,
        FULL | {"id": "b", "lang": "ko", "kind": "forum"},
        FULL | {"id": "b"},
        ROW | {"id": "c", "lang": "ko"},
        b"{",
    ).facts
    assert facts.count == 3
    assert facts.languages == {"en": 1, "ko": 2}
    assert facts.kinds == {"article": 1, "forum": 1, "unknown": 1}
    assert facts.licences == {"CC0-1.0": 2, "unknown": 1}
    assert [broken.name for broken in facts.broken] == ["b", "line 5"]


def test_the_hash_does_not_depend_on_how_a_set_is_packed(tmp_path: Path) -> None:
    table = [ROW, ROW | {"id": "b", "title": "Light", "lang": "ko"}]
    hashes = {
        read_dataset(put(tmp_path / f"set.jsonl{ending}", pack(lines(*table)))).facts.hash
        for ending, pack in PACK.items()
    }
    hashes.add(saved(tmp_path / "keys", *(dict(reversed(row.items())) for row in table)).facts.hash)
    hashes.add(saved(tmp_path / "broken", table[0], b"no JSON", table[1], table[0]).facts.hash)
    for row in table:
        folders(tmp_path / "folders", row["id"], HTML.encode("utf-8-sig"), TEXT)
    put(tmp_path / "folders/b/gold.json", {"title": "Light"})
    hashes.add(read_dataset(tmp_path / "folders").facts.hash)
    assert len(hashes) == 1
    assert re.fullmatch("[0-9a-f]{16}", hashes.pop())


OTHER: dict[str, dict[str, Any]] = {
    "html": FULL | {"html": HTML + " "},
    "text": FULL | {"text": TEXT + " "},
    "no text": FULL | {"text": None},
    "an empty text": FULL | {"text": ""},
    "id": FULL | {"id": "c"},
    "url": FULL | {"url": "https://example.org/b"},
    "title": FULL | {"title": "Lights"},
    "author": FULL | {"author": None},
    "date": FULL | {"date": "2025-05-02"},
    "a fact under another name": FULL | {"author": "2025-05-01", "date": "Kim Sol"},
    "wanted": FULL | {"wanted": ["lam", "p"]},
    "wanted and unwanted": FULL | {"wanted": ["lamp", "Home"], "unwanted": ["Sea"]},
    "a page that ends in the url": FULL | {"html": HTML + "https", "url": "://example.org/a"},
}


@pytest.mark.parametrize("changed", OTHER.values(), ids=OTHER)
def test_the_hash_depends_on_pages_and_golds(tmp_path: Path, changed: dict[str, Any]) -> None:
    second = ROW | {"id": "b"}
    hashes = [saved(tmp_path, first, second).facts.hash for first in (FULL, changed)]
    assert hashes[0] != hashes[1]


def test_the_hash_depends_on_the_order_and_on_every_page(tmp_path: Path) -> None:
    a, b = ROW, ROW | {"id": "b"}
    assert len({saved(tmp_path, *table).facts.hash for table in ([a, b], [b, a], [a], [b], [])}) == 5


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (None, range(10)),
        (100, range(10)),
        (10, range(10)),
        (9, [0, *range(2, 10)]),
        (5, range(0, 10, 2)),
        (3, [0, 4, 7]),
        (2, [0, 5]),
        (1, [0]),
    ],
)
def test_a_limit_takes_pages_evenly_from_all_of_the_set(
    tmp_path: Path, limit: int | None, expected: list[int] | range
) -> None:
    path = saved(tmp_path, b"no JSON", *rows(10), rows(1)[0]).path
    dataset = read_dataset(path, limit=limit)
    assert ids(dataset) == [str(number) for number in expected]
    assert dataset.facts.count == len(expected)
    assert [broken.name for broken in dataset.facts.broken] == ["line 1", "0"]  # are told all the same


@pytest.mark.parametrize("limit", range(1, 12))
def test_a_limit_takes_just_so_many_pages(tmp_path: Path, limit: int) -> None:
    found = [int(name) for name in ids(read_dataset(saved(tmp_path, *rows(11)).path, limit))]
    gaps = {after - before for before, after in zip(found, [*found[1:], 11], strict=True)}
    assert (len(found), found[0]) == (limit, 0)
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_nothing_is_refused(tmp_path: Path, limit: int) -> None:
    with pytest.raises(BadConfig, match=f"limit of {limit} pages"):
        read_dataset(saved(tmp_path, ROW).path, limit=limit)


# --- what is no set --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.jsonl", "there is no such file or folder"),
        ("missing/", "there is no such file or folder"),
        ("set.jsonl/x", "there is no such file or folder"),
        ("set.json", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("set.jsonl.zst", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("page.html", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("empty", "no set of a known form"),
        ("pages", "no set of a known form"),
        ("golds", "no set of a known form"),
        ("wcxb", "give one, such as"),
        ("a" * 300, "there is no such file or folder"),
    ],
)
def test_what_is_no_set_is_refused(tmp_path: Path, name: str, says: str) -> None:
    for file in ("set.jsonl", "set.json", "set.jsonl.zst", "page.html", "pages/input/1.html", "golds/gold/1.txt"):
        put(tmp_path / file, lines(ROW))
    put(tmp_path / "wcxb/dev/ground-truth/1.json", {})
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadConfig) as caught:
        read_dataset(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert says in str(caught.value)
    assert str(caught.value).endswith(".") or says.startswith("give one")


# --- any set ---------------------------------------------------------------------------------------------------------

WORDS = st.text(max_size=20)
KNOWN = st.none() | st.text(min_size=1, max_size=10)
SNIPPETS = st.lists(WORDS.filter(str.strip), max_size=2).map(tuple)
EXAMPLES = st.builds(
    Example,
    id=st.text(min_size=1, max_size=5),
    html=WORDS,
    text=st.none() | WORDS,
    url=KNOWN,
    lang=KNOWN,
    title=KNOWN,
    author=KNOWN,
    date=KNOWN,
    kind=KNOWN,
    license=KNOWN,
    cov=st.none() | st.floats(0, 1) | st.integers(0, 1),
    wanted=SNIPPETS,
    unwanted=SNIPPETS,
).filter(lambda found: found.text is not None or found.wanted or found.unwanted)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sets")


@given(st.lists(EXAMPLES, max_size=4, unique_by=lambda found: found.id), st.sampled_from([*PACK]), st.booleans())
def test_examples_that_are_written_as_lines_come_back(
    folder: Path, examples: list[Example], ending: str, ascii_: bool
) -> None:
    data = "".join(f"{json.dumps(asdict(found), ensure_ascii=ascii_)}\n" for found in examples).encode()
    dataset = read_dataset(put(folder / f"any.jsonl{ending}", PACK[ending](data)))
    assert list(dataset) == examples
    assert (dataset.facts.count, dataset.facts.broken) == (len(examples), ())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from([*FULL]) | WORDS, inner, max_size=9),
)


@given(
    st.binary(max_size=60)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.fixed_dictionaries({key: st.just(value) | VALUES for key, value in ROW.items()}).map(
        lambda row: json.dumps(row).encode()
    )
)
@example(b"")
@example(b"\xff\xfe{\0}\0")
@example(b"\n\r\n\x0b\n{}\n")
@example(b'{"id": "a", "html": "", "text": "", "cov": NaN}')
def test_no_line_is_left_out_and_none_stops_the_rest(folder: Path, data: bytes) -> None:
    dataset = read_dataset(put(folder / "bytes.jsonl", data + b"\n" + lines(ROW | {"id": "the last one"})))
    assert ids(dataset)[-1] == "the last one"
    facts = dataset.facts
    assert facts.count + len(facts.broken) == 1 + sum(bool(line.strip()) for line in data.split(b"\n"))
