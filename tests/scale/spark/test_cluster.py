"""Spark returns the rows of the local engine, even if pages, tasks or workers fail."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from poison import Loading, Poison, break_once

from bonmun.errors import BadConfig, BadInput, BonmunError
from bonmun.extraction import Extraction
from bonmun.scale.corpus.batches import CountJob, ExtractJob, make_batches
from bonmun.scale.corpus.counts import Counts
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.runs import CountRun
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.spark.counts import count, find_site_model, make_site_model, read_counts, sum_up, write_counts
from bonmun.scale.spark.extraction import apply_job, extract, write_rows
from bonmun.scale.spark.pages import Report, read_pages
from bonmun.scale.spark.session import make_session, spark_errors
from bonmun.scale.spark.work import Limits
from bonmun.sites.keys import Normalisation
from bonmun.sites.model import SiteModel
from samples import ROOT
from scripts.made_sites import make_records, write_jsonl, write_parquet, write_warc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]  # FastWARC

PAGES, GIANT = 3_500, 1_500  # 5,000 in all
SETTINGS = {
    "spark.master": "local[2,4]",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # for a fast start
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.files.maxPartitionBytes": "300k",
}

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A session on two cores, with up to four attempts per task."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT / "src", ROOT, Path(__file__).parent)))  # for the workers
    session = make_session(**SETTINGS)
    yield session
    session.stop()
    os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """5,000 pages in all formats, 1,500 of them of one site."""
    folder = tmp_path_factory.mktemp("pages")
    records = make_records(PAGES, 400, GIANT)
    write_warc(islice(records, 1_500), folder / "a.warc.gz")
    write_warc(islice(records, 500), folder / "b 나[1].warc.gz")
    write_parquet(islice(records, 1_500), folder / "c d%20[1].parquet")
    write_jsonl(islice(records, 1_000), folder / "d.jsonl")
    (folder / "html" / "inner").mkdir(parents=True)
    write_jsonl(islice(records, 200), folder / "html" / "z.jsonl")
    for number, record in enumerate(records):
        place = folder / "html" / ("inner" if number % 2 else "")
        (place / f"{number}.html").write_text(record["html"], encoding="utf-8")
    return [str(path) for path in sorted(folder.iterdir())]


@pytest.fixture(scope="module")
def local_counts(sources: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counts of the local engine."""
    path = tmp_path_factory.mktemp("counts") / "local.duckdb"
    with Counts(path) as counts:
        assert sum(1 for _ in CountRun(counts, CountJob(), Reader(sources)).steps(2, 30.0))
        counts.finish()
    return path


@pytest.fixture(scope="module")
def local_model(local_counts: Path) -> Path:
    """The site model of the local engine."""
    path = local_counts.with_suffix(".sites")
    with Counts(local_counts, read_only=True) as counts:
        counts.make_site_model().save(path)
    return path


def extract_locally(sources: list[str], extraction: ExtractJob) -> Rows:
    """Return the rows of the local engine."""
    results = run(extraction, make_batches(Reader(sources)), 2, 30.0)
    return [row for batches in results for batch in batches for row in batch.to_pylist()]


def read_rows(folder: Path | str) -> Rows:
    """Read the rows that Spark has written, in the order of the pages, without their numbers."""
    rows = sorted(pq.read_table(folder).to_pylist(), key=lambda row: row["number"])
    assert len({row["number"] for row in rows}) == len(rows)
    return [{name: value for name, value in row.items() if name != "number"} for row in rows]


def make_small(folder: Path, deeds: dict[int, str], count: int = 60) -> str:
    """Write pages as JSON Lines; some contain instructions for `Poison`."""
    records = list(make_records(count, 7))
    for number, deed in deeds.items():
        records[number]["html"] += f"<!-- DO {deed} -->"
    path = folder / "small.jsonl"
    write_jsonl(records, path)
    return str(path)


def test_rows_equal_those_of_the_local_engine(
    spark: Any, sources: list[str], local_model: Path, tmp_path: Path
) -> None:
    """5,000 pages in all formats, with a site model that is sent to the workers."""
    extraction = ExtractJob(Extraction(method="rules", format="markdown", site_model=SiteModel.load(local_model)))
    write_rows(extract(read_pages(spark, sources), extraction), str(tmp_path / "out"))
    rows = read_rows(tmp_path / "out")
    assert len(rows) == PAGES + GIANT
    assert rows == extract_locally(sources, extraction)
    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_counts_and_site_models_equal_those_of_the_local_engine(
    spark: Any, sources: list[str], local_counts: Path, local_model: Path, tmp_path: Path
) -> None:
    """The files have the same bytes."""
    pages = read_pages(spark, sources)
    counted = write_counts(count(pages), Normalisation(), str(tmp_path / "counts"))
    make_site_model(counted).save(tmp_path / "spark.sites")
    assert (tmp_path / "spark.sites").read_bytes() == local_model.read_bytes()
    with Counts(local_counts, read_only=True) as counts:
        assert sorted((row.name, row.pages) for row in counted.sites.collect()) == counts.sites()
        sums = "sum(first), sum(placed), sum(here), sum(occurrences), sum(plain), sum(size), count(*)"
        assert tuple(counted.leaves.selectExpr(*sums.split(", ")).first()) == counts.query_row(
            f"select {sums} from leaves"
        )


def test_the_copy_with_the_lowest_number_is_counted(spark: Any, tmp_path: Path) -> None:
    counted = count(read_pages(spark, [make_small(tmp_path, {}, 200)])).persist()

    def find_places(pages: Any) -> Any:
        leaves = sum_up(pages).leaves
        return leaves.selectExpr("sum(xxhash64(site, place) % 1000003 * occurrences)", "count(*)").first()

    first = find_places(counted)
    assert find_places(counted.orderBy("page", ascending=False).repartition(3)) == first
    assert (
        find_places(counted.selectExpr("-number as number", "* except (number)")) != first
    )  # now the last copies count
    counted.unpersist()


def test_hostile_pages_cost_only_their_rows(spark: Any, tmp_path: Path) -> None:
    deeds = {3: "hang", 11: "crash", 12: "hog", 40: "raise", 59: "hang"}
    source = make_small(tmp_path, deeds)
    job = Poison(str(tmp_path))
    limits = Limits(seconds=1.0, memory=1_000_000_000)
    rows = [row.asDict() for row in apply_job(read_pages(spark, [source]), job, ExtractJob().schema, limits).collect()]
    failed = {row["number"]: row["error"] for row in rows if row["error"] is not None}
    assert failed.keys() == deeds.keys()
    assert failed[3] == failed[59] == "The page took over 1 seconds."
    assert failed[11] == "The process died; the page may need too much memory."
    assert failed[40] == "The process died; the page may need too much memory."
    expected = extract_locally([source], ExtractJob(Extraction(method="rules")))
    good = [row["text"] for number, row in enumerate(expected) if number not in deeds]
    assert [row["text"] for row in rows if row["error"] is None] == good


HOSTILE_ROWS: dict[str, dict[str, bytes | None]] = {  # values of columns by name; the rest is ordinary
    "no page": {"html": None},
    "nothing": dict.fromkeys(("id", "url", "site", "html", "charset", "crawled", "anchor")),
    "empty": {"html": b""},
    "random bytes": {"html": bytes(range(256)) * 50},
    "an image": {"html": b"\x89PNG\r\n\x1a\n" + b"x" * 1_000},
    "a gzip bomb": {"html": gzip.compress(bytes(30_000_000))},
    "30 MB": {"html": b"<p>word " * 3_750_000},
    "many elements": {"html": b"<b>" * 100_000},
    "lone surrogates": dict.fromkeys(("id", "url", "site", "charset", "crawled", "anchor"), b"http://\xed\xa0\x80/"),
    "control characters": dict.fromkeys(("id", "url", "site", "charset", "crawled", "anchor"), b"\0\x1b[31m"),
    "long values": dict.fromkeys(("id", "url", "site", "charset", "crawled", "anchor"), b"9" * 1_000_000),
    "not a URL": {"url": b"http://[", "site": b"[", "charset": b"idna", "crawled": b"9999-99-99T99:99"},
}
HOSTILE_FAILURES = {"no page", "nothing", "empty", "random bytes", "an image", "a gzip bomb", "30 MB"}


def make_hostile(spark: Any) -> Any:
    """Return a DataFrame of hostile pages, each followed by an ordinary one. Texts may have any bytes."""
    texts = ("id", "url", "site", "charset", "crawled", "anchor")
    good: dict[str, Any] = dict.fromkeys(texts) | {"id": b"x", "site": b"a.example", "html": b"<p>A lamp was lit."}
    rows = [row for hostile in HOSTILE_ROWS.values() for row in (good | hostile, good)]
    columns = ("html", *texts)
    values = [(number, *(row[name] for name in columns)) for number, row in enumerate(rows)]
    types = ", ".join(f"{name} binary" for name in columns)
    raw = spark.createDataFrame(values, f"number bigint, {types}")
    return raw.selectExpr("number", "html", *(f"cast({name} as string) as {name}" for name in texts))


def test_hostile_rows_fail_alone(spark: Any) -> None:
    """Rows of a DataFrame that was not made by `read_pages`."""
    pages = make_hostile(spark)
    job = ExtractJob(Extraction(method="rules"))
    for rows in (extract(pages, job).collect(), count(pages).collect()):
        errors = {row.number: row.error for row in rows}
        assert list(errors) == list(range(2 * len(HOSTILE_ROWS)))
        failed = {name for number, name in enumerate(HOSTILE_ROWS) if errors[2 * number]}
        assert failed == HOSTILE_FAILURES
        assert not any(errors[2 * number + 1] for number in range(len(HOSTILE_ROWS)))
        assert not any("Error:" in (error or "") or "died" in (error or "") for error in errors.values()), errors


def test_texts_of_parquet_files_may_have_any_bytes(spark: Any, tmp_path: Path) -> None:
    kinds = [("id", pa.int64()), ("url", pa.binary()), ("html", pa.string()), ("crawled", pa.timestamp("us"))]
    rows = [
        {"id": 1, "url": b"http://\xed\xa0\x80/", "html": "<p>A lamp.", "crawled": 2**62},
        {"id": None, "url": None, "html": None, "crawled": None},
        {"id": 2**62, "url": b"\0", "html": "<p>A lamp.", "crawled": -(2**62)},
    ]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(kinds)), tmp_path / "a.parquet")
    found = extract(read_pages(spark, [str(tmp_path / "a.parquet")]), ExtractJob(Extraction(method="rules"))).collect()
    assert [(row.text, row.error) for row in found] == [("A lamp.", None)] * 2


@pytest.mark.parametrize(
    "tables",
    [
        {"about": "1 as x"},
        {"about": "true as digits, false as case", "sites": "1 as x", "leaves": "1 as x"},
        {
            "about": "true as digits, false as case",
            "sites": "1L as site, cast(null as string) as name, -1L as pages",
            "leaves": "1L as site, 'x' as text, null as place, -1 as first, 1 as placed, 9 as here, 9 as occurrences, "
            "9 as plain, 9 as size, 'y' as string",
        },
    ],
)
def test_damaged_counts_are_refused(spark: Any, tmp_path: Path, tables: dict[str, str]) -> None:
    for name, columns in tables.items():
        write_rows(spark.sql(f"select {columns}"), str(tmp_path / "counts" / name))
    with pytest.raises(BonmunError), spark_errors():
        find_site_model(spark, str(tmp_path / "counts"))


def test_workers_import_nothing_from_their_working_directory(spark: Any) -> None:
    found = spark.sparkContext.parallelize([0], 1).map(lambda _: (sys.flags.safe_path, "" in sys.path)).collect()
    assert found == [(True, False)]


def test_a_killed_worker_loses_nothing(spark: Any, tmp_path: Path) -> None:
    source = make_small(tmp_path, {30: "kill"})
    rows = apply_job(read_pages(spark, [source]), Poison(str(tmp_path)), ExtractJob().schema)
    write_rows(rows, str(tmp_path / "out"))
    assert (tmp_path / "killed").exists()
    assert read_rows(tmp_path / "out") == extract_locally([source], ExtractJob(Extraction(method="rules")))


def test_a_task_that_fails_halfway_writes_nothing_twice(spark: Any, tmp_path: Path) -> None:
    source = make_small(tmp_path, {}, 400)
    documents = extract(read_pages(spark, [source]).repartition(2, "number"), ExtractJob(Extraction(method="all")))
    write_rows(documents.mapInArrow(break_once, documents.schema), str(tmp_path / "out"))
    assert read_rows(tmp_path / "out") == extract_locally([source], ExtractJob(Extraction(method="all")))
    assert not list((tmp_path / "out").glob("_temporary*"))


def test_a_model_is_loaded_once_per_worker(spark: Any, tmp_path: Path) -> None:
    source = make_small(tmp_path, {}, 200)
    pages = read_pages(spark, [source]).repartition(12, "number")
    assert apply_job(pages, Loading(str(tmp_path)), ExtractJob().schema).count() == 200
    loaded = [path.name.split()[1] for path in tmp_path.glob("loaded *")]
    assert (
        2 <= len(loaded) == len(set(loaded)) <= 8
    )  # two workers and their child processes, started once or twice, for twelve tasks


def test_chunks_equal_those_of_the_local_engine(spark: Any, tmp_path: Path) -> None:
    source = make_small(tmp_path, {})
    extraction = ExtractJob(Extraction(method="auto", format="chunks", chunk_words=50))
    write_rows(extract(read_pages(spark, [source]), extraction), str(tmp_path / "out"))
    assert read_rows(tmp_path / "out") == extract_locally([source], extraction)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["* except (crawled, charset)"], "no column charset, crawled"),
        (
            ["* except (html)", "decode(html, 'UTF-8') as html"],
            "The column html has the type string; cast it to binary",
        ),
        (
            ["* except (number)", "cast(number as string) as number"],
            "The column number has the type string; cast it to bigint",
        ),
    ],
)
def test_missing_and_wrong_columns_are_refused(spark: Any, tmp_path: Path, change: list[str], says: str) -> None:
    pages = read_pages(spark, [make_small(tmp_path, {}, 2)]).selectExpr(*change)
    with pytest.raises(BadConfig, match=says):
        extract(pages)
    with pytest.raises(BadConfig, match=says):
        count(pages)


def test_skipped_and_damaged_pages_are_reported_once(spark: Any, tmp_path: Path) -> None:
    """Also if the pages are read twice. The pages before the end of a truncated file are read."""
    write_warc(make_records(50, 3), tmp_path / "a.warc.gz")
    data = (tmp_path / "a.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(data[: len(data) // 2])
    (tmp_path / "b.jsonl").write_text('{"html": "<p>A lamp."}\nno JSON\n{"html": 5}\n')
    write_parquet([{"id": "1", "html": "<p>A lamp."}], tmp_path / "c.parquet")
    sources = sorted(map(str, tmp_path.iterdir()))
    local = Reader(sources)
    expected = len(list(local))
    report = Report(spark)
    pages = read_pages(spark, sources, report=report)
    assert [pages.count(), pages.count()] == [expected, expected]
    assert report.skipped == local.skipped
    assert report.damaged == local.damaged
    assert len(report.damaged) == 1


@pytest.mark.parametrize("name", ["none.jsonl", "-", "", "page.pdf", "empty"])
def test_invalid_sources_are_refused(spark: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "page.pdf").touch()
    (tmp_path / "empty").mkdir()
    source = str(tmp_path / name) if name.strip("-") else name
    with pytest.raises(BadConfig):
        read_pages(spark, [source])


@contextmanager
def serve_file(data: bytes, cut: int = 0) -> Iterator[str]:
    """Serve a file locally and yield its URL. The connection is closed `cut` bytes before the end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data[: len(data) - cut])
            if not cut:
                self.wfile.write(b"\r\n0\r\n\r\n")
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/a.warc.gz"
        server.shutdown()


def test_remote_files_are_read_through_hadoop(spark: Any, tmp_path: Path) -> None:
    write_warc(make_records(50, 3), tmp_path / "a.warc.gz")
    with serve_file((tmp_path / "a.warc.gz").read_bytes()) as url:
        rows = read_pages(spark, [url]).orderBy("number").collect()
    local = list(Reader([str(tmp_path / "a.warc.gz")]))
    assert [(row.id, row.url, row.site, bytes(row.html)) for row in rows] == [
        (record.id, record.url, record.site, record.html) for record in local
    ]


def test_an_interrupted_transfer_is_an_error(spark: Any, tmp_path: Path) -> None:
    write_warc(make_records(400, 3), tmp_path / "a.warc.gz")
    data = (tmp_path / "a.warc.gz").read_bytes()
    with (
        serve_file(data, cut=len(data) // 3) as url,
        pytest.raises(BonmunError, match=r"a\.warc\.gz: Hadoop could not read it"),
        spark_errors(),
    ):
        read_pages(spark, [url]).count()


def test_the_commands_print_the_same_as_the_local_commands(spark: Any, bonmun: Bonmun, tmp_path: Path) -> None:
    assert spark.version
    write_warc(make_records(80, 4), tmp_path / "a.warc.gz")
    (tmp_path / "b.jsonl").write_text('{"html": "<p>A lamp."}\nno JSON\n{"html": "%PDF-1.4"}\n')
    (tmp_path / "list.txt").write_text("b.jsonl\n\n")
    local = bonmun("corpus", "count", "a.warc.gz", "b.jsonl", "-o", "c.duckdb")
    remote = bonmun("spark", "count", "a.warc.gz", "--paths", "list.txt", "-o", "counts", "--partitions", "3")
    assert local.exit_code == remote.exit_code == 0
    assert local.stderr.splitlines()[-1].split(": ")[-1] == remote.stderr.splitlines()[-1].split(": ")[-1]
    bonmun("corpus", "site-model", "c.duckdb", "-o", "local.sites")
    assert bonmun("spark", "site-model", "counts", "-o", "remote.sites").exit_code == 0
    assert Path("local.sites").read_bytes() == Path("remote.sites").read_bytes()
    out = ["-m", "rules", "-o"]
    local = bonmun("corpus", "extract", "a.warc.gz", "b.jsonl", "--site-model", "local.sites", *out, "out.parquet")
    remote = bonmun("spark", "extract", "a.warc.gz", "b.jsonl", "--site-model", "remote.sites", *out, "out")
    assert remote.stderr.replace("out:", "out.parquet:") == local.stderr
    assert "82 pages, 1 failed" in remote.stderr
    assert read_rows("out") == pq.read_table("out.parquet").to_pylist()
    again = bonmun("spark", "extract", "b.jsonl", "-o", "out")
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)
    assert (bonmun("spark", "extract", "-o", "new").exit_code, Path("new").exists()) == (2, False)
    assert bonmun("spark", "extract", "none.warc", "-o", "new").exit_code == 2
    half = bonmun("spark", "site-model", "out", "-o", "x.sites")
    assert (half.exit_code, "no counts, or unfinished counts" in half.stderr) == (1, True)


def test_the_code_of_the_manual_runs(spark: Any, tmp_path: Path) -> None:
    assert spark.version
    (tmp_path / "crawl").mkdir()
    write_warc(make_records(40, 3), tmp_path / "crawl" / "a.warc.gz")
    code = (ROOT / "docs" / "how-to" / "cluster.md").read_text(encoding="utf-8").split("```py\n")[1].split("```")[0]
    exec(code.replace("s3a://bucket", str(tmp_path)).replace("'ko'", "'en'"), {})
    rows = read_rows(tmp_path / "korean")
    assert rows
    assert {row["language"] for row in rows} == {"en"}


def test_unfinished_counts_are_refused(spark: Any, tmp_path: Path) -> None:
    write_rows(count(read_pages(spark, [make_small(tmp_path, {}, 5)])), str(tmp_path / "counts" / "pages"))
    with pytest.raises(BadInput, match="unfinished counts"):
        read_counts(spark, str(tmp_path / "counts"))


def test_a_compressed_page_is_read(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>A lamp."))
    assert bytes(read_pages(spark, [f"file://{tmp_path}/a.html.gz"]).first().html) == b"<p>A lamp."
