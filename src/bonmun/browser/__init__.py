"""Pages laid out by a real browser: `with Browser() as browser: snapshot = browser.render(url)`."""

from bonmun.browser.browser import Browser, Rendered, check_browser
from bonmun.browser.loading import Job
from bonmun.browser.options import RenderOptions

__all__ = ["Browser", "Job", "RenderOptions", "Rendered", "check_browser"]
