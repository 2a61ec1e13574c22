"""Main text of synthetic pages, marked as gold: paragraphs, lists, tables, code, and bodies made of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = [
    "make_code",
    "make_definitions",
    "make_figure",
    "make_heading",
    "make_list",
    "make_paragraph",
    "make_prose",
    "make_table",
    "make_typed_text",
]

NAME = re.compile(r"(?<![&\w])[a-z]+")  # in code, but not in entities


def make_paragraph(w: PageWriter, least: int = 1, most: int = 6) -> str:
    """Make a paragraph."""
    text = keep(w.marked_up(w.text(least, most)))
    return w.tag("p", w.tag("span", text, style="font-size:11pt") if w.chance(0.06) else text)


def make_heading(w: PageWriter, level: int = 2) -> str:
    """Make a sub-heading, sometimes with a permalink."""
    anchor = '<a class="headerlink" href="#x">¶</a>' if w.chance(0.1) else ""
    return w.tag(f"h{level}", keep(w.words(1, 6)), anchor)


def make_list(w: PageWriter, most: int = 9) -> str:
    """Make a list, sometimes with nested lists or paragraphs."""
    items = []
    for _ in range(w.count(2, most)):
        text = keep(w.marked_up(w.words(1, 6) if w.chance(0.4) else w.sentence(14)))
        below = w.tag("ul", *(w.tag("li", keep(w.words(2, 6))) for _ in range(2))) if w.chance(0.06) else ""
        items.append(w.tag("li", w.tag("p", text) if w.chance(0.1) else text, below))
    return w.tag("ol" if w.chance(0.3) else "ul", *items)


def make_table(w: PageWriter, *, pairs: bool = False) -> str:
    """Make a table, often with a header row and a caption; with `pairs`, one of names and values."""
    width = 2 if pairs else w.count(2, 6)
    cell = "th" if w.chance(0.7) else "td"
    caption = w.tag("caption", keep(w.words(2, 8))) if w.chance(0.25) else ""
    head = ""
    if not pairs or w.chance(0.3):
        head = w.tag("tr", *(w.tag(cell, keep(w.words(1, 2))) for _ in range(width)))
    rows = []
    for _ in range(w.count(2, 14)):
        values = (w.tag("td", keep(w.number() if w.chance(0.4) else w.words(1, 5))) for _ in range(width - 1))
        rows.append(w.tag("tr", w.tag(cell if pairs else "td", keep(w.words(1, 3))), *values))
    inner = [caption, head, *rows]
    if head and w.chance(0.5):
        inner = [caption, w.tag("thead", head), w.tag("tbody", *rows)]
    if w.chance(0.4):
        return w.tag("table", *inner, border=1, cellpadding=3)
    return w.tag("table.table|docutils|data|spec|", *inner)


def make_quote(w: PageWriter) -> str:
    """Make a quote."""
    return w.tag("blockquote", make_paragraph(w, 1, 2) if w.chance(0.6) else keep(w.sentence()))


def make_figure(w: PageWriter) -> str:
    """Make an image with a caption."""
    image, caption = '<img src="a.jpg" alt="">', keep(w.sentence(14))
    if w.chance(0.5):
        return w.tag("figure", image, w.tag("figcaption", caption))
    return w.tag("div.wp-caption|image|photo", image, w.tag("p.caption|", caption))


def make_definitions(w: PageWriter, most: int = 12) -> str:
    """Make a list of terms and definitions."""
    pairs = []
    for _ in range(w.count(2, most)):
        meaning = make_paragraph(w, 1, 2) if w.chance(0.3) else keep(w.text(1, 2))
        pairs.append(w.tag("dt.sig|term|", keep(w.words(1, 3))) + w.tag("dd", meaning))
    return w.tag("dl", *pairs)


def make_code(w: PageWriter) -> str:
    """Make code: plain, with spans, line numbers or a copy button, or with a hidden copy."""
    lines = [w.code_line() for _ in range(w.count(1, 16))]
    code = "\n".join(lines)
    shown = keep(NAME.sub(r'<span class="n">\g<0></span>', code) if w.chance(0.5) else code)
    if w.chance(0.5):
        shown = w.tag("code.language-rust|language-python|hljs|", shown)
    button = w.tag("button.copy|btn-clipboard|copybtn", w.role("copy")) if w.chance(0.3) else ""
    hidden = w.tag("pre", code, style="display:none") if w.chance(0.15) else ""
    shape = "div.highlight|highlight-default notranslate|code-block|codehilite|sourceCode|listingblock"
    if w.chance(0.15):
        numbers = w.tag("td.linenos", w.tag("pre", "\n".join(str(row) for row in range(1, len(lines) + 1))))
        row = w.tag("tr", numbers, w.tag("td.code", w.tag("pre", shown)))
        return w.tag(shape, w.tag("table", row), button, hidden)
    if w.chance(0.3) and not (button or hidden):
        return w.tag("pre", shown)
    file = w.tag("div.filename|title|caption", keep(w.pick(("src/main.rs", "app.py")))) if w.chance(0.1) else ""
    return w.tag(shape, file, hidden, button, w.tag("pre", shown))


def make_prose(w: PageWriter, least: int = 2, most: int = 14, *, code: float = 0.0, plain: float = 0.6) -> str:
    """Make paragraphs with headings, lists, tables, quotes, figures and code between them."""
    makers = (make_heading, make_list, make_table, make_quote, make_figure, make_definitions)
    pieces = [make_paragraph(w)]
    for _ in range(w.count(least, most) - 1):
        if w.chance(code):
            pieces.append(make_code(w))
        elif w.chance(plain):
            pieces.append(make_paragraph(w))
        else:
            pieces += [w.rng.choices(makers, (4, 3, 1, 1, 1, 0.4))[0](w), make_paragraph(w)]
    return "\n".join(pieces)


def make_typed_text(w: PageWriter, most: int = 10) -> str:
    """Make text as people type it into a board: line breaks for paragraphs, some bold lines, images and tables."""
    pieces = []
    for _ in range(w.count(1, most)):
        draw = w.rng.random()
        if draw < 0.07:
            pieces.append("<br>\n".join(keep(f"- {w.words(2, 8)}") for _ in range(w.count(2, 6))))
        elif draw < 0.12:
            pieces.append(w.tag("b", keep(w.words(2, 6))))
        elif draw < 0.15:
            pieces.append(f'<img src="/data/a.jpg"><br><font color="gray">{keep(w.sentence(12))}</font>')
        elif draw < 0.17:
            pieces.append(make_table(w))
        else:
            pieces.append(keep(w.marked_up(w.text(1, 5))))
    return w.pick(("<br><br>\n", "<br><br>\n", "<br>\n<br>\n", "<br>")).join(pieces)
