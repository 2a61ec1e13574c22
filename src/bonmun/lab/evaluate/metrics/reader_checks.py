r"""Judge an answer by the checks of a page, as a demanding reader would.

A page is accepted if all of its checks hold. Texts are compared as words, without case, punctuation, white space and
Markdown: `**Salt**, 5 g` has the phrase "salt 5 g".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.lab.evaluate.systems.answers import Answer
    from bonmun.lab.gold.checks import PageChecks

__all__ = ["CHECK_KINDS", "CheckResult", "judge_checks", "score_checks"]

METADATA_KINDS = ("title", "authors", "date", "kind")
# In the order of the columns of a table.
CHECK_KINDS = ("has", "hasnt", "caption", "image", "heading", "code", "row", "post", "nothing", *METADATA_KINDS)
MAX_WORDS_CHARS = 200  # in the text of a page with nothing to read: a sentence that says so is allowed
EMPTY = "empty"

WORD = re.compile(r"[^\W_]+")
LINK_TARGET = re.compile(r'\]\((?:[^()\s]++|\([^()\s]*+\))*+(?:\s++"[^"\n]{0,1000}+")?\)')
TAG = re.compile(r"<[^<>\n]{1,200}>")
JOINED_MARKS = str.maketrans("", "", "*_`#|~")  # these may stand within a word
HEADING = re.compile(r"[\s>]*+(?:#{1,6}\s|\*\*)")
FENCE = re.compile(r"[ >]*+(`{3,}+)([^`]*+)\Z")


class CheckResult(NamedTuple):
    """A check: its kind, what it looks for, and whether it holds."""

    kind: str
    wanted: str
    holds: bool


def judge_checks(checks: PageChecks, answer: Answer) -> list[CheckResult]:
    """Return the result of every check that applies. The kind is only checked for systems that give one."""
    return [*_judge_metadata(checks, answer), *_judge_text(checks, answer)]


def score_checks(checks: PageChecks, answer: Answer) -> dict[str, float]:
    """Return whether the page is accepted, with and without its metadata, and the checks of each kind that hold."""
    results = judge_checks(checks, answer)
    scores = {
        "checks.accepted": float(all(each.holds for each in results)),
        "checks.text": float(all(each.holds for each in results if each.kind not in METADATA_KINDS)),
    }
    for kind in CHECK_KINDS:
        mine = [each.holds for each in results if each.kind == kind]
        if mine:
            scores |= {f"checks.{kind}.held": float(sum(mine)), f"checks.{kind}.wanted": float(len(mine))}
    return scores


def _judge_metadata(checks: PageChecks, answer: Answer) -> Iterator[CheckResult]:
    if checks.title:
        titles = [_split(title) for title in (checks.title, *checks.title_also)]
        yield CheckResult("title", checks.title, _split(answer.title) in titles)
    if checks.authors:
        found = answer.authors if answer.authors is not None else (answer.author or "").split("; ")
        same = {*map(_join, checks.authors)} == {*map(_join, found)} - {""}
        yield CheckResult("authors", ", ".join(checks.authors), same)
    if checks.date:
        yield CheckResult("date", checks.date, (answer.date or "")[: len("2026-03-04")] == checks.date)
    if checks.kind and answer.kind:
        yield CheckResult("kind", checks.kind, answer.kind == checks.kind)


def _judge_text(checks: PageChecks, answer: Answer) -> Iterator[CheckResult]:
    markdown = answer.text if answer.markdown is None else answer.markdown
    lines = markdown.split("\n")
    text = _join(_strip_markdown(markdown))
    for kind, phrases in (("has", checks.has), ("caption", checks.captions)):
        for phrase in phrases:
            yield CheckResult(kind, phrase, _join(phrase) in text)
    for image in checks.images:
        yield CheckResult("image", image, image in markdown or image.replace("&amp;", "&") in markdown)
    headings = {_join(_strip_markdown(line)) for line in lines if HEADING.match(line)} if checks.headings else set()
    for heading in checks.headings:
        yield CheckResult("heading", heading, _join(heading) in headings)
    code = _join(_gather_code(lines)) if checks.code else ""
    for line in checks.code:
        yield CheckResult("code", line, _join(line) in code)
    rows = [_join(_strip_markdown(line)) for line in lines if line.lstrip().startswith("|")] if checks.rows else []
    for cells in checks.rows:
        wanted = [*map(_join, cells)]
        yield CheckResult("row", " | ".join(cells), any(all(cell in row for cell in wanted) for row in rows))
    posts = [(_split(author), _join(words)) for author, words in answer.posts or ()] if checks.posts else []
    for post in checks.posts:
        name, start = _split(post.author), _join(post.starts)
        yield CheckResult("post", post.author, any(name == author and start in words for author, words in posts))
    for phrase in checks.hasnt:
        yield CheckResult("hasnt", phrase, _join(phrase) not in text)
    if checks.kind == EMPTY:
        yield CheckResult(
            "nothing", "nothing to read", len(" ".join(_split(_strip_markdown(markdown)))) < MAX_WORDS_CHARS
        )


def _strip_markdown(markdown: str) -> str:
    """Return Markdown without URLs, tags, and marks that may stand within a word."""
    return TAG.sub(" ", LINK_TARGET.sub("]", markdown)).translate(JOINED_MARKS)


def _gather_code(lines: list[str]) -> str:
    """Return the content of all fenced code blocks."""
    code: list[str] = []
    fence = ""
    for line in lines:
        found = FENCE.match(line)
        if not fence:
            fence = found[1] if found else ""
        elif found and len(found[1]) >= len(fence) and not found[2].strip():
            fence = ""
        else:
            code.append(line)
    return "\n".join(code)


def _split(text: str | None) -> list[str]:
    """Return the words of a text in lower case."""
    return WORD.findall(normalize("NFKC", text or "").casefold())


def _join(text: str | None) -> str:
    """Return the words of a text in lower case, without anything between them."""
    return "".join(_split(text))
