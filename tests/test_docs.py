"""What the documents say is true: their code runs, and so do the examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun.errors import MissingExtra
from samples import ALL_EXTRAS, ROOT, is_installed, why_no_browser

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
READMES = [ROOT / "README.md", ROOT / "README.ko.md"]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
RUN = [*READMES, *(path for path in PAGES if not path.name.startswith("tutorial."))]  # they have their own test
NEEDED = {"integrations.md": ("datatrove", "langchain_core", "llama_index", "scrapy")}  # packages, by document
MAX_ARCHITECTURE_BYTES = 10_000
MODULES = ["bonmun", *(info.name for info in pkgutil.walk_packages(bonmun.__path__, "bonmun."))]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of examples/, which the documents' code may read and write."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", RUN, ids=[str(path.relative_to(ROOT)) for path in RUN])
@pytest.mark.extras
@pytest.mark.usefixtures("copy")
def test_the_code_of_a_document_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if path.name == "render.md" and not ALL_EXTRAS and (problem := why_no_browser()):
        pytest.skip(problem)
    missing = [] if ALL_EXTRAS else [package for package in NEEDED.get(path.name, ()) if not is_installed(package)]
    if missing:
        pytest.skip(f"{missing[0]} is not installed (`make frameworks`)")
    text = path.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python")
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(path), "exec"), names)
    assert capsys.readouterr().err == "" or path.name in NEEDED  # frameworks log what they like


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
@pytest.mark.usefixtures("copy")
def test_what_the_readme_says_is_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`print(x)   # comment` whose comment is no explanation is what is printed."""
    blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
    said = [line.partition("#")[2].strip() for line in blocks[0].splitlines() if re.match(r"print\(doc\.\w", line)]
    exec(blocks[0], {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == said[:2]


OPTIONAL = ("bonmun.lab.train.", "bonmun.app.integrations.", "bonmun.scale.spark.")  # may need a missing package


@pytest.mark.slow
def test_the_examples_in_docstrings_are_true() -> None:
    """Every module can be imported, except those that need an extra that is not installed."""
    failed = []
    for name in MODULES:
        if name != "bonmun.__main__":
            try:
                module = importlib.import_module(name)
            except (ModuleNotFoundError, MissingExtra):
                if ALL_EXTRAS or not name.startswith(OPTIONAL):
                    raise
            else:
                failed += [name] * doctest.testmod(module).failed
    assert failed == []


def test_there_are_examples_in_docstrings() -> None:
    finder = doctest.DocTestFinder()
    with_examples = [
        test.name
        for name in ("bonmun", "bonmun.page.page", "bonmun.document")
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert {"bonmun", "bonmun.page.page.Page", "bonmun.document.Document"} <= set(with_examples)


def test_links_between_documents_lead_somewhere() -> None:
    dead = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in (*sorted(ROOT.glob("*.md")), *PAGES)
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]
    assert dead == []


def test_the_architecture_names_every_package_and_stays_short() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {
        info.name.removeprefix("bonmun.") for info in pkgutil.walk_packages(bonmun.__path__, "bonmun.") if info.ispkg
    }
    commands = {name for name in packages if name.startswith("app.commands.")}  # named in one line
    assert sorted(name for name in packages - commands - {"scale", "lab", "app"} if f"`{name}`" not in text) == []
    assert len(text.encode()) <= MAX_ARCHITECTURE_BYTES
