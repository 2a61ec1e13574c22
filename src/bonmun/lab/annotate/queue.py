"""Queue of pages to label: the most informative first, one of every site before the second of any.

The queue can be ordered at any time: pages without a priority follow the others in their original order.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from bonmun._version import __version__
from bonmun.errors import BadConfig
from bonmun.lab.annotate.priority import Priority
from bonmun.work.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["ORDERS", "Order", "PriorityCache", "QueuedPage", "order_pages"]

Order = Literal["priority", "doubt", "disagreement", "given"]
ORDERS: tuple[str, ...] = get_args(Order)
CACHE_BYTES = 100_000_000  # larger cache files are ignored


class QueuedPage(NamedTuple):
    """A page in the queue."""

    number: int  # in OpenPages
    site: str
    priority: Priority | None  # None until it is measured


def order_pages(candidates: Sequence[QueuedPage], order: str) -> list[int]:
    """Return the numbers of the pages by priority, with each site's first page before any site's second."""
    if order not in ORDERS:
        raise BadConfig(f"Unknown order {order[:50]!r}: choose one of {', '.join(ORDERS)}.")
    if order == "given":
        return [each.number for each in candidates]
    places = {each.number: place for place, each in enumerate(candidates)}

    def rank(each: QueuedPage) -> tuple[float, int]:
        return (1.0 if each.priority is None else -_read_priority(each.priority, order)), places[each.number]

    turns: dict[str, int] = {}
    ranked: list[tuple[int, tuple[float, int], int]] = []
    for each in sorted(candidates, key=rank):
        turn = turns.get(each.site, 0)
        turns[each.site] = turn + 1
        ranked.append((turn, rank(each), each.number))
    return [number for _, _, number in sorted(ranked)]


def _read_known(held: object) -> dict[str, Priority]:
    """Return the valid priorities in a cache file of this version."""
    pages = held.get("pages") if isinstance(held, dict) and held.get("version") == __version__ else None
    if not isinstance(pages, dict):
        return {}
    return {key: Priority(*pair) for key, pair in pages.items() if _is_priority(pair)}


def _is_priority(pair: object) -> bool:
    """Return whether a value is a list of two numbers from 0 to 1."""
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    return all(isinstance(part, (int, float)) and 0 <= part <= 1 for part in pair)


def _read_priority(priority: Priority, order: str) -> float:
    return priority.both if order == "priority" else priority.doubt if order == "doubt" else priority.disagreement


class PriorityCache:
    """Priorities by page hash, cached in a file: each page is measured once per version."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, Priority] = {}
        self.unsaved = 0
        with suppress(OSError, ValueError, RecursionError):  # a damaged cache is rebuilt
            if path.is_file() and path.stat().st_size <= CACHE_BYTES:
                self.known = _read_known(json.loads(path.read_bytes()))

    def make_key(self, body: bytes) -> str:
        """Return the hash of a page."""
        return blake2b(body, digest_size=12).hexdigest()

    def put(self, key: str, priority: Priority) -> None:
        """Add the priority of a page."""
        self.known[key] = priority
        self.unsaved += 1

    def save(self) -> None:
        """Write the cache if it has changed; if that fails, pages are measured again next time."""
        if self.unsaved:
            with suppress(OSError):
                write_bytes(self.path, json.dumps({"version": __version__, "pages": self.known}).encode())
            self.unsaved = 0
