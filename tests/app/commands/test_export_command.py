"""`bonmun export`: e-books whose files, links and contents fit together, and web archives that can be read again."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.frontier.tables import TABLES, VERSION
from samples import save

if TYPE_CHECKING:
    from samples import Bonmun

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]

TEXT = "The lighthouse was built of grey stone in 1874, and its keeper lived there with his family for thirty years."
XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
OPS = "{http://www.idpf.org/2007/ops}"
# what EPUB allows of the elements that documents contain
ELEMENTS = set(
    "html head meta title link body article header h1 h2 h3 h4 h5 h6 p pre code blockquote ul ol li dl dt dd table caption "
    "tr td th figure figcaption strong em del sub sup a br time aside nav span".split()
)


def check_epub(path: Path) -> dict[str, ElementTree.Element]:
    """Check the structure of an e-book. Return its XHTML files by name."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
        assert archive.read("mimetype") == b"application/epub+zip"
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        assert container[0][0].get("full-path") == "EPUB/package.opf"
        package = ElementTree.fromstring(archive.read("EPUB/package.opf"))
        files = {
            name.removeprefix("EPUB/"): archive.read(name) for name in archive.namelist() if name.startswith("EPUB/")
        }
    metadata = package.find(f"{OPF}metadata")
    assert metadata is not None
    assert all(metadata.findtext(f"{DC}{name}") for name in ("identifier", "title", "language"))
    assert metadata.find(f"{OPF}meta[@property='dcterms:modified']") is not None
    items = {item.get("id"): item for item in package.iter(f"{OPF}item")}
    assert sorted(str(item.get("href")) for item in items.values()) == sorted(set(files) - {"package.opf"})
    spine = [item.get("idref") for item in package.iter(f"{OPF}itemref")]
    assert len(spine) == len(set(spine)) == len(items) - 1  # all but the style sheet
    pages = {name: ElementTree.fromstring(data) for name, data in files.items() if name.endswith(".xhtml")}
    ids = {name: [str(each.get("id")) for each in page.iter() if each.get("id")] for name, page in pages.items()}
    for name, page in pages.items():
        assert {each.tag.removeprefix(XHTML) for each in page.iter()} <= ELEMENTS
        assert len(ids[name]) == len(set(ids[name]))
        assert all((each[0].tag, each[-1].tag) == (f"{XHTML}dt", f"{XHTML}dd") for each in page.iter(f"{XHTML}dl"))
        for link in page.iter(f"{XHTML}a"):
            href = link.get("href")
            if href and "://" not in href:
                file, _, fragment = href.partition("#")
                assert (file or name) in pages
                assert not fragment or unquote(fragment) in ids[file or name]
    (contents,) = (each for each in pages["nav.xhtml"].iter(f"{XHTML}nav") if each.get(f"{OPS}type") == "toc")
    listed = [link.get("href") for link in contents.iter(f"{XHTML}a")]
    assert listed == [items[each].get("href") for each in spine[1:]]
    return pages


def make_page(title: str, body: str) -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><article><h1>{title}</h1>{body}</article></html>"


def test_pages_become_an_e_book_with_links_between_its_chapters(bonmun: Bonmun) -> None:
    Path("site/guide").mkdir(parents=True)
    save(
        "site/a.html",
        make_page(
            "Start",
            f"<p>{TEXT} See <a href='guide/b.html#steps'>the steps</a>, <a href='gone.html'>"
            f"what is gone</a> and <a href='https://other.example/?a=1&amp;b=2'>more</a>.</p><p><img src=x.png></p><p>{TEXT}</p>",
        ),
    )
    save(
        "site/guide/b.html",
        make_page("Guide", f"<p>{TEXT}</p><h2 id=steps>Steps</h2><p>{TEXT} <a href=../a.html>Back</a></p>"),
    )
    result = bonmun("export", "site", "-o", "book.epub", "--title", "The book", "-m", "all", "--workers", "1")
    assert result.exit_code == 0, result.stderr
    assert "book.epub: 2 chapters." in result.stderr
    pages = check_epub(Path("book.epub"))
    start, guide = (page for name, page in pages.items() if name != "nav.xhtml")
    assert start.findtext(f".//{XHTML}h1") == "Start"
    links = {
        str(link.text): link.get("href") for page in (start, guide) for link in page.iter(f"{XHTML}a") if link.text
    }
    assert links["the steps"] == "page-000002.xhtml#id-steps"
    assert links["what is gone"] is None
    assert links["more"] == "https://other.example/?a=1&b=2"
    assert links["Back"] == "page-000001.xhtml"
    assert pages["nav.xhtml"].findtext(f".//{XHTML}h1") == "The book"


def test_hostile_titles_ids_and_structures_give_a_valid_e_book(bonmun: Bonmun) -> None:
    titles = ("]]&gt;&lt;/title&gt;", "A\r\n\x08\x1b &amp;amp; [b](c)", "&lt;?xml?&gt;", "", "note-1")
    for number, title in enumerate(titles):
        save(
            f"{number}.html",
            make_page(
                title,
                f"<p id=note-1>{TEXT}<a href=#note-1>x</a><sup><a href=#fn>1</a></sup></p><ul><li><input "
                f"type=checkbox checked> {TEXT}</li></ul><dl><dt>a<dd>b<dt>c</dl><dl><dd>d</dl><table><tr><th>a<th>b<tr><td>1<td>2 $x<sup>2</sup>$"
                f"</table><pre id=p>x &lt; y\x00</pre><ol><li id=fn>{TEXT} <a href='javascript:alert(1)'>j</a></ol>"
                f"<p><a href='http://a.example/ x?%zz[]|'>odd</a></p>",
            ),
        )
    result = bonmun(
        "export", *(f"{number}.html" for number in range(5)), "-o", "book.epub", "-m", "all", "--workers", "1"
    )
    assert result.exit_code == 0, result.stderr
    pages = check_epub(Path("book.epub"))
    assert len(pages) == 6
    links = {link.text: link.get("href") for link in pages["page-000001.xhtml"].iter(f"{XHTML}a")}
    assert links["odd"] == "http://a.example/%20x?%25zz%5B%5D%7C"
    assert links.get("j") is None


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("-o", "book.epub"), 2, "nothing to export"),
        (("a.html", "-o", "book.pdf"), 2, "must end in .epub or .wacz"),
        (("a.html", "-o", "missing/book.epub"), 2, "does not exist"),
        (("missing.html", "-o", "book.epub"), 2, "no such file"),
        (("empty.html", "-o", "book.epub", "--workers", "1"), 1, "no pages with a main text"),
        (("a.html", "-o", "a.wacz"), 2, "not the folder of a finished crawl"),
        (("a.html", "b.html", "-o", "a.wacz"), 2, "one crawl"),
    ],
)
def test_wrong_use_of_export_is_reported(bonmun: Bonmun, arguments: tuple[str, ...], status: int, message: str) -> None:
    save("a.html", make_page("A", f"<p>{TEXT}</p>"))
    save("empty.html", "<title>Empty</title>")
    result = bonmun("export", *arguments)
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (status, True), result.stderr
    assert not Path(arguments[-1]).exists()


def make_crawl(folder: Path) -> None:
    """Make the folder of a finished crawl with one page."""
    http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>1</title><p>The page of a web archive.</p>"
    record = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/1\r\nWARC-Date: 2026-03-04T09:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n"
    )
    (folder / "warc").mkdir(parents=True)
    (folder / "warc" / "crawl-000000.warc.gz").write_bytes(gzip.compress(record.encode()))
    (folder / "index.cdxj").write_text('example,a)/1 20260304090000 {"url": "http://a.example/1"}\n')
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as sql:
        sql.executescript(f"{TABLES} pragma user_version = {VERSION};")
        sql.execute(
            "insert into urls (url, host, kind, rank, depth, hops) values ('http://a.example/1', 'a.example', 'page', 2, 0, 0)"
        )
        sql.execute("insert into fetches (url, fetched, bytes, is_page, tries) values (1, 1772614800, 10, 1, 1)")
        sql.commit()


def test_a_crawl_becomes_a_wacz_file(bonmun: Bonmun) -> None:
    make_crawl(Path("crawl"))
    result = bonmun("export", "crawl", "-o", "crawl.wacz")
    assert result.exit_code == 0, result.stderr
    with zipfile.ZipFile("crawl.wacz") as archive:
        assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_STORED}
        package = json.loads(archive.read("datapackage.json"))
        assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
        paths = ["archive/crawl-000000.warc.gz", "indexes/index.cdx.gz", "pages/pages.jsonl"]
        assert [each["path"] for each in package["resources"]] == paths
        for each in package["resources"]:
            data = archive.read(each["path"])
            assert (each["bytes"], each["hash"]) == (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}")
        digest = json.loads(archive.read("datapackage-digest.json"))
        assert digest["hash"] == f"sha256:{hashlib.sha256(archive.read('datapackage.json')).hexdigest()}"
        head, page = map(json.loads, archive.read("pages/pages.jsonl").splitlines())
        assert head["format"] == "json-pages-1.0"
        assert (page["url"], page["ts"]) == ("http://a.example/1", "2026-03-04T09:00:00Z")
    assert [record.url for record in Reader(["crawl.wacz"])] == ["http://a.example/1"]
