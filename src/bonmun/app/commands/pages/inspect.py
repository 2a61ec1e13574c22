"""`bonmun inspect`: pages on a screen, with the reason for every decision."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from bonmun.app.commands.shared.arguments import MAX_BYTES, AllowPrivate, MaxPageBytes, MethodName
from bonmun.app.commands.shared.open_pages import check_names, open_inputs
from bonmun.app.commands.shared.shell import complain, output_to, show, wrong_use
from bonmun.errors import BadConfig, BadGold
from bonmun.options import Options
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import APIRouter

    from bonmun.app.serve.http.server import Running
    from bonmun.lab.annotate.open_pages import OpenPages

__all__ = ["inspect_command"]


def inspect_command(
    names: Annotated[
        list[str],
        typer.Argument(metavar="SRC...", help="HTML files, folders of them, URLs, .snapshot, .jsonl, .warc, .parquet."),
    ],
    method: MethodName = "auto",
    port: Annotated[int, typer.Option(help="Listen here; 0 is any port that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    network: Annotated[
        bool, typer.Option("--network", help="Pages may load their images and style sheets from the network.")
    ] = False,
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="Weights that `bonmun train` made.")] = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Label the pages, too, into this gold file: kim.jsonl for what Kim labels."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="The address that the files came from.")] = None,
    allow_private: AllowPrivate = False,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Show pages in the browser: what is kept and what is not, why, and how sure that is. Ctrl-C ends it."""
    with wrong_use(), output_to(None):
        from bonmun.algorithms import make_method
        from bonmun.app.serve.http.server import run_server
        from bonmun.app.serve.inspector_routes import make_inspector_router
        from bonmun.app.serve.settings import Settings

        make_method(method)  # a wrong one is named before anything starts
        if model is not None and not model.is_file():
            raise BadConfig(f"There is no model file {str(model)!r}: make one with `bonmun train`.")
        check_names(names)
        open_pages = open_inputs(names, Options(max_bytes=max_bytes, allow_private=allow_private), url)
        settings = Settings(port=port, workers=2, network=network, model=model, max_bytes=max_bytes, log_level="error")
        open_pages.model = str(model) if model else None
        routers = [make_inspector_router(open_pages, network=network, is_labelled=gold is not None)]

        def tell(running: Running) -> None:
            address = running.inspector_url
            if method != "auto":
                address = address.replace("/#", f"/?{urlencode({'method': method})}#", 1)
            count = f"{len(open_pages):,} pages" if len(open_pages) > 1 else make_readable(open_pages.pages[0].name)
            complain(f"{count}: on the screen at the address below; Ctrl-C ends it.")
            show(address)
            if browser:
                _open_browser(address)

        with _open_session(open_pages, gold, routers) if gold else nullcontext():
            run_server(settings, routers, tell)


@contextmanager
def _open_session(open_pages: OpenPages, gold: Path, routers: list[APIRouter]) -> Iterator[None]:
    """A session whose routes are added to the others; a gold file that cannot be used ends the command with 1."""
    from bonmun.app.serve.annotation_routes import make_annotation_router
    from bonmun.lab.annotate.session import AnnotationSession

    try:
        session = AnnotationSession(open_pages, gold)
    except BadGold as problem:
        complain(str(problem))
        raise typer.Exit(1) from None
    for sentence in session.gold.problems:
        complain(sentence)
    with session:
        routers.append(make_annotation_router(open_pages, session))
        yield


def _open_browser(address: str) -> None:
    """Open the browser, if there is one, without waiting for it."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
