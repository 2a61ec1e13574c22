"""Choose the selectors of the posts of a thread: those that find the same posts as the method on nearly all pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bonmun.learn.studied import list_candidates, read_selector
from bonmun.page.parse.ancestors import climb
from bonmun.rules.find_posts import find_rule_posts
from bonmun.rules.records import PostSelectors
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bonmun.learn.studied import StudiedPage
    from bonmun.metadata.posts import Post

__all__ = ["LearnedPosts", "choose_posts"]

THREAD_KIND = "forum"
MIN_THREADS = 0.6  # share of the pages that are threads
MIN_PAGES = 3
MIN_AGREEMENT = 0.9  # share of the posts that have the same value
MAX_CANDIDATES = 30
MAX_POSTS = 20  # of a page whose elements are tried
MAX_ABOVE = 6  # elements around the text of a post that may hold the post


class LearnedPosts(NamedTuple):
    """Selectors of posts, and on how many of the threads they find as many posts as the method."""

    selectors: PostSelectors | None
    right: int
    pages: int


def choose_posts(pages: Sequence[StudiedPage]) -> LearnedPosts | None:
    """Return the selectors of posts; None if few pages are threads."""
    threads = [page for page in pages if page.doc.kind == THREAD_KIND and len(page.doc.posts) > 1]
    if len(threads) < max(MIN_PAGES, MIN_THREADS * len(pages)):
        return None
    best, most = None, 0
    for text in _list_voted(threads, _find_holders):
        selector = read_selector(text)
        if selector is None:
            continue
        selectors = PostSelectors(selector)
        right = sum(len(find_rule_posts(page.page, selectors)) == len(page.doc.posts) for page in threads)
        if right > most:
            best, most = selectors, right
    if best is None or most < MIN_AGREEMENT * len(threads):
        return LearnedPosts(None, most, len(threads))
    for field, find in (("text", _find_bodies), ("author", _find_authors), ("date", _find_dates)):
        best = _add_field(threads, best, field, find)
    return LearnedPosts(best, most, len(threads))


def _add_field(
    threads: Sequence[StudiedPage],
    selectors: PostSelectors,
    field: str,
    find: Callable[[StudiedPage], Iterable[int]],
) -> PostSelectors:
    """Return the selectors with the best one of a field, if it agrees with the method."""
    best = selectors
    having, most = _count_same(threads, selectors, field)
    most = max(most, int(MIN_AGREEMENT * having) - 1)
    for text in _list_voted(threads, find) if having else ():
        selector = read_selector(text)
        if selector is not None:
            changed = replace(selectors, **{field: selector})
            _, same = _count_same(threads, changed, field)
            if same > most:
                best, most = changed, same
    return best


def _count_same(threads: Sequence[StudiedPage], selectors: PostSelectors, field: str) -> tuple[int, int]:
    """Return the number of posts in which the method finds a value, and of those where selectors find the same."""
    having = same = 0
    for page in threads:
        wanted = [_read_post(page, post, field) for post in page.doc.posts]
        having += sum(map(bool, wanted))
        found = find_rule_posts(page.page, selectors)
        if len(found) == len(wanted):
            values = [str(sorted(each.body)) if field == "text" else getattr(each, field) for each in found]
            same += sum(bool(value) and value == other for value, other in zip(wanted, values, strict=True))
    return having, same


def _read_post(page: StudiedPage, post: Post, field: str) -> str | None:
    """Return the value of a field; the text is given by its blocks."""
    if field == "text":
        return str(sorted(page.doc.blocks[number].row for number in post.blocks))
    value: str | None = getattr(post, field)
    return value


def _list_voted(threads: Sequence[StudiedPage], find: Callable[[StudiedPage], Iterable[int]]) -> list[str]:
    """Return the selectors of the elements that `find` yields, those of the most pages first."""
    votes: Counter[str] = Counter()
    for page in threads:
        votes.update({text for row in set(find(page)) for text in list_candidates(page.page, row)})
    order = sorted(votes, key=lambda text: (-votes[text], len(text.split()), len(text), text))
    return [text for text in order if votes[text] >= MIN_AGREEMENT * len(threads)][:MAX_CANDIDATES]


def _find_holders(page: StudiedPage) -> Iterator[int]:
    """Yield the elements around the text of a post that hold no other post."""
    chains = [list(climb(page.page.parents, rows[0])) for rows in _list_bodies(page)]
    counts = Counter(row for chain in chains for row in chain)
    for chain in chains:
        yield from [row for row in chain if counts[row] == 1][-MAX_ABOVE:]


def _find_bodies(page: StudiedPage) -> Iterator[int]:
    """Yield the innermost elements around the whole text of a post."""
    for rows in _list_bodies(page):
        chain = list(climb(page.page.parents, rows[0]))
        others = [set(climb(page.page.parents, row)) for row in rows[1:MAX_POSTS]]
        yield from [row for row in chain if all(row in other for other in others)][:2]


def _list_bodies(page: StudiedPage) -> list[list[int]]:
    """Return the elements of the blocks of each post."""
    found = ([page.page.owners[page.doc.blocks[number].row] for number in post.blocks] for post in page.doc.posts)
    return [rows for rows in found if rows][:MAX_POSTS]


def _find_authors(page: StudiedPage) -> Iterator[int]:
    return _find_values(page, [post.author for post in page.doc.posts])


def _find_dates(page: StudiedPage) -> Iterator[int]:
    return _find_values(page, [post.shown_time for post in page.doc.posts])


def _find_values(page: StudiedPage, values: Iterable[str | None]) -> Iterator[int]:
    """Yield the elements with one of the values, and their parents."""
    wanted = {make_readable(value) for value in values if value}
    rows = [
        page.page.leaf_elements[leaf] for leaf, text in enumerate(page.page.texts) if make_readable(text) in wanted
    ][: 2 * MAX_POSTS]
    for row in rows:
        yield row
        if page.page.parents[row] >= 0:
            yield page.page.parents[row]
