"""`bonmun extract` for many inputs: fetched in parallel, extracted in child processes, resumed after a stop."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun._version import __version__
from bonmun.app.commands.extract.arrivals import Arrivals
from bonmun.app.commands.extract.page_work import MEMORY_BYTES, PAGE_SECONDS, PageInput, PageJob
from bonmun.app.commands.extract.parquet_rows import check_parquet
from bonmun.app.commands.extract.results import UNFINISHED, FileSink, FolderSink, StreamSink
from bonmun.app.commands.extract.writer import check_joinable, is_folder
from bonmun.app.commands.shared.shell import complain
from bonmun.errors import BonmunError
from bonmun.scale.web.download_many import CONCURRENT_HOSTS
from bonmun.work.processes import ChildLimits, ItemChild, Pool
from bonmun.work.progress import is_terminal, show_progress
from bonmun.work.result_store import ResultStore, StoredResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.app.commands.extract.presentation import Presentation
    from bonmun.app.commands.extract.results import ResultSink
    from bonmun.app.commands.shared.sources import Source

__all__ = ["ManyInputs", "extract_many"]


class ManyInputs(NamedTuple):
    """Many inputs, and how they are processed."""

    sources: Sequence[Source]
    presentation: Presentation
    url: str | None  # of the page in a single file
    jobs: int  # child processes; with more than one, hosts are fetched in parallel
    pause: float  # seconds between two requests to a host
    several: bool  # whether results may go to a folder


def extract_many(many: ManyInputs, output: str | None) -> int:
    """Extract all inputs; return the number of those that failed."""
    with _open_store(many, output) as store:
        results = _choose_results(many, output, store)
        before = len(store.done)
        if before:
            complain(f"Resuming: {before:,} of {len(many.sources):,} inputs are finished.")
        shown = output is not None or not is_terminal(sys.stdout)  # else the results are on the terminal
        with show_progress("Extracting", len(many.sources), shown=shown) as progress:
            for done, result in enumerate(_work(many, store.done.copy()), before + 1):
                results.add(result)
                progress.update(done, done - before, "pages")
        return results.finish()


def _open_store(many: ManyInputs, output: str | None) -> ResultStore:
    """Open the store of finished results; a run with the same inputs and settings is resumed."""
    presentation = many.presentation
    if presentation.table == "parquet":
        check_parquet()
    if output is None or not is_folder(output, several=many.several):
        if len(many.sources) > 1:
            check_joinable(presentation)
        path = Path(f"{output}.{UNFINISHED}") if output is not None else None
    else:
        Path(output).mkdir(parents=True, exist_ok=True)
        path = Path(output, UNFINISHED)
    names = json.dumps([source.name for source in many.sources])
    identity = {
        "inputs": hashlib.blake2b(names.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest(),
        "settings": [repr(many.presentation), many.url],
        "version": __version__,
    }
    return ResultStore(path, identity)


def _choose_results(many: ManyInputs, output: str | None, store: ResultStore) -> ResultSink:
    given = (many.sources, many.presentation, store)
    if output is None:
        return StreamSink(*given)
    if is_folder(output, several=many.several):
        return FolderSink(*given, Path(output))
    return FileSink(*given, Path(output))


def _work(many: ManyInputs, done: set[int]) -> Iterator[StoredResult]:
    """Yield the results of the inputs that are not finished, in any order."""
    left = [(number, source) for number, source in enumerate(many.sources) if number not in done]
    urls = [(number, source.name) for number, source in left if source.is_url]
    files = iter([(number, source) for number, source in left if not source.is_url])
    hosts = CONCURRENT_HOSTS if many.jobs > 1 else 1
    limits = ChildLimits(min(many.jobs, len(left) or 1), PAGE_SECONDS, MEMORY_BYTES)
    with (
        Pool(lambda: ItemChild(PageJob(many.presentation), limits), limits.workers) as pool,
        Arrivals(urls, many.presentation.extraction, many.pause, hosts) as arrivals,
    ):
        if urls:
            pool.launch()
        while True:
            while pool.has_room and (ready := arrivals.take() or _open_next(files, many)):
                if isinstance(ready, PageInput):
                    pool.start(ready)
                else:
                    yield ready
            if pool.busy:
                wakers = [arrivals.waker] if pool.has_room else []
                yield from pool.step(*wakers)
            elif not arrivals.left:
                return
            elif isinstance(arrived := arrivals.take(wait=True), PageInput):
                pool.start(arrived)
            elif arrived:
                yield arrived


def _open_next(files: Iterator[tuple[int, Source]], many: ManyInputs) -> PageInput | StoredResult | None:
    """Return the next file, which a child process reads, or standard input, which is read here; None at the end."""
    numbered = next(files, None)
    if numbered is None:
        return None
    number, source = numbered
    try:
        if source.problem:
            raise source.problem
        body = source.read(many.presentation.extraction.max_bytes) if source.name == "-" else None
    except BonmunError as problem:
        return StoredResult(number, None, str(problem))
    return PageInput(number, source.name, body, many.url)
