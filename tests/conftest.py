"""Settings and fixtures for all tests."""

from __future__ import annotations

import os
import signal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from typer.main import get_command
from typer.testing import CliRunner

from bonmun.app.cli import app
from samples import ALL_EXTRAS, is_installed, why_no_browser

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from typer.testing import Result

    from samples import Bonmun

HERE = Path(__file__).parent
# Test files that need an optional package, and how to install it; single tests give their own reason for skipping.
ABOUT = {
    "app/integrations/test_datatrove_step.py": ("datatrove", "make frameworks"),
    "app/integrations/test_langchain_documents.py": ("langchain_core", "make frameworks"),
    "app/integrations/test_llamaindex_reader.py": ("llama_index", "make frameworks"),
    "app/integrations/test_scrapy_pipeline.py": ("scrapy", "pip install 'bonmun[crawl]'"),
    "lab/train/test_labeller.py": ("torch", "make torch"),
    "lab/train/test_leaf_networks.py": ("torch", "make torch"),
    "lab/train/test_rendered.py": ("torch", "make torch"),
    "lab/train/test_teach.py": ("torch", "make torch"),
    "lab/train/test_tabular.py": ("pytorch_tabnet", "make torch"),
    "scale/spark/test_cluster.py": ("pyspark", "make spark"),
}
LEFT_OUT = {} if ALL_EXTRAS else {file: about for file, about in ABOUT.items() if not is_installed(about[0])}
IN_A_BROWSER = [
    "scale/browser/test_rendering.py",
    "scale/browser/test_hostile_pages.py",
    "scale/browser/test_lifetime.py",
    "scale/browser/test_ways_out.py",
    "scale/browser/test_waiting.py",
]
IN_A_BROWSER += [
    "app/commands/test_render_command.py",
    "app/inspector/test_both_browsers.py",
    "app/inspector/test_injection.py",
    "app/inspector/test_screen.py",
    "app/serve/test_render_route.py",
]
IN_A_BROWSER += ["lab/annotate/test_labelling_screen.py", "scale/crawl/test_rendered_crawls.py"]
NO_BROWSER = None if ALL_EXTRAS else why_no_browser()
collect_ignore = [*LEFT_OUT, *(IN_A_BROWSER if NO_BROWSER else [])]

# Set if the kernel must be built. With BONMUN_PURE, it is built but not used.
NEEDS_KERNEL = os.environ.get("BONMUN_KERNEL") == "required" and os.environ.get("BONMUN_PURE") != "1"

# Variables that colour or wrap output, slow down the start of child processes, or make them print more.
SURROUNDINGS = (
    "CLICOLOR_FORCE COLUMNS FORCE_COLOR GITHUB_ACTIONS LINES NO_COLOR PY_COLORS PYTHONDONTWRITEBYTECODE PYTHONWARNINGS"
).split()

# The same examples in every run, on slow machines too, and more in `make test-long`; `--hypothesis-profile default` draws
# new ones.
EXAMPLES = 60 if os.environ.get("BONMUN_LONG_TESTS") else 10
settings.register_profile(
    "tests", deadline=None, derandomize=True, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


def pytest_configure() -> None:
    """Start in the same state from a terminal, with nohup, by cron or in CI."""
    for name in SURROUNDINGS:
        os.environ.pop(name, None)
    os.environ["OMP_NUM_THREADS"] = "1"  # for torch: threads of several processes would compete for the same cores
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # child processes inherit it, and tests press Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail tests that are skipped although all packages, or the kernel, must be installed."""
    report = yield
    reason = str(report.longrepr) if report.skipped else ""
    if "not installed" in reason or "could not import" in reason:
        if ALL_EXTRAS:
            report.outcome = "failed"
            report.longrepr = f"BONMUN_ALL_EXTRAS is set, but: {reason}"
        elif item.get_closest_marker("extras") is None:  # `make test-extras` would never run it
            report.outcome = "failed"
            report.longrepr = f"This test is skipped, so mark it with @pytest.mark.extras: {reason}"
    if NEEDS_KERNEL and "kernel is not built" in reason:
        report.outcome = "failed"
        report.longrepr = f"BONMUN_KERNEL=required is set, but: {reason}"
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark files that need a package or a browser beyond the extra `test`, for `make test-extras`; leave out long tests."""
    files = {str(HERE / name) for name in (*ABOUT, *IN_A_BROWSER)}
    for item in items:
        reasons = [str(mark.kwargs.get("reason", "")) for mark in item.iter_markers("skipif")]
        if str(item.path) in files or any("not installed" in reason for reason in reasons):
            item.add_marker(pytest.mark.extras)
    if not os.environ.get("BONMUN_LONG_TESTS"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the files that were left out."""
    for file, (package, remedy) in LEFT_OUT.items():
        terminalreporter.write_line(f"tests/{file} was left out: {package} is not installed (`{remedy}`).")
    if NO_BROWSER:
        terminalreporter.write_line(f"All tests in a browser were left out. {NO_BROWSER}")


build_command = cache(get_command)  # slower than most of the commands


@pytest.fixture
def bonmun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bonmun:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.testing._get_command", build_command)

    def run(*args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> Result:
        result = CliRunner().invoke(app, args, input=stdin, env=env)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run
