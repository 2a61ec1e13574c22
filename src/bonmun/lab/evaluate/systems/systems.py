"""Names in, systems out: our methods, the peers, and the oracle, which knows the gold."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import pickle
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.algorithms import METHODS, PAGE_METHODS, make_method
from bonmun.algorithms.tuned import find_tuned
from bonmun.document import Document
from bonmun.errors import BadConfig, MissingExtra, NoBoxes
from bonmun.lab.evaluate.systems.answers import FACTS, OURS, Answer, System
from bonmun.lab.evaluate.systems.page_cache import align_example, parse_example
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.systems.unseen import answer_unseen, find_model, find_rankers, write_unseen
from bonmun.lab.evaluate.systems.versions import hash_answers, hash_oracle
from bonmun.lab.gold.folds import FOLDS
from bonmun.options import DEFAULTS, Options
from bonmun.pipeline import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.algorithms import MethodInfo
    from bonmun.algorithms.tuned import TunedMethod
    from bonmun.lab.gold.examples import Example

__all__ = ["ORACLE", "SYSTEMS", "choose_systems"]


WITH_LINKS = Options(links=True)


def _run_method(example: Example, method: str, options: Options = DEFAULTS) -> Answer:
    return Answer(extract(example.html, example.url, method, options).text)


def _run_method_wholly(example: Example, method: str, options: Options = DEFAULTS, *, facts: bool) -> Answer:
    doc = extract(parse_example(example), method=method, options=options)
    leaves = tuple(leaf for block in doc.blocks for leaf in block.leaves)
    found = {"title": doc.title, "author": doc.author, "date": doc.date} if facts else {}
    return Answer(doc.text, leaves=leaves, **found)


def _write_markdown(example: Example, method: str, options: Options = DEFAULTS) -> str:
    linked = replace(options, links=True)  # golds in Markdown have them
    return extract(parse_example(example), method=method, options=linked).markdown


def _run_oracle(example: Example) -> Answer:
    """Keep the leaves of the page that its gold was made of: no choice of leaves can be much better."""
    return Answer(Document(parse_example(example), align_example(example).make_labels(), DEFAULTS).text)


def _write_oracle(example: Example) -> str:
    return Document(parse_example(example), align_example(example).make_labels(), WITH_LINKS).markdown


def _make_method(info: MethodInfo) -> System:
    """Make a system of a method.

    Facts are measured with one method, since they are the same with all; a title that a method finds by itself, with
    that method too.
    """
    gives = FACTS if info.name == OURS else ("title",) if info.finds_title else ()
    run = partial(_run_method, method=info.name)
    whole = partial(_run_method_wholly, method=info.name, facts=bool(gives))
    write = partial(_write_markdown, method=info.name)
    return System(info.name, "method", hash_answers, run, gives, whole, write)


def _tune(tuned: TunedMethod) -> System:
    """Make a system of a method with a model or a favour of the user's."""
    known = SYSTEMS[tuned.method]
    options = tuned.options
    given: dict[str, Any] = {"method": tuned.method, "options": options}
    weights = Path(options.model).read_bytes() if options.model else b""
    version = f"{hash_answers()}.{hashlib.sha256(weights).hexdigest()[:8]}.{options.favour}"
    whole = partial(_run_method_wholly, **given, facts=bool(known.gives))
    run, write = partial(_run_method, **given), partial(_write_markdown, **given)
    return System(tuned.name, "method", partial(str, version), run, known.gives, whole, write)


ORACLE = System("oracle", "oracle", hash_oracle, _run_oracle, markdown=_write_oracle)
SYSTEMS = {system.name: system for system in (*map(_make_method, PAGE_METHODS.values()), *PEERS.values(), ORACLE)}


def choose_systems(
    methods: Iterable[str],
    peers: Iterable[str],
    folds: Path | None = None,
    options: Options = DEFAULTS,
) -> tuple[list[System], list[str]]:
    """Choose the systems of these names, `all` for all of a kind, the oracle last; also says what is not installed.

    With `options.model` or `options.favour`, the method that takes them is also measured with these settings.

    With `folds`, a folder of models that were each trained without a fifth of all sites, `auto` is for each page the
    one that has not seen its site.

    A peer that is named must be there; of all peers, those that are not are left out, and why is said. An extractor of
    the user's own is named as `module:function`.
    """
    chosen: dict[str, System] = {}
    for name in methods:
        if name != "all":
            make_method(name)  # raises BadConfig with names that are near
            if METHODS[name].needs_boxes:
                raise NoBoxes(f"The method {name} needs pages that a browser has laid out, and sets hold HTML alone.")
        chosen |= {each: SYSTEMS[each] for each in (PAGE_METHODS if name == "all" else [name])}
    if tuned := find_tuned(chosen, options):
        if folds is not None:
            raise BadConfig(
                "Folds are measured on sites that they have not seen, and a model may have seen them all: "
                "measure one after the other."
            )
        chosen[tuned.name] = _tune(tuned)
    if folds is not None:
        if OURS not in chosen:
            raise BadConfig("Folds are for the method auto, which is not among those that are measured.")
        chosen[OURS] = _cross_validate(folds)
    missing: list[str] = []
    for name in peers:
        if name == "all":
            found, reasons = _find_installed_peers()
            chosen |= {peer.name: peer for peer in found}
            missing += reasons
        else:
            peer = _find_peer(name)
            peer.version()  # raises MissingExtra with what to install
            chosen[peer.name] = peer
    return [*chosen.values(), ORACLE], list(dict.fromkeys(missing))


def _cross_validate(folder: Path) -> System:
    """Make `auto` of five models, each for the pages of sites that it has not seen."""
    models = b"".join(find_model(folder, fold).read_bytes() for fold in range(FOLDS))
    models += b"".join(path.read_bytes() for path in sorted(folder.glob("facts-*.npz")))
    version = f"{hash_answers()}.{hashlib.sha256(models).hexdigest()[:8]}"
    gives = SYSTEMS[OURS].gives if all(find_rankers(folder, fold) for fold in range(FOLDS)) else ()
    run, whole = partial(answer_unseen, folder=folder), partial(answer_unseen, folder=folder, whole=True)
    return System(OURS, "method", partial(str, version), run, gives, whole, partial(write_unseen, folder=folder))


def _find_installed_peers() -> tuple[list[System], list[str]]:
    """Find the peers that are installed, and say what to do for each other."""
    found, missing = [], []
    for peer in PEERS.values():
        try:
            peer.version()
        except MissingExtra as problem:
            missing.append(str(problem))
        else:
            found.append(peer)
    return found, missing


def _find_peer(name: str) -> System:
    if name in PEERS:
        return PEERS[name]
    if ":" in name:
        return _load_own(name)
    near = " or ".join(difflib.get_close_matches(name.lower(), PEERS, n=2))
    says = f"did you mean {near}?" if near else f"these are known: {', '.join(PEERS)}."
    raise BadConfig(f"Unknown peer {name!r}: {says} An extractor of your own is given as module:function.")


def _load_own(name: str) -> System:
    """Load a function of the user's, from HTML to text, from a module in this folder or an installed one."""
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
    return System(name, "peer", partial(str, hashlib.sha256(code).hexdigest()[:8]), partial(_run_own, function=found))


def _run_own(example: Example, function: Callable[[str], str | None]) -> Answer:
    return Answer(function(example.html) or "")
