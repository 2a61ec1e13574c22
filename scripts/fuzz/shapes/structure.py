"""Structured content: formulas, notes, code, tables with spans, images in many sizes, emoji."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

TEX = f"<script src=https://cdn.example/mathjax.js></script>{P}<p>"
FAMILY = "👩\u200d👧 "


def link_notes(n: int, step: int, count: int | None = None) -> str:
    """Return paragraphs and notes, each of which refers to the note a number of steps later."""
    notes = n if count is None else count
    refer = "<sup><a href='#n{0}'>{1}</a></sup>".format
    texts = "".join(f"<p>{SENTENCE}{refer(number, number % 1000)}</p>" for number in range(n))
    held = "".join(
        f"<li id=n{number}>A note.{refer((number + step) % n, (number + step) % n % 1000)}</li>"
        for number in range(notes)
    )
    return f"{texts}<ol class=footnotes>{held}</ol>"


SHAPES = {
    # formulas
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
    # notes
    "notes": Shape(lambda n: link_notes(n, 0), 1_000, tested=True),
    "notes in a circle": Shape(lambda n: link_notes(n, 1), 1_000, tested=True),
    "notes that point to one": Shape(
        lambda n: f"<p>{SENTENCE}{'<sup><a href=#n1>1</a></sup>' * n}</p><ol><li id=n1>A note.</li></ol>",
        2_000,
        tested=True,
    ),
    "notes that are not there": Shape(lambda n: link_notes(n, 0, 0), 2_000, tested=True),
    "raised numbers": Shape(
        lambda n: (
            "".join(f"<p>{SENTENCE}<sup>{number}</sup></p>" for number in range(n))
            + "".join(f"<p><sup>{number}</sup> A note.</p>" for number in range(n))
        ),
        1_000,
        tested=True,
    ),
    "notes of many blocks": Shape(
        lambda n: f"<p>{SENTENCE}<sup><a href=#n1>1</a></sup></p>{P * n}<div id=n1>{'<p>A note.</p>' * (n // 2)}</div>",
        2_000,
        tested=True,
    ),
    # code
    "code on one line": Shape(lambda n: f"{P}<pre><code>{'f(x);' * n}</code></pre>", 120_000, tested=True),
    "code in many spans": Shape(
        lambda n: f"{P}<pre><code>{'<span class=k>if</span> x;' * n}</code></pre>", 10_000, tested=True
    ),
    "code in numbered rows": Shape(
        lambda n: (
            f"{P}<table class=highlight>"
            + "".join(f"<tr><td class=lineno>{number}<td><pre>f(x)</pre>" for number in range(n))
        ),
        1_000,
        tested=True,
    ),
    "code of lines of spans": Shape(
        lambda n: f"{P}<pre>{'<span class=line><span class=linenumber>1</span>f(x)</span>' * n}</pre>",
        3_000,
        tested=True,
    ),
    # tables
    "spans as large as can be": Shape(
        lambda n: f"{P}<table><tr><th>a<th>b{'<tr><td colspan=100000 rowspan=65534>c<td>d' * n}</table>",
        1_000,
        tested=True,
    ),
    "spans of every size": Shape(
        lambda n: (
            f"{P}<table>" + "".join(f"<tr><td colspan={k % 97} rowspan={k % 89}>c<td rowspan={k}>d" for k in range(n))
        ),
        1_000,
        tested=True,
    ),
    # images
    "a long set of sizes": Shape(
        lambda n: f"{P}<img alt=x srcset='{', '.join(f'a{k}.png {k}w' for k in range(n))}'>{P}", 50_000, tested=True
    ),
    "a set of commas": Shape(lambda n: f"{P}<img alt=x srcset='{', ' * n}'>{P}", 300_000, tested=True),
    "a set of blanks": Shape(lambda n: f"{P}<img alt=x srcset='a{' ' * n}b'>{P}", 500_000, tested=True),
    "emoji as images": Shape(
        lambda n: f"<p>{SENTENCE}{'<img class=emoji alt=😀 src=e.png>' * n}</p>", 10_000, tested=True
    ),
    # characters
    "emoji": Shape(lambda n: f"<p>{SENTENCE} {'😀' * n}</p>", 100_000, tested=True),
    "emoji and blanks": Shape(lambda n: f"<p>{SENTENCE} {FAMILY * n}</p>", 40_000, tested=True),
    "signs": Shape(lambda n: f"<p>{SENTENCE} {'*[_`|&lt;' * n}</p>", 15_000, tested=True),
    "signs on lines": Shape(lambda n: f"<p>{SENTENCE} {'<br>*[_`|&lt;' * n}</p>", 10_000, tested=True),
    "ruby in ruby": Shape(
        lambda n: f"<p>{SENTENCE}{'<ruby>a<rt><ruby>b<rt>c</ruby></rt></ruby>' * n}", 3_000, tested=True
    ),
}
