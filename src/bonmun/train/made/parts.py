"""What stands around the main text of made-up pages: menus, columns, footers, notices, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made.marks import comment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from bonmun.train.made.writer import Writer

__all__ = [
    "make_breadcrumbs",
    "make_buttons",
    "make_byline",
    "make_comment_form",
    "make_comments",
    "make_cookie_notice",
    "make_footer",
    "make_header",
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


def make_links(chance: Random, labels: Sequence[str], tag: str, attrs: str) -> str:
    """Links in an element, in a list or one after the other."""
    if chance.random() < 0.7:
        items = "".join(f'<li><a href="#">{label}</a></li>' for label in labels)
        return f"<{tag}{attrs}><ul>{items}</ul></{tag}>"
    links = " ".join(f'<a href="#">{label}</a>' for label in labels)
    return f"<{tag}{attrs}>{links}</{tag}>"


def _make_anchors(w: Writer, labels: Iterable[str]) -> str:
    between = w.pick((" ", " | ", " · ", "&nbsp;", "", "\n"))
    return between.join(f"<a{w.link()}>{label}</a>" for label in labels)


def make_menu(w: Writer) -> str:
    """A menu, some with a second level."""
    labels = [w.label() for _ in range(w.count(2, 24))]
    tag = w.pick(("nav", "div", "div", "ul"))
    attrs = w.attrs("nav", "menu", "gnb", "navbar-nav", "main-menu", "topnav", "lnb", "")
    if tag == "ul":
        below = f"<ul><li><a href='#'>{w.label()}</a></li></ul>" if w.may(0.2) else ""
        return f"<ul{attrs}>{''.join(f'<li><a href=#>{label}</a>{below}</li>' for label in labels)}</ul>"
    return make_links(w.chance, labels, tag, attrs)


def make_header(w: Writer) -> str:
    """What a page begins with: the site's name, links, a menu, a search box."""
    tag = w.pick(("header", "div", "div"))
    logo = f"<a href='/'>{w.site}</a>" if w.may(0.6) else f'<a href="/"><img src="/logo.gif" alt="{w.site}"></a>'
    logo = f"<h1>{logo}</h1>" if w.may(0.2) else f"<div{w.attrs('logo', 'brand', 'site-title', '')}>{logo}</div>"
    slogan = f"<p{w.attrs('tagline', 'site-description', '')}>{w.words(3, 8)}</p>" if w.may(0.2) else ""
    top = f"<div{w.attrs('top', 'util', 'tnb', 'topbar', '')}>{_make_anchors(w, (w.role('login'), w.label(), w.label()))}</div>"
    parts = [logo, slogan, top if w.may(0.5) else "", w.maybe(0.3, make_search), w.maybe(0.85, make_menu)]
    return f"<{tag}{w.attrs('header', 'site-header', 'hd', 'masthead', 'head', '')}>{''.join(parts)}</{tag}>"


def make_search(w: Writer) -> str:
    """A search box."""
    choices = "".join(f"<option>{w.role(role)}</option>" for role in ("title", "author")) if w.may(0.3) else ""
    select = f"<select>{choices}</select>" if choices else ""
    return (
        f"<form{w.attrs('search', 'search-form', '')}>{select}<input name=q><button>{w.role('search')}</button></form>"
    )


def make_login_box(w: Writer) -> str:
    """A small form to log in, with a visitor counter, as boards have it."""
    labels = f"<label>{w.label()}</label><input><label>{w.label()}</label><input type=password>"
    count = f"<p>{w.role('views')} {w.number()} / {w.number()}</p>" if w.may(0.4) else ""
    return f"<form{w.attrs('login', 'outlogin', '')}>{labels}<button>{w.role('login')}</button></form>{count}"


def _make_box(w: Writer) -> str:
    """A box of a side column."""
    title = w.words(1, 3)
    head = w.pick((f"<h3>{title}</h3>", f"<div>{title}</div>", f"<p><b>{title}</b></p>", f"<h4>{title}</h4>", ""))
    kind = w.chance.random()
    if kind < 0.45:
        titles = [w.title() + (f" [{w.count(1, 30)}]" if w.may(0.1) else "") for _ in range(w.count(2, 14))]
        inner = make_links(w.chance, titles, "div", "")
    elif kind < 0.6:
        inner = "".join(
            f"<div><a{w.link()}>{w.title()}</a><p>{w.sentence(16)}</p><span>{w.date()}</span></div>"
            for _ in range(w.count(2, 6))
        )
    elif kind < 0.75:
        inner = make_links(w.chance, [w.words(1, 2) for _ in range(w.count(3, 30))], "div", "")
    elif kind < 0.85:
        inner = f"<p>{w.text(1, 3)}</p>" + (f"<a{w.link()}>{w.role('more')}</a>" if w.may(0.5) else "")
    else:
        inner = make_login_box(w)
    name = w.attrs("widget", "box", "side-box", "module", "latest", "widget widget_recent_entries", "")
    return f"<div{name}>{head}{inner}</div>"


def make_side_column(w: Writer) -> str:
    """A column of boxes."""
    tag = w.pick(("aside", "div", "div", "section"))
    boxes = "".join(_make_box(w) for _ in range(w.count(1, 6)))
    return f"<{tag}{w.attrs('sidebar', 'side', 'aside', 'widget-area', 'right', 'left', '')}>{boxes}</{tag}>"


def make_footer(w: Writer) -> str:
    """What a page ends with: links, an address, who owns it; some with a long legal notice."""
    tag = w.pick(("footer", "footer", "div", "div"))
    parts = [make_links(w.chance, [w.label() for _ in range(w.count(2, 30))], "div", w.attrs("links", "fnb", ""))]
    if w.may(0.4):
        parts.append(f"<address>{w.site} | {w.name()} | {w.number()}-{w.number()} | a@example.org</address>")
    if w.may(0.25):
        parts.extend(f"<p>{w.text(1, 4)}</p>" for _ in range(w.count(1, 4)))
    if w.may(0.8):
        parts.append(
            f"<p{w.attrs('copyright', 'copy', '')}>Copyright © {w.chance.randint(1999, 2026)} {w.site}. {w.label()}</p>"
        )
    return f"<{tag}{w.attrs('footer', 'site-footer', 'ft', 'foot', '')}>{''.join(parts)}</{tag}>"


def make_breadcrumbs(w: Writer) -> str:
    """The way from the home page."""
    labels = [w.role("home"), *(w.label() for _ in range(w.count(1, 3)))]
    if w.may(0.3):
        return make_links(w.chance, labels, w.pick(("nav", "div")), w.attrs("breadcrumb", "breadcrumbs"))
    way = w.pick((" &gt; ", " » ", " / ", " › ")).join(f"<a{w.link()}>{label}</a>" for label in labels)
    last = f" &gt; {w.words(1, 4)}" if w.may(0.3) else ""
    return f"<div{w.attrs('breadcrumb', 'navbit', 'crumbs', 'location', 'path', '')}>{way}{last}</div>"


def make_byline(w: Writer) -> str:
    """Who wrote it and when."""
    parts = [w.name() if w.may(0.5) else f"{w.role('author')}: {w.name()}", w.date()]
    if w.may(0.4):
        parts.append(f"{w.role('views')} {w.number()}")
    tag = w.pick(("div", "p", "span", "div"))
    inner = w.pick((" | ", " ", " · ")).join(f"<span>{part}</span>" if w.may(0.6) else part for part in parts)
    return f"<{tag}{w.attrs('byline', 'meta', 'entry-meta', 'post-info', 'info', 'date', '')}>{inner}</{tag}>"


def make_share(w: Writer) -> str:
    """Links to share the page with."""
    names = w.chance.sample(("Facebook", "Twitter", "X", "LINE", "Telegram", "카카오톡", "VK", "Email"), w.count(1, 5))
    return make_links(
        w.chance, [w.role("share"), *names], "div", w.attrs("share", "sns", "social", "share-buttons", "")
    )


def make_tags(w: Writer) -> str:
    """What the page is about, in single words."""
    hashes = "#" if w.may(0.4) else ""
    labels = [hashes + w.words(1, 1) for _ in range(w.count(1, 9))]
    return make_links(w.chance, labels, "div", w.attrs("tags", "tag-links", "post-tags", ""))


def make_related(w: Writer) -> str:
    """Other pages, some with a picture, a teaser and a date."""
    teasers, dates = w.may(0.5), w.may(0.4)
    items = []
    for _ in range(w.count(2, 16)):
        teaser = f"<p>{w.text(1, 2)}</p>" if teasers else ""
        date = f"<span>{w.date()}</span>" if dates else ""
        items.append(f"<a{w.link()}>{w.title()}</a>{teaser}{date}")
    tag, item = w.pick(("ul li", "div div", "section article", "div h4")).split()
    listed = "".join(f"<{item}>{each}</{item}>" for each in items)
    head = f"<h3>{w.words(1, 4)}</h3>" if w.may(0.8) else ""
    return (
        f"<div{w.attrs('related', 'related-posts', 'more-news', 'recommend', '')}>{head}<{tag}>{listed}</{tag}></div>"
    )


def make_pager(w: Writer) -> str:
    """Links to pages of a list by number."""
    here, most = w.count(1, 9), w.chance.randint(10, 99)
    numbers = [f"<b>{n}</b>" if n == here else f"<a href='?page={n}'>{n}</a>" for n in range(1, w.count(2, 10) + 1)]
    last = f" .. <a href='?page={most}'>{most}</a>" if w.may(0.5) else ""
    ends = f"<a href='?page=2'>{w.role('next')}</a>"
    return f"<div{w.attrs('pagination', 'pager', 'paging', 'pg_wrap', '')}>{' '.join(numbers)}{last} {ends}</div>"


def make_buttons(w: Writer, *roles: str) -> str:
    """Links to do something with a post."""
    labels = [w.role(role) for role in roles] or [w.role("list"), w.role("reply"), w.role("more")]
    return f"<div{w.attrs('btn', 'buttons', 'bo_v_com', 'btns', 'actions', '')}>{_make_anchors(w, labels)}</div>"


def make_cookie_notice(w: Writer) -> str:
    """Asks for consent."""
    buttons = f"<button>{w.label()}</button><button>{w.label()}</button>"
    return f"<div{w.attrs('cookie-notice', 'consent', 'cookie-banner')}><p>{w.text(1, 3)}</p>{buttons}</div>"


def make_newsletter(w: Writer) -> str:
    """A box to subscribe to something."""
    form = f"<form><input type=email><button>{w.label()}</button></form>"
    return f"<div{w.attrs('newsletter', 'subscribe', 'signup', '')}><h3>{w.words(2, 5)}</h3><p>{w.sentence()}</p>{form}</div>"


def make_comment_form(w: Writer) -> str:
    """A form to say something, or that one must log in to do so."""
    if w.may(0.4):
        return f"<div{w.attrs('cmt_login', 'must-log-in', '')}>{w.sentence(8)} <a{w.link()}>{w.role('login')}</a></div>"
    fields = f"<label>{w.label()}</label><input>" * w.count(0, 2)
    return f"<form{w.attrs('comment-form', 'write', '')}>{fields}<textarea></textarea><button>{w.role('comment')}</button></form>"


def make_comments(w: Writer) -> str:
    """What readers say below an article, in a table, a list or in boxes."""
    shape = w.pick(("table", "list", "boxes", "cells"))
    said = [_make_comment(w, shape) for _ in range(w.count(1, 14))]
    count = w.pick((str(len(said)), f"({len(said)})", f"[{len(said)}]"))
    tag = w.pick(("h3", "div", "h2", "p"))
    head = f"<{tag}>{w.role('comment')} {count}</{tag}>" if w.may(0.7) else ""
    inner = "".join(said)
    attrs = w.attrs("comments", "comment-list", "reply", "cmt_list", "commentlist", "")
    if shape in ("table", "cells"):
        return f"{head}<table width='100%'{attrs}>{inner}</table>"
    tag = "ul" if shape == "list" else "div"
    return f"<div{w.attrs('comments', 'reply_box', 'bo_vc', 'cmt', '')}>{head}<{tag}{attrs}>{inner}</{tag}></div>"


def _make_comment(w: Writer, shape: str) -> str:
    name, date = w.name(), w.date()
    text = comment(w.sentence(16) if w.may(0.5) else w.text(1, 4))
    answer = f" <a{w.link()}>{w.role('reply')}</a>" if w.may(0.4) else ""
    if shape == "table":
        return f"<tr valign=top><td width=90><b>{name}</b></td><td>{text}</td><td><font size=1>{date}</font></td></tr>"
    if shape == "cells":
        return f"<tr><td><div><b>{name}</b> <span>{date}</span>{answer}</div><div>{text}</div></td></tr>"
    tag = "li" if shape == "list" else "div"
    body = (
        f"<p>{text}</p>" if w.may(0.5) else f"<div{w.attrs('comment-content', 'cmt_contents', 'text', '')}>{text}</div>"
    )
    head = f"<div{w.attrs('comment-meta', 'writer', 'info', '')}><b>{name}</b> <span>{date}</span></div>"
    return f"<{tag}{w.attrs('comment', 'comment even', 'cmt', '')}>{head}{body}{answer}</{tag}>"
