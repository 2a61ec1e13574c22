"""`bonmun train GOLD`: fine-tuned, measured on unseen pages, and saved only if it is better."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import pytest

import bonmun as library
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.block_labels import BlockLabel
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from bonmun.lab.train.config import choose_config
from bonmun.lab.train.finetune import rate_page
from bonmun.lab.train.finetune_network import find_habits, finetune_weights, prepare_finetuning
from bonmun.lab.train.labeller import restore_labeller
from bonmun.lab.train.samples.samples import make_sample
from bonmun.models.network.labeller import (
    Network,
    default_network,
    default_weights,
    load_network,
    load_weights,
    save_weights,
)
from bonmun.options import Options
from samples import ROOT, blog_posts, command, save

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.models.network.labeller import Weights
    from samples import Bonmun

pytestmark = pytest.mark.slow

LEARNT = 20  # posts for training; the others are measured
FAST = ["--pages", "1", "--workers", "1"]  # as few steps as possible
STORY = "The old lighthouse at the end of pier {0} was lit again last night, for the {0}th time in thirty dark years."
MORE = "Nobody in town {0} had expected that, and most of them stood at their windows until morning, counting to {0}."


def write_set(name: str, rows: Sequence[dict[str, Any]]) -> None:
    save(name, "".join(f"{json.dumps(row)}\n" for row in rows))


def make_articles(count: int, **facts: Any) -> list[dict[str, Any]]:
    """Return pages that cannot be improved: the default has them right."""
    rows = []
    for number in range(count):
        texts = [template.format(number + turn) for turn in range(3) for template in (STORY, MORE)]
        body = "".join(f"<p>{text}</p>" for text in texts)
        html = f"<title>Lit {number}</title><nav><a href=/>Home</a></nav><h1>Lit {number}</h1><article>{body}</article>"
        url = f"https://coast.example/{number}"
        rows.append({"id": f"{number}", "url": url, "html": html, "text": "\n".join(texts), **facts})
    return rows


@pytest.fixture(autouse=True)
def less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take less time; the effect of the replay set is measured by scripts/figures/teaching.py."""
    monkeypatch.setattr("bonmun.lab.train.finetune_network.REPLAY_PAGES", 4)
    monkeypatch.setattr("bonmun.lab.train.fitting.MIN_STEPS", 5)


@pytest.fixture(scope="module")
def finetuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """A folder with a model fine-tuned on posts of a blog platform, the printed report, and the messages."""
    folder = tmp_path_factory.mktemp("finetuned")
    rows = [{name: getattr(post, name) for name in ("id", "url", "html", "text")} for post in blog_posts()[:LEARNT]]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "gold.jsonl").write_text(lines, encoding="utf-8")
    done = command("train", "gold.jsonl", "--format", "json", "--pages", "200", "--workers", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout), done.stderr.decode()


@pytest.mark.long
def test_twenty_pages_improve_unseen_pages(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = finetuned
    model = load_network(folder / "gold.npz")
    others = [Example(post.id, post.html, post.text, url=post.url) for post in blog_posts()[LEARNT:]]
    before, after = (mean(rate_page(each, network) for each in others) for network in (default_network(), model))
    assert before < 0.65
    assert after > before + 0.2


def test_report_lists_every_page(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, told, _ = finetuned
    assert sorted(path.name for path in folder.iterdir()) == ["gold.jsonl", "gold.npz"]
    assert [page["id"] for page in told["pages"]] == [post.id for post in blog_posts()[:LEARNT]]
    for name in ("before", "after"):
        assert told[name] == pytest.approx(mean(page[name] for page in told["pages"]))
    assert told["after"] > told["before"] + 0.2
    assert (told["is_better"], told["split"], told["output"]) == (True, "page", str(folder.resolve() / "gold.npz"))
    assert told["why"].startswith("The model was saved: unseen pages improved by 0.")
    assert told["seconds"] > 0


def test_each_step_is_printed(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    _, _, said = finetuned
    lines = said.splitlines()
    assert lines[0] == "bonmun: reading pages"
    assert lines[1].startswith("bonmun: before: word F1 0.")
    rounds = [line.partition(": step ")[0] for line in lines[2:]]
    assert list(dict.fromkeys(rounds)) == [f"bonmun: training {number} of 6" for number in range(1, 7)]


def test_fine_tuned_model_is_used(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = finetuned
    post = blog_posts()[-2]
    (folder / "post.html").write_text(post.html, encoding="utf-8")
    done = command("extract", "--model", "gold.npz", "post.html", cwd=folder)
    (folder / "post.html").unlink()
    taught, default = (
        library.extract(post.html, options=Options(model=file)).text for file in (folder / "gold.npz", None)
    )
    assert done.stdout.decode() == f"{taught}\n"
    assert taught != default


def test_other_sites_use_the_default(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = finetuned
    model, post = folder / "gold.npz", blog_posts()[-2]
    places = {
        None: True,  # unknown origin
        post.url: True,
        "https://a.blog.geulmaru.example/1": True,
        "https://www.geulmaru.example/1": True,
        "https://other.example/1": False,
        "https://blog.geulmaru.example.other.example/1": False,
        "https://xblog.geulmaru.example/1": False,
    }
    for url, is_taught in places.items():
        taught, default = (library.extract(post.html, url, options=Options(model=file)).text for file in (model, None))
        assert (taught != default) == is_taught, url


def test_other_pages_hardly_change(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = finetuned
    model = load_network(folder / "gold.npz")
    others = [example for example in read_dataset(ROOT / "tests" / "pages") if example.text]
    before, after = (mean(rate_page(each, network) for each in others) for network in (default_network(), model))
    assert after > before - 0.04


def test_confidence_calibration_is_kept(finetuned: tuple[Path, dict[str, Any], str]) -> None:
    folder, told, _ = finetuned
    about = load_weights(folder / "gold.npz").about
    assert about["confidence"] == default_weights().about["confidence"]
    assert about["lesson"] == {
        "pages": LEARNT, "split": "page", "before": round(told["before"], 4), "after": round(told["after"], 4),
    }  # fmt: skip
    assert about["hosts"] == ["blog.geulmaru.example"]


def test_model_that_is_no_better_is_not_saved(bonmun: Bonmun) -> None:
    write_set("gold.jsonl", make_articles(6))
    save("gold.npz", "old")
    done = bonmun("train", "gold.jsonl", *FAST)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "The model was not saved: unseen pages are no better than before" in done.stdout
    assert done.stdout.splitlines()[0].split() == ["page", "default", "yours", "gain"]
    assert Path("gold.npz").read_text() == "old"


def test_model_that_is_worse_is_not_saved(bonmun: Bonmun) -> None:
    """On every other page only the menu is gold, which cannot be predicted."""
    rows = [row | ({"text": "Home"} if number % 2 else {}) for number, row in enumerate(make_articles(8))]
    write_set("gold.jsonl", rows)
    done = bonmun("train", "gold.jsonl", "-o", "m.npz", "-f", "json", "--pages", "130", "--workers", "1")
    told = json.loads(done.stdout)
    assert (told["is_better"], told["output"]) == (False, None)
    assert told["why"].startswith("The model was not saved: ")
    assert not Path("m.npz").exists()


def test_split_by_site_if_there_are_enough(bonmun: Bonmun) -> None:
    write_set("gold.jsonl", [row | {"site": f"{row['id']}.example"} for row in make_articles(5)])
    told = json.loads(bonmun("train", "gold.jsonl", "-f", "json", *FAST).stdout)
    assert told["split"] == "site"
    assert "over 5 sites" in told["why"]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (make_articles(1), "1 labelled page is too few to measure an improvement: label"),
        (
            make_articles(4),
            "4 labelled pages are too few to measure an improvement: label",
        ),
        ([], "No pages to train on: no gold text was found on its page."),
        (make_articles(2, text="Words that stand nowhere"), "No pages to train on: no gold text was found"),
    ],
)
def test_too_few_pages(rows: list[dict[str, Any]], says: str, bonmun: Bonmun) -> None:
    write_set("gold.jsonl", rows)
    done = bonmun("train", "gold.jsonl")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"bonmun: {says}")
    assert not Path("gold.npz").exists()


def test_problems_with_pages_are_reported(bonmun: Bonmun) -> None:
    good = make_articles(3)
    bad = [
        {"id": "x", "url": "https://x.example/", "text": "Words that stand nowhere"},
        {"id": "y", "html": ""},
        {"id": "z", "labels": "keep"},
    ]
    write_set("gold.jsonl", [*good, good[0], *(good[1] | changes for changes in bad)])
    done = bonmun("train", "gold.jsonl")
    assert done.exit_code == 2
    assert "0: duplicate id; the first record is used" in done.stderr
    assert "z: labels is not a list" in done.stderr
    assert "x: its gold text is not on the page" in done.stderr
    assert "bonmun: y: " in done.stderr


def test_duplicate_pages_count_once(bonmun: Bonmun) -> None:
    """Otherwise the page would be both trained on and measured."""
    write_set("anna.jsonl", make_articles(4))
    write_set("bela.jsonl", [row | {"id": f"b{row['id']}"} for row in make_articles(4)])
    done = bonmun("train", "anna.jsonl", "bela.jsonl")
    assert done.stderr.splitlines()[0] == "bonmun: 4 duplicate pages with the same HTML ignored."
    assert done.stderr.splitlines()[1].startswith("bonmun: 4 labelled pages are too few")


def test_unknown_format(bonmun: Bonmun) -> None:
    done = bonmun("train", "gold.jsonl", "-f", "xml")
    assert (done.exit_code, done.stderr) == (2, "bonmun: Unknown format 'xml': choose text or json.\n")
    assert bonmun("train", "none.jsonl").stderr == "bonmun: none.jsonl: no such file or folder.\n"


# --- the network -----------------------------------------------------------------------------------------------------


def teach_examples(examples: Sequence[Example], *, pages: int = 1) -> Weights:
    start = default_weights()
    net = restore_labeller(start)
    samples = [sample for example in examples if (sample := make_sample(example, "taught"))]
    config = choose_config(net.config, len(samples), seed=1, teachers=0, pages=pages)
    prepared, config = prepare_finetuning(samples, config, start, device="cpu", workers=1)
    return finetune_weights(prepared, config, start, net, frozenset(), lambda _: None)


def test_same_seed_gives_same_model(tmp_path: Path) -> None:
    examples = [Example(**row) for row in make_articles(3)]
    for name in ("a", "b"):
        save_weights(teach_examples(examples), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_repeated_text_is_learnt_where_it_was_labelled() -> None:
    examples = []
    for number in range(6):
        text = f"{STORY.format(number)} {MORE.format(number)}"
        html = f"<div class=upper><p>{text}</p></div><hr><div class=lower><p>{text}</p></div><p>Imprint</p>"
        label = BlockLabel("/html/body/div[2]/p[1]", "keep")
        examples.append(Example(f"{number}", html, text, labels=(label,)))
    taught = Network(teach_examples(examples[1:], pages=640))
    asked = make_sample(examples[0], "taught")
    assert asked is not None
    upper, lower, _ = taught.scores(asked.arrays).keep
    assert lower > 0.5 > upper


@pytest.mark.parametrize("kept", [True, False])
def test_headlines_are_a_habit(kept: bool) -> None:
    """If most golds contain headlines, the network decides; otherwise they are titles."""
    rows = make_articles(4)
    texts = [f"Lit {row['id']}\n{row['text']}" if kept else row["text"] for row in rows]
    examples = [Example(row["id"], row["html"], text) for row, text in zip(rows, texts, strict=True)]
    samples = [sample for example in examples if (sample := make_sample(example, "taught"))]
    assert find_habits(samples) == {"headlines": kept, "filled": 0.3}
    taught = Network(teach_examples(examples[1:], pages=480))
    found = library.extract(examples[0].html, method=Auto(model=taught)).text
    assert found.startswith("Lit 0" if kept else STORY.format(0))
