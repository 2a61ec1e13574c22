"""Write forty invented posts of twelve bloggers on an invented Korean blog platform, as pages with their gold texts.

    .venv/bin/python examples/blog.py blog.jsonl

The texts of the platform are on every page, those of a blogger on all of their pages, and those of a post on one page
only. So the frequency of a text over all pages says much about it, but not everything: greetings repeat although they
are content, and comments and numbers are unique although they are not. The posts and their markup are in
blog/posts.txt. A skin in blog/skins is a page, followed by the pieces that fill it; each is a `string.Template`.
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
FIRST_NUMBER = 30417  # number of the oldest post; any realistic one will do
MARKS = {"## ": "heading", "- ": "item", "+ ": "step", "| ": "row", "> ": "quote", "` ": "code"}
MARKS |= {"[사진] ": "photo", "@@ ": "comments"}
BOLD, LINK = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\[([^]]+)]\((\S+?)\)")
RELATED_OFFSETS = (7, 16, 29)  # positions of the recommended posts, relative to the post of the page
EXCERPT_CHARS = 45  # of a post, beside a link to it


@dataclass(frozen=True)
class BlogPage:
    """The page of a post, with its gold text."""

    id: str
    url: str
    html: str
    text: str
    title: str
    author: str
    date: str


@dataclass(frozen=True)
class Post:
    """A post: its metadata and that of its blogger, and its chunks."""

    metadata: dict[str, str]
    chunks: list[tuple[str, list[str]]]  # kind and lines of each

    def gold(self) -> list[str]:
        """Return the lines of the body without markup."""
        body = [(kind, line) for kind, lines in self.chunks if kind != "comments" for line in lines]
        plain = [(kind, LINK.sub(r"\1", BOLD.sub(r"\1", line))) for kind, line in body]
        return [line.replace(" | ", "\t") if kind == "row" else line for kind, line in plain]

    def html(self, skin: dict[str, Template]) -> str:
        """Return the body in the markup of a skin."""
        made = ""
        for kind, lines in self.chunks:
            if kind != "comments":
                texts = [LINK.sub(r'<a href="\2">\1</a>', BOLD.sub(r"<b>\1</b>", escape(line))) for line in lines]
                texts = [_fill(skin["cell"], text.split(" | ")) for text in texts] if kind == "row" else texts
                made += skin.get(f"{kind}s", Template("$text")).substitute(text=_fill(skin[kind], texts))
        return made


def pages() -> list[BlogPage]:
    """Return all pages, the oldest post first."""
    posts = _read_posts()
    return [_make_page(posts, index) for index in range(len(posts))]


def _read_posts() -> list[Post]:
    posts: list[Post] = []
    blogger: dict[str, str] = {}
    for part in re.split(r"^(?=[@#] )", (FOLDER / "posts.txt").read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, *chunks = part.strip().split("\n\n")
        name, *lines = head[2:].split("\n")
        metadata = dict(line.split(": ", 1) for line in lines)
        if part.startswith("@"):
            blogger = {"id": name, **metadata}
        else:
            read = [_read_chunk(chunk.split("\n")) for chunk in chunks]
            posts.append(Post(blogger | {"title": name, **metadata}, read))
    posts.sort(key=lambda post: post.metadata["date"])
    for number, post in enumerate(posts, FIRST_NUMBER):
        excerpt = max(post.gold()[:2], key=len)[:EXCERPT_CHARS].rstrip(" .")
        url = f"https://{SITE}/{post.metadata['id']}/{number}"
        post.metadata.update(number=str(number), excerpt=f"{excerpt}…", url=url)
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
    post, others = posts[index], [posts[(index + offset) % len(posts)] for offset in RELATED_OFFSETS]
    skin = _read_skin(post.metadata["skin"])
    escaped, *related = ({key: escape(value) for key, value in each.metadata.items()} for each in (post, *others))
    lines = [escape(line).split(" | ") for kind, lines in post.chunks if kind == "comments" for line in lines]
    comments = [skin["comments"].substitute(who=who, when=when, text=text) for who, when, text in lines]
    own = [escape(each.metadata["title"]) for each in posts if each.metadata["id"] == escaped["id"]]
    titles = [*escaped["older"].split(" / "), *own, "아직 다음 글이 없습니다."]
    place = titles.index(escaped["title"])
    values = escaped | dict(zip(("year", "month", "day", "time"), re.split("[- ]", escaped["date"]), strict=True))
    values |= {name: _fill(skin[name], escaped[name].split(" / ")) for name in ("categories", "neighbours", "tags")}
    values["recent"] = _fill(skin["recent"], [title for title in titles[-2::-1] if title != escaped["title"]])
    values["related"] = "".join(skin["related"].substitute(other) for other in related)
    values |= {"previous": titles[place - 1], "following": titles[place + 1], "count": str(len(comments))}
    values |= {"body": post.html(skin), "comments": "".join(comments) or skin["silence"].substitute()}
    name, day, text = f"{escaped['id']}-{escaped['number']}", escaped["date"].split()[0], "\n".join(post.gold())
    html = skin["page"].substitute(values)
    return BlogPage(name, escaped["url"], html, text, post.metadata["title"], escaped["author"], day)


def main() -> None:
    """Write the pages as JSON lines."""
    if len(sys.argv) != 2:
        sys.exit("Usage: .venv/bin/python examples/blog.py blog.jsonl")
    target = Path(sys.argv[1])
    more = {"lang": "ko", "site": SITE, "source": "made up", "license": "Apache-2.0", "kind": "article"}
    lines = [json.dumps(asdict(page) | more, ensure_ascii=False) + "\n" for page in pages()]
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"Wrote {len(lines)} pages to {target}")


if __name__ == "__main__":
    main()
