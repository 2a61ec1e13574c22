"""Read rule files (TOML) and check every value.

tomllib gives no positions, so the line of a value is found by a scan for its key below the line of its `[[rule]]`.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from bonmun.errors import BadRule
from bonmun.rules.records import PostSelectors, Selector, SiteRule
from bonmun.rules.selectors import InvalidSelector, parse_selector

__all__ = ["MAX_RULES", "RULE_LINE", "parse_rules", "read_rule_bytes", "read_rule_files"]

MAX_FILE_BYTES = 2_000_000
MAX_LINE_BYTES = 4_000  # tomllib takes quadratic time for a key with many dots
MAX_FILES = 5_000  # in a folder
MAX_RULES = 20_000  # in all files
MAX_SELECTORS = 60  # in a list
MAX_HOSTS = 200
MAX_NAME_CHARS = 80
MAX_GENERATOR_CHARS = 100

RULE_LINE = re.compile(rb"\s*\[\[\s*rule\s*\]\]")
KEY = re.compile(rb"""(?<![\w-])([\w-]++)["']?\s*+=""")
HOST = re.compile(r"(?:\*\.)?(?:[a-z0-9_-]{1,63}\.){0,20}[a-z0-9_-]{1,63}")
LISTS = ("main", "within", "keep", "drop", "title", "authors", "date")  # a selector or a list of selectors
FIELDS = ("name", "hosts", "generator", "has", "needs", *LISTS, "posts", "next")
POST_FIELDS = tuple(each.name for each in fields(PostSelectors))
ATTRIBUTE_FIELDS = ("title", "authors", "date", "next", "author", "text", "depth")  # which may read an attribute


def read_rule_files(path: str | Path) -> tuple[tuple[SiteRule, ...], bytes]:
    """Return the rules of a file, or of all `.toml` files of a folder, and the bytes that were read."""
    path = Path(path)
    if path.is_dir():
        paths = sorted(each for each in path.glob("*.toml") if each.is_file())
        if not paths:
            raise BadRule(f"{path}: the folder contains no rule files (.toml).")
        if len(paths) > MAX_FILES:
            raise BadRule(f"{path}: the folder contains more than {MAX_FILES:,} rule files.")
    else:
        paths = [path]
    rules: list[SiteRule] = []
    pieces: list[bytes] = []
    for each in paths:
        data = read_rule_bytes(each)
        rules += parse_rules(data, str(each))
        pieces.append(data)
        if len(rules) > MAX_RULES:
            raise BadRule(f"{path}: there are more than {MAX_RULES:,} rules.")
    return tuple(rules), b"\0".join(pieces)


def parse_rules(data: bytes, name: str, *, is_shipped: bool = False) -> list[SiteRule]:
    """Return the rules of a file; `name` is its name in error messages."""
    return _RuleReader(data, name, is_shipped=is_shipped).read()


def read_rule_bytes(path: Path) -> bytes:
    """Return the bytes of a rule file, or one byte more than the maximum."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as problem:
        raise BadRule(f"{path}: cannot be read: {problem.strerror or problem}.") from None


class _RuleReader:
    """Reads the rules of one file."""

    def __init__(self, data: bytes, name: str, *, is_shipped: bool) -> None:
        self.name = name
        self.is_shipped = is_shipped
        if len(data) > MAX_FILE_BYTES:
            raise BadRule(f"{name}: the file has more than {MAX_FILE_BYTES:,} bytes.")
        self.lines = data.split(b"\n")
        for number, line in enumerate(self.lines, 1):
            if len(line) > MAX_LINE_BYTES:
                self._refuse(number, f"the line has more than {MAX_LINE_BYTES:,} bytes")
        self.values = self._parse(data)
        self.starts = [number for number, line in enumerate(self.lines, 1) if RULE_LINE.match(line)]
        self.line = 1  # of the rule that is being read
        self.stop = 1  # line after it

    def read(self) -> list[SiteRule]:
        for key in self.values:
            if key != "rule":
                self._refuse(
                    self._find_line(key, 0, len(self.lines)), f"unknown key {key!r}; each rule starts with [[rule]]"
                )
        tables = self.values.get("rule", [])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            self._refuse(self._find_line("rule", 0, len(self.lines)), "`rule` must be a list of tables: [[rule]]")
        if len(tables) > MAX_RULES:
            self._refuse(1, f"there are more than {MAX_RULES:,} rules")
        starts = self.starts if len(self.starts) == len(tables) else [1] * len(tables)  # rule = [{…}, {…}]
        rules: list[SiteRule] = []
        lines: dict[str, int] = {}
        for number, table in enumerate(tables):
            self.line = starts[number]
            self.stop = starts[number + 1] if number + 1 < len(starts) else len(self.lines) + 1
            rule = self._read_rule(table)
            if rule.name in lines:
                self._refuse(self.line, f"there is another rule {rule.name!r} in line {lines[rule.name]}")
            lines[rule.name] = self.line
            rules.append(rule)
        return rules

    def _read_rule(self, table: dict[str, Any]) -> SiteRule:
        for key in table:
            if key not in FIELDS:
                self._refuse_key(key, FIELDS)
        name = self._read_text(table, "name", MAX_NAME_CHARS)
        if not name:
            self._refuse(self.line, "the rule has no name")
        lists: dict[str, Any] = {key: self._read_list(key, table[key]) for key in LISTS if key in table}
        rule = SiteRule(
            name,
            hosts=self._read_hosts(table),
            generator=self._read_text(table, "generator", MAX_GENERATOR_CHARS),
            **lists,
            has=self._read_selector("has", table["has"]) if "has" in table else None,
            needs=self._read_selector("needs", table["needs"]) if "needs" in table else None,
            next=self._read_selector("next", table["next"]) if "next" in table else None,
            posts=self._read_posts(table["posts"]) if "posts" in table else None,
            where=f"{self.name}:{self.line}",
            is_shipped=self.is_shipped,
        )
        if not (rule.hosts or rule.generator or rule.has):
            self._refuse(self.line, f"the rule {name!r} would match every page: give hosts, generator or has")
        if not any(getattr(rule, key) for key in (*LISTS, "posts", "next")):
            self._refuse(
                self.line,
                f"the rule {name!r} does nothing: give main, within, keep, drop, title, authors, date, posts or next",
            )
        if rule.main and rule.within:
            self._refuse_key_pair("main", "within")
        return rule

    def _read_hosts(self, table: dict[str, Any]) -> tuple[str, ...]:
        hosts = table.get("hosts", [])
        hosts = [hosts] if isinstance(hosts, str) else hosts
        if not isinstance(hosts, list) or not all(isinstance(each, str) for each in hosts):
            self._refuse_value("hosts", "must be a list of host names")
        if len(hosts) > MAX_HOSTS:
            self._refuse_value("hosts", f"has more than {MAX_HOSTS} hosts")
        found = []
        for host in hosts:
            lowered = host.strip().rstrip(".").lower()
            if not lowered.isascii():
                lowered = self._encode_host(host, lowered)
            if not HOST.fullmatch(lowered):
                self._refuse_value("hosts", f"has {host!r}, which is no host: write example.org or *.example.org")
            found.append(lowered)
        return tuple(found)

    def _encode_host(self, host: str, lowered: str) -> str:
        try:
            return lowered.encode("idna").decode()
        except UnicodeError:
            self._refuse_value("hosts", f"has {host!r}, which is no host")

    def _read_text(self, table: dict[str, Any], key: str, max_chars: int) -> str | None:
        value = table.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self._refuse_value(key, "must be a text in one line")
        if len(value) > max_chars:
            self._refuse_value(key, f"is longer than {max_chars} characters")
        return str(value).strip()

    def _read_list(self, key: str, value: Any) -> tuple[Selector, ...]:
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not values:
            self._refuse_value(key, "must be a selector or a list of selectors")
        if len(values) > MAX_SELECTORS:
            self._refuse_value(key, f"has more than {MAX_SELECTORS} selectors")
        return tuple(self._read_selector(key, each) for each in values)

    def _read_selector(self, key: str, value: Any) -> Selector:
        if not isinstance(value, str):
            self._refuse_value(key, "must be a selector, as a string")
        try:
            selector = parse_selector(value)
        except InvalidSelector as problem:
            self._refuse_value(key, f"has an invalid selector {value[:60]!r}: {problem}", value)
        if any(selector.attributes) and key not in ATTRIBUTE_FIELDS:
            name = next(filter(None, selector.attributes))
            self._refuse_value(key, f"selects elements: leave out @{name}", value)
        if not selector.alternatives and key not in ("author", "date", "text", "depth"):
            self._refuse_value(key, "names no element", value)
        return selector

    def _read_posts(self, value: Any) -> PostSelectors:
        if not isinstance(value, dict):
            self._refuse_value("posts", 'must be a table: { each = ".comment", author = ".user" }')
        for key in value:
            if key not in POST_FIELDS:
                self._refuse_key(key, POST_FIELDS)
        if "each" not in value:
            self._refuse_value("posts", "has no `each`, the selector of a post")
        return PostSelectors(**{key: self._read_selector(key, each) for key, each in value.items()})

    def _parse(self, data: bytes) -> dict[str, Any]:
        import tomllib  # imported here: completion in a shell does without it

        try:
            return tomllib.loads(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise BadRule(f"{self.name}: the file is not UTF-8.") from None
        except ValueError as problem:
            raise BadRule(f"{self.name}: cannot be read as TOML: {problem}.") from None
        except RecursionError:
            raise BadRule(f"{self.name}: cannot be read as TOML: brackets are nested too deeply.") from None

    def _refuse_key(self, key: str, known: tuple[str, ...]) -> NoReturn:
        near = difflib.get_close_matches(key[:40], known, n=1)
        says = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}"
        self._refuse(self._find_line(key, self.line, self.stop), f"unknown key {key[:40]!r}; {says}")

    def _refuse_key_pair(self, one: str, other: str) -> NoReturn:
        self._refuse(self._find_line(other, self.line, self.stop), f"give `{one}` or `{other}`, not both")

    def _refuse_value(self, key: str, says: str, value: str = "") -> NoReturn:
        self._refuse(self._find_line(key, self.line, self.stop, value), f"`{key}` {says}")

    def _find_line(self, key: str, start: int, stop: int, value: str = "") -> int:
        """Return the line that contains a value, or else sets a key, from line `start` on; `start` if there is none."""
        numbers = range(max(start, 1), min(stop, len(self.lines) + 1))
        if value:
            for number in numbers:
                if value.encode() in self.lines[number - 1]:
                    return number
        name = key.encode()
        for number in numbers:
            if any(each[1] == name for each in KEY.finditer(self.lines[number - 1])):
                return number
        return max(start, 1)

    def _refuse(self, line: int, says: str) -> NoReturn:
        raise BadRule(f"{self.name}, line {line}: {says}{'' if says.endswith('?') else '.'}")
