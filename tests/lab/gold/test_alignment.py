"""Alignment of gold texts: whole blocks, partial blocks, another order, hand-labelled pages, and linear time."""

from __future__ import annotations

import random
from operator import itemgetter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.lab.gold.alignment import align
from samples import FOLDERS
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAID = "The old lighthouse at the end of the pier was lit again last night."
SOLD = "Keepers save oil in summer, and nobody has to pay for it twice."


def blocks(markup: str, gold: str) -> list[str]:
    page = Page.parse(markup)
    return [text for text, kept in zip(page.block_texts, align(page, gold).blocks, strict=True) if kept]


def rows(markup: str, gold: str) -> list[int]:
    return [row for row, kept in enumerate(align(Page.parse(markup), gold).blocks) if kept]


def leaves(markup: str, gold: str) -> list[str]:
    page = Page.parse(markup)
    return [text for text, kept in zip(page.texts, align(page, gold).leaves, strict=True) if kept]


# --- whole blocks, in order ------------------------------------------------------------------------------------------


def test_a_menu_entry_with_the_words_of_a_heading_is_not_the_heading() -> None:
    markup = (
        f"<ul><li>Home<li>Light<li>Sea</ul><h2>Light</h2><p>{SAID}</p><h2>Sea</h2><p>{SAID} Twice.</p><div>Light</div>"
    )
    assert rows(markup, f"Light\n{SAID}\nSea\n{SAID} Twice.") == [3, 4, 5, 6]


def test_a_heading_at_the_end_is_the_one_after_its_neighbour() -> None:
    markup = f"<p>{SAID}</p><h2>Light</h2><footer>Light</footer>"
    assert rows(markup, f"{SAID}\nLight") == [0, 1]


def test_repeated_paragraphs_are_counted() -> None:
    markup = "<p>Yes.</p><p>No.</p><p>Yes.</p><p>Yes.</p>"
    assert rows(markup, "Yes.\nNo.\nYes.") == [0, 1, 2]


def test_punctuation_case_and_whitespace_are_ignored() -> None:
    assert blocks("<p>The  LIGHT, again!</p><p>Other</p>", "the light again") == ["The LIGHT, again!"]


def test_a_short_block_inside_a_line_is_not_matched() -> None:
    markup = f"<ul><li>Oil<li>Summer</ul><p>{SOLD} <a href=x>[2]</a></p><button>Save</button><p>{SAID}</p>"
    assert rows(markup, f"{SOLD}\n{SAID}") == [2, 4]


def test_short_blocks_that_make_up_a_line_are_matched() -> None:
    markup = f"<ul><li>Oil</ul><table><tr><td>Lamp<td>Oil<td>Rope</table><p>{SAID}</p>"
    assert rows(markup, f"Lamp Oil Rope\n{SAID}") == [1, 2, 3, 4]
    assert rows(markup, f"Bring a Lamp\nOil and much more\n{SAID}") == [1, 2, 4]


def test_a_list_that_is_one_numbered_line_in_the_gold() -> None:
    markup = f"<ul><li>Rope</ul><p>{SAID}</p><ol><li>Lamp oil<li>Brass polish<li>New rope</ol><p>{SOLD}</p>"
    assert rows(markup, f"{SAID} 1. Lamp oil 2. Brass polish 3. New rope as well. {SOLD}") == [1, 2, 3, 4, 5]


def test_blocks_follow_the_lines_of_the_gold() -> None:
    one, two = "<p>Lamp oil</p>", "<p>Lamp</p><p>oil</p>"
    assert rows(one + two, "Lamp oil") == [0]
    assert rows(two + one, "Lamp oil") == [2]
    assert rows(one + two, "Lamp\noil") == [1, 2]
    assert rows(two + one, "Lamp\noil") == [0, 1]


def test_the_copy_that_follows_the_previous_block_is_chosen() -> None:
    tiles = "<p>Lamp</p><i>1 EUR</i><p>Oil</p><i>2 EUR</i><p>Rope</p><i>3 EUR</i>"
    markup = f"<p>{SAID}</p><ul><li>Lamp<li>Oil<li>Rope</ul>{tiles}"
    assert rows(markup, f"{SAID}\nLamp\nOil\nRope") == [0, 1, 2, 3]


def test_the_copy_before_its_text_is_chosen() -> None:
    toc = "<ul><li>Light<li>Sea</ul>"
    assert rows(f"<p>{SAID}</p>{toc}<h2>Light</h2><p>{SOLD}</p>", f"{SAID}\nLight\n{SOLD}") == [0, 3, 4]


def test_copies_are_not_mixed() -> None:
    copy = "<p>Lamp</p><p>Oil</p><p>Rope</p>"
    markup = f"<p>{SAID}</p>{copy}<div>Buy</div>{copy}<p>{SOLD}</p>"
    assert rows(markup, f"{SAID}\nLamp\nOil\nRope\n{SOLD}") == [0, 5, 6, 7, 8]


def test_the_copy_next_to_a_partial_match_is_chosen() -> None:
    post = f"<p>{SAID}</p><p>{SOLD}</p>"
    markup = f"<div>Keeper</div>{post}<div>#1 <b>Jan 3, 2024</b></div>{post}<div>Reply</div>"
    assert rows(markup, f"Jan 3, 2024\n{SAID}\n{SOLD}") == [3, 4, 5]


def test_the_copy_nearest_to_its_neighbour_is_chosen() -> None:
    markup = f"<div>Light</div><p>Menu</p><div>Light</div><p>Ad</p><p>{SAID}</p><p>Ad</p><div>Light</div>"
    assert rows(markup, f"Light\n{SAID}") == [2, 4]


def test_frequent_words_are_matched_near_their_expected_place() -> None:
    table = "".join(f"<tr><td>part {n}<td>{'Yes' if n % 3 else 'No'}" for n in range(300))
    markup = f"<ul><li>Yes<li>No<li>Part</ul><table>{table}</table><div>No</div><div>Yes</div>"
    page = Page.parse(markup)
    found = align(page, "\n".join(page.block_texts[3:-2]))
    assert found.blocks == [False] * 3 + [True] * 600 + [False] * 2


# --- another order, partial blocks -----------------------------------------------------------------------------------


def test_long_blocks_in_another_order_are_matched() -> None:
    assert rows(f"<p>Caption of the picture, which the gold has at its very end.</p><p>{SAID}</p>", f"{SAID}\nCaption of the picture, which the gold has at its very end.") == [0, 1]  # fmt: skip


def test_short_blocks_in_another_order_are_not_matched() -> None:
    assert rows(f"<div>Sea</div><p>{SAID}</p><p>{SAID} Twice.</p>", f"{SAID}\n{SAID} Twice.\nSea") == [1, 2]


def test_a_block_that_is_partly_in_the_gold() -> None:
    markup = f"<p>{SAID} <a href=x>[3]</a></p><p>Something else that the gold does not have.</p>"
    page = Page.parse(markup)
    found = align(page, SAID)
    assert found.blocks == [True, False]
    assert found.leaves == [True, False, False]
    assert found.words.f1 == 1


def test_a_title_comes_before_a_button_that_repeats_it() -> None:
    button = "Add brass lamp with wide glass chimney and wick 24 cm"
    title = "Brass lamp with wide glass chimney and wick 32 cm (new)"
    markup = f"<p>{SAID}</p><button>{button}</button><h3>{title}</h3><p>{SOLD}</p>"
    assert rows(markup, f"{SAID}\nBrass lamp with wide glass chimney and wick 32 cm\n{SOLD}") == [0, 2, 3]


def test_a_partial_short_block_must_resemble_a_line() -> None:
    markup = f"<div>Sort by price</div><div>loaded 672 results</div><p>{SAID}</p><div>Price 672</div>"
    assert rows(markup, f"672 results\n{SAID}\nThe price of 1 lamp") == [1, 2]


def test_the_words_of_a_line_match_only_one_block() -> None:
    markup = f"<div>loaded 672 results</div><div>672 results found</div><p>{SAID}</p>"
    assert len(rows(markup, f"672 results\n{SAID}")) == 2


def test_a_leaf_whose_words_belong_to_another_leaf() -> None:
    markup = f"<div><a href=x>#3</a> <b>Jun 3, 2024</b></div><p>{SAID}</p>"
    assert leaves(markup, f"Jun 3, 2024\n{SAID}") == ["Jun 3, 2024", SAID]


def test_leaves_without_whitespace_between_them() -> None:
    markup = f"<h3><span>Acme</span>Kettle of polished brass</h3><p>{SAID}</p>"
    assert leaves(markup, f"Acme Kettle of polished brass\n{SAID}") == ["Acme", "Kettle of polished brass", SAID]
    assert leaves(markup, f"AcmeKettle of polished brass\n{SAID}") == ["Acme", "Kettle of polished brass", SAID]


def test_leaves_without_words_belong_to_their_neighbours() -> None:
    markup = f"<p>{SAID} <i>[</i><a href=x>3</a><i>]</i> <b>Again</b><i>!</i> <i>«</i><b>and again</b><i>»</i></p>"
    assert leaves(markup, f"{SAID} Again! «and again»") == [SAID, "Again", "!", "«", "and again", "»"]


@pytest.mark.parametrize("mark", ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"])
def test_invisible_characters_do_not_split_words(mark: str) -> None:
    said = SAID.replace("house", f"{mark}house").replace("night", f"ni{mark}ght")
    for markup, gold in ((SAID, said), (said, SAID), (said, said)):
        found = align(Page.parse(f"<div>Light</div><p>{markup}</p>"), gold)
        assert found.blocks == [False, True]
        assert found.words.f1 == 1


# --- the page as a whole ---------------------------------------------------------------------------------------------


def test_hidden_text_is_ignored_unless_it_is_most_of_the_gold() -> None:
    assert rows(f"<p hidden>{SAID}</p><p>{SAID}</p>", SAID) == [1]
    assert rows(f"<p hidden>{SAID}</p><p>Loading</p>", SAID) == [0]


@pytest.mark.parametrize(("markup", "gold"), [("<p>a</p>", ""), ("<div></div>", "a b"), ("<p>!</p>", "!"), ("", "")])
def test_nothing_to_align(markup: str, gold: str) -> None:
    assert not any(align(Page.parse(markup or "<p>"), gold).blocks)


def test_labels_of_the_oracle() -> None:
    labels = align(Page.parse(f"<p>Menu</p><p>{SAID}</p>"), SAID).make_labels()
    assert (labels.method, list(labels.kept), list(labels.scores)) == ("oracle", [False, True], [0.0, 1.0])
    assert list(labels.reasons) == ["not in the gold", "in the gold"]


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_hand_labelled_pages(folder: Path) -> None:
    page = Page.parse((folder / "source.html").read_bytes())
    found = align(page, (folder / "gold.txt").read_text(encoding="utf-8"))
    assert found.words.f1 > 0.99


# --- properties ------------------------------------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from("alpha beta gamma delta epsilon".split()), min_size=1, max_size=5).map(" ".join)
CHOICES = st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=12)
DISTINCT = st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=12, unique_by=itemgetter(0))


def parse(texts: list[str]) -> Page:
    return Page.parse("".join(f"<p>{text}</p>" for text in texts))


@given(choices=DISTINCT)
def test_distinct_blocks_are_recovered(choices: list[tuple[str, bool]]) -> None:
    page = parse([text for text, _ in choices])
    found = align(page, "\n".join(text for text, kept in choices if kept))
    assert found.blocks == found.leaves == [kept for _, kept in choices]


@given(choices=CHOICES)
def test_words_taken_from_the_page_are_recovered(choices: list[tuple[str, bool]]) -> None:
    page = parse([text for text, _ in choices])
    found = align(page, "\n".join(text for text, kept in choices if kept))
    assert found.words.recall == 1
    assert found.words.precision == 1


@given(texts=st.lists(WORDS, min_size=1, max_size=12), lines=st.lists(WORDS, max_size=12))
def test_at_least_half_of_the_aligned_words_are_in_the_gold(texts: list[str], lines: list[str]) -> None:
    found = align(parse(texts), "\n".join(lines))
    assert found.leaves == found.blocks
    assert found.words.precision >= 0.5 or not any(found.blocks)


@given(pieces=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=8), data=st.data())
def test_leaves_joined_without_whitespace_are_found(pieces: list[list[str]], data: st.DataObject) -> None:
    page = Page.parse("".join(f"<p><b>{'</b><i>'.join(piece)}</i></p>" for piece in pieces))
    kept = data.draw(st.sets(st.integers(0, len(pieces) - 1)))
    found = align(page, "\n".join(" ".join(pieces[row]) for row in sorted(kept)))
    assert sum(found.blocks) == len(kept)


@pytest.mark.slow
@given(choices=DISTINCT, data=st.data())
def test_soft_hyphens_change_nothing(choices: list[tuple[str, bool]], data: st.DataObject) -> None:
    page = parse([text for text, _ in choices])
    gold = "\n".join(text for text, kept in choices if kept)
    at = data.draw(st.integers(0, len(gold)))
    assert align(page, f"{gold[:at]}\u00ad{gold[at:]}") == align(page, gold)


# --- time ------------------------------------------------------------------------------------------------------------


def cells(texts: list[str]) -> str:
    return "<table>" + "".join(f"<tr><td>{text}" for text in texts) + "</table>"


def drawn(n: int, words: str, seed: int = 1) -> list[str]:
    return random.Random(seed).choices(words.split(), k=n)


def shuffled(n: int) -> tuple[str, str]:
    page = [f"<p>{SAID} {i}</p><p>part {i}</p>" for i in range(n)]
    gold = [f"{SAID} {i}\nbit {i}" for i in range(n)]
    random.Random(1).shuffle(gold)
    return "".join(page), "\n".join(gold)


# name: (function that makes a page and a gold of a size, size); a quarter of the size must take at least 1/9 of the time
SIZES: dict[str, tuple[Callable[[int], tuple[str, str]], int]] = {
    "the same cell": (lambda n: (cells(["Yes"] * n), "Yes\n" * n), 4_000),
    "the same cell on one line": (lambda n: (cells(["Yes"] * n), "Yes " * n), 4_000),
    "more cells than lines": (lambda n: (cells(["Yes"] * n), "Yes\n" * (n // 3)), 4_000),
    "yes or no": (lambda n: (cells(drawn(n, "Yes No")), "\n".join(drawn(n, "Yes No", seed=2))), 4_000),
    "two words": (lambda n: (cells([" ".join(drawn(9, "a b", i)) for i in range(n)]), " ".join(drawn(9 * n, "a b"))), 800),
    "one word": (lambda n: ("".join(f"<p>{'a ' * (i % 50)}" for i in range(n)), "a " * (25 * n)), 600),
    "the same paragraph": (lambda n: (f"<p>{SAID}" * n, f"{SAID}\n" * n), 4_000),
    "paragraphs": (lambda n: ("".join(f"<p>{SAID} {i}" for i in range(n)), "\n".join(f"{SAID} {i}" for i in range(n))), 4_000),
    "another order": (shuffled, 3_000),
    "much alike": (lambda n: (cells([f"item {i} here" for i in range(n)]), "\n".join(f"item {i} there" for i in range(n))), 4_000),
    "a bit alike": (lambda n: (cells([f"item {i} here" for i in range(n)]), "\n".join(f"item is {-i - n}" for i in range(n))), 2_000),
    "long ones in part": (lambda n: ("".join(f"<p>{SAID} {i} more" for i in range(n)), "\n".join(f"{SAID} less {i}" for i in range(n))), 3_000),
    "leaves in part": (lambda n: ("<p>" + "yes <b>no</b> " * n, "yes no yes " * n), 3_000),
    "leaves joined": (lambda n: ("<p>a<b>b</b> c<i>d</i>" * n, "a b c d\n" * n), 3_000),
    "marks": (lambda n: (f"<p>{SAID}" + "<b>(</b>" * n + "more", f"{SAID} less"), 20_000),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("make", "size"), SIZES.values(), ids=SIZES.keys())
def test_alignment_takes_linear_time(make: Callable[[int], tuple[str, str]], size: int) -> None:
    def prepare(n: int) -> tuple[Page, str]:
        markup, gold = make(n)
        return Page.parse(markup), gold

    assert_linear(prepare, lambda given: align(*given), size, least=0.05)
