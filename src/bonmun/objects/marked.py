"""Find events, jobs, videos, podcast episodes, organisations, places and people that a page declares.

Each type is a table of its fields: the name at schema.org and the reader of its value. The item that is reported is the
one named like the page, else the only one of its type; organisations, places and people only if they are named like
the page, since almost every page declares the organisation that publishes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.metadata.scans import fold_text
from bonmun.objects.chapters import find_chapters, read_marked_chapters
from bonmun.objects.durations import read_duration
from bonmun.objects.markup.items import Item
from bonmun.objects.postings.periods import read_period
from bonmun.objects.prices import read_amount
from bonmun.objects.records import PAGE, choose_field, make_object
from bonmun.text.patterns import compile_later
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import ObjectField, PageObject

__all__ = ["find_marked_objects"]

MAX_VALUES = 100  # of one field
ISO_DATE = compile_later(r"[0-9]{4}(?:-[0-9]{2}){0,2}(?:[T\s]|$)")
ADDRESS_PARTS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")


def _read_text(item: Item, name: str) -> str:
    return item.text(name)


def _read_name(item: Item, name: str) -> str:
    """Return the name of a person or organisation; an address, which some pages declare alone, is none."""
    text = item.text(name)
    return "" if text.startswith(("http://", "https://")) else text


def _read_texts(item: Item, name: str) -> list[str]:
    return item.texts(name)[:MAX_VALUES]


def _read_date(item: Item, name: str) -> str:
    """Return a date, or date and time; "2026-7-1" and "1 July 2026" are rewritten in ISO 8601.

    "07/01/2026" is not: nothing says which number is the month.
    """
    text = item.text(name)
    period = None if ISO_DATE.match(text) or "/" in text else read_period(text)
    return period.start if period else text


def _read_time(item: Item, name: str) -> str:
    return read_duration(item.text(name))


def _read_place(item: Item, name: str) -> dict[str, str]:
    """Return name and address of a place."""
    for value in item.values(name):
        if not isinstance(value, Item):
            return {"name": str(value)}
        fields = {"name": value.text("name"), "address": _read_address(value, "address"), "url": value.text("url")}
        if kept := {key: text for key, text in fields.items() if text}:
            return kept
    return {}


def _read_address(item: Item, name: str) -> str:
    """Return an address on one line."""
    inner = next(iter(item.items(name)), None)
    if inner is None:
        return item.text(name)
    return ", ".join(text for part in ADDRESS_PARTS if (text := inner.text(part))) or inner.text("name")


def _read_salary(item: Item, name: str) -> dict[str, str]:
    """Return the salary as `{"minValue", "maxValue", "value", "unitText", "currency"}`, without what is missing."""
    for value in item.values(name):
        if not isinstance(value, Item):
            return {"text": str(value)}
        inner = next(iter(value.items("value")), value)
        amounts = {key: read_amount(inner.text(key)) or "" for key in ("minValue", "maxValue", "value")}
        fields = {
            **amounts,
            "unitText": inner.text("unitText") or value.text("unitText"),
            "currency": value.text("currency") or item.text("salaryCurrency"),
        }
        if any(amounts.values()):
            return {key: text for key, text in fields.items() if text}
    return {}


def _read_offers(item: Item, name: str) -> list[dict[str, str]]:
    """Return the offers as `{"name", "price", "priceCurrency", "availability", "url"}`, without what is missing."""
    offers = []
    for offer in item.items(name)[:MAX_VALUES]:
        fields = {
            "name": offer.text("name"),
            "price": read_amount(offer.text("price", "lowPrice")) or "",
            "priceCurrency": offer.text("priceCurrency"),
            "availability": offer.text("availability").rpartition("/")[2],
            "url": offer.text("url"),
        }
        if kept := {key: text for key, text in fields.items() if text}:
            offers.append(kept)
    return offers


def _read_hours(item: Item, name: str) -> list[str]:
    """Return opening hours such as "Monday 09:00-17:00"."""
    hours = item.texts("openingHours")
    for each in item.items(name)[:MAX_VALUES]:
        days = " ".join(day.rstrip("/").rpartition("/")[2] for day in each.texts("dayOfWeek"))
        hours.append(f"{days} {each.text('opens')}-{each.text('closes')}".strip())
    return hours[:MAX_VALUES]


COMMON: dict[str, Callable[[Item, str], Any]] = {
    "name": _read_text,
    "description": _read_text,
    "url": _read_text,
    "image": _read_text,
}
MEDIA = COMMON | {"duration": _read_time, "author": _read_name, "transcript": _read_text}
CONTACT = COMMON | {
    "address": _read_address,
    "telephone": _read_text,
    "email": _read_text,
    "openingHoursSpecification": _read_hours,
    "sameAs": _read_texts,
}
FIELDS: dict[str, dict[str, Callable[[Item, str], Any]]] = {
    "Event": COMMON
    | {
        "startDate": _read_date,
        "endDate": _read_date,
        "location": _read_place,
        "organizer": _read_name,
        "performer": _read_texts,
        "eventStatus": _read_text,
        "offers": _read_offers,
    },
    "JobPosting": {
        "title": _read_text,
        "hiringOrganization": _read_name,
        "jobLocation": _read_place,
        "baseSalary": _read_salary,
        "datePosted": _read_date,
        "validThrough": _read_date,
        "employmentType": _read_texts,
        "description": _read_text,
    },
    "VideoObject": MEDIA
    | {"uploadDate": _read_text, "contentUrl": _read_text, "embedUrl": _read_text, "thumbnailUrl": _read_text},
    "PodcastEpisode": MEDIA | {"datePublished": _read_text, "partOfSeries": _read_text, "associatedMedia": _read_text},
    "Organization": CONTACT,
    "Place": CONTACT,
    "Person": COMMON
    | {
        "jobTitle": _read_text,
        "worksFor": _read_name,
        "address": _read_address,
        "telephone": _read_text,
        "email": _read_text,
        "sameAs": _read_texts,
    },
}
# Types of schema.org that are reported as a more general one, in lower case.
SUBTYPES = {
    "Event": "event businessevent childrensevent comedyevent danceevent educationevent exhibitionevent festival "
    "foodevent literaryevent musicevent publicationevent saleevent screeningevent socialevent sportsevent theaterevent "
    "visualartsevent courseinstance hackathon",
    "JobPosting": "jobposting",
    "VideoObject": "videoobject",
    "PodcastEpisode": "podcastepisode radioepisode",
    "Organization": "organization corporation educationalorganization governmentorganization ngo localbusiness "
    "restaurant store hotel medicalorganization sportsorganization collegeoruniversity school library hospital dentist",
    "Place": "place touristattraction landmarksorhistoricalbuildings museum park beach city",
    "Person": "person",
}
# Types whose item must be named like the page.
NAMED_TYPES = frozenset({"Organization", "Place", "Person", "VideoObject"})
URL_FIELDS = frozenset({"url", "image", "contentUrl", "embedUrl", "thumbnailUrl"})
MIN_NAME_CHARS = 3


def find_marked_objects(reading: ObjectReading) -> list[PageObject]:
    """Return the objects of these types that a page is about."""
    found = []
    for type_, readers in FIELDS.items():
        items = reading.find_items(*SUBTYPES[type_].split())
        item = _choose_item(items, reading.metadata.title, must_match=type_ in NAMED_TYPES)
        if item is None:
            continue
        values = {name: read(item, name) for name, read in readers.items()}
        for name in URL_FIELDS & values.keys():
            values[name] = read_url(values[name], reading.page.base_url)
        fields = {name: choose_field([(value, item.source)]) for name, value in values.items()}
        if type_ in ("VideoObject", "PodcastEpisode"):
            fields["hasPart"] = _find_chapters(reading, item)
        if sum(field is not None for field in fields.values()) > 1:
            found.append(make_object(type_, fields))
    return found


def _choose_item(items: Sequence[Item], title: str | None, *, must_match: bool) -> Item | None:
    """Return the item named like the page, else the only one."""
    folded = fold_text(title or "")
    for item in items:
        name = fold_text(item.text("name", "title"))
        if (
            len(name) >= MIN_NAME_CHARS
            and folded
            and (name == folded or (not must_match and (name in folded or folded in name)))
        ):
            return item
        if must_match and len(name) >= MIN_NAME_CHARS and folded.startswith(name) and 2 * len(name) > len(folded):
            return item
    return items[0] if len(items) == 1 and not must_match else None


def _find_chapters(reading: ObjectReading, item: Item) -> ObjectField | None:
    """Return the chapters of a recording, from its markup or from lines such as "0:00 Start"."""
    lines = [reading.page.block_texts[block.row] for block in reading.blocks]
    texts = [each for each in item.values("description") if isinstance(each, str)]
    return choose_field(
        [
            (read_marked_chapters(item), item.source),
            (find_chapters("\n".join(texts)), item.source),
            (find_chapters("\n".join(lines)), PAGE, 0.8),
        ]
    )
