"""A page as a browser laid it out: its HTML, and for every element its box and its look; one file that holds both.

In the HTML every element has a number (the attribute `data-bonmun`), which is its row in the columns. Scripts and style
sheets have done their work and are left out, but for JSON, which has facts. A file is a zip of arrays that starts with
the array `snapshot`, which holds JSON; it may come from anywhere, so all of it is checked.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.bounds import MAX_ELEMENTS, MAX_URL_CHARS
from bonmun.errors import BadSnapshot, MissingInput
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
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

SNAPSHOT_SUFFIX = ".snapshot"  # of a file
ROW_ATTRIBUTE = "data-bonmun"  # the attribute that holds an element's row
VERSION = 1
ZIP_START, FIRST_NAME = b"PK\x03\x04", b"snapshot.npy"
NAME_AT = 30  # bytes of a zip's header before the name
TENTHS = 10.0  # boxes are kept in tenths of a pixel
FARTHEST = 1e8  # pixels from the start of the page; what is said to be farther away is there
LOOKS = 100_000
NAME_CHARS = 100  # of a value of CSS
STEM_CHARS = 100  # of a file's name
COLOUR = re.compile(r"rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([0-9.]{1,8}))?\)")
COLUMNS = ("left", "top", "width", "height", "visible", "hidden", "children", "styles")


class Look(NamedTuple):
    """How an element is shown."""

    display: str
    position: str
    font_size: float  # pixels
    font_weight: float
    colour: str
    background: str  # its own, or what shines through

    @property
    def contrast(self) -> float:
        """How well text stands out, from 1 (not at all) to 21 (black on white), as WCAG 2 has it."""
        ours, theirs = sorted((_find_luminance(self.colour), _find_luminance(self.background)))
        return (theirs + 0.05) / (ours + 0.05)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One rendered page; lengths are pixels of the page, whose first screen starts at 0, 0."""

    html: str
    url: str | None
    viewport: tuple[float, float]  # width, height of the window
    page_size: tuple[float, float]  # width, height of all there is to scroll
    left: Any  # numpy columns, a row an element
    top: Any
    width: Any
    height: Any
    visible: Any  # jQuery's :visible: it has a box, though something may cover it
    hidden: Any  # the browser shows nothing of it: `display: none` on it or around it, or `visibility: hidden`
    children: Any  # how many nodes stand directly in it
    styles: Any  # its row in `looks`; -1 for what has no box
    looks: Sequence[Look]
    taken: str | None = None  # when: 2026-03-04T09:00:00Z
    browser: str | None = None  # its name and version
    problem: str | None = None  # why the page's scripts were not run to their end, if they were not
    cut: bool = False  # whether the page has more elements than are kept

    def __repr__(self) -> str:
        return f"<Snapshot {self.url or 'without URL'}: {len(self.left)} elements>"

    @cached_property
    def contrasts(self) -> Any:
        """The contrast of each look."""
        return np.array([look.contrast for look in self.looks], np.float32)


def make_stem(name: str) -> str:
    """A plain file name, without ending, for the snapshot of a page that has a name or an id.

    One that had to be changed ends in a number of its own, so that no two are the same.
    """
    plain = "-".join(re.findall(r"[\w.-]+", name)).strip(".-")[:STEM_CHARS]
    return plain if plain == name else f"{plain}-{zlib.crc32(name.encode('utf-8', 'replace')):08x}"


def is_snapshot(data: bytes) -> bool:
    """Whether bytes are a snapshot's, by their start."""
    return data.startswith(ZIP_START) and data[NAME_AT : NAME_AT + len(FIRST_NAME)] == FIRST_NAME


def save_snapshot(snapshot: Snapshot, path: str | Path) -> None:
    """Write a snapshot; the file appears when it is whole."""
    save_arrays(path, _to_arrays(snapshot))


def pack_snapshot(snapshot: Snapshot) -> bytes:
    """The bytes of a snapshot's file."""
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
    }
    boxes = {
        name: np.round(np.clip(getattr(snapshot, name), -FARTHEST, FARTHEST) * TENTHS).astype(np.int32)
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
    """Read a snapshot's file."""
    try:
        data = Path(path).read_bytes()
    except OSError as exc:
        raise MissingInput(f"{path}: there is no such file, or it cannot be read: {exc.strerror or exc}.") from exc
    return read_snapshot(data)


def read_snapshot(data: bytes) -> Snapshot:
    """Read the bytes of a snapshot's file; BadSnapshot says that they are none, or of another version."""
    try:
        arrays = load_arrays(io.BytesIO(data))
        head = read_json(arrays["snapshot"])
        if head["version"] != VERSION:
            raise BadSnapshot(
                f"The snapshot is of version {head['version']!r}, not {VERSION}: make it anew with `bonmun render`."
            )
        return make_snapshot(head, arrays["html"].tobytes().decode("utf-8", "replace"), arrays)
    except READ_ERRORS as exc:
        raise BadSnapshot("The snapshot is damaged, or something else: make it anew with `bonmun render`.") from exc


def make_snapshot(head: dict[str, Any], html: str, columns: dict[str, Any]) -> Snapshot:
    """A snapshot of what a browser or a file says; raises one of READ_ERRORS where that does not go together."""
    found = {name: np.asarray(columns[name]) for name in COLUMNS}
    size = len(found["left"])
    if size > MAX_ELEMENTS or any(array.shape != (size,) or array.dtype.kind not in "bi" for array in found.values()):
        raise ValueError("columns of different lengths, or not of numbers")
    looks = [_read_look(row) for row in head["looks"][:LOOKS]]
    styles = found["styles"].astype(np.int32)
    if size and not (styles.min() >= -1 and styles.max() < len(looks)):
        raise ValueError("a look that is not there")
    boxes = {
        name: np.clip(found[name] / TENTHS, -FARTHEST, FARTHEST).astype(np.float32)
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
        taken=_read_text(head.get("taken"), NAME_CHARS),
        browser=_read_text(head.get("browser"), NAME_CHARS),
        problem=_read_text(head.get("problem"), NAME_CHARS),
        cut=bool(head.get("cut")),
    )


def _read_look(row: list[Any]) -> Look:
    display, position, size, weight, colour, background = row
    names = (str(value)[:NAME_CHARS] for value in (display, position, colour, background))
    display, position, colour, background = names
    return Look(display, position, float(size), float(weight), colour, background)


def _read_text(value: object, limit: int) -> str | None:
    return value if isinstance(value, str) and len(value) <= limit else None


def _read_size(value: Sequence[Any]) -> tuple[float, float]:
    width, height = (min(max(float(each), 0.0), 1e9) for each in value)
    return width, height


def _find_luminance(colour: str) -> float:
    """The relative luminance of a colour as browsers write it; what shines through is white; 0.5 for other ways."""
    found = COLOUR.fullmatch(colour)
    if not found:
        return 0.5
    alpha = min(float(found[4]), 1.0) if found[4] and found[4].count(".") <= 1 and found[4] != "." else 1.0
    linear = []
    for channel in found.group(1, 2, 3):
        value = min(int(channel), 255) / 255 * alpha + 1 - alpha
        linear.append(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
