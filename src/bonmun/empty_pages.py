"""Pages without main text: whether a page is a shell that scripts fill, why a page is empty, and what to try."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method

if TYPE_CHECKING:
    from bonmun.algorithms import Method
    from bonmun.page import Page

__all__ = ["MAX_SHELL_TEXT_BYTES", "explain_empty", "has_main_text", "is_shell"]

MAX_SHELL_TEXT_BYTES = 2500  # of visible text outside links
MAX_READ_LEAVES = 500  # of an empty page that are searched for words
MAX_LABEL_CHARS = 40  # of a button
MAX_SELECTOR_CHARS = 80
# Words in the title or the first heading of an error page. Numbers are those of HTTP.
ERROR = re.compile(
    r"\b(?:40[0134]|410|429|50[0234])\b|\berror\b|not found|forbidden|access denied|unavailable|went wrong|"
    r"nicht gefunden|introuvable|no encontrad|non trovat|não encontrad|찾을 수 없|오류|에러|"
    r"見つかりません|エラー|找不到|错误",
    re.I,
)
ROBOT_CHECK = re.compile(
    r"are you (?:a )?(?:human|robot)|not a robot|verify(?:ing)? (?:that )?you are human|captcha|just a moment|"
    r"checking your browser|로봇이 아닙니다|자동 등록 방지|ロボットではありません|人机验证",
    re.I,
)
CONSENT = re.compile(
    r"\bcookies?\b|\bconsent\b|\bgdpr\b|privacy settings|\b18 years\b|cookie-|zustimmung|consentement|consentimiento|"
    r"consenso|쿠키|동의|同意|クッキー",
    re.I,
)
ACCEPT = re.compile(
    r"\b(?:accept|agree|allow|consent|ok|got it|continue|i am over|akzeptieren|zustimmen|accepter)|"
    r"aceptar|accetta|aceitar|동의|수락|허용|확인|同意|承諾|接受",
    re.I,
)
PLAIN_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}", re.ASCII)

SAVE_IT = "open it in your own browser, save it and extract the file"
NOT_RENDERED = "The page has no main text without its scripts: render it in a browser (--render auto)."
NOTHING_ARRIVED = (
    "Nothing arrived: the page has no main text after its scripts have run. Try a longer --wait, --wait-for SELECTOR, "
    "--scroll or --click SELECTOR."
)


def has_main_text(page: Page) -> bool:
    """Return whether the default method finds main text on a page.

    The method is not run on pages with much text, because that takes as long as extracting them.
    """
    hidden, sizes, linked = page.visibility.hidden_blocks, *page.block_sizes
    visible = sum(size - link for size, link, is_hidden in zip(sizes, linked, hidden, strict=True) if not is_hidden)
    return visible > MAX_SHELL_TEXT_BYTES or any(_load_method().label(page).kept)


def is_shell(page: Page) -> bool:
    """Return whether a page has scripts and, without them, no main text."""
    return page.has_tag("script") and not has_main_text(page)


@cache
def _load_method() -> Method:
    return make_method("auto")


def explain_empty(page: Page) -> str | None:
    """Return why a page has no main text and what to try, in one or two sentences; None if the reason is unknown."""
    is_rendered = page.boxes is not None
    texts = page.texts[:MAX_READ_LEAVES]
    heading = f"{page.head_title}\n{next((text for text in texts), '')}"
    if _asks_password(page):
        return f"The page asks to log in, which bonmun cannot do: {SAVE_IT}."
    if any(ROBOT_CHECK.search(text) for text in (heading, *texts)):
        return f"The page checks that its reader is human: {SAVE_IT}."
    if ERROR.search(heading):
        return "The page is an error message: check the URL, or try again later."
    if any(CONSENT.search(text) for text in texts):
        button = _find_accept_button(page) or "SELECTOR"
        return (
            f"The page asks for consent: click its button ({'' if is_rendered else '--render auto '}--click {button})."
        )
    if is_rendered:
        return NOTHING_ARRIVED
    return NOT_RENDERED if page.has_tag("script") else None


def _asks_password(page: Page) -> bool:
    """Return whether a reader sees a field for a password; forums keep a hidden one in the page for their scripts."""
    fields = [row for row, tag in enumerate(page.tags) if tag == "input" and not page.visibility.hides(row)]
    return "password" in page.attrs(fields, "type")


def _find_accept_button(page: Page) -> str | None:
    """Return a CSS selector of the first button whose label accepts something."""
    labels = zip(page.texts[:MAX_READ_LEAVES], page.leaf_elements, strict=False)
    for text, element in labels:
        if len(text) > MAX_LABEL_CHARS or not ACCEPT.search(text):
            continue
        for row in (element, page.parents[element]):
            if row < 0 or page.tags[row] not in ("button", "a", "input"):
                continue
            name = page.attr(row, "id") or ""
            if PLAIN_NAME.fullmatch(name):
                return f"'#{name}'"
            classes = [each for each in (page.attr(row, "class") or "").split() if PLAIN_NAME.fullmatch(each)]
            selector = ".".join([page.tags[row], *classes[:2]])
            return f"'{selector}'"[:MAX_SELECTOR_CHARS]
    return None
