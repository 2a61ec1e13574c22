"""`bonmun corpus`: count the texts of many pages, see what repeats, extract them all."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun._version import __version__
from bonmun.commands.bench import CORES, Workers
from bonmun.commands.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig, BonmunError
from bonmun.options import Options
from bonmun.outputs import FORMATS
from bonmun.sites.keys import Normal
from bonmun.work.files import write_text
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from bonmun.corpus.counts import Counts
    from bonmun.corpus.records import Reader, Record
    from bonmun.sites.model import SiteModel

__all__ = ["app"]

FLUSH = 4096  # pages that are counted at a time; a killed run loses no more
SOURCES = "Folders of HTML, and files: .jsonl (.gz, .xz, .zst), .parquet, .warc (.gz), .html; - is stdin."

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
Sources = Annotated[list[str], typer.Argument(metavar="SRC...", help=SOURCES)]
Site = Annotated[str | None, typer.Option(help="The site that all pages are of; else they, or their URLs, say it.")]
Seconds = Annotated[float, typer.Option(min=0.1, help="Time limit for a page.")]
MaxBytes = Annotated[int, typer.Option(min=1, help="Larger pages fail.")]
CountsFile = Annotated[Path, typer.Argument(metavar="COUNTS", help="What `bonmun corpus count` made.")]


@app.command("count")
def count_command(
    sources: Annotated[list[str], typer.Argument(metavar="SRC...", help=f"{SOURCES} A .duckdb: counts to add.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Made, or added to: counts.duckdb.")],
    site: Site = None,
    digits: Annotated[bool, typer.Option("--digits", help="Take all numbers for the same.")] = False,
    case: Annotated[bool, typer.Option("--case", help="Take capital and small letters for the same.")] = False,
    seconds: Seconds = 30.0,
    workers: Workers = CORES,
    max_bytes: MaxBytes = 20_000_000,
) -> None:
    """Count on how many pages each text stands, by site.

    Pages that are in the counts already are not counted again: the same command goes on where it was stopped, and later
    pages can be added.
    """
    with _usual(output, f"the same command goes on from here; {output} is whole."):
        from bonmun.corpus.batches import Counting
        from bonmun.corpus.counts import Counts
        from bonmun.corpus.engine import run
        from bonmun.corpus.records import Reader

        others = [name for name in sources if name.endswith(".duckdb")]
        reader = Reader([name for name in sources if name not in others], site, max_bytes)
        counting = Counting(Normal(digits, case), Options(max_bytes=max_bytes))
        output.parent.mkdir(parents=True, exist_ok=True)
        with Counts(output, counting.normal) as counts:
            for other in others:
                counts.merge(other)
            added = _Added(counts)
            batches = added.new(reader)
            with show_progress("Counting", reader.total) as progress:
                done = run(counting, batches, workers, seconds)
                for results in done:
                    added.take(results)
                    progress.move(reader.read, added.pages, "pages")
                added.flush()
            counts.finish()
            summary = counts.summary()
        complain(f"{added.pages:,} pages read; {added.known:,} of them were counted before, {added.failed:,} failed.")
        for reason in added.reasons:
            complain(reason)
        status = _told(reader)
        complain(f"{output}: {summary.pages:,} pages that say different things, {_sites(summary.sites)}.")
        raise typer.Exit(status)


def _sites(count: int) -> str:
    return f"{count:,} site{'s' * (count != 1)}"


class _Added:
    """Pages on their way into counts."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.again = len(counts) > 0  # else no page can be known
        self.waiting: list[pa.RecordBatch] = []
        self.pages = self.known = self.failed = 0
        self.reasons: list[str] = []

    def new(self, reader: Reader) -> Iterator[pa.RecordBatch]:
        """The pages of a reader that were not counted before."""
        import pyarrow as pa

        from bonmun.corpus.batches import make_batches, raw_key

        for batch in make_batches(reader):
            self.pages += batch.num_rows
            if self.again:
                raws = [raw_key(row["site"], row["html"]) for row in batch.select(["site", "html"]).to_pylist()]
                known = self.counts.known(raws)
                self.known += sum(raw in known for raw in raws)
                batch = batch.filter(pa.array([raw not in known for raw in raws]))
            if batch.num_rows:
                yield batch

    def take(self, results: list[pa.RecordBatch]) -> None:
        """Keep results until there are enough to be written."""
        for batch in results:
            for known, reason in zip(batch.column("id").to_pylist(), batch.column("error").to_pylist(), strict=True):
                if reason is not None:
                    self.failed += 1
                    if len(self.reasons) < 10:
                        self.reasons.append(f"{known}: {reason}")
        self.waiting += results
        if sum(batch.num_rows for batch in self.waiting) >= FLUSH:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        if self.waiting:
            self.counts.add(self.waiting)
            self.waiting = []


@app.command("show")
def show_command(
    counts: CountsFile,
    site: Annotated[str | None, typer.Option(help="Only this site; else over all.")] = None,
    top: Annotated[int, typer.Option(min=1, help="So many of the highest ranks.")] = 20,
    gold: Annotated[
        Path | None, typer.Option(metavar="DATA", help="Labelled pages: show accuracy against rank, too.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the last picture here, as SVG.")] = None,
) -> None:
    """Show which texts repeat, as the first paper does: by frequency; with gold, how right each rank would be."""
    with _usual(svg, "nothing was changed."):
        from bonmun.corpus.counts import Counts
        from bonmun.corpus.show import accuracies, accuracy_svg, accuracy_table, frequency_svg, frequency_table
        from bonmun.gold.datasets import read_dataset

        with Counts(counts, read_only=True) as counted:
            summary = counted.summary(site)
            rows = list(counted.frequencies(site))
            show(frequency_table(summary, rows, top))
            picture = frequency_svg(summary, rows, top)
            if gold:
                found = accuracies(counted, read_dataset(gold), site)
                show(f"\n{accuracy_table(found, top)}")
                picture = accuracy_svg(found)
        if svg:
            write_text(svg, picture)


@app.command("model")
def model_command(
    counts: CountsFile,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The model: news.sites.")],
) -> None:
    """Make a small file of what repeats on each site, for `extract --site` and `corpus extract --counts`."""
    with _usual(output, "nothing was written."):
        from bonmun.corpus.counts import Counts

        with Counts(counts, read_only=True) as counted:
            model = counted.model()
        output.parent.mkdir(parents=True, exist_ok=True)
        model.save(output)
        texts = sum(len(site.texts) for site in model.sites.values())
        complain(f"{output}: {_sites(len(model.sites))}, {texts:,} texts, {output.stat().st_size:,} bytes.")


@app.command("extract")
def extract_command(
    sources: Sources,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="out.parquet, or .jsonl (.gz, .zst).")],
    counts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Counts, or a model: no method keeps what repeats on a site.")
    ] = None,
    method: Annotated[str, typer.Option("--method", "-m", help="See `bonmun methods`.")] = "auto",
    format_: Annotated[str, typer.Option("--format", "-f", metavar="|".join(FORMATS))] = "text",
    site: Site = None,
    links: Annotated[bool, typer.Option("--links", help="Keep links.")] = False,
    images: Annotated[bool, typer.Option("--images", help="Keep images.")] = False,
    comments: Annotated[bool, typer.Option("--comments", help="Add the readers' comments.")] = False,
    seconds: Seconds = 30.0,
    workers: Workers = CORES,
    max_bytes: MaxBytes = 20_000_000,
) -> None:
    """Extract many pages into one file, a row each.

    A page that fails has its reason in the column `error`. A run that was stopped or killed goes on where it was, with
    the same command.
    """
    with _usual(output, f"the same command goes on from here; what is done is in {output}.parts."):
        from bonmun.corpus.batches import Extraction, make_batches
        from bonmun.corpus.engine import run
        from bonmun.corpus.output import Output
        from bonmun.corpus.records import Reader

        if format_ not in FORMATS:
            raise BadConfig(f"Unknown format {format_!r}: choose one of {', '.join(FORMATS)}.")
        options = Options(max_bytes=max_bytes, links=links, images=images, comments=comments)
        reader = Reader(sources, site, max_bytes)
        model = _model(counts) if counts else None
        how = Extraction(method, format_, options, model)
        how.check()
        facts = {
            "sources": reader.facts(),
            "settings": [method, format_, site, repr(options), seconds],
            "counts": model.digest() if model else None,
            "version": __version__,
        }
        with Output(output, how.schema, facts) as written:
            if written.done:
                complain(f"{written.done:,} pages were done before; going on from there.")
            counted = _Counted(written.done)
            batches = make_batches(counted.after(reader))
            with show_progress("Extracting", reader.total) as progress:
                for results in run(how, batches, workers, seconds):
                    written.write(results)
                    counted.pages += sum(batch.num_rows for batch in results)
                    progress.move(reader.read, counted.pages, "pages")
                written.finish()
        status = _told(reader)
        failed = f"{written.failed:,} of them failed: the column `error` says why" if written.failed else "none failed"
        complain(f"{output}: {written.done:,} pages, {failed}.")
        raise typer.Exit(status)


class _Counted:
    """How many pages are done."""

    def __init__(self, done: int) -> None:
        self.before = done
        self.pages = 0

    def after(self, reader: Reader) -> Iterator[Record]:
        """The records that were not done before."""
        for number, record in enumerate(reader):
            if number >= self.before:
                yield record


def _model(path: Path) -> SiteModel:
    """A model, or one made of counts."""
    from bonmun.corpus.counts import Counts
    from bonmun.sites.model import SiteModel

    try:
        with path.open("rb") as file:
            zipped = file.read(2) == b"PK"
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    if zipped:
        return SiteModel.load(path)
    with Counts(path, read_only=True) as counts:
        return counts.model()


def _told(reader: Reader) -> int:
    """Say what was skipped and damaged; the exit status."""
    if reader.skipped:
        reasons = (f"{count:,} × {reason}" for reason, count in reader.skipped.most_common())
        complain(f"Skipped: {', '.join(reasons)}.")
    for damage in reader.damaged:
        complain(damage)
    return 1 if reader.damaged else 0


@contextmanager
def _usual(output: Path | None, says: str) -> Iterator[None]:
    """What all four commands do about things that go wrong."""
    try:
        with wrong_use(), output_to(str(output) if output else None), stoppable(says):
            yield
    except BonmunError as problem:
        complain(str(problem))
        raise typer.Exit(1) from None
