"""The methods by name. Each is a module with a class that has `label(page) -> Labels`; loaded on first use."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.methods.method import Method
from bonmun.methods.sited import Sited

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.sites.model import SiteModel
    from bonmun.text.grams import CorpusGrams

__all__ = ["METHODS", "PAGE_METHODS", "Method", "MethodInfo", "get", "methods"]


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A row of the table of methods."""

    name: str
    where: str  # module:class
    needs: str
    says: str  # one line
    takes: tuple[str, ...] = ()  # the settings that get() passes on
    finds_title: bool = False  # by itself; with all others it is read from the page as `extract` does


SENTENCE = "bonmun.methods.sentence:Sentence"
TITLED = ("title", "corpus")
FREQUENCY = "bonmun.methods.frequency:Frequency"
SITED = ("site",)
AUTO = ("site", "model", "favour")

METHODS = {
    info.name: info
    for info in (
        MethodInfo("auto", "bonmun.methods.auto:Auto", "one page", "the default: a trained network over blocks", AUTO),
        MethodInfo("rules", "bonmun.methods.rules:Rules", "one page", "text and link density over blocks, no training"),
        MethodInfo("all", "bonmun.methods.everything:Everything", "one page", "every block that is shown"),
        MethodInfo("frequency", FREQUENCY, "many pages", "texts that are not frequent over all pages", SITED),
        MethodInfo("frequency+", f"{FREQUENCY}Plus", "pages of a site", "what is new on a page of its site", SITED),
        MethodInfo("density", "bonmun.methods.density:Density", "one page", "word and link density of leaves"),
        MethodInfo("xpath", "bonmun.methods.xpath:XPath", "one page", "the longest run of leaves with one path"),
        MethodInfo("xpath+", "bonmun.methods.xpath:XPathPlus", "one page", "the same over blocks, its failures mended"),
        MethodInfo(
            "title-table",
            "bonmun.methods.title_table:TitleTable",
            "one page, laid out with tables",
            "the title, by place and likeness, and the text under it",
            finds_title=True,
        ),
        MethodInfo(
            "title-table+",
            "bonmun.methods.title_table:TitleTablePlus",
            "one page",
            "the same over blocks of any layout",
            finds_title=True,
        ),
        MethodInfo("sentence:M1", SENTENCE, "one page", "all text"),
        MethodInfo("sentence:M2", SENTENCE, "one page", "text outside of links"),
        MethodInfo("sentence:M3", SENTENCE, "one page", "sentences"),
        MethodInfo("sentence:M32", SENTENCE, "one page", "sentences outside of links"),
        MethodInfo("sentence:MM", SENTENCE, "one page", "the depth with most sentences"),
        MethodInfo("sentence:M4", SENTENCE, "one page, its title", "the depth most like the title", TITLED),
        MethodInfo("sentence:M42", SENTENCE, "one page, its title", "M4 without link text", TITLED),
        MethodInfo("sentence:M43", SENTENCE, "one page, its title", "the sentences of M4", TITLED),
        MethodInfo("sentence:M423", SENTENCE, "one page, its title", "the sentences of M42", TITLED),
        MethodInfo("sentence:M34", SENTENCE, "one page, its title", "sentences at depths like the title", TITLED),
        MethodInfo("sentence:M324", SENTENCE, "one page, its title", "M34 without link text: the paper's best", TITLED),
    )
}

PAGE_METHODS = {
    name: info for name, info in METHODS.items() if info.takes != SITED
}  # those that one page is enough for


def methods() -> tuple[MethodInfo, ...]:
    """All methods: their names, what each needs, and one line on each."""
    return tuple(METHODS.values())


def get(
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
    counts of a collection (see grams.py); `site` what repeats on sites (see sites.py): no method then keeps it; `model`
    a file that `bonmun train` made; `favour` is "precision", "balanced" or "recall".
    """
    info = METHODS.get(name)
    if info is None:
        near = " or ".join(_near(name))
        raise BadConfig(
            f"Unknown method {name!r}{f': did you mean {near}?' if near else '.'} `bonmun methods` lists all."
        )
    if site is not None and "site" not in info.takes:
        return Sited(get(name, title=title, corpus=corpus, model=model, favour=favour), site)
    given = {"title": title, "corpus": corpus, "site": site, "model": model, "favour": favour}
    settings = {key: value for key, value in given.items() if value is not None}
    for key in settings:
        if key not in info.takes:
            able = ", ".join(each.name for each in METHODS.values() if key in each.takes)
            raise BadConfig(f"The method {name} takes no {key}; these do: {able}.")
    module, _, attribute = info.where.partition(":")
    variant = name.partition(":")[2]
    made = getattr(import_module(module), attribute)
    method: Method = made(variant, **settings) if variant else made(**settings)
    return method


def _near(name: str) -> list[str]:
    """Up to three methods with a name like this one: part of it, else nearly it."""
    wanted = name.strip().lower()
    names = {known.lower(): known for known in METHODS}
    parts = [known for known in names if wanted and wanted in known]
    found = parts or difflib.get_close_matches(wanted, names, n=3)
    return [names[known] for known in sorted(found, key=len)[:3]]
