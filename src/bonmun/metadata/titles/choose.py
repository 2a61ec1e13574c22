"""Collect the candidates for the title: declared titles, headings, and parts of `<title>`.

signs.py adds their features.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bonmun.metadata.candidates import Candidates
from bonmun.metadata.declared import clean_value
from bonmun.metadata.page_reading import is_hidden, is_linked
from bonmun.metadata.scans import find_words, fold_text
from bonmun.metadata.titles.pieces import TITLE_CHARS, read_head_title, split_title
from bonmun.metadata.titles.signs import TitleContext, describe_heading_place, describe_titles
from bonmun.text.patterns import compile_later
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate
    from bonmun.page import Page

__all__ = ["find_headline", "find_title_candidates"]

HEADING_CHARS = 200  # longer headings are paragraphs if the page declares another title …
LONG_HEADING_CHARS = 300  # … and these always are
GLUED = compile_later(r"[a-zß-ÿ0-9.!?)][A-ZÀ-Þ„“«]")  # the end of a part and the start of the next
PART_TAGS = frozenset({"span", "small", "strong"})  # of the parts of a headline
MIN_PART_CHARS = 4  # of each of two parts
SEARCHED_BLOCKS = 200  # blocks that are searched for the headline
EDGES = " |·•»«｜丨–—"  # separators that are stripped from both ends of a title
LOOSE_EDGES = frozenset("-:<>/~")  # stripped only beside a space: `<table>`, `:hover` and `-webkit` keep theirs


# Folded titles of home pages, which do not say of which site.
HOME_KEYS = frozenset(
    map(
        fold_text,
        (
            "Home|Homepage|Home page|Front page|Startseite|Accueil|Inicio|Início|Portada|Página principal|"
            "Página inicial|Pagina iniziale|Главная|Главная страница|Головна|Strona główna|Úvod|Kezdőlap|Forside|"
            "Etusivu|Anasayfa|Beranda|Trang chủ|الرئيسية|الصفحة الرئيسية|صفحه اصلی|หน้าแรก|홈|메인|首页|首頁|ホーム|"
            "トップページ"
        ).split("|"),
    )
)


class Titles(Candidates[str]):
    """Candidates for the title. Titles that differ only in case, spaces and punctuation are the same candidate."""

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, set[str]] = {}  # words of each title by its key
        self._keys: dict[str, str] = {}  # cache of `find_key`: most titles occur several times on a page

    def add_title(self, value: str, source: str, feature: str) -> Candidate | None:
        """Add a candidate, unless it is empty or too long."""
        key, value = self.find_key(value), _strip_edges(value)
        if not key or len(value) > TITLE_CHARS:
            return None
        return self.add(key, value, source, (feature,))

    def find_key(self, text: str) -> str:
        """Return the key of a title: its folded text (see `fold_text`)."""
        key = self._keys.get(text)
        if key is None:
            words = find_words(text)
            key = self._keys[text] = "".join(words)
            self.words.setdefault(key, set(words))
        return key


def find_title_candidates(reading: PageReading) -> list[Candidate]:
    """Return the candidates for the title, with their features."""
    titles = Titles()
    head_title, og_title = read_head_title(reading.page), reading.declared.meta("og:title")
    _collect_headings(titles, reading, titles.find_key(head_title) + " " + titles.find_key(og_title))
    if _is_of_item(titles, og_title, head_title):
        og_title = ""
    else:
        _collect_declared(titles, reading.declared)
    titles.add_title(head_title, "title", "title")
    head_key, og_key = titles.find_key(head_title), titles.find_key(og_title)
    context = TitleContext.find(reading, head_key, og_key, titles.words.get(head_key, set()))
    for title, source in ((head_title, "title"), (og_title, "og:title")):
        for piece, which in split_title(title):
            titles.add_title(piece, source, f"{source} {which}")
        if rest := context.cut_site(title):
            titles.add_title(rest, source, "without site")
    _drop_home_words(titles, head_title, reading, context)
    if not context.home and any(key not in context.site_names and (key in head_key or key in og_key) for key in titles):
        titles.drop(key for key in titles if key in context.site_names)
    context.compare_headings(titles)
    if not context.home:  # if the page declares one part of <title> as its title, drop the other part
        titles.drop([key for key in titles if context.is_beside_declared(key)])
    titles.drop([key for key in context.h1_keys if key in titles and _has_label(titles, key, head_key, og_key)])
    describe_titles(titles, titles.words, context)
    return list(titles.values())


def _drop_home_words(titles: Titles, head_title: str, reading: PageReading, context: TitleContext) -> None:
    """Drop the titles of a home page that are teasers, "Home", or "Home - Lamp Shop", unless there is no other."""
    home = HOME_KEYS.intersection(titles)
    if any(titles.find_key(piece) in home for piece, _ in split_title(head_title)):
        context.home = 1.0
        home |= {titles.find_key(head_title)}.intersection(titles)
    declared = titles.find_key(head_title) + " " + context.og_title
    teasers = _find_teasers(titles, reading) if context.home and head_title else set()
    teasers = {key for key in teasers.intersection(titles) if key not in declared}
    for dropped in (teasers, home):
        if not dropped.issuperset(titles):
            titles.drop(dropped.intersection(titles))


def _has_label(titles: Titles, key: str, head_key: str, og_key: str) -> bool:
    """Whether a heading is a label and the title that og:title and `<title>` agree on: "Collection: Coats"."""
    rest = titles.find_key(titles[key].value.partition(": ")[2])
    return bool(rest) and rest == og_key and rest in titles and head_key.startswith(rest) and key not in head_key


def _strip_edges(title: str) -> str:
    """Return a title without the separators at its ends."""
    title = title.strip(EDGES)
    while title[1:2].isspace() and title[0] in LOOSE_EDGES:
        title = title[2:].lstrip(EDGES)
    while title[-2:-1].isspace() and title[-1] in LOOSE_EDGES:
        title = title[:-2].rstrip(EDGES)
    return title.removesuffix(":").rstrip()


def _is_of_item(titles: Titles, og_title: str, head_title: str) -> bool:
    """Whether og:title is that of a teaser, as on listings of some themes, whose metas are those of the first post.

    The teaser is a link, and `<title>` has none of its words.
    """
    key = titles.find_key(og_title)
    teaser = titles.get(key)
    if teaser is None or not {"h2 link", "h3 link"} & teaser.features.keys() or "at h1" in teaser.features:
        return False
    return titles.words[key].isdisjoint(titles.words[titles.find_key(head_title)]) and bool(head_title)


def _collect_headings(titles: Titles, reading: PageReading, declared: str) -> None:
    """Add the first headings, without hidden text; `declared` are the keys of the titles that the page declares."""
    page, hidden = reading.page, reading.page.visibility.hidden_leaves
    seen_tags: set[str] = set()  # tags of headings outside links
    for row, tag in reading.headings:
        if len(page.block_texts[row]) > LONG_HEADING_CHARS:
            continue
        in_link = is_linked(page, row)
        some_hidden = any(hidden[page.starts[row] : page.stops[row]])
        text = (page.blocks[row].shown_text if some_hidden else _join_parts(page, row)).replace("\n", " ")
        is_paragraph = len(text) > HEADING_CHARS and "og:title" in reading.declared.metas
        if (is_paragraph or "cookie" in text.lower()) and titles.find_key(text) not in declared:
            continue  # a paragraph, or a question about cookies
        title = titles.add_title(text, tag, f"{tag} link" if in_link else tag)
        if title is None or f"at {tag}" in title.features:
            continue
        title.features[f"at {tag}"] = 1.0
        if tag not in seen_tags and not in_link:
            seen_tags.add(tag)
            title.features[f"first {tag}"] = 1.0
        describe_heading_place(title.features, row, reading.first)
        if is_hidden(page, row):
            title.features["hidden"] = 1.0


def _find_teasers(titles: Titles, reading: PageReading) -> set[str]:
    """Return the keys of the headings of a home page that lead to other pages."""
    page = reading.page
    home = page.likely_url or ""
    found = set()
    for row, _ in reading.headings:
        link = page.find_link(page.leaf_elements[page.starts[row]]) if is_linked(page, row) else -1
        address = read_url(page.attr(link, "href"), home) if link >= 0 else None
        if address and address.partition("?")[0].partition("#")[0].rstrip("/") != home.partition("?")[0].rstrip("/"):
            found.add(titles.find_key(page.block_texts[row]))
    return found


def _join_parts(page: Page, row: int) -> str:
    """Return the text of a heading with a space between parts in elements of their own: a kicker and a headline."""
    text = page.block_texts[row]
    if page.stops[row] - page.starts[row] < 2 or not GLUED.search(text):
        return text
    parts: list[str] = []
    last = None
    for leaf in range(page.starts[row], page.stops[row]):
        part, element = page.texts[leaf], page.leaf_elements[leaf]
        joint = (page.joints[leaf] or "") if parts else ""
        if last is not None and not joint and element != last:
            is_apart = not PART_TAGS.isdisjoint((page.tags[element], page.tags[last]))
            is_long = min(len(parts[-1]), len(part)) >= MIN_PART_CHARS
            joint = " " if is_apart and is_long and GLUED.match(parts[-1][-1] + part[0]) else ""
        parts += [joint, part] if joint else [part]
        last = element
    return "".join(parts)


def _collect_declared(titles: Titles, declared: Declared) -> None:
    """Add the titles that the page declares."""
    titles.add_title(clean_value(declared.main.get("headline")), "JSON-LD", "headline")
    titles.add_title(clean_value(declared.main.get("name")), "JSON-LD", "name")
    titles.add_title(declared.meta("og:title"), "og:title", "og")
    titles.add_title(declared.meta("twitter:title"), "twitter:title", "twitter")


def find_headline(reading: PageReading, title: str | None) -> int | None:
    """Return the block that is the headline: the first whose text is the title, else the first <h1>."""
    texts, key = reading.page.block_texts, fold_text(title or "")
    rows = [row for row, tag in reading.headings if tag == "h1"]
    if title and key:
        min_chars, max_chars = len(key), 2 * len(title) + 20  # of a block whose folded text can be the key
        for row in chain(rows, range(min(len(texts), SEARCHED_BLOCKS))):
            if min_chars <= len(texts[row]) <= max_chars and fold_text(texts[row]) == key:
                return row
    return rows[0] if rows else None
