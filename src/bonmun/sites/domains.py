"""Find the site a URL belongs to: its registered domain."""

from __future__ import annotations

from functools import cache, lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bonmun.errors import BadConfig, MissingExtra

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

__all__ = ["find_host", "find_registered_domain", "find_site_name"]


def find_site_name(url: str | None) -> str:
    """Return the site a URL belongs to, its registered domain: `example.co.kr` for `news.example.co.kr`."""
    host = find_host(url)
    if not host:
        raise BadConfig("The site of a page without a URL is unknown: name the site.")
    return find_registered_domain(host)


@lru_cache(maxsize=4096)
def find_registered_domain(host: str) -> str:
    """Return the registered domain of a host without port and brackets, or the host itself if it has none."""
    try:
        ip_address(host)
    except ValueError:
        return _load_suffixes().privatesuffix(host) or host
    return host


@cache
def _load_suffixes() -> PublicSuffixList:
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError:
        raise MissingExtra("Site names need publicsuffixlist: pip install 'bonmun[corpus]'.") from None
    return PublicSuffixList(only_icann=True)  # a blog platform counts as one site, because its blogs share a template


def find_host(url: str | None) -> str:
    """Return the host of a URL, or an empty string if it has none."""
    try:
        return (urlsplit(url or "").hostname or "").rstrip(".")
    except ValueError:
        return ""
