"""The work of the tools for assistants, in child processes. Every answer is within a budget of tokens."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.app.serve.jobs import FETCH_DISABLED, FETCH_SHARE, JobLimits, load_extraction
from bonmun.app.serve.parameters import EXTRACT_PARAMETERS, read_parameters
from bonmun.empty_pages import is_shell
from bonmun.errors import BadConfig, BadInput, FetchFailed, Refused
from bonmun.options import MIN_PART, Options
from bonmun.outputs.nodes import gather_text, walk_nodes
from bonmun.outputs.parts.outline import list_sections
from bonmun.outputs.parts.write import PART_FORMATS, cut_lines, write_markdown_blocks, write_part
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.snapshots import read_snapshot
from bonmun.text.readable import cut_text
from bonmun.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.app.serve.parameters import Parameters
    from bonmun.document import Document

__all__ = [
    "SiteLinks",
    "StoredPage",
    "download_job",
    "find_job",
    "links_job",
    "objects_job",
    "outline_job",
    "read_part_job",
    "robots_job",
    "shell_job",
    "site_links_job",
]

SNIPPET_CHARS = 240
MAX_QUERY_CHARS = 1_000
MAX_LINK_CHARS = 300  # of a link and of its text
MAX_SITE_LINKS = 500
AGENT = "bonmun"


class StoredPage(NamedTuple):
    """A page as it was downloaded, rendered or given."""

    url: str | None
    body: bytes
    encoding: str | None = None
    is_snapshot: bool = False


class SiteLinks(NamedTuple):
    """What a crawl needs of a page: its title, its beginning, its size, and its links to the same host."""

    title: str
    beginning: str
    tokens: int
    links: tuple[str, ...]


def download_job(url: str, limits: JobLimits) -> StoredPage:
    """Download a page."""
    from bonmun.scale.web.download import download

    if not limits.fetch:
        raise Refused(FETCH_DISABLED)
    options = Options(
        max_bytes=limits.max_bytes, allow_private=limits.allow_private, timeout=limits.seconds * FETCH_SHARE
    )
    response = download(url, options)
    return StoredPage(response.url, response.body, response.encoding)


def read_part_job(page: StoredPage, given: dict[str, Any], limits: JobLimits) -> str:
    """Return a part of a page."""
    parameters, doc = _extract(page, given, limits)
    part, name = parameters.make_part(), parameters.choose_format(None, "markdown")
    text = write_part(doc, name, part) if name in PART_FORMATS else doc.render(name)
    size, limit = estimate_tokens(text), part.max_tokens
    if limit is not None and size > limit and name == "json" and (rest := 2 * limit - size) >= MIN_PART:
        text = write_part(doc, name, replace(part, max_tokens=rest))  # leaves space for the metadata
        size = estimate_tokens(text)
    if limit is not None and size > limit:
        raise BadConfig(f"The page has {size:,} tokens as {name}, more than max_tokens: read it as markdown.")
    return f"{text.rstrip()}\n\n[{doc.hint}]".lstrip() if _is_explained(doc) and name != "json" else text


def _is_explained(doc: Document) -> bool:
    return bool(doc.hint) and not doc.blocks


def shell_job(page: StoredPage, limits: JobLimits) -> bool:
    """Return whether a page is empty without its scripts."""
    return is_shell(_parse(page, limits, page.encoding, ruby=False))


def outline_job(page: StoredPage, given: dict[str, Any], limits: JobLimits) -> str:
    """Return the title and size of a page, and its headings."""
    parameters, doc = _extract(page, given | {"outline": True}, limits)
    outline = write_part(doc, "markdown", parameters.make_part())
    if parameters.make_part().cursor:
        return outline
    title = cut_text(doc.title or "Untitled", SNIPPET_CHARS)
    after = f"[{doc.hint}]" if _is_explained(doc) else outline
    return f"{title}: {doc.kind}, about {estimate_tokens(doc.markdown):,} tokens\n\n{after}"


def find_job(page: StoredPage, query: str, given: dict[str, Any], limits: JobLimits) -> str:
    """Return the blocks of a page that contain a query, or else all its words, or else any of them."""
    if not query.strip() or len(query) > MAX_QUERY_CHARS:
        raise BadConfig(f"The query must have from 1 to {MAX_QUERY_CHARS:,} characters.")
    parameters, doc = _extract(page, given, limits)
    markdown, blocks = write_markdown_blocks(doc)
    folded = [" ".join(markdown[block.start : block.end].split()).casefold() for block in blocks]
    whole = " ".join(query.split()).casefold()
    words = list(dict.fromkeys(whole.split()))
    found = [number for number, text in enumerate(folded) if whole in text]
    found = found or [number for number, text in enumerate(folded) if all(word in text for word in words)]
    found = found or [number for number, text in enumerate(folded) if any(word in text for word in words)]
    if not found:
        return f"Nothing was found. {doc.hint}" if _is_explained(doc) else "Nothing was found."
    sections = iter(list_sections(markdown, blocks))
    section, following = None, next(sections, None)
    lines = [f"{len(found):,} of {len(blocks):,} blocks. To read on from one, use its cursor with the tool read."]
    for number in found:
        start = blocks[number].start
        while following is not None and following.cursor <= start:
            section, following = following, next(sections, None)
        place = f", section {section.number} ({cut_text(section.title, 60)})" if section else ""
        text = " ".join(markdown[start : blocks[number].end].split())
        lines.append(f"- cursor={start}{place}: {_make_snippet(text, folded[number], words)}")
    return cut_lines("\n".join(lines) + "\n", parameters.make_part())


def _make_snippet(text: str, folded: str, words: list[str]) -> str:
    """Return the part of a text around the first word of a query."""
    place = min((at for word in words if (at := folded.find(word)) >= 0), default=0)
    start = max(0, min(place - SNIPPET_CHARS // 3, len(text) - SNIPPET_CHARS))
    before, after = "…" if start else "", "…" if start + SNIPPET_CHARS < len(text) else ""
    return f"{before}{cut_text(text[start:], SNIPPET_CHARS)}{after}"


def links_job(page: StoredPage, is_whole_page: bool, given: dict[str, Any], limits: JobLimits) -> str:
    """Return the links of the main text, or of the whole page, each once."""
    parameters, doc = _extract(page, given | {"links": True}, limits)
    found: dict[str, str] = {}
    for url, text in _list_page_links(doc) if is_whole_page else _list_text_links(doc):
        if len(url) <= MAX_LINK_CHARS:
            found.setdefault(url, cut_text(" ".join(text.split()), MAX_LINK_CHARS))
    if not found:
        return f"There are no links. {doc.hint}" if _is_explained(doc) else "There are no links."
    return cut_lines(
        "".join(f"- {text or '(no text)'}: {url}\n" for url, text in found.items()), parameters.make_part()
    )


def _list_text_links(doc: Document) -> Iterator[tuple[str, str]]:
    for node in walk_nodes(doc.nodes.children):
        if node.tag == "a" and (url := node.attr("href")):
            yield url, gather_text(node)


def _list_page_links(doc: Document) -> Iterator[tuple[str, str]]:
    from bonmun.scale.crawl.discover.links import find_links

    for link in find_links(doc.page, doc.url or ""):
        yield link.url, link.anchor


def objects_job(page: StoredPage, given: dict[str, Any], limits: JobLimits) -> str:
    """Return the typed objects of a page, as JSON with one line per field."""
    parameters, doc = _extract(page, given, limits)
    values = [
        {"type": each.type} | {name: field["value"] for name, field in each.to_dict()["fields"].items()}
        for each in doc.objects
    ]
    if not values:
        says = "There are no objects, such as recipes, products or events."
        return f"{says} {doc.hint}" if _is_explained(doc) else says
    return cut_lines(json.dumps(values, ensure_ascii=False, indent=1) + "\n", parameters.make_part())


def robots_job(url: str, limits: JobLimits) -> Any:
    """Return the rules of the robots.txt of a site."""
    from bonmun.scale.crawl.fetch.robots import Robots

    try:
        page = download_job(url, limits)
    except (FetchFailed, BadInput):
        return Robots.parse(b"", 404, AGENT)
    return Robots.parse(page.body, 200, AGENT, url)


def site_links_job(page: StoredPage, max_tokens: int, limits: JobLimits) -> SiteLinks:
    """Return the beginning of a page of a site, and its links to the same host."""
    from bonmun.sites.domains import find_host

    _, doc = _extract(page, {}, limits)
    host = find_host(page.url or "")
    urls = dict.fromkeys(url.partition("#")[0] for url, _ in _list_page_links(doc) if find_host(url) == host)
    part = doc.part(max_tokens=max_tokens)
    title = cut_text(doc.title or "Untitled", SNIPPET_CHARS)
    return SiteLinks(title, part.text, estimate_tokens(doc.markdown), tuple(urls)[:MAX_SITE_LINKS])


def _extract(page: StoredPage, given: dict[str, Any], limits: JobLimits) -> tuple[Parameters, Document]:
    parameters = read_parameters(EXTRACT_PARAMETERS, "", given)
    options = load_extraction(parameters, limits, parameters.choose_format(None, "markdown"))
    parsed = _parse(page, limits, options.encoding or page.encoding, ruby=options.ruby)
    return parameters, extract(parsed, method=options.method, options=options)


def _parse(page: StoredPage, limits: JobLimits, encoding: str | None, *, ruby: bool) -> Page:
    if page.is_snapshot:
        return Page.from_snapshot(read_snapshot(page.body), max_bytes=limits.max_bytes, ruby=ruby)
    return Page.parse(page.body, page.url, encoding, max_bytes=limits.max_bytes, ruby=ruby)
