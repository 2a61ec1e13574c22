"""Read pages and study them by site, for `bonmun site learn` and `bonmun site show`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.open_pages import check_names, open_inputs
from bonmun.app.commands.shared.shell import complain, say_count
from bonmun.errors import BonmunError
from bonmun.text.readable import make_readable
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.learn.survey import NamedPage, SitePages
    from bonmun.options import Options

__all__ = ["SitePagesReader"]

MAX_REPORTED = 5  # pages of an unknown site


class SitePagesReader:
    """The pages on a command line, by site; `failed` counts those that cannot be read."""

    def __init__(self, names: list[str], options: Options, host: str | None) -> None:
        check_names(names)
        self.options = options
        self.host = host
        self.failed = 0
        passed: Counter[str] = Counter()
        self.open_pages: OpenPages = open_inputs(names, options, passed=passed)
        report_passed(passed)

    def survey(self) -> list[SitePages]:
        """Return the sites of the pages; pages whose site is unknown are reported."""
        from bonmun.learn.survey import survey_pages

        count = len(self.open_pages)
        with show_progress("Reading", count) as progress:

            def load(number: int) -> NamedPage | None:
                progress.advance()
                return self.load(number)

            sites, unknown = survey_pages(range(count), load, self.host)
        for name in unknown[:MAX_REPORTED]:
            complain(f"{make_readable(name)}: its site is unknown; give --site.")
        if len(unknown) > MAX_REPORTED:
            complain(f"{say_count(len(unknown) - MAX_REPORTED, 'more page')} of an unknown site.")
        self.failed += len(unknown)
        return sites

    def load(self, number: int) -> NamedPage | None:
        """Return a page, or report why it cannot be read."""
        from bonmun.learn.survey import NamedPage
        from bonmun.page import Page

        opened = self.open_pages.pages[number]
        try:
            source = self.open_pages.load(number)
            page = Page.parse(source.body, source.url, source.encoding, max_bytes=self.options.max_bytes)
        except BonmunError as problem:
            complain(f"{make_readable(opened.name)}: {problem}")
            self.failed += 1
            return None
        return NamedPage(make_readable(source.url or source.name), page)

    def each_site(self, sites: list[SitePages]) -> Iterator[SitePages]:
        """Yield the sites with a progress bar."""
        with show_progress("Studying", len(sites)) as progress:
            for site in sites:
                yield site
                progress.advance()
