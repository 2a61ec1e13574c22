"""Write XML: a TEI P5 document, the exchange format of text archives and corpus tools."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from bonmun._version import __version__
from bonmun.markup import HEADINGS
from bonmun.outputs.nodes import Node
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["write"]

TEI = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"

# TEI elements by the tag of the output tree.
NAMES = {
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "li": "item",
    "dd": "item",
    "dt": "label",
    "table": "table",
    "tr": "row",
}
NAMES |= {
    "td": "cell",
    "th": "cell",
    "caption": "head",
    "figcaption": "head",
    "figure": "figure",
    "blockquote": "quote",
}
NAMES |= {
    "p": "p",
    "pre": "p",
    "br": "lb",
    "hr": "milestone",
    "a": "ref",
    "img": "graphic",
    "code": "code",
    "del": "del",
    "math": "formula",
    "note": "note",
    "noteref": "ref",
}
NAMES |= {"strong": "hi", "em": "hi", "sub": "hi", "sup": "hi"}
NAMES |= {"article": "div", "header": "byline", "time": "date"}  # of a post
FIXED = {
    "ul": {"rend": "bulleted"},
    "ol": {"rend": "numbered"},
    "dl": {"type": "gloss"},
    "th": {"role": "label"},
    "hr": {"unit": "section", "rend": "rule"},
    "math": {"notation": "TeX"},
    "note": {"place": "end"},
    "noteref": {"type": "note"},
    "article": {"type": "post"},
    "strong": {"rend": "bold"},
    "em": {"rend": "italic"},
    "sub": {"rend": "subscript"},
    "sup": {"rend": "superscript"},
}
ATTRIBUTES = {
    "label": "n",
    "display": "rend",
    "colspan": "cols",
    "rowspan": "rows",
    "href": "target",
    "src": "url",
    "start": "n",
    "datetime": "when",
}
PHRASES = frozenset(
    {"hi", "ref", "code", "del", "graphic", "formula", "date", "docAuthor"}
)  # inline; all others start a new line


def write(doc: Writable) -> str:
    """Write the output tree with a TEI header."""
    root = ET.Element("TEI", {"xmlns": TEI})
    _add_header(root, doc)
    body = ET.SubElement(ET.SubElement(root, "text"), "body")
    division: ET.Element | None = None
    posts = False
    for child in doc.plain_nodes.children:
        if isinstance(child, str):
            continue
        if child.tag == "article":  # a post
            _convert(child, body)
            posts, division = True, None
            continue
        # in TEI, a heading must come first in its division
        if division is None or child.tag in HEADINGS:
            division = ET.SubElement(body, "div")
            division.tail = "\n"
        _convert(child, division)
    if division is None and not posts:
        ET.SubElement(ET.SubElement(body, "div"), "p")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add_header(root: ET.Element, doc: Writable) -> None:
    file = ET.SubElement(ET.SubElement(root, "teiHeader"), "fileDesc")
    statement = ET.SubElement(file, "titleStmt")
    ET.SubElement(statement, "title").text = doc.title or "Untitled"
    for author in doc.authors:
        ET.SubElement(statement, "author").text = author
    published = ET.SubElement(file, "publicationStmt")
    ET.SubElement(published, "p").text = doc.site_name or "Unknown"
    source = ET.SubElement(ET.SubElement(file, "sourceDesc"), "bibl")
    ET.SubElement(source, "title").text = doc.title or "Untitled"
    for author in doc.authors:
        ET.SubElement(source, "author").text = author
    if doc.date:
        ET.SubElement(source, "date", {"when": doc.date}).text = doc.date
    if url := read_url(doc.url):
        ET.SubElement(source, "ptr", {"target": url})
    header = root[0]
    tool = ET.SubElement(ET.SubElement(header, "encodingDesc"), "appInfo")
    tool = ET.SubElement(tool, "application", {"ident": "bonmun", "version": __version__})
    ET.SubElement(tool, "label").text = f"bonmun, method {doc.method}"
    if doc.language:
        usage = ET.SubElement(ET.SubElement(header, "profileDesc"), "langUsage")
        ET.SubElement(usage, "language", {"ident": doc.language}).text = doc.language


def _convert(element: Node, parent: ET.Element) -> None:
    """Append an element and its descendants, as TEI, to a TEI parent.

    The recursion is safe, because the depth of the output tree is limited.
    """
    tag = element.tag
    if tag == "input":  # TEI has no checkboxes
        return
    if tag == "dt" and parent.get("type") != "gloss":
        parent = ET.SubElement(parent, "item")
        parent.tail = "\n"
    if tag in HEADINGS and parent.get("type") == "post":  # a heading would have to come before the byline
        parent = ET.SubElement(parent, "p")
        parent.tail = "\n"
    if tag in HEADINGS:
        # in list items and cells, where TEI has no headings, it is highlighted text
        made = ET.Element("head" if parent.tag == "div" else "hi", {"rend": tag})
    elif tag == "strong" and parent.tag == "byline":
        made = ET.Element("docAuthor")
    elif tag == "dl" and not _is_glossary(element):
        made = ET.Element("list")
    else:
        made = ET.Element(NAMES[tag], FIXED.get(tag, {}))
    for name, value in (element.attributes or {}).items():
        if name in ATTRIBUTES:
            made.set(ATTRIBUTES[name], "display" if tag == "math" else value)
        elif name == "class" and tag == "code":
            made.set("lang", value.removeprefix("language-"))
    if tag == "pre":
        made.set(f"{{{XML}}}space", "preserve")
    if made.tag not in PHRASES or tag in HEADINGS:
        made.tail = "\n"
        if tag != "br" and (len(parent) or parent.text) and not _find_last_text(parent).endswith("\n"):
            _add_text(parent, "\n")
    parent.append(made)
    for child in element.children:
        if isinstance(child, str):
            _add_text(made, child)
        else:
            _convert(child, made)


def _is_glossary(element: Node) -> bool:
    """Whether a <dl> has exactly one <dd> after each <dt>, as a glossary in TEI must have."""
    tags = [child.tag for child in element.children if isinstance(child, Node)]
    return set(tags[::2]) == {"dt"} and set(tags[1::2]) == {"dd"} and len(tags) % 2 == 0


def _find_last_text(parent: ET.Element) -> str:
    """Return the text at the end of an element, which ElementTree stores in the tail of the last child."""
    return (parent[-1].tail if len(parent) else parent.text) or ""


def _add_text(parent: ET.Element, text: str) -> None:
    text = _find_last_text(parent) + text
    if len(parent):
        parent[-1].tail = text
    else:
        parent.text = text
