"""Labels of one page by one annotator while they work on it, and validated changes to them.

Blocks are identified by XPath, because their numbers may differ when a page is parsed later or by another version. A
block without a label is dropped.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, get_args

from bonmun.errors import BadGold
from bonmun.lab.gold.block_labels import LABELS, MAX_LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DROP", "Change", "Draft", "State", "is_revision", "read_change", "read_label_table", "replace_surrogates"]

State = Literal["open", "done", "skipped"]

DROP = "drop"  # removes a label
STATES: tuple[str, ...] = get_args(State)
NOTE_CHARS = 10_000
XPATH_CHARS = 10_000  # 128 steps with names of 40 characters are 5,600
MAX_REVISION = 2**53 - 1  # largest integer that a browser represents exactly
MAX_SECONDS = 1e7  # spent on a page


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a draft; None leaves a value unchanged."""

    labels: Mapping[str, str] = field(default_factory=dict)  # by XPath; "drop" removes a label
    is_whole: bool = False  # replace all labels, instead of adding these
    note: str | None = None
    seconds: float | None = None  # total time spent on the page
    state: State | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the changed values as plain values."""
        values: dict[str, Any] = {"labels": dict(self.labels)} if self.labels or self.is_whole else {}
        values |= {"whole": True} if self.is_whole else {}
        parts = {"note": self.note, "seconds": self.seconds, "state": self.state}
        return values | {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Draft:
    """The labels of a page and the state of the work on it."""

    labels: Mapping[str, str] = field(default_factory=dict)  # by XPath, without dropped blocks
    revision: int = 0  # incremented by every change
    state: State = "open"
    note: str = ""
    seconds: float = 0.0

    def apply(self, change: Change) -> Draft:
        """Return the draft after a change."""
        labels = {} if change.is_whole else dict(self.labels)
        for xpath, label in change.labels.items():
            if label == DROP:
                labels.pop(xpath, None)
            else:
                labels[xpath] = label
        given = {"note": change.note, "seconds": change.seconds, "state": change.state}
        changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return replace(self, labels=labels, revision=self.revision + 1, **changed)

    def to_change(self) -> Change:
        """Return the whole draft as one change."""
        return Change(self.labels, True, self.note, self.seconds, self.state)

    def to_dict(self) -> dict[str, Any]:
        """Return the draft as plain values."""
        return {
            "labels": dict(self.labels),
            "revision": self.revision,
            "state": self.state,
            "note": self.note,
            "seconds": round(self.seconds, 1),
        }


def read_change(values: object) -> Change:
    """Read a change from a browser or a journal; raise BadGold if it is invalid."""
    if not isinstance(values, dict):
        raise BadGold("A change of labels must be an object.")
    labels = _read_labels(values.get("labels", {}))
    is_whole = values.get("whole", False)
    if not isinstance(is_whole, bool):
        raise BadGold("whole must be true or false.")
    note, seconds, state = (values.get(name) for name in ("note", "seconds", "state"))
    if note is not None and (not isinstance(note, str) or len(note) > NOTE_CHARS):
        raise BadGold(f"A note must be a string of at most {NOTE_CHARS:,} characters.")
    if seconds is not None and not _is_duration(seconds):
        raise BadGold("seconds must be the number of seconds spent on the page.")
    if state is not None and state not in STATES:
        raise BadGold(f"state must be one of {', '.join(STATES)}, not {reprlib.repr(state)}.")
    cleaned = None if note is None else replace_surrogates(note)
    return Change(labels, is_whole, cleaned, None if seconds is None else float(seconds), state)


def _read_labels(labels: object) -> dict[str, str]:
    if not isinstance(labels, dict) or len(labels) > MAX_LABELS:
        raise BadGold(f"labels must be an object of at most {MAX_LABELS:,} XPaths and labels.")
    for xpath, label in labels.items():
        if problem := _find_problem(xpath, label, (*LABELS, DROP)):
            raise BadGold(f"{problem}.")
    return labels


def read_label_table(rows: object) -> tuple[dict[str, str], list[str]]:
    """Return the labels of a gold record by XPath, and the problems of those that cannot be used."""
    if rows is None:
        return {}, []
    if not isinstance(rows, list):
        return {}, ["labels is not a list"]
    labels: dict[str, str] = {}
    problems: list[str] = []
    for number, row in enumerate(rows[:MAX_LABELS], 1):
        xpath, label = (row.get("xpath"), row.get("label")) if isinstance(row, dict) else (None, None)
        problem = _find_problem(xpath, label, LABELS)
        if problem is None and xpath in labels:
            problem = "duplicate XPath; the first label is used"
        if problem:
            problems.append(f"label {number}: {problem}")
        else:
            labels[str(xpath)] = str(label)
    if len(rows) > MAX_LABELS:
        problems.append(f"there are {len(rows):,} labels; the first {MAX_LABELS:,} are used")
    return labels, problems


def _find_problem(xpath: object, label: object, known: tuple[str, ...]) -> str | None:
    """Return why a value is not a label of a block; None if it is one."""
    if not isinstance(xpath, str) or not xpath or len(xpath) > XPATH_CHARS or xpath != replace_surrogates(xpath):
        return f"a block is identified by its XPath, not by {reprlib.repr(xpath)}"
    if not isinstance(label, str) or label not in known:
        return f"a label must be one of {', '.join(known)}, not {reprlib.repr(label)}"
    return None


def is_revision(value: object) -> TypeGuard[int]:
    """Return whether a value is a valid revision number."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_REVISION


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced, which neither UTF-8 nor JSON can carry."""
    return text.encode("utf-8", "replace").decode()


def _is_duration(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= MAX_SECONDS  # false for NaN
