"""List the links and images of a document, each with the place that it comes from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bonmun.outputs.nodes import Node, SourceNode, gather_text
from bonmun.outputs.tree import build_tree
from bonmun.page.figures import is_credit
from bonmun.page.image_names import read_size
from bonmun.sites.domains import find_host
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.outputs.writable import Writable

__all__ = ["Image", "Link", "find_images", "find_links"]

CREDIT_PLACE = compile_later(r"\n|[(\[|/©ⓒ]|(?<=[.!?。])\s")  # where the credit of a caption may start
CREDIT_ENDS = " \t\n()[]|/"
TAIL_CHARS = 120  # of a caption that are searched for a credit


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the text.

    Attributes:
        url: Address of the image, absolute if the address of the page is known.
        alt: Description for readers who do not see the image; empty if there is none.
        caption: Caption without the credit; None if there is none.
        credit: Who took or sent the image, if the caption says so.
        width: Width in pixels, if the page says so.
        height: Height in pixels, if the page says so.
        is_lead: Whether the image stands before all text.
        xpath: XPath of the element.
    """

    url: str
    alt: str
    caption: str | None
    credit: str | None
    width: int | None
    height: int | None
    is_lead: bool
    xpath: str

    def to_dict(self) -> dict[str, Any]:
        """Return the image as a dictionary of plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the text.

    Attributes:
        url: Address that it leads to, absolute if the address of the page is known.
        text: Text of the link.
        is_internal: Whether it leads to the same host as the page, or to a host above or below it.
        xpath: XPath of the `<a>` element.
    """

    url: str
    text: str
    is_internal: bool
    xpath: str

    def to_dict(self) -> dict[str, Any]:
        """Return the link as a dictionary of plain values."""
        return asdict(self)


def find_images(doc: Writable) -> tuple[Image, ...]:
    """Return the images of the text, in order."""
    page = doc.page
    found = []
    has_text = False
    for node, caption in _walk(build_tree(doc, links=False)):
        if isinstance(node, str):
            has_text = has_text or not node.isspace()
        elif node.tag == "img" and isinstance(node, SourceNode):
            url = node.attr("src") or ""
            width, height = read_size(page, node.row, url)
            text, credit = _split_credit(caption)
            found.append(
                Image(
                    url=url,
                    alt=node.attr("alt") or "",
                    caption=text or None,
                    credit=credit or None,
                    width=width or None,
                    height=height or None,
                    is_lead=not has_text,
                    xpath=page.xpath(node.row),
                )
            )
    return tuple(found)


def find_links(doc: Writable) -> tuple[Link, ...]:
    """Return the links in the text to other places than the page itself, in order."""
    page = doc.page
    host, address = find_host(page.base_url), (page.base_url or "").partition("#")[0]
    found = []
    for node, _ in _walk(build_tree(doc, images=False)):
        if isinstance(node, SourceNode) and node.tag == "a":
            url, text = node.attr("href") or "", " ".join(gather_text(node).split())
            place, sign, _ = url.partition("#")
            if url and text and not (sign and place in ("", address)):
                found.append(Link(url, text, _is_same_site(find_host(url), host), page.xpath(node.row)))
    return tuple(found)


def _walk(root: Node) -> Iterator[tuple[Node | str, str]]:
    """Yield the nodes and texts of a tree in order, each with the caption of the figure around it."""
    open_: list[tuple[Node | str, str]] = [(root, "")]
    while open_:
        node, caption = open_.pop()
        yield node, caption
        if isinstance(node, str):
            continue
        if node.tag == "figure":
            captions = [child for child in node.children if isinstance(child, Node) and child.tag == "figcaption"]
            caption = "\n".join(map(_read_lines, captions)).strip()
        open_ += [(child, caption) for child in reversed(node.children)]


def _read_lines(node: Node) -> str:
    """Return the text of a node and its descendants, with its line breaks."""
    parts = (
        each if isinstance(each, str) else "\n" if each.tag == "br" else _read_lines(each) for each in node.children
    )
    return "".join(parts)


def _split_credit(caption: str) -> tuple[str, str]:
    """Return a caption without its credit, and the credit: the longest end that says who took the image."""
    start = max(0, len(caption) - TAIL_CHARS)
    for match in CREDIT_PLACE.finditer(caption, start):
        credit = caption[match.start() :].strip(CREDIT_ENDS)
        if credit and is_credit(credit):
            return caption[: match.start()].rstrip(), credit
    return ("", caption) if is_credit(caption) else (caption, "")


def _is_same_site(host: str, other: str) -> bool:
    """Whether two hosts are the same, or one is above the other, but for "www"; so is the host of a relative URL."""
    host, other = host.removeprefix("www."), other.removeprefix("www.")
    return not host or host == other or (bool(other) and (host.endswith(f".{other}") or other.endswith(f".{host}")))
