"""Weigh the kinds of a page: the network's probabilities, times the evidence of what the page declares and of its URL.

What a page declares is not enough: shops, manuals and front pages also declare to be articles. Nor is the network
enough, which does not see the URL: a chapter of a manual reads like an article.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "find_url_kind", "weigh_page_kinds"]

KINDS = ("article", "forum", "product", "listing", "documentation", "service")
MIN_PROBABILITY = 0.01  # of every kind: the network may be wrong

# Likelihood ratios: how many times more likely a kind is if it is declared, or if the URL names it. Chosen by
# `python -m scripts.figures.kinds`.
SOURCE_RATIOS = {"generator": 30.0, "JSON-LD": 5.0, "og:type": 2.0}
URL_RATIO = 30.0
ARTICLE_RATIO = 1.5  # corrects for the training pages, among which articles are rarer than on the web

# Words in URLs that name a kind: labels of the host (docs.example.org), directories (/docs/), and file names.
HOST_WORDS = {
    "documentation": "doc docs devdocs developer developers manual readthedocs",
    "forum": "forum forums board boards community discuss discourse",
}
FOLDER_WORDS = {
    "documentation": "doc docs documentation manual manuals reference javadoc apidocs",
    "forum": "forum forums thread threads t",  # t: a topic of Discourse
    "listing": "category categories collections tag tags",
    "product": "product products dp itm",
    "service": "service services",
}
FILE_WORDS = {"documentation": "docs", "forum": "viewtopic showthread"}
URL_CHARS = 500  # characters of a URL that are searched


def _index(words: Mapping[str, str]) -> dict[str, str]:
    return {word: kind for kind, some in words.items() for word in some.split()}


KIND_OF_HOST, KIND_OF_FOLDER, KIND_OF_FILE = map(_index, (HOST_WORDS, FOLDER_WORDS, FILE_WORDS))


def weigh_page_kinds(
    probabilities: Mapping[str, float], url: str | None, declared: str | None = None, source: str = ""
) -> dict[str, float]:
    """Return the weight of each kind, given the network's probabilities, the URL, and what a source declares."""
    weights = {kind: max(probabilities.get(kind, 0.0), MIN_PROBABILITY) for kind in KINDS}
    # many things on a page: people do not tell the two apart
    weights["listing"] += probabilities.get("collection", 0.0)
    weights["article"] *= ARTICLE_RATIO
    if declared in weights:
        weights[declared] *= SOURCE_RATIOS.get(source, 1.0)
    if url_kind := find_url_kind(url):
        weights[url_kind] *= URL_RATIO
    return weights


def find_url_kind(url: str | None) -> str | None:
    """Return the kind that a URL names, or None if it names none or several."""
    try:
        parts = urlsplit((url or "")[:URL_CHARS])
        labels = (parts.hostname or "").split(".")[:-1]
    except ValueError:
        return None
    *folders, file = parts.path.lower().split("/")
    named = [
        *(KIND_OF_HOST.get(label) for label in labels),
        *(KIND_OF_HOST.get(part) for label in labels[:-1] if "-" in label for part in label.split("-")),
        *(KIND_OF_FOLDER.get(folder) for folder in folders),
        KIND_OF_FILE.get(file.partition(".")[0]),
    ]
    found = {kind for kind in named if kind}
    return found.pop() if len(found) == 1 else None
