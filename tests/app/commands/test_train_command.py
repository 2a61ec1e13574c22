"""`bonmun train` where models are written as they come, on posts of examples/blog.py; see train/test_teach.py, too."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest

import bonmun as library
from bonmun.lab.evaluate.systems.systems import choose_systems
from bonmun.lab.train.prepare import TORCH_LINE
from bonmun.lab.train.samples.sample_files import load_samples
from bonmun.metadata.ranking import load_rankers
from bonmun.models.network.labeller import Network, Weights, default_weights, load_weights, save_weights
from bonmun.options import Options
from samples import FOLDERS, ROOT, blog_posts, command, needs, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from samples import Bonmun

pytestmark = pytest.mark.slow

needs_torch = needs("torch")
SITE = "blog.geulmaru.example"  # of fold 1
QUICK = ["--pages", "16", "--workers", "1", "--unmeasured"]
LONGER = ["--pages", "80", "--workers", "1", "--unmeasured"]  # for weights to change by more than they are rounded
SHORT = {
    "id": "p",
    "html": "<nav>Home</nav><p>One two three, four five six.</p>",
    "text": "One two three, four five six.",
}


@pytest.fixture(scope="module")
def posts() -> list[dict[str, Any]]:
    """Some posts as records."""
    return [{name: getattr(post, name) for name in ("id", "url", "html", "text")} for post in blog_posts()[:8]]


def lines(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def train(bonmun: Bonmun, posts: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> Bonmun:
    """Run `bonmun train` in a folder with a set of eight posts, however slow the machine is, without saying how far."""
    monkeypatch.setattr("bonmun.app.commands.lab.train.LINE_SECONDS", 1e6)
    save("set.jsonl", lines(*posts))
    return partial(bonmun, "train")


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def same(one: str, other: str) -> bool:
    ours, theirs = load_weights(one).arrays, load_weights(other).arrays
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


# --- a model ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(posts: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a model was trained."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "set.jsonl").write_text(lines(*posts), encoding="utf-8")
    args = ["train", "set.jsonl", "-o", "m.npz", "--pages", "200", "--samples", "kept", "--workers", "2"]
    done = command(*args, cwd=folder)
    assert done.stderr.endswith(b"bonmun: Trained on 8 labelled pages; wrote m.npz\n")
    assert (done.stdout, done.returncode) == (b"", 0)
    return folder


@needs_torch
def test_a_model_is_made(trained: Path) -> None:
    assert sorted(path.name for path in trained.iterdir()) == ["kept", "m.npz", "set.jsonl"]
    weights, default = load_weights(trained / "m.npz"), default_weights()
    assert weights.about["sources"] == ["set"]
    assert weights.about["confidence"] == default.about["confidence"]
    assert {name: value.shape for name, value in weights.arrays.items()} == {
        name: value.shape for name, value in default.arrays.items()
    }


@needs_torch
def test_a_model_is_used(trained: Path, bonmun: Bonmun, posts: list[dict[str, Any]]) -> None:
    model = trained / "m.npz"
    save("post.html", posts[0]["html"])
    result = bonmun("extract", "--model", str(model), "post.html")
    assert (result.stderr, result.exit_code) == ("", 0)
    assert result.stdout == f"{library.extract(posts[0]['html'], options=Options(model=model)).text}\n"
    assert posts[0]["text"].splitlines()[0] in result.stdout
    # that it is the model which decides: one that is sure of nothing
    weights = load_weights(model)
    save_weights(
        Weights(weights.about, weights.arrays | {"keep.bias": weights.arrays["keep.bias"] - 60}), Path("n.npz")
    )
    assert bonmun("extract", "--model", "n.npz", "post.html").stdout != result.stdout


@needs_torch
def test_a_model_knows_its_pages_better(trained: Path) -> None:
    """Blocks that are in the gold have a score further above that of others."""
    apart = []
    for network in (Network(default_weights()), Network(load_weights(trained / "m.npz"))):
        said = [(network.scores(sample.arrays).keep, sample.keep) for sample in load_samples(trained / "kept")]
        apart.append(np.mean([score[keep > 0.5].mean() - score[keep == 0].mean() for score, keep in said]))
    assert apart[1] > apart[0]


@pytest.mark.long
@needs_torch
def test_the_same_seed_gives_the_same_model(train: Bonmun) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert train("set.jsonl", "-o", f"{name}.npz", "--seed", str(seed), *LONGER).exit_code == 0
    assert Path("a.npz").read_bytes() == Path("b.npz").read_bytes()
    assert not same("a.npz", "c.npz")


@needs_torch
def test_a_model_is_trained_on(train: Bonmun) -> None:
    train("set.jsonl", "-o", "a.npz", *QUICK)
    done = train("set.jsonl", "-o", "b.npz", "--from", "a.npz", *LONGER)
    assert (done.stderr, done.exit_code) == ("bonmun: Trained on 8 labelled pages; wrote b.npz\n", 0)
    assert not same("a.npz", "b.npz")


@needs_torch
def test_several_sets_and_folders(train: Bonmun, posts: list[dict[str, Any]]) -> None:
    save("other.jsonl", lines(SHORT))
    done = train("set.jsonl", "other.jsonl", str(ROOT / "tests" / "pages"), "-o", "m.npz", *QUICK)
    assert done.stderr == f"bonmun: Trained on {9 + len(FOLDERS)} labelled pages; wrote m.npz\n"
    assert load_weights("m.npz").about["sources"] == ["other", "pages", "set"]


@needs_torch
def test_teachers_for_pages_without_gold(train: Bonmun, posts: list[dict[str, Any]]) -> None:
    save("half.jsonl", lines(*(post | {"text": None} if row % 2 else post for row, post in enumerate(posts[:4]))))
    done = train("half.jsonl", "-o", "m.npz", "--teachers", "1", *QUICK)
    assert (done.stderr, done.exit_code) == ("bonmun: Trained on 2 labelled pages; wrote m.npz\n", 0)


@needs_torch
def test_a_fold_is_left_out(train: Bonmun, posts: list[dict[str, Any]]) -> None:
    """All posts are of one site, of fold 1; the other page is of fold 0."""
    save("other.jsonl", lines(SHORT | {"site": "h.example"}))
    for fold, learnt in ((0, 8), (1, 1), (2, 9)):
        done = train("set.jsonl", "other.jsonl", "-o", "m.npz", "--fold", str(fold), *QUICK)
        assert done.stderr == f"bonmun: Trained on {learnt} labelled pages; wrote m.npz\n"


# --- a model for each fold -------------------------------------------------------------------------------------------

FOLD_FILES = [f"fold-{fold}.npz" for fold in range(5)]
FACT_FILES = [f"facts-{fold}.npz" for fold in range(5)]
SITES = ("h.example", "g.example", "a.example", "e.example", "b.example")  # one of each fold


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[int]]:
    """Nothing is trained: a network is the one that comes with the package. Gives the rows that each has not seen."""
    outs: list[frozenset[int]] = []

    def fake(prepared: object, config: object, *, out: frozenset[int], **options: object) -> object:
        from bonmun.lab.train.labeller import restore_labeller

        outs.append(out)
        return restore_labeller(default_weights())

    monkeypatch.setattr("bonmun.lab.train.fitting.fit", fake)
    return outs


def make_up_few_pages(monkeypatch: pytest.MonkeyPatch, count: int = 2) -> None:
    for name in ("TEXTLESS_PAGES", "BOARD_PAGES", "SIMPLE_PAGES"):
        monkeypatch.setattr(f"bonmun.lab.train.train_models.{name}", count)


def put_folds() -> None:
    """A set of ten pages, two of a site of each fold, with title, author and date."""
    rows = []
    for number in range(10):
        title, author = f"A headline of {number} words", f"Jane Keeper {'ABCDEFGHIJ'[number]}"
        text = " ".join(f"Sentence {n} of a story that goes on and on." for n in range(number, number + 9))
        head = f"<title>{title}</title><meta name=author content='{author}'>"
        html = f"{head}<nav>Home</nav><h1>{title}</h1><p>By {author}</p><time datetime=2026-03-04>4 March 2026</time>"
        facts = {"title": title, "author": author, "date": "2026-03-04", "site": SITES[number % 5]}
        rows.append({"id": f"{number}", "html": f"{html}<p>{text}</p>", "text": text, **facts})
    save("sites.jsonl", lines(*rows))


@needs_torch
def test_a_model_for_each_fold(train: Bonmun, untrained: list[frozenset[int]]) -> None:
    put_folds()
    done = train("sites.jsonl", "--folds", "cv", *QUICK)
    told = "".join(f"bonmun: Trained on 8 labelled pages; wrote {Path('cv') / name}\n" for name in FOLD_FILES)
    assert (done.stderr, done.stdout, done.exit_code) == (told, "", 0)
    assert sorted(path.name for path in Path("cv").iterdir()) == FOLD_FILES
    assert [sorted(out) for out in untrained] == [[0, 5], [1, 6], [2, 7], [3, 8], [4, 9]]


@needs_torch
def test_pages_that_were_left_out_are_measured_beside_the_default(
    train: Bonmun, untrained: list[frozenset[int]]
) -> None:
    """Here each model is the default, so that both figures are the same."""
    put_folds()
    done = train("sites.jsonl", "--folds", "cv", "--pages", "16", "--workers", "1")
    head, row, *rest = done.stdout.splitlines()
    assert (head.split(), done.exit_code) == (["set", "pages", "default", "yours", "gain"], 0)
    name, pages, default, yours, gain = row.split()
    assert (name, pages, gain) == ("sites", "10", "+0.000")
    assert default == yours
    assert rest[-1].startswith("Word F1 on sites that your model has not seen")
    told = train("sites.jsonl", "--fold", "2", "-o", "m.npz", "--pages", "16", "--workers", "1", "-f", "json").stdout
    assert [(each["name"], each["pages"]) for each in json.loads(told)["sets"]] == [("sites", 2)]
    nothing = train("set.jsonl", "--fold", "2", "-o", "n.npz", "--pages", "16", "--workers", "1").stdout
    assert nothing == "No page belongs to a site that was left out, so nothing is measured.\n"


@needs_torch
def test_it_is_told_now_and_then_how_far_it_is(
    train: Bonmun, posts: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.app.commands.lab.train.LINE_SECONDS", 0.0)
    lines = train("set.jsonl", "-o", "m.npz", *QUICK).stderr.splitlines()
    assert lines[0] == "bonmun: 0%, reading pages"
    assert re.fullmatch(r"bonmun: 50%, model 1 of 1: step 10 of 20, loss [\d.]+; about \d+ s left", lines[1])
    assert re.fullmatch(r"bonmun: 100%, model 1 of 1: step 20 of 20, loss [\d.]+", lines[2])


@needs_torch
def test_a_fold_is_the_same_alone_and_among_all(train: Bonmun) -> None:
    """And what is there already stays."""
    put_folds()
    names = [name for name in FOLD_FILES if name not in ("fold-1.npz", "fold-3.npz")]
    for name in names:
        save(f"cv/{name}", "old")
    done = train("sites.jsonl", "--folds", "cv", *LONGER)
    assert done.stderr.splitlines()[0] == f"bonmun: Already in cv, kept unchanged: {', '.join(names)}."
    assert [Path("cv", name).read_text() for name in names] == ["old"] * 3
    assert train("sites.jsonl", "--fold", "3", "-o", "3.npz", *LONGER).exit_code == 0
    assert same("cv/fold-3.npz", "3.npz")
    assert not same("cv/fold-1.npz", "3.npz")


@pytest.mark.long
@needs_torch
def test_networks_from_nothing_come_with_facts(
    train: Bonmun, untrained: list[frozenset[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.lab.train.train_models.MIN_PAGES_FROM_SCRATCH", 1)
    make_up_few_pages(monkeypatch)
    put_folds()
    save("cv/facts-2.npz", "old")
    done = train("sites.jsonl", "--from", "nothing", "--folds", "cv", *QUICK)
    assert done.exit_code == 0
    written = ", ".join(str(Path("cv", name)) for name in FACT_FILES if name != "facts-2.npz")
    assert done.stderr.splitlines()[-1] == f"bonmun: Wrote {written}"
    assert sorted(path.name for path in Path("cv").iterdir()) == FACT_FILES + FOLD_FILES
    assert Path("cv/facts-2.npz").read_text() == "old"
    for fold in (0, 1, 3, 4):
        assert load_rankers(Path("cv", FACT_FILES[fold])).author.features
    Path("cv/facts-2.npz").write_bytes(Path("cv/facts-1.npz").read_bytes())
    again = train("sites.jsonl", "--from", "nothing", "--folds", "cv", *QUICK)
    told = f"bonmun: Already in cv, kept unchanged: {', '.join(FOLD_FILES + FACT_FILES)}.\n"
    assert (again.stderr, again.exit_code) == (told, 0)
    ((auto, _), _) = choose_systems(["auto"], [], folds=Path("cv"))  # as `bonmun bench --folds cv` does
    assert auto.fields == ("title", "author", "date")


@needs_torch
def test_facts_that_cannot_be_learnt_are_told(
    train: Bonmun, untrained: list[frozenset[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.lab.train.train_models.MIN_PAGES_FROM_SCRATCH", 1)
    make_up_few_pages(monkeypatch)
    save("other.jsonl", lines(SHORT))
    done = train("set.jsonl", "other.jsonl", "--from", "nothing", "--folds", "cv", *QUICK)
    assert done.exit_code == 0
    says = "No pages to learn the title from: no gold title was found on its page."
    assert done.stderr.splitlines()[-1] == f"bonmun: No metadata rankers were written: {says}"
    assert sorted(path.name for path in Path("cv").iterdir()) == FOLD_FILES


@needs_torch
def test_a_fold_that_is_no_model_is_told(train: Bonmun) -> None:
    put_folds()
    for name in FOLD_FILES:
        save(f"cv/{name}", "old")
    done = train("sites.jsonl", "--from", "nothing", "--folds", "cv", *QUICK)
    says = f"{str(Path('cv', 'fold-0.npz'))!r} is not a model for this version of bonmun: make one with `bonmun train`."
    assert (done.stderr.splitlines()[-1], done.exit_code) == (f"bonmun: {says}", 2)
    assert sorted(path.name for path in Path("cv").iterdir()) == FOLD_FILES


@needs_torch
def test_folds_that_were_stopped_go_on(
    train: Bonmun, untrained: list[frozenset[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bonmun.lab.train import fitting

    put_folds()
    fake = fitting.fit
    monkeypatch.setattr(
        fitting, "fit", lambda *args, **options: (len(untrained) == 2 and interrupted(), fake(*args, **options))[1]
    )
    done = train("sites.jsonl", "--folds", "cv", *QUICK)
    assert done.stderr.splitlines()[-1] == "bonmun: Stopped; run the same command to resume."
    assert done.exit_code == 1
    assert sorted(path.name for path in Path("cv").iterdir()) == FOLD_FILES[:2]
    monkeypatch.setattr(fitting, "fit", fake)
    assert train("sites.jsonl", "--folds", "cv", *QUICK).exit_code == 0
    assert sorted(path.name for path in Path("cv").iterdir()) == FOLD_FILES
    assert len(untrained) == 5


@needs_torch
def test_a_fold_that_leaves_nothing_is_told_before_anything_is_trained(train: Bonmun) -> None:
    """All pages are of one site."""
    done = train("set.jsonl", "--folds", "cv", *QUICK)
    says = "bonmun: No pages to train on: no gold text was found on its page.\n"
    assert (done.stderr, done.exit_code) == (says, 2)
    assert files() == ["set.jsonl"]


@pytest.mark.parametrize(
    "options", [["--unmeasured"], ["--fold", "1"], ["-o", "m.npz", "--folds", "cv"], ["--fold", "1", "--folds", "cv"]]
)
def test_it_is_said_what_to_write(options: list[str], train: Bonmun) -> None:
    done = train("set.jsonl", *options)
    says = "Give --output FILE to write one model, or --folds DIR to write one per fold."
    assert (done.stderr, done.exit_code) == (f"bonmun: {says}\n", 2)
    assert files() == ["set.jsonl"]


# --- samples that are kept -------------------------------------------------------------------------------------------


@pytest.mark.long
@needs_torch
def test_samples_are_written_and_read_again(train: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    train("set.jsonl", "-o", "a.npz", "--samples", "kept", *QUICK)
    assert files() == ["a.npz", "kept", "set.jsonl"]
    kept = load_samples(Path("kept"))
    assert [sample.site for sample in kept] == [SITE] * 8
    assert all(sample.labelled and sample.arrays.site is not None for sample in kept)
    before = Path("kept").read_bytes()
    monkeypatch.setattr("bonmun.lab.train.samples.samples.read_samples", refuse)
    for name in ("b", "c"):
        done = train("set.jsonl", "-o", f"{name}.npz", "--samples", "kept", *QUICK)
        told = f"bonmun: Reading samples from kept, not from DATA.\nbonmun: Trained on 8 labelled pages; wrote {name}.npz\n"
        assert (done.stderr, done.exit_code) == (told, 0)
    assert same("b.npz", "c.npz")
    assert Path("kept").read_bytes() == before


@pytest.mark.long
@needs_torch
def test_samples_that_are_read_again_give_the_same_model(train: Bonmun) -> None:
    for name in ("a", "b"):
        train("set.jsonl", "-o", f"{name}.npz", "--samples", "kept", *LONGER)
    assert same("a.npz", "b.npz")


def refuse(*args: object, **kwargs: object) -> NoReturn:
    raise AssertionError("nobody should have come here")


# --- what is wrong ---------------------------------------------------------------------------------------------------


def refused(train: Bonmun, *args: str, says: str) -> None:
    before = files()
    done = train(*args, "-o", "m.npz", "--workers", "1", "--unmeasured")
    assert (done.stderr, done.stdout, done.exit_code) == (f"bonmun: {says}\n", "", 2)
    assert files() == before


def test_without_torch(train: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    refused(train, "set.jsonl", says=f"Training needs torch: {TORCH_LINE} (for a GPU: pip install torch).")


@needs_torch
def test_a_set_that_is_not_there(train: Bonmun) -> None:
    refused(train, "none.jsonl", says="none.jsonl: no such file or folder.")
    refused(train, "set.jsonl", "none", says="none: no such file or folder.")


@needs_torch
@pytest.mark.parametrize("labelled", [False, True])
def test_nothing_to_learn_from(labelled: bool, train: Bonmun, posts: list[dict[str, Any]]) -> None:
    save("bare.jsonl", lines(*(post | {"text": post["text"] if labelled else None} for post in posts[:2])))
    more = ["--fold", "1"] if labelled else []
    refused(train, "bare.jsonl", *more, says="No pages to train on: no gold text was found on its page.")
    save("empty.jsonl", "")
    refused(train, "empty.jsonl", *more, says="No pages to train on: no gold text was found on its page.")


@needs_torch
def test_too_few_pages_for_a_network_from_nothing(train: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no pages were made up, this is how it would be."""
    make_up_few_pages(monkeypatch, 0)
    says = "8 labelled pages are too few to train from scratch: use --from default."
    refused(train, "set.jsonl", "--from", "nothing", says=says)


@pytest.mark.long
@needs_torch
def test_pages_that_are_made_up_are_not_counted(train: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.lab.train.fitting.fit", interrupted)  # rather than train for an hour
    says = "8 labelled pages are too few to train from scratch: use --from default."
    refused(train, "set.jsonl", "--from", "nothing", says=says)


@needs_torch
def test_a_file_that_is_no_model_to_train_on(train: Bonmun) -> None:
    make = "make one with `bonmun train`."
    refused(train, "set.jsonl", "--from", "none.npz", says=f"There is no model file 'none.npz': {make}")
    says = f"'set.jsonl' is not a model for this version of bonmun: {make}"
    refused(train, "set.jsonl", "--from", "set.jsonl", says=says)


@needs_torch
def test_a_model_of_other_features_to_train_on(train: Bonmun) -> None:
    weights = default_weights()
    fewer = {name: weights.arrays[name][:-1] for name in ("blocks_mean", "blocks_scale")}
    save_weights(Weights(weights.about, weights.arrays | fewer), Path("old.npz"))
    says = "'old.npz' is not a model for this version of bonmun; train it again with `bonmun train`."
    refused(train, "set.jsonl", "--from", "old.npz", says=says)


@needs_torch
def test_golds_of_other_pages(train: Bonmun, posts: list[dict[str, Any]]) -> None:
    save("mixed.jsonl", lines(*(post | {"text": "words that stand nowhere at all"} for post in posts[:2])))
    refused(train, "mixed.jsonl", says="No pages to train on: no gold text was found on its page.")


@needs_torch
def test_samples_that_are_none(train: Bonmun) -> None:
    save("kept", "something else")
    before = files()
    done = train("set.jsonl", "-o", "m.npz", "--samples", "kept", *QUICK)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert files() == before


@needs_torch
@pytest.mark.parametrize("args", [["-o", "no/m.npz"], ["-o", "m.npz", "--samples", "no/kept"]])
def test_a_folder_that_is_not_there(args: list[str], train: Bonmun) -> None:
    done = train("set.jsonl", *args, *QUICK)
    assert done.exit_code == 2
    assert done.stderr == f"bonmun: {args[-1]}: there is no such folder.\n"


@needs_torch
def test_a_device_that_is_not_there(train: Bonmun) -> None:
    done = train("set.jsonl", "-o", "m.npz", "--device", "abacus", *QUICK)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


@needs_torch
@pytest.mark.parametrize("pages", [1, 160])
def test_any_number_of_pages_can_be_shown(pages: int, train: Bonmun) -> None:
    assert train("set.jsonl", "-o", "m.npz", "--pages", str(pages), "--workers", "1", "--unmeasured").exit_code == 0


@needs_torch
def test_what_is_broken_in_a_set_is_told(train: Bonmun, posts: list[dict[str, Any]]) -> None:
    save("set.jsonl", f"{lines(*posts[:2])}no JSON\n")
    done = train("set.jsonl", "-o", "m.npz", *QUICK)
    assert done.exit_code == 0
    assert done.stderr.startswith("bonmun: set: line 3: invalid JSON: ")


def test_options_out_of_range(train: Bonmun) -> None:
    for options in (["--fold", "5"], ["--fold", "-1"], ["--pages", "0"], ["--teachers", "-1"], ["--workers", "0"]):
        assert train("set.jsonl", "-o", "m.npz", *options).exit_code == 2
    assert files() == ["set.jsonl"]


# --- stopped ---------------------------------------------------------------------------------------------------------


def interrupted(*args: object, **kwargs: object) -> NoReturn:
    raise KeyboardInterrupt


STEPS = ["bonmun.lab.train.samples.samples.read_samples", "bonmun.lab.train.fitting.fit", "numpy.savez_compressed"]


@needs_torch
@pytest.mark.parametrize("step", STEPS)
def test_a_run_that_is_stopped_writes_nothing(step: str, train: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    save("m.npz", "old")
    monkeypatch.setattr(step, interrupted)
    done = train("set.jsonl", "-o", "m.npz", *QUICK)
    assert (done.stderr, done.exit_code) == ("bonmun: Stopped; nothing was written.\n", 1)
    assert files() == ["m.npz", "set.jsonl"]
    assert Path("m.npz").read_text() == "old"


def comes(what: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


@needs_torch
def test_ctrl_c_stops_training(posts: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text(lines(*posts), encoding="utf-8")
    line = [sys.executable, "-c", TRAINING, "train", "set.jsonl", "-o", "m.npz", "--workers", "1", "--unmeasured"]
    with (
        (tmp_path / "err").open("wb") as err,
        subprocess.Popen(line, cwd=tmp_path, stderr=err, start_new_session=True) as process,
    ):
        try:
            assert comes((tmp_path / "training").exists)
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(60) == 1
        finally:
            process.kill()
    assert (tmp_path / "err").read_bytes().endswith(b"bonmun: Stopped; nothing was written.\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["err", "set.jsonl", "training"]


# The command, with a mark where its first step is.
TRAINING = """
import pathlib
from bonmun.app.cli import main
from bonmun.lab.train import fitting
compute_loss = fitting.compute_loss
fitting.compute_loss = lambda *args: (pathlib.Path("training").touch(), compute_loss(*args))[1]
main()
"""
# What ends the pools of a run, and what is said on the way.
POOLS = """
from pathlib import Path
from bonmun.app.commands.shared.shell import stoppable
from bonmun.lab.train.samples.samples import read_samples
with stoppable("nothing was written."):
    for _ in range(40):
        read_samples([Path("set.jsonl")], 2, lambda problem: None)
"""


def test_workers_end_in_silence(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text(lines(SHORT), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", POOLS], cwd=tmp_path, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
