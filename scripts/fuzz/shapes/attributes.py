"""Attributes and the head: classes, styles, URLs, titles, meta, JSON-LD."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape, linked_data

__all__ = ["SHAPES"]


def describe(author: str) -> str:
    """Return the JSON-LD of an article with an author."""
    return f'{{"@type": "Article", "headline": "Head", "author": {author}}}'


POST = "<div class=comment><b class=author>Ann</b> 3 May 2024<p>Thank you.</p></div>"
SHAPES = {
    "attributes": Shape(lambda n: f"<p {' '.join(f'a{i}=x' for i in range(n))}>{SENTENCE}", 100_000, tested=True),
    "attributes twice": Shape(lambda n: f"<p {'class=a ' * n}>{SENTENCE}", 100_000),
    "attributes without values": Shape(lambda n: f"<p {'a ' * n}>{SENTENCE}", 300_000),
    "attributes and elements": Shape(lambda n: "<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8>x" * n, 2_000),
    "a long class": Shape(lambda n: f"<p class='{'menu ' * n}' id='{'a-' * n}'>{SENTENCE}", 700_000, tested=True),
    "a long class around blocks": Shape(lambda n: f"<div class='{'menu ' * n}'>{'<p>x</p>' * n}", 2_000),
    "a very long class around blocks": Shape(
        lambda n: f"<article>{P * 3}<div class='{'x-y ' * (25 * n)}'>{'<p>x y z</p>' * n}", 2_000, tested=True
    ),
    "a very long class around posts": Shape(
        lambda n: f"<article>{P * 3}<div class='{'x-y ' * (25 * n)}'>{POST * n}", 1_000, tested=True
    ),
    "a very long style around posts": Shape(
        lambda n: f"<article>{P * 3}<div style='{'color: red;' * (9 * n)}'>{POST * n}", 1_000, tested=True
    ),
    "a very long link around headings": Shape(
        lambda n: f"<article>{P * 3}<a href='{'/aaa' * (25 * n)}'>{'<h2>Head</h2>' * n}", 2_000, tested=True
    ),
    "a very long link around images": Shape(
        lambda n: f"<article>{P * 3}<a href='{'/aaa' * (25 * n)}'>{'<img src=a.jpg width=300 height=200>' * n}",
        2_000,
        tested=True,
    ),
    "a class of one word": Shape(lambda n: f"<p class='{'a' * n}'>{SENTENCE}", 1_000_000),
    "a class of capitals": Shape(lambda n: f"<p class='{'aB' * n}'>{SENTENCE}", 300_000),
    "a class of signs": Shape(lambda n: f"<p class='{'-_' * n}'>{SENTENCE}", 500_000),
    "a long style": Shape(lambda n: f"<p style='{'display:' * n}'>{SENTENCE}", 300_000, tested=True),
    "a style of blanks": Shape(lambda n: f"<p style='display{' ' * n}:'>{SENTENCE}", 1_200_000, tested=True),
    "a style of many blanks": Shape(lambda n: f"<p style='{'display: inline ' * n}'>{SENTENCE}", 100_000),
    "a style of blanks at the end": Shape(lambda n: f"<p style='display:inline{' ' * n}x'>{SENTENCE}", 500_000),
    "a long address": Shape(
        lambda n: f"<p>{SENTENCE}<a href='{'a/' * n}'>a</a><img src='{'../' * n}'>", 300_000, tested=True
    ),
    "a long address with dots": Shape(lambda n: f"<p>{SENTENCE}<a href='/{'../' * n}'>a</a>", 300_000),
    "an address of blanks": Shape(lambda n: f"<p>{SENTENCE}<a href='{' ' * n}x'>a</a>", 1_000_000),
    "a long alt": Shape(lambda n: f"{P}<img src=a.png alt='{'word ' * n}'>{P}", 500_000, tested=True),
    "a long title": Shape(lambda n: f"<title>{'a - b | ' * n}</title>{P}", 300_000, tested=True),
    "a title of blanks": Shape(lambda n: f"<title>a{' ' * n}b</title>{P}", 1_000_000),
    "a title of bars": Shape(lambda n: f"<title>{'|' * n}</title>{P}", 500_000),
    "a title of pieces": Shape(lambda n: f"<title>{' | '.join(f'w{i}' for i in range(n))}</title>{P}", 30_000),
    "a long title and headings": Shape(
        lambda n: f"<title>{'ab' * (50 * n)}</title>{'<h1>ababac</h1>' * n}{P}", 3_000, tested=True
    ),
    "a title of words and headings": Shape(
        lambda n: f"<title>{'ab c ' * n}</title>{'<h1>ab c ab d</h1>' * n}{P}", 3_000
    ),
    "a long heading": Shape(lambda n: f"<title>Head - Site</title><h1>{'Head ' * n}</h1>{P}", 200_000),
    "titles": Shape(lambda n: "<title>x</title>" * n + P, 30_000),
    "titles of drawings": Shape(lambda n: "<svg><title>x</title></svg>" * n + P, 10_000),
    "a long language name": Shape(lambda n: f"<pre class='{'lang-' * n}'>{SENTENCE}</pre>", 1_000_000, tested=True),
    "languages of lines": Shape(lambda n: f"<pre class='{'x' * n}'>{'a<br>' * n}</pre>", 3_000),
    "languages of cells": Shape(lambda n: f"<div class='{'lang ' * n}'>{'<pre>a</pre>' * n}", 1_000),
    "languages": Shape(lambda n: "<p lang=de>x" * n, 3_000),
    "a long lang": Shape(lambda n: f"<html lang='{'a-' * n}'>{P}", 500_000),
    "bases": Shape(lambda n: "<base href=http://a.example/b/>" * n + P + "<a href=c>d</a>", 20_000),
    "meta": Shape(lambda n: "".join(f"<meta name='n{i}' content='c{i}'>" for i in range(n)) + P, 50_000, tested=True),
    "meta of one name": Shape(lambda n: "<meta name=author content='Ann Lee'>" * n + P, 10_000),
    "meta of titles": Shape(lambda n: "<meta property=og:title content='Ann Lee'>" * n + P, 10_000),
    "meta of dates": Shape(lambda n: "<meta name=date content='2024-05-03'>" * n + P, 5_000),
    "meta of dates in words": Shape(lambda n: f"<meta name=date content='{'3 May ' * n}'>{P}", 100_000),
    "meta of digits": Shape(lambda n: f"<meta name=date content='{'2024-' * n}'>{P}", 100_000),
    "meta of tags": Shape(
        lambda n: f"<meta name=keywords content='{', '.join(f'w{i}' for i in range(n))}'>{P}", 30_000
    ),
    "meta of one tag": Shape(lambda n: f"<meta name=keywords content='{', ' * n}'>{P}", 300_000),
    "meta of site names": Shape(lambda n: f"<meta property=og:site_name content='{'a ' * n}'>{P}", 300_000),
    "meta of languages": Shape(lambda n: "<meta http-equiv=content-language content=de>" * n + P, 20_000),
    "an author of brackets": Shape(lambda n: f'<meta name=author content="{"(@" * n}">{P}', 30_000, tested=True),
    "an author of commas": Shape(lambda n: f'<meta name=author content="{"a, " * n}">{P}', 100_000),
    "an author of words": Shape(lambda n: f'<meta name=author content="{"By and " * n}">{P}', 100_000),
    "an author of blanks": Shape(lambda n: f'<meta name=author content="a{" " * n}b">{P}', 300_000),
    "an author of links": Shape(lambda n: f'<meta name=author content="{"http://a" * n}">{P}', 100_000),
    "authors of brackets in JSON-LD": Shape(
        lambda n: linked_data(describe(f"[{', '.join([chr(34) + '(@' * n + chr(34)] * 4)}]")), 10_000, tested=True
    ),
    "authors in JSON-LD": Shape(
        lambda n: linked_data(describe(f'[{", ".join(f"""{{"name": "Ann Lee{i}"}}""" for i in range(n))}]')), 10_000
    ),
    "comments in JSON-LD": Shape(lambda n: linked_data("/* " * n), 100_000, tested=True),
    "lines of comments in JSON-LD": Shape(lambda n: linked_data("// x\n" * n + "{}"), 100_000),
    "line breaks in JSON-LD": Shape(lambda n: linked_data("\n" * n), 300_000, tested=True),
    "line breaks in a text of JSON-LD": Shape(
        lambda n: linked_data('{"@type": "Article", "headline": "a' + "\n" * n + '"}'), 100_000
    ),
    "blanks in JSON-LD": Shape(lambda n: linked_data("{" + " " * n + "}"), 300_000),
    "commas in JSON-LD": Shape(lambda n: linked_data("[" + "," * n + "]"), 300_000),
    "commas and blanks in JSON-LD": Shape(lambda n: linked_data('{"a": 1' + ", " * n), 200_000),
    "quotes in JSON-LD": Shape(lambda n: linked_data('"' * n), 300_000),
    "backslashes in JSON-LD": Shape(lambda n: linked_data('{"a": "' + "\\" * n), 300_000),
    "braces in JSON-LD": Shape(lambda n: linked_data("{}" * n), 100_000),
    "CDATA in JSON-LD": Shape(lambda n: linked_data("<![CDATA[" * n), 100_000),
    "digits in JSON-LD": Shape(lambda n: linked_data('{"@type": "Article", "headline": ' + "9" * n + "}"), 100_000),
    "deep JSON-LD": Shape(lambda n: linked_data('{"author":' * n + "1" + "}" * n), 100_000, tested=True),
    "deep lists of JSON-LD": Shape(lambda n: linked_data("[" * n + "]" * n), 100_000, tested=True),
    "much JSON-LD": Shape(lambda n: linked_data('{"@type":"Article"}') * n, 2_000, tested=True),
    "long JSON-LD": Shape(lambda n: linked_data("[" + ", ".join(["[{}]"] * n) + "]"), 200_000, tested=True),
    "graphs in JSON-LD": Shape(
        lambda n: linked_data('{"@graph": [' + ", ".join([describe('"Ann"')] * n) + "]}"), 10_000
    ),
    "references in JSON-LD": Shape(
        lambda n: linked_data(
            '{"@graph": ['
            + ", ".join(f'{{"@id": "a{i}", "@type": "Article", "author": {{"@id": "a{i + 1}"}}}}' for i in range(n))
            + "]}"
        ),
        5_000,
    ),
}
