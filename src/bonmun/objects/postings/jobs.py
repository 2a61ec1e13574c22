"""Find the job that a page advertises without markup: labels such as "Salary" and headings such as "Your profile"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.metadata.dates.parse import find_days
from bonmun.metadata.dates.url_dates import is_american_url
from bonmun.metadata.scans import fold_text, fold_texts
from bonmun.objects.postings.words import JOB_LABELS, JOB_SECTIONS
from bonmun.objects.prices import find_money, fold_digits
from bonmun.objects.products.view import find_country
from bonmun.objects.records import PAGE, choose_field, make_object
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.objects.labelled_values import LabelledValue
    from bonmun.objects.postings.near import HeadlineArea
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject
    from bonmun.page import Page

__all__ = ["find_shown_jobs"]

# Kinds of pages that are no single job even if they have such labels.
LIST_KINDS = frozenset({"listing", "collection"})
HEADING_CHARS = 60
COLONS = (":", "：")
VALUE_CHARS = 200
MAX_REPEATS = 3  # of one label; a page with more is a list of jobs
MIN_SIGNS, MIN_NAMED_SIGNS = 3, 2  # labels and headings; with a job in title or address
MIN_EMPLOYER_MENTIONS = 2  # of the name of the site, in the text, to count as employer
LABEL_CONFIDENCE, SITE_CONFIDENCE, DATE_CONFIDENCE = 0.85, 0.6, 0.7
PLACE_ROLES = frozenset({"place", "posted", "role"})  # other pages have these, too
TITLE_WORD = compile_later(
    r"\b(?:hiring|job (?:offer|opening|vacancy|posting)|vacancy|job:|career opportunity|internship|"
    r"stellenangebot|stellenausschreibung|wir suchen|offre d['’]emploi|recrute|recrutement|"
    r"oferta de (?:empleo|trabajo)|offerta di lavoro|vacature|volné místo|oferta pracy|ledig stilling|вакансия)\b"
    r"|\((?:[mwfdhx]\s?[/|*]\s?){1,3}[mwfdhx]\)|채용|구인|모집 ?공고|求人|採用|正社員|招聘|誠徵",
    re.I,
)
TITLE_START = compile_later(
    r"(?:we(?:'re| are) hiring|now hiring|hiring|job (?:offer|opening|vacancy|posting)|vacancy|stellenangebot|"
    r"stellenausschreibung|wir suchen|offre d['’]emploi|oferta de (?:empleo|trabajo)|vacature|вакансия)\s?[:–-]\s?",
    re.I,
)
JOB_PATH = compile_later(
    r"[/.](?:jobs?|careers?|vacanc(?:y|ies)|job-?(?:offers?|details?|openings?)|positions?|stellen(?:angebote?)?|karriere|"
    r"offres?-(?:d-)?emploi|emplois?|empleos?|ofertas?-(?:de-)?(?:empleo|trabajo)|lavoro|vacatures?|prace|praca|"
    r"rabota|vakans\w{1,10}|recruit(?:ment)?|saiyou?|kyujin|zhaopin)[/.?-]",
    re.I,
)


def find_shown_jobs(near: HeadlineArea) -> list[PageObject]:
    """Return the job that a page advertises, if it declares none."""
    reading, title = near.reading, near.reading.metadata.title or ""
    if reading.kind in LIST_KINDS:
        return []
    labelled = [
        (role, each)
        for each in near.labelled
        if len(each.value) <= VALUE_CHARS and (role := JOB_LABELS.get(fold_text(each.label).lstrip("0123456789")))
    ]
    is_named = bool(labelled) or TITLE_START.match(title) or TITLE_WORD.search(title)
    if not is_named or not _is_job(reading, labelled, _find_sections(reading.page, near.blocks)):
        return []
    values: dict[str, list[str]] = defaultdict(list)
    for role, each in labelled:
        values[role].append(each.value)
    name = TITLE_START.sub("", title, count=1)
    fields = {
        "title": choose_field([(name, PAGE, LABEL_CONFIDENCE)]),
        "hiringOrganization": choose_field(_find_employers(reading, values)),
        "jobLocation": choose_field([({"name": text}, PAGE, LABEL_CONFIDENCE) for text in values["place"][:1]]),
        "baseSalary": choose_field([(_read_salary(reading, values["salary"]), PAGE, LABEL_CONFIDENCE)]),
        "datePosted": choose_field(
            [
                *((day, PAGE, LABEL_CONFIDENCE) for day in _read_days(reading, values["posted"])),
                (reading.metadata.date, PAGE, DATE_CONFIDENCE),
            ]
        ),
        "validThrough": choose_field(
            (max(days), PAGE, LABEL_CONFIDENCE) for days in [list(_read_days(reading, values["deadline"][:1]))] if days
        ),
        "employmentType": choose_field([(values["kind"][:1], PAGE, LABEL_CONFIDENCE)]),
    }
    return [make_object("JobPosting", fields)]


def _find_sections(page: Page, blocks: range) -> set[str]:
    """Return the parts of an advertisement that have a heading, such as "Your profile"."""
    found = set()
    texts = page.block_texts[blocks.start : blocks.stop]
    for block, text, folded in zip(blocks, texts, fold_texts(texts, HEADING_CHARS), strict=True):
        if len(text) > HEADING_CHARS or page.hidden_blocks[block]:
            continue
        if role := JOB_SECTIONS.get(folded):
            found.add(role)
        elif text[-1:] in COLONS and (role := JOB_SECTIONS.get(fold_text(text.split()[-1]))):
            found.add(role)  # "Essential professional qualifications:"
    return found


def _is_job(reading: ObjectReading, labelled: list[tuple[str, LabelledValue]], sections: set[str]) -> bool:
    """Whether labels, headings, title and address show that a page advertises one job."""
    counts = Counter(role for role, _ in labelled)
    if max(counts.values(), default=0) > MAX_REPEATS:
        return False
    signs = len(counts.keys() - {"posted"}) + len(sections)
    is_labelled = bool(counts.keys() - PLACE_ROLES)
    if TITLE_START.match(reading.metadata.title or ""):
        return bool(signs)
    if TITLE_WORD.search(reading.metadata.title or ""):
        return signs >= MIN_NAMED_SIGNS or (is_labelled and bool(signs))
    if JOB_PATH.search((reading.page.url or "")[:500]):
        return is_labelled and signs >= MIN_NAMED_SIGNS
    return is_labelled and bool(sections) and signs >= MIN_SIGNS


def _find_employers(reading: ObjectReading, values: dict[str, list[str]]) -> Iterator[tuple[str, str, float]]:
    """Yield the employer that has a label, and the name of the site if the advertisement names it."""
    for text in values["employer"][:1]:
        yield text, PAGE, LABEL_CONFIDENCE
    name = reading.metadata.site_name or ""
    folded = fold_text(name)
    texts = (reading.page.block_texts[block.row] for block in reading.blocks)
    mentions = (text for text in texts if folded and folded in fold_text(text))
    if len(list(islice(mentions, MIN_EMPLOYER_MENTIONS))) >= MIN_EMPLOYER_MENTIONS:
        yield name, PAGE, SITE_CONFIDENCE


def _read_salary(reading: ObjectReading, texts: list[str]) -> dict[str, Any]:
    """Return the salary with its least and greatest amount, if it has a currency, and as the page writes it."""
    if not texts:
        return {}
    country = find_country(reading.page, reading.declared.meta("og:locale"), reading.metadata.language)
    found = list(islice(find_money(fold_digits(texts[0]), country), 2))
    currency = next((money.currency for money in found if money.currency), None)
    if currency is None:
        return {"text": texts[0]}
    names = ("minValue", "maxValue") if len(found) > 1 else ("value",)
    return {**dict(zip(names, (money.amount for money in found), strict=True)), "currency": currency, "text": texts[0]}


def _read_days(reading: ObjectReading, texts: list[str]) -> Iterator[str]:
    american = reading.metadata.language == "en" and is_american_url(reading.page.likely_url)
    for text in texts:
        for written in find_days(text, american=american):
            yield written.day.isoformat()
