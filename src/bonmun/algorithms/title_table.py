"""`title-table`: find the headline in table cells, by its place above the text and its similarity to it (paper 3).

The method as published; title_sections.py explains its two stages. Objects are the cells of table layouts, lengths are
EUC-KR bytes, and P is the paper's Table 1. `title-table+` extends the method to any layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.title_sections import (
    MAX_SECTIONS,
    MAX_TITLES,
    MIN_TITLE_BYTES,
    NON_OBJECT_TAGS,
    PlaceTable,
    Section,
    TextObject,
    TitleMethod,
    count_euc_kr_bytes,
)

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["PAPER_TABLE", "TitleTable"]

MIN_MAIN_BYTES = 74  # of a main candidate; derived from the lengths in 473 pages
MIN_STOP_WORD_TEXT_BYTES = 80  # of a text that a stop word may label
MAX_TABLE_DISTANCE = 1  # tables between a stop word and its main text; the paper says "near"
# Labels of the fields of a Korean message board. The paper describes its list as small and does not print it.
STOP_WORDS = frozenset(
    (
        "번호 제목 작성자 글쓴이 이름 작성일 등록일 날짜 일시 조회 조회수 추천 추천수 첨부 첨부파일 파일 내용 "
        "이메일 홈페이지 목록 이전글 다음글"
    ).split()
)
STOP_WORD_MARKS = " \t:：|·[]【】<>()*-"  # characters that may surround a stop word

# The paper has no row for three main candidates: the row for two is used, and the third gets 0.
PAPER_TABLE = PlaceTable(
    mains={1: (1.0,), 2: (0.98, 0.02)},
    titles={1: ((0.80, 0.06, 0.04, 0.04, 0.02),), 2: ((0.75, 0.11, 0.08, 0.0, 0.0), (0.61, 0.23, 0.16, 0.0, 0.0))},
)


class TitleTable(TitleMethod):
    """The method as published: table layouts, lengths in EUC-KR bytes, Table 1, e = 0.1."""

    name = "title-table"
    places = MAX_TITLES

    def __init__(self, table: PlaceTable = PAPER_TABLE, e: float = 0.1) -> None:
        super().__init__(table, e)

    def find_sections(self, page: Page) -> list[Section]:
        """Stage 1: sort the cells into candidates."""
        objects = _find_cells(page)
        dummies = _find_dummies(objects)
        found: list[Section] = []
        titles: list[TextObject] = []
        short: list[TextObject] = []

        def close(main: list[TextObject]) -> None:
            if titles:  # a main candidate has at least one title candidate
                found.append(Section(main, titles[::-1], range(1, len(titles) + 1)))
                titles.clear()

        for number, item in enumerate(objects):
            size = count_euc_kr_bytes(item.text)
            if size < MIN_TITLE_BYTES:
                short.append(item)
            else:
                if len(short) > 1:  # a run of tiny cells is one main candidate
                    close(short[:])
                short.clear()
                if size >= MIN_MAIN_BYTES:
                    close([item])
                elif not _is_stop_word(item.text):
                    titles.append(item)
            if number in dummies:
                close([])
        close(short[:] if len(short) > 1 else [])
        return found[:MAX_SECTIONS]


def _find_cells(page: Page) -> list[TextObject]:
    """Return the texts of table cells in document order, without links and form controls."""
    numbers = {row: number for number, row in enumerate(row for row, tag in enumerate(page.tags) if tag == "table")}
    boxes = {
        page.cells[row]
        for row, tag in enumerate(page.tags)
        if tag == "input" and (page.attr(row, "type") or "").lower() in ("radio", "checkbox")
    }
    controls: list[bool] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        controls.append(tag in NON_OBJECT_TAGS or (parent >= 0 and controls[parent]))
    leaves: dict[int, list[int]] = {}
    for leaf in page.shown:
        element = page.leaf_elements[leaf]
        cell = page.cells[element]
        if cell < 0 or page.tags[cell] != "td" or page.tables[cell] < 0:
            continue
        if not page.linked_leaves[leaf] and not controls[element]:
            leaves.setdefault(cell, []).append(leaf)
    objects = {
        cell: TextObject(rows, " ".join(page.texts[leaf] for leaf in rows), numbers[page.tables[cell]])
        for cell, rows in leaves.items()
    }
    # a short text beside a radio button or checkbox is its label
    return [
        item for cell, item in objects.items() if cell not in boxes or count_euc_kr_bytes(item.text) >= MIN_MAIN_BYTES
    ]


def _find_dummies(objects: list[TextObject]) -> set[int]:
    """Return the objects that a dummy main candidate follows: a stop word without a long text near it."""
    found: set[int] = set()
    stop = 0  # one past the last near object
    long = -1  # the last long object before it
    for number, item in enumerate(objects):
        if not _is_stop_word(item.text):
            continue
        stop = max(stop, number + 1)
        while stop < len(objects) and objects[stop].table - item.table <= MAX_TABLE_DISTANCE:
            if count_euc_kr_bytes(objects[stop].text) >= MIN_STOP_WORD_TEXT_BYTES:
                long = stop
            stop += 1
        if long <= number:
            found.add(stop - 1)
    return found


def _is_stop_word(text: str) -> bool:
    return text.strip(STOP_WORD_MARKS) in STOP_WORDS
