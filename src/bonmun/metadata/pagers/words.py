"""What the text of a link says about the page it leads to: the next one, the one before, another article."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

__all__ = ["NO_SIGNS", "OTHER_TEXT", "TextSigns", "read_signs"]

MAX_TEXT_CHARS = 60  # of a link in a pager; longer texts are titles
MAX_NUMBER_DIGITS = 5  # of a page

NEXT = frozenset(
    # the same word twice is a word of two languages
    """next nxt forward vor weiter vorwärts nächste nächster nächstes nachste folgende folgend suivant suivante suivants
    suiv siguiente siguientes sig adelante próxima próximo próximas próximos proxima proximo seguinte seguintes avançar
    successivo successiva successivi avanti prossima prossimo succ volgende verder следующая следующий следующие след
    далее дальше вперед вперёд наступна наступні далі следваща напред следећа sledeća sljedeća naslednja następna
    następne następny nast dalej další dalsi následující ďalšia ďalej nasledujúca nästa næste neste framåt seuraava
    következő tovább următoarea următorul urmatoarea înainte inainte sonraki ileri επόμενη επόμενο επόμενα التالي
    التالية بعدی بعد הבא הבאה अगला आगे পরবর্তী ถัดไป tiếp sau kế berikutnya selanjutnya lanjut seterusnya kitas
    sekantis toliau nākamā järgmine següent hurrengoa 다음 次 次へ 次頁 つぎへ 次ページ 次のページ 次のページへ
    下一页 下一頁
    下页 下頁 后一页 後一頁 后页 다음페이지 다음쪽 다음장 หน้าถัดไป หน้าต่อไป""".split()
)
PREVIOUS = frozenset(
    """prev previous back zurück vorherige vorige précédent précédente précédents préc anterior anteriores atrás atras
    precedente precedenti indietro prec vorige terug предыдущая предыдущие предыдущий пред назад попередня попередні
    предишна претходна prethodna prejšnja poprzednia poprzednie poprzedni poprz wstecz wróć předchozí predchádzajúca
    späť föregående forrige edellinen előző vissza precedenta precedentul anterioara înapoi önceki geri προηγούμενη
    προηγούμενο السابق السابقة قبلی قبل הקודם הקודמת पिछला পূর্ববর্তী ก่อนหน้า trước sebelumnya ankstesnis atgal
    iepriekšējā eelmine 이전 前 前へ 前頁 前ページ 前のページ 前のページへ
    上一页 上一頁 上页 上頁 前一页 前一頁 이전페이지 이전쪽""".split()
)
# Blogs call the next page of their list older. Which of the two is "next" depends on the theme.
OLDER = frozenset("older older» ältere anciens antiguas ouder 過去の投稿 以前の記事 지난글".split())
NEWER = frozenset("newer neuere récents recientes nieuwer 新しい投稿 新しい記事".split())
# Words that may stand next to these.
FILLERS = frozenset(
    """page pages seite seiten página páginas pagina pagine strona strony страница страницы страниц сторінка stránka
    strana sida side sivu oldal sayfa σελίδα trang halaman laman page» الصفحة صفحه صفحة העמוד לעמוד पृष्ठ 페이지 쪽
    go to the of a result results items posts entries products per set batch à la aller al vai alla ir zur zum die theo
    naar de до к на перейти следующей следующую show view » – - | theo 10개 件 の""".split()
)
# The link leads to another article, photo or month, not to another page of this one.
ITEMS = frozenset(
    """post article story entry news chapter video photo image picture slide recipe episode lesson thread topic day week
    month year event match game product item project issue beitrag artikel kapitel eintrag bild thema tag woche monat
    jahr actualité billet épisode mois semaine entrada artículo noticia capítulo mes semana año tema articolo notizia
    capitolo mese foto bericht maand статья запись новость глава фото тема месяц тему wpis artykuł zdjęcie miesiąc
    글 기사 게시글 게시물 뉴스 사진 화 회 편 달 월 주 강의 다음글 다음기사 다음화 다음편 이전글
    次の記事 前の記事 次の投稿 前の投稿 次の話
    次の日 次の月 翌月 翌日
    下一篇 上一篇 下一条 上一条 下一章 上一章 下一节 下一集 下一个 下个月 下月 下一张 下一則""".split()
)
NUMBER = re.compile(
    r"(?:(?:page|seite|página|pagina|strona|стр|페이지|第|p)[ .]{0,2})?(\d{1,5})(?: ?(?:page|페이지|쪽|页|頁|ページ))?"
)
RIGHT = frozenset("→»›>▶►▸▷❯⟩〉＞≫⇒➡⟶➔➜⯈⟫》")
LEFT = frozenset("←«‹<◀◄◂◁❮⟨〈＜≪⇐⬅⟵⯇⟪《")
ARROWS = "".join(RIGHT | LEFT)
THOUSANDS = re.compile(r"(?<=\d)[,.\u00a0 '](?=\d{3}\b)")
WORDS = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e4e\u09be-\u09cd])*")


class TextSigns(NamedTuple):
    """What the text of a link says."""

    next: bool = False
    previous: bool = False
    older: bool = False
    newer: bool = False
    item: bool = False  # another article, photo, month …
    right: bool = False  # an arrow to the right, alone or at the end
    left: bool = False
    bare: bool = False  # only arrows, or nothing
    number: int | None = None


NO_SIGNS = TextSigns(bare=True)  # there is no text
OTHER_TEXT = TextSigns()  # such as a title


def read_signs(text: str) -> TextSigns:
    """Return what a text says; a text that is too long for a pager says nothing.

    >>> read_signs("Next page »").next, read_signs("Next article").next, read_signs("[2]").number
    (True, False, 2)
    """
    text = " ".join(text.split())
    if not text:
        return NO_SIGNS
    return _read_signs(text) if len(text) <= MAX_TEXT_CHARS else OTHER_TEXT


@lru_cache(maxsize=4096)
def _read_signs(text: str) -> TextSigns:
    right, left = text[-1] in RIGHT, text[0] in LEFT
    if not text.strip(f"{ARROWS} |."):
        return TextSigns(right=right, left=left, bare=True)
    folded = unicodedata.normalize("NFKC", text).casefold()
    number = NUMBER.fullmatch(THOUSANDS.sub("", folded).strip(f"{ARROWS}[]()|.- "))
    if number:
        return TextSigns(right=right, left=left, number=int(number[1]))
    words = set(WORDS.findall(folded))
    rest = words - NEXT - PREVIOUS - OLDER - NEWER - FILLERS
    item = bool(words & ITEMS)
    if rest or item:
        return TextSigns(item=item, right=right, left=left)
    return TextSigns(
        next=bool(words & NEXT) and not words & PREVIOUS,
        previous=bool(words & PREVIOUS) and not words & NEXT,
        older=bool(words & OLDER),
        newer=bool(words & NEWER),
        right=right,
        left=left,
    )
