"""The interface of documents that writers use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata import Metadata
    from bonmun.metadata.posts import Post
    from bonmun.options import Options
    from bonmun.outputs.nodes import Node
    from bonmun.outputs.posts import WrittenPosts
    from bonmun.outputs.tables.record import Table
    from bonmun.page import Page

__all__ = ["Writable"]


class Writable(Protocol):
    """The part of `Document` that writers use."""

    @property
    def page(self) -> Page:
        """Page of the document."""

    @property
    def options(self) -> Options:
        """Options of the extraction."""

    @property
    def has_links(self) -> bool:
        """Whether to write links."""

    @property
    def has_images(self) -> bool:
        """Whether to write images."""

    @property
    def has_embeds(self) -> bool:
        """Whether to write links to embedded players."""

    @property
    def left_out_media(self) -> frozenset[int]:
        """Images and players that are not written, as elements."""

    @property
    def rule_images(self) -> frozenset[int]:
        """Images that are written wherever they are, as elements."""

    @property
    def is_likely_product(self) -> bool:
        """Whether the page is more likely a product than anything else."""

    @property
    def is_likely_listing(self) -> bool:
        """Whether the page is likely a listing of pages or products."""

    @property
    def is_likely_article(self) -> bool:
        """Whether the page is likely an article or documentation."""

    @property
    def shown(self) -> Sequence[KeptBlock]:
        """Blocks to write, in order."""

    @property
    def references(self) -> frozenset[int]:
        """Leaves that are references to footnotes."""

    @property
    def nodes(self) -> Node:
        """Output tree of the blocks (see tree.py); writers must not change it."""

    @property
    def plain_nodes(self) -> Node:
        """The same tree with only the links and images that the options ask for."""

    @property
    def title(self) -> str | None:
        """Headline."""

    @property
    def author(self) -> str | None:
        """Authors, separated by semicolons."""

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""

    @property
    def date(self) -> str | None:
        """Date of publication, as YYYY-MM-DD."""

    @property
    def language(self) -> str | None:
        """Language of the text, as an ISO 639 code."""

    @property
    def site_name(self) -> str | None:
        """Name of the site."""

    @property
    def written_posts(self) -> WrittenPosts:
        """Posts to write with author and date."""

    @property
    def parts(self) -> Sequence[Writable]:
        """The documents that this one is made of; block rows and posts are those of one of them."""

    def describe_block(self, block: KeptBlock) -> dict[str, Any]:
        """Return a block as plain values."""

    def name_objects(self) -> list[dict[str, Any]]:
        """Return type and name of each object."""

    @property
    def url(self) -> str | None:
        """URL of the page."""

    @property
    def kind(self) -> str:
        """Kind of page."""

    @property
    def confidence(self) -> float:
        """Confidence of the method, from 0 to 1."""

    @property
    def tables(self) -> Sequence[Table]:
        """Data tables in the output."""

    @property
    def method(self) -> str:
        """Name of the method that chose the blocks."""

    @property
    def blocks(self) -> Sequence[KeptBlock]:
        """Kept blocks, in order."""

    @property
    def comments(self) -> Sequence[KeptBlock]:
        """Readers' comments, in order."""

    def summary(self) -> dict[str, Any]:
        """Return everything but blocks, comments, tables and posts as plain values."""

    @property
    def metadata(self) -> Metadata:
        """Metadata of the page."""

    @property
    def posts(self) -> Sequence[Post]:
        """Posts of a thread, in order."""

    @property
    def text(self) -> str:
        """Main text as plain text."""

    @property
    def markdown(self) -> str:
        """Main text as Markdown."""

    @property
    def cut(self) -> bool:
        """Whether something was left out because the page exceeds a limit."""

    @property
    def fingerprint(self) -> str | None:
        """Fingerprint of the main text."""
