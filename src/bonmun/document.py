"""What the user gets: the kept blocks in order, the title and other facts, and every rendering of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

from bonmun.capacity import count_fitting, has_room_for_images, has_room_for_links
from bonmun.kept import KeptBlock, choose_blocks, mark_notes
from bonmun.outputs import DEFAULT_WORDS, render
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Callable

    from turbohtml import Element

    from bonmun.labels import Labels
    from bonmun.metadata import Metadata
    from bonmun.metadata.posts import Post
    from bonmun.options import Options
    from bonmun.outputs.chunks.chunking import Chunk
    from bonmun.outputs.nodes import Node
    from bonmun.outputs.tables.record import Table
    from bonmun.page import Page

__all__ = ["Document", "KeptBlock"]

# Facts that only the page can say, and that JSON says as they are.
DECLARED_FIELDS = tuple(
    "modified image canonical publisher licence favicon categories feeds paywall reading_minutes".split()
)
THREAD_KIND = "forum"  # of pages whose posts JSON tells: to look for them takes a quarter as long as to extract


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """The main text of a page, with its facts; nothing in it changes after it is made.

    >>> import bonmun
    >>> doc = bonmun.extract("<title>T</title><p>Some words that are long enough to be read as a paragraph.</p>")
    >>> doc.text
    'Some words that are long enough to be read as a paragraph.'
    """

    page: Page
    labels: Labels
    options: Options
    timings: dict[str, float] = field(default_factory=dict)  # milliseconds a stage

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {self.kind}, {len(self.blocks)} blocks, confidence {self.confidence:.2f}>"

    @cached_property
    def _chosen(self) -> tuple[tuple[KeptBlock, ...], tuple[KeptBlock, ...], bool, frozenset[int]]:
        """The kept blocks and the comments that there is room for, whether there are more, and references to notes."""
        kept = self.labels.kept
        blocks = choose_blocks(self.page, self.labels, list(compress(range(len(kept)), kept)))
        comments = choose_blocks(self.page, self.labels, sorted(self.labels.comments))
        fitting = count_fitting(self.page, blocks + comments)
        is_cut = self.page.cut or fitting < len(blocks) + len(comments)
        comments = comments[: max(0, fitting - len(blocks))]
        blocks, references = mark_notes(self.page, blocks[:fitting])
        return tuple(blocks), tuple(comments), is_cut, references

    @property
    def blocks(self) -> tuple[KeptBlock, ...]:
        """The kept blocks, in document order, but that notes come last."""
        return self._chosen[0]

    @property
    def comments(self) -> tuple[KeptBlock, ...]:
        """The readers' comments, which are never part of the main text."""
        return self._chosen[1]

    @property
    def references(self) -> frozenset[int]:
        """The leaves that refer to a note."""
        return self._chosen[3]

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread that the kept blocks belong to, with who wrote them and when; else none."""
        from bonmun.metadata.posts import find_posts

        return find_posts(self.page, self.blocks)

    @cached_property
    def comment_posts(self) -> tuple[Post, ...]:
        """The same of the readers' comments."""
        from bonmun.metadata.posts import find_posts

        return find_posts(self.page, self.comments)

    @cached_property
    def has_links(self) -> bool:
        """Whether the renderings carry links: they are asked for, and there is room for them."""
        return self.options.links and has_room_for_links(self.page, self.shown)

    @cached_property
    def has_images(self) -> bool:
        """Whether the renderings carry images: they are asked for, and there is room for them."""
        return self.options.images and has_room_for_images(self.page)

    @cached_property
    def has_embeds(self) -> bool:
        """Whether the renderings carry what the page embeds: it is asked for, and there is room for it."""
        return self.options.embeds and has_room_for_images(self.page)

    @property
    def cut(self) -> bool:
        """Whether blocks at the end, links or images were left out: where a page breaks bounds (see bounds.py)."""
        written = (self.has_links, self.has_images, self.has_embeds)
        return self._chosen[2] or written != (self.options.links, self.options.images, self.options.embeds)

    @property
    def shown(self) -> tuple[KeptBlock, ...]:
        """What the renderings show: the kept blocks, and the comments if `Options.comments` asks for them."""
        return self.blocks + self.comments if self.options.comments else self.blocks

    # --- facts --------------------------------------------------------------------------------------------------

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date and the like."""
        from bonmun.metadata import read_metadata  # which takes longer to load than all that a text needs

        return read_metadata(self.page, self.text, self.labels, self.options.crawled or self.page.saved)

    @property
    def title(self) -> str | None:
        """The headline: as the method found it, if it looks for one, else as the page declares it."""
        return tidy_metadata(self.labels.title or "") or self.metadata.title

    @property
    def author(self) -> str | None:
        """Who wrote it."""
        return self.metadata.author

    @property
    def date(self) -> str | None:
        """When it was published: YYYY-MM-DD."""
        return self.metadata.date

    @property
    def language(self) -> str | None:
        """The language of the text, as an ISO 639 code: two letters where there are any."""
        return self.metadata.language

    @property
    def site_name(self) -> str | None:
        """What the site calls itself."""
        return self.metadata.site_name

    @property
    def url(self) -> str | None:
        """Where the page came from, as given."""
        return self.page.url

    @property
    def method(self) -> str:
        """The name of the method that chose the blocks."""
        return self.labels.method

    @property
    def confidence(self) -> float:
        """How sure the method is, 0 to 1."""
        return self.labels.confidence

    @cached_property
    def kind(self) -> str:
        """What kind of page it is: "article", "listing", …; "empty" when there is nothing to read.

        All kinds: article, forum, product, listing, collection, documentation, service, empty.
        """
        if not self.blocks:
            return "empty"
        if self.labels.kind and not self.labels.kinds:
            return self.labels.kind
        from bonmun.metadata.page_kind import choose_page_kind

        return choose_page_kind(self.labels.kinds, self.metadata.fields.get("kind"), self.url)

    @cached_property
    def fingerprint(self) -> str | None:
        """Sixty-four bits of the main text, as 16 hexadecimal digits: texts that say nearly the same differ in few.

        None for a text that is empty or very short.
        """
        from bonmun.text.fingerprints import find_fingerprint  # which loads numpy

        return find_fingerprint("\n".join(block.text for block in self.blocks))

    # --- renderings ---------------------------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> Node:
        """What is shown as a small tree, from which Markdown, HTML and XML are written."""
        from bonmun.outputs.tree import build_tree

        return build_tree(self)

    @cached_property
    def tree(self) -> Element:
        """The same as a tree of HTML elements, to search and to change."""
        from bonmun.outputs.nodes import make_element

        return make_element(self.nodes)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The data tables of what is shown, as rows of texts."""
        from bonmun.outputs.tables.find import find_tables

        return find_tables(self)

    @cached_property
    def text(self) -> str:
        """The main text, a line a block."""
        return render(self, "text")

    @cached_property
    def markdown(self) -> str:
        """The main text as CommonMark with GFM tables."""
        return render(self, "markdown")

    def to_markdown(self, *, front_matter: bool = False, posts: bool = False) -> str:
        """The main text as Markdown, if wanted under the facts as YAML, and with who wrote each post of a thread."""
        markdown = self._write_posts() if posts else self.markdown
        if not front_matter:
            return markdown
        from bonmun.outputs.front_matter import write_front_matter

        return f"{write_front_matter(self)}\n{markdown}"

    def _write_posts(self) -> str:
        """Markdown with a line over each post, and over each comment if comments are shown: its author and date."""
        heads = {self.blocks[post.blocks[0]].row: (post.author, post.date) for post in self.posts}
        if self.options.comments:
            said = ((self.comments[post.blocks[0]], post) for post in self.comment_posts)
            heads |= {block.row: (post.author, post.date) for block, post in said}
        heads = {row: head for row, head in heads.items() if any(head)}
        if not heads:
            return self.markdown
        from bonmun.outputs.markdown.writer import write_tree
        from bonmun.outputs.tree import build_tree

        return write_tree(build_tree(self, heads), as_html=self.options.tables == "html")

    @cached_property
    def html(self) -> str:
        """The main text as a clean HTML page."""
        return render(self, "html")

    def render(self, format: str) -> str:  # noqa: A002
        """The document as "text", "markdown", "html", "json" or "xml"."""
        return render(self, format)

    def chunks(
        self, max_words: int = DEFAULT_WORDS, overlap: int = 0, size: Callable[[str], int] | None = None
    ) -> list[Chunk]:
        """The main text in parts of at most so many words, cut at headings, then between paragraphs, then sentences.

        With `overlap`, each chunk but those at headings begins with up to so many words of the one before. `size` says
        how large a text is, if words are not what matters: such as `lambda text: len(tokenizer.encode(text))`.
        """
        from bonmun.outputs.chunks.chunking import make_chunks

        return make_chunks(self, max_words, overlap, size)

    def summary(self) -> dict[str, Any]:
        """What the document says as a whole, as plain values: all but its blocks and tables."""
        return {
            "url": self.url,
            "title": self.title,
            "author": self.author,
            "date": self.date,
            "language": self.language,
            "site_name": self.site_name,
            "description": self.metadata.description,
            "facts": {name: asdict(fact) for name, fact in self.metadata.fields.items()},
            "tags": list(self.metadata.tags),
            **self._list_declared(),
            "kind": self.kind,
            "method": self.method,
            "confidence": round(self.confidence, 4),
            "encoding": self.page.encoding,
            "text": self.text,
            "markdown": self.markdown,
            "cut": self.cut,
            "fingerprint": self.fingerprint,
        }

    def _list_declared(self) -> dict[str, Any]:
        """What the page declares beside the facts that every document has; lists in place of tuples."""
        values = {name: getattr(self.metadata, name) for name in DECLARED_FIELDS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def to_dict(self) -> dict[str, Any]:
        """Everything the document says, as plain values: what the JSON rendering holds."""
        blocks = {"blocks": [block.to_dict() for block in self.blocks]}
        comments = {"comments": [block.to_dict() for block in self.comments]}
        tables = {"tables": [table.to_dict() for table in self.tables]}
        return self.summary() | blocks | comments | tables | {"posts": self.list_posts()}

    def list_posts(self) -> list[dict[str, Any]]:
        """What JSON says of the posts of a forum's page; their texts are those of the blocks."""
        posts = self.posts if self.kind == THREAD_KIND else ()
        return [{name: value for name, value in post.to_dict().items() if name != "text"} for post in posts]
