"""A page to render, as the browser gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.scale.browser.render_options import RenderOptions
    from bonmun.scale.browser.saved_files import Resources

__all__ = ["UNKNOWN_URL", "RenderJob"]

UNKNOWN_URL = "http://page.invalid/"  # for pages without a URL


@dataclass(frozen=True, slots=True)
class RenderJob:
    """A page to render: a URL or, with `html`, a page that is already downloaded."""

    name: str  # for error messages
    url: str | None = None
    html: str | None = None
    resources: Resources | None = None  # style sheets, images and other files that it links to
    options: RenderOptions | None = None  # of this page; network and memory are those of the browser
    keep: bool = False  # whether to keep what it loads from the network
    may_load: Callable[[str], bool] | None = None  # whether the page may load a URL; called from any thread

    @property
    def target(self) -> str:
        """The URL that the browser opens."""
        return self.url or UNKNOWN_URL
