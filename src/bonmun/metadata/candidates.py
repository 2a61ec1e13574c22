"""Candidates for one field. Each is kept once and collects the features of every place it was found in."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeVar

from bonmun.metadata.ranking import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Candidates"]

Key = TypeVar("Key", bound=Hashable)


class Candidates(dict[Key, Candidate]):
    """Candidates by key, in the order in which they were found. The order decides ties."""

    def add(self, key: Key, value: str, source: str, features: Iterable[str]) -> Candidate:
        """Add a candidate with its features. A known candidate keeps its first value and gains source and features."""
        candidate = self.get(key)
        if candidate is None:
            candidate = self[key] = Candidate(value, [], {})
        candidate.sources.append(source)
        known_features = candidate.features
        for feature in features:
            known_features[feature] = 1.0
        return candidate

    def drop(self, keys: Iterable[Key]) -> None:
        """Remove candidates."""
        for key in list(keys):
            del self[key]
