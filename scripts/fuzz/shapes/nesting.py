"""Deeply nested elements."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

SHAPES = {
    "nested div": Shape(lambda n: "<div>" * n + SENTENCE, 100_000, tested=True),
    "nested lists": Shape(lambda n: "<ul><li>" * n + SENTENCE, 50_000, tested=True),
    "nested lists with text": Shape(lambda n: "<ul><li>item" * n + SENTENCE, 1_500, tested=True),
    "nested quotes": Shape(lambda n: "<blockquote>" * n + SENTENCE, 50_000, tested=True),
    "nested quotes with text": Shape(lambda n: "<blockquote>said" * n + SENTENCE, 1_500, tested=True),
    "nested tables": Shape(lambda n: "<table><tr><td>" * n + SENTENCE, 20_000, tested=True),
    "nested tables with text": Shape(lambda n: "<table><tr><td>cell" * n + SENTENCE, 3_000, tested=True),
    "nested bold": Shape(lambda n: "<b>" * n + SENTENCE, 100_000, tested=True),
    "nested bold with text": Shape(lambda n: "<b>bold " * n + SENTENCE, 1_000, tested=True),
    "nested spans": Shape(lambda n: "<span>" * n + SENTENCE, 100_000, tested=True),
    "nested spans with text": Shape(lambda n: "<span>word " * n + SENTENCE, 4_000, tested=True),
    "nested links": Shape(lambda n: "<a href=x>" * n + SENTENCE, 100_000, tested=True),
    "nested links with text": Shape(lambda n: "<a href=x>word " * n + SENTENCE, 3_000, tested=True),
    "links in the cells of a link": Shape(
        lambda n: f"{P}<p><a href=x><table><tr><td>aa{'<a href=x>bb</a>cc' * n}", 10_000, tested=True
    ),
    "nested links by tables": Shape(lambda n: "<a href=y><table><a href=u>d" * n, 2_000, tested=True),
    "nested ruby": Shape(lambda n: "<ruby>x<rt>y" * n + SENTENCE, 3_000, tested=True),
    "nested figures": Shape(lambda n: "<figure>" * n + f"<figcaption>{SENTENCE}", 50_000, tested=True),
    "nested code": Shape(lambda n: "<pre><code>x\n" * n, 3_000),
    "nested definitions": Shape(lambda n: "<dl><dt>a<dd>b" * n + SENTENCE, 2_000),
    "nested details": Shape(lambda n: "<details><summary>more</summary>text" * n, 2_000),
    "nested hidden": Shape(lambda n: "<div hidden><p>x" * n + P, 3_000),
    "nested dialogs": Shape(lambda n: "<dialog open>x" * n + P, 3_000),
    "nested shadow roots": Shape(
        lambda n: "<div><template shadowrootmode=open><slot></slot>" * n + SENTENCE, 20_000, tested=True
    ),
    "shadow roots with text": Shape(
        lambda n: "<div><template shadowrootmode=open>a<slot></slot>b</template>c" * n + SENTENCE, 2_000
    ),
    "shadow roots side by side": Shape(
        lambda n: "<div><template shadowrootmode=open><p><slot></slot></p></template>words</div>" * n, 3_000
    ),
    "slots deep down": Shape(
        lambda n: f"<div><template shadowrootmode=open>{'<div>' * n}{'<slot name=a></slot>' * n}</template>{P}</div>",
        10_000,
        tested=True,
    ),
    "slots by name": Shape(
        lambda n: (
            "<div><template shadowrootmode=open>"
            + "".join(f"<slot name=s{i}></slot>" for i in range(n))
            + "</template>"
            + "".join(f"<p slot=s{i}>word" for i in range(n))
            + "</div>"
        ),
        3_000,
    ),
    "many blocks deep down": Shape(lambda n: "<div>" * (5 * n) + "<p>tiny" * n, 8_000, tested=True),
    "many blocks as deep as can be": Shape(
        lambda n: ("<div>" * 500 + "<p>tiny" + "</div>" * 500) * n, 100, tested=True
    ),
    "leaves as deep as can be": Shape(lambda n: "<div>" * 505 + "<b>x</b><i>y</i> " * n, 5_000),
    "tables as deep as can be": Shape(
        lambda n: f"<title>T</title><div class=post>{'<div>' * 502}<table><td><table><td></tr>{P * 12 * n}",
        100,
        tested=True,
    ),
    "links as deep as can be": Shape(lambda n: "<div>" * 505 + "<a href=x>w</a>" * n, 3_000),
}
