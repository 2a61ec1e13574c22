"""Access control: check the host name, the origin, the token and the key of the inspector.

Every web page in a browser on this machine can send requests to a service on loopback. The Host header protects against
DNS rebinding; Origin and Sec-Fetch-Site reveal requests from pages of other sites. The API of the inspector also needs
a key, which is printed when the service starts.
"""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from bonmun.app.serve.settings import LOCALHOST, is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["ANY_HOST", "AccessControl", "AccessDenied"]

ANY_HOST = "*"
# For monitoring, and our own static pages, which ask for the token; they reveal nothing about pages.
OPEN_PATHS = frozenset({"/health", "/ready", "/docs"})
HOME = "/"  # with a query, it downloads a page
STATIC = "/static"
INSPECTOR = "/inspector"
INSPECTOR_API = "/inspector/api"
PORT = re.compile(":[0-9]{1,5}")
ALLOWED_FETCH_SITES = frozenset({"same-origin", "none"})  # none: entered by the user


class AccessDenied(Exception):
    """A refused request, with the HTTP status and a message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class AccessControl:
    """Access rules of a service, checked against the headers of every request; `key` is the key of the inspector."""

    def __init__(self, settings: ServiceOptions, key: str) -> None:
        self.settings = settings
        self.key = key.encode()
        self.token = settings.token.encode() if settings.token else None
        self.hosts = {host.lower() for host in settings.allowed_hosts}

    def check(self, path: str, headers: Mapping[str, str], query: bytes = b"") -> None:
        """Raise AccessDenied if a request with these headers may not access this path."""
        host = headers.get("host", "")
        if not self.is_known_host(host):
            raise AccessDenied(
                403, f"The host name {_shorten(host)} is not allowed: use --allow-host, or the name of the service."
            )
        self._check_site(host.lower(), headers)
        if _is_under(path, INSPECTOR_API):
            if not _is_same(headers.get("x-bonmun-key", ""), self.key):
                raise AccessDenied(401, "The inspector's key is missing or wrong: open the URL that bonmun printed.")
        elif self.token is not None and not _is_open(path, query):
            kind, _, token = headers.get("authorization", "").partition(" ")
            if kind.lower() != "bearer" or not _is_same(token.strip(), self.token):
                raise AccessDenied(401, "The token is missing or wrong: send the header `Authorization: Bearer TOKEN`.")

    def is_known_host(self, host: str) -> bool:
        """Whether a Host header names the service: a loopback name with its port, its own name, or an allowed one.

        If other machines can reach the service and no hosts are set, any name is allowed: the token protects it.
        """
        name, port = split_host(host.lower())
        if name is None:
            return False
        if {name, host.lower()} & self.hosts or ANY_HOST in self.hosts:
            return True
        if not self.settings.is_local and not self.hosts:
            return True
        return port == self.settings.port and (is_loopback(name) or name == self.settings.host.lower())

    def _check_site(self, host: str, headers: Mapping[str, str]) -> None:
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            raise AccessDenied(403, f"Web pages of {_shorten(origin)} may not use this service.")
        if headers.get("sec-fetch-site", "none").lower() not in ALLOWED_FETCH_SITES:
            raise AccessDenied(403, "Web pages of other sites may not use this service.")


def split_host(host: str) -> tuple[str | None, int | None]:
    """Return the name and the port in a Host header, or None for both if it is invalid."""
    if host.startswith("["):
        name, bracket, rest = host[1:].partition("]")
        if not bracket:
            return None, None
    else:
        name, colon, rest = host.partition(":")
        rest = colon + rest
    if not name or (rest and not PORT.fullmatch(rest)):
        return None, None
    return name.rstrip(".") if name.rstrip(".") == LOCALHOST else name, int(rest[1:]) if rest else 80


def _is_open(path: str, query: bytes) -> bool:
    """Whether a request needs no token."""
    is_home = path == HOME and not query
    return is_home or path in OPEN_PATHS or _is_under(path, INSPECTOR) or _is_under(path, STATIC)


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _is_same(given: str, expected: bytes) -> bool:
    """Compare in constant time, so that response times reveal nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected)


def _shorten(text: str) -> str:
    return repr(text[:100])
