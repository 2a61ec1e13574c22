"""How one page of many is extracted and written: all that a child process needs to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method
from bonmun.errors import BadConfig, BonmunError

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.algorithms import Method
    from bonmun.app.commands.extract.presentation import Presentation
    from bonmun.options import Options

__all__ = ["Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a page becomes bytes; it travels to the children once."""

    method: str
    title: str | None
    site_model: Path | None
    model: Path | None
    favour: str | None
    options: Options
    presentation: Presentation

    def make_method(self) -> Method:
        """What labels pages; BadConfig says what is wrong with its settings."""
        try:
            sites = None
            if self.site_model:
                from bonmun.sites.model import SiteModel

                sites = SiteModel.load(self.site_model)
            return make_method(self.method, title=self.title, site=sites, model=self.model, favour=self.favour)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None
