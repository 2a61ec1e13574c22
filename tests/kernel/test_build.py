"""The build: the kernel in use is built from the current sources, and the package contains all files it needs."""

from __future__ import annotations

import fnmatch
import runpy
import tomllib
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

import bonmun.kernel
from bonmun.kernel.sources import digest_sources, find_sources
from samples import ROOT
from scripts.list_extra import list_needs

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = ROOT / "src" / "bonmun" / "kernel"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_kernel_is_built_from_the_current_sources() -> None:
    """If this fails, rebuild it with `make demo` or `pip install --editable .`."""
    try:
        built = import_module("bonmun.kernel._build")
    except ImportError:
        pytest.skip("the compiled kernel is not built")
    assert digest_sources(KERNEL) == built.DIGEST
    assert built.MODULES.split() == sorted(path.stem for path in KERNEL.glob("*.pyx"))


def test_the_digest_depends_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("no source")
    assert digest_sources(tmp_path) == ""
    digests = set()
    for name, content in (("_a.pyx", "x"), ("_a.pyx", "y"), ("b.h", "x"), ("c.pxd", "x")):
        (tmp_path / name).write_text(content)
        digests.add(digest_sources(tmp_path))
    assert len(digests) == 4
    assert [path.name for path in find_sources(tmp_path)] == ["_a.pyx", "b.h", "c.pxd"]


def test_a_stale_kernel_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel built from other sources causes one warning and is not used."""
    monkeypatch.delenv("BONMUN_PURE", raising=False)
    built = type("Built", (), {"DIGEST": "of other sources", "MODULES": ""})
    monkeypatch.setattr("bonmun.kernel.import_module", lambda _: built)
    monkeypatch.setattr("bonmun.kernel.digest_sources", lambda _: "of these")
    with pytest.warns(RuntimeWarning, match=r"older than its sources.*pip install --editable \."):
        assert not bonmun.kernel.has_kernel()


def test_a_kernel_with_a_broken_module_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BONMUN_PURE", raising=False)
    built = type("Built", (), {"DIGEST": "", "MODULES": "_walk _missing"})

    def load(name: str) -> object:
        if name.endswith("_missing"):
            raise ImportError(name)
        return built

    monkeypatch.setattr("bonmun.kernel.import_module", load)
    assert not bonmun.kernel.has_kernel()


def test_setup_does_not_import_bonmun() -> None:
    """setup.py runs before bonmun can be imported."""
    found = runpy.run_path(str(KERNEL / "sources.py"))
    assert found["digest_sources"](KERNEL) == digest_sources(KERNEL)


def test_every_file_is_in_the_wheel() -> None:
    """Everything except the kernel sources; a new file suffix needs a pattern in pyproject.toml."""
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    files = [
        path for path in (ROOT / "src" / "bonmun").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    others = [path for path in files if path.suffix != ".py" and path.parent != KERNEL]
    left_out = []
    for path in others:
        package = path.parent
        while not (package / "__init__.py").is_file():
            package = package.parent
        if not any(fnmatch.fnmatch(str(path.relative_to(package)), pattern) for pattern in patterns):
            left_out.append(path)
    assert len(others) > 50
    assert left_out == []


def test_extras_are_listed_with_the_extras_they_include() -> None:
    project = {
        "dependencies": ["a>=1"],
        "optional-dependencies": {"x": ["b", "bonmun[y,z]"], "y": ["c", "bonmun[z]"], "z": ["d[e]", "b"]},
    }
    assert list(list_needs(project, ["x"])) == ["a>=1", "b", "c", "d[e]"]
    assert list(list_needs(project, [])) == ["a>=1"]
    assert not [need for need in list_needs(PROJECT["project"], ["dev", "spark"]) if need.startswith("bonmun")]
