"""Settings of runs over many pages: how sources are read, how texts are counted, and limits."""

from __future__ import annotations

import os
from dataclasses import dataclass

from bonmun.settings import check_settings, setting

__all__ = ["CountOptions", "LimitOptions", "SourceOptions"]

MAX_WORKERS = 1_000
MAX_PAGE_SECONDS = 3_600


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """Child processes, and the time limit of a page in them."""

    workers: int = setting(
        os.cpu_count() or 1, "Number of child processes.", stage="limits", minimum=1, maximum=MAX_WORKERS
    )
    seconds: float = setting(
        30.0, "Time limit of a page in seconds.", stage="limits", minimum=0.1, maximum=MAX_PAGE_SECONDS
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """How pages are read from files."""

    html_column: str | None = setting(
        None,
        "Name of the column that holds the HTML (default: html).",
        stage="read",
        kind="text",
        metavar="NAME",
        in_file=True,
    )
    url_column: str | None = setting(
        None,
        "Name of the column that holds the URL (default: url).",
        stage="read",
        kind="text",
        metavar="NAME",
        in_file=True,
    )
    site: str | None = setting(
        None, "Name of the site of all pages (default: from their URLs).", stage="read", kind="text", metavar="NAME"
    )
    max_bytes: int = setting(20_000_000, "Maximum page size in bytes.", stage="read", minimum=1)

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """Which texts count as equal."""

    digits: bool = setting(False, "Treat all numbers as equal.", stage="method", in_file=True)
    case: bool = setting(False, "Ignore case.", stage="method", in_file=True)
