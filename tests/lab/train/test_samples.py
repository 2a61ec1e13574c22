"""Samples of labelled pages: labels by hand, copies, comments, sites, and sets with unlabelled pages."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun import Page
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.train.samples.samples import make_sample, read_pages, read_samples
from bonmun.sites.model import SiteModel
from samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample

LIT = "The old lighthouse at the end of the pier was lit again last night."
DARK = "Nobody had expected that, after thirty dark years on the coast."
SAID = "I saw it from my window, and it was bright."
NAV = "<nav><a href=/>Home</a></nav>"


def made(html: str, text: str | None, **facts: Any) -> Sample:
    sample = make_sample(Example("page", html, text, **facts), "set")
    assert sample is not None
    return sample


# --- labels ----------------------------------------------------------------------------------------------------------


def test_labels_by_hand() -> None:
    """Blocks: a menu, a headline that is not in the gold, two of three paragraphs, a footer."""
    page = f"<title>Light</title>{NAV}<h1>Lit again</h1><p>{LIT}</p><p>{DARK}</p><footer>Imprint</footer>"
    sample = made(page, f"{LIT}\n{DARK}", url="https://a.example/1", lang="en", kind="news")
    assert sample.keep.tolist() == [0, 0, 1, 1, 0]
    assert sample.comment.tolist() == [-1, -1, 0, 0, -1]  # whether the others are comments is unknown
    assert sample.sizes.tolist() == [1, 2, 14, 11, 1]
    assert sample.gold == (25, 25, 25)
    assert sample.labelled
    assert (sample.id, sample.source, sample.site) == ("page", "set", "a.example")
    assert (sample.lang, sample.kind, sample.arrays.site) == ("en", "news", None)
    assert [column.dtype for column in (sample.keep, sample.comment, sample.sizes)] == [np.float32, np.int8, np.int32]


def test_partly_kept_block_has_its_share_of_characters() -> None:
    more = "Read more of it here."
    sample = made(f"<p>{LIT} <span>{more}</span></p><p>{DARK}</p>", f"{LIT}\n{DARK}")
    (leaf, rest), _ = [block.leaves for block in Page.parse(f"<p>{LIT} <span>{more}</span></p><p>{DARK}</p>").blocks]
    share = len(leaf.text) / (len(leaf.text) + len(rest.text))
    assert sample.keep.tolist() == pytest.approx([share, 1])
    assert 0.7 < share < 0.8


def test_gold_partly_missing_from_the_page() -> None:
    sample = made(f"<p>{LIT}</p>", f"{LIT}\n{DARK}")
    assert sample.keep.tolist() == [1]
    assert sample.gold == (14, 25, 14)


def test_copy_of_kept_text_is_unknown() -> None:
    after = made(f"<p>{LIT}</p><p>{DARK}</p><aside><p>{LIT}</p></aside>", f"{LIT}\n{DARK}")
    assert after.keep.tolist() == [1, 1, -1]
    before = made(f"<aside><p>{LIT}</p></aside><p>{DARK}</p><p>{LIT}</p>", f"{DARK}\n{LIT}")
    assert before.keep.tolist() == [-1, 1, 1]


def test_repeated_label_is_not_a_copy() -> None:
    """Twelve characters are too short, thirteen are enough."""
    for label, share in (("Home and away", -1), ("Home or away", 0)):
        sample = made(f"<p>{DARK}</p><p>{label}</p><ul><li>{label}</ul>", f"{DARK}\n{label}")
        assert sample.keep.tolist() == [1, 1, share]


def test_comments_by_hand() -> None:
    page = f"{NAV}<p>{LIT}</p><p>{DARK}</p><div>{SAID}</div>"
    sample = made(page, f"{LIT}\n{DARK}", comments=SAID)
    assert sample.keep.tolist() == [0, 1, 1, 0]
    assert sample.comment.tolist() == [0, 0, 0, 1]  # known comments imply that the others are none


def test_comment_in_the_gold_is_main_text() -> None:
    sample = made(f"{NAV}<p>{LIT}</p><div>{SAID}</div>", f"{LIT}\n{SAID}", comments=SAID)
    assert sample.keep.tolist() == [0, 1, 1]
    assert sample.comment.tolist() == [0, 0, 0]


def test_empty_gold_is_a_gold() -> None:
    sample = made(f"{NAV}<p>{LIT}</p>", "")
    assert (sample.keep.tolist(), sample.gold, sample.labelled) == ([0, 0], (0, 0, 0), True)


def test_page_without_gold_has_no_labels() -> None:
    sample = made(f"{NAV}<p>{LIT}</p>", None)
    assert (sample.keep.tolist(), sample.comment.tolist()) == ([-1, -1], [-1, -1])
    assert (sample.gold, sample.labelled, sample.sizes.tolist()) == ((0, 0, 0), False, [1, 14])


def test_page_without_text_gives_no_sample() -> None:
    assert make_sample(Example("page", "<img src=a.png>", ""), "set") is None


def test_site_from_set_url_or_page() -> None:
    assert made("<p>x", "", site="named.example", url="https://a.example/1").site == "named.example"
    assert made("<p>x", "", url="https://a.example/1").site == "a.example"
    assert made("<p>x", "").site == "page"


# --- sites -----------------------------------------------------------------------------------------------------------


def post(number: int, **facts: Any) -> dict[str, Any]:
    html = f"{NAV}<p>{number} years ago, {LIT}</p><p>{DARK} {number * 7}</p>"
    text = f"{number} years ago, {LIT}\n{DARK} {number * 7}"
    return {"id": f"p{number}", "html": html, "text": text, "url": f"https://a.example/{number}"} | facts


def written(path: Path, *rows: dict[str, Any] | str) -> Path:
    lines = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    path.write_bytes(gzip.compress(lines.encode()) if path.name.endswith(".gz") else lines.encode())
    return path


def gathered(*paths: Path) -> tuple[list[Sample], list[str | None]]:
    """Return the samples of some sets, and the messages about pages."""
    said: list[str | None] = []
    return read_samples(paths, 1, said.append), said


def test_three_pages_show_what_repeats(tmp_path: Path) -> None:
    samples, said = gathered(written(tmp_path / "set.jsonl", *(post(n) for n in range(2, 5))))
    assert said == [None] * 3
    for sample in samples:
        assert sample.arrays.site is not None
        assert sample.arrays.site.shape == (3, 2)
        assert sample.arrays.site.dtype == np.float32
        assert sample.arrays.site[:, 0].tolist() == [1, 0, 0]  # the menu is on the two other pages, the text is not


def test_site_columns_match_the_site_model(tmp_path: Path) -> None:
    rows = [post(n) for n in range(2, 7)]
    samples, _ = gathered(written(tmp_path / "set.jsonl", *rows))
    model = SiteModel.fit((Page.parse(row["html"]) for row in rows), site="a")
    for sample, row in zip(samples, rows, strict=True):
        verdicts = model.judge(Page.parse(row["html"]))
        assert verdicts is not None
        assert sample.arrays.site is not None
        np.testing.assert_allclose(sample.arrays.site.T, [verdicts.shares, verdicts.repeated], rtol=1e-6)


def test_two_pages_give_no_site_model(tmp_path: Path) -> None:
    rows = [*(post(n) for n in (2, 3)), post(4, url="https://b.example/4"), post(5, site="c.example")]
    samples, _ = gathered(written(tmp_path / "set.jsonl", *rows))
    assert [sample.arrays.site for sample in samples] == [None] * 4
    assert [sample.site for sample in samples] == ["a.example", "a.example", "b.example", "c.example"]


def test_site_may_span_several_sets(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{name}.jsonl", post(n), post(n + 1)) for name, n in (("z", 2), ("a", 4))]
    samples, _ = gathered(*paths)
    assert [(sample.source, sample.id) for sample in samples] == [("a", "p4"), ("a", "p5"), ("z", "p2"), ("z", "p3")]
    assert all(sample.arrays.site is not None for sample in samples)


def test_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", *(post(n, site=f"{n % 3}.example") for n in range(2, 9)))
    one, two = (read_samples([path], workers, lambda problem: None) for workers in (1, 2))
    assert [sample.id for sample in one] == [sample.id for sample in two]
    assert [sample.keep.tolist() for sample in one] == [sample.keep.tolist() for sample in two]


def test_unusable_page_is_reported_and_the_rest_used(tmp_path: Path) -> None:
    rows = [
        post(2),
        {"id": "feed", "html": "<?xml version='1.0'?><rss></rss>", "text": "", "url": "https://a.example/"},
    ]
    samples, said = gathered(written(tmp_path / "set.jsonl", *rows, post(3), post(4)))
    assert [sample.id for sample in samples] == ["p2", "p3", "p4"]
    assert sorted(map(str, said))[:3] == ["None"] * 3
    assert [line.split(":")[0] for line in said if line] == ["feed"]


def test_page_without_text_is_skipped(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", post(2), {"id": "shell", "html": "<div id=root></div>", "text": ""})
    samples, said = gathered(path)
    assert [sample.id for sample in samples] == ["p2"]
    assert said == [None, None]


# --- sets ------------------------------------------------------------------------------------------------------------


def test_json_lines_with_and_without_gold(tmp_path: Path) -> None:
    bare = {"id": "bare", "html": NAV, "url": "https://b.example/", "lang": "ko", "kind": "blog", "site": "b.example"}
    rows = [post(2), bare, {"id": "null", "html": NAV, "text": None}, post(3, text=""), {"html": NAV}]
    for name in ("set.jsonl", "set.jsonl.gz"):
        pages = [page for page in read_pages(written(tmp_path / name, *rows)) if isinstance(page, Example)]
        golds = {page.id: page.text for page in pages}
        assert golds == {"p2": rows[0]["text"], "p3": "", "bare": None, "null": None}
        assert len(pages) == 4
        (found,) = [page for page in pages if page.id == "bare"]
        assert (found.html, found.url) == (NAV, "https://b.example/")
        assert (found.lang, found.kind, found.site) == ("ko", "blog", "b.example")


def test_blank_lines_are_skipped(tmp_path: Path) -> None:
    pages = list(read_pages(written(tmp_path / "set.jsonl", "", post(2), "", " ")))
    assert [page.id for page in pages if isinstance(page, Example)] == ["p2"]
    assert len(pages) == 1


def test_set_without_gold_gives_samples_without_labels(tmp_path: Path) -> None:
    samples, _ = gathered(written(tmp_path / "set.jsonl", *(post(n, text=None) for n in range(2, 5))))
    assert [sample.labelled for sample in samples] == [False] * 3
    assert all(sample.arrays.site is not None for sample in samples)


def test_broken_pages_in_folders_are_reported(tmp_path: Path) -> None:
    for name, gold in (("good", LIT), ("other", None)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "source.html").write_text(f"<p>{LIT}</p>")
        if gold:
            (tmp_path / name / "gold.txt").write_text(gold)
    found = list(read_pages(tmp_path))
    assert [type(page) for page in found] == [Example, BrokenRecord]
    assert [page.id if isinstance(page, Example) else page.name for page in found] == ["good", "other"]


def test_all_test_pages_are_usable() -> None:
    samples, said = gathered(ROOT / "tests" / "pages")
    assert len(samples) == len(said) == len(list((ROOT / "tests" / "pages").iterdir()))
    assert set(said) == {None}
    assert all(sample.labelled for sample in samples)
    assert {sample.source for sample in samples} == {"pages"}


def test_page_with_snippets_is_read_once(tmp_path: Path) -> None:
    row = {"id": "p", "html": NAV, "wanted": ["Home"]}
    assert len(list(read_pages(written(tmp_path / "set.jsonl", row)))) == 1


def test_markdown_is_a_gold_but_required_lines_are_not(tmp_path: Path) -> None:
    page = f"{NAV}<h2>Dark</h2><p>{LIT}</p>"
    rows: list[dict[str, Any]] = [
        {"id": "a", "html": page, "markdown": f"**{LIT}**"},
        {"id": "b", "html": page, "must": [LIT], "title": "Dark"},
    ]
    labelled, other = gathered(written(tmp_path / "set.jsonl", *rows))[0]
    assert (labelled.labelled, other.labelled) == (True, False)
    assert labelled.keep.tolist() == [0, 0, 1]
    assert set(other.keep.tolist()) == {-1}


@pytest.mark.parametrize("row", ["no JSON", "[1]", {"id": "p"}, {"id": "p", "html": 1}, post(9, text=3)])
def test_broken_line_is_reported_and_the_rest_read(row: dict[str, Any] | str, tmp_path: Path) -> None:
    found = list(read_pages(written(tmp_path / "set.jsonl", post(2), row, post(3, text=None))))
    assert sorted(page.id for page in found if isinstance(page, Example)) == ["p2", "p3"]
    assert len([page for page in found if isinstance(page, BrokenRecord)]) == 1


def test_duplicate_ids_are_reported(tmp_path: Path) -> None:
    found = list(read_pages(written(tmp_path / "set.jsonl", post(2), post(2))))
    assert [type(page) for page in found] == [Example, BrokenRecord]
