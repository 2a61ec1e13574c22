"""`bonmun diff` and `bonmun watch` show what changed in the main text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from samples import save
from servers import serve_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samples import Bonmun

PRICE = "A ticket for the old lighthouse costs 10 euros, and children under twelve years do not pay anything at all."
NEW_PRICE = PRICE.replace("10", "12")
STEPS = "Visitors climb one hundred and twelve steps to the gallery, from which they see the islands in clear weather."
HOURS = "From next spring on, the lighthouse will also be open on Mondays, as the harbour office announced yesterday."
Pages = dict[str, tuple[str, bytes]]


def make_page(*blocks: str, title: str = "Visit the lighthouse", menu: str = "Home") -> str:
    text = "".join(f"<p>{block}</p>" for block in blocks)
    return f"<title>{title}</title><nav><a href=/>{menu}</a></nav><article><h1>{title}</h1>{text}</article>"


OLD = make_page(PRICE, STEPS)
NEW = make_page(NEW_PRICE, STEPS, HOURS, menu="Start page")


def test_diff_shows_changed_blocks_only(bonmun: Bonmun) -> None:
    result = bonmun("diff", save("old.html", OLD), save("new.html", NEW))
    assert result.exit_code == 0
    assert result.stdout == f"~ {PRICE.replace('10', '[-10-] {+12+}')}\n\n+ {HOURS}\n"


def test_diff_writes_json(bonmun: Bonmun) -> None:
    result = bonmun("diff", save("old.html", OLD), save("new.html", NEW), "-f", "json")
    assert json.loads(result.stdout) == {
        "old": "old.html",
        "new": "new.html",
        "changes": [
            {"kind": "changed", "old": PRICE, "new": NEW_PRICE},
            {"kind": "added", "old": None, "new": HOURS},
        ],
    }


def test_diff_with_an_empty_page_says_so(bonmun: Bonmun) -> None:
    login = "<title>Log in</title><form><label>Password <input type=password></label></form>"
    result = bonmun("diff", save("old.html", OLD), save("new.html", login))
    assert result.exit_code == 0
    assert "new.html: The page asks to log in, which bonmun cannot do." in " ".join(result.stderr.split())


def test_diff_of_the_same_text(bonmun: Bonmun) -> None:
    result = bonmun("diff", save("old.html", OLD), save("menu.html", make_page(PRICE, STEPS, menu="Other")))
    assert (result.stdout, result.exit_code) == ("", 0)
    assert "The main text is the same." in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("diff", "old.html", "missing.html"), 1, "missing.html"),
        (("diff", "old.html", "old.html", "-f", "rss"), 2, "Unknown format 'rss'"),
        (("watch",), 2, "nothing to watch"),
        (("watch", "http://a.example/", "-f", "xml"), 2, "Unknown format 'xml'"),
        (("watch", "http://a.example/", "-o", "feed.xml"), 2, "add -f rss"),
        (("watch", "http://127.0.0.1:1/", "--timeout", "1"), 1, "--allow-private"),
    ],
)
def test_wrong_use_is_reported(bonmun: Bonmun, arguments: tuple[str, ...], status: int, message: str) -> None:
    save("old.html", OLD)
    result = bonmun(*arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in " ".join(result.stderr.split())


@pytest.fixture
def pages() -> Pages:
    return {"/": ("text/html", OLD.encode()), "/b": ("text/html", make_page(STEPS, HOURS).encode())}


@pytest.fixture
def site(pages: Pages) -> Iterator[str]:
    with serve_pages(pages) as site:
        yield site.url.rstrip("/")


def test_watch_shows_what_changed_since_the_last_time(bonmun: Bonmun, pages: Pages, site: str) -> None:
    command = ("watch", f"{site}/", f"{site}/b", "--allow-private", "--state", "state")
    first = bonmun(*command)
    assert (first.stdout, first.exit_code) == ("", 0)
    assert first.stderr.count("saved; changes are shown from the next time on.") == 2
    again = bonmun(*command)
    assert (again.stdout, again.stderr.count("no changes.")) == ("", 2)
    pages["/"] = ("text/html", NEW.encode())
    changed = bonmun(*command)
    head, _, body = changed.stdout.partition("\n\n")
    assert head.startswith(f"{site}/ (2 changes, 20")
    assert body == f"~ {PRICE.replace('10', '[-10-] {+12+}')}\n\n+ {HOURS}\n\n"
    assert "no changes." in bonmun(*command).stderr


def test_watch_writes_json_lines(bonmun: Bonmun, pages: Pages, site: str) -> None:
    command = ("watch", f"{site}/", "--allow-private", "-f", "json")
    assert json.loads(bonmun(*command).stdout)["is_first"] is True
    pages["/"] = ("text/html", make_page(PRICE).encode())
    values = json.loads(bonmun(*command).stdout)
    assert values["url"] == f"{site}/"
    assert values["changes"] == [{"kind": "removed", "old": STEPS, "new": None}]


def test_a_page_that_fails_or_is_empty_keeps_its_last_version(bonmun: Bonmun, pages: Pages, site: str) -> None:
    command = ("watch", f"{site}/", f"{site}/b", "--allow-private")
    bonmun(*command)
    pages["/"] = ("text/html", b"<title>Please log in</title>")
    del pages["/b"]
    failed = bonmun(*command)
    assert (failed.stdout, failed.exit_code) == ("", 1)
    assert "The page has no main text; the last version" in failed.stderr
    assert "404" in failed.stderr
    pages["/"] = ("text/html", OLD.encode())
    pages["/b"] = ("text/html", make_page(STEPS, HOURS).encode())
    assert bonmun(*command).stderr.count("no changes.") == 2


def test_the_feed_has_the_changes_of_all_runs(bonmun: Bonmun, pages: Pages, site: str) -> None:
    command = ("watch", f"{site}/", f"{site}/b", "--allow-private", "-f", "rss", "-o", "feed.xml")
    bonmun(*command)
    assert ElementTree.parse("feed.xml").findall(".//item") == []
    hostile = "Controls \x0b\x1b[31m\x00 ]]&gt; &lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; end\ufffe of a long new block."
    title = "A ]]&gt; &lt;/title&gt;\r\n\x08 title"
    for blocks in ((NEW_PRICE, STEPS), (NEW_PRICE, STEPS, hostile)):
        pages["/"] = ("text/html", make_page(*blocks, title=title).encode())
        assert bonmun(*command).exit_code == 0
    items = ElementTree.parse("feed.xml").findall(".//item")
    assert len(items) == 2
    assert {item.findtext("link") for item in items} == {f"{site}/"}
    assert len({item.findtext("guid") for item in items}) == 2
    descriptions = " ".join(item.findtext("description") or "" for item in items)
    assert "<del>10</del> <ins>12</ins>" in descriptions
    assert "&lt;script&gt;" in descriptions
    assert "<script" not in descriptions
    assert (items[0].findtext("title") or "").startswith("A ]]> </title>")


def test_watch_repeats(bonmun: Bonmun, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("bonmun.app.commands.extract.watch.sleep", sleep)
    result = bonmun("watch", f"{site}/", "--allow-private", "--every", "60")
    assert waits == [60, 60]
    assert "Stopped; the versions seen so far are in bonmun-watch." in " ".join(result.stderr.split())


def test_a_damaged_state_is_reported(bonmun: Bonmun, site: str, tmp_path: Path) -> None:
    command = ("watch", f"{site}/", "--allow-private", "--state", str(tmp_path / "state"))
    bonmun(*command)
    (path,) = (tmp_path / "state").iterdir()
    path.write_text('{"url": 1, "blocks": [[]], "changed": [{}]}')
    result = bonmun(*command)
    assert result.exit_code == 1
    assert "delete it to start again" in " ".join(result.stderr.split())
