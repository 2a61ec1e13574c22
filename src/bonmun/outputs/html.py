"""Write HTML: a small clean page that is well-formed both as HTML and as XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Html, Text

from bonmun.outputs.nodes import make_element

if TYPE_CHECKING:
    from bonmun.outputs.nodes import Node
    from bonmun.outputs.writable import Writable

__all__ = ["write", "write_xhtml"]

EMPTY = re.compile("<(td|article)/>")
# Line breaks after blocks, for people who read the source and tools that only strip tags. (Texts have no bare `<`.)
LINE_END = re.compile(
    '<[bh]r/>|<(?:ul|ol|dl|table|tr|blockquote|article|body)>|<article data-depth="[0-9]">|'
    "</(?!a>|code>|em>|strong>|del>|su[bp]>|time>)[a-z0-9]+>"
)


def write(doc: Writable) -> str:
    """Write the output tree as a page with title, language and encoding."""
    root = _make_page(doc.nodes, doc.title, {"lang": doc.language} if doc.language else {}, [])
    xml = root.serialize(Html(xml=True))
    # unlike XML, HTML has no self-closing tags for these elements, the only ones that can be empty
    xml = EMPTY.sub(r"<\1></\1>", xml)
    return f"<!DOCTYPE html>\n{_break_lines(xml)}"


def write_xhtml(tree: Node, title: str, language: str | None) -> str:
    """Write an output tree as a chapter of an e-book, with the style sheet `style.css`."""
    attributes = {"xmlns": "http://www.w3.org/1999/xhtml"}
    if language:
        attributes |= {"lang": language, "xml:lang": language}
    style = Element("link", {"rel": "stylesheet", "type": "text/css", "href": "style.css"})
    root = _make_page(tree, title, attributes, [style])
    for anchor in list(root.find_all("anchor")):
        anchor.replace_with(Element("a", {"id": anchor.attr("id") or ""}))
    for box in list(root.find_all("input")):
        box.replace_with(Text("☑" if box.attr("checked") is not None else "☐"))
    xml = root.serialize(Html(xml=True))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n{_break_lines(xml)}'


def _make_page(nodes: Node, title: str | None, attributes: dict[str, str], links: list[Element]) -> Element:
    """Return the elements of a page."""
    root = Element("html", attributes or None)
    head = Element("head", None, [Element("meta", {"charset": "utf-8"})])
    name = Element("title")
    name.append(Text(title or "Untitled"))
    head.append(name)
    for link in links:
        head.append(link)
    tree = make_element(nodes)
    for formula in tree.find_all("math"):
        names = ["math", "display"] if formula.attr("display") else ["math"]
        formula.replace_with(Element("code", {"class": names}, [Text(formula.text)]))
    _convert_notes(tree)
    body = Element("body", None, [tree])
    root.append(head)
    root.append(body)
    return root


def _convert_notes(tree: Element) -> None:
    """Replace footnotes by `<aside>` elements with an id, and their references by links to it."""
    numbers = {note.attr("label"): number for number, note in enumerate(tree.find_all("note"), 1)}
    for note in list(tree.find_all("note")):
        label = Text(f"[{note.attr('label')}] ")
        first = note.children[0]
        if isinstance(first, Element) and first.tag == "p":
            first.insert(0, label)
        else:
            note.insert(0, Element("p", None, [label]))
        attributes = {"id": f"note-{numbers[note.attr('label')]}", "role": "doc-footnote"}
        note.replace_with(Element("aside", attributes, list(note.children)))
    for reference in list(tree.find_all("noteref")):
        link = Element("a", {"href": f"#note-{numbers[reference.attr('label')]}"}, [Text(reference.text)])
        reference.replace_with(Element("sup", None, [link]))


def _break_lines(xml: str) -> str:
    return LINE_END.sub(r"\g<0>\n", xml)
