"""Synthetic pages without main text: a menu, a notice, a footer. Labelled sets have almost none of them.

The notices say in several languages that a page is missing, needs a login, or is not ready; around them is the usual
boilerplate. The network sees no words, so it learns the structure of such pages.
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


def make_textless_pages(count: int, rng: Random) -> Iterator[str]:
    """Yield synthetic pages without main text."""
    for _ in range(count):
        notice = rng.choice(NOTICES)
        title, _, rest = notice.partition(" ")
        parts = [_make_links(rng, 0, 30, rng.choice(("nav", "div", "header"))), _make_notice(rng, notice)]
        if rng.random() < 0.4:
            parts.append(_make_links(rng, 3, 25, rng.choice(("aside", "div", "section"))))
        parts.append(_make_links(rng, 0, 40, rng.choice(("footer", "div"))))
        if rng.random() < 0.6:
            parts.append(f"<p>© 2026 {rng.choice(LABELS)}. {rng.choice(LABELS)} {rng.choice(LABELS)}</p>")
        if rng.random() < 0.2:
            parts[1] = '<div id="root"></div>' if rng.random() < 0.5 else '<div class="content"></div>'
        scripts = "<script>var a = 1;</script>" * rng.randint(0, 8)
        body = "".join(parts)
        yield f"<title>{title if rng.random() < 0.5 else rest}</title><body>{body}{scripts}"


def _make_links(rng: Random, least: int, most: int, tag: str) -> str:
    labels = [" ".join(rng.choices(LABELS, k=rng.randint(1, 3))) for _ in range(rng.randint(least, most))]
    name = rng.choice(MENU_CLASSES)
    class_ = f' class="{name}"' if name else ""
    return f"<{tag}{class_}>{make_links(rng, labels)}</{tag}>"


def _make_notice(rng: Random, notice: str) -> str:
    heading, _, rest = notice.partition(". ")
    name = rng.choice(NOTICE_CLASSES)
    lines = [f"<h2>{heading}</h2>" if rng.random() < 0.7 else f"<p>{heading}</p>"]
    if rest:
        lines.append(f"<p>{rest}</p>" if rng.random() < 0.7 else f"<div>{rest}</div>")
    if rng.random() < 0.3:
        lines.append(f"<p>{rng.choice(NOTICES)}</p>")
    if rng.random() < 0.4:
        kind = "password" if rng.random() < 0.5 else "text"
        label = rng.choice(LABELS)
        lines.append(f'<form><label>{label}</label><input><input type="{kind}"><button>{label}</button></form>')
    if rng.random() < 0.5:
        lines.append(f'<a href="/">{rng.choice(LABELS)}</a>')
    text = "".join(lines)
    return f'<div class="{name}">{text}</div>' if name else f"<div>{text}</div>"
