"""Process responses: write WARC records and add the URLs found to the frontier. Independent of the HTTP client."""

from __future__ import annotations

import string
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from bonmun.errors import AddressRefused, BonmunError, HostSilent, TooBig
from bonmun.scale.crawl.archive.warc_writer import Revisit, WarcMetadata
from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_url
from bonmun.scale.crawl.fetch.layouts import name_snapshot
from bonmun.scale.crawl.fetch.reading import LIMIT_ERRORS, PageContent, is_readable, make_request, read_response
from bonmun.scale.crawl.frontier.frontier import CONNECT_FAILURE_WEIGHT, NO_RESPONSE, TIMEOUT_FAILURE_WEIGHT
from bonmun.scale.crawl.frontier.tickets import Fetch, FoundUrl
from bonmun.work.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.scale.crawl.archive.warc_writer import WarcWriter
    from bonmun.scale.crawl.discover.links import PageLink
    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Claim, EarlierFetch
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["ResponseProcessor"]

REDIRECT_STATUSES = {301, 302, 303, 307, 308}
MAX_REDIRECTS = 10
MAX_ROBOTS_REDIRECTS = 5
BUSY_STATUSES = {429, 503}
ERROR_STATUSES = {408, 425, 500, 502, 504, 520, 521, 522, 523, 524}
MAX_TRIES = 4
MAX_DATE_CHARS = 60  # of a Retry-After header
MAX_RETRY_AFTER_SECONDS = 3600.0  # a URL with a longer Retry-After is not retried
MAX_NESTED = {"sitemap": 5, "feed": 100}  # lists that led to a sitemap, or to a page of a feed, one after the other


@dataclass(slots=True)
class _Content:
    """The content of a response."""

    links: Sequence[PageLink] = ()  # all links, for the metadata record
    found: Sequence[FoundUrl] = ()  # URLs to add to the frontier
    is_page: bool = False
    canonical: str | None = None
    error: str | None = None
    is_kept: bool = True  # whether to write a record
    is_failed: bool = False
    snapshot: bytes | None = None


class ResponseProcessor:
    """Processes the responses and failures of a crawl."""

    def __init__(self, plan: CrawlPlan, frontier: Frontier, writer: WarcWriter, snapshots: Path | None = None) -> None:
        self.plan = plan
        self.frontier = frontier
        self.writer = writer
        self.snapshots = snapshots  # a folder

    def handle_failure(self, claim: Claim, problem: BonmunError, *, is_final: bool = False) -> None:
        """Retry a request that failed without a response later, or give up."""
        may_retry = not is_final and not isinstance(problem, AddressRefused | TooBig)
        if may_retry and claim.tries + 1 < MAX_TRIES:
            ready = time() + self.plan.retry * 2**claim.tries
            is_silent = isinstance(problem, HostSilent)
            weight = CONNECT_FAILURE_WEIGHT if is_silent else TIMEOUT_FAILURE_WEIGHT
            self.frontier.retry(claim, ready, whole_host=is_silent, failures=weight)
            return
        received = self.plan.max_bytes if isinstance(problem, TooBig) else 0
        fetch = Fetch(fetched=time(), bytes=received, tries=claim.tries + 1, error=str(problem))
        self.frontier.finish(claim, fetch)
        if claim.kind == "robots":
            with self.frontier.transaction():
                self.frontier.set_robots(claim.host, b"", NO_RESPONSE)

    def handle_response(self, claim: Claim, exchange: Exchange, read: PageContent | BonmunError | None = None) -> None:
        """Write a response to a WARC file and add the URLs found in it, or retry it later.

        `read` is the content of its body, or why it cannot be read. Without it, the body is read here.
        """
        if self._retry(claim, exchange):
            return
        content = self._read(claim, exchange, read)
        digest = None
        location = earlier = None
        if content.is_kept:
            digest = exchange.digest
            earlier = self.frontier.find_same_body(digest) if exchange.status == 200 and exchange.body else None
            if exchange.status == 304:
                earlier = self.frontier.find_last_body(claim.id)
            metadata = WarcMetadata(claim.via, claim.anchor, claim.depth, content.links)
            location = self.writer.write_exchange(exchange, metadata, _make_revisit(exchange, earlier))
        fetch = Fetch(
            fetched=exchange.started.timestamp(),
            seconds=exchange.seconds,
            status=exchange.status,
            mime=exchange.content_type or None,
            bytes=len(exchange.body),
            is_page=content.is_page,
            digest=digest,
            copy_of=earlier.id if earlier else None,
            canonical=content.canonical,
            file=location.file if location else None,
            offset=location.offset if location else None,
            length=location.length if location else None,
            tries=claim.tries + 1,
            error=content.error,
            snapshot=self._save_snapshot(claim, content.snapshot) if content.is_page else None,
        )
        etag, modified = exchange.get_header("etag") or None, exchange.get_header("last-modified") or None
        if exchange.status == 304:
            etag, modified = etag or claim.etag, modified or claim.modified
        # the HTML may be unchanged while the rendered content changes, and a robots.txt is needed in full
        if fetch.snapshot or claim.kind == "robots":
            etag = modified = None
        self.frontier.finish(claim, fetch, content.found, etag=etag, modified=modified, is_failed=content.is_failed)

    def _save_snapshot(self, claim: Claim, snapshot: bytes | None) -> str | None:
        """Write the snapshot of a page before the page is marked as done. Return its file name."""
        if snapshot is None or self.snapshots is None:
            return None
        self.snapshots.mkdir(exist_ok=True)
        name = name_snapshot(claim.id, self.frontier.count_fetches(claim.id), claim.url)
        write_bytes(self.snapshots / name, snapshot)
        return name

    def _retry(self, claim: Claim, exchange: Exchange) -> bool:
        """Schedule a retry if the host is busy or the response is an error or incomplete. Return whether it did."""
        is_busy = exchange.status in BUSY_STATUSES
        is_incomplete = exchange.truncated == "disconnect"
        if not (is_busy or is_incomplete or exchange.status in ERROR_STATUSES) or claim.tries + 1 >= MAX_TRIES:
            return False
        wait = _read_retry_after(exchange) if is_busy or exchange.get_header("retry-after") else None
        if wait is not None and wait > MAX_RETRY_AFTER_SECONDS:
            return False
        if is_incomplete and claim.tries:  # a server that sends a wrong length does so each time
            return False
        ready = time() + (self.plan.retry * 2**claim.tries if wait is None else wait)
        self.frontier.retry(claim, ready, whole_host=is_busy)
        return True

    def _read(self, claim: Claim, exchange: Exchange, read: PageContent | BonmunError | None) -> _Content:
        """Return the content of a response."""
        if exchange.status in REDIRECT_STATUSES:
            return self._read_redirect(claim, exchange)
        if claim.kind == "robots" and not 200 <= exchange.status < 300:
            self.frontier.set_robots(claim.host, b"", exchange.status)
            return _Content()
        if exchange.status == 304:
            return _Content(is_page=claim.kind == "page")
        if not 200 <= exchange.status < 300:
            return _Content(error=f"HTTP status {exchange.status}")
        if not is_readable(claim.kind, exchange):
            return _Content(error=f"not a page: {exchange.content_type}", is_kept=False)
        if read is None:
            try:
                read = read_response(make_request(self.plan, claim, exchange))
            except BonmunError as problem:
                read = problem
        if claim.kind == "robots":
            return self._sort_robots(claim, exchange, read)
        if isinstance(read, PageContent):
            return self._sort(claim, read)
        is_failed = isinstance(read, LIMIT_ERRORS)
        return _Content(error=str(read), is_kept=not isinstance(read, TooBig), is_failed=is_failed)

    def _sort(self, claim: Claim, read: PageContent) -> _Content:
        """Return what is stored of a page, sitemap or feed, and the URLs to add to the frontier."""
        if self.plan.portal and (read.is_page or claim.kind == "result"):
            return self._sort_portal(claim, read)
        if not read.is_page:  # a sitemap or a feed
            is_list = claim.kind in MAX_NESTED
            return _Content(read.links, self._follow(claim, read.links) if is_list or self.plan.sitemaps else ())
        content = _Content(
            read.links, is_page=True, canonical=read.canonical, error=read.problem, snapshot=read.snapshot
        )
        if read.allows_following:
            content.found = self._follow(claim, read.links)
        if not read.has_keyword:
            content.is_page = content.is_kept = False
            content.error = "contains no keyword"
        return content

    def _sort_portal(self, claim: Claim, read: PageContent) -> _Content:
        """Return the further pages and articles of a result page; from an article, no links are followed."""
        if claim.kind != "result":
            return _Content(read.links, is_page=True, error=read.problem, snapshot=read.snapshot)
        found = [FoundUrl(link.url, "result", claim.depth + 1, 0, claim.url, link.anchor) for link in read.results]
        found += [FoundUrl(link.url, "page", claim.depth + 1, 0, claim.url, link.anchor) for link in read.articles]
        return _Content(read.links, found, error=read.problem)

    def _read_redirect(self, claim: Claim, exchange: Exchange) -> _Content:
        location = exchange.get_header("location")
        if not location.isascii():  # in an unknown encoding: return the bytes to the server unchanged
            location = quote(location, safe=string.punctuation, encoding="latin-1")
        target = normalise_url(location, exchange.url) if location else None
        if target == claim.url and claim.kind != "robots":
            # they differ only in what is normalised, such as a session id that the server requires
            target = _keep_session(target, location, exchange.url)
            if target == claim.url:
                return _Content(error="redirects to itself")
        # the hops of a feed are mostly pages of it, see MAX_NESTED
        max_redirects = {"robots": MAX_ROBOTS_REDIRECTS, "feed": MAX_NESTED["feed"]}.get(claim.kind, MAX_REDIRECTS)
        if target is None or claim.hops >= max_redirects:
            error = "too many redirects" if target else "redirects to a URL that cannot be fetched"
            if claim.kind == "robots":
                self.frontier.set_robots(claim.host, b"", 404)  # RFC 9309: treated as missing
            return _Content(error=error)
        found = FoundUrl(target, claim.kind, claim.depth, claim.hops + 1, claim.via, claim.anchor)
        if claim.kind == "robots":
            # a separate row for each host, because several may share the file
            return _Content(found=[found._replace(url=f"{target}#{claim.host}.{found.hops}", via=claim.host)])
        return _Content(found=[found])

    def _sort_robots(self, claim: Claim, exchange: Exchange, read: PageContent | BonmunError) -> _Content:
        """Set the rules of a host. A robots.txt that exceeds a limit is unavailable, a corrupt one is empty."""
        if isinstance(read, LIMIT_ERRORS):
            self.frontier.set_robots(claim.host, b"", NO_RESPONSE)
            return _Content(error=str(read), is_failed=True)
        if not isinstance(read, PageContent):
            read = PageContent()
        self.frontier.set_robots(claim.host, read.robots_body, exchange.status, read.robots)
        sitemaps = read.robots.sitemaps if read.robots and self.plan.sitemaps else ()
        return _Content(found=[FoundUrl(each, "sitemap", via=exchange.url) for each in sitemaps])

    def _follow(self, claim: Claim, links: Sequence[PageLink]) -> list[FoundUrl]:
        """Return the URLs to add to the frontier."""
        found = []
        for link in links:
            if not link.follow:
                self.frontier.count("left out: nofollow")
            elif link.kind in ("sitemap", "feed"):
                hops = claim.hops + 1 if claim.kind in MAX_NESTED else 0
                if self.plan.sitemaps and hops <= MAX_NESTED[link.kind]:
                    found.append(FoundUrl(link.url, link.kind, claim.depth, hops, claim.url))
            elif link.kind == "redirect":
                if claim.hops < MAX_REDIRECTS:
                    found.append(FoundUrl(link.url, "page", claim.depth, claim.hops + 1, claim.via, claim.anchor))
            else:
                found.append(FoundUrl(link.url, "page", claim.depth + 1, 0, claim.url, link.anchor))
        return found


def _keep_session(target: str, location: str, url: str) -> str:
    """Return the target of a redirect with its session id, and with a normalised host."""
    try:
        parts = urlsplit(urljoin(url, location.strip()))
    except ValueError:
        return target
    path = quote(parts.path or "/", safe=string.punctuation) + (f"?{parts.query}" if parts.query else "")
    kept = "/".join(target.split("/", 3)[:3]) + path
    return kept if len(kept) <= MAX_URL_CHARS and normalise_url(kept) == target else target


def _make_revisit(exchange: Exchange, earlier: EarlierFetch | None) -> Revisit | None:
    if earlier is None:
        return None
    started = datetime.fromtimestamp(earlier.fetched, UTC)
    if exchange.status == 304:
        return Revisit(earlier.url, started, earlier.digest, "server-not-modified")
    return Revisit(earlier.url, started, earlier.digest)


def _read_retry_after(exchange: Exchange) -> float | None:
    """Return the seconds to wait according to Retry-After; None if it is missing or not valid."""
    value = exchange.get_header("retry-after").strip()
    if value.isdecimal() and value.isascii():
        return float(value[:12])
    try:
        time_ready = parsedate_to_datetime(value[:MAX_DATE_CHARS])
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    if time_ready.tzinfo is None:
        time_ready = time_ready.replace(tzinfo=UTC)
    return max(0.0, time_ready.timestamp() - time())
