"""`bonmun export`: pages as an e-book, a crawl as a web archive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.app.commands.shared.sources import Source, read_list
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.work.files import check_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.scale.corpus.sources.records import Record
    from bonmun.scale.crawl.export.page_store import PageStore

__all__ = ["export_command"]


@take_settings(
    Extraction, into="extraction", stages="method read fetch", without="title site_model crawled", heading="Extraction"
)
@take_settings(LimitOptions, into="limits", heading="Extraction")
def export_command(
    extraction: Extraction,
    limits: LimitOptions,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Output file: .epub or .wacz.")],
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SRC...", help="Folder of a crawl; or URLs, HTML files, .warc, .wacz, .jsonl.", show_default=False
        ),
    ] = None,
    url_file: Annotated[
        str | None, typer.Option("--urls", metavar="FILE", help="File with one URL per line; - reads stdin.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the e-book.")] = None,
) -> None:
    """Write pages as an e-book (EPUB 3), or a crawl as a web archive (WACZ).

    A crawl with --extract -f markdown is not extracted again.
    """
    with corpus_errors(output, "nothing was written."):
        names = [*(sources or ()), *(read_list(url_file) if url_file else ())]
        if not names:
            raise BadConfig("There is nothing to export: name the folder of a crawl, files or URLs.")
        check_folder(output)
        if output.suffix == ".wacz":
            _export_wacz(names, output)
        elif output.suffix == ".epub":
            failed = _export_epub(names, output, replace(extraction, format="markdown"), limits, title)
            raise typer.Exit(1 if failed else 0)
        else:
            raise BadConfig(f"{output}: not supported; the name of the output must end in .epub or .wacz.")


def _export_wacz(names: Sequence[str], output: Path) -> None:
    from bonmun.scale.crawl.export.wacz_file import write_wacz

    if len(names) != 1:
        raise BadConfig(f"A WACZ file is made of one crawl, not of {len(names)} sources.")
    complain(f"{output}: {say_count(write_wacz(Path(names[0]), output), 'WARC file')}.")


def _export_epub(
    names: Sequence[str], output: Path, extraction: Extraction, limits: LimitOptions, title: str | None
) -> int:
    """Write an e-book. Return the number of pages that failed."""
    from bonmun.scale.crawl.discover.urls import normalise_url
    from bonmun.scale.crawl.export.crawl_export import list_aliases
    from bonmun.scale.crawl.export.epub_file import write_epub
    from bonmun.scale.crawl.export.page_store import STORE_NAME, PageStore
    from bonmun.scale.crawl.plan import PLAN_NAME, CrawlPlan

    folder = Path(names[0])
    is_crawl = len(names) == 1 and (folder / PLAN_NAME).is_file()
    seed = normalise_url(CrawlPlan.load(folder).seeds[0]) if is_crawl else None
    failed = 0
    if is_crawl and (folder / STORE_NAME).is_file():
        with PageStore(folder / STORE_NAME) as store:
            chapters, empty = write_epub(store, output, seed, title), store.count_empty()
    else:
        with PageStore() as store:
            failed = _fill(store, names, extraction, limits)
            if is_crawl:
                store.set_aliases(list_aliases(folder))
            chapters, empty = write_epub(store, output, seed, title), store.count_empty()
    complain(f"{output}: {say_count(chapters, 'chapter')}.")
    if empty:
        complain(f"Left out: {say_count(empty, 'page')} without main text.")
    return failed


def _fill(store: PageStore, names: Sequence[str], extraction: Extraction, limits: LimitOptions) -> int:
    """Extract pages into a store. Return the number of pages that failed."""
    from bonmun.scale.corpus.batches import ExtractJob, make_batches
    from bonmun.scale.corpus.engine import run
    from bonmun.scale.crawl.export.page_store import PAGE_COLUMNS

    job = ExtractJob(extraction, PAGE_COLUMNS)
    job.check()
    problems: list[str] = []
    for results in run(job, make_batches(_read_records(names, extraction, problems)), limits.workers, limits.seconds):
        for batch in results:
            rows = batch.to_pylist()
            problems += [name_once(row["id"], row["error"]) for row in rows if row["error"]]
            store.add(rows)
    for problem in problems:
        complain(problem)
    return len(problems)


def _read_records(names: Sequence[str], extraction: Extraction, problems: list[str]) -> Iterator[Record]:
    """Yield the pages of URLs, files and folders, each with a URL; one is made for files without."""
    from bonmun.scale.corpus.sources.reader import Reader
    from bonmun.scale.corpus.sources.records import RecordMaker
    from bonmun.scale.crawl.discover.urls import normalise_url
    from bonmun.scale.crawl.export.epub_file import LOCAL_HOST
    from bonmun.scale.web.download import download

    maker = RecordMaker(None, extraction.max_bytes)
    for name in names:
        if Source(name, Path()).is_url:
            try:
                got = download(name, extraction)
            except BonmunError as problem:
                problems.append(name_once(name, str(problem)))
                continue
            url = normalise_url(got.url) or got.url
            yield maker.make(url, url, got.body, url, charset=got.encoding)
            continue
        reader = Reader([name], max_bytes=extraction.max_bytes)
        for record in reader:
            url = (record.url and normalise_url(record.url)) or f"https://{LOCAL_HOST}/{quote(record.id)}"
            yield replace(record, id=url, url=url)
        problems += reader.damaged
