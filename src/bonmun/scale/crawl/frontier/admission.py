"""Which URLs a crawl wants: by its plan, and by how many of their kind there are already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.scale.crawl.frontier.traps import find_trap, is_endless, pattern_of
from bonmun.scale.crawl.frontier.turns import name_host
from bonmun.sites.domains import find_host

if TYPE_CHECKING:
    import sqlite3

    from bonmun.scale.crawl.frontier.tickets import Found
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["Admission"]


class Admission:
    """Says why a URL is left out; counts of patterns are in the frontier's file."""

    def __init__(self, plan: CrawlPlan, sql: sqlite3.Connection) -> None:
        self.plan = plan
        self.sql = sql
        self.allowed: dict[str, bool] = {}  # by host

    def find_reason_against(self, found: Found) -> str | None:
        """Why a URL is not to wait; None if it is. One that may is counted as one of its pattern."""
        plan = self.plan
        if found.kind in ("robots", "result"):
            return None
        if not plan.portal and not self._is_allowed(name_host(found.url)):
            return "on another site"
        if found.kind != "page":
            return None
        if plan.depth is not None and found.depth > plan.depth:
            return "too deep"
        if found.depth and not plan.is_wanted(found.url):
            return "not in the patterns that are asked for"
        return find_trap(found.url) or self._find_endless(found.url)

    def _is_allowed(self, host: str) -> bool:
        if host not in self.allowed:
            self.allowed[host] = self.plan.is_allowed(find_host(f"http://{host}"))
        return self.allowed[host]

    def _find_endless(self, url: str) -> str | None:
        """Why a URL is one of too many that are made by a program without end."""
        pattern = pattern_of(url)
        if pattern is None:
            return None
        key = (name_host(url), pattern)
        counted = self.sql.execute("select count from patterns where host = ? and pattern = ?", key).fetchone()
        reason = is_endless(pattern, counted[0] if counted else 0)
        if reason is None:
            self.sql.execute("insert into patterns values (?, ?, 1) on conflict do update set count = count + 1", key)
        return reason
