"""The LangChain loader and transformer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from langchain_core.documents import Document

from bonmun.app.integrations.langchain import BonmunLoader, BonmunTransformer
from bonmun.errors import BadConfig
from bonmun.options import Options
from samples import EXAMPLES, served

if TYPE_CHECKING:
    from pathlib import Path

ARTICLE = EXAMPLES / "ko-article.html"


def test_pages_are_loaded_from_files_and_urls_and_bad_ones_skipped(tmp_path: Path) -> None:
    (tmp_path / "paper.html").write_bytes(b"%PDF-1.7\n...")
    with served({"/1": (ARTICLE.read_bytes(), "text/html"), "/2": (b"\x89PNG", "image/png")}) as server:
        sources: list[str | Path] = [f"{server}/1", tmp_path / "paper.html", f"{server}/2", f"{server}/3", str(ARTICLE)]
        loader = BonmunLoader(sources, format="markdown", options=Options(allow_private=True))
        first, second = loader.load()
    assert first.page_content == second.page_content != ""
    assert first.metadata["source"] == first.metadata["url"] == f"{server}/1"
    assert second.metadata["source"] == str(ARTICLE)
    assert second.metadata["title"].startswith("폐역에 다시 불이 켜졌다")
    assert 0.5 < second.metadata["confidence"] <= 1
    assert set(loader.left_out) == {str(tmp_path / "paper.html"), f"{server}/2", f"{server}/3"}
    assert "404" in loader.left_out[f"{server}/3"]


def test_chunks_are_documents() -> None:
    documents = list(BonmunLoader([ARTICLE], chunk_words=60).lazy_load())
    assert len(documents) > 2
    assert [document.metadata["chunk"] for document in documents] == list(range(len(documents)))


def test_loading_is_lazy_and_works_in_an_event_loop() -> None:
    pages = iter([ARTICLE, ARTICLE])
    assert next(BonmunLoader(pages).lazy_load()).page_content
    assert len(list(pages)) == 1
    assert len(asyncio.run(BonmunLoader([ARTICLE]).aload())) == 1


def test_documents_with_html_are_transformed() -> None:
    html = ARTICLE.read_text(encoding="utf-8")
    given = [
        Document(html, metadata={"source": "https://news.example/1", "mine": 1}),
        Document(" ", metadata={"source": "b.html"}),
        Document("<title>Log in</title><input>"),
        Document(html),
    ]
    transformer = BonmunTransformer()
    first, last = transformer.transform_documents(given)
    assert first.page_content == last.page_content
    assert "<p>" not in first.page_content
    assert first.metadata["mine"] == 1
    assert first.metadata["url"] == "https://news.example/1"
    assert first.metadata["author"] == last.metadata["author"] == "윤서하"
    assert "url" not in last.metadata
    assert transformer.left_out.keys() == {"b.html", "2"}
    assert given[0].page_content == html
    assert len(asyncio.run(transformer.atransform_documents(given[:1]))) == 1


def test_invalid_settings_are_refused_at_once() -> None:
    with pytest.raises(BadConfig, match="magic"):
        BonmunLoader([], method="magic")
