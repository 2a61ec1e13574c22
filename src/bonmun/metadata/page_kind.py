"""Choose the kind of a page, from the network's probabilities, what the page declares, and its URL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.page.page_kinds import KINDS, find_url_kind, weigh_page_kinds
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bonmun.metadata.ranking import MetadataField

__all__ = ["KINDS", "choose_page_kind", "find_generator_kind", "find_type_kind", "find_url_kind"]

GENERATORS = compile_later(
    r"asciidoctor|docusaurus|docutils|doxygen|gitbook|javadoc|mdbook|mkdocs|rustdoc|sphinx|starlight|vitepress|vuepress",
    re.I,
)
GENERATOR_CHARS = 200
# Types of schema.org that tell the kind of page, whatever else it declares.
KIND_OF_TYPE = {
    "recipe": "article",
    "podcastepisode": "article",
    **dict.fromkeys(
        "lodgingbusiness hotel vacationrental apartment accommodation realestatelisting".split(), "product"
    ),
}


def choose_page_kind(probabilities: Mapping[str, float], declared: MetadataField | None, url: str | None) -> str:
    """Return the most likely kind, given the network's probabilities, what the page declares, and its URL."""
    value, source = (declared.value, declared.source) if declared else (None, "")
    weights = weigh_page_kinds(probabilities, url, value, source)
    return max(weights, key=lambda kind: weights[kind])


def find_generator_kind(generator: str) -> str:
    """Return the kind of page that a program (`<meta name=generator>`) writes, or "" if it writes any kind."""
    return "documentation" if GENERATORS.search(generator[:GENERATOR_CHARS]) else ""


def find_type_kind(types: Iterable[str]) -> str:
    """Return the kind of page that types of schema.org tell, or "" if they tell none."""
    return next((kind for name in types if (kind := KIND_OF_TYPE.get(name))), "")
