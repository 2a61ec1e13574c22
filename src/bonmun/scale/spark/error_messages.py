"""What Spark says of a job that failed, pages of it, as one sentence."""

from __future__ import annotations

import re

__all__ = ["shorten"]

OURS = re.compile(r"bonmun\.errors\.\w+: ([^\n]+)")  # what went wrong in a worker, said by one of our errors
SAID_CHARS = 300  # at most


def shorten(said: str) -> str:
    """What a worker of ours says in it, or else its beginning."""
    found = OURS.search(said)
    return found[1] if found else " ".join(said.split())[:SAID_CHARS]
