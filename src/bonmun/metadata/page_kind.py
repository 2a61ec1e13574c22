"""Choose the kind of a page.

With the probabilities of a network, the kind is predicted by a logistic regression (kind_weights.json, made by
`scripts/fit/kinds.py`) from these, the page's metadata, its URL, and how its kept text looks. Without a network, what
the page declares is weighed against its URL.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.metadata.kind_signs import describe_kind
from bonmun.page.page_kinds import KINDS, find_url_kind, weigh_page_kinds
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata.kind_signs import DescribedMetadata
    from bonmun.metadata.ranking import MetadataField
    from bonmun.page import Page

__all__ = [
    "BIAS",
    "KINDS",
    "WEIGHTS",
    "choose_page_kind",
    "find_best_kind",
    "find_generator_kind",
    "find_type_kind",
    "find_url_kind",
    "predict_page_kind",
]

WEIGHTS = Path(__file__).with_name("kind_weights.json")
BIAS = "bias"  # the sign that every page has

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
    """Return the most likely kind, given probabilities, what the page declares, and its URL, without a model."""
    value, source = (declared.value, declared.source) if declared else (None, "")
    weights = weigh_page_kinds(probabilities, url, value, source)
    return max(weights, key=lambda kind: weights[kind])


def predict_page_kind(
    probabilities: Mapping[str, float], metadata: DescribedMetadata, page: Page, blocks: Sequence[KeptBlock]
) -> str:
    """Return the kind that the model predicts for a page with kept blocks, given the network's probabilities."""
    return find_best_kind(describe_kind(probabilities, metadata, page, blocks), _load_weights())


def find_best_kind(signs: Mapping[str, float], weights: Mapping[str, Sequence[float]]) -> str:
    """Return the kind with the highest score: the bias and each sign times its weight."""
    scores = list(weights[BIAS])
    for name, value in signs.items():
        for column, weight in enumerate(weights.get(name, ())):
            scores[column] += value * weight
    return KINDS[scores.index(max(scores))]


@cache
def _load_weights() -> dict[str, list[float]]:
    """Return the weights of each sign, for each kind."""
    weights: dict[str, list[float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def find_generator_kind(generator: str) -> str:
    """Return the kind of page that a program (`<meta name=generator>`) writes, or "" if it writes any kind."""
    return "documentation" if GENERATORS.search(generator[:GENERATOR_CHARS]) else ""


def find_type_kind(types: Iterable[str]) -> str:
    """Return the kind of page that types of schema.org tell, or "" if they tell none."""
    return next((kind for name in types if (kind := KIND_OF_TYPE.get(name))), "")
