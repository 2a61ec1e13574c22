"""Find the lead of a text: the sentences between its headline and its first paragraph that introduce it.

A lead is often set apart from the text, in the header with the byline. It is recognised by its class ("standfirst",
"subtitle" …), or because the page declares it as its description.
"""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_lead"]

MAX_BLOCKS = 40  # between the headline and the text
MIN_BODY_CHARS = 60  # of the first paragraph of the text
MIN_CHARS, MAX_CHARS = 20, 1500  # of a lead
LEVELS = 4  # elements around a block whose classes are read
MIN_DECLARED_CHARS = 40  # of a description, to be compared
MAX_METAS = 200  # elements that are read
DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
# Parts of classes, with all but letters removed.
NAME_PARTS = (
    "strapline standfirst subtitle subtitul sottotitol soustitre untertitel subhead subline subdek headlinedeck chapo "
    "chapeau entradilla sommario vorspann bajada sapo ingress teasertext leadtext articlelead storylead leadparagraph "
    "introtext articleintro headersummary"
).split()
NAME_WORDS = frozenset("dek deck lede lead intro kicker preface excerpt".split())  # whole words of classes
OTHER_WORDS = frozenset(
    "related byline author date time caption credit share social tags tag breadcrumb nav menu promo ad ads newsletter "
    "widget sidebar copyright comment comments recommend teaser card".split()
)
OUTSIDE = frozenset({"nav", "footer", "aside", "button", "form", "figure", "figcaption"})
WORD = re.compile("[a-z]+")
LETTERS = re.compile(r"[^\W\d_]+")
EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  # letters that say more than others
NO_LETTERS = re.compile(r"[\W_]+")
YEAR = re.compile(r"(?:19|20)\d\d")
MAX_BYLINE_WORDS = 6  # of a line with author and date
MIN_TITLE_CHARS = 8  # of a headline that is not marked up as one
MIN_HEADING_CHARS = 30  # of a second headline without a name
MAX_NAME_CHARS = 300


def find_lead(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of the blocks of the lead that are not kept."""
    body = _find_body(page, kept)
    if body is None:
        return []
    headline = _find_headline(page, body)
    if headline is None:
        return []
    texts = page.block_texts
    items = (row for row in range(headline + 1, body) if kept[row] and page.find_kind(row) == "heading")
    rows = [
        row
        for row in range(headline + 1, next(items, body))
        if not kept[row] and len(texts[row]) <= MAX_CHARS and not page.hidden_blocks[row]
        if _measure(texts[row]) >= MIN_CHARS and not _is_remark(texts[row])
    ]
    rows = [row for row in rows if not all(page.linked_leaves[page.starts[row] : page.stops[row]])]
    rows = _skip_site_name(page, rows, range(headline + 1, body))
    if not rows:
        return []
    declared = _read_descriptions(page)
    found = []
    for row in rows:
        if YEAR.search(texts[row]) and len(LETTERS.findall(texts[row][:MAX_CHARS])) <= MAX_BYLINE_WORDS:
            continue
        is_second = row == headline + 1 and _is_second_headline(page, row)
        if is_second or _is_lead(page, row, declared):
            found.append(row)
    return _drop_repeats(page, kept, found, range(headline, min(body + MAX_BLOCKS, len(kept)))) if found else []


def _skip_site_name(page: Page, rows: list[int], between: range) -> list[int]:
    """Return the rows after the last heading that the title of the page starts with: the <h1> was the site's name."""
    if not rows:
        return rows
    title = _normalise(page.head_title)
    for row in reversed(between):
        if page.tags[page.owners[row]] in ("h2", "h3") and len(page.block_texts[row]) <= MAX_CHARS:
            text = _normalise(page.block_texts[row])
            if len(text) >= MIN_CHARS and title.startswith(text):
                return [each for each in rows if each > row]
    return rows


def _drop_repeats(page: Page, kept: Sequence[bool], found: list[int], near: range) -> list[int]:
    """Return the blocks whose text is neither in the headline nor in kept blocks; of two copies, the last."""
    texts = page.block_texts
    said = {_normalise(texts[row]) for row in near if kept[row]} | {_normalise(texts[near.start]), ""}
    leads = []
    for row in reversed(found):
        text = _normalise(texts[row])
        if text not in said:
            leads.append(row)
            said.add(text)
    return leads[::-1]


def _find_body(page: Page, kept: Sequence[bool]) -> int | None:
    """Return the row of the first kept paragraph of some length."""
    owners, tags, texts = page.owners, page.tags, page.block_texts
    for row in compress(range(len(kept)), kept):
        if len(texts[row]) >= MIN_BODY_CHARS and tags[owners[row]] not in ("h1", "h2"):
            return row
    return None


def _find_headline(page: Page, body: int) -> int | None:
    """Return the row of the last <h1> before the text, or else of the title of the page."""
    owners, tags = page.owners, page.tags
    rows = range(body - 1, max(-1, body - 1 - MAX_BLOCKS), -1)
    for row in rows if "h1" in page.tag_names else ():
        if "h1" in [tags[element] for element in list_around(page.parents, owners[row], LEVELS)]:
            return row
    title = _normalise(page.head_title[:MAX_CHARS])
    for row in rows if len(title) >= MIN_TITLE_CHARS else ():
        text = page.block_texts[row]
        if len(text) <= len(page.head_title) and len(name := _normalise(text)) >= MIN_TITLE_CHARS and name in title:
            return row
    return None


def _read_descriptions(page: Page) -> list[str]:
    """Return the descriptions that the page declares, normalised."""
    found = []
    for node in page.select("meta")[:MAX_METAS]:
        name = (node.attr("property") or node.attr("name") or "").strip().lower()
        if name in DESCRIPTIONS:
            text = _normalise((node.attr("content") or "")[:MAX_CHARS])
            if len(text) >= MIN_DECLARED_CHARS // 2:
                found.append(text)
    return found


def _is_remark(text: str) -> bool:
    """Whether a text is in brackets, such as "(redirected from …)"."""
    return text[0] in "(（[" and text[-1] in ")）]"


def _measure(text: str) -> int:
    """Return the length of a text, in which Chinese, Japanese and Korean letters count twice."""
    return len(text) if text.isascii() else len(text) + len(EAST_ASIAN.findall(text))


def _normalise(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return NO_LETTERS.sub("", text).lower()


def _is_second_headline(page: Page, row: int) -> bool:
    """Whether the block after the headline is a long heading next to it."""
    owner, before = page.owners[row], page.owners[row - 1]
    if page.tags[owner] not in ("h2", "h3", "h4") or _measure(page.block_texts[row]) < MIN_HEADING_CHARS:
        return False
    around = {page.parents[owner], page.parents[max(page.parents[owner], 0)]}
    return page.parents[before] in around or page.parents[max(page.parents[before], 0)] in around


def _is_lead(page: Page, row: int, declared: list[str]) -> bool:
    """Whether the class of a block says that it is a lead, or the page declares its text as description."""
    for element in list_around(page.parents, page.owners[row], LEVELS):
        if page.tags[element] in OUTSIDE:
            return False
        name = (page.attr(element, "class") or "")[:MAX_NAME_CHARS].lower()
        words = WORD.findall(name)
        letters = "".join(words)
        if not NAME_WORDS.isdisjoint(words) or any(part in letters for part in NAME_PARTS):
            return True
        if not OTHER_WORDS.isdisjoint(words):
            return False
    text = _normalise(page.block_texts[row])
    return any(text.startswith(each[:MIN_DECLARED_CHARS]) or each.startswith(text) for each in declared)
