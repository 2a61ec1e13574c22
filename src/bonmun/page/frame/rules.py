"""The tags and attributes that are allowed in a frame. All others are left out.

None of them can run a script, load a resource, submit, navigate, take focus, or define a name in the surrounding page.
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

# Tags that are written unchanged.
PLAIN_TAGS = (
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn "
    "dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu "
    "nav nobr ol p pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th "
    "thead time tr tt u ul var wbr"
)
# Tags that would do more than display something, or be parsed differently, and their replacements.
TAG_REPLACEMENTS = {
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
TAGS = {tag: tag for tag in PLAIN_TAGS.split()} | TAG_REPLACEMENTS
VOID = frozenset({"br", "col", "hr", "img", "wbr"})  # without end tag
# Elements that are left out with their content.
DROPPED = frozenset(
    "script style title meta link base template iframe frame frameset object embed applet param portal fencedframe "
    "noembed noframes noscript audio video canvas source track area map math head annotation annotation-xml".split()
)
# SVG shapes: no text, styles, links, animations, filters, or references to other elements.
SHAPES = frozenset("svg g path circle ellipse line polygon polyline rect".split())
SHAPE_ATTRIBUTES = frozenset(
    "class cx cy d fill fill-opacity fill-rule height points r rx ry stroke stroke-linecap stroke-linejoin "
    "stroke-width transform viewBox width x x1 x2 y y1 y2".split()
)
ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap "
    "reversed role rowspan size span start style title translate type valign value width".split()
)
ALLOWED_VALUES = {"type": ("1", "a", "A", "i", "I", "disc", "circle", "square")}  # for lists
ALLOWED_TAGS = {"value": "li", "type": "ol ul li", "size": "font hr", "height": "img svg td th tr table hr rect"}
OWN_PREFIX = "bm-"  # prefix of the ids that the inspector adds to the frame
FORBIDDEN_IN_SHAPES = ("url", "http:", "https:", "//")  # not allowed in attributes of SVG shapes
RASTER_STARTS = tuple(f"data:image/{kind};base64," for kind in ("png", "gif", "jpeg", "jpg", "webp", "avif", "bmp"))


def list_attributes(node: Element, tag: str) -> list[tuple[str, str]]:
    """Return the allowed attributes of an element, unchanged; `tag` is the tag that is written for it."""
    allowed = SHAPE_ATTRIBUTES if tag in SHAPES else ATTRIBUTES
    try:
        attributes = list(node.attrs.items())
    except UnicodeDecodeError:  # a lone surrogate in a name
        attributes = [(name, given) for name in sorted(allowed) if (given := node.attr(name)) is not None]
    return [
        (name, given if isinstance(given, str) else " ".join(given or ()))
        for name, given in attributes
        if name in allowed and (name not in ALLOWED_TAGS or tag in ALLOWED_TAGS[name].split())
    ]


def clean_attribute(name: str, value: str, tag: str, *, network: bool) -> str | None:
    """Return the safe value of an attribute; None if it could do more than display something."""
    value = drop_unreadable(value)
    if name == "style":
        value = clean_css(value[:MAX_STYLE_CHARS], network=network)
    is_known = name not in ALLOWED_VALUES or value in ALLOWED_VALUES[name]
    if not is_known or (name == "id" and value.startswith(OWN_PREFIX)):
        return None
    return None if tag in SHAPES and any(part in value.lower() for part in FORBIDDEN_IN_SHAPES) else value


def read_image_source(value: str | None, base: str, *, network: bool) -> str | None:
    """Return the URL of an image if it may be loaded: a data URL, or with `network` a web URL; None otherwise."""
    if not value:
        return None
    value = value.strip()
    if value[:40].lower().startswith(RASTER_STARTS):
        return value
    if not network or len(value) > MAX_URL_CHARS:
        return None
    url = read_url(value, base)
    return url if url and url.startswith(("http://", "https://")) else None
