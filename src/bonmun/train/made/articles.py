"""Articles: short ones among much other text, tutorials with code, recipes, questions and answers, changes, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.bodies import (
    make_code,
    make_definitions,
    make_figure,
    make_heading,
    make_list,
    make_paragraph,
    make_prose,
    make_table,
)
from bonmun.train.made.frames import frame_boxes, frame_page
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["ARTICLES"]


def _frame(w: Writer, title: str, body: str, *, old: float = 0.05) -> str:
    """An article with its title and byline over it, and all that may stand below."""
    head = f"<h1{w.attrs('title', 'entry-title', 'headline', '')}>{title}</h1>"
    head += w.maybe(0.7, parts.make_byline) + w.maybe(0.3, parts.make_share)
    inner = f"<div{w.attrs('entry-content', 'article-body', 'post-content', 'content', 'text', '')}>{body}</div>"
    tail = w.maybe(0.4, parts.make_tags) + w.maybe(0.3, parts.make_share)
    below = w.maybe(0.5, parts.make_related) + w.maybe(0.25, parts.make_comments) + w.maybe(0.2, parts.make_newsletter)
    tag = w.pick(("article", "div", "section"))
    return frame_page(
        w,
        title,
        f"<{tag}{w.attrs('article', 'post', 'hentry', 'single', '')}>{head}{inner}{tail}</{tag}>{below}",
        old=old,
    )


def make_short_article(w: Writer) -> str:
    """Two to four short paragraphs on a page with far more of other text."""
    title = w.title()
    text = "".join(make_paragraph(w, 1, 3) for _ in range(w.chance.randint(2, 4)))
    if w.may(0.2):
        text = text.replace("<p>", "").replace("</p>", "<br><br>")
    figure = make_figure(w) if w.may(0.2) else ""
    owner = (
        f"<p{w.attrs('copyright', 'source', 'reporter', '')}>© {w.site} {w.name()} a@example.org</p>"
        if w.may(0.3)
        else ""
    )
    head = f"<h1>{title}</h1>{w.maybe(0.8, parts.make_byline)}"
    body = f"<div{w.attrs('article', 'content', 'news-text', 'story', '')}>{head}{figure}{text}{owner}</div>"
    around = "".join(_make_others(w) for _ in range(w.count(1, 4)))
    if w.may(0.2):
        body = _make_others(w) + body
    return frame_boxes(w, title, body + w.maybe(0.4, parts.make_tags) + around)


def _make_others(w: Writer) -> str:
    """Other articles with their beginnings, or a long notice."""
    if w.may(0.25):
        return f"<div{w.attrs('disclaimer', 'legal', 'notice', '')}>{''.join(f'<p>{w.text(1, 5)}</p>' for _ in range(w.count(1, 4)))}</div>"
    items = "".join(
        f"<div{w.attrs('item', 'news-item', 'card', '')}><h3><a{w.link()}>{w.title()}</a></h3><p>{w.text(1, 3)}</p><span>{w.date()}</span></div>"
        for _ in range(w.count(3, 14))
    )
    return f"<section{w.attrs('related', 'latest', 'more', 'read-also', '')}><h2>{w.words(1, 4)}</h2>{items}</section>"


def make_tutorial(w: Writer) -> str:
    """Paragraphs with code between them."""
    pieces = []
    for _ in range(w.count(2, 10)):
        pieces += [make_heading(w, 2) if w.may(0.3) else "", make_paragraph(w, 1, 4), make_code(w)]
    return _frame(w, w.title(), "".join(pieces) + make_paragraph(w))


def make_recipe(w: Writer) -> str:
    """What goes in and what to do, some with a story before and notes after."""
    story = make_prose(w, 1, 7) if w.may(0.6) else ""
    facts = "".join(
        f"<li><span>{keep(w.words(1, 1))}</span> <span>{keep(w.number())}</span></li>" for _ in range(w.count(2, 5))
    )
    facts = f"<ul{w.attrs('recipe-meta', 'times', '')}>{facts}</ul>" if w.may(0.4) else ""
    things = [
        f"<span>{w.number()}</span> <span>{w.words(1, 3)}</span>" if w.may(0.4) else f"{w.number()} {w.words(1, 4)}"
        for _ in range(w.count(3, 18))
    ]
    if w.may(0.2):
        listed = f"<table>{''.join(f'<tr><td>{keep(w.number())}</td><td>{keep(w.words(1, 4))}</td></tr>' for _ in things)}</table>"
    else:
        box = "<input type=checkbox> " if w.may(0.2) else ""
        listed = f"<ul{w.attrs('ingredients', 'wprm-recipe-ingredients', '')}>{''.join(f'<li>{box}{keep(thing)}</li>' for thing in things)}</ul>"
    steps = "".join(
        f"<li>{keep(w.text(1, 3))}</li>"
        if w.may(0.7)
        else f"<li><h4>{keep(w.words(1, 2))}</h4><p>{keep(w.text(1, 2))}</p></li>"
        for _ in range(w.count(2, 10))
    )
    card = f"{make_heading(w, 3)}{listed}{make_heading(w, 3)}<ol{w.attrs('instructions', 'steps', 'directions', '')}>{steps}</ol>"
    buttons = parts.make_buttons(w, "share", "copy") if w.may(0.3) else ""
    return _frame(
        w,
        w.title(),
        f"{story}<div{w.attrs('recipe', 'wprm-recipe', 'recipe-card', '')}>{buttons}{facts}{card}</div>{make_paragraph(w) if w.may(0.3) else ''}",
    )


def make_questions(w: Writer) -> str:
    """Questions and answers: headings, definitions, details to open, or bold lines."""
    shape = w.pick(("h3", "dl", "details", "p", "div"))
    pieces = []
    for _ in range(w.count(3, 18)):
        question, answer = keep(w.words(3, 10) + "?"), make_paragraph(w, 1, 4)
        if shape == "dl":
            pieces.append(f"<dl><dt>{question}</dt><dd>{answer}</dd></dl>")
        elif shape == "details":
            pieces.append(f"<details open><summary>{question}</summary>{answer}</details>")
        elif shape == "p":
            pieces.append(f"<p><b>{question}</b></p>{answer}")
        elif shape == "div":
            pieces.append(
                f"<div{w.attrs('faq-item', 'accordion-item', '')}><div{w.attrs('question', '')}>{question}</div><div{w.attrs('answer', '')}>{answer}</div></div>"
            )
        else:
            pieces.append(f"<h3>{question}</h3>{answer}")
    return _frame(w, w.words(1, 4), "".join(pieces))


def make_changes(w: Writer) -> str:
    """Versions with their dates, and what has changed in each."""
    versions = []
    for minor in range(w.count(2, 12), 0, -1):
        date = f" ({w.chance.randint(2010, 2026)}-0{w.count(1, 9)}-1{w.count(0, 9)})" if w.may(0.7) else ""
        group = f"<h3>{keep(w.words(1, 1))}</h3>" if w.may(0.4) else ""
        versions.append(f"<h2>{keep(f'{w.count(0, 4)}.{minor}.0{date}')}</h2>{group}{make_list(w)}")
    return _frame(w, w.words(1, 2), "".join(versions))


def make_data_page(w: Writer) -> str:
    """Tables, or terms and their meanings, with little text between them."""
    pieces = [make_paragraph(w, 1, 2)] if w.may(0.7) else []
    for _ in range(w.count(1, 4)):
        pieces += [make_heading(w), w.pick((make_table(w), make_table(w, pairs=True), make_definitions(w)))]
    return _frame(w, w.title(), "".join(pieces), old=0.3)


def make_long_article(w: Writer) -> str:
    """An article as there are many."""
    return _frame(w, w.title(), make_prose(w, 4, 26), old=0.1)


ARTICLES = (
    make_short_article,
    make_short_article,
    make_short_article,
    make_tutorial,
    make_tutorial,
    make_recipe,
    make_questions,
    make_changes,
    make_data_page,
    make_long_article,
)
