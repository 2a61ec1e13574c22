"""Run the commands of docs/how-to/extract.md in a shell and compare what they print with what it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from many_hosts import Answer, ManyHosts, make_page
from samples import ROOT, save
from saved_pages import make_mhtml
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
KILLED_AFTER = 60  # answers of 200, and some
PAUSE = 0.2  # seconds, as in the document
# Late paths: the kill comes after about three answers of each host, and must not fall between a refusal and its retry.
REFUSED = "/5"
THROTTLED = (REFUSED, "/7")


class Shown(NamedTuple):
    """A command, and what the document says that it prints."""

    command: str
    output: str


def read_document() -> list[Shown]:
    text = (ROOT / "docs" / "how-to" / "extract.md").read_text(encoding="utf-8")
    parts = [part for block in BLOCK.findall(text) for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [Shown(*part.split("\n", 1)) for part in parts]


def answer_plainly(path: str, _: int) -> Answer:
    return Answer(make_page(f"Page {path}"), delay=0.05)


def answer_slowly(path: str, _: int) -> Answer:
    return Answer(make_page(f"Page {path}"), delay=0.2)


def throttle(path: str, times: int) -> Answer:
    if times == 1 and path in THROTTLED:
        return Answer(b"", 429, "Retry-After: 1\r\n") if path == REFUSED else Answer(b"", 503, "")
    return Answer(make_page(f"Page {path}"))


def fail(path: str, _: int) -> Answer:
    return Answer(b"gone", 404)


def send_pictures(path: str, _: int) -> Answer:
    picture = Answer(b"\x89PNG", 200, "Content-Type: image/png\r\n")
    return picture if int(path[1:]) % 2 else Answer(make_page(f"Page {path}"))


def break_off(path: str, times: int) -> Answer:
    return Answer(status=0) if times == 1 and path == "/4" else Answer(make_page(f"Page {path}"))


def make_hosts() -> ManyHosts:
    odd = {"slow": answer_slowly, "busy": throttle, "gone": fail, "pictures": send_pictures, "breaking": break_off}
    hosts = ManyHosts({**{f"plain{number}": answer_plainly for number in range(13)}, **odd, "moved": answer_plainly})

    def move(path: str, _: int) -> Answer:
        where = "/9" if path == "/9" else hosts.make_url("plain0", f"/moved{path}")
        return Answer(b"", 302, f"Location: {where}\r\n")

    hosts.hosts["moved"] = move
    return hosts


@pytest.fixture(scope="module")
def hosts() -> Iterator[ManyHosts]:
    with make_hosts() as many:
        yield many


@pytest.fixture
def shell(tmp_path: Path, hosts: ManyHosts) -> dict[str, str]:
    """The surroundings of the document's commands; the files that they are about are there."""
    os.chdir(tmp_path)
    for number, name in enumerate(["index.html", "about", "index.html@p=2"]):
        save(f"saved/{name}", make_page(f"Lamp {number}"))
    save("saved/news/view.php?id=7", make_page("Lamp 7"))
    for name in ("style.css", "print.css?v=3", "robots.txt"):
        save(f"saved/{name}", "User-agent: *")
    save("lamp.mhtml", make_mhtml(make_page("Lamp").replace(b"</h1>", b"</h1><p>By Ann Lee, 2 days ago</p>")))
    dead = [f"http://127.0.0.1:{number % 2 + 1}/{number}" for number in range(10)]  # nothing listens there
    urls = [hosts.make_url(name, f"/{number}") for number in range(10) for name in hosts.hosts]
    save("urls.txt", "\n".join([*urls, *dead]) + "\n")
    save("bin/bonmun", f'#!/bin/sh\nexec "{sys.executable}" -m bonmun "$@"\n')
    (tmp_path / "bin" / "bonmun").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def run(shown: Shown, shell: dict[str, str], hosts: ManyHosts) -> str:
    """What a command prints; one that the document says was killed is killed when it has done a part of its work."""
    before = len(hosts.visits)
    process = subprocess.Popen(
        ["bash", "-c", f"exec 2>&1; {shown.command}"],
        stdout=subprocess.PIPE,
        text=True,
        env=shell,
        start_new_session=True,
    )
    if shown.output.strip() == "Killed":
        assert becomes_true(lambda: len(hosts.visits) - before > KILLED_AFTER or process.poll() is not None)
        os.killpg(process.pid, 9)
        process.communicate()
        return "Killed\n" if process.returncode else "It ended by itself.\n"
    return process.communicate(timeout=120)[0]


def compare(shown: Shown, printed: str) -> None:
    pattern = ".*".join(re.escape(piece) for piece in shown.output.split("…"))
    assert re.fullmatch(pattern, printed, re.S), f"$ {shown.command}\n{printed}"


@pytest.mark.slow
def test_the_transcript_is_true(shell: dict[str, str], hosts: ManyHosts) -> None:
    document = read_document()
    assert len(document) > 10
    for shown in document:
        compare(shown, run(shown, shell, hosts))
    rows = [json.loads(line) for line in Path("pages.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["input"] for row in rows] == Path("urls.txt").read_text().split()
    assert [row["title"] for row in rows if row["input"] == hosts.make_url("moved", "/8")] == ["Page /moved/8"]
    check_visits(hosts)


def check_visits(hosts: ManyHosts) -> None:
    """That hosts were asked side by side, but each gently, and that next to nothing was fetched twice."""
    assert hosts.most > 5
    for name in hosts.hosts:
        pairs = list(pairwise(hosts.find_visits(name)))
        quick = [later for earlier, later in pairs if later.start - earlier.end < PAUSE * 0.95]
        # after the kill; a redirect to the same host; and the last command makes no pauses
        assert len(quick) <= (12 if name == "moved" else 3), name
    whole = Counter((visit.host, visit.path) for visit in hosts.visits if visit.status == 200)
    assert sum(times - 1 for times in whole.values()) < 40  # what was fetched and not yet worked on when it was killed
    refused, *again = [visit for visit in hosts.find_visits("busy") if visit.path == REFUSED]
    assert refused.status == 429
    assert again[0].start - refused.end > 0.95
