"""`bonmun extract` for many inputs: fetched side by side, extracted in child processes, resumed after a stop."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun._version import __version__
from bonmun.app.commands.extract.arrivals import Arrivals
from bonmun.app.commands.extract.page_work import PageChild, Task
from bonmun.app.commands.extract.parquet_rows import check_parquet
from bonmun.app.commands.extract.results import UNFINISHED, FileResults, FolderResults, StreamResults
from bonmun.app.commands.extract.writer import check_joinable, is_folder
from bonmun.app.commands.shared.shell import complain
from bonmun.errors import BonmunError
from bonmun.scale.web.download_many import CONCURRENT_HOSTS
from bonmun.work.processes import Pool
from bonmun.work.progress import is_terminal, show_progress
from bonmun.work.result_store import ResultStore, StoredResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.app.commands.extract.recipe import Recipe
    from bonmun.app.commands.extract.results import Results
    from bonmun.app.commands.shared.sources import Source

__all__ = ["Many", "extract_many"]


class Many(NamedTuple):
    """Many inputs, and how they are worked on."""

    sources: Sequence[Source]
    recipe: Recipe
    url: str | None  # where the page of a single file came from
    jobs: int  # child processes; with more than one, hosts are asked side by side
    pause: float  # seconds between two requests to a host
    several: bool  # whether a folder is a place for the results


def extract_many(many: Many, output: str | None) -> int:
    """Do all the work; gives the number of inputs that failed."""
    with _open_store(many, output) as store:
        results = _choose_results(many, output, store)
        before = len(store.done)
        if before:
            complain(f"{before:,} of {len(many.sources):,} were done before; going on from there.")
        shown = output is not None or not is_terminal(sys.stdout)  # which has the results on it
        with show_progress("Extracting", len(many.sources), shown=shown) as progress:
            for done, result in enumerate(_work(many, store.done.copy()), before + 1):
                results.add(result)
                progress.move(done, done - before, "pages")
        return results.finish()


def _open_store(many: Many, output: str | None) -> ResultStore:
    """What was done so far of this very run, if it was begun before."""
    presentation = many.recipe.presentation
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
        "settings": [repr(many.recipe), many.url],
        "version": __version__,
    }
    return ResultStore(path, identity)


def _choose_results(many: Many, output: str | None, store: ResultStore) -> Results:
    given = (many.sources, many.recipe.presentation, store)
    if output is None:
        return StreamResults(*given)
    if is_folder(output, several=many.several):
        return FolderResults(*given, Path(output))
    return FileResults(*given, Path(output))


def _work(many: Many, done: set[int]) -> Iterator[StoredResult]:
    """What comes of the inputs that are not done, as it comes."""
    left = [(number, source) for number, source in enumerate(many.sources) if number not in done]
    urls = [(number, source.name) for number, source in left if source.is_url]
    files = iter([(number, source) for number, source in left if not source.is_url])
    hosts = CONCURRENT_HOSTS if many.jobs > 1 else 1
    with (
        Pool(lambda: PageChild(many.recipe), min(many.jobs, len(left) or 1)) as pool,
        Arrivals(urls, many.recipe.options, many.pause, hosts) as arrivals,
    ):
        if urls:
            pool.launch()
        while True:
            while pool.has_room and (ready := arrivals.take() or _open_next(files, many)):
                if isinstance(ready, Task):
                    pool.start(ready)
                else:
                    yield ready
            if pool.busy:
                wakers = [arrivals.waker] if pool.has_room else []
                yield from pool.step(*wakers)
            elif not arrivals.left:
                return
            elif isinstance(arrived := arrivals.take(wait=True), Task):
                pool.start(arrived)
            elif arrived:
                yield arrived


def _open_next(files: Iterator[tuple[int, Source]], many: Many) -> Task | StoredResult | None:
    """The next file, which the child reads, or standard input, which it cannot; None after the last."""
    numbered = next(files, None)
    if numbered is None:
        return None
    number, source = numbered
    try:
        if source.problem:
            raise source.problem
        body = source.read(many.recipe.options.max_bytes) if source.name == "-" else None
    except BonmunError as problem:
        return StoredResult(number, None, str(problem))
    return Task(number, source.name, body, many.url)
