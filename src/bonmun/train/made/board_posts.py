"""One post of a board with what readers say below it. Its main text is the post; titles, bylines and lists are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.board_lists import make_rows
from bonmun.train.made.bodies import make_prose, make_typed_text
from bonmun.train.made.frames import frame_bare, frame_boxes, frame_page

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["POSTS"]


@dataclass(frozen=True, slots=True)
class Story:
    """A post of a board, in parts."""

    title: str
    name: str
    date: str
    counts: str  # of views and votes
    body: str
    files: list[str]
    votes: str


def _make_story(w: Writer) -> Story:
    draw = w.chance.random()
    body = make_typed_text(w, 14) if draw < 0.6 else make_prose(w, 1, 10)
    if draw > 0.9:
        body = body.replace("<p>", "<div>").replace("</p>", "</div>")
    counts = f"{w.role('views')} : {w.count(0, 9000)}"
    counts += f", {w.label()} : {w.count(0, 90)}" if w.may(0.4) else ""
    files = [f"{w.words(1, 3)}.hwp ({w.number()}K)" for _ in range(w.count(1, 3))] if w.may(0.3) else []
    votes = f"<a{w.link()}>{w.label()}</a> <b>{w.count(0, 90)}</b>" if w.may(0.4) else ""
    return Story(w.title(), w.name(), w.date(), counts, body, files, votes)


def _make_below(w: Writer) -> str:
    """What follows a post: comments, a form, neighbours, buttons, the list of posts."""
    near = ""
    if w.may(0.5):
        neighbours = [(w.role(role), w.title()) for role in ("previous", "next")]
        if w.may(0.5):
            near = "".join(f"<tr><td>{label}</td><td><a{w.link()}>{title}</a></td></tr>" for label, title in neighbours)
            near = f"<table width='100%'>{near}</table>"
        else:
            near = "".join(f"<li><span>{label}</span> <a{w.link()}>{title}</a></li>" for label, title in neighbours)
            near = f"<ul{w.attrs('bo_v_nb', 'prev_next', '')}>{near}</ul>"
    said = w.maybe(0.75, parts.make_comments) + w.maybe(0.6, parts.make_comment_form)
    pieces = [said, near, w.maybe(0.6, parts.make_buttons)]
    if w.may(0.3):
        w.chance.shuffle(pieces)
    rest = make_rows(w) + w.maybe(0.7, parts.make_pager) + w.maybe(0.4, parts.make_search) if w.may(0.4) else ""
    return "".join(pieces) + rest


def make_zeroboard(w: Writer) -> str:
    """A table of rows: title, author, files, the text in a table of its own."""
    story = _make_story(w)
    label = "<td align=right><font size=2>{}</font></td>"
    rows = [
        f'<tr bgcolor="#DDE8CC">{label.format(w.role("title"))}<td><b><font size=3>{story.title}</font></b></td></tr>',
        f"<tr>{label.format(w.role('author'))}<td><a{w.link()}>{story.name}</a> &nbsp;<font size=2 color=gray>{story.date}, {story.counts}</font></td></tr>",
        *(f"<tr>{label.format(w.role('files'))}<td><a{w.link()}>{name}</a></td></tr>" for name in story.files),
        '<tr><td colspan=2 height=1 bgcolor="#99BB77"></td></tr>',
        f"<tr><td colspan=2><table width='100%' cellpadding=10><tr><td style='word-break:break-all'>{story.body}</td></tr></table></td></tr>",
        f"<tr><td colspan=2 align=right><font size=1>from 10.0.0.*** {story.votes}</font></td></tr>"
        if w.may(0.5)
        else "",
    ]
    if w.may(0.2):
        rows[:2] = [
            f"<tr><td colspan=2>{story.title}</td></tr><tr><td>{story.name}</td><td>{story.date} {story.counts}</td></tr>"
        ]
    below = _make_below(w)
    if w.may(0.5):
        rows.append(f"<tr><td colspan=2>{below}</td></tr>")
        below = ""
    table = f"<table width=640 border=0 align=center>{''.join(rows)}</table>{below}"
    return frame_page(w, story.title, table, old=0.85)


def make_gnuboard4(w: Writer) -> str:
    """Boxes with a style and tables in them."""
    story = _make_story(w)
    date = f"<div style='float:left'><span>{w.role('date')} : {story.date}</span></div><div style='float:right'><a{w.link()}>{w.role('list')}</a></div>"
    title = f"<div style='border:1px solid'><table><tr><td><div{w.attrs('mw_title', '', id_='writeSubject')}>{story.title}</div></td><td><a{w.link()}>{w.label()}</a></td></tr></table></div>"
    by = f"<tr><td height=30><table><tr><td>{w.role('author')} : <span{w.attrs('member')}>{story.name}</span></td><td align=right>{story.counts}</td></tr></table></td></tr>"
    files = "".join(f"<tr><td><a{w.link()}>{name}</a></td></tr>" for name in story.files)
    body = f"<tr><td height=150><span{w.attrs('', id_='writeContents')}>{story.body}</span></td></tr>"
    votes = f"<table><tr><td align=center>{story.votes}</td></tr></table>{w.maybe(0.3, parts.make_share)}"
    main = f"<table width='97%'><tr><td><div>{date}</div>{title}<table>{by}{files}{body}</table>{votes}{_make_below(w)}</td></tr></table>"
    return frame_page(w, story.title, main, old=0.8)


def make_gnuboard5(w: Writer) -> str:
    """An article with sections: title, information, files, text, votes, comments."""
    story = _make_story(w)
    title = f"<header><h2{w.attrs('', id_='bo_v_title')}><span{w.attrs('bo_v_cate')}>{w.label()}</span> <span>{story.title}</span></h2></header>"
    info = f"<section{w.attrs('', id_='bo_v_info')}><h2>{w.label()}</h2><span>{w.role('author')}</span> <strong>{story.name}</strong> <span>{story.date}</span> <span>{story.counts}</span></section>"
    listed = "".join(
        f"<li><a{w.link()}><strong>{name}</strong></a> <span>{w.count(0, 90)}</span></li>" for name in story.files
    )
    files = (
        f"<section{w.attrs('', id_='bo_v_file')}><h2>{w.role('files')}</h2><ul>{listed}</ul></section>"
        if listed
        else ""
    )
    heading = f"<h2{w.attrs('', id_='bo_v_atc_title')}>{w.label()}</h2>" if w.may(0.6) else ""
    body = f"<section{w.attrs('', id_='bo_v_atc')}>{heading}<div{w.attrs('', id_='bo_v_con')}>{story.body}</div><div>{story.votes}</div></section>"
    main = f"<article{w.attrs('', id_='bo_v')}>{title}{info}{files}{body}{w.maybe(0.4, parts.make_share)}{_make_below(w)}</article>"
    return frame_boxes(w, story.title, main)


def make_xe(w: Writer) -> str:
    """Boxes: a head with title and information, the text, a foot."""
    story = _make_story(w)
    tag = w.pick(("h1", "h2", "h3", "div"))
    head = f"<div{w.attrs('rd_hd', 'read_header', 'view_head', 'gallview_head')}><{tag}{w.attrs('title', 'np_18px', 'title_subject')}>{story.title}</{tag}>"
    head += f"<div{w.attrs('meta', 'side', 'gall_writer', 'btm_area')}><span>{story.name}</span><span>{story.date}</span><span>{story.counts}</span></div></div>"
    files = (
        parts.make_links(w.chance, story.files, "div", w.attrs("rd_file", "appending_file", "")) if story.files else ""
    )
    body = f"<div{w.attrs('xe_content', 'read_body', 'write_div', 'rd_body', 'ContentRenderer', 'se-main-container')}>{story.body}</div>"
    foot = f"<div{w.attrs('rd_ft', 'recommend_box', 'read_footer')}>{story.votes}{w.maybe(0.4, parts.make_share)}{w.maybe(0.3, parts.make_tags)}</div>"
    main = f"<div{w.attrs('rd', 'board_read', 'view_content_wrap', 'article_viewer')}>{head}{files if w.may(0.5) else ''}{body}{foot}</div>{_make_below(w)}"
    return frame_boxes(w, story.title, main)


def make_definition_view(w: Writer) -> str:
    """A view page of an office: a table or list of headed cells, the text in the last one."""
    story = _make_story(w)
    facts = [
        (w.role("title"), story.title),
        (w.role("author"), story.name),
        (w.role("date"), story.date),
        (w.role("views"), str(w.count(0, 900))),
    ]
    facts += [(w.role("files"), f"<a{w.link()}>{name}</a>") for name in story.files]
    if w.may(0.5):
        rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts)
        label = f"<th>{w.label()}</th>" if w.may(0.4) else ""
        main = f"<table{w.attrs('view', 'board_view', 'bbs_view', 'tbl_view', '')}>{rows}<tr>{label}<td colspan={1 if label else 2}>{story.body}</td></tr></table>"
    else:
        rows = "".join(f"<dl><dt>{name}</dt><dd>{value}</dd></dl>" for name, value in facts)
        main = f"<div{w.attrs('view_info', 'bbs_info', '')}>{rows}</div><div{w.attrs('view_cont', 'bbs_con', 'content', '')}>{story.body}</div>"
    return frame_page(w, story.title, main + _make_below(w), old=0.3)


def make_centred_page(w: Writer) -> str:
    """A page of the nineties: a title between rules, the text in one cell or none, links below."""
    story = _make_story(w)
    title = w.pick((f"<center><h2>{story.title}</h2></center>", f"<font size=5><b>{story.title}</b></font><br>"))
    by = f"<p align=right><i>{story.name}, {story.date}</i></p>" if w.may(0.6) else ""
    body = (
        f"<table width=600><tr><td><font size=3>{story.body}</font></td></tr></table>"
        if w.may(0.6)
        else f"<div>{story.body}</div>"
    )
    links = f"<hr><center><a{w.link()}>[{w.role('previous')}]</a> <a{w.link()}>[{w.role('list')}]</a> <a{w.link()}>[{w.role('next')}]</a></center>"
    main = f"{title}{by}<hr>{body}{links}{w.maybe(0.4, parts.make_comments)}"
    return frame_bare(w, story.title, main) if w.may(0.4) else frame_page(w, story.title, main, old=0.8)


POSTS = (
    make_zeroboard,
    make_gnuboard4,
    make_gnuboard5,
    make_xe,
    make_definition_view,
    make_centred_page,
)
