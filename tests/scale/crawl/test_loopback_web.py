"""The loopback web behaves as the crawler's tests assume."""

from __future__ import annotations

import gzip
import re
import socket
import zlib
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, IncompleteRead, RemoteDisconnected
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from docs_host import DocsHost
from web import Web, find_gaps, start_web

from bonmun.algorithms.sentence import Sentence
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.text.words import compare_counts, count_words
from samples import save
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from loopback import Reply, Request

HREF = re.compile(r'href="([^"]+)"')


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(pages=60) as made:
        made.slow.seconds = 0.001
        yield made


def ask(port: int, url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        return ask_again(connection, url, method, body, **headers)


def ask_again(
    connection: HTTPConnection, url: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> Answer:
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, target, body, {"Host": parts.netloc, **sent})
    with connection.getresponse() as response:
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())


def find_linked(url: str, html: str) -> set[str]:
    return {urljoin(url, link).partition("#")[0] for link in HREF.findall(html.replace("&amp;", "&"))}


def test_links_lead_to_every_page_of_docs(web: Web) -> None:
    found, queue = set(), ["http://docs.example/"]
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=20)) as connection:
        while queue:
            url = queue.pop()
            if url in found or "/private/" in url or not url.startswith("http") or url.endswith(".css"):
                continue
            answer = ask_again(connection, url)
            assert answer.status == 200
            found.add(url)
            queue += find_linked(url, answer.text)
    assert found == web.docs.urls
    assert len(found) == 60
    asked = web.find_requests("docs.example")
    assert len({request.connection for request in asked}) == 1  # kept alive, through chunks, too
    assert all(gap >= 0 for gap in find_gaps(asked))
    assert asked[0].find_header("host") == "docs.example"


def test_docs_has_robots_txt_and_a_sitemap(web: Web) -> None:
    robots = ask(web.port, "http://docs.example/robots.txt")
    assert "Disallow: /private/" in robots.text
    listed = set(re.findall("<loc>(.*?)</loc>", ask(web.port, "http://docs.example/sitemap.xml").text))
    assert listed == web.docs.urls
    assert ask(web.port, "http://docs.example/ko/page-2.html").status == 404
    assert ask(web.port, "http://docs.example/private/admin").status == 404


def test_sites_depend_on_the_seed_alone(web: Web) -> None:
    pages = [DocsHost(60, seed).make_page(7) for seed in (1, 1, 2)]
    assert pages[0] == pages[1] != pages[2]
    assert {web.docs.make_page(number).lang for number in range(60)} == {"en", "ko", "ja", "de", "ru"}
    texts = [paragraph for number in range(2000) for paragraph in DocsHost(2000).make_page(number).paragraphs]
    assert len(set(texts)) == len(texts) == 8000


def test_docs_compresses_pages_and_sends_chunks(web: Web) -> None:
    packed = ask(web.port, "http://docs.example/ja/page-2.html", Accept_Encoding="gzip")
    plain = ask(web.port, "http://docs.example/ja/page-2.html")
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(packed.body) == plain.body
    chunks = ask(web.port, "http://docs.example/ru/page-4.html")
    assert chunks.headers["transfer-encoding"] == "chunked"
    assert chunks.text.endswith("</html>")


def test_the_text_of_a_docs_page_is_extracted(web: Web) -> None:
    page = web.docs.make_page(6)
    doc = extract(ask(web.port, f"http://docs.example{page.path}").body)
    assert doc.text.split("\n\n") == page.paragraphs


def test_a_folder_is_served_and_nothing_outside_it(web: Web, tmp_path: Path) -> None:
    save(str(tmp_path / "site" / "index.html"), "<p>Front</p>")
    save(str(tmp_path / "site" / "a b" / "index.html"), "<p>한글</p>")
    save(str(tmp_path / "secret.html"), "<p>Secret</p>")
    host = web.serve_folder("folder.example", tmp_path / "site")
    assert host.paths == {"/index.html", "/a%20b/index.html"}
    assert ask(web.port, "http://folder.example/").text == "<p>Front</p>"
    assert ask(web.port, "http://folder.example/a%20b").headers["location"] == "/a%20b/"
    assert ask(web.port, "http://folder.example/a%20b/").text == "<p>한글</p>"
    assert ask(web.port, "http://folder.example/../secret.html").status == 403
    assert ask(web.port, "http://folder.example/..%2fsecret.html").status == 403
    assert ask(web.port, "http://folder.example/none").status == 404


def test_the_portal_links_to_articles(web: Web) -> None:
    anchors: dict[str, str] = {}
    url = "http://portal.example/search?q=%EB%B3%B8%EB%AC%B8&page=1"
    pages = 0
    while url:
        pages += 1
        html = ask(web.port, url).text
        anchors |= dict(re.findall(r'<a class="headline" href="(.*?)">(.*?)</a>', html))
        after = re.search(r'rel="next" href="(.*?)"', html)
        url = urljoin(url, after[1].replace("&amp;", "&").replace("본문", "%EB%B3%B8%EB%AC%B8")) if after else ""
    assert pages == 5
    assert anchors == {url: article.anchor for url, article in web.portal.articles.items()}
    assert "검색 결과가 없습니다" in ask(web.port, "http://portal.example/search?q=x&page=6").text
    assert ask(web.port, "http://portal.example/nothing").status == 404


@pytest.mark.parametrize(("host", "gain"), [("news-a.example", 0.0), ("news-b.example", 0.5)])
def test_link_texts_are_better_titles_than_page_titles(web: Web, host: str, gain: float) -> None:
    scores = {"title": 0.0, "anchor": 0.0}
    articles = [article for article in web.portal.articles.values() if article.host == host][:10]
    for article in articles:
        page = Page.parse(ask(web.port, article.url).body, article.url)
        assert article.headline in page.head_title
        assert article.headline != article.anchor
        for way, title in (("title", None), ("anchor", article.anchor)):
            text = extract(page, method=Sentence("M4", title=title)).text
            scores[way] += compare_counts(count_words(text), count_words(article.text)).f1 / len(articles)
    assert scores["anchor"] > 0.95
    assert scores["anchor"] - scores["title"] >= gain


def test_busy_pages_are_sent_after_refusals(web: Web) -> None:
    first, second, third = (ask(web.port, "http://busy.example/seconds") for _ in range(3))
    assert [first.status, second.status, third.status] == [429, 429, 200]
    assert first.headers["retry-after"] == "1"
    assert parsedate_to_datetime(ask(web.port, "http://busy.example/date").headers["retry-after"])
    assert "retry-after" not in ask(web.port, "http://busy.example/silent").headers
    assert {ask(web.port, "http://busy.example/never").status for _ in range(5)} == {429}


@pytest.mark.parametrize(
    ("path", "steps"), [("/a", None), ("/self", None), ("/chain/15", 15), ("/chain/1", 1), ("/longer/x", None)]
)
def test_redirect_chains_have_the_given_length(web: Web, path: str, steps: int | None) -> None:
    url = f"http://circle.example{path}"
    count = 0
    while (answer := ask(web.port, url)).status in (301, 302, 303, 307, 308) and count < 20:
        url = urljoin(url, answer.headers["location"])
        count += 1
    assert count == (20 if steps is None else steps)


def test_redirects_lead_to_forbidden_addresses(web: Web) -> None:
    for path, target in web.circle.LEADS.items():
        assert ask(web.port, f"http://circle.example{path}").headers["location"] == target
    assert "location" not in ask(web.port, "http://circle.example/none").headers


def test_headers_do_not_match_bodies(web: Web) -> None:
    def get(path: str) -> Answer:
        return ask(web.port, f"http://lies.example{path}")

    assert "등대" in get("/charset-latin").body.decode()
    assert "등대" in get("/charset-utf8").body.decode("euc-kr")
    assert len(get("/length-short").body) == int(get("/length-short").headers["content-length"])
    assert not get("/length-short").body.endswith(b"</html>")
    for path in ("/length-long", "/chunks-cut"):
        with pytest.raises(IncompleteRead):
            get(path)
    assert get("/gzip-plain").text.startswith("<!doctype")
    for path in ("/gzip-cut", "/gzip-broken", "/gzip-sum"):
        with pytest.raises((EOFError, zlib.error, gzip.BadGzipFile)):
            gzip.decompress(get(path).body)
    assert get("/html-as-png").headers["content-type"] == "image/png"
    assert get("/png-as-html").body.startswith(b"\x89PNG")
    assert "content-type" not in get("/no-type").headers
    assert get("/strange-status").status == 799


def test_traps_are_endless(web: Web) -> None:
    for start in ("/calendar/2026/12", "/session", "/shop", "/paths/a/"):
        seen = set()
        url = f"http://trap.example{start}"
        for _ in range(30):
            assert url not in seen
            seen.add(url)
            links = [urljoin(url, link) for link in HREF.findall(ask(web.port, url).text)]
            url = next(link for link in links if link not in seen)
    assert {ask(web.port, url).status for url in web.trap.urls} == {200}


def test_bombs_decompress_to_large_bodies(web: Web) -> None:
    bomb = ask(web.port, "http://bomb.example/gzip").body
    twice = ask(web.port, "http://bomb.example/twice").body
    assert len(twice) < 5000 < len(bomb) < 1_100_000
    assert gzip.decompress(twice) == bomb
    unpacker = zlib.decompressobj(31)
    assert len(unpacker.decompress(bomb, 5_000_000)) == 5_000_000
    assert int.from_bytes(bomb[-4:], "little") == 1 << 30


@pytest.mark.parametrize("path", ["/endless", "/endless-chunks", "/endless-gzip"])
def test_other_requests_are_served_during_endless_bodies(web: Web, path: str) -> None:
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=20)) as connection:
        connection.request("GET", path, headers={"Host": "bomb.example"})
        response = connection.getresponse()
        assert len(response.read(5_000_000)) == 5_000_000
        assert ask(web.port, "http://docs.example/").status == 200
        assert len(response.read(5_000_000)) == 5_000_000
        response.close()


def test_big_pages_are_big(web: Web) -> None:
    assert len(ask(web.port, "http://bomb.example/big").body) > 29_000_000


def test_slow_pages_are_slow(web: Web) -> None:
    web.slow.seconds = 0.0001
    page = ask(web.port, "http://slow.example/late").body
    assert ask(web.port, "http://slow.example/head").body == page
    assert ask(web.port, "http://slow.example/body").body == page
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=0.3)) as connection:
        connection.request("GET", "/stall", headers={"Host": "slow.example"})
        response = connection.getresponse()
        assert response.read(300)
        with pytest.raises(TimeoutError):
            response.read()
        response.close()
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=0.1)) as connection, pytest.raises(TimeoutError):
        ask_again(connection, "http://slow.example/silence")


def test_robots_hosts_have_the_pages_they_allow_and_disallow(web: Web) -> None:
    links = find_linked("http://robots.example/", ask(web.port, "http://robots.example/").text)
    for name, host in web.robots.items():
        assert name == "robots.example" or f"http://{name}/" in links
        for path in host.allowed + host.refused:
            assert ask(web.port, f"http://{name}{path}").status == 200
        assert host.allowed_urls == {f"http://{name}{path}" for path in host.allowed}
    statuses = {
        name: ask(web.port, f"http://{name}.robots.example/robots.txt").status for name in ("missing", "error", "moved")
    }
    assert statuses == {"missing": 404, "error": 500, "moved": 301}
    for _ in range(2):  # from the start each time
        with socket.create_connection(("127.0.0.1", web.port), 5) as client:
            client.sendall(b"GET /robots.txt HTTP/1.1\r\nHost: endless.robots.example\r\n\r\n")
            with client.makefile("rb") as file:
                assert b"Disallow: /secret" in file.read(1_000_000)


def test_sitemaps_and_feeds_list_pages_without_links(web: Web) -> None:
    named: set[str] = set()
    for path in (
        "/plain.xml",
        "/packed.xml.gz",
        "/news.xml",
        "/text.txt",
        "/late.xml",
        "/feed.xml",
        "/broken.xml",
        "/foreign.xml",
    ):
        body = ask(web.port, f"http://maps.example{path}").body
        body = gzip.decompress(body) if path.endswith(".gz") else body
        named |= set(re.findall(r"http://maps\.example/\w+/\d", body.decode()))
    assert named == web.maps.urls - {"http://maps.example/"}
    assert {ask(web.port, url).status for url in named} == {200}
    assert len(ask(web.port, "http://maps.example/entities.xml").body) < 2000
    front = ask(web.port, "http://feeds.example/").text
    for feed in web.feeds.FEEDS:
        assert f'href="{feed}"' in front
        text = ask(web.port, f"http://feeds.example{feed}").text
        assert all(path in text for path in web.feeds.list_paths(feed))
    assert {ask(web.port, url).status for url in web.feeds.urls} == {200}


@pytest.mark.parametrize("path", ["/etag", "/weak", "/date", "/both"])
def test_conditional_requests(web: Web, path: str) -> None:
    url = f"http://change.example{path}"
    first = ask(web.port, url)
    known = {
        "If_None_Match": first.headers.get("etag", ""),
        "If_Modified_Since": first.headers.get("last-modified", ""),
    }
    again = ask(web.port, url, "GET", None, **known)
    assert (again.status, again.body) == (304, b"")
    assert ask(web.port, url, "PUT", b"<p>New</p>").status == 204
    assert ask(web.port, url, "GET", None, **known).body == b"<p>New</p>"
    web.change.change(path)
    assert ask(web.port, url, "GET", None, **known).body not in (first.body, b"<p>New</p>")


def test_duplicates_have_the_same_body(web: Web) -> None:
    def bodies(paths: tuple[str, ...]) -> list[bytes]:
        return [ask(web.port, f"http://copy.example{path}").body for path in paths]

    assert len(set(bodies(web.copy.SAME))) == 1
    assert len(set(bodies(web.copy.CANONICAL))) == 1
    assert b'rel="canonical"' in bodies(web.copy.CANONICAL)[3]
    assert len(set(bodies(web.copy.NEAR))) == 5
    assert len(set(bodies(web.copy.ALONE))) == 5


def test_shells_have_no_text(web: Web) -> None:
    for path in ("/", "/later", "/fetched"):
        assert extract(ask(web.port, f"http://shell.example{path}").body).text == ""
    assert ask(web.port, "http://shell.example/text.json").headers["content-type"] == "application/json"
    assert extract(ask(web.port, "http://shell.example/static").body).text


def test_the_server_is_also_a_proxy_for_known_hosts(web: Web) -> None:
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=20)) as connection:
        connection.request("GET", "http://docs.example/ko/page-1.html?x=1", headers={"Host": "ignored.example"})
        assert connection.getresponse().read().endswith(b"</html>")
    assert web.requests[-1].url == "http://docs.example/ko/page-1.html?x=1"
    assert ask(web.port, "http://nowhere.example/").status == 421
    assert ask(web.port, "http://docs.example:8080/", "HEAD").body == b""


def test_an_exception_in_a_host_reaches_the_test() -> None:
    class Wrong:
        def answer(self, request: Request) -> Reply:
            raise ZeroDivisionError

    web = Web(pages=1)
    web.serve_host("wrong.example", Wrong())
    with pytest.raises(ZeroDivisionError), web:
        ask(web.port, "http://wrong.example/")


def test_stopping_closes_connections() -> None:
    with Web(pages=1) as web:
        connection = HTTPConnection("127.0.0.1", web.port, timeout=20)
        connection.request("GET", "/silence", headers={"Host": "slow.example"})
        assert becomes_true(lambda: bool(web.requests))
    with pytest.raises((RemoteDisconnected, ConnectionError)):
        connection.getresponse()
    connection.close()


@pytest.mark.slow
def test_the_web_runs_in_another_process(tmp_path: Path) -> None:
    save(str(tmp_path / "site" / "index.html"), "<p>Front</p>")
    with start_web(tmp_path / "log.jsonl", pages=30, folders=[f"folder.example={tmp_path / 'site'}"]) as other:
        assert ask(other.port, "http://docs.example/", User_Agent="bonmun").status == 200
        assert ask(other.port, "http://folder.example/").text == "<p>Front</p>"
        first, second = other.read_requests()
    assert (first.host, first.target, first.find_header("user-agent")) == ("docs.example", "/", "bonmun")
    assert (second.host, second.connection) == ("folder.example", 2)
    assert second.time >= first.time
