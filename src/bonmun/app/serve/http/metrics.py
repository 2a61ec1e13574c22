"""Metrics in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.work.workers import Workers

__all__ = ["Metrics"]

SECONDS = (
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
)  # upper bounds of the histogram buckets


class Metrics:
    """Counters and gauges of a service."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by route and status
        self.buckets: dict[str, list[int]] = {}  # requests per bucket, by route
        self.seconds: dict[str, float] = {}
        self.taken_bytes = 0
        self.given_bytes = 0
        self.pages = 0
        self.open = 0  # requests without a response yet

    def add(self, route: str, status: int, seconds: float, taken: int, given: int) -> None:
        """Count a request."""
        self.requests[route, status] += 1
        buckets = self.buckets.setdefault(route, [0] * (len(SECONDS) + 1))
        buckets[sum(seconds > end for end in SECONDS)] += 1
        self.seconds[route] = self.seconds.get(route, 0.0) + seconds
        self.taken_bytes += taken
        self.given_bytes += given

    def write(self, workers: Workers) -> str:
        """Return all metrics, one per line."""
        lines: list[str] = []
        lines += _write_metric(
            "bonmun_requests_total", "counter", "Answered requests, by route and status.", self._list_requests()
        )
        lines += _write_metric(
            "bonmun_request_seconds",
            "histogram",
            "Seconds from the request headers to the end of the response.",
            self._list_seconds(),
        )
        for name, kind, help_text, value in (
            ("bonmun_requests_open", "gauge", "Requests without a response yet.", self.open),
            ("bonmun_pages_total", "counter", "Processed pages.", self.pages),
            ("bonmun_taken_bytes_total", "counter", "Bytes of request bodies.", self.taken_bytes),
            ("bonmun_given_bytes_total", "counter", "Bytes of response bodies.", self.given_bytes),
            ("bonmun_queue_length", "gauge", "Pages waiting for a child process.", workers.waiting),
            ("bonmun_workers", "gauge", "Child processes.", len(workers.process_ids)),
            ("bonmun_worker_restarts_total", "counter", "Restarts of child processes.", workers.restarts),
        ):
            lines += _write_metric(name, kind, help_text, [("", value)])
        return "\n".join(lines) + "\n"

    def _list_requests(self) -> Iterator[tuple[str, float]]:
        for (route, status), count in sorted(self.requests.items()):
            yield f'{{route="{route}",status="{status}"}}', count

    def _list_seconds(self) -> Iterator[tuple[str, float]]:
        for route, buckets in sorted(self.buckets.items()):
            for end, count in zip((*map(str, SECONDS), "+Inf"), accumulate(buckets), strict=True):
                yield f'_bucket{{route="{route}",le="{end}"}}', count
            yield f'_sum{{route="{route}"}}', round(self.seconds[route], 6)
            yield f'_count{{route="{route}"}}', sum(buckets)


def _write_metric(name: str, kind: str, help_text: str, values: Iterable[tuple[str, float]]) -> list[str]:
    return [
        f"# HELP {name} {help_text}",
        f"# TYPE {name} {kind}",
        *(f"{name}{labels} {value}" for labels, value in values),
    ]
