"""Lists of posts, as boards show them alone or below a post. Alone, their main text is the titles and teasers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.frames import frame_page
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.train.made.writer import Writer

    Mark = Callable[[str], str]

__all__ = ["LISTS", "make_rows"]


def _leave(text: str) -> str:
    return text


def make_rows(w: Writer, mark: Mark = _leave) -> str:
    """A table of posts, one a row: number, title, author, date, views; `mark` marks the titles, where they count."""
    columns = ["number", "title", *w.chance.sample(("author", "date", "views", "posts"), w.count(1, 4))]
    if w.may(0.2):
        columns.remove("number")
    cell = "th" if w.may(0.5) else "td"
    head = "".join(f"<{cell}>{w.role(column)}</{cell}>" for column in columns)
    first = w.chance.randint(30, 90000)
    rows = [f"<tr{w.attrs('', 'list_head')}>{head}</tr>"] if w.may(0.85) else []
    for number in range(w.count(4, 40)):
        cells = "".join(
            f"<td{w.attrs('td_' + column, '')}>{_make_cell(w, column, first - number, mark)}</td>" for column in columns
        )
        rows.append(f"<tr{w.attrs('', 'bg0', 'notice')}>{cells}</tr>")
        if w.may(0.02):
            rows.append(f'<tr><td colspan={len(columns)} height=1 bgcolor="#ddd"></td></tr>')
    table = f"<table width='100%'{w.attrs('board_list', 'bd_lst', 'tbl_head01', 'list', '')}>{''.join(rows)}</table>"
    return f"<form>{table}</form>" if w.may(0.3) else table


def _make_cell(w: Writer, column: str, number: int, mark: Mark) -> str:
    if column == "title":
        before, after, draw = "", "", w.chance.random()
        if draw < 0.08:
            before = f"<a{w.link()}>[{w.label()}]</a> "
        elif draw < 0.4:
            after = f" <span{w.attrs('cnt_cmt', 'comment_count', 'replyNum')}>[{w.count(1, 40)}]</span>"
        teaser = f"<p>{mark(w.sentence())}</p>" if w.may(0.04) else ""
        return f"{before}<a{w.link()}>{mark(w.title())}</a>{after}{teaser}"
    if column == "number":
        return f"<b>{w.label()}</b>" if w.may(0.06) else str(number)
    if column == "author":
        return f"<span{w.attrs('sv_member', 'member', 'nick')}>{w.name()}</span>"
    return w.date() if column == "date" else str(w.count(0, 3000))


def _frame(w: Writer, listed: str, *, old: float = 0.0) -> str:
    title = w.label()
    tag = w.pick(("h1", "h2", "div", "h3"))
    head = f"<{tag}{w.attrs('title', 'board_title', 'sound_only', '')}>{title}</{tag}>" if w.may(0.7) else ""
    total = f"<div>Total {w.number()} 1 {w.role('list')}</div>" if w.may(0.4) else ""
    tabs = parts.make_links(w.chance, [w.label() for _ in range(w.count(2, 8))], "div", w.attrs("category", "tabs"))
    ends = w.maybe(0.9, parts.make_pager) + w.maybe(0.6, parts.make_search) + w.maybe(0.4, parts.make_buttons)
    return frame_page(w, title, f"{head}{total}{tabs if w.may(0.3) else ''}{listed}{ends}", old=old)


def make_table_list(w: Writer) -> str:
    """Rows of a table, as most boards have them."""
    return _frame(w, make_rows(w, keep), old=0.45)


def make_item_list(w: Writer) -> str:
    """Items of a list or boxes, each with a title, some with a teaser, and a line of who, when and how often."""
    tag, item = w.pick(("ul li", "div div", "ol li", "section article", "div dl")).split()
    teasers, pictures = w.may(0.5), w.may(0.3)
    items = []
    for _ in range(w.count(4, 30)):
        picture = f"<a{w.link()}><img src='t.jpg' alt=''></a>" if pictures else ""
        title = f"<a{w.link()}>{keep(w.title())}</a>"
        title = w.pick(
            (
                f"<h3>{title}</h3>",
                f"<strong>{title}</strong>",
                f"<div{w.attrs('title', 'subject', 'tit')}>{title}</div>",
            )
        )
        teaser = f"<p{w.attrs('summary', 'desc', 'txt', '')}>{keep(w.text(1, 3))}</p>" if teasers else ""
        about = f"<div{w.attrs('info', 'meta', 'etc', '')}><span>{w.name()}</span> <span>{w.date()}</span> <span>{w.role('views')} {w.number()}</span></div>"
        inner = w.pick((f"{picture}{title}{teaser}{about}", f"{title}{about}{teaser}{picture}"))
        items.append(
            f"<dl><dd>{inner}</dd></dl>"
            if item == "dl"
            else f"<{item}{w.attrs('item', 'row', 'bo_li', '')}>{inner}</{item}>"
        )
    return _frame(w, f"<{tag}{w.attrs('list', 'webzine', 'topiclist', 'board', '')}>{''.join(items)}</{tag}>")


def make_topic_list(w: Writer) -> str:
    """Topics of a forum, as phpBB 3 and Discuz! have them: title, who began it, replies, views, the last post."""
    lists, rows = w.may(0.5), []
    for _ in range(w.count(4, 30)):
        title = f"<a{w.attrs('topictitle', 's xst')}{w.link()}>{keep(w.title())}</a>"
        by = (
            f"<div{w.attrs('topic-poster', 'by', '')}>{w.role('author')} <a{w.link()}>{w.name()}</a> » {w.date()}</div>"
        )
        pages = " ".join(f"<a href='?p={page}'>{page}</a>" for page in range(1, w.count(1, 5))) if w.may(0.2) else ""
        last = f"<a{w.link()}>{w.name()}</a><br>{w.date()}"
        if lists:
            cells = (
                f"<dt>{title}<br>{pages}{by}</dt><dd>{w.number()}</dd><dd>{w.number()}</dd><dd><span>{last}</span></dd>"
            )
            rows.append(f"<li{w.attrs('row bg1', 'row bg2')}><dl>{cells}</dl></li>")
        else:
            rows.append(
                f"<tr><td></td><td>{title} {pages}</td><td>{by}</td><td>{w.number()}</td><td>{w.number()}</td><td>{last}</td></tr>"
            )
    head = f"{w.role('title')} {w.role('reply')} {w.role('views')} {w.role('posts')}".split()
    if lists:
        top = "".join(f"<dd>{word}</dd>" for word in head)
        return _frame(
            w,
            f"<ul{w.attrs('topiclist')}><li><dl>{top}</dl></li></ul><ul{w.attrs('topiclist topics')}>{''.join(rows)}</ul>",
        )
    top = "".join(f"<th>{word}</th>" for word in head)
    return _frame(
        w, f"<table{w.attrs('tborder', 'threadlist', 'table_grid')}><tr>{top}</tr>{''.join(rows)}</table>", old=0.3
    )


def make_forum_index(w: Writer) -> str:
    """The boards of a forum with what they are for, in groups."""
    groups = []
    for _ in range(w.count(1, 4)):
        rows = []
        for _ in range(w.count(2, 8)):
            name = f"<a{w.link()}>{keep(w.words(1, 5))}</a><br><span{w.attrs('genmed', 'smalltext', '')}>{keep(w.sentence(14))}</span>"
            rows.append(
                f"<tr><td>{name}</td><td>{w.number()}</td><td>{w.number()}</td><td>{w.date()}<br><a{w.link()}>{w.name()}</a></td></tr>"
            )
        groups.append(f"<tr><th colspan=4{w.attrs('cat', 'tcat')}>{keep(w.words(1, 3))}</th></tr>{''.join(rows)}")
    return _frame(w, f"<table{w.attrs('forumline', 'tborder', '')} width='100%'>{''.join(groups)}</table>", old=0.3)


LISTS = (make_table_list, make_table_list, make_item_list, make_topic_list, make_forum_index)
