"""Metadata as YAML front matter."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import bonmun
from scripts.fuzz.checks import read_gfm, read_markdown

WITH_FRONT_MATTER = bonmun.Options(front_matter=True)


def test_exact_front_matter() -> None:
    markup = (
        '<html lang=en><meta property=og:title content="A: &quot;B&quot; # c"><meta name=author content="Ann O&#39;Hara">'
        '<meta property=article:published_time content="2024-05-06T07:08:09Z"><meta property=og:site_name content="- yes">'
    )
    doc = bonmun.extract(markup + "<p>x", url="https://site.example/?a=1#b", method="all")
    assert replace(doc, options=WITH_FRONT_MATTER).markdown == (
        '---\ntitle: "A: \\"B\\" # c"\nurl: "https://site.example/?a=1#b"\nauthor: "Ann O\'Hara"\ndate: "2024-05-06"\n'
        'language: "en"\nsite: "- yes"\nkind: "article"\nconfidence: 0.0\n---\n\nx'
    )
    assert doc.markdown == "x"


def test_values_stay_on_their_line() -> None:
    title = "a\n---\nb\u2028c\u2029d\x85e"
    doc = bonmun.extract("<p>x", url=f"https://site.example/{title}", method="all", options=WITH_FRONT_MATTER)
    lines = doc.markdown.splitlines()
    assert lines[0] == lines[lines.index("---", 1)] == "---"
    for line in lines[1 : lines.index("---", 1)]:
        name, _, value = line.partition(": ")
        assert re.fullmatch("[a-z]+", name)
        assert json.loads(value.replace("\\N", "").replace("\\L", "").replace("\\P", "")) is not None


@pytest.mark.parametrize(
    "title",
    [
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "[c](javascript:alert(1))",
        "![c](javascript:alert(1))",
        "\\[c]\\(javascript:alert(1)) \\<b>",
        "<javascript:alert(1)>",
        "<!-- c",
        "a < b, [c] (d), <3",
    ],
)
def test_readers_without_front_matter_see_only_text(title: str) -> None:
    head = f'<meta property=og:title content="{title.replace("&", "&amp;")}"><meta name=author content="Ann {title}">'
    doc = bonmun.extract(f"{head}<p>x", url=f"https://a.example/{title}", method="all", options=WITH_FRONT_MATTER)
    front, _, body = doc.markdown.removeprefix("---\n").partition("---\n")
    assert body.strip() == "x"
    values = dict(line.split(": ", 1) for line in front.splitlines())
    assert json.loads(values["title"]) == doc.title == title  # YAML and JSON have the same escapes for these
    assert json.loads(values["url"]) == doc.url
    for read in (read_markdown, read_gfm):
        html = read(doc.markdown)
        assert not re.search("<(?!/?(?:hr|h2|p|code|em|strong)\\b)", html), html
