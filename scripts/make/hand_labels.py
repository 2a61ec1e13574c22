"""Write the sets that the default network is trained on but ../shared/data does not have as one file each.

    .venv/bin/python -m scripts.make.hand_labels FOLDER

- hand-accept and hand-more: pages of accept-dev, unlabelled-ml and unlabelled-wide with the block labels of
  hand_labels.jsonl. 278 were labelled by hand, block by block. The other 129, of accept-dev, passed all checks of their
  readers for text: their labels are the blocks that bonmun kept.
- site-gold: its gold texts, with the HTML of crawl-sample.

A page whose number of blocks has changed since it was labelled is left out, with a message.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bonmun.lab.gold.verdicts import read_ranges
from bonmun.page import Page
from scripts.labelled import read_html, read_rows

LABELS = Path(__file__).with_name("hand_labels.jsonl")
ACCEPT, SITES, CRAWLED = "accept-dev", "site-gold", "crawl-sample"


def label_page(row: dict[str, Any], labels: dict[str, Any]) -> dict[str, Any] | None:
    """Return the row with block labels and a gold text; None if the page has other blocks than when it was labelled."""
    url = row.get("url")
    html = read_html(row) or ""
    page = Page.parse(html, url)
    if len(page.starts) != labels["blocks"]:
        return None
    rows = {name: list(read_ranges(labels.get(name, ""))) for name in ("keep", "comment", "unsure")}
    found = [{"xpath": page.blocks[at].xpath, "label": name} for name, some in rows.items() for at in some]
    text = "\n".join(page.block_texts[at] for at in rows["keep"])
    facts = {name: row.get(name) for name in ("id", "url", "lang", "site")}
    return {**facts, "kind": labels["kind"], "html": html, "text": text, "labels": found}


def write_set(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write a set as JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{path}: {len(rows)} pages")


def main() -> None:
    """Write the three sets to a folder."""
    folder = Path(sys.argv[1])
    labels = {(row["set"], row["id"]): row for row in map(json.loads, LABELS.read_text("utf-8").splitlines())}
    made: dict[str, list[dict[str, Any]]] = {"hand-accept": [], "hand-more": []}
    for name in dict.fromkeys(source for source, _ in labels):
        for row in read_rows(name):
            if known := labels.get((name, row["id"])):
                labelled = label_page(row, known)
                if labelled is None:
                    print(f"{name}: {row['id']} has other blocks than when it was labelled", file=sys.stderr)
                else:
                    made["hand-accept" if name == ACCEPT else "hand-more"].append(labelled)
    for name, rows in made.items():
        write_set(folder / f"{name}.jsonl", rows)
    crawled = {row["id"]: row for row in read_rows(CRAWLED)}
    joined = [row if row.get("html") else crawled[row["id"]] | row for row in read_rows(SITES)]
    write_set(folder / f"{SITES}.jsonl", joined)


if __name__ == "__main__":
    main()
