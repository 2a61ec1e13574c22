"""A collection of candidates for one fact: each is there once, and gathers signs from every place it is found in."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeVar

from bonmun.metadata.ranking import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Candidates"]

Key = TypeVar("Key", bound=Hashable)


class Candidates(dict[Key, Candidate]):
    """Candidates by their keys, in the order they were found, which decides ties: what has the same key is the same."""

    def add(self, key: Key, value: str, source: str, signs: Iterable[str]) -> Candidate:
        """Add a candidate with what speaks for it; of one that is known already, the first value and source count."""
        candidate = self.get(key)
        if candidate is None:
            candidate = self[key] = Candidate(value, [], {})
        candidate.sources.append(source)
        known_signs = candidate.signs
        for sign in signs:
            known_signs[sign] = 1.0
        return candidate

    def drop(self, keys: Iterable[Key]) -> None:
        """Take candidates out again."""
        for key in list(keys):
            del self[key]
