"""Nested elements that look like code or formulas but are not: reading them takes little longer than plain elements."""

from __future__ import annotations

import pytest

from bonmun import Page
from timing import assert_faster

P = "<p>A paragraph that is long enough to be read as one, with a full stop.</p>"
MATHJAX = "<script src=https://cdn.example/mathjax.js></script>"
MAX_TIMES_PLAIN = 20

# Each page, and what makes it hostile: without these words it is an ordinary page of the same shape.
NESTED = {
    "empty formulas": (f"{P}<p>{'<math>' * 90}{'<mrow></mrow>' * 20_000}", ("math",)),
    "comments for formulas": (f"{P}<p>{'<math alttext=%>' * 90}{'<mrow></mrow>' * 20_000}", ("math",)),
    "rows of equations": (
        f"{P}<table class=ltx_eqn_table><tr><td><svg>{'<tr><math><mi>x</mi></math>' * 450}</svg></table>",
        ("ltx_eqn_table", "math"),
    ),
    "numbers of equations": (
        f"{P}<table class=ltx_eqn_table><tr><td><math><mi>x</mi></math>{'<b class=ltx_tag_equation>' * 400}{'1' * 50_000}",
        ("ltx_eqn_table", "math"),
    ),
    "TeX, deep down": (MATHJAX + "<div>" * 450 + "<b>\\(x\\)</b>" * 5_000, ("\\(",)),
    "code in code": (P + "<pre>" * 400 + "".join(f"<i class=n>{k}</i>\n" for k in range(5_000)), ("pre",)),
    "gutters in figures": (
        f"{P}<pre>a</pre>{'<figure><div class=gutter>1</div>' * 240}{'<b></b>' * 20_000}",
        ("class=gutter",),
    ),
    "gutters in gutters": (f"{P}<pre>a</pre>{'<b class=gutter>' * 400}{'<i>1</i>' * 1_500}", ("class=gutter",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTED)
def test_nested_elements_take_little_longer_than_plain_ones(name: str) -> None:
    html, words = NESTED[name]
    plain = html
    for word in words:
        plain = plain.replace(word, "x" * len(word))
    assert len(plain) == len(html)
    page = assert_faster(lambda: Page.parse(html), lambda: Page.parse(plain), MAX_TIMES_PLAIN)
    assert page.texts
