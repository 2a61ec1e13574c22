"""Hashes of the code behind answers and scores: all code that imports reach, and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun._version import __version__
from bonmun.algorithms import METHODS
from bonmun.lab.evaluate.systems.versions import (
    find_answer_packages,
    find_modules,
    hash_answers,
    hash_oracle,
    hash_scores,
)
from samples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

HASHES = {"answers": hash_answers, "oracle": hash_oracle, "scores": hash_scores}
ANSWERS, ORACLE, SCORES = "answers oracle", "oracle", "scores"
APPENDED: dict[Path, int | None] = {}  # their sizes before; None for new files


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiled = shutil.ignore_patterns("__pycache__", "static")
    return Path(shutil.copytree(ROOT / "src" / "bonmun", tmp_path_factory.mktemp("copy") / "bonmun", ignore=compiled))


@pytest.fixture(scope="module")
def unchanged(copied: Path) -> dict[str, str]:
    """The hashes of the copy."""
    return hash_all(copied)


@pytest.fixture
def package(copied: Path) -> Iterator[Path]:
    """A copy of our code; what a test appends to it is taken back."""
    APPENDED.clear()
    yield copied
    for file, size in APPENDED.items():
        if size is None:
            file.unlink()
        else:
            os.truncate(file, size)


def hash_all(package: Path) -> dict[str, str]:
    for version in HASHES.values():
        version.cache_clear()
    return {name: version(package) for name, version in HASHES.items()}


def find_changes(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in HASHES if before[name] != after[name]}


def append(file: Path, code: str = "#\n") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    APPENDED.setdefault(file, file.stat().st_size if file.exists() else None)
    with file.open("a", encoding="utf-8") as code_file:
        code_file.write(code)


def test_answers_depend_on_the_packages_that_the_pipeline_reaches() -> None:
    packages = find_answer_packages()
    assert packages >= set(
        "algorithms document errors labels metadata models options outputs page pipeline sites text".split()
    )
    assert not packages.intersection("__init__ __main__ app compare explain lab scale".split())


def test_answers_depend_on_every_method() -> None:
    assert {info.where.split(".")[1] for info in METHODS.values()} <= find_answer_packages()


def test_a_version_starts_with_the_version_of_bonmun() -> None:
    assert hash_answers().startswith(f"{__version__}+")
    assert hash_oracle().startswith(f"{hash_answers()}.")


def test_a_copy_has_the_same_versions(unchanged: dict[str, str]) -> None:
    assert unchanged == {name: version() for name, version in HASHES.items()}


@pytest.mark.parametrize(
    ("name", "versions"),
    [
        ("pipeline.py", ANSWERS),
        ("page/page.py", f"{ANSWERS} {SCORES}"),
        ("page/new.py", ANSWERS),
        ("algorithms/density.py", ANSWERS),
        ("models/network/default.npz", ANSWERS),
        ("metadata/weights.npz", ANSWERS),
        ("text/grams.npz", ANSWERS),
        ("text/words.py", f"{ANSWERS} {SCORES}"),
        ("lab/gold/alignment.py", f"{ORACLE} {SCORES}"),
        ("lab/evaluate/metrics/scores.py", SCORES),
        ("lab/gold/metadata_metrics.py", SCORES),
        ("lab/evaluate/report/report.py", ""),
        ("lab/evaluate/new.py", ""),
        ("lab/gold/dataset_readers.py", ""),
        ("app/cli.py", ""),
        ("lab/train/samples/samples.py", ""),
        ("scale/corpus/new.py", ""),
        ("page/__pycache__/page.cpython-311.pyc", ""),
    ],
)
def test_hashes_that_a_changed_file_changes(package: Path, unchanged: dict[str, str], name: str, versions: str) -> None:
    append(package / name)
    assert find_changes(unchanged, hash_all(package)) == set(versions.split())


@pytest.mark.parametrize(
    "code",
    [
        "import bonmun.scale.browser.boxes",
        "from bonmun.scale.browser import boxes",
        "from bonmun.scale.browser.boxes import WIDTH",
        "from ..scale.browser import boxes",
        "def see():\n    from bonmun.scale.browser.boxes import WIDTH",
        "class See:\n    def see(self):\n        if self:\n            import bonmun.scale.browser.boxes as boxes",
        "try:\n    import bonmun.scale.browser\nexcept ImportError:\n    pass",
        "SEEN = 'bonmun.scale.browser.boxes:Boxes'",
        "SEEN = f'bonmun.scale.browser.{name}'",
    ],
)
def test_a_package_counts_once_it_is_imported(package: Path, code: str) -> None:
    append(package / "scale" / "browser" / "boxes.py", "WIDTH = 1\n")
    assert "scale" not in find_answer_packages(package)
    append(package / "algorithms" / "density.py", f"\n{code}\n")
    assert "scale" in find_answer_packages(package)


@pytest.mark.parametrize("name", ["scale/browser/boxes.py", "scale/browser/sizes.txt"])
def test_hashes_that_a_file_of_an_imported_package_changes(package: Path, name: str) -> None:
    append(package / "scale" / "browser" / "sizes.txt", "1\n")
    append(package / "algorithms" / "density.py", "\nimport bonmun.scale.browser.boxes\n")
    before = hash_all(package)
    append(package / name)
    assert find_changes(before, hash_all(package)) == {"answers", "oracle"}


@pytest.mark.parametrize(
    "code",
    [
        "if TYPE_CHECKING:\n    from bonmun.scale.browser.boxes import WIDTH",
        '"""See bonmun.scale.browser.boxes, which is not loaded."""',
        "import bonmun_browser",
        "SEEN = 'bonmun'",
    ],
)
def test_a_package_that_is_only_mentioned_does_not_count(package: Path, code: str) -> None:
    append(package / "scale" / "browser" / "boxes.py", "WIDTH = 1\n")
    append(package / "algorithms" / "density.py", f"\n{code}\n")
    assert find_answer_packages(package) == find_answer_packages()


def test_modules_are_found_with_their_files() -> None:
    found = find_modules("bonmun.lab.gold.metadata_metrics")
    names = {
        "bonmun.lab",
        "bonmun.lab.gold",
        "bonmun.lab.gold.metadata_metrics",
        "bonmun.text",
        "bonmun.text.words",
        "bonmun.text.patterns",
        "bonmun.text.scripts",
    }
    assert set(found) == names
    assert found["bonmun.text.words"] == ROOT / "src" / "bonmun" / "text" / "words.py"
    assert "bonmun.text.words" not in find_modules("bonmun.lab.gold.metadata_metrics", without="bonmun.text.words")
