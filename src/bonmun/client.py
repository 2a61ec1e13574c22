"""A service asked by Python."""

from __future__ import annotations

__all__: list[str] = []
