"""Make file names of URLs that are safe on every system, and readable.

https://docs.example/library/os.html      →  docs.example/library/os.md
https://docs.example/library/             →  docs.example/library/index.md
https://docs.example/view.php?id=3&p=%2e  →  docs.example/view.php-id-3-p.md
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from urllib.parse import unquote, urlsplit

__all__ = ["MAX_PATH_CHARS", "make_key", "make_path"]

MAX_NAME_BYTES = 100  # of a file or folder; most systems allow 255
MAX_PATH_CHARS = 180  # Windows allows 260, with the folder that the path is in
PAGE_EXTENSION = re.compile(r"\.x?html?\Z", re.I)
RESERVED = frozenset("con prn aux nul conin$ conout$".split()) | {  # on Windows, with any extension
    f"{device}{number}" for device in ("com", "lpt") for number in "0123456789¹²³"
}
OWN_EXTENSIONS = (".md", ".txt", ".part")  # of the files that are written here; a folder must not take their names
INDEX = "index"
HASH_CHARS = (8, 16, 64)  # of the hash that makes a name unique; more of it if someone has made names that collide


def make_path(url: str, attempt: int = 0) -> str:
    """Return the path of the Markdown file of a URL. With an `attempt` from 1, a hash makes the path unique."""
    parts = urlsplit(url)
    *folders, name = parts.path.split("/")[1:] or [""]
    name = PAGE_EXTENSION.sub("", unquote(name))
    query = unquote(parts.query)
    name = _clean(f"{name}-{query}" if query else name) or INDEX
    path = "/".join([_name_folder(parts.netloc), *(_name_folder(unquote(each)) for each in folders if each)])
    digest = sha256(url.encode("utf-8", "replace")).hexdigest()
    is_long = len(path) + len(name) > MAX_PATH_CHARS
    if is_long:
        path = _name_folder(parts.netloc)
    if is_long or attempt:
        name = f"{_cut(name, MAX_NAME_BYTES // 2)}-{digest[: HASH_CHARS[max(attempt - 1, 0)]]}"
    return f"{path}/{name}.md"


def make_key(path: str) -> str:
    """Return what two paths have in common if some system takes them for the same file."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def _name_folder(text: str) -> str:
    name = _clean(text) or "_"
    return f"{name}_" if name.casefold().endswith(OWN_EXTENSIONS) else name


def _clean(text: str) -> str:
    """Return a name of letters, digits, `-`, `_` and `.`, which is not reserved, hidden or long; "" if none is left."""
    kept = "".join(each if each.isalnum() or each in "_." else "-" for each in unicodedata.normalize("NFC", text))
    name = "-".join(part for part in kept.split("-") if part).strip(".-")
    if len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        digest = sha256(text.encode("utf-8", "replace")).hexdigest()[: HASH_CHARS[0]]
        name = f"{_cut(name, MAX_NAME_BYTES - len(digest) - 1)}-{digest}"
    return f"_{name}" if name.partition(".")[0].casefold() in RESERVED else name


def _cut(name: str, size: int) -> str:
    """Return the start of a name, at most `size` bytes of it."""
    return name.encode("utf-8", "replace")[:size].decode("utf-8", "ignore").rstrip(".-")
