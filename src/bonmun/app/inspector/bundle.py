"""The inspector's static files, and its JavaScript modules bundled as one script.

Browsers load modules only from servers, and a report is opened as a file. Our modules import and export by name, at the
start of lines; each becomes a function that returns its exports.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

__all__ = ["bundle_modules", "list_static", "read_static"]

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.\.?/[a-z_/-]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)


@cache
def list_static() -> Mapping[str, Traversable]:
    """Return the static files by name, such as `main.js` and `core/api.js`."""
    found: dict[str, Traversable] = {}
    for entry in files("bonmun.app.inspector").joinpath("static").iterdir():
        if entry.is_file():
            found[entry.name] = entry
        else:
            found |= {f"{entry.name}/{file.name}": file for file in entry.iterdir() if file.is_file()}
    return found


def read_static(name: str) -> str:
    """Return the text of a static file."""
    return list_static()[name].read_text(encoding="utf-8")


def bundle_modules(start: str) -> str:
    """Return a classic script that does the same as a module and all that it imports."""
    done: dict[str, str] = {}
    _add_module(start, done, ())
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(done.values()) + "})();\n"


def _add_module(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after those that it imports."""
    if name in done:
        return
    if name in above:
        raise ValueError(f"circular import: {' → '.join((*above, name))}")
    text = read_static(name)
    for found in IMPORT.finditer(text):
        _add_module(_resolve(name, found[2]), done, (*above, name))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(lambda found: _import_names(name, found), text))
    if re.search(r"^(?:import|export)\b", text, re.M):
        raise ValueError(f"{name}: unsupported import or export")
    done[name] = f'modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();\n'


def _resolve(name: str, imported: str) -> str:
    """Return the name of a module that is imported by another."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), imported))


def _import_names(name: str, found: re.Match[str]) -> str:
    names = (found[1] or "").replace(" as ", ": ")
    return f'const {{{names}}} = modules["{_resolve(name, found[2])}"];\n' if names.strip() else ""
