"""The record of a post that was found on a page."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FoundPost"]


class FoundPost(NamedTuple):
    """A post of a thread: who wrote it and when, and the blocks of the page that belong to it."""

    element: int  # that contains the post, or starts it
    author: str | None
    date: str | None  # YYYY-MM-DD
    time: str | None  # HH:MM or HH:MM:SS
    shown_time: str | None  # as the page shows it: "3 hours ago"
    parent: int  # number of the post that it replies to; -1: none
    depth: int  # number of posts above it
    url: str | None
    score: int | None
    is_accepted: bool  # whether it is the accepted answer
    is_opening: bool  # whether it starts the thread
    is_apart: bool  # whether it starts a thread whose other posts are marked up differently
    body: tuple[int, ...]  # blocks, in document order
    head: tuple[int, ...]  # blocks that only show author, time and buttons
