"""XPath groups (paper 5): the paper's example, and the failures that xpath+ avoids."""

from __future__ import annotations

import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms import make_method
from bonmun.algorithms.xpath import Group, WeighedGroup

# Fig. 4 to 6 of the paper.
EXAMPLE = "<div>1<h3>2</h3><div>3</div><div>4</div><h3>5</h3><h3>6</h3></div>"
TEXT = "The old lighthouse at the end of the pier was lit again last night."


def test_the_example_of_the_paper() -> None:
    groups = make_method("xpath").label(Page.parse(EXAMPLE)).evidence
    assert list(groups) == [
        Group(0, 1, 1, chosen=False, path="html/body/div"),
        Group(1, 1, 1, chosen=False, path="html/body/div/h3"),
        Group(2, 2, 2, chosen=True, path="html/body/div/div"),
        Group(4, 2, 2, chosen=False, path="html/body/div/h3"),
    ]


def test_the_longest_group_is_the_text() -> None:
    doc = bonmun.extract("<h1>Head line</h1><p>one</p><p>two two</p><div>three</div><p>four</p>", method="xpath")
    assert list(doc.labels.evidence) == [
        Group(0, 1, 9, chosen=False, path="html/body/h1"),
        Group(1, 2, 10, chosen=True, path="html/body/p"),
        Group(3, 1, 5, chosen=False, path="html/body/div"),
        Group(4, 1, 4, chosen=False, path="html/body/p"),
    ]
    assert doc.text == "one\n\ntwo two"
    assert list(doc.labels.scores) == [0.9, 1.0, 1.0, 0.5, 0.4]
    assert doc.labels.reasons[0] == "in a shorter group"


def test_of_equal_groups_the_first_is_chosen_with_confidence_zero() -> None:
    doc = bonmun.extract("<p>same</p><div>size</div>", method="xpath")
    assert (doc.text, doc.confidence) == ("same", 0.0)


def test_lengths_add_up_to_all_leaves() -> None:
    page = Page.parse(EXAMPLE)
    groups = [group._asdict() for group in make_method("xpath").label(page).evidence]
    assert sum(group["leaves"] for group in groups) == len(page.leaves)
    assert sum(group["characters"] for group in groups) == sum(len(leaf.text) for leaf in page.leaves)


def plus(markup: str) -> str:
    return bonmun.extract(markup, method="xpath+").text


@pytest.mark.parametrize("inside", ["<b>end</b>", "<a href=/>end</a>", "<i><span>end</span></i>"])
def test_plus_does_not_break_a_group_at_inline_tags(inside: str) -> None:
    markup = f"<div><p>{TEXT.replace('end', inside)}</p><p>{TEXT}</p></div>"
    assert plus(markup) == f"{TEXT}\n\n{TEXT}"
    assert plus(markup) != bonmun.extract(markup, method="xpath").text


def test_plus_continues_after_headings_and_lists() -> None:
    markup = f"<div><p>{TEXT}</p><h2>Why</h2><ul><li>Oil</li></ul><p>{TEXT}</p></div>"
    assert plus(markup) == f"{TEXT}\n\nWhy\n\nOil\n\n{TEXT}"


def test_plus_continues_in_the_next_section() -> None:
    markup = f"<main><section><p>{TEXT}</p></section><h2>Why</h2><section><p>{TEXT}</p></section></main>"
    assert plus(markup) == f"{TEXT}\n\nWhy\n\n{TEXT}"


def test_plus_keeps_what_shares_the_smallest_element_around_the_group() -> None:
    markup = (
        f"<div>menu</div><article><p>{TEXT}</p><p>{TEXT}</p><blockquote>Said so.</blockquote></article><div>foot</div>"
    )
    assert plus(markup) == f"{TEXT}\n\n{TEXT}\n\nSaid so."


def test_plus_ignores_longer_noise_of_links() -> None:
    links = "".join(f"<li><a href=/{n}>{TEXT}</a></li>" for n in range(9))
    markup = f"<article><p>{TEXT}</p><p>{TEXT}</p></article><ul>{links}</ul>"
    assert plus(markup) == f"{TEXT}\n\n{TEXT}"
    assert bonmun.extract(markup, method="xpath").text.count(TEXT) == 9  # the paper's known failure


def test_plus_ignores_longer_noise_without_sentences() -> None:
    names = "".join(f"<li>{'Name of a place ' * 4}{n}</li>" for n in range(6))
    markup = f"<ul>{names}</ul><article><p>{TEXT}</p><p>{TEXT}</p><p>{TEXT}</p></article>"
    assert plus(markup) == f"{TEXT}\n\n{TEXT}\n\n{TEXT}"
    assert "Name of a place" in bonmun.extract(markup, method="xpath").text


def test_plus_chooses_the_article_before_longer_comments() -> None:
    said = "".join(f"<li><div>{TEXT}</div></li>" for _ in range(5))
    markup = f"<article>{f'<p>{TEXT}</p>' * 4}</article><ul>{said}</ul>"
    assert plus(markup) == "\n\n".join([TEXT] * 4)
    assert bonmun.extract(markup, method="xpath").text.count(TEXT) == 5


@pytest.mark.parametrize(
    "line",
    [
        "© 2026 The Harbour Post",
        "ⓒ 항구일보, 무단전재 및 재배포 금지",
        "저작권자(c) 항구일보",
        "홍길동 기자 gildong@harbour.example",
        "全文はこちら https://harbour.example/1",
    ],
)
def test_plus_drops_copyright_lines_with_the_path_of_the_text(line: str) -> None:
    doc = bonmun.extract(f"<div><p>{TEXT}</p><p>{TEXT}</p><p>{line}</p></div>", method="xpath+")
    assert doc.text == f"{TEXT}\n\n{TEXT}"
    assert doc.labels.reasons[2] == "a copyright line"
    assert line in bonmun.extract(doc.page, method="xpath").text


def test_plus_drops_a_heading_with_nothing_under_it() -> None:
    doc = bonmun.extract(f"<div><p>{TEXT}</p><p>{TEXT}</p><h3>Related posts</h3></div>", method="xpath+")
    assert doc.text == f"{TEXT}\n\n{TEXT}"
    assert doc.labels.reasons[2] == "a heading without text"


def test_plus_drops_bylines_before_the_text() -> None:
    doc = bonmun.extract(f"<div><p>By Ann</p><p>{TEXT}</p><p>{TEXT}</p></div>", method="xpath+")
    assert doc.text == f"{TEXT}\n\n{TEXT}"
    assert doc.labels.reasons[0] == "no sentence, before the text"


def test_plus_keeps_a_group_of_nothing_but_short_lines() -> None:
    assert plus("<ul><li>One</li><li>Two</li></ul>") == "One\nTwo"


def test_plus_evidence_has_the_weights() -> None:
    groups = bonmun.extract(f"<p>{TEXT}</p><p>x y</p><div><a href=/>link</a></div>", method="xpath+").labels.evidence
    assert list(groups) == [
        WeighedGroup(0, 2, len(TEXT) + 3, len(TEXT) + 3 / 4, chosen=True, path="html/body/p"),
        WeighedGroup(2, 1, 4, 0.0, chosen=False, path="html/body/div"),
    ]
