"""Budgets, outlines and sections in commands and in the jobs of the service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

pytest.importorskip("fastapi")

from bonmun.app.cli import app
from bonmun.app.serve.jobs import JobLimits, JobRequest, extract_job
from bonmun.app.serve.settings import ServiceOptions
from bonmun.errors import BadConfig, MissingPart
from bonmun.pipeline import extract
from bonmun.text.tokens import estimate_tokens
from samples import save

if TYPE_CHECKING:
    from pathlib import Path

STOPS = "".join(
    f"<h2>Stop {n}</h2><p>The lamp at stop {n} was lit by hand every evening, and the keeper wrote down the hour.</p>"
    for n in range(60)
)
PAGE = f"<title>Lamps</title><article><h1>Lamps</h1>{STOPS}</article>"
LIMITS = JobLimits.of(ServiceOptions())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def post(query: str) -> str:
    return extract_job(JobRequest(PAGE.encode(), query=query), LIMITS).body.decode()


def run(*options: str) -> str:
    done = CliRunner().invoke(app, ["extract", save("page.html", PAGE), *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_and_the_service_write_the_same_part() -> None:
    doc = extract(PAGE)
    for format_ in ("text", "markdown"):
        expected = str(doc.part(format_, max_tokens=500))
        assert run("-f", format_, "--max-tokens", "500") == expected
        assert post(f"format={format_}&max_tokens=500") == expected
        assert estimate_tokens(expected) <= 500
    rest = doc.part(max_words=300).rest
    assert rest is not None
    assert post(f"format=md&max_words=300&cursor={rest.cursor}").startswith("## Stop")
    assert run("--section", "Stop 7").startswith("Stop 7\n\nThe lamp at stop 7 ")
    assert "8. Stop 7 (" in run("--outline")


def test_json_of_a_part_is_small() -> None:
    answer = json.loads(post("format=json&max_tokens=300"))
    assert answer["rest"]["cursor"] > 0
    assert estimate_tokens(answer["markdown"]) <= 300
    line = json.loads(run("-f", "json", "--max-tokens", "300"))
    assert line["markdown"] == answer["markdown"]
    assert [each["title"] for each in json.loads(post("format=json&outline=true"))["outline"]][:2] == [
        "Stop 0",
        "Stop 1",
    ]


@pytest.mark.parametrize(
    "query",
    ["max_tokens=0", "max_tokens=1e9", "max_words=-1", "cursor=-1", "cursor=abc", "cursor=1&cursor=2", "outline=maybe",
     "outline=true&section=1", "outline=true&format=html", "max_tokens=500&format=xml", f"section={'x' * 5_000}"],
)  # fmt: skip
def test_bad_parts_are_errors(query: str) -> None:
    with pytest.raises(BadConfig):
        post(query)


@pytest.mark.parametrize("query", ["cursor=999999999999", "section=Station", "section=0", "section=%00", "section="])
def test_missing_parts_are_errors(query: str) -> None:
    with pytest.raises(MissingPart):
        post(query)


def test_a_missing_section_of_one_page_does_not_stop_the_command() -> None:
    other = save("other.html", PAGE.replace("Stop", "Station"))
    done = CliRunner().invoke(app, ["extract", save("page.html", PAGE), other, "--section", "Station 3"])
    assert done.exit_code == 1
    assert "Station 3\n" in done.stdout
    assert "There is no section 'Station 3'" in done.output
    assert CliRunner().invoke(app, ["extract", other, "--explain", "--outline"]).exit_code == 2
