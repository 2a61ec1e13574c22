"""What all adapters share, tested without any framework; and the errors if a framework is missing."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from bonmun.app.integrations.parts import PageExtractor, load_source
from bonmun.errors import BadConfig, MissingExtra
from bonmun.options import DEFAULTS, Options
from samples import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

ARTICLE = EXAMPLES / "ko-article.html"


def test_a_page_is_one_part_with_flat_metadata() -> None:
    (part,) = PageExtractor(format="markdown").make_parts(ARTICLE.read_bytes(), "https://news.example/1")
    assert part.text.startswith("지난 12일 오후 7시, 솔내읍")
    assert part.metadata["author"] == "윤서하"
    assert part.metadata["date"] == "2025-05-14"
    assert part.metadata["url"] == "https://news.example/1"
    assert part.metadata["kind"] == "article"
    assert 0.5 < float(part.metadata["confidence"]) <= 1
    assert all(isinstance(value, (str, int, float)) for value in part.metadata.values())


def test_chunks_are_parts_with_their_positions() -> None:
    parts = PageExtractor(chunk_words=60).make_parts(ARTICLE.read_bytes())
    (whole,) = PageExtractor().make_parts(ARTICLE.read_bytes())
    assert len(parts) > 2
    assert [part.metadata["chunk"] for part in parts] == list(range(len(parts)))
    for part in parts:
        assert whole.text[int(part.metadata["start"]) : int(part.metadata["end"])] == part.text
        assert part.metadata["title"] == whole.metadata["title"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "magic"}, "magic"),
        ({"format": "pdf"}, "Unknown format 'pdf'"),
        ({"chunk_words": 0}, "chunk_words must be at least 1"),
        ({"chunk_words": 9, "format": "html"}, "chunk_words needs format 'text'"),
    ],
)
def test_invalid_settings_are_refused_before_the_first_page(settings: dict[str, object], said: str) -> None:
    with pytest.raises(BadConfig, match=said):
        PageExtractor(**settings)  # type: ignore[arg-type]


def test_bad_pages_are_skipped_with_a_reason(tmp_path: Path) -> None:
    def fail() -> str:
        raise RecursionError

    left_out: dict[str, str] = {}
    extractor = PageExtractor()
    assert extractor.try_parts("pdf", lambda: b"%PDF-1.7 ...", left_out) == []
    assert extractor.try_parts("gone", lambda: load_source(tmp_path / "gone.html", DEFAULTS), left_out) == []
    assert extractor.try_parts("login", lambda: "<title>Log in</title><form><input></form>", left_out) == []
    assert extractor.try_parts("bug", fail, left_out) == []
    assert extractor.try_parts("private", lambda: load_source("http://127.0.0.1:1/", DEFAULTS), left_out) == []
    assert "PDF" in left_out["pdf"]
    assert left_out["gone"] == "The file cannot be read: No such file or directory."
    assert left_out["login"] == "The page has no main text."
    assert left_out["bug"] == "RecursionError"
    assert "private" in left_out["private"]
    with pytest.raises(BadConfig):  # an error of the settings, not of a page
        PageExtractor("visual:P").try_parts("x", ARTICLE.read_bytes, left_out)


def test_files_are_read_up_to_the_size_limit(tmp_path: Path) -> None:
    (tmp_path / "big.html").write_text("<p>Long.</p>" * 1000)
    left_out: dict[str, str] = {}
    options = Options(max_bytes=1000)
    assert (
        PageExtractor(options=options).try_parts("big", lambda: load_source(tmp_path / "big.html", options), left_out)
        == []
    )
    assert "1,000" in left_out["big"]


@pytest.mark.parametrize(
    ("module", "package", "line"),
    [
        ("datatrove", "datatrove.pipeline.extractors.base", "pip install datatrove."),
        ("langchain", "langchain_core.document_loaders", "pip install langchain-core."),
        ("llamaindex", "llama_index.core.readers.base", "pip install llama-index-core."),
        ("scrapy", "itemadapter", "pip install scrapy."),
    ],
)
def test_a_missing_framework_names_the_pip_command(
    module: str, package: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"bonmun.app.integrations.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=line):
        import_module(name)
