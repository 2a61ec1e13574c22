"""The datatrove step, by itself and in a pipeline that writes JSON lines."""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter

from bonmun.app.integrations.datatrove import BonmunExtractor
from bonmun.app.integrations.parts import PageExtractor, Part
from bonmun.errors import BadConfig
from samples import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

HTML = (EXAMPLES / "ko-article.html").read_text(encoding="utf-8")


class FaultyExtractor(PageExtractor):
    """An extractor that hangs on some pages and crashes on others."""

    def make_parts(self, html: object, url: str | None = None) -> list[Part]:
        if html == "slow":
            time.sleep(60)
        if html == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        assert isinstance(html, str)
        return super().make_parts(html, url)


def make_pages(*texts: str) -> list[Document]:
    return [
        Document(text, str(number), metadata={"url": f"https://news.example/{number}", "date": "now"})
        for number, text in enumerate(texts)
    ]


def test_pages_are_extracted_and_bad_ones_counted() -> None:
    step = BonmunExtractor(format="markdown")
    first, last = step.run(iter(make_pages(HTML, "", " ", "<title>Log in</title><input>", HTML)))
    assert (first.id, last.id) == ("0", "4")
    assert first.text == last.text
    assert "<p>" not in first.text
    assert first.metadata["date"] == "now"  # metadata of other steps is kept
    assert first.metadata["bonmun"]["author"] == "윤서하"
    assert first.metadata["bonmun"]["url"] == "https://news.example/0"
    counts = {name: stat.total for name, stat in step.stats.stats.items()}
    assert (counts["total"], counts["forwarded"], counts["dropped"]) == (5, 2, 1)
    assert counts["EmptyInput"] == 2


@pytest.mark.slow
def test_hanging_and_crashing_pages_do_not_affect_others() -> None:
    step = BonmunExtractor(timeout=2)
    step.extractor = FaultyExtractor()
    found = list(step.run(iter(make_pages(HTML, "slow", HTML, "deadly", HTML))))
    assert [document.id for document in found] == ["0", "2", "4"]
    counts = {name: stat.total for name, stat in step.stats.stats.items()}
    assert (counts["TimeoutError"], counts["EOFError"]) == (1, 1)


@pytest.mark.slow
def test_a_whole_run_writes_json_lines(tmp_path: Path) -> None:
    pipeline = [make_pages(HTML, "", HTML), BonmunExtractor(), JsonlWriter(str(tmp_path / "out"))]
    LocalPipelineExecutor(pipeline, logging_dir=str(tmp_path / "logs")).run()
    with gzip.open(tmp_path / "out" / "00000.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert [row["id"] for row in rows] == ["0", "2"]
    assert rows[-1]["metadata"]["bonmun"]["title"].startswith("폐역에")


def test_invalid_settings_are_refused_at_once() -> None:
    with pytest.raises(BadConfig, match="magic"):
        BonmunExtractor(method="magic")
