"""Formats chosen by Accept, the memory of bodies, parameters in the query and in JSON, and metrics."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("fastapi")

from bonmun.app.serve.http.bodies import BodyMemory, choose_format
from bonmun.app.serve.http.metrics import Metrics
from bonmun.app.serve.parameters import COMPARE_PARAMETERS, EXTRACT_PARAMETERS, read_parameters
from bonmun.errors import BadConfig, TooBusy

FORMATS = ("text", "markdown", "html", "json", "xml")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", None),
        ("*/*", None),
        ("image/png", None),
        ("text/markdown", "markdown"),
        ("text/html;q=0.5, application/json", "json"),
        ("text/html, application/json", "html"),
        ("application/json;q=0, text/plain;q=0.1", "text"),
        ("text/xml", "xml"),
        ("application/tei+xml; charset=utf-8; q=0.3", "xml"),
        ("application/json;q=nan, text/html;q=inf;q=1", "html"),
        ("application/json;q=x", None),
        (",;,=;" * 1_000, None),
        ("a/b," * 100 + "text/html", None),  # too many to look at
    ],
)
def test_the_accept_header_chooses_the_format(header: str, expected: str | None) -> None:
    assert choose_format(header, FORMATS) == expected


def test_the_memory_of_all_bodies_is_limited() -> None:
    memory = BodyMemory(100)
    with memory.reserve() as one, memory.reserve() as other:
        one.add(60)
        with pytest.raises(TooBusy):
            other.add(50)
    assert memory.size == 0


def test_json_takes_precedence_over_the_query() -> None:
    found = read_parameters(EXTRACT_PARAMETERS, "links=1&format=html&tables=html", {"format": "xml", "links": False})
    extraction = found.make_extraction()
    assert (found.format, extraction.links, extraction.tables) == ("xml", False, "html")
    assert read_parameters(COMPARE_PARAMETERS, "methods=a&methods=b").model_dump()["methods"] == ["a", "b"]


@pytest.mark.parametrize(
    ("query", "body", "says"),
    [
        ("links=1&links=0", None, "links: give it only once"),
        ("&".join(["a=1"] * 200), None, "more than 100"),
        ("", {str(number): 1 for number in range(200)}, "more than 100"),
        ("%00=1", None, "unknown parameter"),
        ("", {"links": 1}, "links: "),
        ("", {"url": "x" * 5_000}, "url: "),
        ("", {"crawled": 3}, "crawled: "),
        ("links", None, "links: "),
    ],
)
def test_invalid_parameters_are_named(query: str, body: dict[str, Any] | None, says: str) -> None:
    with pytest.raises(BadConfig, match=says) as problem:
        read_parameters(EXTRACT_PARAMETERS, query, body)
    assert "\n" not in str(problem.value)
    assert len(str(problem.value)) < 300


def test_metrics_are_in_the_format_of_prometheus() -> None:
    metrics = Metrics()
    metrics.add("/extract", 200, 0.02, 10, 5)
    metrics.add("/extract", 200, 100.0, 10, 5)
    lines = metrics.write(SimpleNamespace(waiting=1, process_ids=[1, 2], restarts=3)).splitlines()  # type: ignore[arg-type]
    assert 'bonmun_requests_total{route="/extract",status="200"} 2' in lines
    assert 'bonmun_request_seconds_bucket{route="/extract",le="0.01"} 0' in lines
    assert 'bonmun_request_seconds_bucket{route="/extract",le="0.025"} 1' in lines
    assert 'bonmun_request_seconds_bucket{route="/extract",le="60.0"} 1' in lines
    assert 'bonmun_request_seconds_bucket{route="/extract",le="+Inf"} 2' in lines
    assert 'bonmun_request_seconds_sum{route="/extract"} 100.02' in lines
    assert "bonmun_worker_restarts_total 3" in lines
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names)) == 9
