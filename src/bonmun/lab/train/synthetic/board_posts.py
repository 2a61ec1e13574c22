"""Synthetic pages of one board post with comments. The main text is the post without title, byline and lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.board_lists import make_rows
from bonmun.lab.train.synthetic.bodies import make_prose, make_typed_text
from bonmun.lab.train.synthetic.frames import frame_bare, frame_boxes, frame_page

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["POSTS"]


@dataclass(frozen=True, slots=True)
class Story:
    """A board post in parts."""

    title: str
    name: str
    date: str
    counts: str  # of views and votes
    body: str
    files: list[str]  # links
    votes: str


def _make_story(w: PageWriter) -> Story:
    draw = w.rng.random()
    body = make_typed_text(w, 14) if draw < 0.6 else make_prose(w, 1, 10)
    if draw > 0.9:
        body = body.replace("<p>", "<div>").replace("</p>", "</div>")
    counts = f"{w.role('views')} : {w.count(0, 9000)}"
    counts += f", {w.label()} : {w.count(0, 90)}" if w.chance(0.4) else ""
    files = [w.link(f"{w.words(1, 3)}.hwp ({w.number()}K)") for _ in range(w.count(1, 3))] if w.chance(0.3) else []
    votes = f"{w.link(w.label())} <b>{w.count(0, 90)}</b>" if w.chance(0.4) else ""
    return Story(w.title(), w.name(), w.date(), counts, body, files, votes)


def _make_neighbours(w: PageWriter) -> str:
    """Make links to the previous and the next post."""
    pairs = [(w.role(role), w.link(w.title())) for role in ("previous", "next")]
    if w.chance(0.5):
        return w.tag("table", *(f"<tr><td>{label}</td><td>{link}</td></tr>" for label, link in pairs), width="100%")
    return w.tag("ul.bo_v_nb|prev_next|", *(f"<li><span>{label}</span> {link}</li>" for label, link in pairs))


def _make_below(w: PageWriter) -> str:
    """Make what follows a post: comments, a form, neighbours, buttons, the list of posts."""
    comments = w.maybe(0.75, parts.make_comments) + w.maybe(0.6, parts.make_comment_form)
    pieces = [comments, w.maybe(0.5, _make_neighbours), w.maybe(0.6, parts.make_buttons)]
    if w.chance(0.3):
        w.rng.shuffle(pieces)
    if w.chance(0.4):
        pieces += [make_rows(w), w.maybe(0.7, parts.make_pager), w.maybe(0.4, parts.make_search)]
    return "".join(pieces)


def make_zeroboard(w: PageWriter) -> str:
    """Make a table of rows: title, author, files, and the text in a nested table."""
    story = _make_story(w)
    details = f"{story.date}, {story.counts}"
    rows = [
        _make_labelled_row(w, "title", f"<b><font size=3>{story.title}</font></b>"),
        _make_labelled_row(w, "author", f"{w.link(story.name)} &nbsp;<font size=2 color=gray>{details}</font>"),
        *(_make_labelled_row(w, "files", name) for name in story.files),
    ]
    if w.chance(0.2):
        rows = [w.tag("tr", w.tag("td", story.title, colspan=2)), f"<tr><td>{story.name}</td><td>{details}</td></tr>"]
    rows.append('<tr><td colspan=2 height=1 bgcolor="#99BB77"></td></tr>')
    cell = w.tag("tr", w.tag("td", story.body, style="word-break:break-all"))
    pieces = [w.tag("table", cell, width="100%", cellpadding=10)]
    if w.chance(0.5):
        pieces.append(f"<font size=1>from 10.0.0.*** {story.votes}</font>")
    below = _make_below(w)
    if w.chance(0.5):
        pieces.append(below)
        below = ""
    rows += [w.tag("tr", w.tag("td", piece, colspan=2)) for piece in pieces]
    return frame_page(w, story.title, w.tag("table", *rows, width=640, align="center") + below, old=0.85)


def _make_labelled_row(w: PageWriter, role: str, value: str) -> str:
    label = w.tag("td", f"<font size=2>{w.role(role)}</font>", align="right")
    return w.tag("tr", label, w.tag("td", value))


def make_gnuboard4(w: PageWriter) -> str:
    """Make styled boxes with tables in them."""
    story = _make_story(w)
    date = w.tag("div", f"<span>{w.role('date')} : {story.date}</span>", style="float:left")
    buttons = w.tag("div", w.link(w.role("list")), style="float:right")
    name = w.tag("td", w.tag("div.mw_title|", story.title, id="writeSubject"))
    title = w.tag("div", w.tag("table", w.tag("tr", name, w.tag("td", w.link(w.label())))), style="border:1px solid")
    author = w.tag("td", f"{w.role('author')} : ", w.tag("span.member", story.name))
    by = w.tag("table", w.tag("tr", author, w.tag("td", story.counts, align="right")))
    cells = [by, *story.files, w.tag("span", story.body, id="writeContents")]
    text = w.tag("table", *(w.tag("tr", w.tag("td", cell)) for cell in cells))
    votes = w.tag("table", w.tag("tr", w.tag("td", story.votes, align="center")))
    inner = w.tag("div", date, buttons) + title + text + votes + w.maybe(0.3, parts.make_share) + _make_below(w)
    return frame_page(w, story.title, w.tag("table", w.tag("tr", w.tag("td", inner)), width="97%"), old=0.8)


def make_gnuboard5(w: PageWriter) -> str:
    """Make an article with sections: title, information, files, text, votes, comments."""
    story = _make_story(w)
    name = w.tag("h2", w.tag("span.bo_v_cate", w.label()), " ", w.tag("span", story.title), id="bo_v_title")
    details = " ".join(w.tag("span", detail) for detail in (w.role("author"), story.name, story.date, story.counts))
    info = w.tag("section", w.tag("h2", w.label()), details, id="bo_v_info")
    listed = w.tag("ul", *(f"<li><strong>{name}</strong> <span>{w.count(0, 90)}</span></li>" for name in story.files))
    files = w.tag("section", w.tag("h2", w.role("files")), listed, id="bo_v_file") if story.files else ""
    heading = w.tag("h2", w.label(), id="bo_v_atc_title") if w.chance(0.6) else ""
    text = w.tag("div", story.body, id="bo_v_con")
    body = w.tag("section", heading, text, w.tag("div", story.votes), id="bo_v_atc")
    share = w.maybe(0.4, parts.make_share)
    main = w.tag("article", w.tag("header", name), info, files, body, share, _make_below(w), id="bo_v")
    return frame_boxes(w, story.title, main)


def make_xe(w: PageWriter) -> str:
    """Make boxes: a head with title and information, the text, a foot, as on XE, Naver and DCinside."""
    story = _make_story(w)
    title = w.tag(w.pick(("h1", "h2", "h3", "div")) + ".title|np_18px|title_subject", story.title)
    details = [w.tag("span", detail) for detail in (story.name, story.date, story.counts)]
    head = w.tag("div.rd_hd|read_header|gallview_head", title, w.tag("div.meta|side|gall_writer|btm_area", *details))
    files = w.tag("div.rd_file|appending_file|", *story.files)
    body = w.tag("div.xe_content|read_body|write_div|rd_body|ContentRenderer|se-main-container", story.body)
    share = w.maybe(0.4, parts.make_share) + w.maybe(0.3, parts.make_tags)
    foot = w.tag("div.rd_ft|recommend_box|read_footer", story.votes, share)
    main = w.tag("div.rd|board_read|view_content_wrap|article_viewer", head, files, body, foot)
    return frame_boxes(w, story.title, main + _make_below(w))


def make_office_board(w: PageWriter) -> str:
    """Make a page of an office board: a table or list of labelled cells, with the text in the last cell or below."""
    story = _make_story(w)
    details = [("title", story.title), ("author", story.name), ("date", story.date), ("views", str(w.count(0, 900)))]
    details += [("files", name) for name in story.files]
    if w.chance(0.5):
        rows = [f"<tr><th>{w.role(role)}</th><td>{value}</td></tr>" for role, value in details]
        label = w.tag("th", w.label()) if w.chance(0.4) else ""
        rows.append(w.tag("tr", label, w.tag("td", story.body, colspan=1 if label else 2)))
        main = w.tag("table.view|board_view|bbs_view|tbl_view|", *rows)
    else:
        pairs = [f"<dl><dt>{w.role(role)}</dt><dd>{value}</dd></dl>" for role, value in details]
        main = w.tag("div.view_info|bbs_info|", *pairs) + w.tag("div.view_cont|bbs_con|content|", story.body)
    return frame_page(w, story.title, main + _make_below(w), old=0.3)


def make_centred_page(w: PageWriter) -> str:
    """Make a page of the nineties: a title between rules, the text in a table cell or not, links below."""
    story = _make_story(w)
    title = (
        f"<center><h2>{story.title}</h2></center>" if w.chance(0.5) else f"<font size=5><b>{story.title}</b></font><br>"
    )
    by = f"<p align=right><i>{story.name}, {story.date}</i></p>" if w.chance(0.6) else ""
    cell = w.tag("tr", w.tag("td", f"<font size=3>{story.body}</font>"))
    body = w.tag("table", cell, width=600) if w.chance(0.6) else w.tag("div", story.body)
    links = " ".join(w.link(f"[{w.role(role)}]") for role in ("previous", "list", "next"))
    main = f"{title}{by}<hr>{body}<hr><center>{links}</center>{w.maybe(0.4, parts.make_comments)}"
    return frame_bare(w, story.title, main) if w.chance(0.4) else frame_page(w, story.title, main, old=0.8)


POSTS = (make_zeroboard, make_gnuboard4, make_gnuboard5, make_xe, make_office_board, make_centred_page)
