"""Measure the import of bonmun and its first page in a fresh process: `python -m scripts.figures.start_up`.

Prints the best of 15 processes, in milliseconds, with numpy and turbohtml for comparison.
"""

from __future__ import annotations

import subprocess
import sys

PROCESSES = 15
PAGE = "'<title>A lamp</title><div>' + '<p>The old lighthouse was lit again last night, and all came.</p>' * 20"
CLOCK = "import time; start = time.perf_counter(); "
PRINT = "print((time.perf_counter() - start) * 1e3)"
CODES = {
    "import numpy": f"{CLOCK}import numpy; {PRINT}",
    "import turbohtml": f"{CLOCK}import turbohtml; {PRINT}",
    "import bonmun": f"{CLOCK}import bonmun; {PRINT}",
    "first page, to text": f"import bonmun; {CLOCK}bonmun.extract({PAGE}).text; {PRINT}",
    "import and first page": f"{CLOCK}import bonmun; bonmun.extract({PAGE}).text; {PRINT}",
    "first page, with its title": f"import bonmun; {CLOCK}bonmun.extract({PAGE}).title; {PRINT}",
}


def main() -> None:
    """Print one line per measurement; all take turns, so that noise affects all equally."""
    times: dict[str, list[float]] = {name: [] for name in CODES}
    for _ in range(PROCESSES):
        for name, code in CODES.items():
            said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
            times[name].append(float(said))
    for name, found in times.items():
        print(f"{name:28}{min(found):>8.1f} ms")


if __name__ == "__main__":
    main()
