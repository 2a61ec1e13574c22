"""What thirty labelled pages of a site are worth: `bonmun train` on posts of examples/blog.py, then asked about others.

    .venv/bin/python -m scripts.figures.thirty        # needs torch; a minute

The platform is made up, and its boilerplate is prose: what the default cannot tell from a post.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

import bonmun
from bonmun.text.words import count_words, overlap

LEARNT = 30


def main() -> None:
    """Train and compare."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder) / "posts.jsonl", Path(folder) / "posts.npz"
        subprocess.run([sys.executable, "examples/blog.py", str(data)], check=True, stdout=subprocess.DEVNULL)
        lines = data.read_text(encoding="utf-8").splitlines(keepends=True)
        data.write_text("".join(lines[:LEARNT]), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "bonmun", "train", str(data), "-o", str(model)], check=True)
        posts = [json.loads(line) for line in lines[LEARNT:]]
        for name, file in (("default", None), ("trained", model)):
            docs = [bonmun.extract(post["html"], post["url"], model=file) for post in posts]
            scores = [
                overlap(count_words(doc.text), count_words(post["text"])).f1
                for doc, post in zip(docs, posts, strict=True)
            ]
            print(f"{name:10}{mean(scores):6.3f}")


if __name__ == "__main__":
    main()
