"""The result of an extraction: main text, title, metadata and the output formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any

from bonmun.capacity import count_fitting_blocks, has_room_for_images, has_room_for_links
from bonmun.kept import KeptBlock, choose_blocks, mark_notes, separate_kickers
from bonmun.outputs import render
from bonmun.outputs.plain_values import THREAD_KIND, describe_posts, describe_thread, summarise
from bonmun.outputs.posts import NO_POSTS, WrittenPosts, list_written_posts
from bonmun.text.readable import tidy_metadata
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable

    from turbohtml import Element

    from bonmun.labels import Labels
    from bonmun.metadata import Metadata
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.posts import Post
    from bonmun.objects.records import PageObject
    from bonmun.options import Options
    from bonmun.outputs.chunks.chunking import Chunk
    from bonmun.outputs.mentions import Image, Link
    from bonmun.outputs.nodes import Node
    from bonmun.outputs.parts.outline import DocumentSection
    from bonmun.outputs.parts.part import DocumentPart
    from bonmun.outputs.tables.record import Table
    from bonmun.page import Page

__all__ = ["Document", "KeptBlock"]

MIN_PRODUCT_CHANCE = 0.5  # that a page is a product
MIN_LISTING_CHANCE = 0.5  # that a page is a listing or a collection
MIN_ARTICLE_CHANCE = 0.5  # that a page is an article or documentation
MIN_FORUM_CHANCE = 0.015  # that a page is a thread, which has posts
ARTICLE_KINDS = frozenset({"article", "documentation"})  # whose pager continues the text


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """The main text, title and metadata of a page.

    Documents are made by `bonmun.extract` and never change. Most attributes are computed when they are first read.

    >>> import bonmun
    >>> doc = bonmun.extract("<title>T</title><p>Some words that are long enough to be read as a paragraph.</p>")
    >>> doc.text
    'Some words that are long enough to be read as a paragraph.'
    >>> doc.title, doc.author, doc.kind
    ('T', None, 'article')

    A page without main text, such as a login page, gives an empty document: `text` is "" and `kind` is "empty".

    Attributes:
        page: The parsed page.
        labels: The decision of the method on every leaf or block of the page.
        options: The options that the document was made with.
        timings: Time spent on each stage, in milliseconds.
    """

    page: Page
    labels: Labels
    options: Options
    timings: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {self.kind}, {len(self.blocks)} blocks, confidence {self.confidence:.2f}>"

    @cached_property
    def _selection(self) -> tuple[tuple[KeptBlock, ...], tuple[KeptBlock, ...], bool, frozenset[int]]:
        """The kept blocks, the comments, whether any were left out, and the leaves that refer to notes."""
        kept = self.labels.kept
        blocks = choose_blocks(self.page, self.labels, list(compress(range(len(kept)), kept)))
        comments = choose_blocks(self.page, self.labels, sorted(self.labels.comments))
        fitting = count_fitting_blocks(self.page, blocks + comments)
        is_cut = self.page.cut or fitting < len(blocks) + len(comments)
        comments = comments[: max(0, fitting - len(blocks))]
        blocks = blocks[:fitting]
        marked, references = mark_notes(self.page, blocks)
        # side notes become blocks of their own; they stay where they are if these are too many
        if len(marked) > len(blocks) and count_fitting_blocks(self.page, marked + comments) < len(marked + comments):
            marked, references = blocks, frozenset()
        return tuple(separate_kickers(self.page, marked)), tuple(comments), is_cut, references

    @property
    def blocks(self) -> tuple[KeptBlock, ...]:
        """Blocks of the main text, in document order; notes come last."""
        return self._selection[0]

    @property
    def comments(self) -> tuple[KeptBlock, ...]:
        """Blocks of readers' comments. They are never part of the main text."""
        return self._selection[1]

    @property
    def references(self) -> frozenset[int]:
        """Indices of the leaves that refer to a note."""
        return self._selection[3]

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """Posts of a thread, such as a forum page, with author and date; empty on other pages."""
        from bonmun.metadata.posts import find_posts, make_posts

        if self.labels.posts:
            return make_posts(self.page, self.labels.posts, self.blocks)
        kinds = self.labels.kinds
        if kinds and kinds.get("forum", 0.0) < MIN_FORUM_CHANCE:  # repetition alone is not enough
            return ()
        return find_posts(self.page, self.blocks)

    @cached_property
    def comment_posts(self) -> tuple[Post, ...]:
        """Posts among the readers' comments, with author and date."""
        from bonmun.metadata.posts import find_posts

        return find_posts(self.page, self.comments)

    @cached_property
    def has_links(self) -> bool:
        """Whether Markdown and HTML contain links: unless `Options.links` is False or they exceed the size limit."""
        return self.options.links is not False and has_room_for_links(self.page, self.shown)

    @cached_property
    def has_images(self) -> bool:
        """Whether Markdown and HTML contain images: unless `Options.images` is False or they exceed the size limit."""
        return self.options.images is not False and has_room_for_images(self.page)

    @cached_property
    def has_embeds(self) -> bool:
        """Whether the output links to embedded media: `Options.embeds` is set and they do not exceed the size limit."""
        return self.options.embeds and has_room_for_images(self.page)

    @property
    def left_out_media(self) -> frozenset[int]:
        """Images and players that a rule drops, as elements."""
        return self.labels.left_out_media

    @property
    def rule_images(self) -> frozenset[int]:
        """Images that a rule keeps, as elements."""
        return self.labels.rule_images

    @property
    def is_likely_product(self) -> bool:
        """Whether the page is more likely a product than anything else, as its blocks look."""
        return self.labels.kinds.get("product", 0.0) > MIN_PRODUCT_CHANCE

    @property
    def is_likely_listing(self) -> bool:
        """Whether the page is likely a listing of pages or products, as its blocks look."""
        kinds = self.labels.kinds
        return kinds.get("listing", 0.0) + kinds.get("collection", 0.0) > MIN_LISTING_CHANCE

    @property
    def is_likely_article(self) -> bool:
        """Whether the page is likely an article or documentation, as its blocks look."""
        kinds = self.labels.kinds
        return kinds.get("article", 0.0) + kinds.get("documentation", 0.0) > MIN_ARTICLE_CHANCE

    @property
    def cut(self) -> bool:
        """Whether blocks, links or images were left out because the page exceeds a limit (see bounds.py)."""
        wanted = (self.options.links is not False, self.options.images is not False, self.options.embeds)
        return self._selection[2] or wanted != (self.has_links, self.has_images, self.has_embeds)

    @cached_property
    def hint(self) -> str | None:
        """Why the document is empty, or was not rendered as asked, and what to try; None if all is well."""
        if self.page.note or self.blocks:
            return self.page.note
        from bonmun.empty_pages import explain_empty

        return explain_empty(self.page)

    @property
    def shown(self) -> tuple[KeptBlock, ...]:
        """Blocks that the output contains: the kept blocks and, with `Options.comments`, the comments.

        Blocks that only show author and time of a post are replaced by the line above it.
        """
        shown = self.blocks + self.comments if self.options.comments else self.blocks
        heads = self.written_posts.heads
        return tuple(block for block in shown if block.row not in heads) if heads else shown

    @cached_property
    def written_posts(self) -> WrittenPosts:
        """Posts that the output shows with author and date.

        They are those of a thread, with `Options.posts` those of any page, and those among the comments if these are
        shown.
        """
        wanted, comments = self.options.posts, self.options.comments
        if wanted is False or not (wanted or self.labels.posts or comments):
            return NO_POSTS
        groups = [(self.posts, self.blocks)] if wanted or self.labels.posts else []
        if comments:
            groups.append((self.comment_posts, self.comments))
        return list_written_posts(groups)

    @property
    def parts(self) -> tuple[Document, ...]:
        """The documents that this one is made of: itself, or those of several pages."""
        return (self,)

    @cached_property
    def next_page(self) -> str | None:
        """Address of the next page of an article, thread or list, as the page links to it; None if there is none."""
        from bonmun.metadata.pagers.next_page import find_next_page

        if self.labels.next_page is not None:
            return self.labels.next_page or None
        is_article = self.kind in ARTICLE_KINDS
        return find_next_page(self.page, sorted({block.row for block in self.blocks}) if is_article else None)

    # --- metadata -----------------------------------------------------------------------------------------------

    @cached_property
    def metadata(self) -> Metadata:
        """All metadata of the page, with the source of each value."""
        from bonmun.metadata import read_metadata  # imported here: it takes longer to load than everything a text needs

        crawled = self.options.crawled or self.page.saved
        metadata = read_metadata(self.page, self.text, self.labels, crawled, declared=self._declared)
        if self.labels.rule_values:
            from bonmun.metadata.rule_values import use_rule_values

            return use_rule_values(metadata, self.labels.rule_values, crawled)
        return metadata

    @cached_property
    def _declared(self) -> Declared:
        """What the page declares in metas, links and JSON-LD; metadata and objects share it."""
        from bonmun.metadata.declared import read_declared

        return read_declared(self.page)

    @cached_property
    def objects(self) -> tuple[PageObject, ...]:
        """Typed records of what the page is about, such as recipes and products."""
        from bonmun.objects.find import find_objects
        from bonmun.objects.reading import ObjectReading

        return find_objects(ObjectReading(self.page, self._declared, self.metadata, self.blocks, self.kind))

    @property
    def title(self) -> str | None:
        """Headline, as found by the method or else as declared by the page."""
        return tidy_metadata(self.labels.title or "") or self.metadata.title

    @property
    def author(self) -> str | None:
        """Authors, separated by semicolons."""
        return self.metadata.author

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.authors

    @property
    def date(self) -> str | None:
        """Date of publication: YYYY-MM-DD."""
        return self.metadata.date

    @property
    def language(self) -> str | None:
        """Language of the text as an ISO 639 code, with two letters where there is such a code."""
        return self.metadata.language

    @property
    def site_name(self) -> str | None:
        """Name of the site."""
        return self.metadata.site_name

    @property
    def url(self) -> str | None:
        """URL of the page, as given."""
        return self.page.url

    @property
    def method(self) -> str:
        """Name of the method that chose the blocks."""
        return self.labels.method

    @property
    def confidence(self) -> float:
        """Confidence of the method in the result, from 0 to 1."""
        return self.labels.confidence

    @cached_property
    def kind(self) -> str:
        """Kind of page.

        One of "article", "forum", "product", "listing", "documentation", "service" and "empty".
        """
        if not self.blocks:
            return "empty"
        if self.labels.posts:
            return THREAD_KIND
        if self.labels.kind and not self.labels.kinds:
            return self.labels.kind
        from bonmun.metadata.page_kind import choose_page_kind, predict_page_kind

        if not self.labels.kinds:
            return choose_page_kind({}, self.metadata.fields.get("kind"), self.url)
        return predict_page_kind(self.labels.kinds, self.metadata, self.page, self.blocks)

    @cached_property
    def fingerprint(self) -> str | None:
        """64-bit fingerprint (simhash) of the main text, as 16 hexadecimal digits.

        Similar texts have fingerprints that differ in few bits. None if the text is empty or very short.
        """
        from bonmun.text.fingerprints import find_fingerprint  # loads numpy

        return find_fingerprint("\n".join(block.text for block in self.blocks))

    # --- output formats -----------------------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> Node:
        """The output as a tree of nodes, from which Markdown and HTML are written."""
        return self.build_nodes()

    @cached_property
    def plain_nodes(self) -> Node:
        """The same tree with only the links and images that the options ask for, from which XML is written."""
        return self.nodes if self._is_plain else self.build_plain_nodes()

    @property
    def _is_plain(self) -> bool:
        """Whether the output has only links and images that the options ask for."""
        return (self.has_links, self.has_images) == self._plain_media

    @property
    def _plain_media(self) -> tuple[bool, bool]:
        """Whether the options ask for links and for images, and there is room for them."""
        return self.has_links and bool(self.options.links), self.has_images and bool(self.options.images)

    def build_nodes(self) -> Node:
        """Build a new output tree."""
        from bonmun.outputs.tree import build_tree

        return build_tree(self)

    def build_plain_nodes(self) -> Node:
        """Build a new output tree with only the links and images that the options ask for."""
        from bonmun.outputs.tree import build_tree

        links, images = self._plain_media
        return build_tree(self, links=links, images=images)

    @cached_property
    def tree(self) -> Element:
        """The output as a tree of HTML elements, which can be searched and changed."""
        from bonmun.outputs.nodes import make_element

        return make_element(self.nodes)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """Images of the text, each with caption, credit and size; none if the options leave images out."""
        from bonmun.outputs.mentions import find_images

        return find_images(self)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Links in the text to other pages; none if the options leave links out."""
        from bonmun.outputs.mentions import find_links

        return find_links(self)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Data tables in the output, as rows of texts."""
        from bonmun.outputs.tables.find import find_tables

        return find_tables(self)

    @cached_property
    def text(self) -> str:
        """The main text as plain text, one line per block."""
        return render(self, "text")

    @cached_property
    def markdown(self) -> str:
        """The main text as CommonMark with GFM tables."""
        return render(self, "markdown")

    @cached_property
    def html(self) -> str:
        """The main text as an HTML page."""
        return render(self, "html")

    def render(self, format: str) -> str:  # noqa: A002
        """Return the document in a format: "text", "markdown", "html", "json" or "xml"."""
        return render(self, format)

    def chunks(
        self,
        chunk_words: int | None = None,
        chunk_overlap: int | None = None,
        size: Callable[[str], int] | None = None,
    ) -> list[Chunk]:
        """Split the main text into chunks, for example for a vector database.

        Chunks end before headings, else between paragraphs, else between sentences.

        Args:
            chunk_words: Maximum size of a chunk in words; by default that of the options.
            chunk_overlap: Number of words to repeat from the previous chunk. Chunks that start at a heading have none.
            size: Function that returns the size of a text, to measure chunks in another unit than words:
                `lambda text: len(tokenizer.encode(text))`.
        """
        from bonmun.outputs.chunks.chunking import make_chunks

        words = self.options.chunk_words if chunk_words is None else chunk_words
        overlap = self.options.chunk_overlap if chunk_overlap is None else chunk_overlap
        return make_chunks(self, words, overlap, size)

    def part(self, format: str = "markdown", **options: Any) -> DocumentPart:  # noqa: A002
        """Return a part of the document, for readers with a limit, such as language models.

        Args:
            format: "text" or "markdown".
            options: Fields of `PartOptions`: `max_tokens` or `max_words`, `cursor`, `section`, `outline`.

        Returns:
            The part: `part.text`, and in `part.rest` what follows, with the cursor of the next part.

        Raises:
            MissingPart: If there is no such section, or nothing after the cursor.
        """
        from bonmun.options import PartOptions
        from bonmun.outputs.parts.write import make_part

        return make_part(self, format, PartOptions(**options))

    def sections(self) -> list[DocumentSection]:
        """Return the outline: the sections of the Markdown, each with its title, level, size and cursor."""
        from bonmun.outputs.parts.write import make_sections

        return make_sections(self)

    def summary(self) -> dict[str, Any]:
        """Return everything but blocks, comments, tables and posts as plain values."""
        objects = {"objects": [each.to_dict() for each in self.objects]} if self.options.objects else {}
        return summarise(self) | objects | ({"hint": self.hint} if self.hint else {})

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain values, as the JSON output contains it."""
        blocks = {"blocks": [self.describe_block(block) for block in self.blocks]}
        comments = {"comments": [self.describe_block(block) for block in self.comments]}
        tables = {"tables": [table.to_dict() for table in self.tables]}
        posts = {"posts": describe_posts(self), "thread": describe_thread(self)}
        return self.summary() | blocks | comments | tables | posts

    def describe_block(self, block: KeptBlock) -> dict[str, Any]:
        """Return a block as plain values."""
        return block.to_dict()

    def name_objects(self) -> list[dict[str, Any]]:
        """Return type and name of each object, as every chunk of the document has them."""
        return [{"type": each.type, "name": each.values.get("name")} for each in self.objects]
