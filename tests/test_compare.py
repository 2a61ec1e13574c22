"""Methods side by side: the figures by hand, and `bonmun compare`."""

from __future__ import annotations

import json
import math
import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bonmun import Page, extract
from bonmun.algorithms import PAGE_METHODS
from bonmun.compare import Comparison, Result, compare
from bonmun.errors import BadConfig
from bonmun.options import Options
from samples import EXAMPLES, ROOT, command, on_some_pages, save, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

# Three leaves: 9 characters in a link, 20 in two sentences, 8 in none.
HTML = "<title>T</title><nav><a href=/>Home page</a></nav><p>One two. Three four.</p><p>One five</p>"
NAMES = ["all", "sentence:M2", "sentence:M3"]  # all three leaves, the last two, the second
GOLD = "one TWO, three - seven"
TEXT = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
TITLED = f"<h1>The lighthouse is lit again</h1><p>{TEXT * 2}</p><p>{TEXT}</p>"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3"


def compared(html: str = HTML, *names: str, **settings: Any) -> Comparison:
    gold = settings.pop("gold", None)
    return compare(Page.parse(html), names, gold, Options(**settings))


# --- compare() -------------------------------------------------------------------------------------------------------


def test_all_methods_are_compared_in_the_order_of_the_table() -> None:
    found = compared()
    assert [result.method for result in found.results] == list(PAGE_METHODS)
    assert [len(row) for row in found.agreement] == [len(PAGE_METHODS)] * len(PAGE_METHODS)


@pytest.mark.parametrize("names", [["xpath"], ["sentence:M3", "all"], ["all", "xpath", "auto"]])
def test_named_methods_are_compared_in_the_order_of_their_names(names: list[str]) -> None:
    found = compared(HTML, *names)
    assert [result.method for result in found.results] == names
    assert [len(row) for row in found.agreement] == [len(names)] * len(names)


def test_a_method_that_is_named_twice_is_compared_once() -> None:
    found = compared(HTML, "sentence:M3", "auto", "sentence:M3")
    assert [result.method for result in found.results] == ["sentence:M3", "auto"]
    assert [len(row) for row in found.agreement] == [2, 2]


def test_characters_and_their_share_by_hand() -> None:
    found = compared(HTML, *NAMES, "xpath", "density")
    assert [result.characters for result in found.results] == [37, 28, 20, 28, 28]
    assert [result.share for result in found.results] == [1, 28 / 37, 20 / 37, 28 / 37, 28 / 37]


def test_hidden_text_is_no_part_of_the_share() -> None:
    found = compared(HTML + "<p hidden>and some that nobody sees</p>", *NAMES)
    assert [result.share for result in found.results] == [1, 28 / 37, 20 / 37]


def test_a_korean_syllable_is_one_character() -> None:
    result = compared("<p>불이 켜졌다</p><p><a href=x>목록</a></p>", "sentence:M2").results[0]
    assert (result.characters, result.share) == (6, 6 / 8)


def test_agreement_by_hand() -> None:
    # eight words, six of them, four of those
    assert compared(HTML, *NAMES).agreement == (
        (1.0, 2 * 6 / 14, 2 * 4 / 12),
        (2 * 6 / 14, 1.0, 2 * 4 / 10),
        (2 * 4 / 12, 2 * 4 / 10, 1.0),
    )


@pytest.mark.slow
@on_some_pages
def test_agreement_is_symmetric_with_ones_on_the_diagonal(path: Path) -> None:
    found = compare(Page.parse(path.read_bytes()))
    rows = found.agreement
    assert tuple(zip(*rows, strict=True)) == rows
    assert {row[number] for number, row in enumerate(rows)} == {1.0}
    assert all(0 <= value <= 1 for row in rows for value in row)
    assert all(0 <= result.share <= 1 and result.ms > 0 for result in found.results)


@pytest.mark.slow
@on_some_pages
def test_a_result_is_what_extract_gives(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    for result in compare(page).results:
        doc = extract(page, method=result.method)
        assert (result.confidence, result.title) == (doc.confidence, doc.labels.title)
        assert (result.characters > 0) == bool(doc.text)


def test_without_gold_there_is_no_overlap() -> None:
    assert [result.gold for result in compared(HTML, *NAMES).results] == [None] * 3


def test_precision_recall_and_f1_by_hand() -> None:
    measures = []
    for result in compared(HTML, *NAMES, gold=GOLD).results:
        assert result.gold is not None
        measures.append((result.gold.precision, result.gold.recall, result.gold.f1))
    assert measures == [(3 / 8, 3 / 4, 6 / 12), (3 / 6, 3 / 4, 6 / 10), (3 / 4, 3 / 4, 6 / 8)]


@pytest.mark.parametrize(("gold", "f1"), [("", 0.0), ("!", 0.0), ("One two. Three four.", 1.0), ("ONE 2", 1 / 3)])
def test_any_text_may_be_gold(gold: str, f1: float) -> None:
    overlap = compared(HTML, "sentence:M3", gold=gold).results[0].gold
    assert overlap is not None
    assert overlap.f1 == pytest.approx(f1)


DEPTHS = """<p>Bread rises slowly in a warm kitchen.</p>
<div><div><p>The lighthouse at the end of the pier is lit again.</p></div></div>"""


@pytest.mark.parametrize(("title", "characters"), [("Bread rises", 37), ("A lighthouse is lit", 51)])
def test_the_title_goes_to_the_methods_that_take_one(title: str, characters: int) -> None:
    found = compared(DEPTHS, "sentence:M4", "all", "auto", "sentence:MM", title=title)
    assert found.results[0].characters == characters
    assert found.results[1].characters == 37 + 51


def test_a_title_is_no_harm_to_methods_that_take_none() -> None:
    assert [result.method for result in compared(title="A title").results] == list(PAGE_METHODS)


@pytest.mark.parametrize("title", ["", " ", "\n"])
def test_an_empty_title_is_refused(title: str) -> None:
    with pytest.raises(BadConfig, match="title is empty"):
        compared(title=title)


@pytest.mark.parametrize("title", ["A title", ""])
def test_a_title_that_no_method_takes_is_refused(title: str) -> None:
    with pytest.raises(BadConfig) as caught:
        compared(HTML, "auto", "sentence:MM", "title-table", title=title)
    assert str(caught.value) == "None of auto, sentence:MM, title-table takes a title: leave it out."


@pytest.mark.parametrize(
    ("name", "says"),
    [("aut", "did you mean auto?"), ("M324", "did you mean sentence:M324?"), ("qqq", "`bonmun methods` lists all")],
)
@pytest.mark.parametrize("title", [None, "A title"])
def test_an_unknown_name_is_refused_with_near_matches(name: str, says: str, title: str | None) -> None:
    with pytest.raises(BadConfig) as caught:
        compared(HTML, "all", name, title=title)
    assert str(caught.value).startswith(f"Unknown method {name!r}")
    assert says in str(caught.value)


def test_a_page_without_text_is_no_error() -> None:
    found = compared("<div></div>", gold=GOLD)
    assert {(result.characters, result.share, result.confidence) for result in found.results} == {(0, 0.0, 0.0)}
    assert {value for row in found.agreement for value in row} == {1.0}
    assert {result.gold.f1 for result in found.results if result.gold} == {0.0}
    assert len(found.table().splitlines()) == 2 * len(PAGE_METHODS) + 5


def test_text_that_is_cut_is_not_counted() -> None:
    result = compared("<p>One two. Three</p><pre>  four\n  five.\n\n  six</pre>", "sentence:M3").results[0]
    assert (result.characters, result.share) == (8 + 10, 18 / 28)


def test_indented_code_counts_the_same_in_characters_and_share() -> None:
    code = "\n".join(" " * 300 + word for word in ("alpha", "beta"))
    every, some = compared(f"<p>One two. Three four.</p><pre>{code}</pre>", "all", "sentence:M3").results
    assert some.share == pytest.approx(some.characters / every.characters)


def test_all_is_all_on_a_page_that_hides_everything() -> None:
    every, text = compared(f"<body style='visibility:hidden'><p>{TEXT}</p>", "all", "sentence:M1").results
    assert every.share == text.share == 1


# --- to_dict() and table() -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gold", [None, GOLD])
def test_plain_values_hold_everything_and_are_json(gold: str | None) -> None:
    found = compared(TITLED, gold=gold)
    values = found.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["agreement"] == [[round(value, 4) for value in row] for row in found.agreement]
    for row, result in zip(values["methods"], found.results, strict=True):
        overlap = result.gold
        assert row == {
            "method": result.method,
            "characters": result.characters,
            "share": round(result.share, 4),
            "ms": round(result.ms, 4),
            "confidence": round(result.confidence, 4),
            "title": result.title,
            "gold": None
            if overlap is None
            else {name: pytest.approx(getattr(overlap, name), abs=1e-4) for name in ("precision", "recall", "f1")},
        }
    assert {row["gold"] is None for row in values["methods"]} == {gold is None}


def test_figures_are_rounded_by_hand() -> None:
    values = compared(HTML, *NAMES).to_dict()
    assert [row["share"] for row in values["methods"]] == [1.0, 0.7568, 0.5405]
    assert values["agreement"] == [[1.0, 0.8571, 0.6667], [0.8571, 1.0, 0.8], [0.6667, 0.8, 1.0]]


def test_figures_of_the_gold_are_rounded_by_hand() -> None:
    row = compared(HTML, "sentence:M2", gold="one seven eight").to_dict()["methods"][0]
    assert row["gold"] == {"precision": 0.1667, "recall": 0.3333, "f1": 0.2222}


def test_the_table_by_hand() -> None:
    table = compared(HTML, *NAMES, gold=GOLD).table()
    assert re.sub(r"% +\d+\.\d\d", "% TIME", re.sub("share +ms", "share   ms", table)) == (
        "#  method       characters  share   ms  confidence  precision  recall     f1\n"
        "1  all                  37   100% TIME        0.00      0.375   0.750  0.500\n"
        "2  sentence:M2          28    76% TIME        0.00      0.500   0.750  0.600\n"
        "3  sentence:M3          20    54% TIME        0.20      0.750   0.750  0.750\n"
        "\n"
        "Word F1 between any two methods, in percent (=: same words, -: both empty)\n"
        "\n"
        "# method       1  2\n"
        "1 all\n"
        "2 sentence:M2 86\n"
        "3 sentence:M3 67 80"
    )


def test_the_table_has_a_line_for_each_method() -> None:
    figures, says, agreement = compared().table().split("\n\n")[:3]
    assert [line.split()[:2] for line in figures.splitlines()[1:]] == [
        [str(number), name] for number, name in enumerate(PAGE_METHODS, 1)
    ]
    assert says.startswith("Word F1 between any two")
    assert [line.split()[:2] for line in agreement.splitlines()[1:]] == [
        [str(number), name] for number, name in enumerate(PAGE_METHODS, 1)
    ]
    assert agreement.splitlines()[0].split() == ["#", "method", *map(str, range(1, len(PAGE_METHODS)))]


@pytest.mark.slow
@on_some_pages
def test_agreement_is_shown_as_a_lower_triangle(path: Path) -> None:
    found = compare(Page.parse(path.read_bytes()))
    lines = found.table().split("\n\n")[2].splitlines()[1:]
    cells = [line.split()[2:] for line in lines]
    assert [len(row) for row in cells] == list(range(len(PAGE_METHODS)))
    for row, values in zip(cells, found.agreement, strict=True):
        for cell, value in zip(row, values, strict=False):
            assert (cell in "=-") == (value == 1)
            assert cell in "=-" or abs(int(cell) - value * 100) <= 1


def agreeing(characters: tuple[int, int], value: float) -> str:
    """The cell for two methods that keep so many characters and agree so far."""
    results = tuple(Result(name, kept, 0.5, 1.0, 0.5, None, None) for name, kept in zip("ab", characters, strict=True))
    table = Comparison(results, ((1.0, value), (value, 1.0))).table()
    return table.splitlines()[-1].removeprefix("2 b").strip()


@pytest.mark.parametrize(
    ("value", "cell"),
    [(1.0, "="), (0.9999, "99"), (0.99, "99"), (0.98, "98"), (0.5, "50"), (0.006, "1"), (0.004, "0"), (0.0, "0")],
)
def test_only_the_same_words_are_called_so(value: float, cell: str) -> None:
    assert agreeing((10, 20), value) == cell


@pytest.mark.parametrize(("characters", "cell"), [((0, 0), "-"), ((0, 3), "="), ((3, 0), "="), ((3, 3), "=")])
def test_only_what_is_empty_twice_is_called_so(characters: tuple[int, int], cell: str) -> None:
    assert agreeing(characters, 1.0) == cell


def test_methods_that_keep_nothing_are_marked() -> None:
    # no leaf ends in a sentence mark, and there is no table
    table = compared("<p>One two</p>", "sentence:M3", "all", "title-table", "sentence:M1").table()
    assert table.split("\n\n")[2] == (
        "# method      1 2 3\n1 sentence:M3\n2 all         0\n3 title-table - 0\n4 sentence:M1 0 = 0"
    )


def test_one_method_agrees_with_no_other() -> None:
    table = compared(HTML, "all").table()
    assert table.startswith("#  method  characters")
    assert len(table.splitlines()) == 2


@pytest.mark.parametrize("gold", [None, "", GOLD])
def test_the_columns_of_the_gold_come_with_the_gold(gold: str | None) -> None:
    header = compared(HTML, "all", gold=gold).table().splitlines()[0].split()
    assert header[-3:] == (["share", "ms", "confidence"] if gold is None else ["precision", "recall", "f1"])


def test_titles_that_were_found_are_said() -> None:
    found = compared(TITLED, "auto", "title-table+", "title-table")
    assert found.table().split("\n\n")[3:] == ["title of title-table+: The lighthouse is lit again"]
    assert [result.title for result in found.results] == [None, "The lighthouse is lit again", None]


def test_a_title_is_on_one_line() -> None:
    found = compared(TITLED.replace("is lit", "<br>is lit"), "title-table+")
    assert found.table().splitlines()[-1] == "title of title-table+: The lighthouse is lit again"


def test_direction_marks_in_titles_are_removed() -> None:
    found = compared(TITLED.replace("is lit", "\u202eis lit"), "title-table+")
    assert found.table().splitlines()[-1] == "title of title-table+: The lighthouse is lit again"


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def bonmun(bonmun: Bonmun) -> Bonmun:
    """Run `bonmun compare` in an empty folder."""
    return partial(bonmun, "compare")


def write(name: str, content: str | bytes = HTML) -> str:
    return save(name, content)


def untimed(answer: str | bytes) -> dict[str, Any]:
    """The values of a JSON answer without the times."""
    values: dict[str, Any] = json.loads(answer)
    for row in values["methods"]:
        assert row.pop("ms") > 0
    return values


def answer_for(name: str, html: str, *names: str, **settings: str | None) -> dict[str, Any]:
    return untimed(json.dumps({"input": name} | compared(html, *names, **settings).to_dict()))


def test_a_file_gives_what_compare_gives(bonmun: Bonmun) -> None:
    result = bonmun(write("a.html"), "--format", "json")
    assert untimed(result.stdout) == answer_for("a.html", HTML)
    assert (result.stdout.count("\n"), result.stderr, result.exit_code) == (1, "", 0)


def test_the_table_comes_without_options(bonmun: Bonmun) -> None:
    result = bonmun(write("a.html", TITLED))
    assert (result.stderr, result.exit_code) == ("", 0)
    numbers = re.compile(r" +\d+\.\d+")
    assert numbers.sub("", result.stdout) == numbers.sub("", compared(TITLED).table()) + "\n"


def test_stdin_is_read(bonmun: Bonmun) -> None:
    result = bonmun("-", "-f", "json", stdin=HTML.encode())
    assert untimed(result.stdout) == answer_for("-", HTML)
    assert (result.stderr, result.exit_code) == ("", 0)


@pytest.mark.parametrize("names", [["sentence:M3"], ["sentence:M3", "all"], ["all", "xpath", "auto"]])
def test_methods_may_be_chosen(bonmun: Bonmun, names: list[str]) -> None:
    options = [part for name in names for part in ("--method", name)]
    result = bonmun(write("a.html"), *options, "-f", "json")
    assert untimed(result.stdout) == answer_for("a.html", HTML, *names)


def test_the_title_is_passed_on(bonmun: Bonmun) -> None:
    results = [
        bonmun(write("a.html", DEPTHS), "-m", "sentence:M4", "-m", "auto", "-f", "json", "--title", title)
        for title in ("Bread rises", "A lighthouse is lit")
    ]
    assert [json.loads(result.stdout)["methods"][0]["characters"] for result in results] == [37, 51]
    assert {result.exit_code for result in results} == {0}


def test_the_encoding_is_passed_on(bonmun: Bonmun) -> None:
    name = write("a.html", "<p>Żółć i gęś</p>".encode("iso8859-2"))
    args = [name, "-m", "all", "--gold", write("gold.txt", "Żółć i gęś"), "-f", "json"]
    f1 = [json.loads(bonmun(*args, "--encoding", code).stdout)["methods"][0]["gold"]["f1"] for code in ("l2", "koi8-r")]
    assert f1 == [1.0, pytest.approx(2 / 6, abs=1e-4)]


@pytest.mark.parametrize("data", [GOLD.encode(), GOLD.encode("utf-8-sig"), GOLD.replace(" ", "\r\n").encode()])
def test_the_gold_is_read(bonmun: Bonmun, data: bytes) -> None:
    write("gold.txt", data)
    result = bonmun(write("a.html"), "--gold", "gold.txt", *[f"-m{name}" for name in NAMES], "--format=json")
    assert untimed(result.stdout) == answer_for("a.html", HTML, *NAMES, gold=GOLD)
    assert (result.stderr, result.exit_code) == ("", 0)
    assert "precision  recall" in bonmun("a.html", "--gold", "gold.txt").stdout


def test_a_byte_order_mark_is_no_word(bonmun: Bonmun) -> None:
    write("gold.txt", b"\xef\xbb\xbfone")
    result = bonmun(write("a.html", "<p>One"), "--gold", "gold.txt", "-m", "all", "-f", "json")
    assert json.loads(result.stdout)["methods"][0]["gold"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_an_empty_gold_is_a_gold(bonmun: Bonmun) -> None:
    result = bonmun(write("a.html"), "--gold", write("gold.txt", ""), "-m", "all", "-f", "json")
    assert json.loads(result.stdout)["methods"][0]["gold"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_a_folder_with_one_page_is_that_page(bonmun: Bonmun) -> None:
    write("in/sub/a.html"), write("in/notes.txt", "no page")
    result = bonmun("in", "-f", "json")
    assert untimed(result.stdout) | {"input": ""} == answer_for("", HTML)
    assert (result.stderr, result.exit_code) == ("", 0)


def test_the_page_of_a_folder_is_named(bonmun: Bonmun) -> None:
    write("in/sub/a.html"), write("bad/b.html", "")
    assert json.loads(bonmun("in", "-m", "all", "-f", "json").stdout)["input"] == "in/sub/a.html"
    assert bonmun("bad").stderr.startswith("bonmun: bad/b.html: ")


def test_a_page_without_text_has_a_table(bonmun: Bonmun) -> None:
    result = bonmun(write("a.html", "<div></div>"))
    assert (len(result.stdout.splitlines()), result.stderr, result.exit_code) == (2 * len(PAGE_METHODS) + 5, "", 0)


# --- inputs that fail ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["text", "json"])
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.html", "no such file"),
        ("page.pdf", "PDF"),
        ("empty.html", "empty"),
        ("folder", "no page"),
        ("big.html", "larger"),
        ("-", "empty"),
        ("ftp://example.org/", "ftp"),
        ("http://127.0.0.1/", "not a public address"),
    ],
)
def test_an_input_that_is_no_page_is_named(bonmun: Bonmun, name: str, says: str, format_: str) -> None:
    write("page.pdf", PDF), write("empty.html", ""), write("folder/notes.txt", "no page"), write("big.html", HTML * 90)
    result = bonmun(name, "-f", format_, "--max-bytes", "5000", stdin=b"")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(rf"bonmun: {re.escape(name)}: .*{says}.*\.\n", result.stderr)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["-m", "aut"], "did you mean auto?"),
        (["-m", "all", "-m", "M324"], "did you mean sentence:M324?"),
        (["-f", "xml"], "choose text or json"),
        (["-f", "JSON"], "choose text or json"),
        (["-f", ""], "choose text or json"),
        (["--encoding", "euc-krr"], "Unknown encoding 'euc-krr'"),
        (["--title", " "], "title is empty"),
        (["--title", ""], "title is empty"),
        (["-m", "all", "-m", "auto", "--title", "A title"], "None of all, auto takes a title"),
        (["--gold", "missing.txt"], "Cannot read missing.txt"),
        (["--gold", "folder"], "Cannot read folder"),
        (["--gold", "latin.txt"], "latin.txt is not UTF-8"),
        (["--gold", "utf16.txt"], "utf16.txt is not UTF-8"),
    ],
)
@pytest.mark.parametrize("format_", [[], ["--format=json"]])
def test_wrong_use_says_what_is_right(bonmun: Bonmun, args: list[str], says: str, format_: list[str]) -> None:
    write("folder/a.html"), write("latin.txt", "gęś".encode("latin2")), write("utf16.txt", "one".encode("utf-16"))
    result = bonmun(write("a.html"), *format_, *args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert re.fullmatch(rf"bonmun: .*{re.escape(says)}.*\.\n", result.stderr)


def test_wrong_use_is_said_before_the_page_is_read(bonmun: Bonmun) -> None:
    assert bonmun("missing.html", "-m", "aut").exit_code == 2
    assert bonmun("missing.html", "--gold", "missing.txt").exit_code == 2


@pytest.mark.parametrize("args", [["--title", " "], ["-m", "all", "--title", "A title"]])
def test_a_wrong_title_is_said_before_the_page_is_read(bonmun: Bonmun, args: list[str]) -> None:
    assert bonmun("missing.html", *args).exit_code == 2


def test_several_pages_are_wrong_use(bonmun: Bonmun) -> None:
    write("in/a.html"), write("in/b/c.htm")
    result = bonmun("in")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert result.stderr == "bonmun: compare takes one page; there are 2 in 'in'.\n"


@pytest.mark.parametrize("args", [[], ["a.html", "b.html"], ["a.html", "--explain"], ["a.html", "--max-bytes", "many"]])
def test_unknown_options_and_several_names_are_wrong_use(bonmun: Bonmun, args: list[str]) -> None:
    write("a.html"), write("b.html")
    result = bonmun(*args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "Usage: " in result.stderr


def test_the_help_names_every_option(bonmun: Bonmun) -> None:
    result = bonmun("--help", env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert (result.stderr, result.exit_code) == ("", 0)
    for option in "--method --gold --format --url --title --encoding --max-bytes --allow-private".split():
        assert option in result.stdout


# --- the web ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Has a page in EUC-KR that only the header knows of, and what is no page."""
    page = ("<p>불이 켜졌다".encode("cp949"), "text/html; charset=EUC-KR")
    with served({"/page": page, "/pdf": (PDF, "application/pdf")}) as url:
        yield url


def test_a_url_is_fetched(bonmun: Bonmun, site: str) -> None:
    gold = write("gold.txt", "불이 켜졌다")
    result = bonmun(f"{site}/page", "--allow-private", "-f", "json", "--gold", gold)
    assert untimed(result.stdout) == answer_for(f"{site}/page", "<p>불이 켜졌다", gold="불이 켜졌다")
    assert (result.stderr, result.exit_code) == ("", 0)


@pytest.mark.parametrize(
    ("path", "options", "says"),
    [
        ("/page", [], "not a public address"),
        ("/missing", ["--allow-private"], "404"),
        ("/pdf", ["--allow-private"], "PDF|pdf"),
    ],
)
def test_a_url_that_gives_no_page_is_named(bonmun: Bonmun, site: str, path: str, options: list[str], says: str) -> None:
    result = bonmun(site + path, *options)
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.fullmatch(rf"bonmun: {re.escape(site + path)}: .*(?:{says}).*\.\n", result.stderr)


# --- processes of their own ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_results_and_complaints_keep_apart(tmp_path: Path) -> None:
    done = command("compare", "-", "-m", "all", "-f", "json", input=HTML.encode(), cwd=tmp_path)
    assert untimed(done.stdout) == answer_for("-", HTML, "all")
    assert (done.stderr, done.returncode) == (b"", 0)
    done = command("compare", "missing.html", cwd=tmp_path)
    assert (done.stdout, done.stderr) == (b"", b"bonmun: missing.html: There is no such file.\n")
    assert done.returncode == 1
    assert command("compare", "missing.html", "-m", "aut", cwd=tmp_path).returncode == 2


@pytest.mark.slow
def test_the_same_page_gives_the_same_answer_in_every_process() -> None:
    page = str(EXAMPLES / "ko-board.html")
    answers = []
    for seed in ("0", "12345"):
        done = command(
            "compare", page, "-f", "json", "--gold", str(ROOT / "README.md"), env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert (done.stderr, done.returncode) == (b"", 0)
        answers.append(untimed(done.stdout))
    assert answers[0] == answers[1]
    assert len(answers[0]["methods"]) == len(PAGE_METHODS)
    assert not any(math.isnan(row["gold"]["f1"]) for row in answers[0]["methods"])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line_on_stderr() -> None:
    with Path("/dev/full").open("wb") as full:
        done = command("compare", "-", "-m", "all", input=HTML.encode(), stdout=full)
    assert (done.stderr.count(b"\n"), done.returncode) == (1, 1)
    assert done.stderr.startswith(b"bonmun: Cannot write standard output: ")
