"""Rules applied to pages: which match, what they keep and drop, which metadata they give, and who decides what."""

from __future__ import annotations

import logging
import os
import pickle
from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun.explain import explain, write_explanation
from bonmun.options import Options
from bonmun.page import Page
from bonmun.rules.rule_files import parse_rules
from bonmun.rules.rule_set import RuleSet, load_rules
from timing import measure

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.document import Document

PAGE = """<html><head><title>The ferry is late - Harbour news</title>{head}</head><body class="{body}">
<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul>
<div class=story><h1>The ferry is late</h1><p class=by>By <a>Ann Lee</a> and <a>Bo Kim</a>, <time datetime=2026-03-04>then</time></p>
<p>The ferry that should have arrived in the harbour at noon is late, since the fog over the bay has not lifted yet.
<span class=promo>Subscribe to our letter today!</span> Passengers wait at the pier, where hot tea is served.</p>
<p class=more>Read also what the captain of the other ferry told us about the weather, which nobody had expected.</p>
<figure><img src=/fog.jpg width=600 height=400><figcaption>The fog over the bay on Tuesday morning</figcaption></figure>
<p>The company expects the fog to lift in the evening, and the ferry to sail on the next day as it always does.</p></div>
<div class=box><img src=/box.jpg width=600 height=400><p>Weather: fog. Wind: none. Tide: low. Moon: full.</p></div></body></html>"""
FERRY = '[[rule]]\nname = "ferry"\nhosts = ["harbour.example"]\n'
URL = "https://www.harbour.example/news/1"


def make(text: str) -> RuleSet:
    return RuleSet(tuple(parse_rules(text.encode(), "mine.toml")), "mine")


def read(rule: str, url: str | None = URL, page: str = PAGE, **options: object) -> Document:
    html = page.format(head="", body="")
    return bonmun.extract(html, url, options=Options(rules=make(FERRY + rule), **options))  # type: ignore[arg-type]


def find_reasons(doc: Document) -> dict[str, str]:
    """Return the reason for each block by the first words of its text."""
    return {row["text"][:12]: row["reason"] for row in explain(doc)["rows"]}


def test_main_keeps_what_it_selects_and_nothing_else() -> None:
    doc = read('main = ".box"')
    assert doc.text == "Weather: fog. Wind: none. Tide: low. Moon: full."
    reasons = find_reasons(doc)
    assert reasons["Weather: fog"] == "rule ferry: main"
    assert reasons["The ferry th"] == "rule ferry: not in main"
    assert doc.to_dict()["blocks"][0]["reason"] == "rule ferry: main"
    assert doc.confidence == 1
    assert "rule ferry: main" in write_explanation(doc)


def test_drop_alone_leaves_the_decision_to_the_method() -> None:
    plain, doc = read('drop = ".nothing"'), read('drop = [".more", ".promo"]')
    assert "Read also" in plain.text
    assert "Subscribe" in plain.text
    assert doc.text == plain.text.replace(" Subscribe to our letter today!", "").replace(
        "Read also what the captain of the other ferry told us about the weather, which nobody had expected.\n\n", ""
    )
    assert find_reasons(doc)["Read also wh"] == "rule ferry: drop"


def test_keep_adds_to_what_the_method_keeps() -> None:
    plain, doc = read('drop = ".nothing"'), read('keep = ".box"', images=True)
    assert "Weather: fog" not in plain.text
    assert doc.text.startswith(plain.text)
    assert doc.text.endswith("Weather: fog. Wind: none. Tide: low. Moon: full.")
    assert find_reasons(doc)["Weather: fog"] == "rule ferry: keep"
    assert "box.jpg" in doc.markdown
    assert "Weather: fog" in read('main = ".story"\nkeep = ".box"').text


def test_keep_inside_drop_and_drop_inside_keep() -> None:
    doc = read('drop = ".story"\nkeep = ".promo"')
    assert doc.text == "Subscribe to our letter today!"
    doc = read('keep = [".story", ".box"]\ndrop = ".promo"')
    assert "Passengers wait" in doc.text
    assert "Weather" in doc.text
    assert "Subscribe" not in doc.text
    assert "Weather" not in read('keep = ".box"\ndrop = ".box"').text


def test_keep_of_a_part_leaves_the_rest_to_the_method() -> None:
    page = PAGE.replace("Wind: none.", "<b class=wind>Wind: none.</b>")
    assert read('keep = ".wind"', page=page).text.endswith("\n\nWind: none.")


def test_dropped_elements_take_their_images_along() -> None:
    kept = read('drop = ".nothing"', images=True).markdown
    assert "fog.jpg" in kept
    assert "fog.jpg" not in read('drop = "figure img"', images=True).markdown
    both = read('main = ".story, .box"', images=True).markdown
    assert "fog.jpg" in both
    assert "box.jpg" in both
    assert "box.jpg" not in read('main = ".story"', images=True).markdown


def test_main_that_finds_nothing_leaves_the_decision_to_the_method() -> None:
    logged: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(record.getMessage())

    handler = Collector()
    logging.getLogger("bonmun").addHandler(handler)
    try:
        doc = read('main = ".article"')
    finally:
        logging.getLogger("bonmun").removeHandler(handler)
    assert doc.text == read('drop = ".nothing"').text
    assert "`main` of the rule ferry finds nothing" in logged[0]
    assert "finds nothing; the method decides" in write_explanation(doc)


def test_title_authors_and_date_come_from_the_rule() -> None:
    doc = read('main = ".story"\ntitle = [".headline", "h1"]\nauthors = ".by a"\ndate = "time@datetime"')
    assert (doc.title, doc.authors, doc.date) == ("The ferry is late", ("Ann Lee", "Bo Kim"), "2026-03-04")
    assert doc.metadata.fields["date"].source == "rule ferry"
    assert find_reasons(doc)["The ferry is"] == "rule ferry: title"
    assert read('title = ".by a"').title == "Ann Lee"


@pytest.mark.parametrize("method", ["density", "xpath", "rules", "title-table+"])
def test_rules_apply_to_every_method(method: str) -> None:
    html = PAGE.format(head="", body="")
    doc = bonmun.extract(html, URL, method, Options(rules=make(FERRY + 'main = ".story p"\ndrop = ".promo, .by"')))
    assert "Subscribe" not in doc.text
    assert "Ann Lee" not in doc.text
    assert "Weather" not in doc.text
    assert doc.text.startswith("The ferry that")
    assert doc.text.endswith("always does.")


@pytest.mark.parametrize(
    ("hosts", "url", "matches"),
    [
        ("harbour.example", "https://harbour.example/", True),
        ("harbour.example", "https://WWW.harbour.example./x", True),
        ("harbour.example", "https://news.harbour.example/", False),
        ("harbour.example", "https://badharbour.example/", False),
        ("*.harbour.example", "https://a.b.harbour.example:8080/", True),
        ("*.harbour.example", "https://harbour.example/", True),
        ("*.harbour.example", "https://badharbour.example/", False),
        ("harbour.example", None, False),
    ],
)
def test_hosts(hosts: str, url: str | None, matches: bool) -> None:
    rules = make(f'[[rule]]\nname = "x"\nhosts = "{hosts}"\ndrop = ".a"')
    page = Page.parse(PAGE.format(head="", body=""), url)
    assert bool(rules.find(page)) == matches


def test_a_page_without_url_is_matched_by_what_it_declares_or_has() -> None:
    rules = make(
        FERRY + 'has = ".story > figure"\ndrop = ".a"\n[[rule]]\nname = "soft"\ngenerator = "hand"\ndrop = ".b"'
    )

    def find(html: str, url: str | None = None) -> list[str]:
        return [rule.name for rule in rules.find(Page.parse(html, url))]

    link = "<link rel=canonical href='https://harbour.example/1'>"
    assert find(f"<head>{link}</head><p>x") == ["ferry"]
    assert find(PAGE.format(head="", body="")) == ["ferry"]
    assert find(PAGE.format(head="", body=""), "https://other.example/") == []  # the host decides
    assert find("<head><meta name=Generator content='HandMade 3.1'></head><p>x", "https://other.example/") == ["soft"]


def test_a_rule_without_hosts_is_matched_by_markup_on_every_site() -> None:
    rules = make('[[rule]]\nname = "x"\nhas = "body.made, my-post .title"\ndrop = ".a"')
    for html, found in (
        ("<body class=made><p>x", True),
        ("<my-post><p class=title>x", True),
        ("<p class=made>x", False),
    ):
        assert bool(rules.find(Page.parse(html, "https://a.example/"))) == found


def test_rules_of_the_user_come_first_and_each_field_from_the_first_that_finds_something() -> None:
    first = FERRY.replace("ferry", "mine") + 'title = ".nothing"\ndrop = ".promo"\n'
    doc = read('main = ".story"', page=PAGE)
    both = bonmun.extract(
        PAGE.format(head="", body=""), URL, rules=make(first + FERRY + 'main = ".story"\ndrop = ".more"\ntitle = "h1"')
    )
    assert "Subscribe" in doc.text
    assert "Subscribe" not in both.text
    assert "Read also" not in both.text
    assert both.title == "The ferry is late"


def test_rule_files_are_read_again_when_they_change(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FERRY + 'main = ".box"')
    html = PAGE.format(head="", body="")
    assert bonmun.extract(html, URL, rules=path).text.startswith("Weather")
    assert bonmun.extract(html, URL, rules=tmp_path).text.startswith("Weather")
    before = load_rules(path)
    path.write_text(FERRY + 'main = ".story > p"\n')
    os.utime(path, (1, 1))
    assert bonmun.extract(html, URL, rules=path).text.startswith("By Ann Lee")
    assert load_rules(path).digest != before.digest


def test_none_switches_rules_off() -> None:
    assert load_rules("none").rules == ()
    assert load_rules(None).rules == load_rules(None).rules


def test_a_rule_set_can_be_sent_to_other_processes() -> None:
    rules = make(FERRY + 'main = ".box"')
    page = Page.parse(PAGE.format(head="", body=""), URL)
    assert rules.find(page)
    copied = pickle.loads(pickle.dumps(rules))
    assert copied == rules
    assert copied.find(page) == rules.find(page)


@pytest.mark.slow
def test_a_thousand_rules_cost_nothing_on_other_pages() -> None:
    text = "".join(
        f'[[rule]]\nname = "{n}"\nhosts = ["site{n}.example", "*.sites{n}.example"]\nhas = ".a{n}"\nmain = ".m{n}"\n'
        for n in range(1000)
    )
    rules = make(text)
    html = PAGE.format(head="", body="").replace("<div class=box>", "<p>More of it.</p>" * 50 + "<div class=box>")

    def run(given: RuleSet) -> float:
        pages = [Page.parse(html, "https://other.example/") for _ in range(40)]
        return measure(lambda: [given.find(page) for page in pages])[0]

    run(rules)
    whole = measure(lambda: [bonmun.extract(html, "https://other.example/", rules="none") for _ in range(40)])[0]
    assert min(run(rules) for _ in range(4)) < 0.02 * whole


def test_a_comment_of_which_everything_is_dropped_is_left_out() -> None:
    comments = "".join(
        f"<div class=comment><p><b class=who>Reader {number}</b><b hidden>, a guest</b></p><p>I waited for the ferry, too, and it never came at all.</p></div>"
        for number in range(3)
    )
    page = PAGE.replace("<div class=box>", f"<section id=comments><h3>Comments</h3>{comments}</section><div class=box>")
    doc = read('drop = ".who"', page=page, comments=True)
    assert doc.labels.comments
    for format_ in ("text", "markdown", "html", "json", "xml"):
        assert "Reader 1" not in doc.render(format_)
    assert "never came" in doc.text
    outside = read('main = ".story"', page=page, comments=True)
    assert outside.labels.comments
    assert "never came" in outside.text


SENTENCE = "The lamp of the old lighthouse was lit again this spring, and the whole village came to see it."
OUTER = (
    f"<title>T</title><body class=article><div class=around><p>{SENTENCE} Outside.</p><div class=text><p>{SENTENCE} "
    f"Inside.</p><ul class=menu><li><a href=/>Home</a></ul></div></div>"
)


def test_within_drops_what_is_outside_and_leaves_the_rest_to_the_method() -> None:
    rule = '[[rule]]\nname = "w"\nhosts = ["a.example"]\nwithin = ".text"\n'
    rules = RuleSet(tuple(parse_rules(rule.encode(), "w.toml")))
    without, doc = (bonmun.extract(OUTER, "https://a.example/", rules=each) for each in ("none", rules))
    assert "Outside." in without.text
    assert "Outside." not in doc.text
    assert "Inside." in doc.text
    assert "Home" not in doc.text  # the method drops it
    assert doc.confidence == without.confidence
    assert "rule w: not in within" in doc.labels.reasons
    kept = RuleSet(tuple(parse_rules(f'{rule}keep = ".around > p"\n'.encode(), "w.toml")))
    assert "Outside." in bonmun.extract(OUTER, "https://a.example/", rules=kept).text


def test_a_rule_with_needs_is_only_for_pages_that_have_the_element() -> None:
    rule = '[[rule]]\nname = "n"\nhosts = ["a.example"]\nneeds = "body.article"\ndrop = ".text"\n'
    rules = RuleSet(tuple(parse_rules(rule.encode(), "n.toml")))
    assert "Inside." not in bonmun.extract(OUTER, "https://a.example/", rules=rules).text
    other = OUTER.replace("class=article", "class=listing")
    assert "Inside." in bonmun.extract(other, "https://a.example/", rules=rules).text
