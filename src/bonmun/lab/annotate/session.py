"""One annotator at work: the pages that are open, the gold file that their labels go to, and what to label next."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError, MissingExtra, MissingInput
from bonmun.lab.annotate.drafts import Change, Draft, read_change
from bonmun.lab.annotate.entries import ENDING
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

MAX_OTHER_FILES = 20  # gold files beside this one that are compared with it


class AnnotationSession:
    """The pages, the gold file and the queue of one annotator.

    with AnnotationSession(open_pages, Path("kim.jsonl")) as session:
        session.save(0, 0, {"labels": {"/html/body/p[1]": "keep"}})
        session.finish(0)
    """

    def __init__(self, open_pages: OpenPages, path: Path) -> None:
        self.open_pages = open_pages
        self.gold = GoldFile(path)
        self.cache = PriorityCache(self.gold.path.with_name(f"{self.gold.path.name}.queue"))
        self.keys: dict[int, str] = {}  # of pages in the cache, by number
        self.failed: dict[int, str] = {}  # why a page cannot be measured
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
        """What each page is called in the gold file: its name, with a number where two have the same."""
        with self._guard:  # several threads ask
            for page in self.open_pages.pages[len(self._names) :]:
                name, number = page.name, 1
                while name in self._taken:
                    number += 1
                    name = f"{page.name} ({number})"
                self._taken.add(name)
                self._names.append(name)
        return self._names

    def find_name(self, number: int) -> str:
        """The name of a page; MissingInput if there is none of this number."""
        names = self.names
        if not 0 <= number < len(names):
            raise MissingInput(f"There is no page of this number: {len(names)} are open.")
        return names[number]

    def find(self, number: int) -> Draft:
        """What is labelled of a page; an empty draft of revision 0 if nothing is."""
        return self.gold.find(self.find_name(number))

    def save(self, number: int, revision: int, values: object) -> Draft:
        """Change labels; StaleLabels if the page has another revision by now, BadGold if they are no labels."""
        return self.gold.save(self.find_name(number), revision, read_change(values))

    def ask_for_record(self, number: int) -> tuple[PageSource, Draft, str, str, str] | None:
        """The arguments of `describe_record` for a page that is done, but not so in the gold file; else None."""
        name = self.find_name(number)
        draft = self.gold.find(name)
        if draft.state != "done" or self.gold.folded.get(name) == draft.revision:
            return None
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        return self.open_pages.load(number), draft, name, self.gold.annotator, saved

    def finish(self, number: int) -> str | None:
        """Take the page for done, and put it into the gold file; gives a sentence on labels that were not found."""
        draft = self.find(number)
        if draft.state != "done":
            self.gold.save(self.find_name(number), draft.revision, Change(state="done"))
        return self._fold(number)

    def _fold(self, number: int) -> str | None:
        arguments = self.ask_for_record(number)
        if arguments is None:
            return None
        record, problem = describe_record(*arguments)
        self.gold.fold(record)
        return problem

    def close(self) -> None:
        """Put pages that were changed after they were finished into the gold file, and let others write it."""
        try:
            unfolded = self.gold.unfolded
            for number, name in enumerate(self.names) if unfolded else ():
                if name in unfolded:
                    try:
                        self._fold(number)
                    except BonmunError as problem:  # the journal keeps its labels
                        self.gold.problems.append(f"{name}: {problem}")
            self.cache.save()
        finally:
            self.gold.close()

    # --- what to label next -------------------------------------------------------------------------------------

    def find_priority(self, number: int) -> Priority | None:
        """What a page is worth, if it is measured."""
        key = self.keys.get(number)
        return self.cache.known.get(key) if key else None

    def find_unmeasured(self) -> list[int]:
        """The pages that are still to be measured, one of every site first."""
        rest = [number for number in range(len(self.names)) if number not in self.keys and number not in self.failed]
        return order_pages([QueuedPage(number, self.find_site(number), None) for number in rest], "priority")

    def read_for_measuring(self, number: int) -> PageSource | None:
        """A page that is to be measured; None for one that the cache knows."""
        source = self.open_pages.pages[number].read()
        self.keys[number] = self.cache.make_key(source.body)
        return None if self.find_priority(number) else source

    def list_queue(self, order: str) -> list[int]:
        """The pages that are neither done nor skipped, most worth labelling first; then those that were skipped."""
        states = [self.gold.find(name).state for name in self.names]
        every = [
            QueuedPage(number, self.find_site(number), self.find_priority(number)) for number in range(len(states))
        ]
        ranked = order_pages(every, order)
        waiting = [number for number in ranked if states[number] == "open"]
        return waiting + [number for number in ranked if states[number] == "skipped"]

    def count_states(self) -> dict[str, int]:
        """How many pages are open, done and skipped, and how many of all are measured."""
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
        """The site of a page: that of its URL, else the folder it lies in."""
        page = self.open_pages.pages[number]
        try:
            return find_site_name(page.url) if find_host(page.url) else str(PurePosixPath(page.name).parent)
        except MissingExtra:
            return find_host(page.url)

    def find_other_files(self) -> list[Path]:
        """The gold files of others, in the same folder."""
        found = sorted(path for path in self.gold.path.parent.glob(f"*{ENDING}") if path != self.gold.path)
        return [path for path in found if path.is_file()][:MAX_OTHER_FILES]
