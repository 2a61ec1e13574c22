"""Systems by name: ours, the peers as far as they are installed, the oracle, and extractors of the user's own."""

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
from bonmun.lab.evaluate.systems import browser_peers as in_page
from bonmun.lab.evaluate.systems import peers
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.systems.readability_js import find_readability_js_version
from bonmun.lab.evaluate.systems.systems import ORACLE, SYSTEMS, choose_systems
from bonmun.lab.evaluate.systems.versions import hash_answers, hash_oracle
from bonmun.lab.evaluate.workers import Outcome, Task, run_tasks
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


def test_names_are_one_to_one() -> None:
    assert list(SYSTEMS) == [*PAGE_METHODS, *PEERS, "oracle"]
    assert all(system.name == name for name, system in SYSTEMS.items())
    assert {system.group for system in PEERS.values()} == {"peer"}


def test_systems_come_in_the_order_they_are_named_the_oracle_last() -> None:
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


def test_all_peers_are_those_that_are_installed() -> None:
    found, missing = choose_systems([], ["all"])
    assert {"turbohtml", "all-text"} < {system.name for system in found}
    reasons = {name: installed(name) for name in PEERS}
    assert [system.name for system in found] == [*(name for name, reason in reasons.items() if not reason), "oracle"]
    assert set(missing) == set(filter(None, reasons.values()))


@pytest.mark.parametrize(
    ("methods", "chosen", "says"),
    [
        (["aut"], [], "did you mean auto?"),
        (["trafilatura"], [], "Unknown method"),
        (["auto"], ["Trafilatur"], "Unknown peer 'Trafilatur': did you mean trafilatura"),
        (["auto"], ["readabilty"], "did you mean readability.js"),
        (["auto"], ["xyz"], "these are known: trafilatura, .*module:function"),
        (["auto"], ["oracle"], "Unknown peer"),
        (["auto"], [""], "Unknown peer"),
    ],
)
def test_unknown_names_are_told(methods: list[str], chosen: list[str], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        choose_systems(methods, chosen)


# --- what is not installed -------------------------------------------------------------------------------------------


NOT_WITH_PIP = ("readability.js", "readability-browser", "dom-distiller")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any peer."""

    def absent(name: str) -> NoReturn:
        raise metadata.PackageNotFoundError(name)

    peers._find_version.cache_clear()
    find_readability_js_version.cache_clear()
    in_page.find_readability_version.cache_clear()
    in_page.find_distiller_version.cache_clear()
    in_page._find_chromium.cache_clear()
    monkeypatch.setattr(metadata, "version", absent)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("BONMUN_BROWSER", raising=False)
    monkeypatch.delenv("NODE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", [name for name in PEERS if name not in NOT_WITH_PIP])
def test_a_peer_that_is_not_installed_says_what_to_do(name: str) -> None:
    with pytest.raises(MissingExtra, match=r"is not installed: pip install 'bonmun\[bench\]'\."):
        choose_systems(["auto"], [name])


def test_what_readability_js_needs_is_said(bare: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    line = f"npm install --prefix {tmp_path / 'bonmun' / 'node'} @mozilla/readability"
    with pytest.raises(MissingExtra, match=f"needs node, version 18 or newer, and then: {line}"):
        choose_systems(["auto"], ["readability.js"])
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/node")
    with pytest.raises(MissingExtra, match=f"readability.js is not installed: {line}"):
        choose_systems(["auto"], ["readability.js"])
    for package in ("@mozilla/readability", "jsdom"):
        folder = tmp_path / "node_modules" / package
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"version": "1.2"}')
    assert PEERS["readability.js"].version() == "1.2 (jsdom 1.2)"
    find_readability_js_version.cache_clear()


@pytest.mark.usefixtures("bare")
def test_what_extractors_in_a_browser_need_is_said() -> None:
    with pytest.raises(MissingExtra, match="readability-browser is not installed: npm install"):
        choose_systems(["auto"], ["readability-browser"])
    with pytest.raises(MissingExtra, match=r"Chromium or Chrome is not installed|pip install 'bonmun\[render\]'"):
        choose_systems(["auto"], ["dom-distiller"])


@pytest.mark.usefixtures("bare")
def test_of_all_peers_those_that_are_missing_are_left_out_and_said() -> None:
    found, missing = choose_systems(["auto"], ["all"])
    assert [system.name for system in found] == ["auto", "oracle"]
    assert {line.split()[0] for line in missing} >= {"trafilatura", "goose3", "jusText", "readability.js"}


@pytest.mark.usefixtures("bare")
def test_what_to_install_is_said_once() -> None:
    missing = choose_systems(["auto"], ["all"])[1]
    assert len(set(missing)) == len(missing)


# --- an extractor of one's own ---------------------------------------------------------------------------------------

OWN = """
import re
def words(html): return " ".join(re.findall("[A-Z][a-z]+", html))
def nothing(html): return None
short = lambda html: html[:10]
CONSTANT = "text"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[System]]]:
    """Choose a function of a module in the folder that one is in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])

    def chosen(name: str, code: str = OWN) -> list[System]:
        sys.modules.pop("my_own", None)
        Path("my_own.py").write_text(code)
        invalidate_caches()
        return choose_systems([], [name])[0]

    yield chosen
    sys.modules.pop("my_own", None)


def test_an_extractor_of_ones_own_is_a_peer(own: Callable[..., list[System]]) -> None:
    system, oracle = own("my_own:words")
    assert (system.name, system.group, system.gives, oracle) == ("my_own:words", "peer", (), ORACLE)
    assert system.run(Example("a", "<p>An Old light</p>", "")) == Answer("An Old")
    assert own("my_own:nothing")[0].run(Example("a", "<p>", "")) == Answer("")
    assert len({own("my_own:words", OWN + more)[0].version() for more in ("", "#", "# ", "")}) == 3


@pytest.mark.slow
def test_an_extractor_of_ones_own_is_found_by_the_children(tmp_path: Path) -> None:
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
def test_what_is_no_extractor_is_refused(own: Callable[..., list[System]], name: str, code: str) -> None:
    with pytest.raises(BadConfig, match="cannot be loaded"):
        own(name, code)


# --- versions --------------------------------------------------------------------------------------------------------


def test_our_methods_have_the_version_of_the_code_that_answers() -> None:
    assert {SYSTEMS[name].version() for name in PAGE_METHODS} == {hash_answers()}
    assert ORACLE.version() == hash_oracle()


# --- the peers on pages ----------------------------------------------------------------------------------------------

DEEP = Example("deep", "<div>" * 50_000 + f"<p>{TEXT * 3}</p>" + "</div>" * 50_000, TEXT * 3)
EMPTY = Example("empty", "<html><head><title></title></head><body></body></html>", "")
ON = [PAGES["en-news"], PAGES["ko-board"], EMPTY, DEEP]
NEVER_ENDS = {  # minutes on nested elements; browsers for laying them out
    (name, "deep") for name in ("readability.js", "resiliparse", "readability-browser", "dom-distiller")
}
# jusText asks for paragraphs of 200 characters, which Korean hardly has: it finds nothing on the board.
FLOORS = {"all-text": 0.6, "en-news": 0.75, "ko-board": 0.6, "justext-ko-board": 0.0}


def installed(name: str) -> str:
    """Why a peer cannot be run, if it cannot."""
    try:
        PEERS[name].version()
    except MissingExtra as problem:
        return str(problem)
    return ""


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, str], Outcome]:
    """Of all peers that are installed, on all pages, in a child: they may do what they like."""
    present = [peer for name, peer in PEERS.items() if not installed(name)]
    tasks = [
        Task(number, example, tuple(peer for peer in present if (peer.name, example.id) not in NEVER_ENDS))
        for number, example in enumerate(ON)
    ]
    return {(peer.name, task.example.id): outcome for task, peer, outcome in run_tasks(tasks, 1, 20)}


def answer(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> Outcome:
    if (name, page) not in answers:
        pytest.skip(installed(name))
    return answers[name, page]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "page"),
    [pytest.param(name, page, id=f"{name}-{page}") for name in PEERS for page in ("en-news", "ko-board")],
)
def test_a_peer_finds_the_text(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> None:
    outcome = answer(answers, name, page)
    assert outcome.error is None
    assert outcome.scores["words.f1"] >= FLOORS.get(f"{name}-{page}", FLOORS.get(name, FLOORS[page]))


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_peer_gives_the_facts_that_it_says_it_gives(answers: dict[tuple[str, str], Outcome], name: str) -> None:
    outcome = answer(answers, name, "en-news")
    assert {figure for figure in outcome.scores if figure.endswith(".exact")} == {
        f"{fact}.exact" for fact in PEERS[name].gives
    }
    for fact in PEERS[name].gives:
        assert outcome.scores[f"{fact}.exact"] == 1, (fact, getattr(outcome.answer, fact))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "page"),
    [(name, page) for name in PEERS for page in ("empty", "deep") if (name, page) not in NEVER_ENDS],
)
def test_a_peer_has_an_answer_to_odd_pages(answers: dict[tuple[str, str], Outcome], name: str, page: str) -> None:
    outcome = answer(answers, name, page)
    assert outcome.error is None
    assert isinstance(outcome.answer.text, str)
    assert page == "deep" or outcome.answer.text.strip() == ""


@pytest.mark.slow
def test_all_text_is_all_of_it(answers: dict[tuple[str, str], Outcome]) -> None:
    assert answers["all-text", "deep"].scores["words.f1"] == 1
    assert answers["all-text", "en-news"].scores["words.recall"] > 0.95


def test_our_methods_and_the_oracle_find_the_text() -> None:
    example = PAGES["en-news"]
    auto = SYSTEMS["auto"]
    assert auto.whole is not None
    found = auto.whole(example)
    assert found.leaves
    assert found.text == auto.run(example).text
    assert (found.title, found.author) == (example.title, example.author)
    assert SYSTEMS["xpath"].gives == ()
    assert SYSTEMS["title-table+"].gives == ("title",)
    assert ORACLE.run(example).text.split()[:5] == (example.text or "").split()[:5]
