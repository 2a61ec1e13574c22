"""Pools of child processes that end when their parent wants it, and in silence."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Literal

from bonmun.work.processes import hold_interrupts, ignore_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.pool import Pool

__all__ = ["open_pool"]


@contextmanager
def open_pool(
    workers: int, method: Literal["fork", "spawn"], prepare: Callable[..., object] | None = None, *args: Any
) -> Iterator[Pool]:
    """A pool for as long as the block runs; each child calls `prepare` with `args` first.

    Signals wait until a child knows what to do with them. If one came before, it would be caught as the parent catches
    it, or lost: then the child would live on, and its parent would wait for it without end.
    """
    with hold_interrupts(signal.SIGTERM):
        pool = get_context(method).Pool(workers, _start_child, (prepare, args))
    with pool:
        yield pool


def _start_child(prepare: Callable[..., object] | None, args: tuple[Any, ...]) -> None:
    """Leave Ctrl-C to the parent, which ends its children with SIGTERM."""
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    if prepare:
        prepare(*args)
