"""extract(): a page in, a document out. The whole line of bonmun in one short function."""

from __future__ import annotations

import reprlib
from pathlib import Path
from time import perf_counter
from types import NoneType
from typing import TYPE_CHECKING

from bonmun.algorithms import Method, make_method
from bonmun.algorithms.without_template import WithoutTemplate
from bonmun.document import Document
from bonmun.errors import BadConfig
from bonmun.options import DEFAULTS, Options, check_kind
from bonmun.page import Page
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.sites.model import SiteModel
    from bonmun.snapshots import Snapshot

__all__ = ["extract"]


def extract(
    html: str | bytes | Page | None = None,
    url: str | None = None,
    method: str | Method = "auto",
    options: Options | None = None,
    site: SiteModel | None = None,
    model: str | Path | None = None,
    snapshot: Snapshot | str | Path | None = None,
) -> Document:
    """Extract the main text of a page.

    `html` is the page as text, as bytes in any encoding, or already parsed; `snapshot` stands for it where a browser
    has laid the page out: what `Browser.render` returns, or the name of a file that `bonmun render` made. `url` is
    where it came from, for links and hints; `method` is a name from `methods()`, or a method with settings of your own;
    `site` knows what repeats on the page's site, and no method then keeps that; `model` is a file with weights, which
    `bonmun train` makes for the method auto and scripts/fit for others that take one. A page without main text gives an
    empty document; input that is no page raises a `BonmunError`.

    What cannot be heeded raises `BadConfig`: a `model` or `options.favour` with a method that is not named but made (it
    has its own), and a `url` with a parsed page that has another. `options.encoding` and `options.max_bytes` say how
    bytes are read, and are no error where there is nothing to read: one `Options` serves pages of every form.
    """
    options = options or DEFAULTS
    check_kind("options", options, Options, "an Options record")
    check_kind("url", url, (str, NoneType), "an address as str")
    labeller = _choose_method(method, options, site, model)
    start = perf_counter()
    if snapshot is not None:
        if html is not None:
            raise BadConfig("A page is given as html or as a snapshot, not as both.")
        page = _load_snapshot(snapshot, url, options)
    elif isinstance(html, Page):
        page = _check_url(html, url)
    elif html is None:
        raise BadConfig("There is no page: give html, or a snapshot.")
    else:
        page = Page.parse(html, url, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby)
    parsed = perf_counter()
    labels = labeller.label(page)
    timings = {"parse": (parsed - start) * 1e3, "label": (perf_counter() - parsed) * 1e3}
    return Document(page, labels, options, timings)


def _load_snapshot(snapshot: Snapshot | str | Path, url: str | None, options: Options) -> Page:
    """The page of a snapshot, or of a file that holds one."""
    from bonmun.snapshots import Snapshot, load_snapshot

    if not isinstance(snapshot, Snapshot):
        check_kind("snapshot", snapshot, (str, Path), "a Snapshot or the name of a file")
        snapshot = load_snapshot(snapshot)
    return Page.from_snapshot(snapshot, url, max_bytes=options.max_bytes, ruby=options.ruby)


def _choose_method(method: str | Method, options: Options, site: SiteModel | None, model: str | Path | None) -> Method:
    """Make the named method; or see that a method of the user's own is given no settings that it would not heed."""
    favour = None if options.favour == DEFAULTS.favour else options.favour
    if site is not None and not hasattr(site, "judge"):
        raise BadConfig(f"site is a SiteModel, not {reprlib.repr(site)}.")
    if isinstance(method, str):
        return make_method(method, site=site, model=model, favour=favour)
    if isinstance(method, type) or not hasattr(method, "label"):
        raise BadConfig(f"method is a name, or an object with label(page), not {reprlib.repr(method)}.")
    for name, value in (("model", model), ("favour", favour)):
        if value is not None:
            raise BadConfig(
                f"extract() cannot give {name} to a method that is made already: name the method instead, or make it "
                f"with its own, as in Auto({name}=…)."
            )
    return WithoutTemplate(method, site) if site else method


def _check_url(page: Page, url: str | None) -> Page:
    """See that a parsed page is from this URL."""
    if url and make_readable(url) != page.url:
        parsed = f"as {page.url!r}" if page.url else "without a URL"
        raise BadConfig(f"The page was parsed {parsed}, not as {url!r}: give its URL to Page.parse, and none here.")
    return page
