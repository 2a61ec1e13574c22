"""Other people's extractors, called as their documentation says, loaded on first use.

All get the page as text. What a peer gives as HTML is turned into text by turbohtml. Readers' comments, links and the
alternative texts of images are left out where a peer has a switch for it, since golds have none of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.systems.answers import FACTS, Answer, System
from bonmun.lab.evaluate.systems.browser_peers import (
    Extractor,
    find_distiller_version,
    find_readability_version,
    make_distiller,
    make_readability,
    run_in_page,
    start_browser,
)
from bonmun.lab.evaluate.systems.readability_js import ask_readability_js, find_readability_js_version

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


def _write_trafilatura(example: Example, **mode: bool) -> str:
    import trafilatura

    shown = {"include_comments": False, "include_formatting": True, "include_tables": True, "include_links": True}
    found = trafilatura.extract(example.html, url=example.url, output_format="markdown", **shown, **mode)
    return found or ""


def _run_trafilatura_wholly(example: Example) -> Answer:
    import trafilatura

    answer = _run_trafilatura(example)
    if not (example.title or example.author or example.date):
        return answer
    found = trafilatura.extract_metadata(example.html, default_url=example.url)
    return replace(answer, title=found.title, author=found.author, date=found.date) if found else answer


def _run_readability_lxml(example: Example) -> Answer:
    import readability

    found = readability.Document(example.html, url=example.url)
    return Answer(_to_text(found.summary()), title=found.short_title())


def _write_readability_lxml(example: Example) -> str:
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
    return Answer(article.text, title=article.title, author=", ".join(article.authors), date=day)


# The languages that jusText has stop words for, as far as sets name them.
STOPLISTS = dict(
    pair.split(":")
    for pair in (
        "ar:Arabic cs:Czech da:Danish de:German el:Greek en:English es:Spanish fa:Persian fi:Finnish fr:French "
        "he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian it:Italian ko:Korean nl:Dutch pl:Polish "
        "pt:Portuguese ro:Romanian ru:Russian sk:Slovak sv:Swedish tr:Turkish uk:Ukrainian vi:Vietnamese"
    ).split()
)


def _run_justext(example: Example) -> Answer:
    """Run it with the stop words of the page's language; where there are none, without any, as jusText says."""
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
    """Run it as its README says: languages that are not cut at blanks have stop words of their own."""
    import goose3
    from goose3 import text

    settings = {"enable_image_fetching": False, "use_meta_language": True}
    names = {"ar": "StopWordsArabic", "ja": "StopWordsJapanese", "ko": "StopWordsKorean", "zh": "StopWordsChinese"}
    if name := names.get((example.lang or "").partition("-")[0]):
        settings["stopwords_class"] = getattr(text, name)
    with goose3.Goose(settings) as goose:
        found = goose.extract(raw_html=example.html)
        said = found.publish_date
        dates = said if isinstance(said, list) else [said]  # a page may say two
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


def _run_readability_js(example: Example) -> Answer:
    found = ask_readability_js(example.html, example.url)
    return Answer(_to_text(found["html"]), found.get("title"), found.get("author"), found.get("date"))


def _write_readability_js(example: Example) -> str:
    return _to_markdown(ask_readability_js(example.html, example.url)["html"])


def _run_in_browser(example: Example, make: Callable[[], Extractor]) -> Answer:
    """Run it as a script in the page, which a browser has laid out."""
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
        raise MissingExtra(f"{package} is not installed: pip install 'bonmun[bench]'.") from None


def _make_peer(name: str, package: str, module: str, run: Callable[[Example], Answer], **more: Any) -> System:
    return System(name, "peer", partial(_find_version, package), run, loads=module, **more)


def _make_browser_peer(
    name: str, version: Callable[[], str], make: Callable[[], Extractor], gives: tuple[str, ...]
) -> System:
    """Make a system of a script that runs in pages; the browser is started before the clock runs."""
    run, prepare = partial(_run_in_browser, make=make), partial(_prepare_browser, make=make)
    return System(name, "peer", version, run, gives, prepare=prepare)


PEERS = {
    peer.name: peer
    for peer in (
        _make_peer(
            "trafilatura",
            "trafilatura",
            "trafilatura",
            _run_trafilatura,
            gives=FACTS,
            whole=_run_trafilatura_wholly,
            markdown=_write_trafilatura,
        ),
        *(
            _make_peer(
                f"trafilatura-{name}",
                "trafilatura",
                "trafilatura",
                partial(_run_trafilatura, **mode),
                markdown=partial(_write_trafilatura, **mode),
            )
            for name, mode in TRAFILATURA_MODES.items()
        ),
        _make_peer(
            "readability-lxml",
            "readability-lxml",
            "readability",
            _run_readability_lxml,
            gives=("title",),
            markdown=_write_readability_lxml,
        ),
        System(
            "readability.js",
            "peer",
            find_readability_js_version,
            _run_readability_js,
            FACTS,
            markdown=_write_readability_js,
        ),
        _make_browser_peer("readability-browser", find_readability_version, make_readability, FACTS),
        _make_browser_peer("dom-distiller", find_distiller_version, make_distiller, ("title",)),
        _make_peer("resiliparse", "resiliparse", "resiliparse.extract.html2text", _run_resiliparse),
        _make_peer("newspaper4k", "newspaper4k", "newspaper", _run_newspaper, gives=FACTS),
        _make_peer("justext", "jusText", "justext", _run_justext),
        _make_peer("boilerpy3", "boilerpy3", "boilerpy3.extractors", _run_boilerpy),
        _make_peer("goose3", "goose3", "goose3", _run_goose, gives=FACTS),
        _make_peer("turbohtml", "turbohtml", "turbohtml", _run_turbohtml, gives=FACTS),
        _make_peer("all-text", "turbohtml", "turbohtml", _run_all_text),
    )
}
