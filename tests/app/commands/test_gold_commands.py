"""`bonmun gold init` and `gold check`: from pages to gold and back, with names and pages that nobody would want."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import FOLDS, model_path
from bonmun.models.network.labeller import default_weights, save_weights
from samples import save, save_nameless, served

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example
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


def put_golds() -> list[Example]:
    """Write a set of three golds: right, wrong, and of another page."""
    long = f"{PAGE}<footer><p>Write to the harbour office on working days.</p></footer>"
    golds = {"right": SENTENCE * 3, "wrong": "Write to the harbour office on working days.", "lost": SENTENCE * 3}
    rows = [{"id": name, "url": f"https://{name}.test/", "html": long, "text": gold} for name, gold in golds.items()]
    save("set.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return list(read_dataset("set.jsonl"))


def test_suspect_golds_are_found(bonmun: Bonmun) -> None:
    put_golds()
    Path("cv").mkdir()
    for fold in range(FOLDS):
        save_weights(default_weights(), model_path(Path("cv"), fold))
    done = bonmun("gold", "suspects", "set.jsonl", "--folds", "cv", "-o", "suspects.jsonl", "--workers", "1")
    assert done.exit_code == 0
    assert [line.split()[1:] for line in done.stdout.splitlines()] == [["wrong", *"far from what auto finds".split()]]
    assert [example.id for example in read_dataset("suspects.jsonl")] == ["wrong"]
    assert "set: 1 of 3 pages are suspect." in done.stderr


def test_suspects_need_the_models_of_folds(bonmun: Bonmun) -> None:
    put_golds()
    done = bonmun("gold", "suspects", "set.jsonl", "--folds", "none")
    assert done.exit_code == 2
    assert "bonmun train DATA --from nothing --folds none" in done.stderr


def test_verdicts_correct_a_set(bonmun: Bonmun) -> None:
    _, wrong, lost = put_golds()
    verdicts = [
        {"page": wrong.page_hash, "verdict": "relabelled", "blocks": 5, "keep": "2-3"},
        {"page": lost.page_hash, "verdict": "dropped", "why": "another page"},
    ]
    save("verdicts.jsonl", "".join(json.dumps(row) + "\n" for row in verdicts))
    done = bonmun("gold", "apply", "set.jsonl", "--verdicts", "verdicts.jsonl", "-o", "clean")
    assert done.exit_code == 0
    assert done.stdout == "set: 2 pages, 1 relabelled, 1 dropped\n"
    assert "lost: dropped by its verdict: another page" in done.stderr
    right, corrected = read_dataset("clean/set.jsonl")
    assert right.text == SENTENCE * 3
    assert (corrected.text or "").count("lighthouse") == 3
    refused = bonmun("gold", "apply", "set.jsonl", "--verdicts", "verdicts.jsonl", "-o", ".")
    assert refused.exit_code == 2
    assert "choose another one" in refused.stderr
