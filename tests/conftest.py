"""The fixtures that several test files use."""

from __future__ import annotations

import gc
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from bonmun.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from typer.testing import Result

    from samples import Bonmun

HAS_TORCH = find_spec("torch") is not None
collect_ignore = [] if HAS_TORCH else ["test_labeller.py"]  # which is all about it


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out."""
    if not HAS_TORCH:
        terminalreporter.write_line("test_labeller.py was left out: torch is not installed (`make torch`).")


@pytest.fixture
def bonmun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bonmun:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> Result:
        result = CliRunner().invoke(app, args, input=stdin, env=env)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage collection in a test of time: a full one takes the longer, the more tests ran before."""
    gc.disable()
    yield
    gc.enable()
