"""What stands around the main text of made-up pages: menus, columns, footers, notices, comments."""

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


def make_links(chance: Random, labels: Sequence[str]) -> str:
    """Links in a list or one after the other."""
    links = [f'<a href="#">{label}</a>' for label in labels]
    return f"<ul><li>{'</li><li>'.join(links)}</li></ul>" if links and chance.random() < 0.7 else " ".join(links)


def make_link_box(w: PageWriter, shape: str, least: int, most: int) -> str:
    """An element with links to other parts of the site."""
    return w.tag(shape, make_links(w.chance, [w.label() for _ in range(w.count(least, most))]))


def make_menu(w: PageWriter) -> str:
    """A menu, some with a second level."""
    names = "nav|menu|gnb|navbar-nav|main-menu|topnav|lnb|"
    if w.may(0.75):
        return make_link_box(w, f"{w.pick(('nav', 'div', 'div'))}.{names}", 2, 24)
    below = w.tag("ul", w.tag("li", w.link(w.label()))) if w.may(0.2) else ""
    return w.tag(f"ul.{names}", *(w.tag("li", w.link(w.label()), below) for _ in range(w.count(2, 24))))


def make_header(w: PageWriter) -> str:
    """What a page begins with: the site's name, links, a menu, a search box."""
    logo = w.link(w.site if w.may(0.6) else f'<img src="/logo.gif" alt="{w.site}">')
    logo = w.tag("h1" if w.may(0.2) else "div.logo|brand|site-title|", logo)
    slogan = w.tag("p.tagline|site-description|", w.words(3, 8)) if w.may(0.2) else ""
    top = make_link_box(w, "div.top|util|tnb|topbar|", 1, 6) if w.may(0.5) else ""
    shape = w.pick(("header", "div", "div")) + ".header|site-header|hd|masthead|head|"
    return w.tag(shape, logo, slogan, top, w.maybe(0.3, make_search), w.maybe(0.85, make_menu))


def make_search(w: PageWriter) -> str:
    """A search box."""
    options = (w.tag("option", w.role(role)) for role in ("title", "author"))
    select = w.tag("select", *options) if w.may(0.3) else ""
    return w.tag("form.search|search-form|", select, "<input name=q>", w.tag("button", w.role("search")))


def make_login_box(w: PageWriter) -> str:
    """A small form to log in, with a visitor counter, as boards have it."""
    labels = f"<label>{w.label()}</label><input><label>{w.label()}</label><input type=password>"
    count = w.tag("p", f"{w.role('views')} {w.number()} / {w.number()}") if w.may(0.4) else ""
    return w.tag("form.login|outlogin|", labels, w.tag("button", w.role("login"))) + count


def make_side_column(w: PageWriter) -> str:
    """A column of boxes."""
    shape = w.pick(("aside", "div", "div", "section")) + ".sidebar|side|aside|widget-area|right|left|"
    return w.tag(shape, *(_make_box(w) for _ in range(w.count(1, 6))))


def _make_box(w: PageWriter) -> str:
    """A box of a side column: titles, teasers, topics, a text, or a form."""
    head = w.tag(w.pick(("h3", "div", "b", "h4")), w.words(1, 3)) if w.may(0.8) else ""
    draw = w.chance.random()
    if draw < 0.45:
        counted = w.may(0.2)
        titles = [w.title() + (f" [{w.count(1, 30)}]" if counted else "") for _ in range(w.count(2, 14))]
        inner = make_links(w.chance, titles)
    elif draw < 0.6:
        inner = "".join(_make_teaser(w, "div") for _ in range(w.count(2, 6)))
    elif draw < 0.75:
        inner = make_links(w.chance, [w.words(1, 2) for _ in range(w.count(3, 30))])
    elif draw < 0.85:
        inner = w.tag("p", w.text(1, 3)) + (w.link(w.role("more")) if w.may(0.5) else "")
    else:
        inner = make_login_box(w)
    return w.tag("div.widget|box|side-box|module|latest|widget widget_recent_entries|", head, inner)


def _make_teaser(w: PageWriter, tag: str, *, text: bool = True, date: bool = True) -> str:
    """The beginning of another page."""
    about = w.tag("p", w.text(1, 2)) if text else ""
    return w.tag(tag, w.link(w.title()), about, w.tag("span", w.date()) if date else "")


def make_footer(w: PageWriter) -> str:
    """What a page ends with: links, an address, who owns it; some with a long legal notice."""
    pieces = [make_link_box(w, "div.links|fnb|", 2, 30)]
    if w.may(0.4):
        pieces.append(w.tag("address", f"{w.site} | {w.name()} | {w.number()}-{w.number()} | a@example.org"))
    if w.may(0.25):
        pieces.extend(w.tag("p", w.text(1, 4)) for _ in range(w.count(1, 4)))
    if w.may(0.8):
        pieces.append(w.tag("p.copyright|copy|", f"Copyright © {w.chance.randint(1999, 2026)} {w.site}. {w.label()}"))
    return w.tag(w.pick(("footer", "div")) + ".footer|site-footer|ft|foot|", *pieces)


def make_breadcrumbs(w: PageWriter) -> str:
    """The way from the home page."""
    labels = [w.role("home"), *(w.label() for _ in range(w.count(1, 3)))]
    if w.may(0.3):
        return w.tag(w.pick(("nav", "div")) + ".breadcrumb|breadcrumbs", make_links(w.chance, labels))
    way = w.pick((" &gt; ", " » ", " / ", " › ")).join(map(w.link, labels))
    last = f" &gt; {w.words(1, 4)}" if w.may(0.3) else ""
    return w.tag("div.breadcrumb|navbit|crumbs|location|path|", way, last)


def make_byline(w: PageWriter) -> str:
    """Who wrote it and when."""
    facts = [w.name() if w.may(0.5) else f"{w.role('author')}: {w.name()}", w.date()]
    if w.may(0.4):
        facts.append(f"{w.role('views')} {w.number()}")
    line = w.pick((" | ", " ", " · ")).join(w.tag("span", fact) if w.may(0.6) else fact for fact in facts)
    return w.tag(w.pick(("div", "p", "span", "div")) + ".byline|meta|entry-meta|post-info|info|date|", line)


def make_share(w: PageWriter) -> str:
    """Links to share the page with."""
    names = [w.role("share"), *w.chance.sample(NETWORKS, w.count(1, 5))]
    return w.tag("div.share|sns|social|share-buttons|", make_links(w.chance, names))


def make_tags(w: PageWriter) -> str:
    """What the page is about, in single words."""
    mark = "#" if w.may(0.4) else ""
    names = [mark + w.words(1, 1) for _ in range(w.count(1, 9))]
    return w.tag("div.tags|tag-links|post-tags|", make_links(w.chance, names))


def make_related(w: PageWriter) -> str:
    """Other pages, some with a picture, a teaser and a date."""
    text, date = w.may(0.5), w.may(0.4)
    outer, item = w.pick(("ul li", "div div", "section article", "div h4")).split()
    items = [_make_teaser(w, item, text=text, date=date) for _ in range(w.count(2, 16))]
    head = w.tag("h3", w.words(1, 4)) if w.may(0.8) else ""
    return w.tag("div.related|related-posts|more-news|recommend|", head, w.tag(outer, *items))


def make_pager(w: PageWriter) -> str:
    """Links to pages of a list by number."""
    here = w.count(1, 9)
    numbers = [w.tag("b", str(n)) if n == here else w.link(str(n)) for n in range(1, w.count(2, 10) + 1)]
    last = f".. {w.link(str(w.chance.randint(10, 99)))}" if w.may(0.5) else ""
    return w.tag("div.pagination|pager|paging|pg_wrap|", " ".join([*numbers, last, w.link(w.role("next"))]))


def make_buttons(w: PageWriter, *roles: str) -> str:
    """Links to do something with a post."""
    links = [w.link(w.role(role)) for role in roles or ("list", "reply", "more")]
    return w.tag("div.btn|buttons|bo_v_com|btns|actions|", w.pick((" ", " | ", "&nbsp;", "")).join(links))


def make_cookie_notice(w: PageWriter) -> str:
    """Asks for consent."""
    buttons = (w.tag("button", w.label()) for _ in range(2))
    return w.tag("div.cookie-notice|consent|cookie-banner", w.tag("p", w.text(1, 3)), *buttons)


def make_newsletter(w: PageWriter) -> str:
    """A box to subscribe to something."""
    form = f"<form><input type=email><button>{w.label()}</button></form>"
    head = w.tag("h3", w.words(2, 5))
    return w.tag("div.newsletter|subscribe|signup|", head, w.tag("p", w.sentence()), form)


def make_comment_form(w: PageWriter) -> str:
    """A form to say something, or that one must log in to do so."""
    if w.may(0.4):
        return w.tag("div.cmt_login|must-log-in|", w.sentence(8), " ", w.link(w.role("login")))
    fields = f"<label>{w.label()}</label><input>" * w.count(0, 2)
    return w.tag("form.comment-form|write|", fields, "<textarea></textarea>", w.tag("button", w.role("comment")))


def make_comments(w: PageWriter) -> str:
    """What readers say below an article, in a table, a list or in boxes."""
    shape = w.pick(("row", "cell", "li", "div"))
    said = [_make_comment(w, shape) for _ in range(w.count(1, 14))]
    count = w.pick(("{}", "({})", "[{}]")).format(len(said))
    head = w.tag(w.pick(("h3", "div", "h2", "p")), f"{w.role('comment')} {count}") if w.may(0.7) else ""
    outer = {"li": "ul", "div": "div"}.get(shape, "table")
    listed = w.tag(f"{outer}.comments|comment-list|reply|cmt_list|commentlist|", *said)
    return w.tag("div.comments|reply_box|bo_vc|cmt|", head, listed)


def _make_comment(w: PageWriter, shape: str) -> str:
    """A comment as a table row of three cells, as one cell, or as an element of this name."""
    text = comment(w.sentence(16) if w.may(0.5) else w.text(1, 4))
    name, date = w.tag("b", w.name()), w.date()
    if shape == "row":
        return w.tag("tr", w.tag("td", name), w.tag("td", text), w.tag("td", f"<font size=1>{date}</font>"))
    answer = w.link(w.role("reply")) if w.may(0.4) else ""
    head = w.tag("div.comment-meta|writer|info|", name, " ", w.tag("span", date), answer if w.may(0.5) else "")
    inner = head + w.tag("p" if w.may(0.4) else "div.comment-content|cmt_contents|text|", text)
    if shape == "cell":
        return w.tag("tr", w.tag("td", inner))
    return w.tag(f"{shape}.comment|comment even|cmt|", inner, answer)
