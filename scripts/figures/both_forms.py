"""Whether the kernel and the reference say the same of every page: `python -m scripts.figures.both_forms`.

Two processes go over all pages of ../shared/data, one with BONMUN_PURE=1: the columns of the page, what is kept and
why, the facts and the renderings must be the same, scores and confidence to 1e-4. Names of sets as arguments: only
these.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import blake2b
from typing import Any

import bonmun
from bonmun.errors import BonmunError
from scripts.labelled import list_sets, read_rows

TELL = "--tell"  # what the two processes are told
CLOSE = 1e-4  # scores are no further apart
COLUMNS = "tags parents bits texts leaf_elements joints starts owners opened block_texts raws cut".split()
SETS = ("marks", "further", "codes", "formulas")  # of rows
SHOWN = 20  # pages that differ


def main() -> None:
    """Compare both forms, or be one of them."""
    names = [name for name in sys.argv[1:] if name != TELL] or list_sets()
    if TELL in sys.argv:
        for name in names:
            for number, row in enumerate(read_rows(name, covered=0)):
                print(json.dumps({"page": f"{name} {number}", **describe(row["html"], row.get("url"))}), flush=True)
        return
    command = [sys.executable, "-m", "scripts.figures.both_forms", TELL, *names]
    forms = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "BONMUN_PURE": pure})
        for pure in ("0", "1")
    ]
    differ: Counter[str] = Counter()
    pages, furthest = 0, 0.0
    for lines in zip(*(form.stdout or () for form in forms), strict=True):
        kernel, reference = map(json.loads, lines)
        pages += 1
        assert kernel.pop("accelerated") > reference.pop("accelerated"), "both forms are the same"
        apart = measure_distance(kernel.pop("scores", []), reference.pop("scores", []))
        furthest = max(furthest, apart)
        other = [name for name in kernel if kernel[name] != reference[name]] + ["scores"] * (apart > CLOSE)
        if other and differ.total() < SHOWN:
            print(f"{kernel['page']}: {', '.join(other)}", flush=True)
        differ.update(other)
    if any(form.wait() for form in forms):
        sys.exit("A process failed.")
    print(f"{pages:,} pages; scores are at most {furthest:.6f} apart; pages that differ: {dict(differ) or 'none'}")


def describe(html: str, url: str | None) -> dict[str, Any]:
    """All that the two forms must agree in."""
    known: dict[str, Any] = {"accelerated": bonmun.accelerated}
    try:
        doc = bonmun.extract(html, url)
    except BonmunError as problem:
        return known | {"error": str(problem)}
    labels = doc.labels
    return known | {
        "columns": digest([getattr(doc.page, name) for name in COLUMNS]),
        "rows": digest([sorted(getattr(doc.page, name)) for name in SETS]),
        "kept": digest([labels.kept, labels.reasons, sorted(labels.comments), labels.kind]),
        "text": digest(doc.text),
        "facts": digest(doc.metadata),
        "markdown": digest(doc.markdown),
        "scores": [*labels.scores, labels.confidence],
    }


def digest(value: Any) -> str:
    """A few bytes that tell values apart."""
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def measure_distance(some: list[float], others: list[float]) -> float:
    """The largest difference of two lists of scores."""
    if len(some) != len(others):
        return float("inf")
    return max((abs(one - other) for one, other in zip(some, others, strict=True)), default=0.0)


if __name__ == "__main__":
    main()
