"""The table of methods. Each is a module with a class that has `label(page) -> Labels`, loaded on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bonmun.algorithms.method import Method
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from bonmun.sites.model import SiteModel
    from bonmun.text.grams import CorpusGrams

__all__ = ["METHODS", "PAGE_METHODS", "Method", "MethodInfo", "load_site_model", "make_method", "methods"]

MethodSetting = Literal["title", "corpus", "site_model", "model", "favour"]
LOADED_SITE_MODELS = 4  # files whose site models stay in memory


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A method: its name, what it needs, and one line about it."""

    name: str
    where: str  # module:class
    needs: str  # for people
    says: str  # one line
    takes: tuple[MethodSetting, ...] = ()  # settings that its class accepts
    variant: str | None = None  # first argument of its class, where a class implements several methods
    needs_site_model: bool = False  # it cannot be made without one
    needs_boxes: bool = False  # it needs a rendered page
    finds_title: bool = False  # itself; for the others the title is part of the metadata


SENTENCE = "bonmun.algorithms.sentence:Sentence"
VISUAL = "bonmun.algorithms.visual:Visual"
TITLED: tuple[MethodSetting, ...] = ("title", "corpus")  # settings of methods that compare with the title

METHODS = {
    info.name: info
    for info in (
        MethodInfo(
            "auto",
            "bonmun.algorithms.auto:Auto",
            "one page",
            "the default: a trained network over blocks",
            takes=("site_model", "model", "favour"),
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
            takes=("site_model",),
            needs_site_model=True,
        ),
        MethodInfo(
            "frequency+",
            "bonmun.algorithms.frequency:FrequencyPlus",
            "pages of a site",
            "what is new on a page of its site",
            takes=("site_model",),
            needs_site_model=True,
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

MAX_NAME_CHARS = 100  # of an unknown method in an error
MIN_SIMILARITY = 0.7  # minimum similarity of a suggested name: "frequncy" is not "sequence"

PAGE_METHODS = {name: info for name, info in METHODS.items() if not (info.needs_site_model or info.needs_boxes)}


def methods() -> tuple[MethodInfo, ...]:
    """Return all methods, each with its `name`, what it `needs`, and what it `says` about itself in one line."""
    return tuple(METHODS.values())


def make_method(
    name: str,
    *,
    title: str | None = None,
    corpus: CorpusGrams | None = None,
    site_model: SiteModel | str | Path | None = None,
    model: str | Path | None = None,
    favour: str | None = None,
) -> Method:
    """Return the named method with the settings that are not None.

    `corpus` holds the n-gram counts of a collection (see text/grams.py); the other settings are those of
    `MethodOptions`. A site model works with every method: what repeats on the page's site is hidden from it.
    """
    info = _find_method(name)
    site_model = load_site_model(site_model)
    if site_model is not None and "site_model" not in info.takes:
        from bonmun.algorithms.without_template import WithoutTemplate

        return WithoutTemplate(make_method(name, title=title, corpus=corpus, model=model, favour=favour), site_model)
    given = {"title": title, "corpus": corpus, "site_model": site_model, "model": model, "favour": favour}
    settings = {key: value for key, value in given.items() if value is not None}
    for key in settings:
        if key not in info.takes:
            able = ", ".join(each.name for each in METHODS.values() if key in each.takes)
            raise BadConfig(f"The method {name} takes no {key}; these do: {able}.")
    make = _load_class(info.where)
    method: Method = make(**settings) if info.variant is None else make(info.variant, **settings)
    return method


@cache
def _load_class(where: str) -> Any:
    """Return the class at `module:name`."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def load_site_model(given: SiteModel | str | Path | None) -> SiteModel | None:
    """Return a site model, loaded if a path is given. The last ones stay in memory until their files change."""
    if not isinstance(given, (str, Path)):
        return given
    from bonmun.sites.model import SiteModel

    path = Path(given)
    if not path.is_file():
        return SiteModel.load(path)  # raises the error that says so
    return _load_version(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=LOADED_SITE_MODELS)
def _load_version(path: Path, _: int) -> SiteModel:
    from bonmun.sites.model import SiteModel

    return SiteModel.load(path)


def _find_method(name: str) -> MethodInfo:
    if name in METHODS:
        return METHODS[name]
    name = name[:MAX_NAME_CHARS]
    near = " or ".join(_find_similar_names(name))
    raise BadConfig(f"Unknown method {name!r}{f': did you mean {near}?' if near else '.'} `bonmun methods` lists all.")


def _find_similar_names(name: str) -> list[str]:
    """Return up to three method names that contain this one, or else are similar to it."""
    import difflib

    wanted = name.strip().lower()
    names = {known.lower(): known for known in METHODS}
    parts = [known for known in names if wanted and wanted in known]
    found = parts or difflib.get_close_matches(wanted, names, n=3, cutoff=MIN_SIMILARITY)
    return [names[known] for known in sorted(found, key=len)[:3]]
