"""`extract()`: parse a page, label it, and return the document."""

from __future__ import annotations

import reprlib
from pathlib import Path
from time import perf_counter
from types import NoneType
from typing import TYPE_CHECKING

from bonmun.algorithms import Method, load_site_model, make_method
from bonmun.algorithms.without_template import WithoutTemplate
from bonmun.document import Document
from bonmun.errors import BadConfig
from bonmun.options import DEFAULTS, Options
from bonmun.page import Page
from bonmun.rules.apply import apply_rules
from bonmun.rules.rule_set import load_rules
from bonmun.settings import check_type
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.rules.rule_set import RuleSet
    from bonmun.snapshots import Snapshot

__all__ = ["extract", "extract_pages"]


def extract(
    html: str | bytes | Page | None = None,
    url: str | None = None,
    method: str | Method = "auto",
    options: Options | None = None,
    snapshot: Snapshot | str | Path | None = None,
    rules: RuleSet | str | Path | None = None,
) -> Document:
    """Extract the main text of a page.

    Args:
        html: The page as a string, as bytes in any encoding, or already parsed.
        url: Where the page came from. It resolves links and helps to find metadata.
        method: A name from `methods()`, or a method object with settings of its own.
        options: Settings; see `Options`.
        snapshot: A rendered page to use instead of `html`: the result of `Browser.render`, or a file that
            `bonmun render` wrote.
        rules: A rule file or folder, or "none"; the same as `options.rules`.

    Returns:
        The document. It is empty if the page has no main text.

    Raises:
        BonmunError: If the input is not a page, or is too big.
        BadConfig: If a setting cannot be used: for instance `options.favour` with a method object, which has its own
            settings, or a `url` that differs from the URL of a parsed page.

    """
    options = options or DEFAULTS
    check_type("options", options, Options, "an Options record")
    check_type("url", url, (str, NoneType), "a URL as str")
    labeller = _choose_method(method, options)
    rule_set = load_rules(options.rules if rules is None else rules)
    start = perf_counter()
    if snapshot is not None:
        if html is not None:
            raise BadConfig("Give the page as html or as a snapshot, not both.")
        page = _load_snapshot(snapshot, url, options)
    elif isinstance(html, Page):
        page = _check_url(html, url)
    elif html is None:
        raise BadConfig("There is no page: give html or a snapshot.")
    else:
        page = Page.parse(html, url, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby)
    parsed = perf_counter()
    labels = apply_rules(page, labeller.label(page), rule_set)
    timings = {"parse": (parsed - start) * 1e3, "label": (perf_counter() - parsed) * 1e3}
    return Document(page, labels, options, timings)


def extract_pages(
    pages: Iterable[str | bytes | Page],
    method: str | Method = "auto",
    options: Options | None = None,
    rules: RuleSet | str | Path | None = None,
) -> Document:
    """Extract the main text of an article that is split over several pages, as one document.

        doc = bonmun.extract_pages(bonmun.fetch_pages("https://example.org/long-read"))

    Args:
        pages: The pages in order, each as `extract` takes them. Parse those that have a URL: `Page.parse(html, url)`.
        method: As in `extract`.
        options: As in `extract`.
        rules: As in `extract`.

    Returns:
        The document. Title and metadata are those of the first page, and `block.page.url` tells where a block comes
        from. What several pages repeat, such as a lead, is in it once. A single page gives the same as `extract`.

    Raises:
        BonmunError: As in `extract`, or if there is no page.
    """
    from bonmun.joined import join_documents

    if isinstance(pages, (str, bytes, Page)):
        raise BadConfig("extract_pages takes a list of pages; use extract for a single page.")
    documents = [extract(page, method=method, options=options, rules=rules) for page in pages]
    if not documents:
        raise BadConfig("There is no page: give at least one.")
    return join_documents(documents)


def _load_snapshot(snapshot: Snapshot | str | Path, url: str | None, options: Options) -> Page:
    """Return the page of a snapshot, or of a snapshot file."""
    from bonmun.snapshots import Snapshot, load_snapshot

    if not isinstance(snapshot, Snapshot):
        check_type("snapshot", snapshot, (str, Path), "a Snapshot or the path of one")
        snapshot = load_snapshot(snapshot)
    return Page.from_snapshot(snapshot, url, max_bytes=options.max_bytes, ruby=options.ruby)


def _choose_method(method: str | Method, options: Options) -> Method:
    """Return the named method, or the method object if the options hold no settings that it would ignore."""
    site_model = options.site_model
    if site_model is not None and not isinstance(site_model, (str, Path)) and not hasattr(site_model, "judge"):
        raise BadConfig(f"site_model must be a SiteModel or the path of one, not {reprlib.repr(site_model)}.")
    given = options.list_method_settings()
    if isinstance(method, str):
        return make_method(method, **given)
    if isinstance(method, type) or not hasattr(method, "label"):
        raise BadConfig(f"method must be a name or an object with label(page), not {reprlib.repr(method)}.")
    given.pop("site_model", None)
    for name in given:
        raise BadConfig(
            f"{name} cannot be applied to a method object: give the method by name, or pass it to the constructor, as "
            f"in Auto({name}=…)."
        )
    loaded = load_site_model(site_model)
    return WithoutTemplate(method, loaded) if loaded is not None else method


def _check_url(page: Page, url: str | None) -> Page:
    """Return a parsed page if it is from this URL."""
    if url and make_readable(url) != page.url:
        parsed = f"as {page.url!r}" if page.url else "without a URL"
        raise BadConfig(f"The page was parsed {parsed}, not as {url!r}: give the URL to Page.parse only.")
    return page
