"""Data of the inspector: the same decisions as the library's, for every method, as plain JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun.app.commands.shared.open_pages import check_names
from bonmun.app.inspector.block_features import explain_features
from bonmun.app.inspector.inspection import inspect_page, list_methods, run_method
from bonmun.app.inspector.jobs import compare_answers, explain_block, open_page
from bonmun.errors import BadConfig, NotHtml, TooBig
from bonmun.lab.annotate.open_pages import OpenPage, OpenPages, open_records
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.models.features.count_page import count_page
from bonmun.models.features.scaled_features import compute_features
from bonmun.models.network.influence import InfluenceMeter
from bonmun.models.network.labeller import default_network
from bonmun.page import Page
from bonmun.pipeline import extract
from laid_out import lay_out
from samples import SOURCES
from timing import assert_quick

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = """<title>Barley soup</title><h1>Barley soup</h1><p>My grandmother cooked this soup every winter.</p>
<script type="application/ld+json">{"@type": "Recipe", "name": "Barley soup", "cookTime": "PT50M",
"recipeYield": "6 servings"}</script><p>Serves 4</p>
<h2>Ingredients</h2><ul><li>2 cups pearl barley</li><li>1 ½ l vegetable stock</li><li>3 carrots</li></ul>
<h2>Method</h2><ol><li>Rinse the barley and soak it in cold water for an hour.</li>
<li>Bring the stock to a boil, and add barley and carrots.</li></ol>"""
ARTICLE = SOURCES["en-docs"].read_bytes()
PAGE = Page.parse(ARTICLE)


def test_blocks_cover_all_leaves() -> None:
    found = inspect_page(PAGE, "docs")
    blocks = found["blocks"]
    assert [block["text"] for block in blocks] == [block.text for block in PAGE.blocks]
    covered = [leaf for block in blocks for leaf in range(block["first"], block["last"] + 1)]
    assert covered == list(range(len(PAGE.texts)))
    leaves = found["leaves"]
    assert [leaves["paths"][path] for path in leaves["path_of"]] == [leaf.tag_path for leaf in PAGE.leaves]
    for number, unit in enumerate(found["units"]):
        assert all(blocks[row]["unit"] == number for row in range(unit["first"], unit["last"] + 1))


@pytest.mark.parametrize("name", [each["name"] for each in list_methods()])
def test_answer_matches_the_method(name: str) -> None:
    found = run_method(PAGE, name)
    assert json.loads(json.dumps(found)) == found
    doc = extract(PAGE, method=name)
    assert found["outputs"]["text"] == doc.text
    rows = {block.row for block in doc.blocks}
    kept = {row for row, is_kept in enumerate(found["kept"]) if is_kept}
    assert rows <= kept if found["unit"] == "block" else rows == kept
    assert len(found["scores"]) == len(found["reasons"]) == len(PAGE.starts)
    assert all(0 <= score <= 1 for score in found["scores"])
    for table in found["evidence"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
        assert len(table["blocks"]) == len(table["rows"])
        assert table["says"]
        assert all(0 <= row < len(PAGE.starts) for rows in table["blocks"] for row in rows)


def test_evidence_lists_its_blocks() -> None:
    for name in ("xpath", "xpath+"):
        (table,) = run_method(PAGE, name)["evidence"]
        (chosen,) = table["chosen"]
        path = dict(zip(table["columns"], table["rows"][chosen], strict=True))["path"]
        assert table["blocks"][chosen]
        leaf_paths = {leaf.tag_path for row in table["blocks"][chosen] for leaf in PAGE.blocks[row].leaves}
        block_paths = {PAGE.blocks[row].tag_path for row in table["blocks"][chosen]}
        assert path in (leaf_paths if name == "xpath" else block_paths)


def test_metadata_lists_its_blocks() -> None:
    page = Page.parse(
        "<title>A bridge | News</title><meta name=author content='Ann Lee'>"
        "<meta property=article:published_time content=2024-05-06><h1>A bridge</h1><p>By Ann Lee</p>"
        "<p>Published <time datetime=2024-05-06>last spring</time></p>" + "<p>The town has built a bridge.</p>" * 9
    )
    facts = {fact["name"]: fact for fact in run_method(page)["facts"]}
    assert page.block_texts[facts["title"]["block"]] == "A bridge"
    assert page.block_texts[facts["author"]["block"]] == "By Ann Lee"
    assert facts["date"]["value"] == "2024-05-06"
    assert "Published" in page.block_texts[facts["date"]["block"]]
    assert facts["language"]["block"] is None


def test_objects_list_sources_and_blocks() -> None:
    page = Page.parse(RECIPE)
    (found,) = run_method(page)["objects"]
    fields = {field["name"]: field for field in found["fields"]}
    assert found["type"] == "Recipe"
    assert (fields["name"]["value"], fields["name"]["source"]) == ("Barley soup", "JSON-LD")
    assert page.block_texts[fields["name"]["block"]] == "Barley soup"
    ingredients = fields["recipeIngredient"]
    assert 0 < ingredients["confidence"] <= 1
    assert page.block_texts[ingredients["block"]] == "2 cups pearl barley"
    assert fields["cookTime"]["block"] is None
    assert fields["recipeYield"]["others"] == [{"value": "4", "source": "page"}]
    assert run_method(PAGE)["objects"] == []


def test_confidence_is_explained() -> None:
    short = run_method(Page.parse("<p>Only a few words, and no more than these are here.</p>"))
    assert any("too short" in each["says"] for each in short["lowers"])
    nothing = run_method(Page.parse(SOURCES["example-ar-shell"].read_bytes()))
    assert any("Nothing is kept" in each["says"] for each in nothing["lowers"])
    news = run_method(Page.parse(SOURCES["en-news"].read_bytes()))
    doubtful = next(each for each in news["lowers"] if "uncertain" in each["says"])
    scores = news["scores"]
    assert doubtful["blocks"]
    assert all(0.25 < scores[row] < 0.75 for row in doubtful["blocks"])


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_influence_matches_the_whole_network(share: float) -> None:
    network, arrays = default_network(), count_page(PAGE)
    block = int(share * (len(PAGE.starts) - 1))
    judge = InfluenceMeter(network, arrays)
    features = compute_features(arrays)
    other = np.abs(np.random.default_rng(1).normal(size=(2, network.width))).astype(np.float32)
    for variant, logit in zip(other, judge.judge(block, other), strict=True):
        first = judge.first.copy()
        first[block] = variant
        whole = network._score_blocks(features, judge.elements.copy(), first).keep[block]
        assert 1 / (1 + np.exp(-logit)) == pytest.approx(whole, abs=1e-3)


def test_features_are_few_and_sorted() -> None:
    found = assert_quick(lambda: explain_features(PAGE, 40), 0.3)
    for side, sign in (("for", 1), ("against", -1)):
        changes = [sign * each["change"] for each in found[side]]
        assert 0 < len(changes) <= 5
        assert changes == sorted(changes, reverse=True)
        assert changes[-1] > 0
    assert explain_features(Page.parse("<p>few</p>"), 0) == {"block": 0, "for": [], "against": []}


def test_pages_with_boxes_use_their_own_network() -> None:
    page = lay_out(ARTICLE.decode(), None)
    found = explain_features(page, 40)
    assert found["for"]
    assert found != explain_features(PAGE, 40)
    assert "visual:basic" in {each["name"] for each in inspect_page(page, "laid out")["methods"]}


def test_jobs_return_json_and_refuse_invalid_arguments() -> None:
    source = PageSource("docs", "https://example.org/", ARTICLE)
    opened = json.loads(open_page(source))
    assert opened["url"] == "https://example.org/"
    assert 'data-leaf="0"' in opened["frame"]
    assert json.loads(compare_answers(source, "auto", "auto"))["f1"] == 1
    with pytest.raises(BadConfig, match="no block 9999"):
        explain_block(source, 9999)
    with pytest.raises(NotHtml):
        open_page(PageSource("pdf", None, b"%PDF-1.7"))
    with pytest.raises(TooBig, match="more than the 100,000"):
        open_page(PageSource("long", None, b"<p>x" * 100_001))
    assert json.loads(open_page(PageSource("half", None, "<p>a\ud800b words</p>".encode("utf-8", "surrogatepass"))))


def test_open_pages_are_read_on_demand(tmp_path: Path) -> None:
    read: list[str] = []

    def make(name: str) -> OpenPage:
        def load() -> PageSource:
            read.append(name)
            return PageSource(name, None, b"<p>x</p>")

        return OpenPage(0, name, None, load)

    open_pages = OpenPages([make("a"), make("b")])
    assert [page.number for page in open_pages.pages] == [0, 1]
    assert read == []
    assert open_pages.load(1).name == "b"
    assert open_pages.load(1).body == b"<p>x</p>"
    assert read == ["b"]


def test_invalid_names_are_reported_first(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "page.html").write_text("<p>Some words.</p>")
    check_names([str(tmp_path), str(tmp_path / "page.html"), "https://example.org/"])
    for name, says in [("no.html", "no such file"), ("no.jsonl", "no such file"), ("empty", "contains no pages")]:
        with pytest.raises(BadConfig, match=f"{name}: .*{says}"):
            check_names([str(tmp_path / "page.html"), str(tmp_path / name)])


def test_records_are_readable_in_any_order(tmp_path: Path) -> None:
    from bonmun.scale.corpus.sources.reader import Reader

    file = tmp_path / "many.jsonl"
    lines = [{"id": str(n), "html": f"<p>page {n} {'x' * n}</p>", "url": f"https://example.org/{n}"} for n in range(30)]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    open_pages = OpenPages(open_records(Reader([str(file)], "all")))
    for number in (29, 0, 7, 29):
        source = open_pages.load(number)
        assert source.body.decode() == lines[number]["html"]
        assert (source.name, source.url) == (str(number), f"https://example.org/{number}")
