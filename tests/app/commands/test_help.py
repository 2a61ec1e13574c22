"""Help, completion, and what is said of what does not fit: on every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from typer.main import get_command

from bonmun.app.cli import app
from bonmun.models.network.thresholds import FAVOURS as KNOWN_FAVOURS
from bonmun.options import Favour
from samples import save, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

PAGE = "<title>T</title><h2>A</h2><p>The old lighthouse at the end of the pier was lit again, after thirty years.</p>"


def list_commands(group: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (*names, name)
        if hasattr(command, "commands"):
            yield from list_commands(command, (*names, name))


COMMANDS = [(), *list_commands(get_command(app))]


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_has_help(names: tuple[str, ...], bonmun: Bonmun) -> None:
    short, long = (bonmun(*names, flag, env={"COLUMNS": "200"}) for flag in ("-h", "--help"))
    assert (short.exit_code, short.stdout) == (0, long.stdout)
    assert "--help" in short.stdout
    assert "<bool>" not in short.stdout
    assert "BOOLEAN" not in short.stdout


@pytest.mark.parametrize("name", ["crawl", "train", "serve", "render", "bench"])
def test_long_help_is_in_panels_and_whole(name: str, bonmun: Bonmun) -> None:
    said = bonmun(name, "-h", env={"COLUMNS": "200"}).stdout
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    command = command.commands["run"] if name == "bench" else command
    known = {param.name for param in command.params}
    assert {word for names in command.panels.values() for word in names.split()} <= known
    for title in ("Options", *command.panels):
        assert f"─ {title} ─" in said
    assert all(option in said for param in command.params for option in param.opts if option.startswith("--"))


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_help_shows_every_text_in_full(names: tuple[str, ...], bonmun: Bonmun) -> None:
    """Words in square brackets would be taken for markup and left out."""
    command: Any = get_command(app)
    for name in names:
        command = command.commands[name]
    shown = " ".join(bonmun(*names, "-h", env={"COLUMNS": "300"}).stdout.replace("│", " ").split())
    texts = [getattr(param, "help", None) for param in command.params] if not hasattr(command, "commands") else []
    assert [text for text in texts if text and " ".join(text.split()) not in shown] == []


def complete(bonmun: Bonmun, line: str) -> list[str]:
    """What bash is offered at the end of a line; typer calls the program of a test `root`."""
    words = line.split(" ")
    asked = {"_ROOT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return bonmun(env=asked).stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bonmun ext", ["extract"]),
        ("bonmun corpus sh", ["show"]),
        ("bonmun gold ", ["init", "check"]),
        ("bonmun extract --front", ["--front-matter"]),
        ("bonmun extract -m sentence:M32", ["sentence:M32", "sentence:M324"]),
        ("bonmun crawl x -f m", ["markdown"]),
        ("bonmun extract --favour p", ["precision"]),
        ("bonmun bench x -p trafilatura-p", ["trafilatura-precision"]),
        ("bonmun bench --pe", ["--peer"]),
        ("bonmun bench al", ["align"]),
        ("bonmun compare x -m rul", ["rules"]),
        ("bonmun extract -m nosuch", []),
        ("bonmun nosuch ", []),
        ("bonmun extract '", []),
    ],
)
def test_a_shell_is_offered_what_fits(line: str, offered: list[str], bonmun: Bonmun) -> None:
    assert [word for word in complete(bonmun, line) if word in offered or line.endswith("nosuch")] == offered


def test_the_favours_of_the_options_are_those_of_the_network() -> None:
    assert set(get_args(Favour)) == set(KNOWN_FAVOURS)


@pytest.mark.slow
def test_completion_of_the_command_itself_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); sys.argv = ['bonmun'];"
        "from bonmun.app.cli import main; main()"
    )
    asked = {"_BONMUN_COMPLETE": "complete_bash", "COMP_WORDS": "bonmun extract -m fre", "COMP_CWORD": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path, env=os.environ | asked
    )
    assert done.stdout.split() == ["frequency", "frequency+"]
    assert not {"numpy", "httpx", "tomllib", "asyncio", "torch", "pyarrow"} & set(done.stderr.split())


def test_the_script_for_a_shell_is_shown(bonmun: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    said = bonmun("--show-completion").stdout
    assert "complete_bash" in said
    assert "complete -o default" in said


def test_what_was_meant_is_said(bonmun: Bonmun) -> None:
    assert "--method" in bonmun("extract", "--mehtod", "auto", "x.html").stderr
    assert "'extract'" in bonmun("extrakt", "x.html").stderr
    save("page.html", PAGE)
    for name in ("page.html", "https://a.example/", "-"):
        done = bonmun(name, env={"COLUMNS": "200"})
        assert f"Did you mean bonmun extract {name}?" in done.stderr
        assert done.exit_code == 2
    assert "No such command" in bonmun("x" * 5_000, env={"COLUMNS": "200"}).stderr


def test_markdown_has_a_short_name_everywhere(bonmun: Bonmun) -> None:
    save("page.html", PAGE)
    assert bonmun("extract", "page.html", "-f", "md").stdout.startswith("## A")
    assert bonmun("corpus", "extract", "page.html", "--site", "a", "-o", "out.jsonl", "-f", "md").exit_code == 0
    assert json.loads(Path("out.jsonl").read_text())["markdown"].startswith("## A")


def test_a_url_that_fails_is_named_once(bonmun: Bonmun) -> None:
    with served({}) as address:
        url = f"{address}/gone"
        for args in (("compare", url), ("gold", "init", url, "-o", "gold"), ("report", url, "-o", "report")):
            done = bonmun(*args, "--allow-private")
            assert done.stderr.count(url) == 1, done.stderr
            assert f"{url}: answered with status 404." in done.stderr
            assert done.exit_code == 1
