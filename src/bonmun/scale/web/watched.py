"""Remember the main text of pages, and find what has changed since the last time."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bonmun.errors import BadInput
from bonmun.text.changes import BlockChange, find_changes
from bonmun.work.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from bonmun.document import Document

__all__ = ["ChangedPage", "Watch", "explain_briefly", "list_blocks"]

MAX_KEPT = 100  # changed versions of a page that are remembered, for feeds
MAX_CHANGES = 1_000  # of a version that are remembered
UNSAFE = re.compile(r"[^\w.-]+", re.A)


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """What changed on a page, and when that was seen."""

    url: str
    title: str | None
    time: str  # 2026-03-04T09:00:00+00:00
    is_first: bool = False  # whether the page was not known before
    changes: tuple[BlockChange, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain values."""
        return asdict(self)


@dataclass(slots=True)
class _PageState:
    """The last version of a page, and the changes that led to it."""

    url: str
    blocks: list[str]
    changed: list[ChangedPage] = field(default_factory=list)  # the newest first


def list_blocks(doc: Document) -> list[str]:
    """Return the title and the blocks of the main text, each on one line; code keeps its lines."""
    blocks = [block.text for block in doc.blocks]
    return [doc.title, *blocks] if doc.title else blocks


def explain_briefly(doc: Document) -> str:
    """Return why a document is empty, without what to try: `bonmun watch` has no options for it."""
    return (doc.hint or "The page has no main text").partition(":")[0]


class Watch:
    """The watched pages in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def update(self, url: str, doc: Document, now: datetime) -> ChangedPage:
        """Save the new version of a page. Return what has changed.

        Raise BadInput if the page has no main text, and keep the version before: most such pages are errors.
        """
        if not doc.blocks:
            raise BadInput(f"{explain_briefly(doc)}; the last version, if there is one, is kept.")
        blocks = list_blocks(doc)
        time = now.isoformat(timespec="seconds")
        state = self._load(url)
        if state is None:
            self._save(_PageState(url, blocks))
            return ChangedPage(url, doc.title, time, is_first=True)
        changed = ChangedPage(url, doc.title, time, changes=tuple(find_changes(state.blocks, blocks)))
        if changed.changes:
            kept = ChangedPage(url, doc.title, time, changes=changed.changes[:MAX_CHANGES])
            self._save(_PageState(url, blocks, [kept, *state.changed][:MAX_KEPT]))
        return changed

    def list_changed(self, urls: Sequence[str]) -> list[ChangedPage]:
        """Return the remembered changes of some pages, the newest first."""
        states = [state for url in dict.fromkeys(urls) if (state := self._load(url))]
        changed = [each for state in states for each in state.changed]
        return sorted(changed, key=lambda each: each.time, reverse=True)[:MAX_KEPT]

    def _find_path(self, url: str) -> Path:
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            host = ""
        name = UNSAFE.sub("-", host).strip("-.")[:60] or "page"
        return self.folder / f"{name}-{sha256(url.encode('utf-8', 'replace')).hexdigest()[:16]}.json"

    def _load(self, url: str) -> _PageState | None:
        path = self._find_path(url)
        try:
            saved = json.loads(path.read_bytes())
            changed = [
                ChangedPage(**each | {"changes": tuple(BlockChange(**change) for change in each["changes"])})
                for each in saved["changed"]
            ]
            return _PageState(saved["url"], [str(block) for block in saved["blocks"]], changed)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as problem:
            raise BadInput(f"{path} is not the state of a watched page; delete it to start again.") from problem

    def _save(self, state: _PageState) -> None:
        write_text(self._find_path(state.url), json.dumps(asdict(state), ensure_ascii=False, indent=1))
