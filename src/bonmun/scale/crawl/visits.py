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
from bonmun.page import Page
from bonmun.scale.crawl.archive.warc_writer import Revisit, WarcMetadata
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.keywords import Keywords
from bonmun.scale.crawl.discover.links import FEED_TYPES
from bonmun.scale.crawl.discover.portal import Portal
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_url
from bonmun.scale.crawl.fetch.layouts import PageVersions, name_snapshot
from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES, Robots
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

__all__ = ["ResponseProcessor", "is_body_wanted"]

PAGE_TYPES = {"", "text/html", "application/xhtml+xml"}
XML_TYPES = {"application/xml", "text/xml", "text/plain", "application/json", "application/gzip", "application/x-gzip"}
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
MAX_REDIRECTS = 10
MAX_ROBOTS_REDIRECTS = 5
BUSY_STATUSES = {429, 503}
ERROR_STATUSES = {408, 425, 500, 502, 504, 520, 521, 522, 523, 524}
MAX_TRIES = 4
MAX_RETRY_AFTER_SECONDS = 3600.0  # a URL with a longer Retry-After is not retried
MAX_NESTED_SITEMAPS = 5


def is_body_wanted(kind: str, status: int, header: str) -> bool:
    """Return whether to read the body of a response, by the kind of URL, the status and the Content-Type header."""
    content_type = header.partition(";")[0].strip().lower()
    if kind in ("page", "result") and 200 <= status < 300:
        return content_type in PAGE_TYPES | FEED_TYPES | XML_TYPES
    return True


@dataclass(slots=True)
class _Content:
    """The content of a response."""

    links: Sequence[PageLink] = ()  # all links, for the metadata record
    found: Sequence[FoundUrl] = ()  # URLs to add to the frontier
    is_page: bool = False
    canonical: str | None = None
    error: str | None = None
    is_kept: bool = True  # whether to write a record


class ResponseProcessor:
    """Processes the responses and failures of a crawl."""

    def __init__(self, plan: CrawlPlan, frontier: Frontier, writer: WarcWriter, snapshots: Path | None = None) -> None:
        self.plan = plan
        self.frontier = frontier
        self.writer = writer
        self.snapshots = snapshots  # a folder
        self.keywords = Keywords(plan.keywords) if plan.keywords else None
        self.portal = Portal(articles=plan.articles) if plan.portal else None

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

    def handle_response(self, claim: Claim, exchange: Exchange, versions: PageVersions | None = None) -> None:
        """Write a response to a WARC file and add the URLs found in it, or retry it later.

        `versions` is the page as fetched and rendered, if there is a renderer.
        """
        if self._retry(claim, exchange):
            return
        content = self._read(claim, exchange, versions)
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
            snapshot=self._save_snapshot(claim, versions) if versions and content.is_page else None,
        )
        etag, modified = exchange.get_header("etag") or None, exchange.get_header("last-modified") or None
        if exchange.status == 304:
            etag, modified = etag or claim.etag, modified or claim.modified
        if fetch.snapshot:  # the HTML may be unchanged while the rendered content changes
            etag = modified = None
        self.frontier.finish(claim, fetch, content.found, etag=etag, modified=modified)

    def _save_snapshot(self, claim: Claim, versions: PageVersions) -> str | None:
        """Write the snapshot of a page before the page is marked as done. Return its file name."""
        if versions.snapshot is None or self.snapshots is None:
            return None
        self.snapshots.mkdir(exist_ok=True)
        name = name_snapshot(claim.id, self.frontier.count_fetches(claim.id), claim.url)
        write_bytes(self.snapshots / name, versions.snapshot)
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

    def _read(self, claim: Claim, exchange: Exchange, versions: PageVersions | None) -> _Content:
        """Return the content of a response."""
        if exchange.status in REDIRECT_STATUSES:
            return self._read_redirect(claim, exchange)
        if claim.kind == "robots":
            return self._read_robots(claim, exchange)
        if exchange.status == 304:
            return _Content(is_page=claim.kind == "page")
        if not 200 <= exchange.status < 300:
            return _Content(error=f"HTTP status {exchange.status}")
        if not is_body_wanted(claim.kind, exchange.status, exchange.get_header("content-type")):
            return _Content(error=f"not a page: {exchange.content_type}", is_kept=False)
        try:
            body = exchange.decode_body(self.plan.max_bytes)
            if claim.kind in ("sitemap", "feed"):
                read = read_sitemap if claim.kind == "sitemap" else read_feed
                links = read(body, exchange.url)
                return _Content(links, self._follow(claim, links))
            return self._read_page(claim, exchange, body, versions)
        except TooBig as problem:
            return _Content(error=str(problem), is_kept=False)
        except BonmunError as problem:
            return _Content(error=str(problem))

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
        max_redirects = MAX_ROBOTS_REDIRECTS if claim.kind == "robots" else MAX_REDIRECTS
        if target is None or claim.hops >= max_redirects:
            error = "too many redirects" if target else "redirects to a URL that cannot be fetched"
            if claim.kind == "robots":
                self._set_robots(claim, b"", 404)  # RFC 9309: treated as missing
            return _Content(error=error)
        found = FoundUrl(target, claim.kind, claim.depth, claim.hops + 1, claim.via, claim.anchor)
        if claim.kind == "robots":
            # a separate row for each host, because several may share the file
            return _Content(found=[found._replace(url=f"{target}#{claim.host}.{found.hops}", via=claim.host)])
        return _Content(found=[found])

    def _read_robots(self, claim: Claim, exchange: Exchange) -> _Content:
        body = b""
        if exchange.status < 300:
            try:
                body = exchange.decode_body(self.plan.max_bytes)
            except BonmunError:  # treated as empty
                body = b""
        robots = self._set_robots(claim, body, exchange.status)
        sitemaps = robots.sitemaps if self.plan.sitemaps else []
        return _Content(found=[FoundUrl(each, "sitemap", via=exchange.url) for each in sitemaps])

    def _read_page(self, claim: Claim, exchange: Exchange, body: bytes, versions: PageVersions | None) -> _Content:
        if exchange.content_type not in PAGE_TYPES and exchange.content_type != "text/plain":
            links = read_feed(body, exchange.url) or read_sitemap(body, exchange.url)
            return _Content(links, self._follow(claim, links) if self.plan.sitemaps else ())
        if versions is None:
            versions = PageVersions(Page.parse(body, exchange.url, exchange.charset, max_bytes=self.plan.max_bytes))
        links = versions.find_links(exchange.url)
        if self.portal:
            return self._read_portal(claim, versions, links)
        content = _Content(links, is_page=True, canonical=versions.find_canonical(exchange.url), error=versions.problem)
        if versions.allows_following:
            content.found = self._follow(claim, links)
        if self.keywords and not self.keywords.matches("\n".join(versions.list_texts())):
            content.is_page = content.is_kept = False
            content.error = "contains no keyword"
        return content

    def _read_portal(self, claim: Claim, versions: PageVersions, links: Sequence[PageLink]) -> _Content:
        """Return the further pages and articles of a result page; from an article, no links are followed."""
        assert self.portal
        if claim.kind != "result":
            return _Content(links, is_page=True, error=versions.problem)
        further, articles = self.portal.sort_links(versions.best, claim.url)
        found = [FoundUrl(link.url, "result", claim.depth + 1, 0, claim.url, link.anchor) for link in further]
        found += [FoundUrl(link.url, "page", claim.depth + 1, 0, claim.url, link.anchor) for link in articles]
        return _Content(links, found, error=versions.problem)

    def _follow(self, claim: Claim, links: Sequence[PageLink]) -> list[FoundUrl]:
        """Return the URLs to add to the frontier."""
        found = []
        for link in links:
            if not link.follow:
                self.frontier.count("left out: nofollow")
            elif link.kind in ("sitemap", "feed"):
                if self.plan.sitemaps and (claim.kind != "sitemap" or claim.hops < MAX_NESTED_SITEMAPS):
                    hops = claim.hops + 1 if claim.kind == "sitemap" else 0
                    found.append(FoundUrl(link.url, link.kind, claim.depth, hops, claim.url))
            elif link.kind == "redirect":
                if claim.hops < MAX_REDIRECTS:
                    found.append(FoundUrl(link.url, "page", claim.depth, claim.hops + 1, claim.via, claim.anchor))
            else:
                found.append(FoundUrl(link.url, "page", claim.depth + 1, 0, claim.url, link.anchor))
        return found

    def _set_robots(self, claim: Claim, body: bytes, status: int) -> Robots:
        self.frontier.set_robots(claim.host, body[:MAX_ROBOTS_BYTES], status)
        return Robots.parse(body, status, claim.url)


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
        time_ready = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if time_ready.tzinfo is None:
        time_ready = time_ready.replace(tzinfo=UTC)
    return max(0.0, time_ready.timestamp() - time())
