"""Annotation session: the open pages, the annotator's gold file, and the queue."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, MissingExtra, MissingInput
from bonmun.lab.annotate.drafts import Change, Draft, read_change
from bonmun.lab.annotate.entries import GOLD_SUFFIX
from bonmun.lab.annotate.gold_file import GoldFile
from bonmun.lab.annotate.queue import PriorityCache, QueuedPage, order_pages
from bonmun.lab.annotate.records import describe_record
from bonmun.sites.domains import find_host, find_site_name

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.lab.annotate.priority import Priority

__all__ = ["AnnotationSession"]

MAX_OTHER_FILES = 20  # gold files compared with this one


class AnnotationSession:
    """The open pages, gold file and queue of one annotator.

    with AnnotationSession(open_pages, Path("kim.jsonl")) as session:
        session.save(0, 0, {"labels": {"/html/body/p[1]": "keep"}})
        session.finish(0)
    """

    def __init__(self, open_pages: OpenPages, path: Path) -> None:
        self.open_pages = open_pages
        self.gold = GoldFile(path)
        self.cache = PriorityCache(self.gold.path.with_name(f"{self.gold.path.name}.queue"))
        self.keys: dict[int, str] = {}  # cache keys by page number
        self.failed: dict[int, str] = {}  # why a page cannot be measured, by page number
        self._names: list[str] = []
        self._taken: set[str] = set()
        self._guard = threading.Lock()

    def __enter__(self) -> AnnotationSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- labels -------------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Return the name of each page in the gold file, with a number added to duplicates."""
        with self._guard:  # called from several threads
            for page in self.open_pages.pages[len(self._names) :]:
                name, number = page.name, 1
                while name in self._taken:
                    number += 1
                    name = f"{page.name} ({number})"
                self._taken.add(name)
                self._names.append(name)
        return self._names

    def find_name(self, number: int) -> str:
        """Return the name of a page; raise MissingInput if the number is invalid."""
        names = self.names
        if not 0 <= number < len(names):
            raise MissingInput(f"There is no page {number}: {len(names)} are open.")
        return names[number]

    def find(self, number: int) -> Draft:
        """Return the draft of a page; an empty one of revision 0 if there is none."""
        return self.gold.find(self.find_name(number))

    def save(self, number: int, revision: int, values: object) -> Draft:
        """Change labels; raise StaleLabels if the revision is not current, BadGold if the labels are invalid."""
        return self.gold.save(self.find_name(number), revision, read_change(values))

    def prepare_record(self, number: int) -> tuple[PageSource, Draft, str, str, str] | None:
        """Return the arguments of `describe_record` for a finished page that is not merged yet; else None."""
        name = self.find_name(number)
        draft = self.gold.find(name)
        if draft.state != "done" or self.gold.merged.get(name) == draft.revision:
            return None
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        return self.open_pages.load(number), draft, name, self.gold.annotator, saved

    def finish(self, number: int) -> str | None:
        """Mark the page as done and merge it into the gold file; return a sentence about labels without a block."""
        draft = self.find(number)
        if draft.state != "done":
            self.gold.save(self.find_name(number), draft.revision, Change(state="done"))
        return self._merge(number)

    def _merge(self, number: int) -> str | None:
        arguments = self.prepare_record(number)
        if arguments is None:
            return None
        record, problem = describe_record(*arguments)
        self.gold.merge_record(record)
        return problem

    def close(self) -> None:
        """Merge pages that were changed after they were finished, and release the gold file."""
        try:
            unmerged = self.gold.unmerged
            for number, name in enumerate(self.names) if unmerged else ():
                if name in unmerged:
                    try:
                        self._merge(number)
                    except BonmunError as problem:  # the journal keeps its labels
                        self.gold.problems.append(f"{name}: {problem}")
            self.cache.save()
        finally:
            self.gold.close()

    # --- what to label next -------------------------------------------------------------------------------------

    def find_priority(self, number: int) -> Priority | None:
        """Return the priority of a page, if it is measured."""
        key = self.keys.get(number)
        return self.cache.known.get(key) if key else None

    def find_unmeasured(self) -> list[int]:
        """Return the pages without a priority, one of every site first."""
        rest = [number for number in range(len(self.names)) if number not in self.keys and number not in self.failed]
        return order_pages([QueuedPage(number, self.find_site(number), None) for number in rest], "priority")

    def read_for_measuring(self, number: int) -> PageSource | None:
        """Return a page to measure; None if the cache knows it."""
        source = self.open_pages.pages[number].read()
        self.keys[number] = self.cache.make_key(source.body)
        return None if self.find_priority(number) else source

    def list_queue(self, order: str) -> list[int]:
        """Return the open pages by priority, then the skipped ones."""
        states = [self.gold.find(name).state for name in self.names]
        every = [
            QueuedPage(number, self.find_site(number), self.find_priority(number)) for number in range(len(states))
        ]
        ranked = order_pages(every, order)
        waiting = [number for number in ranked if states[number] == "open"]
        return waiting + [number for number in ranked if states[number] == "skipped"]

    def count_states(self) -> dict[str, int]:
        """Return the number of open, done and skipped pages, and of measured ones."""
        states = Counter(self.gold.find(name).state for name in self.names)
        measured = sum(self.find_priority(number) is not None for number in range(len(self.names)))
        return {
            "pages": len(self.names),
            "open": states["open"],
            "done": states["done"],
            "skipped": states["skipped"],
            "measured": measured + len(self.failed),
        }

    def find_site(self, number: int) -> str:
        """Return the site of a page's URL, or the folder of a page without one."""
        page = self.open_pages.pages[number]
        try:
            return find_site_name(page.url) if find_host(page.url) else str(PurePosixPath(page.name).parent)
        except MissingExtra:
            return find_host(page.url)

    def find_other_files(self) -> list[Path]:
        """Return the gold files of other annotators in the same folder."""
        found = sorted(path for path in self.gold.path.parent.glob(f"*{GOLD_SUFFIX}") if path != self.gold.path)
        return [path for path in found if path.is_file()][:MAX_OTHER_FILES]
