"""Krippendorff's alpha: published examples and properties; and gold files of several annotators."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import BadGold
from bonmun.lab.annotate.agreement import measure_alpha
from bonmun.lab.annotate.comparing import compare_gold_files
from bonmun.lab.annotate.drafts import Draft
from bonmun.lab.annotate.records import describe_record
from labelled import LABELS, make_source

if TYPE_CHECKING:
    from pathlib import Path

    from samples import Bonmun

# Content Analysis, 11.3: four observers, twelve units, * for missing values.
FOUR_OBSERVERS = """
1 2 3 3 2 1 4 1 2 * * *
1 2 3 3 2 2 4 1 2 5 * 3
* 3 3 3 2 3 4 2 2 5 1 *
1 2 3 3 2 4 4 1 2 5 1 *
"""
# 11.3.1: two observers, ten units, two values.
TWO_OBSERVERS = """
0 1 0 0 0 0 0 0 1 0
1 1 1 0 0 1 0 0 0 0
"""
# 11.3.2: two observers, twelve units, five values.
NOMINAL = """
a a b b d c c c e d d a
b a b b b c c c e d d d
"""
# By hand: units (a a b) and (b b): pairs aa 2, ab 4, each by 2, and bb 2. So 3 of the 5 values are b; two coincidences of
# five differ, of 20 pairs of values 12 do: 1 - (2/5) / (12/20) = 1/3.
BY_HAND = """
a b
a b
b *
"""


def read_units(table: str) -> list[tuple[str | None, ...]]:
    rows = [line.split() for line in table.split("\n") if line]
    return [tuple(None if value == "*" else value for value in unit) for unit in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("table", "alpha"),
    [(FOUR_OBSERVERS, 0.743), (TWO_OBSERVERS, 0.095), (NOMINAL, 0.692), (BY_HAND, 0.333)],
    ids=["four observers", "two observers", "nominal", "by hand"],
)
def test_published_examples(table: str, alpha: float) -> None:
    assert measure_alpha(read_units(table)) == pytest.approx(alpha, abs=5e-4)


def test_alpha_is_none_without_a_common_page() -> None:
    assert measure_alpha([]) is None
    assert measure_alpha([("a", None), (None, "b")]) is None


UNITS = st.lists(st.tuples(*[st.none() | st.sampled_from("abc")] * 3), max_size=12)


@given(UNITS)
def test_alpha_is_one_if_all_agree_and_never_more(units: list[tuple[str | None, ...]]) -> None:
    alpha = measure_alpha(units)
    assert alpha is None or -1 <= alpha <= 1
    agreed = [("a", "a", None), ("b", None, "b"), ("c", "c", "c")]
    assert measure_alpha(agreed) == 1.0
    same = [tuple(next((value for value in unit if value), None) for _ in unit) for unit in units]
    assert measure_alpha(same) in (None, 1.0)


@given(UNITS, st.randoms(), st.permutations("abc"))
def test_alpha_ignores_order_and_names(
    units: list[tuple[str | None, ...]], random: st.DrawFn, names: list[str]
) -> None:
    renamed = dict(zip("abc", names, strict=True))
    moved = [tuple(renamed[value] if value else None for value in reversed(unit)) for unit in units]
    random.shuffle(moved)  # type: ignore[attr-defined]
    assert measure_alpha(moved) == measure_alpha(units)


def save(folder: Path, name: str, pages: dict[str, dict[str, str]]) -> Path:
    place = folder / f"{name}.jsonl"
    records = [describe_record(make_source(), Draft(labels, 1), page, name, "now")[0] for page, labels in pages.items()]
    place.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return place


def test_identical_gold_files_have_alpha_one(tmp_path: Path) -> None:
    files = [save(tmp_path, name, {"a": LABELS, name: {}}) for name in ("kim", "lee", "park")]
    found = compare_gold_files(files)
    assert (found.annotators, found.pages, found.blocks) == (("kim", "lee", "park"), 1, 17)
    assert (found.alpha, found.kept_alpha, found.disputed) == (1.0, 1.0, ())


def test_disputed_blocks_are_listed_with_all_labels(tmp_path: Path) -> None:
    other = {**LABELS, "/html/body/article[1]/p[1]": "comment", "/html/body/article[1]/h1[1]": "keep"}
    del other["/html/body/article[1]/div[1]"]
    found = compare_gold_files([save(tmp_path, "kim", {"a": LABELS}), save(tmp_path, "lee", {"a": other})])
    assert [each.xpath for each in found.disputed] == [
        "/html/body/article[1]/p[1]",
        "/html/body/article[1]/h1[1]",
        "/html/body/article[1]/div[1]",
    ]
    assert found.disputed[2].labels == {"kim": "author", "lee": "drop"}
    assert found.alpha == pytest.approx(0.668, abs=5e-4)
    assert found.kept_alpha == pytest.approx(
        1 - (4 / 34) / (2 * 4 * 30 / (34 * 33))
    )  # each keeps two of 17, one in common


def test_agreement_needs_two_files(tmp_path: Path) -> None:
    kim = save(tmp_path, "kim", {"a": LABELS})
    for files in ([kim], [kim, kim], [kim, tmp_path / "lee.jsonl"]):
        with pytest.raises(BadGold):
            compare_gold_files(files)


def test_agreement_command(bonmun: Bonmun, tmp_path: Path) -> None:
    save(tmp_path, "kim", {"a": LABELS})
    lee = save(tmp_path, "lee", {"a": {**LABELS, "/html/body/nav[9]": "keep"}, "b": LABELS})
    lee.write_bytes(
        lee.read_bytes().replace(b'"labels": [', b'"labels": [{"xpath": "/nav", "label": "keep"}, ', 1) + b"x\n"
    )
    result = bonmun("agreement", "kim.jsonl", "lee.jsonl")
    assert result.exit_code == 0
    assert "kim, lee: 1 page in common, 17 blocks" in result.stdout
    assert "kept or not  1.000" in result.stdout
    assert "lee.jsonl, line 3: not JSON." in result.stderr
    assert "1 of 7 labels have no block" in result.stderr
    values = json.loads(bonmun("agreement", "kim.jsonl", "lee.jsonl", "--format", "json").stdout)
    assert (values["alpha"], values["pages"]) == (1.0, 1)
    assert bonmun("agreement", "kim.jsonl").exit_code == 1
    assert bonmun("agreement", "kim.jsonl", "lee.jsonl", "-f", "xml").exit_code == 2
    save(tmp_path, "park", {"c": LABELS})
    assert "no page in common" in bonmun("agreement", "kim.jsonl", "park.jsonl").stdout
