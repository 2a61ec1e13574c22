"""Other people's extractors, called as their documentation says, loaded on first use.

All get the page as text. What a peer gives as HTML is turned into text by turbohtml. Readers' comments, links and the
alternative texts of images are left out where a peer has a switch for it, since golds have none of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.evaluate.answers import FACTS, Answer, System
from bonmun.evaluate.in_page import (
    Extractor,
    find_distiller_version,
    find_readability_version,
    make_distiller,
    make_readability,
    run_in_page,
    start_browser,
)
from bonmun.evaluate.node_packages import find_package, list_node_folders, locate_node_folder, read_package_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.gold.examples import Example

__all__ = ["PEERS", "ask_readability_js"]


def _run_trafilatura(example: Example, **mode: bool) -> Answer:
    import trafilatura

    return Answer(trafilatura.extract(example.html, url=example.url, include_comments=False, **mode) or "")


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


def _run_readability_js(example: Example) -> Answer:
    found = ask_readability_js(example.html, example.url)
    return Answer(_to_text(found["html"]), found.get("title"), found.get("author"), found.get("date"))


def ask_readability_js(html: str, url: str | None) -> dict[str, Any]:
    """What readability.js makes of a page: `html`, and if it found them `title`, `author` and `date`."""
    node = _start_node()
    assert node.stdin is not None
    assert node.stdout is not None
    request = json.dumps({"html": html, "url": url})
    try:
        node.stdin.write(f"{request}\n")
        node.stdin.flush()
        line = node.stdout.readline()
    except OSError:
        line = ""
    if not line:
        _start_node.cache_clear()
        raise RuntimeError("node has died")
    found: dict[str, Any] = json.loads(line)
    if "error" in found:
        raise RuntimeError(found["error"])
    return found


@cache
def _start_node() -> subprocess.Popen[str]:
    """Start the node process of this process; it ends when its standard input does."""
    path = os.pathsep.join(str(folder) for folder in list_node_folders())
    script = Path(__file__).with_name("readability.js")
    line = ["node", "--max-semi-space-size=64", str(script)]  # MiB: less garbage collection
    environment = os.environ | {"NODE_PATH": path}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(line, env=environment, text=True, encoding="utf-8", errors="surrogatepass", **pipes)


def _run_in_browser(example: Example, make: Callable[[], Extractor]) -> Answer:
    """Run it as a script in the page, which a browser has laid out."""
    [found] = run_in_page(start_browser(), example, [make()])
    return Answer(_to_text(found.html), found.title, found.author, found.date)


def _prepare_browser(make: Callable[[], Extractor]) -> None:
    start_browser()
    make()


@cache
def _find_readability_js_version() -> str:
    setup = f"npm install --prefix {locate_node_folder()} @mozilla/readability@0.6 jsdom@26"
    if not shutil.which("node"):
        raise MissingExtra(f"readability.js needs node, version 18 or newer, and then: {setup}")
    versions = []
    for package in ("@mozilla/readability", "jsdom"):
        found = find_package(package)
        if found is None:
            raise MissingExtra(f"readability.js is not installed: {setup}")
        versions.append(read_package_version(found))
    return f"{versions[0]} (jsdom {versions[1]})"


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
            "trafilatura", "trafilatura", "trafilatura", _run_trafilatura, gives=FACTS, whole=_run_trafilatura_wholly
        ),
        _make_peer("trafilatura-recall", "trafilatura", "trafilatura", partial(_run_trafilatura, favor_recall=True)),
        _make_peer(
            "trafilatura-precision", "trafilatura", "trafilatura", partial(_run_trafilatura, favor_precision=True)
        ),
        _make_peer("readability-lxml", "readability-lxml", "readability", _run_readability_lxml, gives=("title",)),
        System("readability.js", "peer", _find_readability_js_version, _run_readability_js, FACTS),
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
