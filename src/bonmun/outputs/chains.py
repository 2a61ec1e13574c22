"""Choose which ancestors of a block are kept in the output tree, and the tag that each gets there."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.callouts import CALLOUT_NAMES, CALLOUT_TAGS, CLASS_CHARS, is_callout, is_callout_title
from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.page import Page

__all__ = ["LISTS", "PHRASES", "TITLE", "Chains"]

KERNEL = load_kernel("phrases")
MAX_NESTING = 24  # length of a chain; the innermost ancestors of deeper blocks are dropped

TITLE = "title"  # for a <summary> and the title of a callout, which become a bold paragraph
# Structural elements of the page and their tags in the output tree.
STRUCTURE = {
    tag: tag
    for tag in "ul ol li dl dt dd table caption tr td th blockquote figure figcaption h1 h2 h3 h4 h5 h6".split()
}
STRUCTURE |= {"menu": "ul", "dir": "ul", "pre": "pre", "listing": "pre", "xmp": "pre", "summary": TITLE}
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
# Tags that contain only inline content.
PHRASES = frozenset("dt caption figcaption h1 h2 h3 h4 h5 h6 pre td th".split()) | {TITLE}
LISTS = frozenset({"ul", "ol"})
JOINED = {"ul": 1, "dl": 2}  # number of items, or terms and descriptions, of lists that are joined
# Tags that are only valid in a certain parent.
NEEDED_PARENT = {
    "dt": "dl",
    "dd": "dl",
    "tr": "table",
    "td": "tr",
    "th": "tr",
    "caption": "table",
    "figcaption": "figure",
}
# Elements that are not looked at any further, if none is in a callout.
PLAIN = {tag: made for tag, made in STRUCTURE.items() if made not in ("table", "caption", "td", "pre", TITLE)}


class Chains:
    """The chains of a page. The chain of an element is the element and its ancestors that are kept, outermost first."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.chains: dict[int, tuple[int, ...]] = {-1: ()}
        self.tags: dict[int, str] = {}  # output tag of each element in a chain
        self.callouts: dict[int, str] = {}  # output tags of callouts and their titles
        tables = page.callout_tables.values()
        self.boxes = {table.box for table in tables}  # callouts and titles that a table lays out
        self.titles = {table.title for table in tables}
        self.icons = {table.icon for table in tables}  # images in them
        self.dropped: set[int] = set()  # elements of layouts, see `drop_layouts`
        self.layouts: set[int] = set()  # of these, the lists and their items
        self.first_lists: dict[int, int] = {}  # of a list that continues another one: the first of them

    def find_all(self, elements: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the chains of several elements."""
        page, chains = self.page, self.chains
        tags, parents, codes, callouts = page.tags, page.parents, page.codes, self.callouts
        rows = page.with_ancestors(elements)  # outermost first
        boxes = [row for row in rows if tags[row] in CALLOUT_TAGS]
        names = [(name or "")[:CLASS_CHARS] for name in page.attrs(boxes, "class")]
        named: set[int] = set()
        if any(map(" ".join(names).__contains__, CALLOUT_NAMES)):  # few pages have one
            named = {row for row, name in zip(boxes, names, strict=True) if is_callout(name)}
        if self.boxes:
            named |= self.boxes
        if KERNEL and not named and not callouts:
            KERNEL.extend_chains(
                *(rows, chains, self.tags, tags, parents, PLAIN, NEEDED_PARENT, PHRASES, TITLE, STRUCTURE),
                *(codes, callouts, MAX_NESTING, self._extend),
            )
            return [chains[element] for element in elements]
        for row in rows:
            chain = chains[parents[row]]
            if tags[row] in STRUCTURE or row in named or callouts or row in codes:
                chain = self._extend(chain, row)
            chains[row] = chain
        return [chains[element] for element in elements]

    def find(self, element: int) -> tuple[int, ...]:
        """Return the chain of an element."""
        path: list[int] = []
        for row in climb(self.page.parents, element):
            if row in self.chains:
                break
            path.append(row)
        for row in reversed(path):
            self.chains[row] = self._extend(self.chains[self.page.parents[row]], row)
        return self.chains[element]

    def _extend(self, chain: tuple[int, ...], row: int) -> tuple[int, ...]:
        page = self.page
        name = page.tags[row]
        tag = "pre" if row in page.codes else STRUCTURE.get(name)
        if name in CALLOUT_TAGS or (self.callouts and chain and chain[-1] in self.callouts):
            tag = self._find_callout(chain, row) or tag
        if tag is None or len(chain) >= MAX_NESTING:
            return chain
        above = self.tags[chain[-1]] if chain else ""
        if above == TITLE and tag in HEADINGS:  # a heading in a title replaces it
            self.tags[row] = tag
            return (*chain[:-1], row)
        if above in PHRASES or (tag in NEEDED_PARENT and NEEDED_PARENT[tag] != above):
            return chain
        if tag == "table" and row in page.layout_tables:
            return chain
        if tag == "caption" and row != chain[-1] + 1:  # only valid as the first child; a later one is a paragraph
            return chain[:-1]
        if tag == "td" and page.tags[page.parents[chain[-1]]] == "thead":
            tag = self.callouts[row] = "th"
        self.tags[row] = tag
        return (*chain, row)

    def _find_callout(self, chain: tuple[int, ...], row: int) -> str | None:
        """Return the output tag of a callout or of its title, or None for any other element."""
        page = self.page
        if row in self.boxes or row in self.titles:
            self.callouts[row] = "blockquote" if row in self.boxes else TITLE
            return self.callouts[row]
        name = page.attr(row, "class")
        if not name:
            return None
        if chain and self.callouts.get(chain[-1]) == "blockquote":
            if is_callout_title(name):
                self.callouts[row] = TITLE
                return TITLE
            return None
        if is_callout(name):
            if page.tags[row] not in CALLOUT_TAGS:
                return None
            self.callouts[row] = "blockquote"
            return "blockquote"
        return None

    def drop_layouts(self, chains: Sequence[tuple[int, ...]]) -> None:
        """Find lists that are layouts, and headings that are all of a list item; `prune` drops these elements.

        A list is a layout if half of its items or more are sections: a heading and something below it. So is a list
        around it whose items contain nothing but lists; in any other item, it stays a list. `chains` are those of all
        written blocks.
        """
        tags = self.tags
        if HEADINGS.isdisjoint(tags.values()) or "li" not in tags.values():
            return
        counts: dict[int, int] = {}  # blocks in each list item
        lists: dict[int, list[int]] = {}  # items of each unordered list
        headings: dict[int, int] = {}  # by item that starts with one
        holders: dict[int, int] = {}  # the item around a list directly in it
        held: dict[int, int] = {}  # blocks of an item in such lists
        items = {row for row, tag in tags.items() if tag == "li"}
        for chain in chains:
            if items.isdisjoint(chain):
                continue
            for above, row, below in zip((-1, *chain), chain, (*chain[1:], -1), strict=False):
                if tags[row] in LISTS and above in items:
                    holders[row] = above
                    held[above] = held.get(above, 0) + 1
                if tags[row] == "li":
                    counts[row] = counts.get(row, 0) + 1
                    if counts[row] == 1:
                        if above >= 0 and tags[above] == "ul":
                            lists.setdefault(above, []).append(row)
                        if below >= 0 and tags[below] in HEADINGS:
                            headings[row] = below
        self.dropped.update(heading for row, heading in headings.items() if counts[row] == 1)
        sections = {item for item in headings if counts[item] > 1}
        layouts = {row for row, inside in lists.items() if 2 * len(sections.intersection(inside)) >= len(inside)}
        around = {item: row for row, inside in lists.items() for item in inside}
        hold_lists = {row for row, inside in lists.items() if all(held.get(item, 0) == counts[item] for item in inside)}
        waiting = sorted(layouts)
        while waiting:
            row = waiting.pop()
            if row not in holders or (outer := around.get(holders[row], -1)) in layouts:
                continue
            if outer in hold_lists:
                layouts.add(outer)
                waiting.append(outer)
            else:
                layouts.remove(row)
        self.layouts = layouts.union(item for row in layouts for item in lists[row])
        self.dropped.update(self.layouts)

    def join_lists(self) -> None:
        """Find lists of a single item that directly follow each other, which become one list."""
        page, parents = self.page, self.page.parents
        lists = sorted(row for row, tag in self.tags.items() if tag in JOINED)
        pairs = [pair for pair in pairwise(lists) if parents[pair[0]] == parents[pair[1]]]
        pairs = [(one, other) for one, other in pairs if one in climb(parents, other - 1)]  # nothing is between them
        if not pairs:
            return
        items = Counter(parents[row] for name in ("li", "dd", "dt") for row in page.list_rows(name))
        for one, other in pairs:
            if (
                page.tags[one] == page.tags[other]
                and page.attr(one, "class") == page.attr(other, "class")
                and max(items[one], items[other]) <= JOINED[self.tags[one]]
            ):
                self.first_lists[other] = self.first_lists.get(one, one)

    def prune(self, chain: tuple[int, ...], filled: Mapping[object, int]) -> Sequence[int]:
        """Return the chain without layouts, list items that contain only another list, and the lists around those.

        `filled` is the number of blocks directly in an element.
        """
        if self.dropped:
            chain = tuple(row for row in chain if row not in self.dropped)
        if len(chain) < 3:
            return chain
        tags = [self.tags[row] for row in chain]
        pruned: list[int] = []
        skip = 0
        for number, row in enumerate(chain):
            if tags[number] in LISTS:
                below = tags[number + 1 : number + 3]
                if len(below) == 2 and below[0] == "li" and below[1] in LISTS:
                    skip = max(skip, 0 if chain[number + 1] in filled else 2)
            if skip:
                skip -= 1
            else:
                pruned.append(row)
        return pruned
