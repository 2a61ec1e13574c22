"""A small crawl for assistants: the first pages of a site, breadth first, as its robots.txt allows."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from bonmun.app.serve.tool_jobs import robots_job, site_links_job
from bonmun.errors import BonmunError, Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bonmun.app.serve.jobs import JobLimits
    from bonmun.app.serve.tool_jobs import SiteLinks, StoredPage
    from bonmun.work.workers import Workers

__all__ = ["crawl_site"]

PAUSE_SECONDS = 1.0  # between two requests
HEAD_TOKENS = 150  # per page, for its title, address and size
MIN_TOKENS = 200  # of the beginning of a page; with less room, only its title is written


async def crawl_site(
    workers: Workers,
    limits: JobLimits,
    get_page: Callable[[str], Awaitable[StoredPage]],
    url: str,
    max_pages: int,
    max_tokens: int,
) -> str:
    """Return title, URL, size and beginning of the first pages of a site. Raises the error of the first page."""
    robots: Any = await workers.run(robots_job, urljoin(url, "/robots.txt"), limits)
    if not robots.allows(url):
        raise Refused(f"The robots.txt of the site does not allow {url}.")
    room = max_tokens // max_pages - HEAD_TOKENS
    waiting, seen = deque([url]), {url}
    written: list[str] = []
    while waiting and len(written) < max_pages:
        if written:
            await asyncio.sleep(robots.delay if robots.delay and robots.delay < 10 else PAUSE_SECONDS)
        address = waiting.popleft()
        try:
            page = await get_page(address)
            found: SiteLinks = await workers.run(site_links_job, page, max(room, MIN_TOKENS), limits)
        except BonmunError:
            if not written:
                raise
            continue
        written.append(_describe(address, found, has_text=room >= MIN_TOKENS))
        for link in found.links:
            if link not in seen and robots.allows(link):
                seen.add(link)
                waiting.append(link)
    left = f"\n[{len(waiting):,} more links of this site were found; read one with the tool read.]\n" if waiting else ""
    return "\n".join(written) + left


def _describe(url: str, found: SiteLinks, *, has_text: bool) -> str:
    head = f"# {found.title[:100]}\n{url[:300]} (about {found.tokens:,} tokens)\n"
    return f"{head}\n{found.beginning}\n" if has_text else head
