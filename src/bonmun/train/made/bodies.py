"""The main text of made-up pages, marked as such: paragraphs, lists, tables, code, and bodies made of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = [
    "make_code",
    "make_definitions",
    "make_figure",
    "make_heading",
    "make_list",
    "make_lines",
    "make_paragraph",
    "make_prose",
    "make_quote",
    "make_table",
    "make_typed_text",
]

TOKEN = re.compile(r"\w+|\W")


def make_paragraph(w: Writer, least: int = 1, most: int = 6, tag: str = "p") -> str:
    """A paragraph."""
    text = keep(w.marked_up(w.text(least, most)))
    inner = f'<span style="font-size:11pt">{text}</span>' if w.may(0.06) else text
    return f"<{tag}>{inner}</{tag}>"


def make_heading(w: Writer, level: int = 2) -> str:
    """A sub-heading, some with the link to itself that generators add."""
    anchor = '<a class="headerlink" href="#x">¶</a>' if w.may(0.1) else ""
    return f"<h{level}>{keep(w.words(1, 6))}{anchor}</h{level}>"


def make_list(w: Writer, most: int = 9) -> str:
    """A list of points, some with a list or paragraphs in them."""
    tag = "ol" if w.may(0.3) else "ul"
    items = []
    for _ in range(w.count(2, most)):
        text = keep(w.marked_up(w.words(1, 6) if w.may(0.4) else w.sentence(14)))
        text = f"<p>{text}</p>" if w.may(0.1) else text
        more = f"<ul><li>{keep(w.words(2, 6))}</li><li>{keep(w.words(2, 6))}</li></ul>" if w.may(0.06) else ""
        items.append(f"<li>{text}{more}</li>")
    return f"<{tag}>{''.join(items)}</{tag}>"


def make_table(w: Writer, *, pairs: bool = False) -> str:
    """A table with a header row and a caption, often; with `pairs`, one of names and values."""
    width = 2 if pairs else w.count(2, 6)
    cell = "th" if w.may(0.7) else "td"
    caption = f"<caption>{keep(w.words(2, 8))}</caption>" if w.may(0.25) else ""
    head = "" if pairs and w.may(0.7) else _make_row([f"<{cell}>{keep(w.words(1, 2))}</{cell}>" for _ in range(width)])
    rows = []
    for _ in range(w.count(2, 14)):
        first = f"<{cell if pairs else 'td'}>{keep(w.words(1, 3))}</{cell if pairs else 'td'}>"
        rows.append(_make_row([first, *(f"<td>{_make_value(w)}</td>" for _ in range(width - 1))]))
    body = "".join(rows)
    inner = f"<thead>{head}</thead><tbody>{body}</tbody>" if head and w.may(0.5) else head + body
    border = ' border="1" cellpadding="3"' if w.may(0.4) else w.attrs("table", "docutils", "data", "spec", "")
    return f"<table{border}>{caption}{inner}</table>"


def _make_row(cells: list[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _make_value(w: Writer) -> str:
    return keep(w.number() if w.may(0.4) else w.words(1, 5))


def make_quote(w: Writer) -> str:
    """A quote."""
    text = make_paragraph(w, 1, 2) if w.may(0.6) else keep(w.sentence())
    return f"<blockquote>{text}</blockquote>"


def make_figure(w: Writer) -> str:
    """A picture with its caption."""
    caption = keep(w.sentence(14))
    if w.may(0.5):
        return f'<figure><img src="a.jpg" alt=""><figcaption>{caption}</figcaption></figure>'
    return (
        f'<div{w.attrs("wp-caption", "image", "photo")}><img src="a.jpg"><p{w.attrs("caption", "")}>{caption}</p></div>'
    )


def make_definitions(w: Writer, most: int = 12) -> str:
    """A list of terms and what they mean."""
    pairs = [
        f"<dt{w.attrs('sig', 'term', '')}>{keep(w.words(1, 3))}</dt><dd>{make_paragraph(w, 1, 2)}</dd>"
        if w.may(0.3)
        else f"<dt>{keep(w.words(1, 3))}</dt><dd>{keep(w.text(1, 2))}</dd>"
        for _ in range(w.count(2, most))
    ]
    return f"<dl>{''.join(pairs)}</dl>"


def make_code(w: Writer) -> str:
    """Code: plain, a span for each token, with line numbers, with a button to copy it, or with a hidden copy of it."""
    lines = [w.code_line() for _ in range(w.count(1, 16))]
    plain = "\n".join(lines)
    shown = keep(_colour(plain) if w.may(0.5) else plain)
    inner = f"<code{w.attrs('language-rust', 'language-python', 'hljs', '')}>{shown}</code>" if w.may(0.5) else shown
    button = f"<button{w.attrs('copy', 'btn-clipboard', 'copybtn')}>{w.role('copy')}</button>" if w.may(0.3) else ""
    hidden = f'<pre style="display:none">{plain}</pre>' if w.may(0.15) else ""
    name = w.attrs(
        "highlight", "highlight-default notranslate", "code-block", "codehilite", "sourceCode", "listingblock"
    )
    if w.may(0.15):
        numbers = "\n".join(str(row) for row in range(1, len(lines) + 1))
        cells = f'<td class="linenos"><pre>{numbers}</pre></td><td class="code"><pre>{inner}</pre></td>'
        return f"<div{name}><table><tr>{cells}</tr></table>{button}{hidden}</div>"
    if w.may(0.3) and not (button or hidden):
        return f"<pre>{inner}</pre>"
    head = (
        f"<div{w.attrs('filename', 'title', 'caption')}>{keep('src/' + w.pick(('main.rs', 'app.py')))}</div>"
        if w.may(0.1)
        else ""
    )
    return f"<div{name}>{head}{hidden}{button}<pre>{inner}</pre></div>"


def _colour(code: str) -> str:
    """A span for many words, as highlighters write them; entities stay whole."""
    return TOKEN.sub(lambda found: _colour_token(found[0]), code) if "&" not in code else code


def _colour_token(token: str) -> str:
    return f'<span class="n">{token}</span>' if token.isalpha() else token


def make_prose(w: Writer, least: int = 2, most: int = 14, *, code: float = 0.0, plain: float = 0.6) -> str:
    """Paragraphs and what stands between them: headings, lists, tables, quotes, figures, code."""
    makers = (make_heading, make_list, make_table, make_quote, make_figure, make_definitions)
    parts = [make_paragraph(w)]
    for _ in range(w.count(least, most) - 1):
        if w.may(code):
            parts.append(make_code(w))
        elif w.may(plain):
            parts.append(make_paragraph(w))
        else:
            parts.append(w.chance.choices(makers, (4, 3, 1, 1, 1, 0.4))[0](w))
            parts.append(make_paragraph(w))
    return "\n".join(parts)


def make_lines(w: Writer, most: int = 12, mark: str = "- ") -> str:
    """A list as people type it: lines with a dash before them."""
    return "<br>\n".join(keep(mark + w.words(2, 8)) for _ in range(w.count(2, most)))


def make_typed_text(w: Writer, most: int = 10) -> str:
    """Text as people type it into a board: line breaks instead of paragraphs, some bold lines, pictures and tables."""
    parts = []
    for _ in range(w.count(1, most)):
        draw = w.chance.random()
        if draw < 0.07:
            parts.append(make_lines(w, 6))
        elif draw < 0.12:
            parts.append(f"<b>{keep(w.words(2, 6))}</b>")
        elif draw < 0.15:
            parts.append(f'<img src="/data/a.jpg"><br><font color="gray">{keep(w.sentence(12))}</font>')
        elif draw < 0.17:
            parts.append(make_table(w))
        else:
            parts.append(keep(w.marked_up(w.text(1, 5))))
    separator = w.pick(("<br><br>\n", "<br><br>\n", "<br>\n<br>\n", "<br>"))
    return separator.join(parts)
