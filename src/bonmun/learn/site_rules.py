"""Learn the rules of a site, one for each layout, and write them with comments.

pages = [NamedPage(page.url, page) for page in …]
sites, unknown = survey_pages(range(len(pages)), pages.__getitem__)
text = "".join(write_learned(learn_site(study_site(site, pages.__getitem__))) for site in sites)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.learn.layout_rules import find_kind, learn_rule, mean_confidence
from bonmun.rules.write import write_rule
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.learn.layout_rules import LearnedRule
    from bonmun.learn.survey import StudiedLayout, StudiedSite
    from bonmun.rules.records import SiteRule

__all__ = ["LearnedLayout", "LearnedSite", "learn_site", "write_learned"]

MAX_HOSTS = 8  # of a rule; a site with more gets a rule for all of its hosts
MAX_NAME_CHARS = 50  # of a site, in the name of a rule
MAX_EXAMPLES = 2
MAX_EXAMPLE_CHARS = 120


@dataclass(frozen=True, slots=True)
class LearnedLayout:
    """A layout with its rule, if it has one."""

    studied: StudiedLayout
    kind: str
    confidence: float  # mean over the pages
    sure: int  # pages that the method is confident of
    learned: LearnedRule


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """A site with the rules of its layouts."""

    studied: StudiedSite
    layouts: tuple[LearnedLayout, ...]

    @property
    def rules(self) -> tuple[SiteRule, ...]:
        """The rules of all layouts that have one."""
        return tuple(each.learned.rule for each in self.layouts if each.learned.rule)


def learn_site(site: StudiedSite, *, allow_main: bool = False) -> LearnedSite:
    """Learn a rule for each layout with enough confident pages; see `learn_rule` for `allow_main`."""
    made = []
    hosts = site.hosts if len(site.hosts) <= MAX_HOSTS else (f"*.{site.name}",)
    for number, layout in enumerate(site.layouts, 1):
        others = [page for each in site.layouts if each is not layout for page in each.pages]
        kind = find_kind(page.doc.kind for page in layout.pages) if layout.pages else "unknown"
        name = make_readable(f"{site.name[:MAX_NAME_CHARS]} {number}: {kind}")
        learned = learn_rule(name, hosts, layout.pages, [*others, *site.outlying], allow_main=allow_main)
        sure = sum(page.is_sure for page in layout.pages)
        made.append(LearnedLayout(layout, kind, mean_confidence(layout.pages), sure, learned))
    return LearnedSite(site, tuple(made))


def write_learned(site: LearnedSite) -> str:
    """Return the rules of a site as TOML, each below a comment about its layout."""
    parts = []
    for number, layout in enumerate(site.layouts, 1):
        examples = " ".join(_shorten(page.name) for page in layout.studied.pages[:MAX_EXAMPLES])
        lines = [
            _describe(site, number, layout),
            f"such as {examples}",
            *layout.learned.notes,
        ]
        comment = "".join(f"# {make_readable(line)}\n" for line in lines)
        parts.append(comment + (write_rule(layout.learned.rule) if layout.learned.rule else ""))
    return "\n".join(parts)


def _describe(site: LearnedSite, number: int, layout: LearnedLayout) -> str:
    return (
        f"{_shorten(site.studied.name)}, layout {number} of {len(site.layouts)}: {layout.kind}, "
        f"{layout.studied.count:,} of {site.studied.count:,} pages; the method is confident of {layout.sure} of "
        f"{len(layout.studied.pages)} studied pages, mean confidence {layout.confidence:.2f}"
    )


def _shorten(name: str) -> str:
    return make_readable(name)[:MAX_EXAMPLE_CHARS]
