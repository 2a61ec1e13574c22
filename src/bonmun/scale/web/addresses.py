"""Resolve host names and refuse addresses that are not on the public internet."""

from __future__ import annotations

import ipaddress
import socket
import threading
from concurrent.futures import Future

from bonmun.errors import AddressRefused, HostSilent

__all__ = ["is_public", "resolve_host"]

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Cloud metadata services that Python 3.11 calls public: Oracle, and the Azure host agent.
CLOUD_NETWORKS = [ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("168.63.129.16/32")]


def resolve_host(host: str, name: str, seconds: float, allow_private: bool) -> list[str]:
    """Return all IP addresses of a host.

    Raise AddressRefused if one of them is private, unless `allow_private` is set. Raise HostSilent if the host does not
    exist, and TimeoutError after `seconds`. `name` stands for the URL in error messages.
    """
    answer: Future[list[str]] = Future()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answer.set_result(list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found)))
        except (OSError, UnicodeError) as exc:
            answer.set_exception(exc)

    # in a thread, because getaddrinfo has no timeout
    threading.Thread(target=look_up, daemon=True).start()
    try:
        addresses = answer.result(seconds)
    except TimeoutError:
        raise
    except (OSError, UnicodeError) as exc:
        raise HostSilent(f"{name} cannot be fetched: its host was not found ({exc}); check the spelling.") from exc
    for address in addresses:
        if not allow_private and not is_public(address):
            hint = "if you trust the URL, set allow_private (--allow-private)"
            raise AddressRefused(f"{name} leads to {address}, which is not a public address; {hint}.")
    return addresses


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet: not local, private, or a cloud metadata service."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if ip in NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None:
            return ip in GLOBAL_UNICAST and ip.is_global  # false for all of Teredo, 2001::/32
        ip = inner
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in CLOUD_NETWORKS)
