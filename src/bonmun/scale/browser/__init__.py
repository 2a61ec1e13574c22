"""Render pages with Chromium: `with Browser() as browser: snapshot = browser.render(url)`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.scale.browser.browser import Browser, Rendered, check_browser
    from bonmun.scale.browser.jobs import RenderJob
    from bonmun.scale.browser.render_options import RenderOptions

__all__ = ["Browser", "RenderJob", "RenderOptions", "Rendered", "check_browser"]

# The module of each name, imported on first use: the command line reads the options without loading the rest.
MODULES = {
    "Browser": "bonmun.scale.browser.browser",
    "RenderJob": "bonmun.scale.browser.jobs",
    "RenderOptions": "bonmun.scale.browser.render_options",
    "Rendered": "bonmun.scale.browser.browser",
    "check_browser": "bonmun.scale.browser.browser",
}


def __getattr__(name: str) -> Any:
    """Import a name on first use."""
    if name not in MODULES:
        raise AttributeError(f"module 'bonmun.scale.browser' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value
