"""Threads: pages of posts in the shapes of forum software. Their main text is what is said in all posts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.train.made import parts
from bonmun.train.made.bodies import make_prose, make_typed_text
from bonmun.train.made.frames import frame_bare, frame_boxes, frame_page
from bonmun.train.made.marks import keep

if TYPE_CHECKING:
    from bonmun.train.made.writer import Writer

__all__ = ["THREADS"]


@dataclass(frozen=True, slots=True)
class Post:
    """A post and what stands around it."""

    number: int
    name: str
    details: list[str]  # on its author
    date: str
    body: str
    signature: str  # or nothing


def _make_posts(
    w: Writer, *, quote: str = "<blockquote>{who}{text}</blockquote>", paragraphs: float = 0.2
) -> list[Post]:
    """Posts of a few people who write often; some quote each other."""
    people = {w.name(): (_make_details(w), w.sentence(10) if w.may(0.5) else "") for _ in range(w.count(2, 6))}
    long = w.count(1, 10)
    posts = []
    for number in range(1, w.count(2, 20) + 1):
        name = w.pick(list(people))
        details, signature = people[name]
        body = make_prose(w, 1, max(1, long // 2)) if w.may(paragraphs) else make_typed_text(w, long)
        if posts and w.may(0.25):
            who = f"<cite>{w.pick(list(people))} {w.role('posts')}:</cite>" if w.may(0.7) else ""
            body = quote.format(who=who, text=keep(w.text(1, 3))) + body
        posts.append(Post(number, name, details, w.date(), body, signature if w.may(0.8) else ""))
    return posts


def _make_details(w: Writer) -> list[str]:
    """Lines on a member: a rank, since when, how many posts, from where."""
    lines = [f"{w.role('joined')}: {w.date()}", f"{w.role('posts')}: {w.number()}", w.words(1, 2), w.label()]
    return w.chance.sample(lines, w.count(0, len(lines)))


def _make_title(w: Writer, title: str) -> str:
    tag = w.pick(("h1", "h2", "h3", "h2"))
    inner = f"<a{w.link()}>{title}</a>" if w.may(0.4) else title
    return f"<{tag}{w.attrs('topic-title', 'title', 'ts', 'maintitle', '')}>{inner}</{tag}>"


def _frame(w: Writer, title: str, posts: str, *, old: float = 0.0) -> str:
    """A thread with its title, the buttons and page numbers before and after it, and a form to answer."""
    bar = w.maybe(0.6, parts.make_pager) + w.maybe(0.5, parts.make_buttons)
    before, after = bar if w.may(0.6) else "", bar if w.may(0.8) else ""
    below = w.maybe(0.3, parts.make_comment_form) + w.maybe(0.3, parts.make_related)
    return frame_page(w, title, f"{_make_title(w, title)}{before}{posts}{after}{below}", old=old)


def make_phpbb2(w: Writer) -> str:
    """Two rows a post in one table: the author beside the post, buttons below."""
    title = w.title()
    rows = [f"<tr><th>{w.role('author')}</th><th>{w.role('title')}</th></tr>"]
    quote = (
        "<table><tr><td><span class=genmed><b>{who}</b></span></td></tr><tr><td class=quote>{text}</td></tr></table>"
    )
    for post in _make_posts(w, quote=quote, paragraphs=0.0):
        row = w.attrs("row1" if post.number % 2 else "row2")
        about = f"<span{w.attrs('name')}><b>{post.name}</b></span><br><span{w.attrs('postdetails')}>{'<br>'.join(post.details)}</span>"
        line = f"{w.role('date')}: {post.date} &nbsp; {w.role('title')}: {title if w.may(0.3) else ''}"
        top = f"<tr><td width='100%'><span{w.attrs('postdetails')}>{line}</span></td><td><a{w.link()}>{w.role('quote')}</a></td></tr>"
        sign = (
            f"<span{w.attrs('postbody')}><br><br>_________________<br>{post.signature}</span>" if post.signature else ""
        )
        body = f"<tr><td colspan=2><hr></td></tr><tr><td colspan=2><span{w.attrs('postbody')}>{post.body}</span>{sign}</td></tr>"
        rows.append(f"<tr><td width=150{row}>{about}</td><td{row}><table width='100%'>{top}{body}</table></td></tr>")
        rows.append(
            f"<tr><td{row}><a href='#top'>{w.role('top')}</a></td><td{row}><a{w.link()}>{w.label()}</a> <a{w.link()}>{w.label()}</a></td></tr>"
        )
    return _frame(w, title, f"<table width='100%'{w.attrs('forumline')}>{''.join(rows)}</table>", old=0.5)


def make_phpbb3(w: Writer) -> str:
    """A box a post, with a list of the author's details."""
    title = w.title()
    boxes = []
    for post in _make_posts(w, quote="<blockquote><div>{who}{text}</div></blockquote>"):
        about = "".join(f"<dd>{line}</dd>" for line in post.details)
        profile = f"<dl{w.attrs('postprofile')}><dt><a{w.link()}>{post.name}</a></dt>{about}</dl>"
        head = f"<h3><a href='#p{post.number}'>Re: {title}</a></h3>" if w.may(0.7) else ""
        line = f"<p{w.attrs('author')}>{w.role('author')} <strong>{post.name}</strong> » {post.date}</p>"
        sign = f"<div{w.attrs('signature')}>{post.signature}</div>" if post.signature else ""
        buttons = f"<ul{w.attrs('post-buttons')}><li><a{w.link()}>{w.role('quote')}</a></li></ul>" if w.may(0.5) else ""
        body = f"<div{w.attrs('postbody')}>{head}{buttons}{line}<div{w.attrs('content')}>{post.body}</div>{sign}</div>"
        both = profile + body if w.may(0.5) else body + profile
        back = f"<div{w.attrs('back2top')}><a href='#top'>{w.role('top')}</a></div>" if w.may(0.6) else ""
        boxes.append(
            f"<div{w.attrs('post bg1', 'post bg2', 'post has-profile')}><div{w.attrs('inner')}>{both}{back}</div></div>"
        )
    return _frame(w, title, "".join(boxes))


def make_vbulletin(w: Writer) -> str:
    """A table a post: the date above, then the author, either beside the post or over it."""
    beside, title = w.may(0.5), w.title()
    tables = []
    quote = "<div style='margin:20px'><div class=smallfont>{who}</div><table><tr><td class=alt2>{text}</td></tr></table></div>"
    for post in _make_posts(w, quote=quote, paragraphs=0.0):
        head = f"<tr><td{w.attrs('thead')}>{post.date}</td><td{w.attrs('thead')} align=right>#<a{w.link()}>{post.number}</a></td></tr>"
        about = f"<a{w.attrs('bigusername')}{w.link()}>{post.name}</a><div{w.attrs('smallfont')}>{'<br>'.join(post.details)}</div>"
        sign = f"<div>__________________<br>{post.signature}</div>" if post.signature else ""
        body = f"<div{w.attrs('', id_=f'post_message_{post.number}')}>{post.body}</div>{sign}"
        buttons = f"<a{w.link()}>{w.role('quote')}</a>"
        if beside:
            rows = f"<tr><td{w.attrs('alt2')}>{about}</td><td{w.attrs('alt1')}>{body}</td></tr><tr><td></td><td>{buttons}</td></tr>"
        else:
            rows = f"<tr><td colspan=2{w.attrs('alt2')}>{about}</td></tr><tr><td colspan=2{w.attrs('alt1')}>{body}<div align=right>{buttons}</div></td></tr>"
        tables.append(f"<table{w.attrs('tborder')} width='100%'>{head}{rows}</table>")
    return _frame(w, title, "".join(tables), old=0.3)


def make_smf(w: Writer) -> str:
    """A box a post, with lists of details and buttons."""
    title = w.title()
    boxes = []
    for post in _make_posts(
        w, quote="<div class=quoteheader>{who}</div><blockquote>{text}</blockquote>", paragraphs=0.1
    ):
        details = "".join(f"<li>{line}</li>" for line in post.details)
        poster = f"<div{w.attrs('poster')}><h4><a{w.link()}>{post.name}</a></h4><ul{w.attrs('reset smalltext', 'user_info')}>{details}</ul></div>"
        key = f"<div{w.attrs('keyinfo')}><h5><a{w.link()}>{title if w.may(0.5) else 'Re: ' + title}</a></h5><div{w.attrs('smalltext')}>« #{post.number} : {post.date} »</div></div>"
        buttons = f"<ul{w.attrs('quickbuttons')}><li><a{w.link()}>{w.role('quote')}</a></li><li><a{w.link()}>{w.role('more')}</a></li></ul>"
        sign = f"<div{w.attrs('signature')}>{post.signature}</div>" if post.signature else ""
        area = f"<div{w.attrs('postarea')}>{key}{buttons}<div{w.attrs('post')}><div{w.attrs('inner')}>{post.body}</div></div></div>"
        boxes.append(
            f"<div{w.attrs('windowbg', 'windowbg2')}><div{w.attrs('post_wrapper')}>{poster}{area}<div{w.attrs('moderatorbar')}>{sign}</div></div></div>"
        )
    return _frame(w, title, f"<form><div{w.attrs('', id_='forumposts')}>{''.join(boxes)}</div></form>")


def make_discuz(w: Writer) -> str:
    """A table a post, with the text in a table of its own, and a row of tools below."""
    title = w.title()
    posts = []
    for post in _make_posts(w, quote="<div class=quote><blockquote>{who}{text}</blockquote></div>", paragraphs=0.0):
        details = "".join(f"<dt>{line}</dt><dd>{w.number()}</dd>" for line in post.details)
        side = f"<td{w.attrs('pls')} rowspan=2><div{w.attrs('authi')}><a{w.link()}>{post.name}</a></div><dl{w.attrs('pil')}>{details}</dl></td>"
        info = f"<div{w.attrs('pi')}><strong><a{w.link()}>{post.number}#</a></strong><div{w.attrs('authi')}><em>{w.role('date')} {post.date}</em> | <a{w.link()}>{w.role('author')}</a></div></div>"
        text = f"<div{w.attrs('t_fsz')}><table><tr><td{w.attrs('t_f')}>{post.body}</td></tr></table></div>"
        sign = f"<div{w.attrs('sign')}>{post.signature}</div>" if post.signature else ""
        tools = f"<tr><td{w.attrs('plc plm')}>{sign}<div{w.attrs('pob')}><a{w.link()}>{w.role('reply')}</a> <a{w.link()}>{w.role('more')}</a></div></td></tr>"
        posts.append(
            f"<div{w.attrs('', id_=f'post_{post.number}')}><table{w.attrs('plhin')}><tr>{side}<td{w.attrs('plc')}>{info}<div{w.attrs('pct')}>{text}</div></td></tr>{tools}</table></div>"
        )
    return _frame(w, title, f"<div{w.attrs('pl bm', id_='postlist')}>{''.join(posts)}</div>")


def make_2ch(w: Writer) -> str:
    """A list of terms: number, name and date as the term, what is said as its meaning; or the boxes of today."""
    title, boxes = w.title(), w.may(0.4)
    posts = []
    for post in _make_posts(w, quote=keep("&gt;&gt;1") + "<br>{text}<br>", paragraphs=0.0):
        code = "".join(w.chance.choices("abcdefXYZ0123456789", k=8))
        if boxes:
            meta = f"<div{w.attrs('meta')}><span>{post.number}</span> <span><b>{post.name}</b></span> <span>{post.date}</span> <span>ID:{code}</span></div>"
            posts.append(f"<div{w.attrs('post')}>{meta}<div{w.attrs('message')}><span>{post.body}</span></div></div>")
        else:
            posts.append(
                f"<dt>{post.number} ：<a href='mailto:sage'><b>{post.name}</b></a>：{post.date} ID:{code}</dt><dd>{post.body}<br><br></dd>"
            )
    listed = "".join(posts) if boxes else f"<dl{w.attrs('thread')}>{''.join(posts)}</dl>"
    bar = parts.make_pager(w)
    main = f"{bar if w.may(0.5) else ''}<h1>{title}</h1>{listed}<hr>{bar}{w.maybe(0.6, parts.make_comment_form)}"
    return frame_bare(w, title, main) if w.may(0.6) else frame_boxes(w, title, main)


def make_xenforo(w: Writer) -> str:
    """An article a post, with a cell for the author and one for the text."""
    title = w.title()
    posts = []
    for post in _make_posts(
        w, quote="<blockquote><div class=quote-head>{who}</div><div>{text}</div></blockquote>", paragraphs=0.5
    ):
        about = f"<h4><a{w.link()}>{post.name}</a></h4>" + "".join(f"<h5>{line}</h5>" for line in post.details)
        user = f"<div{w.attrs('message-cell message-cell--user', 'author', 'user')}>{about}</div>"
        head = f"<header{w.attrs('message-attribution', 'post-head')}><time>{post.date}</time> <a{w.link()}>#{post.number}</a></header>"
        sign = f"<aside{w.attrs('message-signature', 'signature')}>{post.signature}</aside>" if post.signature else ""
        foot = f"<footer{w.attrs('message-footer', 'post-controls')}><a{w.link()}>{w.role('reply')}</a> <a{w.link()}>{w.name()}, {w.name()}</a></footer>"
        body = f"<div{w.attrs('message-body', 'cooked', 'bbWrapper', 'post-content')}>{post.body}</div>"
        main = f"<div{w.attrs('message-cell message-cell--main', 'topic-body', '')}>{head}{body}{sign}{foot}</div>"
        posts.append(f"<article{w.attrs('message', 'post', 'topic-post')}>{user}{main}</article>")
    return _frame(w, title, "".join(posts))


def make_guestbook(w: Writer) -> str:
    """A table of the nineties: a line with name and date, below it what is said."""
    title, tables = w.title(), []
    for post in _make_posts(w, paragraphs=0.0):
        head = f'<tr bgcolor="#DDE8CC"><td><font size=2><b>{post.name}</b> ({post.date})</font></td><td align=right><font size=1>No.{post.number} <a{w.link()}>{w.role("reply")}</a></font></td></tr>'
        tables.append(f"<table width=600 border=0>{head}<tr><td colspan=2>{post.body}</td></tr></table><hr>")
    return _frame(w, title, "".join(tables), old=0.9)


def make_answers(w: Writer) -> str:
    """A question and its answers, each with votes beside it and who wrote it below."""
    title, boxes = w.title(), []
    for post in _make_posts(w, paragraphs=0.9):
        votes = f"<div{w.attrs('votecell', 'vote', 'score')}><span>{w.number()}</span></div>"
        user = f"<div{w.attrs('user-info', 'post-signature')}><span>{w.role('date')} {post.date}</span><a{w.link()}>{post.name}</a><span>{w.number()}</span></div>"
        menu = parts.make_buttons(w, "share", "reply")
        body = f"<div{w.attrs('postcell', 'answercell', 'post-text')}><div{w.attrs('s-prose', 'md', 'usertext-body')}>{post.body}</div>{menu}{user}</div>"
        boxes.append(f"<div{w.attrs('question' if post.number == 1 else 'answer', 'entry')}>{votes}{body}</div>")
        if post.number == 1:
            boxes.append(f"<h2>{w.number()} {w.role('reply')}</h2>")
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
