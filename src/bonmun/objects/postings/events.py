"""Find the event that a page shows without markup: a date beside its headline, and signs that something takes place."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bonmun.metadata.dates.url_dates import is_american_url
from bonmun.metadata.scans import fold_text
from bonmun.objects.postings.periods import Period, read_period, read_times
from bonmun.objects.postings.words import EVENT_LABELS
from bonmun.objects.prices import find_money, fold_digits
from bonmun.objects.products.view import find_country
from bonmun.objects.records import PAGE, choose_field, make_object
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.objects.postings.near import HeadlineArea
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject

__all__ = ["find_shown_events"]

LIST_KINDS = frozenset({"listing", "collection"})  # that need one more sign
BLOCKS_TO_DATE = 8  # from the headline to a date without a label
DATE_CHARS = 90  # of a block that is only a date with times
MAX_OTHER_LETTERS = 25  # beside date and times of such a block
BUTTON_CHARS = 40
MAX_DATES = 3  # with a label; a page with more is a list of events
MIN_SIGNS = 2
VALUE_CHARS = 200
YEAR_FIRST_LANGUAGES = frozenset({"ko", "ja", "zh", "hu"})
LABEL_CONFIDENCE, LINE_CONFIDENCE = 0.85, 0.75
# Names of folders with events. A plural alone may be a news section.
EVENT_PATH = compile_later(
    r"/(?:events?|event-details?|calendar|meetings?|webinars?|seminars?|workshops?|conferences?|concerts?|exhibitions?|"
    r"veranstaltung(?:en)?|termine?|konzerte?|ausstellung(?:en)?|evenements?|agenda|concerts?|eventos?|eventi|"
    r"evenementen|akce|udalosti|wydarzenia|arrangementer|evenemang|tapahtumat|seminar|afisha|meropriyatiya)[/-].",
    re.I,
)
# Texts of buttons and links that only pages of events have.
ACTION = compile_later(
    r"(?:rsvp|add to (?:my )?(?:google |outlook )?calendar|google calendar|ical(?:endar)?|ics|outlook calendar|"
    r"\+ ?(?:google calendar|ical export)|calendar googlecal|register(?: now| here| online| for this event)?|"
    r"get tickets|buy tickets|book tickets|book now|tickets|event details|all events|« all events|"
    r"zum kalender hinzufügen|in kalender eintragen|jetzt anmelden|zur anmeldung|anmeldung|tickets kaufen|"
    r"alle veranstaltungen|ajouter (?:à mon |au )?(?:calendrier|agenda)|s'inscrire|inscription|réserver|billetterie|"
    r"añadir a(?:l| su| mi) calendario|inscribirse|inscripción|comprar entradas|iscriviti|acquista biglietti|"
    r"aanmelden|kup bilet|koupit vstupenky|köp biljett(?:er)?|kjøp billett(?:er)?|купить билет|зарегистрироваться|"
    r"регистрация|добавить в календарь|참가 ?신청|신청하기|예매하기|예약하기|사전 ?등록|참가を申し込む|申し込む|"
    r"お申し込み(?:はこちら)?|参加申込(?:み)?|チケット(?:購入|を購入)?|立即报名|我要报名|我要報名|立即購票|活动报名)[\s!.»›>]*",
    re.I,
)


def find_shown_events(near: HeadlineArea) -> list[PageObject]:
    """Return the event that a page is about, if it declares none."""
    reading, title = near.reading, near.reading.metadata.title
    values: dict[str, list[str]] = defaultdict(list)
    for each in near.labelled:
        role = EVENT_LABELS.get(fold_text(each.label).lstrip("0123456789"))
        if role and len(each.value) <= VALUE_CHARS and each.value not in values[role]:
            values[role].append(each.value)
    period = _find_period(near, values)
    if period is None:
        return []
    fields = {
        "name": choose_field([(title, PAGE, LABEL_CONFIDENCE)]),
        "startDate": choose_field([(period.start, PAGE, LABEL_CONFIDENCE)]),
        "endDate": choose_field([(period.end, PAGE, LABEL_CONFIDENCE)]),
        "location": choose_field([({"name": text}, PAGE, LABEL_CONFIDENCE) for text in values.get("where", [])[:1]]),
        "organizer": choose_field([(text, PAGE, LABEL_CONFIDENCE) for text in values.get("organizer", [])[:1]]),
        "offers": choose_field([(_read_offers(reading, values), PAGE, LABEL_CONFIDENCE)]),
    }
    return [make_object("Event", fields)]


def _find_period(near: HeadlineArea, values: dict[str, list[str]]) -> Period | None:
    """Return when the event takes place, or None if the page shows no event."""
    reading, is_list = near.reading, near.reading.kind in LIST_KINDS
    dated = [(role, text) for role in ("event when", "start", "when") for text in values.get(role, [])]
    periods = [(role, period) for role, text in dated if (period := _read(reading, text))]
    if len({period.start[:10] for _, period in periods}) > MAX_DATES:
        return None
    if periods:
        role, period = periods[0]
        period = _add_times(reading, period, values)
        signs = (role == "event when") + period.has_time + bool(values.get("where"))
        return period if signs + _count_own_signs(near) >= MIN_SIGNS + is_list else None
    # a day without a year, or a date without a label
    is_labelled = bool(dated and values.get("time") and values.get("where"))
    shown = None if is_list else Period("") if is_labelled else _find_line(reading, near.headline)
    return shown if shown and _count_own_signs(near) else None


def _read(reading: ObjectReading, text: str) -> Period | None:
    language = reading.metadata.language or ""
    american = language == "en" and is_american_url(reading.page.likely_url)
    return read_period(text, american=american, year_first=language in YEAR_FIRST_LANGUAGES)


def _add_times(reading: ObjectReading, period: Period, values: dict[str, list[str]]) -> Period:
    """Return a period with the times and the end that have labels of their own."""
    start, end = period
    times = next(filter(None, map(read_times, values.get("time", []))), [])
    if times and not period.has_time:
        start = f"{start}T{times[0]}"
        if not end and len(times) > 1 and times[1] > times[0]:
            end = f"{period.start}T{times[1]}"
    if not end:
        ends = (read for text in values.get("end", []) if (read := _read(reading, text)))
        end = next((each.start for each in ends if each.start >= start), "")
    return Period(start, end)


def _find_line(reading: ObjectReading, headline: int) -> Period | None:
    """Return the date with a range of days or times that stands alone near the headline.

    A single date, with or without a time, may be the date of publication.
    """
    page = reading.page
    texts = [
        page.block_texts[block]
        for block in range(max(0, headline - 1), min(len(page.starts), headline + BLOCKS_TO_DATE))
        if not page.hidden_blocks[block]
    ]
    for number, text in enumerate(texts):
        period = _read(reading, text) if len(text) <= DATE_CHARS and _is_moment(text) else None
        if period is None:
            continue
        after = texts[number + 1] if number + 1 < len(texts) else ""
        times = read_times(after) if not period.has_time and len(after) <= DATE_CHARS and _is_moment(after) else []
        if len(times) > 1 and times[1] > times[0]:
            return Period(f"{period.start}T{times[0]}", f"{period.start}T{times[1]}")
        if period.end:
            return period
    return None


def _is_moment(text: str) -> bool:
    """Whether a text is little more than a date or a time."""
    return any(map(str.isdigit, text)) and sum(map(str.isalpha, text)) <= MAX_OTHER_LETTERS


def _count_own_signs(near: HeadlineArea) -> int:
    """Return how many signs of an event a page has beside dates: its address, a button such as "Add to calendar"."""
    page = near.reading.page
    has_path = EVENT_PATH.search((page.url or "")[:500].lower()) is not None
    texts = (page.block_texts[block] for block in near.blocks)
    return has_path + any(len(text) <= BUTTON_CHARS and ACTION.fullmatch(text) is not None for text in texts)


def _read_offers(reading: ObjectReading, values: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Return the price of admission, if it has a currency."""
    country = find_country(reading.page, reading.declared.meta("og:locale"), reading.metadata.language)
    for text in values.get("price", []):
        for money in find_money(fold_digits(text), country):
            if money.currency:
                return [{"price": money.amount, "priceCurrency": money.currency}]
    return []
