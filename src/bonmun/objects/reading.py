"""The input of every finder: the page, what it declares, and its markup as items, read on first use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.objects.markup.attributes import list_types, read_microdata, read_rdfa
from bonmun.objects.markup.json_ld import read_json_ld
from bonmun.objects.markup.microformats import list_microformats, read_microformats
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata import Metadata
    from bonmun.metadata.declared import Declared
    from bonmun.objects.markup.items import Item
    from bonmun.page import Page

__all__ = ["SYNTAXES", "ObjectReading"]

SYNTAXES = ("json_ld", "microdata", "rdfa", "microformats")  # of markup, in the order of trust


@dataclass(eq=False)
class ObjectReading:
    """A page with everything that objects are found from."""

    page: Page
    declared: Declared  # metas, links and JSON-LD; a meta is read with `declared.meta("og:title")`
    metadata: Metadata
    blocks: Sequence[KeptBlock]  # the main text
    kind: str  # kind of page, such as "product"

    @cached_property
    def json_ld(self) -> list[Item]:
        """Items of JSON-LD at any depth, outer ones first."""
        return read_json_ld(self.declared)

    @cached_property
    def microdata(self) -> list[Item]:
        """Items of microdata, in document order."""
        return read_microdata(self.page)

    @cached_property
    def rdfa(self) -> list[Item]:
        """Items of RDFa, in document order."""
        return read_rdfa(self.page)

    @cached_property
    def microformats(self) -> list[Item]:
        """Items of microformats, in document order, with names of schema.org."""
        return read_microformats(self.page)

    @cached_property
    def _types(self) -> dict[str, set[str]]:
        """Types of the items of each syntax. Few pages have the types that are asked for, so others are never read."""
        microdata, rdfa = list_types(self.page)
        return {
            "json_ld": {type_ for item in self.json_ld for type_ in item.types},
            "microdata": microdata,
            "rdfa": rdfa,
            "microformats": list_microformats(self.page),
        }

    def list_items(self, syntax: str, types: Collection[str]) -> list[Item]:
        """Return the items of these types (in lower case) of one of the `SYNTAXES`."""
        if self._types[syntax].isdisjoint(types):
            return []
        items: list[Item] = getattr(self, syntax)
        return [item for item in items if not item.types.isdisjoint(types)]

    def find_items(self, *types: str) -> list[Item]:
        """Return the items of these types (in lower case) from the first syntax that has any."""
        return next((found for syntax in SYNTAXES if (found := self.list_items(syntax, types))), [])
