"""Pools of child processes that end when their parent wants it, and in silence."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.pool import Pool

__all__ = ["open_pool"]

ENDS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def open_pool(
    workers: int, method: Literal["fork", "spawn"], prepare: Callable[..., object] | None = None, *args: Any
) -> Iterator[Pool]:
    """A pool for as long as the block runs; each child calls `prepare` with `args` first.

    Signals wait until a child knows what to do with them. If one came before, it would be caught as the parent catches
    it, or lost: then the child would live on, and its parent would wait for it without end.
    """
    context = get_context(method)
    if method == "spawn":
        resource_tracker.ensure_running()  # which lets signals through when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        pool = context.Pool(workers, _start_child, (prepare, args))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with pool:
        yield pool


def _start_child(prepare: Callable[..., object] | None, args: tuple[Any, ...]) -> None:
    """Leave Ctrl-C to the parent, which ends its children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
    if prepare:
        prepare(*args)
