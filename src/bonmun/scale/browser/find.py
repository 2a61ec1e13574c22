"""Which browser there is: the one that is named, else Chromium or Chrome where systems have them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from bonmun.errors import MissingExtra

__all__ = ["VARIABLE", "find_browser"]

VARIABLE = "BONMUN_BROWSER"
# The shell is Chromium without windows: it starts pages twice as fast.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")  # macOS
PROGRAMS = ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe")  # Windows


def find_browser(own: str | None = None) -> str:
    """The path of a browser; `own` is where Playwright's would be. MissingExtra says how to get one."""
    if named := os.environ.get(VARIABLE):
        found = shutil.which(named)
        if not found:
            raise MissingExtra(
                f"{VARIABLE} is {named!r}, where there is no browser: give the path of Chromium or Chrome."
            )
        return found
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for place in _list_places(own):
        if place.is_file():
            return str(place)
    raise MissingExtra(
        "There is no Chromium or Chrome. Debian: apt-get install chromium. macOS: brew install --cask chromium. "
        f"Windows: winget install Google.Chrome. Anywhere: playwright install chromium. Or name one in {VARIABLE}."
    )


def _list_places(own: str | None) -> list[Path]:
    places = [Path(own)] if own else []
    if sys.platform == "darwin":
        places += [Path(root, app) for root in ("/Applications", Path.home() / "Applications") for app in APPS]
    if sys.platform == "win32":
        roots = [
            os.environ[name] for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA") if name in os.environ
        ]
        places += [Path(root, program) for root in roots for program in PROGRAMS]
    return places
