"""Chapters of videos and podcast episodes: lines such as "0:00 Start" in a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.objects.markup.items import Item

__all__ = ["find_chapters", "read_marked_chapters"]

MAX_CHAPTERS = 500
MIN_CHAPTERS = 3
NAME_CHARS = 200
# "0:00 Start", "(01:02:03) - Start", "[12:30] Start".
LINE = compile_later(r"\s{0,4}[(\[]?((?:[0-9]{1,2}:)?[0-9]{1,3}:[0-5][0-9])[)\]]?[\s:|–—-]{1,5}(\S.{0,200})")


def find_chapters(text: str) -> list[dict[str, str | int]]:
    """Return the chapters as `{"startOffset", "name"}`, with the offset in seconds; none unless they ascend from 0."""
    chapters: list[dict[str, str | int]] = []
    last = -1
    for line in text.replace("<br", "\n<br").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        seconds = 0
        for part in match[1].split(":"):
            seconds = 60 * seconds + int(part)
        if seconds > last:
            chapters.append({"startOffset": seconds, "name": match[2].strip()[:NAME_CHARS]})
            last = seconds
        if len(chapters) >= MAX_CHAPTERS:
            break
    return chapters if len(chapters) >= MIN_CHAPTERS and chapters[0]["startOffset"] == 0 else []


def read_marked_chapters(item: Item) -> list[dict[str, str | int]]:
    """Return the chapters that are marked up as clips."""
    chapters: list[dict[str, str | int]] = []
    for clip in item.items("hasPart")[:MAX_CHAPTERS]:
        start, name = clip.text("startOffset"), clip.text("name")
        if start.isdecimal() and start.isascii() and name:
            chapters.append({"startOffset": int(start[:9]), "name": name[:NAME_CHARS]})
    return chapters
