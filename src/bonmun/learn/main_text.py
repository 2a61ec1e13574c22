"""Choose `main` and `drop` of a layout: the elements that hold the text of its pages, and what is never text in them.

Each page votes with the element that holds its answer, and the elements around it. A selector is compared with the
answers by the F1 of a page's characters, as a mean over pages. What to drop is chosen after `main`, one selector at a
time, among elements of which no page keeps anything.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bonmun.learn.studied import list_candidates
from bonmun.page.parse.ancestors import climb
from bonmun.rules.suggest import SPEAKING_TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bonmun.learn.studied import Marks, StudiedPage

__all__ = ["MainText", "choose_main_text"]

MIN_HELD_SHARE = 0.97  # of the kept text, in an element that holds the answer of a page
MIN_PURE_SHARE, MIN_PART_SHARE = 0.9, 0.1  # of its own text, and of the page's, that a part of the answer keeps
MAX_ABOVE = 8  # elements around the answer that are tried
MAX_PARTS = 10  # of the answer of a page that are tried
MAX_CANDIDATES = 60  # selectors of `main` that are compared
MAX_STARTS = 6  # of them to which others are added
MAX_MAIN, MAX_DROPPED = 3, 12  # selectors of a rule
MAX_DROPPED_ROWS = 200  # elements of a page that are tried
MAX_DROP_CANDIDATES = 150
MIN_VOTES = 0.5  # share of the pages that have a candidate for `main`
MIN_MAIN_GAIN, MIN_DROP_GAIN = 0.01, 0.001  # in F1, for another selector
SELECTOR_COST = 0.003  # in F1, of each selector of a rule
MAX_LOST_SHARE = 0.01  # of the text of a page that a dropped element may hold
MIN_DROP_PAGES = 2


@dataclass(frozen=True, slots=True)
class MainText:
    """Selectors of the text of a layout, and how well they agree with the answers."""

    main: tuple[str, ...]
    drop: tuple[str, ...] = ()
    agreement: float = 0.0  # F1 of characters, mean over pages
    dropped_pages: dict[str, int] = field(default_factory=dict)  # by selector of `drop`: pages that have it


def choose_main_text(pages: Sequence[StudiedPage]) -> MainText | None:
    """Return the selectors that come closest to the answers on the pages; None if there are no candidates."""
    candidates = _list_main_candidates(pages)
    scored = sorted((-_measure(pages, (text,)), _rank(text), text) for text in candidates)
    singles = [text for _, _, text in scored]
    holding = sorted(
        (text for text in singles if _holds(pages, text)), key=lambda text: (_count_surplus(pages, text), _rank(text))
    )
    starts = dict.fromkeys([*singles[: MAX_STARTS // 2], *holding[: MAX_STARTS // 2]])
    found = [_extend(pages, (start,), singles) for start in starts]
    return max(found, key=_weigh, default=None)


def _weigh(found: MainText) -> float:
    """Return the agreement, less a little for each selector: a small element fits new pages better than many drops."""
    return found.agreement - SELECTOR_COST * (len(found.main) + len(found.drop))


def _extend(pages: Sequence[StudiedPage], main: tuple[str, ...], singles: Sequence[str]) -> MainText:
    """Add selectors to `main` and `drop` while they bring the answer closer."""
    best = _measure(pages, main)
    while len(main) < MAX_MAIN:
        others = ((_measure(pages, (*main, text)), text) for text in singles if text not in main)
        score, text = max(others, key=lambda each: (each[0], _invert(_rank(each[1]))), default=(0.0, ""))
        if score < best + MIN_MAIN_GAIN:
            break
        main, best = (*main, text), score
    drop = choose_dropped(pages, main)
    counts = {text: sum(bool(page.select(text)) for page in pages) for text in drop}
    return MainText(main, drop, _measure(pages, main, drop), counts)


def choose_dropped(pages: Sequence[StudiedPage], main: tuple[str, ...]) -> tuple[str, ...]:
    """Return selectors of elements in `main` of which no page keeps anything, and that matter."""
    drop: tuple[str, ...] = ()
    chosen = [page.mark_all(main) for page in pages]
    gains = dict.fromkeys(_list_drop_candidates(pages, main), 1.0)  # the last ones known; they only shrink
    while gains and len(drop) < MAX_DROPPED:
        before = [_compare(page, marks) for page, marks in zip(pages, chosen, strict=True)]
        best = 0.0
        measured: dict[str, float] = {}
        for text in sorted(gains, key=lambda each: (-gains[each], _rank(each))):
            if gains[text] < best:
                break
            measured[text] = gains[text] = _measure_gain(pages, chosen, before, text)
            best = max(best, gains[text])
        if best < MIN_DROP_GAIN:
            break
        text = min((each for each, gain in measured.items() if gain >= best - MIN_DROP_GAIN / 2), key=_rank)
        drop = (*drop, text)
        chosen = [marks & ~page.mark(text) for page, marks in zip(pages, chosen, strict=True)]
        gains = {each: gain for each, gain in gains.items() if each != text and gain >= MIN_DROP_GAIN}
    return drop


def _measure_gain(pages: Sequence[StudiedPage], chosen: list[Marks], before: list[float], text: str) -> float:
    """Return by how much the F1 grows if a selector is dropped, as a mean over pages."""
    total = 0.0
    for page, marks, score in zip(pages, chosen, before, strict=True):
        if page.select(text):
            total += _compare(page, marks & ~page.mark(text)) - score
    return total / len(pages)


def _measure(pages: Sequence[StudiedPage], main: Iterable[str], drop: Iterable[str] = ()) -> float:
    """Return how well selectors agree with the answers: F1 of characters, mean over pages."""
    main, drop = tuple(main), tuple(drop)
    total = 0.0
    for page in pages:
        chosen = page.mark_all(main)
        if drop:
            chosen = chosen & ~page.mark_all(drop)
        total += _compare(page, chosen)
    return total / len(pages)


def _compare(page: StudiedPage, chosen: Marks) -> float:
    right, found = int(page.kept[chosen].sum()), int(page.weights[chosen].sum())
    return 2 * right / max(found + int(page.kept.sum()), 1)


def _holds(pages: Sequence[StudiedPage], text: str) -> bool:
    """Return whether the elements of a selector hold nearly all of the text, on nearly all pages."""
    shares = [int(page.kept[page.mark(text)].sum()) / max(int(page.kept.sum()), 1) for page in pages]
    return sum(share >= MIN_HELD_SHARE for share in shares) >= 0.9 * len(pages)


def _count_surplus(pages: Sequence[StudiedPage], text: str) -> int:
    """Return the length of what is in the elements of a selector and not in the answer."""
    return sum(int((page.weights - page.kept)[page.mark(text)].sum()) for page in pages)


def _list_main_candidates(pages: Sequence[StudiedPage]) -> list[str]:
    """Return selectors of the elements that pages vote for, those with the most votes first."""
    votes = _count_votes(pages, _find_holders)
    needed = max(2, MIN_VOTES * len(pages))
    chosen = [text for text, count in votes.items() if count >= needed]
    return sorted(chosen, key=lambda text: (-votes[text], _rank(text)))[:MAX_CANDIDATES]


def _list_drop_candidates(pages: Sequence[StudiedPage], main: tuple[str, ...]) -> list[str]:
    """Return selectors of elements in `main` of which no page keeps anything, those with the most text first."""

    def find(page: StudiedPage) -> Iterator[int]:
        return _find_unkept(page, page.mark_all(main))

    votes = _count_votes(pages, find)
    sizes: dict[str, int] = {}
    voted = sorted(votes, key=lambda text: (-votes[text], _rank(text)))[: 4 * MAX_DROP_CANDIDATES]
    for text in voted:
        if votes[text] >= MIN_DROP_PAGES and (size := _weigh_dropped(pages, main, text)):
            sizes[text] = size
    return sorted(sizes, key=lambda text: (-sizes[text], _rank(text)))[:MAX_DROP_CANDIDATES]


def _weigh_dropped(pages: Sequence[StudiedPage], main: tuple[str, ...], text: str) -> int:
    """Return the length of what a selector would drop; 0 if some page keeps a part of it."""
    size = 0
    for page in pages:
        marks = page.mark(text) & page.mark_all(main)
        if int(page.kept[marks].sum()) > MAX_LOST_SHARE * int(page.kept.sum()):
            return 0
        size += int(page.weights[marks].sum())
    return size


def _count_votes(pages: Sequence[StudiedPage], find: Callable[[StudiedPage], Iterable[int]]) -> Counter[str]:
    """Count for each selector the pages that have it among the selectors of elements that `find` yields."""
    votes: Counter[str] = Counter()
    for page in pages:
        texts = {text for row in find(page) for text in list_candidates(page.page, row)}
        votes.update(text for text in texts if _names_element(text))
    return votes


def _names_element(text: str) -> bool:
    """Return whether the last step of a selector has a name or a speaking tag: `.row span` selects too much."""
    last = text.split()[-1]
    return last in SPEAKING_TAGS or any(sign in last for sign in ".#[")


def _find_holders(page: StudiedPage) -> Iterator[int]:
    """Yield the elements that hold the answer of a page, the innermost first, and the largest parts of the answer."""
    kept, whole = page.sum_inside(page.kept), page.sum_inside(page.weights)
    total = int(page.kept.sum())
    tags, parents = page.page.tags, page.page.parents
    innermost = max((row for row, size in enumerate(kept) if size >= MIN_HELD_SHARE * total), default=0)
    above = list(climb(parents, innermost))[: MAX_ABOVE + 1]
    yield from (row for row in above if tags[row] not in ("html", "body"))
    parts = 0
    for row, size in enumerate(kept):
        if size >= MIN_PART_SHARE * total and size >= MIN_PURE_SHARE * whole[row] and tags[row] not in ("html", "body"):
            above_size = kept[parents[row]] if parents[row] >= 0 else 0
            is_outermost = parents[row] < 0 or above_size < MIN_PURE_SHARE * whole[parents[row]]
            if is_outermost and (parts := parts + 1) <= MAX_PARTS:
                yield row


def _find_unkept(page: StudiedPage, inside: Marks) -> Iterator[int]:
    """Yield the largest elements with text of which nothing is kept, where something around them is in `main`."""
    kept, whole = page.sum_inside(page.kept), page.sum_inside(page.weights)
    within = page.sum_inside(inside * page.weights)
    rows = [
        row
        for row, size in enumerate(whole)
        if size and not kept[row] and within[row] and page.page.parents[row] >= 0 and kept[page.page.parents[row]]
    ]
    yield from sorted(rows, key=lambda row: -whole[row])[:MAX_DROPPED_ROWS]


def _rank(text: str) -> tuple[int, int, str]:
    """Return the order of selectors that are equally good: few steps, few characters."""
    return len(text.split()), len(text), text


def _invert(rank: tuple[int, int, str]) -> tuple[int, int]:
    return -rank[0], -rank[1]
