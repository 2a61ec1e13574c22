"""Small and old pages: no classes, one element, a mail, a read-me, slides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.bodies import make_list, make_paragraph, make_prose, make_table, make_typed_text
from bonmun.train.made.docs import make_link_list
from bonmun.train.made.frames import frame_bare, frame_boxes, frame_table, make_head
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["PLAIN"]


def make_one_element(w: Writer) -> str:
    """Nothing but `<main>`, `<article>` or `<body>`, with little in it."""
    title = w.title()
    content = w.pick(
        (
            make_list(w, 3),
            make_paragraph(w, 1, 3),
            make_prose(w, 1, 5),
            make_table(w),
            make_link_list(w),
            make_prose(w, 3, 9),
        )
    )
    heading = f"<h1>{title}</h1>" if w.may(0.7) else ""
    tag = w.pick(("main", "article", "section", "div", ""))
    inner = f"<{tag}>{heading}{content}</{tag}>" if tag else heading + content
    before = f"<header><a href=/>{w.site}</a></header>" if w.may(0.2) else ""
    after = f"<footer>{w.words(2, 6)}</footer>" if w.may(0.3) else ""
    return f"{make_head(w, title)}<body>{before}{inner}{after}</body></html>"


def make_nineties_page(w: Writer) -> str:
    """A home page of the nineties: centred title, rules, plain text, an address at the end."""
    title = w.title()
    head = w.pick(
        (f"<h1>{title}</h1>", f"<center><h1>{title}</h1></center>", f"<center><font size=6>{title}</font></center>")
    )
    links = " | ".join(f"<a{w.link()}>{w.label()}</a>" for _ in range(w.count(2, 7)))
    sections = []
    for _ in range(w.count(1, 5)):
        heading = w.pick(("<h3>{}</h3>", "<h2>{}</h2>", "<p><b>{}</b>", "<font size=4>{}</font><br>")).format(
            keep(w.words(1, 5))
        )
        sections.append(heading + (make_typed_text(w, 5) if w.may(0.5) else make_prose(w, 1, 4)))
    content = w.pick(("<hr>", "<br>", "")).join(sections)
    if w.may(0.3):
        content = f"<table width=600><tr><td>{content}</td></tr></table>"
    end = (
        f"<hr><address>{w.name()}, a@example.org<br>{w.role('date')} {w.date()}</address>"
        if w.may(0.7)
        else f"<hr>{links}"
    )
    return frame_bare(w, title, f"{head}{links if w.may(0.5) else ''}<hr>{content}{end}")


def make_frame_content(w: Writer) -> str:
    """A page that a frame of another shows: the text alone, some with a link back."""
    title = w.words(1, 4)
    back = f"<p align=right><a{w.link()} target=_top>{w.role('list')}</a></p>" if w.may(0.5) else ""
    text = make_typed_text(w, 12) if w.may(0.5) else make_prose(w, 2, 8)
    return f"{make_head(w, title)}<body bgcolor=white><h2>{title}</h2>{text}{back}</body></html>"


def make_mail(w: Writer) -> str:
    """A mail in an archive: who wrote it when, the text in a `<pre>`, links to others."""
    title = f"[{w.site}] {w.title()}"
    lines = (
        [f"On {w.date()}, {w.name()} wrote:", *(f"&gt; {w.words(5, 12)}" for _ in range(w.count(1, 8))), ""]
        if w.may(0.5)
        else []
    )
    for _ in range(w.count(1, 7)):
        lines += [w.sentence(10) for _ in range(w.count(1, 6))] + [""]
    near = "".join(f"<li>{w.role(role)}: <a{w.link()}>{w.title()}</a></li>" for role in ("previous", "next"))
    sort = f"<li><b>{w.role('list')}:</b> <a{w.link()}>[ {w.role('date')} ]</a> <a{w.link()}>[ {w.role('author')} ]</a></li>"
    links = f"<ul>{near}{sort}</ul>"
    head = f"<b>{w.name()}</b> <a{w.link()}>a at example.org</a><br><i>{w.date()}</i>"
    if w.may(0.3):
        head = f"<ul><li><em>From</em>: {w.name()}</li><li><em>Date</em>: {w.date()}</li><li><em>Subject</em>: {title}</li></ul>"
    body = f"<pre>{keep(chr(10).join(lines))}</pre>"
    page = f"<h1>{title}</h1>{head}<p>{links}<hr>{body}<hr>{links if w.may(0.8) else ''}"
    return frame_bare(w, title, page) if w.may(0.7) else frame_boxes(w, title, page)


def make_readme(w: Writer) -> str:
    """A read-me on the page of a repository: files and counters around it."""
    title = w.words(1, 3)
    rows = "".join(
        f"<tr><td><a{w.link()}>{w.words(1, 1)}.py</a></td><td><a{w.link()}>{w.words(2, 6)}</a></td><td>{w.date()}</td></tr>"
        for _ in range(w.count(2, 14))
    )
    files = f"<table{w.attrs('files', 'tree-table')}>{rows}</table>"
    readme = f"<article{w.attrs('markdown-body', 'readme', 'entry-content')}><h1>{title}</h1>{make_prose(w, 2, 14, code=0.2, plain=0.4)}</article>"
    box = f"<div{w.attrs('readme', 'Box', 'file-content')}><div>README.md</div>{readme}</div>"
    return frame_boxes(w, title, files + box if w.may(0.7) else box)


def make_slides(w: Writer) -> str:
    """Slides: a section each, with a heading and points; the first has the title."""
    title = w.title()
    slides = [f"<section><h1>{title}</h1><p>{w.name()}, {w.date()}</p></section>"]
    for _ in range(w.count(3, 24)):
        heading = f"<h2>{keep(w.words(1, 6))}</h2>"
        slides.append(
            f"<section{w.attrs('slide', 'step', '')}>{heading}{make_list(w, 6) if w.may(0.7) else make_paragraph(w, 1, 2)}</section>"
        )
    deck = f"<div{w.attrs('reveal', 'slides', 'deck')}>{''.join(slides)}</div>"
    return f"{make_head(w, title)}<body>{deck}{w.maybe(0.3, parts.make_pager)}</body></html>"


def make_small_site(w: Writer) -> str:
    """A page of a small site, laid out with tables: what it offers, in a few paragraphs."""
    title = w.words(1, 5)
    return frame_table(w, title, f"<h2>{title}</h2>{make_prose(w, 1, 6)}")


PLAIN = (
    make_one_element,
    make_one_element,
    make_nineties_page,
    make_frame_content,
    make_mail,
    make_readme,
    make_slides,
    make_small_site,
)
