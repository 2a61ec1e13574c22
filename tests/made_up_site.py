"""Five pages of a made-up site: the same template, with generated ids, state classes and a promotion among the text."""

from __future__ import annotations

__all__ = ["HOST", "SITE_PAGES"]

HOST = "valley.example"

TEXTS = {
    "bridge": (
        "The bridge at Ott",
        "Ann Lee",
        "2026-05-06",
        "After nine years of plans and floods the town of Ott has a bridge again, and the first carts went over it.",
        "It is built of larch from the slopes behind the mill, and it is wide enough for two carts side by side.",
    ),
    "clock": (
        "A new clock for the station",
        "Bo Kim",
        "2026-05-09",
        "The station of the valley has a new clock, which a maker from the next town has built in his own workshop.",
        "It is wound once a week by the station master, who says that he has never missed a train because of it.",
    ),
    "snow": (
        "Snow until May",
        "Cho Min",
        "2026-05-11",
        "Snow fell on the pass again last night, so that the road to the upper villages stays closed for another week.",
        "The post is carried up on foot, as it was in the old days, and takes most of the day to reach the last house.",
    ),
    "mill": (
        "The mill is for sale",
        "Dee Oh",
        "2026-05-14",
        "The old mill below the dam is for sale, with all its wheels and stones, for the first time in ninety years.",
        "Its owners say that they would like to see it run again, and that they are in no hurry to find a buyer.",
    ),
    "choir": (
        "The choir sings in the square",
        "Eva Roy",
        "2026-05-20",
        "The choir of the valley sings in the market square on Sunday, if the weather allows, and in the church if not.",
        "They have practised since the winter, and there will be songs that have not been heard here for many years.",
    ),
}
MORE = "Read the whole story in our printed paper, which is delivered to every house of the valley on Saturday morning."


def _write(number: int, slug: str) -> str:
    title, author, date, first, second = TEXTS[slug]
    state = "odd" if number % 2 else "even"
    return f"""<!doctype html><html lang="en"><head><title>{title} | Valley News</title>
<link rel="canonical" href="https://www.{HOST}/{slug}">
<style>body{{font:17px/1.5 Georgia,serif;max-width:44em;margin:1em auto}}.facts{{border:1px solid #999;padding:0 1em}}
.support{{background:#eee;padding:.5em}}</style></head>
<body class="page-{1000 + number}"><nav class="menu"><a href="/">Home</a> <a href="/news">News</a></nav>
<div class="story {state}" id="post-{4711 + number}"><div class="section-name">Valley News of the week</div>
<h2 class="headline">{title}</h2>
<p class="signed">By <span class="who">{author}</span>, <time datetime="{date}">{date}</time></p>
<p>{first}</p><div class="support box" id="box-{90210 + number}"><p>{MORE}</p></div><p>{second}</p></div>
<div class="facts box"><b>At a glance</b><ul><li>Valley: {slug}</li><li>Number {number} of this week</li></ul></div>
<footer class="end">© Valley News</footer></body></html>"""


SITE_PAGES = {f"{slug}.html": _write(number, slug) for number, slug in enumerate(TEXTS)}
