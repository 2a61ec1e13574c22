"""The choice between kernel and reference."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import bonmun
from bonmun.kernel import load_kernel

PAGE = "<h1>Hi</h1><p>Some words that are long enough to be read as a paragraph of text.</p>"
ASK = f"import bonmun; print(bonmun.accelerated, bonmun.extract({PAGE!r}).text)"
SAID = "Some words that are long enough to be read as a paragraph of text."


def run(*arguments: str, pure: str) -> str:
    environment = os.environ | {"BONMUN_PURE": pure}
    return subprocess.check_output([sys.executable, *arguments], text=True, env=environment).strip()


def is_built() -> bool:
    return run("-c", "import bonmun; print(bonmun.accelerated)", pure="") == "True"


@pytest.mark.slow
def test_the_kernel_is_used_if_it_is_built() -> None:
    """In CI, it must be built."""
    if os.environ.get("BONMUN_KERNEL") != "required" and not is_built():
        pytest.skip("the compiled kernel is not built")
    for pure in ("", "0"):
        assert run("-c", ASK, pure=pure) == f"True {SAID}"
    assert run("-m", "bonmun", "--version", pure="") == f"bonmun {bonmun.__version__} (with the compiled kernel)"


@pytest.mark.slow
def test_the_reference_is_used_on_request() -> None:
    assert run("-c", ASK, pure="1") == f"False {SAID}"
    assert run("-m", "bonmun", "--version", pure="1") == f"bonmun {bonmun.__version__} (without the compiled kernel)"


def test_without_a_kernel_there_are_no_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.kernel.accelerated", False)
    assert load_kernel("walk") is None
