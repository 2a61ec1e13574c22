"""Measure the speed-up of `bonmun extract --urls` with `--jobs 2` when most time is spent waiting for hosts.

    python -m scripts.figures.many_urls                     # 40 hosts, each of which takes .3 seconds to answer

The hosts are ports of this machine. Both runs use the same list with one URL per host, so there are no crawl delays.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from many_hosts import Answer, ManyHosts, make_page

REPEATS = 3


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.3, help="response time of each host")
    given = parser.parse_args()

    def answer(path: str, _: int) -> Answer:
        return Answer(make_page(path), delay=given.seconds)

    answers = {str(number): answer for number in range(given.hosts)}
    with ManyHosts(answers) as hosts, tempfile.TemporaryDirectory() as to:
        listed = Path(to, "urls.txt")
        listed.write_text("\n".join(hosts.make_url(name, f"/{name}") for name in hosts.hosts))
        alone = min(measure(listed, Path(to, "out.jsonl")) for _ in range(REPEATS))
        beside = min(measure(listed, Path(to, "out.jsonl"), "--jobs", "2") for _ in range(REPEATS))
    print(f"{given.hosts} URLs, {given.seconds:g} s each: {alone:.1f} s without --jobs, {beside:.1f} s with --jobs 2;")
    print(f"{alone / beside:.1f} times as fast")


def measure(listed: Path, output: Path, *options: str) -> float:
    """Return the seconds of a run, from the start of its process to its end."""
    start = monotonic()
    line = [sys.executable, "-m", "bonmun", "extract", "--urls", str(listed), "-o", str(output), "--allow-private"]
    subprocess.run([*line, *options], check=True)
    return monotonic() - start


if __name__ == "__main__":
    main()
