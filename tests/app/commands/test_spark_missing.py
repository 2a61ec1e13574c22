"""Without PySpark, the commands that need it say how it is installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from samples import Bonmun


@pytest.mark.parametrize("args", [("extract", "a.warc"), ("count", "a.warc"), ("site-model", "counts")])
def test_what_is_missing_is_named(bonmun: Bonmun, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]) -> None:
    for name in [name for name in sys.modules if name.startswith("bonmun.scale.spark")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    result = bonmun("spark", *args, "-o", "out")
    assert (result.exit_code, result.stderr.strip().endswith("pip install 'bonmun[spark]'.")) == (2, True)
