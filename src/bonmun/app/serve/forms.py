"""Read forms: the page as an uploaded file or as the field `html`, and parameters as the other fields.

`curl --data-binary @page.html` declares any file as a form, so a body that starts like a page is a page.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote_plus, unquote_to_bytes

from bonmun.errors import BadConfig, BadInput

__all__ = ["FORM_TYPES", "read_form"]

URL_ENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
FORM_TYPES = frozenset({URL_ENCODED, MULTIPART})
PAGE_FIELD = "html"
MAX_FIELDS = 100
MAX_BOUNDARY_CHARS = 70  # RFC 2046
MAX_VALUE_BYTES = 10_000  # of a parameter
BROKEN = "The form is not valid multipart/form-data: check its boundary."


class _FormField(NamedTuple):
    """A field of a form."""

    name: str
    value: bytes
    is_file: bool = False


def read_form(content_type: str, body: bytes) -> tuple[str, bytes]:
    """Return the parameters of a form as a query string, and its page, which is empty if the form has none."""
    kind, _, parameters = content_type.partition(";")
    if kind.strip().lower() == MULTIPART:
        fields = _split_multipart(body, _find_boundary(parameters))
    elif _is_page(body):
        return "", body
    else:
        fields = _split_pairs(body)
    pages = [field.value for field in fields if field.is_file or field.name == PAGE_FIELD]
    pages = [page for page in pages if page] or pages[:1]  # browsers send an empty file if none is chosen
    if len(pages) > 1:
        raise BadConfig("The form has several pages: send one file, or the field `html`.")
    values = [field for field in fields if not field.is_file and field.name != PAGE_FIELD and field.value]
    if any(len(field.value) > MAX_VALUE_BYTES for field in values):
        raise BadConfig(f"A field of the form has more than {MAX_VALUE_BYTES:,} bytes; send the page as `html`.")
    query = "&".join(f"{quote_plus(field.name)}={quote_plus(field.value)}" for field in values)
    return query, pages[0] if pages else b""


def _is_page(body: bytes) -> bool:
    """Whether a body declared as a form is a page: it starts with a tag, or a byte order mark."""
    return body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or body.startswith((b"\xff\xfe", b"\xfe\xff"))


def _split_pairs(body: bytes) -> list[_FormField]:
    pairs = body.split(b"&", MAX_FIELDS)
    if len(pairs) > MAX_FIELDS:
        raise BadConfig(f"The form has more than {MAX_FIELDS} fields.")
    fields = []
    for pair in filter(None, pairs):
        name, equals, value = pair.replace(b"+", b" ").partition(b"=")
        if not equals:
            raise BadInput(
                "The body is neither a page nor a form: send the page with `Content-Type: text/html`, or as `html=…`."
            )
        fields.append(_FormField(unquote_to_bytes(name).decode("utf-8", "replace"), unquote_to_bytes(value)))
    return fields


def _find_boundary(parameters: str) -> bytes:
    for part in parameters.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "boundary":
            found = value.strip().strip('"')
            if found and len(found) <= MAX_BOUNDARY_CHARS and found.isascii():
                return b"--" + found.encode()
    raise BadInput(BROKEN)


def _split_multipart(body: bytes, boundary: bytes) -> list[_FormField]:
    """Return the fields of a form. Parts within parts are not read; they are the value of a field."""
    _, *parts = (b"\r\n" + body).split(b"\r\n" + boundary, MAX_FIELDS + 2)
    if not parts or not parts[-1].startswith(b"--"):
        raise BadConfig(f"The form has more than {MAX_FIELDS} fields.") if len(parts) > MAX_FIELDS else BadInput(BROKEN)
    fields = []
    for part in parts[:-1]:
        head, blank, value = part.partition(b"\r\n\r\n")
        names = _read_disposition(head)
        if not blank or "name" not in names:
            raise BadInput(BROKEN)
        fields.append(_FormField(names["name"], value, "filename" in names))
    return fields


def _read_disposition(head: bytes) -> dict[str, str]:
    """Return the parameters of the Content-Disposition header of a part."""
    for line in head.decode("utf-8", "replace").split("\r\n"):
        header, _, value = line.partition(":")
        if header.strip().lower() == "content-disposition":
            pairs = (piece.partition("=") for piece in value.split(";")[1:])
            return {name.strip().lower().rstrip("*"): text.strip().strip('"') for name, _, text in pairs}
    return {}
