"""Things for sale and lists of things: products, categories, cards on a home page, classified advertisements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.bodies import make_list, make_paragraph, make_prose, make_table
from bonmun.train.made.frames import frame_boxes, frame_page
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["COLLECTIONS", "LISTINGS", "PRODUCTS"]


def make_product(w: Writer) -> str:
    """A product: pictures, price and a cart beside it; description, specification and reviews; others below."""
    title = w.title()
    pictures = w.tag("div.gallery|product-images|", "<img src=a.jpg>" * w.count(1, 6))
    short = w.tag("p.summary|short-description|", keep(w.text(1, 2))) if w.may(0.4) else ""
    points = make_list(w, 6) if w.may(0.3) else ""
    about = [w.tag("h1", title), w.tag("div.price|product-price|", w.price()), short, points, _make_cart(w)]
    box = w.tag("div.product-info|summary entry-summary|product-detail|", *about, w.maybe(0.3, parts.make_share))
    tabs = parts.make_link_box(w, "div.tabs", 3, 3) if w.may(0.4) else ""
    story = w.tag("div.description|product-description|tab-content|", _make_head(w), make_prose(w, 1, 8))
    table = w.tag("div.specifications|spec|attributes|", _make_head(w), make_table(w, pairs=True))
    below = [tabs, story, table if w.may(0.6) else "", w.maybe(0.5, _make_reviews), w.maybe(0.7, _make_others)]
    return frame_page(w, title, w.tag("div.product|", pictures, box) + "".join(below), old=0.1)


def _make_head(w: Writer) -> str:
    return w.tag("h2", keep(w.words(1, 2))) if w.may(0.6) else ""


def _make_cart(w: Writer) -> str:
    """What one chooses and buys with."""
    options = (w.tag("option", w.words(1, 2)) for _ in range(w.count(2, 5)))
    choice = w.tag("label", w.label()) + w.tag("select", *options) if w.may(0.4) else ""
    buttons = w.tag("button", w.label()) + w.tag("button", w.label())
    return w.tag("form", choice, buttons) + w.tag("p", w.words(2, 6))


def _make_reviews(w: Writer) -> str:
    """What buyers say: it is part of the page's main text."""
    items = []
    for _ in range(w.count(1, 10)):
        who = w.tag("div", w.tag("b", w.name()), " ", w.tag("span", w.date()), "★" * w.count(1, 5))
        heading = w.tag("h4", keep(w.words(1, 5))) if w.may(0.3) else ""
        helpful = w.link(f"{w.label()} ({w.count(0, 30)})") if w.may(0.3) else ""
        items.append(w.tag("li.review|comment|", who, heading, w.tag("p", keep(w.text(1, 4))), helpful))
    return w.tag("div.reviews|review-list|", _make_head(w), w.tag("ul", *items))


def _make_others(w: Writer) -> str:
    """Products that this page is not about."""
    items = []
    for _ in range(w.count(3, 12)):
        name = w.link(f"<img src=b.jpg>{w.words(2, 7)}")
        items.append(w.tag("li.product|item|", name, w.tag("span.price|", w.price()), w.tag("button", w.label())))
    return w.tag("section.related products|related|upsells|", w.tag("h2", w.words(1, 4)), w.tag("ul", *items))


def make_category(w: Writer) -> str:
    """Products of a kind: names, prices, some with a line on each; filters beside them."""
    title = w.words(1, 3)
    outer, item = w.pick(("ul li", "div div", "section article", "div a")).split()
    texts, buttons = w.may(0.4), w.may(0.4)
    items = []
    for _ in range(w.count(4, 40)):
        name = w.tag(w.pick(("h3", "div.name|product-title|")), keep(w.words(1, 7)))
        text = w.tag("p", keep(w.sentence(14))) if texts else ""
        button = w.tag("button", w.label()) if buttons else ""
        price = w.tag("div.price|", keep(w.price()))
        items.append(w.tag(f"{item}.product|item|card|grid-item|", "<img src=c.jpg>", name, text, price, button))
    names = [f"{w.words(1, 2)} ({w.count(1, 90)})" for _ in range(w.count(3, 20))]
    filters = w.tag("div.filters|facets|layered-nav", parts.make_links(w.chance, names)) if w.may(0.6) else ""
    order = f"{w.number()} {w.label()} <select><option>{w.label()}</option></select>"
    pieces = [
        w.tag("h1", title),
        make_paragraph(w, 1, 3) if w.may(0.4) else "",
        filters,
        w.tag("div.toolbar|sort|", order) if w.may(0.6) else "",
        w.tag(f"{outer}.products|product-grid|items|", *items),
        w.maybe(0.7, parts.make_pager),
    ]
    return frame_page(w, title, "".join(pieces), old=0.1)


def _make_card(w: Writer, tag: str, *, teaser: bool, date: bool, level: int) -> str:
    title = w.tag(f"h{level}", w.link(keep(w.title())))
    picture = w.link("<img src=d.jpg>") if w.may(0.6) else ""
    text = w.tag("p.excerpt|summary|entry-summary|", keep(w.text(1, 3))) if teaser else ""
    when = w.tag("span.date|entry-date|time|", w.date()) if date else ""
    who = w.tag("span.author|", w.name()) if w.may(0.15) else ""
    more = w.link(w.role("more"), "a.more-link|readmore|") if w.may(0.15) else ""
    pieces = (picture, title, text, when, who, more) if w.may(0.5) else (picture, when, title, who, text, more)
    return w.tag(f"{tag}.card|post|item|news-item|entry|", *pieces)


def make_cards(w: Writer) -> str:
    """A blog's first page, news by date, what was found: cards with titles and teasers."""
    title = w.label()
    outer, item = w.pick(("div article", "div div", "ul li")).split()
    teaser, date, level = w.may(0.7), w.may(0.7), w.chance.choice((2, 3, 3, 4))
    cards = (_make_card(w, item, teaser=teaser, date=date, level=level) for _ in range(w.count(3, 30)))
    listed = w.tag(f"{outer}.list|posts|archive|feed|cards|", *cards)
    head = w.tag("h1", title) if w.may(0.6) else ""
    return frame_boxes(w, title, head + listed + w.maybe(0.7, parts.make_pager))


def make_home(w: Writer) -> str:
    """A home page: sections with a heading, each a list of titles or cards."""
    sections = []
    for _ in range(w.count(2, 7)):
        if w.may(0.4):
            items = w.tag("ul", *(w.tag("li", w.link(keep(w.title()))) for _ in range(w.count(3, 12))))
        else:
            level, teaser, date = w.chance.choice((3, 4)), w.may(0.5), w.may(0.2)
            cards = (_make_card(w, "div", teaser=teaser, date=date, level=level) for _ in range(w.count(1, 8)))
            items = "".join(cards)
        more = w.link(w.role("more")) if w.may(0.4) else ""
        sections.append(w.tag("section.section|block|module|", w.tag("h2", keep(w.words(1, 3))), more, items))
    return frame_page(w, w.site, "".join(sections), old=0.15)


def make_classifieds(w: Writer) -> str:
    """Advertisements of people: title, price, place, a line or two; in rows or boxes."""
    title, rows, items = w.label(), w.may(0.5), []
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


PRODUCTS = (make_product,)
COLLECTIONS = (make_category,)
LISTINGS = (make_cards, make_cards, make_home, make_classifieds)
