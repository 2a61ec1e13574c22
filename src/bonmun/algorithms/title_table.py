"""`title-table`: the headline by its place above the text and its likeness to it, in table cells (paper 3).

The letter of the paper, whose two stages title_sections.py explains: objects are the cells of pages laid out with
tables, lengths are bytes of EUC-KR, P is the paper's Table 1. `title-table+` takes the same to any layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.title_sections import (
    MOST_SECTIONS,
    NOT_OBJECTS,
    TITLE_BYTES,
    TITLES,
    PlaceTable,
    Section,
    TextObject,
    TitleMethod,
    measure_text,
)

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["PAPER", "TitleTable"]

MAIN_BYTES = 74  # a main candidate has as many at least: from the lengths in 473 pages
AFTER_STOP_WORD_BYTES = 80  # a text of as many is what a stop word stands above
NEAR_TABLES = 1  # between a stop word and its main text at most; the paper says "near"
# The paper keeps its list small and does not print it: what labels the fields of a Korean board.
STOP_WORDS = frozenset(
    (
        "번호 제목 작성자 글쓴이 이름 작성일 등록일 날짜 일시 조회 조회수 추천 추천수 첨부 첨부파일 파일 내용 "
        "이메일 홈페이지 목록 이전글 다음글"
    ).split()
)
EDGES = " \t:：|·[]【】<>()*-"  # characters around a stop word

# The paper prints no row for three main candidates: that of two is used, and the third gets 0.
PAPER = PlaceTable(
    mains={1: (1.0,), 2: (0.98, 0.02)},
    titles={1: ((0.80, 0.06, 0.04, 0.04, 0.02),), 2: ((0.75, 0.11, 0.08, 0.0, 0.0), (0.61, 0.23, 0.16, 0.0, 0.0))},
)


class TitleTable(TitleMethod):
    """The letter of the paper: pages laid out with tables, lengths in EUC-KR bytes, Table 1, e = 0.1."""

    name = "title-table"
    places = TITLES

    def __init__(self, table: PlaceTable = PAPER, e: float = 0.1) -> None:
        super().__init__(table, e)

    def find_sections(self, page: Page) -> list[Section]:
        """Stage 1: sort the cells into candidates."""
        pieces = _find_cells(page)
        dummies = _find_dummies(pieces)
        found: list[Section] = []
        titles: list[TextObject] = []
        short: list[TextObject] = []

        def close(main: list[TextObject]) -> None:
            if titles:  # a main candidate has at least one title candidate
                found.append(Section(main, titles[::-1], range(1, len(titles) + 1)))
                titles.clear()

        for number, piece in enumerate(pieces):
            size = measure_text(piece.text)
            if size < TITLE_BYTES:
                short.append(piece)
            else:
                if len(short) > 1:  # a run of tiny cells is one main candidate
                    close(short[:])
                short.clear()
                if size >= MAIN_BYTES:
                    close([piece])
                elif not _is_stop_word(piece.text):
                    titles.append(piece)
            if number in dummies:
                close([])
        close(short[:] if len(short) > 1 else [])
        return found[:MOST_SECTIONS]


def _find_cells(page: Page) -> list[TextObject]:
    """The texts of table cells in document order, without links and the parts of forms."""
    numbers = {row: number for number, row in enumerate(row for row, tag in enumerate(page.tags) if tag == "table")}
    boxes = {
        page.cells[row]
        for row, tag in enumerate(page.tags)
        if tag == "input" and (page.attr(row, "type") or "").lower() in ("radio", "checkbox")
    }
    controls: list[bool] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        controls.append(tag in NOT_OBJECTS or (parent >= 0 and controls[parent]))
    leaves: dict[int, list[int]] = {}
    for leaf in page.shown:
        element = page.leaf_elements[leaf]
        cell = page.cells[element]
        if cell < 0 or page.tags[cell] != "td" or page.tables[cell] < 0:
            continue
        if not page.linked_leaves[leaf] and not controls[element]:
            leaves.setdefault(cell, []).append(leaf)
    pieces = {
        cell: TextObject(rows, " ".join(page.texts[leaf] for leaf in rows), numbers[page.tables[cell]])
        for cell, rows in leaves.items()
    }
    # a short text beside a button or box is its label; a long one is not
    return [piece for cell, piece in pieces.items() if cell not in boxes or measure_text(piece.text) >= MAIN_BYTES]


def _find_dummies(pieces: list[TextObject]) -> set[int]:
    """After which objects a virtual main candidate stands: a stop word has no long text after it, near by."""
    found: set[int] = set()
    stop = 0  # one past the last object that is near
    long = -1  # the last object before it that is long
    for number, piece in enumerate(pieces):
        if not _is_stop_word(piece.text):
            continue
        stop = max(stop, number + 1)
        while stop < len(pieces) and pieces[stop].table - piece.table <= NEAR_TABLES:
            if measure_text(pieces[stop].text) >= AFTER_STOP_WORD_BYTES:
                long = stop
            stop += 1
        if long <= number:
            found.add(stop - 1)
    return found


def _is_stop_word(text: str) -> bool:
    return text.strip(EDGES) in STOP_WORDS
