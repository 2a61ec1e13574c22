"""Take the screenshots of README.md and of the guides to the inspector and to rules.

python -m scripts.figures.screenshots [FOLDER]

Shows synthetic pages (English, Korean, Arabic) with `bonmun inspect`. Needs a browser, and fonts for all three
languages (on Debian: fonts-nanum, fonts-dejavu).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.scale.browser.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

IMAGES = Path("docs/images")
FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync".split()
SIZE = {"width": 1160, "height": 700}

TEMPLATE = """<!doctype html><html lang="{lang}" dir="{dir}"><head><title>{title} | {site}</title>
<meta name="author" content="{author}"><meta property="article:published_time" content="2026-04-12">
<meta property="og:site_name" content="{site}"><link rel="canonical" href="https://{host}/"><style>
body{{margin:0;font:16px/1.65 "Noto Serif","NanumMyeongjo","DejaVu Serif",serif;color:#222;background:#faf9f6}}
header{{background:#26343a;color:#fff;padding:10px 28px;display:flex;gap:26px;align-items:baseline}}
header b{{font-size:20px}}header a{{color:#cfe3e6;text-decoration:none;font-size:14px}}
.page{{display:grid;grid-template-columns:minmax(0,1fr) 200px;gap:34px;max-width:860px;margin:0 auto;padding:14px 24px}}
h1{{font-size:28px;line-height:1.25;margin:8px 0}}.by{{color:#666;font-size:14px;margin:0 0 14px}}h2{{font-size:19px}}
aside{{font-size:14px;border-inline-start:1px solid #ddd;padding-inline-start:16px}}aside a{{color:#26525c}}
footer{{font-size:13px;color:#666;padding:16px 28px;border-top:1px solid #ddd}}.comment{{border-top:1px solid #e4e0d8}}
@media (max-width:600px){{.page{{display:block;padding:8px 16px}}header{{flex-wrap:wrap;gap:4px 16px}}}}
</style></head><body><header><b>{site}</b>{nav}</header><div class="page"><article><h1>{title}</h1>
<p class="by">{by}</p>{text}<section class="comments" id="comments"><h3>{comments}</h3>{comment}</section></article>
<aside><h3>{more}</h3><ul>{links}</ul></aside></div><footer>{footer}</footer></body></html>"""

ENGLISH = {
    "lang": "en",
    "dir": "ltr",
    "site": "Valley News",
    "host": "valley.example",
    "title": "After nine years, Ott has a bridge again",
    "author": "Ann Lee",
    "by": "By Ann Lee · 12 April 2026",
    "nav": "News Sport Weather Market About",
    "text": (
        "After nine years of plans, floods and arguments, the town of Ott has a bridge again, and on Sunday the first "
        "carts went over it. It is built of larch from the slopes behind the mill, and it is wide enough for two.\n"
        "The old bridge was lost in the flood of 2017. Since then, those who wanted to reach the market had to go "
        "round by the dam, which takes an hour and a half in summer and is closed for most of the winter.\n"
        "# Who paid for it\n"
        "Half of the money came from the valley, a quarter from the railway, and the rest from the people of the town, "
        "who sold cakes, wood and pictures of the old bridge at every fair for six years.\n"
        "The mayor says that the bridge will stand for eighty years if it is painted every ten, and that he has "
        "already found the painters. They begin next spring, as soon as the river has fallen."
    ),
    "comments": "2 comments",
    "comment": "Jo: I was there on Sunday, and it is a fine bridge.\nMax: Who will clear it of snow, I wonder?",
    "more": "Most read",
    "links": "A new clock for the station\nSnow until May\nThe mill is for sale\nSubscribe to our letter",
    "footer": "© Valley News. All rights reserved. Imprint · Privacy · Contact",
}
KOREAN = {
    "lang": "ko",
    "dir": "ltr",
    "site": "골짜기신문",
    "host": "ko.example",
    "title": "아홉 해 만에 다시 놓인 다리, 장터 가는 길이 가까워졌다",
    "author": "이하늘",
    "by": "이하늘 기자 · 2026.04.12",
    "nav": "뉴스 날씨 장터 사람들 소개",
    "text": (
        "아홉 해 동안 계획과 홍수와 말다툼이 이어진 끝에 물돌이 마을에 다시 다리가 놓였다. 지난 일요일 아침 첫 수레가 "
        "다리를 건넜다. 방앗간 뒤 비탈에서 베어 온 낙엽송으로 지었고, 수레 두 대가 나란히 지날 만큼 넓다.\n"
        "옛 다리는 2017년 큰물에 떠내려갔다. 그 뒤로 장터에 가려면 둑을 따라 돌아가야 했는데, 여름에도 한 시간 반이 "
        "걸리고 겨울에는 거의 내내 길이 막혔다.\n"
        "# 누가 돈을 냈나\n"
        "비용의 절반은 군이, 사분의 일은 철도가 냈다. 나머지는 마을 사람들이 여섯 해 동안 장날마다 떡과 장작과 옛 다리 "
        "사진을 팔아 모았다.\n"
        "이장은 열 해마다 칠만 새로 하면 여든 해는 끄떡없을 것이라며, 칠할 사람도 벌써 구해 두었다고 말했다."
    ),
    "comments": "댓글 2개",
    "comment": "조은: 일요일에 가 봤는데 정말 튼튼하더라고요.\n민수: 겨울에 눈은 누가 치우나요?",
    "more": "많이 본 기사",
    "links": "역에 새 시계가 걸린다\n오월까지 눈 소식\n방앗간 주인을 찾습니다\n구독 신청",
    "footer": "© 골짜기신문. 무단 전재 및 재배포 금지. 회사 소개 · 개인정보 처리방침",
}
ARABIC = {
    "lang": "ar",
    "dir": "rtl",
    "site": "أخبار الوادي",
    "host": "ar.example",
    "title": "بعد تسع سنوات عاد للبلدة جسرها",
    "author": "آمنة لطفي",
    "by": "آمنة لطفي · 12 أبريل 2026",
    "nav": "أخبار رياضة الطقس السوق",
    "text": (
        "بعد تسع سنوات من الخطط والفيضانات والنقاش عاد للبلدة جسرها، وعبرته أولى العربات صباح يوم الأحد الماضي. وقد "
        "بني الجسر من خشب الأرز الذي قطع من المنحدرات خلف الطاحونة، وهو يتسع لعربتين تسيران جنبا إلى جنب.\n"
        "كان الجسر القديم قد جرفه فيضان عام 2017، ومنذ ذلك الحين كان على من يريد الوصول إلى السوق أن يسلك طريق "
        "السد، وهو طريق يستغرق ساعة ونصف الساعة في الصيف ويغلق معظم أيام الشتاء.\n"
        "# من دفع ثمنه\n"
        "جاء نصف المال من الوادي وربعه من السكك الحديدية، أما الباقي فجمعه أهل البلدة الذين باعوا الكعك والحطب وصور "
        "الجسر القديم في كل سوق طوال ست سنوات.\n"
        "ويقول رئيس البلدية إن الجسر سيبقى ثمانين عاما إذا طلي كل عشر سنوات، وإنه وجد الطلائين منذ الآن."
    ),
    "comments": "تعليقان",
    "comment": "جمال: كنت هناك يوم الأحد وهو جسر جميل حقا.\nمها: ومن سيزيل عنه الثلج في الشتاء؟",
    "more": "الأكثر قراءة",
    "links": "ساعة جديدة للمحطة\nثلوج حتى شهر مايو\nالطاحونة معروضة للبيع",
    "footer": "© أخبار الوادي. جميع الحقوق محفوظة. اتصل بنا",
}
STORIES = {  # of the site that is shown in the panel of sites: two sentences each
    "The station has a new clock": (
        "A maker from the next town has built it in his own workshop, and the station master winds it once a week.",
        "He says that he has not missed a train since it was hung above the door of the waiting room.",
    ),
    "Snow until May": (
        "Snow fell on the pass again last night, and the road to the upper villages stays closed for another week.",
        "The post is carried up on foot, as in the old days, and takes most of the day to reach the last house.",
    ),
    "The mill is for sale": (
        "The old mill below the dam is for sale with all its wheels and stones, for the first time in ninety years.",
        "Its owners would like to see it run again, and say that they are in no hurry to find a buyer.",
    ),
    "The choir sings in the square": (
        "The choir sings in the market square on Sunday if the weather allows, and in the church if it does not.",
        "They have practised since the winter, with songs that have not been heard in the valley for many years.",
    ),
    "A school for eleven children": (
        "The school of the upper villages opens again in autumn, in two rooms above the bakery.",
        "Eleven children have signed up, two more than the ministry asks for, and a teacher has been found.",
    ),
    "The ferry is back": (
        "The ferry has been painted in the yard over the winter and crosses the lake again from Saturday, every hour.",
        "A ride costs as much as last year, and bicycles still travel for nothing.",
    ),
    "Honey from the railway bank": (
        "Six hives on the bank behind the goods shed gave forty jars last summer, which sold out within a morning.",
        "The keeper plans four more hives, and a stall of her own at the autumn fair.",
    ),
}
SHORT_STORY = "Tickets for the fair"  # whose text is only for subscribers
LISTING = """<div class="teasers">{teasers}</div><p class="pages"><a href="/news/1">1</a> <a href="/news/2">2</a></p>"""
ODD_PAGE = """<!doctype html><html lang="en"><head><title>Weather | Valley News</title>
<link rel="canonical" href="https://valley.example/weather"></head><body><table class="forecast"><tr><th>Day</th>
<th>High</th><th>Low</th></tr><tr><td>Monday</td><td>14</td><td>6</td></tr><tr><td>Tuesday</td><td>16</td><td>7</td></tr></table></body></html>"""
MORE_TITLES = ("A new clock for the station", "Snow until May")  # of other pages of the English site


def write_page(said: dict[str, str]) -> str:
    """Write a page of a small newspaper."""
    lines = said["text"].split("\n")
    text = "".join(f"<h2>{line[2:]}</h2>" if line.startswith("# ") else f"<p>{line}</p>" for line in lines)
    comment = "".join(f'<div class="comment"><p>{line}</p></div>' for line in said["comment"].split("\n"))
    links = "".join(f'<li><a href="/{n}">{line}</a></li>' for n, line in enumerate(said["links"].split("\n")))
    nav = "".join(f'<a href="/{n}">{word}</a>' for n, word in enumerate(said["nav"].split()))
    return TEMPLATE.format(**said | {"text": text, "comment": comment, "links": links, "nav": nav})


def write_site() -> dict[str, str]:
    """Write the pages of a site by name: articles, listings, a page without its text, and one unlike the others."""
    empty = ENGLISH | {"comments": "No comments yet", "comment": "Be the first to write one."}
    stories = list(STORIES.items())
    pages = {title: write_page(empty | {"title": title, "text": "\n".join(text)}) for title, text in stories}
    pages[SHORT_STORY] = write_page(empty | {"title": SHORT_STORY, "text": "This text is for subscribers."})
    pages |= {ENGLISH["title"]: write_page(ENGLISH), "Weather": ODD_PAGE}
    for number, shown in enumerate((stories[:4], stories[3:]), 1):
        teasers = "".join(
            f'<div class="teaser"><h2><a href="/{title}">{title}</a></h2><p>{text[0]}</p></div>'
            for title, text in shown
        )
        head, _, foot = write_page(empty | {"title": f"News, page {number}", "text": ""}).partition("<article>")
        pages[f"News, page {number}"] = head + LISTING.format(teasers=teasers) + foot.partition("</article>")[2]
    return {f"{title.lower().replace(',', '').replace(' ', '-')}.html": html for title, html in pages.items()}


def take_pictures(address: str, images: Path) -> None:
    """Show each page in a typical state, and take a screenshot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=FLAGS)

        def picture(name: str, number: int, act: Any, **options: Any) -> None:
            page = browser.new_page(**({"viewport": SIZE} | options))
            page.goto(address.replace("/#", f"/?page={number}#"))
            page.locator("#summary strong").wait_for()
            act(page)
            page.locator("#features h2").first.wait_for()
            page.mouse.move(5, 5)
            page.screenshot(path=images / f"{name}.png")
            page.close()

        picture("kept", 1, _show_markdown, viewport={"width": 1320, "height": 700})
        picture("inspector-light", 0, _choose_block)
        picture("inspector-dark", 0, _compare, color_scheme="dark")
        picture("inspector-korean", 1, _show_metadata, locale="ko-KR")
        picture("inspector-arabic", 2, _show_leaves)
        picture("inspector-narrow", 1, _choose_block, viewport={"width": 390, "height": 780}, locale="ko-KR")
        picture("inspector-rule", 0, _make_rule)
        browser.close()


def take_site_picture(address: str, images: Path) -> None:
    """Show the panel of sites, and take a screenshot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=FLAGS)
        page = browser.new_page(viewport={"width": 1320, "height": 1000})
        page.goto(address)
        page.locator("#summary strong").wait_for()
        page.locator("#tab-site").click()
        page.locator("#summary", has_text="site model").wait_for()
        page.locator("#site-pages [role=option]", has_text="The mill is for sale").click()
        page.locator("#page-choice", has_text="mill").wait_for()
        page.locator("[data-switch=siteCounts]").click()
        page.frame_locator("#frame").locator("bm-t", has_text="All rights reserved").click()
        page.frame_locator("#frame").locator("bm-badge").first.wait_for()
        page.mouse.move(5, 5)
        page.screenshot(path=images / "inspector-site.png")
        browser.close()


def _show_markdown(page: Page) -> None:
    page.locator("button", has_text="Markdown").first.click()
    page.keyboard.press("j")


def _choose_block(page: Page) -> None:
    for _ in range(3):
        page.keyboard.press("j")


def _make_rule(page: Page) -> None:
    page.frame_locator("#frame").locator("bm-t", has_text="2 comments").click()
    page.locator("[data-rule=keep]").click()
    page.locator("#rule-element").select_option(index=1)  # the whole section
    page.locator("#rule-save:enabled").wait_for()


def _compare(page: Page) -> None:
    page.locator("#other-choice").select_option("rules")
    page.locator("#tab-methods").click()
    page.locator("#methods [role=option]").first.click()


def _show_metadata(page: Page) -> None:
    page.locator("#tab-metadata").click()
    for _ in range(2):
        page.keyboard.press("j")


def _show_leaves(page: Page) -> None:
    page.locator("#tab-leaves").click()
    for _ in range(3):
        page.keyboard.press("j")


def main() -> None:
    """Take all screenshots."""
    images = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    images.mkdir(parents=True, exist_ok=True)
    more = [ENGLISH | {"title": title} for title in MORE_TITLES]
    all_pages = enumerate((ENGLISH, KOREAN, ARABIC, *more))
    show_pages({f"{number}-{said['lang']}.html": write_page(said) for number, said in all_pages}, take_pictures, images)
    show_pages(write_site(), take_site_picture, images)


def show_pages(pages: dict[str, str], take: Callable[[str, Path], None], images: Path) -> None:
    """Run the inspector on pages while screenshots are taken."""
    with tempfile.TemporaryDirectory() as folder:
        for name, html in pages.items():
            Path(folder, name).write_text(html, encoding="utf-8")
        command = [sys.executable, "-m", "bonmun", "inspect", folder, "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
            assert server.stdout
            try:
                take(server.stdout.readline().strip(), images)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
