"""`sentence` (paper 4), on a small page with answers worked out by hand."""

from __future__ import annotations

import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms import make_method
from bonmun.algorithms.sentence import VARIANTS, Depth, Sentence, Wanted
from bonmun.errors import BadConfig
from bonmun.text.grams import CorpusGrams

# Depths: html 1, body 2. The title shares no 3-gram with the comment in Korean.
PAGE = """
<title>Harbour light returns</title>
<p><a href=/>Home.</a> Menu</p>
<div>
  <p>The harbour light returns tonight. By Ann</p>
  <p>It was dark for <b>thirty</b> years!</p>
</div>
<div><div><p>닻을 올렸다. 좋았다!</p></div></div>
<p>Contact us</p>
"""
LEAVES = [
    (4, "Home."),
    (3, "Menu"),
    (4, "The harbour light returns tonight. By Ann"),
    (4, "It was dark for"),
    (5, "thirty"),
    (4, "years!"),
    (5, "닻을 올렸다. 좋았다!"),
    (3, "Contact us"),
]
EXPECTED = {
    "M1": (
        "Home. Menu\n\nThe harbour light returns tonight. By Ann\n\nIt was dark for thirty years!\n\n"
        "닻을 올렸다. 좋았다!\n\nContact us"
    ),
    "M2": (
        "Menu\n\nThe harbour light returns tonight. By Ann\n\nIt was dark for thirty years!\n\n"
        "닻을 올렸다. 좋았다!\n\nContact us"
    ),
    "M3": "Home.\n\nThe harbour light returns tonight.\n\nyears!\n\n닻을 올렸다. 좋았다!",
    "M4": "Home.\n\nThe harbour light returns tonight. By Ann\n\nIt was dark for years!",
    "MM": "Home.\n\nThe harbour light returns tonight.\n\nyears!",
    "M34": "Home.\n\nThe harbour light returns tonight.\n\nyears!",
    "M43": "Home.\n\nThe harbour light returns tonight.\n\nyears!",
    "M32": "The harbour light returns tonight.\n\nyears!\n\n닻을 올렸다. 좋았다!",
    "M42": "The harbour light returns tonight. By Ann\n\nIt was dark for years!",
    "M324": "The harbour light returns tonight.\n\nyears!",
    "M423": "The harbour light returns tonight.\n\nyears!",
}


def text(method: Sentence, markup: str = PAGE) -> str:
    return bonmun.extract(markup, method=method).text


def test_the_leaves_of_the_page() -> None:
    assert [(leaf.depth, leaf.text) for leaf in Page.parse(PAGE).leaves] == LEAVES


def test_every_variant_of_the_paper_is_here() -> None:
    assert set(EXPECTED) == set(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_text_of_every_variant(variant: str) -> None:
    doc = bonmun.extract(PAGE, method=f"sentence:{variant}")
    assert doc.text == EXPECTED[variant]
    assert doc.method == f"sentence:{variant}"


@pytest.mark.parametrize("format_", ["markdown", "html", "json", "xml"])
def test_a_cut_leaf_is_cut_in_every_format(format_: str) -> None:
    rendered = bonmun.extract(PAGE, method="sentence:M3").render(format_)
    assert "tonight." in rendered
    assert "By Ann" not in rendered


def test_a_cut_pre_keeps_its_lines() -> None:
    doc = bonmun.extract("<pre>One.\n  Two.\nthree</pre>", method="sentence:M3")
    assert doc.text == "One.\n  Two."


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("One. Two? Three! four", "One. Two? Three!"),
        ("Version 1.5 of it", ""),
        ("a.b", ""),
        ("Ends here.<b>bold</b>", "Ends here."),
        ("今天下雨。明天晴！后天", "今天下雨。明天晴！"),
        ("そうですか？はい", "そうですか？"),
        ("متى عدت؟ أمس", "متى عدت؟"),
        ("वह आया। फिर", "वह आया।"),
        ("no sentence", ""),
        ("He said “go.” and", ""),  # as published: a space, a line break or a tag must follow the mark
    ],
)
def test_sentences(markup: str, expected: str) -> None:
    assert text(Sentence("M3"), f"<p>{markup}</p>") == expected


def test_the_title_may_be_given() -> None:
    assert text(Sentence("M4", title="닻을 올렸다")) == "thirty\n\n닻을 올렸다. 좋았다!"
    assert bonmun.extract(PAGE, method=make_method("sentence:M423", title="닻을 올렸다")).text == "닻을 올렸다. 좋았다!"


def test_idf_comes_from_the_corpus_that_is_given() -> None:
    # every 3-gram of the title is on every page of this corpus, so all have weight 0
    corpus = CorpusGrams.count(["Harbour light returns"] * 3)
    assert text(Sentence("mine", corpus=corpus, steps=("sentences", "strict"))) == ""
    alike = bonmun.extract(PAGE, method=Sentence("M34", corpus=corpus)).labels.evidence
    assert [row._asdict()["similarity"] for row in alike[1:]] == [0.0, 0.0]


def test_without_a_title_the_depth_with_most_sentences_is_nearest_and_nothing_is_filtered() -> None:
    markup = PAGE.replace("<title>Harbour light returns</title>", "")
    assert text(Sentence("M4"), markup) == EXPECTED["M4"]
    assert text(Sentence("M324"), markup) == EXPECTED["M32"]
    reasons = bonmun.extract(markup, method="sentence:M324").labels.reasons
    assert reasons[2] == "sentences; no title to compare with"


def test_the_explanation_has_the_depths() -> None:
    labels = make_method("sentence:M42").label(Page.parse(PAGE))
    wanted, four, five = labels.evidence
    assert wanted == Wanted("Harbour light returns")
    assert isinstance(four, Depth)
    assert isinstance(five, Depth)
    assert (four.depth, four.leaves, four.sentences, four.chosen) == (4, 3, 2, True)
    assert (five.depth, five.leaves, five.sentences, five.similarity, five.chosen) == (5, 2, 2, 0.0, False)
    assert four.similarity is not None
    assert 0 < four.similarity < 1
    assert labels.reasons == [
        "in a link",
        "at another depth",
        "at the depth most like the title",
        "at the depth most like the title",
        "at another depth",
        "at the depth most like the title",
        "at another depth",
        "at another depth",
    ]


def test_where_no_depth_is_like_the_title_nothing_is_filtered() -> None:
    method = Sentence("M324", title="쀍쀍쀍")
    assert text(method) == EXPECTED["M32"]
    assert bonmun.extract(PAGE, method=method).labels.reasons[2] == "sentences; no depth is like the title"


def test_steps_make_new_variants() -> None:
    """The paper's description of M34, taken literally: the fullest block, if it is similar to the title."""
    literal = Sentence("mine", steps=("sentences", "fullest", "strict"))
    assert text(literal) == EXPECTED["MM"]
    assert text(Sentence("mine", title="쀍쀍쀍", steps=literal.steps)) == ""
    assert literal.name == "sentence:mine"


def test_invalid_arguments_are_reported() -> None:
    with pytest.raises(BadConfig, match="choose one of M1, M2"):
        Sentence("M5")
    with pytest.raises(BadConfig, match="choose among unlinked, sentences"):
        Sentence("M4", steps=("sentences", "nearby"))
    with pytest.raises(BadConfig, match="pass the text of the link"):
        Sentence("M4", title=" ")
    with pytest.raises(BadConfig, match="xpath takes no title; these do: sentence:M4, "):
        make_method("xpath", title="x")


def test_confidence_grows_with_sentences() -> None:
    few, many = (make_method("sentence:M3").label(Page.parse(f"<p>{'One two. ' * n}</p>")) for n in (2, 20))
    assert 0 < few.confidence < many.confidence == 1
    assert make_method("sentence:M1").label(Page.parse(PAGE)).confidence == 0
