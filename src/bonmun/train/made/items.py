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
    pictures = f"<div{w.attrs('gallery', 'product-images', '')}>{'<img src=a.jpg>' * w.count(1, 6)}</div>"
    points = make_list(w, 6) if w.may(0.3) else ""
    short = f"<p{w.attrs('summary', 'short-description', '')}>{keep(w.text(1, 2))}</p>" if w.may(0.4) else ""
    price = f"<div{w.attrs('price', 'product-price', '')}>{w.price()}</div>"
    choices = (
        f"<label>{w.label()}</label><select>{''.join(f'<option>{w.words(1, 2)}</option>' for _ in range(w.count(2, 5)))}</select>"
        if w.may(0.4)
        else ""
    )
    cart = f"<form>{choices}<button>{w.label()}</button><button>{w.label()}</button></form><p>{w.words(2, 6)}</p>"
    box = f"<div{w.attrs('product-info', 'summary entry-summary', 'product-detail', '')}><h1>{title}</h1>{price}{short}{points}{cart}{w.maybe(0.3, parts.make_share)}</div>"
    tabs = parts.make_links(w.chance, [w.label() for _ in range(3)], "div", w.attrs("tabs")) if w.may(0.4) else ""
    about = (
        f"<div{w.attrs('description', 'product-description', 'tab-content', '')}>{_head(w)}{make_prose(w, 1, 8)}</div>"
    )
    table = (
        f"<div{w.attrs('specifications', 'spec', 'attributes', '')}>{_head(w)}{make_table(w, pairs=True)}</div>"
        if w.may(0.6)
        else ""
    )
    reviews = _make_reviews(w) if w.may(0.5) else ""
    others = _make_other_products(w) if w.may(0.7) else ""
    return frame_page(
        w, title, f"<div{w.attrs('product', '')}>{pictures}{box}</div>{tabs}{about}{table}{reviews}{others}", old=0.1
    )


def _head(w: Writer) -> str:
    return f"<h2>{keep(w.words(1, 2))}</h2>" if w.may(0.6) else ""


def _make_reviews(w: Writer) -> str:
    """What buyers say: it is part of the page's main text."""
    items = []
    for _ in range(w.count(1, 10)):
        name, stars = f"<b>{w.name()}</b> <span>{w.date()}</span>", "★" * w.count(1, 5)
        heading = f"<h4>{keep(w.words(1, 5))}</h4>" if w.may(0.3) else ""
        helpful = f"<a{w.link()}>{w.label()} ({w.count(0, 30)})</a>" if w.may(0.3) else ""
        items.append(
            f"<li{w.attrs('review', 'comment', '')}><div>{name} {stars}</div>{heading}<p>{keep(w.text(1, 4))}</p>{helpful}</li>"
        )
    return f"<div{w.attrs('reviews', 'review-list', '')}>{_head(w)}<ul>{''.join(items)}</ul></div>"


def _make_other_products(w: Writer) -> str:
    """Products that this page is not about."""
    items = "".join(
        f"<li{w.attrs('product', 'item', '')}><a{w.link()}><img src=b.jpg>{w.words(2, 7)}</a> <span{w.attrs('price', '')}>{w.price()}</span> <button>{w.label()}</button></li>"
        for _ in range(w.count(3, 12))
    )
    return f"<section{w.attrs('related products', 'related', 'upsells', '')}><h2>{w.words(1, 4)}</h2><ul>{items}</ul></section>"


def make_category(w: Writer) -> str:
    """Products of a kind: names, prices, some with a line on each; filters beside them."""
    title = w.words(1, 3)
    tag, item = w.pick(("ul li", "div div", "section article", "div a")).split()
    texts, buttons = w.may(0.4), w.may(0.4)
    items = []
    for _ in range(w.count(4, 40)):
        name = keep(w.words(1, 7))
        name = w.pick((f"<h3>{name}</h3>", f"<div{w.attrs('name', 'product-title', '')}>{name}</div>"))
        text = f"<p>{keep(w.sentence(14))}</p>" if texts else ""
        price = f"<div{w.attrs('price', '')}>{keep(w.price())}</div>"
        button = f"<button>{w.label()}</button>" if buttons else ""
        items.append(
            f"<{item}{w.attrs('product', 'item', 'card', 'grid-item', '')}><img src=c.jpg>{name}{text}{price}{button}</{item}>"
        )
    names = [f"{w.words(1, 2)} ({w.count(1, 90)})" for _ in range(w.count(3, 20))]
    filters = parts.make_links(w.chance, names, "div", w.attrs("filters", "facets", "layered-nav"))
    intro = make_paragraph(w, 1, 3) if w.may(0.4) else ""
    sort = (
        f"<div{w.attrs('toolbar', 'sort', '')}>{w.number()} {w.label()} <select><option>{w.label()}</option></select></div>"
        if w.may(0.6)
        else ""
    )
    grid = f"<{tag}{w.attrs('products', 'product-grid', 'items', '')}>{''.join(items)}</{tag}>"
    main = f"<h1>{title}</h1>{intro}{filters if w.may(0.6) else ''}{sort}{grid}{w.maybe(0.7, parts.make_pager)}"
    return frame_page(w, title, main, old=0.1)


def _make_card(w: Writer, tag: str, *, teaser: bool, date: bool, level: int) -> str:
    title = f"<h{level}><a{w.link()}>{keep(w.title())}</a></h{level}>"
    picture = f"<a{w.link()}><img src=d.jpg></a>" if w.may(0.6) else ""
    text = f"<p{w.attrs('excerpt', 'summary', 'entry-summary', '')}>{keep(w.text(1, 3))}</p>" if teaser else ""
    when = f"<span{w.attrs('date', 'entry-date', 'time', '')}>{w.date()}</span>" if date else ""
    who = f"<span{w.attrs('author', '')}>{w.name()}</span>" if w.may(0.15) else ""
    more = f"<a{w.attrs('more-link', 'readmore', '')}{w.link()}>{w.role('more')}</a>" if w.may(0.15) else ""
    inner = w.pick((f"{picture}{title}{text}{when}{who}{more}", f"{picture}{when}{title}{who}{text}{more}"))
    return f"<{tag}{w.attrs('card', 'post', 'item', 'news-item', 'entry', '')}>{inner}</{tag}>"


def make_cards(w: Writer) -> str:
    """A blog's first page, news by date, what was found: cards with titles and teasers."""
    title = w.label()
    tag, teaser, date, level = w.pick(("article", "div", "li")), w.may(0.7), w.may(0.7), w.chance.choice((2, 3, 3, 4))
    cards = "".join(_make_card(w, tag, teaser=teaser, date=date, level=level) for _ in range(w.count(3, 30)))
    outer = "ul" if tag == "li" else "div"
    head = f"<h1>{title}</h1>" if w.may(0.6) else ""
    listed = f"<{outer}{w.attrs('list', 'posts', 'archive', 'feed', 'cards', '')}>{cards}</{outer}>"
    return frame_boxes(w, title, f"{head}{listed}{w.maybe(0.7, parts.make_pager)}")


def make_home(w: Writer) -> str:
    """A home page: sections with a heading, each a list of titles or cards."""
    sections = []
    for _ in range(w.count(2, 7)):
        level, teaser = w.chance.choice((3, 4)), w.may(0.5)
        cards = "".join(_make_card(w, "div", teaser=teaser, date=w.may(0.2), level=level) for _ in range(w.count(1, 8)))
        if w.may(0.4):
            cards = f"<ul>{''.join(f'<li><a{w.link()}>{keep(w.title())}</a></li>' for _ in range(w.count(3, 12)))}</ul>"
        more = f"<a{w.link()}>{w.role('more')}</a>" if w.may(0.4) else ""
        sections.append(
            f"<section{w.attrs('section', 'block', 'module', '')}><h2>{keep(w.words(1, 3))}</h2>{more}{cards}</section>"
        )
    return frame_page(w, w.site, "".join(sections), old=0.15)


def make_classifieds(w: Writer) -> str:
    """Advertisements of people: title, price, place, a line or two; in rows or boxes."""
    title, rows = w.label(), w.may(0.5)
    items = []
    for _ in range(w.count(4, 30)):
        name, price, text = f"<a{w.link()}>{keep(w.words(2, 8))}</a>", keep(w.price()), keep(w.sentence(16))
        place = f"{w.name()}, {w.date()}"
        if rows:
            items.append(f"<tr><td><img src=e.jpg></td><td>{name}<br>{text}</td><td>{price}</td><td>{place}</td></tr>")
        else:
            items.append(
                f"<article{w.attrs('ad', 'listing', 'aditem', '')}><h2>{name}</h2><p>{text}</p><p{w.attrs('price')}>{price}</p><span>{place}</span></article>"
            )
    listed = f"<table width='100%'>{''.join(items)}</table>" if rows else "".join(items)
    return frame_page(
        w, title, f"<h1>{title}</h1>{w.maybe(0.5, parts.make_search)}{listed}{w.maybe(0.8, parts.make_pager)}", old=0.3
    )


PRODUCTS = (make_product,)
COLLECTIONS = (make_category,)
LISTINGS = (make_cards, make_cards, make_home, make_classifieds)
