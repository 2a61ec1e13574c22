"""`bonmun extract --explain`: every decision, and what it is based on."""

from __future__ import annotations

import json
import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bonmun import Labels, Page, extract
from bonmun.algorithms import PAGE_METHODS, make_method
from bonmun.algorithms.sentence import Sentence
from bonmun.explain import explain, write_explanation
from samples import EXAMPLES, SOURCES, command, on_some_pages, save

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.document import Document
    from bonmun.page import Block, Leaf
    from samples import Bonmun

TEXT = "The lighthouse was lit again last night, after thirty dark years."
MAIN = f"{TEXT} Nobody knows by whom."
HTML = f"""<title>Lighthouse lit</title><h1>Lighthouse lit</h1><table><tr><td>Lighthouse lit<tr><td>{MAIN} So far</table>
<div><p>Some say by Ann.</p></div><p><a href=/>Home, sweet home.</a></p>"""
EVIDENCE = {
    "auto": ["PageKind"],
    "rules": ["Region"],
    "density": ["Densities"],
    "xpath": ["Group"],
    "xpath+": ["WeighedGroup"],
    "title-table": ["TitleCandidate", "MainCandidate"],
    "title-table+": ["TitleCandidate", "MainCandidate"],
    "sentence:MM": ["Depth"],
} | {f"sentence:{variant}": ["Wanted", "Depth"] for variant in "M4 M42 M43 M423 M34 M324".split()}
HEADINGS = {
    "PageKind": "Page kinds and the probability of each; none: a page without main text.",
    "Region": (
        "The main region: the smallest element that, at every step down to it, holds most of the text outside of links."
    ),
    "Densities": "Densities: one row per leaf that is shown.",
    "Group": "Groups: runs of leaves with the same path.",
    "WeighedGroup": (
        "Groups: blocks with the same path. Weight: bytes, a quarter of them without a sentence, zero in link blocks."
    ),
    "TitleCandidate": "Title candidates: by main candidate, the most likely place above it first.",
    "MainCandidate": "Main candidates: a dummy has no text; sizes are EUC-KR bytes.",
    "Wanted": "The title that depths are compared with.",
    "Depth": "Depths: the leaves at each depth of the tree, when a step chose among the depths.",
}
CUT = "<title>Light again</title><p>The light is back. More</p><div><p>Bread.</p></div>"

every_method = pytest.mark.parametrize("method", PAGE_METHODS)


@pytest.fixture
def bonmun(bonmun: Bonmun) -> Bonmun:
    """Run `bonmun extract --explain` in an empty folder."""
    return partial(bonmun, "extract", "--explain")


def write(name: str, content: str | bytes = HTML) -> str:
    return save(name, content)


def rows_of(doc: Document) -> Sequence[Block | Leaf]:
    return doc.page.blocks if doc.labels.unit == "block" else doc.page.leaves


def parts(text: str) -> list[tuple[str, list[str]]]:
    """Return the headings of an explanation with the lines under each; the first heading is empty."""
    start, *rest = text.split("\n\n")
    last = rest.index("Text")
    pairs = list(zip(rest[:last:2], rest[1:last:2], strict=True))
    pairs = [("", start), *pairs, ("Text", "\n\n".join(rest[last + 1 :]))]
    return [(heading, body.splitlines()) for heading, body in pairs]


def sections(text: str) -> dict[str, list[str]]:
    found = dict(parts(text))
    assert len(found) == len(parts(text))
    return found


def unit_of(doc: Document) -> str:
    return "Blocks" if doc.labels.unit == "block" else "Leaves"


def marks(lines: list[str]) -> list[bool]:
    """Return the column "chosen" of a table; the columns before it contain only numbers."""
    place = lines[0].index("chosen")
    cells = [line[place : place + 6].strip() for line in lines[1:]]
    assert set(cells) <= {"", "yes"}
    return [cell == "yes" for cell in cells]


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_groups_by_hand() -> None:
    doc = extract("<title>Light</title><h1>Head line</h1><p>one</p><p>two two</p>", method="xpath")
    assert write_explanation(doc) == (
        "method      xpath\n"
        "title       Head line\n"
        "confidence  0.00\n"
        "kept        2 of 3 leaves\n"
        "\n"
        "Groups: runs of leaves with the same path.\n"
        "\n"
        "first  leaves  characters  chosen  path\n"
        "    0       1           9          html/body/h1\n"
        "    1       2          10  yes     html/body/p\n"
        "\n"
        "Leaves\n"
        "\n"
        "#  score  kept  reason                path          text\n"
        "0  0.900        in a shorter group    html/body/h1  Head line\n"
        "1  1.000  yes   in the longest group  html/body/p   one\n"
        "2  1.000  yes   in the longest group  html/body/p   two two\n"
        "\n"
        "Text\n"
        "\n"
        "one\n"
        "\n"
        "two two"
    )


def test_a_page_without_text_by_hand() -> None:
    assert write_explanation(extract("<div></div>", method="xpath")) == (
        "method      xpath\n"
        "title       -\n"
        "confidence  0.00\n"
        "kept        0 of 0 leaves\n"
        "\n"
        "Leaves\n"
        "\n"
        "#  score  kept  reason  path  text\n"
        "\n"
        "Text\n"
        "\n"
        "(none)"
    )


def test_plain_values_by_hand() -> None:
    doc = extract("<title>Light</title><p>one</p><p>two two</p>", "https://example.org/1", "all")
    row = {"tag_path": "html/body/p", "score": 1.0, "kept": True, "reason": "shown"}
    assert explain(doc) == {
        "url": "https://example.org/1",
        "method": "all",
        "title": "Light",
        "confidence": 0.0,
        "unit": "block",
        "kept": 2,
        "evidence": [],
        "rows": [
            row | {"text": "one", "xpath": "/html/body/p[1]"},
            row | {"text": "two two", "xpath": "/html/body/p[2]"},
        ],
    }


def test_plain_values_of_evidence_by_hand() -> None:
    doc = extract("<h1>Head line</h1><p>one</p><p>two</p>", method="xpath")
    values = explain(doc)
    row = {"is": "Group", "chosen": True}
    assert values["evidence"] == [
        row | {"first": 0, "leaves": 1, "characters": 9, "path": "html/body/h1"},
        row | {"first": 1, "leaves": 2, "characters": 6, "path": "html/body/p", "chosen": False},
    ]
    assert [row["score"] for row in values["rows"]] == [1.0, 0.6667, 0.6667]
    assert values["confidence"] == 0.006  # 9 / 500, less the two thirds of the next group


@pytest.mark.parametrize(
    ("method", "name", "lines"),
    [
        (
            "xpath+",
            "WeighedGroup",
            [
                "first  blocks  bytes  weight  chosen  path",
                "    0       1     14   3.500          html/body/h1",
                "    1       2    108  97.500  yes     html/body/table/tbody/tr/td",
                "    3       1     16  16.000          html/body/div/p",
                "    4       1     17   0.000          html/body/p",
            ],
        ),
        (
            "density",
            "Densities",
            [
                "leaf  words  word_density  link_density",
                "   0      2         4.429         0.000",
                "   1      2         4.429         0.000",
                "   2     17         5.606         0.000",
                "   3      4         7.750         0.000",
                "   4      3         5.471         1.000",
            ],
        ),
        (
            "title-table",
            "TitleCandidate",
            [
                "main  title      p    sim  score  chosen  text",
                "   1      1  0.800  0.541  0.567  yes     Lighthouse lit",
            ],
        ),
        (
            "title-table",
            "MainCandidate",
            [
                "main  bytes  dummy  chosen  text",
                "   1     94         yes     The lighthouse was lit again last night, after thirty dark…",
            ],
        ),
        (
            "sentence:MM",
            "Depth",
            [
                "depth  leaves  sentences  similarity  chosen",
                "    4       2          2           -  yes",
                "    6       1          2           -",
            ],
        ),
        ("sentence:M4", "Wanted", ["title", "Lighthouse lit"]),
    ],
)
def test_evidence_by_hand(method: str, name: str, lines: list[str]) -> None:
    assert sections(write_explanation(extract(HTML, method=method)))[HEADINGS[name]] == lines


def test_depths_have_their_similarity_whatever_the_standard_counts() -> None:
    lines = sections(write_explanation(extract(HTML, method="sentence:M4")))[HEADINGS["Depth"]]
    assert lines[1] == "    4       2          2       0.000"
    assert re.fullmatch(r" {4}6 {7}2 {10}2 {7}0\.[1-9]\d\d  yes", lines[2])


def test_a_dummy_is_marked() -> None:
    # a stop word without a long text after it is replaced by a dummy
    doc = extract("<table><tr><td>Lighthouse lit<tr><td>제목</table>", method="title-table")
    assert sections(write_explanation(doc))[HEADINGS["MainCandidate"]] == [
        "main  bytes  dummy  chosen  text",
        "   1      0  yes    yes",
    ]


def test_two_choices_have_two_tables() -> None:
    doc = extract(HTML, method=Sentence("mine", steps=("fullest", "similar")))
    headings = [heading for heading, _ in parts(write_explanation(doc))]
    assert headings == ["", *[HEADINGS[name] for name in ("Depth", "Wanted", "Depth")], "Leaves", "Text"]


class Weighed(NamedTuple):
    """What was weighed, in so many words that
    they take two lines.

    And a note for those who read the source.
    """

    share: float
    says: str
    path: str
    none: None = None


class Ours:
    """A method with its own evidence, which keeps the first leaf."""

    def __init__(self, *evidence: Any) -> None:
        self.evidence = evidence

    def label(self, page: Page) -> Labels:
        size = len(page.texts)
        kept = [leaf == 0 for leaf in range(size)]
        return Labels("ours", "leaf", [2 / 3] * size, kept, ["first"] * size, 1 / 3, evidence=self.evidence)


def test_evidence_of_any_kind_is_explained() -> None:
    long = "word " * 20
    records = Weighed(2 / 3, long, "html/body/div/div/p"), Weighed(1.0, "x\ny", "html")
    doc = extract("<p>One</p>", method=Ours(*records))
    heading, lines = parts(write_explanation(doc))[1]
    assert heading == "What was weighed, in so many words that they take two lines."
    assert [re.split("  +", line) for line in lines] == [
        ["share", "says", "path", "none"],
        ["0.667", "word " * 11 + "word…", "html/body/div/div/p", "-"],
        ["1.000", "x y", "html", "-"],
    ]
    values = explain(doc)
    assert values["evidence"] == [
        {"is": "Weighed", "share": 0.6667, "says": long, "path": "html/body/div/div/p", "none": None},
        {"is": "Weighed", "share": 1.0, "says": "x\ny", "path": "html", "none": None},
    ]
    assert (values["confidence"], values["rows"][0]["score"]) == (0.3333, 0.6667)


# --- every method ----------------------------------------------------------------------------------------------------


@every_method
def test_the_start_agrees_with_the_document(method: str) -> None:
    doc = extract(HTML, method=method)
    assert sections(write_explanation(doc))[""] == [
        f"method      {method}",
        "title       Lighthouse lit",
        f"confidence  {doc.confidence:.2f}",
        f"kept        {sum(doc.labels.kept)} of 5 {unit_of(doc).lower()}",
    ]


@every_method
def test_evidence_has_a_table_for_each_kind(method: str) -> None:
    doc = extract(HTML, method=method)
    headings = [heading for heading, _ in parts(write_explanation(doc))]
    assert headings == ["", *[HEADINGS[name] for name in EVIDENCE.get(method, [])], unit_of(doc), "Text"]


@every_method
def test_evidence_has_a_line_for_each_record(method: str) -> None:
    doc = extract(HTML, method=method)
    shown = sections(write_explanation(doc))
    for name in EVIDENCE.get(method, []):
        lines = shown[HEADINGS[name]]
        records = [record._asdict() for record in doc.labels.evidence if type(record).__name__ == name]
        assert lines[0].split() == list(records[0])
        assert len(lines) == 1 + len(records)
        if "chosen" in records[0]:
            assert marks(lines) == [record["chosen"] for record in records]
        for line, record in zip(lines[1:], records, strict=True):
            for number in (value for value in record.values() if type(value) is float):
                assert f"{number:.3f}" in line.split()


@pytest.mark.parametrize("method", ["xpath", "xpath+", "title-table", "title-table+", "sentence:MM", "sentence:M4"])
def test_one_group_or_candidate_of_each_kind_is_marked(method: str) -> None:
    shown = sections(write_explanation(extract(HTML, method=method)))
    names = [name for name in EVIDENCE[method] if name != "Wanted"]
    assert [sum(marks(shown[HEADINGS[name]])) for name in names] == [1] * len(names)


@every_method
def test_every_row_has_its_score_reason_path_and_text(method: str) -> None:
    doc = extract(HTML, method=method)
    lines = sections(write_explanation(doc))[unit_of(doc)]
    assert lines[0].split() == ["#", "score", "kept", "reason", "path", "text"]
    texts = ["Lighthouse lit", "Lighthouse lit", MAIN[:50].rstrip(), "Some say by Ann.", "Home, sweet home."]
    paths = ["html/body/h1", "…/table/tbody/tr/td", "…/table/tbody/tr/td", "html/body/div/p", "html/body/p"]
    for number, (line, path, text) in enumerate(zip(lines[1:], paths, texts, strict=True)):
        score, kept, reason = doc.labels.scores[number], doc.labels.kept[number], doc.labels.reasons[number]
        mark = "yes " if kept else "    "
        assert re.match(rf"{number}  {score:.3f}  {mark}  {re.escape(reason)}  +{path}(?:/a)?  +{text}", line)


@every_method
def test_the_text_is_at_the_end(method: str) -> None:
    doc = extract((EXAMPLES / "ko-board.html").read_bytes(), method=method)
    assert doc.text
    assert write_explanation(doc).endswith(f"\n\nText\n\n{doc.text}")


def rounded(record: Any) -> dict[str, Any]:
    values = {name: round(value, 4) if type(value) is float else value for name, value in record._asdict().items()}
    return {"is": type(record).__name__} | values


@pytest.mark.slow
@on_some_pages
def test_plain_values_are_complete_and_json(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    for method in PAGE_METHODS:
        doc = extract(page, method=method)
        labels = doc.labels
        values = explain(doc)
        assert json.loads(json.dumps(values, allow_nan=False)) == values, method
        assert (values["method"], values["unit"], values["title"]) == (method, labels.unit, doc.title)
        assert values["confidence"] == round(doc.confidence, 4), method
        rows = values["rows"]
        assert [row["text"] for row in rows] == [row.text for row in rows_of(doc)], method
        assert [row["xpath"] for row in rows] == [row.xpath for row in rows_of(doc)], method
        assert [row["score"] for row in rows] == [round(score, 4) for score in labels.scores], method
        assert [row["kept"] for row in rows] == list(labels.kept), method
        assert [row["reason"] for row in rows] == list(labels.reasons), method
        assert values["kept"] == sum(labels.kept), method
        assert values["evidence"] == [rounded(record) for record in labels.evidence], method
        kinds = {*EVIDENCE.get(method, []), *(["Region"] if method == "auto" else [])}
        assert {record["is"] for record in values["evidence"]} <= kinds, method


@pytest.mark.slow
@on_some_pages
def test_every_page_can_be_explained_in_tables(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    for method in PAGE_METHODS:
        doc = extract(page, method=method)
        text = write_explanation(doc)
        lines = sections(text)[unit_of(doc)]
        numbers = [f"{number:,}" for number in range(len(rows_of(doc)))]
        assert [line.split()[0] for line in lines[1:]] == numbers, method
        assert max(map(len, text.removesuffix(doc.text).splitlines())) < 200, method


@every_method
def test_a_page_without_text_is_explained(method: str) -> None:
    doc = extract("<div></div>", method=method)
    shown = sections(write_explanation(doc))
    assert list(shown) == ["", unit_of(doc), "Text"]
    assert shown["Text"] == ["(none)"]
    assert (explain(doc)["rows"], explain(doc)["kept"], explain(doc)["confidence"]) == ([], 0, 0.0)


# --- leaves that are cut, long texts and paths -----------------------------------------------------------------------


def test_a_cut_leaf_has_the_text_that_was_kept() -> None:
    rows = explain(extract(CUT, method="sentence:M3"))["rows"]
    assert [(row["text"], row.get("kept_text")) for row in rows] == [
        ("The light is back. More", "The light is back."),
        ("Bread.", None),
    ]


def test_the_table_shows_what_was_kept_of_a_leaf() -> None:
    lines = sections(write_explanation(extract(CUT, method="sentence:M3")))["Leaves"]
    assert [line.split("  ")[-1] for line in lines[1:]] == ["The light is back. […]", "Bread."]


def test_cut_code_is_on_one_line() -> None:
    doc = extract("<pre>The light\n   is back.\n\n   More</pre>", method="sentence:M3")
    assert sections(write_explanation(doc))["Leaves"][1].endswith("  The light is back. […]")
    assert explain(doc)["rows"][0]["kept_text"] == "The light\n   is back."


class CutBlocks:
    """A method over blocks, which keeps the first of two; cuts refer to leaves, so they must be ignored."""

    def label(self, page: Page) -> Labels:
        return Labels("ours", "block", [1.0, 0.0], [True, False], ["", ""], 1.0, cuts={1: "two"})


BLOCKS = "<p>One <b>two three</b></p><p>Four</p>"


def test_a_method_over_blocks_ignores_cuts() -> None:
    doc = extract(BLOCKS, method=CutBlocks())
    assert doc.text == "One two three"
    assert ["kept_text" in row for row in explain(doc)["rows"]] == [False, False]


def test_a_method_over_blocks_ignores_cuts_in_tables() -> None:
    lines = sections(write_explanation(extract(BLOCKS, method=CutBlocks())))["Blocks"]
    assert [line.split("  ")[-1] for line in lines[1:]] == ["One two three", "Four"]


def test_a_long_cut_leaf_is_marked() -> None:
    doc = extract(f"<p>{TEXT * 3} And then</p>", method="sentence:M3")
    assert 0 in doc.labels.cuts
    assert "[…]" in sections(write_explanation(doc))["Leaves"][1]


def test_long_texts_are_shortened_in_tables_but_not_in_json() -> None:
    doc = extract(f"<p>{'한글 ' * 100}</p>", method="all")
    line = sections(write_explanation(doc))["Blocks"][1]
    assert line.endswith("  " + ("한글 " * 12).strip() + "…")
    assert explain(doc)["rows"][0]["text"] == ("한글 " * 100).strip()


def test_long_paths_are_shortened_in_tables_but_not_in_json() -> None:
    doc = extract("<div><main><section><p>text</p></section></main></div><section><p>more", method="all")
    assert [line.split()[4] for line in sections(write_explanation(doc))["Blocks"][1:]] == [
        "…/div/main/section/p",
        "html/body/section/p",
    ]
    assert explain(doc)["rows"][0]["tag_path"] == "html/body/div/main/section/p"


def test_code_is_on_one_line_of_the_table() -> None:
    doc = extract("<pre>if x:\n    y\n</pre>", method="all")
    assert sections(write_explanation(doc))["Blocks"][1].endswith("  if x: y")


def test_the_reasons_of_rules_are_shown() -> None:
    doc = extract(f"<h1>T</h1><p>{TEXT * 3}</p><div class=comments><p>Me too.</p></div><p hidden>x</p>", method="rules")
    lines = sections(write_explanation(doc))["Blocks"]
    assert [re.search(r"(comment|hidden) +html", line) is not None for line in lines[-2:]] == [True, True]


def test_a_title_is_on_one_line() -> None:
    doc = extract(f"<h1>The lighthouse<br>is lit again</h1><p>{TEXT * 2}</p>", method="title-table+")
    assert sections(write_explanation(doc))[""][1] == "title       The lighthouse is lit again"


@pytest.mark.parametrize("title", ["Fresh bread", " Fresh\n\n  bread "])
def test_the_title_used_for_comparison_is_shown(title: str) -> None:
    doc = extract(CUT, method=make_method("sentence:M324", title=title))
    assert sections(write_explanation(doc))[HEADINGS["Wanted"]] == ["title", "Fresh bread"]
    assert explain(doc)["evidence"][0] == {"is": "Wanted", "title": "Fresh bread"}
    assert explain(doc)["title"] == "Light again"


def test_a_missing_title_is_shown_as_missing() -> None:
    doc = extract("<p>The light is back.</p>", method="sentence:M324")
    assert [record["is"] for record in explain(doc)["evidence"]] == ["Depth"]
    assert sections(write_explanation(doc))[HEADINGS["Depth"]][1].split() == ["3", "1", "1", "-", "yes"]


def test_direction_marks_in_texts_are_removed_in_tables() -> None:
    doc = extract("<p>The \u202elight\u202c is \u2067back</p>", method="all")
    assert sections(write_explanation(doc))["Blocks"][1].endswith("  The light is back")
    assert explain(doc)["rows"][0]["text"] == "The \u202elight\u202c is \u2067back"


def test_direction_marks_in_titles_are_removed() -> None:
    doc = extract("<title>The \u202elight</title><p>x", method="all")
    assert sections(write_explanation(doc))[""][1] == "title       The light"


def test_only_the_heaviest_group_is_called_the_heaviest() -> None:
    doc = extract(
        f"<div><p>{TEXT * 3}</p></div><section><blockquote>{TEXT * 4}</blockquote></section>", method="xpath+"
    )
    weights = [record["weight"] for record in explain(doc)["evidence"]]
    assert weights[0] < weights[1]
    assert doc.labels.kept == [True, False]
    assert list(doc.labels.reasons) == ["in the chosen group", "outside of the group"]
    assert marks(sections(write_explanation(doc))[HEADINGS["WeighedGroup"]]) == [True, False]


@every_method
def test_hidden_rows_are_called_hidden(method: str) -> None:
    rows = explain(extract(f"{HTML}<p hidden>{TEXT}</p>", method=method))["rows"]
    assert rows[-1]["reason"].startswith("hidden")


# --- the command -----------------------------------------------------------------------------------------------------


@every_method
def test_the_command_prints_the_tables(bonmun: Bonmun, method: str) -> None:
    result = bonmun(write("a.html"), "-m", method)
    expected = write_explanation(extract(HTML.encode(), method=method)) + "\n"
    assert (result.stdout, result.stderr, result.exit_code) == (expected, "", 0)


@every_method
def test_the_command_prints_json(bonmun: Bonmun, method: str) -> None:
    result = bonmun(write("a.html"), "-m", method, "-f", "json")
    values = {"input": "a.html"} | explain(extract(HTML.encode(), method=method))
    assert json.loads(result.stdout) == values
    assert (result.stdout.count("\n"), result.stderr, result.exit_code) == (1, "", 0)


def test_stdin_its_url_and_its_title_are_explained(bonmun: Bonmun) -> None:
    args = ["-", "-m", "sentence:M324", "--url", "https://example.org/1", "--title", "Bread", "-f", "json"]
    values = json.loads(bonmun(*args, stdin=CUT.encode()).stdout)
    assert (values["input"], values["url"]) == ("-", "https://example.org/1")
    assert [row["kept"] for row in values["rows"]] == [False, True]


def test_several_explanations_have_their_names_as_headings(bonmun: Bonmun) -> None:
    names = [write("a.html"), write("in/b.html", CUT)]
    one, other = (write_explanation(extract(html.encode(), method="xpath")) for html in (HTML, CUT))
    result = bonmun(names[0], "in", "-m", "xpath")
    assert result.stdout == f"==> a.html <==\n\n{one}\n\n==> in/b.html <==\n\n{other}\n"
    assert (result.stderr, result.exit_code) == ("", 0)


def test_several_explanations_in_json_have_one_line_each(bonmun: Bonmun) -> None:
    names = [write("a.html"), write("b.html", CUT)]
    lines = bonmun(*names, "-f", "json", "-m", "sentence:M3").stdout.splitlines()
    assert [json.loads(line)["input"] for line in lines] == names
    assert [len(json.loads(line)["rows"]) for line in lines] == [5, 2]


def test_a_bad_page_is_named_and_the_others_are_explained(bonmun: Bonmun) -> None:
    write("a.html", ""), write("b.html", CUT)
    result = bonmun("a.html", "missing.html", "b.html")
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["a.html", "missing.html"]
    assert result.stdout == f"==> b.html <==\n\n{write_explanation(extract(CUT.encode()))}\n"
    assert result.exit_code == 1


@pytest.mark.parametrize("format_", ["text", "json"])
def test_an_output_file_has_the_content_of_stdout(bonmun: Bonmun, format_: str) -> None:
    names = [write("a.html"), write("b.html", CUT)]
    expected = bonmun(*names, "-f", format_).stdout_bytes
    result = bonmun(*names, "-f", format_, "-o", "out.x")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert Path("out.x").read_bytes() == expected
    assert not Path("out.x.part").exists()


@pytest.mark.parametrize(("format_", "ending"), [("text", "txt"), ("json", "json")])
def test_an_output_folder_has_a_file_for_each_page(bonmun: Bonmun, format_: str, ending: str) -> None:
    write("in/a.html"), write("in/b/c.html", CUT)
    result = bonmun("in", "-f", format_, "-o", "out/")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    found = {str(path.relative_to("out")): path.read_text("utf-8") for path in Path("out").rglob("*") if path.is_file()}
    assert set(found) == {f"a.explain.{ending}", f"b/c.explain.{ending}"}
    if format_ == "text":
        assert found["b/c.explain.txt"] == write_explanation(extract(CUT.encode())) + "\n"
    else:
        assert json.loads(found["b/c.explain.json"]) == {"input": "in/b/c.html"} | explain(extract(CUT.encode()))


def test_a_document_and_its_explanation_fit_into_one_folder(bonmun: Bonmun) -> None:
    write("in/a.html", CUT), write("out/a.txt", "the document"), write("b/a.html")
    assert bonmun("in", "b", "-o", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["a-2.explain.txt", "a.explain.txt", "a.txt"]
    assert Path("out/a.txt").read_text() == "the document"


@pytest.mark.parametrize("output", [[], ["-o", "out.x"], ["-o", "out/"]])
@pytest.mark.parametrize("format_", ["markdown", "html", "xml"])
def test_other_formats_are_rejected(bonmun: Bonmun, format_: str, output: list[str]) -> None:
    result = bonmun(write("a.html"), "-f", format_, *output)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert re.fullmatch(rf"bonmun: .*text or json, not {format_}: choose one with --format\.\n", result.stderr)
    assert [path.name for path in Path().iterdir()] == ["a.html"]


def test_an_unknown_format_is_rejected(bonmun: Bonmun) -> None:
    result = bonmun(write("a.html"), "-f", "pdf")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "text, markdown, html, json, xml" in result.stderr


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_page_without_text_does_not_fail(bonmun: Bonmun, format_: str) -> None:
    result = bonmun(write("a.html", "<title>Shell</title><div id=app></div>"), "-f", format_)
    assert (result.stderr, result.exit_code) == ("", 0)
    if format_ == "text":
        assert result.stdout.endswith("#  score  kept  reason  path  text\n\nText\n\n(none)\n")
    else:
        assert json.loads(result.stdout)["rows"] == []


@pytest.mark.slow
def test_without_the_option_nothing_is_explained(tmp_path: Path) -> None:
    done = command("extract", "-", "-m", "sentence:M3", input=CUT.encode(), cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (b"The light is back.\n\nBread.\n", b"", 0)


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json"])
def test_explanations_are_the_same_in_every_process(format_: str) -> None:
    names = [str(path) for path in SOURCES.values()]
    results = [
        command(
            *["extract", "--explain", *names, "-f", format_, "-m", "title-table+"],
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in ("0", "12345")
    ]
    assert results[0].stdout == results[1].stdout
    name = '"MainCandidate"' if format_ == "json" else f"\n{HEADINGS['MainCandidate']}\n"
    assert results[0].stdout.count(name.encode()) > 5
    assert [(result.stderr, result.returncode) for result in results] == [(b"", 0)] * 2


@pytest.mark.slow
def test_explanations_are_utf_8_in_every_locale(tmp_path: Path) -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = command("extract", "--explain", "-", "-m", "all", input="<p>등대의 불빛</p>".encode(), cwd=tmp_path, env=env)
    assert done.stdout.count("등대의 불빛".encode()) == 2
    assert (done.stderr, done.returncode) == (b"", 0)


def test_labels_of_a_parsed_page_are_not_changed() -> None:
    page = Page.parse(HTML)
    before = [explain(extract(page, method=name)) for name in PAGE_METHODS]
    assert [explain(extract(page, method=name)) for name in PAGE_METHODS] == before
