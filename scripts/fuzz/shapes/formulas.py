"""Formulas: TeX, MathML and copies of both, long, nested, empty and never closed."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import P, Shape

__all__ = ["SHAPES"]

TEX = f"<script src=https://cdn.example/mathjax.js></script>{P}<p>"
KATEX = f"<link href=katex.css>{P}"
ROW = "<tr><math><mi>x</mi></math>"

SHAPES = {
    "a long formula": Shape(lambda n: f"{P}<p><math>{'<mi>x</mi><mo>+</mo>' * n}</math></p>", 10_000, tested=True),
    "deep formulas": Shape(
        lambda n: f"{P}<p>{'<math>' + '<mrow><mi>x</mi>' * 100 + '</math>'}</p>" * n, 50, tested=True
    ),
    "fractions never closed": Shape(lambda n: f"{P}<p><math>{'<mfrac><mi>x' * n}", 10_000, tested=True),
    "fences that do not match": Shape(
        lambda n: f"{P}<p><math>{'<mo>(</mo><mfenced><msup><mo>)</mo></mfenced>' * n}", 5_000, tested=True
    ),
    "small formulas": Shape(
        lambda n: f"{P}<p>{'<math><msup><mi>x</mi><mn>2</mn></msup></math> and ' * n}</p>", 2_000, tested=True
    ),
    "formulas on lines": Shape(lambda n: P + "<math display=block><mi>x</mi></math>" * n, 2_000, tested=True),
    "rows of a matrix": Shape(
        lambda n: f"{P}<p><math><mtable>{'<mtr><mtd>1</mtd><mtd>2</mtd></mtr>' * n}</mtable></math>", 5_000, tested=True
    ),
    "a long TeX": Shape(lambda n: f"{TEX}\\({'x_1 + ' * n}y\\)</p>", 50_000, tested=True),
    "TeX never closed": Shape(lambda n: TEX + "\\( x " * n, 30_000, tested=True),
    "TeX never opened": Shape(lambda n: TEX + "x \\) " * n, 30_000, tested=True),
    "dollars": Shape(lambda n: TEX + "$ x " * n, 30_000, tested=True),
    "pairs of dollars": Shape(lambda n: TEX + "$$ x_1 $" * n, 8_000, tested=True),
    "environments never closed": Shape(lambda n: TEX + "\\begin{align} x " * n, 10_000, tested=True),
    "braces in TeX": Shape(lambda n: TEX + "\\(" + "{" * n + "}" * n + "\\)", 100_000, tested=True),
    "long TeX beside formulas": Shape(
        lambda n: f"{P}<p><math alttext='{'x ' * n}'><mi>x</mi></math></p>", 100_000, tested=True
    ),
    # nested
    "rows in rows of equations": Shape(
        lambda n: f"{P}<table class=ltx_eqn_table><tr><td><svg>{ROW * 400}</svg></table>" * n, 16, tested=True
    ),
    "equations in equations": Shape(
        lambda n: f"{P}{'<table class=ltx_eqn_table><tr><td>' * 150}<math><mi>x</mi></math>{'</table>' * 150}" * n, 20
    ),
    "numbers in numbers of equations": Shape(
        lambda n: (
            f"{P}<table class=ltx_eqn_table><tr><td><math><mi>x</mi></math>"
            f"{'<span class=ltx_tag_equation>' * 400}{'1' * n}</table>"
        ),
        50_000,
    ),
    "formulas in formulas": Shape(lambda n: f"{P}<p>{'<math>' * n}<mi>x</mi>", 10_000),
    "formulas in words in formulas": Shape(lambda n: f"{P}<p>{'<math><mtext>' * n}x", 10_000),
    "empty formulas in formulas": Shape(lambda n: f"{P}<p>{'<math>' * 90}{'<mrow></mrow>' * n}", 10_000, tested=True),
    "formulas with an empty row": Shape(lambda n: f"{P}<p>{'<math><mrow></mrow>' * n}", 10_000),
    "empty formulas": Shape(lambda n: f"{P}<p>{'<math><annotation>x</annotation></math>' * n}", 5_000),
    "empty fractions, deep down": Shape(lambda n: f"{P}<p><math>{'<mrow>' * 95}{'<mfrac></mfrac>' * n}", 10_000),
    "copies in copies": Shape(lambda n: f"{KATEX}{'<span class=katex>' * 400}{'<b></b>' * n}", 10_000),
    "TeX in attributes, nested": Shape(lambda n: f"{KATEX}{'<div data-latex=x_1>' * 400}{'<b>x</b>' * n}", 5_000),
    "containers in containers": Shape(lambda n: f"{KATEX}{'<mjx-container>' * 400}{'<b>x</b>' * n}", 5_000),
    "MathJax in MathJax": Shape(
        lambda n: f"{P}{'<span class=MathJax data-mathml=&lt;math>' * 400}{'<b>x</b>' * n}", 5_000
    ),
    "TeX, deep down": Shape(lambda n: f"{TEX}{'<div>' * 400}" + "<b>\\(x\\)</b>" * n, 5_000, tested=True),
    # longer as TeX
    "words of signs": Shape(lambda n: f"{P}<p><math><mtext>{'^' * 1000}</mtext></math> " * n, 50),
    "bold letters in cells": Shape(
        lambda n: f"<table>{f'<tr><td>a<td><math><mi>{chr(0x1D6C6) * 500}</mi></math>' * n}</table>", 100
    ),
    "columns of a matrix": Shape(lambda n: f"{P}<p><math><mtable>{'<mtd colspan=20></mtd>' * n}", 2_000),
    # copies
    "images of formulas": Shape(lambda n: f"{P}<p>{'<img class=tex alt=x_1 src=latex>' * n}", 3_000),
    "MathML in scripts": Shape(
        lambda n: f"{P}<p>{'<script type=math/mml><math><mi>x</mi></math></script>' * n}", 1_000
    ),
    "MathML in attributes": Shape(
        lambda n: f"{P}<p>" + "<span class=MathJax data-mathml='<math><mi>x</mi></math>'></span>" * n, 1_000
    ),
}
