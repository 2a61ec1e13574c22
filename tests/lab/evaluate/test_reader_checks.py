"""Checks: reading them, judging answers by them, and the tables and lists of a report."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from made_results import best, made, texts

from bonmun.lab.evaluate.cache import Cache
from bonmun.lab.evaluate.metrics.reader_checks import judge_checks, score_checks
from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.report.failed_checks import find_failed_checks, render_failed_checks
from bonmun.lab.evaluate.report.tables import make_set_tables
from bonmun.lab.evaluate.results import BenchResults, PageInfo, SystemInfo
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.systems import SYSTEMS
from bonmun.lab.evaluate.workers import Outcome
from bonmun.lab.gold.checks import PageChecks, PostCheck, find_checks_problem, read_checks
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

MARKDOWN = """**Lamps**

The *lamp* of the [old](https://a.example/x_(y) "Old") light\\_house was **lit** at 6 p.m.<br>

![A lamp](https://a.example/i.png?a=1&b=2)

> ## Oil and wicks

| place | *range* |
| --- | --- |
| Saint-Malo | 12 m |

```python
import lamp_oil

print(1)
```
"""
ALL = {
    "has": ["the LAMP of the old lighthouse", "at 6 p.m", " "],
    "hasnt": ["Subscribe"],
    "captions": ["a lamp"],
    "images": ["i.png?a=1&amp;b=2"],
    "headings": ["lamps", "Oil and wicks"],
    "code": ["import lamp_oil"],
    "rows": [["Saint Malo", "12 m"], []],
    "posts": [{"author": "Kim", "starts": "Lamps are"}],
    "title": "Lamps",
    "title_also": ["The lamps"],
    "authors": ["Ann Lee", "Bo Kim"],
    "date": "2026-03-04",
    "kind": "article",
    "note": "ignored",
}
ANSWER = Answer(
    "",
    title="The Lamps!",
    date="2026-03-04T09:00",
    markdown=MARKDOWN,
    kind="article",
    authors=("Bo Kim", "ann lee"),
    posts=(("kim", "Lamps are lit."),),
)


def judge(checks: dict[str, Any], answer: Answer = ANSWER) -> dict[str, list[bool]]:
    read = read_checks(checks)
    assert read
    found: dict[str, list[bool]] = {}
    for each in judge_checks(read, answer):
        found.setdefault(each.kind, []).append(each.holds)
    return found


def test_all_checks_of_a_good_answer_hold() -> None:
    found = judge(ALL)
    assert all(all(holds) for holds in found.values())
    assert list(map(len, found.values())) == [1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1]
    assert score_checks(read_checks(ALL) or PageChecks(), ANSWER)["checks.accepted"] == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"has": ["the lamp burns"]},
        {"hasnt": ["Lamp of the old"]},
        {"captions": ["another lamp"]},
        {"images": ["j.png"]},
        {"headings": ["Saint-Malo"]},
        {"headings": ["Oil"]},
        {"code": ["Oil and wicks"]},
        {"rows": [["place", "12 m"]]},
        {"posts": [{"author": "Lee", "starts": "Lamps"}]},
        {"posts": [{"author": "Kim", "starts": "Oil"}]},
        {"title": "Oil", "title_also": []},
        {"authors": ["Ann Lee"]},
        {"date": "2026-03-05"},
        {"kind": "forum"},
        {"kind": "none"},
    ],
)
def test_one_check_that_fails_is_enough(changed: dict[str, Any]) -> None:
    found = judge(ALL | changed)
    failed = sum(holds.count(False) for holds in found.values())
    assert failed == (2 if "none" in changed.values() and len(MARKDOWN) > 400 else 1)
    scores = score_checks(read_checks(ALL | changed) or PageChecks(), ANSWER)
    is_text = not {"title", "authors", "date", "kind"} & changed.keys()
    assert (scores["checks.accepted"], scores["checks.text"]) == (0, 0 if is_text else 1)


def test_a_page_with_nothing_to_read() -> None:
    empty = Answer(markdown="Nothing was found.", kind="empty")
    assert judge({"kind": "none"}, empty) == judge({"kind": "empty"}, empty) == {"kind": [True], "nothing": [True]}
    assert judge({"kind": "none"}, Answer("word " * 50)) == {"nothing": [False]}


def test_answers_without_markdown_kind_and_list_of_authors() -> None:
    answer = Answer("The lamp was lit.", author="Ann Lee; Bo Kim")
    assert judge({"has": ["lamp was"], "authors": ["Bo Kim", "Ann Lee"], "kind": "article"}, answer) == {
        "authors": [True],
        "has": [True],
    }


def test_a_failed_system_holds_no_check() -> None:
    scores = Scorer(Example("a", "<p>a", None, checks=read_checks({"hasnt": ["b"]})))(Answer(), failed=True)
    assert scores == {"checks.accepted": 0, "checks.text": 0, "checks.hasnt.held": 0, "checks.hasnt.wanted": 1}


HOSTILE = {
    "brackets": lambda n: "[" * n,
    "targets": lambda n: "](" * n,
    "nested targets": lambda n: "](" + "(a)" * n,
    "titles": lambda n: '](a "' * n,
    "tags": lambda n: "<a" * n,
    "quotes": lambda n: "> " * n + "\n",
    "fences": lambda n: "```\n````\n" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", HOSTILE)
def test_any_answer_is_judged_in_linear_time(shape: str) -> None:
    checks = read_checks(ALL)
    assert checks
    assert_linear(HOSTILE[shape], lambda text: judge_checks(checks, Answer(markdown=text)), 100_000, 0.1)


# --- reading ---------------------------------------------------------------------------------------------------------


def test_checks_need_no_text_and_give_the_kind(tmp_path: Path) -> None:
    row = {"id": "a", "html": "<p>a", "lang": "en", "checks": {"has": ["x", " "], "kind": "none", "rows": [["a", "b"]]}}
    row["checks"]["posts"] = [{"author": "Kim", "starts": "Oil"}]  # type: ignore[index]
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    posts = (PostCheck("Kim", "Oil"),)
    checks = PageChecks(has=("x",), kind="empty", rows=(("a", "b"),), posts=posts)
    [example] = read_dataset(tmp_path / "a.jsonl")
    assert example == Example("a", "<p>a", None, lang="en", kind="empty", checks=checks)
    assert len({Example("a", "", None, checks=each).gold_hash for each in (None, checks, PageChecks())}) == 3


def test_pages_may_be_given_as_bytes(tmp_path: Path) -> None:
    data = "<meta charset=euc-kr><p>등대에 불이 켜졌다".encode("euc-kr")
    row = {"id": "a", "html_latin1": data.decode("latin-1"), "checks": {"has": ["등대"]}}
    broken = row | {"id": "b", "html_latin1": "한"}
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(broken)}", encoding="utf-8")
    dataset = read_dataset(tmp_path / "a.jsonl")
    assert [example.html for example in dataset] == [data.decode("euc-kr")]
    assert [str(each) for each in dataset.summary.broken] == ["line 2, b: html is missing or not a string"]


@pytest.mark.parametrize(
    ("checks", "says"),
    [
        ([], "checks is not an object"),
        ({"has": "x"}, "checks.has is not a list of strings"),
        ({"images": [1]}, "checks.images is not a list of strings"),
        ({"date": 2026}, "checks.date is not a string"),
        ({"rows": ["a"]}, "checks.rows is not a list of rows, each a list of cells"),
        ({"posts": [{"author": "Kim"}]}, "checks.posts is not a list of objects with author and starts"),
    ],
)
def test_unusable_checks(tmp_path: Path, checks: object, says: str) -> None:
    assert find_checks_problem(checks) == says
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "html": "<p>a", "checks": checks}), encoding="utf-8")
    [broken] = read_dataset(tmp_path / "a.jsonl").summary.broken
    assert broken.reason == says


# --- systems and the report ------------------------------------------------------------------------------------------

PAGE = """<title>Light</title><meta property=og:type content=article><h1>Light</h1><p>The lamp was lit at six, as on every evening of the year, and the village
came to see it.</p><img src=/i.png width=400 height=300><p>It burned until the morning, when the boats came home.</p>"""


def test_methods_answer_what_checks_look_at() -> None:
    checks = read_checks({"has": ["lamp was lit"], "images": ["/i.png"], "title": "Light", "kind": "article"})
    example = Example("a", PAGE, None, checks=checks)
    for name in ("auto", "xpath"):
        system = SYSTEMS[name]
        assert system.run_full
        assert system.markdown
        answer = system.run_full(example)
        assert (answer.title, answer.kind, answer.authors, answer.posts) == ("Light", "article", (), ())
        assert "/i.png" in system.markdown(example)
    plain = SYSTEMS["auto"].run_full
    assert plain
    assert plain(Example("a", PAGE, "x")).kind is None


def test_the_tables_of_checks() -> None:
    kinds = ["article"] * 5 + ["forum"] * 5
    pages = [PageInfo("set", str(number), "en", kind, None) for number, kind in enumerate(kinds)]
    held = {"checks.has.held": [3] * 10, "checks.has.wanted": [4] * 10}
    results = made(
        {
            "auto": {"checks.accepted": [1] * 5 + [0] * 5, "checks.text": [1] * 10, **held},
            "peer": {"checks.accepted": [0] * 10, "checks.text": [0] * 10},
        },
        pages,
    )
    checks, accepted = make_set_tables(results, "set", "")
    assert texts(checks)[0][:5] == ["system", "accepted", "95 %", "text", "has (40)"]
    assert [row[1:2] + row[3:] for row in texts(checks)[1:]] == [["0.500", "1.000", "0.750"], ["0.000", "0.000", ""]]
    assert ("auto", "accepted") in best(checks)
    assert texts(accepted) == [
        ["system", "article (5)", "text", "forum (5)", "text"],
        ["auto", "1.000", "1.000", "0.000", "1.000"],
        ["peer", "0.000", "0.000", "0.000", "0.000"],
    ]


def test_the_report_lists_the_checks_that_fail(tmp_path: Path) -> None:
    rows = [
        {"id": "good", "html": "<p>", "checks": {"has": ["lamp"]}},
        {"id": "bad<b>", "html": "<p>b", "lang": "en", "checks": {"kind": "news", "has": ["lamp", "<img src=x>"]}},
        {"id": "worse", "html": "<p>c", "checks": {"has": [f"oil {number}" for number in range(40)]}},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    dataset = read_dataset(tmp_path / "a.jsonl")
    system = System("auto", "method", partial(str, "1"), lambda _: Answer("The lamp"))
    results = BenchResults([(dataset.name, dataset.summary)], [SystemInfo("auto", "1", "method")])
    with Cache(tmp_path / "kept") as cache:
        for number, example in enumerate(dataset):
            results.add_page(PageInfo(dataset.name, example.id, "en", "news", None))
            answer = Answer("The lamp", authors=("Kim",), posts=(("Kim", "Oil"),), kind="news")
            outcome = Outcome(answer, 1.0, scores=Scorer(example)(answer))
            results.add(number, "auto", outcome)
            cache.put(example, system, outcome)
        cache.flush()
        first = next(iter(dataset))
        known = cache.get(first, system)
        assert known
        assert known.answer == answer
        found = find_failed_checks(results, [dataset], [system], cache)
    assert [(page.page, len(page.failed), page.total) for page in found["a"]] == [("worse", 40, 40), ("bad<b>", 1, 3)]
    html = render_failed_checks(results, found["a"])
    assert "bad&lt;b&gt;" in html
    assert "has: <span dir=auto>&lt;img src=x&gt;</span>" in html
    assert "… 10 more" in html
    assert render_failed_checks(results, []) == ""
