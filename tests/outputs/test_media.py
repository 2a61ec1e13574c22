"""Lazily loaded and responsive images, and embedded players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import bonmun
from bonmun import Options
from bonmun.document import Document
from bonmun.outputs.images import find_largest

BASE = "https://site.example/dir/"


def write(markup: str, **options: Any) -> str:
    html = f"<p>a</p>{markup}<p>b</p>"
    written = bonmun.extract(html, BASE, "all", Options(**options)).markdown
    return written.removeprefix("a\n\n").removesuffix("b").strip("\n")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<img src=a.png srcset='b.png 2x'>", "a.png"),
        ("<img srcset='a.png 300w, b.png 900w, c.png 600w'>", "b.png"),
        ("<img src='data:image/gif;base64,R0' data-srcset='a.png 1x, b.png 2x'>", "b.png"),
        ("<img src=/x/spacer.gif data-lazy-srcset=a.png>", "a.png"),
        ("<img src=/x/nothumb.jpg>", ""),
        ("<img src=x/voided.jpg>", "x/voided.jpg"),
        ("<img src=pixel.png width=1 height=1>", ""),
        ("<img src=track.php width=1 height=1>", ""),
        ("<img src=blanket.png>", "blanket.png"),
        ("<picture><source srcset='a.webp'><img src=b.png></picture>", "b.png"),
        ("<picture><source srcset='a.webp'><img src='data:x'></picture>", "a.webp"),
        ("<img src='data:x'><noscript><img src=a.png></noscript>", "a.png"),
        ("<img src=b.png><noscript><img src=a.png></noscript>", "b.png"),
        ("<div><noscript><img src=a.png></noscript></div>", "a.png"),
        ("<noscript><img src=a.png></noscript><img src='data:x' data-src=a.png>", "a.png"),
        ("<noscript>words</noscript>", ""),
        ("<img srcset=', ,, 3w'>", "3w"),
        ("<a href=large.jpg><img src=/x/lazyloading-placeholder.png></a>", "large.jpg"),
        ("<a href=other.html><img src=/x/dummy.gif></a>", ""),
        ("<img data-src=small.jpg lazy=loaded src=a.jpg>", "a.jpg"),
        ("<img srcset=' , '>", ""),
        ("<img src=/i/default132.png>", ""),
        ("<img src=default.jpg>", "default.jpg"),
        ("<img src=/i/spin132.gif data-src=a.png>", "a.png"),
        ("<img src='a.png?w=300' srcset='a.png?w=300 300w, a.png?w=1200 1200w'>", "a.png?w=1200"),
        ("<img src=b.png srcset='a.png 300w, b.png 800w, c.png 1200w'>", "b.png"),
        ("<img src=a.png data-lazy-src='a.png?is-pending-load=1#038;ssl=1'>", "a.png"),
        ("<img src='data:x' data-lazy-src='a.png?is-pending-load=1'>", "a.png?is-pending-load=1"),
    ],
)
def test_image_urls(markup: str, expected: str) -> None:
    assert write(markup, images=True) == (f"![]({BASE}{expected})" if expected else "")


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ("a 1x,b 2x", "b"),
        ("a.jpg?w=1,2 300w", "a.jpg?w=1,2"),
        ("a 1.5x, b 1x", "a"),
        ("a\u3000b 2x", "a\u3000b"),
        (None, None),
        ("a", "a"),
    ],
)
def test_the_largest_image_of_a_srcset(sources: str | None, expected: str | None) -> None:
    assert find_largest(sources) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<iframe src='//www.youtube.com/embed/abcdef123?x=1' title='A [film]'></iframe>",
            "[A \\[film\\]](https://www.youtube.com/watch?v=abcdef123)",
        ),
        (
            "<iframe data-src=https://player.vimeo.com/video/12345></iframe>",
            "[player.vimeo.com](https://vimeo.com/12345)",
        ),
        ("<lite-youtube videoid=abcdef123></lite-youtube>", "[youtube.com](https://www.youtube.com/watch?v=abcdef123)"),
        ("<video><source src=a.mp4></video>", f"[video]({BASE}a.mp4)"),
        ("<audio src=a.mp3 title=Song></audio>", f"[Song]({BASE}a.mp3)"),
        ("<iframe src=https://ads.example/youtube.com></iframe>", ""),
        ("<iframe src=https://notyoutube.com/embed/abcdef123></iframe>", ""),
        ("<iframe src=http://[broken></iframe>", ""),
        ("<iframe src=javascript:x></iframe>", ""),
        ("<iframe></iframe>", ""),
    ],
)
def test_players_become_links(markup: str, expected: str) -> None:
    assert write(markup, embeds=True) == expected
    assert write(markup) == ""


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<img src=tick.png alt=Yes>", "Yes"),
        ("<span> <img src=tick.png alt=예> </span>", "예"),
        ("<img src=lamp.png alt=lamp>", f"![lamp]({BASE}lamp.png)"),
        ("<img src=tick.png>", f"![]({BASE}tick.png)"),
    ],
)
def test_ticks_in_cells_become_their_names(cell: str, expected: str) -> None:
    written = write(f"<table><tr><th>Lamp<th>Lit<tr><td>Anna<td>{cell}<tr><td>Berta<td>c</table>", images=True)
    assert written == f"| Lamp | Lit |\n| --- | --- |\n| Anna | {expected} |\n| Berta | c |"


def test_ticks_in_text_are_images() -> None:
    assert write("<p>See <img src=a.png alt=yes></p>", images=True) == f"See\n\n![yes]({BASE}a.png)"


ICONS = {
    "tiny": "<img src=a.png width=16>",
    "file": "<img src=/i/icon_new.gif>",
    "class": "<img class='user avatar' src=a.png>",
    "spacer": "<img src=trenner.png>",
    "icon, short": "<img src=ico_nav_w.png>",
    "stars": "<img src=stars_4.png alt=4>",
    "banner": "<img src=/banner/1.png alt=Shop>",
    "narrow": "<img src=a.png width=468 height=60>",
    "badge": "<img src=a.png width=88 height=31>",
    "licence": "<a rel='license nofollow' href=/by><img src=a.png></a>",
    "QR code": "<div class=erwm><img src=a.png></div>",
    "QR code, file": "<img src=/img/qr_code.png>",
    "spinner": "<news-spinner><span><img src=a.svg></span></news-spinner>",
    "arrow of a slider": "<span class=prev><img src=a.jpg></span>",
    "portrait": "<a href=/author/ann-lee><img src=a.jpg></a>",
    "avatar": "<div class=post-avatar><a href=/ann><img src=a.jpg></a></div>",
    "avatar, script": "<img src=file.php?avatar=17>",
    "other service": "<img src=/img/facebook-like-page.gif>",
    "advertisement": "<a href=/buy><img src=a.jpg alt=Werbung></a>",
}
PHOTOS = {
    "photo": "<img src=a.png>",
    "percent": "<img src=a.png width=50%>",
    "wide photo": "<img src=lamp-banner.png alt='The keeper lights the lamp on the last evening'>",
    "small photo": "<img src=a.png width=120 height=54>",
    "wide banner": "<img src=banner-lamp.png alt=Lamp width=1170>",
    "photo of a service": "<img src=facebook.jpg>",
    "until it is loaded": "<img src=a.png style='display:none' onload='show(this)'>",
}


@pytest.mark.parametrize("markup", ICONS.values(), ids=ICONS)
def test_icons_between_texts_are_left_out(markup: str) -> None:
    assert write(markup, images=True) == ""


@pytest.mark.parametrize("markup", PHOTOS.values(), ids=PHOTOS)
def test_photos_between_texts_are_written(markup: str) -> None:
    assert write(markup, images=True).startswith("![")


def test_icons_with_a_name_are_written_in_cells() -> None:
    table = "<table><tr><th>Day<th>Sky<tr><td>Mon<td><img src=sun.svg width=20 alt=Sunny><tr><td>Tue<td>x</table>"
    assert f"| Mon | ![Sunny]({BASE}sun.svg) |" in write(table, images=True)


def test_a_product_shows_the_image_that_its_title_describes() -> None:
    text = "<p>This lamp of solid brass has stood on the piers of the north for more than a hundred years.</p>"
    doc = bonmun.extract(
        "<title>Brass harbour lamp</title><div class=gallery aria-hidden=true><img src=/lamp.jpg alt='Brass harbour lamp' "
        f"width=600 height=600></div><h1>Brass harbour lamp</h1>{text}<p><img src=/wick.jpg width=500 height=300></p>{text}"
    )
    shown = {
        kind: Document(doc.page, replace(doc.labels, kinds={kind: 0.9}), doc.options).markdown
        for kind in ("product", "article")
    }
    assert [("/lamp.jpg" in each, "/wick.jpg" in each) for each in shown.values()] == [(True, True), (False, True)]
