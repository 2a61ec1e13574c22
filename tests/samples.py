"""The invented pages that several test files read: those in tests/pages and those in examples/pages."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(folder for folder in (ROOT / "tests" / "pages").iterdir() if folder.is_dir())
EXAMPLES = ROOT / "examples" / "pages"
SOURCES = {folder.name: folder / "source.html" for folder in FOLDERS}
SOURCES |= {path.stem: path for path in sorted(EXAMPLES.glob("*.html"))}

on_every_page = pytest.mark.parametrize("path", SOURCES.values(), ids=list(SOURCES))
