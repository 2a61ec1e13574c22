"""Compare the compiled kernel with the Python reference on every page: `python -m scripts.figures.both_forms [SET…]`.

Two processes extract all pages of ../shared/data, or of the named sets, one of them with BONMUN_PURE=1. The columns of
the page, the kept blocks and their reasons, the metadata and all formats must be equal; scores must be equal to 1e-4,
and confidence, which rises up to eight times as fast, to 1e-3.
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
from scripts.labelled import list_sets, read_html, read_rows

CHILD_FLAG = "--tell"  # the argument of the two child processes
MAX_DIFFERENCES = {"scores": 1e-4, "confidence": 1e-3}  # of both forms
COLUMNS = "tags parents bits texts leaf_elements joints starts owners opened block_texts raws cut".split()
SETS = ("marks", "further", "codes", "formulas")  # columns that are sets of rows
MAX_SHOWN = 20  # differing pages


def main() -> None:
    """Compare both forms, or run one of them as a child process."""
    names = [name for name in sys.argv[1:] if name != CHILD_FLAG] or list_sets()
    if CHILD_FLAG in sys.argv:
        for name in names:
            for number, row in enumerate(read_rows(name, covered=0)):
                if html := read_html(row):
                    print(json.dumps({"page": f"{name} {number}", **describe(html, row.get("url"))}), flush=True)
        return
    command = [sys.executable, "-m", "scripts.figures.both_forms", CHILD_FLAG, *names]
    forms = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "BONMUN_PURE": pure})
        for pure in ("0", "1")
    ]
    differ: Counter[str] = Counter()
    pages, furthest = 0, dict.fromkeys(MAX_DIFFERENCES, 0.0)
    for lines in zip(*(form.stdout or () for form in forms), strict=True):
        kernel, reference = map(json.loads, lines)
        pages += 1
        assert kernel.pop("accelerated") > reference.pop("accelerated"), "both forms are the same"
        apart = {name: measure_distance(kernel.pop(name, []), reference.pop(name, [])) for name in MAX_DIFFERENCES}
        furthest = {name: max(furthest[name], apart[name]) for name in apart}
        other = [name for name in kernel if kernel[name] != reference[name]]
        other += [name for name in apart if apart[name] > MAX_DIFFERENCES[name]]
        if other and differ.total() < MAX_SHOWN:
            print(f"{kernel['page']}: {', '.join(other)}", flush=True)
        differ.update(other)
    if any(form.wait() for form in forms):
        sys.exit("A process failed.")
    distances = ", ".join(f"{name} at most {apart:.6f}" for name, apart in furthest.items())
    print(f"{pages:,} pages; {distances} apart; pages that differ: {dict(differ) or 'none'}")


def describe(html: str, url: str | None) -> dict[str, Any]:
    """Return everything that must be equal in both forms."""
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
        "metadata": digest(doc.metadata),
        "markdown": digest(doc.markdown),
        "scores": list(labels.scores),
        "confidence": [labels.confidence],
    }


def digest(value: Any) -> str:
    """Return a short hash of a value."""
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def measure_distance(some: list[float], others: list[float]) -> float:
    """Return the largest difference between two lists of scores."""
    if len(some) != len(others):
        return float("inf")
    return max((abs(one - other) for one, other in zip(some, others, strict=True)), default=0.0)


if __name__ == "__main__":
    main()
