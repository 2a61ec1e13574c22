"""Titles by place and similarity (paper 3): the arithmetic of Table 1, stage 1 rule by rule, and fitting."""

from __future__ import annotations

from math import sqrt

import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms.title_sections import MainCandidate, TitleCandidate
from bonmun.algorithms.title_table import PAPER_TABLE, TitleTable
from bonmun.algorithms.title_table_plus import TitleTablePlus
from bonmun.errors import BadConfig, BadInput
from samples import ROOT

LONG = "글루텐은 몇 번을 갈아도 입질이 없더니 새벽 세 시가 지나서야 찌가 천천히 솟기 시작했다 정말"


def cells(*texts: str) -> str:
    return "<table>" + "".join(f"<tr><td>{text}</td></tr>" for text in texts) + "</table>"


def stage_one(*texts: str) -> list[tuple[str, list[str]]]:
    """Return the main candidates ("" for a dummy), each with its title candidates, nearest first."""
    return [
        (main.text, [title.text for title in main.titles])
        for main in TitleTable().find_sections(Page.parse(cells(*texts)))
    ]


@pytest.mark.parametrize(
    ("mains", "main", "title", "p"),
    [
        (1, 1, 1, 0.80),
        (1, 1, 5, 0.02),
        (1, 1, 6, 0.0),
        (2, 1, 1, 0.98 * 0.75),
        (2, 1, 2, 0.98 * 0.11),
        (2, 2, 1, 0.02 * 0.61),
        (2, 2, 3, 0.02 * 0.16),
        (2, 2, 4, 0.0),
        (3, 1, 1, 0.98 * 0.75),  # the paper prints no row for three
        (3, 3, 1, 0.0),
    ],
)
def test_table_1(mains: int, main: int, title: int, p: float) -> None:
    assert PAPER_TABLE.p(mains, main, title) == pytest.approx(p)


def test_the_score_by_hand() -> None:
    # bigrams of " aaaa ": " a" 1, "aa" 3, "a " 1; of the main text: " a" 1, "aa" 73, "a " 1
    labels = TitleTable().label(Page.parse(cells("aaaa", "a" * 74)))
    candidate, main = labels.evidence
    sim = (1 + 3 * 73 + 1) / sqrt((1 + 9 + 1) * (1 + 73 * 73 + 1))
    assert isinstance(candidate, TitleCandidate)
    assert (candidate.main, candidate.title, candidate.text, candidate.chosen) == (1, 1, "aaaa", True)
    assert (candidate.p, candidate.sim, candidate.score) == pytest.approx((0.8, sim, 0.1 * 0.8 + 0.9 * sim))
    assert main == MainCandidate(1, 74, dummy=False, chosen=True, text="a" * 74)
    assert labels.title == "aaaa"
    assert labels.kept == [False, True]


def test_similarity_beats_place_and_place_breaks_ties() -> None:
    assert TitleTable().label(Page.parse(cells("새벽 세 시의 찌", "조회 217", LONG))).title == "새벽 세 시의 찌"
    assert TitleTable().label(Page.parse(cells("qqqq", "xxxx", LONG))).title == "xxxx"
    assert TitleTable(e=0.99).label(Page.parse(cells("새벽 세 시의 찌", "조회 217", LONG))).title == "조회 217"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("abc", "tiny"),
        ("가", "tiny"),
        ("abcd", "title"),
        ("가나", "title"),
        ("a" * 73, "title"),
        ("가" * 36, "title"),
        ("a" * 74, "main"),
        ("가" * 37, "main"),
    ],
)
def test_lengths_are_euc_kr_bytes(text: str, kind: str) -> None:
    found = stage_one("above", text)
    assert (
        found
        == {
            "tiny": [("", ["above"])],
            "title": [("", [text, "above"])],
            "main": [(text, ["above"])],
        }[kind]
    )


def test_main_candidates_own_the_titles_between_them() -> None:
    assert stage_one("one!", "two!", LONG, "three", LONG, "four", "five") == [
        (LONG, ["two!", "one!"]),
        (LONG, ["three"]),
        ("", ["five", "four"]),
    ]


def test_at_most_three_main_candidates() -> None:
    assert len(stage_one(*["title", LONG] * 5)) == 3


def test_a_run_of_tiny_cells_is_one_main_candidate() -> None:
    assert stage_one("page", "1", "2", "3", "more", LONG) == [("1 2 3", ["page"]), (LONG, ["more"])]
    assert stage_one("page", "1", "more", LONG) == [(LONG, ["more", "page"])]


def test_links_and_form_fields_are_not_objects() -> None:
    page = Page.parse(
        cells(
            "<a href=/>a link</a>",
            "<select><option>option</select>",
            "<input type=radio> male",
            "<input type=CHECKBOX> agree",
            "<button>Press</button>",
            "<button><span>Press</span></button>",
            "the title <a href=/>link</a>",
            LONG,
        )
        + "<p>not in a cell</p><table><tr><th>header</th></tr></table>"
    )
    assert [[title.text for title in main.titles] for main in TitleTable().find_sections(page)] == [["the title"]]


def test_a_long_text_beside_a_box_is_not_a_label() -> None:
    assert stage_one("title", f"<input type=checkbox>{LONG}") == [(LONG, ["title"])]


@pytest.mark.parametrize("e", [-0.1, 1.1])
def test_e_is_a_share(e: float) -> None:
    with pytest.raises(BadConfig, match="between 0 and 1"):
        TitleTablePlus(e=e)


def test_stop_words_label_and_make_a_dummy_where_no_long_text_is_near() -> None:
    assert stage_one("제목", "밤낚시", "작성자 :", "버들치", LONG) == [(LONG, ["버들치", "밤낚시"])]
    far = cells("제목", "밤낚시") + "<table></table><table></table>" + cells("광고 문구", LONG)
    found = [(main.text, [title.text for title in main.titles]) for main in TitleTable().find_sections(Page.parse(far))]
    assert found == [("", ["밤낚시"]), (LONG, ["광고 문구"])]


def test_nested_tables_keep_their_own_text() -> None:
    page = Page.parse(f"<table><tr><td>outer<table><tr><td>inner</td></tr></table></td><td>{LONG}</td></tr></table>")
    assert [[title.text for title in main.titles] for main in TitleTable().find_sections(page)] == [["inner", "outer"]]


def test_a_korean_board() -> None:
    doc = bonmun.extract((ROOT / "examples/pages/ko-board.html").read_bytes(), method="title-table")
    assert doc.title == "솔밭지 밤낚시 다녀왔습니다 (월척은 못 했습니다)"
    assert doc.text.startswith("새벽 다섯 시 솔밭지 상류.")
    assert "글루텐은 몇 번 쓰셨어요" not in doc.text  # a comment
    assert bonmun.extract(doc.page, method="title-table+").title == doc.title


def test_a_dummy_has_a_title_and_no_text() -> None:
    doc = bonmun.extract(cells("only a title"), method="title-table")
    assert (doc.title, doc.text, doc.kind) == ("only a title", "", "empty")
    assert doc.confidence == pytest.approx(0.08)


def test_the_title_of_the_method_is_the_title_of_the_document() -> None:
    markup = f"<title>Board</title>{cells('새벽 세 시의 찌', LONG)}"
    assert bonmun.extract(markup, method="title-table").title == "새벽 세 시의 찌"
    assert bonmun.extract(markup, method="all").title == "Board"


PARAGRAPH = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years."


def test_plus_works_without_tables() -> None:
    markup = f"<h1>The Post</h1><nav><a href=/>Home</a></nav><h2>The lighthouse is lit again</h2><div>By Ann</div><p>{PARAGRAPH}</p>"
    labels = TitleTablePlus().label(Page.parse(markup))
    ways = [(row.title, row.text) for row in labels.evidence if isinstance(row, TitleCandidate)]
    assert ways == [(1, "The Post"), (2, "The lighthouse is lit again"), (6, "By Ann")]
    doc = bonmun.extract(markup.replace("<h1>The Post</h1>", ""), method="title-table+")
    assert (doc.title, doc.text) == ("The lighthouse is lit again", PARAGRAPH)


def test_plus_finds_a_title_that_is_not_a_heading() -> None:
    markup = f"<div>Harbour Post</div><div>The old lighthouse is lit again</div><div>By Ann</div><p>{PARAGRAPH}</p>"
    assert TitleTablePlus().label(Page.parse(markup)).title == "The old lighthouse is lit again"


def test_plus_has_no_numbers_for_many_headings_to_share_with_other_candidates() -> None:
    headings = "".join(f"<h2>Heading {n}</h2>" for n in range(8))
    lines = "".join(f"<div>A line {n}</div>" for n in range(7))
    labels = TitleTablePlus().label(Page.parse(f"{headings}{lines}<p>{PARAGRAPH}</p>"))
    numbers = [row.title for row in labels.evidence if isinstance(row, TitleCandidate)]
    assert numbers == [1, 2, 3, 4, 5, 16, 17, 18, 6, 7, 8, 9, 10, 16, 17]
    assert labels.title == "Heading 7"


def test_plus_on_a_page_with_a_title_and_no_text() -> None:
    assert TitleTablePlus().label(Page.parse("<h1>Nothing here</h1>")).title == "Nothing here"


def test_fit_counts_the_places_of_titles() -> None:
    pages = [(Page.parse(cells(f"Title number {n}", "By Ann", LONG)), f"title NUMBER {n}!") for n in range(3)]
    pages.append((Page.parse(cells("Right one", LONG)), "Right one"))
    pages.append((Page.parse(cells("Other", LONG)), "a title that is not there"))
    method = TitleTable()
    assert method.fit(pages) is method
    assert method.table_.mains == {1: (1.0,)}
    assert method.table_.titles == {1: ((0.25, 0.75, 0.0, 0.0, 0.0),)}
    assert all(method.label(page).title in ("By Ann", f"Title number {n}") for n, (page, _) in enumerate(pages[:3]))


def test_fit_chooses_e() -> None:
    """Here the title is always the nearest line above the text, but another line is more similar to it."""
    pages = [(Page.parse(cells(LONG[:20], f"Title {n}", LONG)), f"Title {n}") for n in range(5)]
    assert TitleTable().label(pages[0][0]).title == LONG[:20].strip()
    method = TitleTable().fit(pages)
    assert method.e_ > 0.1
    assert [method.label(page).title for page, _ in pages] == [title for _, title in pages]


def test_fit_needs_titles_among_the_candidates() -> None:
    with pytest.raises(BadInput, match="pass pages with their headlines"):
        TitleTable().fit([(Page.parse("<p>x"), "y")])
