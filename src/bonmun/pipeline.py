"""extract(): a page in, a document out. The whole line of bonmun in one short function."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from bonmun.document import Document
from bonmun.methods import Method, get
from bonmun.methods.sited import Sited
from bonmun.options import DEFAULTS, Options
from bonmun.page import Page

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.sites.model import SiteModel

__all__ = ["extract"]


def extract(
    html: str | bytes | Page,
    url: str | None = None,
    method: str | Method = "auto",
    options: Options | None = None,
    site: SiteModel | None = None,
    model: str | Path | None = None,
) -> Document:
    """Extract the main text of a page.

    `html` is the page as text, as bytes in any encoding, or already parsed; `url` is where it came from, for links and
    hints; `method` is a name from `methods()`, or a method with settings of your own; `site` knows what repeats on the
    page's site, and no method then keeps that; `model` is a file that `bonmun train` made, for the method auto. A page
    without main text gives an empty document; input that is no page raises a `BonmunError`.
    """
    options = options or DEFAULTS
    if isinstance(method, str):
        favour = None if options.favour == "balanced" else options.favour
        labeller = get(method, site=site, model=model, favour=favour)
    else:
        labeller = Sited(method, site) if site else method
    start = perf_counter()
    page = html if isinstance(html, Page) else Page.parse(html, url, options.encoding, max_bytes=options.max_bytes)
    parsed = perf_counter()
    labels = labeller.label(page)
    timings = {"parse": (parsed - start) * 1e3, "label": (perf_counter() - parsed) * 1e3}
    return Document(page, labels, options, timings)
