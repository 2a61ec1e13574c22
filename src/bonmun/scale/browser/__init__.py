"""Render pages with Chromium: `with Browser() as browser: snapshot = browser.render(url)`."""

from bonmun.scale.browser.browser import Browser, Rendered, check_browser
from bonmun.scale.browser.loading import RenderJob
from bonmun.scale.browser.render_options import RenderOptions

__all__ = ["Browser", "RenderJob", "RenderOptions", "Rendered", "check_browser"]
