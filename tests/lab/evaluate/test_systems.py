"""Systems by name: our methods, installed peers, the oracle, and users' own extractors."""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib import invalidate_caches, metadata
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from bonmun.algorithms import PAGE_METHODS
from bonmun.errors import BadConfig, MissingExtra
from bonmun.lab.evaluate.systems import browser_peers, peers
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.evaluate.systems.node_peers import find_node_peer_version
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.systems.systems import ORACLE, SYSTEMS, choose_systems
from bonmun.lab.evaluate.systems.versions import hash_answers, hash_oracle
from bonmun.lab.evaluate.workers import Outcome, PageTask, run_tasks
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from samples import ROOT, command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.lab.evaluate.systems.answers import System

PAGES = {example.id: example for example in read_dataset(ROOT / "tests" / "pages")}
TEXT = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "


def names(methods: list[str], chosen: list[str]) -> list[str]:
    return [system.name for system in choose_systems(methods, chosen)[0]]


# --- by name ---------------------------------------------------------------------------------------------------------


def test_names_are_unique() -> None:
    assert list(SYSTEMS) == [*PAGE_METHODS, *PEERS, "oracle"]
    assert all(system.name == name for name, system in SYSTEMS.items())
    assert {system.group for system in PEERS.values()} == {"peer"}


def test_systems_keep_their_order_with_the_oracle_last() -> None:
    assert names(["auto"], []) == ["auto", "oracle"]
    assert names(["xpath", "auto", "xpath"], ["turbohtml", "all-text", "turbohtml"]) == [
        "xpath",
        "auto",
        "turbohtml",
        "all-text",
        "oracle",
    ]
    assert names(["xpath", "all"], []) == ["xpath", *(name for name in PAGE_METHODS if name != "xpath"), "oracle"]
    assert names([], []) == ["oracle"]


def test_all_means_all_installed_peers() -> None:
    found, missing = choose_systems([], ["all"])
    assert {"turbohtml", "all-text"} < {system.name for system in found}
    reasons = {name: explain_missing(name) for name in PEERS}
    assert [system.name for system in found] == [*(name for name, reason in reasons.items() if not reason), "oracle"]
    assert set(missing) == set(filter(None, reasons.values()))


@pytest.mark.parametrize(
    ("methods", "chosen", "says"),
    [
        (["aut"], [], "did you mean auto?"),
        (["trafilatura"], [], "Unknown method"),
        (["auto"], ["Trafilatur"], "Unknown peer 'Trafilatur': did you mean trafilatura"),
        (["auto"], ["readabilty"], "did you mean readability.js"),
        (["auto"], ["xyz"], "known peers are trafilatura, .*module:function"),
        (["auto"], ["oracle"], "Unknown peer"),
        (["auto"], [""], "Unknown peer"),
    ],
)
def test_unknown_names_are_rejected(methods: list[str], chosen: list[str], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        choose_systems(methods, chosen)


# --- missing peers ---------------------------------------------------------------------------------------------------


NOT_WITH_PIP = ("readability.js", "defuddle", "readability-browser", "dom-distiller")


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Simulate a machine without any peer."""

    def absent(name: str) -> NoReturn:
        raise metadata.PackageNotFoundError(name)

    peers._find_version.cache_clear()
    find_node_peer_version.cache_clear()
    browser_peers.find_readability_version.cache_clear()
    browser_peers.find_distiller_version.cache_clear()
    browser_peers._find_chromium.cache_clear()
    monkeypatch.setattr(metadata, "version", absent)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.delenv("BONMUN_BROWSER", raising=False)
    monkeypatch.delenv("NODE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("no_peers")
@pytest.mark.parametrize("name", [name for name in PEERS if name not in NOT_WITH_PIP])
def test_a_missing_peer_gives_instructions(name: str) -> None:
    with pytest.raises(MissingExtra, match=r"is not installed: pip install 'bonmun\[bench(?:-more)?\]'\."):
        choose_systems(["auto"], [name])


@pytest.mark.parametrize(
    ("name", "own", "dom"), [("readability.js", "@mozilla/readability", "jsdom"), ("defuddle", "defuddle", "linkedom")]
)
def test_a_missing_peer_from_npm_gives_instructions(
    name: str, own: str, dom: str, no_peers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = f"npm install --prefix {tmp_path / 'bonmun' / 'node'} {own}@"
    with pytest.raises(MissingExtra, match=f"{name} needs Node 18 or newer; then run: {line}"):
        choose_systems(["auto"], [name])
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "/usr/bin/node")
    for package in (own, dom):
        with pytest.raises(MissingExtra, match=f"{name} is not installed: {line}"):
            choose_systems(["auto"], [name])
        folder = tmp_path / "bonmun" / "node" / "node_modules" / package
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"version": "1.2"}')
    assert PEERS[name].version() == f"1.2 ({dom} 1.2)"
    find_node_peer_version.cache_clear()


@pytest.mark.usefixtures("no_peers")
def test_missing_browser_peers_give_instructions() -> None:
    with pytest.raises(MissingExtra, match="readability-browser is not installed: npm install"):
        choose_systems(["auto"], ["readability-browser"])
    with pytest.raises(MissingExtra, match=r"Chromium or Chrome is not installed|pip install 'bonmun\[render\]'"):
        choose_systems(["auto"], ["dom-distiller"])


@pytest.mark.usefixtures("no_peers")
def test_missing_peers_are_skipped_and_reported() -> None:
    found, missing = choose_systems(["auto"], ["all"])
    assert [system.name for system in found] == ["auto", "oracle"]
    assert {line.split()[0] for line in missing} >= {"trafilatura", "goose3", "jusText", "readability.js"}


@pytest.mark.usefixtures("no_peers")
def test_instructions_are_given_once() -> None:
    missing = choose_systems(["auto"], ["all"])[1]
    assert len(set(missing)) == len(missing)


# --- a user's own extractor ------------------------------------------------------------------------------------------

OWN = """
import re
def words(html): return " ".join(re.findall("[A-Z][a-z]+", html))
def nothing(html): return None
short = lambda html: html[:10]
CONSTANT = "text"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[System]]]:
    """Choose a function of a module in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])

    def chosen(name: str, code: str = OWN) -> list[System]:
        sys.modules.pop("my_own", None)
        Path("my_own.py").write_text(code)
        invalidate_caches()
        return choose_systems([], [name])[0]

    yield chosen
    sys.modules.pop("my_own", None)


def test_a_users_extractor_is_a_peer(own: Callable[..., list[System]]) -> None:
    system, oracle = own("my_own:words")
    assert (system.name, system.group, system.fields, oracle) == ("my_own:words", "peer", (), ORACLE)
    assert system.run(Example("a", "<p>An Old light</p>", "")) == Answer("An Old")
    assert own("my_own:nothing")[0].run(Example("a", "<p>", "")) == Answer("")
    assert len({own("my_own:words", OWN + more)[0].version() for more in ("", "#", "# ", "")}) == 3


@pytest.mark.slow
def test_a_users_extractor_works_in_child_processes(tmp_path: Path) -> None:
    (tmp_path / "my_own.py").write_text(OWN)
    row = {"id": "a", "html": "<p>An Old light</p>", "text": "An old"}
    (tmp_path / "set.jsonl").write_text(json.dumps(row))
    args = "bench set.jsonl -p my_own:words --timed 0 --workers 1 --cache kept".split()
    done = command(*args, cwd=tmp_path)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert re.search(rb"\nmy_own:words +1.000 +1.000 +1.000 ", done.stdout)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("nowhere_to_be_found.at_all:words", OWN),
        ("my_own:missing", OWN),
        ("my_own:", OWN),
        ("my_own:words.more", OWN),
        (":words", OWN),
        ("my_own:words", "def words(html:"),
        ("my_own:words", "1 / 0"),
        ("sys:intern", OWN),
        ("my_own:CONSTANT", OWN),
        ("my_own:short", OWN),
    ],
)
def test_an_invalid_extractor_is_rejected(own: Callable[..., list[System]], name: str, code: str) -> None:
    with pytest.raises(BadConfig, match="cannot be loaded"):
        own(name, code)


# --- versions --------------------------------------------------------------------------------------------------------


def test_our_methods_have_the_hash_of_our_code() -> None:
    assert {SYSTEMS[name].version() for name in PAGE_METHODS} == {hash_answers()}
    assert ORACLE.version() == hash_oracle()


# --- peers on pages --------------------------------------------------------------------------------------------------

DEEP = Example("deep", "<div>" * 50_000 + f"<p>{TEXT * 3}</p>" + "</div>" * 50_000, TEXT * 3)
EMPTY = Example("empty", "<html><head><title></title></head><body></body></html>", "")
ON = [PAGES["en-news"], PAGES["ko-board"], EMPTY, DEEP]
TOO_SLOW = {  # these peers and browsers take minutes on deeply nested elements
    (name, "deep") for name in ("readability.js", "defuddle", "resiliparse", "readability-browser", "dom-distiller")
}
# jusText requires paragraphs of 200 characters, which are rare in Korean: it finds nothing on the board.
FLOORS = {"all-text": 0.6, "en-news": 0.75, "ko-board": 0.6, "justext-ko-board": 0.0}


def explain_missing(name: str) -> str:
    """Return why a peer cannot be run; "" if it can."""
    try:
        PEERS[name].version()
    except MissingExtra as problem:
        return str(problem)
    return ""


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, str], Outcome]:
    """The outcomes of all installed peers on all pages, from a child process."""
    present = [peer for name, peer in PEERS.items() if not explain_missing(name)]
    tasks = [
        PageTask(number, example, tuple(peer for peer in present if (peer.name, example.id) not in TOO_SLOW))
        for number, example in enumerate(ON)
    ]
    return {(peer.name, task.example.id): outcome for task, peer, outcome in run_tasks(tasks, 1, 20)}


def answer(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> Outcome:
    if (name, page) not in answers:
        pytest.skip(explain_missing(name))
    return answers[name, page]


@pytest.mark.extras
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "page"),
    [pytest.param(name, page, id=f"{name}-{page}") for name in PEERS for page in ("en-news", "ko-board")],
)
def test_a_peer_finds_the_text(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> None:
    outcome = answer(answers, name, page)
    assert outcome.error is None
    assert outcome.scores["words.f1"] >= FLOORS.get(f"{name}-{page}", FLOORS.get(name, FLOORS[page]))


@pytest.mark.extras
@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_peer_extracts_its_metadata_fields(answers: dict[tuple[str, str], Outcome], name: str) -> None:
    outcome = answer(answers, name, "en-news")
    assert {score for score in outcome.scores if score.endswith(".exact")} == {
        f"{field}.exact" for field in PEERS[name].fields
    }
    for field in PEERS[name].fields:
        assert outcome.scores[f"{field}.exact"] == 1, (field, getattr(outcome.answer, field))


@pytest.mark.long
@pytest.mark.extras
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "page"),
    [(name, page) for name in PEERS for page in ("empty", "deep") if (name, page) not in TOO_SLOW],
)
def test_a_peer_handles_odd_pages(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> None:
    outcome = answer(answers, name, page)
    assert outcome.error is None
    assert isinstance(outcome.answer.text, str)
    assert page == "deep" or outcome.answer.text.strip() == ""


@pytest.mark.extras
@pytest.mark.slow
def test_all_text_keeps_everything(answers: dict[tuple[str, str], Outcome]) -> None:
    assert answers["all-text", "deep"].scores["words.f1"] == 1
    assert answers["all-text", "en-news"].scores["words.recall"] > 0.95


def test_our_methods_and_the_oracle_find_the_text() -> None:
    example = PAGES["en-news"]
    auto = SYSTEMS["auto"]
    assert auto.run_full is not None
    found = auto.run_full(example)
    assert found.leaves
    assert found.text == auto.run(example).text
    assert (found.title, found.author) == (example.title, example.author)
    assert SYSTEMS["xpath"].fields == ()
    assert SYSTEMS["title-table+"].fields == ("title",)
    assert ORACLE.run(example).text.split()[:5] == (example.text or "").split()[:5]
