"""Small and old synthetic pages: no classes, one element, a mail, a README, slides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.bodies import make_list, make_paragraph, make_prose, make_table, make_typed_text
from bonmun.lab.train.synthetic.docs import make_link_list
from bonmun.lab.train.synthetic.frames import frame_bare, frame_boxes, frame_table, make_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["PLAIN"]


def make_one_element(w: PageWriter) -> str:
    """Make a page that is only a `<main>`, `<article>` or `<body>` with little content."""
    title = w.title()
    makers = (make_list, make_paragraph, make_prose, make_table, make_link_list)
    inner = (w.tag("h1", title) if w.chance(0.7) else "") + w.rng.choice(makers)(w)
    if w.chance(0.8):
        inner = w.tag(w.pick(("main", "article", "section", "div")), inner)
    before = w.tag("header", w.link(w.site)) if w.chance(0.2) else ""
    after = w.tag("footer", w.words(2, 6)) if w.chance(0.3) else ""
    return make_page(w, title, before + inner + after)


def make_nineties_page(w: PageWriter) -> str:
    """Make a home page of the nineties: centred title, rules, plain text, an address at the end."""
    title = w.title()
    head = w.pick(("<h1>{}</h1>", "<center><h1>{}</h1></center>", "<center><font size=6>{}</font></center>"))
    links = " | ".join(w.link(w.label()) for _ in range(w.count(2, 7)))
    heading = w.pick(("<h3>{}</h3>", "<h2>{}</h2>", "<p><b>{}</b></p>", "<font size=4>{}</font><br><br>"))
    sections = []
    for _ in range(w.count(1, 5)):
        text = make_typed_text(w, 5) if w.chance(0.5) else make_prose(w, 1, 4)
        sections.append(heading.format(keep(w.words(1, 5))) + text)
    content = w.pick(("<hr>", "<br><br>")).join(sections)
    if w.chance(0.3):
        content = w.tag("table", w.tag("tr", w.tag("td", content)), width=600)
    address = w.tag("address", f"{w.name()}, a@example.org<br>{w.role('date')} {w.date()}")
    end = address if w.chance(0.7) else links
    return frame_bare(w, title, f"{head.format(title)}{links if w.chance(0.5) else ''}<hr>{content}<hr>{end}")


def make_frame_content(w: PageWriter) -> str:
    """Make the content of a frame: only the text, sometimes with a link back."""
    title = w.words(1, 4)
    text = make_typed_text(w, 12) if w.chance(0.5) else make_prose(w, 2, 8)
    back = w.tag("p", w.link(w.role("list")), align="right") if w.chance(0.5) else ""
    return make_page(w, title, w.tag("h2", title) + text + back)


def make_mail(w: PageWriter) -> str:
    """Make a mail in an archive: author and date, the text in a `<pre>`, links to others."""
    title = f"[{w.site}] {w.title()}"
    lines = []
    if w.chance(0.5):
        quoted = [f"&gt; {w.words(5, 12)}" for _ in range(w.count(1, 8))]
        lines += [f"On {w.date()}, {w.name()} wrote:", *quoted, ""]
    for _ in range(w.count(1, 7)):
        lines += [*(w.sentence(10) for _ in range(w.count(1, 6))), ""]
    near = [w.tag("li", f"{w.role(role)}: {w.link(w.title())}") for role in ("previous", "next")]
    sorts = " ".join(w.link(f"[ {w.role(role)} ]") for role in ("date", "author"))
    links = w.tag("ul", *near, w.tag("li", f"<b>{w.role('list')}:</b> {sorts}"))
    head = f"<b>{w.name()}</b> {w.link('a at example.org')}<br><i>{w.date()}</i>"
    if w.chance(0.3):
        fields = (("From", w.name()), ("Date", w.date()), ("Subject", title))
        head = w.tag("ul", *(w.tag("li", f"<em>{name}</em>: {value}") for name, value in fields))
    body = w.tag("pre", keep("\n".join(lines)))
    page = f"<h1>{title}</h1>{head}{links}<hr>{body}<hr>{links if w.chance(0.8) else ''}"
    return frame_bare(w, title, page) if w.chance(0.7) else frame_boxes(w, title, page)


def make_readme(w: PageWriter) -> str:
    """Make a README on a repository page, with files around it."""
    title = w.words(1, 3)
    rows = []
    for _ in range(w.count(2, 14)):
        cells = (w.link(f"{w.words(1, 1)}.py"), w.link(w.words(2, 6)), w.date())
        rows.append(w.tag("tr", *(w.tag("td", cell) for cell in cells)))
    files = w.tag("table.files|tree-table", *rows) if w.chance(0.7) else ""
    text = make_prose(w, 2, 14, code=0.2, plain=0.4)
    article = w.tag("article.markdown-body|readme|entry-content", w.tag("h1", title), text)
    return frame_boxes(w, title, files + w.tag("div.readme|Box|file-content", w.tag("div", "README.md"), article))


def make_slides(w: PageWriter) -> str:
    """Make slides: one section each, with a heading and points; the first has the title."""
    title = w.title()
    slides = [w.tag("section", w.tag("h1", title), w.tag("p", f"{w.name()}, {w.date()}"))]
    for _ in range(w.count(3, 24)):
        points = make_list(w, 6) if w.chance(0.7) else make_paragraph(w, 1, 2)
        slides.append(w.tag("section.slide|step|", w.tag("h2", keep(w.words(1, 6))), points))
    return make_page(w, title, w.tag("div.reveal|slides|deck", *slides) + w.maybe(0.3, parts.make_pager))


def make_small_site(w: PageWriter) -> str:
    """Make a page of a small site with a table layout and a few paragraphs."""
    title = w.words(1, 5)
    return frame_table(w, title, w.tag("h2", title) + make_prose(w, 1, 6))


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
