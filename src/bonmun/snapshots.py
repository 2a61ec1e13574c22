"""Rendered pages: the HTML, and the box and style of every element, in one file.

The attribute `data-bonmun` of each element is its row in the columns. The HTML is that after scripts have run; scripts
and style sheets are left out, except JSON, which may contain metadata. A file is a zip archive of arrays; the first,
`snapshot`, contains JSON. Files may come from anywhere, so everything in them is checked.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.bounds import MAX_ELEMENTS, MAX_URL_CHARS
from bonmun.errors import BadSnapshot, MissingInput
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "MAX_NOTE_CHARS",
    "ROW_ATTRIBUTE",
    "SNAPSHOT_SUFFIX",
    "Look",
    "Snapshot",
    "is_snapshot",
    "load_snapshot",
    "make_snapshot",
    "make_stem",
    "pack_snapshot",
    "read_snapshot",
    "save_snapshot",
]

SNAPSHOT_SUFFIX = ".snapshot"  # file name suffix
ROW_ATTRIBUTE = "data-bonmun"  # attribute with the row of an element
VERSION = 1
ZIP_START, FIRST_NAME = b"PK\x03\x04", b"snapshot.npy"
NAME_OFFSET = 30  # offset of the file name in a zip header, in bytes
UNITS_PER_PIXEL = 10.0  # boxes are stored in tenths of a pixel
MAX_PIXELS = 1e8  # pixels from the origin of the page; larger values are clipped
MAX_LOOKS = 100_000
MAX_VALUE_CHARS = 100  # CSS value
MAX_NOTE_CHARS = 2_000
MAX_STEM_CHARS = 100  # file name
COLOUR = re.compile(r"rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([0-9.]{1,8}))?\)")
COLUMNS = ("left", "top", "width", "height", "visible", "hidden", "children", "styles")


class Look(NamedTuple):
    """The computed style of an element."""

    display: str
    position: str
    font_size: float  # pixels
    font_weight: float
    colour: str
    background: str  # its own, or that of the nearest ancestor with an opaque one

    @property
    def contrast(self) -> float:
        """Contrast ratio of the text, from 1 (none) to 21 (black on white), as WCAG 2 defines it."""
        ours, theirs = sorted((_find_luminance(self.colour), _find_luminance(self.background)))
        return (theirs + 0.05) / (ours + 0.05)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A page as rendered by a browser. Lengths are in pixels; the origin is the top left corner of the page.

    Attributes:
        html: HTML of the page after its scripts have run.
        url: URL of the page.
        viewport: Width and height of the window.
        page_size: Width and height of the whole page.
        left: Left edge of each element. This and the next seven attributes are numpy arrays with a row per element.
        top: Top edge of each element.
        width: Width of each element.
        height: Height of each element.
        visible: Whether each element has a box, as jQuery's `:visible`; other elements may cover it.
        hidden: Whether an element is hidden by `display: none`, on it or an ancestor, or by `visibility: hidden`.
        children: Number of child nodes of each element.
        styles: Row of each element in `looks`; -1 for elements without a box.
        looks: The different computed styles.
        taken: Time of rendering, such as 2026-03-04T09:00:00Z.
        browser: Name and version of the browser.
        problem: Why the scripts of the page did not finish, or None.
        note: What did not go as asked, such as a selector that matched nothing, or why the page stayed empty, or None.
        cut: Whether the page has more elements than the snapshot.
    """

    html: str
    url: str | None
    viewport: tuple[float, float]
    page_size: tuple[float, float]
    left: Any
    top: Any
    width: Any
    height: Any
    visible: Any
    hidden: Any
    children: Any
    styles: Any
    looks: Sequence[Look]
    taken: str | None = None
    browser: str | None = None
    problem: str | None = None
    cut: bool = False
    note: str | None = None

    def __repr__(self) -> str:
        return f"<Snapshot {self.url or 'without URL'}: {len(self.left)} elements>"

    @cached_property
    def contrasts(self) -> Any:
        """Contrast ratio of each look."""
        return np.array([look.contrast for look in self.looks], np.float32)


def make_stem(name: str) -> str:
    """Return a safe file name, without suffix, for the snapshot of a page with a name or an id.

    A name that had to be changed gets a checksum, so that different names stay different.
    """
    plain = "-".join(re.findall(r"[\w.-]+", name)).strip(".-")[:MAX_STEM_CHARS]
    return plain if plain == name else f"{plain}-{zlib.crc32(name.encode('utf-8', 'replace')):08x}"


def is_snapshot(data: bytes) -> bool:
    """Return whether bytes are a snapshot file, judged by their start."""
    return data.startswith(ZIP_START) and data[NAME_OFFSET : NAME_OFFSET + len(FIRST_NAME)] == FIRST_NAME


def save_snapshot(snapshot: Snapshot, path: str | Path) -> None:
    """Write a snapshot to a file, atomically."""
    save_arrays(path, _to_arrays(snapshot))


def pack_snapshot(snapshot: Snapshot) -> bytes:
    """Return a snapshot as the bytes of its file."""
    file = io.BytesIO()
    np.savez_compressed(file, **_to_arrays(snapshot))
    return file.getvalue()


def _to_arrays(snapshot: Snapshot) -> dict[str, Any]:
    head = {
        "version": VERSION,
        "url": snapshot.url,
        "viewport": snapshot.viewport,
        "page": snapshot.page_size,
        "looks": [list(look) for look in snapshot.looks],
        "taken": snapshot.taken,
        "browser": snapshot.browser,
        "problem": snapshot.problem,
        "cut": snapshot.cut,
        "note": snapshot.note,
    }
    boxes = {
        name: np.round(np.clip(getattr(snapshot, name), -MAX_PIXELS, MAX_PIXELS) * UNITS_PER_PIXEL).astype(np.int32)
        for name in ("left", "top", "width", "height")
    }
    return {
        "snapshot": np.frombuffer(json.dumps(head).encode(), np.uint8),
        "html": np.frombuffer(snapshot.html.encode("utf-8", "replace"), np.uint8),
        **boxes,
        "visible": np.asarray(snapshot.visible, bool),
        "hidden": np.asarray(snapshot.hidden, bool),
        "children": np.asarray(snapshot.children, np.int32),
        "styles": np.asarray(snapshot.styles, np.int32),
    }


def load_snapshot(path: str | Path) -> Snapshot:
    """Read a snapshot from a file."""
    try:
        data = Path(path).read_bytes()
    except OSError as exc:
        raise MissingInput(f"Cannot read {str(path)!r}: {exc.strerror or exc}.") from exc
    return read_snapshot(data)


def read_snapshot(data: bytes) -> Snapshot:
    """Read a snapshot from the bytes of its file; raises BadSnapshot if they are damaged or from another version."""
    try:
        arrays = load_arrays(io.BytesIO(data))
        head = read_json(arrays["snapshot"])
        if head["version"] != VERSION:
            raise BadSnapshot(
                f"The snapshot has version {head['version']!r}, not {VERSION}; make it again with `bonmun render`."
            )
        return make_snapshot(head, arrays["html"].tobytes().decode("utf-8", "replace"), arrays)
    except READ_ERRORS as exc:
        raise BadSnapshot("The snapshot is damaged or not a snapshot; make it again with `bonmun render`.") from exc


def make_snapshot(head: dict[str, Any], html: str, columns: dict[str, Any]) -> Snapshot:
    """Make a snapshot from what a browser or a file provides; raises one of READ_ERRORS if it is inconsistent."""
    found = {name: np.asarray(columns[name]) for name in COLUMNS}
    size = len(found["left"])
    if size > MAX_ELEMENTS or any(array.shape != (size,) or array.dtype.kind not in "bi" for array in found.values()):
        raise ValueError("columns must be arrays of numbers of the same length")
    looks = [_read_look(row) for row in head["looks"][:MAX_LOOKS]]
    styles = found["styles"].astype(np.int32)
    if size and not (styles.min() >= -1 and styles.max() < len(looks)):
        raise ValueError("styles refer to a look that does not exist")
    boxes = {
        name: np.clip(found[name] / UNITS_PER_PIXEL, -MAX_PIXELS, MAX_PIXELS).astype(np.float32)
        for name in ("left", "top", "width", "height")
    }
    return Snapshot(
        html=html,
        url=_read_text(head.get("url"), MAX_URL_CHARS),
        viewport=_read_size(head["viewport"]),
        page_size=_read_size(head["page"]),
        **boxes,
        visible=found["visible"].astype(bool),
        hidden=found["hidden"].astype(bool),
        children=found["children"].astype(np.int32),
        styles=styles,
        looks=looks,
        taken=_read_text(head.get("taken"), MAX_VALUE_CHARS),
        browser=_read_text(head.get("browser"), MAX_VALUE_CHARS),
        problem=_read_text(head.get("problem"), MAX_VALUE_CHARS),
        cut=bool(head.get("cut")),
        note=_read_text(head.get("note"), MAX_NOTE_CHARS),
    )


def _read_look(row: list[Any]) -> Look:
    display, position, size, weight, colour, background = row
    names = (str(value)[:MAX_VALUE_CHARS] for value in (display, position, colour, background))
    display, position, colour, background = names
    return Look(display, position, float(size), float(weight), colour, background)


def _read_text(value: object, limit: int) -> str | None:
    return value if isinstance(value, str) and len(value) <= limit else None


def _read_size(value: Sequence[Any]) -> tuple[float, float]:
    width, height = (min(max(float(each), 0.0), 1e9) for each in value)
    return width, height


def _find_luminance(colour: str) -> float:
    """Return the relative luminance of a CSS colour on white; 0.5 for unknown notations."""
    found = COLOUR.fullmatch(colour)
    if not found:
        return 0.5
    alpha = min(float(found[4]), 1.0) if found[4] and found[4].count(".") <= 1 and found[4] != "." else 1.0
    linear = []
    for channel in found.group(1, 2, 3):
        value = min(int(channel), 255) / 255 * alpha + 1 - alpha
        linear.append(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
