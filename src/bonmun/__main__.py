"""`python -m bonmun`: the same as the `bonmun` command.

Python has put the working directory on its module path. It is removed here, but by then Python has already imported
some modules. In a directory that belongs to somebody else, use `bonmun` or `python -P -m bonmun`.
"""

import os
import sys


def _leave_working_directory() -> None:
    """Import no more modules from the working directory, unless bonmun itself is there."""
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib is not imported yet
    except OSError:  # it was deleted
        return
    if sys.path[0] == here and __file__ != os.path.join(here, "bonmun", "__main__.py"):  # noqa: PTH118 - likewise
        del sys.path[0]


if not sys.flags.safe_path:
    _leave_working_directory()

from bonmun.app.cli import main  # noqa: E402 - imports modules

main()
