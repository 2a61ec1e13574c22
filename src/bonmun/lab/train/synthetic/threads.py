"""Synthetic threads in the markup of forum software. The main text is the text of all posts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic import parts
from bonmun.lab.train.synthetic.bodies import make_prose, make_typed_text
from bonmun.lab.train.synthetic.frames import frame_bare, frame_boxes, frame_page
from bonmun.lab.train.synthetic.marks import keep

if TYPE_CHECKING:
    from bonmun.lab.train.synthetic.writer import PageWriter

__all__ = ["THREADS"]

RULE = "__________________<br>"  # precedes a signature without a box


@dataclass(frozen=True, slots=True)
class SyntheticPost:
    """A post with its author's details and signature."""

    number: int
    name: str
    details: list[str]  # about the author
    date: str
    body: str
    signature: str  # may be empty


def _make_posts(
    w: PageWriter, quote: str = "<blockquote>{who}{text}</blockquote>", paragraphs: float = 0.0
) -> list[SyntheticPost]:
    """Make posts of a few people, some of which quote each other; a share has paragraphs instead of line breaks."""
    people = {w.name(): (_make_details(w), w.sentence(10) if w.chance(0.5) else "") for _ in range(w.count(2, 6))}
    long = w.count(1, 10)
    posts: list[SyntheticPost] = []
    for number in range(1, w.count(2, 20) + 1):
        name = w.pick(list(people))
        details, signature = people[name]
        body = make_prose(w, 1, max(1, long // 2)) if w.chance(paragraphs) else make_typed_text(w, long)
        if posts and w.chance(0.25):
            who = f"<cite>{w.pick(list(people))} {w.role('posts')}:</cite>" if w.chance(0.7) else ""
            body = quote.format(who=who, text=keep(w.text(1, 3))) + body
        posts.append(SyntheticPost(number, name, details, w.date(), body, signature if w.chance(0.8) else ""))
    return posts


def _make_details(w: PageWriter) -> list[str]:
    """Make lines about a member: rank, date of joining, number of posts, place."""
    lines = [f"{w.role('joined')}: {w.date()}", f"{w.role('posts')}: {w.number()}", w.words(1, 2), w.label()]
    return w.rng.sample(lines, w.count(0, len(lines)))


def _make_signature(w: PageWriter, post: SyntheticPost, shape: str, before: str = "") -> str:
    return w.tag(shape, before, post.signature) if post.signature else ""


def _frame(w: PageWriter, title: str, posts: str, *, old: float = 0.0) -> str:
    """Frame a thread with its title, buttons and pagers before and after it, and a reply form."""
    head = w.tag(w.pick(("h1", "h2", "h3", "h2")) + ".topic-title|title|ts|maintitle|", w.maybe_linked(title))
    bar = w.maybe(0.6, parts.make_pager) + w.maybe(0.5, parts.make_buttons)
    before, after = bar if w.chance(0.6) else "", bar if w.chance(0.8) else ""
    below = w.maybe(0.3, parts.make_comment_form) + w.maybe(0.3, parts.make_related)
    return frame_page(w, title, f"{head}{before}{posts}{after}{below}", old=old)


def make_phpbb2(w: PageWriter) -> str:
    """Make two rows per post in one table: the author beside the post, buttons below."""
    title = w.title()
    rows = [w.tag("tr", w.tag("th", w.role("author")), w.tag("th", w.role("title")))]
    quote = "<table><tr><td><b>{who}</b></td></tr><tr><td class=quote>{text}</td></tr></table>"
    for post in _make_posts(w, quote):
        row = "td.row1" if post.number % 2 else "td.row2"
        name = w.tag("span.name", w.tag("b", post.name))
        about = w.tag(row, name, "<br>", w.tag("span.postdetails", "<br>".join(post.details)), width=150)
        line = f"{w.role('date')}: {post.date} &nbsp; {w.role('title')}: {title if w.chance(0.3) else ''}"
        top = w.tag("tr", w.tag("td", w.tag("span.postdetails", line)), w.tag("td", w.link(w.role("quote"))))
        sign = _make_signature(w, post, "span.postbody", f"<br><br>{RULE}")
        body = w.tag("tr", w.tag("td", w.tag("span.postbody", post.body), sign, colspan=2))
        inner = w.tag("table", top, "<tr><td colspan=2><hr></td></tr>", body, width="100%")
        rows.append(w.tag("tr", about, w.tag(row, inner)))
        tools = f"{w.link(w.label())} {w.link(w.label())}"
        rows.append(w.tag("tr", w.tag(row, w.link(w.role("top"))), w.tag(row, tools)))
    return _frame(w, title, w.tag("table.forumline", *rows, width="100%"), old=0.5)


def make_phpbb3(w: PageWriter) -> str:
    """Make one box per post, with a list of the author's details."""
    title, boxes = w.title(), []
    for post in _make_posts(w, "<blockquote><div>{who}{text}</div></blockquote>", 0.2):
        details = [w.tag("dd", line) for line in post.details]
        profile = w.tag("dl.postprofile", w.tag("dt", w.link(post.name)), *details)
        head = w.tag("h3", w.link(f"Re: {title}")) if w.chance(0.7) else ""
        line = w.tag("p.author", f"{w.role('author')} <strong>{post.name}</strong> » {post.date}")
        sign = _make_signature(w, post, "div.signature")
        buttons = w.tag("ul.post-buttons", w.tag("li", w.link(w.role("quote")))) if w.chance(0.5) else ""
        body = w.tag("div.postbody", head, buttons, line, w.tag("div.content", post.body), sign)
        both = profile + body if w.chance(0.5) else body + profile
        back = w.tag("div.back2top", w.link(w.role("top"))) if w.chance(0.6) else ""
        boxes.append(w.tag("div.post bg1|post bg2|post has-profile", w.tag("div.inner", both, back)))
    return _frame(w, title, "".join(boxes))


def make_vbulletin(w: PageWriter) -> str:
    """Make one table per post: the date above, then the author beside the post or above it."""
    beside, title, tables = w.chance(0.5), w.title(), []
    quote = "<div><div class=smallfont>{who}</div><table><tr><td class=alt2>{text}</td></tr></table></div>"
    for post in _make_posts(w, quote):
        number = w.tag("td.thead", f"#{w.link(str(post.number))}", align="right")
        head = w.tag("tr", w.tag("td.thead", post.date), number)
        about = w.link(post.name, "a.bigusername") + w.tag("div.smallfont", "<br>".join(post.details))
        body = w.tag("div", post.body, id=f"post_message_{post.number}") + _make_signature(w, post, "div", RULE)
        quoting = w.tag("div", w.link(w.role("quote")), align="right")
        if beside:
            rows = w.tag("tr", w.tag("td.alt2", about), w.tag("td.alt1", body))
            rows += w.tag("tr", "<td></td>", w.tag("td", quoting))
        else:
            rows = w.tag("tr", w.tag("td.alt2", about, colspan=2))
            rows += w.tag("tr", w.tag("td.alt1", body, quoting, colspan=2))
        tables.append(w.tag("table.tborder", head, rows, width="100%"))
    return _frame(w, title, "".join(tables), old=0.3)


def make_smf(w: PageWriter) -> str:
    """Make one box per post, with lists of details and buttons."""
    title, boxes = w.title(), []
    for post in _make_posts(w, "<div class=quoteheader>{who}</div><blockquote>{text}</blockquote>", 0.1):
        details = w.tag("ul.reset smalltext|user_info", *(w.tag("li", line) for line in post.details))
        poster = w.tag("div.poster", w.tag("h4", w.link(post.name)), details)
        heading = w.tag("h5", w.link(title if w.chance(0.5) else f"Re: {title}"))
        key = w.tag("div.keyinfo", heading, w.tag("div.smalltext", f"« #{post.number} : {post.date} »"))
        buttons = w.tag("ul.quickbuttons", *(w.tag("li", w.link(w.role(role))) for role in ("quote", "more")))
        area = w.tag("div.postarea", key, buttons, w.tag("div.post", w.tag("div.inner", post.body)))
        foot = w.tag("div.moderatorbar", _make_signature(w, post, "div.signature"))
        boxes.append(w.tag("div.windowbg|windowbg2", w.tag("div.post_wrapper", poster, area, foot)))
    return _frame(w, title, w.tag("form", w.tag("div", *boxes, id="forumposts")))


def make_discuz(w: PageWriter) -> str:
    """Make one table per post, with the text in a nested table, and a row of tools below."""
    title, posts = w.title(), []
    for post in _make_posts(w, "<div class=quote><blockquote>{who}{text}</blockquote></div>"):
        details = w.tag("dl.pil", *(f"<dt>{line}</dt><dd>{w.number()}</dd>" for line in post.details))
        side = w.tag("td.pls", w.tag("div.authi", w.link(post.name)), details, rowspan=2)
        when = w.tag("div.authi", f"<em>{w.role('date')} {post.date}</em> | {w.link(w.role('author'))}")
        info = w.tag("div.pi", w.tag("strong", w.link(f"{post.number}#")), when)
        text = w.tag("div.t_fsz", w.tag("table", w.tag("tr", w.tag("td.t_f", post.body))))
        tools = w.tag("div.pob", w.link(w.role("reply")), " ", w.link(w.role("more")))
        below = w.tag("tr", w.tag("td.plc plm", _make_signature(w, post, "div.sign"), tools))
        table = w.tag("table.plhin", w.tag("tr", side, w.tag("td.plc", info, w.tag("div.pct", text))), below)
        posts.append(w.tag("div", table, id=f"post_{post.number}"))
    return _frame(w, title, w.tag("div.pl bm", *posts, id="postlist"))


def make_2ch(w: PageWriter) -> str:
    """Make a definition list (number, name and date as the term, the text as the definition), or modern boxes."""
    title, boxes, posts = w.title(), w.chance(0.4), []
    for post in _make_posts(w, keep("&gt;&gt;1") + "<br>{text}<br>"):
        code = "ID:" + "".join(w.rng.choices("abcdefXYZ0123456789", k=8))
        if boxes:
            details = [w.tag("span", detail) for detail in (str(post.number), post.name, post.date, code)]
            message = w.tag("div.message", w.tag("span", post.body))
            posts.append(w.tag("div.post", w.tag("div.meta", " ".join(details)), message))
        else:
            posts.append(
                f"<dt>{post.number} ：{w.link(post.name)}：{post.date} {code}</dt><dd>{post.body}<br><br></dd>"
            )
    listed = "".join(posts) if boxes else w.tag("dl.thread", *posts)
    bar = parts.make_pager(w)
    main = f"{bar if w.chance(0.5) else ''}<h1>{title}</h1>{listed}<hr>{bar}{w.maybe(0.6, parts.make_comment_form)}"
    return frame_bare(w, title, main) if w.chance(0.6) else frame_boxes(w, title, main)


def make_xenforo(w: PageWriter) -> str:
    """Make one article per post, with a cell for the author and one for the text."""
    title, posts = w.title(), []
    for post in _make_posts(w, "<blockquote><div class=quote-head>{who}</div><div>{text}</div></blockquote>", 0.5):
        about = [w.tag("h4", w.link(post.name)), *(w.tag("h5", line) for line in post.details)]
        user = w.tag("div.message-cell message-cell--user|author|user", *about)
        number = w.link(f"#{post.number}")
        head = w.tag("header.message-attribution|post-head", w.tag("time", post.date), " ", number)
        body = w.tag("div.message-body|cooked|bbWrapper|post-content", post.body)
        sign = _make_signature(w, post, "aside.message-signature|signature")
        foot = w.tag("footer.message-footer|post-controls", w.link(w.role("reply")), w.link(f"{w.name()}, {w.name()}"))
        main = w.tag("div.message-cell message-cell--main|topic-body|", head, body, sign, foot)
        posts.append(w.tag("article.message|post|topic-post", user, main))
    return _frame(w, title, "".join(posts))


def make_guestbook(w: PageWriter) -> str:
    """Make tables of the nineties: a line with name and date, the text below it."""
    title, tables = w.title(), []
    for post in _make_posts(w):
        name = w.tag("td", f"<font size=2><b>{post.name}</b> ({post.date})</font>")
        number = w.tag("td", f"<font size=1>No.{post.number} {w.link(w.role('reply'))}</font>", align="right")
        head = w.tag("tr", name, number, bgcolor="#DDE8CC")
        body = w.tag("tr", w.tag("td", post.body, colspan=2))
        tables.append(w.tag("table", head, body, width=600) + "<hr>")
    return _frame(w, title, "".join(tables), old=0.9)


def make_answers(w: PageWriter) -> str:
    """Make a question and its answers, each with votes beside it and its author below."""
    title, boxes = w.title(), []
    for post in _make_posts(w, paragraphs=0.9):
        votes = w.tag("div.votecell|vote|score", w.tag("span", w.number()))
        when = w.tag("span", f"{w.role('date')} {post.date}")
        user = w.tag("div.user-info|post-signature", when, w.link(post.name), w.tag("span", w.number()))
        body = w.tag("div.s-prose|md|usertext-body", post.body)
        cell = w.tag("div.postcell|answercell|post-text", body, parts.make_buttons(w, "share", "reply"), user)
        boxes.append(w.tag("div.question|entry" if post.number == 1 else "div.answer|entry", votes, cell))
        if post.number == 1:
            boxes.append(w.tag("h2", f"{w.number()} {w.role('reply')}"))
    return _frame(w, title, "".join(boxes))


THREADS = (
    make_phpbb2,
    make_phpbb3,
    make_vbulletin,
    make_smf,
    make_discuz,
    make_2ch,
    make_xenforo,
    make_guestbook,
    make_answers,
)
