"""What a writer may ask of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.options import Options
    from bonmun.outputs.nodes import Node
    from bonmun.outputs.tables.record import Table
    from bonmun.page import Page

__all__ = ["Writable"]


class Writable(Protocol):
    """A finished document, as writers see it (see document.py, which calls them)."""

    @property
    def page(self) -> Page:
        """The page it was made from."""

    @property
    def options(self) -> Options:
        """What was asked for."""

    @property
    def has_links(self) -> bool:
        """Whether to write links."""

    @property
    def has_images(self) -> bool:
        """Whether to write images."""

    @property
    def has_embeds(self) -> bool:
        """Whether to write links to what the page embeds."""

    @property
    def shown(self) -> Sequence[KeptBlock]:
        """The blocks to write, in order."""

    @property
    def references(self) -> frozenset[int]:
        """The leaves that refer to a note."""

    @property
    def nodes(self) -> Node:
        """Those blocks as a small tree (see tree.py): copy it before you change it."""

    @property
    def title(self) -> str | None:
        """The headline."""

    @property
    def author(self) -> str | None:
        """Who wrote it."""

    @property
    def date(self) -> str | None:
        """When it was published."""

    @property
    def language(self) -> str | None:
        """The language of the text."""

    @property
    def site_name(self) -> str | None:
        """What the site calls itself."""

    @property
    def post_heads(self) -> dict[int, tuple[str | None, str | None]]:
        """Author and date of each post, by the row of its first block."""

    def list_posts(self) -> list[dict[str, Any]]:
        """The posts of a thread, as plain values."""

    @property
    def url(self) -> str | None:
        """Where the page came from."""

    @property
    def kind(self) -> str:
        """What kind of page it is."""

    @property
    def confidence(self) -> float:
        """How sure the method is."""

    @property
    def tables(self) -> Sequence[Table]:
        """The data tables of what is shown."""

    @property
    def method(self) -> str:
        """The name of the method that chose the blocks."""

    @property
    def blocks(self) -> Sequence[KeptBlock]:
        """The kept blocks, in order."""

    @property
    def comments(self) -> Sequence[KeptBlock]:
        """The readers' comments, in order."""

    def summary(self) -> dict[str, Any]:
        """What it says as a whole, as plain values: all but its blocks and tables."""
