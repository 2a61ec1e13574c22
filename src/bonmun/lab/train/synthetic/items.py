"""Synthetic listings: cards on a home page or blog, and classified advertisements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.frames import frame_boxes, frame_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["LISTINGS"]


def _make_card(w: PageWriter, tag: str, *, teaser: bool, date: bool, level: int) -> str:
    title = w.tag(f"h{level}", w.link(keep(w.title())))
    picture = w.link("<img src=d.jpg>") if w.chance(0.6) else ""
    text = w.tag("p.excerpt|summary|entry-summary|", keep(w.text(1, 3))) if teaser else ""
    when = w.tag("span.date|entry-date|time|", w.date()) if date else ""
    who = w.tag("span.author|", w.name()) if w.chance(0.15) else ""
    more = w.link(w.role("more"), "a.more-link|readmore|") if w.chance(0.15) else ""
    pieces = (picture, title, text, when, who, more) if w.chance(0.5) else (picture, when, title, who, text, more)
    return w.tag(f"{tag}.card|post|item|news-item|entry|", *pieces)


def make_cards(w: PageWriter) -> str:
    """Make a list of cards with titles and teasers: a blog's front page, news by date, search results."""
    title = w.label()
    outer, item = w.pick(("div article", "div div", "ul li")).split()
    teaser, date, level = w.chance(0.7), w.chance(0.7), w.rng.choice((2, 3, 3, 4))
    cards = (_make_card(w, item, teaser=teaser, date=date, level=level) for _ in range(w.count(3, 30)))
    listed = w.tag(f"{outer}.list|posts|archive|feed|cards|", *cards)
    head = w.tag("h1", title) if w.chance(0.6) else ""
    return frame_boxes(w, title, head + listed + w.maybe(0.7, parts.make_pager))


def make_home(w: PageWriter) -> str:
    """Make a home page: sections with a heading, each a list of titles or cards."""
    sections = []
    for _ in range(w.count(2, 7)):
        if w.chance(0.4):
            items = w.tag("ul", *(w.tag("li", w.link(keep(w.title()))) for _ in range(w.count(3, 12))))
        else:
            level, teaser, date = w.rng.choice((3, 4)), w.chance(0.5), w.chance(0.2)
            cards = (_make_card(w, "div", teaser=teaser, date=date, level=level) for _ in range(w.count(1, 8)))
            items = "".join(cards)
        more = w.link(w.role("more")) if w.chance(0.4) else ""
        sections.append(w.tag("section.section|block|module|", w.tag("h2", keep(w.words(1, 3))), more, items))
    return frame_page(w, w.site, "".join(sections), old=0.15)


def make_classifieds(w: PageWriter) -> str:
    """Make classified advertisements with title, price, place and a line of text, in rows or boxes."""
    title, rows, items = w.label(), w.chance(0.5), []
    for _ in range(w.count(4, 30)):
        name, price, text = w.link(keep(w.words(2, 8))), keep(w.price()), keep(w.sentence(16))
        place = f"{w.name()}, {w.date()}"
        if rows:
            cells = ("<img src=e.jpg>", f"{name}<br>{text}", price, place)
            items.append(w.tag("tr", *(w.tag("td", cell) for cell in cells)))
        else:
            pieces = (w.tag("h2", name), w.tag("p", text), w.tag("p.price", price), w.tag("span", place))
            items.append(w.tag("article.ad|listing|aditem|", *pieces))
    listed = w.tag("table", *items, width="100%") if rows else "".join(items)
    before, after = w.maybe(0.5, parts.make_search), w.maybe(0.8, parts.make_pager)
    return frame_page(w, title, w.tag("h1", title) + before + listed + after, old=0.3)


LISTINGS = (make_cards, make_cards, make_home, make_classifieds)
