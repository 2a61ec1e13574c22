"""Conversion of MathML to TeX: each element of presentation MathML, and invalid input."""

from __future__ import annotations

import pytest
import turbohtml

from bonmun.page.formulas.mathml import write_tex
from timing import assert_faster, assert_linear, assert_quick


def convert(inner: str, *, is_display: bool = False) -> str:
    math = turbohtml.parse(f"<math>{inner}</math>").find("math")
    assert math is not None
    return write_tex(math, is_display=is_display)


X, Y, N2 = "<mi>x</mi>", "<mi>y</mi>", "<mn>2</mn>"
CELLS = "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>"


def fenced(opening: str, inner: str, close: str) -> str:
    return f"<mrow><mo>{opening}</mo>{inner}<mo>{close}</mo></mrow>"


@pytest.mark.parametrize(
    ("inner", "tex"),
    [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E = mc^2"),
        (f"<mo>-</mo>{X}<mo>−</mo>{Y}", "-x - y"),
        ("<mi>f</mi><mo>(</mo><mi>a</mi><mo>,</mo><mi>b</mi><mo>)</mo>", "f(a, b)"),
        ("<mi>α</mi><mi>b</mi><mi>Γ</mi>", r"\alpha b\Gamma"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
        ("<mi>foo</mi>", r"\mathrm{foo}"),
        ("<mi>foo</mi><mo>&#x2061;</mo><mi>x</mi>", r"\operatorname{foo}x"),
        ("<mi mathvariant='bold'>x</mi><mi mathvariant='bold'>α</mi>", r"\mathbf{x}\boldsymbol{\alpha}"),
        ("<mi mathvariant='double-struck'>R</mi><mi>ℝ</mi><mi>𝔸</mi>", r"\mathbb{R}\mathbb{R}\mathbb{A}"),
        ("<mi mathvariant='script'>L</mi><mi mathvariant='fraktur'>g</mi>", r"\mathcal{L}\mathfrak{g}"),
        ("<mi mathvariant='normal'>d</mi><mi>𝑥</mi><mi>𝐱</mi>", r"\mathrm{d}x\mathbf{x}"),
        ("<mi>\U0001d455</mi>", "\U0001d455"),  # not assigned: the italic h is U+210E
        ("<mn>1,000.5</mn>", "1{,}000.5"),
        ("<mtext>50% of $x_1$</mtext>", r"\text{50\% of \$x\_1\$}"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if }x"),
        ("<ms>a</ms>", r'\text{"a"}'),
        ('<mi>a</mi><mspace width="1em"/><mi>b</mi><mspace width="0.1667em"/><mi>c</mi>', r"a\quad b\,c"),
        (f"<mfrac>{X}{Y}</mfrac>", r"\frac{x}{y}"),
        (f"<mfrac bevelled='true'>{X}{Y}</mfrac>", "{x} / {y}"),
        (fenced("(", "<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", ")"), r"\binom{n}{k}"),
        (f"<mfrac linethickness='0pt'>{X}{Y}</mfrac>", r"{x \atop y}"),
        (f"<msqrt>{X}<mo>+</mo>{Y}</msqrt>", r"\sqrt{x + y}"),
        (f"<mroot>{X}<mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<msub><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>", "a_{ij}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        (f"<msup><mrow>{X}<mo>+</mo>{Y}</mrow>{N2}</msup>", "{x + y}^2"),
        (f"<msup>{fenced('(', X, ')')}{N2}</msup>", "(x)^2"),
        ("<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>f</mi>", r"\int_0^1 f"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            r"\sum_{i = 1}^n i",
        ),
        (
            "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>",
            r"\lim_{x \to 0}x",
        ),
        (f"<munder><mi>argmax</mi>{X}</munder>", r"\operatorname*{argmax}_x"),
        (f"<munder><mo>=</mo>{X}</munder>", r"\underset{x}{=}"),
        (f"<mover><mo>=</mo><mtext>def</mtext></mover>{X}", r"\overset{\text{def}}{=}x"),
        (f"<mover>{X}<mo>^</mo></mover><mover>{X}<mo>¯</mo></mover>", r"\hat{x}\bar{x}"),
        (f"<mover><mrow>{X}{Y}</mrow><mo>→</mo></mover><mover>{X}<mo>→</mo></mover>", r"\overrightarrow{xy}\vec{x}"),
        (f"<mover><mo>→</mo>{X}</mover>", r"\xrightarrow{x}"),
        (f"<munder><munder>{X}<mo>⏟</mo></munder><mtext>l</mtext></munder>", r"\underbrace{x}_{\text{l}}"),
        (
            "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>",
            "{}^{14}C_6",
        ),
        (f"<mtable>{CELLS}</mtable>", r"\begin{matrix} a & b \\ c & d \end{matrix}"),
        (fenced("(", f"<mtable>{CELLS}</mtable>", ")"), r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        (fenced("[", f"<mtable>{CELLS}</mtable>", "]"), r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}"),
        (fenced("|", f"<mtable>{CELLS}</mtable>", "|"), r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}"),
        (
            f"<mrow><mo>{{</mo><mtable columnalign='left left'>{CELLS}</mtable></mrow>",
            r"\begin{cases} a & b \\ c & d \end{cases}",
        ),
        (
            f"<mtable columnalign='right center left'>{CELLS}</mtable>",
            r"\begin{array}{rcl} a & b \\ c & d \end{array}",
        ),
        (f"<mtable columnalign='right left'>{CELLS}</mtable>", r"\begin{aligned} a & b \\ c & d \end{aligned}"),
        ("<mtable><mtr><mtd columnspan='2'><mi>a</mi></mtd></mtr></mtable>", r"\begin{matrix} a & \end{matrix}"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mfenced open='[' close=')' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[a; b)"),
        (fenced("(", f"<mfrac>{X}{Y}</mfrac>", ")"), r"\left( \frac{x}{y} \right)"),
        (f"<menclose notation='box'>{X}</menclose>", r"\boxed{x}"),
        (f"<menclose notation='updiagonalstrike'>{X}</menclose>", r"\cancel{x}"),
        (f"<menclose notation='made up'>{X}</menclose>", "x"),
        (f"<mphantom>{X}</mphantom>", r"\phantom{x}"),
        (f"<mstyle displaystyle='true'><mpadded>{X}</mpadded></mstyle>", "x"),
        (f"<maction selection='2'>{X}{Y}</maction>", "y"),
        (f"<semantics>{X}<annotation encoding='StarMath'>nothing</annotation></semantics>", "x"),
        (f"<merror>{X}</merror>", "x"),
        ("<mo>{</mo><mi>x</mi><mo>∣</mo><mi>x</mi><mo>∈</mo><mi>A</mi><mo>}</mo>", r"\{x \mid x \in A\}"),
    ],
)
def test_each_element_is_converted(inner: str, tex: str) -> None:
    assert convert(inner) == tex


def test_a_number_is_a_tag_only_in_a_display_formula() -> None:
    row = "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi><mo>=</mo><mi>b</mi></mtd></mlabeledtr></mtable>"
    assert convert(row, is_display=True) == r"a = b \tag{1}"
    assert convert(row) == r"a = b \quad (1)"


@pytest.mark.parametrize(
    ("inner", "tex"),
    [
        ("", ""),
        ("<mrow></mrow><mi> </mi>", ""),
        ("<mfrac><mi>x</mi></mfrac>", r"\frac{x}{}"),
        ("<msup></msup>", ""),
        ("<msup><mi>x</mi></msup>", "x"),
        ("<mfrac><mi>a</mi><mi>b</mi><mi>c</mi></mfrac>", r"\frac{a}{b}c"),
        ("<mtd><mi>a</mi></mtd>", "a"),
        ("<mtable></mtable><mtable><mtr></mtr><mtr></mtr></mtable>", ""),
        (
            "<mtable><mtr><mtd columnspan='99999999999999'><mi>a</mi></mtd></mtr></mtable>",
            r"\begin{matrix} a \end{matrix}",
        ),
        (
            "<mtable><mtr><mtd columnspan='999'><mi>a</mi></mtd></mtr></mtable>",
            r"\begin{matrix} a" + " &" * 19 + r" \end{matrix}",
        ),
        ("<mmultiscripts></mmultiscripts><maction></maction><mfenced></mfenced>", "()"),
        ("<mspace width='-1e9em'/><mspace width='.'/><mi>x</mi>", r"\!x"),
        ("<mi>x", "x"),
        ("words", r"\text{words}"),
        ("<x-y><mi>x</mi></x-y>", "x"),
    ],
)
def test_bad_mathml_keeps_its_text(inner: str, tex: str) -> None:
    assert convert(inner) == tex


@pytest.mark.parametrize("tag", ["mrow", "msqrt", "msup", "mfrac", "mover", "mtable", "mfenced", "semantics", "mtd"])
def test_mathml_nested_too_deep_is_not_a_formula(tag: str) -> None:
    assert assert_quick(lambda: convert(f"<{tag}>" * 100_000 + "<mi>x</mi>"), 5) == ""
    assert "x" in convert(f"<{tag}>" * 90 + "<mi>x</mi>")


def test_a_long_row_takes_linear_time() -> None:
    row = "<mi>x</mi><mo>+</mo><msup><mi>y</mi><mn>2</mn></msup>"
    assert_linear(lambda size: row * size, convert, 8_000)


@pytest.mark.slow
def test_letters_of_other_alphabets_are_looked_up_once() -> None:
    letters = "".join(map(chr, range(0x1D400, 0x1D7FF))) * 50
    tex = assert_faster(
        lambda: convert(f"<mi>{letters}</mi>"), lambda: convert(f"<mi>{'α' * len(letters)}</mi>"), times=5
    )
    assert r"\mathbf{A}" in tex
