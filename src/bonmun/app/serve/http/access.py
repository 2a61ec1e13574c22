"""Who may ask: only those who call the service by its own name, from no other web site, with the token if there is one.

A service on loopback can be reached by every web page that a browser on this machine shows. So a name that somebody
else's DNS has led here (DNS rebinding) is refused by the header Host, and a request that another site's page has made
by Origin and Sec-Fetch-Site. What the inspector can do needs a key, too, that only who started the service was told.
"""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from bonmun.app.serve.settings import LOCALHOST, is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["ANY_HOST", "Guard", "Refusal"]

ANY_HOST = "*"
OPEN_PATHS = frozenset({"/health", "/ready"})  # which say nothing of pages: for whoever watches the service
INSPECTOR = "/inspector"
INSPECTOR_API = "/inspector/api"
PORT = re.compile(":[0-9]{1,5}")
OWN_SITES = frozenset({"same-origin", "none"})  # none: typed by a person


class Refusal(Exception):
    """Why a request is refused: a status of HTTP and a sentence."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.status = status
        self.says = says


class Guard:
    """Looks at the headers of every request; `key` is that of the inspector."""

    def __init__(self, settings: ServiceOptions, key: str) -> None:
        self.settings = settings
        self.key = key.encode()
        self.token = settings.token.encode() if settings.token else None
        self.hosts = {host.lower() for host in settings.allowed_hosts}

    def check(self, path: str, headers: Mapping[str, str]) -> None:
        """Raise a Refusal if whoever sent these headers may not have this path."""
        host = headers.get("host", "")
        if not self.knows(host):
            raise Refusal(
                403, f"The service is not called {_shorten(host)}: allow that name with --allow-host, or use its own."
            )
        self._check_site(host.lower(), headers)
        if _is_under(path, INSPECTOR_API):
            if not _is_same(headers.get("x-bonmun-key", ""), self.key):
                raise Refusal(401, "The inspector's key is missing or wrong: open the address that bonmun printed.")
        elif self.token is not None and path not in OPEN_PATHS and not _is_under(path, INSPECTOR):
            kind, _, token = headers.get("authorization", "").partition(" ")
            if kind.lower() != "bearer" or not _is_same(token.strip(), self.token):
                raise Refusal(401, "The token is missing or wrong: send the header Authorization: Bearer TOKEN.")

    def knows(self, host: str) -> bool:
        """Whether the service is called by this name: one of loopback with its port, its own, or one that is allowed.

        Where others may call it, they do so by names that it cannot know; there the token is what keeps strangers out.
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
            raise Refusal(403, f"Web pages of {_shorten(origin)} may not ask this service.")
        if headers.get("sec-fetch-site", "none").lower() not in OWN_SITES:
            raise Refusal(403, "Web pages of other sites may not ask this service.")


def split_host(host: str) -> tuple[str | None, int | None]:
    """The name and the port of a header Host; no name where it is none."""
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


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _is_same(given: str, right: bytes) -> bool:
    """In a time that does not tell how much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right)


def _shorten(text: str) -> str:
    return repr(text[:100])
