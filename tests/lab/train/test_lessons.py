"""Splitting pages for measuring, and the decision to save a model."""

from __future__ import annotations

from collections import Counter

import pytest

from bonmun.lab.train.finetune_report import FinetuneReport, PageScores, choose_parts, judge_pages


def test_sites_are_kept_together() -> None:
    sites = ["a", "b", "a", "c", "d", "e", "a", "f", "b"]
    parts, split = choose_parts(sites)
    assert split == "site"
    assert len({(site, part) for site, part in zip(sites, parts, strict=True)}) == 6
    assert sorted(Counter(parts).values()) == [1, 1, 2, 2, 3]


@pytest.mark.parametrize("sites", [["a"] * 12, ["a", "b", "c"] * 4])
def test_pages_of_few_sites_are_split_in_turn(sites: list[str]) -> None:
    parts, split = choose_parts(sites)
    assert split == "page"
    assert sorted(Counter(parts).values()) == [2, 2, 2, 3, 3]


def pages(*gains: float, site: str = "s") -> list[PageScores]:
    return [PageScores(str(number), site, 0.5, 0.5 + gain) for number, gain in enumerate(gains)]


@pytest.mark.parametrize(
    ("gains", "is_better", "says"),
    [
        ([0.1, 0.2, 0.1, 0.3, 0.2], True, "The model was saved: unseen pages improved by 0.180 (95% interval"),
        ([0.0, 0.0, 0.0, 0.4, -0.1], False, "The model was not saved: a gain of +0.060 may be chance"),
        ([0.0, 0.0, 0.0, 0.0, 0.0], False, "The model was not saved: unseen pages are no better than before (+0.000"),
        ([0.0, -0.1, 0.0, -0.2, -0.1], False, "The model was not saved: unseen pages are worse than before (-0.0"),
        ([0.0006] * 9, False, "The model was not saved: unseen pages are no better than before (+0.001"),
    ],
)
def test_model_is_saved_only_if_surely_better(gains: list[float], is_better: bool, says: str) -> None:
    verdict = judge_pages(pages(*gains), "page")
    assert verdict.is_better == is_better
    assert verdict.why.startswith(says)


def test_pages_of_one_site_count_as_one_site() -> None:
    """A gain on one site of six may be chance, however many pages it has."""
    found = pages(*[0.4] * 30) + [page for site in "abcde" for page in pages(0.0, site=site)]
    assert judge_pages(found, "page").is_better
    assert not judge_pages(found, "site").is_better
    assert "over 6 sites" in judge_pages(found, "site").why


def test_report_as_plain_values() -> None:
    lesson = FinetuneReport(tuple(pages(0.25)), "page", 0.5, 0.75, False, "Why.", None, 1.26)
    assert lesson.to_dict() == {
        "pages": [{"id": "0", "site": "s", "before": 0.5, "after": 0.75}],
        "split": "page",
        "before": 0.5,
        "after": 0.75,
        "is_better": False,
        "why": "Why.",
        "output": None,
        "seconds": 1.3,
    }
