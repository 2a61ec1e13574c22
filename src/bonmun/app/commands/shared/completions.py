"""Shell completion of option values."""

from __future__ import annotations

from bonmun.algorithms import METHODS

__all__ = ["complete_methods", "complete_peers"]


def complete_methods(incomplete: str) -> list[tuple[str, str]]:
    """Return the methods that start with a prefix, each with its description."""
    return [(info.name, info.says) for info in METHODS.values() if info.name.startswith(incomplete)]


def complete_peers(incomplete: str) -> list[str]:
    """Return the peers that start with a prefix, installed or not."""
    from bonmun.lab.evaluate.systems.peers import PEERS

    return [name for name in ("all", *PEERS) if name.startswith(incomplete)]
