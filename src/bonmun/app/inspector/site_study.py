"""The open pages by site: layouts, texts that repeat, and pages that differ from the others.

Pages are added twice: with their counts, from which the layouts and the site models are made, and with their answers,
which use the site models. The pages themselves are processed in child processes (site_jobs.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.app.inspector.site_jobs import NORMAL, SiteEvidence
from bonmun.errors import MissingExtra
from bonmun.learn.layout_rules import find_kind
from bonmun.learn.studied import MIN_CONFIDENCE
from bonmun.learn.survey import SitePages, group_pages
from bonmun.sites.domains import find_host, find_registered_domain
from bonmun.sites.model import SiteModel
from bonmun.sites.site import MIN_PAGES
from bonmun.sites.tally import Tally, rank_texts

if TYPE_CHECKING:
    from bonmun.app.inspector.site_jobs import CountedPage, JudgedPage
    from bonmun.lab.annotate.open_pages import OpenPage
    from bonmun.sites.key_arrays import KeyArray

__all__ = ["MAX_PAGES", "REASONS", "SiteStudy"]

MAX_PAGES = 1_000  # that are read
MAX_COUNTS = 500_000  # counted texts of all sites, about 200 MB; no more pages are read then
MAX_TEXTS = 300  # of a site that are listed, those on most pages
MAX_EXAMPLES = 3  # pages of a layout
# A page with this many times fewer or more words than the median of its layout is unlike it.
UNLIKE_TIMES = 4
MIN_UNLIKE_WORDS = 50  # difference to the median; smaller ones say nothing
REASONS = ("problem", "unlike", "empty", "kind", "confidence", "words", "copy", "huge")  # the most important first


class Reason(NamedTuple):
    """Why a page is worth a look, and the figures for the sentence that says so."""

    name: str
    values: dict[str, Any]


class _Text:
    """A text that repeats, and on how many of the judged pages it is, and is kept."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.text = ""
        self.first = -1  # number of a page that has it
        self.judged = self.kept = 0


@dataclass(slots=True, eq=False)
class _Site:
    """A site: its pages in groups, and what its pages have in common."""

    pages: SitePages
    is_folder: bool = False  # of files whose site is unknown
    tally: Tally = field(default_factory=Tally)
    numbers: list[int] = field(default_factory=list)  # of all its pages, also of those that cannot be studied
    known: dict[int, int] = field(default_factory=dict)  # the first page by the key of its text
    copies: dict[int, int] = field(default_factory=dict)  # the page that has the same text, by page
    layouts: dict[int, int] = field(default_factory=dict)  # by page; -1 if it is unlike all others
    groups: list[list[int]] = field(default_factory=list)  # pages by layout
    evidence: SiteEvidence | None = None  # None for few pages
    texts: dict[int, _Text] = field(default_factory=dict)  # those on most pages first
    keys: KeyArray | None = None  # of these texts, ascending


class SiteStudy:
    """A study of the open pages.

    study = SiteStudy()
    study.add(page, count_page(source))    # each page
    study.group()
    study.judge(page.number, judge_page(source, site_model=study.find_evidence(page.number).model))
    study.describe(0)                      # the site with the most pages
    """

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.counts = 0  # of texts, over all sites
        self._sites: dict[str, _Site] = {}
        self._site_of: dict[int, _Site] = {}
        self._huge: set[int] = set()
        self._problems: dict[int, str] = {}
        self._judged: dict[int, JudgedPage] = {}
        self._in_order: list[_Site] = []

    @property
    def is_full(self) -> bool:
        """Whether no more pages can be added."""
        return len(self.names) >= MAX_PAGES or self.counts >= MAX_COUNTS

    def add(self, page: OpenPage, counted: CountedPage) -> None:
        """Add a page with its counts."""
        number, digest = page.number, counted.digest
        site = self._place(page, digest.host)
        if not site.pages.add(number, digest):
            self._huge.add(number)
            return
        before = len(site.tally.rows)
        if site.tally.add_counts(counted.known, counted.leaves):
            site.known[counted.known] = number
        else:
            site.copies[number] = site.known[counted.known]
        self.counts += len(site.tally.rows) - before

    def fail(self, page: OpenPage, problem: str) -> None:
        """Add a page that cannot be read, or whose answer failed."""
        if page.number not in self.names:
            self._place(page, find_host(page.url).lower().removeprefix("www."))
        self._problems[page.number] = problem

    def _place(self, page: OpenPage, host: str) -> _Site:
        """Put a page with its site: that of its host, else that of the files in the same folder."""
        name = _name_site(host) if host else _name_folder(page.name)
        site = self._sites.setdefault(name if host else f"{name}/", _Site(SitePages(name), is_folder=not host))
        site.numbers.append(page.number)
        self.names[page.number] = page.name
        self._site_of[page.number] = site
        return site

    def group(self) -> None:
        """Find layouts, and make site models."""
        for site in self._sites.values():
            numbers = site.pages.numbers
            groups, outliers = group_pages(site.pages)
            site.groups = [[numbers[position] for position in group] for group in groups]
            site.layouts = {number: row for row, group in enumerate(site.groups) for number in group}
            site.layouts |= {numbers[position]: -1 for position in outliers}
            _find_common(site)
            site.tally = Tally()  # only needed for what was just made
        self._in_order = sorted(self._sites.values(), key=lambda site: -len(site.numbers))

    def list_readable(self) -> list[int]:
        """Return the pages whose answer is needed."""
        return [number for number in self.names if number not in self._problems]

    def find_evidence(self, number: int) -> SiteEvidence | None:
        """Return what the pages of a page's site say; None if they are too few."""
        site = self._site_of.get(number)
        return site.evidence if site else None

    def find_texts(self, number: int) -> KeyArray | None:
        """Return the texts, ascending, whose fate on a page is counted: none on a copy, which counts once."""
        site = self._site_of[number]
        return None if number in site.copies else site.keys

    def judge(self, number: int, judged: JudgedPage) -> None:
        """Add the answer for a page."""
        texts = self._site_of[number].texts
        for each in judged.texts:
            text = texts[each.key]
            text.judged += 1
            text.kept += each.is_kept
            if text.first < 0:
                text.text, text.first = each.text, number
        self._judged[number] = judged._replace(texts=[])

    def list_sites(self) -> list[dict[str, Any]]:
        """Return the sites, that with the most pages first, and the numbers of their pages."""
        return [_name(site) | {"pages": len(site.numbers), "numbers": site.numbers} for site in self._in_order]

    def describe(self, number: int) -> dict[str, Any]:
        """Return all about a site: its layouts, the texts that repeat, and its pages, those that differ first."""
        site = self._in_order[number]
        layouts = [self._describe_layout(group) for group in site.groups]
        rows = [self._describe_page(site, each, layouts) for each in site.numbers]
        texts = [
            {"text": each.text, "pages": each.pages, "judged": each.judged, "kept": each.kept, "first": each.first}
            for each in site.texts.values()
            if each.judged
        ]
        return _name(site) | {
            "hosts": sorted(site.pages.hosts, key=lambda host: (-site.pages.hosts[host], host)),
            "pages": len(site.numbers),
            "counted": len(site.known),
            "copies": len(site.copies),
            "has_model": site.evidence is not None,
            "layouts": layouts,
            "unlike": sum(layout < 0 for layout in site.layouts.values()),
            "texts": texts,
            "rows": sorted(rows, key=_rank),
        }

    def _describe_layout(self, group: list[int]) -> dict[str, Any]:
        judged = [self._judged[number] for number in group if number in self._judged]
        return {
            "pages": len(group),
            "kind": find_kind(each.kind for each in judged) if judged else "unknown",
            "confidence": round(fmean(each.confidence for each in judged), 3) if judged else None,
            "words": median(each.words for each in judged) if judged else 0,
            "examples": [self._name_page(number) for number in group[:MAX_EXAMPLES]],
        }

    def _name_page(self, number: int) -> dict[str, Any]:
        judged = self._judged.get(number)
        return {"number": number, "name": self.names[number], "title": judged.title if judged else ""}

    def _describe_page(self, site: _Site, number: int, layouts: list[dict[str, Any]]) -> dict[str, Any]:
        layout = site.layouts.get(number)
        judged = self._judged.get(number)
        row = self._name_page(number) | {"layout": layout}
        if judged:
            row |= {"kind": judged.kind, "confidence": judged.confidence, "words": judged.words}
        usual = layouts[layout] if layout is not None and layout >= 0 else None
        reasons = [*self._find_states(site, number), *_find_differences(judged, usual)]
        row["reasons"] = [each._asdict() for each in sorted(reasons, key=lambda each: REASONS.index(each.name))]
        return row

    def _find_states(self, site: _Site, number: int) -> list[Reason]:
        """Return the reasons that do not depend on the answer."""
        reasons = []
        if number in self._problems:
            reasons.append(Reason("problem", {"problem": self._problems[number]}))
        if number in self._huge:
            reasons.append(Reason("huge", {}))
        if number in site.copies:
            reasons.append(Reason("copy", {"page": self.names[site.copies[number]]}))
        if site.layouts.get(number) == -1 and len(site.numbers) > 1:
            reasons.append(Reason("unlike", {}))
        return reasons


def _name(site: _Site) -> dict[str, Any]:
    """Return the name of a site, and whether it is that of a folder."""
    return {"name": site.pages.name, "is_folder": site.is_folder}


def _name_site(host: str) -> str:
    """Return the registered domain of a host, or the host itself if the list of domains is not installed."""
    try:
        return find_registered_domain(host)
    except MissingExtra:
        return host


def _name_folder(page: str) -> str:
    """Return the folder of a page; "" if its name has none."""
    folder = str(PurePosixPath(page).parent)
    return "" if folder == "." else folder


def _find_common(site: _Site) -> None:
    """Find the texts that repeat on a site, and make its site model if it has enough pages."""
    keys, counts, first = site.tally.count_texts()
    order = np.lexsort((first, -counts))[:MAX_TEXTS].tolist()
    site.texts = {int(keys[row]): _Text(int(counts[row])) for row in order}
    site.keys = np.array(sorted(site.texts), np.uint64)
    pages = len(site.tally.pages)
    if pages >= MIN_PAGES:
        name = site.pages.name
        model = SiteModel({name: site.tally.make_site(name)}, rank_texts([site.tally]), NORMAL)
        site.evidence = SiteEvidence(name, pages, model, keys, counts)


def _find_differences(judged: JudgedPage | None, usual: dict[str, Any] | None) -> list[Reason]:
    """Return how an answer differs from the others of its layout, and whether the method is unsure of it."""
    if judged is None:
        return []
    if not judged.words:
        return [Reason("empty", {})]
    reasons = []
    if usual and usual["pages"] >= MIN_PAGES:
        if judged.kind != usual["kind"]:
            reasons.append(Reason("kind", {"kind": judged.kind, "usual": usual["kind"]}))
        words, others = judged.words, usual["words"]
        is_other = max(words, others) >= UNLIKE_TIMES * min(words, others)
        if is_other and abs(words - others) >= MIN_UNLIKE_WORDS:
            reasons.append(Reason("words", {"words": words, "usual": round(others)}))
    if judged.confidence < MIN_CONFIDENCE:
        reasons.append(Reason("confidence", {"confidence": judged.confidence}))
    return reasons


def _rank(row: dict[str, Any]) -> tuple[int, float, int]:
    """Return the place of a page in the list: by its first reason, then by confidence."""
    if not row["reasons"]:
        return len(REASONS), 0.0, row["number"]
    return REASONS.index(row["reasons"][0]["name"]), row.get("confidence", 0.0), row["number"]
