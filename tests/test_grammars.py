"""Pages of small grammars: whatever notes, formulas, code, tables, posts and figures hold, every format is written.

Any error except `BonmunError` is a fault, on any page.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import BonmunError, Options, Page, extract
from bonmun.outputs import FORMATS
from scripts.fuzz.checks import find_harm, find_malformed, find_other_words
from scripts.fuzz.files import READERS, judge_file, make_file
from scripts.fuzz.grammars import GRAMMARS, make_page

URL = "https://example.org/a/b"
EVERYTHING = Options(links=True, images=True, comments=True, posts=True)
MORE = Options(embeds=True, tables="html", front_matter=True)  # words that the text does not have


@pytest.mark.parametrize("name", GRAMMARS)
@given(random=st.randoms(use_true_random=False))
@settings(deadline=None, derandomize=True, max_examples=50)
def test_every_page_of_a_grammar_is_written_in_every_format(name: str, random: Random) -> None:
    html = make_page(random, GRAMMARS[name])
    try:
        page = Page.parse(html, URL, ruby=random.random() < 0.5)
    except BonmunError:
        return
    for method in ("all", "auto"):
        doc = extract(page, method=method, options=EVERYTHING)
        written = {each: doc.render(each) for each in FORMATS}
        assert not list(find_malformed(written))
        assert not list(find_other_words(written))
        assert not list(find_harm(written))
        assert "".join(chunk.text for chunk in doc.chunks()) or not doc.text
        more = extract(page, method=method, options=MORE)
        written = {each: more.render(each) for each in FORMATS}
        assert not list(find_malformed(written))
        assert not list(find_harm(written))


@pytest.mark.parametrize("name", GRAMMARS)
def test_grammars_make_many_pages_which_end(name: str) -> None:
    made = {make_page(Random(seed), GRAMMARS[name]) for seed in range(200)}
    assert len(made) > 150
    assert max(map(len, made)) < 20_000
    assert not any("«" in html for html in made)


def test_every_reader_reads_files_or_rejects_them() -> None:
    made = [make_file(Random(seed)) for seed in range(400)]
    assert {name for name, _ in made} == set(READERS)
    for reader in READERS:
        verdicts = [judge_file(name, data) for name, data in made if name == reader]
        assert not [fault for verdict in verdicts for fault in verdict.faults if "takes long" not in fault.kind]
        assert sum(1 for verdict in verdicts if not verdict.refused) > 10


def test_any_other_error_of_a_reader_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("scripts.fuzz.files.read_feed", fail)
    assert judge_file("feed", b"<rss/>").faults[0].kind.startswith("error in feed: KeyError")
    assert judge_file("mhtml", b"MIME-Version: 1\nContent-Type: multipart/x\n\n").refused == "NotHtml"
