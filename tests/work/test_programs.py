"""Programs are found in absolute folders only, and Python imports nothing from the working directory."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.systems.node_packages import find_package, list_node_folders
from bonmun.scale.browser.find import find_browser
from bonmun.work.programs import find_program, python_command, safe_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, which has a program and an npm package of somebody else."""
    for name in ("chromium", "node", "java"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    package = tmp_path / "node_modules" / "jsdom"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"version": "1"}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BONMUN_BROWSER", raising=False)
    return tmp_path


@pytest.mark.parametrize("path", ["", ":", ".", ":/nowhere", "/nowhere:", "./:../x"])
def test_programs_in_the_working_directory_are_not_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("PATH", path)
    assert [find_program(name) for name in ("node", "java", "./node")] == [None, None, None]
    with pytest.raises(MissingExtra):
        find_browser()
    monkeypatch.setenv("BONMUN_BROWSER", "chromium")
    with pytest.raises(MissingExtra, match="which is not a program"):
        find_browser()


def test_programs_in_absolute_folders_are_found(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f":{here}")
    assert find_program("node") == str(here / "node")
    assert find_browser() == str(here / "chromium")
    monkeypatch.setenv("BONMUN_BROWSER", "./chromium")  # the user has named it
    assert find_browser() == "./chromium"


def test_npm_packages_in_the_working_directory_are_not_used(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    monkeypatch.setenv("NODE_PATH", ":node_modules:.")
    assert find_package("jsdom") is None
    assert all(folder.is_absolute() for folder in list_node_folders())
    monkeypatch.setenv("NODE_PATH", str(here / "node_modules"))
    assert find_package("jsdom") == here / "node_modules" / "jsdom"


def test_the_environment_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with safe_path():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert "PYTHONSAFEPATH" not in os.environ
    assert "-P" in python_command("bonmun")


@pytest.mark.slow
def test_the_module_removes_the_working_directory(here: Path) -> None:
    (here / "typer.py").write_text("raise SystemExit('code of the working directory')")
    found = subprocess.run([sys.executable, "-m", "bonmun", "methods"], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
