"""Pages of a made-up site with three layouts: articles, listings and threads."""

from __future__ import annotations

from bonmun.learn.site_rules import LearnedSite, learn_site
from bonmun.learn.survey import NamedPage, study_site, survey_pages
from bonmun.page import Page

HOST = "harbour.example"
MENU = "<nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/forum>Forum</a></ul></nav>"
FOOTER = "<footer class=foot><p>Imprint, terms and the address of the harbour office, which is open on weekdays.</p></footer>"
SUBJECTS = "lamp pier ferry market storm bridge school library tower festival".split()
PLACES = "harbour island village valley coast river castle meadow forest square".split()


def make_text(number: int, count: int = 3) -> str:
    """Return some paragraphs that no other page has."""
    subject, place = SUBJECTS[number % 10], PLACES[(number * 3 + number // 10) % 10]
    return "".join(
        f"<p>In part {each} of this report, the {subject} of the {place} was seen by {number * 7 + each} people, who "
        f"said that they had never expected to see such a {subject} again in their whole lives, on any {place}.</p>"
        for each in range(1, count + 1)
    )


def make_article(number: int) -> str:
    """Return an article with a byline, a date, an advertisement and related articles."""
    subject, place = SUBJECTS[number % 10], PLACES[number * 3 % 10]
    related = "".join(f"<li><a href=/{each}>About the {SUBJECTS[each % 10]}</a>" for each in range(number, number + 3))
    return (
        f"<!doctype html><html lang=en><title>The {subject} of the {place} - The Harbour</title>"
        f"<body class='page single post-{number}77'>{MENU}<main class=story><h1 class=headline>The {subject} of the "
        f"{place}</h1><div class=byline>By <a rel=author class=writer href=/a>Ann Lee{'' if number % 2 else 'son'}</a> "
        f"<time datetime=2026-03-{number % 27 + 1:02}T10:00>{number % 27 + 1} March 2026</time></div>"
        f"<div class=body>{make_text(number, 3 + number % 3)}<aside class=promo><p>Subscribe now to our newsletter and "
        f"save up to half of the price.</p></aside></div><ul class=related>{related}</ul></main>{FOOTER}"
    )


def make_listing(number: int) -> str:
    """Return a page of teasers."""
    cards = "".join(
        f"<div class=card><h2 class=name><a href=/{n}>{SUBJECTS[n % 10].title()} {n}</a></h2><p class=teaser>The "
        f"{PLACES[n % 10]} has a {SUBJECTS[n % 10]} again, as {n} of our readers have told us this week.</p></div>"
        for n in range(number * 10, number * 10 + 8)
    )
    return (
        f"<!doctype html><html lang=en><title>News, page {number} - The Harbour</title><body class='page archive'>{MENU}"
        f"<section class=grid><form class=filter><label>Search</label></form>{cards}</section><div class=pager><b>1</b>"
        f"</div>{FOOTER}"
    )


def make_thread(number: int) -> str:
    """Return a thread of six posts."""
    posts = "".join(
        f"<div class=post id=p{number}{day}><div class=head><a class=user href=/u/{name}>{name}_{day}</a> <time class=when "
        f"datetime=2026-03-0{day}T10:00>{day} March 2026</time> <a href=#p{number}{day}>#{day}</a></div><div class=said>"
        f"{make_text(number * 10 + day, 1)}</div><div class=tools><a href=/r>Reply</a> <a href=/q>Quote</a></div></div>"
        for day, name in enumerate("Ann Bo Cy Dee Eve Fay".split(), 1)
    )
    title = f"Who knows the {SUBJECTS[number % 10]}?"
    return (
        f"<!doctype html><html lang=en><title>{title} - Harbour forum</title><body class=thread-page>{MENU}<h1>{title}"
        f"</h1><div class=thread>{posts}</div>{FOOTER}"
    )


def make_pages(articles: int = 8, listings: int = 0, *others: str) -> list[NamedPage]:
    """Return pages of the site."""
    htmls = [*map(make_article, range(articles)), *map(make_listing, range(1, listings + 1)), *others]
    urls = [f"https://www.{HOST}/{number}" for number in range(len(htmls))]
    return [NamedPage(url, Page.parse(html, url)) for url, html in zip(urls, htmls, strict=True)]


def learn(pages: list[NamedPage], *, allow_main: bool = False) -> LearnedSite:
    """Learn the rules of pages of one site."""
    (site,), _ = survey_pages(range(len(pages)), pages.__getitem__)
    return learn_site(study_site(site, pages.__getitem__), allow_main=allow_main)
