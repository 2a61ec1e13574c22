"""How tests measure time: within themselves, the best of several times, on a machine that may be busy."""

from __future__ import annotations

import gc
import time
from functools import partial, wraps
from math import inf
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 4  # how often something is measured before a test fails
GROWTH = 9  # how much longer four times the size may take: 4 if linear, 16 if quadratic

Given = TypeVar("Given")
Result = TypeVar("Result")
Args = ParamSpec("Args")


def becomes_true(what: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether something is the case in time; waits no longer than it must."""
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def measure(run: Callable[[], Result]) -> tuple[float, Result]:
    """The seconds of this process that something takes, and its result.

    No garbage is collected meanwhile: a full collection takes the longer, the more tests ran before.
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
    """Check that four times the size takes no more than nine times as long; gives the result of the whole size.

    The best of several measurements counts; more than one is made only where it is needed. What takes less than
    `least` seconds counts as so much, since so little cannot be measured. `make` is not measured.
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
    """Check that something takes less than so many times what something else does; gives its result."""
    best, other = inf, inf
    for _ in range(TRIES):
        took, result = measure(run)
        best, other = min(best, took), min(other, measure(than)[0])
        if best < times * other:
            return result
    raise AssertionError(f"It took {best} seconds, which is over {times} times {other}.")


def assert_quick(run: Callable[[], Result], seconds: float) -> Result:
    """Check that something takes less than so many seconds of this process; gives its result."""
    best = inf
    for _ in range(TRIES):
        took, result = measure(run)
        if (best := min(best, took)) < seconds:
            return result
    raise AssertionError(f"It took {best} seconds, which is over {seconds}.")


def repeated(test: Callable[Args, None]) -> Callable[Args, None]:
    """For a test that needs the clock on the wall: it fails only if it does so several times."""

    @wraps(test)
    def run(*args: Args.args, **kwargs: Args.kwargs) -> None:
        for _ in range(TRIES - 1):
            try:
                return test(*args, **kwargs)
            except AssertionError:
                time.sleep(1)  # whatever kept the machine busy
        return test(*args, **kwargs)

    return run
