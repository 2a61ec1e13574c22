"""Gold texts onto pages: in order, in part, elsewhere, and on whole pages with gold by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.evaluate.align import align
from samples import FOLDERS

if TYPE_CHECKING:
    from pathlib import Path

SAID = "The old lighthouse at the end of the pier was lit again last night."


def blocks(markup: str, gold: str) -> list[str]:
    page = Page.parse(markup)
    return [text for text, kept in zip(page.block_texts, align(page, gold).blocks, strict=True) if kept]


def rows(markup: str, gold: str) -> list[int]:
    return [row for row, kept in enumerate(align(Page.parse(markup), gold).blocks) if kept]


def test_a_menu_entry_with_the_words_of_a_heading_is_not_the_heading() -> None:
    markup = (
        f"<ul><li>Home<li>Light<li>Sea</ul><h2>Light</h2><p>{SAID}</p><h2>Sea</h2><p>{SAID} Twice.</p><div>Light</div>"
    )
    assert rows(markup, f"Light\n{SAID}\nSea\n{SAID} Twice.") == [3, 4, 5, 6]


def test_a_heading_at_the_end_is_taken_by_its_neighbour_before() -> None:
    markup = f"<p>{SAID}</p><h2>Light</h2><footer>Light</footer>"
    assert rows(markup, f"{SAID}\nLight") == [0, 1]


def test_repeated_paragraphs_are_counted() -> None:
    markup = "<p>Yes.</p><p>No.</p><p>Yes.</p><p>Yes.</p>"
    assert rows(markup, "Yes.\nNo.\nYes.") == [0, 1, 2]


def test_punctuation_case_and_white_space_do_not_matter() -> None:
    assert blocks("<p>The  LIGHT, again!</p><p>Other</p>", "the light again") == ["The LIGHT, again!"]


def test_long_blocks_in_another_order() -> None:
    assert rows(f"<p>Caption of the picture, which the gold has at its very end.</p><p>{SAID}</p>", f"{SAID}\nCaption of the picture, which the gold has at its very end.") == [0, 1]  # fmt: skip


def test_short_blocks_in_another_order_are_chance() -> None:
    assert rows(f"<div>Sea</div><p>{SAID}</p><p>{SAID} Twice.</p>", f"{SAID}\n{SAID} Twice.\nSea") == [1, 2]


def test_a_block_that_is_there_in_part() -> None:
    markup = f"<p>{SAID} <a href=x>[3]</a></p><p>Something else that the gold does not have.</p>"
    page = Page.parse(markup)
    found = align(page, SAID)
    assert found.blocks == [True, False]
    assert found.leaves == [True, False, False]
    assert found.words.f1 == 1


def test_hidden_text_is_no_gold_unless_people_saw_it() -> None:
    assert rows(f"<p hidden>{SAID}</p><p>{SAID}</p>", SAID) == [1]
    assert rows(f"<p hidden>{SAID}</p><p>Loading</p>", SAID) == [0]


@pytest.mark.parametrize(("markup", "gold"), [("<p>a</p>", ""), ("<div></div>", "a b"), ("<p>!</p>", "!"), ("", "")])
def test_nothing_to_align(markup: str, gold: str) -> None:
    assert not any(align(Page.parse(markup or "<p>"), gold).blocks)


def test_the_labels_are_those_of_a_method_that_is_always_right() -> None:
    labels = align(Page.parse(f"<p>Menu</p><p>{SAID}</p>"), SAID).labels()
    assert (labels.method, list(labels.kept), list(labels.scores)) == ("oracle", [False, True], [0.0, 1.0])
    assert list(labels.reasons) == ["not in the gold", "in the gold"]


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_pages_with_gold_by_hand(folder: Path) -> None:
    page = Page.parse((folder / "source.html").read_bytes())
    found = align(page, (folder / "gold.txt").read_text(encoding="utf-8"))
    assert found.words.f1 > 0.99


WORDS = st.lists(st.sampled_from("alpha beta gamma delta epsilon".split()), min_size=1, max_size=5).map(" ".join)


@given(texts=st.lists(WORDS, min_size=1, max_size=12))
def test_what_was_taken_from_the_page_is_found_again(texts: list[str]) -> None:
    kept = [row for row in range(len(texts)) if row % 3 != 1]
    page = Page.parse("".join(f"<p>{text}</p>" for text in texts))
    found = align(page, "\n".join(texts[row] for row in kept))
    assert found.words.recall == 1
    assert found.words.precision == 1
