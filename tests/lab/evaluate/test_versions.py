"""Which code decides answers and scores: all that is reached by imports, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bonmun._version import __version__
from bonmun.algorithms import METHODS
from bonmun.lab.evaluate.systems.versions import find_answer_rooms, find_modules, hash_answers, hash_oracle, hash_scores
from samples import ROOT

pytestmark = pytest.mark.slow

HASHES = {"answers": hash_answers, "oracle": hash_oracle, "scores": hash_scores}
ANSWERS, ORACLE, SCORES = "answers oracle", "oracle", "scores"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of our code, to be changed."""
    nothing_compiled = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(ROOT / "src" / "bonmun", tmp_path / "bonmun", ignore=nothing_compiled))


def versions_of(package: Path) -> dict[str, str]:
    for version in HASHES.values():
        version.cache_clear()
    return {name: version(package) for name, version in HASHES.items()}


def changed_by(package: Path, name: str) -> set[str]:
    """The versions that another line in a file, or another file, changes."""
    before = versions_of(package)
    append(package / name)
    after = versions_of(package)
    return {name for name in HASHES if before[name] != after[name]}


def append(file: Path, code: str = "#\n") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as code_file:
        code_file.write(code)


def test_the_rooms_that_answer_are_those_that_the_pipeline_reaches() -> None:
    rooms = find_answer_rooms()
    assert rooms >= set(
        "document errors labels metadata methods models options outputs page pipeline sites text".split()
    )
    around = "__init__ __main__ cli commands compare corpus evaluate explain gold train web browser crawl serve"
    assert not rooms.intersection(around.split())


def test_every_method_is_in_a_room_that_answers() -> None:
    assert {info.where.split(".")[1] for info in METHODS.values()} <= find_answer_rooms()


def test_a_version_begins_with_that_of_bonmun() -> None:
    assert hash_answers().startswith(f"{__version__}+")
    assert hash_oracle().startswith(f"{hash_answers()}.")


def test_a_copy_has_the_same_versions(package: Path) -> None:
    assert versions_of(package) == {name: version() for name, version in HASHES.items()}


@pytest.mark.parametrize(
    ("name", "versions"),
    [
        ("pipeline.py", ANSWERS),
        ("page/page.py", f"{ANSWERS} {SCORES}"),
        ("page/units.py", f"{ANSWERS} {SCORES}"),
        ("page/new.py", ANSWERS),
        ("algorithms/density.py", ANSWERS),
        ("models/features/words.txt", ANSWERS),
        ("models/network/default.npz", ANSWERS),
        ("metadata/weights.npz", ANSWERS),
        ("outputs/xml.py", ANSWERS),
        ("sites/model.py", ANSWERS),
        ("text/grams.npz", ANSWERS),
        ("text/words.py", f"{ANSWERS} {SCORES}"),
        ("text/scripts.py", f"{ANSWERS} {SCORES}"),
        ("lab/gold/alignment.py", f"{ORACLE} {SCORES}"),
        ("lab/gold/matching.py", f"{ORACLE} {SCORES}"),
        ("lab/gold/index.py", f"{ORACLE} {SCORES}"),
        ("lab/evaluate/metrics/scores.py", SCORES),
        ("lab/evaluate/metrics/texts.py", SCORES),
        ("lab/evaluate/metrics/decisions.py", SCORES),
        ("lab/evaluate/metrics/required_lines.py", SCORES),
        ("lab/evaluate/metrics/units.py", SCORES),
        ("document.py", ANSWERS),
        ("lab/gold/markdown.py", "scores"),
        ("lab/gold/metadata_metrics.py", SCORES),
        ("lab/evaluate/report/report.py", ""),
        ("evaluate/report.css", ""),
        ("lab/evaluate/workers.py", ""),
        ("evaluate/new.py", ""),
        ("lab/gold/dataset_readers.py", ""),
        ("cli.py", ""),
        ("explain.py", ""),
        ("commands/bench.py", ""),
        ("lab/train/samples/tensors.py", ""),
        ("browser/page.py", ""),
        ("new.py", ""),
        ("page/__pycache__/page.cpython-311.pyc", ""),
    ],
)
def test_what_a_changed_file_changes(package: Path, name: str, versions: str) -> None:
    assert changed_by(package, name) == set(versions.split())


@pytest.mark.parametrize(
    "code",
    [
        "import bonmun.scale.browser.boxes",
        "from bonmun.scale.browser import boxes",
        "from bonmun.scale.browser.boxes import WIDTH",
        "from ..browser import boxes",
        "def see():\n    from bonmun.scale.browser.boxes import WIDTH",
        "class See:\n    def see(self):\n        if self:\n            import bonmun.scale.browser.boxes as boxes",
        "try:\n    import bonmun.scale.browser\nexcept ImportError:\n    pass",
        "SEEN = 'bonmun.scale.browser.boxes:Boxes'",
        "SEEN = f'bonmun.scale.browser.{name}'",
    ],
)
def test_a_new_room_counts_once_it_is_reached(package: Path, code: str) -> None:
    append(package / "browser" / "__init__.py")
    append(package / "browser" / "boxes.py", "WIDTH = 1\n")
    append(package / "browser" / "sizes.txt", "1\n")
    assert "browser" not in find_answer_rooms(package)
    append(package / "methods" / "density.py", f"\n{code}\n")
    assert "browser" in find_answer_rooms(package)
    for name in ("browser/boxes.py", "browser/sizes.txt"):
        assert changed_by(package, name) == {"answers", "oracle"}


@pytest.mark.parametrize(
    "code",
    [
        "if TYPE_CHECKING:\n    from bonmun.scale.browser.boxes import WIDTH",
        '"""See bonmun.scale.browser.boxes, which is not loaded."""',
        "import bonmun_browser",
        "SEEN = 'bonmun'",
    ],
)
def test_a_room_that_is_only_mentioned_does_not_count(package: Path, code: str) -> None:
    append(package / "browser" / "boxes.py", "WIDTH = 1\n")
    append(package / "methods" / "density.py", f"\n{code}\n")
    assert find_answer_rooms(package) == find_answer_rooms()


def test_modules_are_found_with_their_files() -> None:
    found = find_modules("bonmun.lab.gold.metadata_metrics")
    names = {
        "bonmun.lab.gold.metadata_metrics",
        "bonmun.lab.gold",
        "bonmun.text",
        "bonmun.text.words",
        "bonmun.text.patterns",
        "bonmun.text.scripts",
    }
    assert set(found) == names
    assert found["bonmun.text.words"] == ROOT / "src" / "bonmun" / "text" / "words.py"
    assert "bonmun.text.words" not in find_modules("bonmun.lab.gold.metadata_metrics", without="bonmun.text.words")
