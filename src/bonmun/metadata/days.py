"""A day as people write it, in two dozen languages: what stands before or after a year."""

from __future__ import annotations

import re
from datetime import date

__all__ = ["find_compact_day", "find_day", "make_day"]

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
THAI_YEARS_AHEAD = 543  # of the Buddhist era, in which Thai pages count
FIRST_THAI_YEAR = 2500  # no page is from then by our count
SEARCHED_CHARS = 400  # of a text, from its start
CHARS_BEFORE_YEAR = 40  # that are looked at
# A year from 1980 on, ours or Thai.
YEAR = re.compile(r"(?<![0-9])(?:(?:19[89]|20[0-9])[0-9]|25[4-7][0-9])(?![0-9])")
MONTH = r"(?P<name>[^\W\d_][\w.ก-๛]{1,14})"
DAY = r"(?P<day>[0-9]{1,2})"
# Two numbers before a year: "4.3.", "03/04/". Only here may the month be the first of them.
TWO_NUMBERS = re.compile(rf"(?<![0-9.]){DAY}\s?[-./]\s?(?P<month>[0-9]{{1,2}})\s?[-./]\s?$")
BEFORE_YEAR = [
    TWO_NUMBERS,
    # A day and a month by its name: "4 March", "4. März", "4 de marzo de".
    re.compile(
        rf"(?<![0-9]){DAY}(?:st|nd|rd|th|er|º|\.|ος|α)?(?:\s+(?:of|de|del|ngày))?[\s\-/,]+{MONTH}\.?"
        r"(?:\s+(?:de|del|of))?[\s,\-/]+$"
    ),
    # A month by its name and a day: "March 4th,".
    re.compile(rf"(?<!\w){MONTH}\.?\s+{DAY}(?:st|nd|rd|th)?[,.]?\s+$"),
    # Vietnamese: "4 tháng 3, năm".
    re.compile(rf"(?<![0-9]){DAY}\s+[Tt]h[aá]ng\s+(?P<month>[0-9]{{1,2}})[,\s]+(?:năm\s+)?$"),
]
AFTER_YEAR = [
    # Two numbers: "-03-04", "년 3월 4일", "年3月4日".
    re.compile(rf"\s?[-./年년]\s?(?P<month>[0-9]{{1,2}})\s?[-./月월]\s?{DAY}(?![0-9])"),
    # A month by its name and a day: ", March 4".
    re.compile(rf"(?<![\s,])[\s,]++{MONTH}\.?[\s,]++{DAY}(?![0-9])"),
]
# A day of eight digits: "20260304".
COMPACT = re.compile(r"(?<![0-9])(20[0-2][0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?![0-9])")


def find_day(text: str, *, american: bool = False) -> date | None:
    """The first day that is written in a text, or None; `american` where of two numbers the month is the first."""
    text = text[:SEARCHED_CHARS]
    for year in YEAR.finditer(text):
        start = year.start()
        if start and not text[start - 1].isalpha():
            before = text[max(start - CHARS_BEFORE_YEAR, 0) : start]
            for pattern in BEFORE_YEAR:
                if (match := pattern.search(before)) and (day := _read_day(year[0], match, american=american)):
                    return day
        for pattern in AFTER_YEAR:
            if (match := pattern.match(text, year.end())) and (day := _read_day(year[0], match)):
                return day
    return None


def find_compact_day(text: str) -> date | None:
    """The first day that is written as 20260304."""
    match = COMPACT.search(text)
    return make_day(*match.groups()) if match else None


def make_day(year: str, month: str, day: str) -> date | None:
    """Make a day of three numbers, if there is such a day."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _read_day(year: str, match: re.Match[str], *, american: bool = False) -> date | None:
    """The day that a year and what stands beside it say, if there is such a day."""
    parts = match.groupdict()
    day, year_number = int(parts["day"]), int(year)
    if "name" in parts:
        month = MONTHS.get(parts["name"].lower().rstrip("."), 0)
    else:
        month = int(parts["month"])
        if match.re is TWO_NUMBERS and (month > 12 or (american and "/" in match[0] and day <= 12)):
            month, day = day, month
    try:
        return date(year_number - THAI_YEARS_AHEAD if year_number > FIRST_THAI_YEAR else year_number, month, day)
    except ValueError:
        return None
