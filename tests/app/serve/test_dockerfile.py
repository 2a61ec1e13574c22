"""Check the Dockerfile without docker, which test machines do not have."""

from __future__ import annotations

import re
import shlex

import pytest

from bonmun.app.commands.pages.serve import serve_command
from samples import ROOT


def read_steps(text: str) -> list[tuple[str, str]]:
    """Return the instructions with their arguments."""
    whole = re.sub(r"\\\n", " ", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [
        (name, rest.strip()) for name, _, rest in (line.partition(" ") for line in whole.splitlines() if line.strip())
    ]


def find_faults(text: str) -> list[str]:
    """Return the faults of a Dockerfile."""
    steps = read_steps(text)
    names = [name for name, _ in steps]
    faults = []
    for name, rest in steps:
        if name == "FROM" and not re.match(r"\S+:[\w.-]*\d[\w.-]*(@sha256:\w+)?( AS \w+)?$", rest):
            faults.append(f"{rest} has no pinned tag")
        if name == "ADD":
            faults.append("ADD takes URLs and unpacks: COPY does not")
        if name == "RUN" and re.search(r"(curl|wget).*\|\s*(ba|da|z)?sh|\bsudo\b|chmod\s+(-R\s+)?777", rest):
            faults.append(f"RUN {rest}")
        if name in ("ENV", "ARG") and re.search(r"(?i)token|secret|password|key", rest):
            faults.append(f"{name} holds a secret")
        if name == "COPY" and rest.split()[0] in (".", "/"):
            faults.append("COPY takes everything")
    users = [
        rest.partition(":")[0] for name, rest in steps[len(names) - 1 - names[::-1].index("FROM") :] if name == "USER"
    ]
    if not users or users[-1] in ("root", "0"):
        faults.append("runs as root")
    if "HEALTHCHECK" not in names:
        faults.append("has no HEALTHCHECK")
    return faults


TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_dockerfile_has_no_faults() -> None:
    assert find_faults(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("USER 10001", "USER root", "root"),
        ("USER 10001", "", "root"),
        ("python:3.13-slim-bookworm", "python:latest", "tag"),
        ("python:3.13-slim-bookworm", "python", "tag"),
        ("HEALTHCHECK", "LABEL", "HEALTHCHECK"),
        ("COPY src ./src", "ADD https://example.org/src.tar ./src", "ADD"),
        ("COPY src ./src", "COPY . .", "everything"),
        ("COPY src ./src", "RUN curl -s https://example.org/x | sh", "curl"),
        ("STOPSIGNAL SIGTERM", "ENV BONMUN_TOKEN=abc", "secret"),
    ],
)
def test_faults_would_be_found(old: str, new: str, fault: str) -> None:
    assert any(fault in each for each in find_faults(TEXT.replace(old, new)))


def test_copied_files_exist_and_are_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        path for name, rest in read_steps(TEXT) if name == "COPY" and "--from" not in rest for path in rest.split()[:-1]
    }
    assert copied == allowed
    assert all((ROOT / path).exists() for path in copied)


def test_the_health_check_compiles_and_the_command_has_its_options() -> None:
    steps = dict(read_steps(TEXT))
    [code] = re.findall(r'"-c", "([^"]+)"', steps["HEALTHCHECK"])
    compile(code, "HEALTHCHECK", "exec")
    line = [word.strip(",[]") for word in shlex.split(steps["ENTRYPOINT"])]
    assert line[:2] == ["bonmun", "serve"]
    assert all(word[2:].replace("-", "_") in serve_command.__annotations__ for word in line if word.startswith("--"))
