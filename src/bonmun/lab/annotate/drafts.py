"""One person's labels for one page while they work on it, and every change of them, checked.

Blocks are known by their XPaths: a page that is read again next year, or by another version, has other numbers. A block
without a label is dropped.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, get_args

from bonmun.errors import BadGold
from bonmun.lab.gold.block_labels import LABELS, MAX_LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DROP", "Change", "Draft", "State", "is_revision", "mend_text", "read_change", "read_label_table"]

State = Literal["open", "done", "skipped"]

DROP = "drop"  # takes a label away
STATES: tuple[str, ...] = get_args(State)
NOTE_CHARS = 10_000
XPATH_CHARS = 10_000  # 128 steps with names of 40 characters are 5,600
MAX_REVISION = 2**53 - 1  # the largest number that a browser knows exactly
MAX_SECONDS = 1e7  # somebody spends on a page: months


@dataclass(frozen=True, slots=True)
class Change:
    """What one gesture changes of a draft; None is what it leaves as it was."""

    labels: Mapping[str, str] = field(default_factory=dict)  # by XPath; "drop" takes one away
    is_whole: bool = False  # these are all labels; those that were there before go
    note: str | None = None
    seconds: float | None = None  # spent on the page in all
    state: State | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain values, without what is left as it was."""
        values: dict[str, Any] = {"labels": dict(self.labels)} if self.labels or self.is_whole else {}
        values |= {"whole": True} if self.is_whole else {}
        parts = {"note": self.note, "seconds": self.seconds, "state": self.state}
        return values | {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Draft:
    """The labels of a page, and how far the work on it is."""

    labels: Mapping[str, str] = field(default_factory=dict)  # by XPath, without dropped blocks
    revision: int = 0  # goes up by one with every change
    state: State = "open"
    note: str = ""
    seconds: float = 0.0

    def apply(self, change: Change) -> Draft:
        """The draft after a change."""
        labels = {} if change.is_whole else dict(self.labels)
        for xpath, label in change.labels.items():
            if label == DROP:
                labels.pop(xpath, None)
            else:
                labels[xpath] = label
        given = {"note": change.note, "seconds": change.seconds, "state": change.state}
        changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return replace(self, labels=labels, revision=self.revision + 1, **changed)

    def restate(self) -> Change:
        """All of it as one change."""
        return Change(self.labels, True, self.note, self.seconds, self.state)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "labels": dict(self.labels),
            "revision": self.revision,
            "state": self.state,
            "note": self.note,
            "seconds": round(self.seconds, 1),
        }


def read_change(values: object) -> Change:
    """A change as a browser or a journal says it; BadGold where it is none."""
    if not isinstance(values, dict):
        raise BadGold("A change of labels is an object.")
    labels = _read_labels(values.get("labels", {}))
    is_whole = values.get("whole", False)
    if not isinstance(is_whole, bool):
        raise BadGold("whole is true or false.")
    note, seconds, state = (values.get(name) for name in ("note", "seconds", "state"))
    if note is not None and (not isinstance(note, str) or len(note) > NOTE_CHARS):
        raise BadGold(f"A note is a text of up to {NOTE_CHARS:,} characters.")
    if seconds is not None and not _is_duration(seconds):
        raise BadGold("seconds is a number of seconds that were spent on the page.")
    if state is not None and state not in STATES:
        raise BadGold(f"A page is {', '.join(STATES)}, not {reprlib.repr(state)}.")
    mended = None if note is None else mend_text(note)
    return Change(labels, is_whole, mended, None if seconds is None else float(seconds), state)


def _read_labels(labels: object) -> dict[str, str]:
    if not isinstance(labels, dict) or len(labels) > MAX_LABELS:
        raise BadGold(f"labels is an object of XPaths and labels, of up to {MAX_LABELS:,}.")
    for xpath, label in labels.items():
        if problem := _find_problem(xpath, label, (*LABELS, DROP)):
            raise BadGold(f"{problem}.")
    return labels


def read_label_table(rows: object) -> tuple[dict[str, str], list[str]]:
    """The labels of a gold record, by XPath, and what is wrong with those that cannot be used."""
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
            problem = "there are two for this XPath; the first counts"
        if problem:
            problems.append(f"label {number}: {problem}")
        else:
            labels[str(xpath)] = str(label)
    if len(rows) > MAX_LABELS:
        problems.append(f"there are {len(rows):,} labels; the first {MAX_LABELS:,} count")
    return labels, problems


def _find_problem(xpath: object, label: object, known: tuple[str, ...]) -> str | None:
    """Why something is no label of a block; None if it is one."""
    if not isinstance(xpath, str) or not xpath or len(xpath) > XPATH_CHARS or xpath != mend_text(xpath):
        return f"a block is known by its XPath, not by {reprlib.repr(xpath)}"
    if not isinstance(label, str) or label not in known:
        return f"a label is one of {', '.join(known)}, not {reprlib.repr(label)}"
    return None


def is_revision(value: object) -> TypeGuard[int]:
    """Whether a value counts the changes of a page."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_REVISION


def mend_text(text: str) -> str:
    """A text without halves of characters, which no file and no answer can carry."""
    return text.encode("utf-8", "replace").decode()


def _is_duration(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= MAX_SECONDS  # NaN is not
