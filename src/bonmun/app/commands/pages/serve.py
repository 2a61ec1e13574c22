"""`bonmun serve`: the service, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from bonmun.app.commands.shared.arguments import CORES, MAX_BYTES, AllowPrivate, MaxPageBytes, PageSeconds
from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.shell import complain, wrong_use

if TYPE_CHECKING:
    from bonmun.app.serve.http.server import Running

__all__ = ["Fetch", "Memory", "Model", "Processes", "ServeCommand", "serve_command"]

MEGABYTE = 1_000_000

# what `bonmun mcp` takes, too
Fetch = Annotated[bool, typer.Option("--fetch", help="Download URLs, from public addresses only.")]
Processes = Annotated[int, typer.Option("--workers", min=1, help="Child processes that work on pages.")]
Memory = Annotated[int, typer.Option("--memory", min=50, help="Megabytes that a child process may take for its pages.")]
Model = Annotated[Path | None, typer.Option(metavar="FILE", help="Weights of `bonmun train`, for auto.")]


class ServeCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "Who may ask": "host port token allow_host",
        "What it does": "fetch render network allow_private model",
        "Limits": "workers queue seconds memory max_bytes",
    }


def serve_command(
    host: Annotated[str, typer.Option(help="Where it listens; anything but loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any that is free.")] = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="BONMUN_TOKEN",
            show_envvar=True,
            help="Whoever asks must send it. Better in the variable: commands can be seen.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name that the service is called by; * is any.")
    ] = None,
    workers: Processes = CORES,
    queue: Annotated[int, typer.Option(min=0, help="Requests that may wait; more are told to come back.")] = 256,
    seconds: PageSeconds = 30.0,
    memory: Memory = 2_000,
    max_bytes: MaxPageBytes = MAX_BYTES,
    fetch: Fetch = False,
    render: Annotated[bool, typer.Option("--render", help="Lay pages out in a browser, at /render.")] = False,
    allow_private: AllowPrivate = False,
    network: Annotated[
        bool, typer.Option("--network", help="Pages that are laid out, or shown, may load what they link to.")
    ] = False,
    model: Model = None,
    log_level: Annotated[
        str, typer.Option(metavar="info|warning|error", help="Log every request, or those that failed.")
    ] = "info",
) -> None:
    """Serve extraction over HTTP: POST /extract, /compare, /explain, /chunks; /openapi.json describes all.

    The inspector is there, too, at the address that it prints.

    SIGTERM and Ctrl-C stop it once what was asked is answered.
    """
    with wrong_use():
        from bonmun.app.serve.http.server import run_server
        from bonmun.app.serve.inspector_routes import make_inspector_router
        from bonmun.app.serve.settings import Settings
        from bonmun.lab.annotate.open_pages import OpenPages

        settings = Settings(
            host=host,
            port=port,
            token=token or None,
            allowed_hosts=tuple(allow_host or ()),
            workers=workers,
            queue=queue,
            seconds=seconds,
            memory=memory * MEGABYTE,
            max_bytes=max_bytes,
            fetch=fetch,
            render=render,
            allow_private=allow_private,
            network=network,
            model=model,
            log_level=log_level,
        )
        check_model(model)
        open_pages = OpenPages(max_bytes=max_bytes)
        open_pages.model = str(model) if model else None
        is_shown = settings.is_local  # the inspector is for the people at this machine
        run_server(settings, [make_inspector_router(open_pages, network=network)] if is_shown else [], _tell)


def check_model(model: Path | None) -> None:
    """Raise BadConfig if a file holds no weights: rather now than in every child."""
    from bonmun.algorithms import make_method
    from bonmun.errors import BadConfig, BonmunError

    if model is not None:
        try:
            make_method("auto", model=model)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None


def _tell(running: Running) -> None:
    complain(f"listening at {running.url}")
    if running.settings.is_local:
        complain(f"the inspector is at {running.inspector_url}")
