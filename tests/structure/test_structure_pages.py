"""Pages of one maker each, and the Markdown a person expects: tests/structure/<maker>/{page.html,page.md}.

A folder may have options.json with options; "method" in it names another method, such as "all" for pages of which auto
does not keep the part in question.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bonmun

FOLDERS = sorted(path for path in Path(__file__).parent.iterdir() if (path / "page.html").is_file())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_markdown_is_what_a_person_expects(folder: Path) -> None:
    options: dict[str, Any] = {}
    if (folder / "options.json").is_file():
        options |= json.loads((folder / "options.json").read_text(encoding="utf-8"))
    method = options.pop("method", "auto")
    html = (folder / "page.html").read_bytes()
    url = "https://pages.example/dir/page"
    doc = bonmun.extract(html, url=url, method=method, options=bonmun.Options(**options))
    assert doc.markdown.rstrip("\n") == (folder / "page.md").read_text(encoding="utf-8").rstrip("\n")
