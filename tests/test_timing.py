"""Time measurements: a slow moment of a busy machine does not fail a test, but slow code does."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from timing import assert_faster, assert_linear, assert_quick

HERE = Path(__file__).parent
CLOCKS = "process_time()", "perf_counter()"


def spend(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_only_the_helpers_read_the_clock_of_a_process() -> None:
    readers = {path.name for path in HERE.rglob("*.py") if any(clock in path.read_text("utf-8") for clock in CLOCKS)}
    others = {"test_root.py", "test_reading.py"}  # a separate process, and the share of this one in work of another
    assert readers == {"timing.py", "test_timing.py", *others}


def test_one_slow_moment_does_not_fail() -> None:
    slow = iter([0.3])
    assert_linear(lambda size: size, lambda _: spend(next(slow, 0)), 8)
    slow = iter([0.3])
    assert_quick(lambda: spend(next(slow, 0)), 0.1)
    slow = iter([0.3])
    assert_faster(lambda: spend(next(slow, 0)), lambda: spend(0.02), 5)


@pytest.mark.slow
def test_constantly_slow_code_fails() -> None:
    with pytest.raises(AssertionError, match="four times the size"):
        assert_linear(lambda size: size, lambda size: spend(0.001 * size**2), 16)
    with pytest.raises(AssertionError, match="over"):
        assert_quick(lambda: spend(0.02), 0.01)
    with pytest.raises(AssertionError, match="over 2 times"):
        assert_faster(lambda: spend(0.03), lambda: spend(0.01), 2)
