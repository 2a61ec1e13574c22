"""Tell whether a line is a byline, a date line, or names an editor, a contact or a copyright, and nothing else."""

from __future__ import annotations

import re

from bonmun.metadata.authors.bylines import (
    CHINESE_REPORTER,
    KOREAN_NAME_BEFORE_EMAIL,
    KOREAN_REPORTER,
    clean_name,
    match_byline,
)
from bonmun.metadata.authors.names import is_person, split_names
from bonmun.metadata.dates.months import MONTHS
from bonmun.metadata.dates.parse import find_days
from bonmun.text.patterns import compile_later

__all__ = ["is_date_line", "is_first_line", "is_last_line"]

BYLINE_CHARS, EDITOR_CHARS = 120, 40  # maximum of a byline, and of a line that names an editor
# Between the parts of a line: "撰文: 王小明 | 發佈日期: 2026-03-04".
PART_BREAK = compile_later(r"[\n|｜ㅣ•·]+")
BEFORE_DATE = (",", " - ", " – ", " — ", " on ", " am ", " le ", " el ")  # between a byline and its date
BRACKETS = " \t【】[]［］()（）〔〕<>《》"
# Words of date lines: labels, days of the week, times of day, reading times. Months are known elsewhere.
DATE_WORDS = frozenset(
    "published publish date posted updated update last modified on at the of am pm edt est gmt utc cet cest pst "
    "pdt bst ist jst kst min mins minute minutes read reading time veröffentlicht aktualisiert stand erstellt uhr "
    "um vom zuletzt geändert letzte aktualisierung lesedauer lesezeit minuten publié le mis à jour modifié temps "
    "de lecture publicado actualizado el las hrs tiempo lectura minutos hora pubblicato aggiornato alle ore il "
    "minuti tempo di lettura gepubliceerd bijgewerkt om uur leestijd atualizado em às leitura horas data "
    "publicação publicerad publicerat uppdaterad uppdaterat publisert oppdatert opdateret offentliggjort kl "
    "julkaistu päivitetty klo opublikowano aktualizacja zaktualizowano dodano godz publikacji vydáno aktualizováno "
    "frissítve yayınlanma yayınlandı güncelleme güncellendi son tarihi saat опубликовано обновлено дата публикации "
    "время чтения мин года г мск опубліковано оновлено року diterbitkan diperbarui tayang wib ngày lúc giờ cập "
    "nhật đăng thứ năm tháng نشر نشرت تحديث آخر تاريخ النشر الساعة بتوقيت غرينتش صباحا مساء انتشار פורסם עודכן "
    "בשעה δημοσίευση ενημέρωση monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur "
    "thurs fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo "
    "segunda terça quarta quinta sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag måndag "
    "tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag понедельник вторник среда четверг "
    "пятница суббота воскресенье пн вт ср чт пт сб вс poniedziałek wtorek środa czwartek piątek sobota niedziela "
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar senin selasa rabu kamis jumat sabtu minggu الاثنين "
    "الثلاثاء الأربعاء الخميس الجمعة السبت الأحد lunedì martedì mercoledì giovedì venerdì sabato domenica 입력 "
    "수정 등록 작성 승인 발행 게시 송고 최종 최초 기사입력 기사수정 입력일 수정일 등록일 작성일 발행일 승인일 "
    "게시일 최종수정 최종편집 오전 오후 년 월 일 시 분 초 월요일 화요일 수요일 목요일 금요일 토요일 일요일 更新日 "
    "公開日 投稿日 掲載日 発行日 作成日 最終更新日 最終更新 更新日時 公開日時 配信日時 配信 更新 公開 掲載 投稿 "
    "午前 午後 年 月 日 時 分 秒 時分 年月日 月日 发布 發佈 發布 发布时间 發布時間 發佈日期 发布日期 发表于 發表於 "
    "发布于 發佈於 时间 時間 日期 最后更新 最後更新 更新时间 更新時間 上午 下午 时 时分 "
    "h в hai ba tư sáu bảy chủ".split()
)
WORD = compile_later(r"[^\W\d_]+")
# Such words in scripts without spaces, joined: "日更新". The longest come first; a match is never shortened.
JOINED_WORDS = sorted((word for word in DATE_WORDS if word[0] >= "\u3041"), key=len, reverse=True)
EAST_ASIAN_LABELS = compile_later(f"(?:{'|'.join(JOINED_WORDS)})++")
DIGIT = compile_later("[0-9]")
TIME = compile_later("[0-9]:[0-9]{2}")
SHORT_DATE = compile_later("[0-9]{1,2}\\s?[./月월]\\s?[0-9]{1,2}")
SENTENCE_ENDS = ("다.", "다", "。", "?", "!", "…")
EMAIL = compile_later(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+")
MAX_REST_CHARS = 16  # beside the name of a reporter, such as the newspaper and the place
CONTACT_CHARS = 100  # of a line with a reporter and an email address
MIN_NAMES_SHARE = 0.5  # of a byline, in letters
# A notice of copyright, in the words of many languages.
COPYRIGHT = compile_later(
    r"^\W{0,3}(?:©|ⓒ|[(（]c[)）]|copyright\b)|^[0-9]{4}\s?©|저작권자|저작권은 [^\n]{1,40}에 있|"
    r"무단\s?(?:전재|복제|배포|도용)|재배포\s?금지|"
    r"無断(?:転載|複製|転用|使用)|版权(?:声明|所有|归)|版權(?:聲明|所有|歸)|(?:未经|未經)[^。]{0,20}(?:许可|授权|允许|許可|授權)|"
    r"(?:转载|轉載)(?:请|請|须|務必)|all rights reserved|alle rechte vorbehalten|tous droits réservés|"
    r"todos los derechos reservados|tutti i diritti riservati|\s-\s©\s?(?:19|20)[0-9]{2}",
    re.I,
)
# Each notice has one of these, in folded case; "ı" counts as "i" in the pattern, so no part has an "i". The search for
# them takes a tenth of the time of the pattern.
COPYRIGHT_PARTS = tuple(
    "© ⓒ (c) (c） （c) （c） copyr serv vorbehalten 저작권 무단 재배포 無断 版权 版權 未经 未經 转载 轉載".split()
)
# A line that names who edited a text: "责任编辑：王小明".
EDITOR = compile_later(
    r"^(?:责任编辑|責任編輯|责编|责任校对|编辑|編輯|校对|审核|審核|编审|监制|편집)\s?[:：/／|｜丨=＝\s]?\s?[^\s。.]{1,12}(?:\s[^\s。.]{1,12}){0,3}$"
)


# A mark that ends a text in newspapers, alone: "(끝)", "(END)", "（完）".
END_MARK = compile_later(r"^[(\[（【<]\s?(?:끝|계속|end|fin|ende|fine|完|终|終|了|конец)\s?[)\]）】>]$", re.I)
HASHTAGS = compile_later(r"^(?:[#＃][^\s#＃,]{1,40}+[\s,]{0,3}+){2,40}+$")
HASHTAG_CHARS = 300  # of a line of tags
# How to reach the editors, below a text: "제보는 카카오톡 lamp24", "[전화] 02-123-4567".
TIPS = compile_later(r"제보|기사\s?문의|情報提供|新闻线索|新聞線索|\bnews tips?\b", re.I)
CHANNEL = compile_later(
    r"카카오톡|카톡|텔레그램|전화|이메일|메일|電話|メール|电话|邮箱|微信|\b(?:tel|phone|fax|e-?mail|whatsapp|telegram)\b",
    re.I,
)
# Each of the words has one of these, as for COPYRIGHT.
CHANNEL_PARTS = tuple(
    "카카오톡 카톡 텔레그램 전화 메일 電話 メール 电话 邮箱 微信 tel phone fax ema e-ma whatsapp".split()
)
MIN_CHANNELS = 2  # in lines that do not ask for tips


def is_first_line(text: str, *, is_item: bool) -> bool:
    """Whether a line before the text is a byline, a date line or both. A date alone may be a heading or an item."""
    if _is_byline(text):
        return True
    for sign in BEFORE_DATE if DIGIT.search(text) else ():
        byline, found, date = text.partition(sign)
        if found and is_date_line(date) and _is_byline(byline):
            return True
    parts = [part for part in PART_BREAK.split(text) if part.strip(BRACKETS)]
    if len(parts) < 2:
        return not is_item and is_date_line(text)
    has_byline = False
    for part in parts:
        if _is_byline(part):
            has_byline = True
        elif not (is_date_line(part) or _is_label(part)):
            return False
    return has_byline or (not is_item and is_date_line(text))


def is_last_line(text: str) -> bool:
    """Whether a block after the text is a notice of copyright, tags, "(END)", or names an editor or a contact."""
    folded = text.casefold()
    return (
        (any(map(folded.__contains__, COPYRIGHT_PARTS)) and COPYRIGHT.search(text) is not None)
        or (any(map(folded.__contains__, CHANNEL_PARTS)) and _is_contact(text))
        or END_MARK.match(text) is not None
        or (len(text) <= HASHTAG_CHARS and HASHTAGS.match(text) is not None)
        or (len(text) <= EDITOR_CHARS and EDITOR.match(text.strip(BRACKETS)) is not None)
        or (len(text) <= BYLINE_CHARS and _is_byline(text))
    )


def _is_contact(text: str) -> bool:
    """Whether a text consists of phone numbers and addresses of the editors."""
    if text.endswith(SENTENCE_ENDS):
        return False
    lines = text.split("\n")
    channels = [line for line in lines if CHANNEL.search(line)]
    if TIPS.search(text):
        return bool(channels)
    numbered = [line for line in channels if DIGIT.search(line) or "@" in line]
    return len(numbered) >= max(MIN_CHANNELS, len(lines) / 2)


def _is_byline(text: str) -> bool:
    """Whether a text is nothing but a byline or the address of a reporter."""
    text = text.strip(BRACKETS)
    if text.endswith(SENTENCE_ENDS):
        return False
    if "@" in text and len(text) <= CONTACT_CHARS and EMAIL.search(text):
        if KOREAN_NAME_BEFORE_EMAIL.search(text) or KOREAN_REPORTER.search(text):
            return True
        text = EMAIL.sub("", text).strip(BRACKETS)
    if match := match_byline(text):
        names = split_names(clean_name(match["name"]), (), ())
        return all(map(is_person, names)) and len("".join(names)) >= MIN_NAMES_SHARE * len(match["name"])
    if text.isascii():
        return False
    matches = (pattern.search(text) for pattern in (KOREAN_REPORTER, CHINESE_REPORTER))
    return any(match and len(text) - len(match[0]) <= MAX_REST_CHARS for match in matches)


def is_date_line(text: str) -> bool:
    """Whether a text is nothing but a date or a time, with labels."""
    if not DIGIT.search(text) or not _is_label(text):
        return False
    return bool(TIME.search(text) or SHORT_DATE.search(text) or next(find_days(text), None))


def _is_label(text: str) -> bool:
    """Whether all words of a text are labels of dates, months or days of the week."""
    for found in WORD.finditer(text.casefold()):  # most lines start with another word
        word = found[0]
        if not (word in DATE_WORDS or word in MONTHS or EAST_ASIAN_LABELS.fullmatch(word)):
            return False
    return True
