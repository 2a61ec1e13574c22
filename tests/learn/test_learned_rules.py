"""Rules learned from the pages of a made-up site."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bonmun import extract
from bonmun.learn.main_text import choose_main_text
from bonmun.learn.site_rules import write_learned
from bonmun.learn.studied import StudiedPage, list_candidates
from bonmun.learn.survey import NamedPage, study_site, survey_pages
from bonmun.learn.threads import choose_posts
from bonmun.page import Page
from bonmun.rules.find import find_rows, list_values
from bonmun.rules.rule_files import parse_rules
from bonmun.rules.rule_set import RuleSet
from learned_site import HOST, learn, make_article, make_pages, make_text, make_thread
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.rules.records import SiteRule


@pytest.fixture(scope="module")
def rule() -> SiteRule:
    (rule,) = learn(make_pages(8)).rules
    return rule


def test_the_text_and_its_fields_are_found(rule: SiteRule) -> None:
    page = make_pages(8)[5].page
    assert rule.hosts == (HOST,)
    (container,) = find_rows(page, rule.within)
    assert page.tags[container] in ("div", "main")
    assert list_values(page, rule.title[0]) == [extract(page).title]
    assert list_values(page, rule.date[0])[0].startswith("2026-03-06")


def test_a_rule_keeps_what_the_method_keeps_and_nothing_else(rule: SiteRule) -> None:
    for number in (11, 12, 13):
        page = Page.parse(make_article(number), f"https://{HOST}/{number}")
        doc = extract(page, rules=RuleSet((rule,)))
        assert "never expected" in doc.text
        assert "Subscribe" not in doc.text
        assert "Imprint" not in doc.text
        assert doc.date == f"2026-03-{number + 1:02}"


def test_the_file_can_be_read_and_says_where_it_comes_from(rule: SiteRule) -> None:
    text = write_learned(learn(make_pages(8)))
    (read,) = parse_rules(text.encode(), "site.toml")
    assert (read.hosts, read.within, read.title) == (rule.hosts, rule.within, rule.title)
    assert "# harbour.example, layout 1 of 1: article, 8 of 8 pages; the method" in text
    assert f"# such as https://www.{HOST}/0" in text
    assert "# date: the same as the method on 8 of 8 pages" in text


def test_main_is_written_only_where_it_is_allowed_and_gives_the_same_text(rule: SiteRule) -> None:
    assert not rule.main
    (with_main,) = learn(make_pages(8), allow_main=True).rules
    assert bool(with_main.main) != bool(with_main.within)


def test_the_order_of_the_pages_does_not_matter() -> None:
    pages = make_pages(7, 5)
    rules = learn(pages).rules
    random.Random(2).shuffle(pages)
    assert learn(pages).rules == rules


def test_rules_of_two_layouts_do_not_disturb_each_other() -> None:
    pages = make_pages(8, 6)
    found = learn(pages)
    assert len(found.layouts) == 2
    assert found.rules
    rules = RuleSet(found.rules)
    for each in found.rules:
        assert each.needs
    for page in pages:
        assert len(rules.find(page.page)) <= 1
        assert extract(page.page, rules=rules).text.split() == extract(page.page, rules="none").text.split()


def test_wrong_pages_do_not_infect_the_rule(rule: SiteRule) -> None:
    """Pages of the layout without text, such as drafts, are a minority that has no vote."""
    empty = [make_article(n).replace(make_text(n, 3 + n % 3), "<p>Soon.</p>") for n in (20, 21)]
    (found,) = learn(make_pages(8, 0, *empty)).rules
    assert found.within == rule.within
    assert found.date == rule.date


def test_few_or_unsure_pages_give_no_rule_and_the_file_says_why() -> None:
    few = learn(make_pages(2))
    assert few.rules == ()
    assert "[[rule]]" not in write_learned(few)
    shells = [f"<body class=shell><div class=app><p>Page {n}</p></div>" for n in range(6)]
    empty = learn(make_pages(0, 0, *shells))
    assert empty.rules == ()
    assert "No rule: the method is confident of 0 of 6 pages only." in write_learned(empty)


def test_no_generated_names_in_selectors() -> None:
    page = Page.parse("<div id=post-12345 class='css-1x2yz3 active body'><p>Text</p></div>")
    row = page.tags.index("div")
    assert all("123" not in text and "css" not in text and "active" not in text for text in list_candidates(page, row))
    assert ".body" in list_candidates(page, row)


def test_names_of_pages_cannot_add_to_the_file() -> None:
    pages = [NamedPage(f'a\n[[rule]]\nname = "x{n}"\r\u2028', each.page) for n, each in enumerate(make_pages(5))]
    text = write_learned(learn(pages))
    assert len(parse_rules(text.encode(), "site.toml")) == 1


def test_posts_of_threads_are_found() -> None:
    pages = make_pages(0, 0, *map(make_thread, range(5)))
    found = choose_posts([StudiedPage(page, extract(page), url) for url, page in pages])
    assert found is not None
    assert (found.right, found.pages) == (5, 5)
    (rule,) = learn(pages).rules
    assert rule.posts == found.selectors
    doc = extract(make_thread(7), f"https://{HOST}/t/7", rules=RuleSet((rule,)))
    assert [post.author for post in doc.posts] == ["Ann_1", "Bo_2", "Cy_3", "Dee_4", "Eve_5", "Fay_6"]
    assert [post.date for post in doc.posts] == [f"2026-03-0{day}" for day in range(1, 7)]
    assert "Quote" not in doc.text


def test_articles_have_no_posts() -> None:
    assert choose_posts([StudiedPage(page, extract(page), url) for url, page in make_pages(4)]) is None


def test_pages_of_an_unknown_site_are_named() -> None:
    pages = [NamedPage("a.html", Page.parse(make_article(1)))]
    assert survey_pages([0], pages.__getitem__) == ([], ["a.html"])
    (site,), unknown = survey_pages([0], pages.__getitem__, "blog.harbour.example")
    assert (site.name, site.hosts, unknown) == (HOST, {"blog.harbour.example": 1}, [])


def test_addresses_are_sites() -> None:
    declared = "<link rel=canonical href='http://[{}]/a'>"
    pages = [NamedPage(name, Page.parse(declared.format(name) + make_article(1))) for name in ("::1", "2001:db8::1")]
    sites, unknown = survey_pages(range(2), pages.__getitem__)
    assert ([site.name for site in sites], unknown) == (["2001:db8::1", "::1"], [])


def test_pages_unlike_all_others_are_outliers() -> None:
    pages = make_pages(5, 4, "<table class=log><tr><td class=cell>A<td>B</table><dl><dt>C<dd>D</dl>")
    (site,), _ = survey_pages(range(len(pages)), pages.__getitem__)
    studied = study_site(site, pages.__getitem__)
    assert [layout.count for layout in studied.layouts] == [5, 4]
    assert studied.outliers == (pages[-1].name,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["<div class='a{n}x b c{n}y'><p class=q>Some words of a text.</p></div>", "<div class=a><b class=b>x</b>"],
    ids=["many names", "deep"],
)
def test_hostile_pages_take_linear_time(unit: str) -> None:
    def make(size: int) -> list[StudiedPage]:
        html = f"<title>T</title><body>{''.join(unit.replace('{n}', chr(97 + n % 26)) for n in range(size))}"
        pages = [Page.parse(html, f"https://{HOST}/{n}") for n in range(3)]
        return [StudiedPage(page, extract(page, method="all"), "") for page in pages]

    assert_linear(make, choose_main_text, 1500)
