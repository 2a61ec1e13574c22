"""Blocks beside kept ones are kept if they are marked up in the same way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.runs import find_gap_blocks, find_run_blocks
from timing import assert_linear


def find(html: str, kept: str, candidates: str) -> str:
    """Return the texts that are found; `kept` and `candidates` are texts of blocks, one letter each."""
    page = Page.parse(f"<body>{html}")
    texts = page.block_texts
    rows = [row for row, text in enumerate(texts) if text in candidates]
    return "".join(texts[row] for row in find_run_blocks(page, [text in kept for text in texts], rows))


ALIKE = "".join(f"<p class=line>{letter}</p>" for letter in "abcdef")


def test_a_run_goes_on_in_both_directions() -> None:
    assert find(ALIKE, "cd", "abef") == "abef"
    assert find(ALIKE, "ab", "cdef") == "cdef"
    assert find(ALIKE, "ef", "abcd") == "abcd"
    assert find(ALIKE, "ab", "ce") == "c"  # not past a block that is no candidate
    assert find(ALIKE, "abef", "d") == "d"


def test_one_block_is_no_run() -> None:
    assert find(ALIKE, "a", "b") == ""
    assert find(ALIKE, "", "abc") == ""


def test_other_markup_ends_a_run() -> None:
    lines = "<p class=line>a</p><p class=line>b</p>"
    assert find(f"{lines}<p class=share>c</p>", "ab", "c") == ""
    assert find(f"{lines}<div class=line>c</div>", "ab", "c") == ""
    assert find(f"{lines}<section><p class=line>c</p></section>", "ab", "c") == ""


@given(st.lists(st.sampled_from(["<p>", "<p class=a>", "x", "y", "</p>", "<div>", "</div>"])), st.data())
def test_only_candidates_are_found(parts: list[str], data: st.DataObject) -> None:
    page = Page.parse("<html>" + "".join(parts))
    flags = st.lists(st.booleans(), min_size=len(page.starts), max_size=len(page.starts))
    kept, chosen = data.draw(flags), data.draw(flags)
    rows = [row for row, each in enumerate(chosen) if each and not kept[row]]
    found = find_run_blocks(page, kept, rows)
    assert found == sorted(set(found))
    assert set(found) <= set(rows)


def test_runs_are_found_in_linear_time() -> None:
    def run(page: Page) -> list[int]:
        count = len(page.starts)
        return find_run_blocks(page, [row < 2 for row in range(count)], range(2, count))

    assert len(assert_linear(lambda size: Page.parse("<p class=a>x</p>" * size), run, 8_000)) == 8_000 - 2


def test_a_gap_between_kept_blocks_is_filled() -> None:
    quote = "<blockquote><p>It was the brightest light</p><p>that anybody had seen</p></blockquote>"
    page = Page.parse(f"<body><p>a</p>{quote}<p>b</p><div>Show more</div><p>c</p><div>Another long line of words</div>")
    kept = [len(text) == 1 for text in page.block_texts]
    dropped = [row for row, each in enumerate(kept) if not each]
    assert find_gap_blocks(page, kept, dropped) == [1, 2]
    assert find_gap_blocks(page, kept, [1]) == []  # the other block of the gap is surely no text


def test_a_long_gap_is_not_filled() -> None:
    page = Page.parse("<body><p>a</p>" + "<div>A long line of words</div>" * 7 + "<p>b</p>")
    kept = [len(text) == 1 for text in page.block_texts]
    assert find_gap_blocks(page, kept, range(1, 8)) == []
