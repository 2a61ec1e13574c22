"""Synthetic lists of board posts, alone or below a post. Alone, their titles and teasers are the main text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.frames import frame_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.lab.train.synthetic.writer import PageWriter

    Mark = Callable[[str], str]

__all__ = ["LISTS", "make_rows"]


def _leave(text: str) -> str:
    return text


def make_rows(w: PageWriter, mark: Mark = _leave) -> str:
    """Make a table with one post per row: number, title, author, date, views; `mark` marks titles as main text."""
    columns = ["number", "title", *w.rng.sample(("author", "date", "views", "posts"), w.count(1, 4))]
    if w.chance(0.2):
        columns.remove("number")
    cell = "th" if w.chance(0.5) else "td"
    rows = [w.tag("tr.|list_head", *(w.tag(cell, w.role(column)) for column in columns))] if w.chance(0.85) else []
    first = w.rng.randint(30, 90000)
    for number in range(w.count(4, 40)):
        cells = [w.tag(f"td.td_{column}|", _make_cell(w, column, first - number, mark)) for column in columns]
        rows.append(w.tag("tr.|bg0|notice", *cells))
        if w.chance(0.02):
            rows.append(f'<tr><td colspan={len(columns)} height=1 bgcolor="#ddd"></td></tr>')
    table = w.tag("table.board_list|bd_lst|tbl_head01|list|", *rows, width="100%")
    return w.tag("form", table) if w.chance(0.3) else table


def _make_cell(w: PageWriter, column: str, number: int, mark: Mark) -> str:
    if column == "title":
        return _make_title_cell(w, mark)
    if column == "number":
        return w.tag("b", w.label()) if w.chance(0.06) else str(number)
    if column == "author":
        return w.tag("span.sv_member|member|nick", w.name())
    return w.date() if column == "date" else str(w.count(0, 3000))


def _make_title_cell(w: PageWriter, mark: Mark) -> str:
    """Make a title, sometimes with a category before it or a comment count after it."""
    title, draw = w.link(mark(w.title())), w.rng.random()
    if draw < 0.08:
        title = f"{w.link(f'[{w.pick(w.language.menu)}]')} {title}"
    elif draw < 0.4:
        title += " " + w.tag("span.cnt_cmt|comment_count|replyNum", f"[{w.count(1, 40)}]")
    return title + (w.tag("p", mark(w.sentence())) if w.chance(0.04) else "")


def _frame(w: PageWriter, listed: str, *, old: float = 0.0) -> str:
    title = w.label()
    head = w.tag(w.pick(("h1", "h2", "div", "h3")) + ".title|board_title|sound_only|", title) if w.chance(0.7) else ""
    total = w.tag("div", f"Total {w.number()} 1 {w.role('list')}") if w.chance(0.4) else ""
    tabs = parts.make_link_box(w, "div.category|tabs", 2, 8) if w.chance(0.3) else ""
    ends = w.maybe(0.9, parts.make_pager) + w.maybe(0.6, parts.make_search) + w.maybe(0.4, parts.make_buttons)
    return frame_page(w, title, f"{head}{total}{tabs}{listed}{ends}", old=old)


def make_table_list(w: PageWriter) -> str:
    """Make a table of posts, as most boards have."""
    return _frame(w, make_rows(w, keep), old=0.45)


def make_item_list(w: PageWriter) -> str:
    """Make a list or boxes of posts: title, optional teaser, and a line of author, date and views."""
    outer, item = w.pick(("ul li", "div div", "ol li", "section article", "div dl")).split()
    teasers, pictures = w.chance(0.5), w.chance(0.3)
    items = []
    for _ in range(w.count(4, 30)):
        picture = w.link("<img src='t.jpg' alt=''>") if pictures else ""
        title = w.tag(w.pick(("h3", "strong", "div.title|subject|tit")), w.link(keep(w.title())))
        teaser = w.tag("p.summary|desc|txt|", keep(w.text(1, 3))) if teasers else ""
        details = (w.name(), w.date(), f"{w.role('views')} {w.number()}")
        about = w.tag("div.info|meta|etc|", " ".join(w.tag("span", detail) for detail in details))
        inner = f"{picture}{title}{teaser}{about}" if w.chance(0.5) else f"{title}{about}{teaser}{picture}"
        items.append(w.tag(f"{item}.item|row|bo_li|", w.tag("dd", inner) if item == "dl" else inner))
    return _frame(w, w.tag(f"{outer}.list|webzine|topiclist|board|", *items))


def make_topic_list(w: PageWriter) -> str:
    """Make topics of a forum, as phpBB 3 and Discuz! have them: title, who began it, replies, views, the last post."""
    lists, rows = w.chance(0.5), []
    for _ in range(w.count(4, 30)):
        title = w.link(keep(w.title()), "a.topictitle|s xst")
        by = w.tag("div.topic-poster|by|", f"{w.role('author')} {w.link(w.name())} » {w.date()}")
        numbers = " ".join(w.link(str(page)) for page in range(1, w.count(2, 5)))
        pages = w.tag("div.pagination|tps", numbers) if w.chance(0.2) else ""
        last = f"{w.link(w.name())}<br>{w.date()}"
        if lists:
            counts = [w.tag("dd", text) for text in (w.number(), w.number(), w.tag("span", last))]
            rows.append(w.tag("li.row bg1|row bg2", w.tag("dl", w.tag("dt", title, pages, by), *counts)))
        else:
            texts = ("", f"{title} {pages}", by, w.number(), w.number(), last)
            rows.append(w.tag("tr", *(w.tag("td", text) for text in texts)))
    head = [w.role(role) for role in ("title", "reply", "views", "posts")]
    if lists:
        top = w.tag("ul.topiclist", w.tag("li", w.tag("dl", *(w.tag("dd", word) for word in head))))
        return _frame(w, top + w.tag("ul.topiclist topics", *rows))
    top = w.tag("tr", *(w.tag("th", word) for word in head))
    return _frame(w, w.tag("table.tborder|threadlist|table_grid", top, *rows), old=0.3)


def make_forum_index(w: PageWriter) -> str:
    """Make a forum index: groups of boards with descriptions."""
    rows = []
    for _ in range(w.count(1, 4)):
        rows.append(w.tag("tr", w.tag("th.cat|tcat", keep(w.words(1, 3)), colspan=4)))
        for _ in range(w.count(2, 8)):
            name = w.link(keep(w.words(1, 5)))
            about = w.tag("span.genmed|smalltext|", keep(w.sentence(14)))
            last = f"{w.date()}<br>{w.link(w.name())}"
            texts = (f"{name}<br>{about}", w.number(), w.number(), last)
            rows.append(w.tag("tr", *(w.tag("td", text) for text in texts)))
    return _frame(w, w.tag("table.forumline|tborder|", *rows, width="100%"), old=0.3)


LISTS = (make_table_list, make_table_list, make_item_list, make_topic_list, make_forum_index)
