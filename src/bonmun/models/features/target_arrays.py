"""Features of link targets, which distinguish items of a listing from menu entries in any language.

Items have long, similar URLs below that of the page; menus and breadcrumbs have short URLs above it; share buttons lead
to other sites. Only the first link of a block is used.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.features.page_arrays import TARGETS
from bonmun.models.features.urls import (
    CONTACTS,
    MAX_SCALED_VALUE,
    MAX_URL_CHARACTERS,
    NOWHERE,
    TYPICAL_VALUES,
    split_url,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bonmun.page import Page

__all__ = ["count_targets"]

DIGITS = b"0123456789"
TYPICAL_VALUE_ARRAY = np.array(TYPICAL_VALUES, np.float32)


def count_targets(page: Page) -> NDArray[np.float32]:
    """Return the columns of TARGETS for each block."""
    targets = np.zeros((len(page.starts), TARGETS.width), np.float32)
    rows, links = _find_first_links(page)
    if not len(rows):
        return targets
    distinct = dict.fromkeys(links)  # a link can be long and around many blocks
    pairs = zip(distinct, page.attrs(distinct, "href"), strict=True)
    addresses = {link: href[:MAX_URL_CHARACTERS].strip() if href else "" for link, href in pairs}
    hrefs = [addresses[link] for link in links]
    copies = Counter(hrefs)
    urls = [split_url(href) for href in copies]
    own_host, own_path, _ = split_url(page.url or "")
    described, folders = _describe(copies, urls, own_host or _find_most_common_host(urls), own_path)
    in_folder = Counter(folders)
    counts = [*copies.values(), *map(in_folder.__getitem__, folders)]
    values = np.empty((len(copies), TARGETS.width), np.float32)
    values[:, :-2] = np.minimum(
        np.array(described, np.float32).reshape(len(copies), -1) / TYPICAL_VALUE_ARRAY, MAX_SCALED_VALUE
    )
    values[:, -2:] = np.log(np.array(counts, np.float32).reshape(2, -1).T)
    number = dict(zip(copies, range(len(copies)), strict=True))
    targets[rows] = values[[number[href] for href in hrefs]]
    return targets


def _find_first_links(page: Page) -> tuple[NDArray[np.intp], list[int]]:
    """Return the blocks that have links, and the element of the first link of each."""
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


def _find_most_common_host(urls: list[tuple[str, str, str]]) -> str:
    """Return the most common host of the absolute URLs."""
    hosts = Counter([host for host, _, _ in urls if host])
    return hosts.most_common(1)[0][0] if hosts else ""


def _describe(
    hrefs: Iterable[str], urls: list[tuple[str, str, str]], home: str, own: str
) -> tuple[list[float], list[str]]:
    """Return the columns of TARGETS except the last two, URL by URL, and the folder of each URL."""
    values: list[float] = []
    folders: list[str] = []
    add = values.extend
    for href, (host, path, query) in zip(hrefs, urls, strict=True):
        is_nowhere = is_contact = False
        if not href or href[0] not in "/h":  # few
            start = href[:11].lower()
            is_nowhere = not href or start.startswith(NOWHERE)
            is_contact = start.startswith(CONTACTS)
        is_far = host != "" and host != home
        is_near = not is_nowhere and not is_far and path != own
        folder, slash, last = path.rpartition("/")
        folders.append(folder)
        written = path.encode("utf-8", "replace")
        add(
            (
                1,
                is_far,
                is_nowhere,
                is_contact,
                folder.count("/") + 2 if slash else path != "",
                len(last),
                last.count("-") + last.count("_"),
                len(written) - len(written.translate(None, DIGITS)),
                query != "",
                is_near and own.startswith(path),
                is_near and own != "" and path.startswith(own),
            )
        )
    return values, folders
