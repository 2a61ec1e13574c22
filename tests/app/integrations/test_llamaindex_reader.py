"""The LlamaIndex reader, by itself and with SimpleDirectoryReader."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from llama_index.core.readers import SimpleDirectoryReader
from llama_index.core.schema import MetadataMode

from bonmun.app.integrations.llamaindex import BonmunReader
from bonmun.options import Options
from samples import EXAMPLES, served

if TYPE_CHECKING:
    from pathlib import Path

ARTICLE = EXAMPLES / "ko-article.html"


def test_pages_are_read_from_files_and_urls_and_bad_ones_skipped(tmp_path: Path) -> None:
    reader = BonmunReader(format="markdown", options=Options(allow_private=True))
    with served({"/1": (ARTICLE.read_bytes(), "text/html")}) as server:
        first, second = reader.load_data([f"{server}/1", str(tmp_path / "none.html"), ARTICLE], {"mine": 1})
    assert first.text == second.text != ""
    assert first.metadata["url"] == f"{server}/1"
    assert second.metadata["source"] == str(ARTICLE)
    assert second.metadata["author"] == "윤서하"
    assert second.metadata["mine"] == 1
    assert reader.left_out == {str(tmp_path / "none.html"): "The file cannot be read: No such file or directory."}
    assert len(asyncio.run(reader.aload_data(ARTICLE))) == 1


def test_technical_metadata_is_not_embedded() -> None:
    (document,) = BonmunReader().load_data(str(ARTICLE))
    embedded = document.get_content(MetadataMode.EMBED)
    assert "윤서하" in embedded
    assert "confidence" in document.metadata
    assert "confidence" not in embedded
    assert "confidence" not in document.get_content(MetadataMode.LLM)


def test_simple_directory_reader(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(ARTICLE.read_bytes())
    (tmp_path / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "c.html").write_bytes(ARTICLE.read_bytes())
    reader = BonmunReader(chunk_words=60)
    documents = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": reader}).load_data()
    assert {document.metadata["file_name"] for document in documents} == {"a.html", "c.html"}
    assert len(documents) > 4
    assert list(reader.left_out) == [str(tmp_path / "b.html")]
