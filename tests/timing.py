"""Time measurements for tests: CPU time, the best of several runs, on a machine that may be busy."""

from __future__ import annotations

import gc
import time
from functools import partial, wraps
from math import inf
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 4  # measurements before a test fails
GROWTH = 9  # how much longer four times the size may take: 4 if linear, 16 if quadratic

Given = TypeVar("Given")
Result = TypeVar("Result")
Args = ParamSpec("Args")


def becomes_true(what: Callable[[], bool], seconds: float = 60) -> bool:
    """Wait until a condition holds; return False on timeout."""
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def measure(run: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds of this process for a call, and its result.

    Garbage collection is off meanwhile: a full collection takes longer the more tests ran before.
    """
    gc.disable()
    try:
        start = time.process_time()
        result = run()
        return time.process_time() - start, result
    finally:
        gc.enable()


def assert_linear(
    make: Callable[[int], Given], run: Callable[[Given], Result], size: int, least: float = 0.02
) -> Result:
    """Check that four times the size takes at most nine times as long; return the result for the full size.

    The best of several measurements counts, and only as many are made as needed. Less than `least` seconds count as
    `least`, since they cannot be measured. `make` is not measured.
    """
    best = {size // 4: inf, size: inf}
    for _ in range(TRIES):
        for n in best:
            took, result = measure(partial(run, make(n)))
            best[n] = min(best[n], took)
        if best[size] < GROWTH * max(best[size // 4], least):
            return result
    raise AssertionError(f"Seconds by size, four times the size at most {GROWTH} times as long: {best}")


def assert_faster(run: Callable[[], Result], than: Callable[[], object], times: float) -> Result:
    """Check that a call takes less than `times` the time of another; return its result."""
    best, other = inf, inf
    for _ in range(TRIES):
        took, result = measure(run)
        best, other = min(best, took), min(other, measure(than)[0])
        if best < times * other:
            return result
    raise AssertionError(f"It took {best} seconds, which is over {times} times {other}.")


def assert_quick(run: Callable[[], Result], seconds: float) -> Result:
    """Check that a call takes less than some CPU seconds; return its result."""
    best = inf
    for _ in range(TRIES):
        took, result = measure(run)
        if (best := min(best, took)) < seconds:
            return result
    raise AssertionError(f"It took {best} seconds, which is over {seconds}.")


def repeated(test: Callable[Args, None]) -> Callable[Args, None]:
    """Repeat a test that depends on wall-clock time; it fails only if it fails several times."""

    @wraps(test)
    def run(*args: Args.args, **kwargs: Args.kwargs) -> None:
        for _ in range(TRIES - 1):
            try:
                return test(*args, **kwargs)
            except AssertionError:
                time.sleep(1)  # until the machine is less busy
        return test(*args, **kwargs)

    return run
