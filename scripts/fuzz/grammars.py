"""Grammars: small pages with the structures that bonmun treats specially, and with all that can be wrong in them.

A grammar maps symbols to alternatives. An alternative is markup in which «symbol» stands for one of the alternatives of
that symbol, chosen at random. Targets of links are empty, hidden, duplicate, missing and circular; texts hold markup of
every output format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

__all__ = ["GRAMMARS", "Grammar", "expand", "make_page"]

MAX_SYMBOLS = 150  # of a page; then the first alternative is chosen, which soon ends
SYMBOL = re.compile("«([a-z-]+)»")

Grammar = dict[str, tuple[str, ...]]

COMMON: Grammar = {
    "text": (
        "Some words that are long enough to be read as a paragraph of text.", "", "word", " ", "가나다 라마바.",
        "«mark»", "<b>«mark»</b>", "<i>bold</i>", "<code>«mark»</code>", "a <a href=/b>«mark»</a>", "<br>",
        "two<br>lines",
        "<img src=/i.png alt='«mark»'>", "<img src=javascript:x alt='«mark»'>", "<a href='javascript:x'>«mark»</a>",
        "[c]<«inline»>(javascript:x)</«inline»>", "&lt;<«inline»>img src=x onerror=y></«inline»>", "javascript:x", "!",
        "`<code>[c](javascript:x)</code>", "<span«hide»>unseen</span>", "<ruby>a<rt>«mark»</ruby>", "<q>said</q>",
        "1", "[1]", "*",
    ),
    "mark": (
        "x", "[c](javascript:x)", "![d](javascript:y)", "&lt;img src=x onerror=y&gt;",
        "&lt;script&gt;z&lt;/script&gt;",
        "&lt;javascript:z&gt;", "[e]: javascript:w", "](javascript:v)", "`", "``", "|", "\\", "$", "$$", "*a*", "_b_",
        "&amp;lt;b>", "&lt;!--", "&lt;/table&gt;", "# h", "---", "1. a", "[^1]", "[^1]: a", "]]&gt;", "\n\n", "\t",
        "&quot;",
        "\u2028", "\u202e", "\x01", "&#xD800;",
    ),
    "inline": ("span", "b", "i", "q", "a href=/b", "sub", "code", "u", "font", "label"),
    "hide": ("", "", "", " hidden", " style=display:none", " aria-hidden=true", " style='visibility:hidden'"),
    "n": ("1", "2", "3", "9", "0", "-1", "99999999", "x", "१"),
    "id": ("n1", "n1", "n1", "n2", "n2", "n3", "", "missing", "n%31", "top"),
    "holder": (
        "p", "li", "div", "section", "aside", "td", "dd", "dt", "span", "a", "blockquote", "pre", "figure", "sup",
        "h2",
    ),
    "para": (
        "<p>«text»</p>", "<p«hide»>«text»«text»</p>", "<h2>«text»</h2>", "<ul><li>«text»<li>«text»</ul>",
        "<div>«text»</div>",
    ),
}  # fmt: skip

NOTES: Grammar = {
    "page": (
        "<p>«text»«ref»«text»«ref»</p>«note»«para»«notes»", "«notes»<p>«text»«ref»</p>«note»",
        "<p>«text»«ref»«side»</p>«note»",
    ),
    "ref": (
        "<sup>1</sup>", "<sup><a href='#«id»'>«label»</a></sup>", "<a href='#«id»'><sup>«label»</sup></a>",
        "<a href='#«id»' class=footnote-ref>«label»</a>", "<a href='#«id»'>[«n»]</a>",
        "<sup«hide»><a href='#«id»'>«label»</a></sup>",
        "<sup id=«id»><a href='#«id»'>«label»</a></sup>", "<sup>«label»</sup>",
        "<a href='#«id»'>«label»<b>«label»</b></a>", "",
    ),
    "label": ("1", "2", "*", "[1]", "a", "", " ", "iv", "†", "note 1", "«text»"),
    "note": (
        "", "<«holder» id='«id»'>«inner»</«holder»>", "<«holder» id='«id»'«hide»>«inner»</«holder»>",
        "<ol><li id='«id»'></ol>",
        "<ol class=footnotes><li id='«id»'>«inner»<li id='«id»'>«inner»</ol>", "<p><a name='«id»'></a>«inner»</p>",
        "<dl><dt id='«id»'>«label»<dd>«inner»</dl>", "<dl><dt id='«id»'></dl>", "<p><sup>«label»</sup> «inner»</p>",
        "<ol start=«n» class=footnotes><li>«inner»</ol>", "<template><p id='«id»'>«inner»</template>",
        "<table><tr><td id='«id»'>«inner»</table>",
        "<script id='«id»'></script>", "<img id='«id»' src=x>",
    ),
    "inner": (
        "A note.", "", "", "«text»", "«text»«ref»", "«ref»", "<p>«text»</p><p>«text»</p>",
        "<«holder» id='«id»'>«inner»</«holder»>", "«note»", "<a href='#«id»'>↩</a>", "«label». «text»",
    ),
    "notes": ("", "«note»«note»", "«note»«para»«note»«note»", "<section class=footnotes>«note»«note»</section>"),
    "side": (
        "", "<label for=s>x</label><input id=s><span class=sidenote>«text»</span>",
        "<label></label><small class=marginnote>«inner»</small>",
    ),
}  # fmt: skip

FORMULAS: Grammar = {
    "page": (
        "<link href=katex.css>«para»<p>«text»«formula»«text»«formula»</p>«formula»",
        "<script src=/mathjax.js></script><p>«raw»«text»</p>«formula»", "<p>«formula»</p>",
    ),
    "formula": (
        "<math><mi>x</mi></math>", "<math alttext='«tex»'>«mathml»</math>", "<math«display»>«mathml»</math>",
        "<math><semantics>«mathml»<annotation encoding=application/x-tex>«tex»</annotation></semantics></math>",
        "<span class=katex><span class=katex-mathml><math>«mathml»</math></span>«katex»</span>",
        "<span class=katex-display>«formula»</span>",
        "<mjx-container«display» data-latex='«tex»'>«formula»</mjx-container>",
        "<span class=MathJax data-mathml='&lt;math>&lt;mi>«mark»&lt;/mi>&lt;/math>'></span>",
        "<div class=MathJax_Display>«formula»</div>",
        "<script type='math/tex; mode=display'>«tex»</script>",
        "<script type='math/mml'><math><mi>x</mi></math></script>",
        "<span class='math inline'>«tex»</span>", "<div class='math display'>«tex»</div>",
        "<span data-latex='«tex»'>«text»</span>",
        "<img class=tex alt='«tex»' src=x>", "<img src='/latex.php?latex=«tex»' alt=''>",
        "<d-math block>«tex»</d-math>", "<math-renderer>$«tex»$</math-renderer>",
        "<span class=mwe-math-element>«formula»</span>", "<span class=MathJax_Preview>«formula»</span>",
        "<table class=ltx_eqn_table>«row»«row»</table>", "<svg class=ltx_eqn_table>«row»</svg>",
        "<span«hide»>«formula»</span>",
    ),
    "row": (
        "<tr><td><math><mi>x</mi></math>", "<tr><td>«formula»<td class=ltx_tag_equation>«text»", "<tr>«row»</tr>",
        "<tr><td><table class=ltx_eqn_table>«row»</table>",
    ),
    "katex": ("", "<span class=katex-html>«text»</span>"),
    "display": ("", " display=block", " display=true", " mode=display"),
    "tex": (
        "x_1", "", " ", "a < b", "a &lt;b&gt;", "«mark»", "«mark»«mark»", "\\frac{1}{2}", "\\text{«mark»}", "$$x$$",
        "\\(x\\)", "%", "x\\", "{\\displaystyle x}", "a*b*c_d_e", "x`y`", "\\begin{align}a&b\\\\c\\end{align}",
    ),
    "raw": (
        "\\(x\\)", "\\(«tex»\\)", "\\[«tex»\\]", "$«tex»$", "$$«tex»$$", "\\begin{align}«tex»\\end{align}",
        "«text»«raw»",
    ),
    "mathml": (
        "<mi>x</mi>", "", "<mi>«mark»</mi>", "<mn>«mark»</mn>", "<mo>«mark»</mo>", "<mtext>«mark»</mtext>",
        "<ms lquote='«mark»'>«mark»</ms>",
        "<mrow>«mathml»«mathml»</mrow>", "<mfrac>«mathml»</mfrac>", "<msup>«mathml»«mathml»«mathml»</msup>",
        "<msub></msub>", "<mroot>«mathml»</mroot>",
        "<mtable><mtr><mtd columnspan=«n»>«mathml»</mtable>", "<mlabeledtr>«mathml»</mlabeledtr>",
        "<mtable><mlabeledtr><mtd>«mathml»<mtd>«mathml»</mtable>",
        "<mfenced open='«mark»' separators='«mark»'>«mathml»«mathml»</mfenced>",
        "<menclose notation=box>«mathml»</menclose>", "<munderover>«mathml»</munderover>",
        "<mmultiscripts>«mathml»<mprescripts/>«mathml»</mmultiscripts>", "<maction selection=«n»>«mathml»</maction>",
        "<mspace width='«n»em'/>", "<mglyph alt='«mark»'/>",
        "<semantics></semantics>", "<mphantom>«mathml»</mphantom>", "<mtext><p>«text»</p></mtext>", "«formula»",
    ),
}  # fmt: skip

CODE: Grammar = {
    "page": ("«para»«code»«para»«code»", "<p>«text»<code>«mark»</code></p>«code»"),
    "code": (
        "<pre>x = 1</pre>", "<pre>«line»«line»«line»</pre>",
        "<pre><code class='language-«lang»'>«line»\n«line»</code></pre>", "<pre«hide»>«line»</pre>", "<pre></pre>",
        "<pre>\n\n</pre>",
        "<figure class=highlight><table><td class=gutter><pre>1\n2</pre><td class=code>«code»</table></figure>",
        "<div class=highlight><table class=hl><tr><td class=linenos>«num»<td>«code»</table></div>",
        "<pre>«num»«code»</pre>", "<figure><div class=gutter>«num»</div>«code»</figure>",
        "<code style='white-space:pre'>«line»\n«line»</code>",
        "<div class=cm-content><div>«line»</div><div>«line»</div></div>", "<xmp>«line»</xmp>",
        "<pre><table>«line»<tr><td>«line»</table></pre>",
        "<pre><button>Copy</button>«line»</pre>",
        "<div class=syntaxhighlighter><table><td class=gutter>«num»<td class=code>«code»</table></div>",
        "<ul><li>«code»</ul>", "<blockquote>«code»</blockquote>",
    ),
    "line": (
        "f(x)", "", "«text»", "«mark»", "\n", "  x\n\ty\n", "<span class=lineno>1</span>f()\n",
        "<span class=n>1</span>a\n<span class=n>2</span>b\n<span class=n>3</span>c\n", "<p>«line»</p>",
        "<span class=ln></span>", "<br>", "```", "~~~~",
    ),
    "num": ("1", "<span>1</span>\n<span>2</span>", "", "«text»", "<span style='user-select:none'>3</span>"),
    "lang": ("python", "", "«mark»", "c++", "x" * 60),
}  # fmt: skip

TABLES: Grammar = {
    "page": ("«para»«table»«para»«table»", "«table»", "<ul><li>«table»</ul>"),
    "table": (
        "<table><tr><th>a<th>b<tr><td>c<td>d</table>", "<table>«caption»«row»«row»«row»</table>",
        "<table><thead>«row»<tbody>«row»<tfoot>«row»</table>", "<table></table>", "<table>«table»«row»</table>",
        "<table«hide»>«row»«row»</table>", "<table role=presentation>«row»</table>",
        "<svg><table>«row»</table></svg>", "<math><table>«row»</table></math>",
        "<table><caption>«table»</caption>«row»</table>",
        "<svg>«row»</svg>", "<table><colgroup><col span=«n»>«row»«row»</table>",
        "<div class=ltx_eqn_table>«row»</div>",
    ),
    "row": (
        "<tr><td>a<td>b", "<tr>«cell»«cell»", "<tr>«cell»«cell»«cell»", "<tr«hide»>«cell»</tr>", "<tr>", "<tr>«row»",
        "«cell»", "«text»",
    ),
    "cell": (
        "<td>a", "<th>«text»", "<td colspan=«n» rowspan=«n»>«text»", "<th colspan=«n»>«mark»", "<td>", "<td>«table»",
        "<td>«para»«para»", "<td><pre>«mark»</pre>", "<td«hide»>«text»", "<td headers='«id»' id='«id»'>«mark»",
    ),
    "caption": (
        "", "<caption>«text»</caption>", "<caption>«table»</caption>", "<caption></caption><caption>«text»</caption>",
    ),
}  # fmt: skip

POSTS: Grammar = {
    "page": (
        "«head»<div class=thread>«post»«post»«post»</div>", "«head»«para»<div id=comments>«post»«post»</div>",
        "«head»«post»«post»«post»«post»",
    ),
    "head": (
        "", "<title>«mark» «text»</title>",
        "<title>«mark»</title><meta name=author content='«mark»'><meta property=og:site_name content='«mark»'>",
        "<h1>«mark»</h1>",
    ),
    "post": (
        "<div class=post>a</div>", "<div class=post id='«id»'>«by»<p>«text»</p></div>",
        "<article class=comment>«by»«para»«post»</article>",
        "<div class=post itemscope itemtype=https://schema.org/Comment>«by»<p itemprop=text>«text»</p></div>",
        "<li class=comment id='«id»'«hide»>«by»«text»", "<div class=post>«by»</div>",
        "<div class=post><blockquote>«post»</blockquote>«text»</div>",
        "<div class=post><a href='#«id»'>«text»</a></div>", "",
    ),
    "by": (
        "<b class=author>Ann</b>", "", "<span class=author>«mark»</span> <time datetime='«date»'>«date»</time>",
        "<a class=username rel=author href='/u/«n»'>«mark»</a><span class=date>«date»</span>", "<time>«date»</time>",
    ),
    "date": ("2024-05-03", "", "«mark»", "3 May 2024", "yesterday", "2024-99-99", "9999999999"),
}  # fmt: skip

FIGURES: Grammar = {
    "page": (
        "«para»«figure»«para»«figure»", "<dl>«term»«term»</dl>«figure»", "«figure»«figure»",
        "<p>«text»<ruby>«ruby»</ruby></p>«figure»",
    ),
    "figure": (
        "<figure><img src=/a.png alt=x><figcaption>a</figcaption></figure>",
        "<figure«hide»>«media»<figcaption>«text»</figcaption></figure>",
        "<figure><figure>«figure»</figure><figcaption>«figure»</figcaption></figure>", "<figure></figure>",
        "<figcaption>«text»</figcaption>", "<figure><blockquote>«text»</blockquote>«media»</figure>",
        "<details><summary>«figure»</summary>«text»</details>",
        "<div class=admonition><p class=admonition-title>«mark»</p>«figure»</div>", "<picture>«media»</picture>",
        "<ul><li><input type=checkbox>«text»<li>«figure»</ul>", "<dl>«term»</dl>", "<a href='#«id»'>«media»</a>",
    ),
    "media": (
        "<img src=/a.png alt=x>", "<img src='«mark»' alt='«mark»'>", "<img srcset='«mark» 2x, /b.png' alt='«mark»'>",
        "<noscript><img src=/c.png alt='«mark»'></noscript>",
        "<iframe src='https://www.youtube.com/embed/«mark»' title='«mark»'></iframe>", "<video src='«mark»'></video>",
        "<img class=emoji alt='«mark»' src=e.png>", "<svg><title>«mark»</title></svg>", "",
    ),
    "term": ("<dt>a<dd>b", "<dt>«text»<dd>«text»", "<dd>«figure»", "<dt id='«id»'>", "<dt><dl>«term»</dl>", "«text»"),
    "ruby": ("a<rt>b", "«mark»<rp>(<rt>«mark»<rp>)", "<rt>", "<ruby>«ruby»</ruby><rt>«ruby»", "<rtc>«text»"),
}  # fmt: skip

GRAMMARS: Mapping[str, Grammar] = {
    "notes": NOTES, "formulas": FORMULAS, "code": CODE, "tables": TABLES, "posts": POSTS, "figures": FIGURES,
}  # fmt: skip


def make_page(random: Random, grammar: Grammar) -> str:
    """Return a page of a grammar."""
    return expand(random, COMMON | grammar)


def expand(random: Random, rules: Grammar) -> str:
    """Return one of the texts that the symbol "page" stands for."""
    made: list[str] = []
    waiting = [("page", True)]  # symbols (True) and texts, the next one last
    symbols = 0
    while waiting:
        piece, is_symbol = waiting.pop()
        if not is_symbol:
            made.append(piece)
            continue
        symbols += 1
        chosen = random.choice(rules[piece]) if symbols < MAX_SYMBOLS else rules[piece][0]
        parts = SYMBOL.split(chosen)
        waiting += [(part, bool(number % 2)) for number, part in enumerate(parts)][::-1]
    return "".join(made)
