"""Material for mutations: tags, attributes, values, pieces of text, encodings."""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "CODECS", "PIECES", "TAGS", "VALUES"]

TAGS = (
    "a abbr article aside b base blockquote body br button caption center code col dd del details dialog div dl dt em "
    "fieldset figcaption figure font footer form frameset h1 h2 h6 head header hr html i iframe img input kbd label "
    "legend li listing main math menu meta mi mtext nav nobr noscript object ol optgroup option p plaintext pre ruby "
    "rt rp s script section select slot span strike strong style sub summary sup svg foreignObject desc table tbody td "
    "template textarea tfoot th thead time title tr tt u ul video wbr x-y xmp annotation-xml"
).split()
ATTRIBUTES = (
    "class id style href src alt title hidden role lang colspan rowspan start open name slot shadowrootmode data-src "
    "data-original srcset rel itemprop property content datetime type aria-hidden onclick value encoding"
).split()
VALUES = (
    "a", "display:none", "display:block", "display:inline", "white-space:pre", "visibility:hidden",
    "javascript:alert(1)", "java&#10;script:x", " &#1;javascript:x", "JaVaScRiPt&colon;x",
    "data:text/html,<script>x</script>", "vbscript:x", "http://a.example/b?c=(d)#e", "//a.example", "../g h",
    "http://[::1", "https://a.example/)](x", "mailto:a@b", "blob:x", "language-python", "comment", "author byline",
    "date published", "menu", "content", "presentation", "true", "open", "3", "0", "9999", "-1", "",
    "&quot;'<d>&amp;f", "]()[`*", "|\\", "text/html", "author", "headline", "2024-05-03", "&lt;script>", "\x00",
    "\ud800", "가나다", "x" * 300,
)  # fmt: skip
PIECES = (
    "word", "Two words.", " ", "\n", "  \n\n ", "\t", "가나다", "漢字", "。", "「", "—", "a_b", "__c__", "*d*", "**",
    "`", "``", "```\n", "~~", "~~~", "#", "\n# e", "\n- ", "\n+ ", "\n1. ", "2) ", "\n> ", "| ", "|-|-|", "=",
    "\n===\n", "\n---\n", "[f](g)", "![", "]: ", "<", ">", "&", "&amp;", "&lt;p>", "&lt;script>x&lt;/script>",
    "&amp;lt;", "&nbsp;", "&#8203;", "&copy", "&#0;", "&#xD800;", "&#x110000;", "&NotEqualTilde;", "\\", "\\*",
    "http://h.example/", "&lt;javascript:x>", "[x](javascript:y)", "<!-- i -->", "<!--", "-->", "<![CDATA[", "]]>",
    "<?xml version='1.0'?>", "<!DOCTYPE html>", "</p>", "</table>", "</br>", "<br>", "<br><br>", "<p>", "<b>", "</b>",
    "<a href=x>", "</a>", "<li>", "<td>", "<tr>", "<table>", "<pre>", "<svg>", "</svg>", "<math>", "<template>",
    "<template shadowrootmode=open><slot></slot></template>", "<script>", "</script>", "<style>", "<title>",
    "</title>", "<textarea>", "<select>", "<frameset>", "<plaintext>", "<base href=http://b.example/c/>",
    "<meta charset=euc-kr>", "<meta charset=utf-16>", "<meta name=author content='Ann'>", "By Ann Lee | 3 May 2024",
    "<noscript>", "<iframe>", "<body onload=x>", "<html lang=ko>", "<img src=x alt=y>",
    "<td rowspan=9999 colspan=9999>", "\u00a0", "\u3000", "\u200b", "\u2028", "\x0c", "\0", "\x01", "\x1b", "\x85",
    "\ud800", "\udc00", "\ufffe", "\ufeff", "\ufdd0", "\ufdd1", "\ufdd4", "é", "e\u0301", "\u202e", "👩‍👩‍👧", "¶",
    "^j", ":k:", "$l$", "!",
)  # fmt: skip
CODECS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7", "latin-1", "cp1252", "cp949", "shift_jis",
    "gb18030", "big5", "cp1251", "tis-620", "iso2022_jp",
)  # fmt: skip
