"""Unclosed, misnested or foreign markup, which the HTML standard repairs, sometimes at a cost."""

from __future__ import annotations

from scripts.fuzz.shapes.shape import SENTENCE, P, Shape

__all__ = ["SHAPES"]

SHAPES = {
    "open tags": Shape(lambda n: P + "<p a" * n, 500_000, tested=True),
    "open paragraphs and bold": Shape(lambda n: "<p><b>" * n + SENTENCE, 60_000, tested=True),
    "open paragraphs and bold with text": Shape(lambda n: "<p><b>text" * n, 2_000, tested=True),
    "open fonts around paragraphs": Shape(
        lambda n: "".join(f"<font color={i}>" for i in range(500)) + "<p>x" * n, 200, tested=True
    ),
    "open links in paragraphs": Shape(lambda n: "<p><a href=x>text" * n, 3_000),
    "open headings": Shape(lambda n: "<h1>a<h2>b" * n, 2_000),
    "end tags": Shape(lambda n: "</p></div></br></b>" * n + P, 25_000, tested=True),
    "end tags of paragraphs with text": Shape(lambda n: "a</p>b</br>" * n, 3_000),
    "misnested bold": Shape(lambda n: "<b><p></b>" * n + SENTENCE, 50_000, tested=True),
    "misnested links": Shape(lambda n: "<a href=x><b><div></a></b>x" * n, 1_000),
    "misnested links and blocks": Shape(lambda n: "<a href=x><p>y<div>z</a>" * n, 1_000),
    "misnested fonts": Shape(lambda n: "<font color=a><i><p>x</font>y</i>" * n, 1_000),
    "misnested marks": Shape(lambda n: "<b><i><s><u><tt>x</b></i></s></u></tt>" * n, 1_000),
    "misnested in one block": Shape(lambda n: "<b>" + "<div>x</b>" * n, 2_000),
    "html and body": Shape(lambda n: "<html a=b><body c=d>" * n + P, 50_000, tested=True),
    "other attributes of html and body": Shape(
        lambda n: "".join(f"<html a{i}=b><body c{i}=d>" for i in range(n)) + P, 3_000, tested=True
    ),
    "heads": Shape(lambda n: "<head></head><title>x</title>" * n + P, 10_000),
    "frames": Shape(lambda n: P + "<frameset><frame>" * n, 50_000, tested=True),
    "only frames": Shape(lambda n: "<frameset><frame src=x><noframes>y</noframes>" * n, 10_000),
    "templates": Shape(lambda n: "<template>" * n + P, 50_000, tested=True),
    "templates side by side": Shape(lambda n: P + "<template><p>x</template>" * n, 5_000),
    "templates with hidden parts": Shape(lambda n: P + "<template><p hidden>x</template>" * n, 3_000),
    "drawings": Shape(lambda n: "<p>" + "<svg>" * n + P, 50_000, tested=True),
    "drawings side by side": Shape(lambda n: P + "<svg><path d=a /></svg>" * n, 10_000),
    "drawings with text": Shape(lambda n: P + "<svg><foreignObject><p>x</foreignObject><text>y</svg>" * n, 3_000),
    "drawings in drawings": Shape(lambda n: "<svg><foreignObject><div><p>x" * n + P, 10_000),
    "formulas": Shape(lambda n: "<math><mi>" * n + P, 50_000, tested=True),
    "formulas with text": Shape(lambda n: "<p>" + "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>" * n, 1_000),
    "formulas with pages": Shape(
        lambda n: P + "<math><annotation-xml encoding=text/html><p>x</annotation-xml><mtext><b>y</math>" * n, 1_000
    ),
    "open formulas with text": Shape(lambda n: P + "<math><mtext><p>x" * n, 3_000),
    "open CDATA": Shape(lambda n: P + "<![CDATA[" * n, 100_000),
    "CDATA in drawings": Shape(lambda n: P + "<svg><![CDATA[x]]></svg>" * n, 5_000),
    "open comments": Shape(lambda n: P + "<!--" * n, 500_000, tested=True),
    "comments": Shape(lambda n: "<!--x-->" * n + P, 200_000, tested=True),
    "comments between words": Shape(lambda n: "<p>" + "a<!--x-->" * n, 5_000),
    "strange comments": Shape(lambda n: P + "<!x><?y?></ z>" * n, 100_000),
    "open scripts": Shape(lambda n: P + "<script>" * n, 100_000),
    "scripts in comments": Shape(lambda n: P + "<script><!--<script>" * n, 50_000),
    "scripts": Shape(lambda n: "<script>x</script><style>y</style>" * n + P, 20_000),
    "closed scripts of XHTML": Shape(lambda n: "<script src=a />" * n + P, 20_000),
    "half closed scripts of XHTML": Shape(lambda n: P + "<script" + " a/" * n, 100_000),
    "script tags that never close": Shape(lambda n: P + "<title " * n, 100_000),
    "open text areas": Shape(lambda n: P + "<textarea>x" * n, 50_000),
    "plaintext": Shape(lambda n: P + "<plaintext>" + "</p><b>x\n" * n, 50_000),
    "xmp": Shape(lambda n: "<xmp><b>x</xmp>" * n, 3_000),
    "iframes": Shape(lambda n: P + "<iframe src=x>y</iframe><object>z</object>" * n, 3_000),
    "old tags": Shape(lambda n: P + "<isindex><keygen><marquee>x<nobr>y<bgsound>" * n, 1_000),
    "no breaks": Shape(lambda n: P + "<nobr>x" * n, 1_000),
    "pairs of brackets": Shape(lambda n: P + "<>" * n + "</>" * n, 200_000),
    "less-than signs": Shape(lambda n: P + "<" * n, 1_500_000, tested=True),
    "ampersands": Shape(lambda n: P + "&" * n, 2_000_000, tested=True),
    "half entities": Shape(lambda n: P + "&am" * n, 500_000, tested=True),
    "entities": Shape(lambda n: P + "&amp;&lt;&nbsp;&#8203;&notin;" * n, 50_000),
    "numbered entities": Shape(lambda n: P + "&#x110000;&#0;&#xD800;&#99999999999;" * n, 50_000),
    "one long entity": Shape(lambda n: P + "&#" + "9" * n + ";", 1_000_000),
}
