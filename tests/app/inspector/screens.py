"""Pages, server and browser for tests of the inspector."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bonmun.scale.browser.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["ARABIC", "ARTICLE", "make_long_page", "open_browser", "open_inspector", "serve_pages"]

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

ARTICLE = """<!doctype html><html lang="en"><head><title>The bridge at Ott | Valley News</title>
<meta name="author" content="Ann Lee"><meta property="article:published_time" content="2024-05-06">
<style>body{font:17px/1.5 Georgia,serif;max-width:44em;margin:1em auto}nav a{margin-right:1em}</style></head><body>
<nav><a href="/">Home</a><a href="/news">News</a><a href="/sport">Sport</a><a href="/about">About us</a></nav>
<h1>The bridge at Ott</h1><p class="byline">By Ann Lee, 6 May 2024</p>
<p>After nine years of plans, floods and arguments the town of Ott has a bridge again, and on Sunday the first carts
went over it. It is built of larch from the slopes behind the mill, and it is wide enough for two carts.</p>
<p>The old bridge was lost in the flood of 2015. Since then, those who wanted to reach the market had to go round by the
dam, which takes an hour and a half in summer and is closed for most of the winter.</p>
<h2>Who paid for it</h2><p>Half of the money came from the valley, a quarter from the railway, and the rest from the
people of the town, who sold cakes, wood and pictures of the old bridge at every fair for six years.</p>
<ul><li>The valley gave forty thousand crowns.</li><li>The railway gave twenty thousand crowns.</li></ul>
<p>The mayor says that the bridge will stand for eighty years if it is painted every ten, and that he has already found
the painters. They are to begin next spring, as soon as the river has fallen.</p>
<section id="comments" class="comments"><h3>Comments</h3><div class="comment"><b>Jo</b><p>At last! I was there on
Sunday and it is a fine bridge.</p></div><div class="comment"><b>Max</b><p>Who will clear it of snow, I wonder?</p></div>
</section><aside><h3>More news</h3><ul><li><a href="/1">A new clock for the station</a></li><li><a href="/2">Snow until
May</a></li><li><a href="/3">The mill is for sale</a></li></ul></aside><footer>© Valley News. All rights reserved.
<a href="/imprint">Imprint</a></footer></body></html>"""

ARABIC = """<!doctype html><html lang="ar" dir="rtl"><head><title>جسر جديد في البلدة</title></head><body>
<nav><a href="/">الرئيسية</a> <a href="/n">الأخبار</a> <a href="/s">الرياضة</a></nav><article><h1>جسر جديد في البلدة</h1>
<p>بعد تسع سنوات من الخطط والفيضانات والنقاش أصبح للبلدة جسر من جديد، وعبرته أولى العربات صباح يوم الأحد الماضي.</p>
<p>كان الجسر القديم قد انهار في الفيضان الكبير، ومنذ ذلك الحين كان على من يريد الوصول إلى السوق أن يسلك طريق السد.</p>
<p>وقال رئيس البلدية إن الجسر سيبقى ثمانين عاما إذا طلي كل عشر سنوات، وإنه وجد الطلائين منذ الآن.</p></article>
<footer>جميع الحقوق محفوظة <a href="/i">اتصل بنا</a></footer></body></html>"""


def make_long_page(blocks: int) -> str:
    """Return a page with this many blocks: links, then headings and paragraphs, then links again."""
    parts = ["<!doctype html><html lang=en><title>Very long</title><style>body{max-width:50em}</style><nav>"]
    parts += [f"<div><a href=/{n}>Link number {n}</a></div>" for n in range(blocks // 20)]
    parts.append("</nav><article><h1>Very long</h1>")
    for n in range(blocks * 3 // 10):
        parts.append(
            f"<h2>Part {n} of the river</h2><p>In part {n} the river is <b>wide</b>, and the road beside it is "
        )
        parts.append(
            "closed for most of the winter.</p><p>Those who live there know <a href=/x>another way</a> to town.</p>"
        )
    parts.append("</article>")
    parts += [f"<div class=more><a href=/m{n}>More on this, {n}</a></div>" for n in range(blocks // 20)]
    return "".join(parts)


@contextmanager
def serve_pages(folder: Path, *options: str) -> Iterator[str]:
    """Run `bonmun inspect` on a folder; yield its URL."""
    command = [sys.executable, "-m", "bonmun", "inspect", str(folder), "--no-open", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            address = server.stdout.readline().strip()
            if not address:
                raise AssertionError(server.stderr.read() if server.stderr else "")
            yield address
        finally:
            server.terminate()
            server.communicate(timeout=30)
        assert server.returncode == 0


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Run a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def open_inspector(browser: Browser, address: str, query: str = "", **options: Any) -> Page:
    """Open the inspector in a new page, whose `problems` are its errors and dialogs, and wait for the first answer."""
    page = browser.new_page(**({"viewport": {"width": 1280, "height": 900}} | options))
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.problems = problems
    page.goto(address.replace("/#", f"/?{query}#"))
    page.locator("#summary strong").wait_for()
    return page
