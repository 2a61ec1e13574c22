"""What a crawl is asked to do: one frozen record, kept in the crawl's folder, so that it can go on after any end."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from bonmun.errors import BadConfig, BadInput, FetchFailed
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.web.download import check_url, shorten_url
from bonmun.sites.domains import find_site_name
from bonmun.work.files import write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PLAN_NAME", "CrawlPlan", "Rendering", "check_rendering"]

PLAN_NAME = "plan.json"
Rendering = Literal["never", "auto", "always"]
LONGEST_DELAY_SECONDS = 3600
ADDRESS = re.compile(r"[^\s/]{1,253}:[0-9]{1,5}")


@dataclass(frozen=True, kw_only=True)
class CrawlPlan:
    """What to fetch, how much of it, and how gently.

    CrawlPlan(seeds=("https://blog.example/",), pages=1000)
    """

    seeds: tuple[str, ...]
    domains: tuple[str, ...] = ()  # these hosts and those below them; if none are named, the sites of the seeds
    include: tuple[str, ...] = ()  # patterns such as */blog/*: only these are followed
    exclude: tuple[str, ...] = ()
    depth: int | None = None  # clicks from a seed, at most
    pages: int | None = None  # at most
    bytes: int | None = None  # received, at most; those on their way when it is reached still come
    host_pages: int | None = None  # of one host, at most
    keywords: tuple[str, ...] = ()  # only pages with one of these words are kept
    portal: bool = False  # the seeds are result pages: their next pages and the articles they lead to are fetched
    articles: str | None = None  # a pattern that the articles of a portal have
    sitemaps: bool = True  # also sitemaps and feeds are read
    delay: float = 1.0  # seconds between two requests to a host, at least
    connections: int = 1  # to one host at a time
    requests: int = 16  # on their way at a time, in all
    timeout: float = 60.0  # seconds for one request
    retry: float = 5.0  # seconds until the second try; the next ones wait longer
    max_bytes: int = 20_000_000  # of one page
    warc_bytes: int = 1_000_000_000  # of one file
    agent: str = "bonmun"  # the name that robots.txt knows us by
    render: Rendering = "never"  # pages laid out by a browser: all of them, or those that are empty without scripts
    render_urls: tuple[str, ...] = ()  # patterns: pages like these are laid out, too
    allow_private: bool = False  # also addresses of this network
    resolve: str | None = None  # "127.0.0.1:8080": where all hosts are, for tests and mirrors

    def __post_init__(self) -> None:
        if not self.seeds:
            raise BadConfig("A crawl begins somewhere: give one URL or more.")
        for seed in self.seeds:
            _check_seed(seed)
        least = {"depth": 0, "pages": 1, "bytes": 1, "host_pages": 1, "connections": 1, "requests": 1, "max_bytes": 1}
        for name, low in least.items():
            value = getattr(self, name)
            if value is not None and value < low:
                raise BadConfig(f"{name} must be at least {low}, not {value}.")
        if not 0 <= self.delay <= LONGEST_DELAY_SECONDS:
            raise BadConfig(f"delay must be 0 to {LONGEST_DELAY_SECONDS} seconds, not {self.delay}.")
        if self.timeout <= 0 or self.retry < 0:
            raise BadConfig("timeout and retry must be positive numbers of seconds.")
        if self.warc_bytes < 1_000_000:
            raise BadConfig(f"warc_bytes must be at least 1,000,000, not {self.warc_bytes}.")
        if not self.agent.isascii() or not self.agent.replace("-", "").replace("_", "").isalnum():
            raise BadConfig(f"agent is a name of letters, digits, - and _, as robots.txt has them, not {self.agent!r}.")
        check_rendering(self.render)
        if self.resolve is not None and not ADDRESS.fullmatch(self.resolve):
            raise BadConfig(f"resolve is an address and a port, such as 127.0.0.1:8080, not {self.resolve!r}.")
        if self.articles is not None and not self.portal:
            raise BadConfig("A pattern of articles is for a portal: set portal, too (--portal).")

    @cached_property
    def allowed_domains(self) -> tuple[str, ...]:
        """The hosts that are followed, and those below them."""
        if self.domains:
            return tuple(domain.lower().strip(".") for domain in self.domains)
        return tuple(dict.fromkeys(find_site_name(seed) for seed in self.seeds))

    @property
    def needs_browser(self) -> bool:
        """Whether some pages may have to be laid out."""
        return self.render != "never" or bool(self.render_urls)

    def is_rendered(self, url: str) -> bool:
        """Whether a URL has one of the patterns of pages that are always laid out."""
        return any(fnmatchcase(url, pattern) for pattern in self.render_urls)

    def is_allowed(self, host: str) -> bool:
        """Whether a host, without its port, is on one of the domains."""
        return any(host == domain or host.endswith(f".{domain}") for domain in self.allowed_domains)

    def is_wanted(self, url: str) -> bool:
        """Whether a URL has the patterns that are asked for."""
        if any(fnmatchcase(url, pattern) for pattern in self.exclude):
            return False
        return not self.include or any(fnmatchcase(url, pattern) for pattern in self.include)

    def save(self, folder: Path) -> None:
        """Write it into the crawl's folder."""
        write_text(folder / PLAN_NAME, json.dumps(asdict(self), indent=1, ensure_ascii=False))

    @classmethod
    def load(cls, folder: Path) -> CrawlPlan:
        """The plan of a crawl that was begun."""
        path = folder / PLAN_NAME
        try:
            saved = json.loads(path.read_bytes())
            return cls(**{name: _freeze(saved[name]) for name in (each.name for each in fields(cls)) if name in saved})
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, BadConfig) as problem:
            raise BadInput(
                f"{path}: this is no plan of a crawl; move the folder away, or give another one."
            ) from problem


def _check_seed(seed: str) -> None:
    name = shorten_url(seed)
    try:
        check_url(seed, name)
    except FetchFailed as problem:
        raise BadConfig(str(problem)) from None
    if normalise_url(seed) is None:
        raise BadConfig(f"{name} cannot be fetched: give an http or https address of an ordinary length.")


def check_rendering(name: str) -> Rendering:
    """When pages are laid out; raise if there is no such time."""
    if name not in get_args(Rendering):
        raise BadConfig(f"render is one of {', '.join(get_args(Rendering))}, not {name!r}.")
    return cast("Rendering", name)


def _freeze(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
