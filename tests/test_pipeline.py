"""extract(): settings that cannot be heeded are refused, and none of those that can is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bonmun import Labels, Options, Page, SiteModel, extract
from bonmun.errors import BadConfig
from bonmun.methods.auto import Auto
from bonmun.methods.everything import Everything
from bonmun.methods.rules import Rules
from samples import EXAMPLES

if TYPE_CHECKING:
    from bonmun.methods import Method
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
        extract(MARKUP, method=method, model="/nonexistent")
    assert str(caught.value) == (
        "extract() cannot give model to a method that is made already: name the method instead, or make it with its "
        "own, as in Auto(model=…)."
    )


@pytest.mark.parametrize("favour", ["precision", "recall"])
@pytest.mark.parametrize("method", [Rules(), Auto(), Auto(favour="recall"), Own()])
def test_nor_is_what_to_favour(method: Method, favour: Favour) -> None:
    with pytest.raises(BadConfig, match=r"cannot give favour to a method that is made already: .* Auto\(favour=…\)"):
        extract(MARKUP, method=method, options=Options(favour=favour))


def test_wrong_use_is_told_before_the_page_is_read() -> None:
    with pytest.raises(BadConfig):
        extract(b"%PDF-1.7", method=Rules(), model="/nonexistent")


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
    assert extract(pages[0], method=Everything(), site=sites).text == "Only on page 0."


@pytest.mark.parametrize(("own", "given"), [(URL, f"{URL}/2"), (None, URL)])
def test_a_page_that_was_parsed_has_its_url(own: str | None, given: str) -> None:
    page = Page.parse(MARKUP, own)
    with pytest.raises(BadConfig) as caught:
        extract(page, given)
    parsed = f"as {own!r}" if own else "without a URL"
    assert str(caught.value) == (
        f"The page was parsed {parsed}, not as {given!r}: give its URL to Page.parse, and none here."
    )


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
    assert "favour is one of precision, balanced, recall, not 'speed'" in result.stderr
    result = bonmun("extract", str(NEWS), "--favour", "recall", "--method", "rules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The method rules takes no favour" in result.stderr
