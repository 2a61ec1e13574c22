"""The records that are found: objects, their fields, and how the field is chosen where sources disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.metadata.scans import fold_text
from bonmun.objects.schemas import OBJECT_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["PAGE", "ObjectField", "OtherValue", "PageObject", "choose_field", "make_object"]

PAGE = "page"  # source of a value that was read from the visible page
# Probability that a value is right, by its source. Markup is written for machines; what is read from the visible page
# is found by signs, and each finder states its own confidence.
CONFIDENCES = {"JSON-LD": 0.95, "microdata": 0.95, "RDFa": 0.9, "microformats": 0.9}
META_CONFIDENCE = 0.85


@dataclass(frozen=True, slots=True)
class OtherValue:
    """A value that another source gives for a field."""

    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class ObjectField:
    """One field of an object.

    Attributes:
        value: A text, number or boolean, or a list or dict of those.
        source: Where it was found: "JSON-LD", "microdata", "RDFa", "microformats", the name of a `<meta>`, or "page".
        confidence: Estimated probability that it is right, from 0 to 1.
        others: Different values from other sources.
    """

    value: Any
    source: str
    confidence: float
    others: tuple[OtherValue, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the field as plain values."""
        others = [{"value": each.value, "source": each.source} for each in self.others]
        plain = {"value": self.value, "source": self.source, "confidence": round(self.confidence, 4)}
        return plain | ({"others": others} if others else {})


@dataclass(frozen=True, slots=True)
class PageObject:
    """A thing that a page is about, such as a recipe. A field that was not found is absent.

    Attributes:
        type: Name of its type at schema.org, such as "Recipe".
        fields: Its fields, by their names at schema.org.
    """

    type: str
    fields: Mapping[str, ObjectField]

    @property
    def values(self) -> dict[str, Any]:
        """The values of all fields, by name."""
        return {name: field.value for name, field in self.fields.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the object as plain values, as the JSON output contains it."""
        return {"type": self.type, "fields": {name: field.to_dict() for name, field in self.fields.items()}}


def choose_field(found: Iterable[tuple[Any, str] | tuple[Any, str, float]]) -> ObjectField | None:
    """Return the first value that is not empty, with the different values of the others.

    Args:
        found: Value and source of each, best first, with a confidence if it is not that of the source. What the reader
            sees comes before markup that disagrees.
    """
    given = [(value, source, *rest) for value, source, *rest in found if value not in (None, "", [], {}, ())]
    if not given:
        return None
    value, source, *rest = given[0]
    confidence = rest[0] if rest else CONFIDENCES.get(source, META_CONFIDENCE)
    if len(given) == 1:  # a list may be long, so it is only compared if there is another
        return ObjectField(value, source, confidence)
    seen, others = {_fold_value(value)}, []
    for other, place, *_ in given[1:]:
        if (folded := _fold_value(other)) not in seen:
            seen.add(folded)
            others.append(OtherValue(other, place))
    return ObjectField(value, source, confidence, tuple(others))


def _fold_value(value: Any) -> str:
    return fold_text(str(value))


def make_object(type_: str, fields: Mapping[str, ObjectField | None]) -> PageObject:
    """Return an object with the fields that were found, in the order of their declaration."""
    names = dict.fromkeys([*OBJECT_FIELDS.get(type_, ()), *fields])
    return PageObject(type_, {name: field for name in names if (field := fields.get(name)) is not None})
