"""What of a page's markup may stand in its frame: allowed tags and attributes, by name; all else is left out.

Nothing on these lists can run, load, submit, navigate, take focus or give a name to something of the page around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.bounds import MAX_STYLE_CHARS, MAX_URL_CHARS
from bonmun.page.frame.styles import clean_css
from bonmun.text.readable import drop_unreadable
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from turbohtml import Element

__all__ = [
    "ATTRIBUTES",
    "DROPPED",
    "SHAPES",
    "TAGS",
    "VOID",
    "clean_attribute",
    "list_attributes",
    "read_image_source",
]

# Tags that are written as they are.
PLAIN_TAGS = (
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn "
    "dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu "
    "nav nobr ol p pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th "
    "thead time tr tt u ul var wbr"
)
# Those that would do more than show something, or be read otherwise, and what stands for each.
STAND_INS = {
    "button": "bm-button",
    "details": "bm-block",
    "summary": "bm-block",
    "dialog": "bm-block",
    "fieldset": "bm-block",
    "form": "bm-block",
    "input": "bm-input",
    "label": "span",
    "legend": "bm-block",
    "listing": "pre",
    "meter": "span",
    "optgroup": "bm-block",
    "option": "bm-block",
    "output": "span",
    "plaintext": "pre",
    "progress": "span",
    "search": "bm-block",
    "select": "bm-select",
    "slot": "span",
    "textarea": "pre",
    "xmp": "pre",
}
TAGS = {tag: tag for tag in PLAIN_TAGS.split()} | STAND_INS
VOID = frozenset({"br", "col", "hr", "img", "wbr"})  # as they are written
# What is left out with all that it holds.
DROPPED = frozenset(
    "script style title meta link base template iframe frame frameset object embed applet param portal fencedframe "
    "noembed noframes noscript audio video canvas source track area map math head annotation annotation-xml".split()
)
# Of SVG, what is drawn and nothing else: no text, style, link, animation, filter, or use of something elsewhere.
SHAPES = frozenset("svg g path circle ellipse line polygon polyline rect".split())
SHAPE_ATTRIBUTES = frozenset(
    "class cx cy d fill fill-opacity fill-rule height points r rx ry stroke stroke-linecap stroke-linejoin "
    "stroke-width transform viewBox width x x1 x2 y y1 y2".split()
)
ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap "
    "reversed role rowspan size span start style title translate type valign value width".split()
)
PASSED_VALUES = {"type": ("1", "a", "A", "i", "I", "disc", "circle", "square")}  # of lists
ONLY_ON = {"value": "li", "type": "ol ul li", "size": "font hr", "height": "img svg td th tr table hr rect"}
OWN_NAMES = "bm-"  # start the ids of what the screen puts into the frame
NO_ADDRESS = ("url", "http:", "https:", "//")  # in what an SVG shape is given
RASTER_STARTS = tuple(f"data:image/{kind};base64," for kind in ("png", "gif", "jpeg", "jpg", "webp", "avif", "bmp"))


def list_attributes(node: Element, tag: str) -> list[tuple[str, str]]:
    """The attributes of an element that may be written, as they are given; `tag` is what it is written as."""
    allowed = SHAPE_ATTRIBUTES if tag in SHAPES else ATTRIBUTES
    return [
        (name, given if isinstance(given, str) else " ".join(given or ()))
        for name, given in node.attrs.items()
        if name in allowed and (name not in ONLY_ON or tag in ONLY_ON[name].split())
    ]


def clean_attribute(name: str, value: str, tag: str, *, network: bool) -> str | None:
    """What is written of an attribute's value; None where it could do more than show something."""
    value = drop_unreadable(value)
    if name == "style":
        value = clean_css(value[:MAX_STYLE_CHARS], network=network)
    is_known = name not in PASSED_VALUES or value in PASSED_VALUES[name]
    if not is_known or (name == "id" and value.startswith(OWN_NAMES)):
        return None
    return None if tag in SHAPES and any(part in value.lower() for part in NO_ADDRESS) else value


def read_image_source(value: str | None, base: str, *, network: bool) -> str | None:
    """Where an image may be loaded from: itself, or the network where that is allowed; None for all else."""
    if not value:
        return None
    value = value.strip()
    if value[:40].lower().startswith(RASTER_STARTS):
        return value
    if not network or len(value) > MAX_URL_CHARS:
        return None
    url = read_url(value, base)
    return url if url and url.startswith(("http://", "https://")) else None
