"""Names of input columns, and the choice of output columns in every file format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from bonmun.app.cli import app
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.lab.gold.datasets import read_dataset
from bonmun.metadata import Metadata
from bonmun.pipeline import extract
from bonmun.scale.corpus.batches import ExtractJob, extract_batch, make_batches
from bonmun.scale.corpus.columns import COLUMN_NAMES
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.runs import identify_extraction
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.corpus.sources.records import Record
from bonmun.scale.corpus.table_formats import WRITERS
from samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LINE = "마을 끝의 낡은 등대가 서른 해 만에 어젯밤 다시 불을 밝혔고, 사람들은 바닷가에 모여 오래 바라보았다."
HTML = (
    "<html lang=ko><title>등대</title><meta name=keywords content='바다, 빛'><link rel=canonical href=/one>"
    f"<article><h1>등대</h1><p>{LINE}</p><p>{LINE} <b>더</b></p></article>"
)
URL = "https://news.example/1?from=rss"
PAGE = Record("p1", URL, "news.example", HTML.encode("euc-kr"), "euc-kr", "2026-03-04T09:00:00Z", "다시 켜진 등대")


def run(how: ExtractJob) -> dict[str, Any]:
    """Return the row of a page."""
    (batch,) = make_batches([PAGE])
    row: dict[str, Any] = extract_batch(batch, how).to_pylist()[0]
    return row


def command(*words: str, stdin: str | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["corpus", *words], input=stdin)
    return done.exit_code, done.stderr


def test_objects_are_columns() -> None:
    """All with their sources, or the values of one type."""
    soup = """<script type="application/ld+json">{"@type": "Recipe", "name": "국", "recipeIngredient": ["보리 1컵", "물 1컵"],
    "recipeInstructions": "끓인다."}</script><p>보리 1컵</p><p>물 1컵</p>"""
    (batch,) = make_batches([Record("p1", URL, "news.example", soup.encode(), "utf-8", None, None)])
    row = extract_batch(batch, ExtractJob(columns=("objects", "objects.Recipe"))).to_pylist()[0]
    assert json.loads(row["objects"])[0]["fields"]["name"] == {"value": "국", "source": "JSON-LD", "confidence": 0.95}
    assert json.loads(row["objects.Recipe"])[0]["recipeInstructions"] == [{"text": "끓인다."}]


# --- output columns --------------------------------------------------------------------------------------------------


def test_every_column_can_be_chosen_in_any_order() -> None:
    names = tuple(reversed(COLUMN_NAMES))
    how = ExtractJob(columns=names)
    how.check()
    row = run(how)
    doc = extract(HTML, URL)
    assert tuple(row) == names
    assert {each.name for each in fields(Metadata)} - {"fields"} | {"facts"} <= set(names)  # any metadata field
    assert (row["id"], row["url"], row["site"], row["anchor"]) == (PAGE.id, PAGE.url, PAGE.site, PAGE.anchor)
    assert (row["title"], row["kind"], row["tags"]) == (doc.title, doc.kind, list(doc.metadata.tags))
    assert row["canonical"] == "https://news.example/one"
    assert row["html"] == HTML  # decoded, otherwise unchanged
    assert row["clean_html"] == doc.html
    assert (row["text"], row["markdown"], row["fingerprint"]) == (doc.text, doc.markdown, doc.fingerprint)
    assert json.loads(row["facts"])["title"]["value"] == "등대"
    assert json.loads(row["json"])["blocks"][0]["text"] == LINE
    assert [chunk["text"] for chunk in row["chunks"]] == [chunk.text for chunk in doc.chunks()]
    assert (row["comments"], row["error"]) == ("", None)


def test_the_error_column_is_always_present() -> None:
    (batch,) = make_batches([Record("p1", None, "a", b"%PDF-1.7", None)])
    row = extract_batch(batch, ExtractJob(columns=("title", "html"))).to_pylist()[0]
    assert list(row) == ["title", "html", "error"]
    assert row["title"] is row["html"] is None
    assert "PDF" in row["error"]


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (
            ("text", "nix"),
            r"Unknown column 'nix': choose from id, url, .*title, .*clean_html, .*fingerprint, error\.",
        ),
        (("",), "Unknown column ''"),
        (("text", "url", "text"), "The column text is given twice"),
    ],
)
def test_unknown_columns_are_refused(columns: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        ExtractJob(columns=columns).check()


@pytest.mark.parametrize("ending", WRITERS)
def test_json_columns_are_objects_in_json_lines(tmp_path: Path, ending: str) -> None:
    how = ExtractJob(columns=("title", "tags", "json", "facts"))
    path = tmp_path / f"out{ending}"
    with Output(path, how.schema, {}) as output:
        output.write([extract_batch(batch, how) for batch in make_batches([PAGE, PAGE])])
        output.finish()
    row, _ = read(path)
    assert list(row) == ["title", "tags", "json", "facts", "error"]
    is_text = ".jsonl" not in ending
    told = json.loads(row["json"]) if is_text else row["json"]
    assert told["text"] == extract(HTML).text
    assert (json.loads(row["facts"]) if is_text else row["facts"])["title"]["value"] == "등대"
    assert (json.loads(row["tags"]) if ".csv" in ending else row["tags"]) == ["바다", "빛"]


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    packing = {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)
    with pa.input_stream(str(path), compression=packing) as stream:
        data = stream.read().decode()
    if ".csv" in path.name:
        return list(csv.DictReader(io.StringIO(data, newline="")))
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "＝"])
def test_formulas_are_escaped(start: str) -> None:
    told = f'{start}cmd|"x", 1\r\n"y"'
    table = pa.table({"title": ["plain", told, None], "size": [-1, 2, 3], "tags": [["=a"], [], None]})
    file = io.BytesIO()
    WRITERS[".csv"](table, file)
    cells = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert cells == [["plain", "-1", '["=a"]'], [f"'{told}", "2", "[]"], ["", "3", ""]]


def test_extracted_pages_can_be_used_for_training(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"url": URL, "html": HTML}) + "\n" + json.dumps({"html": HTML}))
    out = tmp_path / "gold.jsonl"
    done = command(
        "extract", f"{tmp_path}/in.jsonl", "-o", str(out), "--columns", "url,html,text,title", "--workers", "1"
    )
    assert done[0] == 0, done
    (example,) = read_dataset(out)  # the other page has neither an id nor a URL
    assert (example.id, example.html, example.title) == (URL, HTML, "등대")
    assert example.text == extract(HTML, URL).text


def test_other_columns_or_weights_change_the_identity(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": HTML}))
    reader = Reader([f"{tmp_path}/a.jsonl"])
    for name in "ab":
        (tmp_path / f"{name}.npz").write_bytes(name.encode())
    hows = [
        ExtractJob(),
        ExtractJob(columns=("url", "text")),
        ExtractJob(columns=("text", "url")),
        ExtractJob(Extraction(favour="recall")),
        ExtractJob(Extraction(model=tmp_path / "a.npz")),
        ExtractJob(Extraction(model=tmp_path / "b.npz")),
    ]
    known = [json.dumps(identify_extraction(how, reader, 30)) for how in hows]
    other = Reader(reader.names, html_column="body")
    known.append(json.dumps(identify_extraction(hows[0], other, 30)))
    assert len(set(known)) == len(known)
    assert json.dumps(identify_extraction(hows[1], Reader(reader.names), 30)) == known[1]


def test_a_model_and_a_favour_are_used() -> None:
    model = ROOT / "src/bonmun/models/network/default.npz"
    for how in (ExtractJob(Extraction(model=model)), ExtractJob(Extraction(favour="precision"))):
        how.check()
        assert LINE in run(how)["text"]
    with pytest.raises(BadConfig, match="takes no model"):
        ExtractJob(Extraction(method="rules", model=model)).check()


def test_columns_and_format_exclude_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    status, says = command("extract", f"{tmp_path}/a.html", "-o", f"{tmp_path}/o.csv", "-f", "md", "--columns", "url")
    assert (status, says) == (
        2,
        "bonmun: --columns and --format exclude each other: add the column markdown to --columns instead.\n",
    )


# --- input columns ---------------------------------------------------------------------------------------------------

OTHER: list[dict[str, Any]] = [{"link": URL, "body": HTML, "url": "https://other.example/", "html": 5}, {"body": HTML}]


def write_pages(folder: Path, ending: str) -> Path:
    """Write pages with other column names."""
    path = folder / f"pages.{ending}"
    if ending == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in OTHER))
    else:
        names = ("link", "body", "url", "html")
        pq.write_table(pa.table({name: [row.get(name) for row in OTHER] for name in names}), path)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_columns_may_have_other_names(tmp_path: Path, ending: str) -> None:
    reader = Reader([str(write_pages(tmp_path, ending))], html_column="body", url_column="link")
    reader.check_columns()
    records = list(reader)
    assert [record.url for record in records] == [URL, None]
    assert [record.html.decode() for record in records] == [HTML, HTML]
    assert records[0].site == "news.example"
    plain = Reader([str(write_pages(tmp_path, ending))])
    assert list(plain) == []
    assert sum(plain.skipped.values()) + len(plain.damaged) >= 1


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize(("option", "name"), [("--html-column", "page"), ("--url-column", "address")])
def test_a_missing_column_is_reported_and_nothing_is_written(
    tmp_path: Path, ending: str, option: str, name: str
) -> None:
    source = write_pages(tmp_path, ending)
    given = ["--html-column", "body", option, name] if option != "--html-column" else [option, name]
    for action, out in (("extract", "out.jsonl"), ("count", "out.duckdb")):
        status, says = command(action, str(source), "-o", f"{tmp_path}/{out}", *given)
        told = f"{source}: there is no column {name}, only link, body, url, html; set its name with {option}."
        assert (status, says) == (2, f"bonmun: {told}\n")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_the_first_file_of_a_folder_is_checked(tmp_path: Path) -> None:
    write_pages(tmp_path, "jsonl")
    with pytest.raises(BadConfig, match=r"pages\.jsonl: there is no column page"):
        Reader([str(tmp_path)], html_column="page").check_columns()
    (tmp_path / "a.html").write_text(HTML)
    Reader([str(tmp_path)], html_column="page").check_columns()  # other files are reported when they are read


def test_standard_input_without_pages_writes_nothing(tmp_path: Path) -> None:
    status, says = command("extract", "-", "-o", f"{tmp_path}/out.jsonl", stdin='{"body": "<p>x"}\n{"body": "<p>y"}\n')
    assert status == 2
    assert "Standard input: there is no column html, only body; set its name with --html-column.\n" in says
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_created_for_counts(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    status, says = command("count", f"{tmp_path}/a.html", "-o", f"{tmp_path}/new/counts.duckdb")
    assert (status, "new: this folder for counts.duckdb does not exist" in says) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


@pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")
def test_only_the_warc_files_of_a_crawl_are_read(tmp_path: Path) -> None:
    response = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{HTML}".encode()
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {URL}\r\nContent-Type: application/http;msgtype=response"
    )
    record = f"{head}\r\nContent-Length: {len(response)}\r\n\r\n".encode() + response + b"\r\n\r\n"
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "a.warc").write_bytes(record)
    (tmp_path / "pages").mkdir()
    for name in ("log.parquet", "pages/part-000000.parquet"):
        pq.write_table(pa.table({"url": [URL]}), tmp_path / name)
    bare = Reader([str(tmp_path)])
    assert ([each.url for each in bare], len(bare.damaged)) == ([URL], 2)  # any folder
    (tmp_path / "plan.json").write_text("{}")
    reader = Reader([str(tmp_path)])
    reader.check_columns()
    assert ([each.url for each in reader], reader.damaged, reader.skipped) == ([URL], [], {})
