"""Whole made-up pages: a main part in a frame of today, in nested boxes, in a table of the nineties, or in none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["frame_bare", "frame_boxes", "frame_page", "frame_table"]


def make_head(w: Writer, title: str) -> str:
    """The head of a page."""
    name = w.pick((title, f"{title} - {w.site}", f"{w.site} :: {title}", f"{title} | {w.label()} | {w.site}"))
    meta = f'<meta name="description" content="{w.sentence()}">' if w.may(0.4) else ""
    return f'<html lang="{w.language.code}"><head><meta charset="utf-8"><title>{name}</title>{meta}</head>'


def frame_bare(w: Writer, title: str, main: str) -> str:
    """A page with nothing around its main part, or next to nothing."""
    return f"<!doctype html>{make_head(w, title)}<body>{w.maybe(0.2, parts.make_menu)}{main}</body></html>"


def frame_boxes(w: Writer, title: str, main: str) -> str:
    """A page of boxes in boxes or of elements with a meaning, with columns on one side or both."""
    tag = w.pick(("main", "div", "div", "section", "article"))
    before = w.maybe(0.5, parts.make_breadcrumbs) + w.maybe(0.1, parts.make_newsletter)
    middle = (
        f"<{tag}{w.attrs('content', 'main', 'container', 'main-content', 'site-content', '')}>{before}{main}</{tag}>"
    )
    left, right = w.maybe(0.25, parts.make_side_column), w.maybe(0.45, parts.make_side_column)
    wide = f"<div{w.attrs('wrapper', 'container', 'row', 'wrap', 'page', '')}>{left}{middle}{right}</div>"
    for _ in range(w.count(0, 2)):
        wide = f"<div{w.attrs('inner', 'container', 'page', '')}>{wide}</div>"
    notice = w.maybe(0.15, parts.make_cookie_notice)
    ends = [notice, w.maybe(0.92, parts.make_header), wide, w.maybe(0.1, parts.make_newsletter)]
    scripts = "<script>var a = 1;</script>" * w.count(0, 4)
    body = "".join(ends) + w.maybe(0.92, parts.make_footer) + scripts
    return f"<!doctype html>{make_head(w, title)}<body{w.attrs('home', 'page', 'single', '')}>{body}</body></html>"


def frame_table(w: Writer, title: str, main: str) -> str:
    """A page laid out with nested tables, as in the nineties and on old boards."""
    top = f"<tr><td colspan=3 height=70>{w.maybe(0.8, _make_table_top)}</td></tr>"
    bar = f'<tr bgcolor="#336633"><td colspan=3 align=center>{_make_table_menu(w)}</td></tr>' if w.may(0.8) else ""
    left = f'<td width=160 bgcolor="#EEF3E6">{_make_table_column(w)}</td>' if w.may(0.6) else ""
    right = f"<td width=160>{_make_table_column(w)}</td>" if w.may(0.2) else ""
    way = f"<font size=2 color=gray>{w.role('home')} &gt; {w.label()} &gt; {w.label()}</font><br>" if w.may(0.5) else ""
    row = f"<tr valign=top>{left}<td width=660>{way}{main}</td>{right}</tr>"
    foot = f"<tr><td colspan=3 align=center>{_make_table_foot(w)}</td></tr>" if w.may(0.85) else ""
    table = f'<table width="{w.pick(("820", "960", "100%"))}" border=0>{top}{bar}{row}{foot}</table>'
    body = f"<center>{table}</center>" if w.may(0.5) else table
    return f'{make_head(w, title)}<body bgcolor="#FFFFFF" topmargin=0>{body}</body></html>'


def _make_table_top(w: Writer) -> str:
    links = " | ".join(f"<a{w.link()}><font size=2>{w.label()}</font></a>" for _ in range(w.count(1, 6)))
    return (
        f'<table width="100%"><tr><td><img src="logo.gif" alt="{w.site}"></td><td align=right>{links}</td></tr></table>'
    )


def _make_table_menu(w: Writer) -> str:
    links = [f'<a{w.link()}><font color="#FFFFFF"><b>{w.label()}</b></font></a>' for _ in range(w.count(3, 12))]
    if w.may(0.5):
        return " &nbsp;".join(links)
    return f'<table width="100%"><tr align=center>{"".join(f"<td>{link}</td>" for link in links)}</tr></table>'


def _make_table_column(w: Writer) -> str:
    rows = [f"<tr><td>{w.maybe(0.4, parts.make_login_box)}</td></tr>"]
    for _ in range(w.count(1, 4)):
        rows.append(f'<tr><td bgcolor="#99BB77"><b>{w.label()}</b></td></tr>')
        mark = w.pick(("· ", "", "ㆍ", "- "))
        for _ in range(w.count(2, 9)):
            rows.append(f"<tr><td>{mark}<a{w.link()}>{w.label() if w.may(0.5) else w.title()}</a></td></tr>")
    if w.may(0.5):
        rows.append(f"<tr><td align=center><font size=1>{w.role('views')} {w.number()} / {w.number()}</font></td></tr>")
    return f"<table width=150 border=0 cellpadding=4>{''.join(rows)}</table>"


def _make_table_foot(w: Writer) -> str:
    links = " | ".join(f"<a{w.link()}>{w.label()}</a>" for _ in range(w.count(1, 6)))
    about = f"{w.site} | {w.role('author')} : {w.name()} | {w.number()}-{w.number()}"
    note = f"<br>{w.sentence(12)}" if w.may(0.3) else ""
    return f"<font size=2 color=gray>{links}<br>{about}<br>Copyright 2001-2004 {w.site}.{note}</font>"


def frame_page(w: Writer, title: str, main: str, *, old: float = 0.0) -> str:
    """A page in a frame: one of tables for a share of the pages, else one of boxes."""
    return (frame_table if w.may(old) else frame_boxes)(w, title, main)
