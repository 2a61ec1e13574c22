"""A method with a model or a favour, to be measured or compared next to the same method with its defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms import METHODS, make_method
from bonmun.errors import BadConfig, BonmunError
from bonmun.options import DEFAULTS, Options

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.algorithms import Method

__all__ = ["TunedMethod", "find_tuned"]

DEFAULT_METHOD = "auto"
TUNING = ("model", "favour")  # settings that make a method a row of its own


class TunedMethod(NamedTuple):
    """A method and its settings."""

    method: str
    options: Options

    @property
    def name(self) -> str:
        """Its name in tables: `auto:mine.npz`, `auto:recall`, `auto:mine.npz:recall`."""
        given = self.options.list_method_settings()
        parts = [Path(given["model"]).name] if "model" in given else []
        return ":".join((self.method, *parts, *([given["favour"]] if "favour" in given else [])))

    def make(self) -> Method:
        """Return the method; raise BadConfig if its model file cannot be used."""
        try:
            return make_method(self.method, **self.options.list_method_settings())
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None


def find_tuned(names: Collection[str], options: Options) -> TunedMethod | None:
    """Return the method that the options' model and favour apply to: auto if it is listed; None without either."""
    settings = [name for name in TUNING if name in options.list_method_settings()]
    if not settings:
        return None
    able = [name for name in names if set(settings) <= set(METHODS[name].takes)]
    if len(able) != 1 and DEFAULT_METHOD not in able:
        which = "none" if not able else "more than one"
        raise BadConfig(f"Of {', '.join(names)}, {which} takes {' and '.join(settings)}: name one with --method.")
    method = DEFAULT_METHOD if DEFAULT_METHOD in able else able[0]
    tuned = TunedMethod(method, replace(DEFAULTS, model=options.model, favour=options.favour))
    tuned.make()  # raises if it cannot be made
    return tuned
