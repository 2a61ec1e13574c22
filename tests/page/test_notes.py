"""Notes and references to them, as various tools write them."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.page.notes.notes import Notes, find_notes
from timing import assert_linear

TEXT = "The lighthouse was lit again"
NOTE = "It had been dark since the war."

PANDOC = f"""<p>{TEXT}<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p>
<section id="footnotes" class="footnotes" role="doc-endnotes"><hr><ol>
<li id="fn1"><p>{NOTE}<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>"""
KRAMDOWN = f"""<p>{TEXT}<sup id="fnref:a" role="doc-noteref"><a href="#fn:a" class="footnote" rel="footnote">1</a></sup>.</p>
<div class="footnotes" role="doc-endnotes"><ol><li id="fn:a" role="doc-endnote">
<p>{NOTE} <a href="#fnref:a" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div>"""
WIKIPEDIA = f"""<p>{TEXT}<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup>.</p>
<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span>
<span class="reference-text">{NOTE}</span></li></ol>"""
WORD = f"""<p class=MsoNormal>{TEXT}<a href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference>[1]</span></a>.</p>
<div><hr><div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1" title=""><span>[1]</span></a> {NOTE}</p></div></div>"""
DOCUTILS = f"""<p>{TEXT} <a class="footnote-reference brackets" href="#id2" id="id1">1</a>.</p>
<dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt>
<dd><p>{NOTE}</p></dd></dl>"""
SUBSTACK = f"""<p>{TEXT}<a data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="https://a.example/p#footnote-1"
class="footnote-anchor">1</a>.</p><div class="footnote"><a id="footnote-1" href="https://a.example/p#footnote-anchor-1"
class="footnote-number">1</a><div class="footnote-content"><p>{NOTE}</p></div></div>"""
WORDPRESS = f"""<p>{TEXT}<sup data-fn="f-1" class="fn"><a href="#f-1" id="f-1-link">1</a></sup>.</p>
<ol class="wp-block-footnotes"><li id="f-1">{NOTE} <a href="#f-1-link">↩︎</a></li></ol>"""
EPUB = f"""<p>{TEXT}<a epub:type="noteref" href="#n1">*</a>.</p><aside epub:type="footnote" id="n1"><p>{NOTE}</p></aside>"""
RAISED = f"""<p>{TEXT}<sup>1</sup>.</p><hr><p><sup>1</sup> {NOTE}</p>"""
BRACKETS = f"""<p>{TEXT} <a href="#r1">[1]</a>.</p><h4>References</h4><ol><li><a id="r1"></a>{NOTE}</li></ol>"""
PLAIN_WORD = (
    f"""<p>{TEXT}<a href="#_ftn1" name="_ftnref1">1</a>.</p><p><a href="#_ftnref1" name="_ftn1">1</a> {NOTE}</p>"""
)
JOURNAL = f"""<p>{TEXT} [<a href="#REF1">1</a>].</p><ul><li id="REF1"><span>1.</span><cite>{NOTE}</cite></li></ul>"""
NUMBERED = f"""<p>{TEXT} <a href="#b1-lamp-0015">1</a>.</p><ol><li id="b1-lamp-0015">{NOTE}</li></ol>"""
ROWS = f"""<p>{TEXT}[<a href="#n1">1</a>].</p><table><tr><td><a id="n1">[1]</a></td><td>{NOTE}</td></tr></table>"""
HEADED_ROWS = f"""<p>{TEXT}<a class="footnote_hard_link" href="#f+1"><sup>[1]</sup></a>.</p><table><tr><th><a href="#r+1">
<span id="f+1"></span><span>↑</span>1</a></th><td>{NOTE}</td></tr></table>"""
MAKERS = {
    "plain word": PLAIN_WORD,
    "journal": JOURNAL,
    "numbered": NUMBERED,
    "rows": ROWS,
    "headed rows": HEADED_ROWS,
    "pandoc": PANDOC,
    "kramdown": KRAMDOWN,
    "wikipedia": WIKIPEDIA,
    "word": WORD,
    "docutils": DOCUTILS,
    "substack": SUBSTACK,
    "wordpress": WORDPRESS,
    "raised": RAISED,
    "brackets": BRACKETS,
}


def read(markup: str) -> tuple[Page, Notes]:
    page = Page.parse(f"<body><p>{TEXT}, and more than that.</p>{markup}")
    return page, find_notes(page, range(len(page.texts)))


def say(page: Page, notes: Notes) -> str:
    """Return the text of the notes, without links back."""
    leaves = [leaf for block in notes.blocks for leaf in range(page.starts[block], page.stops[block])]
    return "".join(page.texts[leaf] for leaf in leaves if leaf not in notes.backs)


@pytest.mark.parametrize("maker", MAKERS)
def test_notes_of_every_tool_are_found(maker: str) -> None:
    page, notes = read(MAKERS[maker])
    assert list(notes.labels.values()) == ["1"]
    assert len(notes.references) == 1
    assert say(page, notes) == NOTE


def test_a_reference_may_be_an_asterisk() -> None:
    page, notes = read(EPUB)
    assert list(notes.labels.values()) == ["*"]
    assert say(page, notes) == NOTE


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{TEXT}: 10<sup>2</sup> lamps.</p><p>Two of them are lit.</p>",  # an exponent
        f"<ul><li><a href='#a'>1</a></li></ul><h2 id=a>{TEXT}</h2><p>{NOTE}</p>",  # a table of contents
        f"<p id=top>{TEXT}</p><p>{NOTE}<a href='#top'><sup>1</sup></a></p>",  # a link up the page
        f"<p>{TEXT}<sup><a href='#gone'>1</a></sup></p>",  # a broken link
        f"<p>{TEXT}<sup><a href='#a'>1</a></sup><sup><a href='#b'>2</a></sup></p><p><a id=a></a>{NOTE} <a id=b></a>{TEXT}</p>",
        "<p><sup><a href='#'>1</a></sup></p>",
    ],
)
def test_other_numbers_and_links_are_not_notes(markup: str) -> None:
    assert read(markup)[1].labels == {}


def test_notes_with_the_same_label_are_numbered() -> None:
    two = "".join(f"<p>{TEXT}<sup><a href='#fn{n}'>1</a></sup></p><aside id=fn{n}>{NOTE} {n}</aside>" for n in (1, 2))
    assert list(read(two)[1].labels.values()) == ["1", "1-2"]


def test_references_to_one_note_have_the_same_label() -> None:
    many = f"<p>{TEXT}<sup><a href='#fn1'>1</a></sup>, again<sup><a href='#fn1'>1</a></sup></p><aside id=fn1>{NOTE}</aside>"
    notes = read(many)[1]
    assert len(notes.references) == 2
    assert list(notes.labels.values()) == ["1"]


def test_notes_that_refer_to_each_other_terminate() -> None:
    circle = "<p>a<sup><a href='#n1' id=r1>1</a></sup></p><ol>" + "".join(
        f"<li id=n{n}>Note {n} says more.<sup><a href='#n{n % 50 + 1}'>{n % 50 + 1}</a></sup></li>"
        for n in range(1, 51)
    )
    assert 0 < len(read(circle + "</ol>")[1].labels) <= 50


def test_a_note_may_refer_to_another() -> None:
    markup = (
        f"<p>{TEXT}<sup><a href='#na'>a</a></sup></p><ol><li id=na>{NOTE}<sup><a href='#n1'>[1]</a></sup>"
        f"<a href='#ra'>↑</a></li></ol><ol><li id=n1>The keeper's book.</li></ol>"
    )
    page, notes = read(markup)
    assert list(notes.labels.values()) == ["a", "1"]
    assert sorted(notes.references.values()) == ["1", "a"]
    assert say(page, notes) == f"{NOTE}[1]The keeper's book."


def test_many_notes_take_linear_time() -> None:
    def make(count: int) -> Page:
        text = "".join(f"<p>{TEXT}<sup><a href='#fn{n}'>{n % 1000}</a></sup></p>" for n in range(count))
        return Page.parse(text + "".join(f"<p id=fn{n}>{NOTE}</p>" for n in range(count)))

    notes = assert_linear(make, lambda page: find_notes(page, range(len(page.texts))), 8_000)
    assert len(notes.labels) == 8_000


EMPTY_NOTES = {
    "empty": "<ol><li id=fn1></li></ol>",
    "with an image only": "<ol><li id=fn1><img src=a></li></ol>",
    "deep in a paragraph": "<p>Text.<span><span><aside id=fn1></aside></span></span></p>",
    "in a template": "<template><p id=fn1>Lost.</p></template>",
    "a script": "<div><script id=fn1></script></div>",
}


@pytest.mark.parametrize("markup", EMPTY_NOTES.values(), ids=EMPTY_NOTES.keys())
def test_an_element_without_text_is_no_note(markup: str) -> None:
    _, notes = read(f"<p>{TEXT}<sup><a href=#fn1>1</a></sup>.</p>{markup}")
    assert not notes.references


def test_an_empty_note_does_not_hide_the_note_around_it() -> None:
    reference = "<sup><a href=#fn{0}>{0}</a></sup>".format
    note = f"<ol><li id=fn1>{NOTE}<aside id=fn2></aside></li></ol>"
    page, notes = read(f"<p>{TEXT}{reference(1)} and{reference(2)}.</p>{note}")
    assert list(notes.references.values()) == ["1"]
    assert say(page, notes) == NOTE
