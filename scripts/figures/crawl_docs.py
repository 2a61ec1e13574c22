"""Crawl Debian's documentation packages as sites, and check that every reachable page is fetched exactly once.

    apt-get install --no-install-recommends python3.11-doc sqlite3-doc cmake-doc installation-guide-amd64 \
        debian-policy developers-reference apache2-doc debmake-doc
    .venv/bin/python -m scripts.figures.crawl_docs

Each package is served as a host of the loopback web, and crawled from its first page with the real command. The set of
reachable pages is computed independently, from the files, with lxml and the standard library. Then `bonmun corpus`
reads the records, which contain each body once.
"""

from __future__ import annotations

import argparse
import mimetypes
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import monotonic
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml import etree, html

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "scale" / "crawl"))

from web import start_web

from bonmun.scale.corpus.sources.reader import Reader

PACKAGES = {  # folder and first page
    "python3.11-doc": ("/usr/share/doc/python3.11/html", "index.html"),
    "sqlite3-doc": ("/usr/share/doc/sqlite3", "index.html"),
    "cmake-doc": ("/usr/share/doc/cmake-data/html", "index.html"),
    "installation-guide-amd64": ("/usr/share/doc/installation-guide-amd64", "en/index.html"),
    "debian-policy": ("/usr/share/doc/debian-policy", "policy.html/index.html"),
    "developers-reference": ("/usr/share/developers-reference", "index.html"),
    "apache2-doc": ("/usr/share/doc/apache2-doc/manual", "en/index.html"),
    "debmake-doc": ("/usr/share/doc/debmake-doc/html", "index.en.html"),
}
PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
COLUMNS = (
    *("package", "HTML files", "reachable", "fetched", "missing", "extra", "asked twice", "copies", "read back"),
    *("seconds", "pages a second"),
)
MAX_SHOWN = 5  # pages per kind of difference


def find_reachable(folder: Path, first: str, host: str) -> set[str]:
    """Return the unescaped URLs of all pages that links lead to."""
    start = f"http://{host}/{first}"
    found, waiting, pages = {start}, [start], set()
    while waiting:
        url = waiting.pop()
        path = find_file(folder, url)
        if path and path.is_dir():
            if url + "/" not in found:
                found.add(url + "/")
                waiting.append(url + "/")
            continue
        if path is None or mimetypes.guess_type(path.name)[0] not in PAGE_TYPES:
            continue
        pages.add(unquote(url))
        if path.suffix == ".txt":
            continue
        for link in list_links(path, url):
            target = urldefrag(link)[0]
            parts = urlsplit(target)
            if parts.scheme != "http" or parts.hostname != host or unquote(target) in found:
                continue
            found.add(unquote(target))
            waiting.append(target)
    return pages


def find_file(folder: Path, url: str) -> Path | None:
    """Return the file of a URL, or the folder if a slash is missing at its end, as servers redirect there."""
    path = (folder / unquote(urlsplit(url).path).lstrip("/")).resolve()
    if not path.is_relative_to(folder):
        return None
    if path.is_dir() and not urlsplit(url).path.endswith("/"):
        return path
    path = path / "index.html" if path.is_dir() else path
    return path if path.is_file() else None


def list_links(path: Path, url: str) -> list[str]:
    """Return the absolute URLs of the links of a page."""
    data = path.read_bytes()
    try:
        tree = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8" if is_utf8(data) else None))
    except (etree.ParserError, ValueError):
        return []
    base = urljoin(url, tree.xpath("string(//base/@href)").strip())
    written = tree.xpath("//a[not(contains(@rel, 'nofollow'))]/@href | //area/@href | //iframe/@src | //frame/@src")
    for link in tree.xpath("//link[@href]"):
        rel = (link.get("rel") or "").lower().split()
        if {"next", "prev", "canonical"} & set(rel) or ("alternate" in rel and link.get("hreflang")):
            written.append(link.get("href"))
    for content in tree.xpath("//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']/@content"):
        written.append(content.partition("=")[2].strip("'\" "))
    joined = []
    for each in written:
        try:
            joined.append(urljoin(base, each.strip()))
        except ValueError:
            continue
    return joined


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def crawl(folder: Path, address: str, seed: str) -> float:
    """Run the crawl command; return the seconds it took."""
    command = [sys.executable, "-m", "bonmun", "crawl", seed, "-o", str(folder), "--resolve", address]
    start = monotonic()
    done = subprocess.run([*command, "--delay", "0", "--connections", "8"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return monotonic() - start


def read_pages(folder: Path) -> dict[str, bool]:
    """Return the unescaped URLs of all fetched pages, and whether each is a copy of another."""
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as sql:
        asked = "select u.url, copy_of is not null from urls u join fetches on fetches.url = u.id where is_page"
        return {unquote(url): bool(is_copy) for url, is_copy in sql.execute(asked)}


def main() -> None:
    """Print a table with one row per package."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), metavar="PACKAGE")
    given = parser.parse_args()
    there = {name: Path(PACKAGES[name][0]) for name in given.packages if Path(PACKAGES[name][0]).exists()}
    for name in set(given.packages) - set(there):
        print(f"{name} is not installed.")
    hosts = {name: f"{name.replace('.', '-')}.example" for name in there}
    print("|", " | ".join(COLUMNS), "|")
    print("|" + "---|" * len(COLUMNS))
    with tempfile.TemporaryDirectory() as made:
        folders = [f"{hosts[name]}={path}" for name, path in there.items()]
        with start_web(Path(made) / "requests.jsonl", 1, folders=folders) as web:
            for name, path in there.items():
                seed = f"http://{hosts[name]}/{PACKAGES[name][1]}"
                reachable = find_reachable(path.resolve(), PACKAGES[name][1], hosts[name])
                target = Path(made) / name
                seconds = crawl(target, web.address, seed)
                pages = read_pages(target)
                read = {unquote(record.url or "") for record in Reader([str(target / "warc")])}
                asked = Counter(each.url for each in web.read_requests() if each.host == hosts[name])
                missing, extra = sorted(reachable - set(pages)), sorted(set(pages) - reachable)
                row = [name, sum(1 for _ in path.rglob("*.html")), len(reachable), len(pages), len(missing), len(extra)]
                row += [sum(count > 1 for count in asked.values()), sum(pages.values()), len(read), f"{seconds:.1f}"]
                print("|", " | ".join(map(str, row)), f"| {len(pages) / seconds:.0f} |", flush=True)
                for what, urls in (("missing", missing), ("extra", extra)):
                    for url in urls[:MAX_SHOWN]:
                        print(f"  {what}: {url}", file=sys.stderr)


if __name__ == "__main__":
    main()
