"""Decide which URLs are added to the frontier: by the plan, and by limits against crawler traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.scale.crawl.frontier.traps import check_limit, find_pattern, find_trap
from bonmun.scale.crawl.frontier.turns import get_netloc
from bonmun.sites.domains import find_host, find_site_name

if TYPE_CHECKING:
    import sqlite3

    from bonmun.scale.crawl.frontier.tickets import FoundUrl
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["UrlFilter"]


class UrlFilter:
    """Rejects URLs, with a reason. The counts of URL patterns are kept in the frontier's file."""

    def __init__(self, plan: CrawlPlan, sql: sqlite3.Connection) -> None:
        self.plan = plan
        self.sql = sql
        self.allowed_hosts: dict[str, bool] = {}

    def find_rejection(self, found: FoundUrl) -> str | None:
        """Return why a URL is rejected; None if it is accepted, in which case it is counted under its pattern."""
        plan = self.plan
        if found.kind == "robots":
            return None
        host = get_netloc(found.url)
        if found.kind != "result" and not plan.portal and not self._is_allowed(host):
            return "on another site"
        if found.kind != "page":
            return self._check_count(find_site_name(found.url), found.kind)
        if plan.depth is not None and found.depth > plan.depth:
            return "too deep"
        if found.depth and not plan.is_wanted(found.url):
            return "excluded by URL patterns"
        pattern = find_pattern(found.url)
        return find_trap(found.url) or (self._check_count(host, pattern) if pattern else None)

    def _is_allowed(self, host: str) -> bool:
        if host not in self.allowed_hosts:
            self.allowed_hosts[host] = self.plan.is_allowed(find_host(f"http://{host}"))
        return self.allowed_hosts[host]

    def _check_count(self, owner: str, pattern: str) -> str | None:
        """Return why a URL is rejected if its host or site has too many URLs of its pattern; else count it."""
        row = self.sql.execute("select count from patterns where host = ? and pattern = ?", [owner, pattern]).fetchone()
        reason = check_limit(pattern, row[0] if row else 0)
        if reason is None:
            self.sql.execute(
                "insert into patterns values (?, ?, 1) on conflict do update set count = count + 1", [owner, pattern]
            )
        return reason
