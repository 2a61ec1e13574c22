"""Measure time against page size for bonmun, resiliparse and trafilatura: `python -m scripts.figures.page_sizes`.

Uses up to 40 pages of ../shared/data for each doubling of size from 10 kB to 5 MB. Large pages are rare, so they are
joined from the bodies of several pages of a set. Prints a table and writes docs/images/page-sizes.svg.
"""

from __future__ import annotations

import re
from math import log10
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

import bonmun
from scripts.labelled import ROOT, list_sets, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = [10_000 * 2**step for step in range(10)]  # in characters, up to 5 MB
PAGES = 40  # per size
LARGE = 1_000_000  # from this size on pages are joined, and trafilatura is left out
RUNS = 3
BODY = re.compile("<body[^>]*>", re.I)
PICTURE = ROOT / "docs" / "images" / "page-sizes.svg"
WIDTH, HEIGHT, EDGE = 560, 380, 50  # of the image, in pixels

SYSTEMS: dict[str, Callable[[str], object]] = {
    "bonmun": lambda html: bonmun.extract(html).text,
    "resiliparse": lambda html: extract_plain_text(html, main_content=True),
    "trafilatura": lambda html: trafilatura.extract(html),
}
COLOURS = {"bonmun": "#c0392b", "resiliparse": "#2c3e50", "trafilatura": "#7f8c8d"}


def collect_pages() -> dict[int, list[str]]:
    """Return pages of about each size."""
    found: dict[int, list[str]] = {size: [] for size in SIZES}
    for name in list_sets():
        run: list[str] = []
        for row in read_rows(name, covered=0):
            html: str = row["html"]
            for size in SIZES:
                if 0.8 * size <= len(html) < 1.25 * size and len(found[size]) < PAGES:
                    found[size].append(html)
            run.append(html)
            for size in SIZES:
                if size >= LARGE and len(found[size]) < PAGES // 8 and sum(map(len, run)) >= size:
                    found[size].append(join_pages(run, size))
                    run = []
    return found


def join_pages(pages: list[str], size: int) -> str:
    """Return the first page with the bodies of the others appended, up to a size."""
    bodies = [BODY.split(page, maxsplit=1)[-1].partition("</body")[0] for page in pages[1:]]
    return (pages[0].partition("</body")[0] + "".join(bodies))[:size]


def time_pages(pages: list[str], system: Callable[[str], object]) -> float:
    """Return the median time of the pages, each the best of three runs."""
    times = []
    for html in pages:
        best = float("inf")
        for _ in range(RUNS):
            start = perf_counter()
            system(html)
            best = min(best, perf_counter() - start)
        times.append(best)
    return median(times)


def draw(times: dict[str, dict[int, float]]) -> str:
    """Draw the times on logarithmic axes."""
    low, high = log10(SIZES[0]), log10(SIZES[-1])
    values = [log10(seconds) for line in times.values() for seconds in line.values()]
    bottom, top = min(values), max(values)

    def locate(size: float, seconds: float) -> tuple[float, float]:
        across, up = (log10(size) - low) / (high - low), (log10(seconds) - bottom) / (top - bottom)
        return EDGE + across * (WIDTH - 2 * EDGE), HEIGHT - EDGE - up * (HEIGHT - 2 * EDGE)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for size in (10_000, 100_000, 1_000_000, 5_000_000):
        x, _ = locate(size, 10**bottom)
        label = f"{size // 1000} kB" if size < LARGE else f"{size // LARGE} MB"
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{EDGE}" y2="{HEIGHT - EDGE}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">{label}</text>')
    for power in range(-4, 2):
        if bottom <= power <= top:
            _, y = locate(SIZES[0], 10**power)
            parts.append(f'<line x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{EDGE - 6}" y="{y + 4:.1f}" text-anchor="end">{10 ** (power + 3):g} ms</text>')
    for name, line in times.items():
        points = [locate(size, seconds) for size, seconds in line.items()]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        x, y = points[-1]
        parts.append(f'<text x="{x + 3:.1f}" y="{y + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Print one line per size, and draw the image."""
    times: dict[str, dict[int, float]] = {name: {} for name in SYSTEMS}
    print(f"{'size':>9}{'pages':>7}" + "".join(f"{name:>14}" for name in SYSTEMS) + f"{'× resiliparse':>15}")
    for size, pages in collect_pages().items():
        if not pages:
            continue
        for name, system in SYSTEMS.items():
            if size < LARGE or name != "trafilatura":
                times[name][size] = time_pages(pages, system)
        said = "".join(f"{line[size] * 1e3:>11.2f} ms" if size in line else f"{'':>14}" for line in times.values())
        ratio = times["bonmun"][size] / times["resiliparse"][size]
        print(f"{size / 1000:>6.0f} kB{len(pages):>7}{said}{ratio:>15.2f}", flush=True)
    PICTURE.write_text(draw(times), encoding="utf-8")


if __name__ == "__main__":
    main()
