"""When a page was published: declared, in its address, or written near its headline, in many languages."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from bonmun.metadata.declared import kind_of, said
from bonmun.metadata.ranking import Candidate, Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["date_candidates", "day_in", "modified"]

# Months as they are written in dates, in two dozen languages, with their short forms.
MONTH_TABLE = """
january jan januar jänner janvier janv enero ene janeiro gennaio gen januari tammikuuta stycznia sty ledna
января янв січня ιανουαρίου ιαν ocak يناير มกราคม ม.ค január ianuarie;
february feb februar février fevrier févr fév febrero fevereiro fev febbraio februari helmikuuta lutego lut
února февраля фев февр лютого φεβρουαρίου φεβ şubat فبراير شباط กุมภาพันธ์ ก.พ február februarie;
march mar märz mrz mär mars marzo março marco maart mrt marts maaliskuuta marca března марта март мар березня
μαρτίου μαρ mart مارس آذار มีนาคม มี.ค maret március martie;
april apr avril avr abril abr aprile huhtikuuta kwietnia kwi dubna апреля апр квітня απριλίου απρ nisan أبريل
ابريل نيسان เมษายน เม.ย április aprilie;
may mai mayo maio maggio mag mei maj toukokuuta maja května мая май травня μαΐου μαϊου mayıs مايو أيار พฤษภาคม
พ.ค május;
june jun juni juin junio junho giugno giu kesäkuuta czerwca cze června июня июн червня ιουνίου haziran يونيو
حزيران มิถุนายน มิ.ย június iunie;
july jul juli juillet juil julio julho luglio lug heinäkuuta lipca lip července июля июл липня ιουλίου temmuz
يوليو تموز กรกฎาคม ก.ค július iulie;
august aug août aout agosto ago augustus augusti elokuuta sierpnia sie srpna августа авг серпня αυγούστου
ağustos أغسطس اغسطس آب สิงหาคม ส.ค agustus augusztus;
september sep sept septembre septiembre setiembre setembro set settembre syyskuuta września wrz září сентября
сен сент вересня σεπτεμβρίου eylül سبتمبر أيلول กันยายน ก.ย szeptember septembrie;
october oct oktober okt octobre octubre outubro out ottobre ott lokakuuta października paź října октября окт
жовтня οκτωβρίου ekim أكتوبر اكتوبر ตุลาคม ต.ค október octombrie;
november nov novembre noviembre novembro marraskuuta listopada lis listopadu ноября ноя нояб листопада
νοεμβρίου kasım نوفمبر พฤศจิกายน พ.ย noiembrie;
december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre desember des joulukuuta
grudnia gru prosince декабря дек грудня δεκεμβρίου aralık ديسمبر ธันวาคม ธ.ค decembrie
"""
MONTHS = {name: number for number, names in enumerate(MONTH_TABLE.split(";"), 1) for name in names.split()}
YEAR = r"(?P<year>(?:19[89]|20[0-9])[0-9]|25[4-7][0-9])"  # from 1980; Thai years are 543 ahead
MONTH = r"(?P<name>[^\W\d_][\w.ก-๛]{1,14})"
NUMBERS = [
    re.compile(rf"(?<![0-9]){YEAR}\s?[-./年년]\s?(?P<month>[0-9]{{1,2}})\s?[-./月월]\s?(?P<day>[0-9]{{1,2}})(?![0-9])"),
    re.compile(rf"(?<![0-9.])(?P<day>[0-9]{{1,2}})\s?[-./]\s?(?P<month>[0-9]{{1,2}})\s?[-./]\s?{YEAR}(?![0-9])"),
    re.compile(rf"(?<![0-9])(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er|º|\.|ος|α)?(?:\s+(?:of|de|del|ngày))?[\s\-/,]+{MONTH}\.?(?:\s+(?:de|del|of))?[\s,\-/]+{YEAR}(?![0-9])"),
    re.compile(rf"(?<!\w){MONTH}\.?\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[,.]?\s+{YEAR}(?![0-9])"),
    re.compile(rf"(?<![0-9])(?P<day>[0-9]{{1,2}})\s+[Tt]h[aá]ng\s+(?P<month>[0-9]{{1,2}})[,\s]+(?:năm\s+)?{YEAR}(?![0-9])"),
    re.compile(rf"(?<![0-9]){YEAR}[\s,]+{MONTH}\.?[\s,]+(?P<day>[0-9]{{1,2}})(?![0-9])"),
]  # fmt: skip
COMPACT = re.compile(r"(?<![0-9])(20[0-2][0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?![0-9])")
IN_URL = re.compile(r"/(20[0-2][0-9])[-/]?(0?[1-9]|1[0-2])[-/]?(0?[1-9]|[12][0-9]|3[01])(?=[/._-]|$)")
HAS_YEAR = re.compile(r"(?:19[89]|20[0-9])[0-9]|25[4-7][0-9]")

PUBLISHED = (
    "article:published_time article:published datepublished date dc.date dc.date.issued dcterms.date dcterms.created "
    "pubdate publishdate publish_date publish-date parsely-pub-date sailthru.date og:published_time og:pubdate "
    "article_date_original citation_publication_date citation_date ptime cxenseparse:recs:publishtime "
    "article.published originalpublicationdate date_published rnews:datepublished bt:pubdate og:article:published_time "
    "article:create_at regdate news:published_time"
).split()
MODIFIED = (
    "article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified lastmod last-modified "
    "article:modified revised modified"
).split()
LONG_LINE = 160  # characters: a block of more is a paragraph
NEAR = 14  # blocks around the headline or the start of the text
VISIBLE = 24  # dates on the page that are looked at
NEW_WORDS = re.compile(r"updat|modif|edit|aktualisier|mis à jour|actualiz|обнов|수정|更新|최종", re.I)
OLD_WORDS = re.compile(
    r"publi|post|veröffentl|erstellt|опублик|입력|등록|작성|게시|发布|發布|公開|掲載|投稿|duyệt|đăng|نشر", re.I
)
DATE_NAMES = re.compile(r"date|time|publish|posted|byline|meta|info|when|stamp", re.I)


def day_in(text: str, *, american: bool = False) -> date | None:
    """The first day that is written in a text, or None; `american` where of two numbers the month is the first."""
    if not HAS_YEAR.search(text):
        return None
    first: tuple[int, date] | None = None
    for pattern in NUMBERS:
        for match in pattern.finditer(text):
            if first and match.start() >= first[0]:
                break
            found = _day(match, american=american)
            if found:
                first = match.start(), found
                break
    return first[1] if first else None


def _day(match: re.Match[str], *, american: bool) -> date | None:
    parts = match.groupdict()
    year, number = int(parts["year"]), int(parts["day"])
    year -= 543 if year > 2500 else 0
    if "name" in parts:
        month = MONTHS.get(parts["name"].lower().rstrip("."), 0)
    else:
        month = int(parts["month"])
        if match.re is NUMBERS[1] and (month > 12 or (american and "/" in match[0] and number <= 12)):
            month, number = number, month
    try:
        return date(year, month, number)
    except ValueError:
        return None


def date_candidates(
    page: Page, declared: Declared, first: int | None, title: int | None, kinds: dict[str, float], today: date
) -> list[Candidate]:
    """Every day that the page may have been published on; `first` is the first kept block, `title` the headline's."""
    found: dict[date, Candidate] = {}
    american = (page.nodes[0].attr("lang") or "en").lower().startswith("en") and not _is_british(page.url)

    def add(day: date | None, source: str, *signs: str) -> None:
        if day is None or day.year < 1990 or day > today:
            return
        each = found.setdefault(day, Candidate(day.isoformat(), source, {}))
        for sign in signs:
            each.signs[sign] = 1.0

    for thing in declared.things:
        kind = kind_of(thing)
        main = "main" if thing is declared.main else "article" if kind in ("article", "forum") else "other"
        add(day_in(said(thing.get("datePublished"))), "JSON-LD", f"ld {main}")
        add(day_in(said(thing.get("uploadDate"))) or day_in(said(thing.get("dateCreated"))), "JSON-LD", "ld created")
        add(day_in(said(thing.get("dateModified"))), "JSON-LD", "ld modified")
    for name in PUBLISHED:
        if value := declared.metas.get(name):
            add(day_in(value) or _compact(value), f"meta {name}", "meta", f"meta {name}")
    for name in MODIFIED:
        if value := declared.metas.get(name):
            add(day_in(value), f"meta {name}", "meta modified")
    if match := IN_URL.search(page.url or ""):
        add(_made(*match.groups()), "URL", "url")
    for number, node in enumerate(page.tree.select("time")[:VISIBLE]):
        value = node.attr("datetime") or node.text[:100]
        names = f"{node.attr('itemprop') or ''} {node.attr('class') or ''}".lower()
        day = day_in(value) or day_in(node.text[:100])
        add(day, "time", "time", "time first" if not number else "time later")
        if day and ("publish" in names or "pubdate" in names or node.attr("pubdate") is not None):
            add(day, "time", "time published")
        if day and ("modif" in names or "updat" in names):
            add(day, "time", "time modified")
    for shown, (row, text, day) in enumerate(_visible(page, first, title, american=american)):
        label = page.block_texts[row - 1][-40:] if row else ""
        near_title = title is not None and -6 <= row - title <= NEAR
        near_text = first is not None and -NEAR <= row - first <= 1
        signs = ["shown"]
        if not shown:
            signs.append("shown first")
        if near_title:
            signs.append("shown near title")
        if near_text:
            signs.append("shown before text")
        if first is not None and row > first + 1:
            signs.append("shown after text starts")
        if len(text) > 60:
            signs.append("shown in a line")
        if len(text) > LONG_LINE:
            signs.append("shown in a paragraph")
        if OLD_WORDS.search(text) or OLD_WORDS.search(label):
            signs.append("says published")
        if NEW_WORDS.search(text) or NEW_WORDS.search(label):
            signs.append("says updated")
        node = page.nodes[page.owners[row]]
        if DATE_NAMES.search(f"{node.attr('class') or ''} {node.attr('itemprop') or ''}"):
            signs.append("named date")
        add(day, "text", *signs)
    if not found:
        return []
    days = sorted(found)
    for each_day, each in found.items():
        marks = each.signs
        marks["earliest"] = float(each_day == days[0])
        marks["latest"] = float(each_day == days[-1])
        marks["alone"] = float(len(days) == 1)
        marks["many"] = float(len(days) > 6)
        ways = sum(any(sign.startswith(way) for sign in marks) for way in ("ld", "meta", "time", "shown", "url"))
        marks["two ways"] = float(ways == 2)
        marks["three ways"] = float(ways > 2)
        marks["declared only"] = float("shown" not in marks and "time" not in marks)
        marks.update(kinds)
        for kind in ("article", "forum", "documentation"):
            if "shown" in marks:
                marks[f"shown, {kind}"] = kinds.get(kind, 0.0)
            if "ld main" in marks or "meta" in marks:
                marks[f"declared, {kind}"] = kinds.get(kind, 0.0)
        if "shown first" in marks and kinds.get("forum", 0) > 0.5:
            marks["first of a thread"] = 1.0
        if each_day == days[0] and kinds.get("forum", 0) > 0.5:
            marks["earliest of a thread"] = 1.0
    return list(found.values())


def modified(declared: Declared) -> Fact | None:
    """The day that the page says it was changed."""
    values = [("JSON-LD", said(declared.main.get("dateModified")))]
    values += [(f"meta {name}", declared.metas.get(name, "")) for name in MODIFIED]
    return next((Fact(day.isoformat(), source, 0.9) for source, value in values if (day := day_in(value))), None)


def _visible(page: Page, first: int | None, title: int | None, *, american: bool) -> Iterator[tuple[int, str, date]]:
    """The dates that readers see: the row of the block, its text, the day; near the headline and the text first."""
    count = len(page.block_texts)
    last = min(count, max((first or 0) + 40, (title or 0) + 40, 120))
    found = 0
    for row in range(last):
        text = page.block_texts[row]
        if len(text) > LONG_LINE:
            text = text[:LONG_LINE] if first is None or row > first + 2 else text[: 2 * LONG_LINE]
        if len(text) < 6 or not HAS_YEAR.search(text):
            continue
        if day := day_in(text, american=american):
            yield row, text, day
            found += 1
            if found >= VISIBLE:
                return


def _is_british(url: str | None) -> bool:
    host = (url or "").partition("//")[2].partition("/")[0]
    return host.endswith((".uk", ".au", ".nz", ".in", ".ie", ".za", ".sg", ".my", ".eu", ".pk"))


def _compact(value: str) -> date | None:
    match = COMPACT.search(value)
    return _made(*match.groups()) if match else None


def _made(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
