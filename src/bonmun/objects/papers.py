"""Find the scholarly article of a page: from `citation_` metas, markup, and the visible page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bonmun.metadata.declared import clean_url, clean_value
from bonmun.metadata.scans import fold_text
from bonmun.objects.records import PAGE, choose_field, make_object
from bonmun.text.patterns import compile_later
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.markup.items import Item
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject
    from bonmun.page import Page

__all__ = ["find_papers"]

PAPER_TYPES = ("scholarlyarticle", "medicalscholarlyarticle")
MAX_METAS = 3_000
MAX_AUTHORS, MAX_AFFILIATIONS, MAX_REFERENCES, MAX_KEYWORDS = 500, 20, 500, 100
MAX_ABSTRACT_CHARS = 10_000
MIN_REFERENCE_CHARS = 30
MAX_DOI_BLOCKS, MAX_DOI_CHARS = 300, 300  # from the top of the page, and of a block, that are searched for a DOI
META_START = "citation_"
# A DOI without the marks that end a sentence or a link.
DOI = compile_later(r"10\.[0-9]{4,9}/[^\s\"'<>&,;]{1,200}")
DOI_END = ".)]}"
ABSTRACT_HEADING = compile_later(
    r"(?:abstract|summary|zusammenfassung|résumé|resumen|resumo|riassunto|аннотация|초록|요약|摘要|要旨|抄録)[\s:.]*",
    re.I,
)
REFERENCES_HEADING = compile_later(
    r"(?:[0-9]{1,2}[.)]?\s)?(?:references(?: and notes)?|bibliography|literature cited|works cited|"
    r"literatur(?:verzeichnis)?|"
    r"références|bibliographie|referencias|bibliografía|referências|bibliografia|список литературы|литература|"
    r"참고 ?문헌|参考文献|參考文獻|引用文献)[\s:.]*",
    re.I,
)
# A label of keywords, alone or with the keywords after it.
KEYWORDS_LABEL = compile_later(
    r"(?:author )?(?:key ?words?(?: and phrases)?|index terms|subject\(s\)|schlüsselwörter|schlagwörter|schlagworte|"
    r"mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|ключевые слова|주제어|키워드|핵심어|キーワード|"
    r"关键词|關鍵詞|关键字)\s?(?:[:：.—–-]\s?|$)",
    re.I,
)
KEYWORD_MARKS = compile_later(r"\s?[;,；，、•·|\n]\s?")
MAX_KEYWORD_CHARS, MAX_KEYWORDS_CHARS = 80, 1_000  # of one, and of all of them
MIN_KEYWORD_LEAVES = 3  # fewer may be a text with a link
# Values that programs write where they have none, folded.
EMPTY_VALUES = frozenset("undefined null none noabstractprovided noabstractavailable nodescriptionavailable".split())
BODY_CHARS = 60  # folded, at the start of a declared summary, that are compared with the text
SENTENCE_ENDS = '.!?。)”»"'
MIN_SIGNS = 2  # beside an abstract, of a paper that declares nothing
MIN_REFERENCES = 3  # of a paper that declares nothing
OTHER_KINDS = frozenset("listing collection forum product documentation".split())
# Metas that a page about a paper has beside its title.
IDENTIFYING = frozenset(
    {"citation_author", "citation_authors", "citation_doi", "citation_journal_title", "citation_pdf_url"}
)
TAG = compile_later(r"<[^<>]{1,200}>")
SHOWN_CONFIDENCE = 0.75


def find_papers(reading: ObjectReading) -> list[PageObject]:
    """Return the paper that a page is about."""
    metas = _read_metas(reading.page)
    items = reading.find_items(*PAPER_TYPES)[:1]
    is_declared = bool(items) or ("citation_title" in metas and bool(metas.keys() & IDENTIFYING))
    if not is_declared and reading.kind in OTHER_KINDS:
        return []
    page = reading.page
    sections = _find_sections(page)
    references = _read_references(page, sections)
    if not is_declared and not _shows_paper(reading, sections, len(references)):
        return []

    def meta(*names: str) -> list[tuple[str, str]]:
        return [(metas[name][0], name) for name in names if name in metas]

    fields = {
        "name": choose_field(
            [*meta("citation_title"), *_read(items, "headline", "name"), (reading.metadata.title, PAGE)]
        ),
        "author": choose_field(
            [
                (_read_meta_authors(page), "citation_author"),
                *_read_authors(items),
                (
                    [{"name": name} for name in reading.metadata.authors[:MAX_AUTHORS] if " " in name],
                    PAGE,
                    SHOWN_CONFIDENCE,
                ),
            ]
        ),
        "isPartOf": choose_field(
            [
                *meta("citation_journal_title", "citation_conference_title", "citation_inbook_title"),
                *_read(items, "isPartOf", "publication"),
            ]
        ),
        "volumeNumber": choose_field(meta("citation_volume")),
        "issueNumber": choose_field(meta("citation_issue")),
        "pageStart": choose_field(meta("citation_firstpage")),
        "pageEnd": choose_field(meta("citation_lastpage")),
        "datePublished": choose_field(
            [
                *(
                    (value.replace("/", "-"), name)
                    for value, name in meta("citation_publication_date", "citation_date", "citation_online_date")
                ),
                *_read(items, "datePublished"),
            ]
        ),
        "publisher": choose_field([*meta("citation_publisher"), *_read(items, "publisher")]),
        "doi": choose_field(_find_dois(reading, metas, items)),
        "abstract": choose_field(
            [
                *((text, PAGE, SHOWN_CONFIDENCE) for text in _read_section(page, sections, "abstract")),
                *((TAG.sub(" ", text).strip(), name) for text, name in meta("citation_abstract")),
                *_read(items, "abstract"),
                *_drop_body(reading, [*meta("dc.description"), *_read(items, "description")]),
            ]
        ),
        "keywords": choose_field(
            [
                (_find_keywords(page, sections), PAGE, SHOWN_CONFIDENCE),
                (_split_keywords(metas.get("citation_keywords", [])), "citation_keywords"),
                *_read_keywords(items),
            ]
        ),
        "citation": choose_field(
            [
                (_read_meta_references(metas.get("citation_reference", [])), "citation_reference"),
                (references, PAGE, SHOWN_CONFIDENCE),
            ]
        ),
        "encoding": choose_field(
            [(read_url(clean_url(value), page.base_url), name) for value, name in meta("citation_pdf_url")]
        ),
    }
    return [make_object("ScholarlyArticle", fields)]


def _read_metas(page: Page) -> dict[str, list[str]]:
    """Return the contents of the `citation_` metas and a few of Dublin Core, by lower-case name."""
    metas: dict[str, list[str]] = {}
    for node in page.select("meta")[:MAX_METAS]:
        name = (node.attr("name") or node.attr("property") or "").strip().lower()
        value = clean_value(node.attr("content")) if name.startswith((META_START, "dc.", "prism.")) else ""
        if value and fold_text(value) not in EMPTY_VALUES:
            metas.setdefault(name, []).append(value)
    return metas


def _read_meta_authors(page: Page) -> list[dict[str, Any]]:
    """Return the authors in metas, each with the affiliations that follow it."""
    authors: list[dict[str, Any]] = []
    joined: list[dict[str, Any]] = []  # all names in one meta
    for node in page.select("meta")[:MAX_METAS]:
        name = (node.attr("name") or "").strip().lower()
        value = clean_value(node.attr("content")) if name.startswith(META_START) else ""
        if not value:
            continue
        if name == "citation_author" and len(authors) < MAX_AUTHORS:
            authors.append({"name": _turn_name(value)})
        elif name == "citation_authors":
            joined += [{"name": _turn_name(part.strip())} for part in value.split(";")[:MAX_AUTHORS] if part.strip()]
        elif authors and name == "citation_author_institution":
            places = authors[-1].setdefault("affiliation", [])
            if len(places) < MAX_AFFILIATIONS and value not in places:
                places.append(value)
        elif authors and name == "citation_author_orcid":
            authors[-1]["identifier"] = value
    return authors or joined


def _turn_name(name: str) -> str:
    """Return "Harbour, Ann" as "Ann Harbour"."""
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma and "," not in first else name


def _shows_paper(reading: ObjectReading, sections: dict[str, tuple[int, int]], references: int) -> bool:
    """Whether a page that declares no paper shows one: an abstract, and two of references, keywords and a DOI.

    A DOI in the address of the page is enough.
    """
    if "abstract" not in sections:
        return False
    doi = next(_find_dois(reading, {}, ()), None)
    is_cited = references >= MIN_REFERENCES
    signs = (doi is not None) + is_cited + bool(_find_keywords(reading.page, sections))
    return signs >= MIN_SIGNS or (doi is not None and doi[1] == "url")


def _read(items: Sequence[Item], *names: str) -> Iterator[tuple[str, str]]:
    for item in items:
        text = item.text(*names)
        if fold_text(text[:BODY_CHARS]) not in EMPTY_VALUES:
            yield text, item.source


def _drop_body(reading: ObjectReading, found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the declared summaries that are not the start of the text itself, cut off somewhere."""
    starts = {fold_text(reading.page.block_texts[block.row][: 3 * BODY_CHARS])[:BODY_CHARS] for block in reading.blocks}
    for text, source in found:
        is_cut = text.endswith(("...", "…")) or text[-1:] not in SENTENCE_ENDS
        if not is_cut or fold_text(text[: 3 * BODY_CHARS])[:BODY_CHARS] not in starts:
            yield text, source


def _find_keywords(page: Page, sections: dict[str, tuple[int, int]]) -> list[str]:
    """Return the keywords that the page shows, after their label or in the block below it."""
    texts, hidden = page.block_texts, page.hidden_blocks
    for row in range(sections.get("references", (len(texts), 0))[0]):
        match = KEYWORDS_LABEL.match(texts[row]) if not hidden[row] and len(texts[row]) <= MAX_KEYWORDS_CHARS else None
        if match is None:
            continue
        found, rest = [], texts[row][match.end() :]
        below = next((each for each in range(row + 1, min(row + 3, len(texts))) if not hidden[each]), None)
        if not rest and below is not None:
            rest = texts[below]
            found = [page.texts[leaf] for leaf in page.blocks[below].shown_leaves()[:MAX_KEYWORDS]]
        if len(found) < MIN_KEYWORD_LEAVES or KEYWORD_MARKS.search(rest):  # else each keyword is an element
            found = KEYWORD_MARKS.split(rest[:MAX_KEYWORDS_CHARS])
        keywords = [text for each in found if (text := each.strip(" .,;\n"))]
        if len(keywords) > 1 and all(len(each) <= MAX_KEYWORD_CHARS for each in keywords):
            return keywords[:MAX_KEYWORDS]
    return []


def _read_authors(items: Sequence[Item]) -> Iterator[tuple[list[dict[str, Any]], str]]:
    for item in items:
        authors = []
        for each, name in zip(item.values("author", "creator"), item.texts("author", "creator"), strict=False):
            places = (
                each.texts("affiliation", "worksFor")[:MAX_AFFILIATIONS]
                if not isinstance(each, (str, int, float))
                else []
            )
            authors.append({"name": name, **({"affiliation": places} if places else {})})
        yield authors[:MAX_AUTHORS], item.source


def _find_dois(
    reading: ObjectReading, metas: dict[str, list[str]], items: Sequence[Item]
) -> Iterator[tuple[str, str] | tuple[str, str, float]]:
    """Yield the DOI of the page, without a prefix such as "https://doi.org/"."""
    for name in ("citation_doi", "prism.doi", "dc.identifier"):
        for value in metas.get(name, [])[:3]:
            if match := DOI.search(value):
                yield match.group().rstrip(DOI_END), name
    for item in items:
        for value in item.texts("identifier", "sameAs", "doi", "@id", "url"):
            if match := DOI.search(value):
                yield match.group().rstrip(DOI_END), item.source
    if match := DOI.search((reading.page.url or "")[:500]):
        yield match.group().rstrip(DOI_END), "url", SHOWN_CONFIDENCE
    texts = (text for text in reading.page.block_texts[:MAX_DOI_BLOCKS] if len(text) < MAX_DOI_CHARS)
    shown = [match.group().rstrip(DOI_END) for text in texts if (match := DOI.search(text))]
    if shown:  # the one that the address of the page ends with, else the first
        path = (reading.page.url or "")[:500].lower()
        own = next((doi for doi in shown if doi.partition("/")[2].lower() in path), shown[0])
        yield own, PAGE, SHOWN_CONFIDENCE


def _split_keywords(values: Sequence[str]) -> list[str]:
    """Return keywords; one meta may hold many, separated by semicolons or commas."""
    if len(values) == 1:
        values = re.split("[;,]", values[0])
    return [value.strip() for value in values if value.strip()][:MAX_KEYWORDS]


def _read_keywords(items: Sequence[Item]) -> Iterator[tuple[list[str], str]]:
    for item in items:
        yield _split_keywords(item.texts("keywords")), item.source


def _read_meta_references(values: Sequence[str]) -> list[dict[str, str]]:
    """Return the references in metas: plain texts, or "citation_title=…; citation_doi=…"."""
    references = []
    for value in values[:MAX_REFERENCES]:
        parts = dict(part.strip().partition("=")[::2] for part in value.split(";") if "=" in part)
        named = {name.removeprefix(META_START): text for name, text in parts.items() if name.startswith(META_START)}
        text = ", ".join(
            named[name] for name in ("author", "title", "journal_title", "publication_date") if name in named
        )
        reference = {"text": text or value}
        if match := DOI.search(named.get("doi", "") or value):
            reference["doi"] = match.group().rstrip(DOI_END)
        references.append(reference)
    return references


def _find_sections(page: Page) -> dict[str, tuple[int, int]]:
    """Return the blocks of the abstract and of the references: those between their heading and the next."""
    kinds, hidden = page.kinds, page.hidden_blocks
    headings = [row for row, owner in enumerate(page.owners) if kinds[owner] == "heading" and not hidden[row]]
    found: dict[str, tuple[int, int]] = {}
    for number, row in enumerate(headings):
        stop = headings[number + 1] if number + 1 < len(headings) else len(page.starts)
        text = page.block_texts[row]
        if ABSTRACT_HEADING.fullmatch(text):
            found.setdefault("abstract", (row + 1, stop))
        elif REFERENCES_HEADING.fullmatch(text):
            found["references"] = (row + 1, stop)
    return found


def _read_section(page: Page, sections: dict[str, tuple[int, int]], name: str) -> Iterator[str]:
    """Yield the text of a section, if it has one."""
    if name in sections:
        texts = [page.block_texts[row] for row in range(*sections[name]) if not page.hidden_blocks[row]]
        text = "\n".join(text for text in texts if len(text) >= MIN_REFERENCE_CHARS)
        if text:
            yield text[:MAX_ABSTRACT_CHARS]


def _read_references(page: Page, sections: dict[str, tuple[int, int]]) -> list[dict[str, str]]:
    """Return the references that the page lists, each with its DOI."""
    references = []
    for row in range(*sections.get("references", (0, 0))):
        text = page.block_texts[row]
        if (
            page.hidden_blocks[row]
            or len(text) < MIN_REFERENCE_CHARS
            or page.find_kind(row) not in ("item", "paragraph", "cell")
        ):
            continue
        reference = {"text": text.replace("\n", " ")}
        if match := DOI.search(text):
            reference["doi"] = match.group().rstrip(DOI_END)
        references.append(reference)
        if len(references) >= MAX_REFERENCES:
            break
    return references
