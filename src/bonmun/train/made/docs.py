"""Documentation, as generators write it: one content element, a menu beside it, few classes; and pages of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.bodies import make_code, make_definitions, make_heading, make_list, make_prose, make_table
from bonmun.train.made.frames import make_head
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["DOCS", "make_content", "make_link_list"]


def make_content(w: Writer) -> str:
    """What a page of documentation says: prose with code, a reference, or a list of links to other pages."""
    draw = w.chance.random()
    if draw < 0.5:
        return make_prose(w, 2, 16, code=0.25, plain=0.5)
    if draw < 0.7:
        return _make_reference(w)
    intro = make_prose(w, 1, 2, plain=1.0) if w.may(0.5) else ""
    return intro + make_link_list(w)


def make_link_list(w: Writer) -> str:
    """A list of links, or lists under headings, or lists in lists, that is all that its page has to say."""
    if w.may(0.3):
        return "".join(make_heading(w) + _make_flat_links(w, 12) for _ in range(w.count(2, 8)))
    if w.may(0.4):
        items = "".join(
            f"<li>{_make_link(w)}{_make_flat_links(w, 6) if w.may(0.6) else ''}</li>" for _ in range(w.count(3, 16))
        )
        return f"<div{w.attrs('toctree-wrapper compound', 'toc', '')}><ul>{items}</ul></div>"
    return _make_flat_links(w, 60)


def _make_flat_links(w: Writer, most: int) -> str:
    shape = w.pick(("ul", "ul", "table", "br", "dl"))
    rows = [(_make_link(w), f" – {w.words(3, 9)}" if w.may(0.3) else "") for _ in range(w.count(2, most))]
    if shape == "table":
        cells = "".join(f"<tr><td>{link}</td><td>{keep(about[3:]) if about else ''}</td></tr>" for link, about in rows)
        return f"<table{w.attrs('indextable', 'longtable', 'directory', '')}>{cells}</table>"
    if shape == "dl":
        return f"<dl>{''.join(f'<dt>{link}</dt><dd>{keep(w.sentence(12))}</dd>' for link, _ in rows)}</dl>"
    if shape == "br":
        return "<br>\n".join(link for link, _ in rows)
    return f"<ul{w.attrs('simple', '')}>{''.join(f'<li>{link}{keep(about)}</li>' for link, about in rows)}</ul>"


def _make_link(w: Writer) -> str:
    name = w.words(1, 5) if w.may(0.7) else ".".join(w.words(1, 1) for _ in range(3))
    number = f"{w.count(1, 12)}.{w.count(1, 9)}. " if w.may(0.2) else ""
    inner = keep(number + name)
    return f"<a{w.link()}>{f'<code>{inner}</code>' if w.may(0.2) else inner}</a>"


def _make_reference(w: Writer) -> str:
    """Functions or options, each with a signature and what it does."""
    pieces = [make_prose(w, 1, 3)]
    for _ in range(w.count(2, 12)):
        name = keep(f"{w.code_line().strip()}")
        about = w.pick(
            (make_prose(w, 1, 2), f"<p>{keep(w.sentence())}</p>", make_definitions(w, 3), make_table(w, pairs=True))
        )
        if w.may(0.5):
            pieces.append(
                f"<dl{w.attrs('py function', 'method', '')}><dt{w.attrs('sig sig-object py', '')}><code>{name}</code></dt><dd>{about}</dd></dl>"
            )
        else:
            pieces.append(f"<h3>{name}</h3>{about}{make_code(w) if w.may(0.3) else ''}")
    return "".join(pieces)


def _make_tree(w: Writer) -> str:
    """A menu of all pages, on two levels."""
    groups = []
    for _ in range(w.count(1, 9)):
        below = "".join(f"<li><a{w.link()}>{w.words(1, 4)}</a></li>" for _ in range(w.count(0, 9)))
        groups.append(f"<li><a{w.link()}>{w.words(1, 4)}</a>{f'<ul>{below}</ul>' if below else ''}</li>")
    return f"<ul>{''.join(groups)}</ul>"


def _make_near(w: Writer) -> str:
    """Links to the pages before and after this one."""
    labels = [w.pick((w.role(role), f"{w.role(role)}: {w.words(1, 4)}")) for role in ("previous", "next")]
    return w.pick((" | ", " ", "")).join(f"<a{w.link()}>{label}</a>" for label in labels)


def _page(w: Writer, title: str, body: str) -> str:
    return f"<!doctype html>{make_head(w, title)}<body>{body}</body></html>"


def make_sphinx(w: Writer) -> str:
    """Boxes: document, documentwrapper, bodywrapper, body; a side bar; a line of links above and below."""
    title = w.words(1, 6)
    near = f"<div{w.attrs('related')} role=navigation><h3>{w.label()}</h3><ul><li>{_make_near(w)}</li><li><a{w.link()}>{w.site}</a> »</li></ul></div>"
    body = f"<div{w.attrs('body')} role=main><section><h1>{title}<a class=headerlink href=#x>¶</a></h1>{make_content(w)}</section></div>"
    side = f"<div{w.attrs('sphinxsidebar')}><div{w.attrs('sphinxsidebarwrapper')}><h3>{w.label()}</h3>{_make_tree(w)}{w.maybe(0.5, parts.make_search)}</div></div>"
    foot = f"<div{w.attrs('footer')}>© Copyright {w.site}. {w.words(2, 5)}</div>"
    return _page(
        w,
        title,
        f"{near}<div{w.attrs('document')}><div{w.attrs('documentwrapper')}><div{w.attrs('bodywrapper')}>{body}</div></div>{side}</div>{near if w.may(0.7) else ''}{foot}",
    )


def make_mkdocs(w: Writer) -> str:
    """A header, menus on both sides, an article, links to its neighbours."""
    title = w.words(1, 6)
    header = f"<header{w.attrs('md-header', 'navbar')}><nav><a href=/>{w.site}</a> <a{w.link()}>{w.label()}</a></nav>{w.maybe(0.6, parts.make_search)}</header>"
    left = f"<div{w.attrs('md-sidebar md-sidebar--primary', 'theme-doc-sidebar-container', 'sidebar')}><nav>{_make_tree(w)}</nav></div>"
    right = (
        f"<div{w.attrs('md-sidebar md-sidebar--secondary', 'table-of-contents')}><nav><label>{w.label()}</label>{_make_tree(w)}</nav></div>"
        if w.may(0.6)
        else ""
    )
    edit = f"<a{w.link()}>{w.label()}</a>" if w.may(0.4) else ""
    article = f"<article{w.attrs('md-content__inner md-typeset', 'markdown', 'theme-doc-markdown markdown', '')}>{edit}<h1>{title}</h1>{make_content(w)}</article>"
    near = f"<nav{w.attrs('md-footer__inner', 'pagination-nav', '')}>{_make_near(w)}</nav>"
    return _page(
        w,
        title,
        f"{header}<main><div{w.attrs('md-main__inner', 'row', '')}>{left}{w.maybe(0.3, parts.make_breadcrumbs)}{article}{right}</div></main>{near}{w.maybe(0.7, parts.make_footer)}",
    )


def make_javadoc(w: Writer) -> str:
    """A bar of links, the name, tables of what there is, and each in detail."""
    title = w.words(1, 2)
    bar = f"<div{w.attrs('topNav', 'top-nav')}><ul{w.attrs('navList')}><li><a{w.link()}>{w.label()}</a></li><li>{w.label()}</li><li><a{w.link()}>{w.label()}</a></li></ul></div>"
    rows = "".join(
        f"<tr><td><code>{keep(w.words(1, 1))}</code></td><td><code><a{w.link()}>{keep(w.words(1, 2) + '()')}</a></code><div{w.attrs('block')}>{keep(w.sentence(12))}</div></td></tr>"
        for _ in range(w.count(2, 20))
    )
    table = f"<table{w.attrs('memberSummary', 'memberdecls')}><tr><th>{keep(w.words(1, 1))}</th><th>{keep(w.words(1, 2))}</th></tr>{rows}</table>"
    main = f"<div{w.attrs('contentContainer', 'contents')}><div{w.attrs('description')}>{make_prose(w, 1, 4)}</div>{make_heading(w, 3)}{table}{_make_reference(w)}</div>"
    return _page(
        w,
        title,
        f"{bar}<div{w.attrs('header')}><h2{w.attrs('title')}>{title}</h2></div>{main}{bar if w.may(0.5) else ''}<p><small>{w.words(3, 9)}</small></p>",
    )


def make_man(w: Writer) -> str:
    """A manual page: headings and indented text, or all of it in one `<pre>`."""
    title = f"{w.words(1, 1)}(1)"
    if w.may(0.5):
        lines = []
        for _ in range(w.count(2, 7)):
            lines += [f"<b>{w.words(1, 2).upper()}</b>", *(f"       {w.sentence(8)}" for _ in range(w.count(1, 6))), ""]
        content = f"<pre>{keep(chr(10).join(lines))}</pre>"
    else:
        content = "".join(
            f"<h2>{keep(w.words(1, 2).upper())}</h2>{make_prose(w, 1, 3) if w.may(0.6) else make_definitions(w)}"
            for _ in range(w.count(2, 7))
        )
    index = f"<h2>{w.label()}</h2>{_make_tree(w)}" if w.may(0.3) else ""
    foot = f"<hr>{index}<address>{w.words(3, 8)}<br>{w.date()}</address>" if w.may(0.7) else ""
    top = (
        f"<table width='100%'><tr><td>{title}</td><td>{w.label()}</td><td>{title}</td></tr></table>"
        if w.may(0.4)
        else ""
    )
    return _page(w, title, f"{top}<h1>{title}</h1>{content}{foot}")


def make_docbook(w: Writer) -> str:
    """A line of links in a table, a chapter, the same line again."""
    title = f"{w.count(1, 20)}. {w.words(1, 5)}"
    bar = f"<table width='100%'><tr><th colspan=3>{w.words(1, 4)}</th></tr><tr><td><a{w.link()}>{w.role('previous')}</a></td><td>{w.words(1, 3)}</td><td><a{w.link()}>{w.role('next')}</a></td></tr></table>"
    toc = f"<div{w.attrs('toc')}><p><b>{w.label()}</b></p>{_make_tree(w)}</div>" if w.may(0.3) else ""
    body = f"<div{w.attrs('chapter', 'sect1', 'section', 'article')}><div{w.attrs('titlepage')}><h2{w.attrs('title')}>{title}</h2></div>{toc}{make_content(w)}</div>"
    return _page(
        w, title, f"<div{w.attrs('navheader')}>{bar}<hr></div>{body}<div{w.attrs('navfooter')}><hr>{bar}</div>"
    )


def make_mdbook(w: Writer) -> str:
    """A side bar, a bar of buttons, a main element, arrows to the neighbours."""
    title = w.words(1, 6)
    side = f"<nav{w.attrs('sidebar')}><ol{w.attrs('chapter')}>{_make_tree(w)}</ol></nav>"
    bar = f"<div{w.attrs('menu-bar')}><button>{w.label()}</button><h1{w.attrs('menu-title')}>{w.site}</h1></div>"
    heading = f"<h1><a{w.attrs('header')} href=#x>{title}</a></h1>"
    arrows = f"<nav{w.attrs('nav-wrapper')}><a{w.link()}>‹</a><a{w.link()}>›</a></nav>"
    return _page(
        w,
        title,
        f"{side}<div{w.attrs('page-wrapper')}>{bar}<div{w.attrs('content')}><main>{heading}{make_content(w)}</main>{arrows}</div></div>",
    )


def make_help_page(w: Writer) -> str:
    """A small page of help: one content element, a header, an aside, a footer."""
    title = w.words(1, 6)
    way = f"<header><div{w.attrs('inner pagewide', '')}><div{w.attrs('trails', '')}><a{w.link()}>{w.site}</a> » <a{w.link()}>{w.label()}</a></div></div></header>"
    article = f"<article><h1>{title}</h1>{make_content(w) if w.may(0.6) else make_list(w)}</article>"
    more = f"<section{w.attrs('links', 'seealso')}><h2>{w.label()}</h2>{_make_tree(w)}</section>" if w.may(0.5) else ""
    aside = f"<aside>{_make_tree(w)}</aside>" if w.may(0.4) else ""
    return _page(w, title, f"{way}<main>{article}{more}{aside}</main><footer><p>{w.words(3, 12)}</p></footer>")


DOCS = (make_sphinx, make_sphinx, make_mkdocs, make_javadoc, make_man, make_docbook, make_mdbook, make_help_page)
