"""The work on a batch: one row per page for any page, and the result depends on the page alone."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import Options, Page, extract
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.outputs import FORMATS
from bonmun.scale.corpus import batches
from bonmun.scale.corpus import result_batches as pieces
from bonmun.scale.corpus.batches import (
    COUNTS,
    PAGES,
    CountJob,
    ExtractJob,
    count_batch,
    extract_batch,
    make_batches,
    raw_key,
)
from bonmun.scale.corpus.columns import FORMAT_COLUMNS
from bonmun.scale.corpus.runs import identify_extraction
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.corpus.sources.records import Record
from bonmun.sites.keys import Normalisation, hash_bytes
from bonmun.sites.model import SiteModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

KOREAN = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 등대지기는 그 불빛을 오래 바라보았다."
ENGLISH = "The old lighthouse at the end of the village was lit again this spring, and its keeper watched."
MENU = "처음으로 소개 글 목록 방명록"


def html(text: str, title: str = "등대", lang: str = "ko") -> bytes:
    return (
        f"<!doctype html><html lang={lang}><head><title>{title}</title><meta name=author content='김 등대'>"
        f"<meta property='article:published_time' content='2024-05-01'></head><body><div class=menu>{MENU}</div>"
        f"<article><h1>{title}</h1><p>{text} {text}</p><p>{text} <a href=/more>등대 사진</a></p></article></body></html>"
    ).encode()


GOOD: dict[str, Any] = {"url": None, "site": "example.org", "html": html(KOREAN), "charset": None}
ROWS: dict[str, dict[str, Any]] = {
    "korean": {},
    "english": {"html": html(ENGLISH, "Lighthouse", "en"), "url": "https://example.org/a/1"},
    "nothing": {"html": b""},
    "blank": {"html": b" \n\t "},
    "pdf": {"html": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3"},
    "noise": {"html": bytes(range(1, 256)) * 20},
    "shell": {"html": b"<title>App</title><div id=app></div>"},
    "euc-kr": {"html": html(KOREAN).decode().encode("euc-kr"), "charset": "euc-kr"},
    "large": {"html": html(KOREAN * 200)},
    "last": {"html": html(KOREAN + " 끝"), "site": "example.com"},
}
LIMIT = Options(max_bytes=20_000)
REASONS = {
    "nothing": "The input is empty: there is no page to read.",
    "blank": "The input is empty: there is no page to read.",
    "pdf": "This is a PDF file, not HTML; convert it to HTML or text first.",
    "noise": "The input cannot be decoded as text: it is not HTML, or it is damaged or compressed.",
    "large": "The page is larger than 20,000 bytes; increase max_bytes to read it.",
}
WORK: dict[str, Callable[..., pa.RecordBatch]] = {"extract": extract_batch, "count": count_batch}
HOW: dict[str, ExtractJob | CountJob] = {
    "extract": ExtractJob(Extraction(**vars(LIMIT))),
    "count": CountJob(options=LIMIT),
}
SCHEMAS = {"extract": ExtractJob().schema, "count": COUNTS}
on_both = pytest.mark.parametrize("work", WORK)


def batch_of(**rows: dict[str, Any]) -> pa.RecordBatch:
    """Return a batch of pages by id; missing values are those of a good page."""
    listed = [{"id": known} | GOOD | row for known, row in rows.items()]
    return pa.RecordBatch.from_pylist(listed, schema=PAGES)


def packed(batch: pa.RecordBatch) -> bytes:
    """Return a batch as bytes."""
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        data: bytes = sink.getvalue().to_pybytes()
    return data


# --- both ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def done() -> dict[str, dict[str, dict[str, Any]]]:
    """The results of all pages, by job and id."""
    batch = batch_of(**ROWS)
    return {name: {row["id"]: row for row in work(batch, HOW[name]).to_pylist()} for name, work in WORK.items()}


@on_both
def test_there_is_one_row_per_page_in_order(done: dict[str, dict[str, dict[str, Any]]], work: str) -> None:
    assert list(done[work]) == list(ROWS)
    assert [row["site"] for row in done[work].values()] == ["example.org"] * 9 + ["example.com"]


@on_both
@pytest.mark.parametrize("name", ROWS)
def test_a_failed_page_has_a_reason_and_does_not_affect_others(
    done: dict[str, dict[str, dict[str, Any]]], work: str, name: str
) -> None:
    assert done[work][name]["error"] == REASONS.get(name)


@pytest.mark.parametrize("name", REASONS)
def test_a_failed_page_has_only_its_id_and_site(done: dict[str, dict[str, dict[str, Any]]], name: str) -> None:
    rest = {field: value for field, value in done["extract"][name].items() if value is not None}
    assert rest == {"id": name, "site": "example.org", "error": REASONS[name]}
    row = done["count"][name]
    assert (row["page"], row["leaves"]) == (None, [])
    assert row["raw"] == raw_key("example.org", ROWS[name]["html"])


@on_both
def test_results_are_reproducible_and_pages_unchanged(work: str) -> None:
    batch = batch_of(**ROWS)
    before = packed(batch)
    first, second = (WORK[work](batch, HOW[work]) for _ in range(2))
    assert first.schema.equals(SCHEMAS[work], check_metadata=True)
    assert packed(first) == packed(second)
    assert packed(batch) == before
    first.validate(full=True)


@on_both
def test_results_do_not_depend_on_other_pages(work: str) -> None:
    batch = batch_of(**ROWS)
    whole = WORK[work](batch, HOW[work])
    for start, size in ((0, 1), (1, 3), (3, 7), (9, 1), (4, 0)):
        assert WORK[work](batch.slice(start, size), HOW[work]).to_pylist() == whole.slice(start, size).to_pylist()


@on_both
def test_an_empty_batch_gives_an_empty_batch(work: str) -> None:
    found = WORK[work](batch_of())
    assert found.num_rows == 0
    assert found.schema.equals(SCHEMAS[work])


@on_both
def test_the_callback_is_called_before_each_page(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    said: list[int | str] = []
    parse = Page.parse
    WORK[work](batch_of(a={}))  # parses what is parsed once, such as the rules' empty page

    def parsing(*args: Any, **more: Any) -> Page:
        said.append("page")
        return parse(*args, **more)

    monkeypatch.setattr(Page, "parse", parsing)
    WORK[work](batch_of(a={}, b={"html": b""}, c={}), at=said.append)
    assert said == [0, "page", 1, "page", 2, "page"]


@on_both
def test_jobs_and_functions_give_the_same_results(work: str) -> None:
    batch, said = batch_of(**ROWS), list[int]()
    assert pa.Table.from_batches(HOW[work].run(batch, said.append)).equals(
        pa.Table.from_batches([WORK[work](batch, HOW[work])])
    )
    assert said == list(range(len(ROWS)))
    assert WORK[work](batch).schema.equals(SCHEMAS[work])  # also without settings


@on_both
def test_make_failures_gives_a_reason(work: str) -> None:
    batch = batch_of(a={"url": "https://example.org/a"}, b={"site": "example.com"})
    found = HOW[work].make_failures(batch, "It took too long.")
    assert found.schema.equals(SCHEMAS[work])
    assert [(row["id"], row["site"], row["error"]) for row in found.to_pylist()] == [
        ("a", "example.org", "It took too long."),
        ("b", "example.com", "It took too long."),
    ]
    names = {"id", "url", "site", "error"}
    assert not any(value for row in found.to_pylist() for name, value in row.items() if name not in names)


@on_both
def test_an_unexpected_error_affects_one_page(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    parse = Page.parse

    def parsing(data: bytes, *args: Any, **more: Any) -> Page:
        if b"bad" in data:
            raise ValueError(f"no\n such {'very ' * 99} luck")
        return parse(data, *args, **more)

    monkeypatch.setattr(Page, "parse", parsing)
    found = WORK[work](batch_of(a={}, b={"html": b"<p>bad"}, c={})).to_pylist()
    assert [row["error"] and row["error"][:24] for row in found] == [None, "ValueError: no such very", None]
    assert len(found[1]["error"]) == 200


@on_both
def test_a_lone_surrogate_in_an_error_message_is_replaced(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    def parsing(data: bytes, *_: Any, **__: Any) -> Page:
        raise ValueError("no text: \ud83d")

    monkeypatch.setattr(Page, "parse", parsing)
    assert [row["error"] for row in WORK[work](batch_of(a={})).to_pylist()] == ["ValueError: no text: ?"]


@pytest.mark.parametrize(
    "work",
    [
        "extract",
        "count",
    ],
)
def test_a_page_without_html_fails_alone(work: str) -> None:
    found = WORK[work](batch_of(a={}, b={"html": None}, c={})).to_pylist()
    assert [row["error"] for row in found] == [None, "A page must be str or bytes, not NoneType.", None]


@on_both
def test_a_page_without_a_site_is_read(work: str) -> None:
    assert [row["error"] for row in WORK[work](batch_of(a={"site": None}), HOW[work]).to_pylist()] == [None]


@on_both
@pytest.mark.parametrize("name", ["id", "url", "site", "charset", "crawled", "anchor"])
def test_texts_may_have_any_bytes(work: str, name: str) -> None:
    """Spark accepts them, and Arrow does not check them."""
    batch = batch_of(a={})
    odd = pa.array([b"http://\xed\xa0\x80/"], pa.binary())
    column = pa.Array.from_buffers(pa.string(), 1, odd.buffers())
    batch = batch.set_column(PAGES.get_field_index(name), PAGES.field(name), column)
    (row,) = WORK[work](batch, HOW[work]).to_pylist()
    assert row["error"] is None
    if name in ("id", "site"):
        assert row[name] == "http://\ufffd\ufffd\ufffd/"
    assert HOW[work].make_failures(batch, "too long").num_rows == 1


@on_both
def test_results_come_in_batches_of_limited_size(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    batch = batch_of(**ROWS)
    (whole,) = HOW[work].run(batch)
    monkeypatch.setattr(pieces, "BATCH_BYTES", 300)
    parts = list(HOW[work].run(batch))
    assert len(parts) > 2
    assert [row for part in parts for row in part.to_pylist()] == whole.to_pylist()
    assert WORK[work](batch, HOW[work]).equals(whole)


@on_both
def test_a_page_that_needs_too_much_memory_fails_alone(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    parse = Page.parse

    def parsing(data: bytes, *args: Any, **more: Any) -> Page:
        if b"bad" in data:
            raise MemoryError
        return parse(data, *args, **more)

    monkeypatch.setattr(Page, "parse", parsing)
    found = WORK[work](batch_of(a={}, b={"html": b"<p>bad"}, c={})).to_pylist()
    assert [row["error"] for row in found] == [None, "The page needs more memory than its process may use.", None]


# --- extraction ------------------------------------------------------------------------------------------------------


def test_a_document_that_is_too_large_for_a_row_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MAX_TEXT_CHARS", 5000)
    found = extract_batch(batch_of(a={}, b={"html": html(KOREAN * 200)}, c={})).to_pylist()
    assert [row["error"] is None for row in found] == [True, False, True]
    assert found[1]["error"].startswith("The text of the page has ")
    assert found[1]["error"].endswith(" characters, more than 5,000.")
    assert found[1]["text"] is None


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (ExtractJob(Extraction(method="rules", favour="recall")), "takes no favour"),
        (ExtractJob(Extraction(encoding="no-such")), "no-such"),
        (ExtractJob(Extraction(method="frequency")), "site"),
    ],
)
def test_settings_that_always_fail_are_found_first(how: ExtractJob, said: str) -> None:
    with pytest.raises(BadConfig, match=said):
        how.check()


@pytest.mark.parametrize("method", ["auto", "rules", "frequency+", "title-table", "sentence:M324"])
def test_valid_settings_pass_the_check(method: str) -> None:
    model = SiteModel.fit([Page.parse(html(f"{KOREAN} {n}")) for n in range(4)], site="example.org")
    for format_ in FORMATS:
        ExtractJob(Extraction(method=method, format=format_, site_model=model, max_bytes=1)).check()


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", ["korean", "english", "shell", "last"])
def test_a_row_equals_the_result_of_extract(name: str, format_: str) -> None:
    row = GOOD | ROWS[name]
    options = Options(links=True)
    how = ExtractJob(Extraction(format=format_, **vars(options)))
    (found,) = extract_batch(batch_of(**{name: ROWS[name]}), how).to_pylist()
    doc = extract(row["html"], row["url"], options=options)
    facts = {field: getattr(doc, field) for field in ("title", "author", "date", "language", "kind")}
    named = {"id": name, "url": row["url"], "site": row["site"], "error": None}
    assert found == named | facts | {
        FORMAT_COLUMNS[format_]: doc.render(format_),
        "confidence": pytest.approx(doc.confidence),
        "cut": False,
        "fingerprint": doc.fingerprint,
    }


def test_metadata_and_text_are_extracted(done: dict[str, dict[str, dict[str, Any]]]) -> None:
    row = done["extract"]["korean"]
    assert (row["title"], row["author"], row["date"], row["language"]) == ("등대", "김 등대", "2024-05-01", "ko")
    assert row["text"] == f"{KOREAN} {KOREAN}\n\n{KOREAN} 등대 사진"
    assert done["extract"]["euc-kr"]["text"] == row["text"]
    assert (done["extract"]["shell"]["title"], done["extract"]["shell"]["text"]) == ("App", "")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_format_names_its_column(format_: str) -> None:
    facts = ["title", "author", "date", "language", "kind"]
    names = ["id", "url", "site", *facts, FORMAT_COLUMNS[format_], "confidence", "cut", "fingerprint", "error"]
    schema = ExtractJob(Extraction(format=format_)).schema
    assert schema.names == names
    assert {str(schema.field(name).type) for name in names if name not in ("confidence", "cut")} == {"string"}
    assert extract_batch(batch_of(a={}), ExtractJob(Extraction(format=format_))).schema.equals(schema)


def test_the_chosen_method_is_used() -> None:
    everything, chosen = (
        extract_batch(batch_of(a={}), ExtractJob(Extraction(method=method))).to_pylist()[0]["text"]
        for method in ("all", "auto")
    )
    assert MENU in everything
    assert MENU not in chosen


def test_an_unknown_method_is_found_first() -> None:
    ExtractJob().check()
    with pytest.raises(BadConfig, match="no-such-method"):
        ExtractJob(Extraction(method="no-such-method")).check()


def test_a_site_model_applies_only_to_pages_of_its_site() -> None:
    repeated = "이 블로그의 모든 글은 출처를 밝히면 옮겨 실을 수 있으며, 문의는 방명록에 남겨 주시기 바랍니다."
    pages = [f"<div><p>{KOREAN} {number}번째 이야기.</p><p>{repeated}</p></div>" for number in range(8)]
    model = SiteModel.fit([Page.parse(page) for page in pages], site="example.org")
    batch = batch_of(a={"html": pages[0].encode()}, b={"html": pages[0].encode(), "site": "example.com"})
    known, unknown = (
        row["text"] for row in extract_batch(batch, ExtractJob(Extraction(method="all", site_model=model))).to_pylist()
    )
    assert repeated not in known
    assert KOREAN in known
    assert repeated in unknown


# --- charsets --------------------------------------------------------------------------------------------------------

FLOWER = "<p>꽃</p>".encode("euc-kr")  # one syllable: too short to guess the encoding


@on_both
def test_the_charset_of_the_header_is_used(work: str) -> None:
    batch = batch_of(
        korean={"html": FLOWER, "charset": "euc-kr"},
        alias={"html": FLOWER, "charset": "CP949"},
        cyrillic={"html": FLOWER, "charset": "windows-1251"},
    )
    how = ExtractJob(Extraction(method="all")) if work == "extract" else CountJob()
    found = WORK[work](batch, how).to_pylist()
    texts = [row["text"] if work == "extract" else row["leaves"][0]["string"] for row in found]
    assert texts == ["꽃", "꽃", FLOWER[3:5].decode("windows-1251")]


def test_relative_dates_use_the_crawl_date_of_each_page() -> None:
    page = (
        html(KOREAN)
        .replace(b"<h1>", "<h1>등대</h1><p>2일 전</p><h1>".encode())
        .replace(b"article:published_time", b"x")
    )
    batch = batch_of(
        unknown={"html": page},
        known={"html": page, "crawled": "2026-03-04T09:00:00Z"},
        wrong={"html": page, "crawled": "?"},
    )
    assert [row["date"] for row in extract_batch(batch).to_pylist()] == [None, "2026-03-02", None]
    bare = batch.drop_columns(["crawled"])
    how = ExtractJob(Extraction(crawled=date(2026, 3, 3)))
    assert [row["date"] for row in extract_batch(bare, how).to_pylist()] == ["2026-03-01"] * 3


NEAR_THE_ANCHOR = "<title>항구</title><div><p>배가 항구를 떠났다.</p></div><section><div><p>마을 끝의 등대가 다시 불을 밝혔다.</p></div></section>"


@pytest.mark.parametrize("column", [True, False], ids=["with anchors", "without the column"])
def test_anchors_are_titles_for_methods_that_compare_with_one(column: bool) -> None:
    page = NEAR_THE_ANCHOR.encode()
    batch = batch_of(
        a={"html": page, "anchor": "등대가 다시 불을 밝혔다"}, b={"html": page, "anchor": " "}, c={"html": page}
    )
    batch = batch if column else batch.drop_columns(["anchor"])
    port, lamp = "배가 항구를 떠났다.", "마을 끝의 등대가 다시 불을 밝혔다."
    texts = [
        row["text"].strip() for row in extract_batch(batch, ExtractJob(Extraction(method="sentence:M4"))).to_pylist()
    ]
    assert texts == [lamp if column else port, port, port]
    alike = (
        extract_batch(batch, ExtractJob(Extraction(method="sentence:M32"))).column("text").to_pylist()
    )  # takes no title
    assert alike == [f"{port}\n\n{lamp}"] * 3
    site = SiteModel.fit([Page.parse(page)] * 2, site="s")
    assert (
        extract_batch(batch, ExtractJob(Extraction(method="sentence:M4", site_model=site))).column("error").to_pylist()
        == [None] * 3
    )


def test_a_run_with_anchors_has_another_identity() -> None:
    reader = Reader([])
    without, with_anchors = (
        identify_extraction(ExtractJob(Extraction(method=name)), reader, 30)["settings"]
        for name in ("auto", "sentence:M4")
    )
    assert "anchor" not in without
    assert with_anchors == [*without[:2], without[2].replace("'auto'", "'sentence:M4'"), without[3], "anchor"]


def test_the_charset_of_the_header_overrides_the_setting() -> None:
    batch = batch_of(said={"html": FLOWER, "charset": "euc-kr"}, unsaid={"html": FLOWER})
    how = ExtractJob(Extraction(method="all", encoding="windows-1251"))
    assert [row["text"] for row in extract_batch(batch, how).to_pylist()] == ["꽃", FLOWER[3:5].decode("windows-1251")]


@on_both
@pytest.mark.parametrize("charset", ["none", "x-unknown", '"utf-8"', "latin-1"])
def test_an_unknown_charset_is_ignored(work: str, charset: str) -> None:
    batch = batch_of(a={"charset": charset}, b={})
    first, second = WORK[work](batch).to_pylist()
    assert first == second | {"id": "a"}


# --- counts ----------------------------------------------------------------------------------------------------------

COUNTED = """<html><head><title>등대</title><style>p { color: red }</style></head><body>
<header><p>메뉴</p></header>
<div class="post" id="post-1"><p>첫 글</p><p>첫  글</p><p>둘째 <em>강조</em> 글</p><script>var a = "코드"</script></div>
<div class="post" id="post-22"><p>첫 글</p><p>Light</p></div>
<div class="foot"><p>첫 글</p><a href="/">메뉴</a><p>강조</p></div>
</body></html>"""
# text, first, placed, occurrences, plain, size
BY_HAND = [
    ("메뉴", 1, 1, 1, 0, 6),  # in the header
    ("첫 글", 1, 1, 3, 3, 7),  # in both posts: numbers in ids are ignored
    ("둘째", 1, 0, 1, 1, 6),
    ("강조", 1, 1, 1, 0, 6),  # in an <em>
    ("글", 1, 0, 1, 1, 3),
    ("Light", 1, 0, 1, 1, 5),
    ("첫 글", 0, 1, 1, 1, 7),  # a known text at a new place
    ("메뉴", 0, 1, 1, 0, 6),  # in a link
    ("강조", 0, 0, 1, 1, 6),  # a known text at a known place, but a new combination
]


def counted(page: str, **more: Any) -> dict[str, Any]:
    (row,) = count_batch(batch_of(a={"html": page.encode()} | more)).to_pylist()
    assert row["error"] is None
    found: dict[str, Any] = row
    return found


def test_counts_of_a_small_page() -> None:
    leaves = counted(COUNTED)["leaves"]
    names = ("string", "first", "placed", "occurrences", "plain", "size")
    assert [tuple(leaf[name] for name in names) for leaf in leaves] == BY_HAND


def test_keys_tell_texts_and_places_apart() -> None:
    leaves = counted(COUNTED)["leaves"]
    assert [leaf["text"] for leaf in leaves] == [hash_bytes(text.encode()) for text, *_ in BY_HAND]
    places = [leaf["place"] for leaf in leaves]
    header, post, em, foot, link = places[0], places[1], places[3], places[6], places[7]
    assert places == [header, post, post, em, post, post, foot, link, foot]
    assert len(set(places)) == 5


@pytest.mark.parametrize(
    ("inside", "plain"),
    [
        ("<p>글</p>", 1),
        ("<a>글</a>", 0),
        ("<em>글</em>", 0),
        ("<header>글</header>", 0),
        ("<footer><div><p>글</p></div></footer>", 0),
        ("<nav>글</nav>", 1),
        ("<strong>글</strong>", 1),
    ],
)
def test_texts_that_the_first_paper_drops_are_not_plain(inside: str, plain: int) -> None:
    (leaf,) = counted(f"<div>{inside}</div>")["leaves"]
    assert (leaf["string"], leaf["occurrences"], leaf["plain"]) == ("글", 1, plain)


def test_a_text_may_be_plain_at_some_of_the_same_places() -> None:
    plain, dropped = counted("<div><p>글</p><p>글</p><header><p>글</p></header></div>")["leaves"]
    assert (plain["occurrences"], plain["plain"], plain["first"]) == (2, 2, 1)
    assert (dropped["occurrences"], dropped["plain"], dropped["first"]) == (1, 0, 0)


@pytest.mark.parametrize("page", ["<div></div>", "<title>등대</title><script>var a</script>", "<!-- 등대 -->"])
def test_a_page_without_leaves_is_counted(page: str) -> None:
    row = counted(page)
    assert row["leaves"] == []
    assert row["page"] == counted("<p> </p>")["page"]
    assert row["raw"] != counted("<p> </p>")["raw"]


def test_pages_without_leaves_do_not_affect_others() -> None:
    pages = {"a": "<p>하나</p>", "b": "<div></div>", "c": "<p>둘</p><p>셋</p>", "d": "", "e": "<p>넷</p>"}
    rows = count_batch(batch_of(**{name: {"html": page.encode()} for name, page in pages.items()})).to_pylist()
    assert [[leaf["string"] for leaf in row["leaves"]] for row in rows] == [["하나"], [], ["둘", "셋"], [], ["넷"]]
    assert [row["page"] is None for row in rows] == [False, False, False, True, False]


def test_texts_are_counted_in_their_normal_form() -> None:
    page = "<p>Read More 12</p><p>read more 7</p><p>\u1100\u1161</p><p>가</p>"  # 가 in two characters and in one
    plain = [leaf["string"] for leaf in counted(page)["leaves"]]
    assert plain == ["Read More 12", "read more 7", "가"]
    how = CountJob(Normalisation(digits=True, case=True))
    (row,) = count_batch(batch_of(a={"html": page.encode()}), how).to_pylist()
    assert [(leaf["string"], leaf["occurrences"], leaf["size"]) for leaf in row["leaves"]] == [
        ("read more 0", 2, 11),
        ("가", 2, 3),
    ]


def test_the_same_page_on_another_site_is_another_page() -> None:
    one, other = (counted(COUNTED, site=site) for site in ("example.org", "example.com"))
    assert one["raw"] != other["raw"]
    assert one["page"] != other["page"]
    assert one["leaves"] == other["leaves"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<a href="/">', '<a href="/?session=12345">'),
        ('id="post-1"', 'id="entry" data-seen="1" style="color: red"'),
        ("var a", "var token = 77; var a"),
        ("</title>", "</title><link rel=stylesheet href=a.css><meta name=csrf content=abc>"),
        ("<body>", "<body><!-- 0.123 s -->"),
        ("<p>첫  글</p>", "<p>\n첫\n글\n</p>"),
        ("둘째 <em>강조</em> 글", "둘째 <b>강조</b> 글"),
    ],
)
def test_pages_with_the_same_texts_have_the_same_key(old: str, new: str) -> None:
    assert COUNTED.count(old) >= 1
    one, other = counted(COUNTED), counted(COUNTED.replace(old, new))
    assert one["page"] == other["page"]
    assert one["raw"] != other["raw"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<p>Light</p>", ""),
        ("<p>Light</p>", "<p>light</p>"),
        ("<p>Light</p>", "<p>Light</p><p>Light</p>"),
        ("둘째 <em>강조</em> 글", "강조 <em>둘째</em> 글"),
        ("둘째 <em>강조</em> 글", "둘째 강조 글"),
    ],
)
def test_pages_with_other_texts_have_other_keys(old: str, new: str) -> None:
    assert COUNTED.count(old) == 1
    assert counted(COUNTED)["page"] != counted(COUNTED.replace(old, new))["page"]


def test_the_raw_key_separates_site_and_page() -> None:
    assert raw_key("a", b"b<p>") != raw_key("ab", b"<p>")
    assert raw_key("등대", b"<p>") == raw_key("등대", b"<p>")


# --- batches of records ----------------------------------------------------------------------------------------------


def record(number: int, size: int = 1, **more: Any) -> Record:
    values = {"id": str(number), "url": None, "site": "example.org", "html": b"x" * size} | more
    return Record(**values)


def rows_of(made: Iterable[pa.RecordBatch]) -> list[dict[str, Any]]:
    return [row for batch in made for row in batch.to_pylist()]


def test_a_batch_has_at_most_64_pages() -> None:
    made = list(make_batches(record(number) for number in range(150)))
    assert [batch.num_rows for batch in made] == [64, 64, 22]
    assert [row["id"] for row in rows_of(made)] == [str(number) for number in range(150)]
    assert [batch.num_rows for batch in make_batches(record(number) for number in range(128))] == [64, 64]


def test_a_batch_ends_with_the_page_that_exceeds_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_BYTES", 1000)
    sizes = [400, 599, 1, 1000, 999, 5000, 0, 10]
    made = list(make_batches(record(number, size) for number, size in enumerate(sizes)))
    assert [[len(row["html"]) for row in rows_of([batch])] for batch in made] == [
        [400, 599, 1],
        [1000],
        [999, 5000],
        [0, 10],
    ]


def test_the_real_limit_keeps_a_batch_small() -> None:
    made = list(make_batches(record(number, 1_500_000) for number in range(4)))
    assert [batch.num_rows for batch in made] == [3, 1]


def test_a_record_is_unchanged_in_a_batch() -> None:
    given = [
        Record("가-1", "https://등대.example/1", "등대.example", "<p>불</p>".encode("euc-kr"), "euc-kr"),
        Record("2", None, "", b""),
    ]
    (batch,) = make_batches(given)
    assert batch.schema.equals(PAGES)
    assert [Record(**row) for row in batch.to_pylist()] == given


def test_without_records_there_are_no_batches() -> None:
    assert list(make_batches([])) == []


def test_records_are_read_lazily() -> None:
    drawn: list[int] = []

    def records() -> Iterator[Record]:
        for number in range(1000):
            drawn.append(number)
            yield record(number)

    made = make_batches(records())
    assert not drawn
    assert [batch.num_rows for batch in islice(made, 2)] == [64, 64]
    assert len(drawn) == 128


def test_lone_surrogates_in_records_are_replaced() -> None:
    half = "\ud83d"
    named: dict[str, Any] = {"id": f"a{half}", "url": f"https://example.org/{half}", "site": f"등대{half}"}
    given = [record(0), record(1, html=html(KOREAN), **named), record(2, charset=half)]
    (batch,) = make_batches(given)
    first, second, third = batch.to_pylist()
    assert (second["id"], second["url"], second["site"]) == ("a?", "https://example.org/?", "등대?")
    assert (first["id"], third["id"], third["charset"]) == ("0", "2", "?")
    assert [row["error"] for row in extract_batch(batch).to_pylist()][:2] == [None, None]
    assert [row["error"] for row in count_batch(batch).to_pylist()][:2] == [None, None]


@pytest.mark.parametrize("format_", FORMATS)
def test_lone_surrogates_in_pages_are_replaced(format_: str) -> None:
    page = f"<title>a &#xD83D; b</title><p>{KOREAN} &#xDE00; \ud83d 등대</p>".encode("utf-8", "surrogatepass")
    batch = batch_of(a={"html": page, "charset": "utf-8"})
    (row,) = extract_batch(batch, ExtractJob(Extraction(method="all", format=format_))).to_pylist()
    assert row["error"] is None
    assert "등대" in row[FORMAT_COLUMNS[format_]]
    (row,) = count_batch(batch).to_pylist()
    assert row["leaves"][0]["string"].startswith(KOREAN)


SIZES = st.lists(st.integers(0, 1200), max_size=40)


@given(sizes=SIZES, most=st.integers(1, 8))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_batches_contain_every_record_once_in_order(sizes: list[int], most: int) -> None:
    records = [record(number, size) for number, size in enumerate(sizes)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "BATCH_PAGES", most)
        patch.setattr(batches, "BATCH_BYTES", 1000)
        made = list(make_batches(records))
        assert [row["id"] for row in rows_of(made)] == [each.id for each in records]
        begin = 0
        for number, batch in enumerate(made):
            assert 1 <= batch.num_rows <= most
            assert sum(sizes[begin : begin + batch.num_rows - 1]) < 1000  # only the last page may exceed it
            again = list(make_batches(records[begin:]))
            assert len(again) == len(made) - number
            assert all(map(pa.RecordBatch.equals, again, made[number:]))
            begin += batch.num_rows
