"""Peers written in JavaScript, each in one Node process per Python process: Mozilla's Readability, and Defuddle."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.systems.node_packages import (
    find_package,
    list_node_folders,
    locate_node_folder,
    read_package_version,
)
from bonmun.work.programs import find_program

__all__ = ["find_node_peer_version", "run_node_peer"]

# The npm packages of each peer: its own, and the DOM that it runs on.
PACKAGES = {
    "readability.js": ("@mozilla/readability@0.6", "jsdom@26"),
    "defuddle": ("defuddle@0.19", "linkedom@0.18.12"),  # later linkedoms need a package that npm does not have
}


def run_node_peer(name: str, html: str, url: str | None) -> dict[str, Any]:
    """Run a peer on a page; return its `html` and, if found, `title`, `author` and `date`."""
    node = _start_node(name)
    assert node.stdin is not None
    assert node.stdout is not None
    request = json.dumps({"html": html, "url": url})
    try:
        node.stdin.write(f"{request}\n")
        node.stdin.flush()
        line = node.stdout.readline()
    except OSError:
        line = ""
    if not line:
        _start_node.cache_clear()
        raise RuntimeError("the Node process died")
    found: dict[str, Any] = json.loads(line)
    if "error" in found:
        raise RuntimeError(found["error"])
    return found


@cache
def _start_node(name: str) -> subprocess.Popen[str]:
    """Start the Node process of a peer; it ends when its standard input is closed."""
    path = os.pathsep.join(str(folder) for folder in list_node_folders())
    script = Path(__file__).with_name(f"{name.removesuffix('.js')}.js")
    command = [_find_node(name), "--max-semi-space-size=64", str(script)]  # MiB: less garbage collection
    environment = os.environ | {"NODE_PATH": path}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env=environment, text=True, encoding="utf-8", errors="surrogatepass", **pipes)


@cache
def find_node_peer_version(name: str) -> str:
    """Return the installed versions of a peer; raise MissingExtra with instructions if a package is missing."""
    _find_node(name)
    names = [package.rpartition("@")[0] for package in PACKAGES[name]]
    found = [find_package(package) for package in names]
    if not all(found):
        raise MissingExtra(f"{name} is not installed: {_describe_setup(name)}")
    own, dom = (read_package_version(folder) for folder in found if folder)
    return f"{own} ({names[1]} {dom})"


def _find_node(name: str) -> str:
    found = find_program("node")
    if found is None:
        raise MissingExtra(f"{name} needs Node 18 or newer; then run: {_describe_setup(name)}")
    return found


def _describe_setup(name: str) -> str:
    return f"npm install --prefix {locate_node_folder()} {' '.join(PACKAGES[name])}"
