"""Why a page is empty, and what to try; pages with text have no hint."""

from __future__ import annotations

import pytest

import bonmun

SENTENCE = "The keeper of the lighthouse counted the ships that passed, and wrote down their names every evening. "
EMPTY = {
    "shell": ("<div id=app></div><script></script>", "without its scripts: render it in a browser (--render auto)"),
    "login": ("<form><input name=a><input type=password></form><script></script>", "asks to log in"),
    "hidden login": (
        "<form style='display: none'><input type=password></form><p>x</p><script></script>",
        "without its scripts: render it in a browser (--render auto)",
    ),
    "error": ("<h1>404 Not Found</h1>", "is an error message"),
    "robots": ("<h1>Just a moment...</h1><script></script>", "checks that its reader is human"),
    "consent": (
        "<p>We use cookies.</p><button class='big yes'>Accept all</button><script></script>",
        "(--render auto --click 'button.big.yes')",
    ),
    "consent in Korean": ("<p>쿠키 사용에 동의해 주세요.</p><a id=ok>동의</a><script></script>", "--click '#ok'"),
    "odd names": ("<p>We use cookies.</p><button id='\"x'>Accept</button><script></script>", "--click 'button'"),
}


@pytest.mark.parametrize("case", EMPTY)
def test_an_empty_document_has_a_hint(case: str) -> None:
    html, says = EMPTY[case]
    doc = bonmun.extract(f"<title>Page</title>{html}")
    assert doc.text == ""
    assert doc.hint
    assert says in doc.hint
    assert doc.to_dict()["hint"] == doc.hint


@pytest.mark.parametrize("html", [f"<p>{SENTENCE * 4}</p><script></script>", "<title>Page</title><p></p>"])
def test_other_documents_have_none(html: str) -> None:
    doc = bonmun.extract(html)
    assert doc.hint is None
    assert "hint" not in doc.to_dict()
