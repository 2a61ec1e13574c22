"""Runs: counted pages are skipped, and a stopped extraction is resumed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bonmun.extraction import Extraction
from bonmun.scale.corpus import output as output_module
from bonmun.scale.corpus import runs
from bonmun.scale.corpus.batches import CountJob, ExtractJob
from bonmun.scale.corpus.counts import Counts
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.runs import CountRun, extract_pages, identify_extraction
from bonmun.scale.corpus.sources.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BAD = {3, 7}  # empty pages


def write_pages(path: Path, numbers: range) -> Reader:
    """Write a file of pages and return its reader."""
    pages = ("" if number in BAD else f"<p>The menu</p><p>Page {number}</p>" for number in numbers)
    lines = [
        {"id": f"p{number}", "html": html, "site": "a.example"} for number, html in zip(numbers, pages, strict=True)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return Reader([str(path)])


def count(counts: Counts, reader: Reader) -> CountRun:
    run = CountRun(counts, CountJob(), reader)
    for _ in run.steps(1, 30):
        pass
    return run


def test_counted_pages_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_REASONS", 1)
    with Counts(tmp_path / "counts.duckdb") as counts:
        first = count(counts, write_pages(tmp_path / "a.jsonl", range(10)))
        assert (first.pages, first.repeated, first.failed) == (10, 0, 2)
        assert first.reasons == ["p3: The input is empty: there is no page to read."]
        more = count(counts, write_pages(tmp_path / "a.jsonl", range(5, 12)))
        assert (more.pages, more.repeated, more.failed) == (7, 4, 1)
        counts.finish()
        assert counts.summary().pages == 10


def test_counts_are_written_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "FLUSH_PAGES", 1)
    monkeypatch.setattr("bonmun.scale.corpus.batches.BATCH_PAGES", 4)
    with Counts(tmp_path / "counts.duckdb") as counts:
        run = CountRun(counts, CountJob(), write_pages(tmp_path / "a.jsonl", range(10, 20)))
        seen = [len(counts) for _ in run.steps(1, 30)]
        assert seen == [4, 8, 10]


def test_a_stopped_extraction_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_module, "SHARD_PAGES", 4)
    monkeypatch.setattr("bonmun.scale.corpus.batches.BATCH_PAGES", 4)
    reader = write_pages(tmp_path / "a.jsonl", range(10, 20))
    extraction = ExtractJob(Extraction(method="all"))
    with Output(tmp_path / "out.jsonl", extraction.schema, {}) as output:
        steps = extract_pages(output, extraction, reader, 1, 30)
        assert (next(steps), next(steps)) == (4, 8)
    with Output(tmp_path / "out.jsonl", extraction.schema, {}) as output:
        assert output.done == 8
        assert list(extract_pages(output, extraction, reader, 1, 30)) == [2]
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["text"]) for row in rows] == [(f"p{n}", f"The menu\n\nPage {n}") for n in range(10, 20)]


def test_an_extraction_is_identified_by_its_sources_and_settings(tmp_path: Path) -> None:
    reader = write_pages(tmp_path / "a.jsonl", range(3))
    known = identify_extraction(ExtractJob(Extraction(method="all")), reader, 30)
    assert identify_extraction(ExtractJob(Extraction(method="all")), Reader(reader.names), 30) == known
    others = {
        "method": identify_extraction(ExtractJob(Extraction(method="auto")), reader, 30),
        "format": identify_extraction(ExtractJob(Extraction(method="all", format="html")), reader, 30),
        "options": identify_extraction(ExtractJob(Extraction(method="all", links=True)), reader, 30),
        "seconds": identify_extraction(ExtractJob(Extraction(method="all")), reader, 31),
        "site": identify_extraction(ExtractJob(Extraction(method="all")), Reader(reader.names, "b.example"), 30),
    }
    for other in others.values():
        assert {name for name in known if other[name] != known[name]} == {"settings"}
    more = write_pages(tmp_path / "a.jsonl", range(4))
    assert identify_extraction(ExtractJob(Extraction(method="all")), more, 30)["sources"] != known["sources"]


def test_large_counts_are_written_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "FLUSH_BYTES", 1)
    monkeypatch.setattr("bonmun.scale.corpus.batches.BATCH_PAGES", 4)
    with Counts(tmp_path / "counts.duckdb") as counts:
        run = CountRun(counts, CountJob(), write_pages(tmp_path / "a.jsonl", range(10, 20)))
        assert [len(counts) for _ in run.steps(1, 30)] == [4, 8, 10]


def test_a_finished_extraction_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = write_pages(tmp_path / "a.jsonl", range(10, 20))
    extraction = ExtractJob(Extraction(method="all"))
    with monkeypatch.context() as patch:
        patch.setattr(Output, "_delete_shards", lambda _: None)  # as if it was killed there
        with Output(tmp_path / "out.jsonl", extraction.schema, {}) as output:
            list(extract_pages(output, extraction, reader, 1, 30))
    before = (tmp_path / "out.jsonl").read_bytes()
    with Output(tmp_path / "out.jsonl", extraction.schema, {}) as output:
        assert list(extract_pages(output, extraction, reader, 1, 30)) == [0]
        assert (output.finished, output.done) == (True, 10)
    assert (tmp_path / "out.jsonl").read_bytes() == before
    assert not output.folder.exists()
