"""The plan of a crawl: invalid settings are rejected, valid ones are saved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadConfig, BadInput
from bonmun.scale.crawl.plan import CrawlPlan

if TYPE_CHECKING:
    from pathlib import Path

SEED = "http://pier.example/"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seeds": ()}, "at least one seed URL"),
        ({"seeds": ("pier.example",)}, "put https:// before it"),
        ({"seeds": ("ftp://pier.example/",)}, "only http and https"),
        ({"seeds": ("http://kim:secret@pier.example/",)}, "user name or password"),
        ({"seeds": ("http://[::1/",)}, "not a valid URL"),
        ({"seeds": ("http://pier.example/" + "a" * 5000,)}, "ordinary length"),
        ({"depth": -1}, "depth must be at least 0"),
        ({"pages": 0}, "pages must be at least 1"),
        ({"bytes": 0}, "bytes must be at least 1"),
        ({"host_pages": 0}, "host_pages must be"),
        ({"connections": 0}, "connections must be"),
        ({"requests": 0}, "requests must be"),
        ({"delay": -1.0}, "delay must be from 0 to 3,600"),
        ({"delay": float("nan")}, "delay must be from 0 to 3,600"),
        ({"timeout": 0.0}, "timeout, reading and retry"),
        ({"reading": 0.0}, "timeout, reading and retry"),
        ({"warc_bytes": 10}, "warc_bytes must be"),
        ({"agent": ""}, "agent must consist of letters"),
        ({"agent": "bon mun"}, "agent must consist of letters"),
        ({"agent": "bonmun/1"}, "agent must consist of letters"),
        ({"render": "sometimes"}, "never, auto, always"),
        ({"articles": "*/article/*"}, "only applies to portals"),
        ({"resolve": "8080"}, "an address and a port"),
        ({"resolve": "http://127.0.0.1:8080"}, "an address and a port"),
    ],
)
def test_invalid_settings_are_rejected(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig, match=message):
        CrawlPlan(**{"seeds": (SEED,)} | settings)


def test_a_plan_is_saved_and_loaded(tmp_path: Path) -> None:
    plan = CrawlPlan(
        seeds=(SEED, "http://한국.example/등대"),
        domains=("pier.example",),
        include=("*/글/*",),
        exclude=("*.pdf",),
        keywords=("등대", "lamp"),
        pages=7,
        delay=0.5,
        portal=True,
        articles="*/article/*",
        resolve="127.0.0.1:8080",
    )
    plan.save(tmp_path)
    assert CrawlPlan.load(tmp_path) == plan


def test_a_plan_of_an_older_version_gets_defaults(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps({"seeds": [SEED], "pages": 3, "gone": True}))
    assert CrawlPlan.load(tmp_path) == CrawlPlan(seeds=(SEED,), pages=3)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "5",
        "{}",
        '{"seeds": []}',
        '{"seeds": 5}',
        '{"seeds": [5]}',
        '{"seeds": "http://pier.example/"}',
        '{"seeds": ["nothing"]}',
        '{"seeds": ["http://pier.example/"], "pages": "many"}',
        '{"seeds": ["http://pier.example/"], "agent": 5}',
        '{"seeds": ["http://pier.example/"], "render": []}',
        "[" * 100_000,
    ],
)
def test_a_damaged_plan_is_rejected(tmp_path: Path, content: str) -> None:
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(BadInput, match="not the plan of a crawl"):
        CrawlPlan.load(tmp_path)


def test_a_missing_plan_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not the plan of a crawl"):
        CrawlPlan.load(tmp_path)


@pytest.mark.parametrize(
    ("settings", "wanted", "unwanted"),
    [
        ({}, ["/", "/a?b=1"], []),
        ({"include": ("*/blog/*",)}, ["/blog/1", "/x/blog/"], ["/", "/blog"]),
        ({"exclude": ("*.pdf", "*/tag/*")}, ["/", "/a.pdf?x"], ["/a.pdf", "/tag/b"]),
        ({"include": ("*/blog/*",), "exclude": ("*/blog/old/*",)}, ["/blog/1"], ["/blog/old/1", "/"]),
        ({"include": ("http://pier.example/[0-9]*",)}, ["/1"], ["/a"]),
        ({"include": ("*/Blog/*",)}, ["/Blog/1"], ["/blog/1"]),  # paths are case-sensitive
    ],
)
def test_patterns(settings: dict[str, Any], wanted: list[str], unwanted: list[str]) -> None:
    plan = CrawlPlan(seeds=(SEED,), **settings)
    for path in wanted:
        assert plan.is_wanted(f"http://pier.example{path}")
    for path in unwanted:
        assert not plan.is_wanted(f"http://pier.example{path}")


@pytest.mark.parametrize(
    ("settings", "allowed", "refused"),
    [
        ({}, ["pier.example", "www.pier.example"], ["pier.example.org", "otherpier.example", "example"]),
        ({"seeds": ("https://www.bbc.co.uk/news",)}, ["bbc.co.uk", "news.bbc.co.uk"], ["co.uk", "itv.co.uk"]),
        ({"domains": ("Blog.Pier.example.",)}, ["blog.pier.example", "a.blog.pier.example"], ["pier.example"]),
        ({"seeds": ("http://127.0.0.1:8000/",)}, ["127.0.0.1"], ["0.0.1", "127.0.0.2"]),
    ],
)
def test_domains(settings: dict[str, Any], allowed: list[str], refused: list[str]) -> None:
    plan = CrawlPlan(**{"seeds": (SEED,)} | settings)
    assert [host for host in (*allowed, *refused) if plan.is_allowed(host)] == allowed


def test_renderings_are_checked() -> None:
    with pytest.raises(BadConfig, match="never, auto, always, not 'x'"):
        CrawlPlan(seeds=(SEED,), render="x")  # type: ignore[arg-type]
