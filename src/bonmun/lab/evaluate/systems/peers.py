"""Peers: other extractors, called as their documentation describes and imported on first use.

All get the page as a string. HTML that a peer returns is converted to text by turbohtml. Reader comments, links and
image alt texts are disabled where a peer has an option for it, since golds do not contain them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.systems.answers import METADATA_FIELDS, Answer, System
from bonmun.lab.evaluate.systems.browser_peers import (
    Extractor,
    find_distiller_version,
    find_readability_version,
    make_distiller,
    make_readability,
    run_in_page,
    start_browser,
)
from bonmun.lab.evaluate.systems.node_peers import find_node_peer_version, run_node_peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.lab.gold.examples import Example

__all__ = ["PEERS"]


TRAFILATURA_MODES: dict[str, dict[str, Any]] = {
    "recall": {"favor_recall": True},
    "precision": {"favor_precision": True},
}


def _run_trafilatura(example: Example, **mode: bool) -> Answer:
    import trafilatura

    return Answer(trafilatura.extract(example.html, url=example.url, include_comments=False, **mode) or "")


def _write_trafilatura_markdown(example: Example, **mode: bool) -> str:
    import trafilatura

    shown = dict.fromkeys(("include_formatting", "include_tables", "include_links", "include_images"), True)
    found = trafilatura.extract(
        example.html, url=example.url, output_format="markdown", include_comments=False, **shown, **mode
    )
    return found or ""


def _run_trafilatura_with_metadata(example: Example) -> Answer:
    import trafilatura

    answer = _run_trafilatura(example)
    if not (example.title or example.author or example.date or example.checks):
        return answer
    found = trafilatura.extract_metadata(example.html, default_url=example.url)
    return replace(answer, title=found.title, author=found.author, date=found.date) if found else answer


def _run_readability_lxml(example: Example) -> Answer:
    import readability

    found = readability.Document(example.html, url=example.url)
    return Answer(_to_text(found.summary()), title=found.short_title())


def _write_readability_lxml_markdown(example: Example) -> str:
    import readability

    return _to_markdown(readability.Document(example.html, url=example.url).summary())


def _run_resiliparse(example: Example) -> Answer:
    from resiliparse.extract.html2text import extract_plain_text

    return Answer(extract_plain_text(example.html, main_content=True, alt_texts=False))


def _run_newspaper(example: Example) -> Answer:
    import newspaper

    article = newspaper.Article(example.url or "https://example.org/", fetch_images=False)
    article.download(input_html=example.html)
    article.parse()
    date = article.publish_date
    day = date.isoformat() if hasattr(date, "isoformat") else date
    authors = tuple(article.authors)
    return Answer(article.text, title=article.title, author=", ".join(authors), date=day, authors=authors)


# Languages of the labelled sets for which jusText has stop words.
STOPLISTS = dict(
    pair.split(":")
    for pair in (
        "ar:Arabic cs:Czech da:Danish de:German el:Greek en:English es:Spanish fa:Persian fi:Finnish fr:French "
        "he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian it:Italian ko:Korean nl:Dutch pl:Polish "
        "pt:Portuguese ro:Romanian ru:Russian sk:Slovak sv:Swedish tr:Turkish uk:Ukrainian vi:Vietnamese"
    ).split()
)


def _run_justext(example: Example) -> Answer:
    """Run jusText with the stop words of the page's language, or else in its language-independent mode."""
    import justext

    language = STOPLISTS.get((example.lang or "en").partition("-")[0])
    if language:
        found = justext.justext(example.html, justext.get_stoplist(language))
    else:
        found = justext.justext(example.html, frozenset(), stopwords_low=0, stopwords_high=0)
    return Answer("\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate))


def _run_boilerpy(example: Example) -> Answer:
    from boilerpy3.extractors import ArticleExtractor

    return Answer(ArticleExtractor().get_content(example.html))


def _run_goose(example: Example) -> Answer:
    """Run Goose as its README describes: some languages need their own stop word class."""
    import goose3
    from goose3 import text

    settings = {"enable_image_fetching": False, "use_meta_language": True}
    names = {"ar": "StopWordsArabic", "ja": "StopWordsJapanese", "ko": "StopWordsKorean", "zh": "StopWordsChinese"}
    if name := names.get((example.lang or "").partition("-")[0]):
        settings["stopwords_class"] = getattr(text, name)
    with goose3.Goose(settings) as goose:
        found = goose.extract(raw_html=example.html)
        date = found.publish_date
        dates = date if isinstance(date, list) else [date]  # a page may have two
        authors = ", ".join(author for author in found.authors if isinstance(author, str))
        return Answer(found.cleaned_text, found.title, authors, dates[0] if dates else None)


def _run_turbohtml(example: Example) -> Answer:
    import turbohtml

    found = turbohtml.parse(example.html).article()
    return Answer(found.text, title=found.title, author=found.byline, date=found.date)


def _run_all_text(example: Example) -> Answer:
    return Answer(_to_text(example.html))


def _to_text(html: str) -> str:
    import turbohtml

    return turbohtml.parse(html).to_text()


def _to_markdown(html: str) -> str:
    import turbohtml

    return turbohtml.parse(html).to_markdown()


def _run_in_node(example: Example, name: str) -> Answer:
    found = run_node_peer(name, example.html, example.url)
    return Answer(_to_text(found["html"]), found.get("title"), found.get("author"), found.get("date"))


def _write_node_markdown(example: Example, name: str) -> str:
    return _to_markdown(run_node_peer(name, example.html, example.url)["html"])


def _run_in_browser(example: Example, make: Callable[[], Extractor]) -> Answer:
    """Run an extractor as a script in a page that the browser has rendered."""
    [found] = run_in_page(start_browser(), example, [make()])
    return Answer(_to_text(found.html), found.title, found.author, found.date)


def _prepare_browser(make: Callable[[], Extractor]) -> None:
    start_browser()
    make()


@cache
def _find_version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        extra = "bench-more" if package in ("newspaper4k", "readability-lxml") else "bench"
        raise MissingExtra(f"{package} is not installed: pip install 'bonmun[{extra}]'.") from None


def _make_peer(name: str, package: str, module: str, run: Callable[[Example], Answer], **more: Any) -> System:
    return System(name, "peer", partial(_find_version, package), run, module=module, **more)


def _make_node_peer(name: str) -> System:
    run, write = partial(_run_in_node, name=name), partial(_write_node_markdown, name=name)
    return System(name, "peer", partial(find_node_peer_version, name), run, METADATA_FIELDS, markdown=write)


def _make_browser_peer(
    name: str, version: Callable[[], str], make: Callable[[], Extractor], fields: tuple[str, ...]
) -> System:
    """Make a system from a script that runs in a page; the browser is started before timing starts."""
    run, prepare = partial(_run_in_browser, make=make), partial(_prepare_browser, make=make)
    return System(name, "peer", version, run, fields, prepare=prepare)


PEERS = {
    peer.name: peer
    for peer in (
        _make_peer(
            "trafilatura",
            "trafilatura",
            "trafilatura",
            _run_trafilatura,
            fields=METADATA_FIELDS,
            run_full=_run_trafilatura_with_metadata,
            markdown=_write_trafilatura_markdown,
        ),
        *(
            _make_peer(
                f"trafilatura-{name}",
                "trafilatura",
                "trafilatura",
                partial(_run_trafilatura, **mode),
                markdown=partial(_write_trafilatura_markdown, **mode),
            )
            for name, mode in TRAFILATURA_MODES.items()
        ),
        _make_peer(
            "readability-lxml",
            "readability-lxml",
            "readability",
            _run_readability_lxml,
            fields=("title",),
            markdown=_write_readability_lxml_markdown,
        ),
        _make_node_peer("readability.js"),
        _make_node_peer("defuddle"),
        _make_browser_peer("readability-browser", find_readability_version, make_readability, METADATA_FIELDS),
        _make_browser_peer("dom-distiller", find_distiller_version, make_distiller, ("title",)),
        _make_peer("resiliparse", "resiliparse", "resiliparse.extract.html2text", _run_resiliparse),
        _make_peer("newspaper4k", "newspaper4k", "newspaper", _run_newspaper, fields=METADATA_FIELDS),
        _make_peer("justext", "jusText", "justext", _run_justext),
        _make_peer("boilerpy3", "boilerpy3", "boilerpy3.extractors", _run_boilerpy),
        _make_peer("goose3", "goose3", "goose3", _run_goose, fields=METADATA_FIELDS),
        _make_peer("turbohtml", "turbohtml", "turbohtml", _run_turbohtml, fields=METADATA_FIELDS),
        _make_peer("all-text", "turbohtml", "turbohtml", _run_all_text),
    )
}
