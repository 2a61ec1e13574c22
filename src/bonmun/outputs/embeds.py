"""Find the link for an embedded player of video, audio or code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from bonmun.text.readable import cut_text, make_readable
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["EMBED_TAGS", "Embed", "find_embed"]

EMBED_TAGS = frozenset({"iframe", "video", "audio", "lite-youtube"})
TITLE_CHARS = 200
# Hosts of players, as opposed to advertisements and trackers. Subdomains count, too.
PLAYERS = (
    "youtube.com youtube-nocookie.com youtu.be vimeo.com dailymotion.com bilibili.com tv.naver.com tv.kakao.com "
    "twitch.tv ted.com rutube.ru ok.ru vk.com wistia.net wistia.com streamable.com loom.com soundcloud.com spotify.com "
    "podcasts.apple.com bandcamp.com codepen.io jsfiddle.net codesandbox.io stackblitz.com archive.org "
    "ardmediathek.de nicovideo.jp youku.com arte.tv bbc.co.uk slideshare.net datawrapper.dwcdn.net"
).split()
VIDEO_ID = re.compile(r"[\w-]{6,20}", re.A)
# Pattern of the URL of a player, and the start of the URL of the page for people.
WATCH_PAGES = (
    (
        re.compile(r"//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{6,20})", re.A),
        "https://www.youtube.com/watch?v=",
    ),
    (re.compile(r"//player\.vimeo\.com/video/([0-9]{4,15})"), "https://vimeo.com/"),
    (re.compile(r"//www\.dailymotion\.com/embed/video/(\w{4,20})", re.A), "https://www.dailymotion.com/video/"),
)


class Embed(NamedTuple):
    """The URL and the title of an embedded player."""

    url: str
    title: str


def find_embed(page: Page, row: int, base: str) -> Embed | None:
    """Return the link for a player; None for a frame of an unknown host."""
    tag = page.tags[row]
    title = cut_text(make_readable(page.attr(row, "title") or page.attr(row, "aria-label") or ""), TITLE_CHARS)
    if tag == "lite-youtube":
        video = page.attr(row, "videoid") or ""
        found = VIDEO_ID.fullmatch(video)
        return Embed(f"https://www.youtube.com/watch?v={video}", title or "youtube.com") if found else None
    source = page.attr(row, "data-src") or page.attr(row, "src")
    if tag != "iframe":
        url = read_url(source or page.find_inner_attr(row, "source", "src"), base)
        return Embed(url, title or tag) if url else None
    url = read_url(source, base)
    host = _find_host(url or "")
    if not url or not any(host == player or host.endswith(f".{player}") for player in PLAYERS):
        return None
    for pattern, watch_page in WATCH_PAGES:
        if found := pattern.search(url[:200]):
            url = watch_page + found[1]
    return Embed(url, title or host.removeprefix("www."))


def _find_host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
