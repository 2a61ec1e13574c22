"""extract(): settings that cannot be heeded are refused, and none of those that can is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bonmun import Labels, Options, Page, SiteModel, extract, fetch
from bonmun.algorithms.auto import Auto
from bonmun.algorithms.everything import Everything
from bonmun.algorithms.rules import Rules
from bonmun.errors import BadConfig
from samples import EXAMPLES

if TYPE_CHECKING:
    from bonmun.algorithms import Method
    from bonmun.options import Favour
    from samples import Bonmun

URL = "https://pier.example/light"
SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years."
MARKUP = f"<title>Light</title><p>{SENTENCE}</p><p>{SENTENCE}</p>"
NEWS = EXAMPLES / "ko-article.html"


class Own:
    """A method of the user's: it keeps nothing."""

    def label(self, page: Page) -> Labels:
        rows = len(page.starts)
        return Labels("own", "block", [0.0] * rows, [False] * rows, ["no"] * rows, 0.0)


@pytest.mark.parametrize("method", [Rules(), Auto(), Auto(favour="recall"), Own()])
def test_a_model_is_not_given_to_a_method_that_is_made(method: Method) -> None:
    with pytest.raises(BadConfig) as caught:
        extract(MARKUP, method=method, options=Options(model="/nonexistent"))
    assert str(caught.value) == (
        "model cannot be applied to a method object: give the method by name, or pass it to the constructor, as in "
        "Auto(model=…)."
    )


@pytest.mark.parametrize("favour", ["precision", "recall"])
@pytest.mark.parametrize("method", [Rules(), Auto(), Auto(favour="recall"), Own()])
def test_nor_is_what_to_favour(method: Method, favour: Favour) -> None:
    with pytest.raises(BadConfig, match=r"favour cannot be applied to a method object: .* Auto\(favour=…\)"):
        extract(MARKUP, method=method, options=Options(favour=favour))


def test_wrong_use_is_told_before_the_page_is_read() -> None:
    with pytest.raises(BadConfig):
        extract(b"%PDF-1.7", method=Rules(), options=Options(model="/nonexistent"))


def test_a_method_that_is_made_has_settings_of_its_own() -> None:
    page = Page.parse(NEWS.read_bytes())
    kept = {}
    for favour in ("precision", "recall"):
        kept[favour] = extract(page, method=Auto(favour=favour), options=Options(links=True)).labels.kept
        assert kept[favour] == extract(page, options=Options(favour=favour)).labels.kept
    assert sum(kept["precision"]) < sum(kept["recall"])


def test_a_site_model_goes_with_any_method() -> None:
    pages = [Page.parse(f"<p>The same on every page.</p><p>Only on page {n}.</p>") for n in range(5)]
    sites = SiteModel.fit(pages, site="pier.example")
    assert extract(pages[0], method=Everything(), options=Options(site_model=sites)).text == "Only on page 0."


@pytest.mark.parametrize(("own", "given"), [(URL, f"{URL}/2"), (None, URL)])
def test_a_page_that_was_parsed_has_its_url(own: str | None, given: str) -> None:
    page = Page.parse(MARKUP, own)
    with pytest.raises(BadConfig) as caught:
        extract(page, given)
    parsed = f"as {own!r}" if own else "without a URL"
    assert str(caught.value) == (f"The page was parsed {parsed}, not as {given!r}: give the URL to Page.parse only.")


@pytest.mark.parametrize(
    ("own", "given"), [(URL, URL), (URL, None), (URL, ""), (None, None), (f" {URL}\n", URL), (URL, f" {URL}\n")]
)
def test_which_may_be_said_again(own: str | None, given: str | None) -> None:
    page = Page.parse(MARKUP, own)
    doc = extract(page, given)
    assert doc.page is page
    assert doc.url == (URL if own else None)


def test_one_record_of_options_serves_pages_of_every_form() -> None:
    """What says how bytes are read says nothing of text, nor of a page that was parsed, however large."""
    options = Options(encoding="euc-kr", max_bytes=1000, links=True)
    text = "<title>등대</title><p>마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다.</p>"
    docs = [extract(form, options=options) for form in (text, text.encode("euc-kr"), Page.parse(text))]
    assert [doc.title for doc in docs] == ["등대"] * 3
    assert [doc.page.encoding for doc in docs] == [None, "euc-kr", None]
    assert extract(Page.parse(MARKUP + "<p>more</p>" * 1000), options=options).text


@pytest.mark.parametrize("favour", ["precision", "balanced", "recall"])
def test_the_command_gives_what_it_is_told_to_favour(bonmun: Bonmun, favour: Favour) -> None:
    result = bonmun("extract", str(NEWS), "--favour", favour)
    expected = extract(NEWS.read_bytes(), options=Options(favour=favour)).text
    assert (result.stdout, result.stderr, result.exit_code) == (f"{expected}\n", "", 0)


def test_the_command_refuses_what_cannot_be_favoured(bonmun: Bonmun) -> None:
    result = bonmun("extract", str(NEWS), "--favour", "speed")
    assert result.exit_code == 2
    assert "favour must be one of precision, balanced, recall, not 'speed'" in result.stderr
    result = bonmun("extract", str(NEWS), "--favour", "recall", "--method", "rules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The method rules takes no favour" in result.stderr


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"url": 5}, "url must be a URL as str, not 5."),
    ({"url": b"https://pier.example"}, "url must be a URL as str, not b'https://pier.example'."),
    ({"options": 5}, "options must be an Options record, not 5."),
    ({"options": {"links": True}}, "options must be an Options record, not {'links': True}."),
    ({"method": 5}, "method must be a name or an object with label(page), not 5."),
    ({"method": Rules}, "method must be a name or an object with label(page), not <class "),
    ({"options": Options(site_model=5)}, "site_model must be a SiteModel or the path of one, not 5."),
    ({"options": Options(model=5)}, "model must be the path of a file, not 5."),  # type: ignore[arg-type]
    ({"url": ["x" * 1000] * 1000}, f"url must be a URL as str, not ['{'x' * 12}...{'x' * 13}', "),
]


@pytest.mark.parametrize(("given", "says"), WRONG)
@pytest.mark.parametrize("html", [MARKUP, MARKUP.encode(), Page.parse(MARKUP)], ids=["text", "bytes", "page"])
def test_what_is_of_the_wrong_kind_is_refused(html: str | bytes | Page, given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadConfig) as caught:
        extract(html, **given)
    assert str(caught.value).startswith(says)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"max_bytes": "x"}, "max_bytes must be a whole number, not 'x'."),
        ({"max_bytes": None}, "max_bytes must be a whole number, not None."),
        ({"max_bytes": 1.5}, "max_bytes must be a whole number, not 1.5."),
        ({"timeout": "x"}, "timeout must be a number, not 'x'."),
        ({"timeout": float("nan")}, "timeout must be from 0.001 to 86,400, not nan."),
        ({"timeout": float("inf")}, "timeout must be from 0.001 to 86,400, not inf."),
        ({"timeout": 10**400}, "timeout must be from 0.001 to 86,400, not 1000"),
        ({"links": "no"}, "links must be True or False, not 'no'."),
        ({"images": 1}, "images must be True or False, not 1."),
        ({"comments": None}, "comments must be True or False, not None."),
        ({"allow_private": "yes"}, "allow_private must be True or False, not 'yes'."),
        ({"encoding": 5}, "encoding must be a string, not 5."),
        ({"encoding": b"utf-8"}, "encoding must be a string, not b'utf-8'."),
        ({"crawled": "2020"}, "crawled must be a date or a datetime, not '2020'."),
        ({"crawled": 2020}, "crawled must be a date or a datetime, not 2020."),
        ({"favour": 5}, "favour must be one of precision, balanced, recall, not 5."),
        ({"favour": ["recall"]}, "favour must be one of precision, balanced, recall, not ['recall']."),
    ],
)
def test_so_are_options_of_the_wrong_kind(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadConfig) as caught:
        Options(**given)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("given", [{"url": 5}, {"encoding": 5}, {"encoding": b"utf-8"}, {"max_bytes": "x"}])
def test_a_page_is_parsed_with_what_is_of_the_right_kind(given: dict[str, Any]) -> None:
    for html in (MARKUP, MARKUP.encode()):
        with pytest.raises(BadConfig, match=rf"^{next(iter(given))} must be "):
            Page.parse(html, **given)


@pytest.mark.parametrize("url", [5, None, b"https://pier.example"])
def test_what_is_no_url_is_not_fetched(url: Any) -> None:
    with pytest.raises(BadConfig, match=r"^url must be a URL as str, not "):
        fetch(url)
