"""Pages without main text, made up: a menu, a notice, a footer. Labelled sets have next to none of them.

The notices say in some languages that a page is gone, asks for a login, or is not there yet; around them stands what
stands around everything. The network sees no words, so what it learns is how such pages are built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.parts import make_links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = ["make_textless_pages"]

NOTICES = """
Page not found. The page you are looking for does not exist or has been moved.
Please log in to continue. You need an account to read this page.
We use cookies to improve your experience. Accept all or choose what you allow.
Checking your browser before you go on. This takes a few seconds.
No results were found for your search. Try other words.
페이지를 찾을 수 없습니다. 주소가 바뀌었거나 삭제된 글입니다.
로그인이 필요한 서비스입니다. 회원이 아니시면 가입해 주세요.
검색 결과가 없습니다. 다른 검색어를 입력해 주세요.
ページが見つかりません。削除されたか、移動した可能性があります。
ログインしてください。会員登録がお済みでない方はこちら。
页面不存在或已被删除，请返回首页。
请先登录后再查看此内容。
Страница не найдена. Возможно, она была удалена или перемещена.
Войдите, чтобы продолжить. Эта страница доступна только подписчикам.
الصفحة غير موجودة. ربما تم حذفها أو نقلها.
Diese Seite wurde nicht gefunden. Bitte prüfen Sie die Adresse.
Cette page n'existe pas ou a été déplacée.
No se ha encontrado la página. Vuelva al inicio.
ไม่พบหน้าที่คุณต้องการ กรุณากลับไปหน้าแรก
Você será redirecionado em alguns segundos. Clique aqui se nada acontecer.
""".strip().splitlines()
LABELS = """
Home News About Contact Shop Blog Help Login Search Menu Sports Careers Terms Privacy Sitemap
홈 뉴스 연예 스포츠 고객센터 이용약관 회원가입 게시판 공지사항 ホーム ニュース お問い合わせ 会社概要 首页 新闻
关于我们 联系 Главная Новости Контакты الرئيسية أخبار Startseite Impressum Accueil Inicio หน้าแรก
""".split()
MENU_CLASSES = ("nav", "menu", "gnb", "header-menu", "navbar-nav", "")
NOTICE_CLASSES = (
    "error",
    "error-404 not-found",
    "content",
    "container",
    "message",
    "login-box",
    "main",
    "entry-content",
    "",
)


def make_textless_pages(count: int, chance: Random) -> Iterator[str]:
    """Make up so many pages."""
    for _ in range(count):
        notice = chance.choice(NOTICES)
        title, _, rest = notice.partition(" ")
        parts = [_make_links(chance, 0, 30, chance.choice(("nav", "div", "header"))), _make_notice(chance, notice)]
        if chance.random() < 0.4:
            parts.append(_make_links(chance, 3, 25, chance.choice(("aside", "div", "section"))))
        parts.append(_make_links(chance, 0, 40, chance.choice(("footer", "div"))))
        if chance.random() < 0.6:
            parts.append(f"<p>© 2026 {chance.choice(LABELS)}. {chance.choice(LABELS)} {chance.choice(LABELS)}</p>")
        if chance.random() < 0.2:
            parts[1] = '<div id="root"></div>' if chance.random() < 0.5 else '<div class="content"></div>'
        scripts = "<script>var a = 1;</script>" * chance.randint(0, 8)
        body = "".join(parts)
        yield f"<title>{title if chance.random() < 0.5 else rest}</title><body>{body}{scripts}"


def _make_links(chance: Random, least: int, most: int, tag: str) -> str:
    labels = [" ".join(chance.choices(LABELS, k=chance.randint(1, 3))) for _ in range(chance.randint(least, most))]
    name = chance.choice(MENU_CLASSES)
    class_ = f' class="{name}"' if name else ""
    return f"<{tag}{class_}>{make_links(chance, labels)}</{tag}>"


def _make_notice(chance: Random, notice: str) -> str:
    heading, _, rest = notice.partition(". ")
    name = chance.choice(NOTICE_CLASSES)
    lines = [f"<h2>{heading}</h2>" if chance.random() < 0.7 else f"<p>{heading}</p>"]
    if rest:
        lines.append(f"<p>{rest}</p>" if chance.random() < 0.7 else f"<div>{rest}</div>")
    if chance.random() < 0.3:
        lines.append(f"<p>{chance.choice(NOTICES)}</p>")
    if chance.random() < 0.4:
        kind = "password" if chance.random() < 0.5 else "text"
        label = chance.choice(LABELS)
        lines.append(f'<form><label>{label}</label><input><input type="{kind}"><button>{label}</button></form>')
    if chance.random() < 0.5:
        lines.append(f'<a href="/">{chance.choice(LABELS)}</a>')
    text = "".join(lines)
    return f'<div class="{name}">{text}</div>' if name else f"<div>{text}</div>"
