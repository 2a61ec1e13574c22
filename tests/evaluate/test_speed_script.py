"""`make bench` runs: every step and every method of it, on a page."""

from __future__ import annotations

import pytest

from samples import ROOT

pytest.importorskip("trafilatura")
pytest.importorskip("resiliparse")
PAGE = (ROOT / "examples" / "pages" / "en-docs.html").read_text(encoding="utf-8")


def test_every_step_and_every_method_is_timed() -> None:
    from bonmun.methods import PAGE_METHODS
    from scripts.figures.speed import STAGES, time_methods, time_steps

    steps = time_steps([PAGE])
    assert {"auto: decision", "facts", "trafilatura's facts"} <= set(steps)
    assert all(seconds > 0 for times in steps.values() for seconds in times)
    assert set(PAGE_METHODS) <= set(time_methods([PAGE]))
    assert all(stage(PAGE) is not None for stage in STAGES.values())
