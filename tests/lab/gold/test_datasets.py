"""Labelled sets: the values of a record, the summary of a set, broken records, and limits."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest
from gold_sets import FULL, HTML, NO_GOLD, PACK, ROW, TEXT, folders, ids, lines, put, rows, saved
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun.errors import BadConfig
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example

if TYPE_CHECKING:
    from pathlib import Path


# --- values of a record ----------------------------------------------------------------------------------------------


def test_null_and_empty_values_are_unknown(tmp_path: Path) -> None:
    empty = dict.fromkeys("url lang title author date kind license".split(), "")
    null = dict.fromkeys([*FULL.keys() - ROW.keys()])
    dataset = saved(tmp_path, ROW | empty | {"wanted": [], "cov": None}, ROW | null | {"id": "b"})
    assert list(dataset) == [Example("a", HTML, TEXT), Example("b", HTML, TEXT)]


def test_an_empty_text_is_a_valid_gold(tmp_path: Path) -> None:
    assert list(saved(tmp_path, ROW | {"text": ""})) == [Example("a", HTML, "")]


def test_snippets_need_no_text(tmp_path: Path) -> None:
    dataset = saved(tmp_path, {"id": "a", "html": HTML, "text": None, "unwanted": ["", "Home", " "]})
    assert list(dataset) == [Example("a", HTML, None, unwanted=("Home",))]


def test_required_lines_need_no_text(tmp_path: Path) -> None:
    dataset = saved(tmp_path, {"id": "a", "html": HTML, "must": ["lamp", "", "six"]})
    assert list(dataset) == [Example("a", HTML, None, must=("lamp", "six"))]


def test_markdown_becomes_plain_text(tmp_path: Path) -> None:
    row = {"id": "a", "html": HTML, "markdown": "# The *lamp*\n\n![x](y) was [lit](z)."}
    written = str(row["markdown"])
    assert list(saved(tmp_path, row)) == [Example("a", HTML, "The lamp\nwas lit.", markdown=written)]
    assert list(saved(tmp_path, row | {"text": TEXT})) == [Example("a", HTML, TEXT, markdown=written)]
    assert list(saved(tmp_path, row | {"text": None, "markdown": ""})) == [Example("a", HTML, "", markdown="")]


def test_markdown_is_part_of_the_gold() -> None:
    golds = [Example("a", HTML, "x", markdown=markdown) for markdown in (None, "", "x", "*x*")]
    assert len({gold.gold_hash for gold in golds}) == 4
    assert len({gold.page_hash for gold in golds}) == 1


def test_records_of_webmainbench(tmp_path: Path) -> None:
    marked = '<p cc-select="true" id=a>Lamp</p><b CC-SELECT=\'true\'>lit</b> the word cc-select="true"'
    row: dict[str, Any] = {
        "track_id": "7",
        "url": "https://example.org/",
        "html": marked,
        "convert_main_content": "x",
        "main_html": "y",
    }
    row |= {"meta": {"language": "en", "style": "Article", "level": "mid"}, "groundtruth_content": "# Lamp"}
    bare = "<p id=a>Lamp</p><b>lit</b> the word"  # the marks would give the gold away
    wanted = Example("7", bare, "Lamp", "https://example.org/", "en", kind="Article", markdown="# Lamp")
    assert list(saved(tmp_path, row)) == [wanted]
    del row["groundtruth_content"]
    assert [example.markdown for example in saved(tmp_path, row | {"meta": None})] == ["x"]
    del row["convert_main_content"]
    [broken] = saved(tmp_path, row).summary.broken
    assert broken.lacks_gold
    assert "html" in str(saved(tmp_path, row | {"html": None}).summary.broken[0])


def test_blank_snippets_are_ignored(tmp_path: Path) -> None:
    summary = saved(tmp_path, {"id": "a", "html": HTML, "wanted": [" "], "unwanted": [""]}).summary
    assert [broken.name for broken in summary.broken] == ["line 1, a"]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\reight"
    row = ROW | {"html": f"<p>{text}", "text": text}
    data = "\n\n".join(json.dumps(row | {"id": name}, ensure_ascii=False) for name in "ab").encode()
    for ending, pack in PACK.items():
        dataset = read_dataset(put(tmp_path / f"set.jsonl{ending}", pack(data.replace(b"\n", b"\r\n"))))
        assert list(dataset) == [Example(name, f"<p>{text}", text) for name in "ab"]
        assert dataset.summary.broken == ()


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    assert list(saved(tmp_path, b"\xef\xbb\xbf" + lines(ROW).strip())) == [Example("a", HTML, TEXT)]


def test_lone_surrogates_can_be_hashed(tmp_path: Path) -> None:
    dataset = saved(tmp_path, rb'{"id": "\ud800", "html": "\udfff", "text": "\ud800", "wanted": ["\ud800"]}')
    assert list(dataset) == [Example("\ud800", "\udfff", "\ud800", wanted=("\ud800",))]
    assert dataset.summary.count == 1


def test_a_set_can_be_iterated_repeatedly(tmp_path: Path) -> None:
    dataset = saved(tmp_path, *rows(3))
    once, again = iter(dataset), iter(dataset)
    assert next(once).id == next(again).id == "0"
    assert [found.id for found in once] == ["1", "2"]
    assert ids(dataset) == ids(dataset) == ["0", "1", "2"]


# --- broken lines ----------------------------------------------------------------------------------------------------


X = ROW | {"id": "x"}
NOT_STRINGS: tuple[object, ...] = (1, ["x"], False)
NOT_LISTS: tuple[object, ...] = ("lamp", [1], {"lamp": 1}, ["lamp", None], True)
NOT_NUMBERS: tuple[object, ...] = ("1", True, [1.0], {})
BAD_LINES: dict[str, tuple[Any, str]] = {
    "no JSON": (b"no JSON", "invalid JSON: "),
    "half a line": (lines(FULL)[:40], "invalid JSON: "),
    "two rows": (b"{} {}", "invalid JSON: "),
    "not UTF-8": (lines(ROW).strip().replace(b"lamp", b"l\xffmp"), "invalid JSON: "),
    "too many digits": (b'{"id": "a", "cov": ' + b"9" * 5000 + b"}", "invalid JSON: "),
    "a list": (b"[]", "not an object"),
    "a string": (b'"a"', "not an object"),
    "null": (b"null", "not an object"),
    "no id": ({"html": HTML, "text": TEXT}, "id"),
    "an empty id": (X | {"id": ""}, "id"),
    "an id that is not a string": (X | {"id": 7.5}, "id"),
    "no html": ({"id": "x", "text": TEXT}, "html"),
    "html that is null": (X | {"html": None}, "html"),
    "html that is not a string": (X | {"html": ["<p>"]}, "html"),
    "no text": ({"id": "x", "html": HTML}, NO_GOLD),
    "text that is null": (X | {"text": None}, NO_GOLD),
    "no text and no snippets": ({"id": "x", "html": HTML, "wanted": [], "unwanted": None, "must": [" "]}, NO_GOLD),
    **{
        f"{key} that is {value}": (X | {key: value}, f"{key} is not a string")
        for key in "text markdown url lang title author date kind license".split()
        for value in NOT_STRINGS
    },
    **{
        f"{key} that is {value}": (X | {key: value}, f"{key} is not a list of strings")
        for key in ("wanted", "unwanted", "must")
        for value in NOT_LISTS
    },
    **{f"cov that is {value}": (X | {"cov": value}, "cov is not a number") for value in NOT_NUMBERS},
}


@pytest.mark.parametrize(("row", "says"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_broken_line_is_reported_and_the_rest_is_read(tmp_path: Path, row: Any, says: str) -> None:
    good = rows(2)
    dataset = saved(tmp_path, good[0], row, good[1])
    assert ids(dataset) == ["0", "1"]
    assert dataset.summary.count == 2
    (broken,) = dataset.summary.broken
    known = isinstance(row, dict) and row.get("id") == "x"
    assert broken.name == ("line 2, x" if known else "line 2")
    assert says in broken.reason
    assert broken.lacks_gold == (says == NO_GOLD)
    assert str(broken) == f"{broken.name}: {broken.reason}"


def test_an_id_may_be_a_number(tmp_path: Path) -> None:
    assert ids(saved(tmp_path, X | {"id": 7})) == ["7"]


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"id": ' * 100_000], ids=["list", "object"])
def test_deeply_nested_json_is_reported(tmp_path: Path, data: bytes) -> None:
    dataset = saved(tmp_path, ROW, data)
    assert (dataset.summary.count, [broken.name for broken in dataset.summary.broken]) == (1, ["line 2"])


def test_only_the_first_record_of_an_id_is_used(tmp_path: Path) -> None:
    dataset = saved(tmp_path, ROW, ROW | {"text": "other"}, ROW | {"id": "b"}, ROW)
    assert list(dataset) == [Example("a", HTML, TEXT), Example("b", HTML, TEXT)]
    assert [broken.name for broken in dataset.summary.broken] == ["a", "a"]
    assert dataset.summary.count == 2


def test_broken_lines_are_named_by_their_number(tmp_path: Path) -> None:
    dataset = saved(tmp_path, b"", b"one", ROW, b" ", b"[]", {"id": "x"})
    assert ids(dataset) == ["a"]
    assert [broken.name for broken in dataset.summary.broken] == ["line 2", "line 5", "line 6, x"]


ALL = lines(*rows(200))
DAMAGED = [
    pytest.param(".gz", gzip.compress(ALL)[:-400], id="truncated gz"),
    pytest.param(".xz", lzma.compress(ALL)[:-400], id="truncated xz"),
    pytest.param(".gz", gzip.compress(ALL)[:-8] + bytes(8), id="gz with a wrong checksum"),
    pytest.param(".xz", lzma.compress(ALL)[:-12] + bytes(12), id="xz with a wrong end"),
    pytest.param(".gz", gzip.compress(ALL) + b"and more", id="gz with trailing data"),
]
UNREADABLE = [
    pytest.param(".gz", ALL, id="not gz"),
    pytest.param(".xz", ALL, id="not xz"),
    pytest.param(".gz", gzip.compress(ALL)[:10] + b"\xff" * 50, id="gz with broken data"),
    pytest.param(".xz", lzma.compress(ALL)[:24] + b"\xff" * 50, id="xz with broken data"),
]


@pytest.mark.parametrize(("ending", "data"), DAMAGED)
def test_a_damaged_file_is_read_up_to_the_damage(tmp_path: Path, ending: str, data: bytes) -> None:
    dataset = read_dataset(put(tmp_path / f"set.jsonl{ending}", data))
    count = dataset.summary.count
    assert 100 < count <= 200
    assert ids(dataset) == [str(number) for number in range(count)]
    assert [broken.name for broken in dataset.summary.broken] == [f"after line {count}"]
    assert dataset.summary.broken[0].reason.startswith("the file is damaged: ")


@pytest.mark.parametrize(("ending", "data"), UNREADABLE)
def test_a_file_with_the_wrong_suffix_is_reported(tmp_path: Path, ending: str, data: bytes) -> None:
    summary = read_dataset(put(tmp_path / f"set.jsonl{ending}", data)).summary
    assert (summary.count, [broken.name for broken in summary.broken]) == (0, ["after line 0"])


def test_an_empty_file_is_an_empty_set(tmp_path: Path) -> None:
    dataset = saved(tmp_path)
    assert (list(dataset), dataset.summary.count, dataset.summary.broken) == ([], 0, ())
    assert list(read_dataset(dataset.path, limit=3)) == []


# --- summaries -------------------------------------------------------------------------------------------------------


def test_the_summary_counts_examples(tmp_path: Path) -> None:
    summary = saved(
        tmp_path,
        FULL,
        FULL | {"id": "b", "lang": "ko", "kind": "forum"},
        FULL | {"id": "b"},
        ROW | {"id": "c", "lang": "ko"},
        b"{",
    ).summary
    assert summary.count == 3
    assert summary.languages == {"en": 1, "ko": 2}
    assert summary.kinds == {"article": 1, "forum": 1, "unknown": 1}
    assert summary.licences == {"CC0-1.0": 2, "unknown": 1}
    assert [broken.name for broken in summary.broken] == ["b", "line 5"]


def test_the_hash_does_not_depend_on_format_or_compression(tmp_path: Path) -> None:
    table = [ROW, ROW | {"id": "b", "title": "Light", "lang": "ko"}]
    hashes = {
        read_dataset(put(tmp_path / f"set.jsonl{ending}", pack(lines(*table)))).summary.hash
        for ending, pack in PACK.items()
    }
    hashes.add(saved(tmp_path / "keys", *(dict(reversed(row.items())) for row in table)).summary.hash)
    hashes.add(saved(tmp_path / "broken", table[0], b"no JSON", table[1], table[0]).summary.hash)
    for row in table:
        folders(tmp_path / "folders", row["id"], HTML.encode("utf-8-sig"), TEXT)
    put(tmp_path / "folders/b/gold.json", {"title": "Light"})
    hashes.add(read_dataset(tmp_path / "folders").summary.hash)
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
    "a value in another field": FULL | {"author": "2025-05-01", "date": "Kim Sol"},
    "wanted": FULL | {"wanted": ["lam", "p"]},
    "wanted and unwanted": FULL | {"wanted": ["lamp", "Home"], "unwanted": ["Sea"]},
    "must": FULL | {"must": ["lamp"]},
    "unwanted and must": FULL | {"unwanted": ["Home"], "must": ["Sea"]},
    "a page that ends in the url": FULL | {"html": HTML + "https", "url": "://example.org/a"},
}


@pytest.mark.parametrize("changed", OTHER.values(), ids=OTHER)
def test_the_hash_depends_on_pages_and_golds(tmp_path: Path, changed: dict[str, Any]) -> None:
    second = ROW | {"id": "b"}
    hashes = [saved(tmp_path, first, second).summary.hash for first in (FULL, changed)]
    assert hashes[0] != hashes[1]


def test_the_hash_depends_on_the_order_and_on_every_page(tmp_path: Path) -> None:
    a, b = ROW, ROW | {"id": "b"}
    assert len({saved(tmp_path, *table).summary.hash for table in ([a, b], [b, a], [a], [b], [])}) == 5


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
def test_a_limit_selects_pages_evenly(tmp_path: Path, limit: int | None, expected: list[int] | range) -> None:
    path = saved(tmp_path, b"no JSON", *rows(10), rows(1)[0]).path
    dataset = read_dataset(path, limit=limit)
    assert ids(dataset) == [str(number) for number in expected]
    assert dataset.summary.count == len(expected)
    assert [broken.name for broken in dataset.summary.broken] == ["line 1", "0"]  # still reported


@pytest.mark.parametrize("limit", range(1, 12))
def test_a_limit_selects_exactly_that_many_pages(tmp_path: Path, limit: int) -> None:
    found = [int(name) for name in ids(read_dataset(saved(tmp_path, *rows(11)).path, limit))]
    gaps = {after - before for before, after in zip(found, [*found[1:], 11], strict=True)}
    assert (len(found), found[0]) == (limit, 0)
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_rejected(tmp_path: Path, limit: int) -> None:
    with pytest.raises(BadConfig, match=f"The page limit must be 1 or more, not {limit}"):
        read_dataset(saved(tmp_path, ROW).path, limit=limit)


# --- not a set -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.jsonl", "no such file or folder"),
        ("missing/", "no such file or folder"),
        ("set.jsonl/x", "no such file or folder"),
        ("set.json", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("set.jsonl.zst", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("page.html", ".jsonl, .jsonl.gz, .jsonl.xz or evaldata.json"),
        ("empty", "not a labelled set in a known format"),
        ("pages", "not a labelled set in a known format"),
        ("golds", "not a labelled set in a known format"),
        ("wcxb", "choose one, such as"),
        ("a" * 300, "no such file or folder"),
    ],
)
def test_a_path_that_is_not_a_set_is_rejected(tmp_path: Path, name: str, says: str) -> None:
    for file in ("set.jsonl", "set.json", "set.jsonl.zst", "page.html", "pages/input/1.html", "golds/gold/1.txt"):
        put(tmp_path / file, lines(ROW))
    put(tmp_path / "wcxb/dev/ground-truth/1.json", {})
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadConfig) as caught:
        read_dataset(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


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
    must=SNIPPETS,
).filter(lambda found: found.text is not None or found.wanted or found.unwanted or found.must)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sets")


@pytest.mark.slow
@given(st.lists(EXAMPLES, max_size=4, unique_by=lambda found: found.id), st.sampled_from([*PACK]), st.booleans())
def test_examples_written_as_json_lines_are_read_back(
    folder: Path, examples: list[Example], ending: str, ascii_: bool
) -> None:
    data = "".join(f"{json.dumps(asdict(found), ensure_ascii=ascii_)}\n" for found in examples).encode()
    dataset = read_dataset(put(folder / f"any.jsonl{ending}", PACK[ending](data)))
    assert list(dataset) == examples
    assert (dataset.summary.count, dataset.summary.broken) == (len(examples), ())


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
def test_every_line_is_counted_and_none_stops_the_rest(folder: Path, data: bytes) -> None:
    dataset = read_dataset(put(folder / "bytes.jsonl", data + b"\n" + lines(ROW | {"id": "the last one"})))
    assert ids(dataset)[-1] == "the last one"
    summary = dataset.summary
    assert summary.count + len(summary.broken) == 1 + sum(bool(line.strip()) for line in data.split(b"\n"))
