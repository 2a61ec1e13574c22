"""`bonmun serve`: serve extraction over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, wrong_use
from bonmun.app.serve.settings import ServiceOptions

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.app.serve.http.server import RunningService

__all__ = ["check_model", "serve_command"]


@take_settings(ServiceOptions, into="settings")
def serve_command(settings: ServiceOptions) -> None:
    """Serve extraction over HTTP: POST /extract, /compare, /explain and /chunks; see /openapi.json.

    The URL of the inspector is printed at the start. SIGTERM and Ctrl-C stop the service after open requests are
    answered.
    """
    with wrong_use():
        from bonmun.app.serve.http.server import run_server
        from bonmun.app.serve.inspector_routes import make_inspector_router
        from bonmun.lab.annotate.open_pages import OpenPages
        from bonmun.rules.rule_set import load_rules

        check_model(settings.model)
        open_pages = OpenPages(max_bytes=settings.max_bytes)
        open_pages.model = str(settings.model) if settings.model else None
        open_pages.rules = load_rules(settings.rules) if settings.rules else None
        is_shown = settings.is_local  # the inspector is only for people at this machine
        run_server(
            settings, [make_inspector_router(open_pages, network=settings.network)] if is_shown else [], _announce
        )


def check_model(model: Path | None) -> None:
    """Raise BadConfig if a file is not a model, before child processes start."""
    from bonmun.algorithms import make_method
    from bonmun.errors import BadConfig, BonmunError

    if model is not None:
        try:
            make_method("auto", model=model)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None


def _announce(running: RunningService) -> None:
    complain(f"listening at {running.url}")
    if running.settings.is_local:
        complain(f"in a browser, open {running.home_url}")
        complain(f"the inspector is at {running.inspector_url}")
