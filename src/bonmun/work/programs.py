"""Start programs without running code from the working directory, which may belong to somebody else.

`python -m` and `python -c`, which `multiprocessing` uses to spawn, import modules from the working directory first:
`json.py` there would run instead of the module of the standard library. An empty entry in PATH has the same effect for
programs. Every program that bonmun starts is started with the functions of this file.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SAFE_PATH", "find_program", "python_command", "safe_path", "use_safe_path"]

SAFE_PATH = "PYTHONSAFEPATH"  # environment variable: Python does not import from the working directory
_starting = threading.Lock()


def _renew_lock() -> None:
    global _starting
    _starting = threading.Lock()


if hasattr(os, "register_at_fork"):  # a forked process would wait forever for a lock that another thread had
    os.register_at_fork(after_in_child=_renew_lock)


def python_command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module in a Python process."""
    return sys.executable, "-P", "-m", module


def find_program(name: str) -> str | None:
    """Return the absolute path of a program, or None. Only absolute folders in PATH are searched."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute()]
    found = shutil.which(name, path=os.pathsep.join(folders)) if folders else None
    return found if found and Path(found).is_absolute() else None  # Windows searches the working directory, too


def use_safe_path() -> None:
    """Let all Python processes that this process starts ignore the modules in the working directory."""
    os.environ[SAFE_PATH] = "1"


@contextmanager
def safe_path() -> Iterator[None]:
    """Let the Python processes started in the block ignore the modules in the working directory.

    `multiprocessing` offers no other way to pass this on: neither for children nor for its resource tracker.
    """
    with _starting:
        before = os.environ.get(SAFE_PATH)
        use_safe_path()
        try:
            yield
        finally:
            if before is None:
                del os.environ[SAFE_PATH]
            else:
                os.environ[SAFE_PATH] = before
