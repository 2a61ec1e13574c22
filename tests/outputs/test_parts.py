"""Parts of documents: nothing is lost or repeated, every part is within its budget, and sections are found."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadConfig, MissingPart
from bonmun.options import Options, PartOptions
from bonmun.outputs.chunks.pieces import measure_words
from bonmun.outputs.parts.write import describe_part, write_part
from bonmun.pipeline import extract
from bonmun.text.tokens import estimate_tokens
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.document import Document
    from bonmun.outputs.parts.part import DocumentPart

COUNTER = itertools.count(1)
KOREAN_SENTENCE = "강은 언덕 사이의 작은 호수에서 시작되어 서른 마일을 흐르고 {}번째 다리 아래에서 바다를 만난다. "
SENTENCE = "The river rises in a small lake among the hills, and below bridge {} two others join it. "


def repeat(sentence: str, count: int) -> str:
    """Return sentences that differ: a method drops blocks that repeat others."""
    return "".join(sentence.format(next(COUNTER)) for _ in range(count))


def paragraph() -> str:
    return f"<p>{repeat(SENTENCE, 3)}</p>"


ARTICLE = "<title>Rivers</title><h1>Rivers</h1>" + "".join(
    f"<h2>River {number}</h2>{paragraph()}{paragraph()}<h3>Floods of {number}</h3>{paragraph()}" for number in range(12)
)
KOREAN = "<title>강</title><h1>강</h1>" + "".join(
    f"<h2>제{number}장</h2><p>{repeat(KOREAN_SENTENCE, 8)}</p>" for number in range(8)
)
POST = """<div class="post" id="p{0}"><div class="author"><a href="/u/{0}">user{0}</a></div>
<time datetime="2024-05-0{1}T10:20">2024-05-0{1} 10:20</time><div class="body">{2}</div></div>"""
THREAD = "<title>Boats</title><h1>Boats</h1><div class='posts'>" + "".join(
    POST.format(number, number % 9 + 1, paragraph()) for number in range(40)
)
CODE = (
    f"<h1>Code</h1>{paragraph()}{paragraph()}<pre><code>"
    + "\n".join(f"line({n})" for n in range(800))
    + f"</code></pre>{paragraph()}"
)
TABLE = (
    f"<h1>Data</h1>{paragraph()}{paragraph()}<table><tr><th>Name</th><th>Length</th></tr>"
    + "".join(f"<tr><td>River {n}</td><td>{n} miles</td></tr>" for n in range(300))
    + f"</table>{paragraph()}"
)
ONE_WORD = f"<h1>Word</h1>{paragraph()}{paragraph()}<p>{'x' * 20_000}</p>{paragraph()}"
ONE_BLOCK = f"<h1>Block</h1><p>{repeat(SENTENCE, 400)}</p>"
LIST = f"<h1>List</h1>{paragraph()}<ul>" + "".join(f"<li>{repeat(SENTENCE, 1)}</li>" for _ in range(100)) + "</ul>"
PAGES = {
    "article": ARTICLE,
    "korean": KOREAN,
    "thread": THREAD,
    "code": CODE,
    "table": TABLE,
    "word": ONE_WORD,
    "block": ONE_BLOCK,
    "list": LIST,
}


def read_all(doc: Document, format_: str, **options: Any) -> list[DocumentPart]:
    """Read a document part by part."""
    parts = [doc.part(format_, **options)]
    while rest := parts[-1].rest:
        assert len(parts) < 1_000
        parts.append(doc.part(format_, **options | {"cursor": rest.cursor}))
    return parts


@pytest.mark.parametrize("format_", ["text", "markdown"])
@pytest.mark.parametrize("name", PAGES)
def test_parts_hold_everything_once_and_fit(name: str, format_: str) -> None:
    doc = extract(PAGES[name], options=Options(front_matter=True))
    whole = doc.render(format_)
    parts = read_all(doc, format_, max_tokens=300)
    assert len(parts) > 3
    for part in parts:
        assert estimate_tokens(str(part)) <= 300
    repeated = ("```\n", "| Name | Length |\n| --- | --- |\n") if format_ == "markdown" else ()
    joined = "".join(part.text.removesuffix("\n```") for part in parts)
    for each in repeated:
        joined, whole = joined.replace(each, ""), whole.replace(each, "")
    assert "".join(joined.split()) == "".join(whole.replace("\n```", "").split())


def test_parts_in_words() -> None:
    parts = read_all(extract(ARTICLE), "markdown", max_words=250)
    assert all(measure_words(str(part)) <= 250 for part in parts)
    both = read_all(extract(ARTICLE), "markdown", max_words=250, max_tokens=200)
    assert all(estimate_tokens(str(part)) <= 200 for part in both)


def test_the_end_of_a_part_says_what_follows() -> None:
    doc = extract(ARTICLE)
    part = doc.part(max_tokens=400)
    assert part.rest is not None
    assert part.rest.words == measure_words(doc.markdown[part.rest.cursor :])
    assert part.rest.title == "Floods of 1"
    assert f'next "Floods of 1". To continue, set cursor={part.rest.cursor}.]' in str(part)
    last = read_all(doc, "markdown", max_tokens=400)[-1]
    assert last.rest is None
    assert str(last) == last.text


def test_a_heading_stays_with_its_text() -> None:
    doc = extract(ARTICLE)
    for tokens in range(200, 800, 7):
        for part in read_all(doc, "markdown", max_tokens=tokens)[:-1]:
            assert not part.text.rstrip().split("\n")[-1].startswith("#")


def test_code_and_tables_go_on_in_the_next_part() -> None:
    code = [part.text for part in read_all(extract(CODE), "markdown", max_tokens=300) if "line(" in part.text]
    assert len(code) > 3
    assert all(text.count("```") == 2 for text in code)
    tables = [part.text for part in read_all(extract(TABLE), "markdown", max_tokens=300) if "miles |" in part.text]
    assert len(tables) > 3
    assert all("| Name | Length |" in text for text in tables)


def test_the_outline_lists_sections_with_sizes() -> None:
    doc = extract(ARTICLE)
    sections = doc.sections()
    assert [(each.number, each.level, each.title) for each in sections[:3]] == [
        (1, 2, "River 0"),
        (2, 3, "Floods of 0"),
        (3, 2, "River 1"),
    ]
    assert sections[0].words == sections[1].words + measure_words("River 0") + 2 * (measure_words(paragraph()) - 2)
    assert sum(each.words for each in sections if each.level == 2) == measure_words(doc.markdown)
    lines = doc.part(outline=True).text.split("\n")
    assert lines[0].startswith("- 1. River 0 (")
    assert lines[1].startswith("  - 2. Floods of 0 (")
    assert doc.part("text", outline=True).text.startswith("1. River 0 (")


def test_the_posts_of_a_thread_are_sections() -> None:
    doc = extract(THREAD)
    assert doc.kind == "forum"
    for format_ in ("markdown", "text"):
        assert "user7 · 2024-05-08 10:20 (" in doc.part(format_, outline=True).text
        part = doc.part(format_, section="user7")
        assert part.text.count("The river rises") == 3


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_a_section_is_found_by_title_or_number(format_: str) -> None:
    doc = extract(ARTICLE)
    whole = doc.part(format_, section="River 3").text
    assert "Floods of 3" in whole
    assert "River 4" not in whole
    assert doc.part(format_, section="7").text == whole
    assert doc.part(format_, section=" river  3 ").text == whole
    assert doc.part(format_, section="of 3").text in whole
    parts = read_all(doc, format_, section="River 3", max_tokens=200)
    assert len(parts) > 1
    assert "".join("".join(part.text for part in parts).split()) == "".join(whole.split())


@pytest.mark.parametrize("section", ["", "River 33", "0", "-1", "9" * 5_000, "nothing", "²", "x" * 100_000])
def test_a_missing_section_is_an_error(section: str) -> None:
    with pytest.raises(MissingPart, match="There is no section"):
        extract(ARTICLE).part(section=section)


@pytest.mark.parametrize("cursor", [10**9, 10**12])
def test_a_cursor_after_the_end_is_an_error(cursor: int) -> None:
    with pytest.raises(MissingPart, match="outside of the text"):
        extract(ARTICLE).part(cursor=cursor)
    with pytest.raises(MissingPart, match="outside of the section"):
        extract(ARTICLE).part(cursor=5, section="River 3")


def test_any_cursor_gives_a_part() -> None:
    doc = extract(CODE)
    for cursor in range(0, len(doc.markdown), 97):
        assert estimate_tokens(str(doc.part(max_tokens=250, cursor=cursor))) <= 250


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": 10},
        {"max_words": 0},
        {"cursor": -1},
        {"cursor": "5"},
        {"section": 3},
        {"outline": True, "section": "1"},
    ],
)
def test_bad_options_are_errors(options: dict[str, Any]) -> None:
    with pytest.raises(BadConfig):
        PartOptions(**options)
    with pytest.raises(BadConfig, match="not xml"):
        extract(ARTICLE).part("xml", outline=True)


def test_json_has_metadata_the_part_and_the_rest() -> None:
    doc = extract(ARTICLE)
    values = json.loads(write_part(doc, "json", PartOptions(max_tokens=400)))
    assert values["title"] == "Rivers"
    assert values["markdown"] == doc.part(max_tokens=400).text
    assert values["rest"]["title"] == "Floods of 1"
    assert "blocks" not in values
    first = describe_part(doc, PartOptions(outline=True, max_tokens=300))
    rest = describe_part(doc, PartOptions(outline=True, cursor=first["rest"]["cursor"]))
    assert rest["rest"] is None
    assert [each["number"] for each in first["outline"] + rest["outline"]] == list(range(1, 25))


def test_an_empty_document_has_one_empty_part() -> None:
    doc = extract("<title>Empty</title><script>x</script>")
    for options in ({}, {"max_tokens": 200}, {"outline": True}):
        assert doc.part(**options).text.strip() == ""
    with pytest.raises(MissingPart):
        doc.part(section="1")


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<h2>x</h2>", "<p>a b</p><h3>y</h3>", "<blockquote><p>a</p>", "<p>word ", "<pre>```\n"]
)
def test_hostile_pages_take_linear_time(piece: str) -> None:
    def read(doc: Document) -> None:
        assert estimate_tokens(str(doc.part(outline=True, max_tokens=200))) <= 200
        assert estimate_tokens(str(doc.part(max_tokens=4_000))) <= 4_000

    assert_linear(lambda count: extract(piece * count, method="all"), read, 8_000)
