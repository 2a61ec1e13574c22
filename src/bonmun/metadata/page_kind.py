"""What kind of page it is: how likely each kind is by its text, times what the page's own word and address are worth.

A page's word is not enough: shops, manuals and front pages, too, say that they are articles. Nor is the network, which
has not seen the address: a chapter of a manual reads as an article does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.metadata.ranking import Fact

__all__ = ["KINDS", "choose_page_kind", "find_address_kind", "find_generator_kind"]

KINDS = ("article", "forum", "product", "listing", "collection", "documentation", "service")
LEAST_CHANCE = 0.01  # of every kind: the network may be wrong

# How many times likelier a kind is if it is said so; chosen by `python -m scripts.figures.kinds`.
WORTH_OF_SOURCE = {"generator": 30.0, "JSON-LD": 5.0, "og:type": 2.0}
WORTH_OF_ADDRESS = 30.0
WORTH_OF_ARTICLES = 1.5  # the network was shown more of all other pages than there are

# What parts of addresses say: names of hosts, such as docs.example.org, and of folders, such as /docs/.
HOST_WORDS = {
    "documentation": "doc docs devdocs developer developers manual readthedocs",
    "forum": "forum forums board boards community discuss discourse",
}
FOLDER_WORDS = {
    "documentation": "doc docs documentation manual manuals reference javadoc apidocs",
    "forum": "forum forums thread threads t",  # t: a topic of Discourse
    "listing": "category categories tag tags",
    "product": "product products dp itm",
    "service": "service services",
    "collection": "collections",
}
FILE_WORDS = {"documentation": "docs", "forum": "viewtopic showthread"}
GENERATORS = compile_later(
    r"asciidoctor|docusaurus|docutils|doxygen|gitbook|javadoc|mdbook|mkdocs|rustdoc|sphinx|starlight|vitepress|vuepress",
    re.I,
)
ADDRESS_CHARS = 500  # that are looked at
GENERATOR_CHARS = 200


def _index(words: Mapping[str, str]) -> dict[str, str]:
    return {word: kind for kind, some in words.items() for word in some.split()}


KIND_OF_HOST, KIND_OF_FOLDER, KIND_OF_FILE = map(_index, (HOST_WORDS, FOLDER_WORDS, FILE_WORDS))


def choose_page_kind(chances: Mapping[str, float], declared: Fact | None, url: str | None) -> str:
    """The likeliest kind: by its chances, by what the page declares, and by its address."""
    weights = {kind: max(chances.get(kind, 0.0), LEAST_CHANCE) for kind in KINDS}
    weights["article"] *= WORTH_OF_ARTICLES
    if declared and declared.value in weights:
        weights[declared.value] *= WORTH_OF_SOURCE.get(declared.source, 1.0)
    if by_address := find_address_kind(url):
        weights[by_address] *= WORTH_OF_ADDRESS
    return max(weights, key=lambda kind: weights[kind])


def find_address_kind(url: str | None) -> str | None:
    """The kind that an address names; None if it names none, or several."""
    try:
        parts = urlsplit((url or "")[:ADDRESS_CHARS])
        labels = (parts.hostname or "").split(".")[:-1]
    except ValueError:
        return None
    *folders, file = parts.path.lower().split("/")
    named = [
        *(KIND_OF_HOST.get(label) for label in labels),
        *(KIND_OF_FOLDER.get(folder) for folder in folders),
        KIND_OF_FILE.get(file.partition(".")[0]),
    ]
    found = {kind for kind in named if kind}
    return found.pop() if len(found) == 1 else None


def find_generator_kind(generator: str) -> str:
    """What pages are that a program writes, by its name in <meta name=generator>; empty if that says nothing."""
    return "documentation" if GENERATORS.search(generator[:GENERATOR_CHARS]) else ""
