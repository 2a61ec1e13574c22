"""Weigh the kinds of a page: the network's probabilities, times the evidence of what the page declares and of its URL.

What a page declares is not enough: shops, manuals and front pages also declare to be articles. Nor is the network
enough, which does not see the URL: a chapter of a manual reads like an article.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "find_url_kind", "is_home", "weigh_page_kinds"]

KINDS = ("article", "forum", "product", "listing", "documentation", "service")
MIN_PROBABILITY = 0.01  # of every kind: the network may be wrong

# Likelihood ratios: how many times more likely a kind is if it is declared, or if the URL names it. Chosen by
# a measurement on wcxb-dev and hand-hard.
SOURCE_RATIOS = {"generator": 30.0, "schema.org": 100.0, "price": 25.0, "JSON-LD": 5.0, "og:type": 2.0}
URL_RATIO = 30.0
HOME_RATIO = 0.5  # of articles: they are rarely home pages
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
# Words that count only if the URL has none of those above: shops also have blogs, blogs also have categories.
WEAK_HOST_WORDS = {"product": "shop store item items"}
WEAK_FILE_WORDS = {"product": "item goods product goods_view goodsdetail productdetail"}
WEAK_FOLDER_WORDS = {
    "article": "blog blogs article articles news story stories petition petitions",
    "listing": "chart charts ranking rankings",
}
# A date and a headline, as in the addresses of news and blogs: "/2026/03/04/a-headline", "/2026/03/a-headline".
DATED_PATH = compile_later(r"/(?:19|20)[0-9]{2}/(?:0?[1-9]|1[0-2])/(?:(?:0?[1-9]|[12][0-9]|3[01])/)?[^/]{6}")
ISBN = compile_later(r"(?<![0-9])97[89][0-9]{10}(?![0-9])")  # of a book
# All pages of some sites are in such a folder.
NUMBERED_DOCUMENT = compile_later(r"/docs?/(?=[0-9]{8,}/?$)")
URL_CHARS = 500  # characters of a URL that are searched


def _index(words: Mapping[str, str]) -> dict[str, str]:
    return {word: kind for kind, some in words.items() for word in some.split()}


KIND_OF_HOST, KIND_OF_FOLDER, KIND_OF_FILE = map(_index, (HOST_WORDS, FOLDER_WORDS, FILE_WORDS))
WEAK_KIND_OF_HOST, WEAK_KIND_OF_FOLDER, WEAK_KIND_OF_FILE = map(
    _index, (WEAK_HOST_WORDS, WEAK_FOLDER_WORDS, WEAK_FILE_WORDS)
)


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
    if is_home(url):
        weights["article"] *= HOME_RATIO
    return weights


def find_url_kind(url: str | None) -> str | None:
    """Return the kind that a URL names, or None if it names none or several."""
    if not url:
        return None
    try:
        parts = urlsplit(url[:URL_CHARS])
        labels = (parts.hostname or "").split(".")[:-1]
    except ValueError:
        return None
    path = parts.path.lower()
    *folders, file = (NUMBERED_DOCUMENT.sub("/", path) if "/doc" in path else path).split("/")
    pieces = [part for label in labels[:-1] if "-" in label for part in label.split("-")]
    named = {
        *map(KIND_OF_HOST.get, (*labels, *pieces)),
        *map(KIND_OF_FOLDER.get, folders),
        KIND_OF_FILE.get(file.partition(".")[0]),
    }
    found = {kind for kind in named if kind}
    if not found:
        found = _find_weak_kinds(labels, path)
    return found.pop() if len(found) == 1 else None


def _find_weak_kinds(labels: list[str], path: str) -> set[str]:
    """Return the kinds that the words of a URL suggest. A folder counts only if something follows it."""
    *folders, file = [step for step in path.split("/") if step] or [""]
    named = {
        *map(WEAK_KIND_OF_HOST.get, labels),
        *map(WEAK_KIND_OF_FOLDER.get, folders),
        WEAK_KIND_OF_FILE.get(file.partition(".")[0]),
    }
    found = {kind for kind in named if kind}
    if DATED_PATH.search(path):
        found.add("article")
    plain = path.replace("-", "")
    if "97" in plain and ISBN.search(plain):
        found.add("product")
    return found


def is_home(url: str | None) -> bool:
    """Whether a URL has neither path nor query."""
    scheme, _, rest = (url or "")[:URL_CHARS].partition("://")
    return bool(scheme and rest) and "?" not in rest and not rest.partition("/")[2]
