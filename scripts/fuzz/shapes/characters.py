"""Long texts of few characters: endless words, scripts without spaces, Markdown marks, unreadable text."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

SHAPES = {
    "one word": Shape(lambda n: "<p>" + "a" * n, 5_000_000, tested=True),
    "one Korean word": Shape(lambda n: "<p>" + "가" * n, 2_000_000, tested=True),
    "one Chinese sentence": Shape(lambda n: "<p>" + "漢字" * n, 1_000_000),
    "one Thai sentence": Shape(lambda n: "<p>" + "กาี่" * n, 500_000),
    "Chinese sentences": Shape(lambda n: "<p>" + "漢字。" * n, 300_000),
    "words": Shape(lambda n: "<p>" + "word " * n, 500_000),
    "sentences": Shape(lambda n: "<p>" + f"{SENTENCE} " * n, 10_000),
    "dots": Shape(lambda n: "<p>" + "." * n, 500_000),
    "dots and blanks": Shape(lambda n: "<p>" + ". " * n, 200_000),
    "capitals and dots": Shape(lambda n: "<p>" + "A. " * n, 200_000),
    "digits": Shape(lambda n: "<p>" + "1" * n, 1_000_000),
    "digits and dots": Shape(lambda n: "<p>" + "1." * n, 300_000),
    "dates": Shape(lambda n: "<p>" + "2024-05-03 " * n, 50_000),
    "days ago": Shape(lambda n: "<p>" + "3 days ago " * n, 50_000),
    "bars": Shape(lambda n: "<p>" + "a | " * n, 200_000),
    "by": Shape(lambda n: "<p>" + "by " * n, 200_000),
    "one backtick": Shape(lambda n: f"<p>{SENTENCE}<code>{'`' * n}</code>", 1_000_000, tested=True),
    "backticks in code": Shape(lambda n: f"<p>{SENTENCE}<code>{'` ' * n}</code>", 300_000),
    "backticks of every length": Shape(
        lambda n: f"<p>{SENTENCE}<code>{' '.join('`' * i for i in range(1, int(n**0.5) + 1))}</code>", 500_000
    ),
    "a fence of backticks": Shape(lambda n: f"{P}<pre>{'`' * n}</pre>", 1_000_000),
    "marks of Markdown": Shape(lambda n: f"<p>{SENTENCE}{'*_`[]()#|~<&' * n}", 100_000, tested=True),
    "marks of Markdown, escaped": Shape(lambda n: f"<p>{SENTENCE}{'*_`[]()#|~&lt;&amp;' * n}", 100_000),
    "open brackets": Shape(lambda n: f"<p>{SENTENCE}{'[' * n}", 500_000),
    "images of Markdown": Shape(lambda n: f"<p>{SENTENCE}{'![a](b) ' * n}", 100_000),
    "brackets in a link": Shape(lambda n: f"<p>{SENTENCE}<a href=x>{'[]' * n}</a>", 300_000),
    "lines of dashes": Shape(lambda n: "<p>" + "-<br>" * n, 3_000),
    "lines of numbers": Shape(lambda n: "<p>" + "1. a<br>" * n, 3_000),
    "hashes": Shape(lambda n: "<p>" + "#" * n, 500_000),
    "backslashes": Shape(lambda n: "<p>" + "\\" * n, 500_000),
    "tildes": Shape(lambda n: "<p>" + "~" * n, 500_000),
    "stars and blanks": Shape(lambda n: "<p>" + "* " * n, 300_000),
    "combining marks": Shape(lambda n: "<p>a" + "\u0301" * n, 500_000),
    "combining marks in order": Shape(lambda n: "<p>a" + "\u0316\u0301" * n, 300_000),
    "right-to-left marks": Shape(lambda n: "<p>" + "\u202ea\u202c" * n, 300_000),
    "zero-width joiners": Shape(lambda n: "<p>" + "👩\u200d" * n, 300_000),
    "half characters": Shape(lambda n: "<p>" + "\ud800a" * n, 300_000),
    "half characters and blanks": Shape(lambda n: "<p>" + "\ud800 " * n, 300_000),
    "controls": Shape(lambda n: "<p>" + "\x01 \x1b" * n, 300_000),
    "noncharacters": Shape(lambda n: "<p>" + "a\ufdd0\ufdd1" * n, 100_000),
    "line separators": Shape(lambda n: "<p>" + "a\u2028" * n, 300_000),
    "no-break spaces": Shape(lambda n: "<p>" + "\xa0" * n + SENTENCE, 500_000),
    "blanks first": Shape(lambda n: " \n" * n + P, 2_000_000, tested=True),
    "blanks in a word": Shape(lambda n: f"<p>a{' ' * n}b", 1_000_000),
    "blanks in bold": Shape(lambda n: "<p>" + "<b> </b>" * n + "x", 20_000),
    "blanks at the ends": Shape(lambda n: "<p>" + "<b> a </b>" * n + "x", 3_000),
    "tabs": Shape(lambda n: "<p>" + "a\t" * n, 300_000),
    "NULs": Shape(lambda n: P + "<p>a\0b</p>" * n, 3_000, tested=True),
    "only NULs": Shape(lambda n: P + "\0" * n, 1_000_000),
}

KOREAN = "가나다 라마바사 ".encode("cp949")
BYTES = 200_000  # approximate size of each

BYTE_SHAPES = {
    "bytes: Korean": Shape(lambda n: KOREAN * n, BYTES),
    "bytes: Korean lines": Shape(lambda n: KOREAN.replace(b" ", b"\n") * n, BYTES),
    "bytes: Korean tags": Shape(lambda n: b"<" + KOREAN.replace(b" ", b"<") * n, BYTES),
    "bytes: half characters": Shape(lambda n: b"\xb0" * n + b"\n" + KOREAN, BYTES),
    "bytes: less-than signs": Shape(lambda n: b"<" * n + KOREAN, BYTES),
    "bytes: open labels": Shape(lambda n: b"<meta charset" * n + b">" + KOREAN, BYTES),
    "bytes: empty labels": Shape(lambda n: b"<meta charset='' " * n + b">" + KOREAN, BYTES),
    "bytes: labels": Shape(lambda n: b"<meta charset=x>" * n + KOREAN, BYTES),
    "bytes: quoted labels": Shape(lambda n: b"<meta charset=" + b"'\"" * n + b">" + KOREAN, BYTES),
    "bytes: open languages": Shape(lambda n: b"<html lang" * n + b">" + KOREAN, BYTES),
    "bytes: blanks": Shape(lambda n: b" " * n + KOREAN, BYTES),
    "bytes: comments": Shape(lambda n: b"<!---->" * n + KOREAN, BYTES),
    "bytes: open comments": Shape(lambda n: b"<!--" * n + b"-->" + KOREAN, BYTES),
    "bytes: escapes": Shape(lambda n: b"\x1b$B\x1b(B" * n + b"<p>text</p>" * n, BYTES),
    "bytes: open brackets": Shape(lambda n: b"[" * n, BYTES),
    "bytes: half a list": Shape(lambda n: b"[" + b"[]," * n + b"<p>text", BYTES),
    "bytes: UTF-16": Shape(lambda n: ("<p>" + "а" * n).encode("utf-16"), BYTES),
    "bytes: UTF-7": Shape(lambda n: b"<meta charset=utf-7><p>" + b"+ADw-" * n, BYTES),
    "bytes: any": Shape(lambda n: b"<p>" + bytes(range(128, 256)) * (n // 100), BYTES),
}
