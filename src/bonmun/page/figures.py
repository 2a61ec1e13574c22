"""Find the figures of a text: images that belong to it, with their captions.

An image belongs to the text if there are kept blocks near it, before and after, or if it is the lead image before the
text. Logos, icons, avatars, advertisements and teasers of other pages do not. A caption is the text of a
`<figcaption>`, a short text in the box of the image whose class says so, or the only short text in that box.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from bonmun.page.page import Page

__all__ = ["Figure", "find_figures", "find_main_image", "find_titled_image", "is_icon"]

NEAR_BLOCKS = 3  # how far a kept block may be from a figure
LEAD_BLOCKS = 10  # how far the text may be from a lead image that is marked as such: bylines and buttons come between
HEAD_BLOCKS = 2  # kept blocks that may precede a lead image: the headline and the lead
MAX_IMAGES = 1_000  # on a page; the others are not looked at
MIN_PIXELS = 64  # width and height; smaller images are icons
BOX_LEVELS = 5  # elements around an image that may be its box
BOX_ELEMENTS = 40  # in a box after its image
BOX_BLOCKS, BOX_CHARS = 3, 500  # texts in a box
LINK_LEVELS = 4  # elements around an image that are searched for a link and for names
NO_BOX = frozenset({"html", "body", "main", "article", "nav", "footer", "ul", "ol"})
OUTSIDE = frozenset({"nav", "footer", "aside", "button", "form"})  # images in these do not belong to the text
CONTROLS = frozenset({"button", "summary", "label"})  # a text in these is no caption
SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset")  # of images that a script loads
LATER_SOURCES = (*SOURCES[1:], "data-lazy-srcset")
PIXELS = re.compile(r"\d{1,5}")
WORD = re.compile("[a-z]+")
CAPTION_PARTS = ("caption", "legend", "credit", "descripcion", "bildunterschrift", "bildtext")  # of classes
CAPTION_WORDS = frozenset({"cap", "dida"})
IMAGE_PARTS = ("img", "image", "photo", "pic", "media", "figure", "carousel", "foto")
TEXT_PARTS = ("desc", "text", "info", "title", "copyright", "source", "pie")  # in a class with one of IMAGE_PARTS
LEAD_TAGS = frozenset({"figure", "picture"})
LEAD_PARTS = ("hero", "featured", "lead", "main", "cover", "eyecatch", "top-image", "article", "story", "header")
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
NO_CAPTION = re.compile(r"\d[:.]\d\d|(?:19|20)\d\d|^\W{0,9}\w{0,20}\W{0,9}$")  # dates, and single words
VIDEO_LENGTH = re.compile(r"\d{1,2}:\d\d\b")
IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|svg)(?:$|[?#])|^#|^javascript:|^$", re.I)
MAX_NAME_CHARS = 300  # of the classes of an element
MAIN_IMAGE = ", ".join(
    f"meta[{key}='{name}']" for name in ("og:image", "twitter:image") for key in ("property", "name")
)
MAX_MAIN_IMAGES = 8  # that a page declares
FILE_END = re.compile(r"(?:[-_]\d{2,4}x\d{2,4})?(?:\.(?:jpe?g|png|gif|webp|avif))?$")  # size and type
MIN_TITLE_CHARS, MAX_TITLE_CHARS = 8, 300
MIN_FILE_CHARS = 5  # of a file name that tells images apart


class Figure(NamedTuple):
    """An image of the text, the number of blocks before it, and the rows of its captions."""

    image: int
    position: int
    captions: tuple[int, ...]


class _Box(NamedTuple):
    """The blocks in the box of an image, and its captions among them."""

    start: int
    stop: int
    captions: tuple[int, ...]


def find_figures(
    page: Page, kept: Sequence[bool], *, images: Container[int] | None = None, only_dropped: bool = False
) -> list[Figure]:
    """Return the images that belong to the kept blocks, in document order. Captions may be kept or not.

    With `images`, only these are looked at; with `only_dropped`, only those with captions that are not kept.
    """
    tags = page.tags
    if "img" not in tags or True not in kept:
        return []
    kept = list(kept)
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    start = next(islice((row for row, each in enumerate(kept) if each), HEAD_BLOCKS, None), last)
    found: list[Figure] = []
    for row in page.list_rows("img")[:MAX_IMAGES]:
        if images is not None and row not in images:
            continue
        position = bisect_right(page.opened, row)
        if not first - LEAD_BLOCKS <= position <= last + NEAR_BLOCKS:
            continue
        if only_dropped and False not in kept[max(0, position - 1) : position + BOX_BLOCKS]:
            continue
        ahead = LEAD_BLOCKS if position <= start + BOX_BLOCKS else NEAR_BLOCKS
        if position <= last and True not in kept[position : position + BOX_BLOCKS + ahead]:
            continue
        if position > start and True not in kept[max(0, position - LEAD_BLOCKS) : position]:
            continue
        if _is_hidden(page, row):
            continue
        around = list(islice(climb(page.parents, row), LINK_LEVELS + 1))
        box = _find_box(page, around, position)
        if only_dropped and False not in [kept[caption] for caption in box.captions]:
            continue

        def is_near(blocks: int, box: _Box = box, row: int = row) -> bool:
            """Whether kept text is so near that the image belongs to it."""
            is_lead = box.start <= start
            before = True in kept[max(0, box.start - blocks) : box.start]
            after = True in kept[box.stop : box.stop + (blocks if is_lead else NEAR_BLOCKS)]
            return (after and (before or is_lead)) or (before and box.start > last and _is_beside(page, row, last))

        is_kept = True in [kept[caption] for caption in box.captions]
        if not is_kept and not is_near(NEAR_BLOCKS) and not (is_near(LEAD_BLOCKS) and _has_lead_name(page, around)):
            continue
        if _belongs(page, around, position, kept):
            found.append(Figure(row, position, box.captions))
    if not found:
        return found
    written = set(page.leaf_elements)
    return [figure for figure in found if figure.image not in written]  # emoji and formulas are text


def find_main_image(page: Page, dropped: Container[int], last: int) -> int | None:
    """Return the first dropped image that the page declares as its image (`og:image`), up to the last kept block.

    None if another copy of it is shown, or if it is an icon, part of the page's furniture, or a teaser of another page.
    """
    declared = {_name_file(node.attr("content")) for node in page.select(MAIN_IMAGE)[:MAX_MAIN_IMAGES]} - {""}
    if not declared:
        return None
    found = None
    for row in page.list_rows("img")[:MAX_IMAGES]:
        sources = (page.attr(row, name) for name in ("data-src", "data-original", "data-lazy-src", "src"))
        if declared.isdisjoint(map(_name_file, filter(None, sources))):
            continue
        if row not in dropped:
            return None
        if found is None:
            found = row if _may_show(page, row, last) else None
    return found


def find_titled_image(page: Page, last: int, shown: Container[int] = (), *, may_be_hidden: bool = False) -> int | None:
    """Return the first image up to the last kept block whose description is the title of the page, or most of it.

    So shops and catalogues describe the image of what a page is about. None if such an image is shown. Galleries are
    often hidden from screen readers; `may_be_hidden` allows these.
    """
    title = _fold(page.head_title)
    if len(title) < MIN_TITLE_CHARS:
        return None
    found = None
    for row in page.list_rows("img")[:MAX_IMAGES]:
        name = _fold(page.attr(row, "alt"))
        if len(name) * 2 >= len(title) and name in title:
            if row in shown:
                return None
            if found is None and _may_show(page, row, last, may_be_hidden=may_be_hidden):
                found = row
    return found


def _fold(text: str | None) -> str:
    """Return the letters and digits of a title, without case."""
    return "".join(filter(str.isalnum, (text or "")[:MAX_TITLE_CHARS].casefold()))


def _may_show(page: Page, row: int, last: int, *, may_be_hidden: bool = False) -> bool:
    """Whether an image is visible, not after the last kept block, and no icon, furniture or teaser of another page."""
    if bisect_right(page.opened, row) > last or (not may_be_hidden and _is_hidden(page, row)):
        return False
    return _belongs(page, list(islice(climb(page.parents, row), LINK_LEVELS + 1)), 0, ())


def _name_file(url: str | None) -> str:
    """Return the file name of an image without size and type; empty if it is too short to tell images apart."""
    name = (url or "").partition("?")[0][-MAX_NAME_CHARS:].rpartition("/")[2].lower()
    name = FILE_END.sub("", name)
    return name if len(name) >= MIN_FILE_CHARS else ""


def _is_hidden(page: Page, row: int) -> bool:
    """Whether an image is hidden, and not only until a script has loaded it."""
    hides = page.visibility.hides
    if not hides(row):
        return False
    return hides(page.parents[row]) or not any(page.attr(row, name) for name in SOURCES)


def _is_beside(page: Page, row: int, block: int) -> bool:
    """Whether an image is in the parent or grandparent of a block."""
    around = {page.parents[row], page.parents[max(page.parents[row], 0)]}
    owner = page.owners[block]
    return page.parents[owner] in around or owner in around


def _has_lead_name(page: Page, around: list[int]) -> bool:
    """Whether an image is in a <figure> or <picture>, or in a box with the name of a lead image."""
    if not LEAD_TAGS.isdisjoint([page.tags[element] for element in around]):
        return True
    return _has_part(" ".join(_list_names(page, around)), LEAD_PARTS)


def _list_names(page: Page, elements: list[int]) -> list[str]:
    """Return class and id of each element, in small letters."""
    pairs = zip(page.attrs(elements, "class"), page.attrs(elements, "id"), strict=True)
    return [f"{(name or '')[:MAX_NAME_CHARS]} {(id_ or '')[:MAX_NAME_CHARS]}".lower() for name, id_ in pairs]


def _has_part(name: str, parts: Sequence[str]) -> bool:
    return any(map(name.__contains__, parts))


def _belongs(page: Page, around: list[int], position: int, kept: Sequence[bool]) -> bool:
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
    names = _list_names(page, around)
    if not OTHER_WORDS.isdisjoint(WORD.findall(" ".join(names))):
        for name in names:
            if not OTHER_WORDS.isdisjoint(WORD.findall(name)) and not _has_part(name, LEAD_PARTS):
                return False
    return True


def is_icon(page: Page, row: int) -> bool:
    """Whether an image is an icon, a logo, an avatar or a spacer: it is tiny, or its file or class is named so."""
    for size in (page.attr(row, "width"), page.attr(row, "height")):
        pixels = PIXELS.match(size) if size else None
        if size and pixels and int(pixels[0]) < MIN_PIXELS and "%" not in size:
            return True
    name = _list_names(page, [row])[0]
    source = (page.attr(row, "data-src") or page.attr(row, "src") or "").partition("?")[0][-MAX_NAME_CHARS:].lower()
    if not _has_part(f"{name} {source}", OTHER_FILE_PARTS):
        return False
    found = OTHER_FILE_WORDS.intersection(WORD.findall(name))
    in_source = OTHER_FILE_WORDS.intersection(WORD.findall(source))
    if in_source and not any(page.attr(row, name) for name in LATER_SOURCES):  # else it is a placeholder
        found |= in_source
    if found and found <= BANNERS:  # wide photos are called banners, too
        return len(page.attr(row, "alt") or "") < MIN_PHOTO_ALT
    return bool(found)


def _find_box(page: Page, around: list[int], position: int) -> _Box:
    """Return the blocks of the box of an image, and the captions in it: its <figure>, or the smallest box with text.

    `around` is the image and the elements around it, the innermost first.
    """
    owners, parents, tags = page.owners, page.parents, page.tags
    row = around[0]
    end, limit = row + 1, min(len(tags), row + BOX_ELEMENTS)
    has_figure = "figure" in [tags[element] for element in around]
    for element in islice(climb(parents, parents[row]), BOX_LEVELS):
        if tags[element] in NO_BOX:
            break
        while end < limit and parents[end] >= element:  # an element follows its parent
            end += 1
        if end == limit < len(tags):
            break
        start = stop = position
        while start > 0 and position - start <= BOX_BLOCKS and element <= owners[start - 1] < end:
            start -= 1
        while stop < len(owners) and stop - position <= BOX_BLOCKS and element <= owners[stop] < end:
            stop += 1
        if start < stop and (not has_figure or tags[element] == "figure"):
            if captions := _find_captions(page, element, range(start, stop), position):
                return _Box(start, stop, captions)
            break
    return _Box(position, position, ())


def _find_captions(page: Page, box: int, blocks: range, position: int) -> tuple[int, ...]:
    """Return the captions among the blocks of a box."""
    texts = page.block_texts
    if len(blocks) > BOX_BLOCKS or sum(len(texts[row]) for row in blocks) > BOX_CHARS:
        return ()
    named = tuple(row for row in blocks if _is_named(page, box, row))
    if not named and len(blocks) == 1 and blocks[0] >= position and not NO_CAPTION.search(texts[blocks[0]]):
        named = () if _is_in_control(page, box, blocks[0]) else tuple(blocks)
    return tuple(row for row in named if page.blocks[row].kind != "heading" and not _is_teaser(page, row))


def _is_named(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a <figcaption>, or in an element within the box whose name is that of a caption."""
    inside = list(takewhile(lambda element: element > box, climb(page.parents, page.owners[row])))
    tags = [page.tags[element] for element in inside]
    return "figcaption" in tags or any(map(_is_caption_name, _list_names(page, inside)))


def _is_in_control(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a button or another control within the box: it says what the control does."""
    inside = list(takewhile(lambda element: element > box, climb(page.parents, page.owners[row])))
    return not CONTROLS.isdisjoint([page.tags[element] for element in inside]) or "button" in page.attrs(inside, "role")


def _is_caption_name(name: str) -> bool:
    """Whether the class of an element says that it is a caption."""
    if _has_part(name, CAPTION_PARTS) or (_has_part(name, IMAGE_PARTS) and _has_part(name, TEXT_PARTS)):
        return True
    return not CAPTION_WORDS.isdisjoint(WORD.findall(name))


def _is_teaser(page: Page, row: int) -> bool:
    """Whether a block is the teaser of another page or of a video."""
    text = page.block_texts[row]
    beside = page.block_texts[max(0, row - NEAR_BLOCKS) : row] + page.block_texts[row + 1 : row + 1 + NEAR_BLOCKS]
    return (
        all(page.linked_leaves[page.starts[row] : page.stops[row]]) or text in beside or bool(VIDEO_LENGTH.match(text))
    )
