"""Metadata as YAML front matter."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import bonmun

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
