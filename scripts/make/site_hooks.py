"""Hook of MkDocs: pages of the site that show documents of the repository's root.

A page whose text is `--8<-- "SECURITY.md"` shows that file. Its links, which are relative to the root, are rewritten.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
INCLUDE = re.compile(r'--8<-- "([A-Z]+\.md)"\n?')
LINK = re.compile(r"\]\(([^)\s:#]+)(#[^)\s]*)?\)")
PAGES = {  # the pages that show documents of the root
    "ARCHITECTURE.md": "docs/explanation/architecture.md",
    "CHANGELOG.md": "docs/changelog.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "README.md": "docs/index.md",
    "SECURITY.md": "docs/explanation/security.md",
}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the text of a page, with the document it includes in place of the directive."""
    found = INCLUDE.fullmatch(markdown)
    return markdown if found is None else include(found[1], posixpath.dirname(f"docs/{page.file.src_uri}"))


def include(name: str, folder: str) -> str:
    """Return a document of the root with its links made relative to a folder."""

    def relink(link: re.Match[str]) -> str:
        target = posixpath.relpath(PAGES.get(link[1], link[1]), folder)
        return f"]({target}{link[2] or ''})"

    return LINK.sub(relink, (ROOT / name).read_text(encoding="utf-8"))
