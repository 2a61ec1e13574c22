"""Tables: rows, columns, spans, cells with blocks, and foster-parented text."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

SHAPES = {
    "columns": Shape(lambda n: f"{P}<table><tr>{'<th>a' * n}<tr>{'<td>b' * n}</table>", 3_000, tested=True),
    "columns, the last one filled": Shape(
        lambda n: f"{P}<table><tr>{'<th>' * n}a<tr>{'<td>' * n}b</table>", 5_000, tested=True
    ),
    "rows": Shape(lambda n: f"{P}<table><tr><th>a<th>b{'<tr><td>c<td>d' * n}</table>", 1_000, tested=True),
    "rows of one cell": Shape(lambda n: f"{P}<table><tr><th>a{'<tr><td>c' * n}</table>", 12_000, tested=True),
    "one row": Shape(lambda n: f"<table><tr>{'<td>a' * n}", 3_000),
    "a wide row over short ones": Shape(lambda n: f"<table><tr>{'<td>a' * n}{'<tr><td>b' * n}", 1_000, tested=True),
    "a short row over a wide one": Shape(lambda n: f"<table>{'<tr><td>b' * n}<tr>{'<td>a' * n}", 1_000),
    "a wide cell over short ones": Shape(lambda n: f"<table><tr><th>{'a' * n}<th>b{'<tr><td>c<td>d' * n}", 1_000),
    "a wide cell in every column": Shape(
        lambda n: "<table>" + "".join(f"<tr>{'<td>x' * 20}<td>{'a' * 20}" for _ in range(n)), 100
    ),
    "spans of cells": Shape(
        lambda n: f"{P}<table>{'<tr><td colspan=999>c<td rowspan=999>d' * n}</table>", 1_000, tested=True
    ),
    "huge spans": Shape(
        lambda n: f"{P}<table>{'<tr><td colspan=99999999>c<td rowspan=99999999>d' * n}</table>", 1_000, tested=True
    ),
    "wide spans": Shape(lambda n: f"{P}<table>{'<tr><td colspan=9999>c<td>d' * n}</table>", 1_000),
    "wide spans in one row": Shape(lambda n: f"{P}<table><tr>{'<td colspan=9999>c' * n}<tr><td>d</table>", 1_000),
    "high spans": Shape(lambda n: f"{P}<table>{'<tr><td rowspan=9999>c<td>d' * n}</table>", 1_000),
    "tables of one cell": Shape(lambda n: "<table><td>a</table>" * n, 2_000),
    "small tables": Shape(lambda n: "<table><tr><th>a<th>b<tr><td>c<td>d</table>" * n, 500),
    "lists in cells": Shape(lambda n: "<table><tr>" + "<th>a<td><ul><li>b</ul>" * n, 1_000, tested=True),
    "lists in rows": Shape(lambda n: "<table>" + "<tr><th>a<td><ul><li>b<li>c</ul>" * n, 1_000),
    "blocks in cells": Shape(lambda n: f"<table>{'<tr><th>a<td><p>b<p>c<h3>d</h3>' * n}</table>", 500),
    "blocks in one cell": Shape(
        lambda n: f"<table><tr><th>x<th>y<tr><td>a<td>{'<p>b</p>' * n}</table>", 2_000, tested=True
    ),
    "lines in one cell": Shape(lambda n: f"<table><tr><th>x<th>y<tr><td>a<td>{'b<br>' * n}</table>", 3_000),
    "tables in cells": Shape(lambda n: "<table><tr><td>" + "<table><tr><td>a<td>b</table>" * n, 1_000),
    "tables in items": Shape(lambda n: "<ul>" + "<li><table><tr><td>a<td>b<tr><td>c<td>d</table>" * n, 500),
    "code in cells": Shape(lambda n: f"<table>{'<tr><th>a|b<td><code>c|d</code><pre>e|f</pre>' * n}</table>", 500),
    "captions": Shape(lambda n: f"<table>{'<caption>a</caption><tr><td>b<td>c' * n}</table>", 1_000),
    "bodies": Shape(lambda n: f"<table>{'<thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c' * n}</table>", 500),
    "columns in groups": Shape(lambda n: f"<table><colgroup>{'<col>' * n}<tr><td>{SENTENCE}", 50_000),
    "empty rows": Shape(lambda n: f"<table>{'<tr>' * n}<tr><td>{SENTENCE}<td>a</table>", 50_000),
    "empty cells": Shape(lambda n: f"<table>{'<tr><td><td><td>' * n}<tr><td>{SENTENCE}<td>a</table>", 10_000),
    "misnested tables": Shape(lambda n: "<table><b>" * n + SENTENCE, 20_000, tested=True),
    "foster parents": Shape(lambda n: "<table>" + "x<tr>" * n, 20_000, tested=True),
    "fostered blocks": Shape(lambda n: "<table>" + "<p>x</p>" * n + "<tr><td>y", 3_000),
    "fostered links": Shape(lambda n: "<table><tr>" + "<a href=x>y" * n, 1_000),
    "fostered emphasis in cells": Shape(lambda n: "<table>" + "<b>x<tr><td>y" * n, 500),
    "fostered in nests": Shape(lambda n: "<table>x<tr>y<td>z" * n, 2_000),
    "cells alone": Shape(lambda n: "<td>a<tr><th>b" * n, 3_000),
    "layout tables": Shape(lambda n: "<table role=presentation><tr><td><p>a<td><p>b</table>" * n, 500),
}
