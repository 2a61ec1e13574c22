"""Patterns of bylines in many languages: what comes before, after and around a name."""

from __future__ import annotations

import re

from bonmun.metadata.authors.common_names import KOREAN_FAMILIES
from bonmun.metadata.dates.parse import find_days
from bonmun.metadata.scans import compile_char_test, find_words
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

__all__ = [
    "AUTHOR_LABEL",
    "BYLINE_WITHIN",
    "CHINESE_REPORTER",
    "COPYRIGHT",
    "DATE_WORD",
    "KOREAN_NAME_BEFORE_EMAIL",
    "KOREAN_REPORTER",
    "NAME_BESIDE_DATE",
    "OCCUPATION",
    "PART_BREAK",
    "RANK_AT_END",
    "REPORTERS_IN_PARAGRAPH",
    "REPORTER_WITH_PLACE",
    "clean_name",
    "cut_after_comma",
    "find_line_name",
    "holds_east_asian",
    "list_reporters",
    "match_byline",
]

EDGES = " ,;:|-–—·•/()[]<>@&（）【】［］《》〈〉「」｜＝="  # stripped from both ends of a name
NAMED_CHARS = 500  # characters of a text that are searched for a name
# Byline: a word such as "by" at the start of a line, and a name: "By Ann Lee", "Posted by Ann Lee", "작성자: 홍길동".
# Words that may come before it.
WRITING = (
    "written|posted|text|words|story|published|authored|created|article|review(?:ed)?|updated|submitted|started|"
    "medically reviewed|a posts?|view all posts?|posts?|reporting|this (?:post|article|story) was written|asked"
)
# Words such as "by".
BY = (
    r"by|von|par|por|di|door|av|af|oleh|autor(?:in|es)?|auteur|autore|авторы?|сообщение\s?от|текст|author(?:s|\(s\))?|writer|"
    r"thread starter|글쓴이|작성자|글|취재|文|撰文|作者|記者|记者|投稿者|筆者|执笔|圖文|图文|"
    r"기자명|등록자|게시자|글\s?[·ㆍ,/&]\s?사진|글\s?[·ㆍ]\s?그림|취재\s?[·ㆍ,/]\s?사진|文・写真|写真・文|取材・執筆|翻訳|翻译|翻譯|编译|編譯|번역|"
    r"この記事を書いた人|كتب|بقلم|بواسطة|الكاتب|tác giả|yazar|autorem|โดย"
)
# Words that need a colon or bar between them and the name.
BEFORE_COLON = (
    "執筆者?|著者|取材[・･]文|文[・･]構成|構成[・･]文|ライター|采写|حوار|إعداد|تقرير|"
    "verfasser(?:in)?|autori|teksti|tekst|texte?"
)
# Lower-case articles after "von" start no name, but a sentence: "Von der Leyen" is in the middle of a name only.
NO_NAME = r"(?-i:(?<=[Bb]y )|(?!(?:der|die|das|den|dem|einem|einer|eine|ein)\s))"
# "unserem Korrespondenten", before a name.
OUR_REPORTER = compile_later(
    r"^(?:unsere[mnrs]?|der|dem)\s+[^\W\d_]{0,30}(?:korrespondent|redakteur|mitarbeiter|reporter|autor)[a-z]{0,5}\s+",
    re.I,
)
OUR_LETTERS = "uUdD"  # that it starts with
BYLINE = compile_later(
    rf"^\W*+(?:(?:(?:{WRITING})\s+)?(?:{BY})(?:\s*[:：/／|｜丨=＝]\s*|\s+|(?-i:(?=[A-Z][a-z])))|"
    rf"(?:{BEFORE_COLON})\s?[:：/／|｜丨=＝]\s*+){NO_NAME}(?P<name>\S.*)$",
    re.I,
)
# Such a word alone, in a block before that of the name: "글쓴이", "Author:".
LABEL = (
    r"글쓴이|작성자|등록자|게시자|닉네임|이름|기자|written by|posted by|"
    r"author(?:s|\(s\))?|writer|autor(?:in|es)?|verfasser(?:in)?|"
    r"auteur(?:s|\(s\))?|autore|автор|作者|发帖人|發表人|發帖人|投稿者|執筆者?|著者|筆者|名前|الكاتب|yazar|tác giả"
)
AUTHOR_LABEL = compile_later(rf"\W*(?:{LABEL})\W*", re.I)
# The first two characters of every byline and label that starts with a letter.
BYLINE_STARTS = frozenset(word[:2] for word in f"{WRITING}|{BY}|{BEFORE_COLON}|{LABEL}".split("|"))
# "by", "von", "par" or "por" anywhere in a line, and up to six words, the first capitalised: "… by Ann Lee".
BYLINE_WITHIN = compile_later(r"\b(?:by|von|par|por)\s+(?P<name>[A-ZÀ-Þ@][\w.'’-]*(?:\s+[\w.'’&-]+){0,5})")
# Two to four capitalised words at the start of a line or after a bar, and before a bar, a date or the end of the line.
LINE_NAME = compile_later(
    r"(?:(?<=[|•·–—,] )|^)[A-ZÀ-Þ][\w.'’-]+"
    r"(?: (?:(?:de|van|von|der|da|la|bin|al|del|di|du|le)\b ?)*[A-ZÀ-Þ][\w.'’-]*){1,3}"
    r"(?=$| [|•·–—]|, | on | \d| (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
# Where such a name may start, other than at the start of the line.
LINE_NAME_START = compile_later("[|•·–—,] [A-ZÀ-Þ]")
RANK = (
    r"\s?(?:(?:(?:의학|과학|환경|군사|경제|문화|스포츠|종교|교육|여행|국제)?\s?전문|선임|객원|인턴|수습|시민|학생|온라인|대)?\s?기자|특파원|논설위원|논설실장|편집위원|편집장|에디터|리포터|PD|앵커|"
    r"칼럼니스트|통신원)"
)
# Words before "기자" that are no names: "취재기자" is a job title.
NO_REPORTER = (
    "취재|사진|영상|인턴|수습|전문|선임|객원|현장|시민|학생|담당|온라인|디지털|뉴스|경제|사회|정치|문화|연예|스포츠|국제|산업|"
    "증권|의학|과학|환경|교육|법조|여행|북한|외교|명예|본지|본보|이름|편집|대학생|청년|여성|남성|한국|현직|전직|다른|모든|해당|기자"
)
KOREAN_FAMILY = f"[{''.join(sorted(KOREAN_FAMILIES))}]"
KOREAN_START = r"(?<!사진)(?<!사진\s)(?:^|[\s(\[)\]/|｜ㅣ·ㆍ,;>=＝【])"
# Korean names with a reporter's rank: "홍길동 기자", "홍길동·김철수 기자".
KOREAN_REPORTER = compile_later(
    rf"{KOREAN_START}(?P<name>(?!{NO_REPORTER})"
    rf"(?:{KOREAN_FAMILY}[가-힣]{{1,2}}(?<!부)(?:{RANK})?\s?[·ㆍ,/]\s?(?!{NO_REPORTER})){{0,5}}[가-힣]{{2,4}}{RANK})"
)
# The rank alone, at the end of a name.
RANK_AT_END = compile_later(rf"{RANK}$")
CHINESE = r"[\u3400-\u9fff]"
# What follows 记者 where it is no label before a name: 记者会, 记者从…获悉.
NO_NAME_AFTER = (
    "[会會团們们協协從从在今昨日看发發見见问问来來就对對向访訪節节证證站和与與及或称稱]|"
    "提问|采访|了解|获悉|注意|走访|调查|手记|观察|综合|綜合|连线|連線|特派|现场|現場|通讯员|通訊員|实习|见习|報導|報道|报道"
)
NO_WRITER = "(?:编辑|編輯|责编|记者|記者|摄影|攝影|通讯员|通訊員|实习|見習|见习)"  # in the label of another person
REPORTS = "(?:专电|專電|电|電|讯|訊|综合报道|綜合報導|報導|報道|报道|编译|編譯|摄影|攝影)"  # after reporter and place
# A word for reporter or writer before one or two Chinese names: "记者 张三", "作者：张三"; not 記者会 or 记者从…获悉.
CHINESE_REPORTER = compile_later(
    rf"(?:(?:记者|記者)(?!{NO_NAME_AFTER})\s*+[:：/／]?|(?:作者|撰文|采写)\s?[:：/／])\s*+"
    rf"(?P<name>[\u3400-\u9fff·]{{2,4}}(?:[\s、](?!{CHINESE}{{0,4}}{NO_WRITER}|{CHINESE}{{0,6}}{REPORTS})"
    rf"[\u3400-\u9fff·]{{2,4}}){{0,3}})(?!{CHINESE}|、{CHINESE}{{2,4}}{REPORTS})"
)
# A Chinese name between such a word and the place of a report: "記者王小明台北28日電", "记者王小明报道".
CHINESE_REPORTER_AT_PLACE = compile_later(
    rf"(?:记者|記者)(?!{NO_NAME_AFTER})\s?(?P<name>{CHINESE}{{2,3}}(?:、{CHINESE}{{2,3}}){{0,4}})(?:\s?[／/]?\s?{CHINESE}{{2,6}}?)?"
    rf"\s?(?:[0-9]{{1,2}}日)?{REPORTS}"
)
# A Chinese name before a word for report, and a place between them: "王小明／綜合報導", "王小明／台北報導".
CHINESE_REPORTER_BEFORE = compile_later(
    rf"(?:^|[（(【]|\s(?={CHINESE}{{2,4}}[\s／/]))(?!记者|記者|本报|本報|综合|綜合)(?P<name>{CHINESE}{{2,4}})(?<![社報报網网台刊])\s?(?:[／/]\s?{CHINESE}{{0,6}}?)?"
    r"(?:綜合報導|綜合报道|報導|报道)(?=$|[)）】\s])"
)
# A Chinese name before the newspaper it is from: "张三/中国青年报".
CHINESE_REPORTER_OF_PAPER = compile_later(
    r"^(?P<name>[\u3400-\u9fff]{2,3})\s?[/／]\s?[\u3400-\u9fff]{2,10}(?:报|報|网|網|社|刊|新闻|新聞)$"
)
# A Korean name before an email address: "홍길동 hong@example.com".
KOREAN_NAME_BEFORE_EMAIL = compile_later(
    rf"{KOREAN_START}(?P<name>(?!{NO_REPORTER})[가-힣]{{2,4}})\s?[(\[<]?\s?[A-Za-z0-9._-]{{1,30}}+@[A-Za-z0-9]"
)
# A Chinese or Japanese name in brackets, after a place or a desk: "（ソウル＝李民晧）", "（社会部・佐藤 亮）".
REPORTER_WITH_PLACE = compile_later(
    r"[（(\[][^（）()\[\]]{1,12}[=＝・]\s?(?P<name>[\u3400-\u9fff]{1,3}\s?[\u3400-\u9fff]{1,3})[)）\]]"
)
holds_east_asian = compile_char_test(compile_later("[\u3400-\u9fff\uac00-\ud7a3]"))  # required by all of these
# Words and marks without which a pattern does not match: they are found much faster.
RANK_WORDS = "기자 특파원 논설위원 논설실장 편집위원 편집장 에디터 리포터 pd 앵커 칼럼니스트 통신원"
RANKS = WordFinder(tuple(RANK_WORDS.split()))
CHINESE_LABELS = WordFinder(tuple("记者 記者 作者 撰文 采写 報導 报道".split()))
CHINESE_REPORTERS = (CHINESE_REPORTER, CHINESE_REPORTER_AT_PLACE, CHINESE_REPORTER_BEFORE)
REPORTERS_IN_PARAGRAPH = (
    KOREAN_REPORTER,
    KOREAN_NAME_BEFORE_EMAIL,
    CHINESE_REPORTER,
    CHINESE_REPORTER_AT_PLACE,
    REPORTER_WITH_PLACE,
)
# A name before or after a date, as in the lists of boards and blogs: "홍길동 2026.03.04 10:57", "2026-03-04 · 홍길동".
NAME_BESIDE_DATE = compile_later(
    r"(?P<name>[^\W\d]\w{1,19})[\s·|/]+(?:[已发發]?[布表]?[于於]\s?)?\d{4}\s?[-./년年].{4,}|"
    r"\d{4}\s?[-./년年][\d\s.,:/월일月日-]{4,20}[·|\s]\s?(?P<after>[^\W\d]\w{1,19})"
)
# Words beside a date that label it and are not names: "입력 2026.03.04".
DATE_WORD = compile_later(
    r"입력|작성|등록|수정|승인|송고|발행|게시|기사|시간|날짜|일시|最終|最后|更新|发布|發布|公開|掲載|投稿|时间|時間|日期|"
    r"date|time|publi|post|updat|last|on$|am$|le$|el$|du$|от$|опубл",
    re.I,
)
# A bar or dot between the parts of a line: "Ann Lee | March 4". Spaces match from the first on only: linear time.
PART_BREAK = compile_later(r"(?:(?<!\s)\s++)?[|•·]\s+")
URL = compile_later(r"(?:https?://|www\.)[^\s,]+")
# Commas with nothing but spaces between them.
COMMAS = compile_later(r"(?:(?<!\s)\s++)?,[\s,]*")
# An email address, or brackets around one.
EMAIL = compile_later(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+|\([^()@]{0,100}+@[^()]{0,100}+\)")
# Everything after a name: from the first bar, date, time, day of the week, or word such as "published" or "for".
AFTER_NAME = compile_later(
    r"(?:[|•⋅∙●‧–—―»]|·(?![가-힣]{2,4}(?:[·ㆍ\s]|기자|$))|\s-\s|\bon\s+\w+\s+\d|\bon behalf\b|"
    r"\b(?:on|le|el|am|il)\s+(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[ée]rcoles|jueves|"
    r"viernes|s[áa]bado|domingo|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|luned[ìi]|marted[ìi]|"
    r"mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica)\b|"
    r"\bpublished\b|\bupdated\b|\bposted\b|\blast\b|\bis an?\b|\bfor\b|"
    r"\bin\b\s+[A-Z]|\bat\b\s|"
    r"\d{1,2}[./-]\d|\bon\s+\d|(?<![^\W_])\d{4}|\d{4}(?=\s?[-./年년])|\d+\s*(?:min|hour|day|week|month|year|replies|posts|comments?\b|분|시간)|최종|입력|기자페이지|"
    r"\bmon(?:day)?\b|\btue|\bwed(?:nesday)?\b|\bthu|\bfri(?:day)?\b|\bsat(?:urday)?\b|\bsun(?:day)?\b|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,20}\.?\s+\d).*$",
    re.I | re.S,
)  # fmt: skip
# Marks and numbers of such a rest, words in scripts without spaces, and letters that patterns take for those of ASCII;
# then the other words that it starts with, and starts of those that may go on.
AFTER_MARK = compile_later(r"[|•⋅∙●‧–—―»·\dıİſ\u212a]|최종|입력|기자페이지")
AFTER_WORDS = frozenset(
    "on le el am il published updated posted last is for in at mon monday wed wednesday fri friday sat saturday sun "
    "sunday".split()
)
AFTER_STARTS = frozenset({"tue", "thu"})
# A word for an office, which what follows "for" belongs to: "Center for Marine Research".
OFFICE = compile_later(
    r"(?:cent(?:er|re)|office|institute|department|society|association|foundation|campaign|coalition|council|committee|"
    r"alliance|network|agency|centro|instituto|zentrum)",
    re.I,
)
# The rest of a line after a name: "Ann Lee on", "Ann Lee 4".
REST_WORDS = frozenset({"on", "at", "in", "the", "view", "um"})
REST_AT_END = compile_later(rf"(?<!\s)\s+(?:{'|'.join(sorted(REST_WORDS))}|[0-9]{{1,2}})$", re.I)
# The newspaper before a Chinese name: "科学报/张三".
PAPER_BEFORE = compile_later(r"^[\u3400-\u9fff]{1,8}[报報网網社台刊]\s?[/／]\s?(?=[\u3400-\u9fff])")
# A Korean place before the name of a correspondent: "베이징=홍길동".
PLACE_BEFORE = compile_later(r"^[\uac00-\ud7a3]{2,8}=(?=[\uac00-\ud7a3]{2,4}(?:\s[\uac00-\ud7a3]{2,5})?$)")
# A Japanese or Korean title of respect after a name: "kondoさん", "홍길동님".
RESPECT_AT_END = compile_later(r"(?<=\w)(?:さん|님)$")
RESPECT_ENDS = ("さん", "님")
# A word for "report" after a name, and a place between them: "陳敬哲 報導", "王小明／台北報導".
REPORT_AT_END = compile_later(
    rf"(?:\s?[/／]\s?{CHINESE}{{0,6}}?|\s{CHINESE}{{0,6}}?|(?<!\s))(?:綜合報導|報導|報道|报道|撰文|綜合)$"
)
REPORT_ENDS = ("報導", "報道", "报道", "撰文", "綜合")
# Other people of a byline, after the writer: "文/张三 摄影/李四", "글 홍길동 사진 김철수", "…, Fotos: Bo Kim".
OTHER_PEOPLE = compile_later(
    r"(?:(?<![\s,，、/／|｜])[\s,，、/／|｜]++(?:[\u3400-\u9fff]{0,4}(?:编辑|編輯|责编|记者|記者)|校对|摄影|攝影|通讯员|图片?|写真|撮影|イラスト|構成|編集|사진|그래픽|영상|편집|그림|"
    r"일러스트)(?=[\s:：/／|｜丨=＝])|(?<![\s,])[\s,]++(?:Fotos?|Photos?|Photography|Bilder|Illustration(?:en)?)\s?:).*$",
    re.S | re.I,
)
# Brackets after a name: "Ann Lee (dpa)", "홍길동(가명)".
BRACKETS_AT_END = compile_later(r"(?<=[^\W\d_])\s?[(（\[【〔][^()（）\[\]【】〔〕]{0,40}[)）\]】〕]?$")
# An office after a Japanese name: "山田 太郎＝編集委員".
OFFICE_AT_END = compile_later(r"(?<=\w)\s?[＝=][^＝=]{0,12}(?:委員|記者|部|編集|局|長|員)$")
# A Korean title after a name of two to four letters: "홍길동 교수".
TITLE_AT_END = compile_later(
    r"^([가-힣]{2,4})\s(?:교수|변호사|부장|차장|국장|작가|박사|시인|대표|아나운서|평론가|소장|원장|팀장|연구위원|연구원)$"
)
# A copyright notice: "© 2024 Ann Lee", "Copyright by Ann Lee."
COPYRIGHT = compile_later(
    r"(?:©|\(c\)|copyright)(?:[\s©,–-]|(?:19|20)[0-9]{2}){0,20}+(?:by\s)?"
    r"(?P<name>[A-ZÀ-Þ][^\W\d_]++(?: [A-ZÀ-Þ][^\W\d_]*+\.?)? [A-ZÀ-Þ][^\W\d_]++)(?=$|[.,|•·]| [-–—|•·(]|\sAll\b)",
    re.I,
)
# An occupation or degree after a comma: "Ann Lee, Staff Writer", "Ann Lee, MD".
OCCUPATION = compile_later(
    r"\b(?:M\.?D|Ph\.?D|RDN?|M\.?S|B\.?A|M\.?A|DO|RN|CPA|Esq|editor|reporter|writer|director|expert|attorney|columnist|founder|"
    r"journalist|contributor|professor|CEO|CTO|manager|analyst|staff|correspondent|specialist|consultant|author|engineer|"
    r"president|officer|fellow|network|news|times|today|magazine|press|redaktion|redakteur\w*|journaliste|periodista)\b",
    re.I,
)
# Two or three capitalised words, which need no cleaning: "Ann B. Lee".
PLAIN_NAME = compile_later(r"[A-Z][a-z]+(?: [A-Z][a-z]*\.?)? (?!Publ|Upd|Post|Last)[A-Z][a-z]+")


def list_reporters(text: str) -> list[re.Pattern[str]]:
    """Return the patterns of reporters with a Korean, Chinese or Japanese name that a text may match."""
    patterns = [KOREAN_REPORTER] if RANKS.holds(text) else []
    if CHINESE_LABELS.holds(text):
        patterns += CHINESE_REPORTERS
    if "/" in text or "／" in text:
        patterns.append(CHINESE_REPORTER_OF_PAPER)
    if "=" in text or "＝" in text or "・" in text:
        patterns.append(REPORTER_WITH_PLACE)
    if "@" in text:
        patterns.append(KOREAN_NAME_BEFORE_EMAIL)
    return patterns


def clean_name(value: str) -> str:
    """Return a name without dates, labels, email addresses and punctuation around it."""
    value = value[:NAMED_CHARS].replace("\n", " ")
    if "20" in value:
        value = _drop_day_before(value)
    if "@" in value:
        value = EMAIL.sub("", value)
    if "http" in value or "www." in value:
        value = COMMAS.sub(", ", URL.sub("", value))
    if match := match_byline(value) or (None if value.isascii() else CHINESE_REPORTER.match(value)):
        value = match["name"]
    if (value.isalpha() and value.isascii()) or PLAIN_NAME.fullmatch(value):  # needs no cleaning
        return value
    is_ascii = value.isascii()
    if not _ends_with_name(value):
        cut = AFTER_NAME.sub("", value)
        value = cut if cut and not OFFICE.fullmatch(cut.strip()) else value
    if not is_ascii or ":" in value:
        value = OTHER_PEOPLE.sub("", value) or value
    if value[:1] in OUR_LETTERS:
        value = OUR_REPORTER.sub("", value)
    if not is_ascii:
        value = _drop_east_asian_words(value)
    if not is_ascii or "(" in value or "[" in value:
        value = BRACKETS_AT_END.sub("", value)
    return _drop_rest(" ".join(value.split()).strip(EDGES)).strip(EDGES)


def match_byline(text: str) -> re.Match[str] | None:
    """Match BYLINE; the first two letters rule out most lines quickly."""
    if text.isascii() and text[:1].isalnum() and text[:2].lower() not in BYLINE_STARTS:
        return None
    return BYLINE.match(text)


def find_line_name(text: str) -> re.Match[str] | None:
    """Search for LINE_NAME, only where it may start: at the start of the line, or after a bar or comma."""
    if " " not in text:
        return None
    if match := LINE_NAME.match(text):
        return match
    if text.isascii() and ", " not in text and "| " not in text:
        return None
    starts = LINE_NAME_START.finditer(text)
    return next((match for start in starts if (match := LINE_NAME.match(text, start.end() - 1))), None)


def cut_after_comma(name: str) -> tuple[str, bool] | None:
    """Return the part of a name before its first comma and whether an occupation follows.

    None if there is no comma, or fewer than two words before it.
    """
    before, comma, after = name.partition(",")
    if not comma or " " not in before.strip():
        return None
    return before, OCCUPATION.search(after) is not None


def _ends_with_name(value: str) -> bool:
    """Whether a text has no mark, number or word that `AFTER_NAME` starts with."""
    if " - " in value or not value.isprintable() or AFTER_MARK.search(value):
        return False
    words = find_words(value)
    return AFTER_WORDS.isdisjoint(words) and AFTER_STARTS.isdisjoint([word[:3] for word in words])


def _drop_east_asian_words(value: str) -> str:
    """Return a name without a newspaper or place before it, and without a title, an office or "report" after it."""
    cut = PAPER_BEFORE.sub("", value) if "/" in value or "／" in value else value
    cut = REPORT_AT_END.sub("", cut) if cut.endswith(REPORT_ENDS) else cut
    value = (RESPECT_AT_END.sub("", cut) if cut.endswith(RESPECT_ENDS) else cut) or value
    if "=" in value or "＝" in value:
        value = OFFICE_AT_END.sub("", value)
    if "가" <= value[:1] <= "힣":
        value = PLACE_BEFORE.sub("", TITLE_AT_END.sub(r"\1", value))
    return value


def _drop_rest(name: str) -> str:
    """Return a name without the rest of a line at its end; its words are separated by single spaces."""
    if not name.isascii():
        return REST_AT_END.sub("", name)
    before, _, last = name.rpartition(" ")
    is_rest = last.lower() in REST_WORDS or (len(last) <= 2 and last.isdigit())
    return before if before and is_rest else name


def _drop_day_before(value: str) -> str:
    """Return a name without the date right before it: "Mar 4, 2026Ann Lee"."""
    found = next(find_days(value), None)
    rest = value[found.stop :].lstrip(" ·•|,-–—") if found and not found.start else ""
    return rest if rest[:1].isalpha() else value
