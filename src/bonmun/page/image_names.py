"""Tell images of a text from furniture and teasers by their markup: size, file, names and links around them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.bounds import MAX_URL_CHARS
from bonmun.kernel import load_kernel
from bonmun.page.parse.ancestors import list_around
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = [
    "CACHED_NAMES",
    "LINK_LEVELS",
    "MAIN_IMAGE_WORDS",
    "MAX_IMAGES",
    "MIN_PHOTO_ALT",
    "PORTRAIT_WORDS",
    "belongs",
    "has_icon_name",
    "has_lead_name",
    "has_part",
    "is_hidden_image",
    "is_icon",
    "is_image_address",
    "is_large",
    "is_named_as_advert",
    "is_named_as_furniture",
    "list_names",
    "name_file",
    "read_area",
    "read_file_area",
    "read_size",
    "read_width",
]

KERNEL = load_kernel("images")
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
    "auteur autore byline userpic related recommend recommended recommendations qr qrcode qcode erwm captcha".split()
)
MAIN_IMAGE_WORDS = OTHER_WORDS - {"banner"}  # for images that the page declares or describes as its own
# Of OTHER_WORDS, those that also name images of items of a listing that were kept.
ITEM_WORDS = OTHER_WORDS - set(
    "social share promo ad ads banner related recommend recommended recommendations profile".split()
)
# Of these, those of portraits and logos, which are not around photos either.
PORTRAIT_WORDS = frozenset("author autor auteur autore byline avatar userpic gravatar logo".split())
OTHER_FILE_WORDS = frozenset(
    "logo logos icon icons ico icone avatar avatars avatares gravatar author authors autor autores banner banners "
    "emoji emojis smilies smileys smiles badge badges sprite pixel spacer trenner divider favicon arrow arrows bullet "
    "bullets star stars rating btn button buttons backtotop emoticon emoticons ic qr qrcode qrcodes qcode spinner "
    "loader picto pictos preloader playstore appstore googleplay attachicon posticon shareicon flags "
    "ranks profileimage noimage noimg nophoto".split()
)
# Files of icons that lead to other services: one of these words, and no word but these and those of actions.
SERVICES = frozenset(
    "facebook fb twitter instagram youtube linkedin pinterest whatsapp telegram weibo rss github".split()
)
ACTIONS = frozenset("action follow like share page print mail email app store play quote edit reply feed".split())
ADVERT_WORDS = frozenset("ad ads advert adverts advertisement advertising banner banners sponsor sponsored".split())
ICON_TYPES = (".gif", ".png", ".svg", ".webp")
ADVERT_ALTS = frozenset(
    "ad ads advert advertisement advertising anzeige werbung publicité publicidad pubblicità reklame annons "
    "реклама إعلان 広告 广告 廣告 광고 โฆษณา".split()
)
BADGE_LEVELS = 3  # elements around an image that are searched for a licence and for names of badges
CONTROL_WORDS = frozenset({"prev", "next", "previous"})  # of the arrows of a slider, at the end of a class
SIDES = frozenset("b bt left right l r page nav slide slider".split())  # other words of the files of arrows
AUTHOR_FOLDERS = frozenset("author authors autor autores auteur auteurs".split())  # of the page that an image links to
BADGE_PARTS = ("qr", "qcode", "erwm", "spinner", "avatar", "userpic")
BADGE_WORDS = frozenset("qr qrcode qrcodes qcode erwm spinner avatar avatars gravatar userpic userpics".split())
BANNERS = frozenset({"banner", "banners"})
SEARCH_BOXES = tuple(f"search{sign}{part}" for sign in ("", "-", "_") for part in ("header", "box", "bar", "form"))
LOGOS = frozenset({"logo", "logos"})
MIN_PHOTO_ALT = 25  # characters of the description of a photo; those of banners are shorter
# Each of these words has one of these parts; few images do.
OTHER_FILE_PARTS = WordFinder(
    (
        *"logo ico avatar author autor banner emoji smil badge sprite pixel spacer trenner divider arrow".split(),
        *"bullet star rating btn button backtotop emoticon ic_ qr qcode spinner loader picto store googleplay".split(),
        *"flags rank profileimage noim nophoto".split(),
    )
)
IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|svg)(?:$|[?#])", re.I)
SCRIPT = "javascript:"
MAX_NAME_CHARS = 300  # of the classes of an element
# Hash, size and type.
FILE_END = re.compile(r"(?:_[0-9a-f]{10})?(?:[-_]\d{2,4}x\d{2,4})?(?:\.(?:jpe?g|png|gif|webp|avif))?$")
MIN_FILE_CHARS = 5  # of a file name that tells images apart
MIN_PIXELS = 64  # width and height; smaller images are icons
SMALL_SQUARE = re.compile(r"(?<![a-z0-9])([2-4]\d)x\1(?![a-z0-9])")  # width and height in the URL of an icon
MIN_AREA, MAX_RATIO = 64 * 64, 2.5  # in pixels, and of width to height, of small photos
MAX_SVG_PIXELS = 100  # width and height of icons that are drawings
PHOTO_PIXELS, HERO_PIXELS = 300, 600  # width of photos, and of those that are as wide as the text
URL_SIZE = re.compile(r"(?<!\d)(\d{2,4})x(\d{1,4})(?!\d)")
LINK_LEVELS = 4  # elements around an image that are searched for a link and for names
CACHED_NAMES = 1 << 10  # names whose words are known; a page has few different ones


def has_lead_name(page: Page, around: list[int]) -> bool:
    """Whether an image is in a <figure> or <picture>, or in a box with the name of a lead image."""
    if not LEAD_TAGS.isdisjoint([page.tags[element] for element in around]):
        return True
    return any(map(_is_lead_name, list_names(page, around)))


def list_names(page: Page, elements: Sequence[int]) -> list[str]:
    """Return class and id of each element, in small letters."""
    known = page.known_names  # many images share the elements around them
    if KERNEL:
        names: list[str] = KERNEL.name_elements(page.markup, elements, known, MAX_NAME_CHARS)
        return names
    new = [element for element in elements if element not in known]
    if new:
        for element, name, id_ in zip(new, *page.read_names(new), strict=True):
            known[element] = f"{(name or '')[:MAX_NAME_CHARS]} {(id_ or '')[:MAX_NAME_CHARS]}".lower()
    return [known[element] for element in elements]


def has_part(name: str, parts: Sequence[str]) -> bool:
    """Whether a name contains one of some parts."""
    return any(map(name.__contains__, parts))


def is_image_address(href: str) -> bool:
    """Whether a link leads to an image, to a part of its page, or nowhere."""
    return _is_image_address(href) if len(href) <= MAX_NAME_CHARS else _is_image_address.__wrapped__(href)


@lru_cache(CACHED_NAMES)
def _is_image_address(href: str) -> bool:
    if href in ("", "\n") or href[0] == "#" or href[: len(SCRIPT)].casefold() == SCRIPT:
        return True
    return IMAGE_FILE.search(href[:MAX_URL_CHARS]) is not None  # longer ones are no links


def belongs(
    page: Page, around: list[int], position: int, kept: Sequence[bool], words: frozenset[str] = OTHER_WORDS
) -> bool:
    """Whether an image is neither tiny, nor part of the page's furniture, nor a teaser of another page.

    `words` are names of elements around furniture.
    """
    row, tags = around[0], page.tags
    if is_icon(page, row):
        return False
    in_figure = False
    for element in around:
        tag = tags[element]
        in_figure = in_figure or tag == "figure"
        if tag in OUTSIDE:
            return False
        if tag == "a" and not is_image_address(page.attr(element, "href") or ""):
            if in_figure:
                return False
            is_near = (position < len(kept) and kept[position]) or (position > 0 and kept[position - 1])
            above = list_around(page.parents, element, LINK_LEVELS + 1)
            if not is_near and "figure" not in [tags[each] for each in above]:
                return False
    names = list_names(page, around)
    return not any(map(_is_search_name, names)) and not any(_is_other_name(name, words) for name in names)


@lru_cache(CACHED_NAMES)
def _is_search_name(name: str) -> bool:
    """Whether the name of an element is that of a search box."""
    return has_part(name, SEARCH_BOXES)


@lru_cache(CACHED_NAMES)
def _is_lead_name(name: str) -> bool:
    """Whether the name of an element is that of the box of a lead image."""
    return has_part(name, LEAD_PARTS)


@lru_cache(CACHED_NAMES)
def _is_other_name(name: str, words: frozenset[str]) -> bool:
    """Whether the name of an element has one of some words of furniture, and is not that of the box of a lead image."""
    return not words.isdisjoint(WORD.findall(name)) and not has_part(name, LEAD_PARTS)


def is_named_as_furniture(page: Page, elements: Sequence[int], words: frozenset[str] = ITEM_WORDS) -> bool:
    """Whether an image of an item, or an element between the two, is named as an icon, a logo or an avatar.

    The image is the first of `elements`. Some systems name the photos of items as logos.
    """
    named = _choose_other_names(tuple(list_names(page, elements)), words)
    if not named or not _has_photo_size(page, elements[0], PHOTO_PIXELS):
        return bool(named)
    return any(_is_other_name(name, words - LOGOS) for name in named)


@lru_cache(CACHED_NAMES)
def _choose_other_names(names: tuple[str, ...], words: frozenset[str]) -> list[str]:
    """Return the names of furniture among those around an image; the images of a listing have the same around them."""
    return [name for name in names if _is_other_name(name, words)]


def _has_photo_size(page: Page, row: int, pixels: int) -> bool:
    """Whether an image says that it is so wide, and that it has the form of a photo."""
    width, height = _read_pixels(page.attr(row, "width")) or 0, _read_pixels(page.attr(row, "height")) or 0
    return width >= pixels and height * MAX_RATIO >= width >= pixels and width * MAX_RATIO >= height


def is_large(page: Page, row: int) -> bool:
    """Whether an image says that it is as wide as a photo in a text."""
    return read_width(page, row) >= PHOTO_PIXELS


def read_width(page: Page, row: int) -> int:
    """Return the width that an image says it has, in pixels, or 0."""
    return _read_pixels(page.attr(row, "width")) or 0


def read_area(page: Page, row: int, source: str) -> int:
    """Return the number of pixels of an image, by its attributes or its URL; 0 if it is unknown."""
    width, height = read_size(page, row, source)
    return width * height or width or height


def read_file_area(source: str) -> int:
    """Return the number of pixels of an image by its URL; 0 if that does not say it."""
    size = URL_SIZE.search(source[-MAX_NAME_CHARS:])
    return int(size[1]) * int(size[2]) if size else 0


def read_size(page: Page, row: int, source: str) -> tuple[int, int]:
    """Return width and height of an image in pixels, by its attributes or its URL; 0 if one is unknown."""
    width, height = _read_pixels(page.attr(row, "width")), _read_pixels(page.attr(row, "height"))
    if width is not None and height is not None:
        return width, height
    size = URL_SIZE.search(source[-MAX_NAME_CHARS:])
    return (int(size[1]), int(size[2])) if size else (width or 0, height or 0)


def _is_small(page: Page, row: int) -> bool:
    """Whether an image has the size of an icon or of a button.

    One small side is not enough if the other is known: small photos are not much wider than high.
    """
    width, height = _read_pixels(page.attr(row, "width")), _read_pixels(page.attr(row, "height"))
    if width is None or height is None:
        return min(width or MIN_PIXELS, height or MIN_PIXELS) < MIN_PIXELS
    short, long = sorted((width, height))
    return short < MIN_PIXELS and (long < MIN_PIXELS or width * height < MIN_AREA or long >= MAX_RATIO * short)


def _has_size_below(page: Page, row: int, pixels: int) -> bool:
    """Whether an image says that both its sides are shorter."""
    sides = _read_pixels(page.attr(row, "width")), _read_pixels(page.attr(row, "height"))
    return all(side is not None and side < pixels for side in sides)


def _is_badge(page: Page, around: list[int], names: list[str]) -> bool:
    """Whether elements around an image say that it is a licence, a QR code, a spinner, a control or a portrait.

    `names` are those of the image and of the elements.
    """
    tags = [page.tags[element] for element in around]
    if "a" in tags:
        for element in (element for element, tag in zip(around, tags, strict=True) if tag == "a"):
            folders = (page.attr(element, "href") or "")[:MAX_NAME_CHARS].lower().split("/")
            if "license" in (page.attr(element, "rel") or "").split() or not AUTHOR_FOLDERS.isdisjoint(folders):
                return True
    return _has_badge_name(tuple(names), tuple(tags))


@lru_cache(CACHED_NAMES)
def _has_badge_name(names: tuple[str, ...], tags: tuple[str, ...]) -> bool:
    """Whether names around an image, or their tags, are those of a control or of a badge."""
    if any(map(_is_control_name, names[:2])):
        return True
    return any(map(_is_badge_name, names)) or _is_badge_name.__wrapped__(" ".join(tags))


@lru_cache(CACHED_NAMES)
def _is_control_name(name: str) -> bool:
    return any(word.rpartition("-")[2] in CONTROL_WORDS for word in name.replace("_", "-").split())


@lru_cache(CACHED_NAMES)
def _is_badge_name(name: str) -> bool:
    return has_part(name, BADGE_PARTS) and not BADGE_WORDS.isdisjoint(WORD.findall(name))


@lru_cache(CACHED_NAMES)
def _read_icon_name(name: str) -> tuple[bool, frozenset[str]]:
    """Return whether a name has a part of the words of icons, and which of these words it has."""
    return OTHER_FILE_PARTS.holds(name), OTHER_FILE_WORDS.intersection(WORD.findall(name))


def _is_named_as_control(source: str) -> bool:
    """Whether the file of an image is named like an icon of a service or of an arrow: `facebook-share`, `b_next`."""
    if not source.endswith(ICON_TYPES):
        return False
    words = set(WORD.findall(source.rpartition("/")[2].rpartition(".")[0]))
    if not CONTROL_WORDS.isdisjoint(words):
        return words <= CONTROL_WORDS | SIDES
    return not SERVICES.isdisjoint(words) and words <= SERVICES | ACTIONS


def _is_of_theme(page: Page, row: int, source: str) -> bool:
    """Whether an image is a drawing of the site's theme, and no placeholder of another image."""
    return (
        "/themes/" in source and source.endswith(ICON_TYPES) and not any(page.attr(row, name) for name in LATER_SOURCES)
    )


def _read_pixels(size: str | None) -> int | None:
    """Return a width or height; None if there is none, or if it is a share."""
    pixels = PIXELS.match(size) if size and "%" not in size else None
    return int(pixels[0]) if pixels else None


def is_named_as_advert(page: Page, row: int, levels: int) -> bool:
    """Whether an element around an image is named as an advertisement."""
    return any(map(_is_advert_name, list_names(page, list_around(page.parents, row, levels + 1))))


@lru_cache(CACHED_NAMES)
def _is_advert_name(name: str) -> bool:
    return not ADVERT_WORDS.isdisjoint(WORD.findall(name))


def is_icon(page: Page, row: int) -> bool:
    """Whether an image is an icon, a logo, an avatar or a spacer: it is tiny, or its file or class is named so."""
    known = page.known_icons
    found = known.get(row)
    if found is None:
        found = known[row] = _is_icon(page, row)
    return found


def _has_small_file(page: Page, row: int, source: str) -> bool:
    """Whether the URL of an image is that of a small square that is no photo, and it has no other URL."""
    if not source.endswith(ICON_TYPES) or SMALL_SQUARE.search(source) is None:
        return False
    return not any(page.attr(row, name) for name in ("width", "srcset", *LATER_SOURCES))


def _is_icon(page: Page, row: int) -> bool:
    if _is_small(page, row):
        return True
    around = list_around(page.parents, page.parents[row], BADGE_LEVELS)
    names = list_names(page, [row, *around])
    if _is_badge(page, around, names):
        return True
    name = names[0]
    source = (page.attr(row, "data-src") or page.attr(row, "src") or "")[-MAX_NAME_CHARS:].lower()
    source, _, query = source.partition("?")
    alt = (page.attr(row, "alt") or "")[: MIN_PHOTO_ALT + 1].strip().casefold()
    if _has_small_file(page, row, source):
        return True
    if ".svg" in source and _has_size_below(page, row, MAX_SVG_PIXELS):
        return True
    if (
        "avatar" in query
        or "/profile_images/" in source
        or alt in ADVERT_ALTS
        or (len(alt) < MIN_PHOTO_ALT and (_is_named_as_control(source) or _is_of_theme(page, row, source)))
    ):
        return True
    has_icon_part, found = _read_icon_name(name)
    if not (has_icon_part or OTHER_FILE_PARTS.holds(source)):
        return False
    in_source = OTHER_FILE_WORDS.intersection(WORD.findall(source))
    if not (found or in_source):
        return False
    pixels = MIN_PIXELS if len(alt) >= MIN_PHOTO_ALT else PHOTO_PIXELS
    if found and found <= LOGOS and _has_photo_size(page, row, pixels):
        found = frozenset()  # some systems call the photos of items so
    if in_source and in_source <= LOGOS and _has_photo_size(page, row, HERO_PIXELS):
        in_source = frozenset()  # a photo that shows a logo
    if in_source and not any(page.attr(row, name) for name in LATER_SOURCES):  # else it is a placeholder
        found |= in_source
    if found and found <= BANNERS:  # wide photos are called banners, too
        is_wide = read_width(page, row) >= HERO_PIXELS and page.find_link(row) < 0
        return len(page.attr(row, "alt") or "") < MIN_PHOTO_ALT and not is_wide
    return bool(found)


def has_icon_name(url: str) -> bool:
    """Whether the file of an image is named as an icon, a logo or an avatar."""
    source = url[-MAX_NAME_CHARS:].lower().partition("?")[0]
    return OTHER_FILE_PARTS.holds(source) and not OTHER_FILE_WORDS.isdisjoint(WORD.findall(source))


def is_hidden_image(page: Page, row: int) -> bool:
    """Whether an image is hidden, and not only until a script has loaded it."""
    hides = page.visibility.hides
    if not hides(row):
        return False
    return hides(page.parents[row]) or not any(page.attr(row, name) for name in (*SOURCES, "onload"))


def name_file(url: str | None) -> str:
    """Return the file name of an image without size and type; empty if it is too short to tell images apart."""
    name = (url or "").partition("?")[0][-MAX_NAME_CHARS:].rpartition("/")[2].lower()
    name = FILE_END.sub("", name)
    return name if len(name) >= MIN_FILE_CHARS else ""
