"""Count the texts of an invented Korean blog platform, show which repeat, and extract the posts (`make demo-corpus`).

The forty posts of twelve bloggers use three skins (blog.py). The texts of the platform repeat, the posts do not. This
is the case of the first paper. The example shows the results of its rule, and of counting by site, page and place.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from statistics import mean

import blog
from bonmun import Page, SiteModel, extract
from bonmun.options import Options
from bonmun.text.words import compare_counts, count_words

SYSTEMS = ("all", "auto", "frequency", "frequency+", "auto + site")


def main() -> None:
    """Run the commands, and print the scores of the methods and an example."""
    with tempfile.TemporaryDirectory() as folder:
        sys.argv[1:] = [f"{folder}/blog.jsonl"]
        blog.main()
        for command in (
            "count blog.jsonl -o counts.duckdb",
            "show counts.duckdb --gold blog.jsonl --top 8",
            "site-model counts.duckdb -o blog.sites",
            "extract blog.jsonl --site-model blog.sites -m frequency+ -o posts.jsonl",
        ):
            print(f"\n$ bonmun corpus {command}", flush=True)
            subprocess.run([sys.executable, "-m", "bonmun", "corpus", *command.split()], cwd=folder, check=True)
        site_model = SiteModel.load(Path(folder, "blog.sites"))
    pages = [(Page.parse(post.html, post.url), post) for post in blog.pages()]
    print("\n━━━ Word precision, recall and F1 over the forty pages")
    for system in SYSTEMS:
        found = [
            compare_counts(count_words(extract_text(page, system, site_model)), count_words(post.text))
            for page, post in pages
        ]
        figures = (mean(getattr(each, name) for each in found) for name in ("precision", "recall", "f1"))
        print(f"    {system:12}" + "".join(f"{figure:8.3f}" for figure in figures))
    page, post = pages[0]
    doc = extract(page, method="frequency+", options=Options(site_model=site_model))
    print(f"\n━━━ {post.title}: kept text, and some dropped blocks")
    print(textwrap.indent("\n".join(doc.text.split("\n\n")[:3]), "    │ "))
    reasons: dict[str, str] = {}
    for row, reason in enumerate(doc.labels.reasons):
        if not doc.labels.kept[row] and len(page.block_texts[row]) > 9:
            reasons.setdefault(reason, " ".join(page.block_texts[row].split())[:44])
    for reason, text in list(reasons.items())[:6]:
        print(f"    dropped     {text}  ← {reason}")


def extract_text(page: Page, system: str, site_model: SiteModel) -> str:
    """Return the text that a system extracts from a page."""
    method, _, sited = system.partition(" + ")
    return extract(
        page, method=method, options=Options(site_model=site_model if sited or method.startswith("frequency") else None)
    ).text


if __name__ == "__main__":
    main()
