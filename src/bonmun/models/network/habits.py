"""Settings in the model file of a network that was fine-tuned on a few pages: its habits, and the hosts it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HABITS", "HOSTS", "Habits", "is_for_host", "read_habits", "read_hosts"]

HABITS, HOSTS = "habits", "hosts"  # keys in a model file


class Habits(NamedTuple):
    """How a fine-tuned network chooses blocks where its training pages differ from the default."""

    headlines: bool = False  # whether a headline can be main text; by default it is only the title
    filled: float = 0.0  # minimum probability of a block that is kept because it is between kept blocks


def read_habits(about: Mapping[str, Any]) -> Habits:
    """Return the habits in a model file, or the defaults. Raises ValueError if they are invalid."""
    found = about.get(HABITS, {})
    if not isinstance(found, dict):
        raise ValueError("invalid habits")
    headlines, filled = found.get("headlines", False), found.get("filled", 0.0)
    if not isinstance(headlines, bool) or not isinstance(filled, (int, float)) or not 0 <= filled <= 1:
        raise ValueError("invalid habits")
    return Habits(headlines, float(filled))


def read_hosts(about: Mapping[str, Any]) -> frozenset[str]:
    """Return the hosts that a network was fine-tuned for; empty if it is for all hosts."""
    found = about.get(HOSTS, [])
    if not isinstance(found, list) or not all(isinstance(host, str) for host in found):
        raise ValueError("invalid hosts")
    return frozenset(found)


def is_for_host(hosts: frozenset[str], host: str) -> bool:
    """Whether a host is one of these hosts, or a parent domain or subdomain of one."""
    mine = host.removeprefix("www.")
    others = [each.removeprefix("www.") for each in hosts]
    return any(each == mine or each.endswith(f".{mine}") or mine.endswith(f".{each}") for each in others)
