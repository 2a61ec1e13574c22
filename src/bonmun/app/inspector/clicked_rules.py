"""The rule file that clicks in the inspector extend: previewed, saved and undone."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadRule, StaleRules
from bonmun.rules.edit import add_selector
from bonmun.rules.rule_files import parse_rules, read_rule_bytes, read_rule_files
from bonmun.rules.rule_set import NO_RULES, make_rule_set
from bonmun.rules.write import write_rule
from bonmun.sites.keys import hash_bytes
from bonmun.work.files import write_atomically

if TYPE_CHECKING:
    from bonmun.rules.rule_set import RuleSet

__all__ = ["ClickedRules", "PlannedRule", "choose_rule_file"]

NEW_FILE = "rules.toml"
FILE_IN_FOLDER = "00-inspector.toml"  # read before the other files of the folder, so that its rules count first
MAX_UNDO = 100


class PlannedRule(NamedTuple):
    """What saving a selector would do."""

    text: str  # the rule as TOML
    digest: str  # of the file as it is
    before: RuleSet
    after: RuleSet


class _Saved(NamedTuple):
    """A change of the file: what was clicked, and the bytes of the file; None if there was none."""

    says: str
    before: bytes | None
    after: bytes


class ClickedRules:
    """A rule file, which need not exist yet, and the changes made to it since the start.

    clicked = ClickedRules(Path("rules.toml"))
    plan = clicked.plan("example.org", "drop", ".promo")
    rules = clicked.save("example.org", "drop", ".promo", plan.digest)
    rules = clicked.undo()
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._saved: list[_Saved] = []
        self._guard = threading.Lock()

    @property
    def last(self) -> str | None:
        """What the last change was, which can be undone; None if there is none."""
        return self._saved[-1].says if self._saved else None

    def plan(self, host: str, field: str, selector: str) -> PlannedRule:
        """Return what saving a selector for a host would do."""
        data = self._read()
        changed, rule = add_selector(data or b"", self.path.name, host, field, selector)
        return PlannedRule(write_rule(rule), _digest(data), self._load(data), self._load(changed))

    def save(self, host: str, field: str, selector: str, digest: str) -> RuleSet:
        """Add a selector to the file; raise StaleRules if the file is not the one with this digest."""
        with self._guard:
            data = self._read()
            if _digest(data) != digest:
                raise StaleRules(f"{self.path.name} has changed since the preview: look at the new preview, then save.")
            changed, _ = add_selector(data or b"", self.path.name, host, field, selector)
            rules = self._load(changed)
            self._write(changed)
            self._saved = [*self._saved[1 - MAX_UNDO :], _Saved(f"{host}: {field} {selector}", data, changed)]
            return rules

    def undo(self) -> RuleSet:
        """Restore the file as it was before the last change; raise StaleRules if it has changed since."""
        with self._guard:
            if not self._saved:
                raise BadRule("There is nothing to undo: no rule was saved since the start.")
            last = self._saved[-1]
            if self._read() != last.after:
                raise StaleRules(f"{self.path.name} has changed since the rule was saved: edit the file instead.")
            self._write(last.before)
            self._saved.pop()
            return self._load(last.before)

    def _read(self) -> bytes | None:
        """Return the bytes of the file; None if it does not exist."""
        return read_rule_bytes(self.path) if self.path.exists() else None

    def _load(self, data: bytes | None) -> RuleSet:
        """Return the rules with these bytes as the file; in a folder, with those of the other files."""
        own = parse_rules(data, self.path.name) if data else []
        rules, pieces = [*own], [data or b""]
        if self.path.name == FILE_IN_FOLDER:
            for path in sorted(self.path.parent.glob("*.toml")):
                if path != self.path:
                    more, piece = read_rule_files(path)
                    rules += more
                    pieces.append(piece)
        return make_rule_set(rules, b"\0".join(pieces), self.path)

    def _write(self, data: bytes | None) -> None:
        """Write the file, or delete it if it was new."""
        path = self.path.resolve()  # a link stays a link
        try:
            if data is None:
                path.unlink()
                return
            with write_atomically(path) as part:
                part.write_bytes(data)
                if path.exists():
                    shutil.copymode(path, part)
        except OSError as problem:
            raise BadRule(f"{self.path}: cannot be written: {problem.strerror or problem}.") from None


def choose_rule_file(rules: RuleSet | None) -> ClickedRules | None:
    """Return the rule file for clicks: that of the rules in use, or a new one; None if rules are switched off."""
    if rules is not None and rules.digest == NO_RULES:
        return None
    if rules is not None and rules.path is not None:
        return ClickedRules(rules.path / FILE_IN_FOLDER if rules.path.is_dir() else rules.path)
    names = (NEW_FILE, *(NEW_FILE.replace(".", f"-{number}.") for number in range(2, 1000)))
    return next((ClickedRules(Path(name)) for name in names if not Path(name).exists()), None)


def _digest(data: bytes | None) -> str:
    return "" if data is None else f"{hash_bytes(data):016x}"
