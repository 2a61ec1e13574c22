"""The variants to train: the paper's two networks in all interpretations, tuned ones, and the shipped ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bonmun.models.baselines.visual_columns import BASIC, CENTRE, RELATIVE

if TYPE_CHECKING:
    from bonmun.lab.train.samples.element_targets import Target

__all__ = ["BEST_ELEMENT", "READINGS", "REPORTED", "ROOTS", "SHIPPED", "VARIANTS", "Variant"]

READINGS: tuple[Target, ...] = ("whole", "root", "parents")
WINDOW = ("viewport_width", "viewport_height")


@dataclass(frozen=True)
class Variant:
    """A network: its columns, its targets, and its training rows."""

    name: str
    columns: tuple[str, ...]
    target: Target
    balanced: bool = False  # whether rows of both classes are sampled equally often
    visible: bool = False  # whether only visible elements are used
    languages: str = "en"  # of the training pages, or "all"
    seed: int = 0
    tuned: bool = False  # whether threshold and rule are chosen on the valid part
    more: dict[str, float] = field(default_factory=dict)  # settings that differ from the paper's


def _list_variants() -> list[Variant]:
    found = []
    for target in READINGS:
        found.append(Variant(f"basic-{target}", BASIC, target))
        found.append(Variant(f"centre-{target}", CENTRE, target))
    for seed in (1, 2):
        found.append(Variant(f"basic-whole-seed{seed}", BASIC, "whole", seed=seed))
        found.append(Variant(f"centre-whole-seed{seed}", CENTRE, "whole", seed=seed))
    found += [
        Variant("centre-whole-visible", CENTRE, "whole", visible=True),
        Variant("centre-whole-no-window", tuple(name for name in CENTRE if name not in WINDOW), "whole"),
        Variant("centre-whole-balanced", CENTRE, "whole", balanced=True),
        Variant("centre-root-balanced", CENTRE, "root", balanced=True),
        Variant("relative-root", RELATIVE, "root"),
        Variant("relative-whole", RELATIVE, "whole", tuned=True),
        Variant("relative-whole-balanced", RELATIVE, "whole", balanced=True, tuned=True),
        Variant("relative-parents-balanced", RELATIVE, "parents", balanced=True, tuned=True),
    ]
    wide = {"width": 16, "steps": 4, "decay": 0.95, "batch": 4096, "virtual_batch": 512}
    found += [
        Variant("relative-whole-wide", RELATIVE, "whole", tuned=True, more=wide),
        Variant("all-basic", BASIC, "whole", languages="all"),
        Variant("all-centre", CENTRE, "whole", languages="all"),
        Variant("all-relative", RELATIVE, "whole", languages="all", tuned=True),
        Variant("all-relative-wide", RELATIVE, "whole", languages="all", tuned=True, more=wide),
    ]
    return found


VARIANTS = {variant.name: variant for variant in _list_variants()}
REPORTED = {"TabNet_1": "basic-whole", "TabNet_2": "centre-whole", "centre+": "relative-whole-wide"}
ROOTS = ("basic-root", "centre-root")  # the paper's two, in the interpretation that shows its gap
# Variants that choose the most likely element of a page instead of using a threshold, and the weights that they use.
BEST_ELEMENT = {"basic-root-best": "basic-root", "centre-root-best": "centre-root-balanced"}
SHIPPED = {
    "basic": "all-basic",
    "centre": "all-centre",
    "centre+": "all-relative-wide",
}  # weights that become files of the package
