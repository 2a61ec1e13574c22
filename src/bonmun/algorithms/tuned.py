"""A method with weights or a favour of one's own, to be measured or compared beside the same method as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms import METHODS, make_method
from bonmun.errors import BadConfig, BonmunError
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from bonmun.algorithms import Method

__all__ = ["TunedMethod", "find_tuned"]

DEFAULT_METHOD = "auto"


class TunedMethod(NamedTuple):
    """A method, and what it is given."""

    method: str
    model: Path | None
    favour: str | None

    @property
    def name(self) -> str:
        """What it is called in tables: `auto:mine.npz`, `auto:recall`, `auto:mine.npz:recall`."""
        return ":".join(
            (self.method, *([self.model.name] if self.model else []), *([self.favour] if self.favour else []))
        )

    def make(self) -> Method:
        """The method itself; whatever is wrong with the file of weights is BadConfig."""
        try:
            return make_method(self.method, model=self.model, favour=self.favour)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None


def find_tuned(names: Collection[str], model: Path | None, favour: str) -> TunedMethod | None:
    """The method among some that takes a model and a favour: auto, if it is there; None if neither is given."""
    asked = {"model": model is not None, "favour": favour != DEFAULTS.favour}
    settings = [name for name, is_given in asked.items() if is_given]
    if not settings:
        return None
    able = [name for name in names if set(settings) <= set(METHODS[name].takes)]
    if len(able) != 1 and DEFAULT_METHOD not in able:
        which = "none" if not able else "more than one"
        raise BadConfig(f"Of {', '.join(names)}, {which} takes a {' and a '.join(settings)}: name one with --method.")
    tuned = TunedMethod(
        DEFAULT_METHOD if DEFAULT_METHOD in able else able[0], model, favour if asked["favour"] else None
    )
    tuned.make()  # raises, if it cannot be made
    return tuned
