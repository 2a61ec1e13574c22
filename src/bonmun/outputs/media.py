"""Choose the images and players to write, and the block before which each stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from bonmun.outputs.embeds import EMBED_TAGS
from bonmun.outputs.images import MAX_ROWS_TO_NOSCRIPT, find_image
from bonmun.page.image_names import is_icon

if TYPE_CHECKING:
    from bonmun.outputs.chains import Chains
    from bonmun.outputs.writable import Writable

__all__ = ["AT_END", "find_media"]

AT_END = -1  # instead of the row of a block
CELLS = frozenset({"td", "th"})


def find_media(doc: Writable, chains: Chains, *, images: bool) -> dict[int, list[int]]:
    """Return the images, if wanted, and players before each block, as elements; those after the last one (AT_END).

    They must be figures of the text, between two kept blocks, or in a structure.
    """
    if not images and not doc.has_embeds:
        return {}
    return _MediaFinder(doc, chains, images=images).find()


class _MediaFinder:
    def __init__(self, doc: Writable, chains: Chains, *, images: bool) -> None:
        self.doc = doc
        self.page = doc.page
        self.chains = chains
        self.has_images = images

    def find(self) -> dict[int, list[int]]:
        """Return the images and players before each block."""
        page, kept = self.page, {block.row for block in self.doc.shown}
        hides, doubtful = page.visibility.hides, set()
        places = []
        block = 0
        for row in self.list_media():
            block = bisect_right(page.opened, row, block)
            is_shown = not hides(row) and self.is_between(row, block, kept)
            places.append((row, block, is_shown))
            if not is_shown:
                doubtful.add(row)
        figures = self.find_figures(kept, doubtful) if doubtful and self.has_images else set()
        if doubtful and self.has_images:
            written = figures.union(row for row, _, is_shown in places if is_shown)
            if not written or self.doc.is_likely_product:
                figures |= self.find_titled_image(kept, written)
        rows = sorted(kept)
        found: dict[int, list[int]] = {}
        for row, block, is_shown in places:
            if is_shown or (row in figures and self.is_between(row, block, kept)):
                if page.tags[row] == "img" and is_icon(page, row) and not self.is_named_cell(row):
                    continue
                found.setdefault(block, []).append(row)
            elif row in figures:
                after = bisect_left(rows, block)
                found.setdefault(rows[after] if after < len(rows) else AT_END, []).append(row)
        return found

    def is_named_cell(self, row: int) -> bool:
        """Whether an icon is in a table cell and has a description: the cell may have no other content."""
        chain = self.chains.find(row)
        return bool(chain) and self.chains.tags[chain[-1]] in CELLS and bool(self.page.attr(row, "alt"))

    def list_media(self) -> list[int]:
        """Return the images and players that may be written, as elements."""
        page, left_out = self.page, self.doc.left_out_media
        wanted = ({"img", "noscript"} if self.has_images else set()) | (EMBED_TAGS if self.doc.has_embeds else set())
        rows = sorted(row for tag in wanted for row in page.list_rows(tag) if row not in left_out)
        written = set(page.leaf_elements) if rows else set()  # with emoji and formulas that are images
        found = []
        for row in rows:
            tag = page.tags[row]
            is_copy = tag == "noscript" and (
                "img" in page.tags[max(0, row - MAX_ROWS_TO_NOSCRIPT) : row] or self.is_repeated(row)
            )
            if not is_copy and not (tag == "img" and row in written):
                found.append(row)
        return found

    def is_repeated(self, row: int) -> bool:
        """Whether the image in a <noscript> follows it, to be loaded by a script."""
        page, stop = self.page, row + 1 + MAX_ROWS_TO_NOSCRIPT
        if "img" not in page.tags[row + 1 : stop]:
            return False
        image = page.tags.index("img", row + 1, stop)
        return find_image(page, image, page.base_url) == find_image(page, row, page.base_url)

    def is_between(self, row: int, block: int, kept: set[int]) -> bool:
        """Whether an image or player is between two kept blocks, or before one in a structure."""
        return block in kept and (block - 1 in kept or bool(self.chains.find(row)))

    def find_figures(self, kept: set[int], images: set[int]) -> set[int]:
        """Return the images that belong to the text, or that a rule keeps."""
        from bonmun.page.figures import find_figures
        from bonmun.page.main_images import find_main_image

        page = self.page
        figures = find_figures(page, [row in kept for row in range(len(page.starts))], images=images)
        found = {figure.image for figure in figures} | self.doc.rule_images
        main = find_main_image(page, images - found, max(kept, default=-1))
        return found if main is None else found | {main}

    def find_titled_image(self, kept: set[int], written: set[int]) -> set[int]:
        """Return the image that is described by the title, for a product or a text without images."""
        from bonmun.page.main_images import find_titled_image

        is_product = self.doc.is_likely_product
        found = find_titled_image(self.page, max(kept, default=-1), written, may_be_hidden=is_product)
        return set() if found is None or found in self.doc.left_out_media else {found}
