"""Typed records of what a page is about: recipes, products, events and more, with the names of schema.org.

markup/ reads what the page declares (JSON-LD, microdata, RDFa, microformats, metas) into `Item`s. One module for each
type turns items and the visible page into `PageObject`s; find.py lists these modules.
"""

from __future__ import annotations

from bonmun.objects.find import find_objects
from bonmun.objects.records import ObjectField, OtherValue, PageObject

__all__ = ["ObjectField", "OtherValue", "PageObject", "find_objects"]
