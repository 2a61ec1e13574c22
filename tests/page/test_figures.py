"""Images and captions that belong to the text, and those that do not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Options, Page, extract
from bonmun.page.figures import find_figures, is_credit
from bonmun.page.image_names import is_icon
from bonmun.page.main_images import find_titled_image
from samples import in_one_test
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = (
    "The old lighthouse was lit again this spring, and the whole village came down to the pier to see it burn at night."
)
PARAGRAPH = f"<p>{TEXT} {TEXT}</p>"
PARAGRAPHS = [
    f"<p>{TEXT} {line}</p>"
    for line in (
        "Nobody had expected the old lamp to work.",
        "The keeper had cleaned its lenses for weeks.",
        "Boats came from the islands with their lights out.",
        "At midnight the mayor gave a short speech.",
    )
]
CAPTION = "The lighthouse in April. Photo: Ann Lee"
IMAGE = "<img src=/tower.jpg alt='A tower'>"
WITH_IMAGES = Options(images=True)


def make_page(middle: str, lead: str = "") -> str:
    menu = "<nav><a href=/a>Home</a> <a href=/b>News</a></nav>"
    return (
        f"<title>A lamp</title><body>{menu}<article><h1>A lamp is lit</h1>{lead}<div class=body>"
        f"{PARAGRAPHS[0]}{PARAGRAPHS[1]}{middle}{PARAGRAPHS[2]}{PARAGRAPHS[3]}</div></article><footer>Imprint</footer>"
    )


BOXES = {
    "figure": f"<figure>{IMAGE}<figcaption>{CAPTION}</figcaption></figure>",
    "figure without figcaption": f"<figure>{IMAGE}<p>{CAPTION}</p></figure>",
    "share button in a figure": f"<figure>{IMAGE}<span>Share</span><figcaption><p>{CAPTION}</p></figcaption></figure>",
    "loading text": f"<figure><div>{IMAGE}<p>Loading</p></div><figcaption>{CAPTION}</figcaption></figure>",
    "class of a blog": f"<div class=wp-caption>{IMAGE}<p class=wp-caption-text>{CAPTION}</p></div>",
    "class of a news site": f"<span class=photo>{IMAGE}<em class=img_desc>{CAPTION}</em></span>",
    "table": f"<table class=tr-caption-container><tr><td>{IMAGE}<tr><td class=tr-caption>{CAPTION}</table>",
    "line below": f"<div>{IMAGE}<div>{CAPTION}</div></div>",
    "link to the image": f"<div class=image><a href=/large.jpg>{IMAGE}</a><div class=caption>{CAPTION}</div></div>",
    "link in a figure": f"<figure><a href=/file/tower>{IMAGE}</a><figcaption>{CAPTION}</figcaption></figure>",
    "lazy image": f"<figure><img data-src=/tower.jpg style=display:none><figcaption>{CAPTION}</figcaption></figure>",
}


@in_one_test("box", BOXES.values(), BOXES)
def test_an_image_stays_with_its_caption(box: str) -> None:
    doc = extract(make_page(box), "https://pier.example/a", options=WITH_IMAGES)
    assert doc.markdown.count(CAPTION) == doc.text.count(CAPTION) == 1
    assert doc.markdown.count("https://pier.example/tower.jpg") == 1
    assert doc.markdown.index("tower.jpg") < doc.markdown.index(CAPTION)


@in_one_test("box", [*BOXES.values(), IMAGE, f"<p>{IMAGE}</p>"])
def test_a_lead_image_is_kept(box: str) -> None:
    doc = extract(make_page("", lead=box), "https://pier.example/a", options=WITH_IMAGES)
    assert "https://pier.example/tower.jpg" in doc.markdown
    assert CAPTION not in box or CAPTION in doc.text


def test_a_lead_image_is_kept_above_byline_and_buttons() -> None:
    lead = f"<div class=hero>{IMAGE}</div>" + "".join(
        f"<div>{word}</div>" for word in "Share Print Save Listen Ann".split()
    )
    assert "/tower.jpg" in extract(make_page("", lead=lead), options=WITH_IMAGES).markdown


def test_the_last_image_of_the_text_is_kept() -> None:
    html = make_page("").replace("</div></article>", f"<p>{IMAGE}</p></div></article>")
    assert extract(html, options=WITH_IMAGES).markdown.endswith("![A tower](/tower.jpg)")


def test_the_last_image_may_be_lazy_and_in_wrappers() -> None:
    image = "<div><div><img src=/none_default.png class=lazy data-src=/tower.jpg></div></div>"
    html = f"<article><div>{TEXT}<br><br>{TEXT}<br>{image}</div></article><p>Dropped</p>"
    page = Page.parse(html)
    kept = [block.text != "Dropped" for block in page.blocks]
    assert len(find_figures(page, kept)) == 1


def test_the_place_in_a_chart_is_no_caption() -> None:
    page = Page.parse(make_page(f"<figure>{IMAGE}<figcaption>1</figcaption></figure>"))
    kept = [block.text.startswith(TEXT) for block in page.blocks]
    assert [figure.captions for figure in find_figures(page, kept)] == [()]


def test_captions_have_a_reason_and_a_score() -> None:
    doc = extract(make_page(f"<div>{IMAGE}<div>{CAPTION}</div></div>"))
    (row,) = [block.row for block in doc.blocks if block.text == CAPTION]
    assert doc.labels.scores[row] >= 0.5
    assert doc.labels.kept[row]


CREDITS = {
    "agency": f"<div>{IMAGE}<p>/Reuters</p></div>",
    "below the image": f"<header><h2>A lamp burns</h2><p>Ann</p><p>Lee</p><div>{IMAGE}</div><p>Photo: Ann</p></header>",
    "named far from the text": f"<div>{IMAGE}<div class=imgTitle>▲The tower</div></div>" + "<div>A</div>" * 5,
}


@in_one_test("lead", CREDITS.values(), CREDITS)
def test_a_lead_image_keeps_its_credit(lead: str) -> None:
    page = Page.parse(make_page("", lead=lead))
    (figure,) = find_figures(page, [block.text.startswith(TEXT) for block in page.blocks])
    assert [page.block_texts[row] for row in figure.captions] in [["/Reuters"], ["Photo: Ann"], ["▲The tower"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Reuters", True),
        ("(AFP)", True),
        ("Photo by Ann Lee", True),
        ("사진=연합뉴스", True),
        ("© Ann Lee", True),
        ("Photos", False),
        ("Reuters reported this on Monday", False),
        ("▲ 3.5 %", False),
        ("Photo: " + "a" * 60, False),
        ("Play", False),
        ("Japan", False),
        ("Bielefeld", False),
        ("AFP연합뉴스", True),
    ],
)
def test_credits(text: str, expected: bool) -> None:
    assert is_credit(text) is expected


PHOTOS = {
    "file of a photo": "<img src=/next-generation.jpg>",
    "class of a photo": "<img class=next-image src=/a.jpg>",
    "drawing": "<img src=/a.svg width=400 height=70>",
    "photo without a description": "<img class=item_logos src=/a.jpg width=350 height=233>",
    "photo of an item": "<img class=item_logos src=/a.jpg width=120 height=160 alt='How the lamp was lit again'>",
    "photo of a theme": "<img src=/themes/lamp/harbour.jpg>",
    "drawing of a theme with a description": "<img src=/themes/lamp/a.png alt='How the lamp was lit again'>",
    "photo behind a drawing of a theme": "<img src=/themes/lamp/a.png data-srcset=/harbour.jpg>",
    "photo that shows a logo": "<img src=/lamp-logo.jpg width=749 height=561>",
}


@in_one_test("markup", PHOTOS.values(), PHOTOS)
def test_photos_are_no_icons(markup: str) -> None:
    page = Page.parse(f"<p>{markup}")
    assert not is_icon(page, page.list_rows("img")[0])


OTHERS = {
    "arrow": "<p class=nav-slider-prev><img src=/a.gif></p>",
    "drawing of a theme": "<div><img src=/wp-content/themes/lamp/a.svg></div>",
    "arrow file": "<div><img src=/b_next.gif></div>",
    "drawing": "<div><img src=/a.svg/70px-a.svg.png width=70 height=70></div>",
    "pictogram": "<div><img src=/picto/132/series.jpg></div>",
    "search": "<div class=search-header><img src=/a.png></div>",
    "small logo": "<img class=logo src=/a.png width=120 height=60 alt='A lamp'>",
    "wide logo": "<img src=/logo.png width=749 height=120>",
    "icon": "<img src=/a.png width=16 height=16>",
    "logo": "<div class=logo><img src=/a.png></div>",
    "avatar": "<span class='user avatar'><img src=/a.png></span>",
    "avatar file": "<div><img src=/avatars/a.png></div>",
    "button file": "<div><img src=/theme/buttons/viewpost-right.png></div>",
    "emoticon file": "<div><img src=/public/style_emoticons/wink.png></div>",
    "icon file": "<div><img src=/obj/ic_map.png></div>",
    "author file": "<div><img src=/comun/autor/autor-39-foto.jpeg></div>",
    "banner": "<div id=banner><img src=/a.png></div>",
    "advertisement": "<div class='ad top'><a href=/buy><img src=/a.png></a></div>",
    "teaser": "<div><a href=/other><img src=/a.png><p>Another story about another lamp</p></a></div>",
    "teaser with a figure": "<a href=/other><figure><img src=/a.png><figcaption>Another story</figcaption></figure></a>",
    "form": "<form><img src=/a.png></form>",
    "aside": "<aside><img src=/a.png></aside>",
    "hidden": "<div hidden><img src=/a.png></div>",
    "pixel": "<img src=/pixel.gif>",
}


@in_one_test("markup", OTHERS.values(), OTHERS)
def test_other_images_do_not_belong_to_the_text(markup: str) -> None:
    page = Page.parse(make_page(f"<div>Dropped</div>{markup}<div>Dropped</div>"))
    kept = [block.text.startswith(TEXT) for block in page.blocks]
    assert any(kept)
    assert find_figures(page, kept) == []


@in_one_test(
    "text", ["1:45 How a lamp is lit", "2 May 2024", "Share", "<a href=/other>Another story of a lamp</a>", TEXT * 9]
)
def test_other_texts_are_no_captions(text: str) -> None:
    page = Page.parse(make_page(f"<div>{IMAGE}<div>{text}</div></div>"))
    kept = [block.text.startswith(TEXT) and len(block.text) < 300 for block in page.blocks]
    assert [figure.captions for figure in find_figures(page, kept)] == [()]


def test_without_text_there_are_no_figures() -> None:
    page = Page.parse(f"<p>One{IMAGE}<p>Two")
    assert find_figures(page, [False, False]) == []
    assert find_figures(Page.parse("<body>"), []) == []


PIECES = st.sampled_from(
    [IMAGE, PARAGRAPH, "<figure>", "</figure>", "<figcaption>", "</figcaption>", "<div class=caption>", "</div>", "<a href=/>",
     "</a>", "<p>", "<td>", "<table>", "</table>", "<li>", "text", "<img>", "<picture>", "<noscript>", "<svg>", "</svg>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12), st.integers(0, 7))
def test_any_markup_has_valid_figures(pieces: list[str], rest: int) -> None:
    page = Page.parse("<body>" + "".join(pieces))
    kept = [row % 8 <= rest for row in range(len(page.starts))]
    for figure in find_figures(page, kept):
        assert page.tags[figure.image] == "img"
        assert 0 <= figure.position <= len(kept)
        assert all(0 <= row < len(kept) for row in figure.captions)


SHAPES = {
    "images": lambda n: PARAGRAPH + "<img src=a>" * n + PARAGRAPH,
    "deep": lambda n: PARAGRAPH + "<div><img src=a>x" * (n // 20) + PARAGRAPH,
    "figures": lambda n: PARAGRAPH + f"<figure>{IMAGE}<figcaption>x</figcaption></figure>" * (n // 4) + PARAGRAPH,
    "one box": lambda n: PARAGRAPH + "<div>" + "<b>x</b><img src=a>" * n + "</div>" + PARAGRAPH,
}


@pytest.mark.slow
@in_one_test("shape", SHAPES.values(), SHAPES)
def test_figures_are_found_in_linear_time(shape: Callable[[int], str]) -> None:
    def make(size: int) -> tuple[Page, list[bool]]:
        page = Page.parse(shape(size))
        return page, [True] * len(page.starts)

    assert_linear(make, lambda given: find_figures(*given), 8_000)


def test_the_number_of_images_is_limited() -> None:
    page = Page.parse(PARAGRAPH + "<img src=/a.jpg>" * 5_000 + PARAGRAPH)
    assert len(partial(find_figures, page)([True, True])) == 1_000


DECLARED = "<meta property='og:image' content='https://cdn.test/lantern-1200x630.jpg?w=1'>"
PHOTO = "<div class=gallery><img src=/img/lantern-640x480.jpg alt='A lantern'></div>"
FAR = "<nav><ul>" + "<li><a href=/shop>Lamps and candles</a></li>" * 16 + "</ul></nav>"
SENTENCES = "".join(
    f"<p>{text}</p>"
    for text in (
        "The lantern is made of brass and glass, and it burns for twelve hours on one filling of oil.",
        "Its wick is as wide as a thumb, and a small wheel at the side turns it up and down in the wind.",
        "Fishermen hang it from the bow, so that its light falls on the water before the boat, not on them.",
        "We clean the glass with paper and a little vinegar, which leaves no streaks when the lamp is lit.",
    )
)


def test_the_image_that_a_page_declares_is_shown_far_from_the_text() -> None:
    doc = extract(f"{DECLARED}<h1>Lantern</h1>{PHOTO}{FAR}{SENTENCES}", "https://shop.test/lantern")
    assert "lantern-640x480.jpg" in doc.markdown
    assert "lantern-640x480.jpg" not in extract(f"<h1>Lantern</h1>{PHOTO}{FAR}{SENTENCES}").markdown


@pytest.mark.parametrize(
    "image",
    [
        "<a class=logo href=/><img src=/img/lantern-640x480.jpg></a>",
        "<a href=/other><img src=/img/lantern-640x480.jpg></a>",
        "<img width=16 height=16 src=/img/lantern-640x480.jpg>",
        "<div style='display:none'><img src=/img/lantern-640x480.jpg></div>",
        "<nav><img src=/img/lantern-640x480.jpg></nav>",
    ],
    ids="logo teaser icon hidden menu".split(),
)
def test_a_declared_image_that_is_a_logo_or_a_teaser_is_not_shown(image: str) -> None:
    doc = extract(f"{DECLARED}<h1>Lantern</h1>{image}{FAR}{SENTENCES}", "https://shop.test/lantern")
    assert "lantern-640x480.jpg" not in doc.markdown


@pytest.mark.parametrize(
    ("name", "place"),
    [("csm_lantern_d323a37b2a.jpg", "{image}{text}"), ("lantern.jpg", "{text}<div>Share</div>{image}")],
)
def test_a_declared_image_may_have_another_hash_or_follow_the_text(name: str, place: str) -> None:
    declared = DECLARED.replace("lantern-1200x630", "csm_lantern_03444aeae0" if "csm" in name else "lantern")
    image = f"<div class=banner><img src=/img/{name}></div>"
    doc = extract(
        f"{declared}<h1>Lantern</h1>{place.format(image=image + FAR, text=''.join(PARAGRAPHS))}", "https://shop.test/l"
    )
    assert f"/img/{name}" in doc.markdown


def test_a_declared_image_is_shown_once() -> None:
    inside = SENTENCES.replace("</p>", "</p><img src=/img/lantern.jpg alt='A lantern'>", 1)
    doc = extract(f"{DECLARED}<h1>Lantern</h1>{PHOTO}{FAR}{inside}", "https://shop.test/lantern")
    assert doc.markdown.count("![") == 1


@pytest.mark.parametrize(
    ("title", "is_shown"),
    [
        ("Brass lantern", True),
        ("BRASS LANTERN - Lamps", True),
        ("Lamps: Brass lantern", True),
        ("Lamps and candles of all kinds | Brass lantern", False),
        ("Brass lantern, and a great many other lamps and candles", False),
    ],
)
def test_the_image_that_is_described_by_the_title_is_shown_if_there_is_no_other(title: str, is_shown: bool) -> None:
    photo = "<div class=gallery><img src=/img/4711.jpg alt='Brass Lantern'></div>"
    page = f"<title>{title}</title><h1>Brass lantern</h1>{photo}{FAR}{SENTENCES}"
    assert ("4711.jpg" in extract(page).markdown) is is_shown
    other = SENTENCES.replace("</p>", "</p><img src=/img/flame.jpg alt='A flame that burns'>", 1)
    assert "4711.jpg" not in extract(page.replace(SENTENCES, other)).markdown


def test_the_image_of_a_product_is_shown_beside_others_and_if_it_is_hidden_from_screen_readers() -> None:
    gallery = "<div aria-hidden=true><img src=/img/4711.jpg alt='Brass Lantern'></div>"
    page = Page.parse(f"<title>Brass lantern</title>{gallery}<p>A lamp.</p>")
    assert find_titled_image(page, 1) is None
    image = find_titled_image(page, 1, may_be_hidden=True)
    assert image is not None
    assert page.tags[image] == "img"
    assert find_titled_image(page, 1, {image}, may_be_hidden=True) is None
