"""The methods by name. Each is a module with a class that has `label(page) -> Labels`; loaded on first use."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from bonmun.algorithms.method import Method
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.sites.model import SiteModel
    from bonmun.text.grams import CorpusGrams

__all__ = ["METHODS", "PAGE_METHODS", "Method", "MethodInfo", "make_method", "methods"]

Setting = Literal["title", "corpus", "site", "model", "favour"]


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A row of the table of methods."""

    name: str
    where: str  # module:class
    needs: str  # for readers
    says: str  # one line
    takes: tuple[Setting, ...] = ()  # the settings that its class takes
    variant: str | None = None  # which one, where a class is several methods
    needs_site: bool = False  # a site model, without which it cannot be made; the others are content with one page
    needs_boxes: bool = False  # a page that a browser has laid out
    finds_title: bool = False  # by itself; with all others the title is read as the page's other facts are


SENTENCE = "bonmun.algorithms.sentence:Sentence"
VISUAL = "bonmun.algorithms.visual:Visual"
TITLED: tuple[Setting, ...] = ("title", "corpus")  # what those take that compare with the title

METHODS = {
    info.name: info
    for info in (
        MethodInfo(
            "auto",
            "bonmun.algorithms.auto:Auto",
            "one page",
            "the default: a trained network over blocks",
            takes=("site", "model", "favour"),
        ),
        MethodInfo(
            "rules", "bonmun.algorithms.rules:Rules", "one page", "text and link density over blocks, no training"
        ),
        MethodInfo("all", "bonmun.algorithms.everything:Everything", "one page", "every block that is shown"),
        MethodInfo(
            "frequency",
            "bonmun.algorithms.frequency:Frequency",
            "many pages",
            "texts that are not frequent over all pages",
            takes=("site",),
            needs_site=True,
        ),
        MethodInfo(
            "frequency+",
            "bonmun.algorithms.frequency:FrequencyPlus",
            "pages of a site",
            "what is new on a page of its site",
            takes=("site",),
            needs_site=True,
        ),
        MethodInfo("density", "bonmun.algorithms.density:Density", "one page", "word and link density of leaves"),
        MethodInfo(
            "sequence",
            "bonmun.algorithms.sequence:Sequence",
            "one page",
            "a trained recurrent network over leaves, BoilerNet",
            takes=("model",),
        ),
        MethodInfo(
            "web2text",
            "bonmun.algorithms.web2text:Web2TextMethod",
            "one page",
            "trained convolutions over leaves and neighbours, Web2Text",
            takes=("model",),
        ),
        MethodInfo("xpath", "bonmun.algorithms.xpath:XPath", "one page", "the longest run of leaves with one path"),
        MethodInfo(
            "xpath+", "bonmun.algorithms.xpath:XPathPlus", "one page", "the same over blocks, its failures mended"
        ),
        MethodInfo(
            "title-table",
            "bonmun.algorithms.title_table:TitleTable",
            "one page, laid out with tables",
            "the title, by place and likeness, and the text under it",
            finds_title=True,
        ),
        MethodInfo(
            "title-table+",
            "bonmun.algorithms.title_table_plus:TitleTablePlus",
            "one page",
            "the same over blocks of any layout",
            finds_title=True,
        ),
        MethodInfo("sentence:M1", SENTENCE, "one page", "all text", variant="M1"),
        MethodInfo("sentence:M2", SENTENCE, "one page", "text outside of links", variant="M2"),
        MethodInfo("sentence:M3", SENTENCE, "one page", "sentences", variant="M3"),
        MethodInfo("sentence:M32", SENTENCE, "one page", "sentences outside of links", variant="M32"),
        MethodInfo("sentence:MM", SENTENCE, "one page", "the depth with most sentences", variant="MM"),
        MethodInfo("sentence:M4", SENTENCE, "one page, its title", "the depth most like the title", TITLED, "M4"),
        MethodInfo("sentence:M42", SENTENCE, "one page, its title", "M4 without link text", TITLED, "M42"),
        MethodInfo("sentence:M43", SENTENCE, "one page, its title", "the sentences of M4", TITLED, "M43"),
        MethodInfo("sentence:M423", SENTENCE, "one page, its title", "the sentences of M42", TITLED, "M423"),
        MethodInfo(
            "sentence:M34", SENTENCE, "one page, its title", "sentences at depths like the title", TITLED, "M34"
        ),
        MethodInfo(
            "sentence:M324", SENTENCE, "one page, its title", "M34 without link text: the paper's best", TITLED, "M324"
        ),
        MethodInfo(
            "visual:basic",
            VISUAL,
            "one page, laid out by a browser",
            "elements by their places and sizes: TabNet_1",
            variant="basic",
            needs_boxes=True,
        ),
        MethodInfo(
            "visual:centre",
            VISUAL,
            "one page, laid out by a browser",
            "and by how far from the centre they are: TabNet_2",
            variant="centre",
            needs_boxes=True,
        ),
        MethodInfo(
            "visual:centre+",
            VISUAL,
            "one page, laid out by a browser",
            "the same, relative to the page, its failures mended",
            variant="centre+",
            needs_boxes=True,
        ),
    )
}

NEAR = 0.7  # how like a name must be to what was asked for: "frequncy" is not "sequence"

PAGE_METHODS = {name: info for name, info in METHODS.items() if not (info.needs_site or info.needs_boxes)}


def methods() -> tuple[MethodInfo, ...]:
    """All methods: their names, what each needs, and one line on each."""
    return tuple(METHODS.values())


def make_method(
    name: str,
    *,
    title: str | None = None,
    corpus: CorpusGrams | None = None,
    site: SiteModel | None = None,
    model: str | Path | None = None,
    favour: str | None = None,
) -> Method:
    """Make the named method, with the settings that are not None.

    `title` is the headline where it is known, such as the text of the link that led to the page; `corpus` the n-gram
    counts of a collection (see text/grams.py); `site` a site model, which knows what repeats on sites, and no method
    then keeps that; `model` a file with weights (`bonmun train` makes those of auto); `favour` is "precision",
    "balanced" or "recall".
    """
    info = _find_method(name)
    if site is not None and "site" not in info.takes:
        from bonmun.algorithms.without_template import WithoutTemplate

        return WithoutTemplate(make_method(name, title=title, corpus=corpus, model=model, favour=favour), site)
    given = {"title": title, "corpus": corpus, "site": site, "model": model, "favour": favour}
    settings = {key: value for key, value in given.items() if value is not None}
    for key in settings:
        if key not in info.takes:
            able = ", ".join(each.name for each in METHODS.values() if key in each.takes)
            raise BadConfig(f"The method {name} takes no {key}; these do: {able}.")
    module, _, class_name = info.where.partition(":")
    make = getattr(import_module(module), class_name)
    method: Method = make(**settings) if info.variant is None else make(info.variant, **settings)
    return method


def _find_method(name: str) -> MethodInfo:
    if name in METHODS:
        return METHODS[name]
    near = " or ".join(_find_similar_names(name))
    raise BadConfig(f"Unknown method {name!r}{f': did you mean {near}?' if near else '.'} `bonmun methods` lists all.")


def _find_similar_names(name: str) -> list[str]:
    """Up to three methods with a name like this one: part of it, else nearly it."""
    import difflib

    wanted = name.strip().lower()
    names = {known.lower(): known for known in METHODS}
    parts = [known for known in names if wanted and wanted in known]
    found = parts or difflib.get_close_matches(wanted, names, n=3, cutoff=NEAR)
    return [names[known] for known in sorted(found, key=len)[:3]]
