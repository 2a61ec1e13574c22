"""`cached_property` without a lock.

That of Python 3.11 holds a lock while it computes a value, one for all objects of a class. A process that is forked
meanwhile waits for this lock forever, and threads wait for each other. Python 3.12 has removed the lock. Without it,
two threads may compute the same value; the first one is kept.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:
    import functools

    class cached_property(functools.cached_property):  # noqa: N801 - the name of the original
        """A property that is computed once and then stored in the object."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


__all__ = ["cached_property"]
