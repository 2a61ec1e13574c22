"""Synthetic documentation as generators write it: one content element, a menu, few classes; and pages of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.bodies import (
    make_code,
    make_definitions,
    make_heading,
    make_list,
    make_prose,
    make_table,
)
from bonmun.lab.train.synthetic.frames import make_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["DOCS", "make_link_list"]


def _make_content(w: PageWriter) -> str:
    """Make the content of a documentation page: prose with code, a reference, or a list of links."""
    draw = w.rng.random()
    if draw < 0.5:
        return make_prose(w, 2, 16, code=0.25, plain=0.5)
    if draw < 0.7:
        return _make_reference(w)
    return (make_prose(w, 1, 2, plain=1.0) if w.chance(0.5) else "") + make_link_list(w)


def make_link_list(w: PageWriter) -> str:
    """Make a list of links (flat, under headings, or nested) that is the page's main text."""
    if w.chance(0.3):
        return "".join(make_heading(w) + _make_flat_links(w, 12) for _ in range(w.count(2, 8)))
    if w.chance(0.6):
        return _make_flat_links(w, 60)
    items = []
    for _ in range(w.count(3, 16)):
        below = [w.tag("li", _make_link(w)) for _ in range(w.count(1, 6))] if w.chance(0.6) else []
        items.append(w.tag("li", _make_link(w), w.tag("ul", *below) if below else ""))
    return w.tag("div.toctree-wrapper compound|toc|", w.tag("ul", *items))


def _make_flat_links(w: PageWriter, most: int) -> str:
    """Make links, one per line, in one of several markups, sometimes with descriptions."""
    links = [_make_link(w) for _ in range(w.count(2, most))]
    shape = w.pick(("ul", "ul", "table", "br", "dl"))
    if shape == "table":
        rows = (w.tag("tr", w.tag("td", link), w.tag("td", keep(w.words(3, 9)))) for link in links)
        return w.tag("table.indextable|longtable|directory|", *rows)
    if shape == "dl":
        return w.tag("dl", *(w.tag("dt", link) + w.tag("dd", keep(w.sentence(12))) for link in links))
    if shape == "br":
        return "<br>\n".join(links)
    return w.tag(
        "ul.simple|", *(w.tag("li", link, keep(f" – {w.words(3, 9)}") if w.chance(0.3) else "") for link in links)
    )


def _make_link(w: PageWriter) -> str:
    name = w.words(1, 5) if w.chance(0.7) else ".".join(w.words(1, 1) for _ in range(3))
    inner = keep(f"{w.count(1, 12)}.{w.count(1, 9)}. {name}" if w.chance(0.2) else name)
    return w.link(w.tag("code", inner) if w.chance(0.2) else inner)


def _make_reference(w: PageWriter) -> str:
    """Make functions or options, each with a signature and a description."""
    pieces = [make_prose(w, 1, 3)]
    for _ in range(w.count(2, 12)):
        name = keep(w.code_line().strip())
        about = make_table(w, pairs=True) if w.chance(0.1) else make_prose(w, 1, 2)
        if w.chance(0.5):
            term = w.tag("dt.sig sig-object py|", w.tag("code", name))
            pieces.append(w.tag("dl.py function|method|", term, w.tag("dd", about)))
        else:
            pieces += [w.tag("h3", name), about, make_code(w) if w.chance(0.3) else ""]
    return "".join(pieces)


def _make_tree(w: PageWriter) -> str:
    """Make a menu of all pages, on two levels."""
    groups = []
    for _ in range(w.count(1, 9)):
        below = [w.tag("li", w.link(w.words(1, 4))) for _ in range(w.count(0, 9))]
        groups.append(w.tag("li", w.link(w.words(1, 4)), w.tag("ul", *below) if below else ""))
    return w.tag("ul", *groups)


def _make_near(w: PageWriter) -> str:
    """Make links to the previous and the next page."""
    labels = [w.role(role) + (f": {w.words(1, 4)}" if w.chance(0.5) else "") for role in ("previous", "next")]
    return w.pick((" | ", " ", "")).join(map(w.link, labels))


def make_sphinx(w: PageWriter) -> str:
    """Make a Sphinx page: nested boxes, a sidebar, a bar of links above and below."""
    title = w.words(1, 6)
    links = w.tag("ul", w.tag("li", _make_near(w)), w.tag("li", w.link(w.site), " »"))
    bar = w.tag("div.related", w.tag("h3", w.label()), links, role="navigation")
    heading = w.tag("h1", title, "<a class=headerlink href=#x>¶</a>")
    body = w.tag("div.body", w.tag("section", heading, _make_content(w)), role="main")
    inside = w.tag("div.documentwrapper", w.tag("div.bodywrapper", body))
    tree = w.tag("div.sphinxsidebarwrapper", w.tag("h3", w.label()), _make_tree(w), w.maybe(0.5, parts.make_search))
    document = w.tag("div.document", inside, w.tag("div.sphinxsidebar", tree))
    foot = w.tag("div.footer", f"© Copyright {w.site}. {w.words(2, 5)}")
    return make_page(w, title, f"{bar}{document}{bar if w.chance(0.7) else ''}{foot}")


def make_mkdocs(w: PageWriter) -> str:
    """Make an MkDocs or Docusaurus page: a header, menus on both sides, an article, links to its neighbours."""
    title = w.words(1, 6)
    bar = w.tag("nav", w.link(w.site), " ", w.link(w.label()))
    header = w.tag("header.md-header|navbar", bar, w.maybe(0.6, parts.make_search))
    left = w.tag("div.md-sidebar md-sidebar--primary|theme-doc-sidebar-container|sidebar", w.tag("nav", _make_tree(w)))
    toc = w.tag("nav", w.tag("label", w.label()), _make_tree(w))
    right = w.tag("div.md-sidebar md-sidebar--secondary|table-of-contents", toc) if w.chance(0.6) else ""
    edit = w.link(w.label()) if w.chance(0.4) else ""
    shape = "article.md-content__inner md-typeset|markdown|theme-doc-markdown markdown|"
    article = w.tag(shape, edit, w.tag("h1", title), _make_content(w))
    main = w.tag("div.md-main__inner|row|", left, w.maybe(0.3, parts.make_breadcrumbs), article, right)
    near = w.tag("nav.md-footer__inner|pagination-nav|", _make_near(w))
    return make_page(w, title, header + w.tag("main", main) + near + w.maybe(0.7, parts.make_footer))


def make_javadoc(w: PageWriter) -> str:
    """Make a Javadoc page: a bar of links, the name, summary tables, and details."""
    title = w.words(1, 2)
    bar = parts.make_link_box(w, "div.topNav|top-nav", 2, 6)
    rows = [w.tag("tr", w.tag("th", keep(w.words(1, 1))), w.tag("th", keep(w.words(1, 2))))]
    for _ in range(w.count(2, 20)):
        name = w.tag("code", w.link(keep(f"{w.words(1, 2)}()")))
        about = w.tag("div.block", keep(w.sentence(12)))
        rows.append(w.tag("tr", w.tag("td", w.tag("code", keep(w.words(1, 1)))), w.tag("td", name, about)))
    table = w.tag("table.memberSummary|memberdecls", *rows)
    about = w.tag("div.description", make_prose(w, 1, 4))
    main = w.tag("div.contentContainer|contents", about, make_heading(w, 3), table, _make_reference(w))
    head = w.tag("div.header", w.tag("h2.title", title))
    foot = w.tag("p", w.tag("small", w.words(3, 9)))
    return make_page(w, title, f"{bar}{head}{main}{bar if w.chance(0.5) else ''}{foot}")


def make_man(w: PageWriter) -> str:
    """Make a manual page: headings and indented text, or all of it in one `<pre>`."""
    title = f"{w.words(1, 1)}(1)"
    whole, pieces = w.chance(0.5), []
    for _ in range(w.count(2, 7)):
        name = w.words(1, 2).upper()
        if whole:
            lines = [f"       {w.sentence(8)}" for _ in range(w.count(1, 6))]
            pieces.append("\n".join([f"<b>{name}</b>", *lines, ""]))
        else:
            pieces += [w.tag("h2", keep(name)), make_prose(w, 1, 3) if w.chance(0.6) else make_definitions(w)]
    content = w.tag("pre", keep("\n".join(pieces))) if whole else "".join(pieces)
    top = w.tag("table", w.tag("tr", *(w.tag("td", text) for text in (title, w.label(), title))))
    index = w.tag("h2", w.label()) + _make_tree(w) if w.chance(0.3) else ""
    foot = "<hr>" + index + w.tag("address", f"{w.words(3, 8)}<br>{w.date()}") if w.chance(0.7) else ""
    return make_page(w, title, f"{top if w.chance(0.4) else ''}{w.tag('h1', title)}{content}{foot}")


def make_docbook(w: PageWriter) -> str:
    """Make a DocBook page: a table of links, a chapter, the same table again."""
    title = f"{w.count(1, 20)}. {w.words(1, 5)}"
    cells = (w.link(w.role("previous")), w.words(1, 3), w.link(w.role("next")))
    head = w.tag("tr", w.tag("th", w.words(1, 4), colspan=3))
    bar = w.tag("table", head, w.tag("tr", *(w.tag("td", cell) for cell in cells)), width="100%")
    toc = w.tag("div.toc", w.tag("p", w.tag("b", w.label())), _make_tree(w)) if w.chance(0.3) else ""
    heading = w.tag("div.titlepage", w.tag("h2.title", title))
    body = w.tag("div.chapter|sect1|section|article", heading, toc, _make_content(w))
    return make_page(w, title, w.tag("div.navheader", bar, "<hr>") + body + w.tag("div.navfooter", "<hr>", bar))


def make_mdbook(w: PageWriter) -> str:
    """Make an mdBook or rustdoc page: a sidebar, a bar of buttons, a main element, arrows to the neighbours."""
    title = w.words(1, 6)
    side = w.tag("nav.sidebar", _make_tree(w))
    bar = w.tag("div.menu-bar", w.tag("button", w.label()), w.tag("h1.menu-title", w.site))
    main = w.tag("main", w.tag("h1", w.link(title, "a.header")), _make_content(w))
    arrows = w.tag("nav.nav-wrapper", w.link("‹"), w.link("›"))
    return make_page(w, title, side + w.tag("div.page-wrapper", bar, w.tag("div.content", main, arrows)))


def make_help_page(w: PageWriter) -> str:
    """Make a small help page: one content element, a header, an aside, a footer."""
    title = w.words(1, 6)
    trail = w.tag("div.trails|", f"{w.link(w.site)} » {w.link(w.label())}")
    header = w.tag("header", w.tag("div.inner pagewide|", trail))
    article = w.tag("article", w.tag("h1", title), _make_content(w) if w.chance(0.6) else make_list(w))
    more = w.tag("section.links|seealso", w.tag("h2", w.label()), _make_tree(w)) if w.chance(0.5) else ""
    aside = w.tag("aside", _make_tree(w)) if w.chance(0.4) else ""
    foot = w.tag("footer", w.tag("p", w.words(3, 12)))
    return make_page(w, title, header + w.tag("main", article, more, aside) + foot)


DOCS = (make_sphinx, make_sphinx, make_mkdocs, make_javadoc, make_man, make_docbook, make_mdbook, make_help_page)
