"""Names in, systems out: our methods, the peers, and the oracle, which knows the gold."""

from __future__ import annotations

import difflib
import hashlib
import sys
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun._version import __version__
from bonmun.document import Document
from bonmun.errors import BadConfig, MissingExtra
from bonmun.evaluate.align import align
from bonmun.evaluate.answers import Answer, System
from bonmun.evaluate.peers import PEERS
from bonmun.methods import METHODS, get
from bonmun.options import DEFAULTS
from bonmun.page import Page
from bonmun.pipeline import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.evaluate.datasets import Example

__all__ = ["ORACLE", "SYSTEMS", "choose"]

# What does not change what is extracted.
AROUND = {f"{name}.py" for name in ("__main__", "cli", "compare", "explain", "sources", "tables", "web", "writer")} | {
    "evaluate"
}


def _run(example: Example, method: str) -> Answer:
    doc = extract(example.html, example.url, method)
    return Answer(doc.text, leaves=tuple(leaf for block in doc.blocks for leaf in block.leaves))


def _facts(example: Example, method: str) -> Answer:
    doc = extract(example.html, example.url, method)
    return Answer(title=doc.title, author=doc.author, date=doc.date)


def _oracle(example: Example) -> Answer:
    """The leaves of the page that its gold was made of: what no choice of leaves can beat by much."""
    page = Page.parse(example.html, example.url)
    labels = align(page, example.text or "").labels()
    return Answer(Document(page, labels, DEFAULTS).text)


@cache
def _our_version() -> str:
    """The version, and a hash over the code and data that decide what is extracted."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*")):
        inside = file.relative_to(package)
        if file.is_file() and inside.parts[0] not in AROUND and "__pycache__" not in inside.parts:
            digest.update(f"{inside.as_posix()}\n".encode() + file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:8]}"


@cache
def _oracle_version() -> str:
    code = Path(__file__).with_name("align.py").read_bytes()
    return f"{_our_version()}.{hashlib.sha256(code).hexdigest()[:8]}"


def _method(name: str) -> System:
    """A method; the facts are the same with all but those that look for the title themselves."""
    run = partial(_run, method=name)
    if name != "auto" and not name.startswith("title-table"):
        return System(name, "method", _our_version, run)
    gives = ("title", "author", "date") if name == "auto" else ("title",)
    return System(name, "method", _our_version, run, gives, partial(_facts, method=name))


ORACLE = System("oracle", "oracle", _oracle_version, _oracle)
SYSTEMS = {system.name: system for system in (*map(_method, METHODS), *PEERS.values(), ORACLE)}


def choose(methods: Iterable[str], peers: Iterable[str]) -> tuple[list[System], list[str]]:
    """The systems of these names, `all` for all of a kind, the oracle last; and which peers are not installed.

    A peer that is named must be there; of all peers, those that are not are left out, and why is said. An extractor of
    the user's own is named as `module:function`.
    """
    chosen: dict[str, System] = {}
    missing: list[str] = []
    for name in methods:
        if name != "all":
            get(name)  # raises BadConfig with names that are near
        chosen |= {each: SYSTEMS[each] for each in (METHODS if name == "all" else [name])}
    for name in peers:
        for peer in PEERS.values() if name == "all" else [_peer(name)]:
            try:
                peer.version()
            except MissingExtra as problem:
                if name != "all":
                    raise
                missing.append(str(problem))
            else:
                chosen[peer.name] = peer
    return [*chosen.values(), ORACLE], missing


def _peer(name: str) -> System:
    if name in PEERS:
        return PEERS[name]
    if ":" in name:
        return _own(name)
    near = " or ".join(difflib.get_close_matches(name.lower(), PEERS, n=2))
    says = f"did you mean {near}?" if near else f"these are known: {', '.join(PEERS)}."
    raise BadConfig(f"Unknown peer {name!r}: {says} An extractor of your own is given as module:function.")


def _own(name: str) -> System:
    """A function of the user's, from HTML to text, in a module of this folder or an installed one."""
    module, _, function = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError) as problem:
        raise BadConfig(f"The extractor {name!r} cannot be loaded: {problem}.") from None
    code = Path(sys.modules[module].__file__ or "").read_bytes()
    return System(name, "peer", partial(str, hashlib.sha256(code).hexdigest()[:8]), partial(_call, function=found))


def _call(example: Example, function: Callable[[str], str | None]) -> Answer:
    return Answer(function(example.html) or "")
