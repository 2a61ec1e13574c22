"""`bonmun inspect`: show pages in the inspector."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.open_pages import check_names, open_inputs
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, show, wrong_use
from bonmun.errors import BadConfig, BadGold
from bonmun.extraction import Extraction
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import APIRouter

    from bonmun.app.serve.http.server import RunningService
    from bonmun.lab.annotate.open_pages import OpenPages

__all__ = ["inspect_command"]


@take_settings(Extraction, into="extraction", only="method model rules encoding max_bytes allow_private timeout")
def inspect_command(
    names: Annotated[list[str], typer.Argument(metavar="SRC...", help=PAGES_HELP)],
    extraction: Extraction,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the inspector in the web browser.")] = True,
    network: Annotated[
        bool, typer.Option("--network", help="Let pages load images and style sheets from the network.")
    ] = False,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also label the pages; write labels to this file, such as kim.jsonl."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="URL that the files came from.", rich_help_panel="Reading")] = None,
) -> None:
    """Show pages in the inspector: what is kept, why, and with which confidence. Press Ctrl-C to stop.

    The panel Site shows the layouts of several pages of a site, what repeats on them, and unusual pages.
    """
    with wrong_use(), output_to(None):
        from bonmun.algorithms import make_method
        from bonmun.app.inspector.clicked_rules import choose_rule_file
        from bonmun.app.serve.http.server import run_server
        from bonmun.app.serve.inspector_routes import make_inspector_router
        from bonmun.app.serve.rule_routes import make_rule_router
        from bonmun.app.serve.settings import ServiceOptions
        from bonmun.app.serve.site_routes import SiteStudies, make_site_router

        method, model = extraction.method, extraction.model
        make_method(method)  # reports a wrong name before anything starts
        if model is not None and not Path(model).is_file():
            raise BadConfig(f"The model file {str(model)!r} does not exist: make one with `bonmun train`.")
        check_names(names)
        open_pages = open_inputs(names, extraction, url)
        settings = ServiceOptions(
            port=port,
            workers=2,
            network=network,
            model=Path(model) if model else None,
            max_bytes=extraction.max_bytes,
            log_level="error",
        )
        open_pages.model = str(model) if model else None
        open_pages.rules = extraction.rules
        clicked = choose_rule_file(extraction.rules) if gold is None else None
        studies = SiteStudies(open_pages) if gold is None else None  # labels must not depend on other pages
        routers = [
            make_inspector_router(
                open_pages,
                network=network,
                is_labelled=gold is not None,
                has_rules=clicked is not None,
                studies=studies,
            )
        ]
        if studies is not None:
            routers.append(make_site_router(studies))
        if clicked is not None:
            routers.append(make_rule_router(open_pages, clicked))

        def announce(running: RunningService) -> None:
            address = running.inspector_url
            if method != "auto":
                address = address.replace("/#", f"/?{urlencode({'method': method})}#", 1)
            count = f"{len(open_pages):,} pages" if len(open_pages) > 1 else make_readable(open_pages.pages[0].name)
            complain(f"{count}: open this URL in a browser; press Ctrl-C to stop.")
            show(address)
            if browser:
                _open_browser(address)

        with _open_session(open_pages, gold, routers) if gold else nullcontext():
            run_server(settings, routers, announce)


@contextmanager
def _open_session(open_pages: OpenPages, gold: Path, routers: list[APIRouter]) -> Iterator[None]:
    """Open an annotation session and add its routes; end with status 1 if the gold file cannot be used."""
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
    """Open the web browser, if there is one, without waiting for it."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
