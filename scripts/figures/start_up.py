"""How long a fresh process takes to load bonmun, and for its first page: `python -m scripts.figures.start_up`.

The best of so many processes, in milliseconds; numpy and turbohtml beside it.
"""

from __future__ import annotations

import subprocess
import sys

PROCESSES = 15
PAGE = "'<title>A lamp</title><div>' + '<p>The old lighthouse was lit again last night, and all came.</p>' * 20"
CLOCK = "import time; start = time.perf_counter(); "
SAY = "print((time.perf_counter() - start) * 1e3)"
CODES = {
    "import numpy": f"{CLOCK}import numpy; {SAY}",
    "import turbohtml": f"{CLOCK}import turbohtml; {SAY}",
    "import bonmun": f"{CLOCK}import bonmun; {SAY}",
    "first page, to text": f"import bonmun; {CLOCK}bonmun.extract({PAGE}).text; {SAY}",
    "import and first page": f"{CLOCK}import bonmun; bonmun.extract({PAGE}).text; {SAY}",
    "first page, with its title": f"import bonmun; {CLOCK}bonmun.extract({PAGE}).title; {SAY}",
}


def main() -> None:
    """Print a line each; processes of all of them in turn, so that noise meets all alike."""
    times: dict[str, list[float]] = {name: [] for name in CODES}
    for _ in range(PROCESSES):
        for name, code in CODES.items():
            said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
            times[name].append(float(said))
    for name, found in times.items():
        print(f"{name:28}{min(found):>8.1f} ms")


if __name__ == "__main__":
    main()
