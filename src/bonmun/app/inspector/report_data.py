"""The data of a page of a report as a small script: each text is stored once, and everything is compressed.

static/core/report_data.js reads it. A page that is still too large loses its styles and images, then the results of the
methods that it is compared with, then the Markdown.
"""

from __future__ import annotations

import base64
import gzip
import re
from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.jobs import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["MAX_SCRIPT_BYTES", "write_page_script"]

MAX_SCRIPT_BYTES = 190_000  # with its HTML, a page takes at most 200 kB
MIN_SHARED_CHARS = 4  # shorter texts are not replaced by the number of a block
PAGE_STYLE = re.compile(r'<style class="bm-page"[^>]*>[^<]*</style>')
IMAGE_DATA = re.compile(r"data:image/[^\"')<]*")

PageData = dict[str, Any]


def write_page_script(page: PageData) -> str | None:
    """Return a script with the data of a page; None if it is too large for a report."""
    script = _compress(page)
    for shorten in SHORTEN:
        if len(script) <= MAX_SCRIPT_BYTES:
            break
        page = shorten(page)
        script = _compress(page | {"page": page["page"] | {"shortened": True}})
    return script if len(script) <= MAX_SCRIPT_BYTES else None


def _compress(page: PageData) -> str:
    packed = gzip.compress(write_json(_share_texts(page)), mtime=0)
    return f'globalThis.bonmunPage = "{base64.b64encode(packed).decode("ascii")}";\n'


def _share_texts(page: PageData) -> PageData:
    """Return the data with blocks as columns; a leaf or line of output that equals a block is the block's number."""
    opened, answers = page["page"], page["answers"]
    blocks: list[dict[str, Any]] = opened["blocks"]
    known: dict[str, int] = {}
    for row, block in enumerate(blocks):
        if len(block["text"]) >= MIN_SHARED_CHARS:
            known.setdefault(block["text"], row)

    def share(texts: Iterable[str]) -> list[str | int]:
        return [known.get(text, text) for text in texts]

    columns = {name: [block[name] for block in blocks] for name in (blocks[0] if blocks else ())}
    leaves = opened["leaves"] | {"texts": share(opened["leaves"]["texts"])}
    return page | {
        "page": opened | {"blocks": columns, "leaves": leaves},
        "answers": {
            method: answer | {"outputs": {name: share(text.split("\n")) for name, text in answer["outputs"].items()}}
            for method, answer in answers.items()
        },
    }


def _drop_styles(page: PageData) -> PageData:
    """Leave out the page's own style sheets and the images inside it."""
    frame = IMAGE_DATA.sub("data:", PAGE_STYLE.sub("", page["page"]["frame"]))
    return page | {"page": page["page"] | {"frame": frame}}


def _drop_other_results(page: PageData) -> PageData:
    """Leave out the outputs of all methods but the first."""
    first = next(iter(page["answers"]))
    answers = {name: each if name == first else each | {"outputs": {}} for name, each in page["answers"].items()}
    return page | {"answers": answers}


def _drop_markdown(page: PageData) -> PageData:
    """Leave out the Markdown."""
    answers = {
        name: each | {"outputs": {kind: text for kind, text in each["outputs"].items() if kind != "markdown"}}
        for name, each in page["answers"].items()
    }
    return page | {"answers": answers}


SHORTEN: tuple[Callable[[PageData], PageData], ...] = (_drop_styles, _drop_other_results, _drop_markdown)
