"""Measure the effect of thirty labelled pages: `bonmun train` on posts of examples/blog.py, measured on other posts.

    .venv/bin/python -m scripts.figures.thirty        # needs torch; a minute

The platform is synthetic, and its boilerplate is prose, which the default network cannot distinguish from a post.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

import bonmun
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import ROOT

TRAINING_POSTS = 30  # the other posts are used for the measurement
LABELS = ("id", "url", "html", "text")  # the fields of a labelled page
BLOG = ROOT / "examples" / "blog.py"


def main() -> None:
    """Train a network, and compare it with the default."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder) / "posts.jsonl", Path(folder) / "posts.npz"
        subprocess.run([sys.executable, str(BLOG), str(data)], check=True, stdout=subprocess.DEVNULL)
        posts = [json.loads(line) for line in data.read_text(encoding="utf-8").split("\n") if line]
        learnt = [{name: post[name] for name in LABELS} for post in posts[:TRAINING_POSTS]]
        data.write_text("".join(f"{json.dumps(post)}\n" for post in learnt), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "bonmun", "train", str(data), "-o", str(model)], check=True)
        for name, file in (("default", None), ("trained", model)):
            scores = []
            for post in posts[TRAINING_POSTS:]:
                doc = bonmun.extract(post["html"], post["url"], options=bonmun.Options(model=file))
                scores.append(compare_counts(count_words(doc.text), count_words(post["text"])).f1)
            print(f"{name:10}{mean(scores):6.3f}")


if __name__ == "__main__":
    main()
