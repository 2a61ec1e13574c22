"""Forty invented posts of twelve bloggers on a made-up Korean blog platform, as pages with their gold texts.

    .venv/bin/python examples/blog.py blog.jsonl

On a platform, its own texts stand on every page, a blogger's on all of theirs, and a post's on one page only: how often
a text occurs over all pages says much about it. But not everything: greetings repeat though they are content, comments
and figures are unique though they are none. The posts and their markup are in blog/posts.txt, the three skins in
blog/skins: a page, then the pieces that it is filled with, each a `string.Template`.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "blog"
SITE = "blog.geulmaru.example"
FIRST = 30417  # the number of the oldest post; it only has to look like one
MARKS = {"## ": "heading", "- ": "item", "+ ": "step", "| ": "row", "> ": "quote", "` ": "code"}
MARKS |= {"[사진] ": "photo", "@@ ": "comments"}
BOLD, LINK = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\[([^]]+)]\((\S+?)\)")
RELATED = (7, 16, 29)  # how many posts further on those are that a page recommends
EXCERPT = 45  # characters of a post that stand beside a link to it


@dataclass(frozen=True)
class BlogPage:
    """A post as a page, with the text that a reader came for."""

    id: str
    url: str
    html: str
    text: str
    title: str
    author: str
    date: str


@dataclass(frozen=True)
class Post:
    """Facts about a post and its blogger, and its chunks: what each is, and its lines."""

    facts: dict[str, str]
    chunks: list[tuple[str, list[str]]]

    def gold(self) -> list[str]:
        """The lines of the body as a reader sees them."""
        body = [(kind, line) for kind, lines in self.chunks if kind != "comments" for line in lines]
        plain = [(kind, LINK.sub(r"\1", BOLD.sub(r"\1", line))) for kind, line in body]
        return [line.replace(" | ", "\t") if kind == "row" else line for kind, line in plain]

    def html(self, skin: dict[str, Template]) -> str:
        """The body in a skin's markup."""
        made = ""
        for kind, lines in self.chunks:
            if kind != "comments":
                texts = [LINK.sub(r'<a href="\2">\1</a>', BOLD.sub(r"<b>\1</b>", escape(line))) for line in lines]
                texts = [_fill(skin["cell"], text.split(" | ")) for text in texts] if kind == "row" else texts
                made += skin.get(f"{kind}s", Template("$text")).substitute(text=_fill(skin[kind], texts))
        return made


def pages() -> list[BlogPage]:
    """All pages, the oldest post first."""
    posts = _read_posts()
    return [_make_page(posts, index) for index in range(len(posts))]


def _read_posts() -> list[Post]:
    posts: list[Post] = []
    blogger: dict[str, str] = {}
    for part in re.split(r"^(?=[@#] )", (FOLDER / "posts.txt").read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, *chunks = part.strip().split("\n\n")
        name, *lines = head[2:].split("\n")
        facts = dict(line.split(": ", 1) for line in lines)
        if part.startswith("@"):
            blogger = {"id": name, **facts}
        else:
            posts.append(Post(blogger | {"title": name, **facts}, [_read_chunk(chunk.split("\n")) for chunk in chunks]))
    posts.sort(key=lambda post: post.facts["date"])
    for number, post in enumerate(posts, FIRST):
        excerpt = max(post.gold()[:2], key=len)[:EXCERPT].rstrip(" .")
        post.facts.update(number=str(number), excerpt=f"{excerpt}…", url=f"https://{SITE}/{post.facts['id']}/{number}")
    return posts


def _read_chunk(lines: list[str]) -> tuple[str, list[str]]:
    mark = next((mark for mark in MARKS if lines[0].startswith(mark)), "")
    return MARKS.get(mark, "line"), [line.removeprefix(mark).removesuffix(" |") for line in lines]


@cache
def _read_skin(name: str) -> dict[str, Template]:
    text = (FOLDER / "skins" / f"{name}.html").read_text(encoding="utf-8")
    page, *pieces = re.split(r"^<!-- piece (\w+) -->\n", text, flags=re.M)
    return {"page": Template(page)} | dict(zip(pieces[::2], map(Template, pieces[1::2]), strict=True))


def _fill(piece: Template, texts: list[str]) -> str:
    return "".join(piece.substitute(text=text) for text in texts)


def _make_page(posts: list[Post], index: int) -> BlogPage:
    post, others = posts[index], [posts[(index + step) % len(posts)] for step in RELATED]
    skin = _read_skin(post.facts["skin"])
    facts, *related = ({key: escape(value) for key, value in each.facts.items()} for each in (post, *others))
    comments = [escape(line).split(" | ") for kind, lines in post.chunks if kind == "comments" for line in lines]
    said = [skin["comments"].substitute(who=who, when=when, text=text) for who, when, text in comments]
    own = [escape(each.facts["title"]) for each in posts if each.facts["id"] == facts["id"]]
    titles = [*facts["older"].split(" / "), *own, "아직 다음 글이 없습니다."]
    place = titles.index(facts["title"])
    values = facts | dict(zip(("year", "month", "day", "time"), re.split("[- ]", facts["date"]), strict=True))
    values |= {name: _fill(skin[name], facts[name].split(" / ")) for name in ("categories", "neighbours", "tags")}
    values["recent"] = _fill(skin["recent"], [title for title in titles[-2::-1] if title != facts["title"]])
    values["related"] = "".join(skin["related"].substitute(other) for other in related)
    values |= {"previous": titles[place - 1], "following": titles[place + 1], "count": str(len(said))}
    values |= {"body": post.html(skin), "comments": "".join(said) or skin["silence"].substitute()}
    name, day, text = f"{facts['id']}-{facts['number']}", facts["date"].split()[0], "\n".join(post.gold())
    html = skin["page"].substitute(values)
    return BlogPage(name, facts["url"], html, text, post.facts["title"], facts["author"], day)


def main() -> None:
    """Write the pages as JSON lines."""
    if len(sys.argv) != 2:
        sys.exit("Say where to: .venv/bin/python examples/blog.py blog.jsonl")
    target = Path(sys.argv[1])
    more = {"lang": "ko", "site": SITE, "source": "made up", "license": "Apache-2.0", "kind": "article"}
    lines = [json.dumps(asdict(page) | more, ensure_ascii=False) + "\n" for page in pages()]
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"{len(lines)} pages in {target}")


if __name__ == "__main__":
    main()
