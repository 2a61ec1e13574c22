"""The lead between the headline and the text is kept; bylines, menus and copies are not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page, extract
from bonmun.page.leads import find_lead
from samples import in_one_test
from timing import assert_linear

LEAD = "A village has its lamp back, and the boats have a light to steer by after thirty dark years"
LINES = (
    "Nobody had expected the old lamp to work, since its glass had been broken for as long as anyone could remember.",
    "The keeper had cleaned its lenses for weeks, and on the last evening half of the village came up to help him.",
    "Boats came from the islands with their lights out, so that the beam could be seen all the way to the reef.",
)
BODY = "".join(
    f"<p>{line} It was a clear night, and people stayed on the pier until the morning.</p>" for line in LINES
)
DESCRIPTION = f"<meta name=description content='{LEAD}.'>"


def make_page(header: str, head: str = "") -> str:
    menu = "<nav><a href=/a>Home</a> <a href=/b>News</a> <a href=/c>Harbour</a></nav>"
    byline = "<div class=byline><span>By Ann Lee</span> <span>May 3, 2024</span></div><div class=share>Share</div>"
    return (
        f"<title>A lamp is lit</title>{head}<body>{menu}<article><header>{header}{byline}</header>"
        f"<div class=body>{BODY}</div></article><footer><p>Imprint of the paper</p></footer>"
    )


def find_body(page: Page) -> list[bool]:
    """Return which blocks are paragraphs of the body."""
    return [text.startswith(LINES) for text in page.block_texts]


HEADERS = {
    "class": f"<h1>A lamp is lit</h1><p class=standfirst>{LEAD}</p>",
    "class of two words": f"<h1>A lamp is lit</h1><div class='td-post-sub-title'>{LEAD}</div>",
    "class in the box of the byline": f"<h1>A lamp is lit</h1><div class=byline-social><p class=strapline>{LEAD}</p></div>",
    "class around a list": f"<h1>A lamp is lit</h1><div class=post-entradilla><ul><li><h2>{LEAD}</h2></ul></div>",
    "heading next to the headline": f"<h1>A lamp is lit</h1><h2>{LEAD}</h2>",
}


@in_one_test("header", HEADERS.values(), HEADERS)
def test_a_lead_is_found_and_kept(header: str) -> None:
    page = Page.parse(make_page(header))
    assert [page.block_texts[row] for row in find_lead(page, find_body(page))] == [LEAD]
    assert extract(page).text.count(LEAD) == 1


def test_short_leads_in_east_asian_languages_are_found() -> None:
    lead = "三十年ぶりの灯り､全住民が波止場に集まる"
    page = Page.parse(make_page(f"<h1>灯台にあかりがともる</h1><h2>{lead}</h2>"))
    assert [page.block_texts[row] for row in find_lead(page, find_body(page))] == [lead]


def test_a_headline_may_be_any_block_with_the_title_of_the_page() -> None:
    page = Page.parse(make_page(f"<h4>A lamp is lit</h4><p class=excerpt>{LEAD}</p>"))
    assert [page.block_texts[row] for row in find_lead(page, find_body(page))] == [LEAD]
    page = Page.parse(make_page(f"<h4>Other words</h4><p class=excerpt>{LEAD}</p>"))
    assert find_lead(page, find_body(page)) == []


def test_remarks_in_brackets_are_no_leads() -> None:
    page = Page.parse(make_page(f"<h1>A lamp is lit</h1><p class=subtitle>({LEAD})</p>"))
    assert find_lead(page, find_body(page)) == []


def test_a_lead_is_known_by_the_description_of_the_page() -> None:
    header = f"<h1>A lamp is lit</h1><p class=x>{LEAD}</p>"
    page = Page.parse(make_page(header, DESCRIPTION))
    assert [page.block_texts[row] for row in find_lead(page, find_body(page))] == [LEAD]
    undeclared = Page.parse(make_page(header))
    assert find_lead(undeclared, find_body(undeclared)) == []


NO_LEADS = {
    "link": f"<h1>A lamp is lit</h1><p class=lead><a href=/other>{LEAD}</a></p>",
    "byline": "<h1>A lamp is lit</h1><p class=subtitle>By Ann Lee, published on May 3, 2024</p>",
    "before the headline": f"<p class=subtitle>{LEAD}</p><h1>A lamp is lit</h1>",
    "without a headline": f"<p class=subtitle>{LEAD}</p>",
    "figure": f"<h1>A lamp is lit</h1><figure class=lead><p>{LEAD}</p></figure>",
    "hidden": f"<h1>A lamp is lit</h1><p class=subtitle style=display:none>{LEAD}</p>",
    "headline again": "<h1>A lamp is lit in the village</h1><p class=subtitle>A lamp is lit in the village!</p>",
}


@in_one_test("header", NO_LEADS.values(), NO_LEADS)
def test_other_lines_are_not_leads(header: str) -> None:
    page = Page.parse(make_page(header))
    assert find_lead(page, find_body(page)) == []


def test_the_lines_of_an_item_are_no_leads() -> None:
    page = Page.parse(make_page(f"<h1>A lamp is lit</h1><h3>Harbour</h3><p class=subtitle>{LEAD}</p>"))
    kept = [is_kept or text == "Harbour" for text, is_kept in zip(page.block_texts, find_body(page), strict=True)]
    assert find_lead(page, find_body(page)) != []
    assert find_lead(page, kept) == []


def test_of_two_copies_the_one_next_to_the_text_is_kept() -> None:
    header = f"<h1>A lamp is lit</h1><p class='lead small'>{LEAD}</p><p class='lead large'>{LEAD}</p>"
    page = Page.parse(make_page(header))
    [row] = find_lead(page, find_body(page))
    assert page.attr(page.owners[row], "class") == "lead large"


def test_a_lead_explains_itself() -> None:
    doc = extract(make_page(HEADERS["class in the box of the byline"]))
    [row] = [row for row, text in enumerate(doc.page.block_texts) if text == LEAD]
    assert doc.labels.kept[row]
    assert doc.labels.reasons[row] == "lead of the text"


@given(
    st.lists(st.sampled_from(["<h1>x</h1>", f"<p class=lead>{LEAD}</p>", "<p>", "</p>", LINES[0], "<div>", "</div>"]))
)
def test_any_markup_has_valid_leads(parts: list[str]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    kept = [row % 2 == 0 for row in range(len(page.starts))]
    rows = find_lead(page, kept)
    assert rows == sorted(set(rows))
    assert not any(kept[row] for row in rows)


def test_leads_are_found_in_linear_time() -> None:
    def make(size: int) -> Page:
        metas = f"<meta name=description content='{'x ' * 500}'>" * size
        lines = f"<div class='{'a-' * 50}'><p class=x>{LEAD}</p></div>" * size
        return Page.parse(f"{metas}<h1>A</h1>{lines}{BODY}")

    def run(page: Page) -> list[int]:
        return find_lead(page, find_body(page))

    assert_linear(make, run, 4_000)


def test_the_slogan_below_the_name_of_the_site_is_no_lead() -> None:
    header = "<h1>Harbour News</h1><h4>The light house of free reporting</h4>"
    title = "<title>A village has its lamp back | Harbour News</title>"
    page = Page.parse(f"{title}<body><div>{header}</div><h2>A village has its lamp back</h2>{BODY}")
    assert find_lead(page, find_body(page)) == []
    page = Page.parse(f"{title}<body><div>{header}</div>{BODY}")
    assert [page.block_texts[row] for row in find_lead(page, find_body(page))] == ["The light house of free reporting"]
