"""A set of rules, and the index that finds those for a page.

Rules with hosts are found by the host of the page, so that any number of them costs nothing on other pages. `has` is
only tried for rules without hosts, and for pages whose host is unknown. Where it names a class, an id or a custom
element, it is tried only on pages that have it. `needs` is only tried for rules that match otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.rules.find import has_match
from bonmun.rules.rule_files import parse_rules, read_rule_files
from bonmun.settings import check_type
from bonmun.sites.domains import find_host
from bonmun.sites.keys import hash_bytes
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.page import Page
    from bonmun.rules.records import Selector, SiteRule

__all__ = ["NO_RULES", "RuleSet", "find_page_host", "load_rules", "load_shipped_rules", "make_rule_set"]

NO_RULES = "none"  # the value of the setting that switches rules off
DATA = Path(__file__).parent / "data"
LOADED_RULE_SETS = 4  # that stay in memory
CLASS_NAME = re.compile(r"\.([\w-]++)")
ID_NAME = re.compile(r"#([\w-]++)")
CLASS_OR_ID = re.compile(r"[.#][\w-]++")
CUSTOM_TAG = re.compile(r"(?<![\w-])[a-z][a-z0-9]{0,30}-[a-z0-9-]{1,60}(?![\w-])")
ARGUMENTS = re.compile(r"\[[^\[\]]{0,500}\]|:[a-z-]{1,40}(?:\([^()]{0,500}\))?")
GENERATOR = "head > meta[name=generator i]"
DECLARED_URLS = (("head > link[rel=canonical i]", "href"), ("head > meta[property='og:url' i]", "content"))


@dataclass(frozen=True)
class RuleSet:
    """Rules in the order of their precedence: those of the user, then those of bonmun.

    Attributes:
        rules: The rules.
        digest: Identifies the rules of the user: a run with other rules cannot be resumed.
        path: The file or folder of the user's rules, in the process that has read them.
    """

    rules: tuple[SiteRule, ...]
    digest: str = ""
    path: Path | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"RuleSet({len(self.rules)} rules, {self.digest or 'shipped'})"

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleSet, (self.rules, self.digest)  # without the index and the path

    def find(self, page: Page) -> list[SiteRule]:
        """Return the rules that match a page, in the order of their precedence."""
        if not self.rules:
            return []
        found = [self.rules[number] for number in sorted(self._index.find(page))]
        return [rule for rule in found if rule.needs is None or has_match(page, rule.needs)]

    @cached_property
    def _index(self) -> _RuleIndex:
        return _RuleIndex(self.rules)


class _RuleIndex:
    """Finds the numbers of rules by host, generator and names in the markup."""

    def __init__(self, rules: tuple[SiteRule, ...]) -> None:
        self.rules = rules
        self.hosts: dict[str, list[int]] = defaultdict(list)
        self.domains: dict[str, list[int]] = defaultdict(list)  # with all hosts below
        self.generators: list[tuple[str, int]] = []
        self.anywhere = _MarkupIndex()  # `has` of rules without hosts
        self.unknown_host = _MarkupIndex()  # `has` of the others
        for number, rule in enumerate(rules):
            for host in rule.hosts:
                (self.domains if host.startswith("*.") else self.hosts)[host.removeprefix("*.")].append(number)
            if rule.generator:
                self.generators.append((rule.generator.casefold(), number))
            if rule.has:
                (self.unknown_host if rule.hosts else self.anywhere).add(rule.has, number)

    def find(self, page: Page) -> set[int]:
        """Return the numbers of the rules that match a page."""
        host = find_page_host(page)
        found = set(self._find_by_host(host)) if host else set()
        if self.generators and (meta := page.select_first(GENERATOR)) is not None:
            generator = (meta.attr("content") or "").strip().casefold()
            found.update(number for start, number in self.generators if generator.startswith(start))
        found.update(self.anywhere.find(page))
        if not host:
            found.update(self.unknown_host.find(page))
        return found

    def _find_by_host(self, host: str) -> Iterator[int]:
        host = host.lower()
        yield from self.hosts.get(host, ())
        if host.startswith("www."):
            yield from self.hosts.get(host.removeprefix("www."), ())
        while host and self.domains:
            yield from self.domains.get(host, ())
            host = host.partition(".")[2]


class _MarkupIndex:
    """Finds the numbers of rules by `has`."""

    def __init__(self) -> None:
        self.classes: dict[str, list[tuple[int, Selector]]] = defaultdict(list)
        self.ids: dict[str, list[tuple[int, Selector]]] = defaultdict(list)
        self.tags: dict[str, list[tuple[int, Selector]]] = defaultdict(list)
        self.others: list[tuple[int, Selector]] = []  # tried on every page

    def add(self, selector: Selector, number: int) -> None:
        """Add a rule under a name that each alternative of its selector needs."""
        keys = [_find_key(" ".join(step.compound for step in steps)) for steps in selector.alternatives]
        if not all(keys):
            self.others.append((number, selector))
            return
        named = {"class": self.classes, "id": self.ids, "tag": self.tags}
        for kind, name in filter(None, keys):
            named[kind][name].append((number, selector))

    def find(self, page: Page) -> Iterator[int]:
        """Yield the numbers of the rules whose `has` selects something."""
        found = [*self.others]
        if self.tags:
            found += [each for name in page.tag_names & self.tags.keys() for each in self.tags[name]]
        if self.classes:
            found += [each for name in page.class_names & self.classes.keys() for each in self.classes[name]]
        if self.ids:
            found += [each for name in page.id_names & self.ids.keys() for each in self.ids[name]]
        tried = dict(found)
        yield from (number for number, selector in tried.items() if has_match(page, selector))


def _find_key(compounds: str) -> tuple[str, str] | None:
    """Return a name that a page must have for a selector: its longest custom element, class name or id."""
    plain = ARGUMENTS.sub("", compounds)
    if tags := CUSTOM_TAG.findall(CLASS_OR_ID.sub("", plain)):
        return "tag", max(tags, key=len)
    if plain.startswith(("html", "body", "meta")):  # found at once
        return None
    if names := CLASS_NAME.findall(plain):
        return "class", max(names, key=len)
    if names := ID_NAME.findall(plain):
        return "id", max(names, key=len)
    return None


def find_page_host(page: Page) -> str:
    """Return the host of a page or, if its URL is unknown, the one that it declares as its own; "" if there is none."""
    if host := find_host(page.url):
        return host
    for selector, attribute in DECLARED_URLS:
        node = page.select_first(selector)
        if node is not None and (host := find_host(node.attr(attribute))):
            return host
    return ""


def load_rules(given: RuleSet | str | Path | None) -> RuleSet:
    """Return the rules for the setting `rules`: a rule set, a file or folder, "none", or None for the shipped rules."""
    if given is None:
        return load_shipped_rules()
    if isinstance(given, RuleSet):
        return given
    check_type("rules", given, (str, Path), 'a rule set, the path of a rule file or folder, or "none"')
    if str(given) == NO_RULES:
        return RuleSet((), NO_RULES)
    path = Path(given)
    return _load_version(path, _find_times(path))


def _find_times(path: Path) -> tuple[tuple[str, int], ...]:
    """Return names and times of the files, by which a change is noticed."""
    try:
        files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        return tuple((each.name, each.stat().st_mtime_ns) for each in files)
    except OSError:
        return ()


@lru_cache(maxsize=LOADED_RULE_SETS)
def _load_version(path: Path, _: tuple[tuple[str, int], ...]) -> RuleSet:
    rules, data = read_rule_files(path)
    return make_rule_set(rules, data, path)


def make_rule_set(rules: Iterable[SiteRule], data: bytes, path: Path) -> RuleSet:
    """Return a set of the user's rules, which were read from these bytes, and the shipped ones."""
    return RuleSet((*rules, *load_shipped_rules().rules), f"{hash_bytes(data):016x}", path)


@cache
def load_shipped_rules() -> RuleSet:
    """Return the rules that are part of bonmun."""
    rules = [
        rule
        for path in sorted(DATA.glob("*.toml"))
        for rule in parse_rules(path.read_bytes(), path.name, is_shipped=True)
    ]
    return RuleSet(tuple(rules))
