"""The screen's scripts as one: browsers load modules from servers only, and a report is opened as a file.

Our modules import and export by name, at the start of lines; each becomes a function that gives what it exports.
"""

from __future__ import annotations

import re
from importlib.resources import files

__all__ = ["bundle_modules", "read_static"]

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([a-z_-]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)


def read_static(name: str) -> str:
    """One of the screen's files."""
    return files("bonmun.app.inspector").joinpath("static", name).read_text(encoding="utf-8")


def bundle_modules(start: str) -> str:
    """A classic script that does what the module of this name does, with all that it imports."""
    done: dict[str, str] = {}
    _add_module(start, done, ())
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(done.values()) + "})();\n"


def _add_module(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after those that it imports."""
    if name in done:
        return
    if name in above:
        raise ValueError(f"the modules {' → '.join((*above, name))} import each other")
    text = read_static(name)
    for found in IMPORT.finditer(text):
        _add_module(found[2], done, (*above, name))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(_take_names, text))
    if re.search(r"^(?:import|export)\b", text, re.M):
        raise ValueError(f"{name} imports or exports in a way that bundle.py does not know")
    done[name] = f'modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();\n'


def _take_names(found: re.Match[str]) -> str:
    names = (found[1] or "").replace(" as ", ": ")
    return f'const {{{names}}} = modules["{found[2]}"];\n' if names.strip() else ""
