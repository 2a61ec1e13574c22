"""Words of seven languages for nonsense sentences that look real from afar."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LANGUAGES", "ROLES", "Language"]

# Roles of the words in `interface`, in this order.
ROLES = (
    "author date views reply quote number title list previous next search login share more copy files comment joined "
    "posts top home"
).split()


class Language(NamedTuple):
    """Words and punctuation of a language."""

    code: str
    words: list[str]
    last: list[str]  # possible last words of a sentence
    names: list[str]
    menu: list[str]
    interface: list[str]  # see ROLES
    stops: tuple[str, ...]  # ends of sentences, the usual one first
    comma: str
    space: str  # between words


ENGLISH = Language(
    "en",
    "the a of and in for with on river garden window small old morning water stone market people road after before "
    "quiet light again house wooden table between winter letter station they found that many of bread against field "
    "year which without measure engine paper children never seldom early colour valley ferry workshop about".split(),
    "again today there home slowly later early away together before instead outside".split(),
    "Marlow Quince Tabitha Orrin Hester Bram Wilkes Ada Pell Jory Finch Lowell Maud Sable".split(),
    "Home News About Contact Shop Blog Help Archive Sports Terms Privacy Sitemap Gallery Members Events".split(),
    "Author Posted Views Reply Quote No. Subject List Previous Next Search Login Share More Copy Files Comments Joined "
    "Posts Top Home".split(),
    (".", "?", "!"),
    ",",
    " ",
)
GERMAN = Language(
    "de",
    "der die das und mit auf nach Garten Fenster Morgen Wasser Bahnhof Werkstatt klein alt früh leise zwischen Winter "
    "Brief Straße Jahr welche ohne Kinder selten Farbe Tal Fähre über Gemeinde Holz Nachbarschaft Haustür immer dort "
    "Brücke gegen viele Maschine Rathausplatz Entscheidung wieder einmal für Mühle Wochenende".split(),
    "gefunden gewesen geblieben vergessen erzählt angekommen gebaut verloren geöffnet".split(),
    "Friedhelm Anke Ludger Wiebke Jörn Käthe Bastian Ottilie Rainer Svenja".split(),
    "Startseite Aktuelles Impressum Kontakt Datenschutz Verein Termine Archiv Anfahrt Presse Hilfe Anmelden".split(),
    "Autor Verfasst Aufrufe Antworten Zitieren Nr. Betreff Liste Zurück Weiter Suche Anmelden Teilen Mehr Kopieren "
    "Anhänge Kommentare Registriert Beiträge Oben Startseite".split(),
    (".", "?", "!"),
    ",",
    " ",
)
RUSSIAN = Language(
    "ru",
    "река и сад окно на утро вода камень с рынок люди дорога после дом старый тихий снова между зима письмо станция "
    "они который без мера мотор дети редко рано долина паром мастерская около деревня большой первый через каждый "
    "вечером лодка для соседний поле хлеб против много год бумага из-под".split(),
    "нашли вернулся осталось построили рассказал видно случилось потеряли открыли".split(),
    "Семён Аглая Прохор Лукерья Тимофей Варвара Матвей Зоя Кузьмич Федот".split(),
    "Главная Новости Контакты Форум Помощь Архив Правила Галерея Поиск Магазин Статьи Вход Участники".split(),
    "Автор Добавлено Просмотров Ответить Цитата № Тема Список Назад Далее Поиск Войти Поделиться Ещё Копировать Файлы "
    "Комментарии Зарегистрирован Сообщений Наверх Главная".split(),
    (".", "?", "!"),
    ",",
    " ",
)
KOREAN = Language(
    "ko",
    "강가에서 작은 마을의 오래된 창문을 아침마다 물이 돌담을 시장에 사람들이 길을 조용히 다시 겨울이면 편지를 역까지 "
    "아이들과 나무로 식탁은 사이에 들판을 해마다 없이도 종이에 골짜기로 나루터의 공방에서 이웃에게 먼저 함께 처음으로 "
    "그래서 하지만 어제 두 번째 저녁까지 배를 생각보다 훨씬 많은 조금씩 우리 동네".split(),
    "했습니다 있었다 갔어요 보입니다 남았다 좋았습니다 같아요 합니다 몰랐네요 됩니다 전했다".split(),
    "찌불하나 강나루 솔바람 달무리 김도담 박새롬 물안개 이가온 초록대문 버들치 정하늘 총무".split(),
    "홈 뉴스 게시판 공지사항 자유게시판 갤러리 고객센터 이용약관 회원가입 로그인 질문답변 자료실 오시는길 소개".split(),
    "작성자 작성일 조회 답글 인용 번호 제목 목록 이전글 다음글 검색 로그인 공유 더보기 복사 첨부파일 댓글 가입일 "
    "작성글 맨위로 홈".split(),
    (".", "?", "!"),
    ",",
    " ",
)
JAPANESE = Language(
    "ja",
    "川の 小さな 町で 古い 窓を 朝に 水が 石垣は 市場へ 人々が 道を 静かに もう一度 冬の 手紙を 駅まで 子どもと 木の "
    "テーブルは 間に 畑を 毎年 紙に 谷へ 渡し舟の 工房で 隣の家に 初めて 一緒に しかし それから 昨日 二番目の 夕方まで "
    "思ったより ずっと 多くの 少しずつ データ バージョン サービス".split(),
    "ました でした です ません だった と思う かもしれない といいます 続いている".split(),
    "名無しさん 渡瀬 みずなら 小野寺 霧島 たんぽぽ 佐伯 夕凪 高城".split(),
    "ホーム ニュース お問い合わせ 会社概要 掲示板 よくある質問 採用情報 ブログ 利用規約 一覧 サイトマップ".split(),
    "投稿者 投稿日 閲覧 返信 引用 番号 件名 一覧 前へ 次へ 検索 ログイン 共有 もっと見る コピー 添付 コメント 登録日 "
    "投稿数 トップへ ホーム".split(),
    ("。", "？", "！"),
    "、",
    "",
)
CHINESE = Language(
    "zh",
    "河边 小镇 古老的 窗户 清晨 水 石墙 市场 人们 道路 安静地 再次 冬天 一封信 车站 孩子 木头 桌子 之间 田野 每年 没有 "
    "纸上 山谷 渡口 作坊 邻居 首先 一起 第一次 但是 所以 昨天 傍晚 比想象中 许多 慢慢 我们 已经 可以 使用 版本".split(),
    "回来了 很好 看见 完成 还在 出发 不见了 决定 记录".split(),
    "晚风吹麦 李青禾 纸鹿 王小满 渔夫 陈木 山里人 周一晴".split(),
    "首页 新闻 关于我们 联系 论坛 帮助 下载 图库 会员 公告 产品中心 招聘 登录 注册".split(),
    "作者 发表于 查看 回复 引用 编号 标题 列表 上一篇 下一篇 搜索 登录 分享 更多 复制 附件 评论 注册时间 帖子 顶部 "
    "首页".split(),
    ("。", "？", "！"),
    "，",
    "",
)
ARABIC = Language(
    "ar",
    "النهر في المدينة القديمة نافذة صباح الماء على حجر السوق الناس طريق بعد بيت هادئ مرة أخرى بين الشتاء رسالة محطة "
    "الذين وجدوا كثير من الخبز ضد الحقل سنة بدون قياس الأطفال نادرا الوادي ورشة حول قبل صغير عند المساء".split(),
    "اليوم هناك معا لاحقا دائما أيضا بعيدا".split(),
    "سالم ليلى حازم نجوى فارس هدى زياد".split(),
    "الرئيسية أخبار اتصل المنتدى مساعدة الأرشيف الشروط المتجر المدونة الأعضاء البحث".split(),
    "الكاتب التاريخ المشاهدات رد اقتباس رقم العنوان القائمة السابق التالي بحث دخول مشاركة المزيد نسخ ملفات تعليقات "
    "انضم المشاركات أعلى الرئيسية".split(),
    (".", "؟", "!"),
    "،",
    " ",
)
LANGUAGES = {each.code: each for each in (KOREAN, JAPANESE, CHINESE, ENGLISH, RUSSIAN, GERMAN, ARABIC)}
