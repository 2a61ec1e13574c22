"""The plots of a report: well-formed for any values, with a dot and a tooltip for each system."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from made_results import Values, f1, made

from bonmun.lab.evaluate.report.plots import draw_distribution, draw_precision_recall, draw_speed_quality

if TYPE_CHECKING:
    from collections.abc import Sequence


IMG = "<img src=x onerror=alert(1)>"


def three(f1: list[float], p: list[float], r: list[float]) -> dict[str, Sequence[float | None]]:
    return {"words.f1": f1, "words.precision": p, "words.recall": r}


ODD: dict[str, tuple[Values, dict[str, dict[int, float]]]] = {
    "all equal": ({name: three([0.5], [0.5], [0.5]) for name in ("auto", "peer", "oracle")}, {"auto": {0: 1.0}}),
    "all zero": ({name: three([0.0], [0.0], [0.0]) for name in ("auto", "peer")}, {"auto": {0: 1.0}, "peer": {0: 1.0}}),
    "all one": ({name: three([1.0], [1.0], [1.0]) for name in ("auto", "peer")}, {"auto": {0: 1.0}, "peer": {0: 1e6}}),
    "one system": ({"auto": three([0.3, 0.7], [0.1, 1.0], [1.0, 0.2])}, {"auto": {0: 0.001}}),
    "no times": ({"auto": three([0.3], [0.1], [1.0]), "peer": three([0.3], [0.1], [1.0])}, {}),
    "no time at all": ({"auto": three([0.3], [0.1], [1.0])}, {"auto": {0: 0.0}}),
    "snippets only": ({"auto": {"snippets.f1": [0.5]}, "peer": {"snippets.f1": [0.5]}}, {"auto": {0: 1.0}}),
    "strange names": (
        {f'{IMG}&"': three([0.3], [0.1], [1.0]), "x" * 60: three([0.31], [0.1], [1.0])},
        {"x" * 60: {0: 1}},
    ),
    "a crowd": (
        {f"system-{n}": three([0.5 + n / 1e4], [0.5], [0.5 + n / 1e4]) for n in range(40)},
        {f"system-{n}": {0: 1.0 + n / 100} for n in range(40)},
    ),
    "hard to round": (
        {"auto": three([0.7], [0.57], [0.29]), "peer": three([0.3], [0.1 + 0.2], [0.6])},
        {"auto": {0: 3.0}},
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_plots_are_well_formed_for_any_values(name: str) -> None:
    values, times = ODD[name]
    results = made(values)
    results.times |= times
    reference = next(iter(times), "")
    pages = range(len(results.pages))
    for plot in (
        draw_distribution(results, pages),
        draw_precision_recall(results, pages),
        draw_speed_quality(results, pages, reference),
    ):
        if not plot:
            assert name in ("no times", "no time at all", "snippets only")
            continue
        figure = ET.fromstring(plot)
        assert figure.tag == "figure"
        svg = figure[0]
        wide, high = (float(value) for value in svg.attrib["viewBox"].split()[2:])
        assert wide > 0 < high
        for element in svg.iter():
            assert element.tag in "svg g line text rect circle polyline title".split()
            for key in ("x", "x1", "x2", "cx"):
                assert -0.1 <= float(element.get(key, 0)) <= wide + 0.1, (element.tag, element.attrib)
            for key in ("y", "y1", "y2", "cy"):
                assert -0.1 <= float(element.get(key, 0)) <= high + 0.1, (element.tag, element.attrib)
            points = [float(value) for value in re.split("[ ,]", element.get("points", "0"))]
            assert all(map(math.isfinite, [*points, float(element.get("width", 1)), float(element.get("height", 1))]))
        assert not re.search(r"\b(nan|inf)\b", plot, re.I)


def test_every_system_has_a_dot_with_a_tooltip() -> None:
    results = made(ODD["a crowd"][0])
    results.times |= ODD["a crowd"][1]
    for plot in (
        draw_distribution(results, [0]),
        draw_precision_recall(results, [0]),
        draw_speed_quality(results, [0], "system-0"),
    ):
        groups = ET.fromstring(plot).findall(".//g")
        assert len(groups) == 40
        assert all(group.findtext("title") and group.find("circle") is not None for group in groups)


def test_names_in_plots_do_not_overlap() -> None:
    results = made(ODD["a crowd"][0])
    texts = ET.fromstring(draw_precision_recall(results, [0])).findall(".//g/text")
    boxes = [(float(each.attrib["x"]), float(each.attrib["y"]), len(each.text or "") * 5.5) for each in texts]
    assert 1 < len(boxes) < 40
    for number, (x, y, wide) in enumerate(boxes):
        for other_x, other_y, other_wide in boxes[:number]:
            assert abs(y - other_y) >= 10 or x + wide <= other_x or other_x + other_wide <= x


def test_long_names_are_not_cut_off() -> None:
    name = "my_company.extractors.article:extract_text"
    group = ET.fromstring(draw_distribution(made(f1(**{name: [0.5]})), [0])).find(".//g/text")
    assert group is not None
    assert float(group.attrib["x"]) >= len(name) * 5.5
