"""Several pages of one article as one document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bonmun import Options, Page, extract, extract_pages, fetch_pages
from bonmun.errors import BadConfig, FetchFailed
from bonmun.joined import MAX_PAGES, collect_pages
from bonmun.outputs import FORMATS
from samples import save
from servers import serve_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun import Document
    from samples import Bonmun

LEAD = "The lead of the long story, which the site repeats at the top of each of its pages, so readers know it."
ABOUT = "About the author: she has written for the paper for twenty years and lives near the harbour of the town."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def save_rules(text: str) -> str:
    return save("rules.toml", text)


def make_page(number: int, count: int, *, extra: str = "", link: str | None = None) -> str:
    following = f"?page={number + 1}" if number < count else None
    target = following if link is None else link
    pager = f"<div class=pagination><b>{number}</b> <a class=next href='{target}'>Next page</a></div>" if target else ""
    own = "".join(
        f"<p>Paragraph {part} of page {number} tells what happened after the ship had left the harbour, in many words "
        f"that no other page of the story has: {number * 7 + part}.</p>"
        for part in (1, 2, 3)
    )
    return (
        f"<html lang=en><title>The long story</title><body><article><h1>The long story</h1><p>{LEAD}</p>{own}{extra}"
        f"<p>{ABOUT}</p></article>{pager}</body></html>"
    )


def parse_pages(count: int, **extra: str) -> list[Page]:
    return [Page.parse(make_page(n, count, **extra), f"https://example.org/s?page={n}") for n in range(1, count + 1)]


def test_what_pages_repeat_is_there_once() -> None:
    doc = extract_pages(parse_pages(3))
    assert doc.text.count(LEAD) == doc.text.count(ABOUT) == 1
    assert [doc.text.count(f"of page {n} ") for n in (1, 2, 3)] == [3, 3, 3]
    assert doc.text.index("of page 1 ") < doc.text.index("of page 2 ") < doc.text.index("of page 3 ")
    assert (doc.title, doc.url, doc.kind) == ("The long story", "https://example.org/s?page=1", "article")


def test_short_repeated_blocks_between_new_ones_stay() -> None:
    list_ = "<ul><li>Yes.</li><li>A new item of page {}, which is different.</li></ul><p>The end of page {}.</p>"
    pages = [Page.parse(make_page(n, 2, extra=list_.format(n, n))) for n in (1, 2)]
    assert extract_pages(pages, method="all").text.count("Yes.") == 2


def test_every_block_has_its_place_and_the_address_of_its_page() -> None:
    doc = extract_pages(parse_pages(2))
    assert {block.page.url for block in doc.blocks} == {f"https://example.org/s?page={n}" for n in (1, 2)}
    values = json.loads(doc.render("json"))
    assert values == json.loads(json.dumps(doc.to_dict()))
    assert values["pages"] == ["https://example.org/s?page=1", "https://example.org/s?page=2"]
    for block in values["blocks"]:
        page = next(part.page for part in doc.parts if part.url == block["url"])
        assert block["text"] in {each.text for each in page.blocks if each.xpath == block["xpath"]}


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_has_all_pages_once(format_: str) -> None:
    table = "<table><tr><th>Port<th>Year<tr><td>Busan {0}<td>19{0}0</table>"
    pages = [Page.parse(make_page(n, 2, extra=table.format(n))) for n in (1, 2)]
    written = extract_pages(pages).render(format_)
    for n in (1, 2):
        assert f"Busan {n}" in written
        assert f"Paragraph 2 of page {n} " in written
    if format_ == "xml":
        ET.fromstring(written)


def test_chunks_are_parts_of_the_text() -> None:
    doc = extract_pages(parse_pages(3))
    chunks = doc.chunks(chunk_words=60)
    assert all(doc.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert "".join("".join(chunk.text for chunk in chunks).split()) == "".join(doc.text.split())


def test_notes_of_different_pages_stay_apart() -> None:
    note = "<p>A claim<sup><a href='#n1' id=r1>1</a></sup> of page {0} that needs a note.</p><ol><li id=n1>Note of page {0}.</ol>"
    pages = [Page.parse(make_page(n, 2, extra=note.format(n))) for n in (1, 2)]
    markdown = extract_pages(pages).markdown
    assert "[^1]: Note of page 1." in markdown
    assert "[^1-2]: Note of page 2." in markdown


def test_posts_of_all_pages_refer_to_the_blocks_of_the_whole() -> None:
    post = "<div class=comment><b class=user>{0}</b><div class=body><p>{0} writes a message that is long enough.</p></div></div>"
    pages = [
        Page.parse(f"<title>T</title><h1>A thread</h1>{''.join(map(post.format, names))}", "https://forum.example/1")
        for names in (("ann", "bo"), ("cy", "dee"))
    ]
    rule = (
        '[[rule]]\nname="f"\nhosts=["forum.example"]\nmain=".body"\nposts={each=".comment",author=".user",text=".body"}'
    )
    doc = extract_pages(pages, rules=save_rules(rule))
    assert [post.author for post in doc.posts] == ["ann", "bo", "cy", "dee"]
    for each in doc.posts:
        assert "\n\n".join(doc.blocks[number].text for number in each.blocks) == each.text
    assert doc.markdown.count("**cy**") == 1


def test_one_page_is_the_document_itself() -> None:
    page = Page.parse(make_page(1, 1))
    assert type(extract_pages([page])) is type(extract(page))
    assert extract_pages([page]).to_dict() == extract(page).to_dict()


def test_pages_must_be_a_list() -> None:
    with pytest.raises(BadConfig, match="list of pages"):
        extract_pages("<p>One page.</p>")
    with pytest.raises(BadConfig, match="at least one"):
        extract_pages([])


# --- following links ---------------------------------------------------------------------------------------------


def follow(first: str, site: dict[str, str]) -> tuple[list[str | None], list[str]]:
    """Return the URLs of the pages that are collected, and those that were loaded."""
    loaded: list[str] = []

    def load(url: str) -> Document:
        loaded.append(url)
        return extract(site[url], moved.get(url, url))

    moved = {"https://example.org/s?page=9": "https://example.com/s?page=9"}  # a redirect
    return [doc.url for doc in collect_pages(extract(site[first], first), load)], loaded


def make_site(count: int, **extra: str) -> dict[str, str]:
    return {f"https://example.org/s?page={n}": make_page(n, count, **extra) for n in range(1, count + 1)}


def test_all_pages_are_collected_but_no_more_than_twenty() -> None:
    assert len(follow("https://example.org/s?page=1", make_site(4))[0]) == 4
    found, loaded = follow("https://example.org/s?page=10", make_site(40))
    assert len(found) == MAX_PAGES
    assert len(loaded) == MAX_PAGES - 1


@pytest.mark.parametrize("link", ["?page=1", "?page=2#top", "", "javascript:next()", "data:text/html,x"])
def test_loops_and_links_that_are_no_pages_end_the_article(link: str) -> None:
    site = make_site(2) | {"https://example.org/s?page=2": make_page(2, 9, link=link)}
    found, loaded = follow("https://example.org/s?page=1", site)
    assert (len(found), len(loaded)) == (2, 1)


def test_a_page_without_new_text_ends_the_article() -> None:
    site = make_site(3) | {"https://example.org/s?page=2": make_page(1, 9, link="?page=3")}
    assert len(follow("https://example.org/s?page=1", site)[0]) == 1


def test_other_hosts_end_the_article() -> None:
    rule = '[[rule]]\nname="s"\nhosts=["example.org"]\nnext="a.next"'
    options = Options(rules=save_rules(rule))
    page = make_page(1, 2, link="https://example.com/s?page=2")
    assert extract(page, "https://example.org/s", options=options).next_page == "https://example.com/s?page=2"
    assert (
        len(collect_pages(extract(page, "https://example.org/s", options=options), lambda url: pytest.fail(url))) == 1
    )
    site = make_site(9)
    assert len(follow("https://example.org/s?page=8", site)[0]) == 1  # redirected to another host


# --- rules -------------------------------------------------------------------------------------------------------


def test_a_rule_tells_where_the_next_page_is() -> None:
    rules = save_rules('[[rule]]\nname="s"\nhosts=["example.org"]\nnext="a.go"')
    html = f"<title>T</title><p>{LEAD}</p><a class=go href='part-two'>Go on</a><a class=next href='?page=7'>Next</a>"
    doc = extract(html, "https://example.org/s", rules=rules)
    assert doc.next_page == "https://example.org/part-two"
    assert "next" in {use.field for use in doc.labels.evidence if hasattr(use, "field")}
    last = extract(make_page(1, 2), "https://example.org/s", rules=rules)  # the rule finds nothing
    assert last.next_page is None
    unsafe = html.replace("part-two", "javascript:go()")
    assert extract(unsafe, "https://example.org/s", rules=rules).next_page is None


# --- over the network --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    pages = {f"/s?page={n}": ("text/html", make_page(n, 3).encode()) for n in (1, 2, 3)}
    broken = {"/broken?page=1": ("text/html", make_page(1, 2).encode())}
    with serve_pages(pages | broken) as served:
        yield served.url


def test_pages_are_fetched(site: str) -> None:
    pages = fetch_pages(f"{site}s?page=1", Options(allow_private=True), pause=0)
    assert [page.url for page in pages] == [f"{site}s?page={n}" for n in (1, 2, 3)]
    with pytest.raises(FetchFailed, match="404"):
        fetch_pages(f"{site}broken?page=1", Options(allow_private=True), pause=0)
    with pytest.raises(FetchFailed, match="private"):
        fetch_pages(f"{site}s?page=1")


def test_command_follows_a_url(bonmun: Bonmun, site: str) -> None:
    result = bonmun("extract", f"{site}s?page=1", "--all-pages", "--allow-private", "--pause", "0")
    assert result.exit_code == 0
    assert [result.stdout.count(f"of page {n} ") for n in (1, 2, 3)] == [3, 3, 3]
    assert result.stdout.count(LEAD) == 1
    failed = bonmun("extract", f"{site}broken?page=1", "--all-pages", "--allow-private", "--pause", "0")
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert "404" in failed.stderr


def test_command_joins_files(bonmun: Bonmun) -> None:
    names = [save(f"p{n}.html", make_page(n, 2)) for n in (1, 2)]
    result = bonmun("extract", *names, "--all-pages", "-f", "html")
    assert result.exit_code == 0
    assert result.stdout.count("<html") == 1
    assert result.stdout.count("of page 2 ") == 3
    missing = bonmun("extract", names[0], "missing.html", "--all-pages")
    assert missing.exit_code == 1
    assert "missing.html" in missing.stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--explain"], "--explain"),
        (["--jobs", "2"], "--jobs"),
        (["-o", "a.jsonl"], "tables"),
        (["https://e.org"], "both"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(bonmun: Bonmun, args: list[str], says: str) -> None:
    result = bonmun("extract", save("p1.html", make_page(1, 2)), "--all-pages", *args)
    assert result.exit_code == 2
    assert says in result.stderr
