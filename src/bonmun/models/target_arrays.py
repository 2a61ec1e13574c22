"""Where the links of a page lead, as numbers: what tells an item of a listing from an entry of a menu in any language.

Items lead to addresses that are long, like each other, and below the page's own; menus and breadcrumbs to short ones
above it; share buttons to other sites. A block is told of the first link in it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.page_arrays import TARGETS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.page import Page

__all__ = ["count_targets"]

ADDRESS_CHARACTERS = 300  # of a link are read
CONTACTS = ("mailto:", "tel:", "sms:")
NOWHERE = ("#", "javascript:")
DIGITS = b"0123456789"
# What counts are divided by, so that usual values are about 1, column by column; no value counts as more than 2.
USUAL = np.array([1, 1, 1, 1, 4, 40, 5, 8, 1, 1, 1], np.float32)
MOST = 2.0


def count_targets(page: Page) -> NDArray[np.float32]:
    """What TARGETS lists, for each block."""
    targets = np.zeros((len(page.starts), TARGETS.width), np.float32)
    rows, links = _find_first_links(page)
    if not len(rows):
        return targets
    hrefs = [href[:ADDRESS_CHARACTERS].strip() if href else "" for href in page.attrs(links, "href")]
    copies = Counter(hrefs)
    home = _split_address(page.url or "")[0] or _find_usual_host(copies)
    own = _split_address(page.url or "")[1].partition("?")[0].strip("/")
    described = [_describe(href, home, own) for href in copies]
    folders = Counter([folder for folder, _ in described])
    counts = [(copies[href], folders[folder]) for href, (folder, _) in zip(copies, described, strict=True)]
    values = np.empty((len(described), TARGETS.width), np.float32)
    values[:, :-2] = np.minimum(np.array([each for _, each in described], np.float32) / USUAL, MOST)
    values[:, -2:] = np.log(counts)
    number = {href: place for place, href in enumerate(copies)}
    targets[rows] = values[[number[href] for href in hrefs]]
    return targets


def _find_first_links(page: Page) -> tuple[NDArray[np.intp], list[int]]:
    """The blocks with links in them, and the element of the first link of each."""
    linked = np.frombuffer(page.linked_leaves, np.uint8)
    if not linked.any():
        return np.empty(0, np.intp), []
    none = len(linked)
    first = np.minimum.reduceat(np.where(linked, np.arange(none), none), page.starts)
    rows = np.flatnonzero(first < none)
    elements, tags = page.leaf_elements, page.tags
    found = [elements[leaf] for leaf in first[rows].tolist()]
    links = [row if tags[row] == "a" else page.find_link(row) for row in found]
    some = np.array(links) >= 0
    return rows[some], [link for link in links if link >= 0]


def _split_address(address: str) -> tuple[str, str]:
    """The host of an absolute address, empty if it is none; and the rest."""
    start = address.find("//", 0, len("https://"))
    if start < 0:
        return "", address
    host, _, rest = address[start + 2 :].partition("/")
    return host.partition("?")[0].removeprefix("www.").lower(), rest


def _find_usual_host(hrefs: Counter[str]) -> str:
    """The host that most absolute addresses have."""
    hosts = Counter(host for href in hrefs if (host := _split_address(href)[0]))
    return hosts.most_common(1)[0][0] if hosts else ""


def _describe(href: str, home: str, own: str) -> tuple[str, tuple[float, ...]]:
    """The folder of an address, and what the columns of TARGETS but the last two list, not yet divided."""
    host, path = _split_address(href)
    if not host:
        path = href
    path, _, query = path.partition("?")
    path = path.strip("/")
    folder, _, last = path.rpartition("/")
    start = href[:11].lower() if href[:1] not in "/h" else ""
    is_nowhere = not href or start.startswith(NOWHERE)
    is_near = not is_nowhere and path != own and (not host or host == home)
    written = path.encode("utf-8", "replace")
    return folder, (
        1,
        host != "" and host != home,
        is_nowhere,
        start.startswith(CONTACTS),
        path.count("/") + 1 if path else 0,
        len(last),
        last.count("-") + last.count("_"),
        len(written) - len(written.translate(None, DIGITS)),
        query != "",
        is_near and own.startswith(path),
        is_near and own != "" and path.startswith(own),
    )
