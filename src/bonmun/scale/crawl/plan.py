"""The plan of a crawl: one frozen record, saved in the output folder so that the crawl can be resumed."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, get_args

from bonmun.errors import BadConfig, BadInput, FetchFailed
from bonmun.scale.browser.render_options import Rendering
from bonmun.settings import check_settings, setting
from bonmun.work.cached import cached_property
from bonmun.work.files import write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PLAN_NAME", "CrawlPlan", "Rendering"]

PLAN_NAME = "plan.json"
MAX_DELAY_SECONDS = 3600
MIN_WARC_BYTES = 1_000_000
HOST_AND_PORT = re.compile(r"[^\s/]{1,253}:[0-9]{1,5}")


@dataclass(frozen=True, kw_only=True)
class CrawlPlan:
    """What to crawl, how much of it, and how politely.

    CrawlPlan(seeds=("https://blog.example/",), pages=1000)
    """

    seeds: tuple[str, ...]
    domains: tuple[str, ...] = setting(
        (),
        "Follow links to this host and its subdomains (default: the sites of the seeds).",
        stage="scope",
        flags=("--domain",),
        metavar="HOST",
    )
    include: tuple[str, ...] = setting(
        (), "Follow only URLs that match this pattern, such as '*/blog/*'.", stage="scope", metavar="PATTERN"
    )
    exclude: tuple[str, ...] = setting(
        (), "Do not follow URLs that match this pattern.", stage="scope", metavar="PATTERN"
    )
    depth: int | None = setting(None, "Maximum number of clicks from a seed.", stage="scope", kind="integer", minimum=0)
    pages: int | None = setting(None, "Maximum number of pages.", stage="scope", kind="integer", minimum=1)
    bytes: int | None = setting(None, "Maximum number of bytes to receive.", stage="scope", kind="integer", minimum=1)
    host_pages: int | None = setting(
        None, "Maximum number of pages per host.", stage="scope", kind="integer", minimum=1
    )
    keywords: tuple[str, ...] = setting(
        (), "Keep only pages that contain one of these words.", stage="scope", flags=("--keyword",), metavar="WORD"
    )
    portal: bool = setting(False, "Treat seeds as search results: fetch the articles they link to.", stage="scope")
    articles: str | None = setting(
        None, "Pattern of article URLs (with --portal).", stage="scope", kind="text", metavar="PATTERN"
    )
    sitemaps: bool = setting(True, "Read sitemaps and feeds.", stage="scope")
    delay: float = setting(
        1.0, "Seconds between two requests to a host.", stage="politeness", minimum=0, maximum=MAX_DELAY_SECONDS
    )
    connections: int = setting(1, "Connections per host.", stage="politeness", minimum=1)
    agent: str = setting("bonmun", "Name of the crawler for robots.txt.", stage="politeness", metavar="NAME")
    allow_private: bool = setting(False, "Allow URLs that lead into the local network.", stage="fetch")
    resolve: str | None = setting(
        None,
        "Connect to this address for every host (tests, mirrors).",
        stage="fetch",
        kind="text",
        metavar="ADDRESS:PORT",
    )
    max_bytes: int = setting(20_000_000, "Maximum page size in bytes.", stage="read", minimum=1)
    render: Rendering = setting(
        "never",
        "Render no pages, those that are empty without scripts, or all.",
        stage="render",
        choices=get_args(Rendering),
    )
    render_urls: tuple[str, ...] = setting(
        (), "Also render URLs that match this pattern.", stage="render", flags=("--render-url",), metavar="PATTERN"
    )
    requests: int = 16  # in flight at a time, over all hosts
    timeout: float = 60.0  # seconds per request
    reading: float = 20.0  # seconds to read a response; a page that takes longer fails
    retry: float = 5.0  # seconds before the first retry; later ones wait longer
    warc_bytes: int = 1_000_000_000  # size of a WARC file

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.seeds:
            raise BadConfig("A crawl needs at least one seed URL.")
        for seed in self.seeds:
            _check_seed(seed)
        if self.requests < 1:
            raise BadConfig(f"requests must be at least 1, not {self.requests}.")
        if self.timeout <= 0 or self.reading <= 0 or self.retry < 0:
            raise BadConfig("timeout, reading and retry must be positive numbers of seconds.")
        if self.warc_bytes < MIN_WARC_BYTES:
            raise BadConfig(f"warc_bytes must be at least {MIN_WARC_BYTES:,}, not {self.warc_bytes}.")
        if not self.agent.isascii() or not self.agent.replace("-", "").replace("_", "").isalnum():
            raise BadConfig(f"agent must consist of letters, digits, - and _, as in robots.txt, not {self.agent!r}.")
        if self.resolve is not None and not HOST_AND_PORT.fullmatch(self.resolve):
            raise BadConfig(f"resolve must be an address and a port such as 127.0.0.1:8080, not {self.resolve!r}.")
        if self.articles is not None and not self.portal:
            raise BadConfig("articles only applies to portals: add portal (--portal).")

    @cached_property
    def allowed_domains(self) -> tuple[str, ...]:
        """Hosts whose links are followed, with their subdomains."""
        if self.domains:
            return tuple(domain.lower().strip(".") for domain in self.domains)
        from bonmun.sites.domains import find_site_name

        return tuple(dict.fromkeys(find_site_name(seed) for seed in self.seeds))

    @property
    def needs_browser(self) -> bool:
        """Whether some pages may have to be rendered."""
        return self.render != "never" or bool(self.render_urls)

    def is_rendered(self, url: str) -> bool:
        """Whether a URL matches a pattern of pages that are always rendered."""
        return any(fnmatchcase(url, pattern) for pattern in self.render_urls)

    def is_allowed(self, host: str) -> bool:
        """Whether a host (without port) belongs to one of the domains."""
        return any(host == domain or host.endswith(f".{domain}") for domain in self.allowed_domains)

    def is_wanted(self, url: str) -> bool:
        """Whether a URL matches the include and exclude patterns."""
        if any(fnmatchcase(url, pattern) for pattern in self.exclude):
            return False
        return not self.include or any(fnmatchcase(url, pattern) for pattern in self.include)

    def save(self, folder: Path) -> None:
        """Save the plan in the output folder."""
        write_text(folder / PLAN_NAME, json.dumps(asdict(self), indent=1, ensure_ascii=False))

    @classmethod
    def load(cls, folder: Path) -> CrawlPlan:
        """Load the plan of a crawl."""
        path = folder / PLAN_NAME
        try:
            saved = json.loads(path.read_bytes())
            return cls(**{name: _freeze(saved[name]) for name in (each.name for each in fields(cls)) if name in saved})
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, BadConfig) as problem:
            raise BadInput(f"{path}: not the plan of a crawl; choose another output folder.") from problem


def _check_seed(seed: str) -> None:
    from bonmun.scale.crawl.discover.urls import normalise_url
    from bonmun.scale.web.download import check_url, shorten_url  # httpx takes long to load, and help needs this module

    name = shorten_url(seed)
    try:
        check_url(seed, name)
    except FetchFailed as problem:
        raise BadConfig(str(problem)) from None
    if normalise_url(seed) is None:
        raise BadConfig(f"{name} cannot be fetched: give an http or https URL of ordinary length.")


def _freeze(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
