"""Frames of synthetic pages: modern boxes, nested tables of the nineties, or nothing around the main part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["frame_bare", "frame_boxes", "frame_page", "frame_table", "make_page"]


def make_page(w: PageWriter, title: str, body: str, shape: str = "body") -> str:
    """Make a page with a head and a body."""
    name = w.pick((title, f"{title} - {w.site}", f"{w.site} :: {title}", f"{title} | {w.label()} | {w.site}"))
    meta = f'<meta name="description" content="{w.sentence()}">' if w.chance(0.4) else ""
    head = f'<head><meta charset="utf-8"><title>{name}</title>{meta}</head>'
    return f'<!doctype html><html lang="{w.language.code}">{head}{w.tag(shape, body)}</html>'


def frame_bare(w: PageWriter, title: str, main: str) -> str:
    """Make a page with little or nothing around its main part."""
    return make_page(w, title, w.maybe(0.2, parts.make_menu) + main)


def frame_boxes(w: PageWriter, title: str, main: str) -> str:
    """Make a page of nested boxes or semantic elements, with columns on one or both sides."""
    before = w.maybe(0.5, parts.make_breadcrumbs) + w.maybe(0.1, parts.make_newsletter)
    shape = w.pick(("main", "div", "div", "section", "article")) + ".content|main|container|main-content|site-content|"
    middle = w.tag(shape, before, main)
    left, right = w.maybe(0.25, parts.make_side_column), w.maybe(0.45, parts.make_side_column)
    wide = w.tag("div.wrapper|container|row|wrap|page|", left, middle, right)
    for _ in range(w.count(0, 2)):
        wide = w.tag("div.inner|container|page|", wide)
    top = w.maybe(0.15, parts.make_cookie_notice) + w.maybe(0.92, parts.make_header)
    bottom = w.maybe(0.1, parts.make_newsletter) + w.maybe(0.92, parts.make_footer)
    scripts = "<script>var a = 1;</script>" * w.count(0, 4)
    return make_page(w, title, top + wide + bottom + scripts, "body.home|page|single|")


def frame_table(w: PageWriter, title: str, main: str) -> str:
    """Make a page with a layout of nested tables, as in the nineties and on old boards."""
    way = f"{w.role('home')} &gt; {w.label()} &gt; {w.label()}"
    path = f"<font size=2 color=gray>{way}</font><br>" if w.chance(0.5) else ""
    left = w.tag("td", _make_column(w), width=160, bgcolor="#EEF3E6") if w.chance(0.6) else ""
    right = w.tag("td", _make_column(w), width=160) if w.chance(0.2) else ""
    rows = [
        w.tag("tr", w.tag("td", w.maybe(0.8, _make_top), colspan=3, height=70)),
        w.tag("tr", w.tag("td", w.maybe(0.8, _make_menu), colspan=3, align="center"), bgcolor="#336633"),
        w.tag("tr", left, w.tag("td", path, main, width=660), right, valign="top"),
        w.tag("tr", w.tag("td", w.maybe(0.85, _make_foot), colspan=3, align="center")),
    ]
    table = w.tag("table", *rows, width=w.pick(("820", "960", "100%")), border=0)
    return make_page(w, title, w.tag("center", table) if w.chance(0.5) else table)


def _make_top(w: PageWriter) -> str:
    links = " | ".join(w.link(f"<font size=2>{w.label()}</font>") for _ in range(w.count(1, 6)))
    logo = w.tag("td", f'<img src="logo.gif" alt="{w.site}">')
    return w.tag("table", w.tag("tr", logo, w.tag("td", links, align="right")), width="100%")


def _make_menu(w: PageWriter) -> str:
    links = [w.link(f'<font color="#FFFFFF"><b>{w.label()}</b></font>') for _ in range(w.count(3, 12))]
    if w.chance(0.5):
        return " &nbsp;".join(links)
    return w.tag("table", w.tag("tr", *(w.tag("td", link) for link in links)), width="100%")


def _make_column(w: PageWriter) -> str:
    """Make a column of links under coloured headings, with a login form and a counter."""
    cells = [w.maybe(0.4, parts.make_login_box)]
    for _ in range(w.count(1, 4)):
        cells.append(f"<b>{w.label()}</b>")
        mark = w.pick(("· ", "", "ㆍ", "- "))
        cells += [mark + w.link(w.label() if w.chance(0.5) else w.title()) for _ in range(w.count(2, 9))]
    if w.chance(0.5):
        cells.append(f"<font size=1>{w.role('views')} {w.number()} / {w.number()}</font>")
    return w.tag("table", *(w.tag("tr", w.tag("td", cell)) for cell in cells), width=150)


def _make_foot(w: PageWriter) -> str:
    links = " | ".join(w.link(w.label()) for _ in range(w.count(1, 6)))
    about = f"{w.site} | {w.role('author')} : {w.name()} | {w.number()}-{w.number()}"
    note = f"<br>{w.sentence(12)}" if w.chance(0.3) else ""
    return f"<font size=2 color=gray>{links}<br>{about}<br>Copyright 2001-2004 {w.site}.{note}</font>"


def frame_page(w: PageWriter, title: str, main: str, *, old: float = 0.0) -> str:
    """Make a page with a table layout (a share `old` of the pages) or a box layout."""
    return (frame_table if w.chance(old) else frame_boxes)(w, title, main)
