"""Choose the systems to measure by name: our methods, the peers, and the oracle, which knows the gold."""

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
from bonmun.lab.evaluate.systems.answers import METADATA_FIELDS, OURS, Answer, System
from bonmun.lab.evaluate.systems.page_cache import align_example, parse_example
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.evaluate.systems.unseen import add_checked, find_model, find_rankers, run_unseen, write_unseen_markdown
from bonmun.lab.evaluate.systems.versions import hash_answers, hash_oracle
from bonmun.lab.gold.folds import FOLDS
from bonmun.options import DEFAULTS
from bonmun.pipeline import extract
from bonmun.rules.rule_set import load_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.algorithms import MethodInfo
    from bonmun.algorithms.tuned import TunedMethod
    from bonmun.lab.gold.examples import Example
    from bonmun.options import Options
    from bonmun.rules.rule_set import RuleSet

__all__ = ["ORACLE", "SYSTEMS", "choose_systems"]


def _run_method(example: Example, method: str, options: Options = DEFAULTS) -> Answer:
    return Answer(extract(example.html, example.url, method, replace(options, posts=False)).text)


def _run_method_fully(example: Example, method: str, options: Options = DEFAULTS, *, with_metadata: bool) -> Answer:
    # golds do not agree on whether the authors of posts are part of the text
    doc = extract(parse_example(example), method=method, options=replace(options, posts=False))
    leaves = tuple(leaf for block in doc.blocks for leaf in block.leaves)
    has_metadata = with_metadata or example.checks is not None
    found: dict[str, Any] = {"title": doc.title, "author": doc.author, "date": doc.date} if has_metadata else {}
    return add_checked(Answer(doc.text, leaves=leaves, **found), doc, example)


def _write_markdown(example: Example, method: str, options: Options = DEFAULTS) -> str:
    return extract(parse_example(example), method=method, options=options).markdown


def _run_oracle(example: Example) -> Answer:
    """Keep the leaves that are in the gold: no choice of leaves can be much better."""
    return Answer(Document(parse_example(example), align_example(example).make_labels(), DEFAULTS).text)


def _write_oracle_markdown(example: Example) -> str:
    return Document(parse_example(example), align_example(example).make_labels(), DEFAULTS).markdown


def _make_method_system(info: MethodInfo, rules: RuleSet | None = None) -> System:
    """Make the system of a method, with other rules than the shipped ones if they are given.

    Metadata is the same with all methods, so it is measured only with `auto`. The exception is the title of a method
    that finds its own.
    """
    fields = METADATA_FIELDS if info.name == OURS else ("title",) if info.finds_title else ()
    given: dict[str, Any] = {"method": info.name} | ({"options": replace(DEFAULTS, rules=rules)} if rules else {})
    run = partial(_run_method, **given)
    run_full = partial(_run_method_fully, **given, with_metadata=bool(fields))
    write = partial(_write_markdown, **given)
    version = partial(str, f"{hash_answers()}.{rules.digest}") if rules else hash_answers
    return System(info.name, "method", version, run, fields, run_full, write)


def _make_tuned_system(tuned: TunedMethod, rules: RuleSet | None) -> System:
    """Make the system of a method with the user's model or `favour` option."""
    known = SYSTEMS[tuned.method]
    options = replace(tuned.options, rules=rules)
    given: dict[str, Any] = {"method": tuned.method, "options": options}
    weights = Path(options.model).read_bytes() if options.model else b""
    version = f"{hash_answers()}.{hashlib.sha256(weights).hexdigest()[:8]}.{options.favour}"
    version += f".{rules.digest}" if rules else ""
    run_full = partial(_run_method_fully, **given, with_metadata=bool(known.fields))
    run, write = partial(_run_method, **given), partial(_write_markdown, **given)
    return System(tuned.name, "method", partial(str, version), run, known.fields, run_full, write)


ORACLE = System("oracle", "oracle", hash_oracle, _run_oracle, markdown=_write_oracle_markdown)
SYSTEMS = {
    system.name: system for system in (*map(_make_method_system, PAGE_METHODS.values()), *PEERS.values(), ORACLE)
}


def choose_systems(
    methods: Iterable[str],
    peers: Iterable[str],
    folds: Path | None = None,
    options: Options = DEFAULTS,
) -> tuple[list[System], list[str]]:
    """Return the named methods and peers with the oracle last, and the reasons why peers are missing.

    `all` selects all methods or all installed peers; a peer that is named must be installed. A user's own extractor is
    named as `module:function`.

    With `options.model` or `options.favour`, the method that takes them is also measured with these settings.
    `options.rules` applies to all methods.

    `folds` is a folder of models that were each trained without a fifth of all sites. With it, `auto` uses for each
    page the model that was trained without its site.
    """
    rules = load_rules(options.rules) if options.rules is not None else None
    if rules is not None and folds is not None:
        raise BadConfig("Folds cannot be combined with rules: measure them in separate runs.")
    chosen: dict[str, System] = {}
    for name in methods:
        if name != "all":
            make_method(name)  # raises BadConfig with similar names
            if METHODS[name].needs_boxes:
                raise NoBoxes(f"The method {name} needs rendered pages, but labelled sets contain only HTML.")
        names = PAGE_METHODS if name == "all" else [name]
        chosen |= {each: _make_method_system(METHODS[each], rules) if rules else SYSTEMS[each] for each in names}
    if tuned := find_tuned(chosen, options):
        if folds is not None:
            raise BadConfig(
                "Folds cannot be combined with a model or favour: a model may have been trained on the tested sites. "
                "Measure them in separate runs."
            )
        chosen[tuned.name] = _make_tuned_system(tuned, rules)
    if folds is not None:
        if OURS not in chosen:
            raise BadConfig("Folds are models of the method auto; add auto to the measured methods.")
        chosen[OURS] = _make_cross_validated_system(folds)
    missing: list[str] = []
    for name in peers:
        if name == "all":
            found, reasons = _find_installed_peers()
            chosen |= {peer.name: peer for peer in found}
            missing += reasons
        else:
            peer = _find_peer(name)
            peer.version()  # raises MissingExtra with instructions
            chosen[peer.name] = peer
    return [*chosen.values(), ORACLE], list(dict.fromkeys(missing))


def _make_cross_validated_system(folder: Path) -> System:
    """Make `auto` from five models, each for the pages of sites that it was not trained on."""
    models = b"".join(find_model(folder, fold).read_bytes() for fold in range(FOLDS))
    models += b"".join(path.read_bytes() for path in sorted(folder.glob("facts-*.npz")))
    version = f"{hash_answers()}.{hashlib.sha256(models).hexdigest()[:8]}"
    fields = SYSTEMS[OURS].fields if all(find_rankers(folder, fold) for fold in range(FOLDS)) else ()
    run, run_full = partial(run_unseen, folder=folder), partial(run_unseen, folder=folder, is_full=True)
    write = partial(write_unseen_markdown, folder=folder)
    return System(OURS, "method", partial(str, version), run, fields, run_full, write)


def _find_installed_peers() -> tuple[list[System], list[str]]:
    """Return the installed peers, and how to install the others."""
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
        return _load_user_extractor(name)
    similar = " or ".join(difflib.get_close_matches(name.lower(), PEERS, n=2))
    advice = f"did you mean {similar}?" if similar else f"known peers are {', '.join(PEERS)}."
    raise BadConfig(f"Unknown peer {name!r}: {advice} Name your own extractor as module:function.")


def _load_user_extractor(name: str) -> System:
    """Load a user's function from HTML to text, from a module in the current folder or an installed one."""
    module, _, function = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), function)
        pickle.dumps(found)  # it is sent to child processes
        code = inspect.getsource(sys.modules[module]).encode()
    except Exception as problem:  # the user's module may raise anything
        reason = f"{type(problem).__name__}: {problem}"
        raise BadConfig(f"The extractor {name!r} cannot be loaded: {' '.join(reason.split())}.") from None
    if not callable(found):
        raise BadConfig(f"The extractor {name!r} cannot be loaded: it is not a function.")
    version = hashlib.sha256(code).hexdigest()[:8]
    return System(name, "peer", partial(str, version), partial(_run_user_extractor, function=found))


def _run_user_extractor(example: Example, function: Callable[[str], str | None]) -> Answer:
    return Answer(function(example.html) or "")
