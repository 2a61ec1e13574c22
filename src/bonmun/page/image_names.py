"""Tell images of a text from furniture and teasers by their markup: size, file, names and links around them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = [
    "LINK_LEVELS",
    "MAX_IMAGES",
    "belongs",
    "has_lead_name",
    "has_part",
    "is_hidden_image",
    "is_icon",
    "list_names",
    "name_file",
]

MAX_IMAGES = 1_000  # on a page; the others are not looked at
SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset")  # of images that a script loads
LATER_SOURCES = (*SOURCES[1:], "data-lazy-srcset")
PIXELS = re.compile(r"\d{1,5}")
WORD = re.compile("[a-z]+")
LEAD_TAGS = frozenset({"figure", "picture"})
LEAD_PARTS = ("hero", "featured", "lead", "main", "cover", "eyecatch", "top-image", "article", "story", "header")
OUTSIDE = frozenset({"nav", "footer", "aside", "button", "form"})  # images in these do not belong to the text
OTHER_WORDS = frozenset(
    "logo icon icons ico avatar profile gravatar emoji emoticon sprite spinner loader share sharing sns social banner "
    "ad ads advert advertisement advertising sponsor sponsored promo pixel tracking badge btn button author autor "
    "auteur autore byline userpic related recommend recommended recommendations qrcode captcha".split()
)
OTHER_FILE_WORDS = frozenset(
    "logo logos icon icons ico icone avatar avatars avatares gravatar author authors autor autores banner banners "
    "emoji emojis smilies smileys smiles badge badges sprite pixel spacer trenner divider favicon arrow arrows bullet "
    "bullets star stars rating btn button buttons backtotop emoticon emoticons ic".split()
)
BANNERS = frozenset({"banner", "banners"})
MIN_PHOTO_ALT = 25  # characters of the description of a photo; those of banners are shorter
# Each of these words has one of these parts; few images do.
OTHER_FILE_PARTS = (
    "logo ico avatar author autor banner emoji smil badge sprite pixel spacer trenner divider arrow bullet star rating "
    "btn button backtotop emoticon ic_"
).split()
IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|svg)(?:$|[?#])|^#|^javascript:|^$", re.I)
MAX_NAME_CHARS = 300  # of the classes of an element
FILE_END = re.compile(r"(?:[-_]\d{2,4}x\d{2,4})?(?:\.(?:jpe?g|png|gif|webp|avif))?$")  # size and type
MIN_FILE_CHARS = 5  # of a file name that tells images apart
MIN_PIXELS = 64  # width and height; smaller images are icons
LINK_LEVELS = 4  # elements around an image that are searched for a link and for names


def has_lead_name(page: Page, around: list[int]) -> bool:
    """Whether an image is in a <figure> or <picture>, or in a box with the name of a lead image."""
    if not LEAD_TAGS.isdisjoint([page.tags[element] for element in around]):
        return True
    return has_part(" ".join(list_names(page, around)), LEAD_PARTS)


def list_names(page: Page, elements: list[int]) -> list[str]:
    """Return class and id of each element, in small letters."""
    pairs = zip(page.attrs(elements, "class"), page.attrs(elements, "id"), strict=True)
    return [f"{(name or '')[:MAX_NAME_CHARS]} {(id_ or '')[:MAX_NAME_CHARS]}".lower() for name, id_ in pairs]


def has_part(name: str, parts: Sequence[str]) -> bool:
    """Whether a name contains one of some parts."""
    return any(map(name.__contains__, parts))


def belongs(page: Page, around: list[int], position: int, kept: Sequence[bool]) -> bool:
    """Whether an image is neither tiny, nor part of the page's furniture, nor a teaser of another page."""
    row, tags = around[0], page.tags
    if is_icon(page, row):
        return False
    in_figure = False
    for element in around:
        tag = tags[element]
        in_figure = in_figure or tag == "figure"
        if tag in OUTSIDE:
            return False
        if tag == "a" and not IMAGE_FILE.search(page.attr(element, "href") or ""):
            if in_figure:
                return False
            is_near = (position < len(kept) and kept[position]) or (position > 0 and kept[position - 1])
            above = islice(climb(page.parents, element), LINK_LEVELS + 1)
            if not is_near and "figure" not in [tags[each] for each in above]:
                return False
    names = list_names(page, around)
    if not OTHER_WORDS.isdisjoint(WORD.findall(" ".join(names))):
        for name in names:
            if not OTHER_WORDS.isdisjoint(WORD.findall(name)) and not has_part(name, LEAD_PARTS):
                return False
    return True


def is_icon(page: Page, row: int) -> bool:
    """Whether an image is an icon, a logo, an avatar or a spacer: it is tiny, or its file or class is named so."""
    for size in (page.attr(row, "width"), page.attr(row, "height")):
        pixels = PIXELS.match(size) if size else None
        if size and pixels and int(pixels[0]) < MIN_PIXELS and "%" not in size:
            return True
    name = list_names(page, [row])[0]
    source = (page.attr(row, "data-src") or page.attr(row, "src") or "").partition("?")[0][-MAX_NAME_CHARS:].lower()
    if not has_part(f"{name} {source}", OTHER_FILE_PARTS):
        return False
    found = OTHER_FILE_WORDS.intersection(WORD.findall(name))
    in_source = OTHER_FILE_WORDS.intersection(WORD.findall(source))
    if in_source and not any(page.attr(row, name) for name in LATER_SOURCES):  # else it is a placeholder
        found |= in_source
    if found and found <= BANNERS:  # wide photos are called banners, too
        return len(page.attr(row, "alt") or "") < MIN_PHOTO_ALT
    return bool(found)


def is_hidden_image(page: Page, row: int) -> bool:
    """Whether an image is hidden, and not only until a script has loaded it."""
    hides = page.visibility.hides
    if not hides(row):
        return False
    return hides(page.parents[row]) or not any(page.attr(row, name) for name in SOURCES)


def name_file(url: str | None) -> str:
    """Return the file name of an image without size and type; empty if it is too short to tell images apart."""
    name = (url or "").partition("?")[0][-MAX_NAME_CHARS:].rpartition("/")[2].lower()
    name = FILE_END.sub("", name)
    return name if len(name) >= MIN_FILE_CHARS else ""
