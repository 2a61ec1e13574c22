"""`bonmun gold suspects` and `bonmun gold apply`: find golds that may be wrong, and write sets without them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bonmun.app.commands.shared.arguments import CORES, Data, Limit, Workers
from bonmun.app.commands.shared.inputs import read_set
from bonmun.app.commands.shared.shell import complain, output_to, say_count, show, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.text.readable import make_readable
from bonmun.work.files import write_atomically
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.lab.evaluate.suspects import ComparedGold
    from bonmun.lab.gold.examples import Example

__all__ = ["gold_apply_command", "gold_suspects_command"]

KEYS = ("id", "url", "lang", "kind", "site", "license", "title", "author", "date", "comments", "markdown", "cov")

Verdicts = Annotated[Path, typer.Option(metavar="FILE", help="Verdicts of readers, as JSON lines.")]


def gold_suspects_command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labelled set.")],
    folds: Annotated[Path, typer.Option(metavar="DIR", help="Folder with fold-0.npz to fold-4.npz.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also write the suspect pages, as a set of JSON lines."),
    ] = None,
    verdicts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Verdicts of readers: pages with one are left out.")
    ] = None,
    limit: Limit = None,
    workers: Workers = CORES,
) -> None:
    """Find pages of a labelled set whose gold may be wrong: read them before you trust a figure.

    The folds are models that were each trained without a fifth of all sites (`bonmun train DATA --from nothing --folds
    DIR`), so that a model cannot repeat a wrong gold that it was trained on.
    """
    from bonmun.lab.evaluate.suspects import compare_golds
    from bonmun.lab.gold.verdicts import read_verdicts

    with wrong_use(), output_to(str(output) if output else None), stoppable("nothing was written."):
        known = read_verdicts(verdicts) if verdicts else {}
        dataset = read_set(data, limit)
        examples = (example for example in dataset if example.page_hash not in known)
        found: list[ComparedGold] = []
        with show_progress("Comparing", dataset.summary.count) as progress:
            for each in compare_golds(examples, folds, workers):
                progress.advance()
                if each.suspicion:
                    found.append(each)
        found.sort(key=lambda each: (each.f1, each.example.id))
        for each in found:
            show(f"{each.f1:.3f}  {make_readable(each.example.id)}  {each.suspicion}")
        if output:
            _write_set(output, [_make_record(each.example) | {"suspicion": each.suspicion} for each in found])
        complain(f"{dataset.name}: {len(found):,} of {say_count(dataset.summary.count, 'page')} are suspect.")


def gold_apply_command(
    data: Data,
    verdicts: Verdicts,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder, one file per set.")],
) -> None:
    """Write labelled sets with the golds that readers corrected, and without the pages that they dropped.

    A verdict applies to the same page in any set. Pages without a verdict do not change.
    """
    from bonmun.lab.gold.examples import BrokenRecord
    from bonmun.lab.gold.verdicts import apply_verdict, read_verdicts

    with wrong_use(), output_to(str(output)), stoppable("finished sets were written."):
        known = read_verdicts(verdicts)
        output.mkdir(parents=True, exist_ok=True)
        for path in data:
            if path.resolve().parent == output.resolve():
                raise BadConfig(f"{output} is the folder of {path.name}: choose another one for the corrected sets.")
            dataset = read_set(path, None)
            rows, relabelled, dropped = [], 0, 0
            with show_progress("Correcting", dataset.summary.count) as progress:
                for example in dataset:
                    corrected = apply_verdict(example, known.get(example.page_hash))
                    progress.advance()
                    if isinstance(corrected, BrokenRecord):
                        dropped += 1
                        complain(f"{dataset.name}: {make_readable(str(corrected))}")
                        continue
                    relabelled += corrected is not example
                    rows.append(_make_record(corrected))
            _write_set(output / f"{dataset.name}.jsonl", rows)
            show(f"{dataset.name}: {len(rows):,} pages, {relabelled:,} relabelled, {dropped:,} dropped")


def _make_record(example: Example) -> dict[str, Any]:
    """Return an example as a record of a set."""
    record: dict[str, Any] = {key: value for key in KEYS if (value := getattr(example, key)) is not None}
    record |= {"html": example.html}
    if example.text is not None and example.markdown is None:
        record["text"] = example.text
    record |= {key: list(getattr(example, key)) for key in ("wanted", "unwanted", "must") if getattr(example, key)}
    if example.labels is not None:
        record["labels"] = [{"xpath": each.xpath, "label": each.label} for each in example.labels]
    return record


def _write_set(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write a set as JSON lines; the file appears when it is complete."""
    with write_atomically(path) as part, part.open("w", encoding="utf-8", errors="surrogatepass") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
