"""Names in, systems out: our methods, the peers, and the oracle, which knows the gold."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import pickle
import sys
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun._version import __version__
from bonmun.document import Document
from bonmun.errors import BadConfig, MissingExtra
from bonmun.evaluate.answers import Answer, System
from bonmun.evaluate.once import aligned, parsed
from bonmun.evaluate.peers import PEERS
from bonmun.evaluate.unseen import facts_of, model_of, unseen
from bonmun.gold import alignment, chain
from bonmun.gold.folds import FOLDS
from bonmun.methods import PAGE_METHODS, get
from bonmun.options import DEFAULTS
from bonmun.pipeline import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.gold.examples import Example

__all__ = ["ORACLE", "SYSTEMS", "choose"]

# What does not change what is extracted.
AROUND = {f"{name}.py" for name in ("__main__", "cli", "compare", "explain", "tables", "web")} | {
    "commands",
    "corpus",
    "evaluate",
    "train",
}


def _run(example: Example, method: str) -> Answer:
    return Answer(extract(example.html, example.url, method).text)


def _whole(example: Example, method: str, *, facts: bool) -> Answer:
    doc = extract(parsed(example), method=method)
    leaves = tuple(leaf for block in doc.blocks for leaf in block.leaves)
    found = {"title": doc.title, "author": doc.author, "date": doc.date} if facts else {}
    return Answer(doc.text, leaves=leaves, **found)


def _oracle(example: Example) -> Answer:
    """The leaves of the page that its gold was made of: what no choice of leaves can beat by much."""
    return Answer(Document(parsed(example), aligned(example).make_labels(), DEFAULTS).text)


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
    code = b"".join(Path(str(module.__file__)).read_bytes() for module in (alignment, chain))
    return f"{_our_version()}.{hashlib.sha256(code).hexdigest()[:8]}"


def _method(name: str) -> System:
    """A method; the facts are the same with all but those that look for the title themselves."""
    gives = ("title", "author", "date") if name == "auto" else ("title",) if name.startswith("title-table") else ()
    whole = partial(_whole, method=name, facts=bool(gives))
    return System(name, "method", _our_version, partial(_run, method=name), gives, whole)


ORACLE = System("oracle", "oracle", _oracle_version, _oracle)
SYSTEMS = {system.name: system for system in (*map(_method, PAGE_METHODS), *PEERS.values(), ORACLE)}


def choose(methods: Iterable[str], peers: Iterable[str], folds: Path | None = None) -> tuple[list[System], list[str]]:
    """The systems of these names, `all` for all of a kind, the oracle last; and which peers are not installed.

    With `folds`, a folder of models that were each trained without a fifth of all sites, `auto` is for each page the
    one that has not seen its site.

    A peer that is named must be there; of all peers, those that are not are left out, and why is said. An extractor of
    the user's own is named as `module:function`.
    """
    chosen: dict[str, System] = {}
    missing: list[str] = []
    for name in methods:
        if name != "all":
            get(name)  # raises BadConfig with names that are near
        chosen |= {each: SYSTEMS[each] for each in (PAGE_METHODS if name == "all" else [name])}
    if folds is not None:
        if "auto" not in chosen:
            raise BadConfig("Folds are for the method auto, which is not among those that are measured.")
        chosen["auto"] = _cross_validated(folds)
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
    return [*chosen.values(), ORACLE], list(dict.fromkeys(missing))


def _cross_validated(folder: Path) -> System:
    models = b"".join(model_of(folder, fold).read_bytes() for fold in range(FOLDS))
    models += b"".join(path.read_bytes() for path in sorted(folder.glob("facts-*.npz")))
    version = f"{_our_version()}.{hashlib.sha256(models).hexdigest()[:8]}"
    gives = SYSTEMS["auto"].gives if all(facts_of(folder, fold) for fold in range(FOLDS)) else ()
    return System(
        "auto",
        "method",
        partial(str, version),
        partial(unseen, folder=folder),
        gives,
        partial(unseen, folder=folder, whole=True),
    )


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
        pickle.dumps(found)  # it goes to child processes
        code = inspect.getsource(sys.modules[module]).encode()
    except Exception as problem:  # whatever the user's module does
        reason = f"{type(problem).__name__}: {problem}"
        raise BadConfig(f"The extractor {name!r} cannot be loaded: {' '.join(reason.split())}.") from None
    if not callable(found):
        raise BadConfig(f"The extractor {name!r} cannot be loaded: it is no function.")
    return System(name, "peer", partial(str, hashlib.sha256(code).hexdigest()[:8]), partial(_call, function=found))


def _call(example: Example, function: Callable[[str], str | None]) -> Answer:
    return Answer(function(example.html) or "")
