"""Hosts with robots.txt files, sitemaps and feeds of all kinds."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, ClassVar

from change_hosts import write_article
from loopback import Reply, Request, link_pages, send_to

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FeedHost", "MapHost", "RobotsHost", "make_robots_hosts"]

MAP_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@dataclass
class RobotsHost:
    """A host with a robots.txt, and the paths that it allows and disallows for the agent `bonmun`."""

    name: str
    robots: Reply
    allowed: tuple[str, ...] = ("/", "/a", "/b")
    refused: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    @property
    def allowed_urls(self) -> set[str]:
        """The URLs that a crawler named bonmun may fetch."""
        return {f"http://{self.name}{path}" for path in self.allowed}

    def answer(self, request: Request) -> Reply:
        """Return robots.txt or a page, whether it is allowed or not."""
        if request.path == "/robots.txt":
            return self.robots
        if request.target == "/":
            return Reply(link_pages(self.name, [*self.allowed, *self.refused, *self.links]))
        if request.target in self.allowed + self.refused:
            return Reply(write_article("en", len(request.target)))
        return Reply("No such page.", status=404)


def make_robots_hosts() -> dict[str, RobotsHost]:
    """Return robots.example, which links to its subdomains, and a subdomain for each kind of robots.txt."""
    wild = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?sort=\nDisallow: /shop/*/reviews\nDisallow: /x*\nAllow: /xylophone\n"
    longest = "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /public\nDisallow: /public/not\nAllow: /한글\n"
    named = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: BonMun\nDisallow: /not-for-bonmun\n"
    messy = "\ufeff# a comment\r\nUSER-AGENT : *\r\ndisallow:/secret # why\r\nDisallow\r\nCrawl-delay: soon\r\nNoise: \x00\r\n"
    hosts = [
        RobotsHost("delay", _write("User-agent: *\nCrawl-delay: 1\nDisallow: /no\n"), refused=("/no",)),
        RobotsHost(
            "wild",
            _write(wild),
            ("/", "/a", "/a.pdf?page=1", "/shop/reviews", "/xylophone"),
            ("/a.pdf", "/list?sort=name", "/shop/4/reviews", "/xenon"),
        ),
        RobotsHost("longest", _write(longest), ("/", "/public/yes", "/%ED%95%9C%EA%B8%80"), ("/a", "/public/not/me")),
        RobotsHost("named", _write(named), refused=("/not-for-bonmun",)),
        RobotsHost("messy", _write(messy), refused=("/secret",)),
        RobotsHost("missing", Reply("No robots here.", status=404)),
        RobotsHost("forbidden", Reply("No.", status=403)),
        RobotsHost("error", Reply("Broken.", status=500), (), ("/", "/a")),
        RobotsHost("moved", send_to("http://named.robots.example/robots.txt", 301), refused=("/not-for-bonmun",)),
        RobotsHost("html", Reply("<!doctype html><title>Welcome</title><p>Disallow: / is no rule here.</p>")),
        RobotsHost("empty", _write("")),
        RobotsHost("circle", send_to("/robots.txt")),  # RFC 9309: treated as missing after five redirects
        RobotsHost("endless", Reply(kind="text/plain", stream=EndlessRules()), refused=("/secret",)),
        RobotsHost("silent", Reply(delay=1e6), (), ("/", "/a")),
    ]
    made = {f"{host.name}.robots.example": host for host in hosts}
    for name, host in made.items():
        host.name = name
    names = tuple(f"http://{name}/" for name in made)
    return made | {"robots.example": RobotsHost("robots.example", _write("User-agent: *\nAllow: /\n"), links=names)}


def _write(rules: str) -> Reply:
    return Reply(rules, "text/plain; charset=utf-8")


class EndlessRules:
    """Endless rules, from the start for every client."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"User-agent: *\nDisallow: /secret\n"
        yield from repeat(b"# and so on\n" * 1000)


class MapHost:
    """maps.example: pages without links to them, listed in sitemaps of all kinds, some of them broken."""

    KINDS = ("plain", "packed", "news", "text", "late", "feed")
    PER_KIND = 5
    BROKEN = ("/broken.xml", "/entities.xml", "/loop-1.xml", "/foreign.xml", "/missing.xml", "/page.xml")

    def __init__(self, host: str = "maps.example") -> None:
        self.base = f"http://{host}"

    def list_paths(self, kind: str) -> list[str]:
        """Return the paths listed in a sitemap."""
        return [f"/{kind}/{number}" for number in range(1, self.PER_KIND + 1)]

    @property
    def urls(self) -> set[str]:
        """The URLs listed in all sitemaps, including the valid ones of broken.xml and foreign.xml."""
        kinds = [*self.KINDS, "broken", "foreign"]
        return {self.base + path for kind in kinds for path in self.list_paths(kind)} | {f"{self.base}/"}

    def answer(self, request: Request) -> Reply:
        """Return a sitemap, a page, or robots.txt, which lists the index and one more sitemap."""
        path = request.path
        if path == "/robots.txt":
            return Reply(
                f"User-agent: *\nAllow: /\nSitemap: {self.base}/index.xml\nsitemap: {self.base}/late.xml\n",
                "text/plain",
            )
        if path == "/":
            return Reply(write_article("en", 20))
        if (made := self.make_map(path)) is not None:
            kind = {"txt": "text/plain", "gz": "application/gzip"}.get(path.rpartition(".")[2], "application/xml")
            return Reply(made, kind)
        name, _, number = path.strip("/").partition("/")
        if name in (*self.KINDS, "broken", "foreign") and path in self.list_paths(name):
            return Reply(write_article("ko" if name == "news" else "en", 30 + int(number)))
        return Reply("No such page.", status=404)

    def make_map(self, path: str) -> bytes | str | None:
        """Return the sitemap at a path, or None."""
        maps: dict[str, bytes | str] = {
            "/index.xml": self._write_index(
                "/plain.xml", "/packed.xml.gz", "/news.xml", "/text.txt", "/feed.xml", *self.BROKEN
            ),
            "/plain.xml": self._write_set("plain"),
            "/packed.xml.gz": gzip.compress(self._write_set("packed").encode(), mtime=0),
            "/news.xml": self._write_news(),
            "/text.txt": "".join(f"{self.base}{path}\n" for path in self.list_paths("text")),
            "/late.xml": self._write_set("late").replace("<urlset", "<!-- late -->\n<urlset"),
            "/feed.xml": write_rss(self.base, self.list_paths("feed")),
            "/broken.xml": self._write_set("broken").removesuffix("</url></urlset>") + "<loc>& <b>",
            "/entities.xml": write_entity_bomb(),
            "/loop-1.xml": self._write_index("/loop-1.xml", "/loop-2.xml", "/index.xml"),
            "/loop-2.xml": self._write_index("/loop-1.xml"),
            "/foreign.xml": self._write_set("foreign").replace(
                "</urlset>", "<url><loc>http://10.0.0.1/</loc></url><url><loc>file:///etc/passwd</loc></url></urlset>"
            ),
            "/page.xml": "<!doctype html><title>Not found</title><p>This is no sitemap.</p>",
        }
        return maps.get(path)

    def _write_index(self, *paths: str) -> str:
        maps = "".join(
            f"<sitemap><loc>{self.base}{path}</loc><lastmod>2026-03-01</lastmod></sitemap>" for path in paths
        )
        return f'<?xml version="1.0" encoding="UTF-8"?><sitemapindex {MAP_SPACE}>{maps}</sitemapindex>'

    def _write_set(self, kind: str) -> str:
        places = "".join(
            f"<url><loc> {self.base}{path} </loc><lastmod>2026-03-02T10:00:00+09:00</lastmod></url>"
            for path in self.list_paths(kind)
        )
        return f'<?xml version="1.0" encoding="UTF-8"?><urlset {MAP_SPACE}>{places}</urlset>'

    def _write_news(self) -> str:
        news = "".join(
            f"<url><loc>{self.base}{path}</loc><news:news><news:publication><news:name>등대일보</news:name><news:language>ko</news:language></news:publication>"
            f"<news:publication_date>2026-03-03</news:publication_date><news:title>등대 소식 {path[-1]}</news:title></news:news></url>"
            for path in self.list_paths("news")
        )
        return f'<?xml version="1.0" encoding="UTF-8"?><urlset {MAP_SPACE} xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">{news}</urlset>'


def write_entity_bomb() -> str:
    """Return an XML file of a kilobyte with entities that would expand to billions of characters."""
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "{"x" * 10}">{entities}]><urlset {MAP_SPACE}><url><loc>http://maps.example/&e9;</loc></url></urlset>'


def write_rss(base: str, paths: list[str]) -> str:
    """Return an RSS 2.0 feed with HTML in its titles."""
    items = "".join(
        f"<item><title><![CDATA[소식 <b>{path}</b> &amp; 더]]></title><link>{base}{path}</link><guid>{path}</guid></item>"
        for path in paths
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Feed</title><link>{base}/</link>{items}</channel></rss>'


class FeedHost:
    """feeds.example: pages that are listed only in its feeds, which the front page links to."""

    FEEDS: ClassVar = {
        "/rss": "application/rss+xml",
        "/atom": "application/atom+xml",
        "/rdf": "application/rdf+xml",
        "/json": "application/feed+json",
        "/broken": "application/rss+xml",
    }
    PER_FEED = 4

    def __init__(self, host: str = "feeds.example") -> None:
        self.base = f"http://{host}"

    def list_paths(self, feed: str) -> list[str]:
        """Return the paths listed in a feed."""
        return [f"{feed}/{number}" for number in range(1, self.PER_FEED + 1)]

    @property
    def urls(self) -> set[str]:
        """The URLs of the front page and of all pages listed in feeds."""
        return {self.base + path for feed in self.FEEDS for path in self.list_paths(feed)} | {f"{self.base}/"}

    def answer(self, request: Request) -> Reply:
        """Return a feed, a page or the front page."""
        path = request.path
        if path == "/":
            head = "".join(
                f'<link rel="alternate" type="{kind}" title="{feed}" href="{feed}">'
                for feed, kind in self.FEEDS.items()
            )
            return Reply(write_article("en", 40, head))
        if path in self.FEEDS:
            return Reply(self.make_feed(path), self.FEEDS[path])
        feed, _, number = path.rpartition("/")
        if feed in self.FEEDS and path in self.list_paths(feed):
            return Reply(write_article("ko", 50 + int(number)))
        return Reply("No such page.", status=404)

    def make_feed(self, path: str) -> str:
        """Return the feed at a path."""
        paths, base = self.list_paths(path), self.base
        if path == "/atom":
            entries = "".join(
                f'<entry><title type="html">글 &lt;i&gt;{each}&lt;/i&gt;</title><link rel="alternate" href="{each}"/><link rel="edit" href="/edit{each}"/></entry>'
                for each in paths
            )
            return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="{base}/"><title>Feed</title>{entries}</feed>'
        if path == "/rdf":
            items = "".join(
                f'<item rdf:about="{base}{each}"><title>기사 {each}</title><link>{base}{each}</link></item>'
                for each in paths
            )
            return f'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/>{items}</rdf:RDF>'
        if path == "/json":
            listed = [{"id": each, "url": base + each, "title": f"기사 {each}"} for each in paths]
            return json.dumps(
                {"version": "https://jsonfeed.org/version/1.1", "title": "Feed", "items": listed}, ensure_ascii=False
            )
        made = write_rss(base, paths)
        return (
            made
            if path == "/rss"
            else made.replace("<channel>", "<channel>&nbsp;<br>").removesuffix("</channel></rss>")
        )
