"""Measure how well copies are found: in six languages with some words replaced, and among real pages.

    .venv/bin/python -m scripts.figures.duplicates edits           # recall and precision on pairs made by editing
    .venv/bin/python -m scripts.figures.duplicates sets            # near copies among pages of real sets
    .venv/bin/python -m scripts.figures.duplicates make 200000 pages.jsonl.zst
    .venv/bin/python -m scripts.figures.scale watch .venv/bin/bonmun corpus dedupe pages.jsonl.zst -o marked.parquet

Words are those of text/words.py: a character in Korean, Japanese and Chinese. Each word of a gold text is replaced with
a probability of 1, 5 or 20 % by a word of another text in its language. This is the worst case of editing: people
replace whole sentences, which leaves more pairs of words unchanged. `make` writes pages of sentences from golds: of ten
pages, one is an exact copy of an earlier page, and one is a copy with 5 % of its words replaced.
"""

from __future__ import annotations

import json
import random
import re
import sys
from typing import TYPE_CHECKING

import numpy as np

from bonmun.scale.corpus.duplicates import NO_COPY, Copies, find_copies
from bonmun.scale.corpus.signatures import SIGNATURE_SIZE, make_digest, make_signature
from bonmun.text.fingerprints import find_fingerprint
from bonmun.text.words import WORD
from bonmun.work.files import write_atomically
from scripts.labelled import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES = ("en", "ko", "ja", "zh", "ru", "ar")
SETS = ("hand-ml", "newton-news", "daniel-waddle", "deb-docs", "wwwxmu-zh", "fundus-all", "silver", "wcxb-dev")
REAL = ("deb-docs", "wwwxmu-zh", "daniel-waddle", "dragnet", "wcxb-dev", "newton-news", "harvest-forum", "hand-hard")
SHARES = (0.01, 0.05, 0.2)
MAX_TEXTS = 300  # per language
DISTANCES = (3, 10)  # bits in which fingerprints of copies may differ
SENTENCE = re.compile(r"(?<=[.!?。！？])\s*")
SENTENCES_A_PAGE = (5, 40)


def edit(text: str, share: float, words: Sequence[str], rng: random.Random) -> str:
    """Replace a share of the words."""
    return WORD.sub(lambda found: rng.choice(words) if rng.random() < share else found[0], text)


def compare(texts: Sequence[str]) -> Copies:
    """Return the copies among texts."""
    made = [make_signature(text) for text in texts]
    signatures = np.array([each if each is not None else np.zeros(SIGNATURE_SIZE, np.uint16) for each in made])
    digests = np.frombuffer(b"".join(map(make_digest, texts)), np.uint64).reshape(-1, 2)
    has_text = np.array([bool(text.strip()) for text in texts])
    return find_copies(digests, signatures, has_text, np.array([each is not None for each in made]))


def measure_edits() -> None:
    """Print recall and precision, one row per language and share."""
    print("`by 3 bits`: fingerprints differ in at most 3 bits; `false`: the same for 10,000 other pairs\n")
    print("| language | texts | edited | recall | precision |", *(f"by {bits} bits | false |" for bits in DISTANCES))
    rows = [row for name in SETS for row in read_rows(name) if row.get("text")]
    for language in LANGUAGES:
        rng = random.Random(language)
        texts = list(dict.fromkeys(row["text"] for row in rows if row.get("lang") == language))
        texts = [text for text in texts if len(WORD.findall(text)) >= 20]
        rng.shuffle(texts)
        texts = _drop_copies(texts[: 2 * MAX_TEXTS])[:MAX_TEXTS]
        words = [word for text in texts for word in WORD.findall(text)]
        for share in SHARES:
            edited = [edit(text, share, words, rng) for text in texts]
            copies = compare(texts + edited)
            found = copies.original[len(texts) :]
            right = int((found == np.arange(len(texts))).sum())
            marked = int((copies.original != NO_COPY).sum())
            figures = [f"{right / len(texts):.3f}", f"{right / max(marked, 1):.3f}"]
            for bits in DISTANCES:
                figures += _measure_fingerprints(texts, edited, bits)
            print(f"| {language} | {len(texts)} | {share:.0%} |", " | ".join(figures), "|", flush=True)


def _drop_copies(texts: list[str]) -> list[str]:
    """Remove copies from texts: the sets have some."""
    return [text for text, first in zip(texts, compare(texts).original, strict=True) if first == NO_COPY]


def _measure_fingerprints(texts: list[str], edited: list[str], bits: int) -> list[str]:
    """Return the share of copies whose fingerprints differ in few bits, and the same for 10,000 other pairs."""
    one, two = (
        np.array([int(find_fingerprint(text) or "0", 16) for text in some], np.uint64) for some in (texts, edited)
    )
    near = np.bitwise_count(one[:, None] ^ two[None, :]) <= bits
    others = near.sum() - near.diagonal().sum()
    return [f"{near.diagonal().mean():.3f}", f"{1e4 * others / (near.size - len(near)):.2f}"]


def show_sets() -> None:
    """Print how many pages of real sets are marked as copies, and the least similar of them."""
    for name in REAL:
        rows = [row for row in read_rows(name) if row.get("text")]
        copies = compare([row["text"] for row in rows])
        near = np.flatnonzero((copies.original != NO_COPY) & ~copies.exact)
        print(f"\n{name}: {len(rows)} pages, {int(copies.exact.sum())} exact copies, {len(near)} near copies")
        for row in near[np.argsort(copies.similarity[near])][:12].tolist():
            first = int(copies.original[row])
            says = " | ".join(" ".join(rows[at]["text"].split())[:70] for at in (row, first))
            print(f"  {copies.similarity[row]:.2f} {len(rows[row]['text'])},{len(rows[first]['text'])} {says}")


def make_pages(count: int, target: str) -> None:
    """Write extracted pages, composed of sentences of real ones."""
    import pyarrow as pa

    rng = random.Random(1)
    texts = [row["text"] for name in SETS for row in read_rows(name) if row.get("text")]
    sentences = [each for text in texts for each in SENTENCE.split(text) if 20 < len(each) < 400]
    words = [word for text in texts[:500] for word in WORD.findall(text)]
    earlier: list[str] = []
    with write_atomically(target) as part, pa.CompressedOutputStream(str(part), "zstd") as file:
        for number in range(count):
            text = " ".join(rng.choices(sentences, k=rng.randint(*SENTENCES_A_PAGE)))
            if number % 10 == 8:
                text = rng.choice(earlier)
            elif number % 10 == 9:
                text = edit(rng.choice(earlier), 0.05, words, rng)
            elif len(earlier) < 5000:
                earlier.append(text)
            file.write(json.dumps({"id": f"page-{number}", "text": text}, ensure_ascii=False).encode() + b"\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["edits"]:
        measure_edits()
    elif sys.argv[1:] == ["sets"]:
        show_sets()
    elif sys.argv[1:2] == ["make"] and len(sys.argv) == 4:
        make_pages(int(sys.argv[2]), sys.argv[3])
    else:
        raise SystemExit(__doc__)
