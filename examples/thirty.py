"""What thirty labelled pages of a site are worth: `bonmun train` on posts of examples/blog.py, then asked about others.

    .venv/bin/python examples/thirty.py        # needs torch; a minute

The platform is made up, and its boilerplate is prose: what the default cannot tell from a post.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from blog import pages

import bonmun
from bonmun.words import count_words, overlap

LEARNT = 30


def main() -> None:
    """Train and compare."""
    posts = pages()
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder) / "posts.jsonl", Path(folder) / "posts.npz"
        rows = [{"id": post.id, "url": post.url, "html": post.html, "text": post.text} for post in posts[:LEARNT]]
        data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "bonmun", "train", str(data), "-o", str(model)], check=True)
        for name, file in (("default", None), ("trained", model)):
            docs = [bonmun.extract(post.html, post.url, model=file) for post in posts[LEARNT:]]
            scores = [
                overlap(count_words(doc.text), count_words(post.text)).f1
                for doc, post in zip(docs, posts[LEARNT:], strict=True)
            ]
            print(f"{name:10}{mean(scores):6.3f}")


if __name__ == "__main__":
    main()
