"""The timing script of `make bench` times every system, stage and method."""

from __future__ import annotations

import pytest

from samples import ROOT

pytest.importorskip("trafilatura")
pytest.importorskip("resiliparse")
pytestmark = pytest.mark.extras

PAGE = (ROOT / "examples" / "pages" / "en-docs.html").read_text(encoding="utf-8")


def test_every_system_stage_and_method_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    from bonmun.algorithms import PAGE_METHODS
    from scripts.figures.speed import SYSTEMS, print_stages, print_systems, time_methods, time_stages, time_systems

    print_systems(time_systems([PAGE]))
    print_stages(time_stages([PAGE]))
    output = capsys.readouterr().out
    assert all(
        name in output for name in [*SYSTEMS, " count", " features and network", " units", " decide", "metadata"]
    )
    assert set(PAGE_METHODS) <= set(time_methods([PAGE]))


def test_systems_are_timed_in_random_order(monkeypatch: pytest.MonkeyPatch) -> None:
    from scripts.figures import speed

    called: list[str] = []
    names = "abcd"
    monkeypatch.setattr(speed, "SYSTEMS", {name: lambda _, name=name: called.append(name) for name in names})
    runs = speed.time_systems([PAGE] * 5)
    assert all(len(run[name]) == 5 for run in runs for name in names)
    measured = called[len(names) :]
    orders = {tuple(measured[start : start + len(names)]) for start in range(0, len(measured), len(names))}
    assert len(orders) > 1
    assert all(sorted(order) == list(names) for order in orders)
