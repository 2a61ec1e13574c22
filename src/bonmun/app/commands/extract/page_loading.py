"""Load the pages of `bonmun extract --render`: in a browser, all of them or those that are empty otherwise."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, get_args

from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.shell import complain, stoppable
from bonmun.errors import RenderFailed
from bonmun.page import Page
from bonmun.scale.browser.render_options import Rendering

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.app.commands.shared.sources import Source
    from bonmun.options import Options
    from bonmun.scale.browser import Browser
    from bonmun.scale.browser.render_options import RenderChoice

__all__ = ["ExtractCommand", "PageLoader"]

MODES = get_args(Rendering)
RENDER = "--render"


class ExtractCommand(Command):
    """The command, in which `--render` without a value means `--render always`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line."""
        following = [*args[1:], ""]
        for at, (each, after) in enumerate(zip(args, following, strict=False)):
            if each == RENDER and after not in MODES and not ctx.resilient_parsing:
                args[at] = f"{RENDER}=always"
        return super().parse_args(ctx, args)


class PageLoader:
    """Loads pages. The browser is started for the first page that needs it, and closed at the end of the block."""

    def __init__(self, rendering: RenderChoice, files: Path | None) -> None:
        from bonmun.scale.browser.saved_files import open_resources

        self.rendering = rendering
        self.resources = open_resources(files) if files else None
        self._browser: Browser | None = None
        self._stack = ExitStack()

    def __enter__(self) -> PageLoader:
        if self.rendering.render == "always":
            self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def load(self, source: Source, options: Options, url: str | None = None) -> Page:
        """Load a page; `url` is its URL if it is a file."""
        if self.rendering.render != "auto":
            return self._render(source, options, url, None)
        from bonmun.empty_pages import is_shell

        data = None if source.is_url else source.read(options.max_bytes)
        if data is None:
            page = source.load(options, url)
        else:
            page = Page.parse(data, url, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby)
        if page.boxes is not None or not is_shell(page):
            return page
        return self._render(source, options, url, data)

    def _render(self, source: Source, options: Options, url: str | None, data: bytes | None) -> Page:
        from bonmun.app.commands.shared.render_inputs import make_job  # loads numpy

        [done] = self._start().render_all([make_job(source, options, self.resources, url, data)])
        if done.snapshot is None:
            raise done.problem or RenderFailed("The page could not be rendered.")
        if done.snapshot.problem:
            complain(f"{source.name}: rendered {done.snapshot.problem}.")
        return Page.from_snapshot(done.snapshot, max_bytes=options.max_bytes)

    def _start(self) -> Browser:
        from bonmun.scale.browser import Browser

        if self._browser is None:
            self._stack.enter_context(stoppable("finished pages have been written."))
            self._browser = self._stack.enter_context(Browser(self.rendering))
        return self._browser
