"""What a shell offers when Tab is pressed after an option."""

from __future__ import annotations

from bonmun.algorithms import METHODS
from bonmun.outputs import FORMATS
from bonmun.outputs.chunks.json_lines import CHUNKS

__all__ = ["complete_favours", "complete_formats", "complete_methods", "complete_peers"]

FAVOURS = (
    "precision",
    "balanced",
    "recall",
)  # as in models/network/decide.py, which takes longer to load than people wait


def complete_methods(incomplete: str) -> list[tuple[str, str]]:
    """Methods that begin so, each with what it does."""
    return [(info.name, info.says) for info in METHODS.values() if info.name.startswith(incomplete)]


def complete_formats(incomplete: str) -> list[str]:
    """Formats that begin so."""
    return [name for name in (*FORMATS, CHUNKS) if name.startswith(incomplete)]


def complete_favours(incomplete: str) -> list[str]:
    """What can be favoured."""
    return [name for name in FAVOURS if name.startswith(incomplete)]


def complete_peers(incomplete: str) -> list[str]:
    """Peers that begin so, whether or not they are installed."""
    from bonmun.lab.evaluate.systems.peers import PEERS

    return [name for name in ("all", *PEERS) if name.startswith(incomplete)]
