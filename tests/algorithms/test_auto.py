"""The default method: its settings, custom model files, pages of any size, pages without text, site models."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

import pytest

import bonmun
from bonmun import Options, Page, SiteModel
from bonmun.algorithms import METHODS, make_method
from bonmun.algorithms.auto import MAX_BLOCKS, Auto, PageKind
from bonmun.errors import BadConfig, BadInput, MissingInput
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.labeller import Network, Weights, default_weights, save_weights
from bonmun.sites.site import Site, Verdicts
from samples import FOLDERS, ROOT, SOURCES, blog_posts
from timing import assert_faster

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bonmun import Labels
    from bonmun.options import Favour

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
NEWS = SOURCES["en-news"]
NOTHING = sorted((ROOT / "tests" / "nothing").glob("*.html"))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Write a file with the default weights."""
    path = tmp_path / "own.model"
    save_weights(default_weights(), path)
    return path


def changed(**about: Any) -> Weights:
    """Return the default weights with changed entries."""
    weights = default_weights()
    return Weights(weights.about | about, weights.arrays)


def with_arrays(change: Callable[[dict[str, Any]], object]) -> Weights:
    """Return the default weights with changed arrays."""
    weights = default_weights()
    arrays = dict(weights.arrays)
    change(arrays)
    return Weights(weights.about, arrays)


def columns(labels: Labels) -> tuple[Any, ...]:
    return (
        labels.unit,
        list(labels.scores),
        list(labels.kept),
        list(labels.reasons),
        labels.confidence,
        labels.comments,
        labels.kind,
        labels.title,
    )


# --- model files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["en-news", "ko-board", "zh-collection"])
def test_a_model_file_is_used(model: Path, name: str) -> None:
    html = SOURCES[name].read_bytes()
    doc = bonmun.extract(html)
    for given in (model, str(model)):
        assert columns(bonmun.extract(html, options=bonmun.Options(model=given)).labels) == columns(doc.labels)


def test_another_model_file_gives_another_answer(tmp_path: Path) -> None:
    """With a bias of 30 for the kind `none`, no page has main text."""
    weights = default_weights()
    bias = weights.arrays["kind.bias"].copy()
    bias[PAGE_KINDS.index("none")] += 30
    save_weights(Weights(weights.about, weights.arrays | {"kind.bias": bias}), tmp_path / "none")
    html = NEWS.read_bytes()
    assert bonmun.extract(html).text
    assert bonmun.extract(html, options=bonmun.Options(model=tmp_path / "none")).text == ""
    assert bonmun.extract(html).text  # the default is as it was


def test_a_changed_model_file_is_read_again(model: Path) -> None:
    page = Page.parse(NEWS.read_bytes())
    first = make_method("auto", model=model)
    assert cast("Auto", first).network is cast("Auto", make_method("auto", model=model)).network
    before = first.label(page)

    def shift(arrays: dict[str, Any]) -> None:
        arrays["keep.bias"] = arrays["keep.bias"] - 3

    save_weights(with_arrays(shift), model)
    os.utime(model, ns=(1, 1))  # a different modification time
    after = make_method("auto", model=model).label(page)
    assert list(after.scores) != list(before.scores)
    assert list(first.label(page).scores) == list(before.scores)


def test_a_network_may_be_given() -> None:
    page = Page.parse(NEWS.read_bytes())
    assert columns(Auto(model=Network(default_weights())).label(page)) == columns(Auto().label(page))


def test_a_missing_model_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="make one with `bonmun train`"):
        bonmun.extract("<p>a", options=bonmun.Options(model=tmp_path / "none"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"<p>a", b"\x93NUMPY"])
def test_a_file_that_is_not_a_model_is_rejected(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is not a model for this version of bonmun"):
        bonmun.extract("<p>a", options=bonmun.Options(model=path))


def test_a_file_that_was_rejected_is_read_once_it_is_valid(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "late"
    for _ in range(2):
        with pytest.raises(MissingInput):
            bonmun.extract("<p>a", options=bonmun.Options(model=path))
    model.rename(path)
    assert bonmun.extract(NEWS.read_bytes(), options=bonmun.Options(model=path)).text


def without_a_word(arrays: dict[str, Any]) -> None:
    arrays["word.weight"] = arrays["word.weight"][:100]


def without_a_tag(arrays: dict[str, Any]) -> None:
    arrays["tag.weight"] = arrays["tag.weight"][:4]


def without_a_kind(arrays: dict[str, Any]) -> None:
    arrays["kind.weight"], arrays["kind.bias"] = arrays["kind.weight"][:5], arrays["kind.bias"][:5]


def without_a_page_feature(arrays: dict[str, Any]) -> None:
    for name in ("page_mean", "page_scale"):
        arrays[name] = arrays[name][:-1]
    arrays["page.weight"] = arrays["page.weight"][:, :-1]


def of_another_shape(arrays: dict[str, Any]) -> None:
    arrays["keep.weight"] = arrays["keep.weight"][:, :-1]


FOREIGN: dict[str, Callable[[], Weights]] = {
    "no confidence": lambda: Weights({"config": default_weights().about["config"]}, default_weights().arrays),
    "a strange config": lambda: changed(config={}),
    "no arrays": lambda: with_arrays(dict.clear),
    "an array less": lambda: with_arrays(lambda arrays: arrays.pop("keep.weight")),
    "another set of features": lambda: with_arrays(without_a_page_feature),
    "another shape": lambda: with_arrays(of_another_shape),
    "other words": lambda: with_arrays(without_a_word),
    "other tags": lambda: with_arrays(without_a_tag),
    "other kinds": lambda: with_arrays(without_a_kind),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_a_model_with_other_shapes_is_rejected(tmp_path: Path, make: Callable[[], Weights]) -> None:
    path = tmp_path / "foreign"
    save_weights(make(), path)
    with pytest.raises(BadInput, match="make one with `bonmun train`"):
        bonmun.extract(NEWS.read_bytes(), options=bonmun.Options(model=path))


# --- settings -----------------------------------------------------------------------------------------------------------


def test_favour_is_an_option() -> None:
    html = SOURCES["en-service"].read_bytes()
    favours: list[Favour] = ["precision", "balanced", "recall"]
    docs = [bonmun.extract(html, options=Options(favour=favour)) for favour in favours]
    sizes = [len(doc.text) for doc in docs]
    assert sizes[0] < sizes[1] < sizes[2]
    assert docs[1].text == bonmun.extract(html).text
    for favour, doc in zip(favours, docs, strict=True):
        assert columns(Auto(favour=favour).label(doc.page)) == columns(doc.labels)


def test_an_invalid_favour_is_rejected() -> None:
    for make in (lambda: Options(favour=cast("Favour", "speed")), lambda: Auto(favour="speed")):
        with pytest.raises(BadConfig, match="favour must be one of precision, balanced, recall, not 'speed'"):
            make()


@pytest.mark.parametrize("name", [name for name, info in METHODS.items() if "favour" not in info.takes][:3])
def test_other_methods_take_no_favour_and_no_model(name: str, model: Path) -> None:
    with pytest.raises(BadConfig, match=rf"The method {name} takes no favour; these do: auto\."):
        bonmun.extract("<p>a", method=name, options=Options(favour="recall"))
    with pytest.raises(BadConfig, match=rf"The method {name} takes no model; these do: auto, sequence, web2text\."):
        bonmun.extract("<p>a", method=name, options=bonmun.Options(model=model))


def test_page_kinds_are_evidence() -> None:
    evidence = bonmun.extract(NEWS.read_bytes()).labels.evidence
    assert evidence
    assert all(isinstance(each, PageKind) and each.kind in PAGE_KINDS and 0.01 <= each.chance <= 1 for each in evidence)
    assert [each.chance for each in evidence] == sorted((each.chance for each in evidence), reverse=True)


# --- pages of any size --------------------------------------------------------------------------------------------------

TINY = {
    "a sentence": f"<div class=x><p>{SENTENCE}</p></div>",
    "a heading and a sentence": f"<h2>Light</h2><p>{SENTENCE}</p>",
    "no text": "<div><img></div>",
}


@pytest.mark.parametrize("markup", TINY.values(), ids=TINY)
def test_tiny_pages_are_left_to_rules(markup: str) -> None:
    page = Page.parse(markup)
    labels, rules = make_method("auto").label(page), make_method("rules").label(page)
    assert labels.method == "auto"
    assert columns(labels) == columns(rules)
    assert list(labels.evidence) == list(rules.evidence)


@pytest.mark.parametrize(
    "markup",
    [
        f"<div class=x>{f'<p>{SENTENCE}</p>' * 10}</div>",
        f"{f'<p>{SENTENCE}</p>' * 10}<script></script>",
        f"<head><script></script></head>{f'<p>{SENTENCE}</p>' * 10}",
        f"<p>{SENTENCE}</p>" * 40,
    ],
    ids=["a class", "a script", "a script in the head", "long"],
)
def test_other_pages_are_not_left_to_rules(markup: str) -> None:
    evidence = make_method("auto").label(Page.parse(markup)).evidence
    assert evidence
    assert all(isinstance(each, PageKind) for each in evidence)


@pytest.mark.slow
def test_a_huge_page_is_left_to_rules_and_fast() -> None:
    page = Page.parse("<div class=x>" + f"<p class=y>{SENTENCE}" * (MAX_BLOCKS + 1))
    assert len(page.starts) > MAX_BLOCKS
    labels = assert_faster(lambda: make_method("auto").label(page), lambda: make_method("rules").label(page), 3)
    assert labels.method == "auto"
    assert sum(labels.kept) == MAX_BLOCKS + 1
    assert not [each for each in labels.evidence if isinstance(each, PageKind)]


# --- pages with and without text ----------------------------------------------------------------------------------------


def test_pages_without_text_are_empty_or_low_in_confidence() -> None:
    assert len(NOTHING) == 40
    docs = [bonmun.extract(path.read_bytes()) for path in NOTHING]
    assert sum(not doc.text or doc.confidence < 0.3 for doc in docs) >= 35


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_pages_with_text_are_not_empty(folder: Path) -> None:
    doc = bonmun.extract((folder / "source.html").read_bytes())
    assert bool(doc.text) == (folder.name != "ko-login")
    assert len(doc.labels.reasons) == len(doc.page.starts)
    assert all(doc.labels.reasons)


def test_a_repeated_text_is_kept_once() -> None:
    html = NEWS.read_text("utf-8")
    text = [block.text for block in bonmun.extract(html).blocks]
    again = "".join(f"<p>{line}</p>" for line in text)
    twice = html.replace("</body>", f"<div class=print-version>{again}</div></body>")
    doc = bonmun.extract(twice)
    long = [block.text for block in doc.blocks if len(block.text) > 100]
    assert len(long) == len(set(long)) > 5
    assert {line for line in text if len(line) > 100} <= set(long)


def test_quotes_are_kept_in_a_thread() -> None:
    html = (ROOT / "tests" / "pages" / "en-forum" / "source.html").read_text("utf-8")
    doc = bonmun.extract(html)
    post = max((block.text for block in doc.blocks), key=len)
    where = html.rindex(doc.blocks[-1].text[:30])
    quoted = html[:where] + f"<blockquote>{post}</blockquote>" + html[where:]
    assert bonmun.extract(quoted).text.count(post) == 2


# --- sites --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def posts() -> list[Page]:
    """Forty posts of a made-up Korean platform."""
    return [Page.parse(page.html, page.url) for page in blog_posts()]


@pytest.mark.slow
@pytest.mark.parametrize("favour", ["precision", "balanced", "recall"])
def test_hardly_any_template_is_kept_with_a_site_model(posts: list[Page], favour: Favour) -> None:
    site = SiteModel.fit(posts)
    alone = kept = left = 0
    for page in posts:
        verdicts = site.judge(page)
        assert verdicts is not None
        assert verdicts.rows
        labels = bonmun.extract(page, options=Options(favour=favour, site_model=site)).labels
        kept += any(labels.kept)
        for row in verdicts.rows:
            left += labels.kept[row]
            if labels.kept[row]:
                assert labels.reasons[row].startswith("too much of the page to lose") == verdicts.sure[row]
                continue
            assert labels.scores[row] < 0.5
            assert labels.reasons[row] == verdicts.explain(row)
            assert row not in labels.comments
            assert row in labels.template
        plain = Auto(favour=favour).label(page)
        alone += sum(plain.kept[row] for row in verdicts.rows)
    assert kept >= 36
    assert left < alone / 4


def test_every_post_has_text_with_a_site_model(posts: list[Page]) -> None:
    site = SiteModel.fit(posts)
    assert all(bonmun.extract(page).text for page in posts)
    assert [page.url for page in posts if not bonmun.extract(page, options=bonmun.Options(site_model=site)).text] == []


def test_a_site_with_few_pages_changes_nothing(posts: list[Page]) -> None:
    thin = SiteModel.fit(posts[:1])
    page = posts[3]
    assert thin.judge(page) is None
    assert columns(bonmun.extract(page, options=bonmun.Options(site_model=thin)).labels) == columns(
        bonmun.extract(page).labels
    )


def test_an_article_that_is_all_template_is_one_of_many_copies(posts: list[Page]) -> None:
    page = posts[0]
    verdicts = SiteModel.fit(posts).judge(page)
    assert verdicts is not None
    every = [True] * len(page.starts)
    said = verdicts._replace(template=every, sure=every, common=every)
    always = cast("SiteModel", type("Always", (), {"judge": lambda self, page: said})())
    labels, alone = Auto(site_model=always).label(page), Auto().label(page)
    assert any(alone.kept)
    completed = {row for row, reason in enumerate(alone.reasons) if reason == "like the text beside it"}
    assert labels.kept == [keep and row not in completed for row, keep in enumerate(alone.kept)]
    reasons = {reason for reason, keep in zip(labels.reasons, labels.kept, strict=True) if keep}
    assert all(reason.startswith("too much of the page to lose, though ") for reason in reasons)
    assert labels.template == {row for row, keep in enumerate(labels.kept) if not keep}
    assert labels.comments == frozenset()


@pytest.mark.parametrize(
    ("confidence", "kind", "is_dropped"),
    [(0.69, "article", True), (0.7, "article", False), (0.69, "listing", False)],
)
def test_template_that_is_not_sure_goes_from_a_doubtful_article(
    confidence: float, kind: str, is_dropped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page.parse(f"<article><h1>Light</h1>{SHOWN}</article>")
    judged = Auto()._judge(page)
    assert judged is not None
    kinds = [(name, float(name == kind)) for name, _ in judged[0].kinds]
    monkeypatch.setattr(Auto, "_judge", lambda self, page: (judged[0]._replace(kinds=kinds), confidence))
    none: Any = []
    row = page.block_texts.index(STORY[2])
    rows = range(len(page.starts))
    template, never = [each == row for each in rows], [False] * len(rows)
    verdicts = Verdicts(
        Site("s", 5, none, none, none, none, none, none),
        [3] * len(rows),
        [5] * len(rows),
        [],
        [],
        template,
        never,
        never,
    )
    model = cast("SiteModel", type("Model", (), {"judge": lambda self, page: verdicts})())
    labels = Auto(site_model=model).label(page)
    assert labels.kept[row] is not is_dropped
    assert (row in labels.template) is is_dropped
    assert all(labels.kept[page.block_texts.index(text)] for text in STORY if text != STORY[2])
    if is_dropped:
        assert labels.reasons[row] == "on 3 of 5 pages of the site"


# --- text that is there twice --------------------------------------------------------------------------------------------

STORY = [
    f"The {name} was lit again last night, and the people of the {name} came to see it burn."
    for name in ("lighthouse", "harbour", "beacon", "old tower", "signal fire", "chapel")
]
SHOWN = "".join(f"<p>{text}</p>" for text in STORY)


def test_text_that_is_hidden_and_shown_is_kept_once() -> None:
    html = f"<article><h1>Light</h1>{SHOWN}<p hidden>{STORY[1]} {STORY[2]}</p></article>"
    doc = bonmun.extract(html)
    assert doc.text.count(STORY[1]) == 1
    assert doc.labels.reasons[-1] == "hidden, and shown elsewhere"


def test_a_repeated_item_stays_in_its_list() -> None:
    items = "".join(f"<li>{text}</li>" for text in (STORY[0], STORY[1], STORY[0]))
    doc = bonmun.extract(f"<article><h1>Light</h1><p>{STORY[3]}</p><ul>{items}</ul><p>{STORY[4]}</p></article>")
    assert [block.text for block in doc.blocks if block.kind == "item"] == [STORY[0], STORY[1], STORY[0]]


def test_repeated_code_is_kept() -> None:
    code = "<pre>def light(lamp):\n    lamp.wick.trim()\n    return lamp.burn(hours=12, brightly=True)</pre>"
    doc = bonmun.extract(
        f"<article><h1>Light</h1><p>{STORY[0]}</p>{code}<p>{STORY[1]}</p>{code}<p>{STORY[2]}</p></article>"
    )
    assert doc.text.count("lamp.wick.trim()") == 2
