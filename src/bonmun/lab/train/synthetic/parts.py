"""Boilerplate of synthetic pages: menus, columns, footers, notices, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.marks import comment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = [
    "make_breadcrumbs",
    "make_buttons",
    "make_byline",
    "make_comment_form",
    "make_comments",
    "make_cookie_notice",
    "make_footer",
    "make_header",
    "make_link_box",
    "make_links",
    "make_login_box",
    "make_menu",
    "make_newsletter",
    "make_pager",
    "make_related",
    "make_search",
    "make_share",
    "make_side_column",
    "make_tags",
]

NETWORKS = ("Facebook", "Twitter", "X", "LINE", "Telegram", "카카오톡", "VK", "Email")


def make_links(rng: Random, labels: Sequence[str]) -> str:
    """Make a list or a line of links."""
    links = [f'<a href="#">{label}</a>' for label in labels]
    return f"<ul><li>{'</li><li>'.join(links)}</li></ul>" if links and rng.random() < 0.7 else " ".join(links)


def make_link_box(w: PageWriter, shape: str, least: int, most: int) -> str:
    """Make an element with links to other parts of the site."""
    return w.tag(shape, make_links(w.rng, [w.label() for _ in range(w.count(least, most))]))


def make_menu(w: PageWriter) -> str:
    """Make a menu, sometimes with a second level."""
    names = "nav|menu|gnb|navbar-nav|main-menu|topnav|lnb|"
    if w.chance(0.75):
        return make_link_box(w, f"{w.pick(('nav', 'div', 'div'))}.{names}", 2, 24)
    below = w.tag("ul", w.tag("li", w.link(w.label()))) if w.chance(0.2) else ""
    return w.tag(f"ul.{names}", *(w.tag("li", w.link(w.label()), below) for _ in range(w.count(2, 24))))


def make_header(w: PageWriter) -> str:
    """Make a page header: site name, links, a menu, a search box."""
    logo = w.link(w.site if w.chance(0.6) else f'<img src="/logo.gif" alt="{w.site}">')
    logo = w.tag("h1" if w.chance(0.2) else "div.logo|brand|site-title|", logo)
    slogan = w.tag("p.tagline|site-description|", w.words(3, 8)) if w.chance(0.2) else ""
    top = make_link_box(w, "div.top|util|tnb|topbar|", 1, 6) if w.chance(0.5) else ""
    shape = w.pick(("header", "div", "div")) + ".header|site-header|hd|masthead|head|"
    return w.tag(shape, logo, slogan, top, w.maybe(0.3, make_search), w.maybe(0.85, make_menu))


def make_search(w: PageWriter) -> str:
    """Make a search box."""
    options = (w.tag("option", w.role(role)) for role in ("title", "author"))
    select = w.tag("select", *options) if w.chance(0.3) else ""
    return w.tag("form.search|search-form|", select, "<input name=q>", w.tag("button", w.role("search")))


def make_login_box(w: PageWriter) -> str:
    """Make a small login form with a visitor counter, as on boards."""
    labels = f"<label>{w.label()}</label><input><label>{w.label()}</label><input type=password>"
    count = w.tag("p", f"{w.role('views')} {w.number()} / {w.number()}") if w.chance(0.4) else ""
    return w.tag("form.login|outlogin|", labels, w.tag("button", w.role("login"))) + count


def make_side_column(w: PageWriter) -> str:
    """Make a column of boxes."""
    shape = w.pick(("aside", "div", "div", "section")) + ".sidebar|side|aside|widget-area|right|left|"
    return w.tag(shape, *(_make_box(w) for _ in range(w.count(1, 6))))


def _make_box(w: PageWriter) -> str:
    """Make a box of a side column: titles, teasers, topics, a text, or a form."""
    head = w.tag(w.pick(("h3", "div", "b", "h4")), w.words(1, 3)) if w.chance(0.8) else ""
    draw = w.rng.random()
    if draw < 0.45:
        counted = w.chance(0.2)
        titles = [w.title() + (f" [{w.count(1, 30)}]" if counted else "") for _ in range(w.count(2, 14))]
        inner = make_links(w.rng, titles)
    elif draw < 0.6:
        inner = "".join(_make_teaser(w, "div") for _ in range(w.count(2, 6)))
    elif draw < 0.75:
        inner = make_links(w.rng, [w.words(1, 2) for _ in range(w.count(3, 30))])
    elif draw < 0.85:
        inner = w.tag("p", w.text(1, 3)) + (w.link(w.role("more")) if w.chance(0.5) else "")
    else:
        inner = make_login_box(w)
    return w.tag("div.widget|box|side-box|module|latest|widget widget_recent_entries|", head, inner)


def _make_teaser(w: PageWriter, tag: str, *, text: bool = True, date: bool = True) -> str:
    """Make a teaser of another page."""
    about = w.tag("p", w.text(1, 2)) if text else ""
    return w.tag(tag, w.link(w.title()), about, w.tag("span", w.date()) if date else "")


def make_footer(w: PageWriter) -> str:
    """Make a footer: links, an address, a copyright line, sometimes a long legal notice."""
    pieces = [make_link_box(w, "div.links|fnb|", 2, 30)]
    if w.chance(0.4):
        pieces.append(w.tag("address", f"{w.site} | {w.name()} | {w.number()}-{w.number()} | a@example.org"))
    if w.chance(0.25):
        pieces.extend(w.tag("p", w.text(1, 4)) for _ in range(w.count(1, 4)))
    if w.chance(0.8):
        pieces.append(w.tag("p.copyright|copy|", f"Copyright © {w.rng.randint(1999, 2026)} {w.site}. {w.label()}"))
    return w.tag(w.pick(("footer", "div")) + ".footer|site-footer|ft|foot|", *pieces)


def make_breadcrumbs(w: PageWriter) -> str:
    """Make breadcrumbs."""
    labels = [w.role("home"), *(w.label() for _ in range(w.count(1, 3)))]
    if w.chance(0.3):
        return w.tag(w.pick(("nav", "div")) + ".breadcrumb|breadcrumbs", make_links(w.rng, labels))
    way = w.pick((" &gt; ", " » ", " / ", " › ")).join(map(w.link, labels))
    last = f" &gt; {w.words(1, 4)}" if w.chance(0.3) else ""
    return w.tag("div.breadcrumb|navbit|crumbs|location|path|", way, last)


def make_byline(w: PageWriter) -> str:
    """Make a byline."""
    details = [w.name() if w.chance(0.5) else f"{w.role('author')}: {w.name()}", w.date()]
    if w.chance(0.4):
        details.append(f"{w.role('views')} {w.number()}")
    line = w.pick((" | ", " ", " · ")).join(w.tag("span", detail) if w.chance(0.6) else detail for detail in details)
    return w.tag(w.pick(("div", "p", "span", "div")) + ".byline|meta|entry-meta|post-info|info|date|", line)


def make_share(w: PageWriter) -> str:
    """Make share links."""
    names = [w.role("share"), *w.rng.sample(NETWORKS, w.count(1, 5))]
    return w.tag("div.share|sns|social|share-buttons|", make_links(w.rng, names))


def make_tags(w: PageWriter) -> str:
    """Make tags."""
    mark = "#" if w.chance(0.4) else ""
    names = [mark + w.words(1, 1) for _ in range(w.count(1, 9))]
    return w.tag("div.tags|tag-links|post-tags|", make_links(w.rng, names))


def make_related(w: PageWriter) -> str:
    """Make links to related pages, sometimes with teaser and date."""
    text, date = w.chance(0.5), w.chance(0.4)
    outer, item = w.pick(("ul li", "div div", "section article", "div h4")).split()
    items = [_make_teaser(w, item, text=text, date=date) for _ in range(w.count(2, 16))]
    head = w.tag("h3", w.words(1, 4)) if w.chance(0.8) else ""
    return w.tag("div.related|related-posts|more-news|recommend|", head, w.tag(outer, *items))


def make_pager(w: PageWriter) -> str:
    """Make a pager."""
    here = w.count(1, 9)
    numbers = [w.tag("b", str(n)) if n == here else w.link(str(n)) for n in range(1, w.count(2, 10) + 1)]
    last = f".. {w.link(str(w.rng.randint(10, 99)))}" if w.chance(0.5) else ""
    return w.tag("div.pagination|pager|paging|pg_wrap|", " ".join([*numbers, last, w.link(w.role("next"))]))


def make_buttons(w: PageWriter, *roles: str) -> str:
    """Make links for actions on a post."""
    links = [w.link(w.role(role)) for role in roles or ("list", "reply", "more")]
    return w.tag("div.btn|buttons|bo_v_com|btns|actions|", w.pick((" ", " | ", "&nbsp;", "")).join(links))


def make_cookie_notice(w: PageWriter) -> str:
    """Make a cookie notice."""
    buttons = (w.tag("button", w.label()) for _ in range(2))
    return w.tag("div.cookie-notice|consent|cookie-banner", w.tag("p", w.text(1, 3)), *buttons)


def make_newsletter(w: PageWriter) -> str:
    """Make a box to subscribe to a newsletter."""
    form = f"<form><input type=email><button>{w.label()}</button></form>"
    head = w.tag("h3", w.words(2, 5))
    return w.tag("div.newsletter|subscribe|signup|", head, w.tag("p", w.sentence()), form)


def make_comment_form(w: PageWriter) -> str:
    """Make a comment form, or a request to log in."""
    if w.chance(0.4):
        return w.tag("div.cmt_login|must-log-in|", w.sentence(8), " ", w.link(w.role("login")))
    fields = f"<label>{w.label()}</label><input>" * w.count(0, 2)
    return w.tag("form.comment-form|write|", fields, "<textarea></textarea>", w.tag("button", w.role("comment")))


def make_comments(w: PageWriter) -> str:
    """Make comments in a table, a list or boxes."""
    shape = w.pick(("row", "cell", "li", "div"))
    comments = [_make_comment(w, shape) for _ in range(w.count(1, 14))]
    count = w.pick(("{}", "({})", "[{}]")).format(len(comments))
    head = w.tag(w.pick(("h3", "div", "h2", "p")), f"{w.role('comment')} {count}") if w.chance(0.7) else ""
    outer = {"li": "ul", "div": "div"}.get(shape, "table")
    listed = w.tag(f"{outer}.comments|comment-list|reply|cmt_list|commentlist|", *comments)
    return w.tag("div.comments|reply_box|bo_vc|cmt|", head, listed)


def _make_comment(w: PageWriter, shape: str) -> str:
    """Make a comment as a table row of three cells, as one cell, or as an element of this name."""
    text = comment(w.sentence(16) if w.chance(0.5) else w.text(1, 4))
    name, date = w.tag("b", w.name()), w.date()
    if shape == "row":
        return w.tag("tr", w.tag("td", name), w.tag("td", text), w.tag("td", f"<font size=1>{date}</font>"))
    answer = w.link(w.role("reply")) if w.chance(0.4) else ""
    head = w.tag("div.comment-meta|writer|info|", name, " ", w.tag("span", date), answer if w.chance(0.5) else "")
    inner = head + w.tag("p" if w.chance(0.4) else "div.comment-content|cmt_contents|text|", text)
    if shape == "cell":
        return w.tag("tr", w.tag("td", inner))
    return w.tag(f"{shape}.comment|comment even|cmt|", inner, answer)
