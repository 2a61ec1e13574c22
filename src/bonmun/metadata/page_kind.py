"""Choose the kind of a page: the network's probabilities, times the evidence of what the page declares and of its URL.

What a page declares is not enough: shops, manuals and front pages also declare to be articles. Nor is the network
enough, which does not see the URL: a chapter of a manual reads like an article.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.metadata.ranking import MetadataField

__all__ = ["KINDS", "choose_page_kind", "find_generator_kind", "find_url_kind"]

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
GENERATORS = compile_later(
    r"asciidoctor|docusaurus|docutils|doxygen|gitbook|javadoc|mdbook|mkdocs|rustdoc|sphinx|starlight|vitepress|vuepress",
    re.I,
)
URL_CHARS = 500  # characters of a URL that are searched
GENERATOR_CHARS = 200


def _index(words: Mapping[str, str]) -> dict[str, str]:
    return {word: kind for kind, some in words.items() for word in some.split()}


KIND_OF_HOST, KIND_OF_FOLDER, KIND_OF_FILE = map(_index, (HOST_WORDS, FOLDER_WORDS, FILE_WORDS))


def choose_page_kind(probabilities: Mapping[str, float], declared: MetadataField | None, url: str | None) -> str:
    """Return the most likely kind, given the network's probabilities, what the page declares, and its URL."""
    weights = {kind: max(probabilities.get(kind, 0.0), MIN_PROBABILITY) for kind in KINDS}
    weights["listing"] += probabilities.get(
        "collection", 0.0
    )  # many things on a page: people do not tell the two apart
    weights["article"] *= ARTICLE_RATIO
    if declared and declared.value in weights:
        weights[declared.value] *= SOURCE_RATIOS.get(declared.source, 1.0)
    if url_kind := find_url_kind(url):
        weights[url_kind] *= URL_RATIO
    return max(weights, key=lambda kind: weights[kind])


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


def find_generator_kind(generator: str) -> str:
    """Return the kind of page that a program (`<meta name=generator>`) writes, or "" if it writes any kind."""
    return "documentation" if GENERATORS.search(generator[:GENERATOR_CHARS]) else ""
