"""Mozilla's Readability on jsdom, in one Node process per Python process."""

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

__all__ = ["find_readability_js_version", "run_readability_js"]


def run_readability_js(html: str, url: str | None) -> dict[str, Any]:
    """Run readability.js on a page; return its `html` and, if found, `title`, `author` and `date`."""
    node = _start_node()
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
def _start_node() -> subprocess.Popen[str]:
    """Start the Node process of this Python process; it ends when its standard input is closed."""
    path = os.pathsep.join(str(folder) for folder in list_node_folders())
    script = Path(__file__).with_name("readability.js")
    command = [_find_node(), "--max-semi-space-size=64", str(script)]  # MiB: less garbage collection
    environment = os.environ | {"NODE_PATH": path}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env=environment, text=True, encoding="utf-8", errors="surrogatepass", **pipes)


@cache
def find_readability_js_version() -> str:
    """Return the installed versions; raise MissingExtra with instructions if a package is missing."""
    _find_node()
    versions = []
    for package in ("@mozilla/readability", "jsdom"):
        found = find_package(package)
        if found is None:
            raise MissingExtra(f"readability.js is not installed: {_describe_setup()}")
        versions.append(read_package_version(found))
    return f"{versions[0]} (jsdom {versions[1]})"


def _find_node() -> str:
    found = find_program("node")
    if found is None:
        raise MissingExtra(f"readability.js needs Node 18 or newer; then run: {_describe_setup()}")
    return found


def _describe_setup() -> str:
    return f"npm install --prefix {locate_node_folder()} @mozilla/readability@0.6 jsdom@26"
