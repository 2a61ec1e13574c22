"""`bonmun gold init` and `gold check`: from pages to gold and back, with names and pages that nobody would want."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from samples import save, save_nameless, served

if TYPE_CHECKING:
    from samples import Bonmun

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
PAGE = f"<title>Light</title><nav>Home</nav><h1>Light</h1><p>{SENTENCE * 2}</p><p>{SENTENCE}</p>"


def finish(name: str) -> None:
    path = Path(name)
    path.write_text(path.read_text(encoding="utf-8").replace("draft: true\n", ""), encoding="utf-8")


def test_from_pages_to_gold_and_back(bonmun: Bonmun) -> None:
    save("pages/one.html", PAGE)
    save("pages/two.html", PAGE.replace("lighthouse", "school").encode("euc-kr"))
    done = bonmun("gold", "init", "pages", "-o", "gold")
    assert (done.stdout, done.exit_code) == ("", 0)
    assert done.stderr.startswith("bonmun: gold: 2 new drafts.")
    assert sorted(path.name for path in Path("gold").iterdir()) == [
        ".drafts",
        "one.html",
        "one.md",
        "two.html",
        "two.md",
    ]
    assert "bonmun: gold: this set has no usable record (one: it is a draft" in bonmun("bench", "gold").stderr
    finish("gold/one.md")
    save("gold/one.md", Path("gold/one.md").read_text().replace("thirty", "thirteen", 1))
    checked = bonmun("gold", "check", "gold")
    assert checked.exit_code == 0
    assert "one: changed, word F1 of the draft 0.9" in checked.stdout
    assert "! not on the page: thirteen, in: The old lighthouse" in checked.stdout
    assert "1 labelled, 1 still drafts, 0 unreadable." in checked.stdout
    assert "Measure with:   bonmun bench gold" in checked.stdout
    again = bonmun("gold", "init", "pages", "-o", "gold")
    assert "2 pages existed before and did not change." in again.stderr
    assert "thirteen" in Path("gold/one.md").read_text()


def test_names_of_all_kinds(bonmun: Bonmun) -> None:
    """None leaves the folder, none hides another."""
    rows = ["../../evil", "a/b", "c/b", "", "..", "-rf", "README", "x" * 400, "본문", "n\nm", "con\x00"]
    lines = [
        {"id": name or "0", "html": PAGE.replace("Home", f"Home {row}"), "url": None} for row, name in enumerate(rows)
    ]
    save("in/pages.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))
    save("in/deep/page.html", PAGE)
    save_nameless(Path("in/deep"), PAGE + "<p>nameless")
    done = bonmun("gold", "init", "in/pages.jsonl", "in/deep", "-o", "gold")
    assert done.exit_code == 0, done.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["gold", "in"]
    golds = list(Path("gold").glob("*.md"))
    assert len(golds) == len(list(Path("gold").glob("*.html"))) == len(rows) + 2
    assert not any(path.name.startswith("-") for path in golds)
    assert f"{len(golds)} still drafts" in bonmun("gold", "check", "gold").stdout


def test_urls_and_pages_that_fail(bonmun: Bonmun) -> None:
    with served({"/a?b=../c": (PAGE.encode("utf-16"), "text/html; charset=utf-16")}) as address:
        done = bonmun(
            "gold", "init", f"{address}/a?b=../c", f"{address}/gone", "no.html", "-o", "gold", "--allow-private"
        )
    assert done.exit_code == 1
    assert "answered with status 404" in done.stderr
    assert "no.html: There is no such file." in done.stderr
    [file] = Path("gold").glob("*.md")
    assert f'url: "{address}/a?b=../c"' in file.read_text(encoding="utf-8")
    finish(str(file))
    assert "unchanged, word F1 of the draft 1.000" in bonmun("gold", "check", "gold").stdout


def test_what_cannot_be_read_is_said(bonmun: Bonmun) -> None:
    save("gold/a.html", PAGE)
    save("gold/a.md", "---\ntitel: x\n---\nText.")
    done = bonmun("gold", "check", "gold")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("bonmun: a: line 2: unknown field `titel`; the fields are title, ")
    assert "0 labelled, 0 still drafts, 1 unreadable." in done.stdout
    assert bonmun("gold", "check", "nothing").exit_code == 2
    save("empty/x.txt", "")
    assert "contains no drafts" in bonmun("gold", "check", "empty").stderr
    assert bonmun("gold", "init", "gold").exit_code == 2  # nowhere to write to


def test_a_hostile_page_does_no_harm(bonmun: Bonmun) -> None:
    """Its title cannot end the facts, nor colour a terminal."""
    save(
        "p.html",
        f"<title>---&#10;draft: false&#27;[31m\"'</title><p>---\ntitle: x</p><p>{SENTENCE}</p>" + "<b>" * 5_000,
    )
    assert bonmun("gold", "init", "p.html", "-o", "gold").exit_code == 0
    done = bonmun("gold", "check", "gold")
    assert "0 labelled, 1 still drafts, 0 unreadable." in done.stdout
    finish("gold/p.md")
    done = bonmun("gold", "check", "gold")
    assert "p: unchanged, word F1 of the draft 1.000" in done.stdout
    assert "\x1b" not in done.stdout
