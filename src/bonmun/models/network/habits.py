"""What a model file says beside its weights, if a network was taught on a few pages: its habits, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HABITS", "HOSTS", "Habits", "is_for_host", "read_habits", "read_hosts"]

HABITS, HOSTS = "habits", "hosts"  # what they are called in a model file


class Habits(NamedTuple):
    """How blocks are chosen where the default's way is not that of the pages that a network was taught on."""

    headlines: bool = False  # a headline is main text if the network says so; else it is the title, and no text
    filled: float = 0.0  # what stands between kept blocks must be so likely main text to be kept with them


def read_habits(about: Mapping[str, Any]) -> Habits:
    """The habits in a model file; those of the default where it has none. Raises ValueError for what are none."""
    found = about.get(HABITS, {})
    if not isinstance(found, dict):
        raise ValueError("habits that are none")
    headlines, filled = found.get("headlines", False), found.get("filled", 0.0)
    if not isinstance(headlines, bool) or not isinstance(filled, (int, float)) or not 0 <= filled <= 1:
        raise ValueError("habits that are none")
    return Habits(headlines, float(filled))


def read_hosts(about: Mapping[str, Any]) -> frozenset[str]:
    """The hosts of the sites that a network was taught for; none where it is for all."""
    found = about.get(HOSTS, [])
    if not isinstance(found, list) or not all(isinstance(host, str) for host in found):
        raise ValueError("hosts that are none")
    return frozenset(found)


def is_for_host(hosts: frozenset[str], host: str) -> bool:
    """Whether a network that was taught for these hosts is for this one: one of them, or above or below one."""
    mine = host.removeprefix("www.")
    others = [each.removeprefix("www.") for each in hosts]
    return any(each == mine or each.endswith(f".{mine}") or mine.endswith(f".{each}") for each in others)
