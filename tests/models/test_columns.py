"""Feature tables: places follow from the order, and the tables agree with the shipped weights and the docs."""

from __future__ import annotations

import ast
import importlib.util
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun import Page
from bonmun.models.features import scaled_features as features
from bonmun.models.features.columns import Column, ColumnLayout, FeatureGroup, FeatureTable
from bonmun.models.features.count_page import count_page
from bonmun.models.features.measures import Measures
from bonmun.models.features.page_arrays import PAGE_COLUMNS
from bonmun.models.features.scaled_features import BLOCKS, BOXES, ELEMENTS, PAGE, compute_features
from bonmun.models.network.labeller import Network, default_weights
from samples import ROOT

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLES = {"blocks": BLOCKS, "elements": ELEMENTS, "page": PAGE}
PAGES = [
    "<p>One.</p>",
    "<title>A light</title><h1>A light</h1><ul><li>1<li hidden>two <a href=x>b</a></ul><form><input><p>x</form>",
]

# The columns that the shipped weights were trained with; a model depends on their order.
TRAINED = {
    "blocks": (
        "letters words plain characters:12 digits link_share links leaves sentences commas lines hidden title_share "
        "is_title copies gap:5 place blocks_before blocks_after plain_before letters_to_mean letters_to_most "
        "h1_distance has_h1 headline_distance has_headline path_group:4 depth_group:4 ends_sentence ends_mark "
        "starts_capital starts_digit starts_symbol depth like_date site:2 has_site heading_distance heading_level "
        "target:13"
    ),
    "elements": (
        "letters plain link_share letters_of_page plain_of_page plain_a_block blocks sentences sentences_a_block "
        "labels linked headings first_block last_block plain_before plain_until depth children twins twin_rank "
        "letters_of_parent plain_of_parent pictures inputs_a_block frames rules icons hidden"
    ),
    "page": "letters plain link_share blocks labels linked hidden sentences counts:11 password address:8",
}


def measures_of(markup: str) -> Measures:
    return Measures(count_page(Page.parse(f"<body>{markup}")))


# --- layouts ------------------------------------------------------------------------------------------------------------


def test_places_follow_from_the_order() -> None:
    layout = ColumnLayout(Column("a", "x"), Column("b", "y", ("one", "two", "three")), Column("c", "z"))
    assert layout.width == 5
    assert (layout["a"], layout["b"], layout["c"]) == (0, slice(1, 4), 4)
    with pytest.raises(KeyError):
        layout["d"]


def test_duplicate_columns_are_rejected() -> None:
    with pytest.raises(ValueError, match="duplicate column 'a'"):
        ColumnLayout(Column("a", "x"), Column("b", "y"), Column("a", "z"))


def test_a_column_without_values_raises() -> None:
    table = FeatureTable[float](FeatureGroup("g", lambda x: {"a": x}, Column("a", "x"), Column("b", "y")))
    with pytest.raises(KeyError, match="b"):
        table.fill(np.empty((2, 3), np.float32), 1.0)


def test_page_columns_and_their_places() -> None:
    assert PAGE_COLUMNS.width == 20
    assert (PAGE_COLUMNS["counts"], PAGE_COLUMNS["password"], PAGE_COLUMNS["address"]) == (
        slice(0, 11),
        11,
        slice(12, 20),
    )


# --- the tables ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_the_columns_are_those_that_the_shipped_weights_were_trained_with(name: str) -> None:
    said = [f"{each.name}:{each.width}" if each.parts else each.name for each in TABLES[name].columns]
    assert said == TRAINED[name].split()
    assert TABLES[name].width == len(default_weights().arrays[f"{name}_mean"])


@pytest.mark.parametrize("markup", PAGES)
@pytest.mark.parametrize("name", TABLES)
def test_a_function_measures_the_columns_of_its_group_and_no_others(name: str, markup: str) -> None:
    for group in TABLES[name].groups:
        assert list(group.measure(measures_of(markup))) == [column.name for column in group.columns], group.name


def test_the_columns_of_boxes_are_those_that_weights_are_trained_with() -> None:
    assert [each.name for each in BOXES.columns] == (
        "left right width height top top_share above_fold screen_distance page_distance page_distance_share gap_before "
        "crowd column_left column_width column_plain column_links column_blocks main_share in_main left_of_main "
        "width_to_main columns_beside font_size font_weight contrast font_plain font_links visible stuck page_height "
        "page_visible page_above_fold main_left main_width main_plain"
    ).split()


@pytest.mark.parametrize("table", [*TABLES.values(), BOXES], ids=[*TABLES, "boxes"])
def test_every_column_has_a_description(table: FeatureTable[Any]) -> None:
    for column in table.columns:
        assert column.about
        assert all(column.parts)
        assert column.width > 1 or not column.parts


def test_another_group_is_one_entry_and_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """For example the votes of other methods: they follow the other columns, which do not change."""

    def measure_votes(p: Measures) -> dict[str, Any]:
        return {"vote": np.stack([p.index, p.index * 2]), "is_sure": p.letters > 2}

    votes = FeatureGroup(
        "votes", measure_votes, Column("vote", "who is for it", ("x", "y")), Column("is_sure", "or not")
    )
    a = count_page(Page.parse("<body><p>abc</p><p>d</p>"))
    before = compute_features(a)
    monkeypatch.setattr(features, "BLOCKS", FeatureTable(*BLOCKS.groups, votes))
    after = compute_features(a)
    assert after.blocks.shape == (2, BLOCKS.width + 3)
    assert np.array_equal(after.blocks[:, : BLOCKS.width], before.blocks)
    assert after.blocks[:, features.BLOCKS["vote"]].tolist() == [[0, 0], [1, 2]]
    assert after.blocks[:, features.BLOCKS["is_sure"]].tolist() == [1, 0]
    described = load_script()["describe_table"](features.BLOCKS).splitlines()[-2:]
    assert described == [
        "| 74–75 | votes | `vote` | who is for it: x; y |",
        "| 76 | votes | `is_sure` | or not |",
    ]


def test_weights_for_other_columns_are_rejected() -> None:
    weights = default_weights()
    for name in ("block", "element", "page"):
        arrays: dict[str, NDArray[np.float32]] = dict(weights.arrays)
        arrays[f"{name}.weight"] = arrays[f"{name}.weight"][:, 1:]
        with pytest.raises(ValueError, match="another set of features"):
            Network(type(weights)(weights.about, arrays))


# --- documentation ------------------------------------------------------------------------------------------------------


def load_script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "make" / "feature_tables.py"))


def test_the_document_is_generated_from_the_tables() -> None:
    page = ROOT / "docs" / "reference" / "features.md"
    assert page.read_text(encoding="utf-8") == load_script()["describe_features"]()


def test_the_model_card_has_the_right_counts() -> None:
    text = (ROOT / "docs" / "explanation" / "model.md").read_text(encoding="utf-8")
    assert f"blocks ({BLOCKS.width} features)" in text
    assert f"around them ({ELEMENTS.width} features, tag" in text
    assert f"; {PAGE.width} features of the page" in text


def imports_of(name: str) -> set[str]:
    """Return the modules that a module imports when it is loaded."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    found: set[str] = set()
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_features_need_only_numpy() -> None:
    """Training can run where the rest of bonmun is not installed."""
    seen: set[str] = set()
    waiting = {"bonmun.models.features.scaled_features"}
    while waiting:
        name = waiting.pop()
        seen.add(name)
        if name.startswith("bonmun."):
            waiting |= imports_of(name) - seen
    assert all(name.startswith(("bonmun.models.", "bonmun.markup")) for name in seen if name.startswith("bonmun"))
    others = {name.split(".")[0] for name in seen} - {"bonmun"} - sys.stdlib_module_names
    assert others == {"numpy"}
