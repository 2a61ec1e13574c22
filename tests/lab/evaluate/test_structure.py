"""Scores of structure: similarity, exact matches, golds in Markdown, and their tables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_results import Values, best, made, texts

from bonmun.lab.evaluate.cache import Cache
from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.metrics.structure import SIMILARITY_SCORES, compare_structure, normalise_code, normalise_tex
from bonmun.lab.evaluate.report.tables import make_set_tables
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.systems.systems import ORACLE, SYSTEMS
from bonmun.lab.evaluate.workers import Outcome, PageTask, run_tasks
from bonmun.lab.gold.examples import Example

if TYPE_CHECKING:
    from pathlib import Path

GOLD = """# The lamp

It is lit at $t_1$, says [the keeper](https://example.org/keeper).[^1]

- oil
- wick

```
light(lamp)
  wait()
```

| day | hour |
|---|---|
| Mo | six |
| Tu | seven |

[^1]: In the book of lamps.
"""


def test_the_gold_has_perfect_scores() -> None:
    scores = compare_structure(GOLD, GOLD)
    counts = {"formula": 1, "code": 1, "table": 3, "notes": 1}
    assert {name: scores.pop(f"{name}.wanted") for name in counts} == counts
    assert {name: scores.pop(f"{name}.right") for name in counts} == counts
    assert set(SIMILARITY_SCORES) < set(scores)
    assert set(scores.values()) == {1.0}


def test_a_plain_text_scores_only_in_text() -> None:
    scores = compare_structure("The lamp. It is lit at t1, says the keeper.", GOLD)
    assert 0 < scores.pop("structure.text") < 0.5
    wanted = {name: scores.pop(name) for name in list(scores) if name.endswith(".wanted")}
    assert sum(wanted.values()) == 6
    assert set(scores.values()) == {0.0}


def test_elements_that_neither_has_give_no_score() -> None:
    assert set(compare_structure("Oil.", "Oil!")) == {"structure.text"}
    assert compare_structure("Oil.", "Oil!")["structure.text"] == 0.75


def test_elements_that_only_the_answer_has_score_zero() -> None:
    scores = compare_structure("Oil. $x$\n\n# Sea\n\n- a\n\n```\nb\n```\n\n|c|\n|-|", "Oil.")
    assert {name for name, value in scores.items() if not value} == {*SIMILARITY_SCORES} - {"structure.text"}
    assert not any(name.endswith(("exact", "headings", "lists", "links")) for name in scores)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (r"\frac{1}{2}", r"\displaystyle\dfrac12", True),
        ("x_{1} + y", "x_1+y.", True),
        (r"a \le b", r"a\leq b", True),
        (r"a \quad b\,c", "abc", True),
        (r"\left(x\right)", "(x)", False),
        ("x_1", "x^1", False),
        (r"\lambda", r"\lt ambda", False),
        (r"\quadrature", "rature", False),
    ],
)
def test_formulas_are_compared_after_normalisation(one: str, other: str, is_same: bool) -> None:
    assert (normalise_tex(one) == normalise_tex(other)) is is_same
    scores = compare_structure(f"${one}$", f"${other}$")
    assert scores["formula.exact"] == is_same


def test_code_is_found_as_code_or_as_lines() -> None:
    gold = "```\na  \n  b\n\n```"
    assert normalise_code("\n\na  \n  b\n") == "a\n  b"
    assert compare_structure("- c\n\n    ```\n    a\n      b\n    ```", gold)["code.exact"] == 1
    assert compare_structure("Text\na\n  b\nmore", gold)["code.exact"] == 1
    assert compare_structure("a\nb", gold)["code.exact"] == 0
    assert compare_structure("xa\n  b", gold)["code.exact"] == 0
    assert compare_structure(gold, gold + "\n\n" + gold)["code.exact"] == 0.5


def test_heading_levels_and_link_fragments_are_ignored() -> None:
    scores = compare_structure("### Sea\n\n[Oil](https://example.org/#a)", "# Sea!\n\n[oil](https://example.org)")
    assert (scores["structure.headings"], scores["structure.links"]) == (1, 1)
    assert compare_structure("[Oil](https://example.org/b)", "[oil](https://example.org)")["structure.links"] == 0


@given(st.text("ab$|-\n#`[]() ", max_size=60), st.text("ab$|-\n#`[]() ", max_size=60))
def test_all_scores_are_shares_or_counts(found: str, gold: str) -> None:
    scores = compare_structure(found, gold)
    assert all(0 <= value <= 1 for name, value in scores.items() if not name.endswith(("right", "wanted")))
    assert all(scores[f"{name.removesuffix('.right')}.wanted"] >= scores[name] for name in scores if ".right" in name)


# --- in a run --------------------------------------------------------------------------------------------------------

HTML = (
    "<h1>Lamps</h1><p>The lamp was lit at six, says <a href=https://example.org/k>the keeper</a> of the old house.</p>"
)


def example(**more: Any) -> Example:
    return Example("a", HTML, "The lamp was lit.", "https://example.org/", **more)


def test_only_golds_in_markdown_have_structure_scores() -> None:
    assert not any(name in Scorer(example())(Answer("# Lamps")) for name in ("structure.text", "structure.headings"))
    scorer = Scorer(example(markdown="# Lamps"))
    assert scorer(Answer("Lamps", markdown="# Lamps"))["structure.headings"] == 1
    assert scorer(Answer("Lamps"))["structure.headings"] == 0
    assert "structure.text" not in Scorer(example(markdown=" "))(Answer("# Lamps"))


def test_a_failed_system_scores_zero() -> None:
    scores = Scorer(example(markdown=GOLD))(Answer(), failed=True)
    assert (scores["table.wanted"], scores["table.right"], scores["structure.text"]) == (3, 0, 0)


def write(_: Example) -> str:
    return "# Lamps"


def write_nothing(_: Example) -> None:
    return None


def right(example: Example) -> Answer:
    return Answer(example.text or "")


def run(system: System, page: Example, **more: Any) -> Outcome:
    [(_, _, outcome)] = run_tasks([PageTask(0, page, (system,), **more)], 1, 30)
    return outcome


@pytest.mark.slow
def test_markdown_is_requested_if_the_gold_is_markdown() -> None:
    system = System("peer", "peer", partial(str, "1"), right, markdown=write)
    assert run(system, example(markdown="# Lamps")).answer.markdown == "# Lamps"
    assert run(system, example(markdown="# Lamps"), is_scored=False).answer.markdown is None
    assert run(system, example()).answer.markdown is None
    assert system.needs_markdown(example(markdown=""))


def test_answers_with_and_without_markdown_are_cached_separately(tmp_path: Path) -> None:
    system = System("peer", "peer", partial(str, "1"), right, markdown=write)
    with Cache(tmp_path / "cache") as cache:
        cache.put(example(), system, Outcome(Answer("text"), 1.0))
        cache.flush()
        assert cache.get(example(markdown="# Lamps"), system) is None
        cache.put(example(markdown="# Lamps"), system, Outcome(Answer("text", markdown="# Lamps"), 1.0))
        cache.flush()
        known = cache.get(example(markdown="# Lamps"), system)
        assert known
        assert known.answer.markdown == "# Lamps"
        plain = cache.get(example(), system)
        assert plain
        assert plain.answer.markdown is None


@pytest.mark.parametrize("system", [SYSTEMS["all-text"], SYSTEMS["auto"], SYSTEMS["rules"], ORACLE])
def test_our_systems_write_markdown_with_links(system: System) -> None:
    page = example(markdown="# Lamps\n\nThe lamp was lit at six, says [the keeper](https://example.org/k).")
    assert bool(system.markdown) == (system.group != "peer")
    if system.markdown and system.group == "method":
        assert "[the keeper](https://example.org/k)" in system.markdown(page)


@pytest.mark.extras
@pytest.mark.parametrize("name", ["trafilatura", "trafilatura-recall", "trafilatura-precision", "readability-lxml"])
def test_peers_write_markdown(name: str) -> None:
    pytest.importorskip(PEERS[name].module)
    paragraphs = "".join(
        f"<p>{'The lamp was lit at six, as on every evening of that year. ' * 4}</p>" for _ in range(4)
    )
    page = Example("a", f"<article><h2>Oil</h2>{paragraphs}</article>", "", "https://example.org/")
    write = PEERS[name].markdown
    assert write
    assert "## Oil\n" in write(page)


def test_the_tables() -> None:
    values: Values = {
        "auto": {
            "structure.text": [0.5, 1.0],
            "code.edit": [None, 0.25],
            "formula.right": [1, 2],
            "formula.wanted": [2, 2],
            "structure.links": [0.5, None],
        },
        "peer": {
            "structure.text": [0.5, 0.5],
            "code.edit": [None, 1.0],
            "formula.right": [0, 0],
            "formula.wanted": [2, 2],
        },
    }
    tables = {table.name: table for table in make_set_tables(made(values), "set", "")}
    assert texts(tables["structure"]) == [
        ["system", "overall", "text", "code"],
        ["peer", "0.750", "0.500", "1.000"],
        ["auto", "0.500", "0.750", "0.250"],
    ]
    assert texts(tables["exact matches"]) == [
        ["system", "formulas", "of", "links"],
        ["auto", "0.750", "4", "0.500"],
        ["peer", "0.000", "4", ""],
    ]
    assert best(tables["exact matches"]) == {("auto", "formulas"), ("auto", "links")}
