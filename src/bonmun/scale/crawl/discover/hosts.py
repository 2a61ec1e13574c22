"""Names of hosts as browsers read them: lower case, punycode, and addresses in their one usual form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import unquote

__all__ = ["HOST_CHARS", "read_host"]

HOST_CHARS = 253  # of a name, and 63 of each part between full stops: what DNS carries
NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
DOTS = str.maketrans("。．｡", "...")  # full stops of other scripts, which part a host's name, too


@lru_cache(maxsize=4096)
def read_host(host: str) -> str | None:
    """A host's name or address as it is sent; None if it can be neither.

    >>> read_host("WWW.Example.ORG."), read_host("한국.example"), read_host("127.1"), read_host("a b")
    ('www.example.org', 'xn--3e0b707e.example', '127.0.0.1', None)
    """
    if host.startswith("["):
        return _read_ipv6(host)
    if "%" in host:
        host = unquote(host)
    host = host.lower() if host.isascii() else _make_ascii(host)
    host = host.removesuffix(".")
    if len(host) > HOST_CHARS or not NAME.fullmatch(host):
        return None
    return _read_ipv4(host) if NUMBER.fullmatch(host.rpartition(".")[2]) else host


def _make_ascii(host: str) -> str:
    """A name of any script in punycode; names that only browsers allow (emoji) are written like the others."""
    import idna  # which comes with httpx

    if len(host) > HOST_CHARS or "\ufffd" in host:
        return ""
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        labels = unicodedata.normalize("NFKC", host.translate(DOTS)).casefold().split(".")
    try:
        return ".".join(
            label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii") for label in labels
        )
    except UnicodeError:  # half characters
        return ""


def _read_ipv4(host: str) -> str | None:
    """An IPv4 address in any spelling that browsers take: `127.1`, `0x7f000001`, `0177.0.0.1`."""
    parts = host.split(".")
    if len(parts) > 4 or not all(map(NUMBER.fullmatch, parts)):
        return None
    try:
        *heads, last = [_read_number(part) for part in parts]
    except ValueError:
        return None
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        return None
    return str(IPv4Address(sum(head << 8 * (3 - place) for place, head in enumerate(heads)) + last))


def _read_number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") else 10)


def _read_ipv6(host: str) -> str | None:
    try:
        return f"[{IPv6Address(host[1:-1])}]" if host.endswith("]") and "%" not in host else None
    except ValueError:
        return None
