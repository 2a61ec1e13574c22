"""Author and date of a thread, from its opening post."""

from __future__ import annotations

import pytest

from bonmun.labels import Labels
from bonmun.metadata import read_metadata
from bonmun.metadata.opening_post import POST_CONFIDENCE, SOURCE, prefer_opening_post
from bonmun.metadata.ranking import MetadataField
from bonmun.page import Page
from bonmun.page.posts import FoundPost

KEEPER = MetadataField("keeper", "byline", 0.4)


def make_post(author: str | None, date: str | None = "2024-05-01", *, is_opening: bool = True) -> FoundPost:
    return FoundPost(
        0, author, date, None, None, -1, 0, None, None,
        is_accepted=False, is_opening=is_opening, is_apart=False, body=(0,), head=(),
    )  # fmt: skip


@pytest.mark.parametrize("found", [None, KEEPER])
def test_opening_post_instead_of_nothing_or_an_unsure_value(found: MetadataField | None) -> None:
    posts = [make_post("Mira", is_opening=False), make_post("Sol")]
    assert prefer_opening_post(found, "author", posts) == MetadataField("Sol", SOURCE, POST_CONFIDENCE)
    assert prefer_opening_post(found, "date", posts) == MetadataField("2024-05-01", SOURCE, POST_CONFIDENCE)


@pytest.mark.parametrize(
    "post", [make_post(None), make_post("Sol", is_opening=False), make_post("So, who lit the lamp at six?")]
)
def test_no_usable_opening_post(post: FoundPost) -> None:
    assert prefer_opening_post(KEEPER, "author", [post]) == KEEPER
    assert prefer_opening_post(None, "author", []) is None


def test_sure_values_stay() -> None:
    sure = MetadataField("keeper", "JSON-LD", 0.9)
    assert prefer_opening_post(sure, "author", [make_post("Sol")]) == sure


@pytest.mark.parametrize(("title", "author"), [("The lamp", "Sol"), ("The lamp - Page 2", None)])
def test_metadata_of_a_thread(title: str, author: str | None) -> None:
    """On a later page of a thread, the first post does not open it."""
    page = Page.parse(f"<title>{title}</title><body><p>Who lit the lamp at the harbour?")
    labels = Labels("test", "block", [1.0], [True], [""], 1.0, kinds={"forum": 1.0}, posts=[make_post("Sol")])
    found = read_metadata(page, labels=labels)
    assert found.author == author
    assert (found.fields["author"].source if author else None) == (SOURCE if author else None)
