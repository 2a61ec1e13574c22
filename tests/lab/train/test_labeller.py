"""The network in torch: it agrees with the one in numpy, and learns only from its samples."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from bonmun.lab.gold.examples import Example
from bonmun.lab.train.config import Config
from bonmun.lab.train.fitting import compute_loss, fit, predict, prepare_samples, weigh_pages
from bonmun.lab.train.labeller import Labeller, export_weights, restore_labeller
from bonmun.lab.train.samples.samples import make_sample
from bonmun.lab.train.samples.tensors import VariantStore
from bonmun.lab.train.samples.variants import UNKNOWN, prepare_variant, prepare_variants
from bonmun.models.features.class_words import read_word_numbers
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.labeller import Network, default_weights, load_weights, save_weights
from samples import ROOT, page_samples

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample
    from bonmun.lab.train.steps import Step

pytestmark = pytest.mark.slow

CONFIDENCE = [[0.0, 1.0], [0.0, 1.0]]
SMALL = Config(width=12, element=6, tag=4, word=4, dilations=(1, 2), batch=4, pages=160, variants=1, rate=1e-2)
FEW = replace(SMALL, pages=32)
NAMES = ("ko-login", "en-news", "ja-listing", "ko-board", "zh-news", "de-recipe")
FOLD_0, FOLD_2 = "h.example", ("a.example", "글마루.example")  # sites


def few() -> list[Sample]:
    return [page_samples()[name] for name in NAMES]


def silent(step: Step) -> None:
    """Ignore progress."""


def fitted(samples: Sequence[Sample], config: Config = FEW, **options: Any) -> Labeller:
    return fit(prepare_samples(samples, config), config, progress=silent, **options)


def has_finite_weights(network: Labeller) -> bool:
    return all(bool(torch.isfinite(weights).all()) for weights in network.parameters())


def store(samples: Sequence[Sample]) -> VariantStore:
    """Return original pages."""
    return VariantStore([prepare_variant(sample) for sample in samples], "cpu")


def loss(net: Labeller, samples: Sequence[Sample]) -> float:
    stored = store(samples)
    net.eval()
    with torch.no_grad():
        return float(compute_loss(net, stored.batch(np.arange(len(samples)), [0] * len(samples))))


def fresh(config: Config = SMALL, seed: int = 1) -> Labeller:
    """Return an untrained network with measured features."""
    torch.manual_seed(seed)
    net = Labeller(config, ["pages"])
    net.measure_features(store(few()))
    return net


def equal(one: Labeller, other: Labeller) -> bool:
    """Return whether two networks have the same weights, except for habits vectors."""
    ours, theirs = (export_weights(net, CONFIDENCE).arrays for net in (one, other))
    assert ours.keys() == theirs.keys()
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


# --- in numpy --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_torch_and_numpy_agree(seed: int, tmp_path: Path) -> None:
    torch.manual_seed(seed)
    save_weights(export_weights(fresh(Config(), seed), CONFIDENCE), tmp_path / "model.npz")
    weights = load_weights(tmp_path / "model.npz")
    network, net = Network(weights), restore_labeller(weights)
    samples = list(page_samples().values())
    said = predict(net, store(samples), range(len(samples)))
    for sample, (keep, comment, kinds) in zip(samples, said, strict=True):
        scores = network.scores(sample.arrays)
        np.testing.assert_allclose(scores.keep, keep, atol=2e-3, err_msg=sample.id)
        np.testing.assert_allclose(scores.comment, comment, atol=2e-3, err_msg=sample.id)
        np.testing.assert_allclose(scores.kinds, kinds, atol=2e-3, err_msg=sample.id)
    spread = np.concatenate([keep for keep, _, _ in said])
    assert spread.std() > 0.01  # the outputs vary


def test_default_agrees_in_torch_and_numpy(tmp_path: Path) -> None:
    weights = default_weights()
    network, net = Network(weights), restore_labeller(weights)
    for sample, (keep, comment, _) in zip(few(), predict(net, store(few()), range(len(NAMES))), strict=True):
        scores = network.scores(sample.arrays)
        np.testing.assert_allclose(scores.keep, keep, atol=1e-2, err_msg=sample.id)
        np.testing.assert_allclose(scores.comment, comment, atol=1e-2, err_msg=sample.id)


def test_pages_in_a_batch_are_independent() -> None:
    net = fresh()
    stored = store(few())
    together = predict(net, stored, range(len(NAMES)))
    for row, (keep, comment, kinds) in enumerate(together):
        ((alone, said, of_kinds),) = predict(net, stored, [row])
        np.testing.assert_allclose(alone, keep, atol=1e-5)
        np.testing.assert_allclose(said, comment, atol=1e-5)
        np.testing.assert_allclose(of_kinds, kinds, atol=1e-5)
        assert len(keep) == len(few()[row].keep)


def test_page_of_one_block_without_names() -> None:
    sample = make_sample(Example("one", "text", "text"), "pages")
    assert sample is not None
    net = fresh()
    ((keep, _, _),) = predict(net, store([sample]), [0])
    np.testing.assert_allclose(Network(export_weights(net, CONFIDENCE)).scores(sample.arrays).keep, keep, atol=2e-3)


def test_model_file_round_trip(tmp_path: Path) -> None:
    net = fresh(replace(SMALL, weights=(("pages", 2.0),), defaults=("a", "b")))
    again = restore_labeller(export_weights(net, CONFIDENCE))
    assert equal(net, again)
    assert again.config == net.config
    save_weights(export_weights(net, CONFIDENCE), tmp_path / "model.npz")
    read = load_weights(tmp_path / "model.npz")
    assert restore_labeller(read).config == net.config  # also from JSON
    assert read.about["sources"] == ["pages"]
    assert read.about["confidence"] == CONFIDENCE
    assert not any("source" in name for name in read.arrays)


def test_unknown_settings_are_ignored() -> None:
    weights = export_weights(fresh(), CONFIDENCE)
    weights.about["config"]["later"] = 1
    assert restore_labeller(weights).config == SMALL


def test_default_can_be_restored_for_training() -> None:
    weights = default_weights()
    assert equal(restore_labeller(weights), restore_labeller(export_weights(restore_labeller(weights), CONFIDENCE)))
    assert asdict(restore_labeller(weights).config)["vocabulary"] == len(read_word_numbers()) - 1  # one marks an end


# --- what is learnt --------------------------------------------------------------------------------------------------


@cache
def learnt() -> Labeller:
    return fitted(few(), SMALL)


def test_network_fits_its_pages() -> None:
    before, after = loss(fresh(), few()), loss(learnt(), few())
    assert after < 0.95 * before


def test_training_starts_from_another_network() -> None:
    start = learnt()
    assert loss(fitted(few(), SMALL, start=start), few()) < loss(start, few())
    # without a real step, it stays unchanged
    still = fitted(few(), replace(FEW, rate=1e-12), start=start)
    for name, value in export_weights(start, CONFIDENCE).arrays.items():
        np.testing.assert_allclose(export_weights(still, CONFIDENCE).arrays[name], value, atol=1e-6, err_msg=name)


def test_same_seed_gives_same_weights() -> None:
    one, two = fitted(few()), fitted(few())
    assert equal(one, two)
    assert not equal(one, fitted(few(), replace(FEW, seed=2)))


def test_networks_with_shared_samples_are_independent() -> None:
    prepared = prepare_samples(few(), FEW)
    fit(prepared, replace(FEW, teachers=1), out=frozenset({0, 1}), progress=silent)
    assert equal(fit(prepared, FEW, progress=silent), fitted(few()))


def test_number_of_workers_does_not_change_weights() -> None:
    assert equal(fitted(few()), fit(prepare_samples(few(), FEW, workers=2), FEW, progress=silent))


def turned(sample: Sample) -> Sample:
    """Return the sample with inverted labels."""
    return replace(sample, keep=np.where(sample.keep < 0, sample.keep, 1 - sample.keep).astype(np.float32))


@pytest.mark.parametrize(
    ("sites", "langs"),
    [((FOLD_2[0], FOLD_0), ("ko", "ko")), ((FOLD_2[0], FOLD_2[1]), ("ko", "en"))],
    ids=["a fold", "a language"],
)
@pytest.mark.parametrize("lent", [0.0, 1.0])
def test_left_out_samples_are_not_used(lent: float, sites: tuple[str, str], langs: tuple[str, str]) -> None:
    """Train on top of another network, whose features are measured: measuring uses all samples."""
    config = replace(FEW, graft=lent, second=lent, pages=48, variants=4)
    out = frozenset({1, 3})
    samples = [
        replace(sample, site=sites[row in out], lang=langs[row in out], kind="news") for row, sample in enumerate(few())
    ]
    other = [turned(sample) if row in out else sample for row, sample in enumerate(samples)]
    on = partial(fitted, config=config, start=learnt())
    assert not equal(on(samples), on(other))
    assert equal(on(samples, out=out), on(other, out=out))


def test_gold_missing_from_the_page_is_not_used() -> None:
    found, gold, _ = page_samples()["en-news"].gold
    sample = replace(page_samples()["en-news"], gold=(found, gold, int(0.79 * gold)))
    assert page_samples()["en-news"].trusted
    assert not sample.trusted
    config = replace(FEW, graft=0.0, second=0.0)
    assert equal(fitted([sample, *few()], config), fitted([turned(sample), *few()], config))


@pytest.mark.parametrize(
    ("gold", "shared", "blocks", "trust"),
    [(100, 80, 10, True), (100, 79, 10, False), (0, 0, 10, True), (100, 100, 1500, True), (100, 100, 1501, False)],
)
def test_which_labels_are_trusted(gold: int, shared: int, blocks: int, trust: bool) -> None:
    sample = replace(page_samples()["en-news"], gold=(shared, gold, shared), keep=np.zeros(blocks, np.float32))
    assert sample.trusted is trust
    assert not replace(sample, keep=np.full(blocks, -1, np.float32)).trusted


def test_teachers_label_pages_without_gold() -> None:
    """Such a page is used only with teachers."""
    bare = replace(
        page_samples()["ru-article"], keep=np.full_like(page_samples()["ru-article"].keep, -1), gold=(0, 0, 0)
    )
    told: list[Step] = []
    config = replace(FEW, graft=0.0, drop=0.0)
    samples = [*few()[:3], bare]
    net = fit(prepare_samples(samples, config), replace(config, teachers=1), progress=told.append)
    assert (told[0].message.partition(": ")[0], told[0].share) == ("teacher 1 of 1", 0.25)
    assert net.config.width == SMALL.width  # the student's
    assert all(np.isfinite(value).all() for value in export_weights(net, CONFIDENCE).arrays.values())
    assert not equal(net, fitted(samples, config))


def test_teachers_soften_gold_labels() -> None:
    assert not equal(fitted(few()[:3], replace(FEW, teachers=1)), fitted(few()[:3], FEW))


def test_progress_is_reported() -> None:
    told: list[Step] = []
    fit(prepare_samples(few(), FEW), FEW, progress=told.append)
    assert [step.share for step in told] == [0.5, 1.0]
    assert str(told[1]).startswith("step 20 of 20, loss ")


# --- input of the network -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("news", "One", "article"),
        ("blog", "One", "article"),
        ("forum", "One", "forum"),
        ("other", "One", None),
        (None, "One", None),
        ("news", "", "none"),
        (None, "", "none"),
        (None, None, None),
    ],
)
def test_page_kind(kind: str | None, text: str | None, expected: str | None) -> None:
    sample = make_sample(Example("page", "<p>One</p><p>Two</p>", text, kind=kind), "set")
    assert sample is not None
    assert prepare_variant(sample).page_kind == (PAGE_KINDS.index(expected) if expected else UNKNOWN)


def test_original_comes_before_its_variants() -> None:
    samples = few()[:2]
    found = prepare_variants(samples, replace(SMALL, variants=3), 1)
    assert [len(variants) for variants in found] == [4, 4]
    for sample, (first, *_) in zip(samples, found, strict=True):
        assert first.keep.tolist() == sample.keep.tolist()
        assert first.features.blocks.tolist() == prepare_variant(sample).features.blocks.tolist()


def marked(number: int, site: str, lang: str | None) -> Sample:
    """Return an article whose blocks and class words all have its number."""
    sample = page_samples()[("en-news", "ko-news")[number % 2]]
    arrays = replace(sample.arrays, words=np.full_like(sample.arrays.words, number))
    sizes = np.full_like(sample.sizes, number)
    return replace(sample, arrays=arrays, sizes=sizes, site=site, lang=lang, kind="news")


@pytest.mark.parametrize(("graft", "second"), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
def test_parts_are_exchanged_within_fold_and_language(graft: float, second: float) -> None:
    """Also between two sites of one fold; an unknown language counts as one."""
    groups = [(FOLD_2, "ko"), (FOLD_2, "en"), (FOLD_2, None), ((FOLD_0,), "ko"), ((FOLD_0,), "en")]  # two pages of each
    members = [(group, site) for group, (sites, _) in enumerate(groups) for site in (sites[0], sites[-1])]
    samples = [marked(number, site, groups[group][1]) for number, (group, site) in enumerate(members)]
    config = replace(SMALL, variants=12, parts=0.0, graft=graft, second=second)
    seen: list[set[int]] = [set() for _ in groups]
    for number, variants in enumerate(prepare_variants(samples, config, 1)):
        group = members[number][0]
        mine = {other for other, (each, _) in enumerate(members) if each == group}
        first, *rest = variants
        assert set(first.sizes.tolist()) == set(first.words.tolist()) == {number}
        for page in rest:
            assert set(page.sizes.tolist()) | set(page.words.tolist()) <= mine
            seen[group] |= set(page.sizes.tolist()) - {number}
    assert seen == [{2 * group, 2 * group + 1} for group in range(len(groups))]  # each has parts of the other


def test_page_weights_by_hand() -> None:
    """Two pages of one site count 2 ** -0.6 each; a forum 1.6 times; a set by its config."""
    page = page_samples()["en-news"]
    samples = [
        replace(page, site="a", kind="news"),
        replace(page, site="a", kind="news"),
        replace(page, site="b", kind="forum"),
        replace(page, site="c", kind=None, source="hand-ml"),
    ]
    weights = np.array([2**-0.6, 2**-0.6, 1.6, 3.0])
    np.testing.assert_allclose(weigh_pages(samples, Config()), weights / weights.sum())


@pytest.mark.parametrize("steps", [1, 2, 9, 10, 11])
def test_few_steps(steps: int) -> None:
    assert has_finite_weights(fitted(few()[:1], replace(SMALL, pages=steps * SMALL.batch)))


def test_fewer_pages_than_a_batch() -> None:
    assert has_finite_weights(fitted(few()[:1], replace(SMALL, pages=SMALL.batch - 1)))


# --- dependencies ----------------------------------------------------------------------------------------------------

# Training on a machine that has the code and a file of samples, but none of these packages.
BARE = f"""
import sys, types
for name in ("turbohtml", "httpx", "typer", "rich"):
    sys.modules[name] = None
sys.modules["bonmun"] = types.ModuleType("bonmun")  # the root package imports the parser
sys.modules["bonmun"].__path__ = [{str(ROOT / "src" / "bonmun")!r}]
from bonmun.models.network.labeller import save_weights
from bonmun.lab.train.fitting import fit, prepare_samples
from bonmun.lab.train.labeller import export_weights
from bonmun.lab.train.samples.sample_files import load_samples
"""


def test_training_needs_only_torch_and_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, timeout=120, check=False)
    assert (done.stderr, done.returncode) == (b"", 0)
