"""Helpers for the tests of labels: a page with everything that people label, and open pages."""

from __future__ import annotations

from bonmun.lab.annotate.open_pages import OpenPage, OpenPages
from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["ARTICLE", "LABELS", "make_article", "make_open_pages", "make_source"]

PARAGRAPH = (
    "The library of the small town has opened its doors again after eleven months, and readers came in such numbers "
    "that the last of them had to wait in the square until the evening."
)


def make_article(name: str = "library", paragraphs: int = 4) -> str:
    """Return an article with everything that pages have around their text."""
    body = "".join(f"<p>Part {number} about the {name}. {PARAGRAPH}</p>" for number in range(1, paragraphs + 1))
    return (
        f"<!doctype html><html lang=en><head><title>The {name} is open again</title></head><body>"
        "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Town</a></li><li><a href=/c>Sport</a></li></ul></nav>"
        f"<article><h1>The {name} is open again</h1><div class=byline>By Ann Lee</div><time>4 March 2026</time>{body}"
        "<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Monday</td><td>9 to 5</td></tr></table></article>"
        "<section class=comments><h3>Comments</h3><div class=comment><p>I was there and liked it very much.</p></div></section>"
        "<footer><p>© 2026 The Town Paper. All rights reserved.</p></footer></body></html>"
    )


ARTICLE = make_article()
LABELS = {
    "/html/body/article[1]/h1[1]": "title",
    "/html/body/article[1]/div[1]": "author",
    "/html/body/article[1]": "date",
    "/html/body/article[1]/p[1]": "keep",
    "/html/body/article[1]/p[2]": "keep",
    "/html/body/section[1]/div[1]/p[1]": "comment",
}


def make_source(html: str = ARTICLE, name: str = "a.html", url: str | None = None) -> PageSource:
    """Return a page as it was read."""
    return PageSource(name, url, html.encode())


def make_open_pages(*sources: PageSource) -> OpenPages:
    """Return open pages, without files."""
    return OpenPages(OpenPage(0, each.name, each.url, lambda each=each: each) for each in sources)  # type: ignore[misc]
