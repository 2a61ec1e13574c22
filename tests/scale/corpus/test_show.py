"""The two figures of the first paper as tables and pictures, for small examples and a blog platform."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from bonmun import Page
from bonmun.algorithms import make_method
from bonmun.errors import BadConfig
from bonmun.lab.evaluate.repeated_texts import (
    Accuracy,
    draw_accuracy,
    draw_frequencies,
    format_accuracy,
    format_frequencies,
    measure_accuracy,
)
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.examples import Example
from bonmun.scale.corpus.batches import count_batch, make_batches
from bonmun.scale.corpus.counts import Counts, RankedTexts, Summary
from bonmun.scale.corpus.sources.records import Record
from bonmun.sites.keys import find_dropped_leaves
from samples import Bonmun, blog_posts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SITE = "geul.example"
SVG = "{http://www.w3.org/2000/svg}"
SENTENCES = [
    "등대까지는 바닷가를 따라 이십 분쯤 걸어야 한다",
    "새벽 시장에서는 갓 구운 떡을 나누어 먹는다",
    "눈 오는 날 간이역에는 작은 난로 하나가 켜져 있었다",
    "수국은 장마가 시작될 무렵에 가장 곱게 핀다",
]
HOSTILE = [
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&quot;&gt;&lt;/text&gt;&lt;g onload='x'&gt;",
    "]]&gt; &amp;amp; &lt;!-- --&gt;",
    "제어 &#1;&#8;&#x1b; 문자 &#xfffe; &#xd800;",
    "\u202e거꾸로\u202c",
    "긴 글 " * 400,
    "👩‍👩‍👧‍👦 가족",
    "a\u0301\u0302\u0303" * 50,
]


def add(counts: Counts, pages: list[str], site: str = SITE) -> None:
    records = [Record(str(n), None, site, markup.encode("utf-8", "replace")) for n, markup in enumerate(pages)]
    counts.add(count_batch(batch) for batch in make_batches(records))


@pytest.fixture
def counts() -> Iterator[Counts]:
    with Counts(":memory:") as made:
        yield made


def row(rank: int, frequency: int | None = None, texts: int = 1, *examples: str) -> RankedTexts:
    return RankedTexts(rank, frequency or rank, texts, examples)


def rows(k: int) -> list[RankedTexts]:
    """Return k ranks, the highest first."""
    return [row(rank, rank * 10, k - rank + 1, f"글 {rank}") for rank in range(k, 0, -1)]


def summary(k: int) -> Summary:
    return Summary(pages=1200, sites=1, texts=40, leaves=3600, k=k, limit=(k - 2) * 10 if k > 2 else 0)


def ranks_in(table: str) -> list[str]:
    """Return the first cell of each row."""
    lines = table.split("\n\n")[1].splitlines()
    return [line.split()[0] for line in lines[1:]]


# --- texts by frequency -----------------------------------------------------------------------------------------------


def test_a_table_of_frequencies_by_hand(counts: Counts) -> None:
    """Bars are logarithmic: of log 5, log 3 is 0.68 and log 2 is 0.43; of 24 cells 16 and 10."""
    add(counts, [f"<p>메뉴</p>{'<p>공지</p>' * (n < 2)}<a href=/>목록 {n}</a>" for n in range(4)])
    add(counts, ["<p>하나뿐</p><a href=/>하나뿐</a>"])
    assert format_frequencies(counts.summary(), list(counts.rank_texts()), 20) == (
        "5 pages of 1 site, 12 leaves, 7 different texts\n"
        "k = 3 different frequencies outside of links; "
        "main text according to the paper: rank 1 and lower (frequency 1 and lower)\n"
        "\n"
        "rank  frequency  texts                            examples\n"
        "   3          4      1  ████████████████████████  메뉴\n"
        "   2          2      1  ████████████████          공지\n"
        "   1          1      1  ██████████                하나뿐"
    )


@pytest.mark.parametrize(
    ("k", "top", "shown"),
    [
        (3, 20, "3 2 1"),
        (3, 1, "3 2 1"),
        (4, 1, "4 3 2 1"),
        (5, 1, "5 … 3 2 1"),
        (9, 2, "9 8 … 3 2 1"),
        (9, 6, "9 8 7 6 5 4 3 2 1"),
        (9, 8, "9 8 7 6 5 4 3 2 1"),
        (1, 5, "1"),
    ],
)
def test_the_highest_ranks_and_the_three_lowest_are_shown(k: int, top: int, shown: str) -> None:
    assert ranks_in(format_frequencies(summary(k), rows(k), top)) == shown.split()


def test_too_few_frequencies() -> None:
    for k in (1, 2):
        table = format_frequencies(summary(k), rows(k), 5)
        assert table.splitlines()[1] == (
            f"k = {k} different frequencies outside of links; too few for the paper's rule, which needs three"
        )
    assert "rank 1 and lower (frequency 10 and lower)" in format_frequencies(summary(3), rows(3), 5)


def test_empty_counts(counts: Counts) -> None:
    assert format_frequencies(counts.summary(), [], 5) == "0 pages of 0 sites, 0 leaves, 0 different texts"
    add(counts, ["<a href=/>목록</a>", "<a href=/>처음</a>"])
    assert format_frequencies(counts.summary(), list(counts.rank_texts()), 5) == (
        "2 pages of 1 site, 2 leaves, 2 different texts"
    )


def test_large_numbers_have_commas() -> None:
    facts = Summary(pages=1_234_567, sites=2, texts=89_000, leaves=45_678_901, k=3, limit=12_345)
    table = format_frequencies(facts, [row(3, 2_000_000, 1), row(2, 50_000, 3), row(1, 12_345, 9_999)], 5)
    assert table.startswith("1,234,567 pages of 2 sites, 45,678,901 leaves, 89,000 different texts\n")
    assert "frequency 12,345 and lower" in table
    assert "2,000,000" in table


def bars(svg: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(svg).iter(f"{SVG}rect") if each.get("class")]


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_picture_of_frequencies_by_hand() -> None:
    """Of the bars the two highest ranks are dark; 220 pixels are log 101, so log 2 takes 33.0."""
    svg = draw_frequencies(summary(3), [row(3, 100, 1, "메뉴", "공감"), row(2, 15, 2, "둘"), row(1, 1, 9)], 20)
    assert [(each.get("class"), each.get("width")) for each in bars(svg)] == [
        ("template", "220.0"),
        ("template", "132.2"),
        ("text", "33.0"),
    ]
    assert texts(svg) == [
        "Texts by frequency: 1,200 pages, k = 3; dark: above the paper's threshold",
        *("100", "메뉴 · 공감", "15", "둘", "1", ""),
    ]
    assert len(bars(draw_frequencies(summary(9), rows(9), 4))) == 4


def inside(svg: str) -> bool:
    """Return whether all elements are within the picture."""
    tree = ET.fromstring(svg)
    assert tree.tag == f"{SVG}svg"
    wide, high = float(tree.get("width") or 0), float(tree.get("height") or 0)
    assert tree.get("viewBox") == f"0 0 {wide:g} {high:g}"
    names = {"x": wide, "x1": wide, "x2": wide, "cx": wide, "y": high, "y1": high, "y2": high, "cy": high}
    return all(0 <= float(each.get(name) or 0) <= most for each in tree.iter() for name, most in names.items())


@pytest.mark.parametrize("k", [0, 1, 2, 3, 40])
def test_pictures_of_any_counts_are_well_formed(k: int) -> None:
    svg = draw_frequencies(summary(k), rows(k), 20)
    assert inside(svg)
    assert len(bars(svg)) == min(k, 20)
    dark = [each.get("class") for each in bars(svg)].count("template")
    assert dark == min(k, 2)
    assert inside(draw_accuracy([Accuracy(rank, rank * 10, rank / max(k, 1)) for rank in range(1, k + 1)]))


def test_hostile_texts_are_escaped(counts: Counts) -> None:
    add(counts, ["".join(f"<p>{text}</p>" * (number + 2) for number, text in enumerate(HOSTILE))])
    found = list(counts.rank_texts())
    assert len(found) == len(HOSTILE)
    svg = draw_frequencies(counts.summary(), found, 20)
    assert inside(svg)
    assert {each.tag.removeprefix(SVG) for each in ET.fromstring(svg).iter()} == {
        "svg",
        "style",
        "rect",
        "title",
        "text",
    }
    assert "<script>alert(1)</script>" in texts(svg)
    assert "\"></text><g onload='x'>" in texts(svg)
    table = format_frequencies(counts.summary(), found, 20)
    for shown in (svg, table):
        assert "\u202e" not in shown
        assert all(char.isprintable() or char in "\n\u200d" for char in shown)
        shown.encode()
    assert len(table.splitlines()) == 4 + len(HOSTILE)
    assert max(map(len, texts(svg))) < 200


# --- accuracy against rank --------------------------------------------------------------------------------------------


def example(markup: str, gold: str | None) -> Example:
    return Example("1", markup, gold)


def tiny() -> tuple[list[str], list[str]]:
    """Return four pages and their golds. 메뉴 is on all four; 공지 is on three, and in the gold of the first."""
    pages = [
        f"<div>메뉴</div>{'<p>오늘은 쉬는 날이라는 공지</p>' * (n < 3)}<p>{text}</p>"
        for n, text in enumerate(SENTENCES)
    ]
    golds = [f"오늘은 쉬는 날이라는 공지\n{SENTENCES[0]}", *SENTENCES[1:]]
    return pages, golds


def test_measure_accuracy_by_hand(counts: Counts) -> None:
    """Eleven leaves: with rank 1 the notice of page 0 is wrong; with rank 2 those of pages 1 and 2; with rank 3 menus."""
    pages, golds = tiny()
    add(counts, pages)
    found = measure_accuracy(counts, map(example, pages, golds))
    assert [each[:2] for each in found] == [(1, 1), (2, 3), (3, 4)]
    assert [each.accuracy for each in found] == pytest.approx([10 / 11, 9 / 11, 5 / 11])


def test_leaves_that_are_dropped_or_hidden_do_not_count(counts: Counts) -> None:
    pages, golds = tiny()
    more = "<a href=/>목록으로</a><footer>꼬리말</footer><em>강조</em><p hidden>숨은 글</p>"
    add(counts, [page + more for page in pages])
    found = measure_accuracy(counts, [example(page + more, gold) for page, gold in zip(pages, golds, strict=True)])
    assert found[0].accuracy == pytest.approx(10 / 11)


def test_a_text_that_was_not_counted(counts: Counts) -> None:
    add(counts, tiny()[0])
    page = "<div>메뉴</div><p>다섯 번째 글은 아무도 세지 않았다</p>"
    found = measure_accuracy(counts, [example(page, "다섯 번째 글은 아무도 세지 않았다")])
    assert [each.accuracy for each in found] == [1, 1, 0.5]


def test_measure_accuracy_of_one_site(counts: Counts) -> None:
    """Over all sites, 메뉴 occurs two more times; on the other site it occurs twice, and there are two ranks."""
    pages, golds = tiny()
    add(counts, pages)
    add(counts, ["<div>메뉴</div><p>하나</p>", "<div>메뉴</div><p>둘</p>"], "other.example")
    assert [each[:2] for each in measure_accuracy(counts, map(example, pages, golds))] == [(1, 1), (2, 3), (3, 6)]
    there = measure_accuracy(counts, [example("<div>메뉴</div><p>하나</p>", "하나")], "other.example")
    assert there == [Accuracy(1, 1, 1.0), Accuracy(2, 2, 0.5)]
    with pytest.raises(BadConfig, match=r"No page of 'third\.example'"):
        measure_accuracy(counts, [], "third.example")


def test_pages_without_a_gold_are_left_out(counts: Counts) -> None:
    pages, golds = tiny()
    add(counts, pages)
    labelled = [example(page, gold) for page, gold in zip(pages, golds, strict=True)]
    assert measure_accuracy(counts, [*labelled, example("<p>메뉴</p>" * 50, None)]) == measure_accuracy(
        counts, labelled
    )


@pytest.mark.parametrize("markup", ["<p>글</p>", "<a href=/>고리뿐</a>"])
def test_no_leaf_with_a_gold(markup: str, counts: Counts) -> None:
    """A set of snippets has no gold texts, and a page may consist of links: the table is empty or an error is raised."""
    add(counts, tiny()[0])
    gold = None if markup == "<p>글</p>" else "고리뿐"
    with suppress(BadConfig):
        assert "nan" not in format_accuracy(measure_accuracy(counts, [example(markup, gold)]), 5)


def measured(k: int) -> list[Accuracy]:
    return [Accuracy(rank, rank * 10, 1 - rank / (2 * k)) for rank in range(1, k + 1)]


def test_a_table_of_measure_accuracy_by_hand() -> None:
    assert format_accuracy(measured(4), 20).splitlines() == [
        "Accuracy over leaves if all texts up to a rank count as main text",
        "",
        "rank  frequency  accuracy",
        "   1         10     0.875  █████████████████████",
        "   2         20     0.750  ██████████████████     ← k − 2, the paper's choice",
        "   3         30     0.625  ███████████████",
        "   4         40     0.500  ████████████",
    ]


@pytest.mark.parametrize(
    ("k", "top", "shown"),
    [
        (4, 1, "1 2 3 4"),
        (9, 3, "1 2 3 … 7 8 9"),
        (9, 5, "1 2 3 … 5 6 7 8 9"),
        (9, 6, "1 2 3 4 5 6 7 8 9"),
        (2, 5, "1 2"),
    ],
)
def test_the_lowest_ranks_and_the_highest_are_shown(k: int, top: int, shown: str) -> None:
    table = format_accuracy(measured(k), top)
    assert ranks_in(table) == shown.split()
    chosen = [line.split()[0] for line in table.splitlines() if line.endswith("← k − 2, the paper's choice")]
    assert chosen == ([str(k - 2)] if k > 2 and str(k - 2) in shown.split() else [])


def test_no_ranks() -> None:
    assert format_accuracy([], 5).splitlines()[2:] == ["rank  frequency  accuracy"]


def test_a_picture_of_measure_accuracy_by_hand() -> None:
    """From 54 to 726 pixels across, from 256 up to 44: rank 2 of 5 at a quarter, accuracy 0.8 at four fifths."""
    svg = draw_accuracy([Accuracy(rank, rank, accuracy) for rank, accuracy in enumerate([1, 0.8, 0.75, 0.5, 0], 1)])
    (line,) = ET.fromstring(svg).iter(f"{SVG}polyline")
    assert line.get("points") == "54.0,44.0 222.0,86.4 390.0,97.0 558.0,150.0 726.0,256.0"
    (mark,) = ET.fromstring(svg).iter(f"{SVG}circle")
    assert (mark.get("cx"), mark.get("cy")) == ("390.0", "97.0")
    assert "rank 3 = k − 2: 0.750" in texts(svg)
    assert "rank, 1 to 5" in texts(svg)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_picture_without_the_papers_rank_has_no_mark(k: int) -> None:
    tree = ET.fromstring(draw_accuracy(measured(k)))
    assert list(tree.iter(f"{SVG}circle")) == []
    (line,) = tree.iter(f"{SVG}polyline")
    assert len((line.get("points") or "").split()) == k


# --- forty posts of a blog platform -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blog() -> list[Any]:
    """Forty posts of an invented Korean platform, with their gold texts."""
    return blog_posts()


def test_the_accuracy_at_the_papers_rank_is_that_of_the_method(blog: list[Any], counts: Counts) -> None:
    """Of the leaves that the paper counts, `frequency` keeps those in the gold and drops the others in 26.3 %."""
    add(counts, [page.html for page in blog])
    method = make_method("frequency", site_model=counts.make_site_model())
    right = total = 0
    for each in blog:
        page = Page.parse(each.html, each.url)
        told, kept, gone = align(page, each.text).leaves, method.label(page).kept, find_dropped_leaves(page)
        leaves = [leaf for leaf in page.shown if not gone[leaf]]
        right += sum(told[leaf] == kept[leaf] for leaf in leaves)
        total += len(leaves)
    found = measure_accuracy(counts, [Example(each.id, each.html, each.text, each.url) for each in blog])
    assert len(found) == counts.summary().k == 24
    assert total > 2_000
    assert found[-3].accuracy == pytest.approx(right / total)
    assert found[-3].accuracy == pytest.approx(0.263, abs=0.001)
    assert max(each.accuracy for each in found) == found[0].accuracy > 0.85  # here the lowest rank is the best


def test_the_command_shows_both_and_writes_the_picture(blog: list[Any], bonmun: Bonmun, tmp_path: Path) -> None:
    with Counts(tmp_path / "counts.duckdb") as counts:
        add(counts, [page.html for page in blog])
        facts, found = counts.summary(), list(counts.rank_texts())
        measured = measure_accuracy(counts, [Example(each.id, each.html, each.text, each.url) for each in blog])
    records = [{"id": each.id, "url": each.url, "html": each.html, "text": each.text} for each in blog]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    result = bonmun("corpus", "show", "counts.duckdb", "--top", "4", "--svg", "one.svg")
    assert (result.exit_code, result.stdout) == (0, f"{format_frequencies(facts, found, 4)}\n")
    assert (tmp_path / "one.svg").read_text(encoding="utf-8") == draw_frequencies(facts, found, 4)
    result = bonmun("corpus", "show", "counts.duckdb", "--top", "4", "--gold", "gold.jsonl", "--svg", "two.svg")
    assert result.stdout == f"{format_frequencies(facts, found, 4)}\n\n{format_accuracy(measured, 4)}\n"
    assert (tmp_path / "two.svg").read_text(encoding="utf-8") == draw_accuracy(measured)
