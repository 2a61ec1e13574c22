"""What a network has chosen is completed: every rule is applied, on pages of the right kind, and to no other blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bonmun import Page
from bonmun.algorithms.completion import complete_text
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import HEADING, REASON_TEXTS, TITLE, UNLIKE, Decision
from bonmun.page.callouts import find_callout_titles

if TYPE_CHECKING:
    from collections.abc import Collection

LONG = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him"
CONTROL = "words of a control"
RUN = f"<p class=a>{LONG} once.</p><p class=a>{LONG} twice.</p><p class=a>Yes.</p>"
GAP = f"<p>{LONG} once.</p><blockquote>It was the brightest light of all.</blockquote><p>{LONG} twice.</p>"
LIST = f"<div><h2>{LONG}</h2><ul><li>Fauna<li>Prisma</ul><p>{LONG} twice.</p></div>"
SECTION = f"<section><h2>The lamp</h2><p>{LONG} once.</p></section>"
ITEM = f"<div><a href=/a>A lamp is lit</a></div><p><a href=/a>{LONG} once.</a></p>"
LEAD = f"<h1>A lamp</h1><p class=lead>A village has its light back</p><p>{LONG} once.</p>"
FIGURE = (
    f"<p>{LONG} once.</p><figure><img src=/a.jpg><figcaption>The old lamp</figcaption></figure><p>{LONG} twice.</p>"
)


def complete(
    html: str,
    kind: str,
    *,
    score: float = 0.45,
    reason: str = REASON_TEXTS[UNLIKE],
    template: Collection[str] = (),
    comments: Collection[str] = (),
) -> dict[str, str]:
    """Complete a page whose long texts are kept; return the reason of every text that was added.

    `score` and `reason` are those of all other blocks.
    """
    page = Page.parse(f"<body>{html}")
    texts = page.block_texts
    kept = [text.startswith(LONG) for text in texts]
    found = Decision(
        list(kept),
        [0.9 if each else score for each in kept],
        ["like main text" if each else reason for each in kept],
        [row for row, text in enumerate(texts) if text in comments],
        kind,
        [(each, float(each == kind)) for each in PAGE_KINDS],
        0.9,
        [],
    )
    complete_text(page, found, frozenset(row for row, text in enumerate(texts) if text in template))
    added = [row for row, each in enumerate(found.kept) if each and not kept[row]]
    assert all(found.scores[row] >= 0.5 for row in added)
    return {texts[row]: found.reasons[row] for row in added}


def test_a_line_like_those_beside_it_is_kept() -> None:
    assert complete(RUN, "article") == {"Yes.": "like the text beside it"}
    assert complete(RUN, "service") == {"Yes.": "like the text beside it"}
    assert complete(RUN.replace("class=a>Yes", "class=b>Yes"), "listing") == {}
    assert complete(RUN.replace("class=a>Yes", "class=b>Yes"), "article", score=0.3) == {}


def test_a_gap_is_filled() -> None:
    assert complete(GAP, "article") == {"It was the brightest light of all.": "between main text"}
    assert complete(GAP, "service") == {}
    assert complete(GAP, "article", score=0.3) == {}


def test_a_list_stays_with_its_heading() -> None:
    reason = "list below a kept heading"
    assert complete(LIST, "article", score=0.05) == {"Fauna": reason, "Prisma": reason}
    assert complete(LIST, "listing", score=0.05) == {}


def test_a_heading_stays_with_its_text() -> None:
    assert complete(SECTION, "article", score=0.2) == {"The lamp": "heading of kept text"}
    assert complete(SECTION, "product", score=0.2) == {}


def test_a_title_stays_with_its_item() -> None:
    assert complete(ITEM, "listing", score=0.1) == {"A lamp is lit": "title of a kept item"}
    assert complete(ITEM, "article", score=0.1) == {}


def test_texts_at_equal_places_are_decided_alike() -> None:
    items = "".join(f"<li class='item-{n}'><p>{LONG if n != 2 else 'Lamps'} {n}.</p></li>" for n in range(5))
    page = f"<ul>{items}</ul>"
    reason = "like most texts at such places"
    assert complete(page, "listing", score=0.2) == {"Lamps 2.": reason}
    assert complete(page, "article", score=0.2) == {"Lamps 2.": reason}
    assert complete(page, "forum", score=0.2) == {}  # posts are decided elsewhere
    assert complete(page, "service", score=0.2) == {}
    assert complete(page, "listing", score=0.05) == {}
    assert complete(page.replace("<p>Lamps", "<p class=price>Lamps"), "listing", score=0.2) == {}
    rows = "".join(f"<tr><td>{LONG if n != 2 else 'Lamps'} {n}.<td>{LONG} again {n}." for n in range(5))
    assert complete(f"<table><tr><th>{LONG}<th>{LONG}{rows}</table>", "article", score=0.2) == {}  # as units


def test_a_list_that_is_dropped_whole_is_not_kept_in_part() -> None:
    def run(scores: list[float]) -> list[bool]:
        page = Page.parse("<body><ul><li>One<li>Two<li>Three</ul><p>And then</p><ul><li>Four<li>Five</ul>")
        kept = [score >= 0.5 for score in scores]
        kinds = [(each, float(each == "listing")) for each in PAGE_KINDS]
        found = Decision(kept, scores, ["x"] * len(kept), [], "listing", kinds, 0.9, [])
        complete_text(page, found, frozenset())
        return found.kept

    assert run([0.9, 0.9, 0.9, 0.9, 0.4, 0.05]) == [True] * 4 + [False] * 2  # the last item is unlikely
    assert run([0.9, 0.9, 0.9, 0.9, 0.4, 0.4]) == [True] * 6


def test_captions_tear_no_list() -> None:
    shares = FIGURE.replace("<p>", "<ul><li>Share<li>{}</ul><p>", 1)
    caption = "<figure><img src=/b.jpg><figcaption>Copy the address</figcaption></figure>"
    assert complete(shares.format(caption), "article", score=0.0) == {"The old lamp": "caption of an image in the text"}
    assert "By Ann" in complete(FIGURE.replace("lamp</", "lamp</figcaption><figcaption>By Ann</"), "article", score=0.0)


def test_titles_are_written_once_and_notes_are_kept() -> None:
    double = f"<a href=/a><span>{LONG} once.</span></a><h3><a href=/a>{LONG} once.</a></h3>"
    assert drop(f"<div>{double}</div><p>{LONG} twice.</p>", "listing") == {f"{LONG} once.": "said before"}
    marks = "".join(f"<p>{LONG} {n}<sup><a href=#fn{n}>{n}</a></sup></p>" for n in (1, 2))
    notes = "<ol><li id=fn1>The first log.<li id=fn2>The second log.</ol>"
    reason = "note of kept text"
    assert complete(marks + notes, "article", score=0.0) == {"The first log.": reason, "The second log.": reason}


def test_section_headings_stay_with_their_items() -> None:
    items = "".join(f"<p><a href=/{n}>{LONG} {n}.</a></p>" for n in range(4))
    page = f"<section><h2>Lamps</h2>{items}</section>"
    assert complete(page, "listing", score=0.3) == {"Lamps": "heading of kept items"}
    assert complete(page, "listing", score=0.1) == {}


def test_a_second_heading_with_words_of_the_title_is_not_the_headline() -> None:
    def run(html: str, title: str = "How the lamp works") -> list[bool]:
        page = Page.parse(f"<title>{title}</title>{html}<h3>The wick</h3><p>{LONG}</p>")
        reasons = [REASON_TEXTS[TITLE] if text == "The wick" else "x" for text in page.block_texts]
        kept = [text == LONG for text in page.block_texts]
        kinds = [(each, float(each == "article")) for each in PAGE_KINDS]
        found = Decision(kept, [0.0] * len(kept), reasons, [], "article", kinds, 0.9, [])
        complete_text(page, found, frozenset())
        return found.kept

    assert run("<h1>How the lamp works</h1>") == [False, True, True]
    assert run("<h1>Lamp shop</h1>") == [False, False, True]
    assert run("<h1>How the lamp works: the wick</h1>") == [False, False, True]
    assert run("<h1>Lamp shop</h1>", "The wick of a lamp | Lamp shop") == [False, False, True]


def test_the_lead_and_captions_are_kept() -> None:
    assert complete(LEAD, "article", score=0.0) == {"A village has its light back": "lead of the text"}
    assert complete(FIGURE, "article", score=0.0) == {"The old lamp": "caption of an image in the text"}


def drop(html: str, kind: str) -> dict[str, str]:
    """Complete a page whose texts are all kept; return the reason of every text that was dropped."""
    page = Page.parse(f"<body>{html}")
    texts = page.block_texts
    chances = [(each, float(each == kind)) for each in PAGE_KINDS]
    all_kept = [True] * len(texts)
    found = Decision(all_kept, [0.9] * len(texts), ["like main text"] * len(texts), [], kind, chances, 0.9, [])
    complete_text(page, found, frozenset())
    return {text: reason for text, reason, kept in zip(texts, found.reasons, found.kept, strict=True) if not kept}


def test_promotions_are_dropped_from_articles() -> None:
    text = f"<p>{LONG} once.</p><p>{LONG} twice.</p><p>{LONG} again.</p>"
    page = f"{text}<p>Read also: <a href=/b>How the lamp came to the island</a></p>{text}"
    assert drop(page, "article") == {"Read also: How the lamp came to the island": "promotion of another page"}
    assert drop(page, "listing") == {}


def test_bylines_and_copyright_are_dropped_around_a_text() -> None:
    reason = "byline, date or copyright"
    text = f"<p>{LONG} once.</p><p>{LONG} twice.</p>"
    page = f"<p>By Ann Lee</p>{text}<p>홍길동 기자 hong@example.com</p><p>© 2026 Lamps, all rights reserved</p>"
    assert drop(page, "article") == {
        "By Ann Lee": reason,
        "홍길동 기자 hong@example.com": reason,
        "© 2026 Lamps, all rights reserved": reason,
    }
    assert drop(page, "listing") == {}


def test_a_headline_that_is_repeated_as_text_is_dropped() -> None:
    page = Page.parse(f"<body><title>A lamp is lit</title><h2>A lamp is lit</h2><div>A lamp is lit<br><br>{LONG}</div>")
    kinds = [(each, float(each == "article")) for each in PAGE_KINDS]
    found = Decision([False, True, True], [0.4, 0.9, 0.9], ["the title", "x", "x"], [], "article", kinds, 0.9, [])
    complete_text(page, found, frozenset())
    assert found.kept == [False, False, True]


@pytest.mark.parametrize(
    ("markup", "kind", "dropped"),
    [
        ("<h1>A lamp is lit</h1>", "article", True),
        ("<header><h1><span>등대에</span> 불이 켜졌다</h1></header>", "listing", True),
        ("<h1>A lamp is lit</h1>", "service", False),
        ("<h1>A lamp is lit</h1>", "product", False),
        ("<h1><a href=/lamp>A lamp is lit</a></h1>", "listing", False),
        ("<h1>Boats come home</h1>", "article", False),
        ("<h2>A lamp is lit</h2>", "article", False),
        ("<h1>A lamp is lit</h1><p>Once.</p><h1>A lamp is lit again</h1>", "article", False),
    ],
)
def test_the_headline_above_the_text_is_dropped(markup: str, kind: str, dropped: bool) -> None:
    title = "<title>A lamp is lit - 등대에 불이 켜졌다</title>"
    page = Page.parse(f"{title}<body>{markup}<p>{LONG} once.</p><p>{LONG} twice.</p>")
    count = len(page.starts)
    kinds = [(each, float(each == kind)) for each in PAGE_KINDS]
    found = Decision([True] * count, [0.9] * count, ["like main text"] * count, [], kind, kinds, 0.9, [])
    complete_text(page, found, frozenset(), keeps_headline=True)
    assert all(found.kept)
    complete_text(page, found, frozenset())
    assert found.kept == [not dropped, *[True] * (count - 1)]


def test_a_licence_after_the_text_is_dropped() -> None:
    text = f"<p>{LONG} once.</p><p>{LONG} twice.</p>"
    terms = "<div><a rel='license' href=/by>CC BY</a><br><br>You may share this page.<ul><li>Name the author</ul></div>"
    assert drop(f"{text}{terms}", "article") == {
        "CC BY": "licence",
        "You may share this page.": "licence",
        "Name the author": "licence",
    }
    assert drop(f"{terms}{text}", "article") == {}  # not at the end
    assert drop(f"<article>{text}<a rel=license href=/by>CC BY</a></article>", "article") == {}  # no box of its own


def test_advertisements_are_dropped_from_lists() -> None:
    items = "".join(f"<li><p><a href=/{n}>{LONG} {n}.</a></p></li>" for n in range(3))
    ad = f"<li><p>ANZEIGE</p><p><a href=/b>{LONG} twice.</a></p></li>"
    reason = "advertisement"
    assert drop(f"<ul>{items}{ad}</ul>", "listing") == {"ANZEIGE": reason, f"{LONG} twice.": reason}
    assert drop(f"<ul>{items}</ul><div><p>ANZEIGE</p><p>{LONG} twice.</p></div>", "listing") == {"ANZEIGE": CONTROL}
    later = f"<li><p>{LONG} twice.</p><p>ANZEIGE</p></li>"
    assert drop(f"<ul>{items}{later}</ul>", "listing") == {"ANZEIGE": CONTROL}


def test_the_price_of_a_product_is_kept() -> None:
    page = f"<h1>A lamp</h1><div class=price>$12.90</div><button>Buy</button><p>{LONG} once.</p>"
    assert complete(page, "product", score=0.0) == {"$12.90": "price of the product"}
    assert complete(page, "article", score=0.0) == {}


def test_template_comments_and_hidden_blocks_stay_dropped() -> None:
    assert complete(RUN, "article", template=["Yes."]) == {}
    assert complete(RUN, "article", comments=["Yes."]) == {}
    assert complete(RUN.replace("<p class=a>Yes", "<p class=a hidden>Yes"), "article") == {}
    assert complete(FIGURE.replace("<figcaption", "<figcaption hidden"), "article") == {}
    assert complete(ITEM.replace("<div", "<div hidden"), "listing") == {}
    assert complete(FIGURE, "article", score=0.0, template=["The old lamp"]) == {}
    assert complete(FIGURE, "article", score=0.0, comments=["The old lamp"]) == {}


def test_a_heading_above_an_image_is_kept_though_it_has_no_text() -> None:
    html = f"<section><h2>The lamp</h2><img src=/a.jpg><h2>The pier</h2><p>{LONG} once.</p></section>"
    assert complete(html, "article", score=0.0, reason=REASON_TEXTS[HEADING]) == {"The lamp": "heading of kept text"}
    assert complete(html, "article", score=0.0) == {}


def test_a_heading_whose_text_is_dropped_is_dropped() -> None:
    page = Page.parse(f"<body><p>{LONG} once.</p><h2>See also</h2><p>Fauna</p><h2>The end</h2><p>{LONG} twice.</p>")
    kept = [text != "Fauna" for text in page.block_texts]
    found = Decision(
        list(kept),
        [0.6] * len(kept),
        ["like main text"] * len(kept),
        [],
        "product",
        [(each, float(each == "product")) for each in PAGE_KINDS],
        0.9,
        [],
    )
    complete_text(page, found, frozenset())
    dropped = [row for row, each in enumerate(found.kept) if kept[row] and not each]
    assert [page.block_texts[row] for row in dropped] == ["See also"]
    assert found.reasons[dropped[0]] == REASON_TEXTS[HEADING]
    assert found.scores[dropped[0]] < 0.5


def test_the_title_of_a_kept_callout_is_kept() -> None:
    page = Page.parse(
        "<div class=admonition><p class=admonition-title>Mind the edges</p><p>The pages break when turned.</p></div>"
        "<div class=card><p class=card-title>Mind the gap</p><p>The train stops here.</p></div>"
        "<div class=admonition><p class=admonition-title>Dropped</p><p>This text is dropped.</p></div>"
    )
    assert list(find_callout_titles(page, [False, True, False, True, False, False])) == [0]
    assert list(find_callout_titles(page, [False] * 6)) == []
    assert list(find_callout_titles(Page.parse("<p>One"), [True])) == []
    table = "<table><tr><td rowspan=2><img></td><th>Note</th></tr><tr><td><p>The text.</p></td></tr></table>"
    page = Page.parse(f"<div class=note>{table}</div><p>More")
    assert list(find_callout_titles(page, [False, True, True])) == [0]
    assert list(find_callout_titles(page, [False, False, True])) == []


@pytest.mark.parametrize(
    ("html", "kind", "dropped"),
    [
        (f"<time>4 March 2026</time><p>{LONG} once.</p><p>{LONG} twice, on <time>5 March</time>.</p>", "article", [0]),
        (f"<time>4 March 2026</time><p>{LONG} once.</p>", "listing", []),
        (f"<p>{LONG} once.</p><time>4 March 2026</time>", "article", []),
        ("<time>4 March 2026</time>", "article", []),
    ],
)
def test_a_date_before_the_text_of_an_article_is_dropped(html: str, kind: str, dropped: list[int]) -> None:
    page = Page.parse(f"<body>{html}")
    count = len(page.starts)
    kinds = [(each, float(each == kind)) for each in PAGE_KINDS]
    found = Decision([True] * count, [0.9] * count, ["like main text"] * count, [], kind, kinds, 0.9, [])
    complete_text(page, found, frozenset())
    assert [row for row, each in enumerate(found.kept) if not each] == dropped


@pytest.mark.parametrize(
    ("markup", "scores", "reason"),
    [
        # a section below a dropped heading, and one of several texts at equal places
        (
            "<div><h2>Most read</h2><p><a href=/b>An old boat</a></p></div>",
            (0.05, 0.6),
            "section of a dropped heading",
        ),
        (
            "<p class=b>An old boat</p><p class=b>A lamp</p><p class=b>A pier</p><p class=b>A gull</p>",
            (0.55, 0.3, 0.2, 0.2),
            "unlike most texts at such places",
        ),
        (
            "".join(f"<section><h4>{LONG} on day {n}</h4><p class=d>March {n}</p></section>" for n in range(5)),
            (0.95, 0.7, 0.95, 0.7, 0.95, 0.3, 0.95, 0.3, 0.95, 0.3),
            "unlike most texts at such places",
        ),
        ("<div><button>Open</button></div>" * 3, (0.6, 0.6, 0.6), "words of a control"),
    ],
)
def test_what_is_hardly_kept_of_a_listing_is_dropped(markup: str, scores: tuple[float, ...], reason: str) -> None:
    def find_reasons(kind: str) -> list[str]:
        news = "".join(f"<article><h3>{LONG}</h3><p>{LONG} {n} times.</p></article>" for n in "12")
        page = Page.parse(f"<body>{news}{markup}")
        given = [*[0.95] * (len(page.starts) - len(scores)), *scores]
        kept = [score >= 0.5 for score in given]
        reasons = ["like main text" if each else REASON_TEXTS[UNLIKE] for each in kept]
        kinds = [(each, float(each == kind)) for each in PAGE_KINDS]
        found = Decision(list(kept), given, reasons, [], kind, kinds, 0.9, [])
        complete_text(page, found, frozenset())
        return [found.reasons[row] for row, was in enumerate(kept) if was and not found.kept[row]]

    assert set(find_reasons("listing")) == {reason}
    assert reason not in find_reasons("article")
