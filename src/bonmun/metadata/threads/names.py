"""Choose the author of each post: the short text that has the same place in most posts and looks like a name.

A single post tells little: a name, a rank and a button are all short texts. Over all posts of a thread, names differ,
are marked up alike and are next to the time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.post_signs import CLASS_CHARS, NOT_NAMES, read_author_mark
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.page import Page

__all__ = ["NAME_CHARS", "NAME_END", "PlacesInPosts", "choose_names", "read_name_before"]

NAME_CHARS = 40  # maximum length of a name
MIN_COVERAGE = 0.3  # of the posts, that must have a text at the place of names
MIN_UNMARKED_COVERAGE = 0.6  # the same for names that markup does not mark as such
MARKED_STRENGTH = 2  # of a name that counts wherever it is
LABEL_POSTS = 4  # with as many posts, a text that is the same in all of them is a label
NEAR_LEAVES = 3  # from a name to the time
MIN_NEAR_SHARE = 0.5  # of the names without a mark, that must be near the time
MAX_NAME_WORDS = 4  # in a name without a mark
PATH_STEPS = 6  # elements of a path
PROFILE_WORD = compile_later(r"profile|author|user|poster|member", re.I)
NAME_END = " :,·|»«-–—@\u3000："
NUMBERS = compile_later(r"[0-9]+")
QUOTE_STEPS = frozenset({"blockquote", "cite", "q", "button", "select", "textarea", "form"})
SENTENCE_END = (".", "!", "?", "。", "…", "？", "！")


# A name before a moment in the same text: "by Sol on 4 March", "Sol · 4 March".
NAME_BEFORE = compile_later(
    r"\s?(?:(?:posted |written )?(?:by|von|par|por|от)\s([^\d,:·»|]{2,40}?)(?=\s(?:on|am|le|at|el)\s|\s?[\d,:·»|])"
    r"|([^\d:·»|]{2,40}?)\s?[·»|]\s?(?=\S))",
    re.I,
)


def read_name_before(text: str) -> str | None:
    """Return the name in a text that a moment follows.

    >>> read_name_before("Sol · 4 March"), read_name_before("posted by Sol on 4 March"), read_name_before("4 March")
    ('Sol', 'Sol', None)
    """
    match = NAME_BEFORE.match(text)
    name = (match[1] or match[2]).strip(NAME_END) if match else ""
    return name if name and name.lower() not in NOT_NAMES and any(map(str.isalpha, name)) else None


class PlacesInPosts:
    """The place of an element in its post: tags and class names up to the element of the post, without numbers."""

    def __init__(self, page: Page, owners: Sequence[int]) -> None:
        self.page = page
        self.owners = owners  # innermost post of each element
        self.steps: dict[int, str] = {}
        self.found: dict[int, tuple[str, ...]] = {}

    def find(self, element: int) -> tuple[str, ...]:
        """Return the place of an element, innermost step first."""
        place = self.found.get(element)
        if place is None:
            owners, post = self.owners, self.owners[element]
            above = list_around(self.page.parents, element, PATH_STEPS)
            steps = takewhile(lambda row: row != post and owners[row] == post, above)
            place = self.found[element] = tuple(map(self._find_step, steps))
        return place

    def _find_step(self, row: int) -> str:
        step = self.steps.get(row)
        if step is None:
            names = (self.page.attr(row, "class") or "")[:CLASS_CHARS]
            step = self.steps[row] = f"{self.page.tags[row]} {NUMBERS.sub('#', names)}".rstrip()
        return step


class _Candidate(NamedTuple):
    """A text of a post that may be its author."""

    post: int
    leaf: int
    name: str
    strength: int
    is_near: bool


def choose_names(
    page: Page, posts: Mapping[int, Sequence[int]], moments: Mapping[int, Sequence[int]], places: PlacesInPosts
) -> dict[int, tuple[str, int]]:
    """Return name and leaf of the author of each post.

    `posts` are the leaves of each post, `moments` those that name a moment.
    """
    found: dict[tuple[str, ...], dict[int, _Candidate]] = defaultdict(dict)
    marks: dict[int, int] = {}
    for post, leaves in posts.items():
        moment_leaves = set(moments.get(post, ()))
        near = {leaf + step for leaf in moment_leaves for step in range(-NEAR_LEAVES, NEAR_LEAVES + 1)}
        profiles: set[int] = set()
        for leaf in leaves:
            text = page.texts[leaf]
            if len(text) > NAME_CHARS or leaf in moment_leaves:
                continue
            name = " ".join(text.split()).strip(NAME_END)
            if not name or name.lower() in NOT_NAMES or not any(map(str.isalpha, name)):
                continue
            place = places.find(page.leaf_elements[leaf])
            if any(step.partition(" ")[0] in QUOTE_STEPS for step in place) or post in found[place]:
                continue
            strength = _read_strength(page, page.leaf_elements[leaf], len(place), marks, profiles)
            found[place][post] = _Candidate(post, leaf, name, strength, leaf in near)
    scored = [(score, place) for place, some in found.items() if (score := _score(some, len(posts))) > 0]
    scored.sort(key=lambda each: (-each[0], min(candidate.leaf for candidate in found[each[1]].values())))
    chosen: dict[int, tuple[str, int]] = {}
    for score, place in scored:
        if score < scored[0][0] / 2:
            break
        for post, candidate in found[place].items():
            chosen.setdefault(post, (candidate.name, candidate.leaf))
    for post in posts:  # the element of the post itself may name its author
        declared = make_readable((page.attr(post, "data-author") or "")[:NAME_CHARS])
        if declared:
            chosen[post] = (declared, chosen[post][1] if post in chosen and chosen[post][0] == declared else -1)
    return chosen


def _read_strength(page: Page, element: int, steps: int, marks: dict[int, int], profiles: set[int]) -> int:
    """Return how strongly the markup says that a text is a name; the first text of a profile is more likely one."""
    strength, profile, is_linked = 0, -1, False
    for row in list_around(page.parents, element, steps):
        if row not in marks:
            marks[row] = read_author_mark(page, row)
        strength = max(strength, marks[row])
        is_linked = is_linked or page.tags[row] == "a"
        if PROFILE_WORD.search((page.attr(row, "class") or "")[:CLASS_CHARS]):
            profile = row
    if profile >= 0 and profile not in profiles:
        profiles.add(profile)
        strength += 1 + is_linked
    return strength


def _score(candidates: Mapping[int, _Candidate], count: int) -> float:
    """Return how likely the texts at a place are names; 0 if they are not."""
    coverage = len(candidates) / count
    some = candidates.values()
    strength = sum(candidate.strength for candidate in some) / len(some)
    nearness = sum(candidate.is_near for candidate in some) / len(some)
    different = len({NUMBERS.sub("#", candidate.name) for candidate in some})
    if coverage < MIN_COVERAGE and count > 1 and strength < MARKED_STRENGTH:
        return 0.0
    if different == 1 and len(some) >= LABEL_POSTS and strength < 3:
        return 0.0
    if strength < 1:
        words = sum(len(candidate.name.split()) for candidate in some) / len(some)
        sentences = sum(candidate.name.endswith(SENTENCE_END) for candidate in some) / len(some)
        counts = sum(candidate.name[0].isdecimal() for candidate in some) / len(some)
        if len(some) >= LABEL_POSTS and different < MIN_COVERAGE * len(some):
            return 0.0
        if coverage < MIN_UNMARKED_COVERAGE:
            return 0.0
        if (
            counts > 1 - MIN_NEAR_SHARE
            or nearness < MIN_NEAR_SHARE
            or words > MAX_NAME_WORDS
            or sentences > 1 - MIN_NEAR_SHARE
            or count == 1
        ):
            return 0.0
    return strength + 2 * coverage + 1.5 * nearness + different / len(some)
