"""Synthetic articles: short ones among much boilerplate, tutorials, recipes, FAQs, change logs, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.bodies import (
    make_code,
    make_definitions,
    make_figure,
    make_heading,
    make_list,
    make_paragraph,
    make_prose,
    make_table,
)
from bonmun.lab.train.synthetic.frames import frame_boxes, frame_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["ARTICLES"]


def _frame(w: PageWriter, title: str, *body: str, old: float = 0.05) -> str:
    """Frame an article with title and byline, and optional parts below it."""
    head = w.tag("h1.title|entry-title|headline|", title)
    head += w.maybe(0.7, parts.make_byline) + w.maybe(0.3, parts.make_share)
    text = w.tag("div.entry-content|article-body|post-content|content|text|", *body)
    tail = w.maybe(0.4, parts.make_tags) + w.maybe(0.3, parts.make_share)
    article = w.tag(w.pick(("article", "div", "section")) + ".article|post|hentry|single|", head, text, tail)
    below = w.maybe(0.5, parts.make_related) + w.maybe(0.25, parts.make_comments) + w.maybe(0.2, parts.make_newsletter)
    return frame_page(w, title, article + below, old=old)


def make_short_article(w: PageWriter) -> str:
    """Make two to four short paragraphs on a page with far more boilerplate."""
    title = w.title()
    text = "".join(make_paragraph(w, 1, 3) for _ in range(w.rng.randint(2, 4)))
    if w.chance(0.2):
        text = text.replace("<p>", "").replace("</p>", "<br><br>")
    head = w.tag("h1", title) + w.maybe(0.8, parts.make_byline) + w.maybe(0.2, make_figure)
    owner = w.tag("p.copyright|source|reporter|", f"© {w.site} {w.name()} a@example.org") if w.chance(0.3) else ""
    body = w.tag("div.article|content|news-text|story|", head, text, owner)
    before = w.maybe(0.2, _make_others)
    after = w.maybe(0.4, parts.make_tags) + "".join(_make_others(w) for _ in range(w.count(1, 4)))
    return frame_boxes(w, title, before + body + after)


def _make_others(w: PageWriter) -> str:
    """Make teasers of other articles, or a long notice."""
    if w.chance(0.25):
        return w.tag("div.disclaimer|legal|notice|", *(w.tag("p", w.text(1, 5)) for _ in range(w.count(1, 4))))
    items = []
    for _ in range(w.count(3, 14)):
        title, text = w.tag("h3", w.link(w.title())), w.tag("p", w.text(1, 3))
        items.append(w.tag("div.item|news-item|card|", title, text, w.tag("span", w.date())))
    return w.tag("section.related|latest|more|read-also|", w.tag("h2", w.words(1, 4)), *items)


def make_tutorial(w: PageWriter) -> str:
    """Make paragraphs with code between them."""
    pieces = []
    for _ in range(w.count(2, 10)):
        pieces += [w.maybe(0.3, make_heading), make_paragraph(w, 1, 4), make_code(w)]
    return _frame(w, w.title(), *pieces, make_paragraph(w))


def make_recipe(w: PageWriter) -> str:
    """Make ingredients and steps, sometimes with a story before and notes after."""
    story = make_prose(w, 1, 7) if w.chance(0.6) else ""
    times = w.tag("ul.recipe-meta|times|", *(w.tag("li", keep(f"{w.words(1, 1)}: {w.number()}")) for _ in range(3)))
    steps = [w.tag("li", _make_step(w)) for _ in range(w.count(2, 10))]
    card = [
        parts.make_buttons(w, "share", "copy") if w.chance(0.3) else "",
        times if w.chance(0.4) else "",
        make_heading(w, 3),
        _make_ingredients(w),
        make_heading(w, 3),
        w.tag("ol.instructions|steps|directions|", *steps),
    ]
    return _frame(
        w, w.title(), story, w.tag("div.recipe|wprm-recipe|recipe-card|", *card), w.maybe(0.3, make_paragraph)
    )


def _make_step(w: PageWriter) -> str:
    if w.chance(0.7):
        return keep(w.text(1, 3))
    return w.tag("h4", keep(w.words(1, 2))) + w.tag("p", keep(w.text(1, 2)))


def _make_ingredients(w: PageWriter) -> str:
    """Make ingredients with amounts, in a table or a list, sometimes with checkboxes."""
    pairs = [(w.number(), w.words(1, 4)) for _ in range(w.count(3, 18))]
    if w.chance(0.2):
        rows = (w.tag("tr", w.tag("td", keep(amount)), w.tag("td", keep(thing))) for amount, thing in pairs)
        return w.tag("table", *rows)
    box = "<input type=checkbox> " if w.chance(0.2) else ""
    line = "<span>{}</span> <span>{}</span>" if w.chance(0.4) else "{} {}"
    return w.tag("ul.ingredients|wprm-recipe-ingredients|", *(w.tag("li", box, keep(line.format(*p))) for p in pairs))


def make_questions(w: PageWriter) -> str:
    """Make questions and answers: headings, definitions, `<details>`, boxes or bold lines."""
    shape = w.pick(("h3", "dl", "details", "b", "div"))
    pieces = []
    for _ in range(w.count(3, 18)):
        question, answer = keep(w.words(3, 10) + "?"), make_paragraph(w, 1, 4)
        if shape == "dl":
            pieces.append(w.tag("dl", w.tag("dt", question), w.tag("dd", answer)))
        elif shape == "details":
            pieces.append(w.tag("details", w.tag("summary", question), answer, open=""))
        elif shape == "div":
            both = w.tag("div.question|", question) + w.tag("div.answer|", answer)
            pieces.append(w.tag("div.faq-item|accordion-item|", both))
        else:
            pieces += [w.tag(shape, question), answer]
    return _frame(w, w.words(1, 4), *pieces)


def make_changes(w: PageWriter) -> str:
    """Make a change log: versions with dates and lists of changes."""
    pieces = []
    for minor in range(w.count(2, 12), 0, -1):
        date = f" ({w.rng.randint(2010, 2026)}-0{w.count(1, 9)}-1{w.count(0, 9)})" if w.chance(0.7) else ""
        group = w.tag("h3", keep(w.words(1, 1))) if w.chance(0.4) else ""
        pieces += [w.tag("h2", keep(f"{w.count(0, 4)}.{minor}.0{date}")), group, make_list(w)]
    return _frame(w, w.words(1, 2), *pieces)


def make_data_page(w: PageWriter) -> str:
    """Make tables, or terms and definitions, with little text between them."""
    pieces = [w.maybe(0.7, make_paragraph)]
    for _ in range(w.count(1, 4)):
        data = make_definitions(w) if w.chance(0.3) else make_table(w, pairs=w.chance(0.5))
        pieces += [make_heading(w), data]
    return _frame(w, w.title(), *pieces, old=0.3)


def make_long_article(w: PageWriter) -> str:
    """Make an article as there are many."""
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
