"""Extract the six pages in examples/pages and show the results with their reasons. Run it with `make demo`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import bonmun

if TYPE_CHECKING:
    from bonmun.page import Block

PAGES = Path(__file__).parent / "pages"
ABOUT = {
    "ko-article.html": "a Korean news article",
    "en-forum.html": "an English forum thread",
    "ja-product.html": "a Japanese shop page, in Shift_JIS",
    "en-docs.html": "a documentation page",
    "ko-board.html": "an old Korean board with layout tables, in EUC-KR",
    "ar-shell.html": "an Arabic page that is empty until its scripts run",
}


def main() -> None:
    """Print the result of every page."""
    for name, about in ABOUT.items():
        doc = bonmun.extract((PAGES / name).read_bytes())
        print(f"━━━ {name}: {about}")
        print(f"    title       {doc.title}")
        print(f"    metadata    author {doc.author}, date {doc.date}, language {doc.language}, site {doc.site_name}")
        kept = f"{len(doc.blocks)} of {len(doc.page.blocks)} blocks, {len(doc.text)} characters"
        print(f"    kept        {kept}; kind {doc.kind}, confidence {doc.confidence:.2f}")
        for row, block in _choose_dropped(doc):
            print(f"    dropped     {_shorten(block.text, 50)}  ← {doc.labels.reasons[row]}")
        text = textwrap.indent(_shorten(doc.text, 420, keep_lines=True) or "(no main text)", "    │ ")
        print(f"{text}\n")
    print("The same on the command line, in any of five formats:")
    print("    .venv/bin/bonmun extract examples/pages/ko-article.html --format markdown")
    print("    .venv/bin/bonmun extract examples/pages --format json --output out/")


def _choose_dropped(doc: bonmun.Document) -> list[tuple[int, Block]]:
    """Return a few dropped blocks with different reasons."""
    reasons: dict[str, int] = {}
    for row, (kept, reason) in enumerate(zip(doc.labels.kept, doc.labels.reasons, strict=True)):
        if not kept and len(doc.page.block_texts[row]) > 12:
            reasons.setdefault(reason, row)
    return [(row, doc.page.blocks[row]) for row in sorted(reasons.values())[:3]]


def _shorten(text: str, length: int, *, keep_lines: bool = False) -> str:
    text = "\n".join(line for line in text.splitlines() if line) if keep_lines else " ".join(text.split())
    return text if len(text) <= length else text[:length].rstrip() + " …"


if __name__ == "__main__":
    main()
