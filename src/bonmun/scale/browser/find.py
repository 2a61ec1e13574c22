"""Find the browser: the one named by BONMUN_BROWSER, or else an installed Chromium or Chrome."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from bonmun.errors import MissingExtra
from bonmun.work.programs import find_program

__all__ = ["VARIABLE", "find_browser"]

VARIABLE = "BONMUN_BROWSER"
# The headless shell comes first: it opens pages twice as fast.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_PROGRAMS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
WINDOWS_PROGRAMS = ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe")


def find_browser(own: str | None = None) -> str:
    """Return the path of a browser, or raise MissingExtra. `own` is the browser that Playwright would install."""
    if named := os.environ.get(VARIABLE):
        found = find_program(named) if Path(named).name == named else shutil.which(named)
        if not found:
            raise MissingExtra(
                f"{VARIABLE} is {named!r}, which is not a program: set it to the path of Chromium or Chrome."
            )
        return found
    for name in NAMES:
        if found := find_program(name):
            return found
    for place in _list_places(own):
        if place.is_file():
            return str(place)
    raise MissingExtra(
        "Chromium or Chrome is not installed. Debian: apt-get install chromium. macOS: brew install --cask chromium. "
        f"Windows: winget install Google.Chrome. Anywhere: playwright install chromium. Or set {VARIABLE}."
    )


def _list_places(own: str | None) -> list[Path]:
    places = [Path(own)] if own else []
    if sys.platform == "darwin":
        folders = ("/Applications", Path.home() / "Applications")
        places += [Path(folder, program) for folder in folders for program in MAC_PROGRAMS]
    if sys.platform == "win32":
        roots = [
            os.environ[name] for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA") if name in os.environ
        ]
        places += [Path(root, program) for root in roots for program in WINDOWS_PROGRAMS]
    return places
