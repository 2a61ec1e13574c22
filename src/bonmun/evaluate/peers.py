"""Other people's extractors, called as their documentation says, loaded on first use.

All get the page as text. What a peer gives as HTML is turned into text by turbohtml. Comments of readers, links and the
alternative texts of images are left out where a peer has a switch for it, since golds have none.
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
from bonmun.evaluate.answers import Answer, System

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.gold.examples import Example

__all__ = ["PEERS", "node_folder"]


def _trafilatura(example: Example, **mode: bool) -> Answer:
    import trafilatura

    return Answer(trafilatura.extract(example.html, url=example.url, include_comments=False, **mode) or "")


def _trafilatura_whole(example: Example) -> Answer:
    import trafilatura

    answer = _trafilatura(example)
    if not (example.title or example.author or example.date):
        return answer
    found = trafilatura.extract_metadata(example.html, default_url=example.url)
    return replace(answer, title=found.title, author=found.author, date=found.date) if found else answer


def _readability_lxml(example: Example) -> Answer:
    import readability

    found = readability.Document(example.html, url=example.url)
    return Answer(_text(found.summary()), title=found.short_title())


def _resiliparse(example: Example) -> Answer:
    from resiliparse.extract.html2text import extract_plain_text

    return Answer(extract_plain_text(example.html, main_content=True, alt_texts=False))


def _newspaper(example: Example) -> Answer:
    import newspaper

    article = newspaper.Article(example.url or "https://example.org/", fetch_images=False)
    article.download(input_html=example.html)
    article.parse()
    date = article.publish_date
    day = date.isoformat() if hasattr(date, "isoformat") else date
    return Answer(article.text, title=article.title, author=", ".join(article.authors), date=day)


# The languages that jusText has a list of stop words for, as far as the sets here name them.
STOPLISTS = dict(
    pair.split(":")
    for pair in (
        "ar:Arabic cs:Czech da:Danish de:German el:Greek en:English es:Spanish fa:Persian fi:Finnish fr:French "
        "he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian it:Italian ko:Korean nl:Dutch pl:Polish "
        "pt:Portuguese ro:Romanian ru:Russian sk:Slovak sv:Swedish tr:Turkish uk:Ukrainian vi:Vietnamese"
    ).split()
)


def _justext(example: Example) -> Answer:
    """With the stop words of the page's language; where there are none, as jusText says: without stop words."""
    import justext

    language = STOPLISTS.get((example.lang or "en").partition("-")[0])
    if language:
        found = justext.justext(example.html, justext.get_stoplist(language))
    else:
        found = justext.justext(example.html, frozenset(), stopwords_low=0, stopwords_high=0)
    return Answer("\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate))


def _boilerpy(example: Example) -> Answer:
    from boilerpy3.extractors import ArticleExtractor

    return Answer(ArticleExtractor().get_content(example.html))


def _goose(example: Example) -> Answer:
    """As its README says: with stop words of their own for languages that are not cut at blanks."""
    import goose3
    from goose3 import text

    settings = {"enable_image_fetching": False, "use_meta_language": True}
    names = {"ar": "StopWordsArabic", "ja": "StopWordsJapanese", "ko": "StopWordsKorean", "zh": "StopWordsChinese"}
    if name := names.get((example.lang or "").partition("-")[0]):
        settings["stopwords_class"] = getattr(text, name)
    with goose3.Goose(settings) as goose:
        found = goose.extract(raw_html=example.html)
        dates = (
            found.publish_date if isinstance(found.publish_date, list) else [found.publish_date]
        )  # a page may say two
        authors = ", ".join(author for author in found.authors if isinstance(author, str))
        return Answer(found.cleaned_text, found.title, authors, dates[0] if dates else None)


def _turbohtml(example: Example) -> Answer:
    import turbohtml

    found = turbohtml.parse(example.html).article()
    return Answer(found.text, title=found.title, author=found.byline, date=found.date)


def _all_text(example: Example) -> Answer:
    return Answer(_text(example.html))


def _text(html: str) -> str:
    import turbohtml

    return turbohtml.parse(html).to_text()


def _readability_js(example: Example) -> Answer:
    node = _node()
    assert node.stdin is not None
    assert node.stdout is not None
    request = json.dumps({"html": example.html, "url": example.url})
    try:
        node.stdin.write(f"{request}\n")
        node.stdin.flush()
        line = node.stdout.readline()
    except OSError:
        line = ""
    if not line:
        _node.cache_clear()
        raise RuntimeError("node has died")
    found = json.loads(line)
    if "error" in found:
        raise RuntimeError(found["error"])
    return Answer(_text(found["html"]), found.get("title"), found.get("author"), found.get("date"))


@cache
def _node() -> subprocess.Popen[str]:
    """The node process of this process; it ends when its standard input does."""
    path = os.pathsep.join(str(folder) for folder in _node_paths())
    line = ["node", "--max-semi-space-size=64", str(Path(__file__).with_name("readability.js"))]  # less collection
    environment = os.environ | {"NODE_PATH": path}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(line, env=environment, text=True, encoding="utf-8", errors="surrogatepass", **pipes)


def node_folder() -> Path:
    """Where we look for npm packages beside this folder and NODE_PATH."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bonmun" / "node"


def _node_paths() -> list[Path]:
    given = os.environ.get("NODE_PATH", "").split(os.pathsep)
    return [*(Path(folder) for folder in given if folder), Path("node_modules"), node_folder() / "node_modules"]


@cache
def _readability_js_version() -> str:
    setup = f"npm install --prefix {node_folder()} @mozilla/readability@0.6 jsdom@26"
    if not shutil.which("node"):
        raise MissingExtra(f"readability.js needs node, version 18 or newer, and then: {setup}")
    versions = []
    for package in ("@mozilla/readability", "jsdom"):
        files = (folder / package / "package.json" for folder in _node_paths())
        file = next((file for file in files if file.is_file()), None)
        if file is None:
            raise MissingExtra(f"readability.js is not installed: {setup}")
        versions.append(json.loads(file.read_text(encoding="utf-8"))["version"])
    return f"{versions[0]} (jsdom {versions[1]})"


@cache
def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise MissingExtra(f"{package} is not installed: pip install 'bonmun[bench]'.") from None


def _peer(name: str, package: str, module: str, run: Callable[[Example], Answer], **more: Any) -> System:
    return System(name, "peer", partial(_version, package), run, loads=module, **more)


ALL = ("title", "author", "date")
PEERS = {
    peer.name: peer
    for peer in (
        _peer("trafilatura", "trafilatura", "trafilatura", _trafilatura, gives=ALL, whole=_trafilatura_whole),
        _peer("trafilatura-recall", "trafilatura", "trafilatura", partial(_trafilatura, favor_recall=True)),
        _peer("trafilatura-precision", "trafilatura", "trafilatura", partial(_trafilatura, favor_precision=True)),
        _peer("readability-lxml", "readability-lxml", "readability", _readability_lxml, gives=("title",)),
        System("readability.js", "peer", _readability_js_version, _readability_js, ALL),
        _peer("resiliparse", "resiliparse", "resiliparse.extract.html2text", _resiliparse),
        _peer("newspaper4k", "newspaper4k", "newspaper", _newspaper, gives=ALL),
        _peer("justext", "jusText", "justext", _justext),
        _peer("boilerpy3", "boilerpy3", "boilerpy3.extractors", _boilerpy),
        _peer("goose3", "goose3", "goose3", _goose, gives=ALL),
        _peer("turbohtml", "turbohtml", "turbohtml", _turbohtml, gives=ALL),
        _peer("all-text", "turbohtml", "turbohtml", _all_text),
    )
}
