"""Structured content: notes, code, posts, lists of terms, tables with spans, images in many sizes, emoji."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

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
    "notes without text": Shape(
        lambda n: (
            "".join(f"<p>{SENTENCE}<sup><a href=#n{k}>{k % 1000}</a></sup>" for k in range(n))
            + "".join(f"<div id=n{k}></div>" for k in range(n))
        ),
        1_000,
    ),
    "notes in notes": Shape(
        lambda n: (
            "".join(f"<p>{SENTENCE}<sup><a href=#n{k}>{k % 1000}</a></sup>" for k in range(n))
            + "".join(f"<div id=n{k}>A note." for k in range(n))
        ),
        1_000,
    ),
    "notes with one label": Shape(
        lambda n: (
            "".join(f"<p>a<sup><a href=#n{k}>1</a></sup>" for k in range(n))
            + P * n
            + "".join(f"<p id=n{k}>b" for k in range(n))
        ),
        1_000,
    ),
    "terms as notes": Shape(
        lambda n: (
            "".join(f"<p>a<sup><a href=#n{k}>1</a></sup>" for k in range(n))
            + P * n
            + f"<dl>{''.join(f'<dt id=n{k}>b' for k in range(n))}</dl>"
        ),
        1_000,
    ),
    "side notes": Shape(lambda n: f"<p>{SENTENCE}<label></label>{'<small class=sidenote>a</small>b' * n}", 1_000),
    "side notes, deep down": Shape(
        lambda n: f"{'<section>' * 110}<p>a<label></label>{'<small class=sidenote>a</small>b' * n}", 1_000
    ),
    "side notes in side notes": Shape(lambda n: f"<p>{SENTENCE}<label></label>{'<small class=sidenote>a' * n}", 2_000),
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
    "code in code": Shape(lambda n: f"{P}{'<pre>' * 400}{'<i class=n>1</i>a' * n}", 5_000, tested=True),
    "line numbers in code in code": Shape(
        lambda n: P + "<pre>" * 400 + "".join(f"<i class=n>{k}</i>\n" for k in range(1, n)), 5_000
    ),
    "gutters in gutters": Shape(lambda n: f"{P}<pre>{'<b class=gutter>' * 400}{'<i>1</i>' * n}", 10_000),
    "gutters beside no code": Shape(
        lambda n: f"{P}<pre>a</pre><figure>{'<b class=gutter>' * 400}{'<i>1</i>' * n}", 5_000, tested=True
    ),
    "gutters in figures": Shape(
        lambda n: f"{P}<pre>a</pre>{'<figure><div class=gutter>1</div>' * 400}{'<b></b>' * n}", 20_000, tested=True
    ),
    "gutters in drawings": Shape(lambda n: f"{P}<pre>a</pre><figure><svg>{'<g class=gutter>' * n}1", 10_000),
    "editors in editors": Shape(
        lambda n: f"{P}<pre>a</pre>{'<div class=cm-content>' * 200}{'<code class=block>a</code>' * n}", 5_000
    ),
    # posts
    "posts": Shape(lambda n: f"{P}<div class=post><b class=author>Ann</b><time>2024-05-03</time>{P}</div>" * n, 300),
    "posts in posts": Shape(lambda n: f"<div class=post><b class=author>Ann</b><time>2024-05-03</time>{P}" * n, 300),
    "comments in comments": Shape(
        lambda n: f"{P}<div id=comments>" + f"<div class=comment><b class=author>Ann</b>{P}" * n, 300
    ),
    # lists of terms, figures
    "terms": Shape(lambda n: f"<dl>{'<dt>a<dd>b' * n}</dl>", 2_000),
    "terms in terms": Shape(lambda n: "<dl><dt>a" * n, 2_000),
    "definitions in definitions": Shape(lambda n: ("<dl><dt>a<dd>b" * 120 + "</dl>" * 120) * n, 12),
    "figures": Shape(lambda n: P + "<figure><img src=a alt=b><figcaption>c</figcaption></figure>" * n, 1_000),
    "figures in captions": Shape(lambda n: ("<figure><figcaption>a" * 150 + "</figcaption></figure>" * 150) * n, 20),
    # tables
    "tables in drawings": Shape(lambda n: f"{P}<svg>{'<table><tr><td>a' * n}", 2_000),
    "tables in formulas": Shape(lambda n: f"{P}<math>{'<table><tr><td>a' * n}", 2_000),
    "tables in tables": Shape(lambda n: ("<table><tr><td>a<td>b<tr><td>" * 100 + "</table>" * 100) * n, 20),
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
    "ruby never closed": Shape(lambda n: f"<p>{SENTENCE}{'<ruby>a<rt>b' * n}", 5_000),
    "ruby in ruby": Shape(
        lambda n: f"<p>{SENTENCE}{'<ruby>a<rt><ruby>b<rt>c</ruby></rt></ruby>' * n}", 3_000, tested=True
    ),
}
